//! What each declared program may do, boiled down to a few bits for the quick road.

use crate::model::declaration::{Act, Command, Does};
use crate::model::effect::Verb;

use super::super::layout::{Key, Writer};
use super::super::prefilter::{HEAVY, Quiet, bit};
use super::super::record::encode;

/// Writes a record for each name of the command and each path of its subcommands.
pub fn write(command: &Command, writer: &mut Writer) {
    let mut names = command.names.clone();
    names.sort();
    names.dedup();
    for name in &names {
        // What another shell calls so may be a word of this one's grammar.
        if command.shell.is_some() {
            continue;
        }
        let mut pending: Vec<(String, &Command)> = vec![(name.clone(), command)];
        while let Some((key, command)) = pending.pop() {
            let location = writer.record(&encode(&quiet(&key, command)));
            writer.name(Key::Quiet, &key, location);
            for sub in &command.subcommands {
                pending.extend(sub.names.iter().map(|name| (format!("{key}\0{name}"), sub)));
            }
        }
    }
}

fn quiet(key: &str, command: &Command) -> Quiet {
    let own = does(&command.does)
        | does(&command.stdin)
        | if command.runs.is_some() || !command.settings.is_empty() { HEAVY } else { 0 };
    let options = command.options.iter().fold(0, |all, option| all | does(&option.does));
    Quiet { key: key.to_string(), own, options, subcommands: !command.subcommands.is_empty() }
}

fn does(list: &[Does]) -> u32 {
    list.iter().fold(0, |all, does| {
        all | match &does.act {
            // A file that runs has effects of its own.
            Act::Effect(Verb::Executes | Verb::ExecutesFile) | Act::Executes(_) | Act::ExecutesFile { .. } => HEAVY,
            Act::Effect(verb) => bit(*verb),
            Act::Runs | Act::RunsUntil { .. } | Act::Assigns | Act::Aliases | Act::Splits | Act::Replaces => HEAVY,
            Act::Narrows | Act::Cancels | Act::Links { .. } => 0,
        }
    })
}
