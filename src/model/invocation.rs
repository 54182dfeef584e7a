//! One program run by a script, before and after its declaration was applied.

use serde::{Deserialize, Serialize};

use super::effect::Place;
use super::span::Span;
use super::word::{Argument, Taint, Word};

/// Where relative paths start.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Directory {
    /// An absolute path with `/` between components, lexically normal.
    Known(String),
    /// One of several.
    OneOf(Vec<String>),
    /// Somewhere.
    Unknown,
}

/// Text that flows: into a program's standard input, out of a program, into a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Flow {
    /// Nothing at all (`/dev/null`, a closed input).
    Empty,
    /// This text, known as far as the word is; the word's taint is the text's taint.
    Text(Word),
    /// Unknown text that carries this.
    Unknown(Taint),
}

impl Flow {
    /// What the text carries.
    pub fn taint(&self) -> Taint {
        match self {
            Flow::Empty => Taint::none(),
            Flow::Text(word) => word.taint(),
            Flow::Unknown(taint) => taint.clone(),
        }
    }
}

/// One step of the chain by which an invocation came to run, outermost first: `sudo`, `xargs`, `sh -c`, a function, a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// The program's base name, or the function's name, or the file's path.
    pub name: String,
    /// What kind of step.
    pub kind: LinkKind,
    /// Where it stands.
    pub span: Span,
}

/// Kinds of steps in a chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum LinkKind {
    /// A program that runs another one.
    Program,
    /// A shell function or alias.
    Function,
    /// Code in another language, by that language's name.
    Language,
    /// A file that was read and walked.
    File,
}

/// One program run by a script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invocation {
    /// The program as written.
    pub program: Word,
    /// Its arguments.
    pub arguments: Vec<Argument>,
    /// `NAME=value` that holds for this command, and what the script exported.
    pub environment: Vec<(String, Word)>,
    /// Where relative paths start.
    pub directory: Directory,
    /// What it reads on its standard input.
    pub stdin: Flow,
    /// Whose file system its paths mean.
    pub place: Place,
    /// How it came to run, outermost first.
    pub chain: Vec<Link>,
    /// Where it stands.
    pub span: Span,
}

/// One option as it was used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OptionUse {
    /// Every spelling that the declaration joins with the one used, the used one first. For an undeclared program: what was
    /// written, alone.
    pub spellings: Vec<String>,
    /// Its value, where it takes one.
    pub value: Option<Word>,
    /// Whether it is certain that the option is given. An option out of an alternative is not.
    pub certain: bool,
    /// Whether it was computed by a program (`$(…)`), or stands behind a splice, whose last word may take it as its value:
    /// then it exempts nothing.
    pub computed: bool,
    /// Where it stands.
    pub span: Span,
}

/// An invocation read with one declaration of its program, or, without one, under one guess about its options.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    /// The base name that the rules know it by: folder and `.exe` taken off.
    pub program: String,
    /// Whether the program's name is certain.
    pub certain: bool,
    /// Options in order.
    pub options: Vec<OptionUse>,
    /// Positionals in order; subcommand words are positionals too. A splice among them is zero or more unknown words.
    pub positionals: Vec<Argument>,
    /// How many positionals stand before a literal `--`, where one stands.
    pub dashes: Option<usize>,
    /// Whether a splice may hold options.
    pub open: bool,
    /// Whether a declaration was found.
    pub declared: bool,
}
