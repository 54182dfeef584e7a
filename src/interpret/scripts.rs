//! Text that runs: code in an argument, on standard input, in a file.
//!
//! Every such text is an `executes` effect with what it carries, known or not; what is known is walked as well.

use super::effects::Scene;
use super::host::Interpreter;
use super::words;
use crate::model::declaration::{Act, Command};
use crate::model::effect::{Code, Object, Place, Verb};
use crate::model::invocation::LinkKind;
use crate::model::{Argument, Effect, Flow, Invocation, Limit, Link, Origin, Span, Taint, Word, path};
use crate::shell::{Dialect, Host, Outcome, State, evaluate};

/// The dialect of a shell's language.
pub fn dialect(language: &str) -> Option<Dialect> {
    match language {
        "shell" | "any" => Some(Dialect::Posix),
        "powershell" => Some(Dialect::PowerShell),
        "cmd" => Some(Dialect::Cmd),
        _ => None,
    }
}

/// The files that are a program's standard input.
pub const INPUTS: [&str; 4] = ["/dev/stdin", "/dev/fd/0", "/proc/self/fd/0", "/proc/thread-self/fd/0"];

/// The longest text that is walked.
const TEXT: usize = 1 << 20;

/// Whether the text is short enough to walk; reports the limit where not.
pub fn within_size(host: &mut Interpreter<'_>, text: &Word) -> bool {
    let long = text.values.iter().any(|value| words::lead(value).len() > TEXT);
    if long {
        host.limit(Limit { name: "text", size: TEXT as u64, span: text.span });
    }
    !long
}

/// The state of a new program below a scene: what is exported, its standard input, one link more.
pub fn child(host: &mut Interpreter<'_>, scene: &Scene<'_>, link: Link, state: &State) -> State {
    host.step((state.variables.len() + state.files.len()) as u64);
    let mut child = state.child();
    if child.variables.values().any(|variable| !variable.exported) {
        child.variables.retain(|_, variable| variable.exported);
    }
    // Functions, aliases and options are the shell's that defined them.
    child.memory = Default::default();
    for (name, value) in scene.environment.as_ref().unwrap_or(&scene.invocation.environment) {
        child.assign(name, value.clone(), true);
    }
    child.directory = scene.directory.clone();
    child.place = scene.place;
    child.stdin = scene.invocation.stdin.clone();
    child.chain = scene.invocation.chain.clone();
    child.chain.push(link);
    child
}

/// The link of the program that runs something.
pub fn program_link(invocation: &Invocation) -> Link {
    let name = invocation.program.known().map(|name| path::base_name(&name).to_string()).unwrap_or_default();
    Link { name, kind: LinkKind::Program, span: invocation.program.span }
}

/// Code whose text is a word.
pub fn execute(
    host: &mut Interpreter<'_>,
    scene: &Scene<'_>,
    language: &str,
    text: &Word,
    from: &Taint,
    positional: Vec<Argument>,
    state: &mut State,
) -> Outcome {
    let mut child = child(host, scene, program_link(scene.invocation), state);
    child.positional = positional;
    if child.positional.is_empty() {
        child.positional.push(Argument::Word(scene.invocation.program.clone()));
    }
    let outcome = walk(host, scene, language, text, from, &mut child);
    state.files = child.files;
    outcome
}

/// The effect of running the text, and the walk through it.
pub fn walk(
    host: &mut Interpreter<'_>,
    scene: &Scene<'_>,
    language: &str,
    text: &Word,
    from: &Taint,
    child: &mut State,
) -> Outcome {
    let whole = text.values.iter().all(words::is_text);
    let readable = dialect(language).is_some() || super::code::reads(language);
    let code = Code { language: language.to_string(), text: text.clone(), from: from.clone(), walked: whole && readable };
    happens(host, scene, Verb::Executes, Object::Code(code), from.clone(), text.span);
    if !readable
        || !within_size(host, text)
        || !host.deeper(&child.chain, text.span)
        || text.values.iter().all(|value| words::lead(value).is_empty())
    {
        return Outcome { output: Flow::Unknown(from.clone()), success: None };
    }
    match dialect(language) {
        Some(dialect) => {
            child.dialect = dialect;
            evaluate(text, dialect, child, host)
        }
        None => super::code::walk(host, scene, language, text, child),
    }
}

