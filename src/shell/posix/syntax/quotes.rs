//! Quotes, backslashes, backquotes.

use super::super::source::Range;
use super::super::tree::Part;
use super::Parser;
use super::words::Context;

impl Parser<'_> {
    /// After the opening apostrophe: the text up to the closing one.
    pub(super) fn single_quoted(&mut self) -> Range {
        let start = self.position;
        let rest = &self.bytes[start..self.limit];
        match memchr(b'\'', rest) {
            Some(length) => {
                self.position = start + length + 1;
                Range::new(start, start + length)
            }
            None => {
                self.never_closed(start);
                Range::new(start, self.limit)
            }
        }
    }

    /// After `$'`: the text up to the apostrophe that no backslash precedes.
    pub(super) fn ansi_quoted(&mut self) -> Range {
        let start = self.position;
        let mut at = start;
        while at < self.limit {
            match self.bytes[at] {
                b'\\' => at += 2,
                b'\'' => {
                    self.position = at + 1;
                    return Range::new(start, at);
                }
                _ => at += 1,
            }
        }
        self.never_closed(start);
        Range::new(start, self.limit)
    }

    /// After the opening `"`.
    pub(super) fn double_quoted(&mut self, opening: usize) -> Part {
        let start = self.position;
        if !self.enter() {
            return Part::Double(Vec::new(), self.range(opening));
        }
        let parts = self.word(Context::Double).parts;
        self.leave();
        if !self.accept("\"") {
            self.never_closed(start);
        }
        Part::Double(parts, self.range(opening))
    }

    /// The text ends within quotes. Where the first ones opened, the rest is read once more by the caller.
    fn never_closed(&mut self, start: usize) {
        self.position = self.limit;
        self.fault(start.saturating_sub(1));
        if !self.retried && self.unclosed.is_none() && self.limit == self.bytes.len() {
            self.unclosed = Some(start);
        }
    }

    /// After the opening backquote.
    pub(super) fn backquoted(&mut self, opening: usize, quoted: bool) -> Part {
        self.count();
        let start = self.position;
        let mut at = start;
        while at < self.limit {
            match self.bytes[at] {
                b'\\' => at += 2,
                b'`' => {
                    self.position = at + 1;
                    return Part::Backquoted { inner: Range::new(start, at), quoted, at: self.range(opening) };
                }
                _ => at += 1,
            }
        }
        self.never_closed(start);
        Part::Backquoted { inner: Range::new(start, self.limit), quoted, at: self.range(opening) }
    }
}

pub(super) fn memchr(byte: u8, bytes: &[u8]) -> Option<usize> {
    bytes.iter().position(|b| *b == byte)
}
