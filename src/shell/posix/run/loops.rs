//! Loops: over literal lists element by element, others to a fixed point.

use super::super::source::Range;
use super::super::tree::{List, Word};
use super::super::words::expand::combine;
use super::super::words::unknown;
use super::super::{Outcome, Walk};
use super::lists::join_maybe;
use crate::model::{self, Argument, Flow, Shape, Span, Taint, Value};
use crate::shell::state::{Control, State, Variable};

/// Turns of a loop that are followed one by one; numbers that come later are taken together, and so are conditions.
const TURNS: usize = 512;
/// Turns of all loops, after which numbers are taken together from the first one on.
const ALL_TURNS: usize = 4096;
/// Turns of a loop whose end is not known, before what it changes is taken as unknown.
const JOINS: usize = 3;

/// A loop that runs, with the states in which it was left.
#[derive(Debug, Default)]
pub(in super::super) struct Frame {
    pub(in super::super) broken: Option<State>,
    pub(in super::super) continued: Option<State>,
}

impl Walk<'_> {
    /// One turn of a body. Whether another may follow.
    fn turn(&mut self, body: &List, state: &mut State, output: &mut Flow) -> bool {
        self.turns += 1;
        let done = self.list(body, state);
        self.collect(output, done.output);
        if state.control == Control::Continue(1) {
            state.control = Control::Next;
        }
        if let Some(continued) = self.loops.last_mut().and_then(|frame| frame.continued.take()) {
            *state = state.clone().join(continued);
        }
        state.control == Control::Next && !self.spent
    }

    /// The end of a loop: the states in which it was left, and the one in which it ended.
    fn leave_loop(&mut self, ended: Option<State>, state: &mut State) {
        let frame = self.loops.pop().unwrap_or_default();
        let mut ended = ended;
        if let Some(own) = &mut ended {
            own.control = match own.control {
                Control::Break(1) | Control::Continue(1) => Control::Next,
                Control::Break(levels) => Control::Break(levels - 1),
                Control::Continue(levels) => Control::Continue(levels - 1),
                other => other,
            };
        }
        if let Some(after) = join_maybe(ended, frame.broken) {
            *state = after;
        }
    }

    pub(super) fn for_each(
        &mut self,
        name: Range,
        words: Option<&[Word]>,
        body: &List,
        select: bool,
        state: &mut State,
    ) -> Outcome {
        let span = self.span(name);
        let name = self.slice(name).to_string();
        let mut lists = vec![Vec::new()];
        match words {
            Some(words) => {
                for word in words {
                    let more = self.arguments(word, state);
                    combine(&mut lists, more, span);
                }
            }
            None => lists = vec![state.positional.iter().skip(1).cloned().collect()],
        }
        let mut output = Flow::Empty;
        let start = state.clone();
        let mut after: Option<State> = None;
        for elements in lists {
            let mut own = start.clone();
            own.files = state.files.clone();
            self.loops.push(Frame::default());
            let open = select || elements.iter().any(|element| matches!(element, Argument::Splice(_)));
            let ended = if select {
                self.each_in_any_order(&name, &elements, body, own, span, &mut output)
            } else {
                self.each(&name, &elements, body, own, span, open, &mut output)
            };
            let mut left = start.clone();
            self.leave_loop(Some(ended), &mut left);
            after = join_maybe(after, Some(left));
        }
        if let Some(after) = after {
            *state = after;
        }
        Outcome { output, success: None }
    }

    #[allow(clippy::too_many_arguments)]
    fn each(
        &mut self,
        name: &str,
        elements: &[Argument],
        body: &List,
        mut state: State,
        span: Span,
        open: bool,
        output: &mut Flow,
    ) -> State {
        let before = open.then(|| state.clone());
        for (index, element) in elements.iter().enumerate() {
            if self.spent {
                break;
            }
            if (index >= TURNS || self.turns >= ALL_TURNS) && elements[index..].iter().all(is_number) {
                let rest = together(&elements[index..], span);
                self.set_loop_variable(name, rest, &mut state);
                self.turn(body, &mut state, output);
                break;
            }
            let next = match element {
                Argument::Word(word) => word.clone(),
                Argument::Splice(hole) => {
                    model::Word { values: vec![Value::hole(hole.clone())], span: hole.span, computed: false }
                }
            };
            // A splice gives any number of turns: none, one, and more in which the changes of the first are seen.
            let turns = if matches!(element, Argument::Splice(_)) { 2 } else { 1 };
            for _ in 0..turns {
                let skipped = (turns > 1).then(|| state.clone());
                self.set_loop_variable(name, next.clone(), &mut state);
                let more = self.turn(body, &mut state, output);
                if !more {
                    return match (before, skipped) {
                        (Some(before), _) => state.join(before),
                        _ => state,
                    };
                }
                if let Some(skipped) = skipped {
                    let same = state == skipped;
                    state = state.join(skipped);
                    if same {
                        break;
                    }
                }
            }
        }
        state
    }

    /// `select`: the person chooses, maybe many times.
    fn each_in_any_order(
        &mut self,
        name: &str,
        elements: &[Argument],
        body: &List,
        mut state: State,
        span: Span,
        output: &mut Flow,
    ) -> State {
        let before = state.clone();
        self.set_loop_variable(name, together(elements, span), &mut state);
        self.turn(body, &mut state, output);
        state.join(before)
    }

    fn set_loop_variable(&mut self, name: &str, value: model::Word, state: &mut State) {
        self.set_scalar(name, value, state);
    }

    pub(super) fn repeated(&mut self, until: bool, condition: &List, body: &List, state: &mut State) -> Outcome {
        if self.never_waits(until, condition, body) {
            let span = body.items.first().and_then(|item| item.first.commands.first()).map(|command| self.span(command.at));
            self.endless(span.unwrap_or_default(), state);
        }
        self.steady(
            state,
            &mut |walk: &mut Self, own: State, output: &mut Flow| {
                let branches = walk.condition(condition, own, output);
                if until { (branches.no, branches.yes) } else { (branches.yes, branches.no) }
            },
            body,
            &mut |_, _| {},
        )
    }

    pub(super) fn for_arithmetic(
        &mut self,
        start: &Word,
        condition: &Word,
        step: &Word,
        body: &List,
        state: &mut State,
    ) -> Outcome {
        if condition.at.is_empty() && super::endless::starts_only(body) {
            self.endless(self.span(start.at), state);
        }
        self.arithmetic(start, state);
        self.steady(
            state,
            &mut |walk: &mut Self, mut own: State, _: &mut Flow| {
                if walk.slice(condition.at).trim().is_empty() {
                    return (Some(own), None);
                }
                match walk.arithmetic(condition, &mut own) {
                    Some(0) => (None, Some(own)),
                    Some(_) => (Some(own), None),
                    None => (Some(own.clone()), Some(own)),
                }
            },
            body,
            &mut |walk: &mut Self, own: &mut State| {
                walk.arithmetic(step, own);
            },
        )
    }

    /// Turns while the condition may hold: exactly as long as it is known, then until nothing changes any more.
    #[allow(clippy::type_complexity)]
    fn steady(
        &mut self,
        state: &mut State,
        test: &mut dyn FnMut(&mut Self, State, &mut Flow) -> (Option<State>, Option<State>),
        body: &List,
        step: &mut dyn FnMut(&mut Self, &mut State),
    ) -> Outcome {
        let mut output = Flow::Empty;
        self.loops.push(Frame::default());
        let mut ended: Option<State> = None;
        let mut current = state.clone();
        let mut joins = 0;
        for turn in 0.. {
            if self.spent || !self.steps(1) {
                break;
            }
            let (yes, no) = test(self, current.clone(), &mut output);
            let certain = no.is_none() && turn < TURNS;
            ended = join_maybe(ended, no);
            let Some(mut own) = yes else { break };
            if own.control != Control::Next {
                ended = join_maybe(ended, Some(own));
                break;
            }
            let more = self.turn(body, &mut own, &mut output);
            if !more {
                ended = join_maybe(ended, Some(own));
                break;
            }
            step(self, &mut own);
            if certain {
                current = own;
                continue;
            }
            joins += 1;
            let mut next = current.clone().join(own);
            if next == current || joins > JOINS {
                ended = join_maybe(ended, Some(next));
                break;
            }
            if joins == JOINS {
                widen(&mut next, &current);
            }
            current = next;
        }
        let mut left = state.clone();
        self.leave_loop(ended, &mut left);
        *state = left;
        Outcome { output, success: None }
    }
}

