//! One program: its readings, its effects, what it runs in turn, what it prints.

use super::arguments::{self, Arguments};
use super::bindings::Bindings;
use super::effects::{self, Scene};
use super::host::Interpreter;
use super::words::{self, Truth};
use super::{aliases, changes, names, nested, output, scripts, split, undeclared};
use crate::model::call::Run;
use crate::model::declaration::{Act, Argument as Applied, Command, Does, Variable};
use crate::model::effect::{Place, Verb};
use crate::model::{Argument, Directory, Flow, Invocation, Reading, Span, Taint, Word, path};
use crate::shell::{Dialect, Outcome, State};

/// The most readings of one declaration of one program.
const FORKS: usize = 8;

/// Reads one program with every declaration of every name that it may have.
pub fn run(host: &mut Interpreter<'_>, mut invocation: Invocation, state: &mut State) -> Outcome {
    if state.dialect != Dialect::Posix {
        names::in_slashes(host, &mut invocation, state.dialect);
    }
    let index = host.call.runs.len();
    host.call.runs.push(Run { invocation: unwritten(invocation.span), readings: Vec::new() });
    let mut readings = Vec::new();
    let mut outcomes = Vec::new();
    let alone = invocation.program.values.len() == 1;
    host.doubt += u32::from(!alone);
    let named: Vec<_> = invocation.program.values.iter().flat_map(|value| names::of(host, value, &invocation, state)).collect();
    for name in named {
        let Some(name) = name else {
            readings.push(undeclared::nameless());
            changes::unknown(&mut host.call, index);
            outcomes.push(unknown_output());
            continue;
        };
        let base = path::base_name(&name);
        let folded = base.len() < name.len() && name.to_ascii_lowercase().ends_with(".exe");
        let declared = host.declared(base, folded, state.dialect);
        if declared.is_empty() {
            let file = if name.contains('/') { scripts::run_path(host, &invocation, index, &name, state) } else { None };
            let walked = file.is_some();
            outcomes.push(undeclared::run(host, &invocation, index, base, alone, walked, &mut readings, state));
            outcomes.extend(file);
            continue;
        }
        for command in &declared {
            let given = split::arguments(command, &invocation);
            let (forks, whole) = readings_of(command, given.as_deref().unwrap_or(&invocation.arguments));
            let several = u32::from(forks.len() > 1);
            host.doubt += several;
            for mut arguments in forks {
                arguments.open |= !whole;
                readings.push(reading(base, host.doubt == 0, &arguments));
                outcomes.push(perform(host, &invocation, index, &arguments, state));
            }
            host.doubt -= several;
        }
    }
    host.doubt -= u32::from(!alone);
    // INVARIANT (runs only grow): `index` is this run's place, whatever ran within it.
    host.call.runs[index] = Run { invocation, readings };
    joined(outcomes)
}

/// The arguments as read, once for each way in which their alternatives make options; false where there are more ways than
/// are looked at.
fn readings_of<'d>(command: &'d Command, given: &[Argument]) -> (Vec<Arguments<'d>>, bool) {
    let mut all = Vec::new();
    let mut whole = true;
    let mut left: Vec<Vec<Argument>> = Vec::new();
    let mut next = arguments::parse(command, given);
    let mut current = None::<Vec<Argument>>;
    loop {
        match next {
            Ok(read) => all.push(read),
            Err(fork) => {
                let ways = arguments::forked(current.as_deref().unwrap_or(given), fork);
                left.extend(ways.into_iter().rev());
            }
        }
        if all.len() >= FORKS {
            whole = left.is_empty();
            break;
        }
        let Some(one) = left.pop() else { break };
        next = arguments::parse(command, &one);
        current = Some(one);
    }
    (all, whole)
}

/// The reading as rules see it.
fn reading(program: &str, certain: bool, arguments: &Arguments<'_>) -> Reading {
    Reading {
        program: program.to_string(),
        certain,
        options: arguments.used.iter().map(|used| used.option.clone()).collect(),
        positionals: arguments.positionals.clone(),
        dashes: arguments.dashes,
        open: arguments.open,
        declared: true,
    }
}

