//! Words: the parts that stand next to each other without a blank.

use super::super::tree::{Assigned, Assignment, Element, Part, Word};
use super::Parser;

/// Where a word stands, which says what ends it and which characters are special in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Context {
    /// A word of a command.
    Plain,
    /// A pattern of `case`: `|` and `)` end it, which they do for plain words as well.
    Pattern,
    /// Right of `=~`: parentheses and bars belong to it.
    Regex,
    /// Within `${…}`, up to `}`; also up to `/` or `:` where asked. `double`: within double quotes, where apostrophes are text.
    Brace { double: bool, stop: Option<u8> },
    /// Within `[…]` of an array element.
    Subscript,
    /// Within `$((…))`, `((…))`; for the parts of `for ((…))` also up to `;`.
    Arithmetic { semicolon: bool },
    /// Within `"…"`.
    Double,
    /// The body of a here-document.
    Document { strip: bool },
}

impl Context {
    fn is_double(self) -> bool {
        matches!(self, Context::Double | Context::Document { .. } | Context::Brace { double: true, .. })
    }

    fn has_extended(self) -> bool {
        matches!(self, Context::Plain | Context::Pattern | Context::Brace { double: false, .. })
    }
}

impl Parser<'_> {
    /// One word, possibly empty, up to what ends it.
    pub(super) fn word(&mut self, context: Context) -> Word {
        let start = self.position;
        let mut word = Word::default();
        // Parentheses or brackets that are open within the word.
        let mut open = 0usize;
        if matches!(context, Context::Plain | Context::Pattern) {
            self.count();
        }
        if let Context::Document { strip: true } = context {
            self.skip_tabs();
        }
        while let Some(byte) = self.peek() {
            if self.ends(byte, context, open) {
                break;
            }
            match byte {
                b'\\' => self.backslash(context, &mut word),
                b'\'' if !context.is_double() && !matches!(context, Context::Arithmetic { .. }) => {
                    self.position += 1;
                    word.parts.push(Part::Quoted(self.single_quoted()));
                }
                b'"' if !matches!(context, Context::Double | Context::Document { .. }) => {
                    let opening = self.position;
                    self.position += 1;
                    let part = self.double_quoted(opening);
                    word.parts.push(part);
                }
                b'$' => self.dollar(context, &mut word),
                b'`' => {
                    let opening = self.position;
                    self.position += 1;
                    let part = self.backquoted(opening, context.is_double());
                    word.parts.push(part);
                }
                b'<' | b'>' if context == Context::Plain && self.peek_at(1) == Some(b'(') => {
                    self.process(byte == b'>', &mut word)
                }
                b'?' | b'*' | b'+' | b'@' | b'!' if self.peek_at(1) == Some(b'(') && context.has_extended() => {
                    self.extended(byte, &mut word)
                }
                b'\n' if matches!(context, Context::Document { strip: true }) => {
                    let at = self.position;
                    self.position += 1;
                    self.literal(at, &mut word);
                    self.skip_tabs();
                }
                _ => self.run(context, &mut word, &mut open),
            }
        }
        word.at = self.range(start);
        word
    }

    fn skip_tabs(&mut self) {
        while self.peek() == Some(b'\t') {
            self.position += 1;
        }
    }

    fn ends(&self, byte: u8, context: Context, open: usize) -> bool {
        match context {
            Context::Plain | Context::Pattern => match byte {
                b' ' | b'\t' | b'\n' | b';' | b'&' | b'|' | b'(' | b')' => true,
                b'<' | b'>' => !(self.peek_at(1) == Some(b'(') && context == Context::Plain),
                b'\r' => self.peek_at(1) == Some(b'\n'),
                _ => false,
            },
            Context::Regex => match byte {
                b' ' | b'\t' | b'\n' => open == 0,
                b'&' => open == 0 && self.peek_at(1) == Some(b'&'),
                b')' | b';' => open == 0,
                _ => false,
            },
            Context::Brace { stop, .. } => byte == b'}' || (open == 0 && Some(byte) == stop),
            Context::Subscript => byte == b']' && open == 0,
            Context::Arithmetic { semicolon } => open == 0 && (byte == b')' || (semicolon && byte == b';')),
            Context::Double => byte == b'"',
            Context::Document { .. } => false,
        }
    }

    fn literal(&mut self, start: usize, word: &mut Word) {
        let range = self.range(start);
        match word.parts.last_mut() {
            Some(Part::Literal(last)) if last.end == range.start => last.end = range.end,
            _ => word.parts.push(Part::Literal(range)),
        }
    }

    /// Characters that mean themselves, at least one.
    fn run(&mut self, context: Context, word: &mut Word, open: &mut usize) {
        let start = self.position;
        while let Some(byte) = self.peek() {
            let special = match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b',' | b'_' | b'=' | b'%' | 0x80.. => false,
                b'{' => {
                    word.braces = true;
                    false
                }
                b'(' => {
                    *open += 1;
                    false
                }
                b')' => {
                    *open = open.saturating_sub(1);
                    false
                }
                b'[' if context == Context::Subscript => {
                    *open += 1;
                    false
                }
                b']' if context == Context::Subscript => {
                    *open = open.saturating_sub(1);
                    false
                }
                b'/' | b':' => false,
                _ => true,
            };
            if special && self.position > start {
                break;
            }
            self.advance_character();
            if special || self.peek().is_some_and(|next| self.ends(next, context, *open)) {
                break;
            }
        }
        self.literal(start, word);
    }

    fn backslash(&mut self, context: Context, word: &mut Word) {
        let start = self.position;
        match self.peek_at(1) {
            Some(b'\n') => self.position += 2,
            Some(b'\r') if self.peek_at(2) == Some(b'\n') => self.position += 3,
            Some(next) => {
                let escapes = match context {
                    Context::Double | Context::Arithmetic { .. } => matches!(next, b'$' | b'`' | b'"' | b'\\'),
                    Context::Document { .. } => matches!(next, b'$' | b'`' | b'\\'),
                    Context::Brace { double: true, .. } => matches!(next, b'$' | b'`' | b'"' | b'\\' | b'}'),
                    _ => true,
                };
                self.position += 1;
                if escapes {
                    let at = self.position;
                    self.advance_character();
                    word.parts.push(Part::Quoted(self.range(at)));
                } else {
                    self.literal(start, word);
                }
            }
            None => {
                self.position += 1;
                self.literal(start, word);
            }
        }
    }

    fn process(&mut self, write: bool, word: &mut Word) {
        let start = self.position;
        self.position += 2;
        let list = self.parenthesised(start);
        word.parts.push(Part::Process { write, list: std::sync::Arc::new(list), at: self.range(start) });
    }

    /// After `?(` and its kin: alternatives, each a pattern.
    fn extended(&mut self, operator: u8, word: &mut Word) {
        let start = self.position;
        self.position += 2;
        if !self.enter() {
            return;
        }
        let mut alternatives = Vec::new();
        loop {
            let mut alternative = self.word(Context::Pattern);
            // Blanks are allowed in an alternative.
            while matches!(self.peek(), Some(b' ' | b'\t' | b'&' | b';' | b'<' | b'>' | b'\r')) {
                let at = self.position;
                self.position += 1;
                self.literal(at, &mut alternative);
                let more = self.word(Context::Pattern);
                alternative.parts.extend(more.parts);
            }
            alternatives.push(alternative);
            if !self.accept("|") {
                break;
            }
        }
        self.leave();
        if !self.accept(")") {
            self.fault(start);
        }
        word.parts.push(Part::Extended(operator, alternatives, self.range(start)));
    }

    /// Whether `NAME=`, `NAME+=` or `NAME[…]=` stands here: where the name ends, and the position of what follows it.
    pub(super) fn assignment_ahead(&self) -> Option<(usize, bool)> {
        let rest = self.rest().as_bytes();
        let first = *rest.first()?;
        if !(first.is_ascii_alphabetic() || first == b'_') {
            return None;
        }
        let mut at = rest.iter().position(|byte| !(byte.is_ascii_alphanumeric() || *byte == b'_'))?;
        let subscript = rest[at] == b'[';
        if subscript {
            at = subscript_end(rest, at)?;
        }
        if rest.get(at) == Some(&b'+') {
            at += 1;
        }
        (rest.get(at) == Some(&b'=')).then_some((self.position + at, subscript))
    }

    /// What [`Parser::assignment_ahead`] has found.
    pub(super) fn assignment(&mut self) -> Assignment {
        self.count();
        let start = self.position;
        while self.peek().is_some_and(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
            self.position += 1;
        }
        let name = self.range(start);
        let subscript = self.accept("[").then(|| {
            let word = self.word(Context::Subscript);
            self.accept("]");
            word
        });
        let append = self.accept("+");
        self.accept("=");
        let value = if self.peek() == Some(b'(') {
            Assigned::Array(self.elements())
        } else {
            Assigned::Scalar(self.word(Context::Plain))
        };
        Assignment { name, subscript, append, value, at: self.range(start) }
    }

    fn elements(&mut self) -> Vec<Element> {
        let start = self.position;
        self.position += 1;
        let mut elements = Vec::new();
        if !self.enter() {
            return elements;
        }
        loop {
            self.skip_lines();
            match self.peek() {
                None => {
                    self.fault(start);
                    break;
                }
                Some(b')') => {
                    self.position += 1;
                    break;
                }
                Some(b'[') => elements.push(self.keyed_element()),
                Some(_) => {
                    let at = self.position;
                    let value = self.word(Context::Plain);
                    if self.position == at {
                        self.advance_character();
                        self.fault(at);
                    } else {
                        elements.push(Element { subscript: None, value });
                    }
                }
            }
        }
        self.leave();
        elements
    }

    fn keyed_element(&mut self) -> Element {
        let rest = self.rest().as_bytes();
        let keyed =
            subscript_end(rest, 0).is_some_and(|end| rest.get(end) == Some(&b'=') || rest.get(end..end + 2) == Some(b"+="));
        if !keyed {
            return Element { subscript: None, value: self.word(Context::Plain) };
        }
        self.position += 1;
        let subscript = self.word(Context::Subscript);
        self.accept("]");
        self.accept("+");
        self.accept("=");
        Element { subscript: Some(subscript), value: self.word(Context::Plain) }
    }
}

/// Behind the `]` that closes the `[` at a position. A subscript is short: the search is bounded, so that ten thousand
/// brackets cost no more than their number.
fn subscript_end(bytes: &[u8], open: usize) -> Option<usize> {
    let mut depth = 0usize;
    for (offset, byte) in bytes[open..].iter().take(256).enumerate() {
        match byte {
            b'[' => depth += 1,
            b']' => {
                depth -= 1;
                if depth == 0 {
                    return Some(open + offset + 1);
                }
            }
            b'\n' | b';' => return None,
            _ => {}
        }
    }
    None
}
