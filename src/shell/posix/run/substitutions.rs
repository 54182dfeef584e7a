//! Command and process substitution.

use std::sync::Arc;

use super::super::source::Source;
use super::super::tree::List;
use super::super::{Outcome, Walk};
use crate::model::{Flow, Span};
use crate::shell::state::State;

impl Walk<'_> {
    /// `$(…)`: what the commands print.
    pub(in super::super) fn substitution(&mut self, list: &List, state: &mut State) -> Flow {
        self.captured(state, |walk, own| walk.list(list, own))
    }

    /// The same for a text, between backquotes.
    pub(in super::super) fn substitution_of(&mut self, source: Source, state: &mut State) -> Flow {
        self.captured(state, |walk, own| walk.source(source, Span::default(), own))
    }

    fn captured(&mut self, state: &mut State, body: impl FnOnce(&mut Self, &mut State) -> Outcome) -> Flow {
        let mut own = state.fork();
        if own.memory.descriptors.contains_key(&1) {
            own.memory.descriptors.remove(&1);
        }
        let deferred = std::mem::take(&mut self.deferred);
        let done = self.subshell(&mut own, body);
        self.deferred = deferred;
        state.files = own.files;
        state.status = done.success;
        self.substituted = Some(done.success);
        done.output
    }

    /// `<(…)`, `>(…)`: a path that stands for the commands' output or input.
    pub(in super::super) fn process(&mut self, write: bool, list: &Arc<List>, state: &mut State) -> String {
        let path = format!("/dev/fd/{}", self.next_descriptor);
        self.next_descriptor = self.next_descriptor.saturating_sub(1).max(10);
        if write {
            self.deferred.push((path.clone(), list.clone(), self.script.clone()));
            return path;
        }
        let status = (state.status, self.substituted);
        let output = self.substitution(list, state);
        (state.status, self.substituted) = status;
        state.files.insert(path.clone(), output);
        path
    }

    /// The readers of `>(…)` that were opened since, each on what was written to it; else on what may have been.
    pub(in super::super) fn run_deferred(&mut self, from: usize, written: &Flow, state: &mut State) {
        while self.deferred.len() > from && !self.spent {
            let Some((path, list, script)) = self.deferred.pop() else { return };
            let input =
                state.files.get(&path).cloned().unwrap_or_else(|| Flow::Unknown(written.taint().join(&state.stdin.taint())));
            let mut own = state.fork();
            own.stdin = input;
            let outer = std::mem::replace(&mut self.script, script);
            self.subshell(&mut own, |walk, own| walk.list(&list, own));
            self.script = outer;
            state.files = own.files;
        }
    }
}
