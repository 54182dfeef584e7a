//! What starts programs without end: a function that runs itself more than once whatever happens, a loop without an end that
//! only starts what it does not wait for.

use super::super::Walk;
use super::super::source::Source;
use super::super::tree::{Command, Form, Item, List, Part, Pipeline, Word};
use crate::model::effect::{Code, Object, Verb};
use crate::model::{self, Span, Taint};
use crate::shell::state::State;

/// How deep groups and subshells are looked into.
const DEPTH: u32 = 8;

impl Walk<'_> {
    /// Tells that what stands here starts programs without end.
    pub(super) fn endless(&mut self, span: Span, state: &State) {
        let text = model::Word::known_text("", span);
        let code = Code { language: "endless".to_string(), text, from: Taint::none(), walked: true };
        self.effect(Verb::Executes, Object::Code(code), Taint::none(), span, state);
    }

    /// Whether the loop has no end, and its body only starts what it does not wait for.
    pub(super) fn never_waits(&self, until: bool, condition: &List, body: &List) -> bool {
        let always = if until { ["false", "false"] } else { ["true", ":"] };
        let [item] = condition.items.as_slice() else { return false };
        let Some(first) = alone(item).and_then(first_word) else { return false };
        literal(&self.script.source, first).is_some_and(|word| always.contains(&word)) && starts_only(body)
    }
}

/// Whether there are commands, and each is left to itself.
pub(super) fn starts_only(body: &List) -> bool {
    !body.items.is_empty() && body.items.iter().all(|item| item.background)
}

/// Whether the function runs itself twice or more each time that it runs: no condition stands before it, and it never returns
/// early.
pub(super) fn runs_itself(source: &Source, body: &Command, name: &str) -> bool {
    let text = source.slice(body.at);
    !text.contains("return") && !text.contains("exit") && times(source, body, name, 0) >= 2
}

fn times(source: &Source, command: &Command, name: &str, depth: u32) -> usize {
    match &command.form {
        Form::Simple(simple) => {
            let called = simple.words.first().and_then(|word| literal(source, word));
            usize::from(called == Some(name))
        }
        Form::Subshell(list) | Form::Group(list) if depth < DEPTH => {
            let pipelines = list.items.iter().map(|item| &item.first);
            pipelines.flat_map(|one| &one.commands).map(|one| times(source, one, name, depth + 1)).sum()
        }
        _ => 0,
    }
}

fn alone(item: &Item) -> Option<&Command> {
    let Item { first: Pipeline { negated: false, commands }, rest, background: false } = item else { return None };
    match commands.as_slice() {
        [command] if rest.is_empty() => Some(command),
        _ => None,
    }
}

fn first_word(command: &Command) -> Option<&Word> {
    match &command.form {
        Form::Simple(simple) if simple.words.len() == 1 => simple.words.first(),
        _ => None,
    }
}

fn literal<'s>(source: &'s Source, word: &Word) -> Option<&'s str> {
    match word.parts.as_slice() {
        [Part::Literal(range)] => Some(source.slice(*range)),
        _ => None,
    }
}
