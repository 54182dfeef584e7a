//! Words taken apart and put together without losing where their pieces stand.
//!
//! What is cut out of a word keeps the spans of what is left, so that a report still underlines the right bytes. Text that is
//! put in has an empty span at the place where it was put.

use std::borrow::Cow;

use crate::model::rule::{PatternPart, WordPattern, WordSet};
use crate::model::{Argument, Directory, Glob, Hole, Origin, Piece, Shape, Span, Taint, Value, Word, path};

/// Whether something holds, as far as is known. The order is the strength.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Truth {
    /// It does not.
    No,
    /// It may.
    Perhaps,
    /// It does.
    Yes,
}

/// The known text that a value begins with, up to its first hole or glob operator.
pub fn lead(value: &Value) -> Cow<'_, str> {
    let mut texts = value.pieces.iter().map_while(|piece| match piece {
        Piece::Text { text, .. } => Some(text.as_str()),
        _ => None,
    });
    let Some(first) = texts.next() else { return Cow::Borrowed("") };
    let mut all = Cow::Borrowed(first);
    for more in texts {
        all.to_mut().push_str(more);
    }
    all
}

/// Whether the value is known text from end to end.
pub fn is_text(value: &Value) -> bool {
    value.pieces.iter().all(|piece| matches!(piece, Piece::Text { .. }))
}

/// The part of a text piece from byte `from` to byte `to`.
pub fn cut(text: &str, span: Span, from: usize, to: usize) -> Piece {
    let part = text.get(from..to).unwrap_or_default().to_string();
    let span = if span.len() == text.len() {
        Span { start: span.start + from as u32, end: span.start + to as u32, ..span }
    } else {
        span
    };
    Piece::Text { text: part, span }
}

/// The value without the first `bytes` of its leading text.
pub fn tail(value: &Value, bytes: usize) -> Value {
    let mut left = bytes;
    let mut pieces = Vec::with_capacity(value.pieces.len());
    for piece in &value.pieces {
        match piece {
            Piece::Text { text, .. } if left >= text.len() && left > 0 => left -= text.len(),
            Piece::Text { text, span } if left > 0 => {
                pieces.push(cut(text, *span, left, text.len()));
                left = 0;
            }
            other => {
                left = 0;
                pieces.push(other.clone());
            }
        }
    }
    Value { pieces }
}

/// A word of one value that stands where `word` stands.
pub fn with_value(word: &Word, value: Value) -> Word {
    let span = value_span(&value).unwrap_or(word.span);
    Word { values: vec![value], span, computed: word.computed }
}

/// The stretch that a value's pieces cover, where they have one.
pub fn value_span(value: &Value) -> Option<Span> {
    let mut spans = value.pieces.iter().filter_map(|piece| match piece {
        Piece::Text { span, .. } if !span.is_empty() => Some(*span),
        Piece::Hole(hole) if !hole.span.is_empty() => Some(hole.span),
        _ => None,
    });
    let first = spans.next()?;
    Some(spans.fold(first, Span::to))
}

/// The stretch that arguments cover.
pub fn span_of(arguments: &[Argument]) -> Option<Span> {
    let mut spans = arguments.iter().map(Argument::span);
    let first = spans.next()?;
    Some(spans.fold(first, Span::to))
}

/// Text that nobody wrote at this place.
pub fn inserted(text: impl Into<String>, at: Span) -> Piece {
    Piece::Text { text: text.into(), span: Span { end: at.start, ..at } }
}

/// A splice or a word as a word.
pub fn as_word(argument: &Argument) -> Cow<'_, Word> {
    match argument {
        Argument::Word(word) => Cow::Borrowed(word),
        Argument::Splice(hole) => Cow::Owned(Word {
            values: vec![Value::hole(hole.clone())],
            span: hole.span,
            computed: hole.origin == Origin::Output,
        }),
    }
}

/// The most values that a word put together from others may have; beyond, the others are dropped for a hole.
const MOST_VALUES: usize = 16;

/// One word after the other, `separator` between them. A splice in them is a hole.
pub fn join(arguments: &[Argument], separator: &str) -> Word {
    let span = span_of(arguments).unwrap_or_default();
    let mut values = vec![Value::default()];
    let mut computed = false;
    for (index, argument) in arguments.iter().enumerate() {
        let word = as_word(argument);
        computed |= word.computed;
        if index > 0 && !separator.is_empty() {
            for value in &mut values {
                value.pieces.push(inserted(separator, word.span));
            }
        }
        values = product(&values, &word);
    }
    Word { values, span, computed }
}

