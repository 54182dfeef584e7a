//! Lists, `&&`, `||`, pipelines, background.

use super::super::syntax::LEVELS;
use super::super::tree::{Connector, Form, Item, List, Pipeline};
use super::super::{LONGEST, Outcome, Walk};
use super::flows;
use crate::model::Flow;
use crate::shell::state::{Control, State};

/// Where a condition leads.
pub(in super::super) struct Branches {
    pub(in super::super) yes: Option<State>,
    pub(in super::super) no: Option<State>,
}

impl Branches {
    /// The state after the whole of it, and whether it succeeded.
    fn meet(self) -> (Option<State>, Option<bool>) {
        match (self.yes, self.no) {
            (Some(yes), None) => (Some(yes), Some(true)),
            (None, Some(no)) => (Some(no), Some(false)),
            (Some(yes), Some(no)) => {
                let success = match (yes.control, no.control) {
                    (Control::Next, Control::Next) => None,
                    (Control::Next, _) => Some(true),
                    _ => Some(false),
                };
                (Some(yes.join(no)), success)
            }
            (None, None) => (None, None),
        }
    }
}

pub(super) fn join_maybe(one: Option<State>, two: Option<State>) -> Option<State> {
    match (one, two) {
        (Some(one), Some(two)) => Some(one.join(two)),
        (one, two) => one.or(two),
    }
}

