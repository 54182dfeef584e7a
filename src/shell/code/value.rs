//! What an expression of a program's text may be, as far as it can be told without running it.

use crate::model::{Hole, Origin, Piece, Shape, Span, Taint, Value as TextValue, Word};

/// The value of an expression.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A text.
    Text(Word),
    /// A whole number.
    Number(i64, Span),
    /// `true`, `false`, and what means nothing.
    Flag(bool),
    /// A list, or a tuple.
    List(Vec<Value>, Span),
    /// Named values (`{recursive: true}`).
    Fields(Vec<(String, Value)>, Span),
    /// Something with a name that no text was assigned to: a module, a function, an unknown variable.
    Name(String, Span),
    /// What a call gave: the call's name, its first argument, what it carries.
    Result(Box<Answer>),
    /// Nothing is known of it.
    Unknown(Taint, Span),
}

/// What a call gave.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The name of the call, and of what was asked of its answer (`requests.get.text`).
    pub name: String,
    /// The call's first argument.
    pub first: Option<Value>,
    /// What it carries.
    pub taint: Taint,
    /// Where.
    pub span: Span,
}

impl Value {
    /// Nothing is known.
    pub fn unknown(span: Span) -> Value {
        Value::Unknown(Taint::none(), span)
    }

    /// Where it stands.
    pub fn span(&self) -> Span {
        match self {
            Value::Text(word) => word.span,
            Value::Number(_, span)
            | Value::List(_, span)
            | Value::Fields(_, span)
            | Value::Name(_, span)
            | Value::Unknown(_, span) => *span,
            Value::Result(answer) => answer.span,
            Value::Flag(_) => Span::default(),
        }
    }

    /// What it carries.
    pub fn taint(&self) -> Taint {
        match self {
            Value::Text(word) => word.taint(),
            Value::List(all, _) => all.iter().fold(Taint::none(), |taint, one| taint.join(&one.taint())),
            Value::Fields(all, _) => all.iter().fold(Taint::none(), |taint, (_, one)| taint.join(&one.taint())),
            Value::Result(answer) => answer.taint.clone(),
            Value::Unknown(taint, _) => taint.clone(),
            Value::Number(..) | Value::Flag(_) | Value::Name(..) => Taint::none(),
        }
    }

    /// As a text; what is none is a hole.
    pub fn word(&self, at: Span) -> Word {
        match self {
            Value::Text(word) => word.clone(),
            Value::Number(number, span) => Word::known_text(number.to_string(), start(*span)),
            other => {
                let span = if other.span() == Span::default() { at } else { other.span() };
                let hole = Hole { shape: Shape::Any, origin: Origin::Unknown, taint: other.taint(), span };
                Word { values: vec![TextValue::hole(hole)], span, computed: false }
            }
        }
    }

    /// Whether it counts as true, where that is known.
    pub fn truth(&self) -> Option<bool> {
        match self {
            Value::Flag(flag) => Some(*flag),
            Value::Number(number, _) => Some(*number != 0),
            Value::Text(word) => Some(word.known().is_none_or(|text| !text.is_empty())),
            _ => None,
        }
    }
}

fn start(span: Span) -> Span {
    Span { end: span.start, ..span }
}

/// The most values that a text may have.
const MOST_VALUES: usize = 16;

/// One text behind the other.
pub fn concatenated(left: &Word, right: &Word) -> Word {
    let span = if left.span.is_empty() { right.span } else { left.span.to(right.span) };
    let computed = left.computed || right.computed;
    if left.values.len() * right.values.len() > MOST_VALUES {
        let hole = Hole { shape: Shape::Any, origin: Origin::Unknown, taint: left.taint().join(&right.taint()), span };
        return Word { values: vec![TextValue::hole(hole)], span, computed };
    }
    let mut values = Vec::new();
    for one in &left.values {
        for more in &right.values {
            let mut pieces = one.pieces.clone();
            pieces.extend_from_slice(&more.pieces);
            values.push(TextValue { pieces });
        }
    }
    Word { values, span, computed }
}

/// A text that was made from what stands at the span, and not written there.
pub fn made(text: String, span: Span, computed: bool) -> Word {
    let at = if text.len() == span.len() { start(span) } else { span };
    Word { values: vec![TextValue { pieces: vec![Piece::Text { text, span: at }] }], span, computed }
}

/// One or the other.
pub fn either(left: Value, right: Value) -> Value {
    match (left, right) {
        (left, right) if left == right => left,
        (Value::Text(left), Value::Text(right)) if left.values.len() + right.values.len() <= MOST_VALUES => {
            let mut values = left.values;
            values.extend(right.values);
            Value::Text(Word { values, span: left.span, computed: left.computed || right.computed })
        }
        (Value::Flag(_) | Value::Name(..), right) => right,
        (left, Value::Flag(_) | Value::Name(..)) => left,
        (left, right) => Value::Unknown(left.taint().join(&right.taint()), left.span()),
    }
}

/// Appends a text in place: what is long stays linear.
pub fn append(word: &mut Word, next: Word, span: Span) {
    match (word.values.as_mut_slice(), next.values.as_slice()) {
        ([one], [_]) => {
            word.computed |= next.computed;
            one.pieces.extend(next.values.into_iter().flat_map(|value| value.pieces));
        }
        _ => *word = concatenated(word, &next),
    }
    word.span = span;
}

/// One text behind the other, standing where both are said to.
pub fn joined(left: &Word, right: &Word, span: Span) -> Word {
    Word { span, ..concatenated(left, right) }
}
