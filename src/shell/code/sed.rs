//! sed: the commands that run programs or write files, `e`, `w`, `W`, `r`, and the flags `e` and `w` of `s`.

use super::super::origin::Script;
use super::super::{Given, Host, LibraryCall, State};
use crate::model::{Hole, Origin, Piece, Shape, Taint, Value, Word};

/// Reads a script.
pub(super) fn walk(script: &Script, state: &mut State, host: &mut dyn Host) {
    let text = script.text.as_str();
    let mut at = 0;
    while at < text.len() && host.step(1) {
        let Some(c) = text[at..].chars().next() else { break };
        match c {
            '#' => at += text[at..].find('\n').unwrap_or(text.len() - at),
            // Addresses: a pattern between slashes, or between others behind a backslash.
            '/' => at = delimited(text, at + 1, '/'),
            '\\' => {
                let close = text[at + 1..].chars().next().unwrap_or('/');
                at = delimited(text, (at + 1 + close.len_utf8()).min(text.len()), close);
            }
            's' | 'y' => {
                let Some(close) = text[at + 1..].chars().next() else { break };
                let middle = delimited(text, at + 1 + close.len_utf8(), close);
                let end = delimited(text, middle, close);
                let flags = &text[end..];
                let length = flags.find(|c: char| !c.is_alphanumeric()).unwrap_or(flags.len());
                at = end + length;
                if c == 's' {
                    if let Some(n) = flags[..length].find('w') {
                        at = end + n;
                        at = argument(script, "w", at, state, host);
                    } else if flags[..length].contains('e') {
                        let span = script.span(middle, end);
                        call("e", replacement(script, middle, end), span, state, host);
                    }
                }
            }
            'w' | 'W' => at = argument(script, "w", at, state, host),
            'r' | 'R' => at = argument(script, "r", at, state, host),
            'e' => at = argument(script, "e", at, state, host),
            // Text to the end of the line.
            'a' | 'i' | 'c' | ':' | 'b' | 't' | 'T' => at += text[at..].find('\n').unwrap_or(text.len() - at),
            c => at += c.len_utf8(),
        }
    }
}

/// What `s` puts in the place of what it finds: the text, with a hole for each part of what was found.
fn replacement(script: &Script, from: usize, end: usize) -> Word {
    let text = script.text.get(from..end.saturating_sub(1)).unwrap_or("");
    let whole = script.span(from, end);
    let mut pieces: Vec<Piece> = Vec::new();
    let mut plain = String::new();
    let mut characters = text.chars();
    while let Some(c) = characters.next() {
        let meant = match c {
            '&' => None,
            '\\' => match characters.next() {
                Some(digit) if digit.is_ascii_digit() => None,
                Some('n') => Some('\n'),
                other => other,
            },
            c => Some(c),
        };
        match meant {
            Some(c) => plain.push(c),
            None => {
                if !plain.is_empty() {
                    pieces.push(Piece::Text { text: std::mem::take(&mut plain), span: whole });
                }
                let taint = Taint { unknown: true, ..Taint::none() };
                pieces.push(Piece::Hole(Hole { shape: Shape::Any, origin: Origin::Unknown, taint, span: whole }));
            }
        }
    }
    if !plain.is_empty() {
        pieces.push(Piece::Text { text: plain, span: whole });
    }
    Word { values: vec![Value { pieces }], span: whole, computed: false }
}

/// One past the delimiter that closes what begins at `from`.
fn delimited(text: &str, from: usize, close: char) -> usize {
    let mut escaped = false;
    for (n, c) in text.get(from..).unwrap_or("").char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == close => return from + n + c.len_utf8(),
            _ => {}
        }
    }
    text.len()
}

/// The rest of the line is the command's argument; one past it.
fn argument(script: &Script, name: &str, at: usize, state: &mut State, host: &mut dyn Host) -> usize {
    let text = script.text.as_str();
    let end = at + text[at..].find(['\n', '}']).unwrap_or(text.len() - at);
    let from = (at + 1).min(end);
    let blanks = text[from..end].len() - text[from..end].trim_start().len();
    let (from, span) = (from + blanks, script.span(from + blanks, end));
    let word = if from < end {
        Word::known_text(&text[from..end], span)
    } else {
        Word::unknown(Origin::Unknown, Taint { unknown: true, ..Taint::none() }, span)
    };
    call(name, word, script.span(at, end.max(at + 1)), state, host);
    end.max(at + 1)
}

fn call(name: &str, word: Word, span: crate::model::Span, state: &mut State, host: &mut dyn Host) {
    let call = LibraryCall {
        language: "sed".to_string(),
        name: name.to_string(),
        positional: vec![Given::Text(word)],
        named: Vec::new(),
        span,
    };
    host.call(call, state);
}
