//! PowerShell: text → evaluation in execution order.
//!
//! The text is read and walked in one pass: a block in braces is skipped over by its brackets and walked when it runs, so a
//! function that nobody calls does nothing. What a command is given (arrays, strings with variables, sub-expressions, casts of
//! character codes, joins and formats) is followed as far as it is literal; the rest is a hole. What a script block given to a
//! command does is taken to happen, with `$_` unknown or the piped text.

mod arguments;
mod expression;
mod statements;
mod text;

use std::collections::BTreeMap;

use super::origin::Script;
use super::{Host, Outcome, State};
use crate::model::{Flow, Limit, Taint, Word};

/// How deep brackets and calls may nest.
const LEVELS: u32 = 64;

/// Reads a script, for each value that its text may have.
pub fn evaluate(text: &Word, state: &mut State, host: &mut dyn Host) -> Outcome {
    let mut outputs = Vec::new();
    for value in &text.values {
        let Some(script) = Script::of(value, text.span) else {
            host.unparsed(text.span);
            outputs.push(Flow::Unknown(text.taint()));
            continue;
        };
        let mut walk =
            Walk { script: &script, at: 0, end: script.text.len(), level: 0, functions: BTreeMap::new(), state, host };
        outputs.push(walk.statements());
    }
    let output = match outputs.len() {
        1 => outputs.remove(0),
        _ => Flow::Unknown(outputs.iter().fold(Taint::none(), |all, flow| all.join(&flow.taint()))),
    };
    Outcome { output, success: None }
}

/// A position in a script, and what is known there.
struct Walk<'a> {
    script: &'a Script,
    at: usize,
    end: usize,
    level: u32,
    /// Bodies by lower-case name: where they stand in the text.
    functions: BTreeMap<String, (usize, usize)>,
    state: &'a mut State,
    host: &'a mut dyn Host,
}

impl Walk<'_> {
    /// Walks a stretch of the text, braces excluded, with the same state.
    fn within(&mut self, start: usize, end: usize) -> Flow {
        if self.level >= LEVELS {
            let span = self.script.span(start, end);
            self.host.limit(Limit { name: "levels", size: u64::from(LEVELS), span });
            return Flow::Unknown(Taint::none());
        }
        let mut inner = Walk {
            script: self.script,
            at: start,
            end,
            level: self.level + 1,
            functions: std::mem::take(&mut self.functions),
            state: &mut *self.state,
            host: &mut *self.host,
        };
        let output = inner.statements();
        self.functions = std::mem::take(&mut inner.functions);
        output
    }

    fn rest(&self) -> &str {
        &self.script.text[self.at..self.end]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn bump(&mut self) {
        self.at += self.peek().map_or(0, char::len_utf8);
    }

    /// Skips blanks, comments and joined lines; line breaks too where `lines`.
    fn blanks(&mut self, lines: bool) {
        loop {
            let rest = self.rest();
            if rest.starts_with("<#") {
                self.at += rest.find("#>").map_or(rest.len(), |n| n + 2);
            } else if rest.starts_with('#') {
                self.at += rest.find('\n').unwrap_or(rest.len());
            } else if rest.starts_with("`\r\n") {
                self.at += 3;
            } else if rest.starts_with("`\n") {
                self.at += 2;
            } else if rest.starts_with([' ', '\t', '\r', '\u{a0}']) || (lines && rest.starts_with('\n')) {
                self.bump();
            } else {
                return;
            }
        }
    }

    /// Takes the word, case ignored, where a whole word stands.
    fn keyword(&mut self, word: &str) -> bool {
        let rest = self.rest();
        let Some(head) = rest.get(..word.len()) else { return false };
        let next = rest[word.len()..].chars().next();
        let ends = next.is_none_or(|c| !(c.is_alphanumeric() || c == '_' || c == '-'));
        if head.eq_ignore_ascii_case(word) && ends {
            self.at += word.len();
            return true;
        }
        false
    }

    /// The bracketed stretch that begins here: its inner start and end; the position moves past it.
    fn bracketed(&mut self) -> (usize, usize) {
        let start = self.at + 1;
        let end = text::closing(&self.script.text[..self.end], self.at);
        match end {
            Some(end) => {
                self.at = end + 1;
                (start, end)
            }
            None => {
                self.host.unparsed(self.script.span(self.at, self.end));
                self.at = self.end;
                (start.min(self.end), self.end)
            }
        }
    }
}
