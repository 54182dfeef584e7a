//! `cd`, `pushd`, `popd`, `pwd`.

use super::super::run::simple::Call;
use super::super::words::lookup::directory_value;
use super::super::{Outcome, Walk};
use super::done;
use crate::model::{Argument, Directory, Flow, Object, Origin, Piece, Span, Taint, Value, Verb, Word, path};
use crate::shell::state::{State, join_directories};

pub(super) fn cd(walk: &mut Walk<'_>, call: &Call<'_>, mut arguments: Vec<Argument>, state: &mut State) -> Outcome {
    while let Some(Argument::Word(word)) = arguments.first() {
        match word.known().as_deref() {
            Some("-L" | "-P" | "-e" | "-@" | "-q" | "-s" | "--") => {
                arguments.remove(0);
            }
            _ => break,
        }
    }
    let target = match arguments.first() {
        None => {
            let looked = walk.look_up("HOME", call.span, state);
            Some(Word { values: looked.values, span: call.span, computed: looked.computed })
        }
        Some(Argument::Word(word)) => Some(word.clone()),
        Some(Argument::Splice(_)) => None,
    };
    let (next, printed) = match &target {
        Some(word) if word.known().as_deref() == Some("-") => {
            (state.memory.previous.clone().unwrap_or(Directory::Unknown), true)
        }
        Some(word) => (resolve(word, state), false),
        None => (Directory::Unknown, false),
    };
    let output = if printed { text_of(&next, call.span) } else { Flow::Empty };
    let certain = matches!((&next, &state.directory), (Directory::Known(next), Directory::Known(now)) if next == now);
    moved(walk, next, target, call.span, state);
    Outcome { output, success: if certain { Some(true) } else { None } }
}

fn moved(walk: &mut Walk<'_>, next: Directory, target: Option<Word>, span: Span, state: &mut State) {
    if let Some(word) = target {
        walk.effect(Verb::ChangesDirectory, Object::Path(word), Taint::none(), span, state);
    }
    if matches!(next, Directory::Unknown) {
        walk.note("directory unknown from here on", span);
    }
    // No system has longer paths.
    let next = match next {
        Directory::Known(path) if path.len() > 4096 => Directory::Unknown,
        Directory::OneOf(paths) if paths.iter().any(|path| path.len() > 4096) => Directory::Unknown,
        other => other,
    };
    let before = std::mem::replace(&mut state.directory, next);
    state.directory_if_failed = Some(before.clone());
    state.memory.previous = Some(before);
    if state.variables.contains_key("PWD") {
        state.variables.remove("PWD");
    }
}

/// Where a path leads from here.
fn resolve(word: &Word, state: &State) -> Directory {
    let mut all: Option<Directory> = None;
    for value in &word.values {
        let next = resolve_value(value, state);
        all = Some(match all {
            None => next,
            Some(before) => join_directories(before, next),
        });
    }
    all.unwrap_or(Directory::Unknown)
}

fn resolve_value(value: &Value, state: &State) -> Directory {
    // `cd "$UNSET"` stays where it is, `cd $UNSET` goes home; either way an unset variable is most likely empty.
    if let [Piece::Hole(hole)] = value.pieces.as_slice()
        && matches!(hole.origin, Origin::Unset { guarded: false, .. })
    {
        return join_directories(state.directory.clone(), Directory::Unknown);
    }
    let Some(text) = value.known() else { return Directory::Unknown };
    if text.is_empty() {
        return state.directory.clone();
    }
    if path::is_absolute(&text) {
        return Directory::Known(path::join("/", &text));
    }
    match &state.directory {
        Directory::Known(directory) => Directory::Known(path::join(directory, &text)),
        Directory::OneOf(directories) => {
            let all = directories.iter().map(|directory| Directory::Known(path::join(directory, &text)));
            all.reduce(join_directories).unwrap_or(Directory::Unknown)
        }
        Directory::Unknown => Directory::Unknown,
    }
}

fn text_of(directory: &Directory, span: Span) -> Flow {
    let mut values = directory_value(directory, span).values;
    for value in &mut values {
        value.pieces.push(Piece::Text { text: "\n".into(), span: Span { start: span.end, ..span } });
    }
    Flow::Text(Word { values, span, computed: false })
}

pub(super) fn pushd(walk: &mut Walk<'_>, call: &Call<'_>, mut arguments: Vec<Argument>, state: &mut State) -> Outcome {
    let here = state.directory.clone();
    let unknown = Outcome { output: Flow::Unknown(Taint::none()), success: None };
    match arguments.first() {
        None => {
            // Exchanges the two topmost.
            let next = state.memory.stack.pop().unwrap_or(Directory::Unknown);
            moved(walk, next, None, call.span, state);
            state.memory.stack.push(here);
        }
        Some(argument) => {
            if let Some("-n") = argument.word().and_then(|word| word.known()).as_deref() {
                arguments.remove(0);
                return done(None);
            }
            let (next, target) = match argument {
                Argument::Word(word) if word.known().is_some_and(|text| text.starts_with(['+', '-'])) => {
                    (Directory::Unknown, None)
                }
                Argument::Word(word) => (resolve(word, state), Some(word.clone())),
                Argument::Splice(_) => (Directory::Unknown, None),
            };
            moved(walk, next, target, call.span, state);
            state.memory.stack.push(here);
        }
    }
    unknown
}

pub(super) fn popd(walk: &mut Walk<'_>, call: &Call<'_>, arguments: Vec<Argument>, state: &mut State) -> Outcome {
    let next = if arguments.is_empty() { state.memory.stack.pop().unwrap_or(Directory::Unknown) } else { Directory::Unknown };
    moved(walk, next, None, call.span, state);
    Outcome { output: Flow::Unknown(Taint::none()), success: None }
}

pub(super) fn pwd(_: &mut Walk<'_>, call: &Call<'_>, _: Vec<Argument>, state: &mut State) -> Outcome {
    Outcome { output: text_of(&state.directory, call.span), success: Some(true) }
}
