//! Functions and aliases.

use std::sync::Arc;

use super::endless;
use super::super::source::{Range, Source};
use super::super::syntax::LEVELS;
use super::super::tree::{self, Command, Part, Simple};
use super::super::{Function, Outcome, Walk};
use crate::model::invocation::LinkKind;
use crate::model::{Argument, Flow, Link, Span, Taint, Word};
use crate::shell::state::{Control, State};

/// How often one function may stand in its own call.
const RECURSION: usize = 3;

impl Walk<'_> {
    pub(in super::super) fn define(&mut self, name: Range, body: &Arc<Command>, state: &mut State) {
        let name = self.slice(name).to_string();
        let function = Function { script: self.script.clone(), body: body.clone() };
        state.memory.functions.insert(name, function);
    }

    pub(in super::super) fn call(
        &mut self,
        name: &str,
        function: &Function,
        arguments: Vec<Argument>,
        span: Span,
        state: &mut State,
    ) -> Outcome {
        let unknown = Outcome { output: Flow::Unknown(Taint::none()), success: None };
        if self.calls.iter().filter(|call| call.as_str() == name).count() >= RECURSION {
            if endless::runs_itself(&function.script.source, &function.body, name) {
                self.endless(span, state);
            }
            self.note(format!("`{name}` calls itself; not followed further"), span);
            return unknown;
        }
        if self.level + 4 >= LEVELS {
            self.limit("levels", u64::from(LEVELS), span);
            return unknown;
        }
        self.level += 1;
        self.calls.push(name.to_string());
        let zero = state.positional.first().cloned().unwrap_or_else(|| Argument::Word(Word::known_text("bash", span)));
        let outer = std::mem::replace(&mut state.positional, std::iter::once(zero).chain(arguments).collect());
        state.memory.locals.push(Default::default());
        state.chain.push(Link { name: name.to_string(), kind: LinkKind::Function, span });
        self.returns.push(None);
        let loops = std::mem::take(&mut self.loops);
        let script = std::mem::replace(&mut self.script, function.script.clone());
        let mut done = self.command(&function.body, state);
        self.script = script;
        self.loops = loops;
        if let Some(Some(returned)) = self.returns.pop() {
            let ended = state.control != Control::Next;
            let normal = std::mem::replace(state, State { control: Control::Next, ..returned });
            if !ended {
                *state = normal.join(state.clone());
                done.success = None;
            } else {
                done.success = state.status;
            }
        }
        if state.control == Control::Return {
            state.control = Control::Next;
            done.success = state.status;
        }
        state.chain.pop();
        state.positional = outer;
        self.restore_locals(state);
        self.calls.pop();
        self.level -= 1;
        done
    }

    /// Variables that the call made local are again what they were.
    fn restore_locals(&mut self, state: &mut State) {
        let Some(frame) = state.memory.locals.pop() else { return };
        for (name, variable) in frame {
            match variable {
                Some(variable) => state.variables.insert(name, variable),
                None => state.variables.remove(&name),
            };
        }
    }

    /// A command whose first word is an alias of this script: the alias's text with the other words as written.
    pub(in super::super) fn aliased(&mut self, command: &Command, simple: &Simple, state: &mut State) -> Option<Outcome> {
        if state.memory.aliases.is_empty() || !simple.assignments.is_empty() {
            return None;
        }
        let [Part::Literal(name), ..] = simple.words.first()?.parts.as_slice() else { return None };
        let name = self.slice(*name).to_string();
        let text = state.memory.aliases.get(&name)?.clone();
        let guard = format!("alias {name}");
        if self.calls.contains(&guard) {
            return None;
        }
        let first: &tree::Word = simple.words.first()?;
        let rest = Range { start: first.at.end, end: command.at.end };
        let mut outcome: Option<Outcome> = None;
        let start = state.clone();
        for value in &text.values {
            let mut source = Source::new(value, text.span);
            source.push_range(&self.script.source.clone(), rest);
            let mut own = start.clone();
            own.chain.push(Link { name: name.clone(), kind: LinkKind::Function, span: self.span(command.at) });
            self.calls.push(guard.clone());
            let done = self.source(source, text.span, &mut own);
            self.calls.pop();
            own.chain.pop();
            outcome = Some(match outcome {
                None => {
                    *state = own;
                    done
                }
                Some(before) => {
                    *state = state.clone().join(own);
                    super::super::join_outcomes(before, done)
                }
            });
        }
        outcome
    }
}
