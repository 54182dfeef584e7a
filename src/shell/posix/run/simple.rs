//! Simple commands: words, assignments, redirections, and who runs them.

use super::super::syntax::WORDS;
use super::super::tree::{Assignment, Command, Simple};
use super::super::words::expand::combine;
use super::super::words::fields::single;
use super::super::words::{Expansion, Fragment, Mode, fragments_of};
use super::super::{Outcome, Walk, join_outcomes};
use crate::model::{Argument, Flow, Invocation, Span, Value, Word};
use crate::shell::state::{Control, State, Variable};

impl Walk<'_> {
    pub(super) fn simple(&mut self, command: &Command, simple: &Simple, state: &mut State) -> Outcome {
        if !state.memory.aliases.is_empty() {
            // A script's shell expands no aliases unless it is told to, and never in the line that defines them: both ways.
            let mut own = state.clone();
            if let Some(aliased) = self.aliased(command, simple, &mut own) {
                state.files = own.files.clone();
                let plain = self.unaliased(command, simple, state);
                *state = state.clone().join(own);
                return join_outcomes(plain, aliased);
            }
        }
        self.unaliased(command, simple, state)
    }

    fn unaliased(&mut self, command: &Command, simple: &Simple, state: &mut State) -> Outcome {
        let span = self.span(command.at);
        self.substituted = None;
        let deferred = self.deferred.len();
        let mut lists = vec![Vec::with_capacity(simple.words.len())];
        let mut declared: Vec<&Assignment> = Vec::new();
        for word in &simple.words {
            match &word.assignment {
                Some(assignment) => declared.push(assignment),
                None => {
                    let more = self.arguments(word, state);
                    combine(&mut lists, more, self.span(word.at));
                }
            }
        }
        if lists.iter().any(|list| list.len() > WORDS as usize) {
            self.limit("words", u64::from(WORDS), span);
        }
        if self.spent || state.control != Control::Next {
            return Outcome { output: Flow::Empty, success: None };
        }
        let call = Call { command, simple, declared: &declared, span };
        let outcome = match lists.len() {
            0 | 1 => self.prepared(&call, lists.pop().unwrap_or_default(), state),
            _ => {
                let start = state.clone();
                let mut outcome: Option<Outcome> = None;
                for list in lists {
                    let mut own = start.clone();
                    own.files = state.files.clone();
                    let done = self.prepared(&call, list, &mut own);
                    outcome = Some(match outcome {
                        None => {
                            *state = own;
                            done
                        }
                        Some(before) => {
                            *state = state.clone().join(own);
                            join_outcomes(before, done)
                        }
                    });
                }
                outcome.unwrap_or(Outcome { output: Flow::Empty, success: None })
            }
        };
        if self.deferred.len() > deferred {
            let output = outcome.output.clone();
            self.run_deferred(deferred, &output, state);
        }
        outcome
    }

    /// A command whose words are expanded, assignments and redirections still to come.
    fn prepared(&mut self, call: &Call<'_>, mut arguments: Vec<Argument>, state: &mut State) -> Outcome {
        if let Some(Argument::Splice(_)) = arguments.first() {
            return self.spliced(call, arguments, state);
        }
        let Some(Argument::Word(program)) = arguments.first().cloned() else { return self.bare(call, state) };
        let name = program.known().map(|name| name.into_owned());
        arguments.remove(0);
        if name.as_deref() == Some("exec") && arguments.is_empty() {
            let mut plan = self.open(&call.command.redirections, state);
            let output = self.close(&mut plan, Flow::Empty, true, state);
            return Outcome { output, success: Some(true) };
        }
        let temporary = self.temporary(call, state);
        let mut plan = self.open(&call.command.redirections, state);
        let outcome = self.dispatch(call, program, name.as_deref(), arguments, &temporary, state);
        let output = self.close(&mut plan, outcome.output, false, state);
        Outcome { output, success: outcome.success }
    }

    /// `$x rm -rf y`: the unknown words may be none, then the next word is the program; or the program is among them.
    fn spliced(&mut self, call: &Call<'_>, mut arguments: Vec<Argument>, state: &mut State) -> Outcome {
        let Argument::Splice(hole) = arguments.remove(0) else { return Outcome { output: Flow::Empty, success: None } };
        let mut without = state.clone();
        // All of them at once: a command may begin with very many.
        let words = arguments.iter().position(|argument| matches!(argument, Argument::Word(_)));
        let first = words.map(|at| self.prepared(call, arguments[at..].to_vec(), &mut without));
        let program = Word { values: vec![Value::hole(hole.clone())], span: hole.span, computed: false };
        let rest: Vec<Argument> = std::iter::once(Argument::Splice(hole)).chain(arguments).collect();
        if first.is_some() {
            state.files = without.files.clone();
        }
        let temporary = self.temporary(call, state);
        let mut plan = self.open(&call.command.redirections, state);
        let outcome = self.external(program, rest, &temporary, call.span, state);
        let output = self.close(&mut plan, outcome.output, false, state);
        let outcome = Outcome { output, success: outcome.success };
        match first {
            Some(first) => {
                *state = state.clone().join(without);
                join_outcomes(first, outcome)
            }
            None => outcome,
        }
    }

    /// No program: assignments stay, redirections happen.
    fn bare(&mut self, call: &Call<'_>, state: &mut State) -> Outcome {
        let mut plan = self.open(&call.command.redirections, state);
        for assignment in call.simple.assignments.iter().chain(call.declared.iter().copied()) {
            self.assign(assignment, state);
            if self.is_fault(assignment, call.command.at.end, state) {
                self.leave_script(state);
                return Outcome { output: Flow::Empty, success: Some(false) };
            }
        }
        // `$(< file)` gives the file's text.
        let output = if plan.input && call.simple.assignments.is_empty() { state.stdin.clone() } else { Flow::Empty };
        let output = self.close(&mut plan, output, false, state);
        Outcome { output, success: self.substituted.unwrap_or(Some(true)) }
    }

    /// Whether the shell gives up at an assignment: what may not be assigned again was. bash reads on in the next line, so there
    /// must be none.
    fn is_fault(&self, assignment: &Assignment, end: u32, state: &State) -> bool {
        if state.memory.constants.is_empty() || !state.memory.constants.contains(self.slice(assignment.name)) {
            return false;
        }
        let text = &self.script.source.text;
        state.option("posix") || self.sources == 1 && !text.get(end as usize..).unwrap_or("").trim_end().contains('\n')
    }

    /// `NAME=value` before a command, each seeing those before it.
    fn temporary(&mut self, call: &Call<'_>, state: &mut State) -> Vec<(String, Variable)> {
        if call.simple.assignments.is_empty() {
            return Vec::new();
        }
        let mut own = state.clone();
        let mut all: Vec<(String, Variable)> = Vec::new();
        for assignment in &call.simple.assignments {
            let name = self.slice(assignment.name).to_string();
            self.assign(assignment, &mut own);
            if let Some(variable) = own.variables.get(&name) {
                all.retain(|(other, _)| *other != name);
                all.push((name, Variable { exported: true, ..variable.clone() }));
            }
        }
        state.files = own.files;
        all
    }

    fn dispatch(
        &mut self,
        call: &Call<'_>,
        program: Word,
        name: Option<&str>,
        arguments: Vec<Argument>,
        temporary: &[(String, Variable)],
        state: &mut State,
    ) -> Outcome {
        let Some(name) = name else { return self.external(program, arguments, temporary, call.span, state) };
        if let Some(function) = state.memory.functions.get(name).cloned() {
            return self
                .with_variables(temporary, state, |walk, state| walk.call(name, &function, arguments, call.span, state));
        }
        self.builtin_or_external(call, program, name, arguments, temporary, state)
    }

    /// A builtin of the shell, else a program.
    pub(in super::super) fn builtin_or_external(
        &mut self,
        call: &Call<'_>,
        program: Word,
        name: &str,
        arguments: Vec<Argument>,
        temporary: &[(String, Variable)],
        state: &mut State,
    ) -> Outcome {
        if let Some(builtin) = super::super::builtins::find(name) {
            let persistent = temporary.is_empty();
            return if persistent {
                builtin(self, call, arguments, state)
            } else {
                self.with_variables(temporary, state, |walk, state| builtin(walk, call, arguments, state))
            };
        }
        self.external(program, arguments, temporary, call.span, state)
    }

    fn with_variables(
        &mut self,
        temporary: &[(String, Variable)],
        state: &mut State,
        body: impl FnOnce(&mut Self, &mut State) -> Outcome,
    ) -> Outcome {
        let mut before = Vec::with_capacity(temporary.len());
        for (name, variable) in temporary {
            before.push((name.clone(), state.variables.insert(name.clone(), variable.clone())));
        }
        let outcome = body(self, state);
        for (name, variable) in before.into_iter().rev() {
            match variable {
                Some(variable) => state.variables.insert(name, variable),
                None => state.variables.remove(&name),
            };
        }
        outcome
    }

    /// Hands a program to the host.
    pub(in super::super) fn external(
        &mut self,
        program: Word,
        arguments: Vec<Argument>,
        temporary: &[(String, Variable)],
        span: Span,
        state: &mut State,
    ) -> Outcome {
        if !self.steps(1 + arguments.len() as u64 / 4) {
            return Outcome { output: Flow::Empty, success: None };
        }
        let mut environment: Vec<(String, Word)> = Vec::new();
        for (name, variable) in state
            .variables
            .iter()
            .filter(|(name, variable)| variable.exported && !temporary.iter().any(|(other, _)| other == *name))
        {
            if let Some(word) = scalar(variable) {
                environment.push((name.clone(), word));
            }
        }
        for (name, variable) in temporary {
            if let Some(word) = scalar(variable) {
                environment.push((name.clone(), word));
            }
        }
        let invocation = Invocation {
            program,
            arguments,
            environment,
            directory: state.directory.clone(),
            stdin: state.stdin.clone(),
            place: state.place,
            chain: state.chain.clone(),
            span,
        };
        // What the host walks in turn stands as deep as this command.
        let levels = std::mem::replace(&mut state.levels, self.level);
        let outcome = self.host.run(invocation, state);
        state.levels = levels;
        outcome
    }
}

