//! Programs that nobody declared: every reading under which a rule could match, guesses that are never certain.

use super::host::Interpreter;
use super::{changes, words};
use crate::model::effect::{Object, Verb};
use crate::model::{Argument, Effect, Flow, Invocation, OptionUse, Reading, Taint, Word, path};
use crate::shell::{Host, Outcome, State};

/// The most operands that are looked up on the disk, and looked at as programs.
const OPERANDS: usize = 16;

/// The reading of a program whose name is not known at all.
pub fn nameless() -> Reading {
    Reading {
        program: String::new(),
        certain: false,
        options: Vec::new(),
        positionals: Vec::new(),
        dashes: None,
        open: true,
        declared: false,
    }
}

/// Reads the program: words that begin with a dash are options, the others positionals; and, in a second reading, a word
/// behind an option is its value. Operands that look like paths may be read, a declared program among them may run.
/// `walked`: the program is a script that was read, so that nothing is guessed about it.
#[allow(clippy::too_many_arguments)] // the run and all that surrounds it
pub fn run(
    host: &mut Interpreter<'_>,
    invocation: &Invocation,
    index: usize,
    name: &str,
    certain: bool,
    walked: bool,
    readings: &mut Vec<Reading>,
    state: &mut State,
) -> Outcome {
    let apart = reading(name, certain && host.doubt == 0, &invocation.arguments, false);
    let valued = reading(name, certain && host.doubt == 0, &invocation.arguments, true);
    let differs = apart.positionals.len() != valued.positionals.len();
    readings.push(apart);
    if differs {
        readings.push(valued);
    }
    let mut taint = invocation.stdin.taint().join(&Taint { unknown: true, ..Taint::none() });
    taint.stdin = false;
    if walked {
        return Outcome { output: Flow::Unknown(taint), success: None };
    }
    changes::unknown(&mut host.call, index);
    for argument in invocation.arguments.iter().take(256) {
        let Argument::Word(word) = argument else { continue };
        if looks_like_path(host, invocation, word) {
            taint = taint.join(&words::file_taint(word, &invocation.directory));
            host.happens(Effect {
                verb: Verb::Reads,
                recursively: false,
                forcibly: false,
                object: Object::Path(word.clone()),
                filters: Vec::new(),
                from: Taint::none(),
                directory: invocation.directory.clone(),
                place: invocation.place,
                certain: false,
                invocation: Some(index),
                span: word.span,
            });
        }
    }
    possible_invocation(host, invocation, name, state);
    Outcome { output: Flow::Unknown(taint), success: None }
}

fn reading(name: &str, certain: bool, arguments: &[Argument], values: bool) -> Reading {
    let mut reading = Reading { program: name.to_string(), certain, ..nameless() };
    reading.open = false;
    let mut spliced = false;
    let mut ended = false;
    let mut behind_option = false;
    for argument in arguments {
        let Argument::Word(word) = argument else {
            spliced = true;
            reading.open |= !ended;
            reading.positionals.push(argument.clone());
            continue;
        };
        let start = word.values.first().map(words::lead).unwrap_or_default();
        if !ended && word.known().as_deref() == Some("--") {
            ended = true;
            reading.dashes = Some(reading.positionals.len());
        } else if !ended && start.len() > 1 && start.starts_with('-') {
            options(word, &start, spliced, &mut reading);
            behind_option = !start.contains('=');
            continue;
        } else if values && behind_option {
            if let Some(last) = reading.options.last_mut() {
                last.value = Some(word.clone());
            }
        } else {
            reading.open |= !ended && start.is_empty() && word.values.iter().any(crate::model::Value::has_hole);
            reading.positionals.push(argument.clone());
        }
        behind_option = false;
    }
    reading
}

/// The options that one word may be: as written, without its value, and each letter of a cluster.
fn options(word: &Word, start: &str, spliced: bool, reading: &mut Reading) {
    let one = word.values.len() == 1;
    let mut give = |spelling: &str, value: Option<Word>, certain: bool| {
        reading.options.push(OptionUse {
            spellings: vec![spelling.to_string()],
            value,
            certain: certain && one,
            computed: word.computed || spliced,
            span: word.span,
        });
    };
    let name = &start[..start.find('=').unwrap_or(start.len())];
    if !start.starts_with("--") && start.len() > 2 {
        for letter in name[1..].chars() {
            give(&format!("-{letter}"), None, true);
        }
    }
    let value = (name.len() < start.len()).then(|| words::with_value(word, words::tail(&word.values[0], name.len() + 1)));
    let whole = word.known().is_some() || value.is_some();
    give(name, value, whole);
    if !whole {
        reading.open = true;
    }
}

fn looks_like_path(host: &Interpreter<'_>, invocation: &Invocation, word: &Word) -> bool {
    let Some(value) = word.values.first() else { return false };
    let start = words::lead(value);
    if start.starts_with('-') || start.contains("://") || start.contains(['\n', '{']) || start.len() > 4_096 {
        return false;
    }
    if start.starts_with(['/', '~', '.']) || start.contains('/') {
        return true;
    }
    if start.is_empty() || start.len() > 255 || start.contains(' ') || !words::is_text(value) {
        return false;
    }
    match words::absolute(word, &invocation.directory).as_deref() {
        Some([path]) => host.facts.stat(path, false).flatten().is_some(),
        _ => false,
    }
}

/// The first operand that names a declared program may be run with what follows.
fn possible_invocation(host: &mut Interpreter<'_>, invocation: &Invocation, name: &str, state: &mut State) {
    for (at, argument) in invocation.arguments.iter().enumerate().take(OPERANDS) {
        let Some(text) = argument.word().and_then(Word::known) else { continue };
        let base = path::base_name(&text);
        if base.is_empty() || text.starts_with('-') || text.contains(' ') || base == name {
            continue;
        }
        if host.declared(base, false, state.dialect).is_empty() {
            continue;
        }
        let mut child = state.child();
        child.chain = invocation.chain.clone();
        child.chain.push(super::scripts::program_link(invocation));
        let words = &invocation.arguments[at..];
        let nested = Invocation {
            program: words::as_word(argument).into_owned(),
            arguments: words[1..].to_vec(),
            chain: child.chain.clone(),
            span: words::span_of(words).unwrap_or(invocation.span),
            ..invocation.clone()
        };
        host.doubt += 1;
        host.run(nested, &mut child);
        host.doubt -= 1;
        return;
    }
}
