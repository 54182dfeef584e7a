//! The quick road: whether a command is so plain, and so far from every rule, that reading it would find nothing.
//!
//! It never decides anything but that. A text is *plain* when it is one command of bare words: no quotes, no `$`, no glob, no
//! operator, no `/` in its first word: nothing that could build a word out of pieces, run a second program, or move the
//! directory. Of a plain text the words are known without a shell, and each image says by its index whether rules on that
//! program and one of those words exist, and which verbs the program's declaration may cause at all. What is not declared, or
//! runs other programs, goes the long road.
//!
//! A property test holds it to its word: where it skips, the long road finds nothing.

use crate::model::effect::Verb;
use crate::model::{ToolCall, World};

use super::bytes::Fault;
use super::declarations::{HEAVY, Head, bit};
use super::layout::{Key, Section};
use super::matching::Image;
use super::nfa::Scope;
use super::record::CommandShard;

/// Whether the text is so plain that no layer's rule can match the call. The images are those of all layers.
///
/// `world` says which variables and settings are set.
pub fn may_skip(images: &[&Image], call: &ToolCall, text: &str, world: &dyn World) -> Result<bool, Fault> {
    let Some(words) = plain(text) else { return Ok(false) };
    for image in images {
        if image.rules_on_tool(&call.tool)? || image.touches_program(&words, world)? {
            return Ok(false);
        }
    }
    let mut verbs = 0;
    let mut declared = false;
    let mut settings = Vec::new();
    for image in images {
        if let Some(mask) = image.quiet(&words, &mut settings)? {
            declared = true;
            verbs |= mask;
        }
    }
    if verbs & HEAVY != 0 || !declared {
        return Ok(false);
    }
    for (verb, word) in Verb::ALL {
        if verbs & bit(verb) != 0 {
            for image in images {
                if image.rules_on_effect(word)? {
                    return Ok(false);
                }
            }
        }
    }
    // Last, since it reads files.
    Ok(!settings.iter().any(|name| world.git_setting(&call.directory, name).is_some()))
}

/// The words of a plain text.
fn plain(text: &str) -> Option<Vec<&str>> {
    let bare = |byte: u8| byte.is_ascii_alphanumeric() || b" -_.,:/+%@".contains(&byte) || byte == b'=';
    if text.len() > 4096 || !text.bytes().all(bare) {
        return None;
    }
    let words: Vec<&str> = text.split(' ').filter(|word| !word.is_empty()).collect();
    let first = words.first()?;
    // An assignment, a path, an `%` of a job: the first word must be a name.
    let name = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.+".contains(&byte);
    first.bytes().all(name).then_some(words)
}

impl Image {
    fn rules_on_tool(&self, tool: &str) -> Result<bool, Fault> {
        Ok(!self.wild_clauses(Section::WildTools, tool)?.is_empty() || self.has(Key::Tool, tool)?)
    }

    fn rules_on_effect(&self, verb: &str) -> Result<bool, Fault> {
        self.has(Key::Effect, verb)
    }

    /// Whether rules on the program may match with these words.
    fn touches_program(&self, words: &[&str], world: &dyn World) -> Result<bool, Fault> {
        if !self.wild_clauses(Section::WildCommands, words[0])?.is_empty() {
            return Ok(true);
        }
        // An option may be written in more ways than its declaration spells: bundled, shortened, with its value attached.
        let options = words[1..].iter().any(|word| word.starts_with('-'));
        if options && self.has(Key::Command, words[0])? {
            return Ok(true);
        }
        for shard in self.records::<CommandShard>(Key::Command, words[0], "command shard")? {
            if shard.key != words[0] {
                continue;
            }
            let is_set = |name: &String| world.variable(name).is_some();
            if !shard.always.is_empty() || shard.variables.iter().any(|(names, _)| names.iter().any(is_set)) {
                return Ok(true);
            }
            for word in &words[1..] {
                if !shard.atoms.matching(word, Scope::Word)?.is_empty()
                    || self.has(Key::CommandWord, &format!("{}\0{word}", words[0]))?
                {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// The verbs that the declarations of the program may cause with these words; none where nothing is declared. Adds the
    /// settings of the repository on which they act.
    fn quiet(&self, words: &[&str], settings: &mut Vec<String>) -> Result<Option<u32>, Fault> {
        // What only another shell knows by this name may be a word of this one's grammar.
        let mut here: Vec<Head> = self.heads(words[0])?;
        here.retain(|head| !head.shell && head.names.iter().any(|name| name == words[0]));
        if here.is_empty() {
            return Ok(None);
        }
        let options = words[1..].iter().any(|word| word.starts_with('-'));
        let mut mask = 0;
        let mut rest = words[1..].iter();
        loop {
            let operands = !rest.as_slice().is_empty();
            let of = |head: &Head| head.own | if options { head.options } else { 0 } | if operands { head.operands } else { 0 };
            mask |= here.iter().fold(0, |all, head| all | of(head));
            settings.extend(here.iter().flat_map(|head| head.settings.iter().cloned()));
            let mut parents = here.iter().filter(|head| !head.nodes.is_empty());
            // An option before the subcommand may take it as its value; a word that is no subcommand may be another name for
            // anything; and of several declarations' subcommands it is not known whose this one is.
            let sub = match (parents.next(), parents.next(), rest.next()) {
                (None, ..) => return Ok(Some(mask)),
                (Some(parent), None, Some(word)) if !word.starts_with('-') => parent.node(word)?,
                _ => None,
            };
            let Some((_, location)) = sub else { return Ok(Some(mask | HEAVY)) };
            here = vec![self.head(location)?];
        }
    }
}
