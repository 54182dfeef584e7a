//! Statements in order: imports, assignments, loops over literal lists, and expressions for the calls in them.

use std::collections::BTreeMap;

use super::Library;
use super::lexis::Lexis;
use super::source::Source;
use super::tokens::{Kind, Token, tokens};
use super::value::{Value, either};
use crate::model::{Argument, Span};

/// Nesting that is followed.
pub const DEPTH: u32 = 48;

/// The walk through one text.
pub struct Walk<'s, 'l> {
    pub(super) source: &'s Source,
    pub(super) lexis: &'s Lexis,
    pub(super) tokens: Vec<Token>,
    pub(super) at: usize,
    /// What names stand for.
    pub(super) names: BTreeMap<String, Value>,
    pub(super) depth: u32,
    /// Where embedded code leads (`f"{…}"` within `f"{…}"`).
    pub(super) nesting: u32,
    pub(super) library: &'s mut Library<'l>,
}

/// Walks one text.
pub fn walk(source: &Source, lexis: &Lexis, arguments: &[Argument], library: &mut Library<'_>) {
    let tokens = tokens(source, lexis, 0, source.text.len());
    let mut walk = Walk { source, lexis, tokens, at: 0, names: BTreeMap::new(), depth: 0, nesting: 0, library };
    walk.command_line(arguments);
    walk.statements();
}

impl Walk<'_, '_> {
    /// The names under which languages know the words behind the code.
    fn command_line(&mut self, arguments: &[Argument]) {
        let span = |one: &Argument| one.span();
        let all: Vec<Value> = arguments
            .iter()
            .map(|one| match one {
                Argument::Word(word) => Value::Text(word.clone()),
                Argument::Splice(hole) => Value::Unknown(hole.taint.clone(), hole.span),
            })
            .collect();
        let whole = arguments.first().map(span).unwrap_or_default();
        let rest: Vec<Value> = all.iter().skip(1).cloned().collect();
        let names: &[(&str, bool)] = match self.lexis.name {
            "python" => &[("sys.argv", true)],
            "javascript" => &[("process.argv", true), ("Bun.argv", true)],
            "perl" => &[("@ARGV", false)],
            "ruby" => &[("ARGV", false), ("$*", false)],
            "php" => &[("$argv", true)],
            _ => &[],
        };
        for (name, program) in names {
            let mut values = if *program { all.clone() } else { rest.clone() };
            if *name == "process.argv" || *name == "Bun.argv" {
                values.insert(0, Value::unknown(whole));
            }
            self.names.insert((*name).to_string(), Value::List(values, whole));
        }
    }

    pub(super) fn text(&self, token: &Token) -> &str {
        self.source.text.get(token.start..token.end).unwrap_or_default()
    }

    pub(super) fn span_of(&self, token: &Token) -> Span {
        self.source.span(token.start, token.end)
    }

    /// The text of the token so many places on, where it is a name or a symbol.
    pub(super) fn ahead(&self, by: usize) -> &str {
        match self.tokens.get(self.at + by) {
            Some(token) if matches!(token.kind, Kind::Name | Kind::Symbol) => self.text(token),
            _ => "",
        }
    }

    pub(super) fn is_name(&self, by: usize) -> bool {
        self.tokens.get(self.at + by).is_some_and(|token| token.kind == Kind::Name)
    }

    /// Steps over the token, where it is this one.
    pub(super) fn accept(&mut self, text: &str) -> bool {
        let found = self.ahead(0) == text;
        self.at += usize::from(found);
        found
    }

    pub(super) fn done(&self) -> bool {
        self.at >= self.tokens.len()
    }

    pub(super) fn statements(&mut self) {
        while !self.done() {
            let before = self.at;
            if !self.library.step(1) {
                return;
            }
            self.statement();
            if self.at == before {
                self.at += 1;
            }
        }
    }

    /// One statement, or a word of one.
    pub(super) fn statement(&mut self) {
        let Some(token) = self.tokens.get(self.at) else { return };
        if token.kind != Kind::Name {
            self.expression();
            return;
        }
        if self.import() || self.definition() || self.loop_over() || self.assignment() {
            return;
        }
        self.expression();
    }

    /// `def f(a, b)`, `function f(a)`: the name and the parameters are no call; the body is walked where it stands.
    fn definition(&mut self) -> bool {
        if !matches!(self.ahead(0), "def" | "function" | "class" | "sub" | "func" | "fn" | "lambda") {
            return false;
        }
        let lambda = self.ahead(0) == "lambda";
        self.at += 1;
        if lambda {
            while !self.done() && self.ahead(0) != ":" && self.tokens[self.at].kind != Kind::Line {
                self.at += 1;
            }
            return true;
        }
        while self.is_name(0) || matches!(self.ahead(0), "." | "*" | "::") {
            self.at += 1;
        }
        if self.ahead(0) == "(" {
            self.skip_brackets();
        }
        true
    }