/// Each value followed by each of the word's.
fn product(values: &[Value], word: &Word) -> Vec<Value> {
    if values.len() * word.values.len() > MOST_VALUES {
        let hole = Hole { shape: Shape::Any, origin: Origin::Unknown, taint: word.taint(), span: word.span };
        return values.iter().map(|value| appended(value, &[Piece::Hole(hole.clone())])).collect();
    }
    let mut all = Vec::with_capacity(values.len() * word.values.len());
    for value in values {
        all.extend(word.values.iter().map(|more| appended(value, &more.pieces)));
    }
    all
}

fn appended(value: &Value, more: &[Piece]) -> Value {
    let mut pieces = value.pieces.clone();
    pieces.extend_from_slice(more);
    Value { pieces }
}

/// An item as it is put into a text for a shell: a word of its own, whatever is in it.
pub fn quoted(argument: &Argument) -> Argument {
    let Argument::Word(word) = argument else { return argument.clone() };
    let bare = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'/' | b'-' | b'=' | b':');
    if word.known().is_some_and(|text| !text.is_empty() && text.bytes().all(bare)) {
        return argument.clone();
    }
    let quote = || inserted("'", word.span);
    let values = word.values.iter().map(|value| {
        let mut pieces = vec![quote()];
        for piece in &value.pieces {
            match piece {
                Piece::Text { text, .. } if text.contains('\'') => {
                    pieces.push(inserted(text.replace('\'', "'\\''"), word.span));
                }
                other => pieces.push(other.clone()),
            }
        }
        pieces.push(quote());
        Value { pieces }
    });
    Argument::Word(Word { values: values.collect(), ..word.clone() })
}

/// The word with `text` after each of its values; `*`, `**` and `?` in it are glob operators.
pub fn with_glob(word: &Word, glob: &str) -> Word {
    let mut more = Vec::new();
    let mut text = String::new();
    let mut characters = glob.chars().peekable();
    while let Some(character) = characters.next() {
        let operator = match character {
            '*' if characters.peek() == Some(&'*') => {
                characters.next();
                Glob::DoubleStar
            }
            '*' => Glob::Star,
            '?' => Glob::Question,
            other => {
                text.push(other);
                continue;
            }
        };
        if !text.is_empty() {
            more.push(inserted(std::mem::take(&mut text), word.span));
        }
        more.push(Piece::Glob(operator));
    }
    if !text.is_empty() {
        more.push(inserted(text, word.span));
    }
    let values = word.values.iter().map(|value| appended(value, &more)).collect();
    Word { values, ..word.clone() }
}

/// The words of a text that a program splits at blanks (`xargs`): quotes are taken off, a part that is unknown may be any
/// number of words. A text with NUL bytes is split at these alone; with `lines`, at line ends alone.
pub fn split(value: &Value, lines: bool) -> Vec<Argument> {
    let nul = value.pieces.iter().any(|piece| matches!(piece, Piece::Text { text, .. } if text.contains('\0')));
    let separates = |c: char| if nul { c == '\0' } else { c == '\n' || (!lines && c.is_ascii_whitespace()) };
    let mut words: Vec<Argument> = Vec::new();
    let mut current: Vec<Piece> = Vec::new();
    let flush = |current: &mut Vec<Piece>, words: &mut Vec<Argument>| {
        let value = Value { pieces: std::mem::take(current) };
        match value.pieces.as_slice() {
            [] => {}
            [Piece::Hole(hole)] if hole.shape == Shape::Any => words.push(Argument::Splice(hole.clone())),
            _ => {
                let span = value_span(&value).unwrap_or_default();
                words.push(Argument::Word(Word { values: vec![value], span, computed: false }));
            }
        }
    };
    let mut quote: Option<char> = None;
    for piece in &value.pieces {
        let Piece::Text { text, span } = piece else {
            current.push(piece.clone());
            continue;
        };
        let mut start = 0;
        let mut escaped = false;
        for (at, character) in text.char_indices() {
            let push = |current: &mut Vec<Piece>, start: usize| {
                if at > start {
                    current.push(cut(text, *span, start, at));
                }
            };
            if escaped {
                escaped = false;
            } else if !nul && character == '\\' && quote.is_none() {
                push(&mut current, start);
                start = at + 1;
                escaped = true;
            } else if !nul && (quote == Some(character) || (quote.is_none() && (character == '"' || character == '\''))) {
                push(&mut current, start);
                start = at + 1;
                quote = if quote.is_some() { None } else { Some(character) };
            } else if quote.is_none() && separates(character) {
                push(&mut current, start);
                start = at + character.len_utf8();
                flush(&mut current, &mut words);
            }
        }
        if start < text.len() {
            current.push(cut(text, *span, start, text.len()));
        }
    }
    flush(&mut current, &mut words);
    words
}

