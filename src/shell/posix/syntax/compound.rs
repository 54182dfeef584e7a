//! Compound commands: what begins with a reserved word or a parenthesis.

use std::sync::Arc;

use super::super::source::Range;
use super::super::tree::*;
use super::words::Context;
use super::{Parser, Until};

const DONE: Until = Until::words(&["done"]);
const BRACE: Until = Until::words(&["}"]);

impl Parser<'_> {
    /// The compound command that begins here, if one does.
    pub(super) fn compound(&mut self) -> Option<Form> {
        let start = self.position;
        if self.peek() == Some(b'(') {
            if self.looking_at("((") && self.closes_twice(start + 2) {
                self.position += 2;
                let word = self.word(Context::Arithmetic { semicolon: false });
                self.accept("))");
                return Some(Form::Arithmetic(word));
            }
            self.position += 1;
            return Some(Form::Subshell(self.parenthesised(start)));
        }
        let word = self.bare_word();
        let parse: fn(&mut Self, usize) -> Form = match word {
            "{" => Self::group,
            "if" => Self::conditional,
            "while" | "until" => Self::repeated,
            "for" => Self::for_each,
            "select" => Self::for_each,
            "case" => Self::case,
            "function" => Self::function,
            "[[" => Self::test_command,
            "coproc" => Self::coprocess,
            _ => return None,
        };
        // A level for the parts of the command that are no lists.
        if !self.enter() {
            return Some(Form::Group(List::default()));
        }
        let form = parse(self, start);
        self.leave();
        Some(form)
    }

    fn close(&mut self, start: usize, word: &str) {
        self.skip_blanks();
        if !self.accept_word(word) {
            self.fault(start);
        }
    }

    fn group(&mut self, start: usize) -> Form {
        self.position += 1;
        let list = self.list(BRACE);
        self.close(start, "}");
        Form::Group(list)
    }

    fn conditional(&mut self, start: usize) -> Form {
        let mut branches = Vec::new();
        let mut otherwise = List::default();
        self.position += 2;
        loop {
            let condition = self.list(Until::words(&["then"]));
            if !self.accept_word("then") {
                self.fault(start);
                branches.push((condition, List::default()));
                return Form::If(branches, otherwise);
            }
            let body = self.list(Until::words(&["elif", "else", "fi"]));
            branches.push((condition, body));
            if self.accept_word("elif") {
                continue;
            }
            if self.accept_word("else") {
                otherwise = self.list(Until::words(&["fi"]));
            }
            self.close(start, "fi");
            return Form::If(branches, otherwise);
        }
    }

    fn repeated(&mut self, start: usize) -> Form {
        let until = self.accept_word("until");
        if !until {
            self.accept_word("while");
        }
        let condition = self.list(Until::words(&["do"]));
        let body = self.loop_body(start);
        Form::Loop { until, condition, body }
    }

    /// `do … done`, or `{ … }`.
    fn loop_body(&mut self, start: usize) -> List {
        self.skip_lines();
        if self.accept_word("do") {
            let body = self.list(DONE);
            self.close(start, "done");
            body
        } else if self.accept_word("{") {
            let body = self.list(BRACE);
            self.close(start, "}");
            body
        } else {
            self.fault(start);
            List::default()
        }
    }

    fn for_each(&mut self, start: usize) -> Form {
        let select = self.accept_word("select");
        if !select {
            self.accept_word("for");
        }
        self.skip_blanks();
        if !select && self.looking_at("((") {
            return self.for_arithmetic(start);
        }
        let at = self.position;
        while self.peek().is_some_and(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
            self.position += 1;
        }
        let name = self.range(at);
        self.skip_lines();
        let words = if self.accept_word("in") {
            Some(self.words_to_line_end())
        } else if self.peek() == Some(b'(') {
            // zsh: `for x (a b)`.
            self.position += 1;
            let words = self.words_to_line_end();
            self.accept(")");
            Some(words)
        } else {
            None
        };
        self.skip_lines();
        if self.peek() == Some(b';') {
            self.position += 1;
        }
        let body = self.loop_body(start);
        Form::For { name, words, body, select }
    }

    fn words_to_line_end(&mut self) -> Vec<Word> {
        let mut words = Vec::new();
        loop {
            self.skip_blanks();
            self.skip_comment();
            match self.peek() {
                None | Some(b'\n' | b';' | b')' | b'&' | b'|' | b'(') => return words,
                Some(_) => {
                    let before = self.position;
                    let word = self.word(Context::Plain);
                    if self.position == before {
                        self.advance_character();
                        self.fault(before);
                    } else {
                        words.push(word);
                    }
                }
            }
        }
    }

    fn for_arithmetic(&mut self, start: usize) -> Form {
        self.position += 2;
        let context = Context::Arithmetic { semicolon: true };
        let first = self.word(context);
        self.accept(";");
        let condition = self.word(context);
        self.accept(";");
        let step = self.word(context);
        if !self.accept("))") {
            self.fault(start);
        }
        self.skip_lines();
        if self.peek() == Some(b';') {
            self.position += 1;
        }
        let body = self.loop_body(start);
        Form::ForArithmetic { start: first, condition, step, body }
    }

    fn case(&mut self, start: usize) -> Form {
        self.accept_word("case");
        self.skip_blanks();
        let subject = self.word(Context::Plain);
        self.skip_lines();
        if !self.accept_word("in") {
            self.fault(start);
        }
        let mut arms = Vec::new();
        loop {
            self.skip_lines();
            if self.peek().is_none() || self.bare_word() == "esac" {
                break;
            }
            let before = self.position;
            if let Some(arm) = self.arm() {
                arms.push(arm);
            }
            if self.position == before {
                self.advance_character();
                self.fault(before);
            }
        }
        self.close(start, "esac");
        Form::Case { subject, arms }
    }

    fn arm(&mut self) -> Option<Arm> {
        let start = self.position;
        self.accept("(");
        let mut patterns = Vec::new();
        loop {
            self.skip_blanks();
            patterns.push(self.word(Context::Pattern));
            self.skip_blanks();
            if !self.accept("|") {
                break;
            }
        }
        if !self.accept(")") {
            self.fault(start);
            return None;
        }
        let body = self.list(Until { arm: true, ..Until::words(&["esac"]) });
        let end = if self.accept(";;&") {
            ArmEnd::Test
        } else if self.accept(";&") {
            ArmEnd::Fall
        } else {
            self.accept(";;");
            ArmEnd::Break
        };
        Some(Arm { patterns, body, end })
    }

    fn function(&mut self, start: usize) -> Form {
        self.accept_word("function");
        self.skip_blanks();
        let name = self.word(Context::Plain).at;
        if name.is_empty() {
            self.fault(start);
        }
        self.skip_blanks();
        if self.peek() == Some(b'(') {
            self.position += 1;
            self.skip_blanks();
            if !self.accept(")") {
                self.position = self.position.saturating_sub(1).max(name.end as usize);
            }
        }
        self.skip_lines();
        let body = self.command();
        Form::Function { name, body: Arc::new(body) }
    }

    /// `name ( )`: the position is at the parenthesis.
    pub(super) fn function_of(&mut self, name: Range) -> Option<Form> {
        let start = self.position;
        self.position += 1;
        self.skip_blanks();
        if !self.accept(")") {
            self.position = start;
            return None;
        }
        self.skip_lines();
        if !self.enter() {
            return None;
        }
        let body = self.command();
        self.leave();
        Some(Form::Function { name, body: Arc::new(body) })
    }

    fn coprocess(&mut self, _start: usize) -> Form {
        self.accept_word("coproc");
        self.skip_blanks();
        // `coproc NAME compound`
        let before = self.position;
        let name = self.bare_word();
        let begins = |word: &str| matches!(word, "{" | "if" | "while" | "until" | "for" | "case" | "select" | "[[");
        if !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') && !begins(name) {
            self.position += name.len();
            self.skip_blanks();
            if !begins(self.bare_word()) && self.peek() != Some(b'(') {
                self.position = before;
            }
        }
        Form::Coprocess { body: Box::new(self.command()) }
    }
}
