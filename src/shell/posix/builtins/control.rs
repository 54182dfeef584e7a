//! What changes the course: `eval`, `source`, `exec`, `command`, `exit`, `return`, `break`, `trap`.

use super::super::run::redirections::{absolute, file_taint};
use super::super::run::simple::{Call, joined};
use super::super::source::Source;
use super::super::{Outcome, SCRIPTS, Walk, join_outcomes};
use super::{done, known_texts, output};
use crate::model::invocation::LinkKind;
use crate::model::{Argument, Code, Flow, Link, Object, Span, Taint, Verb, Word};
use crate::shell::state::{Control, State};

impl Walk<'_> {
    /// The script ends here; its state is kept for what runs at its end.
    pub(in super::super) fn leave_script(&mut self, state: &mut State) {
        let ended = State { control: Control::Next, ..state.clone() };
        self.exited = Some(match self.exited.take() {
            Some(before) => before.join(ended),
            None => ended,
        });
        state.control = Control::Exit;
    }

    /// Walks a text of this shell, each of its values, in the state as it is.
    fn code(&mut self, text: &Word, state: &mut State) -> Outcome {
        let start = (text.values.len() > 1).then(|| state.clone());
        let mut outcome: Option<Outcome> = None;
        for value in &text.values {
            let source = Source::new(value, text.span);
            outcome = Some(match (outcome, &start) {
                (Some(before), Some(start)) => {
                    let mut own = State { files: state.files.clone(), ..start.clone() };
                    let more = self.source(source, text.span, &mut own);
                    *state = state.clone().join(own);
                    join_outcomes(before, more)
                }
                _ => self.source(source, text.span, state),
            });
        }
        outcome.unwrap_or_else(|| done(Some(true)))
    }

    fn executes(&mut self, text: Word, from: Taint, walked: bool, span: Span, state: &State) {
        let code = Code { language: "shell".into(), text, from, walked };
        self.effect(Verb::Executes, Object::Code(code), Taint::none(), span, state);
    }
}

pub(super) fn eval(walk: &mut Walk<'_>, call: &Call<'_>, mut arguments: Vec<Argument>, state: &mut State) -> Outcome {
    if known_texts(&arguments).first().and_then(|text| text.as_deref()) == Some("--") {
        arguments.remove(0);
    }
    if arguments.is_empty() {
        return done(Some(true));
    }
    let text = joined(&arguments, " ", call.span);
    let walked = !text.values.iter().any(|value| value.has_hole());
    walk.executes(text.clone(), text.taint(), walked, call.span, state);
    walk.code(&text, state)
}

