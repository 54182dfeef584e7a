//! Words → arguments, in the shell's own order: braces, tilde, parameters, substitutions, arithmetic, splitting, globs.
//!
//! A word first becomes an [`Expansion`]: alternatives of fragments, each fragment knowing whether it may still be split or
//! read as a pattern. Then it becomes fields ([`fields`]), or one value where the shell does not split ([`single`]).

pub(super) mod arithmetic;
pub(super) mod braces;
pub(super) mod escapes;
pub(super) mod expand;
pub(super) mod fields;
pub(super) mod lookup;
pub(super) mod operators;
pub(super) mod parameter;
pub(super) mod patterns;

use crate::model::{Glob, Hole, Origin, Piece, Shape, Span, Taint, Value};
use crate::shell::state::MOST_VALUES;

/// What may still happen to a fragment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// Nothing: it was quoted.
    Quoted,
    /// It was written without quotes: its glob operators are operators.
    Literal,
    /// It came out of an unquoted expansion: it is split, and its glob operators are operators.
    Expanded,
}

/// A part of an expanded word.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Fragment {
    Text {
        text: String,
        span: Span,
        mode: Mode,
    },
    Hole {
        hole: Hole,
        mode: Mode,
    },
    Glob(Glob),
    /// Between two elements of `$@`.
    Break,
    /// Zero or more words: `$@` of which nothing is known.
    Many(Hole),
}

/// What a word may expand to.
#[derive(Debug, Clone)]
pub(super) struct Expansion {
    /// INVARIANT (alternatives): at least one, at most [`MOST_VALUES`].
    pub(super) alternatives: Vec<Vec<Fragment>>,
    /// Whether a program's output is in it.
    pub(super) computed: bool,
    /// Bytes of text in it, for the budget.
    pub(super) size: usize,
}

impl Expansion {
    pub(super) fn empty() -> Expansion {
        Expansion { alternatives: vec![Vec::new()], computed: false, size: 0 }
    }

    pub(super) fn push(&mut self, fragment: Fragment) {
        match self.alternatives.as_mut_slice() {
            [one] => one.push(fragment),
            all => all.iter_mut().for_each(|one| one.push(fragment.clone())),
        }
    }

    /// Of alternatives.
    pub(super) fn of(alternatives: Vec<Vec<Fragment>>, computed: bool) -> Expansion {
        Expansion { alternatives, computed, size: 0 }
    }

    pub(super) fn push_text(&mut self, text: &str, span: Span, mode: Mode) {
        self.size += text.len();
        self.push(Fragment::Text { text: text.to_string(), span, mode });
    }

    /// Each of ours followed by each of the other's.
    pub(super) fn append(&mut self, mut other: Expansion, span: Span) {
        self.computed |= other.computed;
        let bytes = |fragment: &Fragment| match fragment {
            Fragment::Text { text, .. } => text.len(),
            _ => 8,
        };
        self.size += other.alternatives.iter().flatten().map(bytes).sum::<usize>();
        if other.alternatives.len() == 1 {
            let last = other.alternatives.pop().unwrap_or_default();
            match self.alternatives.as_mut_slice() {
                [one] => one.extend(last),
                all => all.iter_mut().for_each(|one| one.extend(last.iter().cloned())),
            }
            return;
        }
        if self.alternatives.len() * other.alternatives.len() > MOST_VALUES {
            // Too many: what follows is anything.
            let hole = Hole { shape: Shape::Any, origin: Origin::Unknown, taint: taint_of(&other), span };
            let quoted = other.alternatives.iter().flatten().all(Fragment::is_quoted);
            let mode = if quoted { Mode::Quoted } else { Mode::Expanded };
            self.push(Fragment::Hole { hole, mode });
            return;
        }
        let mut all = Vec::with_capacity(self.alternatives.len() * other.alternatives.len());
        for mine in &self.alternatives {
            for more in &other.alternatives {
                all.push(mine.iter().chain(more).cloned().collect());
            }
        }
        self.alternatives = all;
    }
}

impl Fragment {
    fn is_quoted(&self) -> bool {
        matches!(self, Fragment::Text { mode: Mode::Quoted, .. } | Fragment::Hole { mode: Mode::Quoted, .. })
    }
}

fn taint_of(expansion: &Expansion) -> Taint {
    let mut taint = Taint::none();
    for fragment in expansion.alternatives.iter().flatten() {
        if let Fragment::Hole { hole, .. } | Fragment::Many(hole) = fragment {
            taint = taint.join(&hole.taint);
        }
    }
    taint
}

/// A value's pieces as fragments.
pub(super) fn fragments_of(value: &Value, mode: Mode) -> Vec<Fragment> {
    if value.pieces.is_empty() {
        return vec![Fragment::Text { text: String::new(), span: Span::default(), mode }];
    }
    let fragment = |piece: &Piece| match piece {
        Piece::Text { text, span } => Fragment::Text { text: text.clone(), span: *span, mode },
        Piece::Hole(hole) => Fragment::Hole { hole: hole.clone(), mode },
        // A value with one of them stands for names (of a loop over `*`), and quotes keep a name.
        Piece::Glob(glob) => Fragment::Glob(glob.clone()),
    };
    value.pieces.iter().map(fragment).collect()
}

/// A hole of unknown origin.
pub(super) fn unknown(shape: Shape, taint: Taint, span: Span) -> Hole {
    Hole { shape, origin: Origin::Unknown, taint, span }
}

/// Whether two values are the same text, wherever it stands.
pub(super) fn same_value(one: &Value, two: &Value) -> bool {
    one == two || matches!((one.known(), two.known()), (Some(a), Some(b)) if a == b)
}
