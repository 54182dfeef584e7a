//! Code in other languages: the calls that it makes, with their arguments as far as they can be told without running it.
//!
//! One front end for all of them, told each language's tokens by a table. It reads statements in order, expressions
//! and calls; literals, names bound to them, joined and decoded texts are followed; what a call does is the
//! host's to say. Code that only mentions a call, in a text or a comment, calls nothing.
//!
//! It is no parser of any language: what it does not understand it steps over, and it sees the calls on both sides of it.

mod awk;
mod calls;
mod expressions;
mod functions;
mod imports;
mod lexis;
mod sed;
mod source;
mod tokens;
mod transfers;
mod value;
mod walk;

use super::origin::Script;
use super::{Given, Host, LibraryCall, Outcome, State};
use crate::model::{Flow, Taint, Word};

/// Whether there is a front end for the language.
pub fn reads(language: &str) -> bool {
    matches!(language, "awk" | "sed" | "transfers") || lexis::of(language).is_some()
}

/// Reads a text in a language, for each value that it may have. A text without a front end is reported as not parsed.
pub fn evaluate(language: &str, text: &Word, state: &mut State, host: &mut dyn Host) -> Outcome {
    let mut printed = text.taint();
    for value in &text.values {
        match (language, lexis::of(language)) {
            ("awk" | "sed" | "transfers", _) => match Script::of(value, text.span) {
                Some(script) if language == "awk" => awk::walk(&script, state, host),
                Some(script) if language == "sed" => sed::walk(&script, state, host),
                Some(script) => transfers::walk(&script, state, host),
                None => host.unparsed(text.span),
            },
            (_, Some(lexis)) => {
                let source = source::Source::new(value);
                if !host.step(source.text.len() as u64 / 4 + 1) {
                    break;
                }
                let arguments = state.positional.clone();
                let mut library = Library { state: &mut *state, host: &mut *host, printed: Taint::none() };
                walk::walk(&source, lexis, &arguments, &mut library);
                printed = printed.join(&library.printed);
            }
            _ => host.unparsed(text.span),
        }
    }
    Outcome { output: Flow::Unknown(printed), success: None }
}

/// Who knows what calls do: the host, in the state of the walk.
struct Library<'a> {
    state: &'a mut State,
    host: &'a mut dyn Host,
    /// What everything that was read carries.
    printed: Taint,
}

impl Library<'_> {
    /// Whether the call of this name is declared.
    fn declares(&self, language: &str, name: &str) -> bool {
        self.host.declares(language, name)
    }

    /// Takes a declared call, and says what its answer carries.
    fn call(&mut self, call: LibraryCall) -> Taint {
        let taint = self.host.call(call, self.state).map(|answer| answer.taint()).unwrap_or_default();
        self.printed = self.printed.join(&taint);
        taint
    }

    /// Takes a text that the language itself gives to the shell (a backquote), and says what its output carries.
    fn command(&mut self, language: &str, text: &Word) -> Taint {
        let positional = vec![Given::Text(text.clone())];
        let name = "backticks".to_string();
        self.call(LibraryCall { language: language.to_string(), name, positional, named: Vec::new(), span: text.span })
    }

    /// The home directory.
    fn home(&self) -> Option<String> {
        self.host.world().homes().into_iter().next()
    }

    /// Counts steps; false once none are left.
    fn step(&mut self, steps: u64) -> bool {
        self.host.step(steps)
    }
}