pub(super) fn source(walk: &mut Walk<'_>, call: &Call<'_>, mut arguments: Vec<Argument>, state: &mut State) -> Outcome {
    if known_texts(&arguments).first().and_then(|text| text.as_deref()) == Some("--") {
        arguments.remove(0);
    }
    let unknown = Outcome { output: Flow::Unknown(Taint::none()), success: None };
    let Some(Argument::Word(file)) = arguments.first().cloned() else { return unknown };
    arguments.remove(0);
    let taint = file_taint(&file, state);
    walk.effect(Verb::ExecutesFile, Object::Path(file.clone()), Taint::none(), call.span, state);
    if state.depth >= SCRIPTS {
        walk.limit("scripts", u64::from(SCRIPTS), call.span);
        return unknown;
    }
    let path = absolute(&file, state);
    let written = match path.as_deref() {
        Some("/dev/stdin" | "/dev/fd/0" | "/proc/self/fd/0") => Some(std::mem::replace(&mut state.stdin, Flow::Empty)),
        _ => path.as_ref().and_then(|path| state.files.get(path).cloned()),
    };
    let text = match (written, &path) {
        (Some(Flow::Text(word)), _) => Some(word),
        (Some(Flow::Empty), _) => return done(Some(true)),
        (Some(Flow::Unknown(from)), _) => {
            walk.executes(file, from, false, call.span, state);
            return unknown;
        }
        (None, Some(path)) => match walk.host.world().read(path) {
            Some(text) => {
                walk.note(format!("{path} read, {} bytes", text.len()), call.span);
                let id = walk.host.text(path, &text);
                let span = Span::within(id, 0, text.len());
                Some(Word { values: vec![crate::model::Value::text(text, span)], span, computed: false })
            }
            None => None,
        },
        (None, None) => None,
    };
    let Some(text) = text else {
        walk.note("sourced file is not known", call.span);
        walk.executes(file, taint, false, call.span, state);
        return unknown;
    };
    let walked = !text.values.iter().any(|value| value.has_hole());
    walk.executes(text.clone(), text.taint().join(&taint), walked, call.span, state);
    let positional = (!arguments.is_empty()).then(|| {
        let zero = state.positional.first().cloned().unwrap_or_else(|| Argument::Word(Word::known_text("bash", call.span)));
        std::mem::replace(&mut state.positional, std::iter::once(zero).chain(arguments).collect())
    });
    state.depth += 1;
    state.chain.push(Link {
        name: file.known().map(|text| text.into_owned()).unwrap_or_default(),
        kind: LinkKind::File,
        span: call.span,
    });
    let outcome = walk.code(&text, state);
    state.chain.pop();
    state.depth -= 1;
    if let Some(positional) = positional {
        state.positional = positional;
    }
    if state.control == Control::Return {
        state.control = Control::Next;
    }
    outcome
}

/// `command [-pvV] name …`: no functions, else the same.
pub(super) fn command(walk: &mut Walk<'_>, call: &Call<'_>, mut arguments: Vec<Argument>, state: &mut State) -> Outcome {
    while let Some(Argument::Word(word)) = arguments.first() {
        match word.known().as_deref() {
            Some("-v" | "-V" | "-pv" | "-pV") => return output::names(&arguments[1..], call.span, state),
            Some("-p" | "--") => {
                arguments.remove(0);
            }
            _ => break,
        }
    }
    run(walk, call, arguments, state)
}

pub(super) fn builtin(walk: &mut Walk<'_>, call: &Call<'_>, arguments: Vec<Argument>, state: &mut State) -> Outcome {
    run(walk, call, arguments, state)
}

/// Runs the words as a command of their own, functions left out.
fn run(walk: &mut Walk<'_>, call: &Call<'_>, mut arguments: Vec<Argument>, state: &mut State) -> Outcome {
    if arguments.is_empty() {
        return done(Some(true));
    }
    match arguments.remove(0) {
        Argument::Word(program) => match program.known().map(|name| name.into_owned()) {
            Some(name) => walk.builtin_or_external(call, program, &name, arguments, &[], state),
            None => walk.external(program, arguments, &[], call.span, state),
        },
        Argument::Splice(hole) => {
            let program = Word { values: vec![crate::model::Value::hole(hole.clone())], span: hole.span, computed: false };
            arguments.insert(0, Argument::Splice(hole));
            walk.external(program, arguments, &[], call.span, state)
        }
    }
}

/// `exec program …`: what follows does not run.
pub(super) fn exec(walk: &mut Walk<'_>, call: &Call<'_>, mut arguments: Vec<Argument>, state: &mut State) -> Outcome {
    while let Some(Argument::Word(word)) = arguments.first() {
        match word.known().as_deref() {
            Some("-a") => {
                arguments.drain(..arguments.len().min(2));
            }
            Some("-c" | "-l" | "-cl" | "-lc" | "--") => {
                arguments.remove(0);
            }
            _ => break,
        }
    }
    if arguments.is_empty() {
        return done(Some(true));
    }
    let program = match arguments.remove(0) {
        Argument::Word(word) => word,
        Argument::Splice(hole) => {
            arguments.insert(0, Argument::Splice(hole.clone()));
            Word { values: vec![crate::model::Value::hole(hole.clone())], span: hole.span, computed: false }
        }
    };
    let outcome = walk.external(program, arguments, &[], call.span, state);
    walk.leave_script(state);
    outcome
}

