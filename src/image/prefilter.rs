//! The quick road: whether a command is so plain, and so far from every rule, that reading it would find nothing.
//!
//! It never decides anything but that. A text is *plain* when it is one command of bare words: no quotes, no `$`, no glob, no
//! operator, no `/` in its first word: nothing that could build a word out of pieces, run a second program, or move the
//! directory. Of a plain text the words are known without a shell, and each image says by its index whether rules on that
//! program and one of those words exist, and which verbs the program's declaration may cause at all. What is not declared, or
//! runs other programs, goes the long road.
//!
//! A property test holds it to its word: where it skips, the long road finds nothing.

use serde::{Deserialize, Serialize};

use crate::model::effect::Verb;

use super::bytes::Fault;
use super::layout::{Key, Section};
use super::matching::Image;
use super::record::{CommandShard, ToolShard};

/// Set for what may run another program or text.
pub const HEAVY: u32 = 1 << 31;

/// The bit of a verb.
pub fn bit(verb: Verb) -> u32 {
    1 << (verb as u32)
}

/// What one declaration, or one subcommand of it, may do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Quiet {
    /// The program's name and its subcommand words, nuls between them.
    pub key: String,
    /// By its operands and its input.
    pub own: u32,
    /// By its options.
    pub options: u32,
    /// Whether it has subcommands: then a word that is none of them may be another name for anything.
    pub subcommands: bool,
}

/// Whether the text is so plain that no layer's rule can match the call. The images are those of all layers.
pub fn may_skip(images: &[&Image], tool: &str, text: &str) -> Result<bool, Fault> {
    let Some(words) = plain(text) else { return Ok(false) };
    for image in images {
        if image.rules_on_tool(tool)? || image.touches_program(&words)? {
            return Ok(false);
        }
    }
    let mut verbs = 0;
    let mut declared = false;
    for image in images {
        for quiet in image.quiet(&words)? {
            declared = true;
            match quiet {
                Some(mask) => verbs |= mask,
                None => return Ok(false),
            }
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
    Ok(true)
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
        Ok(self.has_section(Section::WildTools) || !self.records::<ToolShard>(Key::Tool, tool, "tool shard")?.is_empty())
    }

    fn rules_on_effect(&self, verb: &str) -> Result<bool, Fault> {
        self.has(Key::Effect, verb)
    }

    /// Whether rules on the program may match with these words.
    fn touches_program(&self, words: &[&str]) -> Result<bool, Fault> {
        if self.has_section(Section::WildCommands) {
            return Ok(true);
        }
        for shard in self.records::<CommandShard>(Key::Command, words[0], "command shard")? {
            if shard.key != words[0] {
                continue;
            }
            if !shard.clauses.is_empty() {
                return Ok(true);
            }
            for word in &words[1..] {
                if self.has(Key::CommandWord, &format!("{}\0{word}", words[0]))? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// For each declaration of the program the verbs that it may cause with these words; none where that cannot be said.
    fn quiet(&self, words: &[&str]) -> Result<Vec<Option<u32>>, Fault> {
        let mut all = Vec::new();
        let tops = self.records::<Quiet>(Key::Quiet, words[0], "declaration")?;
        let options = words[1..].iter().any(|word| word.starts_with('-'));
        let several = tops.iter().filter(|quiet| quiet.key == words[0]).count() > 1;
        for top in tops.into_iter().filter(|quiet| quiet.key == words[0]) {
            if several {
                all.push(None);
                continue;
            }
            let (mut mask, mut here, mut at) = (0, top, 1);
            loop {
                mask |= here.own | if options { here.options } else { 0 };
                if !here.subcommands {
                    break;
                }
                // An option before the subcommand may take it as its value.
                let sub = match words.get(at) {
                    Some(word) if !word.starts_with('-') => {
                        let key = format!("{}\0{word}", here.key);
                        let found = self.records::<Quiet>(Key::Quiet, &key, "declaration")?;
                        found.into_iter().find(|quiet| quiet.key == key)
                    }
                    _ => None,
                };
                match sub {
                    Some(sub) => (here, at) = (sub, at + 1),
                    None => {
                        mask |= HEAVY;
                        break;
                    }
                }
            }
            all.push(Some(mask));
        }
        Ok(all)
    }
}
