//! A shell word's value as far as it is known.
//!
//! A [`Word`] is a small set of [`Value`]s (branches join into a set); a value is a sequence of [`Piece`]s, of which some may
//! be holes (one unknown text) or glob operators (a set of names, all of which are touched).

use std::borrow::Cow;
use std::sync::Arc;

use super::span::Span;

/// Where unknown text came from; what it carries along through variables, substitutions and pipes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Taint {
    /// Text that the network said.
    pub network: bool,
    /// Text from the call's own standard input.
    pub stdin: bool,
    /// Text from the environment.
    pub environment: bool,
    /// Text of a program that nobody declared.
    pub unknown: bool,
    /// The files whose content is in it (each a path word, as written, with its directory resolved where that is known).
    pub files: Arc<[Word]>,
}

impl Taint {
    /// No taint at all.
    pub fn none() -> Taint {
        Taint::default()
    }

    /// Whether nothing is carried.
    pub fn is_none(&self) -> bool {
        !self.network && !self.stdin && !self.environment && !self.unknown && self.files.is_empty()
    }

    /// What both carry together.
    pub fn join(&self, other: &Taint) -> Taint {
        let files = if other.files.is_empty() {
            self.files.clone()
        } else if self.files.is_empty() {
            other.files.clone()
        } else {
            let mut all: Vec<Word> = self.files.to_vec();
            all.extend(other.files.iter().filter(|w| !self.files.contains(w)).cloned());
            all.into()
        };
        Taint {
            network: self.network || other.network,
            stdin: self.stdin || other.stdin,
            environment: self.environment || other.environment,
            unknown: self.unknown || other.unknown,
            files,
        }
    }
}

/// What texts a hole may stand for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Shape {
    /// Any text, the empty one and slashes included.
    Any,
    /// One path component: not empty, no slash, neither `.` nor `..`.
    Component,
    /// Decimal digits, at least one.
    Number,
}

/// Why a hole is unknown.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Origin {
    /// A variable that nothing sets: in a real run it is likely empty. `guarded` by `${x:?}`, or by `set -u`.
    Unset {
        /// The variable.
        name: String,
        /// Whether the shell stops instead of using the empty text.
        guarded: bool,
    },
    /// A variable of the environment whose value the agent's shell may not share.
    Environment(String),
    /// What a program prints.
    Output,
    /// Anything else: a loop's variable, input that is read, a budget.
    Unknown,
}

/// One unknown text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hole {
    /// What it may be.
    pub shape: Shape,
    /// Why it is unknown.
    pub origin: Origin,
    /// What it carries.
    pub taint: Taint,
    /// The text that it stands for.
    pub span: Span,
}

/// An unquoted glob operator of the shell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Glob {
    /// `*`: any text without a slash.
    Star,
    /// `**` as a component of its own, where the shell has it: any components.
    DoubleStar,
    /// `?`: one character but the slash.
    Question,
    /// `[…]`: one character of the ranges, or outside of them.
    Class {
        /// `[!…]`.
        negated: bool,
        /// Ranges, ends included.
        ranges: Vec<(char, char)>,
    },
}

/// A part of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// Known text. Where `span` is as long as the text, byte `i` of the text stands at byte `i` of the span; else the span
    /// covers what the text was made from (an escape, an expansion).
    Text {
        /// The text, quotes and escapes removed.
        text: String,
        /// Where it stands.
        span: Span,
    },
    /// Unknown text.
    Hole(Hole),
    /// A glob operator.
    Glob(Glob),
}

/// One value that a word may have. No pieces: the empty text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Value {
    /// In order.
    pub pieces: Vec<Piece>,
}

impl Value {
    /// A known text.
    pub fn text(text: impl Into<String>, span: Span) -> Value {
        Value { pieces: vec![Piece::Text { text: text.into(), span }] }
    }

    /// A single hole.
    pub fn hole(hole: Hole) -> Value {
        Value { pieces: vec![Piece::Hole(hole)] }
    }

