//! Compound commands: groups, subshells, `if`, `case`, tests, arithmetic.

use super::super::tree::{Arm, ArmEnd, Command, Form, List, Word};
use super::super::words::expand::Tilde;
use super::super::{Outcome, Walk};
use super::flows;
use super::lists::join_maybe;
use crate::model::Flow;
use crate::shell::state::{Control, State};

impl Walk<'_> {
    /// One command with its redirections.
    pub(in super::super) fn command(&mut self, command: &Command, state: &mut State) -> Outcome {
        let nothing = Outcome { output: Flow::Empty, success: Some(true) };
        if !self.steps(1) {
            return nothing;
        }
        if let Form::Simple(simple) = &command.form {
            return self.simple(command, simple, state);
        }
        if command.redirections.is_empty() {
            return self.form(command, state);
        }
        let mut plan = self.open(&command.redirections, state);
        let done = self.form(command, state);
        let output = self.close(&mut plan, done.output, false, state);
        Outcome { output, success: done.success }
    }

    fn form(&mut self, command: &Command, state: &mut State) -> Outcome {
        match &command.form {
            Form::Simple(simple) => self.simple(command, simple, state),
            Form::Group(list) => self.list(list, state),
            Form::Subshell(list) => {
                let mut own = state.fork();
                let done = self.subshell(&mut own, |walk, own| walk.list(list, own));
                state.files = own.files;
                done
            }
            Form::If(branches, otherwise) => self.conditional(branches, otherwise, state),
            Form::Loop { until, condition, body } => self.repeated(*until, condition, body, state),
            Form::For { name, words, body, select } => self.for_each(*name, words.as_deref(), body, *select, state),
            Form::ForArithmetic { start, condition, step, body } => self.for_arithmetic(start, condition, step, body, state),
            Form::Case { subject, arms } => self.case(subject, arms, state),
            Form::Function { name, body } => {
                self.define(*name, body, state);
                Outcome { output: Flow::Empty, success: Some(true) }
            }
            Form::Test(test) => {
                let success = self.test(test, state);
                Outcome { output: Flow::Empty, success }
            }
            Form::Arithmetic(word) => {
                let success = self.arithmetic(word, state).map(|number| number != 0);
                Outcome { output: Flow::Empty, success }
            }
            Form::Coprocess { body } => {
                let mut own = state.fork();
                self.subshell(&mut own, |walk, own| walk.command(body, own));
                state.files = own.files;
                Outcome { output: Flow::Empty, success: Some(true) }
            }
        }
    }

    fn conditional(&mut self, branches: &[(List, List)], otherwise: &List, state: &mut State) -> Outcome {
        let mut output = Flow::Empty;
        let mut rest = Some(state.clone());
        let mut after: Option<State> = None;
        let mut success = None;
        let mut first = true;
        let mut meet = |one: Option<bool>| {
            success = if first || success == one { one } else { None };
            first = false;
        };
        for (condition, body) in branches {
            let Some(before) = rest.take() else { break };
            let reached = self.condition(condition, before, &mut output);
            if let Some(mut yes) = reached.yes {
                let done = self.list(body, &mut yes);
                flows::append(&mut output, done.output);
                meet(done.success);
                after = join_maybe(after, Some(yes));
            }
            rest = reached.no;
            if self.spent {
                break;
            }
        }
        if let Some(mut no) = rest {
            no.unlikely = false;
            let done = self.list(otherwise, &mut no);
            flows::append(&mut output, done.output);
            meet(done.success);
            after = join_maybe(after, Some(no));
        }
        if let Some(after) = after {
            *state = after;
        }
        Outcome { output, success }
    }

    fn case(&mut self, subject: &Word, arms: &[Arm], state: &mut State) -> Outcome {
        let value = self.single(subject, Tilde::Argument, state);
        let mut output = Flow::Empty;
        let mut after: Option<State> = None;
        let mut success = None;
        // The state in which no arm before has matched; the state that falls into the next arm.
        let mut open = Some(state.clone());
        let mut falling: Option<State> = None;
        for arm in arms {
            if self.spent || (open.is_none() && falling.is_none()) {
                break;
            }
            let mut entered = falling.take();
            if let Some(mut before) = open.take() {
                match self.arm_matches(&value, &arm.patterns, &mut before) {
                    Some(true) => entered = join_maybe(entered, Some(before)),
                    Some(false) => open = Some(before),
                    None => {
                        entered = join_maybe(entered, Some(before.clone()));
                        open = Some(before);
                    }
                }
            }
            let Some(mut own) = entered else { continue };
            let done = self.list(&arm.body, &mut own);
            flows::append(&mut output, done.output);
            success = done.success;
            match arm.end {
                ArmEnd::Break => after = join_maybe(after, Some(own)),
                ArmEnd::Fall if own.control == Control::Next => falling = Some(own),
                ArmEnd::Test if own.control == Control::Next => open = join_maybe(open, Some(own)),
                _ => after = join_maybe(after, Some(own)),
            }
        }
        if let Some(after) = join_maybe(join_maybe(after, falling), open) {
            *state = after;
        }
        Outcome { output, success }
    }

    /// Whether a value matches one of the patterns; nothing where some of its values do, or where it is not known.
    fn arm_matches(&mut self, subject: &crate::model::Word, patterns: &[Word], state: &mut State) -> Option<bool> {
        let mut all_no = true;
        for word in patterns {
            let pattern = self.pattern(word, state);
            let verdict = match pattern {
                Some(pattern) => self.word_matches(subject, &pattern.folded(state.option("nocasematch"))),
                None => None,
            };
            match verdict {
                Some(true) => return Some(true),
                Some(false) => {}
                None => all_no = false,
            }
        }
        if all_no { Some(false) } else { None }
    }
}
