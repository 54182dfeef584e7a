//! awk: the calls `system(…)` and `getline`, pipes to and from commands, redirections of `print`.
//!
//! A program is a sequence of patterns and actions; only strings, concatenation (side by side) and variables bound to constants
//! are followed.

use std::collections::BTreeMap;

use super::super::origin::Script;
use super::super::{Given, Host, LibraryCall, State};
use super::value::{append, joined};
use crate::model::{Origin, Span, Taint, Word};

struct Awk<'a> {
    script: &'a Script,
    at: usize,
    names: BTreeMap<String, Word>,
    state: &'a mut State,
    host: &'a mut dyn Host,
}

/// Reads a program.
pub(super) fn walk(script: &Script, state: &mut State, host: &mut dyn Host) {
    let mut awk = Awk { script, at: 0, names: BTreeMap::new(), state, host };
    // The text that the last operands of the statement make, and whether a `print` began it.
    let mut last: Option<Word> = None;
    let mut prints = false;
    while awk.at < script.text.len() && awk.host.step(1) {
        let rest = &script.text[awk.at..];
        let start = awk.at;
        let c = rest.chars().next().unwrap_or(' ');
        match c {
            '#' => awk.at += rest.find('\n').unwrap_or(rest.len()),
            '"' => {
                let word = awk.string();
                last = Some(match last.take() {
                    Some(before) => joined(&before, &word, awk.span(start)),
                    None => word,
                });
            }
            '/' if last.is_none() && !prints => awk.regex(),
            '|' => {
                awk.at += if rest.starts_with("||") { 2 } else { 1 };
                awk.blanks();
                if script.text[awk.at..].starts_with("getline") {
                    let code = last.take();
                    awk.call("pipe", code, start);
                } else if prints && !rest.starts_with("||") {
                    let text = last.take();
                    let code = awk.operands();
                    awk.call("pipe", code.into_iter().chain(text), start);
                    prints = false;
                }
            }
            '>' if prints => {
                awk.at += if rest.starts_with(">>") { 2 } else { 1 };
                let path = awk.operands();
                awk.call("redirect", path, start);
                prints = false;
                last = None;
            }
            '<' => {
                awk.at += 1;
                if script.text[..start].trim_end().ends_with("getline") {
                    let path = awk.operands();
                    awk.call("getline", path, start);
                }
            }
            ';' | '{' | '}' | '\n' => {
                if prints {
                    awk.call("print", last.take(), start);
                }
                awk.at += 1;
                last = None;
                prints = false;
            }
            ',' if prints => {
                awk.at += 1;
                let span = awk.span(start);
                last = last.map(|before| joined(&before, &Word::known_text(" ", span), span));
            }
            '$' => {
                awk.at += 1;
                awk.name();
                let span = awk.span(start);
                let field = Word::unknown(Origin::Unknown, Taint { stdin: true, ..Taint::none() }, span);
                last = Some(last.map_or_else(|| field.clone(), |before| joined(&before, &field, span)));
            }
            c if c.is_alphabetic() || c == '_' => {
                let name = awk.name();
                prints |= matches!(name.as_str(), "print" | "printf");
                awk.blanks();
                if name == "system" && script.text[awk.at..].starts_with('(') {
                    awk.at += 1;
                    let code = awk.operands();
                    awk.call("system", code, start);
                } else if script.text[awk.at..].starts_with('=') && !script.text[awk.at..].starts_with("==") {
                    awk.at += 1;
                    if let Some(value) = awk.operands() {
                        awk.names.insert(name, value);
                    }
                } else {
                    let word = awk.names.get(&name).cloned();
                    if !matches!(name.as_str(), "print" | "printf" | "BEGIN" | "END" | "getline") {
                        let span = awk.span(start);
                        let word = word.unwrap_or_else(|| Word::unknown(Origin::Unknown, Taint::none(), span));
                        last = Some(match last.take().filter(|_| prints) {
                            Some(before) => joined(&before, &word, span),
                            None => word,
                        });
                    }
                }
            }
            c => {
                awk.at += c.len_utf8();
                if !c.is_whitespace() {
                    last = None;
                }
            }
        }
    }
    if prints {
        let at = awk.at;
        awk.call("print", last, at);
    }
}

