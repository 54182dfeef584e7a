//! Lists, pipelines, simple commands, redirections.

use super::super::source::Range;
use super::super::tree::*;
use super::words::Context;
use super::{Parser, Until};

/// Words that end or divide compound commands; where nothing waits for them they are faults.
const STRAYS: [&str; 9] = ["then", "else", "elif", "fi", "do", "done", "esac", "}", "]]"];

/// Builtins whose arguments may be assignments, by the shell's own grammar.
const DECLARING: [&str; 6] = ["declare", "typeset", "local", "export", "readonly", "integer"];

impl Parser<'_> {
    /// Commands up to what ends them, which is not consumed.
    pub(super) fn list(&mut self, until: Until) -> List {
        let mut list = List::default();
        if !self.enter() {
            return list;
        }
        loop {
            self.skip_lines();
            let Some(byte) = self.peek() else { break };
            match byte {
                b')' => {
                    if until.parenthesis {
                        break;
                    }
                    self.skip_fault(1);
                }
                b';' if matches!(self.peek_at(1), Some(b';' | b'&')) => {
                    if until.arm {
                        break;
                    }
                    self.skip_fault(2);
                }
                b';' => self.skip_fault(1),
                b'&' | b'|' if self.peek_at(1) != Some(b'>') => {
                    let length = if self.peek_at(1) == Some(byte) { 2 } else { 1 };
                    self.skip_fault(length);
                }
                _ => {
                    let word = self.bare_word();
                    if until.words.contains(&word) {
                        break;
                    }
                    if STRAYS.contains(&word) {
                        self.skip_fault(word.len());
                        continue;
                    }
                    self.item(&mut list);
                }
            }
        }
        self.leave();
        list
    }

    fn skip_fault(&mut self, length: usize) {
        let start = self.position;
        self.position = (self.position + length).min(self.limit);
        self.fault(start);
    }

    fn item(&mut self, list: &mut List) {
        let start = self.position;
        let first = self.pipeline();
        let mut rest = Vec::new();
        loop {
            self.skip_blanks();
            let connector = if self.accept("&&") {
                Connector::And
            } else if self.accept("||") {
                Connector::Or
            } else {
                break;
            };
            self.skip_lines();
            if self.peek().is_none_or(|byte| matches!(byte, b')' | b';' | b'|' | b'&')) {
                self.fault(start.max(self.position.saturating_sub(2)));
                break;
            }
            rest.push((connector, self.pipeline()));
        }
        let mut background = false;
        match self.peek() {
            Some(b'&') if self.peek_at(1) != Some(b'&') => {
                self.position += 1;
                background = true;
                // zsh: `&|`, `&!`.
                if matches!(self.peek(), Some(b'|' | b'!')) && matches!(self.peek_at(1), None | Some(b' ' | b'\n' | b';')) {
                    self.position += 1;
                }
            }
            Some(b';') if !matches!(self.peek_at(1), Some(b';' | b'&')) => self.position += 1,
            _ => {}
        }
        list.items.push(Item { first, rest, background });
        if self.position == start {
            // Nothing could be read: never stand still.
            self.advance_character();
            self.fault(start);
        }
    }

    fn pipeline(&mut self) -> Pipeline {
        let mut negated = false;
        loop {
            self.skip_blanks();
            if self.accept_word("!") {
                negated = !negated;
            } else if self.accept_word("time") {
                self.skip_blanks();
                self.accept_word("-p");
                self.skip_blanks();
                self.accept_word("--");
            } else {
                break;
            }
        }
        let mut commands = vec![self.command()];
        loop {
            self.skip_blanks();
            if self.peek() != Some(b'|') || self.peek_at(1) == Some(b'|') {
                break;
            }
            let start = self.position;
            self.position += 1;
            if self.peek() == Some(b'&') {
                self.position += 1;
            }
            self.skip_lines();
            if self.peek().is_none_or(|byte| matches!(byte, b')' | b';' | b'|' | b'&')) {
                self.fault(start);
                break;
            }
            commands.push(self.command());
        }
        Pipeline { negated, commands }
    }

    pub(super) fn command(&mut self) -> Command {
        self.skip_blanks();
        let start = self.position;
        let form = match self.compound() {
            Some(form) => form,
            None => return self.simple(start),
        };
        let mut redirections = Vec::new();
        if !matches!(form, Form::Function { .. } | Form::Coprocess { .. }) {
            self.redirections(&mut redirections);
        }
        Command { form, redirections, at: self.range(start) }
    }

    fn redirections(&mut self, all: &mut Vec<Redirection>) {
        loop {
            self.skip_blanks();
            match self.redirection() {
                Some(redirection) => all.push(redirection),
                None => return,
            }
        }
    }

    fn simple(&mut self, start: usize) -> Command {
        let mut simple = Simple::default();
        let mut redirections = Vec::new();
        let mut end = start;
        let mut declaring = false;
        loop {
            self.skip_blanks();
            let Some(byte) = self.peek() else { break };
            match byte {
                b'\n' | b';' | b')' | b'|' => break,
                b'#' => {
                    self.skip_comment();
                    break;
                }
                b'&' if self.peek_at(1) != Some(b'>') => break,
                b'(' => {
                    if let ([word], true, []) =
                        (simple.words.as_slice(), simple.assignments.is_empty(), redirections.as_slice())
                        && let Some(form) = self.function_of(word.at)
                    {
                        return Command { form, redirections, at: self.range(start) };
                    }
                    // No shell has this here; what stands within is still seen.
                    self.stray_parenthesis();
                    end = self.position;
                    continue;
                }
                _ => {}
            }
            if let Some(redirection) = self.redirection() {
                redirections.push(redirection);
            } else if simple.words.is_empty() && self.assignment_ahead().is_some() {
                let assignment = self.assignment();
                simple.assignments.push(assignment);
            } else if !simple.words.is_empty()
                && let Some((name, _)) = self.assignment_ahead()
                && (declaring || self.bytes.get(name + 1) == Some(&b'('))
            {
                let assignment = self.assignment();
                let at = assignment.at;
                simple.words.push(Word { at, assignment: Some(Box::new(assignment)), ..Word::default() });
            } else {
                let word = self.word(Context::Plain);
                if word.at.is_empty() {
                    let at = self.position;
                    self.advance_character();
                    self.fault(at);
                } else {
                    if simple.words.is_empty() {
                        declaring = DECLARING.contains(&&self.text[word.at.start as usize..word.at.end as usize]);
                    }
                    simple.words.push(word);
                }
            }
            end = self.position;
        }
        Command { form: Form::Simple(simple), redirections, at: Range::new(start, end) }
    }

    fn stray_parenthesis(&mut self) {
        let start = self.position;
        self.position += 1;
        self.fault(start);
        if self.enter() {
            // Words up to the parenthesis, substitutions in them parsed; they belong to no command.
            while let Some(byte) = self.peek() {
                match byte {
                    b')' => {
                        self.position += 1;
                        break;
                    }
                    b'(' => self.stray_parenthesis(),
                    b'\n' | b';' | b'&' | b'|' => break,
                    _ => {
                        let before = self.position;
                        self.word(Context::Plain);
                        if self.position == before {
                            self.advance_character();
                        }
                    }
                }
            }
            self.leave();
        }
        self.fault(start);
    }

    /// `[n]< f` and its kin.
    pub(super) fn redirection(&mut self) -> Option<Redirection> {
        let start = self.position;
        let mut digits = 0;
        while self.peek_at(digits).is_some_and(|byte| byte.is_ascii_digit()) {
            digits += 1;
        }
        let operator = self.peek_at(digits);
        let mut descriptor = None;
        match operator {
            Some(b'<' | b'>') => {
                if digits > 0 {
                    descriptor = Some(self.text[start..start + digits].parse().unwrap_or(u32::MAX));
                } else if self.peek_at(1) == Some(b'(') {
                    return None;
                }
            }
            Some(b'&') if digits == 0 && self.peek_at(1) == Some(b'>') => {}
            Some(b'{') if digits == 0 => {
                // `{fd}> f`
                let rest = &self.bytes[start + 1..self.limit];
                let name = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
                if name == 0 || rest.get(name) != Some(&b'}') || !matches!(rest.get(name + 1), Some(b'<' | b'>')) {
                    return None;
                }
                digits = name + 2;
                descriptor = Some(10);
            }
            _ => return None,
        }
        self.position += digits;
        let kind = self.redirect(descriptor);
        Some(Redirection { descriptor, kind, at: self.range(start) })
    }

    fn redirect(&mut self, descriptor: Option<u32>) -> Redirect {
        if self.accept("<<<") {
            return Redirect::String(self.target());
        }
        if self.accept("<<") {
            let strip = self.accept("-");
            return Redirect::Document(self.begin_document(strip));
        }
        if self.accept("<>") {
            return Redirect::Both(self.target());
        }
        if self.accept("<&") {
            return Redirect::Duplicate { input: true, target: self.target() };
        }
        if self.accept("<") {
            return Redirect::Read(self.target());
        }
        if self.accept("&>>") {
            return Redirect::Everything { append: true, target: self.target() };
        }
        if self.accept("&>") {
            self.accept("|");
            return Redirect::Everything { append: false, target: self.target() };
        }
        if self.accept(">>") {
            if self.accept("&") {
                return Redirect::Everything { append: true, target: self.target() };
            }
            self.accept("|");
            return Redirect::Append(self.target());
        }
        if self.accept(">&") {
            let target = self.target();
            let text = &self.text[target.at.start as usize..target.at.end as usize];
            let number = text == "-" || text.trim_end_matches('-').bytes().all(|byte| byte.is_ascii_digit());
            let file = !number && descriptor.is_none() && !text.starts_with('$');
            return if file {
                Redirect::Everything { append: false, target }
            } else {
                Redirect::Duplicate { input: false, target }
            };
        }
        self.accept(">");
        if !self.accept("|") {
            self.accept("!");
        }
        Redirect::Write(self.target())
    }

    fn target(&mut self) -> Word {
        self.skip_blanks();
        let start = self.position;
        let word = self.word(Context::Plain);
        if word.at.is_empty() {
            self.fault(start.saturating_sub(1));
        }
        word
    }
}
