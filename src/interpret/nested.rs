//! Programs that run programs: the rest of the arguments, the words up to a `;`, words from standard input.

use super::effects::{self, Scene};
use super::host::Interpreter;
use super::program::{Step, unknown_output};
use super::scripts;
use super::words;
use crate::model::declaration::{Act, Argument as Applied, Command, Runs};
use crate::model::effect::Place;
use crate::model::{Argument, Flow, Hole, Invocation, Origin, Piece, Shape, Span, Taint, Value, Word};
use crate::shell::{Host, Outcome, State};

/// The rest of the arguments (`sudo`, `xargs`, `ssh`). `list`: where more arguments come from, if not from standard input.
pub fn rest(
    host: &mut Interpreter<'_>,
    scene: &Scene<'_>,
    command: &Command,
    runs: &Runs,
    words: &[Argument],
    list: Option<&Flow>,
    state: &mut State,
) -> Outcome {
    let elsewhere;
    let scene = if command.runs_on == Place::Here {
        scene
    } else {
        elsewhere = Scene {
            invocation: scene.invocation,
            run: scene.run,
            bindings: scene.bindings,
            directory: crate::model::Directory::Unknown,
            place: command.runs_on,
            environment: Some(Vec::new()),
            carried: scene.carried.clone(),
            fetched: scene.fetched,
            filters: Vec::new(),
            replaced: scene.replaced.clone(),
            certain: scene.certain,
            sweeps: scene.sweeps,
        };
        &elsewhere
    };
    let replaced = scene.replaced.clone().or_else(|| runs.placeholder.clone());
    let separates = |word: &Argument| {
        word.word().and_then(Word::known).is_some_and(|text| runs.arguments_after.iter().any(|after| *after == *text))
    };
    if let Some(at) = words.iter().position(separates) {
        let (command, items) = words.split_at(at);
        let items: Vec<Argument> = items.iter().filter(|item| !separates(item)).cloned().collect();
        return supplied_behind(host, scene, runs, command, &items, replaced.as_deref(), state);
    }
    if runs.joined && !runs.arguments_from_stdin {
        let text = words::join(words, " ");
        let from = text.taint();
        return scripts::execute(host, scene, "shell", &text, &from, Vec::new(), state);
    }
    if !runs.arguments_from_stdin {
        return self::words(host, scene, words, state).unwrap_or_else(unknown_output);
    }
    let mentioned = |replace: &str| words.iter().any(|word| mentions(word, replace));
    let replaced = if runs.placeholder.is_some() { replaced.filter(|replace| mentioned(replace)) } else { replaced };
    let quoted = runs.joined && !stands_alone(words, replaced.as_deref());
    let vectors = supplied(scene, list.unwrap_or(&scene.invocation.stdin), words, replaced.as_deref(), quoted);
    let several = u32::from(vectors.len() > 1 && replaced.is_none());
    host.doubt += several;
    let mut outcome = None;
    for vector in vectors {
        if !host.step(vector.len() as u64) {
            break;
        }
        outcome = one(host, scene, runs, &vector, state).or(outcome);
    }
    host.doubt -= several;
    outcome.unwrap_or_else(unknown_output)
}

/// A command with its arguments supplied: its words, or a text for the shell.
fn one(host: &mut Interpreter<'_>, scene: &Scene<'_>, runs: &Runs, words: &[Argument], state: &mut State) -> Option<Outcome> {
    if runs.joined {
        let text = words::join(words, " ");
        let from = text.taint();
        return Some(scripts::execute(host, scene, "shell", &text, &from, Vec::new(), state));
    }
    run(host, scene, words, Flow::Empty, state)
}

/// The arguments stand behind the command, a separator between them (`parallel rm ::: a b`): each takes the placeholder's
/// place, or stands last.
fn supplied_behind(
    host: &mut Interpreter<'_>,
    scene: &Scene<'_>,
    runs: &Runs,
    command: &[Argument],
    items: &[Argument],
    replace: Option<&str>,
    state: &mut State,
) -> Outcome {
    let replace = replace.filter(|replace| command.iter().any(|word| mentions(word, replace)));
    let quoted = runs.joined && !stands_alone(command, replace);
    let mut outcome = None;
    for item in items {
        let item = &if quoted { words::quoted(item) } else { item.clone() };
        if !host.step(command.len() as u64 + 1) {
            break;
        }
        let vector: Vec<Argument> = match replace {
            // Without a command the items are commands themselves.
            Some(replace) => command.iter().map(|word| substitute(word, replace, &words::as_word(item))).collect(),
            None => command.iter().chain([item]).cloned().collect(),
        };
        outcome = one(host, scene, runs, &vector, state).or(outcome);
    }
    outcome.unwrap_or_else(unknown_output)
}