    /// The text, where all of it is known and no glob operator is in it.
    pub fn known(&self) -> Option<Cow<'_, str>> {
        match self.pieces.as_slice() {
            [] => Some(Cow::Borrowed("")),
            [Piece::Text { text, .. }] => Some(Cow::Borrowed(text)),
            pieces => {
                let mut all = String::new();
                for piece in pieces {
                    match piece {
                        Piece::Text { text, .. } => all.push_str(text),
                        _ => return None,
                    }
                }
                Some(Cow::Owned(all))
            }
        }
    }

    /// The same value, texts that stand side by side as one piece: quotes and expansions cut a text anywhere. The span of such
    /// a piece covers theirs where they are of one source, else it is the first one's.
    pub fn merged(&self) -> Value {
        let mut pieces: Vec<Piece> = Vec::with_capacity(self.pieces.len());
        for piece in &self.pieces {
            match (pieces.last_mut(), piece) {
                (Some(Piece::Text { text: before, span: whole }), Piece::Text { text, span }) => {
                    before.push_str(text);
                    if whole.source == span.source && whole.end <= span.start {
                        whole.end = span.end;
                    }
                }
                _ => pieces.push(piece.clone()),
            }
        }
        Value { pieces }
    }

    /// The text with every hole taken as empty and every glob operator as written.
    pub fn emptied(&self) -> String {
        let mut all = String::new();
        for piece in &self.pieces {
            match piece {
                Piece::Text { text, .. } => all.push_str(text),
                Piece::Hole(_) => {}
                Piece::Glob(glob) => glob.write(&mut all),
            }
        }
        all
    }

    /// The holes in it.
    pub fn holes(&self) -> impl Iterator<Item = &Hole> {
        self.pieces.iter().filter_map(|piece| match piece {
            Piece::Hole(hole) => Some(hole),
            _ => None,
        })
    }

    /// Whether a hole is in it.
    pub fn has_hole(&self) -> bool {
        self.holes().next().is_some()
    }

    /// Whether a glob operator is in it.
    pub fn has_glob(&self) -> bool {
        self.pieces.iter().any(|piece| matches!(piece, Piece::Glob(_)))
    }
}

impl Glob {
    /// Appends the operator as a shell writes it.
    pub fn write(&self, out: &mut String) {
        match self {
            Glob::Star => out.push('*'),
            Glob::DoubleStar => out.push_str("**"),
            Glob::Question => out.push('?'),
            Glob::Class { negated, ranges } => {
                out.push('[');
                if *negated {
                    out.push('!');
                }
                for (low, high) in ranges {
                    out.push(*low);
                    if low != high {
                        out.push('-');
                        out.push(*high);
                    }
                }
                out.push(']');
            }
        }
    }
}

/// One word of a command after expansion.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// The values that it may have; at least one.
    pub values: Vec<Value>,
    /// Where it stands in the text.
    pub span: Span,
    /// Whether a program's output is in it (`$(…)`). Such a word exempts nothing: an exemption is written, not computed.
    pub computed: bool,
}

impl Word {
    /// A known word.
    pub fn known_text(text: impl Into<String>, span: Span) -> Word {
        Word { values: vec![Value::text(text, span)], span, computed: false }
    }

    /// A word of which nothing is known.
    pub fn unknown(origin: Origin, taint: Taint, span: Span) -> Word {
        let hole = Hole { shape: Shape::Any, origin, taint, span };
        Word { values: vec![Value::hole(hole)], span, computed: false }
    }

    /// The text, where there is one value and all of it is known.
    pub fn known(&self) -> Option<Cow<'_, str>> {
        match self.values.as_slice() {
            [value] => value.known(),
            _ => None,
        }
    }

    /// Bytes of known text in all its values; what is not known counts eight.
    pub fn size(&self) -> usize {
        let bytes = |piece: &Piece| match piece {
            Piece::Text { text, .. } => text.len(),
            Piece::Hole(_) | Piece::Glob(_) => 8,
        };
        self.values.iter().flat_map(|value| &value.pieces).map(bytes).sum()
    }

    /// What the holes of all its values carry.
    pub fn taint(&self) -> Taint {
        let mut all = Taint::none();
        for hole in self.values.iter().flat_map(Value::holes) {
            all = all.join(&hole.taint);
        }
        all
    }
}

/// One argument of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Argument {
    /// One word.
    Word(Word),
    /// Zero or more unknown words: something unquoted that may split.
    Splice(Hole),
}

impl Argument {
    /// The word, where it is one.
    pub fn word(&self) -> Option<&Word> {
        match self {
            Argument::Word(word) => Some(word),
            Argument::Splice(_) => None,
        }
    }

    /// Where it stands.
    pub fn span(&self) -> Span {
        match self {
            Argument::Word(word) => word.span,
            Argument::Splice(hole) => hole.span,
        }
    }
}
