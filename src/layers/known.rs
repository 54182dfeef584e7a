//! The names of the catalogue, as the checker of other layers wants them.

use crate::catalogue;
use crate::language::{Known, Rulebook};
use crate::model::declaration::{Command, Language};

/// What rulebooks over the catalogue may refer to: its sets and languages, and how its programs' arguments are written.
pub fn known() -> Known {
    let Some(names) = catalogue::names() else { return Known::default() };
    let languages = names.languages.into_iter().map(|name| Language { name, calls: Vec::new() });
    let commands = names.commands.into_iter().map(|(names, syntax)| Command { names, syntax, ..Command::default() });
    Known::of(&[Rulebook {
        name: String::new(),
        version: String::new(),
        about: String::new(),
        file: String::new(),
        lists: names.lists,
        paths: names.paths,
        commands: commands.collect(),
        languages: languages.collect(),
        tools: Vec::new(),
        rules: Vec::new(),
        overrides: Vec::new(),
        examples: Vec::new(),
    }])
}
