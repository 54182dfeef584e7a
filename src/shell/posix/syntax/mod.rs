//! Text → tree. Total: what is no shell becomes a fault, and what stands before and after it is still read.
//!
//! The parser is a recursive descent over bytes. Its depth is counted ([`Parser::enter`]), so is what it makes
//! ([`Parser::count`]); past a budget the text ends there for it, and the script says which budget it was.

mod commands;
mod compound;
mod documents;
mod dollar;
mod quotes;
mod tests;
mod words;

use super::source::{Range, Source};
use super::tree::{Document, List, Script};

/// How many levels of syntax and calls there may be.
pub(super) const LEVELS: u32 = 64;
/// How many words a script may have.
pub(super) const WORDS: u32 = 65_536;
/// How many faults are kept.
const FAULTS: usize = 64;

/// Parses a text; `levels` is how deep it stands already.
pub(super) fn parse(source: Source, levels: u32) -> Script {
    let mut parser = Parser::new(&source.text, levels);
    let mut list = parser.script();
    // An apostrophe that nobody closes (`echo don't; rm x`) hides the rest of the text: read that once more for itself.
    if let (Some(at), None) = (parser.unclosed, parser.budget) {
        parser.position = at;
        parser.retried = true;
        parser.pending.clear();
        let rest = parser.script();
        list.items.extend(rest.items);
    }
    let Parser { documents, faults, budget, .. } = parser;
    Script { source, list, documents, faults, limit: budget }
}

struct Parser<'t> {
    text: &'t str,
    bytes: &'t [u8],
    position: usize,
    /// Where the text ends for now: that of the script, or of a here-document's body.
    limit: usize,
    levels: u32,
    made: u32,
    /// Here-documents whose bodies begin after the next newline: delimiter, its strictness, index.
    pending: Vec<documents::Pending>,
    documents: Vec<Document>,
    faults: Vec<Range>,
    budget: Option<(&'static str, u64, Range)>,
    /// Behind the first quote that is not closed.
    unclosed: Option<usize>,
    retried: bool,
    /// How many bytes may still be looked ahead to tell `$((` from `$( (`.
    lookahead: usize,
}

/// What ends a list.
#[derive(Clone, Copy)]
struct Until {
    /// `)`.
    parenthesis: bool,
    /// `;;` and its kin.
    arm: bool,
    words: &'static [&'static str],
}

impl Until {
    const END: Until = Until { parenthesis: false, arm: false, words: &[] };
    const PARENTHESIS: Until = Until { parenthesis: true, arm: false, words: &[] };
    const fn words(words: &'static [&'static str]) -> Until {
        Until { parenthesis: false, arm: false, words }
    }
}

impl<'t> Parser<'t> {
    fn new(text: &'t str, levels: u32) -> Parser<'t> {
        Parser {
            text,
            bytes: text.as_bytes(),
            position: 0,
            limit: text.len(),
            levels,
            made: 0,
            pending: Vec::new(),
            documents: Vec::new(),
            faults: Vec::new(),
            budget: None,
            unclosed: None,
            retried: false,
            lookahead: text.len() * 4 + 1024,
        }
    }

    /// The whole text: what cannot begin a command is a fault and skipped.
    fn script(&mut self) -> List {
        let mut all = List::default();
        loop {
            let list = self.list(Until::END);
            all.items.extend(list.items);
            if self.peek().is_none() {
                return all;
            }
            let start = self.position;
            self.advance_character();
            self.fault(start);
        }
    }

    fn peek(&self) -> Option<u8> {
        if self.position < self.limit { Some(self.bytes[self.position]) } else { None }
    }

    /// The text from here to its end for now; nothing once a budget ended it.
    fn rest(&self) -> &'t str {
        self.text.get(self.position..self.limit).unwrap_or("")
    }

    fn peek_at(&self, offset: usize) -> Option<u8> {
        let at = self.position + offset;
        if at < self.limit { Some(self.bytes[at]) } else { None }
    }

    fn looking_at(&self, text: &str) -> bool {
        self.rest().as_bytes().starts_with(text.as_bytes())
    }

    fn accept(&mut self, text: &str) -> bool {
        let found = self.looking_at(text);
        if found {
            self.position += text.len();
        }
        found
    }

    /// INVARIANT (spans in bounds): positions lie on character boundaries, so one moves over whole characters.
    fn advance_character(&mut self) {
        if self.position >= self.limit {
            return;
        }
        self.position += 1;
        while self.position < self.limit && !self.text.is_char_boundary(self.position) {
            self.position += 1;
        }
    }

    fn range(&self, start: usize) -> Range {
        Range::new(start, self.position)
    }

    fn fault(&mut self, start: usize) {
        if self.budget.is_some() {
            return;
        }
        let range = Range::new(start, self.position.max(start));
        let count = self.faults.len();
        match self.faults.last_mut() {
            Some(last) if last.end >= range.start && last.start <= range.start => last.end = last.end.max(range.end),
            _ if count < FAULTS => self.faults.push(range),
            _ => {}
        }
    }

    /// One level deeper, or the end of the text for us.
    fn enter(&mut self) -> bool {
        if self.levels >= LEVELS {
            self.exhausted("levels", u64::from(LEVELS));
            return false;
        }
        self.levels += 1;
        true
    }

    fn leave(&mut self) {
        self.levels = self.levels.saturating_sub(1);
    }

    /// Counts a word.
    fn count(&mut self) {
        self.made += 1;
        if self.made > WORDS {
            self.exhausted("words", u64::from(WORDS));
        }
    }

    fn exhausted(&mut self, name: &'static str, size: u64) {
        if self.budget.is_none() {
            let end = self.position.min(self.limit);
            self.budget = Some((name, size, Range::new(end, end)));
        }
        self.limit = self.limit.min(self.position);
    }

    /// Blanks, line continuations, and comments where a word could begin.
    fn skip_blanks(&mut self) {
        loop {
            match self.peek() {
                Some(b' ' | b'\t') => self.position += 1,
                Some(b'\\') if self.peek_at(1) == Some(b'\n') => self.position += 2,
                Some(b'\r') if self.peek_at(1) == Some(b'\n') => self.position += 1,
                Some(b'\\') if self.looking_at("\\\r\n") => self.position += 3,
                _ => return,
            }
        }
    }

    fn skip_comment(&mut self) {
        if self.peek() == Some(b'#') {
            let rest = self.rest().as_bytes();
            self.position += rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
        }
    }

    /// Blanks, comments and newlines; the bodies of here-documents are read at the newline that they begin after.
    fn skip_lines(&mut self) {
        loop {
            self.skip_blanks();
            self.skip_comment();
            if self.peek() != Some(b'\n') {
                return;
            }
            self.position += 1;
            self.read_documents();
        }
    }

    /// The characters up to the next one that ends a word, if they are plain: for reserved words.
    fn bare_word(&self) -> &'t str {
        let rest = self.rest();
        // No reserved word is longer.
        let length = rest
            .bytes()
            .take(12)
            .position(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b';' | b'&' | b'|' | b'<' | b'>' | b'(' | b')'));
        match length {
            Some(length) => rest.get(..length).unwrap_or(""),
            None if rest.len() <= 11 => rest,
            None => "",
        }
    }

    /// Accepts a reserved word.
    fn accept_word(&mut self, word: &str) -> bool {
        let found = self.bare_word() == word;
        if found {
            self.position += word.len();
        }
        found
    }
}