fn scalar(variable: &Variable) -> Option<Word> {
    match variable.value.first()? {
        Argument::Word(word) => Some(word.clone()),
        Argument::Splice(hole) => Some(Word { values: vec![Value::hole(hole.clone())], span: hole.span, computed: false }),
    }
}

/// The command that is being run.
pub(in super::super) struct Call<'c> {
    pub(in super::super) command: &'c Command,
    pub(in super::super) simple: &'c Simple,
    /// Arguments that are assignments by the shell's grammar.
    pub(in super::super) declared: &'c [&'c Assignment],
    pub(in super::super) span: Span,
}

/// Glob operators as they are written.
fn written(mut fragments: Vec<Fragment>) -> Vec<Fragment> {
    for fragment in &mut fragments {
        if let Fragment::Glob(glob) = fragment {
            let mut text = String::new();
            glob.write(&mut text);
            *fragment = Fragment::Text { text, span: Span::default(), mode: Mode::Quoted };
        }
    }
    fragments
}

/// The words one after another with a separator, as one text.
pub(in super::super) fn joined(arguments: &[Argument], separator: &str, span: Span) -> Word {
    let mut all = Expansion::empty();
    for (index, argument) in arguments.iter().enumerate() {
        if index > 0 {
            all.push_text(
                separator,
                Span { end: argument.span().start.max(span.start), start: argument.span().start.max(span.start), ..span },
                Mode::Quoted,
            );
        }
        let more = match argument {
            Argument::Word(word) => Expansion::of(
                word.values.iter().map(|value| written(fragments_of(value, Mode::Quoted))).collect(),
                word.computed,
            ),
            Argument::Splice(hole) => Expansion::of(vec![fragments_of(&Value::hole(hole.clone()), Mode::Quoted)], false),
        };
        all.append(more, argument.span());
    }
    single(all, span, false, separator)
}
