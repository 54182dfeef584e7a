//! `set`, `shopt`, `shift`, `getopts`.

use super::super::run::simple::Call;
use super::super::words::lookup::may_be_many;
use super::super::words::unknown;
use super::super::{Outcome, Walk};
use super::{done, known_texts};
use crate::model::{Argument, Flow, Shape, Taint, Value, Word};
use crate::shell::state::{State, Variable};

fn long_name(letter: char) -> &'static str {
    match letter {
        'e' => "errexit",
        'u' => "nounset",
        'f' => "noglob",
        'a' => "allexport",
        'x' => "xtrace",
        'C' => "noclobber",
        'n' => "noexec",
        _ => "",
    }
}

fn switch(name: &str, on: bool, state: &mut State) {
    if !name.is_empty() {
        state.memory.options.insert(name.to_string(), on);
    }
}

pub(super) fn set(_: &mut Walk<'_>, call: &Call<'_>, arguments: Vec<Argument>, state: &mut State) -> Outcome {
    let texts = known_texts(&arguments);
    if texts.is_empty() {
        return Outcome { output: Flow::Unknown(Taint { environment: true, ..Taint::none() }), success: Some(true) };
    }
    let mut index = 0;
    let mut replace = false;
    while index < texts.len() {
        let Some(text) = &texts[index] else { break };
        match text.as_str() {
            "--" => {
                index += 1;
                replace = true;
                break;
            }
            "-" => {
                index += 1;
                break;
            }
            _ if text.len() > 1 && text.starts_with(['-', '+']) => {
                let on = text.starts_with('-');
                index += 1;
                for letter in text[1..].chars() {
                    if letter == 'o' {
                        if let Some(Some(name)) = texts.get(index) {
                            switch(&name.clone(), on, state);
                        }
                        index += 1;
                    } else {
                        switch(long_name(letter), on, state);
                    }
                }
            }
            _ => break,
        }
    }
    let rest = arguments.get(index..).unwrap_or_default();
    if replace || !rest.is_empty() {
        let zero = state.positional.first().cloned().unwrap_or_else(|| Argument::Word(Word::known_text("bash", call.span)));
        state.positional = std::iter::once(zero).chain(rest.iter().cloned()).collect();
    }
    done(Some(true))
}

pub(super) fn shopt(_: &mut Walk<'_>, call: &Call<'_>, arguments: Vec<Argument>, state: &mut State) -> Outcome {
    // zsh's `setopt NAME` turns on as `shopt -s NAME` does.
    let texts = known_texts(&arguments);
    let flags: Vec<&str> = texts.iter().flatten().map(String::as_str).filter(|text| text.starts_with('-')).collect();
    let zsh = flags.is_empty() && !call.simple.words.is_empty();
    for text in texts.iter().flatten().filter(|text| !text.starts_with('-')) {
        if flags.iter().any(|flag| flag.contains('u')) {
            switch(text, false, state);
        } else if zsh || flags.iter().any(|flag| flag.contains('s')) {
            switch(&text.to_ascii_lowercase().replace('_', ""), true, state);
        }
    }
    done(Some(true))
}

pub(super) fn unsetopt(_: &mut Walk<'_>, _: &Call<'_>, arguments: Vec<Argument>, state: &mut State) -> Outcome {
    for text in known_texts(&arguments).iter().flatten() {
        switch(&text.to_ascii_lowercase().replace('_', ""), false, state);
    }
    done(Some(true))
}

pub(super) fn shift(_: &mut Walk<'_>, _: &Call<'_>, arguments: Vec<Argument>, state: &mut State) -> Outcome {
    let count: Option<usize> = match known_texts(&arguments).first() {
        None => Some(1),
        Some(text) => text.as_ref().and_then(|text| text.parse().ok()),
    };
    let splice = state.positional.iter().position(may_be_many);
    match (count, splice) {
        (Some(count), None) if state.positional.len() > count => {
            state.positional.drain(1..1 + count);
            done(Some(true))
        }
        (Some(0), None) => done(Some(true)),
        (Some(_), None) => done(Some(false)),
        (Some(count), Some(at)) if at > count => {
            state.positional.drain(1..1 + count);
            done(Some(true))
        }
        (_, Some(at)) => {
            // Whatever is left is among what is unknown.
            state.positional.drain(1..at.max(1));
            done(None)
        }
        (None, None) => {
            let taint = state
                .positional
                .iter()
                .skip(1)
                .filter_map(Argument::word)
                .fold(Taint::none(), |taint, word| taint.join(&word.taint()));
            let span = state.positional.first().map(Argument::span).unwrap_or_default();
            state.positional.truncate(1);
            state.positional.push(Argument::Splice(unknown(Shape::Any, taint, span)));
            done(None)
        }
    }
}

