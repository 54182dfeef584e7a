//! Here-documents: remembered at the operator, read after the next newline.

use super::super::source::Range;
use super::super::tree::{Document, Part, Word};
use super::Parser;
use super::words::Context;

/// A here-document whose body is still to come.
pub(super) struct Pending {
    delimiter: String,
    /// Any quoting in the delimiter: the body is text.
    quoted: bool,
    /// `<<-`: tabs at the beginning of lines go.
    strip: bool,
    index: usize,
}

impl Parser<'_> {
    /// Reads the delimiter; gives the document's index.
    pub(super) fn begin_document(&mut self, strip: bool) -> usize {
        self.skip_blanks();
        let (delimiter, quoted) = self.delimiter();
        let index = self.documents.len();
        self.documents.push(Document::default());
        self.count();
        self.pending.push(Pending { delimiter, quoted, strip, index });
        index
    }

    fn delimiter(&mut self) -> (String, bool) {
        let mut text = String::new();
        let mut quoted = false;
        while let Some(byte) = self.peek() {
            match byte {
                b' ' | b'\t' | b'\n' | b'\r' | b';' | b'&' | b'|' | b'<' | b'>' | b'(' | b')' => break,
                b'\\' => {
                    quoted = true;
                    self.position += 1;
                    if self.peek().is_some() {
                        let start = self.position;
                        self.advance_character();
                        text.push_str(&self.text[start..self.position]);
                    }
                }
                b'\'' | b'"' => {
                    quoted = true;
                    self.position += 1;
                    let rest = self.rest().as_bytes();
                    let length = rest.iter().position(|b| *b == byte).unwrap_or(rest.len());
                    text.push_str(&self.text[self.position..self.position + length]);
                    self.position = (self.position + length + 1).min(self.limit);
                }
                b'$' if matches!(self.peek_at(1), Some(b'\'' | b'"')) => self.position += 1,
                _ => {
                    let start = self.position;
                    self.advance_character();
                    text.push_str(&self.text[start..self.position]);
                }
            }
        }
        (text, quoted)
    }

    /// Just after a newline: the bodies of all documents that wait, in order.
    pub(super) fn read_documents(&mut self) {
        if self.pending.is_empty() {
            return;
        }
        for pending in std::mem::take(&mut self.pending) {
            let start = self.position;
            let (end, next) = self.document_end(&pending);
            let body = if pending.quoted {
                self.quoted_body(start, end, pending.strip)
            } else {
                self.open_body(start, end, pending.strip)
            };
            self.documents[pending.index].body = body;
            self.position = next.min(self.limit);
        }
    }

    /// Where the body ends, and where the script goes on.
    fn document_end(&self, pending: &Pending) -> (usize, usize) {
        let mut at = self.position;
        while at < self.limit {
            let rest = &self.bytes[at..self.limit];
            let length = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
            let mut line = &self.text[at..at + length];
            if pending.strip {
                line = line.trim_start_matches('\t');
            }
            if line == pending.delimiter || line.strip_suffix('\r') == Some(&pending.delimiter) {
                return (at, at + length + 1);
            }
            at += length + 1;
        }
        (self.limit, self.limit)
    }

    fn quoted_body(&self, start: usize, end: usize, strip: bool) -> Word {
        let mut parts = Vec::new();
        if strip {
            let mut at = start;
            while at < end {
                let rest = &self.bytes[at..end];
                let tabs = rest.iter().take_while(|byte| **byte == b'\t').count();
                let length = rest.iter().position(|byte| *byte == b'\n').map_or(rest.len(), |length| length + 1);
                parts.push(Part::Quoted(Range::new(at + tabs.min(length), at + length)));
                at += length;
            }
        } else if start < end {
            parts.push(Part::Quoted(Range::new(start, end)));
        }
        Word { parts, at: Range::new(start, end), ..Word::default() }
    }

    fn open_body(&mut self, start: usize, end: usize, strip: bool) -> Word {
        let outer = self.limit;
        self.limit = end.min(outer);
        let waiting = std::mem::take(&mut self.pending);
        self.position = start;
        let word = self.word(Context::Document { strip });
        self.pending = waiting;
        if self.budget.is_none() {
            self.limit = outer;
        }
        let at = Range::new(start, end);
        Word { parts: vec![Part::Double(word.parts, at)], at, ..Word::default() }
    }
}