/// Whether the items are commands themselves, since there is none that takes them.
fn stands_alone(words: &[Argument], replace: Option<&str>) -> bool {
    let known = |word: &Argument| word.word().and_then(Word::known).map(|text| text.into_owned());
    words.is_empty() || matches!(words, [only] if known(only).as_deref() == replace && replace.is_some())
}

/// Whether the placeholder is in the argument.
fn mentions(argument: &Argument, placeholder: &str) -> bool {
    argument.word().is_some_and(|word| word.values.iter().any(|value| value.emptied().contains(placeholder)))
}

/// The argument vectors that a list makes of a command's words.
fn supplied(scene: &Scene<'_>, list: &Flow, words: &[Argument], replace: Option<&str>, quoted: bool) -> Vec<Vec<Argument>> {
    let hole = |taint: Taint| Hole { shape: Shape::Any, origin: Origin::Output, taint, span: scene.invocation.span };
    let inputs: Vec<Vec<Argument>> = match list {
        Flow::Empty => vec![Vec::new()],
        Flow::Unknown(taint) => vec![vec![Argument::Splice(hole(taint.clone()))]],
        Flow::Text(text) => text.values.iter().map(|value| words::split(value, replace.is_some())).collect(),
    };
    let inputs: Vec<Vec<Argument>> = match quoted {
        true => inputs.into_iter().map(|input| input.iter().map(words::quoted).collect()).collect(),
        false => inputs,
    };
    let Some(replace) = replace else {
        return inputs.into_iter().map(|input| words.iter().cloned().chain(input).collect()).collect();
    };
    let mut all = Vec::new();
    for argument in inputs.into_iter().flatten() {
        let item = words::as_word(&argument).into_owned();
        all.push(words.iter().map(|word| substitute(word, replace, &item)).collect());
    }
    all
}

/// The argument with every occurrence of `placeholder` replaced by the word.
fn substitute(argument: &Argument, placeholder: &str, by: &Word) -> Argument {
    let Argument::Word(word) = argument else { return argument.clone() };
    let mut found = false;
    let mut values = Vec::new();
    for value in &word.values {
        let mut parts: Vec<Argument> = Vec::new();
        let part =
            |pieces: Vec<Piece>| Argument::Word(Word { values: vec![Value { pieces }], span: word.span, computed: false });
        // The placeholder may be quoted in parts.
        for piece in &value.merged().pieces {
            let Piece::Text { text, span } = piece else {
                parts.push(part(vec![piece.clone()]));
                continue;
            };
            let mut start = 0;
            for (at, _) in text.match_indices(placeholder).filter(|_| !placeholder.is_empty()) {
                found = true;
                parts.push(part(vec![words::cut(text, *span, start, at)]));
                parts.push(Argument::Word(by.clone()));
                start = at + placeholder.len();
            }
            if start < text.len() {
                parts.push(part(vec![words::cut(text, *span, start, text.len())]));
            }
        }
        values.extend(words::join(&parts, "").values.into_iter().map(|mut value| {
            value.pieces.retain(|piece| !matches!(piece, Piece::Text { text, .. } if text.is_empty()));
            value
        }));
    }
    if found {
        Argument::Word(Word { values, span: word.span, computed: word.computed || by.computed })
    } else {
        argument.clone()
    }
}