    /// Steps over a bracket and all that is in it.
    pub(super) fn skip_brackets(&mut self) {
        let mut depth = 0u32;
        while !self.done() {
            match self.ahead(0) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth = depth.saturating_sub(1),
                _ => {}
            }
            self.at += 1;
            if depth == 0 {
                return;
            }
        }
    }

    /// `for x in LIST`, `for (const x of LIST)`, `for my $x (LIST)`, `foreach ($list as $x)`: the name is each of the
    /// elements.
    fn loop_over(&mut self) -> bool {
        if !matches!(self.ahead(0), "for" | "foreach") {
            return false;
        }
        let start = self.at;
        self.at += 1;
        self.accept("(");
        if self.lexis.name == "php" {
            let list = self.expression();
            let bound = self.accept("as") && self.is_name(0);
            if bound {
                let name = self.ahead(0).to_string();
                self.names.insert(name, element(&list));
                self.at += 1;
            }
            return true;
        }
        while matches!(self.ahead(0), "const" | "let" | "var" | "my" | "local") {
            self.at += 1;
        }
        let name = if self.is_name(0) { self.ahead(0).to_string() } else { String::new() };
        self.at += 1;
        if name.is_empty() || !(self.accept("in") || self.accept("of") || (self.lexis.name == "perl" && self.ahead(0) == "(")) {
            self.at = start + 1;
            return true;
        }
        let list = self.expression();
        self.names.insert(name, element(&list));
        true
    }

    /// `f(x) for x in LIST` within brackets: the name is bound before what is said of it is read.
    pub(super) fn comprehension(&mut self) {
        if self.lexis.name != "python" {
            return;
        }
        let start = self.at;
        let mut depth = 0u32;
        while let Some(token) = self.tokens.get(self.at) {
            match self.ahead(0) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" if depth == 0 => break,
                ")" | "]" | "}" => depth -= 1,
                "," if depth == 0 => break,
                "for" if depth == 0 && token.kind == Kind::Name && self.at > start => {
                    self.loop_over();
                    break;
                }
                _ => {}
            }
            self.at += 1;
        }
        self.at = start;
    }

    /// What is called for each element (`LIST.forEach(x => …)`, `LIST.each { |x| … }`): its parameter is any of them.
    pub(super) fn parameter_of(&mut self, list: &Value) {
        let words: [&str; 4] = [self.ahead(0), self.ahead(1), self.ahead(2), self.ahead(3)];
        let by = match words {
            ["{" | "do", "|", ..] => 2,
            ["(", "(", ..] => 2,
            ["(", _, "=>", _] => 1,
            ["(", "function", "(", _] => 3,
            _ => return,
        };
        if self.is_name(by) && matches!(list, Value::List(..) | Value::Text(_)) {
            let name = self.ahead(by).to_string();
            self.names.insert(name, element(list));
        }
    }

    /// `x = …`, `const x = …`, `x += …`, `x: T = …`, `a, b = …`.
    fn assignment(&mut self) -> bool {
        let start = self.at;
        while matches!(
            self.ahead(0),
            "const" | "let" | "var" | "my" | "our" | "local" | "global" | "nonlocal" | "export" | "static"
        ) {
            self.at += 1;
        }
        if self.ahead(0) == "{" && self.at > start {
            return self.destructured();
        }
        if !self.is_name(0) {
            self.at = if self.at > start { self.at } else { start };
            return self.at > start;
        }
        // A dotted name.
        let mut name = self.ahead(0).to_string();
        let mut by = 1;
        while self.lexis.members.contains(&self.ahead(by)) && self.is_name(by + 1) {
            name.push('.');
            name.push_str(self.ahead(by + 1));
            by += 2;
        }
        // A type.
        if self.ahead(by) == ":" && self.is_name(by + 1) && self.ahead(by + 2) == "=" {
            by += 2;
        }
        let operator = self.ahead(by).to_string();
        match operator.as_str() {
            "=" | ":=" => {}
            "+=" | ".=" | "<<" if operator != "<<" || self.lexis.name == "ruby" => {
                self.at += by + 1;
                let more = self.expression();
                let before = self.names.get(&name).cloned();
                let joined = match before {
                    Some(before) => self.joined(&before, &more),
                    None => Value::Unknown(more.taint(), more.span()),
                };
                self.names.insert(name, joined);
                return true;
            }
            _ => return self.at > start,
        }
        self.at += by + 1;
        let value = self.expression();
        self.names.insert(name, value);
        true
    }

    /// `const {a, b: c} = …`.
    fn destructured(&mut self) -> bool {
        let start = self.at;
        let mut names = Vec::new();
        self.at += 1;
        while !self.done() && self.ahead(0) != "}" {
            if self.is_name(0) {
                let member = self.ahead(0).to_string();
                let bound = if self.ahead(1) == ":" && self.is_name(2) { self.ahead(2).to_string() } else { member.clone() };
                self.at += if bound == member { 1 } else { 3 };
                names.push((member, bound));
            } else {
                self.at += 1;
            }
        }
        self.accept("}");
        if !self.accept("=") {
            self.at = start;
            return false;
        }
        let value = self.expression();
        for (member, bound) in names {
            let part = self.member(&value, &member, value.span());
            self.names.insert(bound, part);
        }
        true
    }
}

/// Any element of a list. The names that a pattern of files meets are one text.
pub(super) fn element(list: &Value) -> Value {
    match list {
        Value::Text(word) => Value::Text(word.clone()),
        Value::List(all, span) => all.iter().cloned().reduce(either).unwrap_or(Value::unknown(*span)),
        other => Value::Unknown(other.taint(), other.span()),
    }
}
