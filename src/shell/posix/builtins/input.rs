//! `read` and `mapfile`: from text that is known, line by line.

use super::super::run::flows::{self, Line};
use super::super::run::simple::Call;
use super::super::words::fields::{self, Rules};
use super::super::words::{Expansion, Mode, fragments_of, unknown};
use super::super::{Outcome, Walk};
use super::{done, known_texts};
use crate::model::{Argument, Flow, Piece, Shape, Span, Taint, Value, Word};
use crate::shell::state::{State, Target, Variable};

/// Lines that one `read` joins.
const CONTINUED: usize = 64;
/// Where the characters stand that a backslash protects from splitting, in a plane for private use.
const PROTECTED: u32 = 0xF_F000;

pub(super) fn read(walk: &mut Walk<'_>, call: &Call<'_>, arguments: Vec<Argument>, state: &mut State) -> Outcome {
    let texts = known_texts(&arguments);
    let mut raw = false;
    let mut array = None;
    let mut delimiter = '\n';
    let mut partial = false;
    // How many characters, and whether nothing but their number ends them.
    let mut limit: Option<(usize, bool)> = None;
    let mut descriptor = 0;
    let mut names = Vec::new();
    let mut index = 0;
    while index < texts.len() {
        let Some(text) = &texts[index] else {
            index += 1;
            continue;
        };
        index += 1;
        if !names.is_empty() || text.len() < 2 || !text.starts_with('-') {
            names.push(text.clone());
            continue;
        }
        for (at, letter) in text.char_indices().skip(1) {
            if !matches!(letter, 'a' | 'd' | 'i' | 'n' | 'N' | 'p' | 't' | 'u') {
                raw |= letter == 'r';
                continue;
            }
            let attached = text[at + 1..].to_string();
            let value = if attached.is_empty() {
                index += 1;
                texts.get(index - 1).cloned().flatten().unwrap_or_default()
            } else {
                attached
            };
            match letter {
                'a' => array = Some(value),
                'd' => delimiter = value.chars().next().unwrap_or('\0'),
                'u' => descriptor = value.parse().unwrap_or(0),
                'n' | 'N' => match value.parse() {
                    Ok(count) => limit = Some((count, letter == 'N')),
                    Err(_) => partial = true,
                },
                't' => partial = true,
                _ => {}
            }
            break;
        }
    }
    let span = call.span;
    let take = |flow: &mut Flow| match limit {
        Some((count, whole)) => flows::take_characters(flow, count, (!whole).then_some(delimiter), span),
        None => flows::take_line(flow, delimiter, span),
    };
    let next = |state: &mut State| match descriptor {
        0 => take(&mut state.stdin),
        other => match state.memory.descriptors.get_mut(&other) {
            Some(Target::Input(flow)) => take(flow),
            _ => Line::Open(flows::hole_word(Taint::none(), span)),
        },
    };
    let mut line = next(state);
    if !raw {
        line = continued(line, &mut || next(state));
    }
    let (word, success) = match line {
        Line::Known(word, complete) => (word, Some(complete)),
        Line::End => (Word { values: vec![Value::default()], span, computed: false }, Some(false)),
        Line::Open(word) => (word, None),
    };
    // What counts as one character is not the same with backslashes, nor where the time may be over.
    let escaped = limit.is_some() && !raw && word.known().is_some_and(|text| text.contains('\\'));
    let (word, success) = if escaped || partial && word.known().is_some_and(|text| !text.is_empty()) {
        (flows::hole_word(word.taint(), span), None)
    } else {
        (word, success)
    };
    let word = if raw { word } else { unescaped(word) };
    if let (Some((_, true)), None) = (limit, &array) {
        // `-N` splits nothing.
        let mut names = names.iter();
        walk.set_scalar(names.next().map_or("REPLY", String::as_str), restored(word), state);
        for name in names {
            walk.set_scalar(name, Word { values: vec![Value::default()], span, computed: false }, state);
        }
        return done(success);
    }
    assign(walk, word, array, names, span, state);
    done(success)
}

/// Without `-r`: a line that ends in a backslash goes on in the next one.
fn continued(mut line: Line, next: &mut dyn FnMut() -> Line) -> Line {
    for _ in 0..CONTINUED {
        let Line::Known(mut word, true) = line else { return line };
        let Some(text) = word.known().filter(|text| text.bytes().rev().take_while(|byte| *byte == b'\\').count() % 2 == 1)
        else {
            return Line::Known(word, true);
        };
        word = Word { computed: word.computed, ..Word::known_text(&text[..text.len() - 1], word.span) };
        line = match next() {
            Line::Known(more, complete) => {
                flows::append_word(&mut word, more);
                Line::Known(word, complete)
            }
            Line::End => Line::Known(word, false),
            Line::Open(more) => {
                flows::append_word(&mut word, more);
                Line::Open(word)
            }
        };
    }
    line
}

/// Without `-r`: a backslash goes, and the character after it separates nothing.
fn unescaped(word: Word) -> Word {
    let Some(text) = word.known().filter(|text| text.contains('\\')) else { return word };
    let mut out = String::with_capacity(text.len());
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => out.extend(
                characters
                    .next()
                    .map(|next| if next.is_ascii() { char::from_u32(PROTECTED + next as u32).unwrap_or(next) } else { next }),
            ),
            other => out.push(other),
        }
    }
    Word { computed: word.computed, ..Word::known_text(out, word.span) }
}

