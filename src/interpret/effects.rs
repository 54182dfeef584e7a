//! What a declaration says that something does, as effects: of a program's arguments, of a library call's, of a tool's
//! fields.

use super::bindings::{Bindings, named};
use super::host::{Interpreter, OtherName};
use super::program::{Step, is_stdin};
use super::words::{self, Truth};
use super::{nested, scripts};
use crate::model::declaration::{Act, Argument as Applied, Does, From};
use crate::model::effect::{Object, Place, Source, Verb};
use crate::model::rule::{PathSet, PatternPart, WordPattern};
use crate::model::facts::EntryKind;
use crate::model::{Argument, Directory, Effect, Flow, Invocation, Origin, Span, Taint, Value, Word, path};
use crate::shell::{Outcome, State};

/// Where something happens.
pub struct Scene<'s> {
    /// The program that does it; for a library call the program that runs the code.
    pub invocation: &'s Invocation,
    /// Its index in the call.
    pub run: Option<usize>,
    /// What placeholders stand for.
    pub bindings: &'s Bindings<'s>,
    /// Where its relative paths start, its own options heeded.
    pub directory: Directory,
    /// Whose file system it means.
    pub place: Place,
    /// The environment of what it runs, where that differs from its own.
    pub environment: Option<Vec<(String, Word)>>,
    /// What the data carries that it has read.
    pub carried: Taint,
    /// Whether the network has answered it.
    pub fetched: bool,
    /// What narrows its recursive effects.
    pub filters: Vec<Word>,
    /// The word that an item of standard input takes the place of.
    pub replaced: Option<String>,
    /// Whether it is certain that it happens.
    pub certain: bool,
}

impl Scene<'_> {
    /// What its output carries.
    pub fn printed(&self) -> Taint {
        Taint { network: self.carried.network || self.fetched, ..self.carried.clone() }
    }

    /// The environment of what is run, to add to.
    pub fn environment_mut(&mut self) -> &mut Vec<(String, Word)> {
        let own = self.invocation;
        self.environment.get_or_insert_with(|| own.environment.clone())
    }
}

/// Whether it happens at all, with these options.
pub fn happens(bindings: &Bindings<'_>, step: &Step<'_>) -> Truth {
    let does = step.does;
    if does.unless.is_none() && does.when.is_none() {
        return Truth::Yes;
    }
    let own = step.own.map(|own| named(step.placeholder, own, true)).unwrap_or_default();
    if does.unless.as_ref().is_some_and(|unless| bindings.exempts(unless, &own)) {
        return Truth::No;
    }
    does.when.as_ref().map_or(Truth::Yes, |when| bindings.holds(when, &own))
}

/// What it is applied to, each with whether it is certain that it is.
pub fn targets(scene: &Scene<'_>, step: &Step<'_>, facts: Option<&dyn crate::model::World>) -> Vec<(Word, bool)> {
    match &step.does.argument {
        Applied::None => own_or_operands(scene, step),
        Applied::Placeholder { name, below } => {
            let mut all = values(scene, step, name);
            if let Some(below) = below {
                for (word, _) in &mut all {
                    *word = words::with_glob(word, below);
                }
            }
            all
        }
        Applied::After { name, beginning } => {
            let all = values(scene, step, name);
            all.into_iter()
                .filter_map(|(word, certain)| after(&word, beginning).map(|(w, sure)| (w, certain && sure)))
                .collect()
        }
        Applied::Decoded { name, from } => {
            let all = values(scene, step, name);
            all.into_iter().map(|(word, certain)| (super::output::decoded(&word, from), certain)).collect()
        }
        Applied::Stdin if names_of_stdin(&step.does.act) => names_on(&scene.invocation.stdin, step.span),
        Applied::Stdin => Vec::new(),
        Applied::Paths(set) => fixed(scene, set, step.span, facts).into_iter().map(|word| (word, true)).collect(),
    }
}

/// Whether what is done to standard input is done to the names on it: nothing else of it can be deleted.
fn names_of_stdin(act: &Act) -> bool {
    matches!(act, Act::Effect(Verb::Deletes | Verb::Moves | Verb::Truncates | Verb::ChangesMode | Verb::ChangesOwner))
}

