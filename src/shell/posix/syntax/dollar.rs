//! What begins with `$`: parameters, substitutions, arithmetic, two kinds of quotes.

use super::super::source::Range;
use super::super::tree::*;
use super::words::Context;
use super::{Parser, Until};

impl Parser<'_> {
    pub(super) fn dollar(&mut self, context: Context, word: &mut Word) {
        let start = self.position;
        let double = matches!(context, Context::Double | Context::Document { .. } | Context::Brace { double: true, .. });
        // A backslash before the end of a line is gone before anything else is looked at.
        while self.peek_at(1) == Some(b'\\') && self.peek_at(2) == Some(b'\n') {
            self.position += 2;
        }
        let sign = self.position;
        match self.peek_at(1) {
            Some(b'(') if self.peek_at(2) == Some(b'(') && self.closes_twice(sign + 3) => {
                self.position += 3;
                self.count();
                let part = self.arithmetic_part(start, "))");
                word.parts.push(part);
            }
            Some(b'(') => {
                self.position += 2;
                self.count();
                let list = self.parenthesised(start);
                word.parts.push(Part::Command(Box::new(list), self.range(start)));
            }
            Some(b'[') if !matches!(context, Context::Regex) => {
                self.position += 2;
                let part = self.arithmetic_part(start, "]");
                word.parts.push(part);
            }
            Some(b'{') => {
                self.position += 2;
                self.count();
                let part = self.braced_parameter(start, double);
                word.parts.push(part);
            }
            Some(b'\'') if !double => {
                self.position += 2;
                let inner = self.ansi_quoted();
                word.parts.push(Part::Ansi(inner));
            }
            Some(b'"') if !double => {
                self.position += 2;
                let part = self.double_quoted(sign + 1);
                word.parts.push(part);
            }
            Some(byte) if is_name_start(byte) => {
                self.position += 1;
                self.count();
                let at = self.position;
                loop {
                    while self.peek().is_some_and(is_name) {
                        self.position += 1;
                    }
                    // The name goes on behind the lines' ends.
                    let mut after = 0;
                    while self.peek_at(after) == Some(b'\\') && self.peek_at(after + 1) == Some(b'\n') {
                        after += 2;
                    }
                    if after == 0 || !self.peek_at(after).is_some_and(is_name) {
                        break;
                    }
                    self.position += after;
                }
                let name = self.range(at);
                word.parts.push(plain_parameter(name, self.range(start)));
            }
            Some(b'@' | b'*' | b'#' | b'?' | b'-' | b'$' | b'!' | b'0'..=b'9') => {
                self.position += 2;
                self.count();
                word.parts.push(plain_parameter(Range::new(sign + 1, sign + 2), self.range(start)));
            }
            _ => {
                self.position += 1;
                match word.parts.last_mut() {
                    Some(Part::Literal(last)) if last.end as usize == start => last.end += 1,
                    _ => word.parts.push(Part::Literal(self.range(start))),
                }
            }
        }
    }

    /// Commands up to `)`, which is consumed.
    pub(super) fn parenthesised(&mut self, start: usize) -> List {
        // The here-documents of the surrounding command wait until its own line ends.
        let waiting = std::mem::take(&mut self.pending);
        let list = self.list(Until::PARENTHESIS);
        if !self.pending.is_empty() {
            self.read_documents();
        }
        self.pending = waiting;
        if !self.accept(")") {
            self.fault(start);
        }
        list
    }

    fn arithmetic_part(&mut self, start: usize, close: &str) -> Part {
        let context = if close == "]" { Context::Subscript } else { Context::Arithmetic { semicolon: false } };
        let word = if self.enter() {
            let word = self.word(context);
            self.leave();
            word
        } else {
            Word::default()
        };
        if !self.accept(close) {
            self.fault(start);
        }
        Part::Arithmetic(Box::new(word), self.range(start))
    }

    /// Whether the parenthesis that is open at a position closes with `))`, so that `((` is arithmetic.
    pub(super) fn closes_twice(&mut self, from: usize) -> bool {
        let mut depth = 1usize;
        let mut at = from;
        while at < self.limit && self.lookahead > 0 {
            self.lookahead -= 1;
            match self.bytes[at] {
                b'(' => depth += 1,
                b')' => {
                    depth -= 1;
                    if depth == 0 {
                        return self.bytes.get(at + 1) == Some(&b')') && at + 1 < self.limit;
                    }
                }
                b'\\' => at += 1,
                quote @ (b'\'' | b'"') => {
                    let rest = &self.bytes[at + 1..self.limit];
                    let length = super::quotes::memchr(quote, rest).unwrap_or(rest.len());
                    self.lookahead = self.lookahead.saturating_sub(length);
                    at += length + 1;
                }
                _ => {}
            }
            at += 1;
        }
        false
    }

    /// After `${`.
    fn braced_parameter(&mut self, start: usize, double: bool) -> Part {
        if !self.enter() {
            return plain_parameter(Range::default(), self.range(start));
        }
        let parameter = self.parameter(start, double);
        self.leave();
        Part::Parameter(Box::new(parameter))
    }

    fn parameter(&mut self, start: usize, double: bool) -> Parameter {
        let mut length = false;
        let mut indirect = false;
        if self.peek() == Some(b'#') && !matches!(self.peek_at(1), None | Some(b'}' | b':' | b'%' | b'=' | b'+' | b'/')) {
            // `${#}` is the count, `${#-}` and its like are rare enough to be read as lengths.
            length = true;
            self.position += 1;
        } else if self.peek() == Some(b'!')
            && self
                .peek_at(1)
                .is_some_and(|byte| is_name_start(byte) || byte.is_ascii_digit() || matches!(byte, b'@' | b'*' | b'#'))
        {
            indirect = true;
            self.position += 1;
        }
        let name = self.parameter_name();
        let subscript = if !name.is_empty() && self.accept("[") { self.subscript() } else { Subscript::None };
        let operator = if length { Some(Operator::Length) } else { self.operator(double, indirect) };
        if !self.accept("}") {
            // Of another shell (`${(f)x}`), or broken: up to the brace, whatever is in it.
            let before = self.position;
            self.word(Context::Brace { double, stop: None });
            if !self.accept("}") {
                self.fault(start);
            }
            let operator = if before < self.position { Some(Box::new(Operator::Unknown)) } else { operator.map(Box::new) };
            return Parameter { name, indirect, subscript, operator, at: self.range(start) };
        }
        Parameter { name, indirect, subscript, operator: operator.map(Box::new), at: self.range(start) }
    }

    fn parameter_name(&mut self) -> Range {
        let at = self.position;
        match self.peek() {
            Some(byte) if is_name_start(byte) => {
                while self.peek().is_some_and(is_name) {
                    self.position += 1;
                }
            }
            Some(b'0'..=b'9') => {
                while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
                    self.position += 1;
                }
            }
            Some(b'@' | b'*' | b'#' | b'?' | b'-' | b'$' | b'!') => self.position += 1,
            _ => {}
        }
        self.range(at)
    }

    fn subscript(&mut self) -> Subscript {
        if self.accept("@]") {
            return Subscript::Each;
        }
        if self.accept("*]") {
            return Subscript::Joined;
        }
        let word = self.word(Context::Subscript);
        self.accept("]");
        Subscript::Index(Box::new(word))
    }

    fn operator(&mut self, double: bool, indirect: bool) -> Option<Operator> {
        let value = Context::Brace { double, stop: None };
        let pattern = Context::Brace { double: false, stop: None };
        let byte = self.peek()?;
        self.position += 1;
        Some(match byte {
            b'}' => {
                self.position -= 1;
                return None;
            }
            b':' if matches!(self.peek(), Some(b'-' | b'=' | b'?' | b'+')) => {
                let kind = self.bytes[self.position];
                self.position += 1;
                Operator::Default { kind, colon: true, word: self.word(value) }
            }
            b'-' | b'=' | b'?' | b'+' => Operator::Default { kind: byte, colon: false, word: self.word(value) },
            b':' => {
                let offset = self.word(Context::Brace { double: true, stop: Some(b':') });
                let length = self.accept(":").then(|| self.word(Context::Brace { double: true, stop: None }));
                Operator::Substring { offset, length }
            }
            b'#' | b'%' => {
                let longest = self.peek() == Some(byte);
                if longest {
                    self.position += 1;
                }
                Operator::Trim { end: byte == b'%', longest, pattern: self.word(pattern) }
            }
            b'/' => self.replacement(double),
            b'^' | b',' | b'~' => {
                let all = self.peek() == Some(byte);
                if all {
                    self.position += 1;
                }
                let word = self.word(pattern);
                Operator::Case { kind: byte, all, pattern: (!word.at.is_empty()).then_some(word) }
            }
            b'@' | b'*' if indirect && self.peek() == Some(b'}') => Operator::Names,
            b'@' => {
                let kind = self.peek().unwrap_or(0);
                if kind != b'}' && kind.is_ascii_alphabetic() {
                    self.position += 1;
                }
                Operator::Transform(kind)
            }
            _ => {
                self.position -= 1;
                self.word(value);
                Operator::Unknown
            }
        })
    }

    fn replacement(&mut self, double: bool) -> Operator {
        let mut all = false;
        let mut anchor = Anchor::None;
        match self.peek() {
            Some(b'/') => all = true,
            Some(b'#') => anchor = Anchor::Start,
            Some(b'%') => anchor = Anchor::End,
            _ => {}
        }
        if all || anchor != Anchor::None {
            self.position += 1;
        }
        let pattern = self.word(Context::Brace { double: false, stop: Some(b'/') });
        let _ = double;
        let with = self.accept("/").then(|| self.word(Context::Brace { double: false, stop: None }));
        Operator::Replace { all, anchor, pattern, with }
    }
}

fn plain_parameter(name: Range, at: Range) -> Part {
    Part::Parameter(Box::new(Parameter { name, indirect: false, subscript: Subscript::None, operator: None, at }))
}

fn is_name_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_'
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}
