//! POSIX sh and Bash, with everyday forms of zsh.
//!
//! A text becomes a tree ([`syntax`], [`tree`]), the tree is walked once in execution order ([`run`]); words are expanded on
//! the way ([`words`]), and what the shell itself defines is done ([`builtins`]). Everything else goes to the [`Host`].
//!
//! The walk never fails. What is not known is a hole, what is too much is a limit, what is no shell is a fault; all three
//! are told to the host, and the walk goes on with what is left.

mod builtins;
mod run;
mod source;
mod syntax;
mod tree;
mod words;

use std::sync::Arc;

use self::run::flows;
use self::source::{Range, Source};
use self::syntax::LEVELS;
use self::tree::{Command, List, Script};
use super::state::{Control, join_flows};
use super::{Host, Outcome, State};
use crate::model::{Argument, Effect, Flow, Limit, Note, Object, Span, Taint, Verb, Word};

/// The longest text that is read, in bytes.
const LONGEST: usize = 1 << 20;
/// Bytes of text that a step keeps.
const CARRIED: usize = 16;
/// How many scripts may stand in one another.
const SCRIPTS: u32 = 10;

/// A function that a script has defined.
#[derive(Debug, Clone)]
pub(crate) struct Function {
    pub(crate) script: Arc<Script>,
    pub(crate) body: Arc<Command>,
}

/// Reads a script: each value of the text in a state of its own, the states joined.
pub fn evaluate(text: &Word, state: &mut State, host: &mut dyn Host) -> Outcome {
    if state.depth > SCRIPTS {
        host.limit(Limit { name: "scripts", size: u64::from(SCRIPTS), span: text.span });
        return Outcome { output: Flow::Unknown(Taint::none()), success: None };
    }
    let mut walk = Walk::new(host, state.levels);
    let mut values = text.values.iter();
    let Some(first) = values.next() else { return Outcome { output: Flow::Empty, success: Some(true) } };
    let start = (text.values.len() > 1).then(|| state.clone());
    let mut outcome = walk.script(Source::new(first, text.span), text.span, state);
    for value in values {
        let Some(mut other) = start.clone() else { break };
        other.files = state.files.clone();
        let more = walk.script(Source::new(value, text.span), text.span, &mut other);
        outcome = join_outcomes(outcome, more);
        *state = state.clone().join(other);
    }
    outcome
}

/// What may come of either.
fn join_outcomes(one: Outcome, two: Outcome) -> Outcome {
    Outcome {
        output: join_flows(&one.output, &two.output),
        success: if one.success == two.success { one.success } else { None },
    }
}

/// One walk over a script and what is nested in it.
struct Walk<'h> {
    host: &'h mut dyn Host,
    /// The text that nodes point into.
    script: Arc<Script>,
    /// INVARIANT (levels): how deep the walk is; it never passes [`LEVELS`], so the stack is bounded.
    level: u32,
    /// A budget is spent: the walk ends everywhere.
    spent: bool,
    /// The loops around the current command, innermost last, with the states in which they were left.
    loops: Vec<run::loops::Frame>,
    /// For each call, the states in which it returned.
    returns: Vec<Option<State>>,
    /// The states in which the script ended before its last command.
    exited: Option<State>,
    /// Functions that are being called.
    calls: Vec<String>,
    /// `>(…)` of the current command: they run on what it writes.
    deferred: Vec<(String, Arc<List>, Arc<Script>)>,
    /// The next number of a process substitution's descriptor.
    next_descriptor: u32,
    /// How the last substitution of the current command ended.
    substituted: Option<Option<bool>>,
    /// Whether a failure is being tested, so that `set -e` does not count.
    tested: u32,
    /// How much output was put together.
    collected: usize,
    /// Turns of loops so far.
    turns: usize,
    /// How many texts are being walked: the script, what it sources and evaluates.
    sources: u32,
}