impl Walk<'_> {
    /// Commands one after another.
    pub(in super::super) fn list(&mut self, list: &List, state: &mut State) -> Outcome {
        let mut outcome = Outcome { output: Flow::Empty, success: Some(true) };
        if self.level >= LEVELS + 2 {
            self.limit("levels", u64::from(LEVELS), crate::model::Span::default());
            return outcome;
        }
        self.level += 1;
        let mut waiting: Vec<(&Item, State)> = Vec::new();
        for item in &list.items {
            if state.control != Control::Next || self.spent {
                break;
            }
            if item.background && !state.files.is_empty() {
                waiting.push((item, state.clone()));
            }
            let done = self.item(item, state);
            self.collect(&mut outcome.output, done.output);
            outcome.success = done.success;
        }
        for (item, before) in waiting {
            self.resume(item, before, state);
        }
        self.level -= 1;
        outcome
    }

    /// A command in the background has waited for what the script has told a file since, if that is one which a program has
    /// made for it (`mkfifo p; sh < p & echo … > p`).
    fn resume(&mut self, item: &Item, before: State, state: &mut State) {
        let told = |(path, flow): (&str, &Flow)| {
            matches!(flow, Flow::Unknown(taint) if taint.unknown) && state.files.get(path).is_some_and(|now| now != flow)
        };
        if self.spent || !before.files.iter().any(told) {
            return;
        }
        let mut own = State { files: state.files.clone(), stdin: Flow::Empty, ..before.fork() };
        self.subshell(&mut own, |walk, own| walk.chain(item, own));
        state.files = own.files;
    }

    /// Output after output; too much of it is a limit.
    pub(super) fn collect(&mut self, output: &mut Flow, more: Flow) {
        if *output != Flow::Empty {
            self.collected += flows::size(&more);
            if self.collected > LONGEST * 4 {
                self.limit("text", LONGEST as u64 * 4, crate::model::Span::default());
            }
        }
        flows::append(output, more);
    }

    fn item(&mut self, item: &Item, state: &mut State) -> Outcome {
        if item.background {
            let mut own = state.fork();
            own.stdin = Flow::Empty;
            let done = self.subshell(&mut own, |walk, own| walk.chain(item, own));
            state.files = own.files;
            state.status = Some(true);
            return Outcome { output: done.output, success: Some(true) };
        }
        let done = self.chain(item, state);
        state.status = done.success;
        state.directory_if_failed = None;
        if done.success == Some(false)
            && item.rest.is_empty()
            && !item.first.negated
            && self.tested == 0
            && state.option("errexit")
        {
            self.leave_script(state);
        }
        done
    }

    /// What a subshell does; its ends are not ours.
    pub(in super::super) fn subshell(
        &mut self,
        own: &mut State,
        body: impl FnOnce(&mut Self, &mut State) -> Outcome,
    ) -> Outcome {
        let loops = std::mem::take(&mut self.loops);
        let returns = std::mem::take(&mut self.returns);
        let exited = self.exited.take();
        let mut done = body(self, own);
        self.loops = loops;
        self.returns = returns;
        if let Some(ended) = std::mem::replace(&mut self.exited, exited)
            && own.control != Control::Next
        {
            *own = ended;
        }
        own.control = Control::Next;
        if !own.memory.traps.is_empty() {
            self.run_traps(own, &mut done);
        }
        done
    }

    fn chain(&mut self, item: &Item, state: &mut State) -> Outcome {
        if item.rest.is_empty() {
            let mut done = self.pipeline(&item.first, state);
            if item.first.negated {
                done.success = done.success.map(|success| !success);
            }
            return done;
        }
        let mut output = Flow::Empty;
        let (after, success) = self.branch(item, state.clone(), &mut output).meet();
        match after {
            Some(after) => *state = State { unlikely: state.unlikely, ..after },
            None => state.control = Control::Exit,
        }
        Outcome { output, success }
    }

    /// A chain of `&&` and `||`: the states in which it succeeds and fails.
    fn branch(&mut self, item: &Item, state: State, output: &mut Flow) -> Branches {
        if !item.rest.is_empty() {
            self.tested += 1;
        }
        let Branches { mut yes, mut no } = self.branch_pipeline(&item.first, state, output);
        // The failure of a `cd` counts where an `||` still asks about it.
        let last_or = item.rest.iter().rposition(|(connector, _)| *connector == Connector::Or);
        let heed = |no: Option<State>, next: usize| {
            no.map(|state| State { unlikely: state.unlikely && last_or.is_none_or(|at| at < next), ..state })
        };
        no = heed(no, 0);
        for (index, (connector, pipeline)) in item.rest.iter().enumerate() {
            if self.spent {
                break;
            }
            if index + 1 == item.rest.len() {
                self.tested -= 1;
            }
            match connector {
                Connector::And => {
                    if let Some(state) = yes.take() {
                        let next = self.branch_pipeline(pipeline, state, output);
                        yes = next.yes;
                        no = join_maybe(no, heed(next.no, index + 1));
                    }
                }
                Connector::Or => {
                    if let Some(mut state) = no.take() {
                        state.unlikely = false;
                        let next = self.branch_pipeline(pipeline, state, output);
                        no = heed(next.no, index + 1);
                        yes = join_maybe(yes, next.yes);
                    }
                }
            }
        }
        if self.spent && !item.rest.is_empty() {
            self.tested = self.tested.saturating_sub(1);
        }
        Branches { yes, no }
    }

    fn branch_pipeline(&mut self, pipeline: &Pipeline, mut state: State, output: &mut Flow) -> Branches {
        if state.control != Control::Next {
            return Branches { yes: Some(state), no: None };
        }
        let done = self.pipeline(pipeline, &mut state);
        flows::append(output, done.output);
        let elsewhere = state.directory_if_failed.take();
        if state.control != Control::Next {
            return Branches { yes: Some(state), no: None };
        }
        let failed = |state: State| State { directory: elsewhere.clone().unwrap_or_else(|| state.directory.clone()), ..state };
        let mut branches = match done.success {
            Some(true) => Branches { yes: Some(state), no: None },
            Some(false) => Branches { yes: None, no: Some(failed(state)) },
            None => {
                let mut no = failed(state.clone());
                no.unlikely = elsewhere.is_some();
                self.learn(pipeline, &mut state);
                Branches { yes: Some(state), no: Some(no) }
            }
        };
        if pipeline.negated {
            std::mem::swap(&mut branches.yes, &mut branches.no);
        }
        if let Some(yes) = &mut branches.yes {
            yes.status = Some(true);
        }
        if let Some(no) = &mut branches.no {
            no.status = Some(false);
        }
        branches
    }

    /// A list as a condition (`if`, `while`).
    pub(in super::super) fn condition(&mut self, list: &List, mut state: State, output: &mut Flow) -> Branches {
        let Some((last, before)) = list.items.split_last() else { return Branches { yes: Some(state), no: None } };
        if self.level >= LEVELS + 2 {
            self.limit("levels", u64::from(LEVELS), crate::model::Span::default());
            return Branches { yes: Some(state), no: None };
        }
        self.level += 1;
        self.tested += 1;
        for item in before {
            if state.control != Control::Next || self.spent {
                break;
            }
            let done = self.item(item, &mut state);
            flows::append(output, done.output);
        }
        let branches = if state.control != Control::Next || self.spent {
            Branches { yes: Some(state), no: None }
        } else if last.background {
            let done = self.item(last, &mut state);
            flows::append(output, done.output);
            Branches { yes: Some(state), no: None }
        } else {
            self.branch(last, state, output)
        };
        self.tested -= 1;
        self.level -= 1;
        branches
    }

    fn pipeline(&mut self, pipeline: &Pipeline, state: &mut State) -> Outcome {
        if let [command] = pipeline.commands.as_slice() {
            return self.command(command, state);
        }
        let mut input = state.stdin.clone();
        let mut success = None;
        let fails = state.option("pipefail");
        let last = pipeline.commands.len() - 1;
        for (index, command) in pipeline.commands.iter().enumerate() {
            if self.spent {
                break;
            }
            let mut own = state.fork();
            own.stdin = std::mem::replace(&mut input, Flow::Empty);
            if index < last && own.memory.descriptors.contains_key(&1) {
                own.memory.descriptors.remove(&1);
            }
            let done = self.subshell(&mut own, |walk, own| walk.command(command, own));
            state.files = own.files;
            input = done.output;
            success = match (success, done.success) {
                // Every command counts, a failure that is known most.
                (Some(false), _) | (_, Some(false)) if fails => Some(false),
                (None, _) if fails && index > 0 => None,
                (_, last) => last,
            };
        }
        Outcome { output: input, success }
    }

    /// What a condition that held says about a variable: `[ -n "$x" ]` guards it.
    fn learn(&mut self, pipeline: &Pipeline, state: &mut State) {
        if let [command] = pipeline.commands.as_slice()
            && let Form::Simple(_) | Form::Test(_) = &command.form
        {
            self.learn_from(command, state);
        }
    }
}
