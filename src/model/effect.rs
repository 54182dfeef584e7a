//! What a call does to the world.

use serde::{Deserialize, Serialize};

use super::invocation::Directory;
use super::span::Span;
use super::word::{Taint, Word};

/// What is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[allow(missing_docs)] // each is the verb of the language, whose reference explains it
pub enum Verb {
    Reads,
    Writes,
    Appends,
    Creates,
    Truncates,
    Deletes,
    Moves,
    Lists,
    Executes,
    ExecutesFile,
    ChangesMode,
    ChangesOwner,
    ChangesDirectory,
    Fetches,
    Sends,
    Kills,
    Formats,
}

impl Verb {
    /// Every verb with its word in the language, in the order of the reference.
    pub const ALL: [(Verb, &'static str); 17] = [
        (Verb::Reads, "reads"),
        (Verb::Writes, "writes"),
        (Verb::Appends, "appends"),
        (Verb::Creates, "creates"),
        (Verb::Truncates, "truncates"),
        (Verb::Deletes, "deletes"),
        (Verb::Moves, "moves"),
        (Verb::Lists, "lists"),
        (Verb::Executes, "executes"),
        (Verb::ExecutesFile, "executes-file"),
        (Verb::ChangesMode, "changes-mode"),
        (Verb::ChangesOwner, "changes-owner"),
        (Verb::ChangesDirectory, "changes-directory"),
        (Verb::Fetches, "fetches"),
        (Verb::Sends, "sends"),
        (Verb::Kills, "kills"),
        (Verb::Formats, "formats"),
    ];

    /// The word of the language.
    pub fn word(self) -> &'static str {
        Verb::ALL.iter().find(|(verb, _)| *verb == self).map_or("", |(_, word)| word)
    }

    /// The verb of a word.
    pub fn parse(word: &str) -> Option<Verb> {
        Verb::ALL.iter().find(|(_, name)| *name == word).map(|(verb, _)| *verb)
    }
}

/// Whose file system is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
pub enum Place {
    /// This machine's.
    #[default]
    Here,
    /// Another host's.
    Remote,
    /// A container's.
    Container,
}

/// Where executed text, or sent data, comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[allow(missing_docs)] // the words of the language
pub enum Source {
    Network,
    Stdin,
    File,
    Environment,
    Unknown,
}

/// A text for an interpreter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Code {
    /// The language as the declarations name it: `shell`, `python`, `sql`, …
    pub language: String,
    /// The text, as far as it is known.
    pub text: Word,
    /// What the text carries.
    pub from: Taint,
    /// Whether all of the text was known and was walked (its own invocations and effects are judged); if not, what runs is
    /// unknown.
    pub walked: bool,
}

/// What an effect is done to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Object {
    /// A path, relative to the effect's directory.
    Path(Word),
    /// A URL or a host.
    Address(Word),
    /// A text that runs.
    Code(Code),
    /// A process, a device without a path, or nothing that can be named.
    Other(Word),
    /// Nothing.
    None,
}

/// One thing that a call does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Effect {
    /// What is done.
    pub verb: Verb,
    /// To everything below the path, too.
    pub recursively: bool,
    /// Without asking, in spite of protection.
    pub forcibly: bool,
    /// To what.
    pub object: Object,
    /// Narrows a recursive effect to the names that match one of these globs (`find -name`); empty: no narrowing.
    pub filters: Vec<Word>,
    /// What the data that is written or sent carries (`writes from network`).
    pub from: Taint,
    /// Where relative paths start.
    pub directory: Directory,
    /// Whose file system.
    pub place: Place,
    /// Whether it is certain that the effect happens (a declared program's is; a guess about an undeclared one is not).
    pub certain: bool,
    /// Which invocation of the call has it (index into [`super::Call::invocations`]); none for an agent's file tool.
    pub invocation: Option<usize>,
    /// Where the words stand that say so.
    pub span: Span,
}
