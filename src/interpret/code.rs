//! Code of embedded languages: its calls are read with the `language` declarations, by the same road as a program's arguments.

use super::bindings::Bindings;
use super::effects::{self, Scene};
use super::host::Interpreter;
use super::program::Step;
use super::words::{self, Truth};
use crate::model::declaration;
use crate::model::effect::{Place, Verb};
use crate::model::invocation::LinkKind;
use crate::model::{Argument, Directory, Flow, Invocation, Link, Object, Origin, Span, Taint, Word};
use crate::shell::{LibraryCall, Outcome, State, code};

/// Whether code of the language is walked, or matched by its tokens alone.
pub fn reads(language: &str) -> bool {
    language == "sql" || code::reads(language)
}

/// The program that runs the code which is being walked.
pub struct Runner {
    /// Its index in the call.
    run: Option<usize>,
    /// As the script runs it.
    invocation: Invocation,
    /// What the code has printed so far.
    printed: Vec<Argument>,
}

/// Walks the code.
pub fn walk(host: &mut Interpreter<'_>, scene: &Scene<'_>, language: &str, text: &Word, state: &mut State) -> Outcome {
    if language == "sql" {
        return Outcome { output: Flow::Unknown(Taint::none()), success: None };
    }
    let invocation = Invocation { environment: Vec::new(), arguments: Vec::new(), ..scene.invocation.clone() };
    host.runners.push(Runner { run: scene.run, invocation, printed: Vec::new() });
    state.chain.push(Link { name: language.to_string(), kind: LinkKind::Language, span: text.span });
    let mut outcome = code::evaluate(language, text, state, host);
    state.chain.pop();
    let printed = host.runners.pop().map(|runner| runner.printed).unwrap_or_default();
    let all = words::join(&printed, "\n");
    let known = all.values.iter().any(|value| !words::lead(value).is_empty());
    outcome.output = if known {
        Flow::Text(Word { computed: true, ..all })
    } else {
        Flow::Unknown(outcome.output.taint().join(&all.taint()).join(&scene.printed()))
    };
    outcome
}

/// Does what is declared of one call; what it answers, where the call is declared.
pub fn call(host: &mut Interpreter<'_>, call: &LibraryCall, state: &mut State) -> Option<Word> {
    let languages = host.language(&call.language);
    let any = call.name.rsplit_once('.').map(|(_, last)| format!("*.{last}"));
    let mut answer = None::<Taint>;
    for language in &languages {
        let of = |name: &str| language.calls.iter().filter(|one| one.names.iter().any(|n| n == name)).collect::<Vec<_>>();
        let mut declared = of(&call.name);
        if let (true, Some(any)) = (declared.is_empty(), &any) {
            // A method of whatever it is called on.
            declared = of(any);
        }
        for one in declared {
            let carried = perform(host, one, call, state);
            answer = Some(answer.unwrap_or_default().join(&carried));
        }
    }
    let mut carried = answer?;
    for given in call.positional.iter().chain(call.named.iter().map(|(_, given)| given)) {
        carried = match given {
            crate::shell::Given::Text(word) => carried.join(&word.taint()),
            crate::shell::Given::List(all) => all.iter().fold(carried, |carried, word| carried.join(&word.taint())),
        };
    }
    Some(Word::unknown(Origin::Output, carried, call.span))
}

/// Takes what a call prints: the values of a placeholder, side by side.
fn prints(host: &mut Interpreter<'_>, declared: &declaration::LibraryCall, bindings: &Bindings<'_>, answer: &Taint, span: Span) {
    let holds = |one: &&declaration::Yield| one.when.as_ref().is_none_or(|when| bindings.holds(when, &[]) == Truth::Yes);
    let Some(one) = declared.yields.iter().find(holds) else { return };
    let text = match &one.argument {
        declaration::Argument::Placeholder { name, .. } => {
            let given: Vec<Argument> = bindings.values(name).map(|bound| bound.argument.clone()).collect();
            words::join(&given, " ")
        }
        _ => Word::unknown(Origin::Output, answer.clone(), span),
    };
    if let Some(runner) = host.runners.last_mut() {
        runner.printed.push(Argument::Word(text));
    }
}

/// Does what one declaration says; what the call has read.
fn perform(host: &mut Interpreter<'_>, declared: &declaration::LibraryCall, call: &LibraryCall, state: &mut State) -> Taint {
    let bindings = Bindings::of_call(&declared.parameters, call);
    let (run, mut invocation) = match host.runners.last() {
        Some(runner) => (runner.run, runner.invocation.clone()),
        None => (None, super::program::unwritten(call.span)),
    };
    invocation.chain = state.chain.clone();
    invocation.directory = state.directory.clone();
    invocation.place = state.place;
    invocation.stdin = match bindings.words("INPUT").into_iter().next() {
        Some((text, _)) => Flow::Text(text),
        None => Flow::Unknown(Taint::none()),
    };
    let mut scene = Scene {
        invocation: &invocation,
        run,
        bindings: &bindings,
        directory: state.directory.clone(),
        place: state.place,
        environment: None,
        carried: Taint::none(),
        fetched: false,
        filters: Vec::new(),
        replaced: None,
        certain: true,
    };
    let mut answer = Taint::none();
    for does in &declared.does {
        let step = Step { does, own: None, words: &[], placeholder: "", option: false, span: call.span, stdin: false };
        let truth = effects::happens(&bindings, &step);
        if truth == Truth::No {
            continue;
        }
        let doubt = u32::from(truth == Truth::Perhaps);
        host.doubt += doubt;
        let before = host.call.effects.len();
        let outcome = effects::perform(host, &scene, &step, state);
        host.doubt -= doubt;
        for effect in host.call.effects.get(before..).unwrap_or_default() {
            match (&effect.verb, &effect.object) {
                (Verb::Reads, Object::Path(path)) if effect.place == Place::Here => {
                    answer = answer.join(&words::file_taint(path, &effect.directory));
                }
                (Verb::Fetches, _) => answer.network = true,
                (Verb::ChangesDirectory, Object::Path(path)) if effect.certain => {
                    state.directory = words::moved(&state.directory, path);
                }
                (Verb::ChangesDirectory, _) => state.directory = Directory::Unknown,
                _ => {}
            }
        }
        scene.directory = state.directory.clone();
        if let Some(outcome) = outcome {
            answer = answer.join(&outcome.output.taint());
        }
    }
    prints(host, declared, &bindings, &answer, call.span);
    answer
}