/// What an escape stands for, and the length of what is behind its backslash.
fn unescaped(rest: &str) -> (String, usize) {
    let of = |from: usize, most: usize, radix: u32| {
        let digits = rest[from..].chars().take(most).take_while(|c| c.is_digit(radix)).count();
        let code = u32::from_str_radix(&rest[from..from + digits], radix).ok().and_then(char::from_u32);
        code.map(|c| (c.to_string(), from + digits))
    };
    let Some(first) = rest.chars().next() else { return (String::new(), 0) };
    let plain = (first.to_string(), first.len_utf8());
    match first {
        'n' => ("\n".to_string(), 1),
        't' => ("\t".to_string(), 1),
        'x' => of(1, 2, 16).unwrap_or(plain),
        '0'..='7' => of(0, 3, 8).unwrap_or(plain),
        _ => plain,
    }
}

impl Awk<'_> {
    fn span(&self, start: usize) -> Span {
        self.script.span(start, self.at)
    }

    fn blanks(&mut self) {
        let rest = &self.script.text[self.at..];
        self.at += rest.len() - rest.trim_start_matches([' ', '\t']).len();
    }

    fn name(&mut self) -> String {
        let start = self.at;
        let rest = &self.script.text[start..];
        self.at += rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
        self.script.text[start..self.at].to_string()
    }

    fn regex(&mut self) {
        let mut escaped = true;
        for (n, c) in self.script.text[self.at..].char_indices() {
            match c {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '/' | '\n' => {
                    self.at += n + 1;
                    return;
                }
                _ => {}
            }
        }
        self.at = self.script.text.len();
    }

    fn string(&mut self) -> Word {
        let start = self.at + 1;
        let mut word = Word { values: vec![Default::default()], span: self.script.span(start, start), computed: false };
        let mut from = start;
        let mut at = start;
        while let Some(c) = self.script.text[at..].chars().next() {
            if c == '"' {
                break;
            }
            if c == '\\' {
                let span = word.span;
                append(&mut word, Word::known_text(&self.script.text[from..at], self.script.span(from, at)), span);
                let (text, width) = unescaped(&self.script.text[at + 1..]);
                let span = word.span;
                append(&mut word, Word::known_text(text, self.script.span(at, at + 1 + width)), span);
                at += 1 + width;
                from = at;
                continue;
            }
            at += c.len_utf8();
        }
        word = joined(
            &word,
            &Word::known_text(&self.script.text[from..at], self.script.span(from, at)),
            self.script.span(start, at),
        );
        self.at = (at + 1).min(self.script.text.len());
        word
    }

    /// Strings, names and fields side by side, up to what ends them.
    fn operands(&mut self) -> Option<Word> {
        let start = self.at;
        let mut all: Option<Word> = None;
        while self.at < self.script.text.len() && self.host.step(1) {
            self.blanks();
            let rest = &self.script.text[self.at..];
            let at = self.at;
            let next = match rest.chars().next() {
                Some('"') => self.string(),
                Some('(') => {
                    self.at += 1;
                    continue;
                }
                Some(c) if c.is_alphanumeric() || c == '_' || c == '$' => {
                    self.at += usize::from(c == '$');
                    let name = self.name();
                    let span = self.span(at);
                    let bound = if c == '$' { None } else { self.names.get(&name).cloned() };
                    let taint = Taint { unknown: true, ..Taint::none() };
                    bound.unwrap_or_else(|| Word::unknown(Origin::Unknown, taint, span))
                }
                _ => break,
            };
            all = Some(match all {
                Some(before) => joined(&before, &next, self.span(start)),
                None => next,
            });
        }
        all
    }

    fn call(&mut self, name: &str, arguments: impl IntoIterator<Item = Word>, start: usize) {
        let span = self.span(start);
        let positional = arguments.into_iter().map(Given::Text).collect();
        let call = LibraryCall { language: "awk".to_string(), name: name.to_string(), positional, named: Vec::new(), span };
        self.host.call(call, self.state);
    }
}
