//! Texts that flow: outputs one after another, lines taken from an input.

use super::super::words::{fields, unknown};
use crate::model::{Flow, Hole, Origin, Piece, Shape, Span, Taint, Value, Word};
use crate::shell::state::MOST_VALUES;

/// A text of more pieces is not followed.
const MOST_PIECES: usize = 4096;

/// One output after another.
pub(in super::super) fn append(out: &mut Flow, more: Flow) {
    match (&mut *out, more) {
        (_, Flow::Empty) => {}
        (Flow::Empty, more) => *out = more,
        (Flow::Unknown(taint), Flow::Unknown(more)) => {
            if !more.is_none() && *taint != more {
                *taint = taint.join(&more);
            }
        }
        (Flow::Unknown(taint), Flow::Text(word)) => {
            let mut all =
                Word { values: vec![Value::hole(output_hole(taint.clone(), word.span))], span: word.span, computed: true };
            append_word(&mut all, word);
            *out = settle(all);
        }
        (Flow::Text(word), Flow::Unknown(taint)) => {
            let hole = output_hole(taint, word.span);
            for value in &mut word.values {
                match value.pieces.last_mut() {
                    Some(Piece::Hole(last)) if last.origin == Origin::Output => last.taint = last.taint.join(&hole.taint),
                    _ => value.pieces.push(Piece::Hole(hole.clone())),
                }
            }
            if word.values.iter().any(|value| value.pieces.len() > MOST_PIECES) {
                *out = Flow::Unknown(word.taint());
            }
        }
        (Flow::Text(word), Flow::Text(more)) => {
            append_word(word, more);
            if word.values.iter().any(|value| value.pieces.len() > MOST_PIECES) {
                *out = Flow::Unknown(word.taint());
            }
        }
    }
}

/// Bytes of text in a flow.
pub(in super::super) fn size(flow: &Flow) -> usize {
    match flow {
        Flow::Text(word) => word.size(),
        Flow::Empty | Flow::Unknown(_) => 0,
    }
}

fn settle(word: Word) -> Flow {
    if word.values.iter().any(|value| value.pieces.len() > MOST_PIECES) {
        Flow::Unknown(word.taint())
    } else {
        Flow::Text(word)
    }
}

fn output_hole(taint: Taint, span: Span) -> Hole {
    Hole { shape: Shape::Any, origin: Origin::Output, taint, span }
}

/// One word's text after another's.
pub(in super::super) fn append_word(word: &mut Word, more: Word) {
    word.computed |= more.computed;
    if let [next] = more.values.as_slice() {
        word.values.iter_mut().for_each(|value| append_value(value, next));
        return;
    }
    if word.values.len() * more.values.len() > MOST_VALUES {
        let hole = unknown(Shape::Any, more.taint(), more.span);
        word.values.iter_mut().for_each(|value| value.pieces.push(Piece::Hole(hole.clone())));
        return;
    }
    let mut all = Vec::with_capacity(word.values.len() * more.values.len());
    for value in &word.values {
        for next in &more.values {
            let mut value = value.clone();
            append_value(&mut value, next);
            all.push(value);
        }
    }
    word.values = all;
}

pub(in super::super) fn append_value(value: &mut Value, more: &Value) {
    for piece in &more.pieces {
        match piece {
            Piece::Text { text, span } => fields::push_text(&mut value.pieces, text.clone(), *span),
            other => value.pieces.push(other.clone()),
        }
    }
}

/// A line taken from a text.
pub(in super::super) enum Line {
    /// Without its end; the flag says whether an end was there.
    Known(Word, bool),
    /// Nothing is left.
    End,
    /// There may be one, of which this is known.
    Open(Word),
}

/// Takes the first line from a flow.
pub(in super::super) fn take_line(flow: &mut Flow, delimiter: char, span: Span) -> Line {
    let word = match flow {
        Flow::Empty => return Line::End,
        Flow::Unknown(taint) => return Line::Open(hole_word(taint.clone(), span)),
        Flow::Text(word) => word,
    };
    let [value] = word.values.as_mut_slice() else {
        let taint = word.taint();
        *flow = Flow::Unknown(taint.clone());
        return Line::Open(hole_word(taint, span));
    };
    if value.pieces.is_empty() {
        return Line::End;
    }
    let mut line = Value::default();
    for index in 0..value.pieces.len() {
        let Piece::Text { text, span: own } = &value.pieces[index] else {
            // An unknown part may hold line ends: from here on, nothing is certain.
            let taint = word.taint();
            *flow = Flow::Unknown(taint.clone());
            return Line::Open(hole_word(taint, span));
        };
        let Some(at) = text.find(delimiter) else {
            fields::push_text(&mut line.pieces, text.clone(), *own);
            continue;
        };
        let exact = own.len() == text.len();
        let part = |from: usize, to: usize| {
            if exact { Span { start: own.start + from as u32, end: own.start + to as u32, ..*own } } else { *own }
        };
        let after = at + delimiter.len_utf8();
        fields::push_text(&mut line.pieces, text[..at].to_string(), part(0, at));
        let mut rest = Vec::new();
        fields::push_text(&mut rest, text[after..].to_string(), part(after, text.len()));
        value.pieces.splice(..=index, rest);
        return Line::Known(Word { values: vec![line], span, computed: word.computed }, true);
    }
    value.pieces.clear();
    Line::Known(Word { values: vec![line], span, computed: word.computed }, false)
}

/// Takes so many characters, up to the delimiter where there is one (`read -n`, `read -N`).
pub(in super::super) fn take_characters(flow: &mut Flow, count: usize, delimiter: Option<char>, span: Span) -> Line {
    let word = match flow {
        Flow::Empty => return Line::End,
        Flow::Unknown(taint) => return Line::Open(hole_word(taint.clone(), span)),
        Flow::Text(word) => word,
    };
    let Some(text) = word.known().map(|text| text.into_owned()) else {
        let taint = word.taint();
        *flow = Flow::Unknown(taint.clone());
        return Line::Open(hole_word(taint, span));
    };
    if text.is_empty() {
        return Line::End;
    }
    let end = text.char_indices().nth(count).map_or(text.len(), |(at, _)| at);
    let stop = delimiter.and_then(|delimiter| Some((text[..end].find(delimiter)?, delimiter.len_utf8())));
    let (line, rest) = match stop {
        Some((at, length)) => (&text[..at], &text[at + length..]),
        None => text.split_at(end),
    };
    let whole = stop.is_some() || text[..end].chars().count() == count;
    let line = Word { computed: word.computed, ..Word::known_text(line, word.span) };
    *word = Word { computed: word.computed, ..Word::known_text(rest, word.span) };
    Line::Known(line, whole)
}

pub(in super::super) fn hole_word(taint: Taint, span: Span) -> Word {
    Word { values: vec![Value::hole(unknown(Shape::Any, taint, span))], span, computed: false }
}