/// The words of an option up to its end (`find -exec`), with a placeholder that stands for what is found.
pub fn until(
    host: &mut Interpreter<'_>,
    scene: &Scene<'_>,
    step: &Step<'_>,
    placeholder: &str,
    stands_for: &Applied,
    state: &mut State,
) -> Option<Outcome> {
    let mut found = found(host, scene, step, stands_for);
    let mut outcome = None;
    let mut words = step.words.to_vec();
    // A command that only one word ends gets the path behind its words, where it does not say where it belongs.
    let appends = matches!(&step.does.act, Act::RunsUntil { terminators, .. } if terminators.len() == 1);
    if appends && !words.is_empty() {
        if !words.iter().any(|word| mentions(word, placeholder)) {
            words.push(Argument::Word(Word::known_text(placeholder, Span { end: step.span.start, ..step.span })));
        }
        if !matches!(stands_for, Applied::Placeholder { name, .. } if scene.bindings.values(name).next().is_some()) {
            // Of what it finds in the working directory by its pattern nothing is known.
            found = vec![Word::unknown(Origin::Output, Taint::none(), step.span)];
        }
    }
    let runs = if words.iter().any(|word| mentions(word, placeholder)) {
        found.as_slice()
    } else {
        found.get(..1).unwrap_or_default()
    };
    for item in runs.iter().take(FOUND) {
        let vector: Vec<Argument> = words.iter().map(|argument| substitute(argument, placeholder, item)).collect();
        outcome = run(host, scene, &vector, Flow::Empty, state).or(outcome);
    }
    outcome
}

/// The most paths that a command is run for one by one.
const FOUND: usize = 16;

/// What the placeholder stands for: each path itself and what is below it, or what is below it under the names that the
/// expression narrows to. Without a path it is the working directory's.
fn found(host: &Interpreter<'_>, scene: &Scene<'_>, step: &Step<'_>, stands_for: &Applied) -> Vec<Word> {
    let (name, below) = match stands_for {
        Applied::Placeholder { name, below } => (name.as_str(), below.as_deref()),
        _ => {
            let does = crate::model::declaration::Does { argument: stands_for.clone(), ..step.does.clone() };
            let step =
                Step { does: &does, own: None, words: &[], placeholder: "", option: false, span: step.span, stdin: false };
            return effects::targets(scene, &step, Some(host.facts)).into_iter().map(|(word, _)| word).collect();
        }
    };
    let mut roots: Vec<Word> = scene.bindings.words(name).into_iter().map(|(word, _)| word).collect();
    if roots.is_empty() {
        roots.push(Word::known_text(".", Span { end: step.span.start, ..step.span }));
    }
    let Some(below) = below else { return roots };
    let names: Vec<String> = scene.filters.iter().filter_map(|filter| filter.known().map(|name| name.to_string())).collect();
    let named = names.len() == scene.filters.len() && !names.is_empty() && names.iter().all(|name| !name.contains('/'));
    let mut all = Vec::new();
    for root in roots {
        let below = if ends_with_slash(&root) { below.trim_start_matches('/') } else { below };
        if named {
            all.extend(names.iter().map(|name| words::with_glob(&root, &format!("{below}/{name}"))));
        } else {
            all.push(root.clone());
            all.push(words::with_glob(&root, below));
        }
    }
    all
}

fn ends_with_slash(word: &Word) -> bool {
    matches!(word.values.first().and_then(|v| v.pieces.last()), Some(Piece::Text { text, .. }) if text.ends_with('/'))
}

/// A command that is given as its words.
pub fn words(host: &mut Interpreter<'_>, scene: &Scene<'_>, words: &[Argument], state: &mut State) -> Option<Outcome> {
    let stdin = scene.invocation.stdin.clone();
    // A single text with blanks in it is a command line.
    if let [Argument::Word(word)] = words
        && let [value] = word.values.as_slice()
        && words::lead(value).trim().contains(' ')
    {
        if words::is_text(value) {
            return Some(scripts::execute(host, scene, "shell", word, &Taint::none(), Vec::new(), state));
        }
        return run(host, scene, &words::split(value, false), stdin, state);
    }
    run(host, scene, words, stdin, state)
}

/// Runs the words as a program of their own below the scene's.
fn run(host: &mut Interpreter<'_>, scene: &Scene<'_>, words: &[Argument], stdin: Flow, state: &mut State) -> Option<Outcome> {
    let (first, arguments) = words.split_first()?;
    let mut child = scripts::child(host, scene, scripts::program_link(scene.invocation), state);
    let invocation = Invocation {
        program: words::as_word(first).into_owned(),
        arguments: arguments.to_vec(),
        environment: scene.environment.clone().unwrap_or_else(|| scene.invocation.environment.clone()),
        directory: scene.directory.clone(),
        stdin,
        place: scene.place,
        chain: child.chain.clone(),
        span: words::span_of(words).unwrap_or(scene.invocation.span),
    };
    let outcome = host.run(invocation, &mut child);
    state.files = child.files;
    Some(outcome)
}