/// The names on an input, one a line.
fn names_on(input: &Flow, span: Span) -> Vec<(Word, bool)> {
    match input {
        Flow::Empty => Vec::new(),
        Flow::Unknown(taint) => vec![(Word::unknown(Origin::Output, taint.clone(), span), true)],
        Flow::Text(text) => {
            let lines = text.values.iter().flat_map(|value| words::split(value, true));
            lines.map(|line| (words::as_word(&line).into_owned(), text.values.len() == 1)).collect()
        }
    }
}

/// The values of a placeholder: of the option that it belongs to its own alone.
fn values(scene: &Scene<'_>, step: &Step<'_>, name: &str) -> Vec<(Word, bool)> {
    if name.is_empty() {
        return own_or_operands(scene, step);
    }
    if let Some(own) = step.own {
        let own = named(step.placeholder, own, true);
        if own.iter().any(|bound| bound.name == name) {
            let own = own.into_iter().filter(|bound| bound.name == name);
            return own.map(|bound| (words::as_word(&bound.argument).into_owned(), bound.certain)).collect();
        }
    }
    scene.bindings.words(name)
}

/// The option's own value; every operand where it is not an option's.
fn own_or_operands(scene: &Scene<'_>, step: &Step<'_>) -> Vec<(Word, bool)> {
    match step.own {
        Some(own) => vec![(own.clone(), true)],
        None if step.option || step.stdin => Vec::new(),
        None => operands(scene),
    }
}

/// Every operand, where a declaration does not say which.
fn operands(scene: &Scene<'_>) -> Vec<(Word, bool)> {
    let all = scene.bindings.bound.iter().filter(|bound| bound.position.is_some());
    all.map(|bound| (words::as_word(&bound.argument).into_owned(), bound.certain)).collect()
}

/// What follows the beginning, in the values that may begin so.
pub fn after(word: &Word, beginning: &WordPattern) -> Option<(Word, bool)> {
    let mut sure = true;
    let mut values = Vec::new();
    for value in &word.values {
        let start = words::lead(value);
        if let Some(&end) = words::ends(beginning, &start, true).first() {
            values.push(words::tail(value, end));
        } else if value.pieces.iter().any(|piece| !matches!(piece, crate::model::Piece::Text { .. }))
            && words::matches(value, &open_ended(beginning)) != Truth::No
        {
            sure = false;
            values.push(Value {
                pieces: value.pieces.iter().filter(|p| matches!(p, crate::model::Piece::Hole(_))).cloned().collect(),
            });
        } else {
            sure = false;
        }
    }
    (!values.is_empty()).then(|| (Word { values, ..word.clone() }, sure))
}

fn open_ended(pattern: &WordPattern) -> WordPattern {
    let mut parts = pattern.parts.clone();
    parts.push(PatternPart::Star);
    WordPattern { parts }
}

/// A fixed set of paths as words.
pub fn fixed(scene: &Scene<'_>, set: &PathSet, span: Span, facts: Option<&dyn crate::model::World>) -> Vec<Word> {
    set.any.iter().map(|pattern| fixed_path(scene, pattern, span, facts)).collect()
}

fn fixed_path(scene: &Scene<'_>, pattern: &WordPattern, span: Span, facts: Option<&dyn crate::model::World>) -> Word {
    use crate::model::{Glob, Piece};
    let mut pieces = Vec::new();
    let mut parts = pattern.parts.as_slice();
    if let [PatternPart::Literal(literal), rest @ ..] = parts {
        let mut text = literal.clone();
        let roots: [(&str, Option<String>); 4] = [
            ("~", facts.and_then(|facts| facts.homes().into_iter().next())),
            ("@tmp", facts.and_then(|facts| facts.temporary().into_iter().next())),
            ("@cwd", known(&scene.directory)),
            ("@project", known(&scene.directory).and_then(|at| facts.and_then(|f| f.repository(&at)).or(Some(at)))),
        ];
        for (name, root) in roots {
            if let (Some(after), Some(root)) = (literal.strip_prefix(name), root)
                && (after.is_empty() || after.starts_with('/'))
            {
                text = format!("{root}{after}");
            }
        }
        pieces.push(words::inserted(text, span));
        parts = rest;
    }
    for part in parts {
        pieces.push(match part {
            PatternPart::Literal(text) => words::inserted(text.clone(), span),
            PatternPart::Star => Piece::Glob(Glob::Star),
            PatternPart::DoubleStar => Piece::Glob(Glob::DoubleStar),
            PatternPart::Question => Piece::Glob(Glob::Question),
            PatternPart::Class { negated, ranges } => Piece::Glob(Glob::Class { negated: *negated, ranges: ranges.clone() }),
            PatternPart::Choice(choices) => {
                words::inserted(choices.first().and_then(WordPattern::as_literal).unwrap_or_default(), span)
            }
        });
    }
    Word { values: vec![Value { pieces }], span, computed: false }
}

