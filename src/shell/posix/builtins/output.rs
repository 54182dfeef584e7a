//! `echo`, `print`, `type`.

use super::super::run::flows;
use super::super::run::simple::{Call, joined};
use super::super::words::escapes::{self, Kind};
use super::super::{Outcome, Walk};
use crate::model::{Argument, Flow, Piece, Span, Value, Word};
use crate::shell::state::State;

pub(super) fn echo(_: &mut Walk<'_>, call: &Call<'_>, arguments: Vec<Argument>, _: &mut State) -> Outcome {
    let mut newline = true;
    let mut escapes = false;
    let mut first = 0;
    for argument in &arguments {
        let Some(text) = argument.word().and_then(|word| word.known()) else { break };
        let letters = match text.strip_prefix('-') {
            Some(letters) if !letters.is_empty() && letters.bytes().all(|byte| matches!(byte, b'n' | b'e' | b'E')) => letters,
            _ => break,
        };
        for letter in letters.bytes() {
            match letter {
                b'n' => newline = false,
                b'e' => escapes = true,
                _ => escapes = false,
            }
        }
        first += 1;
    }
    Outcome { output: written(&arguments[first..], newline, escapes, call.span), success: Some(true) }
}

/// The arguments with blanks between them, as a program's output.
fn written(arguments: &[Argument], newline: bool, escapes: bool, span: Span) -> Flow {
    let mut word = joined(arguments, " ", span);
    let mut stopped = false;
    if escapes {
        word.values = word.values.iter().map(|value| decoded(value, &mut stopped)).collect();
    }
    if newline && !stopped {
        let end = Span { start: span.end, ..span };
        flows::append_word(&mut word, Word::known_text("\n", end));
    }
    Flow::Text(word)
}

fn decoded(value: &Value, stopped: &mut bool) -> Value {
    let mut pieces = Vec::with_capacity(value.pieces.len());
    for piece in &value.pieces {
        match piece {
            Piece::Text { text, span } => {
                let (text, stop) = escapes::decode(text, Kind::Echo);
                if !text.is_empty() {
                    pieces.push(Piece::Text { text, span: *span });
                }
                if stop {
                    *stopped = true;
                    break;
                }
            }
            other => pieces.push(other.clone()),
        }
    }
    Value { pieces }
}

/// zsh's and ksh's `print`.
pub(super) fn print(_: &mut Walk<'_>, call: &Call<'_>, arguments: Vec<Argument>, _: &mut State) -> Outcome {
    let option = |argument: &&Argument| {
        argument.word().and_then(|word| word.known()).is_some_and(|text| text.len() > 1 && text.starts_with('-'))
    };
    let options = arguments.iter().take_while(option).count();
    let texts = super::known_texts(&arguments[..options]);
    let newline = !texts.iter().flatten().any(|text| text.contains('n'));
    let raw = texts.iter().flatten().any(|text| text.contains('r'));
    Outcome { output: written(&arguments[options..], newline, !raw, call.span), success: Some(true) }
}

/// `type`, `hash`: says what a name is; runs nothing.
pub(super) fn describe(_: &mut Walk<'_>, call: &Call<'_>, arguments: Vec<Argument>, state: &mut State) -> Outcome {
    names(&arguments, call.span, state)
}

/// What `command -v` prints: the names themselves, which run what the paths run.
pub(super) fn names(arguments: &[Argument], span: Span, state: &State) -> Outcome {
    let operand =
        |argument: &&Argument| !argument.word().and_then(|word| word.known()).is_some_and(|text| text.starts_with('-'));
    let mut all = Flow::Empty;
    let mut success = None;
    for argument in arguments.iter().filter(operand) {
        let word = joined(std::slice::from_ref(argument), " ", span);
        let own =
            word.known().is_some_and(|name| state.memory.functions.contains_key(name.as_ref()) || super::find(&name).is_some());
        success = own.then_some(true);
        flows::append(&mut all, Flow::Text(word));
        flows::append(&mut all, Flow::Text(Word::known_text("\n", Span { start: span.end, ..span })));
    }
    Outcome { output: all, success }
}