/// Does what the declaration says of these arguments.
fn perform(
    host: &mut Interpreter<'_>,
    invocation: &Invocation,
    run: usize,
    arguments: &Arguments<'_>,
    state: &mut State,
) -> Outcome {
    let bindings = Bindings::of(arguments);
    let command = arguments.chain[arguments.chain.len() - 1];
    let mut scene = Scene {
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
        sweeps: command.does.iter().any(|does| does.act == Act::Effect(Verb::Deletes) && does.recursively),
    };
    // What happens, in the order of the text: the environment, options, operands, standard input. The settings are those of
    // the place that the options lead to.
    let variables = split::variables(arguments.chain[0], invocation);
    let mut acts: Vec<Step<'_>> = variables.iter().flat_map(|(variable, value)| set(variable, value)).collect();
    for used in &arguments.used {
        let Some(declared) = used.declared else { continue };
        let own = used.option.value.as_ref();
        acts.extend(declared.does.iter().map(|does| Step {
            does,
            own,
            words: &used.words,
            placeholder: &declared.placeholder,
            option: true,
            span: used.option.span,
            stdin: false,
        }));
        if declared.does.iter().any(|does| does.act == Act::Replaces) {
            scene.replaced = Some(own.and_then(Word::known).map_or_else(|| "{}".to_string(), |word| word.into_owned()));
        }
    }
    let operands =
        |does, stdin| Step { does, own: None, words: &[], placeholder: "", option: false, span: invocation.span, stdin };
    acts.extend(command.does.iter().map(|does| operands(does, false)));
    acts.extend(command.stdin.iter().map(|does| operands(does, true)));
    acts.retain(|step| effects::happens(&bindings, step) != Truth::No);
    if cancelled(&bindings, arguments) {
        return Outcome { output: Flow::Unknown(Taint::none()), success: None };
    }
    // What a program takes away it takes away last: `mv` has read its source by then.
    acts.sort_by_key(|step| matches!(step.does.act, Act::Effect(Verb::Deletes | Verb::Moves)));
    if !acts.is_empty() {
        scene.filters = arguments::filters(arguments);
    }
    if scene.replaced.is_none() {
        let replace = bindings.words("REPLACE").into_iter().next();
        scene.replaced = replace.map(|(word, _)| word.known().map_or_else(|| "{}".to_string(), |word| word.into_owned()));
    }
    surroundings(&mut scene, &acts, arguments);
    let settings = split::settings(host, command, &scene);
    if !settings.is_empty() {
        let of = settings.iter().flat_map(|(variable, value)| set(variable, value));
        let more: Vec<Step<'_>> = of.filter(|step| effects::happens(&bindings, step) != Truth::No).collect();
        acts.splice(0..0, more);
    }
    scene.carried = carried(&scene, &acts);
    scene.fetched = acts.iter().any(|step| step.does.act == Act::Effect(Verb::Fetches));
    if let Some(outcome) = aliases::run(host, &scene, &acts, arguments, state) {
        return outcome;
    }
    let mut outcome = None;
    for step in &acts {
        let certain = effects::happens(&bindings, step) == Truth::Yes;
        host.doubt += u32::from(!certain);
        let result = effects::perform(host, &scene, step, state);
        host.doubt -= u32::from(!certain);
        outcome = result.or(outcome);
    }
    if arguments.command_from < arguments.positionals.len()
        && let Some(runs) = &command.runs
    {
        let words = &arguments.positionals[arguments.command_from..];
        let list = if runs.arguments_from_stdin { listed(host, &scene, &acts, state) } else { None };
        outcome = Some(nested::rest(host, &scene, command, runs, words, list.as_ref(), state)).or(outcome);
    }
    output::of(host, &scene, command, outcome, state)
}