fn known(directory: &Directory) -> Option<String> {
    match directory {
        Directory::Known(path) => Some(path.clone()),
        Directory::OneOf(_) | Directory::Unknown => None,
    }
}

/// Does it. What it runs has an outcome.
pub fn perform(host: &mut Interpreter<'_>, scene: &Scene<'_>, step: &Step<'_>, state: &mut State) -> Option<Outcome> {
    match &step.does.act {
        Act::Effect(verb) => {
            plain(host, scene, step, *verb, state);
            (*verb == Verb::ExecutesFile).then(|| executes_file(host, scene, step, None, None, state)).flatten()
        }
        Act::Executes(language) => {
            if is_stdin(step) {
                return scripts::from_stdin(host, scene, language, state);
            }
            let mut outcome = None;
            for (text, certain) in targets(scene, step, Some(host.facts)) {
                host.doubt += u32::from(!certain);
                let from = text.taint().join(&source_of(step.does, scene));
                let positional = positional_after(scene, &text);
                outcome = Some(scripts::execute(host, scene, language, &text, &from, positional, state));
                host.doubt -= u32::from(!certain);
            }
            outcome
        }
        Act::Runs => {
            let mut words: Vec<Argument> =
                targets(scene, step, Some(host.facts)).into_iter().map(|(word, _)| Argument::Word(word)).collect();
            words.extend(behind(scene, &step.does.argument));
            nested::words(host, scene, &words, state)
        }
        Act::RunsUntil { placeholder, as_argument, .. } => nested::until(host, scene, step, placeholder, as_argument, state),
        Act::ExecutesFile { language, entry } => {
            plain(host, scene, step, Verb::ExecutesFile, state);
            executes_file(host, scene, step, language.as_deref(), entry.as_deref(), state)
        }
        Act::Links { as_argument } => {
            links(host, scene, step, as_argument, state);
            None
        }
        Act::Narrows | Act::Assigns | Act::Cancels | Act::Aliases | Act::Splits | Act::Replaces => None,
    }
}

/// The values of a repeated operand behind the one that names a program (`system("rm", "-rf", "/")`).
fn behind(scene: &Scene<'_>, argument: &Applied) -> Vec<Argument> {
    let Applied::Placeholder { name, .. } = argument else { return Vec::new() };
    let Some(last) = scene.bindings.values(name).filter_map(|bound| bound.position).max() else { return Vec::new() };
    let rest = scene.bindings.bound.iter().filter(|bound| bound.repeated && bound.name != name.as_str());
    rest.filter(|bound| bound.position.is_some_and(|position| position > last)).map(|bound| bound.argument.clone()).collect()
}

/// The operands behind the code: its `$0 $1 …`. All operands, where the code is an option's.
fn positional_after(scene: &Scene<'_>, code: &Word) -> Vec<Argument> {
    let bound = &scene.bindings.bound;
    let at = bound.iter().find(|b| b.position.is_some() && matches!(&b.argument, Argument::Word(w) if w == code));
    let from = at.and_then(|b| b.position).map_or(0, |position| position + 1);
    let mut operands: Vec<(usize, Argument)> =
        bound.iter().filter_map(|b| b.position.filter(|p| *p >= from).map(|p| (p, b.argument.clone()))).collect();
    operands.sort_by_key(|(position, _)| *position);
    operands.into_iter().map(|(_, argument)| argument).collect()
}

fn executes_file(
    host: &mut Interpreter<'_>,
    scene: &Scene<'_>,
    step: &Step<'_>,
    language: Option<&str>,
    entry: Option<&str>,
    state: &mut State,
) -> Option<Outcome> {
    let mut outcome = None;
    for (path, certain) in targets(scene, step, Some(host.facts)) {
        host.doubt += u32::from(!certain);
        let mut positional = vec![Argument::Word(path.clone())];
        positional.extend(positional_after(scene, &path));
        outcome = Some(match entry {
            Some(entry) => {
                let placeholder = entry.chars().all(|c| c.is_ascii_uppercase() || c == '_');
                let named: Vec<Word> = if placeholder {
                    scene.bindings.words(entry).into_iter().map(|(word, _)| word).collect()
                } else {
                    vec![Word::known_text(entry, Span { end: step.span.start, ..step.span })]
                };
                super::recipes::execute(host, scene, &path, language.unwrap_or_default(), &named, state)
            }
            None => scripts::execute_file(host, scene, &path, language, positional, state),
        });
        host.doubt -= u32::from(!certain);
    }
    outcome
}

