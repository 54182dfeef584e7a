//! The syntax tree of a POSIX shell script. Every node knows its range in the script's text; text is never copied into it.

use std::sync::Arc;

use super::source::{Range, Source};

/// A parsed text.
#[derive(Debug)]
pub(crate) struct Script {
    pub(crate) source: Source,
    pub(crate) list: List,
    /// Bodies of the here-documents, which redirections name by index.
    pub(crate) documents: Vec<Document>,
    /// Stretches that are no shell.
    pub(crate) faults: Vec<Range>,
    /// The budget that ended the parse.
    pub(crate) limit: Option<(&'static str, u64, Range)>,
}

/// Commands one after another.
#[derive(Debug, Default)]
pub(crate) struct List {
    pub(crate) items: Vec<Item>,
}

#[derive(Debug)]
pub(crate) struct Item {
    pub(crate) first: Pipeline,
    pub(crate) rest: Vec<(Connector, Pipeline)>,
    pub(crate) background: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Connector {
    And,
    Or,
}

#[derive(Debug)]
pub(crate) struct Pipeline {
    pub(crate) negated: bool,
    pub(crate) commands: Vec<Command>,
}

#[derive(Debug)]
pub(crate) struct Command {
    pub(crate) form: Form,
    pub(crate) redirections: Vec<Redirection>,
    pub(crate) at: Range,
}

#[derive(Debug)]
pub(crate) enum Form {
    Simple(Simple),
    Subshell(List),
    Group(List),
    /// Conditions with what they lead to, then the `else` list.
    If(Vec<(List, List)>, List),
    Loop {
        until: bool,
        condition: List,
        body: List,
    },
    /// Without `in`, over `"$@"`.
    For {
        name: Range,
        words: Option<Vec<Word>>,
        body: List,
        select: bool,
    },
    ForArithmetic {
        start: Word,
        condition: Word,
        step: Word,
        body: List,
    },
    Case {
        subject: Word,
        arms: Vec<Arm>,
    },
    Function {
        name: Range,
        body: Arc<Command>,
    },
    Test(Test),
    Arithmetic(Word),
    Coprocess {
        body: Box<Command>,
    },
}

#[derive(Debug)]
pub(crate) struct Arm {
    pub(crate) patterns: Vec<Word>,
    pub(crate) body: List,
    pub(crate) end: ArmEnd,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ArmEnd {
    /// `;;`
    Break,
    /// `;&`: the next body, too.
    Fall,
    /// `;;&`: the next pattern, too.
    Test,
}

#[derive(Debug, Default)]
pub(crate) struct Simple {
    pub(crate) assignments: Vec<Assignment>,
    pub(crate) words: Vec<Word>,
}

#[derive(Debug)]
pub(crate) struct Assignment {
    pub(crate) name: Range,
    pub(crate) subscript: Option<Word>,
    pub(crate) append: bool,
    pub(crate) value: Assigned,
    pub(crate) at: Range,
}

#[derive(Debug)]
pub(crate) enum Assigned {
    Scalar(Word),
    Array(Vec<Element>),
}

#[derive(Debug)]
pub(crate) struct Element {
    pub(crate) subscript: Option<Word>,
    pub(crate) value: Word,
}

#[derive(Debug, Default)]
pub(crate) struct Word {
    pub(crate) parts: Vec<Part>,
    pub(crate) at: Range,
    /// Whether an unquoted `{` is in it.
    pub(crate) braces: bool,
    /// An argument that a declaration builtin reads as an assignment (`export x=(a b)`).
    pub(crate) assignment: Option<Box<Assignment>>,
}

#[derive(Debug)]
pub(crate) enum Part {
    /// As written, unquoted (quoted where it stands inside [`Part::Double`]).
    Literal(Range),
    /// Quoted text: after a backslash, or between single quotes.
    Quoted(Range),
    /// `$'…'`, without the marks.
    Ansi(Range),
    /// `"…"` and `$"…"`.
    Double(Vec<Part>, Range),
    Parameter(Box<Parameter>),
    /// `$(…)`
    Command(Box<List>, Range),
    /// What stands between backquotes; whether within double quotes, where one more escape is known.
    Backquoted {
        inner: Range,
        quoted: bool,
        at: Range,
    },
    /// `$((…))`
    Arithmetic(Box<Word>, Range),
    /// `<(…)`, `>(…)`
    Process {
        write: bool,
        list: Arc<List>,
        at: Range,
    },
    /// `@(a|b)` and its kin: the operator and the alternatives.
    Extended(u8, Vec<Word>, Range),
}

#[derive(Debug)]
pub(crate) struct Parameter {
    pub(crate) name: Range,
    /// `${!x}`
    pub(crate) indirect: bool,
    pub(crate) subscript: Subscript,
    /// Boxed, since most have none and a script may hold very many.
    pub(crate) operator: Option<Box<Operator>>,
    pub(crate) at: Range,
}

#[derive(Debug)]
pub(crate) enum Subscript {
    None,
    /// `[@]`
    Each,
    /// `[*]`
    Joined,
    Index(Box<Word>),
}

#[derive(Debug)]
pub(crate) enum Operator {
    /// `${#x}`
    Length,
    /// `-`, `=`, `?`, `+`; with a colon, empty counts as unset.
    Default {
        kind: u8,
        colon: bool,
        word: Word,
    },
    /// `#`, `##`, `%`, `%%`
    Trim {
        end: bool,
        longest: bool,
        pattern: Word,
    },
    Replace {
        all: bool,
        anchor: Anchor,
        pattern: Word,
        with: Option<Word>,
    },
    Substring {
        offset: Word,
        length: Option<Word>,
    },
    /// `^`, `^^`, `,`, `,,`, `~`, `~~`
    Case {
        kind: u8,
        all: bool,
        pattern: Option<Word>,
    },
    /// `@Q` and its kin.
    Transform(u8),
    /// `${!x*}`, `${!x@}`: names with that beginning.
    Names,
    /// Of another shell, or broken.
    Unknown,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Anchor {
    None,
    Start,
    End,
}

#[derive(Debug)]
pub(crate) struct Redirection {
    /// The number before the operator.
    pub(crate) descriptor: Option<u32>,
    pub(crate) kind: Redirect,
    pub(crate) at: Range,
}

impl Redirection {
    /// Whether the word lacks that it needs.
    pub(crate) fn is_incomplete(&self) -> bool {
        match &self.kind {
            Redirect::Read(word)
            | Redirect::Write(word)
            | Redirect::Append(word)
            | Redirect::Both(word)
            | Redirect::String(word)
            | Redirect::Everything { target: word, .. }
            | Redirect::Duplicate { target: word, .. } => word.at.is_empty(),
            Redirect::Document(_) => false,
        }
    }
}

#[derive(Debug)]
pub(crate) enum Redirect {
    /// `<`
    Read(Word),
    /// `>`, `>|`
    Write(Word),
    /// `>>`
    Append(Word),
    /// `<>`
    Both(Word),
    /// `&>`, `>& f`; with a flag for `&>>`
    Everything { append: bool, target: Word },
    /// `<&`, `>&` with a number, `-`, or a word that gives one.
    Duplicate { input: bool, target: Word },
    /// `<<`: the document's index.
    Document(usize),
    /// `<<<`
    String(Word),
}

#[derive(Debug, Default)]
pub(crate) struct Document {
    /// The body; quoted documents have literal parts alone.
    pub(crate) body: Word,
}

#[derive(Debug)]
pub(crate) enum Test {
    /// Lists, not pairs: a chain of thousands must not be as deep as it is long.
    All(Vec<Test>),
    Any(Vec<Test>),
    Not(Box<Test>),
    /// `-n x`
    Unary(Range, Word),
    /// `a = b`
    Binary(Word, Range, Word),
    /// A lone word.
    Word(Word),
    /// Nothing that could be read.
    Unknown,
}
