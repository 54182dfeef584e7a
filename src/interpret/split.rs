//! Values that are more arguments of the same program (`env -S "-i rm"`, `TAR_OPTIONS`), and the variables that a program acts
//! on.

use super::arguments;
use super::effects::Scene;
use super::host::Interpreter;
use super::words;
use crate::model::declaration::{Act, Command, Variable};
use crate::model::rule::PatternPart;
use crate::model::{Argument, Directory, Invocation, Place, Span, Word};

/// How often a value that is split may hold another one.
const ROUNDS: usize = 3;

/// The arguments with what stands for more of them put in; none where nothing does.
pub fn arguments(command: &Command, invocation: &Invocation) -> Option<Vec<Argument>> {
    let mut all: Option<Vec<Argument>> = None;
    for (variable, value) in variables(command, invocation) {
        if variable.does.iter().any(|does| does.act == Act::Splits) {
            let mut more = words_of(&value);
            more.extend(all.take().unwrap_or_else(|| invocation.arguments.clone()));
            all = Some(more);
        }
    }
    for _ in 0..ROUNDS {
        let given = all.as_deref().unwrap_or(&invocation.arguments);
        // Without a sign there is no option whose value could be split.
        let plain =
            |argument: &Argument| argument.word().and_then(|word| word.known()).is_some_and(|text| !text.starts_with('-'));
        if given.iter().all(plain) {
            break;
        }
        let Ok(read) = arguments::parse(command, given) else { break };
        let splitting = |used: &&arguments::Used<'_>| {
            used.declared.is_some_and(|declared| declared.does.iter().any(|does| does.act == Act::Splits))
        };
        let Some(used) = read.used.iter().find(splitting) else { break };
        let (from, to) = used.place;
        let Some(value) = &used.option.value else { break };
        let mut next = given.get(..from)?.to_vec();
        next.extend(words_of(value));
        next.extend_from_slice(given.get(to..).unwrap_or_default());
        all = Some(next);
    }
    all
}

fn words_of(value: &Word) -> Vec<Argument> {
    match value.values.as_slice() {
        [one] => words::split(one, false),
        _ => vec![Argument::Word(value.clone())],
    }
}

/// The settings of the repository that the program acts on, with their values.
pub fn settings<'d>(host: &Interpreter<'_>, command: &'d Command, scene: &Scene<'_>) -> Vec<(&'d Variable, Word)> {
    let Directory::Known(directory) = &scene.directory else { return Vec::new() };
    if scene.place != Place::Here {
        return Vec::new();
    }
    let mut all = Vec::new();
    for setting in command.settings.iter() {
        for key in setting.names.iter().filter_map(|name| name.as_literal()) {
            if let Some(value) = host.facts.git_setting(directory, key) {
                let at = scene.invocation.program.span;
                all.push((setting, Word::known_text(value, Span { end: at.start, ..at })));
            }
        }
    }
    all
}

/// The variables of the environment that the program acts on, with their values; pairs of them as `KEY=VALUE`.
pub fn variables<'d>(command: &'d Command, invocation: &Invocation) -> Vec<(&'d Variable, Word)> {
    if invocation.environment.is_empty() || command.environment.is_empty() {
        return Vec::new();
    }
    let mut all = Vec::new();
    for variable in command.environment.iter() {
        let paired = variable.placeholder.contains('=') && variable.names.len() == 2;
        let names = if paired { &variable.names[..1] } else { &variable.names[..] };
        for (name, value) in &invocation.environment {
            if !names.iter().any(|pattern| words::ends(pattern, name, false).contains(&name.len())) {
                continue;
            }
            if !paired {
                all.push((variable, value.clone()));
                continue;
            }
            let ending = |index: usize, name: &str| match variable.names[index].parts.first() {
                Some(PatternPart::Literal(start)) => name.strip_prefix(start.as_str()).map(str::to_string),
                _ => None,
            };
            let other = invocation.environment.iter().find(|(other, _)| {
                words::ends(&variable.names[1], other, false).contains(&other.len()) && ending(1, other) == ending(0, name)
            });
            if let Some((_, second)) = other {
                let equals = Argument::Word(Word {
                    values: vec![crate::model::Value { pieces: vec![words::inserted("=", second.span)] }],
                    ..second.clone()
                });
                all.push((variable, words::join(&[Argument::Word(value.clone()), equals, Argument::Word(second.clone())], "")));
            }
        }
    }
    all
}