/// What the `from` of a declaration says.
fn source_of(does: &Does, scene: &Scene<'_>) -> Taint {
    match &does.from {
        None => Taint::none(),
        Some(From::Source(Source::Network)) => Taint { network: true, ..Taint::none() },
        Some(From::Source(Source::Stdin)) => scene.invocation.stdin.taint(),
        Some(From::Source(Source::Environment)) => Taint { environment: true, ..Taint::none() },
        Some(From::Source(Source::Unknown | Source::File)) => Taint { unknown: true, ..Taint::none() },
        Some(From::Placeholder(name)) => {
            let files = scene.bindings.words(name);
            files.iter().fold(Taint::none(), |all, (word, _)| all.join(&words::file_taint(word, &scene.directory)))
        }
    }
}

/// A plain effect on each of its targets.
fn plain(host: &mut Interpreter<'_>, scene: &Scene<'_>, step: &Step<'_>, verb: Verb, state: &mut State) {
    let does = step.does;
    let named = targets(scene, step, Some(host.facts));
    let from = match (&does.from, verb) {
        (Some(_), _) => source_of(does, scene),
        (None, Verb::Writes | Verb::Appends | Verb::Creates) => scene.printed(),
        (None, Verb::Sends) => scene.carried.clone(),
        (None, _) => Taint::none(),
    };
    if verb == Verb::Sends {
        return sends(host, scene, step, &named, from);
    }
    let nothing = match &scene.invocation.stdin {
        Flow::Empty => true,
        Flow::Text(text) => text.known().is_some_and(|text| text.is_empty()),
        Flow::Unknown(_) => false,
    };
    // A file that is written from an input on which nothing is left is emptied.
    let empties = verb == Verb::Writes && nothing && does.from == Some(From::Source(Source::Stdin));
    for (word, certain) in named {
        let object = match verb {
            Verb::Fetches => Object::Address(word.clone()),
            Verb::Kills => Object::Other(word.clone()),
            _ => Object::Path(word.clone()),
        };
        if matches!(verb, Verb::Writes | Verb::Appends | Verb::Creates | Verb::Truncates | Verb::Deletes | Verb::Moves) {
            record(host, scene, does, verb, &word, &from, state);
        }
        let verb = if empties { Verb::Truncates } else { verb };
        let effect = effect(scene, does, verb, object, from.clone(), certain, word.span);
        host.happens(effect);
    }
}

/// An effect of the scene.
pub fn effect(scene: &Scene<'_>, does: &Does, verb: Verb, object: Object, from: Taint, certain: bool, span: Span) -> Effect {
    let narrowed = does.recursively || matches!(verb, Verb::Deletes | Verb::Lists | Verb::Reads);
    Effect {
        verb,
        recursively: does.recursively,
        forcibly: does.forcibly,
        object,
        filters: if narrowed { scene.filters.clone() } else { Vec::new() },
        from,
        directory: scene.directory.clone(),
        place: scene.place,
        certain: certain && scene.certain,
        invocation: scene.run,
        span,
    }
}

/// Data on its way out: to the addresses that the same program talks to. A text (`DATA`) is sent itself; any other value
/// names a file that is sent.
fn sends(host: &mut Interpreter<'_>, scene: &Scene<'_>, step: &Step<'_>, named: &[(Word, bool)], carried: Taint) {
    let does = step.does;
    let is_text = |name: &str| matches!(name, "DATA" | "TEXT" | "BODY" | "JSON" | "FORM");
    let text = match &does.argument {
        Applied::Placeholder { name, .. } => is_text(name),
        Applied::None => is_text(step.placeholder),
        Applied::After { .. } | Applied::Decoded { .. } | Applied::Stdin | Applied::Paths(_) => false,
    };
    let mut from = carried;
    if is_stdin(step) {
        from = from.join(&scene.invocation.stdin.taint());
    }
    for (word, certain) in named {
        if text {
            from = from.join(&word.taint());
            continue;
        }
        let effect = effect(scene, does, Verb::Sends, Object::Path(word.clone()), Taint::none(), *certain, word.span);
        host.happens(effect);
        from = from.join(&word.taint());
    }
    let address = ["URL", "HOST", "ADDRESS", "DEST"].iter().find_map(|name| scene.bindings.words(name).into_iter().next());
    let object = match address {
        Some((word, _)) => Object::Address(word),
        None => Object::None,
    };
    let effect = effect(scene, does, Verb::Sends, object, from, true, step.span);
    host.happens(effect);
}

