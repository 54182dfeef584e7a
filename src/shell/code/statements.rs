//! Statements: imports, bindings, and everything else as expressions.

use super::profile::Imports;
use super::value::Held;
use super::{LEVELS, Walk};
use crate::model::{Limit, Taint};

/// Words that stand before a statement and say nothing about what it does.
const PREFIXES: &[&str] = &[
    "const", "let", "var", "my", "our", "local", "export", "default", "async", "await", "return", "if", "elif", "else",
    "elsif", "unless", "while", "until", "try", "catch", "except", "finally", "rescue", "ensure", "begin", "do", "then", "end",
    "not", "global", "nonlocal", "static", "public", "private", "switch", "case", "assert", "raise", "throw", "yield", "BEGIN",
    "END", "eval", "die",
];

impl Walk<'_> {
    /// Walks a stretch of the text with the same names; the value of its last expression.
    pub(super) fn within(&mut self, start: usize, end: usize) -> Held {
        let resume = (self.at, self.end);
        self.at = start;
        self.end = end.max(start);
        let held = self.statements();
        (self.at, self.end) = resume;
        held
    }

    /// Statements up to the end; the value of the last.
    pub(super) fn statements(&mut self) -> Held {
        let start = self.at;
        let mut last = Held::unknown(Taint::none(), self.span(start));
        if self.level >= LEVELS {
            let span = self.script.span(self.at, self.end);
            self.host.limit(Limit { name: "levels", size: u64::from(LEVELS), span });
            self.at = self.end;
            return last;
        }
        self.level += 1;
        while self.at < self.end && self.host.step(1) {
            self.trivia(true);
            if self.at >= self.end {
                break;
            }
            let before = self.at;
            if self.rest().starts_with([';', '{', '}', ')', ']', ',', ':']) || self.take("<?php") || self.take("?>") {
                if self.at == before {
                    self.bump();
                }
                continue;
            }
            last = self.statement();
            if self.at == before {
                self.bump();
            }
        }
        self.level -= 1;
        last
    }

    fn statement(&mut self) -> Held {
        match self.profile.imports {
            Imports::Python => {
                if self.keyword("import") {
                    return self.python_import();
                }
                if self.keyword("from") {
                    return self.python_from();
                }
            }
            Imports::JavaScript => {
                let at = self.at;
                if self.keyword("import") {
                    self.trivia(true);
                    if !self.rest().starts_with(['(', '.']) {
                        return self.javascript_import();
                    }
                    self.at = at;
                }
            }
            Imports::Global => {}
        }
        for word in ["def", "function", "sub", "class", "interface"] {
            if self.keyword(word) {
                return self.definition();
            }
        }
        if self.keyword("with") {
            return self.python_with();
        }
        if self.keyword("foreach") || self.keyword("for") {
            return self.loop_over();
        }
        let at = self.at;
        if let Some(word) = self.identifier()
            && PREFIXES.contains(&word)
            && !self.rest().starts_with(['(', '.'])
        {
            self.trivia(false);
            if self.rest().starts_with(['{', '['])
                && self.profile.imports == Imports::JavaScript
                && let Some(held) = self.binding()
            {
                return held;
            }
            let start = self.at;
            return Held::unknown(Taint::none(), self.span(start));
        }
        self.at = at;
        if let Some(held) = self.binding() {
            return held;
        }
        self.expression()
    }

    /// The name and the parameters of what is defined; its body is walked where it stands.
    fn definition(&mut self) -> Held {
        let start = self.at;
        self.trivia(false);
        self.identifier();
        self.trivia(false);
        if self.rest().starts_with('(') {
            self.parameters();
        }
        Held::unknown(Taint::none(), self.span(start))
    }

    /// `(a, b = 1)`: nothing is known of them.
    pub(super) fn parameters(&mut self) {
        let close = super::expression::balanced(&self.script.text[..self.end], self.at + 1, '(', ')');
        self.at = close.map_or(self.end, |close| close + 1);
    }

    /// `name = value`, `$x .= value`, `a, b = …`, `{a: b} = …`; `None` where no binding stands.
    fn binding(&mut self) -> Option<Held> {
        let start = self.at;
        if self.rest().starts_with('{') || (self.rest().starts_with('[') && self.profile.imports == Imports::JavaScript) {
            return self.destructuring();
        }
        let name = self.identifier()?.to_string();
        self.trivia(false);
        let rest = self.rest();
        let plain = rest.starts_with('=') && !rest.starts_with("==") && !rest.starts_with("=>") && !rest.starts_with("=~");
        let adds = self.profile.joins.iter().find(|join| rest.strip_prefix(**join).is_some_and(|rest| rest.starts_with('=')));
        let width = match (plain, adds) {
            (true, _) => 1,
            (false, Some(join)) => join.len() + 1,
            (false, None) => {
                self.at = start;
                return None;
            }
        };
        self.at += width;
        self.trivia(true);
        let value = if self.chained() {
            self.level += 1;
            let inner = self.binding();
            self.level -= 1;
            inner.unwrap_or_else(|| self.expression())
        } else {
            self.expression()
        };
        let value = match (plain, self.names.get(&name)) {
            (false, Some(Held::Text(before))) => {
                let span = self.span(start);
                Held::Text(super::value::joined(before, &value.word(span), span))
            }
            _ => value,
        };
        self.names.insert(name, value.clone());
        Some(value)
    }

    /// Whether another binding stands here (`a = b = c`).
    fn chained(&mut self) -> bool {
        let at = self.at;
        let named = self.identifier().is_some();
        self.trivia(false);
        let rest = self.rest();
        let binds =
            named && rest.starts_with('=') && !rest.starts_with("==") && !rest.starts_with("=>") && !rest.starts_with("=~");
        self.at = at;
        binds && self.level < LEVELS
    }

    /// `{a, b: c} = value`: members of a module.
    fn destructuring(&mut self) -> Option<Held> {
        let start = self.at;
        let open = self.peek()?;
        let close = if open == '{' { '}' } else { ']' };
        let end = super::expression::balanced(&self.script.text[..self.end], self.at + 1, open, close)?;
        let inner = self.script.text[self.at + 1..end].to_string();
        self.at = end + 1;
        self.trivia(false);
        if !self.rest().starts_with('=') || self.rest().starts_with("==") || self.rest().starts_with("=>") {
            self.at = start;
            return None;
        }
        self.at += 1;
        let value = self.expression();
        self.bind_members(&inner, &value, ':');
        Some(value)
    }

    /// `a`, `b as c`, `b: c` of a list of members.
    fn bind_members(&mut self, list: &str, of: &Held, separator: char) {
        for part in list.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let part = part.split('=').next().unwrap_or(part).trim();
            let (member, name) = match part.split_once(" as ").or_else(|| part.split_once(separator)) {
                Some((member, name)) => (member.trim(), name.trim()),
                None => (part, part),
            };
            if let Held::Name(module) = of {
                self.names.insert(name.to_string(), Held::Name(format!("{module}.{member}")));
            }
        }
    }

    /// `import a.b as c, d`.
    fn python_import(&mut self) -> Held {
        let start = self.at;
        let end = self.statement_end();
        let list = self.script.text[start..end].to_string();
        self.at = end;
        for part in list.split(',').map(str::trim) {
            match part.split_once(" as ") {
                Some((module, name)) => {
                    self.names.insert(name.trim().to_string(), Held::Name(module.trim().to_string()));
                }
                None => {
                    let first = part.split('.').next().unwrap_or(part);
                    self.names.insert(first.to_string(), Held::Name(first.to_string()));
                }
            }
        }
        Held::unknown(Taint::none(), self.span(start))
    }

    /// `from a import b as c, d`.
    fn python_from(&mut self) -> Held {
        let start = self.at;
        let end = self.statement_end();
        let text = self.script.text[start..end].to_string();
        self.at = end;
        if let Some((module, list)) = text.split_once(" import ") {
            let of = Held::Name(module.trim().to_string());
            self.bind_members(list.trim().trim_start_matches('(').trim_end_matches(')'), &of, '\0');
        }
        Held::unknown(Taint::none(), self.span(start))
    }

    /// `import x, {a as b} from "m"`, `import * as x from "m"`.
    fn javascript_import(&mut self) -> Held {
        let start = self.at;
        let text = self.rest();
        let end = text.find([';', '\n']).map_or(self.end, |n| self.at + n);
        let clause = self.script.text[start..end].to_string();
        self.at = end;
        let module = clause.rsplit(['\'', '"']).nth(1).unwrap_or("").trim_start_matches("node:").to_string();
        let of = Held::Name(module);
        let names = clause.split(" from ").next().unwrap_or("");
        if let Some((before, rest)) = names.split_once('{') {
            self.bind_members(rest.trim_end().trim_end_matches('}'), &of, '\0');
            self.bind_default(before, &of);
        } else {
            self.bind_default(names, &of);
        }
        Held::unknown(Taint::none(), self.span(start))
    }

    fn bind_default(&mut self, names: &str, of: &Held) {
        let name = names.trim().trim_end_matches(',').trim().trim_start_matches('*').trim();
        let name = name.strip_prefix("as ").unwrap_or(name).trim();
        if !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '$') {
            self.names.insert(name.to_string(), of.clone());
        }
    }

    fn statement_end(&self) -> usize {
        let rest = self.rest();
        let mut depth = 0usize;
        for (n, c) in rest.char_indices() {
            match c {
                '(' => depth += 1,
                ')' => depth = depth.saturating_sub(1),
                ';' | '\n' if depth == 0 => return self.at + n,
                _ => {}
            }
        }
        self.end
    }

    /// `with open(x) as f, …:`.
    fn python_with(&mut self) -> Held {
        loop {
            self.trivia(false);
            let value = self.expression();
            self.trivia(false);
            if self.keyword("as") {
                self.trivia(false);
                if let Some(name) = self.identifier().map(str::to_string) {
                    self.names.insert(name, value.clone());
                }
            }
            self.trivia(false);
            if !self.take(",") || !self.host.step(1) {
                return value;
            }
        }
    }

    /// `for x in list:`, `for (const x of list)`, `foreach my $x (list)`, `foreach ($list as $x)`: the name is any element.
    fn loop_over(&mut self) -> Held {
        let start = self.at;
        self.trivia(false);
        let _ = self.keyword("await");
        self.trivia(false);
        let outer = (self.at, self.end);
        let bracketed = self.rest().starts_with('(');
        if bracketed {
            let close = super::expression::balanced(&self.script.text[..self.end], self.at + 1, '(', ')').unwrap_or(self.end);
            self.bump();
            self.end = close;
        }
        for word in ["const", "let", "var", "my", "our", "local"] {
            self.trivia(true);
            let _ = self.keyword(word);
        }
        self.trivia(true);
        let name = self.identifier().map(str::to_string);
        self.trivia(true);
        let follows = self.keyword("in") || self.keyword("of") || (!bracketed && self.rest().starts_with('('));
        if let (Some(name), true) = (name, follows) {
            let list = self.expression();
            let element = self.element_of(&list, start);
            self.names.insert(name, element);
        } else if bracketed {
            self.at = outer.0 + 1;
            let list = self.expression();
            self.trivia(true);
            if self.keyword("as") {
                self.trivia(true);
                if let Some(name) = self.identifier().map(str::to_string) {
                    let element = self.element_of(&list, start);
                    self.names.insert(name, element);
                }
            }
        }
        if bracketed {
            let inner = self.at;
            let close = self.end;
            self.within(inner, close);
            self.at = (close + 1).min(outer.1);
            self.end = outer.1;
        }
        Held::unknown(Taint::none(), self.span(start))
    }

    /// Any element of a list.
    pub(super) fn element_of(&self, list: &Held, start: usize) -> Held {
        let span = self.span(start);
        let Held::List(all) = list else { return Held::unknown(list.taint(span), span) };
        let words: Vec<_> = all.iter().map(|held| held.word(span)).collect();
        let values: Vec<_> = words.iter().flat_map(|word| word.values.iter().cloned()).collect();
        if values.is_empty() || values.len() > 32 {
            return Held::unknown(list.taint(span), span);
        }
        Held::Text(crate::model::Word { values, span, computed: false })
    }
}
