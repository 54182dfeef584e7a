//! What an expression may be.

use crate::model::{Origin, Piece, Span, Taint, Value, Word};

/// What a name is bound to, or an expression gives.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Held {
    /// Text, or a number.
    Text(Word),
    /// A list.
    List(Vec<Held>),
    /// Values by name: an object's fields, a dictionary's entries.
    Object(Vec<(String, Held)>),
    /// A module, a function, a type: its dotted name.
    Name(String),
    /// What a call of this name gave: its arguments, for the methods that are called on it, and its text.
    Made {
        /// The dotted name.
        name: String,
        /// What it was given.
        arguments: Vec<Held>,
        /// What it gave.
        text: Word,
    },
}

impl Held {
    /// Nothing is known but what it carries.
    pub fn unknown(taint: Taint, span: Span) -> Held {
        Held::Text(Word::unknown(Origin::Unknown, taint, span))
    }

    /// A known text.
    pub fn known(text: impl Into<String>, span: Span) -> Held {
        Held::Text(Word::known_text(text, span))
    }

    /// As a text; a list is a hole with what its elements carry.
    pub fn word(&self, span: Span) -> Word {
        match self {
            Held::Text(word) => word.clone(),
            Held::Made { text, .. } => text.clone(),
            Held::List(all) => Word::unknown(Origin::Unknown, self.taint_of(all, span), span),
            Held::Object(all) => {
                let taint = all.iter().fold(Taint::none(), |taint, (_, held)| taint.join(&held.taint(span)));
                Word::unknown(Origin::Unknown, taint, span)
            }
            Held::Name(name) if matches!(name.as_str(), "True" | "False" | "true" | "false") => {
                Word::known_text(name.to_ascii_lowercase(), span)
            }
            Held::Name(_) => Word::unknown(Origin::Unknown, Taint::none(), span),
        }
    }

    fn taint_of(&self, all: &[Held], span: Span) -> Taint {
        all.iter().fold(Taint::none(), |taint, held| taint.join(&held.word(span).taint()))
    }

    /// What it carries.
    pub fn taint(&self, span: Span) -> Taint {
        self.word(span).taint()
    }

    /// The known text.
    pub fn text(&self) -> Option<String> {
        match self {
            Held::Text(word) | Held::Made { text: word, .. } => word.known().map(|text| text.into_owned()),
            _ => None,
        }
    }
}

/// Appends a text in place: what is long stays linear.
pub(super) fn append(word: &mut Word, next: Word, span: Span) {
    word.span = span;
    match (word.values.as_mut_slice(), next.values.as_slice()) {
        ([one], [_]) => {
            word.computed |= next.computed;
            one.pieces.extend(next.values.into_iter().flat_map(|value| value.pieces));
        }
        _ => *word = joined(word, &next, span),
    }
}

/// Two texts, one after the other.
pub(super) fn joined(left: &Word, right: &Word, span: Span) -> Word {
    if left.values.len() * right.values.len() > 8 {
        return Word::unknown(Origin::Unknown, left.taint().join(&right.taint()), span);
    }
    let mut values = Vec::new();
    for a in &left.values {
        for b in &right.values {
            let pieces: Vec<Piece> = a.pieces.iter().chain(&b.pieces).cloned().collect();
            values.push(Value { pieces });
        }
    }
    Word { values, span, computed: left.computed || right.computed }
}