/// From now on the other name is the file, and holds what it holds.
fn links(host: &mut Interpreter<'_>, scene: &Scene<'_>, step: &Step<'_>, other: &Applied, state: &mut State) {
    if scene.place != Place::Here {
        return;
    }
    let of = |argument: &Applied, host: &Interpreter<'_>| {
        let does = Does { argument: argument.clone(), ..step.does.clone() };
        let step = Step { does: &does, own: step.own, words: &[], placeholder: step.placeholder, ..*step };
        targets(scene, &step, Some(host.facts)).into_iter().map(|(word, _)| word).collect::<Vec<Word>>()
    };
    let names = of(other, host);
    let [name] = names.as_slice() else { return };
    let named = words::absolute(name, &scene.directory).unwrap_or_default();
    let [name] = named.as_slice() else { return };
    for file in of(&step.does.argument, host) {
        let Some(written) = file.known() else { continue };
        let inside = host.facts.stat(name, true).flatten().is_some_and(|stat| stat.kind == EntryKind::Directory);
        let name = if inside { path::join(name, path::base_name(&written)) } else { name.clone() };
        // What a symbolic link says is relative to where the link stands, what a hard link says to where it is made.
        let beside = path::join(name.rsplit_once('/').map_or("/", |(parent, _)| parent), &written);
        let mut files = words::absolute(&file, &scene.directory).unwrap_or_default();
        files.push(beside);
        files.dedup();
        for target in &files {
            host.links.push(OtherName { name: name.clone(), target: target.clone(), certain: host.doubt == 0 });
        }
        if host.doubt == 0 {
            let flow = state.files.get(&files[0]).cloned().unwrap_or_else(|| {
                let word = Word::known_text(files[0].clone(), Span { end: step.span.start, ..step.span });
                Flow::Unknown(words::file_taint(&word, &scene.directory))
            });
            state.files.insert(name, flow);
        }
    }
}

/// Keeps what a file holds from now on, so that it is known when it is run or read later in the script.
fn record(host: &Interpreter<'_>, scene: &Scene<'_>, does: &Does, verb: Verb, word: &Word, from: &Taint, state: &mut State) {
    if scene.place != Place::Here {
        return;
    }
    let Some(paths) = words::absolute(word, &scene.directory) else { return };
    let unknown = || Flow::Unknown(if from.is_none() { Taint { unknown: true, ..Taint::none() } } else { from.clone() });
    let mut base = None;
    let flow = match (verb, &does.from) {
        (Verb::Deletes | Verb::Moves, _) => Flow::Empty,
        (Verb::Truncates, _) => return,
        (Verb::Writes | Verb::Creates, Some(From::Source(Source::Stdin))) => scene.invocation.stdin.clone(),
        (Verb::Writes | Verb::Creates, Some(From::Placeholder(name))) => match scene.bindings.words(name).as_slice() {
            [(source, _)] => match words::absolute(source, &scene.directory).as_deref() {
                Some([source]) => {
                    base = Some(crate::model::path::base_name(source).to_string());
                    state.files.get(source).filter(|flow| **flow != Flow::Empty).cloned().unwrap_or_else(unknown)
                }
                _ => unknown(),
            },
            _ => unknown(),
        },
        _ => unknown(),
    };
    let certain = paths.len() == 1 && host.doubt == 0;
    for path in paths {
        if let (Some(base), true) = (&base, certain) {
            state.files.insert(crate::model::path::join(&path, base), flow.clone());
        }
        let flow = match (certain, state.files.get(&path)) {
            (true, _) => flow.clone(),
            (false, Some(before)) => Flow::Unknown(before.taint().join(&flow.taint())),
            (false, None) => Flow::Unknown(flow.taint().join(&Taint { unknown: true, ..Taint::none() })),
        };
        state.files.insert(path, flow);
    }
}
