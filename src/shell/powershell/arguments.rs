//! What a command is given: words, strings, variables, lists, blocks.

use super::Walk;
use super::expression::Build;
use super::text::{string_body, string_end};
use crate::model::{Argument, Origin, Span, Taint, Verb, Word};

/// A command's arguments.
pub(super) struct Given {
    /// In order; the elements of a list stand one after the other.
    pub words: Vec<Argument>,
    /// Blocks in braces: where their bodies stand.
    pub blocks: Vec<(usize, usize)>,
    /// Files that its output goes to.
    pub redirections: Vec<Redirection>,
}

/// `> file`, `*>> file`.
pub(super) struct Redirection {
    pub verb: Verb,
    pub path: Word,
    pub span: Span,
}

impl Walk<'_> {
    /// Everything up to the end of the command.
    pub(super) fn arguments(&mut self) -> Given {
        let mut given = Given { words: Vec::new(), blocks: Vec::new(), redirections: Vec::new() };
        loop {
            self.blanks(false);
            if let Some(redirection) = self.redirection() {
                given.redirections.extend(redirection);
                continue;
            }
            match self.peek() {
                None | Some('\n' | ';' | '|' | ')' | '}' | '&') => return given,
                Some('{') => given.blocks.push(self.bracketed()),
                _ => {
                    let before = self.at;
                    given.words.extend(self.argument().into_iter().map(Argument::Word));
                    if self.at == before {
                        return given;
                    }
                }
            }
            if !self.host.step(1) {
                return given;
            }
        }
    }

    /// `> file`, `2>&1`, `*>> file`: `None` where none stands, an empty one where nothing of the machine is written.
    pub(super) fn redirection(&mut self) -> Option<Option<Redirection>> {
        let rest = self.rest();
        let stream = usize::from(rest.starts_with(['1', '2', '3', '4', '5', '6', '*']));
        if !rest[stream..].starts_with('>') {
            return None;
        }
        let start = self.at;
        self.at += stream + 1;
        let appends = self.peek() == Some('>');
        if appends {
            self.bump();
        }
        if self.peek() == Some('&') {
            self.bump();
            self.bump();
            return Some(None);
        }
        self.blanks(false);
        let Some(path) = self.argument().into_iter().next() else { return Some(None) };
        if path.known().is_some_and(|name| name.eq_ignore_ascii_case("$null") || name.eq_ignore_ascii_case("nul")) {
            return Some(None);
        }
        let verb = if appends { Verb::Appends } else { Verb::Writes };
        Some(Some(Redirection { verb, path, span: self.script.span(start, self.at) }))
    }

    /// One argument: the elements of its list.
    pub(super) fn argument(&mut self) -> Vec<Word> {
        let mut words = Vec::new();
        loop {
            self.blanks(false);
            match self.peek() {
                Some('(') => {
                    words.extend(self.parenthesised());
                    self.postfix(&mut words);
                }
                Some('@') if self.rest()[1..].starts_with(['(', '{']) => {
                    let hash = self.rest()[1..].starts_with('{');
                    self.bump();
                    if hash {
                        let (start, end) = self.bracketed();
                        words.push(self.unknown(start, end));
                    } else {
                        words.extend(self.parenthesised());
                    }
                }
                Some('{') => {
                    let (start, end) = self.bracketed();
                    words.push(self.unknown(start, end));
                }
                _ => match self.bare_word() {
                    Some(word) => words.push(word),
                    None => return words,
                },
            }
            if self.peek() != Some(',') {
                return words;
            }
            self.bump();
            self.blanks(true);
        }
    }

    /// A word of a command, with strings and variables in it; `None` where none begins.
    pub(super) fn bare_word(&mut self) -> Option<Word> {
        let start = self.at;
        let mut build = Build::new();
        loop {
            let at = self.at;
            match self.peek() {
                None => break,
                Some(c) if c.is_whitespace() || matches!(c, ';' | '|' | '(' | ')' | '{' | '}' | ',' | '&' | '>' | '<') => break,
                Some('\'') => {
                    let (body, close) = string_body(&self.script.text[..self.end], at);
                    let end = string_end(&self.script.text[..self.end], at);
                    build.text(&self.script.text[body..close].replace("''", "'"), self.script.span(body, close));
                    self.at = end;
                }
                Some('"') => {
                    let word = self.expandable();
                    build.word(&word);
                }
                Some('@') if self.rest()[1..].starts_with(['\'', '"']) => {
                    self.bump();
                    let word = self.here_string();
                    build.word(&word);
                }
                Some('$') => {
                    let word = self.variable();
                    build.word(&word);
                }
                Some('`') => {
                    self.bump();
                    let c = self.peek().unwrap_or(' ');
                    self.bump();
                    build.text(escape(c), self.script.span(at, self.at));
                }
                Some(_) => {
                    while self.peek().is_some_and(|c| {
                        !c.is_whitespace()
                            && !matches!(c, ';' | '|' | '(' | ')' | '{' | '}' | ',' | '&' | '>' | '<' | '\'' | '"' | '$' | '`')
                    }) {
                        self.bump();
                    }
                    build.text(&self.script.text[at..self.at], self.script.span(at, self.at));
                }
            }
        }
        (self.at > start).then(|| build.finish(self.script.span(start, self.at)))
    }

    /// `"…"` with its variables and sub-expressions.
    pub(super) fn expandable(&mut self) -> Word {
        let start = self.at;
        let end = string_end(&self.script.text[..self.end], start);
        let (body, close) = string_body(&self.script.text[..self.end], start);
        self.at = body;
        let word = self.interpolated(close, self.script.span(start, end));
        self.at = end;
        word
    }

    /// `@'…'@` or `@"…"@`, the position at its quote.
    pub(super) fn here_string(&mut self) -> Word {
        let start = self.at;
        let end = string_end(&self.script.text[..self.end], start);
        let (body, close) = string_body(&self.script.text[..self.end], start);
        let span = self.script.span(body, close);
        if self.peek() == Some('\'') {
            self.at = end;
            return Word::known_text(self.script.text[body..close].to_string(), span);
        }
        self.at = body;
        let word = self.interpolated(close, span);
        self.at = end;
        word
    }

    fn interpolated(&mut self, close: usize, span: Span) -> Word {
        let mut build = Build::new();
        while self.at < close {
            let at = self.at;
            match self.peek() {
                Some('`') => {
                    self.bump();
                    let c = self.peek().unwrap_or(' ');
                    self.bump();
                    build.text(escape(c), self.script.span(at, self.at));
                }
                Some('"') => {
                    self.at += 2;
                    build.text("\"", self.script.span(at, self.at.min(close)));
                }
                Some('$') => {
                    let limit = std::mem::replace(&mut self.end, close);
                    let word = self.variable();
                    self.end = limit;
                    build.word(&word);
                }
                _ => {
                    while self.at < close && !matches!(self.peek(), Some('`' | '"' | '$')) {
                        self.bump();
                    }
                    build.text(&self.script.text[at..self.at], self.script.span(at, self.at));
                }
            }
        }
        build.finish(span)
    }

    /// What a stretch is, when all that is known of it is that it is there.
    pub(super) fn unknown(&self, start: usize, end: usize) -> Word {
        Word::unknown(Origin::Unknown, Taint::none(), self.script.span(start, end))
    }
}

fn escape(c: char) -> &'static str {
    match c {
        'n' => "\n",
        't' => "\t",
        'r' => "\r",
        '0' => "\0",
        '`' => "`",
        '"' => "\"",
        '\'' => "'",
        '$' => "$",
        ' ' => " ",
        '\n' => "",
        _ => other(c),
    }
}

/// The other characters stand for themselves.
fn other(c: char) -> &'static str {
    const ASCII: &str = "!#%&()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_abcdefghijklmnopqrstuvwxyz{|}~";
    ASCII.find(c).map_or("", |at| &ASCII[at..at + 1])
}
