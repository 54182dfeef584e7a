//! `[[ … ]]`.

use super::super::source::Range;
use super::super::tree::{Form, Test};
use super::Parser;
use super::words::Context;

impl Parser<'_> {
    pub(super) fn test_command(&mut self, start: usize) -> Form {
        self.position += 2;
        let test = self.test_or();
        self.skip_lines();
        if !self.accept_word("]]") {
            // Up to the end of the line, at most, lies what is no test.
            let rest = self.rest().as_bytes();
            let line = super::quotes::memchr(b'\n', rest).unwrap_or(rest.len());
            let inside = &self.text[self.position..self.position + line];
            self.position += inside.find("]]").map_or(line, |at| at + 2);
            self.fault(start);
        }
        Form::Test(test)
    }

    fn test_or(&mut self) -> Test {
        let mut all = vec![self.test_and()];
        loop {
            self.skip_lines();
            if !self.accept("||") {
                return if all.len() == 1 { all.remove(0) } else { Test::Any(all) };
            }
            all.push(self.test_and());
        }
    }

    fn test_and(&mut self) -> Test {
        let mut all = vec![self.test_not()];
        loop {
            self.skip_lines();
            if !self.accept("&&") {
                return if all.len() == 1 { all.remove(0) } else { Test::All(all) };
            }
            all.push(self.test_not());
        }
    }

    fn test_not(&mut self) -> Test {
        if !self.enter() {
            return Test::Unknown;
        }
        self.skip_lines();
        let test = if self.accept_word("!") {
            Test::Not(Box::new(self.test_not()))
        } else if self.peek() == Some(b'(') {
            self.position += 1;
            let inner = self.test_or();
            self.skip_lines();
            let at = self.position;
            if !self.accept(")") {
                self.fault(at);
            }
            inner
        } else {
            self.test_primary()
        };
        self.leave();
        test
    }

    fn test_primary(&mut self) -> Test {
        let word = self.bare_word();
        if word == "]]" || self.peek().is_none() {
            return Test::Unknown;
        }
        let bytes = word.as_bytes();
        if bytes.len() == 2 && bytes[0] == b'-' && bytes[1].is_ascii_alphabetic() {
            let at = self.position;
            self.position += 2;
            let operator = self.range(at);
            self.skip_blanks();
            if self.bare_word() != "]]" && !matches!(self.peek(), None | Some(b')' | b'&' | b'|' | b'\n')) {
                return Test::Unary(operator, self.word(Context::Plain));
            }
            self.position = at;
        }
        let left = self.word(Context::Plain);
        if left.at.is_empty() {
            return Test::Unknown;
        }
        self.skip_lines();
        match self.binary_operator() {
            Some(operator) => {
                self.skip_lines();
                let regex = self.text[operator.start as usize..operator.end as usize] == *"=~";
                let right = self.word(if regex { Context::Regex } else { Context::Plain });
                Test::Binary(left, operator, right)
            }
            None => Test::Word(left),
        }
    }

    fn binary_operator(&mut self) -> Option<Range> {
        let at = self.position;
        let word = self.bare_word();
        let length = match word {
            "=" | "==" | "!=" | "=~" | "-eq" | "-ne" | "-lt" | "-le" | "-gt" | "-ge" | "-nt" | "-ot" | "-ef" => word.len(),
            "" if matches!(self.peek(), Some(b'<' | b'>')) => 1,
            _ => return None,
        };
        self.position += length;
        Some(self.range(at))
    }
}