/// What still changes after some turns may be anything.
fn widen(next: &mut State, before: &State) {
    let changed: Vec<String> = next
        .variables
        .iter()
        .filter(|(name, variable)| before.variables.get(*name) != Some(variable))
        .map(|(name, _)| name.clone())
        .collect();
    for name in changed {
        let Some(variable) = next.variables.get(&name).cloned() else { continue };
        let taint = variable.value.iter().fold(Taint::none(), |taint, value| match value {
            Argument::Word(word) => taint.join(&word.taint()),
            Argument::Splice(hole) => taint.join(&hole.taint),
        });
        let span = variable.value.first().map(Argument::span).unwrap_or_default();
        let hole = unknown(Shape::Any, taint, span);
        let value = match (variable.array, variable.value.as_slice()) {
            // The values that were seen stay among those that may be.
            (false, [Argument::Word(word)]) => {
                let mut word = word.clone();
                word.values.truncate(8);
                word.values.push(Value::hole(hole));
                Argument::Word(word)
            }
            _ => Argument::Splice(hole),
        };
        next.variables.insert(name, Variable { value: vec![value], keys: Vec::new(), ..variable });
    }
    if next.directory != before.directory {
        next.directory = model::Directory::Unknown;
    }
}

/// A number is as good as any other: what it is part of names nothing of its own. Names and paths are looked at one by one,
/// as far as the budget goes.
fn is_number(element: &Argument) -> bool {
    let number = |text: std::borrow::Cow<'_, str>| text.bytes().all(|byte| byte.is_ascii_digit());
    element.word().and_then(model::Word::known).is_some_and(number)
}

/// One of many.
fn together(elements: &[Argument], span: Span) -> model::Word {
    let mut values = Vec::new();
    let mut taint = Taint::none();
    for element in elements {
        match element {
            Argument::Word(word) => {
                taint = taint.join(&word.taint());
                values.extend(word.values.iter().cloned());
            }
            Argument::Splice(hole) => {
                taint = taint.join(&hole.taint);
                values.push(Value::hole(hole.clone()));
            }
        }
    }
    if values.is_empty() {
        values.push(Value::hole(unknown(Shape::Any, taint, span)));
    }
    model::Word { values, span, computed: false }
}