pub(super) fn exit(walk: &mut Walk<'_>, _: &Call<'_>, arguments: Vec<Argument>, state: &mut State) -> Outcome {
    let success = code(&arguments, state.status);
    state.status = success;
    walk.leave_script(state);
    done(success)
}

fn code(arguments: &[Argument], last: Option<bool>) -> Option<bool> {
    match known_texts(arguments).first() {
        None => last,
        Some(Some(text)) => text.parse::<i64>().ok().map(|code| code & 0xff == 0),
        Some(None) => None,
    }
}

pub(super) fn leave_function(walk: &mut Walk<'_>, _: &Call<'_>, arguments: Vec<Argument>, state: &mut State) -> Outcome {
    let success = code(&arguments, state.status);
    state.status = success;
    if let Some(returned) = walk.returns.last_mut() {
        let own = State { control: Control::Next, ..state.clone() };
        *returned = Some(match returned.take() {
            Some(before) => before.join(own),
            None => own,
        });
    }
    state.control = Control::Return;
    done(success)
}

fn levels(arguments: &[Argument]) -> u32 {
    known_texts(arguments).first().and_then(|text| text.as_ref()?.parse().ok()).unwrap_or(1).max(1)
}

pub(super) fn leave_loop(walk: &mut Walk<'_>, _: &Call<'_>, arguments: Vec<Argument>, state: &mut State) -> Outcome {
    if walk.loops.is_empty() {
        return done(Some(true));
    }
    let count = levels(&arguments).min(walk.loops.len() as u32);
    let at = walk.loops.len() - count as usize;
    let own = state.clone();
    let frame = &mut walk.loops[at];
    frame.broken = Some(match frame.broken.take() {
        Some(before) => before.join(own),
        None => own,
    });
    state.control = Control::Break(count);
    done(Some(true))
}

pub(super) fn next_turn(walk: &mut Walk<'_>, _: &Call<'_>, arguments: Vec<Argument>, state: &mut State) -> Outcome {
    if walk.loops.is_empty() {
        return done(Some(true));
    }
    let count = levels(&arguments).min(walk.loops.len() as u32);
    let at = walk.loops.len() - count as usize;
    let own = state.clone();
    let frame = &mut walk.loops[at];
    frame.continued = Some(match frame.continued.take() {
        Some(before) => before.join(own),
        None => own,
    });
    state.control = Control::Continue(count);
    done(Some(true))
}

pub(super) fn trap(_: &mut Walk<'_>, call: &Call<'_>, mut arguments: Vec<Argument>, state: &mut State) -> Outcome {
    if known_texts(&arguments).first().and_then(|text| text.as_deref()) == Some("--") {
        arguments.remove(0);
    }
    let texts = known_texts(&arguments);
    let first = texts.first().cloned().flatten();
    if arguments.is_empty() || matches!(first.as_deref(), Some("-l" | "-p")) {
        return Outcome { output: Flow::Unknown(Taint::none()), success: Some(true) };
    }
    let number = first.as_ref().is_some_and(|text| text.parse::<u32>().is_ok());
    let remove = first.as_deref() == Some("-") || number;
    let code = joined(&arguments[..1], " ", call.span);
    let signals = if number { &texts[..] } else { &texts[1..] };
    for signal in signals {
        let signal = match signal.as_deref() {
            Some("0") => "EXIT".to_string(),
            Some(signal) => signal.to_ascii_uppercase().trim_start_matches("SIG").to_string(),
            None => "?".to_string(),
        };
        if remove {
            state.memory.traps.remove(&signal);
        } else {
            state.memory.traps.insert(signal, code.clone());
        }
    }
    done(Some(true))
}