/// The word with its directory before it, where that is known and the word is relative.
pub fn located(word: &Word, directory: &Directory) -> Word {
    let Directory::Known(directory) = directory else { return word.clone() };
    let values = word
        .values
        .iter()
        .map(|value| {
            if let Some(text) = value.known() {
                let span = value_span(value).unwrap_or(word.span);
                let whole = path::join(directory, &text);
                if whole == text {
                    return value.clone();
                }
                return Value { pieces: vec![Piece::Text { text: whole, span: Span { end: span.start, ..span } }] };
            }
            let start = lead(value);
            if start.is_empty() || path::is_absolute(&start) {
                return value.clone();
            }
            let mut pieces = vec![inserted(format!("{}/", directory.trim_end_matches('/')), word.span)];
            pieces.extend_from_slice(&value.pieces);
            Value { pieces }
        })
        .collect();
    Word { values, ..word.clone() }
}

/// The absolute paths that the word may be, where all of it is known; at most 16.
pub fn absolute(word: &Word, directory: &Directory) -> Option<Vec<String>> {
    let mut all = Vec::new();
    for value in &word.values {
        let text = value.known()?;
        match directory {
            _ if path::is_absolute(&text) => all.push(path::join("/", &text)),
            Directory::Known(base) => all.push(path::join(base, &text)),
            Directory::OneOf(bases) => all.extend(bases.iter().map(|base| path::join(base, &text))),
            Directory::Unknown => return None,
        }
    }
    all.sort();
    all.dedup();
    (all.len() <= MOST_VALUES).then_some(all)
}

/// The directory that the word names from `from`.
pub fn moved(from: &Directory, word: &Word) -> Directory {
    match absolute(word, from) {
        Some(mut all) if all.len() == 1 => Directory::Known(all.remove(0)),
        Some(all) if !all.is_empty() => Directory::OneOf(all),
        _ => Directory::Unknown,
    }
}

/// A taint that says which file data comes from.
pub fn file_taint(word: &Word, directory: &Directory) -> Taint {
    Taint { files: vec![located(word, directory)].into(), ..Taint::default() }.join(&word.taint())
}

/// Whether the word is in the set: for every value, for some, for none. A hole may be anything.
pub fn in_set(word: &Word, set: &WordSet) -> Truth {
    let of_value = |value: &Value| {
        let any = set.any.iter().map(|pattern| matches(value, pattern)).max().unwrap_or(Truth::No);
        let except = set.except.iter().map(|pattern| matches(value, pattern)).max().unwrap_or(Truth::No);
        match except {
            Truth::Yes => Truth::No,
            Truth::Perhaps => any.min(Truth::Perhaps),
            Truth::No => any,
        }
    };
    let mut answers = word.values.iter().map(of_value);
    let Some(first) = answers.next() else { return Truth::No };
    answers.fold(first, |all, one| if all == one { all } else { Truth::Perhaps })
}

/// Whether the value matches the glob.
pub fn matches(value: &Value, pattern: &WordPattern) -> Truth {
    if let Some(text) = value.known() {
        return if ends(pattern, &text, false).contains(&text.len()) { Truth::Yes } else { Truth::No };
    }
    if matches!(pattern.parts.as_slice(), [PatternPart::Star | PatternPart::DoubleStar]) {
        return Truth::Yes;
    }
    match pattern.parts.first() {
        Some(PatternPart::Literal(literal)) => {
            let start = lead(value);
            let common = start.len().min(literal.len());
            if start.as_bytes()[..common] == literal.as_bytes()[..common] { Truth::Perhaps } else { Truth::No }
        }
        _ => Truth::Perhaps,
    }
}

/// The byte offsets at which a match of the pattern from the text's beginning may end, rising.
pub fn ends(pattern: &WordPattern, text: &str, fold: bool) -> Vec<usize> {
    let mut at = vec![0];
    for part in &pattern.parts {
        at = step(part, text, &at, fold);
    }
    at
}

fn step(part: &PatternPart, text: &str, from: &[usize], fold: bool) -> Vec<usize> {
    let mut to = Vec::new();
    for &start in from {
        let rest = text.get(start..).unwrap_or_default();
        match part {
            PatternPart::Literal(literal) => {
                let begins = rest.starts_with(literal.as_str())
                    || (fold && rest.get(..literal.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(literal)));
                if begins {
                    to.push(start + literal.len());
                }
            }
            PatternPart::Star | PatternPart::DoubleStar => {
                to.extend(rest.char_indices().map(|(at, _)| start + at));
                to.push(text.len());
                break; // every later start is covered
            }
            PatternPart::Question => to.extend(rest.chars().next().map(|c| start + c.len_utf8())),
            PatternPart::Class { negated, ranges } => {
                if let Some(c) = rest.chars().next()
                    && ranges.iter().any(|(low, high)| *low <= c && c <= *high) != *negated
                {
                    to.push(start + c.len_utf8());
                }
            }
            PatternPart::Choice(choices) => {
                for choice in choices {
                    to.extend(ends(choice, rest, fold).into_iter().map(|at| start + at));
                }
            }
        }
    }
    to.sort_unstable();
    to.dedup();
    to
}