/// Code that arrives on standard input.
pub fn from_stdin(host: &mut Interpreter<'_>, scene: &Scene<'_>, language: &str, state: &mut State) -> Option<Outcome> {
    let taint = scene.invocation.stdin.taint();
    match &scene.invocation.stdin {
        Flow::Empty => None,
        Flow::Text(text) => {
            let text = text.clone();
            let positional = scene.bindings.bound.iter().filter(|b| b.position.is_some()).map(|b| b.argument.clone());
            let mut all = vec![Argument::Word(scene.invocation.program.clone())];
            all.extend(positional);
            let mut child = child(host, scene, program_link(scene.invocation), state);
            child.positional = all;
            // The script is what was on it: nothing is left for what it runs.
            child.stdin = Flow::Empty;
            let outcome = walk(host, scene, language, &text, &taint, &mut child);
            state.files = child.files;
            Some(outcome)
        }
        Flow::Unknown(_) => {
            unknown(host, scene, language, &taint, scene.invocation.span);
            Some(Outcome { output: Flow::Unknown(taint), success: None })
        }
    }
}

/// A script file, run with these positional parameters (the first is the file).
pub fn execute_file(
    host: &mut Interpreter<'_>,
    scene: &Scene<'_>,
    file: &Word,
    language: Option<&str>,
    positional: Vec<Argument>,
    state: &mut State,
) -> Outcome {
    let own = || scene.invocation.program.known().and_then(|name| language_of_program(host, &name, state.dialect));
    let language = language.map(str::to_string).or_else(own);
    let paths = if scene.place == Place::Here { words::absolute(file, &scene.directory) } else { None };
    let mut from = words::file_taint(file, &scene.directory);
    let Some(paths) = paths else {
        from.unknown |= file.values.iter().any(|value| value.has_hole());
        unknown(host, scene, language.as_deref().unwrap_or("any"), &from, file.span);
        return Outcome { output: Flow::Unknown(Taint::none()), success: None };
    };
    if let [path] = paths.as_slice()
        && INPUTS.contains(&path.as_str())
    {
        let nothing = Outcome { output: Flow::Unknown(Taint::none()), success: None };
        return from_stdin(host, scene, language.as_deref().unwrap_or("shell"), state).unwrap_or(nothing);
    }
    let several = u32::from(paths.len() > 1);
    host.doubt += several;
    let mut outcome = Outcome { output: Flow::Unknown(Taint::none()), success: None };
    for path in paths {
        outcome = execute_path(host, scene, &path, file, language.as_deref(), positional.clone(), &from, state);
    }
    host.doubt -= several;
    outcome
}

#[allow(clippy::too_many_arguments)] // one file with all that surrounds its run
fn execute_path(
    host: &mut Interpreter<'_>,
    scene: &Scene<'_>,
    path: &str,
    file: &Word,
    language: Option<&str>,
    positional: Vec<Argument>,
    from: &Taint,
    state: &mut State,
) -> Outcome {
    let mut from = from.clone();
    let text = match state.files.get(path) {
        Some(Flow::Text(text)) => Some(text.clone()),
        Some(Flow::Empty) => Some(Word::known_text("", file.span)),
        Some(Flow::Unknown(taint)) => {
            from = from.join(taint);
            None
        }
        None => host.open(path, file.span).map(|id| {
            let text = host.source(id).to_string();
            let span = Span::within(id, 0, text.len());
            Word::known_text(text, span)
        }),
    };
    let Some(text) = text else {
        unknown(host, scene, language.unwrap_or("any"), &from, file.span);
        return Outcome { output: Flow::Unknown(Taint::none()), success: None };
    };
    if scene.invocation.chain.iter().any(|link| link.kind == LinkKind::File && link.name == path) {
        // It is being walked already; another round would find nothing new.
        return Outcome { output: Flow::Unknown(Taint::none()), success: None };
    }
    let language = match language {
        Some(language) => language.to_string(),
        None => shebang(host, &text, state.dialect),
    };
    let link = Link { name: path.to_string(), kind: LinkKind::File, span: file.span };
    let mut child = child(host, scene, link, state);
    child.positional = positional;
    let outcome = walk(host, scene, &language, &text, &from, &mut child);
    state.files = child.files;
    outcome
}

