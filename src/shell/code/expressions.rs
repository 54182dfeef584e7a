//! Expressions: operands, what joins them, what follows them (members, calls, indices).

use super::functions;
use super::lexis::Means;
use super::tokens::{Kind, Part, tokens};
use super::value::{Value, concatenated, either, made};
use super::walk::{DEPTH, Walk};
use crate::model::{Piece, Span, Taint, Value as TextValue, Word};

impl Walk<'_, '_> {
    /// The value of the expression here. Takes at least nothing: the caller steps over what it does not take.
    pub(super) fn expression(&mut self) -> Value {
        if self.depth >= DEPTH || !self.library.step(1) {
            self.skip_brackets();
            return Value::unknown(Span::default());
        }
        self.depth += 1;
        let value = self.operators();
        self.depth -= 1;
        value
    }

    fn operators(&mut self) -> Value {
        let mut left = self.operand();
        loop {
            let Some(token) = self.tokens.get(self.at) else { return left };
            let operator = match token.kind {
                Kind::Symbol | Kind::Name => self.text(token).to_string(),
                Kind::Text(..) if self.lexis.prefixes => {
                    // Texts side by side are one.
                    let right = self.operand();
                    left = self.joined(&left, &right);
                    continue;
                }
                _ => return left,
            };
            match operator.as_str() {
                join if self.lexis.joins.contains(&join) => {
                    self.at += 1;
                    let right = self.operand();
                    left = self.joined(&left, &right);
                }
                "%" if matches!(left, Value::Text(_)) => {
                    self.at += 1;
                    let right = self.operand();
                    let Value::Text(template) = &left else { continue };
                    let arguments = match right {
                        Value::List(all, _) => all,
                        other => vec![other],
                    };
                    left = Value::Text(functions::percent(template, &arguments, template.span));
                }
                "||" | "??" | "or" | "|" | "&&" | "and" => {
                    self.at += 1;
                    let right = self.operand();
                    left = either(left, right);
                }
                "?" => {
                    self.at += 1;
                    let first = self.expression();
                    self.accept(":");
                    let second = self.expression();
                    left = either(first, second);
                }
                "if" if self.lexis.name == "python" => {
                    self.at += 1;
                    self.expression();
                    if self.accept("else") {
                        let other = self.expression();
                        left = either(left, other);
                    }
                }
                "=>" if self.lexis.name == "javascript" => {
                    // A function without a name: its body is walked.
                    self.at += 1;
                    self.expression();
                    left = Value::unknown(left.span());
                }
                "+" => {
                    self.at += 1;
                    let right = self.operand();
                    left = match (&left, &right) {
                        (Value::Number(a, span), Value::Number(b, _)) => Value::Number(a.saturating_add(*b), *span),
                        _ => opaque(&left, &right),
                    };
                }
                "-" | "*" | "/" | "%" | "//" | "**" | "<" | ">" | "<=" | ">=" | "==" | "===" | "!=" | "!==" | "=~" | "!~"
                | "&" | "^" | "<<" | ">>" | "<=>" | ".." | "..." | "in" | "is" | "eq" | "ne" | "instanceof" | "=" | "x" => {
                    self.at += 1;
                    let right = self.operand();
                    left = match (&left, operator.as_str(), &right) {
                        (Value::Text(word), "*" | "x", Value::Number(..)) => {
                            functions::method(&Value::Text(word.clone()), "repeat", std::slice::from_ref(&right), word.span)
                                .unwrap_or_else(|| opaque(&left, &right))
                        }
                        (Value::Number(a, span), "-", Value::Number(b, _)) => Value::Number(a.saturating_sub(*b), *span),
                        (Value::Number(a, span), "*", Value::Number(b, _)) => Value::Number(a.saturating_mul(*b), *span),
                        (Value::Number(a, span), "^", Value::Number(b, _)) => Value::Number(a ^ b, *span),
                        _ => opaque(&left, &right),
                    };
                }
                _ => return left,
            }
        }
    }

