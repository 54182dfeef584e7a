//! Expressions and calls.

use super::profile::Imports;
use super::value::{Held, joined};
use super::{LEVELS, Walk, pure};
use crate::model::{Limit, Origin, Taint, Word};
use crate::shell::{Given, LibraryCall};

/// Words that stand before an operand.
const UNARY: &[&str] = &[
    "not", "await", "new", "return", "yield", "typeof", "void", "delete", "my", "our", "local", "const", "let", "var", "print",
    "puts",
];

impl Walk<'_> {
    /// Operands joined by operators, up to what ends an expression.
    pub(super) fn expression(&mut self) -> Held {
        let start = self.at;
        if self.level >= LEVELS {
            let span = self.script.span(self.at, self.end);
            self.host.limit(Limit { name: "levels", size: u64::from(LEVELS), span });
            self.at = self.end;
            return Held::unknown(Taint::none(), self.span(start));
        }
        self.level += 1;
        let mut left = self.operand();
        while self.host.step(1) {
            let inside = self.level > 1 && !self.profile.lines;
            self.trivia(inside);
            let Some(operator) = self.operator() else { break };
            self.at += operator.len();
            self.trivia(true);
            let right = self.operand();
            let span = self.span(start);
            left = self.combine(&operator, left, right, span);
        }
        self.level -= 1;
        left
    }

    /// The operator here, where one joins two operands.
    fn operator(&self) -> Option<String> {
        let rest = self.rest();
        if let Some(join) = self.profile.joins.iter().find(|join| rest.starts_with(**join)) {
            let assigns = rest[join.len()..].starts_with('=') || (*join == "+" && rest.starts_with("++"));
            return (!assigns).then(|| join.to_string());
        }
        const SIGNS: &[&str] = &[
            "===", "!==", "==", "!=", "=~", "=>", "<=>", "<=", ">=", "&&", "||", "??", "//", "**", "->", "<", ">", "+", "-",
            "*", "/", "%", "|", "&", "^", "?",
        ];
        if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            return Some(sign.to_string());
        }
        const WORDS: &[&str] =
            &["and", "or", "xor", "if", "else", "unless", "in", "is", "not", "x", "eq", "ne", "instanceof", "rescue"];
        let word: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        WORDS.contains(&word.as_str()).then_some(word)
    }

    fn combine(&mut self, operator: &str, left: Held, right: Held, span: crate::model::Span) -> Held {
        if self.profile.joins.contains(&operator) {
            return match (left, right) {
                (Held::List(mut left), Held::List(right)) => {
                    left.extend(right);
                    Held::List(left)
                }
                (left, right) => Held::Text(joined(&left.word(span), &right.word(span), span)),
            };
        }
        match operator {
            "||" | "or" | "??" | "//" if matches!((&left, &right), (Held::Text(_), Held::Text(_))) => {
                let (mut left, right) = (left.word(span), right.word(span));
                left.values.extend(right.values);
                left.values.truncate(8);
                Held::Text(left)
            }
            "%" => pure::percent(&left, &right, span)
                .unwrap_or_else(|| Held::unknown(left.taint(span).join(&right.taint(span)), span)),
            "*" => pure::repeated(&left, &right, span)
                .unwrap_or_else(|| Held::unknown(left.taint(span).join(&right.taint(span)), span)),
            "->" | "=>" => right,
            _ => Held::unknown(left.taint(span).join(&right.taint(span)), span),
        }
    }

    fn operand(&mut self) -> Held {
        let start = self.at;
        loop {
            self.trivia(false);
            let before = self.at;
            if self.rest().starts_with(['!', '-', '+', '~', '\\', '&', '*']) || self.rest().starts_with("...") {
                let width = if self.rest().starts_with("...") { 3 } else { 1 };
                self.at += width;
            } else if let Some(word) = UNARY.iter().find(|word| self.rest().starts_with(**word)).copied() {
                let at = self.at;
                if !self.keyword(word) || self.rest().trim_start().starts_with(['(', '.', '=']) {
                    self.at = at;
                }
            }
            if self.at == before || !self.host.step(1) {
                break;
            }
        }
        let held = match self.string() {
            Some(mut held) => {
                // Strings side by side are one.
                while self.profile.prefixed {
                    let at = self.at;
                    self.trivia(self.level > 1);
                    let Some(next) = self.string() else {
                        self.at = at;
                        break;
                    };
                    let span = self.span(start);
                    held = Held::Text(joined(&held.word(span), &next.word(span), span));
                }
                held
            }
            None => self.atom(start),
        };
        self.postfix(held, start)
    }

    fn atom(&mut self, start: usize) -> Held {
        let Some(c) = self.peek() else { return Held::unknown(Taint::none(), self.span(start)) };
        match c {
            '0'..='9' => {
                let from = self.at;
                while self.peek().is_some_and(|c| c.is_ascii_alphanumeric() || c == '_') {
                    self.bump();
                }
                Held::known(self.script.text[from..self.at].to_string(), self.script.span(from, self.at))
            }
            '[' => Held::List(self.elements('[', ']').0),
            '(' => {
                let (mut all, _) = self.elements('(', ')');
                self.trivia(false);
                if self.rest().starts_with("=>") {
                    self.at += 2;
                    self.trivia(true);
                    if !self.rest().starts_with('{') {
                        self.expression();
                    }
                    return Held::unknown(Taint::none(), self.span(start));
                }
                if all.len() == 1 { all.swap_remove(0) } else { Held::List(all) }
            }
            '{' => {
                let close = balanced(&self.script.text[..self.end], self.at + 1, '{', '}').unwrap_or(self.end);
                if self.script.text[self.at..close].contains([':', '>']) && !self.script.text[self.at..close].contains(';') {
                    let (all, named) = self.elements('{', '}');
                    drop(all);
                    Held::Object(named)
                } else {
                    let from = self.at + 1;
                    self.within(from, close);
                    self.at = (close + 1).min(self.end);
                    Held::unknown(Taint::none(), self.span(start))
                }
            }
            _ => self.named(start),
        }
    }

    fn named(&mut self, start: usize) -> Held {
        for word in ["function", "lambda", "sub", "fn", "async", "proc"] {
            let at = self.at;
            if self.keyword(word) {
                self.trivia(false);
                if word == "lambda" && self.profile.imports == Imports::Python {
                    while self.peek().is_some_and(|c| c != ':' && c != '\n') {
                        self.bump();
                    }
                    self.bump();
                    return self.expression();
                }
                if self.rest().starts_with('(') && word != "async" {
                    self.parameters();
                }
                self.trivia(false);
                if self.rest().starts_with('{') {
                    let close = balanced(&self.script.text[..self.end], self.at + 1, '{', '}').unwrap_or(self.end);
                    let from = self.at + 1;
                    self.within(from, close);
                    self.at = (close + 1).min(self.end);
                    return Held::unknown(Taint::none(), self.span(start));
                }
                if word != "async" {
                    self.at = at;
                    break;
                }
            }
        }
        let at = self.at;
        match self.identifier().map(str::to_string) {
            Some(name) => match self.names.get(&name) {
                Some(held) => held.clone(),
                None if name.starts_with(['$', '@', '%']) => Held::unknown(Taint::none(), self.span(at)),
                None => Held::Name(name),
            },
            None => Held::unknown(Taint::none(), self.span(start)),
        }
    }

    /// Members, indexes and calls behind an operand.
    fn postfix(&mut self, mut held: Held, start: usize) -> Held {
        while self.host.step(1) {
            let rest = self.rest();
            let member = ["?.", "->", "::", ".", ":"].into_iter().find(|sign| {
                let next = rest.get(sign.len()..).and_then(|rest| rest.chars().next());
                let dotted = *sign != "." || !self.profile.joins.contains(&".");
                let colon = *sign != ":" || self.profile.name == "lua";
                rest.starts_with(*sign) && dotted && colon && next.is_some_and(|c| c.is_alphabetic() || c == '_')
            });
            if let Some(sign) = member {
                self.at += sign.len();
                let name = self.identifier().map(str::to_string).unwrap_or_default();
                held = self.member(held, &name, start);
            } else if rest.starts_with('(') {
                let (arguments, named) = self.elements('(', ')');
                held = self.call_held(held, arguments, named, start);
            } else if rest.starts_with('[') {
                let from = self.at;
                let close = balanced(&self.script.text[..self.end], self.at + 1, '[', ']').unwrap_or(self.end);
                let inside = self.script.text[from + 1..close].trim().to_string();
                let index = if inside.contains(':') && self.profile.prefixed {
                    Held::known(inside.clone(), self.span(from))
                } else {
                    self.within(from + 1, close)
                };
                self.at = (close + 1).min(self.end);
                held = self.indexed(held, &index, start);
            } else if let Held::Name(name) = &held
                && self.begins_bare_call()
            {
                let name = name.clone();
                let mut arguments = Vec::new();
                loop {
                    self.trivia(false);
                    match self.expression() {
                        Held::List(all)
                            if arguments.is_empty()
                                && !self.rest().trim_start().starts_with(',')
                                && self.profile.name == "perl" =>
                        {
                            arguments.extend(all)
                        }
                        one => arguments.push(one),
                    }
                    self.trivia(false);
                    if !self.take(",") || !self.host.step(1) {
                        break;
                    }
                }
                return self.called(&name, arguments, Vec::new(), start);
            } else {
                return held;
            }
        }
        held
    }

    /// Whether arguments without parentheses follow a name.
    fn begins_bare_call(&self) -> bool {
        let rest = self.rest();
        let trimmed = rest.trim_start_matches([' ', '\t']);
        if !self.profile.bare_calls || (rest.len() == trimmed.len() && self.profile.name != "lua") {
            return false;
        }
        let quotes = ["qq", "qw", "qx", "q(", "q{", "%w", "%x", "%q"];
        trimmed.starts_with(['"', '\'', '`'])
            || (self.profile.quote_operators && quotes.iter().any(|open| trimmed.starts_with(open)))
            || (self.profile.sigils && trimmed.starts_with(['$', '@']))
            || (self.profile.name == "ruby" && trimmed.starts_with(|c: char| c.is_ascii_uppercase()))
            || (self.profile.name == "ruby" && trimmed.starts_with('['))
    }

    fn member(&mut self, held: Held, name: &str, start: usize) -> Held {
        if self.rest().starts_with('(') {
            let (arguments, named) = self.elements('(', ')');
            return self.method(held, name, arguments, named, start);
        }
        match held {
            Held::Name(module) => Held::Name(format!("{module}.{name}")),
            Held::Object(fields) => {
                let span = self.span(start);
                let field = fields.into_iter().find(|(key, _)| key == name);
                field.map_or_else(|| Held::unknown(Taint::none(), span), |(_, held)| held)
            }
            // A method without parentheses (`File.read(x).strip`), or a field.
            held => self.method(held, name, Vec::new(), Vec::new(), start),
        }
    }

    fn method(&mut self, on: Held, name: &str, arguments: Vec<Held>, named: Vec<(String, Held)>, start: usize) -> Held {
        let span = self.span(start);
        if let Held::Name(module) = &on {
            let full = format!("{module}.{name}");
            return self.called(&full, arguments, named, start);
        }
        if let Some(held) = pure::method(&on, name, &arguments, span) {
            return held;
        }
        let taint = arguments.iter().fold(on.taint(span), |all, held| all.join(&held.taint(span)));
        match on {
            Held::Made { name: made, arguments: mut given, .. } => {
                given.extend(arguments);
                let Held::Made { name, arguments, text } = self.called(&format!("{made}.{name}"), given, named, start) else {
                    return Held::unknown(taint, span);
                };
                let carried = text.taint().join(&taint);
                Held::Made {
                    name,
                    arguments,
                    text: if text.known().is_some() { text } else { Word::unknown(Origin::Output, carried, span) },
                }
            }
            _ => Held::unknown(taint, span),
        }
    }

    fn call_held(&mut self, held: Held, arguments: Vec<Held>, named: Vec<(String, Held)>, start: usize) -> Held {
        match held {
            Held::Name(name) => self.called(&name, arguments, named, start),
            Held::Made { name, .. } => self.called(&name, arguments, named, start),
            held => Held::unknown(held.taint(self.span(start)), self.span(start)),
        }
    }

    fn indexed(&mut self, held: Held, index: &Held, start: usize) -> Held {
        let span = self.span(start);
        match (&held, index.text()) {
            (Held::Name(module), Some(member)) => Held::Name(format!("{module}.{member}")),
            (Held::List(all), Some(text)) => {
                let at = text.parse::<usize>().ok();
                at.and_then(|at| all.get(at).cloned()).unwrap_or_else(|| self.element_of(&held, start))
            }
            (Held::Text(word), Some(slice)) if slice.replace(' ', "") == "::-1" => match word.known() {
                Some(text) => Held::known(text.chars().rev().collect::<String>(), span),
                None => Held::unknown(word.taint(), span),
            },
            _ => Held::unknown(held.taint(span), span),
        }
    }

    /// Elements between brackets, and those that have names (`key=value`, `key: value`, `key => value`).
    fn elements(&mut self, open: char, close: char) -> (Vec<Held>, Vec<(String, Held)>) {
        let from = self.at + 1;
        let end = balanced(&self.script.text[..self.end], from, open, close).unwrap_or(self.end);
        let resume = self.end;
        self.at = from.min(end);
        self.end = end;
        let (mut all, mut named) = (Vec::new(), Vec::new());
        while self.at < self.end && self.host.step(1) {
            self.trivia(true);
            let before = self.at;
            match self.key() {
                Some(key) => {
                    self.trivia(true);
                    let value = self.expression();
                    named.push((key, value));
                }
                None => {
                    let value = self.expression();
                    self.trivia(true);
                    if self.keyword("for") {
                        self.at = self.end;
                    }
                    match value {
                        Held::Object(fields) if open == '(' => named.extend(fields),
                        value if self.at > before => all.push(value),
                        _ => {}
                    }
                }
            }
            self.trivia(true);
            if !self.take(",") && !self.take(";") && self.at == before {
                self.bump();
            }
        }
        self.end = resume;
        self.at = (end + 1).min(self.end);
        (all, named)
    }

    /// `name=`, `name:`, `"name":`, `name =>` before a value.
    fn key(&mut self) -> Option<String> {
        let at = self.at;
        let identifier = self.identifier().map(str::to_string);
        let name = match identifier {
            Some(name) => Some(name),
            None if self.rest().starts_with(['\'', '"']) => self.string().and_then(|held| held.text()),
            None => None,
        };
        self.trivia(true);
        let rest = self.rest();
        let sign = ["=>", ":", "="].into_iter().find(|sign| rest.starts_with(*sign));
        let compares = ["==", "=~", "::", ":]"].iter().any(|sign| rest.starts_with(*sign));
        match (name, sign) {
            // An arrow function's parameter is no key.
            (Some(_), Some("=>")) if self.profile.imports == Imports::JavaScript => {
                self.at = at;
                None
            }
            (Some(name), Some(sign)) if !compares && (sign != "=" || self.profile.prefixed) => {
                self.at += sign.len();
                Some(name.trim_start_matches(['$', '%']).to_string())
            }
            _ => {
                self.at = at;
                None
            }
        }
    }

    /// A call by name: what the language itself computes, else what the host's declarations say.
    pub(super) fn called(&mut self, name: &str, arguments: Vec<Held>, named: Vec<(String, Held)>, start: usize) -> Held {
        let span = self.span(start);
        let name = name.replace("::", ".").replace("->", ".");
        if let Some(held) = pure::call(&name, &arguments, span) {
            return held;
        }
        let given = |held: &Held| match held {
            Held::List(all) => Given::List(all.iter().map(|one| one.word(span)).collect()),
            held => Given::Text(held.word(span)),
        };
        let call = LibraryCall {
            language: self.profile.name.to_string(),
            name: name.clone(),
            positional: arguments.iter().map(given).collect(),
            named: named.iter().map(|(key, held)| (key.clone(), given(held))).collect(),
            span,
        };
        let text = self.host.call(call, self.state).unwrap_or_else(|| {
            let taint = arguments.iter().fold(Taint::none(), |all, held| all.join(&held.taint(span)));
            Word::unknown(Origin::Output, taint, span)
        });
        Held::Made { name, arguments, text }
    }
}

/// Where the bracket closes that was opened just before `from`; strings are passed over.
pub(super) fn balanced(text: &str, from: usize, open: char, close: char) -> Option<usize> {
    let mut depth = 0usize;
    let mut quote: Option<char> = None;
    let mut escaped = false;
    for (n, c) in text.get(from..)?.char_indices() {
        if escaped {
            escaped = false;
            continue;
        }
        match (quote, c) {
            (_, '\\') => escaped = true,
            (Some(q), c) if c == q => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"' | '`') => quote = Some(c),
            (None, c) if c == open => depth += 1,
            (None, c) if c == close => {
                if depth == 0 {
                    return Some(from + n);
                }
                depth -= 1;
            }
            _ => {}
        }
    }
    None
}
