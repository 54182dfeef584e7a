//! Names that stand for other subcommands, or for shell commands: given by an option, by the environment, or by the settings
//! of the repository.

use super::bindings::named;
use super::effects::{self, Scene};
use super::host::Interpreter;
use super::program::Step;
use super::scripts;
use super::words::{self, Truth};
use crate::model::declaration::{Act, Given};
use crate::model::effect::Place;
use crate::model::invocation::LinkKind;
use crate::model::rule::PatternPart;
use crate::model::{Argument, Directory, Invocation, Link, Note, Word};
use crate::shell::{Host, Outcome, State};

/// Runs what the subcommand's name stands for, where it is no subcommand's own name.
pub fn run(
    host: &mut Interpreter<'_>,
    scene: &Scene<'_>,
    acts: &[Step<'_>],
    arguments: &super::arguments::Arguments<'_>,
    state: &mut State,
) -> Option<Outcome> {
    let command = arguments.chain[0];
    let declares = |step: &crate::model::declaration::OptionDeclaration| step.does.iter().any(|does| does.act == Act::Aliases);
    if arguments.chain.len() > 1 || !command.options.iter().any(declares) {
        return None;
    }
    let (first, rest) = arguments.positionals.split_first()?;
    let name = first.word()?.known()?.into_owned();
    let value = given(scene, acts, &name).or_else(|| configured(host, scene, command, &name, first.word()?))?;
    host.note(Note { text: format!("{name} stands for {}", value.known().unwrap_or_default()), span: first.span() });
    // An alias may stand for another one, but not for itself.
    if scene.invocation.chain.iter().filter(|link| link.kind == LinkKind::Function && link.name == name).count() > 0 {
        return None;
    }
    let link = Link { name: name.clone(), kind: LinkKind::Function, span: first.span() };
    let one = value.values.first()?;
    if words::lead(one).starts_with('!') {
        let text = words::with_value(&value, words::tail(one, 1));
        let mut words = vec![Argument::Word(text)];
        words.extend(rest.iter().cloned());
        let text = words::join(&words, " ");
        let from = text.taint();
        return Some(scripts::execute(host, scene, "shell", &text, &from, Vec::new(), state));
    }
    // The options before the name hold for what it stands for.
    let before = scene.invocation.arguments.iter().position(|argument| argument == first)?;
    let mut all = scene.invocation.arguments.get(..before)?.to_vec();
    all.extend(words::split(one, false));
    all.extend(scene.invocation.arguments.get(before + 1..).unwrap_or_default().iter().cloned());
    let mut chain = scene.invocation.chain.clone();
    chain.push(link);
    let nested = Invocation { arguments: all, chain, ..scene.invocation.clone() };
    let mut child = state.child();
    let outcome = host.run(nested, &mut child);
    state.files = child.files;
    Some(outcome)
}

/// The value that an option or a variable gives to the name; the last one holds.
fn given(scene: &Scene<'_>, acts: &[Step<'_>], name: &str) -> Option<Word> {
    acts.iter().rev().filter(|step| step.does.act == Act::Aliases && step.option).find_map(|step| {
        let own = named(step.placeholder, step.own?, true);
        let key = own.first()?.argument.word()?.known()?.into_owned();
        let last = key.rsplit_once('.').map_or(key.as_str(), |(_, last)| last);
        if !last.eq_ignore_ascii_case(name) || effects::happens(scene.bindings, step) == Truth::No {
            return None;
        }
        effects::targets(scene, step, None).into_iter().next().map(|(word, _)| word)
    })
}

/// The value that the settings of the repository give to the name: the key is what the declaration's condition on `KEY`
/// begins with (`aliases VALUE when KEY is alias.*`).
fn configured(
    host: &Interpreter<'_>,
    scene: &Scene<'_>,
    command: &crate::model::declaration::Command,
    name: &str,
    at: &Word,
) -> Option<Word> {
    let Directory::Known(directory) = &scene.directory else { return None };
    if scene.place != Place::Here || name.is_empty() {
        return None;
    }
    let does = command.options.iter().flat_map(|option| option.does.iter()).filter(|does| does.act == Act::Aliases);
    let beginnings = does.filter_map(|does| match &does.when {
        Some(Given::Is(_, set)) => set.any.first(),
        _ => None,
    });
    for pattern in beginnings {
        let [PatternPart::Literal(beginning), PatternPart::Star] = pattern.parts.as_slice() else { continue };
        if let Some(value) = host.facts.git_setting(directory, &format!("{beginning}{name}")) {
            let span = crate::model::Span { end: at.span.start, ..at.span };
            return Some(Word::known_text(value, span));
        }
    }
    None
}