    /// Both in a row.
    pub(super) fn joined(&self, left: &Value, right: &Value) -> Value {
        match (left, right) {
            (Value::List(a, span), Value::List(b, _)) => Value::List(a.iter().chain(b).cloned().collect(), *span),
            (Value::List(a, span), b) if self.lexis.name == "ruby" => {
                Value::List(a.iter().cloned().chain([b.clone()]).collect(), *span)
            }
            (Value::Number(a, span), Value::Number(b, _)) => Value::Number(a.saturating_add(*b), *span),
            (left @ (Value::Text(_) | Value::Number(..)), right) => {
                Value::Text(concatenated(&left.word(left.span()), &right.word(right.span())))
            }
            (left, Value::Text(right)) => Value::Text(concatenated(&left.word(left.span()), right)),
            (left, right) => opaque(left, right),
        }
    }

    /// An operand with what stands before it and what follows it.
    fn operand(&mut self) -> Value {
        if self.depth >= DEPTH || !self.library.step(1) {
            return Value::unknown(Span::default());
        }
        self.depth += 1;
        let value = self.prefixed();
        self.depth -= 1;
        value
    }

    fn prefixed(&mut self) -> Value {
        let Some(token) = self.tokens.get(self.at) else { return Value::unknown(Span::default()) };
        let span = self.span_of(token);
        match token.kind.clone() {
            Kind::Text(parts, means) => {
                self.at += 1;
                let text = self.literal(&parts, span);
                let value = match means {
                    Means::Text => Value::Text(text),
                    Means::Command => Value::Unknown(self.library.command(self.lexis.name, &text), span),
                    Means::Words => functions::method(&Value::Text(text), "split", &[], span).unwrap_or(Value::unknown(span)),
                };
                self.suffixed(value)
            }
            Kind::Number => {
                let number = number(self.text(token));
                self.at += 1;
                self.suffixed(Value::Number(number, span))
            }
            Kind::Hole => {
                let taint = self.source.hole(token.start).map(|hole| hole.taint.clone()).unwrap_or_default();
                self.at += 1;
                self.suffixed(Value::Unknown(taint, span))
            }
            Kind::Regex => {
                self.at += 1;
                self.suffixed(Value::unknown(span))
            }
            Kind::Line => Value::unknown(span),
            Kind::Name => self.named(span),
            Kind::Symbol => self.symbol(span),
        }
    }

    fn symbol(&mut self, span: Span) -> Value {
        match self.ahead(0) {
            "(" => {
                self.at += 1;
                let (items, commas) = self.items(")");
                let value = match items.len() {
                    1 if !commas => items.into_iter().next().unwrap_or(Value::unknown(span)),
                    _ => Value::List(items, span),
                };
                self.suffixed(value)
            }
            "[" => {
                self.at += 1;
                let (items, _) = self.items("]");
                self.suffixed(Value::List(items, span))
            }
            "{" => {
                let value = self.braces(span);
                self.suffixed(value)
            }
            "!" | "-" | "+" | "~" | "&" | "\\" | "@" | "*" | "..." | "**" | "++" | "--" | "$" | "::" => {
                let minus = self.ahead(0) == "-";
                self.at += 1;
                match self.operand() {
                    Value::Number(number, span) if minus => Value::Number(-number, span),
                    other => other,
                }
            }
            _ => Value::unknown(span),
        }
    }

    /// The expressions up to the closing bracket, and whether a comma stood between them.
    pub(super) fn items(&mut self, close: &str) -> (Vec<Value>, bool) {
        let mut all = Vec::new();
        let mut commas = false;
        self.comprehension();
        while !self.done() {
            if self.accept(close) {
                break;
            }
            let before = self.at;
            if self.accept(",") {
                commas = true;
                continue;
            }
            if self.tokens[self.at].kind == Kind::Line || self.accept(";") {
                self.at += usize::from(self.at == before);
                continue;
            }
            let spread = matches!(self.ahead(0), "..." | "*" | "@");
            match self.expression() {
                Value::List(items, _) if spread => all.extend(items),
                value if self.at > before => all.push(value),
                _ => self.at += 1,
            }
        }
        (all, commas)
    }