/// A word with the characters back in place that [`unescaped`] has protected.
fn restored(mut word: Word) -> Word {
    let back = |character: char| match (character as u32).checked_sub(PROTECTED) {
        Some(code) if code < 128 => char::from(code as u8),
        _ => character,
    };
    for piece in word.values.iter_mut().flat_map(|value| &mut value.pieces) {
        if let Piece::Text { text, .. } = piece
            && text.chars().any(|character| back(character) != character)
        {
            *text = text.chars().map(back).collect();
        }
    }
    word
}

fn assign(walk: &mut Walk<'_>, word: Word, array: Option<String>, names: Vec<String>, span: Span, state: &mut State) {
    if let Some(name) = array {
        let rules = Rules { glob: false, ..walk.rules(state) };
        let value = match word.values.as_slice() {
            [value] if !value.has_hole() => {
                let expansion = Expansion::of(vec![fragments_of(value, Mode::Expanded)], word.computed);
                let all = fields::arguments(expansion, span, &rules).pop().unwrap_or_default();
                let each = |argument| match argument {
                    Argument::Word(word) => Argument::Word(restored(word)),
                    splice => splice,
                };
                all.into_iter().map(each).collect()
            }
            _ => vec![Argument::Splice(unknown(Shape::Any, word.taint(), span))],
        };
        state.variables.insert(name, Variable { array: true, value, ..Variable::unset() });
        return;
    }
    if names.is_empty() {
        return walk.set_scalar("REPLY", restored(word), state);
    }
    let ifs = walk.rules(state).ifs;
    let known = word.known().map(|text| text.into_owned());
    let Some(text) = known else {
        let hole = |span| flows::hole_word(word.taint(), span);
        if let [name] = names.as_slice() {
            return walk.set_scalar(name, word, state);
        }
        for name in names {
            walk.set_scalar(&name, hole(span), state);
        }
        return;
    };
    let mut rest = text.as_str();
    let blank = |c: char| c.is_ascii_whitespace() && ifs.contains(c);
    rest = rest.trim_start_matches(blank);
    let count = names.len();
    for (index, name) in names.iter().enumerate() {
        let field = if index + 1 == count {
            last_field(rest, &ifs)
        } else {
            let end = rest.find(|c: char| ifs.contains(c)).unwrap_or(rest.len());
            let field = &rest[..end];
            rest = &rest[end..];
            rest = rest.trim_start_matches(blank);
            if let Some(character) = rest.chars().next()
                && ifs.contains(character)
                && !character.is_ascii_whitespace()
            {
                rest = rest[character.len_utf8()..].trim_start_matches(blank);
            }
            field
        };
        let offset = field.as_ptr() as usize - text.as_ptr() as usize;
        walk.set_scalar(name, restored(part(&word, &text, offset, field, span)), state);
    }
}

/// What is left for the last name: blanks at its end go, and a separator that ends the only field.
fn last_field<'t>(rest: &'t str, ifs: &str) -> &'t str {
    let blank = |c: char| c.is_ascii_whitespace() && ifs.contains(c);
    let trimmed = rest.trim_end_matches(blank);
    if let Some(character) = trimmed.chars().last()
        && ifs.contains(character)
        && !character.is_ascii_whitespace()
    {
        let before = &trimmed[..trimmed.len() - character.len_utf8()];
        if !before.contains(|c: char| ifs.contains(c)) {
            return before;
        }
    }
    trimmed
}

/// A part of a known word, with where it stands.
fn part(word: &Word, text: &str, offset: usize, field: &str, span: Span) -> Word {
    let own = match word.values.as_slice() {
        [value] => match value.pieces.as_slice() {
            [Piece::Text { span, .. }] if span.len() == text.len() => {
                Span { start: span.start + offset as u32, end: span.start + (offset + field.len()) as u32, ..*span }
            }
            _ => span,
        },
        _ => span,
    };
    let value = if field.is_empty() { Value::default() } else { Value::text(field, own) };
    Word { values: vec![value], span, computed: word.computed }
}

pub(super) fn mapfile(_: &mut Walk<'_>, call: &Call<'_>, arguments: Vec<Argument>, state: &mut State) -> Outcome {
    let texts = known_texts(&arguments);
    let trimmed = texts.iter().flatten().any(|text| text == "-t");
    let plain = texts.iter().flatten().all(|text| !text.starts_with('-') || text == "-t");
    let name = texts.iter().flatten().rfind(|text| !text.starts_with('-')).cloned().unwrap_or_else(|| "MAPFILE".to_string());
    let mut value = Vec::new();
    loop {
        match flows::take_line(&mut state.stdin, '\n', call.span) {
            Line::Known(mut word, complete) if plain && value.len() < 4096 => {
                if complete && !trimmed {
                    flows::append_word(&mut word, Word::known_text("\n", Span { start: call.span.end, ..call.span }));
                }
                value.push(Argument::Word(word));
            }
            Line::End => break,
            Line::Known(word, _) | Line::Open(word) => {
                let taint = word.taint().join(&state.stdin.taint());
                value = vec![Argument::Splice(unknown(Shape::Any, taint.clone(), call.span))];
                state.stdin = Flow::Unknown(taint);
                break;
            }
        }
    }
    state.variables.insert(name, Variable { array: true, value, ..Variable::unset() });
    done(Some(true))
}
