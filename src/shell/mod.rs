//! Scripts: text → syntax tree → abstract evaluation in execution order. Nothing is executed.
//!
//! The front ends know no program by name: what a script runs is handed to the [`Host`], which reads it with the declarations
//! and says what comes of it.

pub mod cmd;
pub mod code;
pub mod decode;
pub mod files;
mod origin;
pub mod posix;
pub mod powershell;
pub mod shared;
pub mod state;

pub use shared::Shared;
pub use state::{State, Variable};

use crate::model::{Effect, Flow, Invocation, Limit, Note, SourceId, Span, Word, World};

/// Whose grammar a text follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Dialect {
    /// POSIX sh, Bash, and the everyday forms of zsh and fish.
    Posix,
    /// PowerShell.
    PowerShell,
    /// cmd.exe.
    Cmd,
}

/// What comes of a program or a script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// What it prints.
    pub output: Flow,
    /// Whether it succeeds, where that is known.
    pub success: Option<bool>,
}

/// What is given to a call of a library.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Given {
    /// A text, a number, a path.
    Text(Word),
    /// A list of them: an argument vector.
    List(Vec<Word>),
}

/// A call in embedded code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LibraryCall {
    /// The language as the declarations name it.
    pub language: String,
    /// The name, its module first, parts joined by dots: `os.system`, `fs.rmSync`.
    pub name: String,
    /// Arguments by position.
    pub positional: Vec<Given>,
    /// Arguments by name.
    pub named: Vec<(String, Given)>,
    /// Where it stands.
    pub span: Span,
}

/// Who reads what a script runs. `interpret` is the one in the product, tests record.
pub trait Host {
    /// Reads one program: its declarations, its effects, the commands and scripts that it runs in turn. May move
    /// `state.directory` (for a program that changes it for what it runs, only within), and records files that it writes in
    /// `state.files`.
    fn run(&mut self, invocation: Invocation, state: &mut State) -> Outcome;
    /// Reads one call in embedded code: its declared effects. The text that it gives, where it gives one; `None` where the
    /// call is not declared.
    fn call(&mut self, _call: LibraryCall, _state: &mut State) -> Option<Word> {
        None
    }
    /// Whether calls of this name are declared (`*.name`: of any receiver).
    fn declares(&self, _language: &str, _name: &str) -> bool {
        false
    }
    /// Takes an effect of the shell itself: a redirection, a builtin.
    fn effect(&mut self, effect: Effect);
    /// Takes a line of the trace.
    fn note(&mut self, note: Note);
    /// Takes an exhausted budget.
    fn limit(&mut self, limit: Limit);
    /// Takes a stretch that could not be parsed.
    fn unparsed(&mut self, span: Span);
    /// Registers a further text (a script file), so that spans can point into it.
    fn text(&mut self, name: &str, text: &str) -> SourceId;
    /// Counts steps of work; `false` once the step budget of the call is spent (the host has reported the limit).
    fn step(&mut self, steps: u64) -> bool;
    /// The facts.
    fn world(&self) -> &dyn World;
}

/// Reads a text in a dialect, in the state as it is, and leaves the state as it is afterwards. Unknown parts of the text are
/// recovered around; each value of the word is walked in a state of its own and the states are joined.
pub fn evaluate(text: &Word, dialect: Dialect, state: &mut State, host: &mut dyn Host) -> Outcome {
    match dialect {
        Dialect::Posix => posix::evaluate(text, state, host),
        Dialect::Cmd => cmd::evaluate(text, state, host),
        Dialect::PowerShell => powershell::evaluate(text, state, host),
    }
}