/// `getopts OPTIONS NAME [ARGUMENT…]`: exact where all of it is known, else any option with any argument as its value.
pub(super) fn getopts(walk: &mut Walk<'_>, call: &Call<'_>, arguments: Vec<Argument>, state: &mut State) -> Outcome {
    match known_getopts(walk, call, &arguments, state) {
        Some(found) => done(Some(found)),
        None => any_option(walk, call, arguments, state),
    }
}

/// The next option; none where something about it is not known.
fn known_getopts(walk: &mut Walk<'_>, call: &Call<'_>, arguments: &[Argument], state: &mut State) -> Option<bool> {
    let texts = known_texts(arguments);
    let (options, name) = (texts.first()?.clone()?, texts.get(1)?.clone()?);
    let given: Vec<String> = match texts.get(2..)? {
        [] => known_texts(state.positional.get(1..).unwrap_or_default()).into_iter().collect::<Option<_>>()?,
        given => given.iter().cloned().collect::<Option<_>>()?,
    };
    let index = match state.variables.get("OPTIND").and_then(|variable| variable.value.first()) {
        Some(value) => value.word()?.known()?.parse().ok()?,
        None => 1usize,
    };
    let offset = if state.memory.option.0 == index { state.memory.option.1 } else { 0 };
    let word = given.get(index.checked_sub(1)?);
    let letters: Vec<char> = match word.and_then(|word| word.strip_prefix('-')) {
        Some(letters) if !letters.is_empty() && letters != "-" => letters.chars().collect(),
        other => {
            let after = index + usize::from(other == Some("-"));
            assign(walk, "OPTIND", Some(after.to_string()), call, state);
            assign(walk, &name, Some("?".to_string()), call, state);
            state.memory.option = (after, 0);
            return Some(false);
        }
    };
    let letter = *letters.get(offset)?;
    let mut next = if offset + 1 < letters.len() { (index, offset + 1) } else { (index + 1, 0) };
    let (quiet, declared) = match options.strip_prefix(':') {
        Some(rest) => (true, rest),
        None => (false, options.as_str()),
    };
    let (found, value) = match declared.find(letter).filter(|_| letter != ':') {
        None => ("?".to_string(), quiet.then(|| letter.to_string())),
        Some(at) if declared[at + letter.len_utf8()..].starts_with(':') => {
            let attached: String = letters[offset + 1..].iter().collect();
            let apart = given.get(index);
            next = (index + 1 + usize::from(attached.is_empty()), 0);
            match (attached.is_empty(), apart) {
                (false, _) => (letter.to_string(), Some(attached)),
                (true, Some(value)) => (letter.to_string(), Some(value.clone())),
                (true, None) => {
                    next = (index + 1, 0);
                    (if quiet { ":" } else { "?" }.to_string(), quiet.then(|| letter.to_string()))
                }
            }
        }
        Some(_) => (letter.to_string(), None),
    };
    assign(walk, &name, Some(found), call, state);
    assign(walk, "OPTARG", value, call, state);
    assign(walk, "OPTIND", Some(next.0.to_string()), call, state);
    state.memory.option = next;
    Some(true)
}

fn assign(walk: &mut Walk<'_>, name: &str, value: Option<String>, call: &Call<'_>, state: &mut State) {
    match value {
        Some(value) => walk.set_scalar(name, Word::known_text(value, call.span), state),
        None => {
            state.variables.insert(name.to_string(), Variable::unset());
        }
    }
}

fn any_option(walk: &mut Walk<'_>, call: &Call<'_>, arguments: Vec<Argument>, state: &mut State) -> Outcome {
    let hole = |taint: Taint| Word {
        values: vec![Value::hole(unknown(Shape::Any, taint, call.span))],
        span: call.span,
        computed: false,
    };
    let taint =
        state.positional.iter().skip(1).filter_map(Argument::word).fold(Taint::none(), |taint, word| taint.join(&word.taint()));
    if let Some(Some(name)) = known_texts(&arguments).get(1) {
        walk.set_scalar(name, hole(Taint::none()), state);
    }
    // The option's value is one of the arguments.
    let mut values: Vec<Value> = state
        .positional
        .iter()
        .skip(1)
        .filter_map(Argument::word)
        .flat_map(|word| word.values.iter().cloned())
        .take(8)
        .collect();
    values.extend(hole(taint).values);
    state.variables.insert("OPTARG".into(), Variable::scalar(Word { values, span: call.span, computed: false }));
    done(None)
}