    /// `{a: 1}`, `{"a" => 1}`; or a block, whose statements are walked.
    fn braces(&mut self, span: Span) -> Value {
        let behind = self.ahead(2);
        let key =
            self.tokens.get(self.at + 1).is_some_and(|token| matches!(token.kind, Kind::Name | Kind::Text(..) | Kind::Number));
        let pairs =
            key && (matches!(behind, ":" | "=>" | "=") || (matches!(behind, "," | "}") && self.lexis.name == "javascript"));
        self.at += 1;
        if self.accept("}") {
            return Value::Fields(Vec::new(), span);
        }
        if !pairs && self.ahead(0) != "..." {
            // A block, or a set.
            while !self.done() && !self.accept("}") {
                let before = self.at;
                if self.ahead(0) == "|" {
                    // Ruby's parameters of a block.
                    self.at += 1;
                    while !self.done() && !self.accept("|") {
                        self.at += 1;
                    }
                    continue;
                }
                self.statement();
                if self.at == before {
                    self.at += 1;
                }
            }
            return Value::unknown(span);
        }
        let mut fields = Vec::new();
        while !self.done() && !self.accept("}") {
            let before = self.at;
            if let Some(name) = self.key() {
                if self.accept(":") || self.accept("=>") || self.accept("=") {
                    let value = self.expression();
                    fields.push((name, value));
                } else {
                    let value = self.names.get(&name).cloned().unwrap_or(Value::Name(name.clone(), span));
                    fields.push((name, value));
                }
            } else {
                self.at += 1;
            }
            if self.at == before {
                self.at += 1;
            }
        }
        Value::Fields(fields, span)
    }

    fn key(&mut self) -> Option<String> {
        if self.is_name(0) {
            let name = self.ahead(0).to_string();
            self.at += 1;
            return Some(name);
        }
        self.plain_text()
    }

    /// The text of a literal, its embedded code evaluated.
    pub(super) fn literal(&mut self, parts: &[Part], span: Span) -> Word {
        let mut word = Word { values: vec![TextValue::default()], span, computed: false };
        for part in parts {
            let more = match part {
                Part::Plain(from, to) => {
                    let pieces = self.source.pieces(*from, *to);
                    Word { values: vec![TextValue { pieces }], span, computed: false }
                }
                Part::Escaped(meant, from, to) => {
                    let at = self.source.span(*from, *to);
                    made(meant.to_string(), at, false)
                }
                Part::Hole(at) => match self.source.hole(*at) {
                    Some(hole) => {
                        Word { values: vec![TextValue { pieces: vec![Piece::Hole(hole.clone())] }], span, computed: false }
                    }
                    None => continue,
                },
                Part::Code(from, to) => {
                    let at = self.source.span(*from, *to);
                    self.embedded(*from, *to).word(at)
                }
            };
            word = Word { span, ..concatenated(&word, &more) };
        }
        word
    }

    /// The value of code within a text.
    fn embedded(&mut self, from: usize, to: usize) -> Value {
        let span = self.source.span(from, to);
        if self.nesting >= 8 {
            return Value::unknown(span);
        }
        let inner = tokens(self.source, self.lexis, from, to);
        let outer = std::mem::replace(&mut self.tokens, inner);
        let at = std::mem::replace(&mut self.at, 0);
        self.nesting += 1;
        let value = self.expression();
        self.nesting -= 1;
        self.tokens = outer;
        self.at = at;
        value
    }
}

/// What nobody can tell of two values.
fn opaque(left: &Value, right: &Value) -> Value {
    let taint: Taint = left.taint().join(&right.taint());
    Value::Unknown(taint, left.span())
}

fn number(text: &str) -> i64 {
    let text = text.replace('_', "");
    let of = |digits: &str, radix| i64::from_str_radix(digits, radix).unwrap_or(0);
    match text.get(..2) {
        Some("0x" | "0X") => of(&text[2..], 16),
        Some("0b" | "0B") => of(&text[2..], 2),
        Some("0o" | "0O") => of(&text[2..], 8),
        _ => of(&text, 10),
    }
}