impl<'h> Walk<'h> {
    fn new(host: &'h mut dyn Host, level: u32) -> Walk<'h> {
        Walk {
            host,
            script: Arc::new(syntax::parse(Source::default(), 0)),
            level,
            spent: false,
            loops: Vec::new(),
            returns: Vec::new(),
            exited: None,
            calls: Vec::new(),
            deferred: Vec::new(),
            next_descriptor: 63,
            substituted: None,
            tested: 0,
            collected: 0,
            turns: 0,
            sources: 0,
        }
    }

    /// A whole script, its traps included.
    fn script(&mut self, source: Source, span: Span, state: &mut State) -> Outcome {
        let exited = self.exited.take();
        let mut outcome = self.source(source, span, state);
        if let Some(ended) = std::mem::replace(&mut self.exited, exited) {
            let normal = std::mem::replace(state, State { control: Control::Next, ..ended });
            if normal.control == Control::Next {
                *state = normal.join(state.clone());
            }
        }
        state.control = Control::Next;
        // What the shell runs before each prompt runs at the end of the script, if not before.
        if let Some(variable) = state.variables.get("PROMPT_COMMAND").filter(|_| state.depth == 0)
            && let [Argument::Word(code)] = variable.value.as_slice()
        {
            let code = code.clone();
            state.memory.traps.insert("PROMPT_COMMAND".to_string(), code);
        }
        self.run_traps(state, &mut outcome);
        outcome
    }

    /// A text at this point of the script.
    fn source(&mut self, source: Source, span: Span, state: &mut State) -> Outcome {
        if source.text.len() > LONGEST {
            self.limit("text", LONGEST as u64, span);
            return Outcome { output: Flow::Unknown(Taint::none()), success: None };
        }
        if !self.steps(1 + source.text.len() as u64 / 64) {
            return Outcome { output: Flow::Empty, success: None };
        }
        if self.level >= LEVELS {
            self.limit("levels", u64::from(LEVELS), span);
            return Outcome { output: Flow::Empty, success: None };
        }
        self.level += 1;
        let script = Arc::new(syntax::parse(source, self.level));
        for fault in &script.faults {
            self.host.unparsed(script.source.span(*fault));
        }
        let outer = std::mem::replace(&mut self.script, script.clone());
        self.sources += 1;
        let outcome = self.list(&script.list, state);
        self.sources -= 1;
        if let Some((name, size, at)) = script.limit {
            self.limit(name, size, script.source.span(at));
        }
        self.script = outer;
        self.level -= 1;
        outcome
    }

    fn run_traps(&mut self, state: &mut State, outcome: &mut Outcome) {
        let traps = std::mem::take(&mut state.memory.traps);
        for (signal, code) in traps {
            for value in &code.values {
                let mut own = if signal == "EXIT" { state.clone() } else { state.fork() };
                let more = self.source(Source::new(value, code.span), code.span, &mut own);
                flows::append(&mut outcome.output, more.output);
                state.files = own.files;
            }
        }
    }

    fn span(&self, range: Range) -> Span {
        self.script.source.span(range)
    }

    fn slice(&self, range: Range) -> &str {
        self.script.source.slice(range)
    }

    /// Counts work; false once the call's budget is spent.
    fn steps(&mut self, steps: u64) -> bool {
        if !self.spent && !self.host.step(steps) {
            self.spent = true;
        }
        !self.spent
    }

    /// A budget is exhausted: it is told, and the walk ends.
    fn limit(&mut self, name: &'static str, size: u64, span: Span) {
        if !self.spent {
            self.host.limit(Limit { name, size, span });
        }
        self.spent = true;
    }

    fn note(&mut self, text: impl Into<String>, span: Span) {
        self.host.note(Note { text: text.into(), span });
    }

    fn effect(&mut self, verb: Verb, object: Object, from: Taint, span: Span, state: &State) {
        self.host.effect(Effect {
            verb,
            recursively: false,
            forcibly: false,
            object,
            filters: Vec::new(),
            from,
            directory: state.directory.clone(),
            place: state.place,
            certain: true,
            invocation: None,
            span,
        });
    }
}