/// What the file holds that an option says is read (`xargs -a FILE`): the arguments come from there. None without such an
/// option.
fn listed(host: &mut Interpreter<'_>, scene: &Scene<'_>, acts: &[Step<'_>], state: &State) -> Option<Flow> {
    let step = acts.iter().find(|step| step.option && step.does.act == Act::Effect(Verb::Reads))?;
    let (word, certain) = effects::targets(scene, step, Some(host.facts)).into_iter().next()?;
    let unknown = Flow::Unknown(words::file_taint(&word, &scene.directory));
    let paths = if scene.place == Place::Here { words::absolute(&word, &scene.directory) } else { None };
    let Some([path]) = paths.as_deref().filter(|_| certain) else { return Some(unknown) };
    if scripts::INPUTS.contains(&path.as_str()) {
        return Some(scene.invocation.stdin.clone());
    }
    if let Some(flow) = state.files.get(path) {
        return Some(flow.clone());
    }
    let Some(id) = host.open(path, word.span) else { return Some(unknown) };
    let text = host.source(id).to_string();
    let span = Span::within(id, 0, text.len());
    Some(Flow::Text(Word { computed: true, ..Word::known_text(text, span) }))
}

/// What a variable or a setting of this value does.
fn set<'s>(variable: &'s Variable, value: &'s Word) -> impl Iterator<Item = Step<'s>> {
    let placeholder = if variable.placeholder.is_empty() { "VALUE" } else { &variable.placeholder };
    variable.does.iter().map(move |does| Step {
        does,
        own: Some(value),
        words: &[],
        placeholder,
        option: true,
        span: value.span,
        stdin: false,
    })
}

/// Whether an option is given, for certain and as written, that keeps the program from doing anything (`--help`).
fn cancelled(bindings: &Bindings<'_>, arguments: &Arguments<'_>) -> bool {
    arguments.used.iter().enumerate().any(|(number, used)| {
        // `--dry-run --no-dry-run`: the last one counts, and what may be one.
        let long = used.option.spellings.iter().filter_map(|spelling| spelling.strip_prefix("--"));
        let off: Vec<String> = long.map(|name| format!("--no-{name}")).collect();
        let shortened = |name: &String| name.len() > "--no-".len() && off.iter().any(|off| off.starts_with(name.as_str()));
        if arguments.used[number + 1..].iter().any(|other| other.option.spellings.iter().any(shortened)) {
            return false;
        }
        let does = used.declared.map_or(&[][..], |declared| declared.does.as_slice());
        used.option.certain
            && !used.option.computed
            && does.iter().filter(|does| does.act == Act::Cancels).any(|does| {
                does.when.as_ref().is_none_or(|when| bindings.exempts(when, &[]))
                    && does.unless.as_ref().is_none_or(|unless| bindings.holds(unless, &[]) == Truth::No)
            })
    })
}

/// One thing that an option, an operand or standard input does.
pub struct Step<'s> {
    /// What.
    pub does: &'s Does,
    /// The option's value.
    pub own: Option<&'s Word>,
    /// The words that an option runs.
    pub words: &'s [Argument],
    /// The option's placeholder.
    pub placeholder: &'s str,
    /// Whether it is said of an option, or of a variable.
    pub option: bool,
    /// Where it stands.
    pub span: Span,
    /// Whether it is said of standard input.
    pub stdin: bool,
}

/// Moves the directory and fills the environment before anything happens in them.
fn surroundings(scene: &mut Scene<'_>, acts: &[Step<'_>], arguments: &Arguments<'_>) {
    for step in acts {
        match &step.does.act {
            Act::Effect(Verb::ChangesDirectory) if scene.place == Place::Here => {
                let certain = effects::happens(scene.bindings, step) == Truth::Yes;
                let targets = effects::targets(scene, step, None);
                if let [(word, true)] = targets.as_slice()
                    && certain
                {
                    scene.directory = words::moved(&scene.directory, word);
                } else if !targets.is_empty() {
                    scene.directory = Directory::Unknown;
                }
            }
            Act::Assigns => {
                for (word, _) in effects::targets(scene, step, None) {
                    let start = word.values.first().map(words::lead).unwrap_or_default();
                    if let Some((name, _)) = start.split_once('=') {
                        let value = words::tail(&word.values[0], name.len() + 1);
                        let name = name.to_string();
                        scene.environment_mut().push((name, words::with_value(&word, value)));
                    }
                }
            }
            _ => {}
        }
    }
    if !arguments.assignments.is_empty() {
        scene.environment_mut().extend(arguments.assignments.iter().cloned());
    }
}

/// What the data carries that the program has read by the time it writes, sends or prints.
fn carried(scene: &Scene<'_>, acts: &[Step<'_>]) -> Taint {
    let mut all = scene.invocation.stdin.taint();
    all.stdin = false;
    for step in acts {
        match step.does.act {
            Act::Effect(Verb::Reads) if scene.place == Place::Here => {
                for (word, _) in effects::targets(scene, step, None) {
                    all = all.join(&words::file_taint(&word, &scene.directory));
                }
            }
            _ => {}
        }
    }
    all
}

/// What comes of any of several.
fn joined(mut outcomes: Vec<Outcome>) -> Outcome {
    let Some(first) = outcomes.pop() else { return unknown_output() };
    outcomes.into_iter().fold(first, |all, one| {
        let success = if all.success == one.success { all.success } else { None };
        let output =
            if all.output == one.output { all.output } else { Flow::Unknown(all.output.taint().join(&one.output.taint())) };
        Outcome { output, success }
    })
}

/// What a program prints of which nothing is known.
pub fn unknown_output() -> Outcome {
    Outcome { output: Flow::Unknown(Taint { unknown: true, ..Taint::none() }), success: None }
}

/// Stands in the call until the run is complete.
pub fn unwritten(span: Span) -> Invocation {
    Invocation {
        program: Word { values: Vec::new(), span, computed: false },
        arguments: Vec::new(),
        environment: Vec::new(),
        directory: Directory::Unknown,
        stdin: Flow::Empty,
        place: Place::Here,
        chain: Vec::new(),
        span,
    }
}

/// The argument of a `does`, in one word.
pub fn is_stdin(step: &Step<'_>) -> bool {
    matches!(step.does.argument, Applied::Stdin) || (step.stdin && matches!(step.does.argument, Applied::None))
}