/// A program of a path that nobody declared: a script in the project, if it can be read. None where it is no text.
pub fn run_path(
    host: &mut Interpreter<'_>,
    invocation: &Invocation,
    run: usize,
    name: &str,
    state: &mut State,
) -> Option<Outcome> {
    if invocation.place != Place::Here {
        return None;
    }
    let paths = words::absolute(&Word::known_text(name, invocation.program.span), &invocation.directory)?;
    let [path] = paths.as_slice() else { return None };
    if !state.files.contains_key(path) {
        host.open(path, invocation.program.span)?;
    }
    let bindings = super::bindings::Bindings::default();
    let scene = Scene {
        invocation,
        run: Some(run),
        bindings: &bindings,
        directory: invocation.directory.clone(),
        place: invocation.place,
        environment: None,
        carried: Taint::none(),
        fetched: false,
        filters: Vec::new(),
        replaced: None,
        certain: true,
    };
    let file = Word::known_text(name, invocation.program.span);
    let mut positional = vec![Argument::Word(file.clone())];
    positional.extend(invocation.arguments.iter().cloned());
    happens(host, &scene, Verb::ExecutesFile, Object::Path(file.clone()), Taint::none(), file.span);
    let from = words::file_taint(&file, &invocation.directory);
    Some(execute_path(host, &scene, path, &file, None, positional, &from, state))
}

/// The language of a text by its first line; a shell's where it has none.
fn shebang(host: &Interpreter<'_>, text: &Word, dialect: Dialect) -> String {
    let start = text.values.first().map(words::lead).unwrap_or_default();
    let line = start.lines().next().unwrap_or_default();
    let Some(line) = line.strip_prefix("#!") else { return "shell".to_string() };
    let words = line.split_whitespace().filter(|word| !word.starts_with('-') && !word.contains('='));
    // `/usr/bin/env python3`: the first word whose declaration says what it executes.
    let mut found = words.filter_map(|word| language_of_program(host, word, dialect));
    found.next().unwrap_or_else(|| "unknown".to_string())
}

/// The language that a program executes, by its declarations.
pub fn language_of_program(host: &Interpreter<'_>, name: &str, dialect: Dialect) -> Option<String> {
    let declared = host.declared(path::base_name(name), true, dialect);
    declared.iter().find_map(|command| language_of(command).map(str::to_string))
}

fn language_of(command: &Command) -> Option<&str> {
    let options = command.options.iter().flat_map(|option| option.does.iter());
    let mut all = options.chain(&command.does).chain(&command.stdin);
    all.find_map(|does| match &does.act {
        Act::Executes(language) if language != "any" => Some(language.as_str()),
        _ => None,
    })
}

/// Text that runs and is not known.
pub fn unknown(host: &mut Interpreter<'_>, scene: &Scene<'_>, language: &str, from: &Taint, span: Span) {
    let text = Word::unknown(Origin::Unknown, from.clone(), span);
    let code = Code { language: language.to_string(), text, from: from.clone(), walked: false };
    happens(host, scene, Verb::Executes, Object::Code(code), from.clone(), span);
}

fn happens(host: &mut Interpreter<'_>, scene: &Scene<'_>, verb: Verb, object: Object, from: Taint, span: Span) {
    host.happens(Effect {
        verb,
        recursively: false,
        forcibly: false,
        object,
        filters: Vec::new(),
        from,
        directory: scene.directory.clone(),
        place: scene.place,
        certain: scene.certain,
        invocation: scene.run,
        span,
    });
}
