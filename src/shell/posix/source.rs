//! A script's text and the way back from its bytes to the outer texts that it was made from.
//!
//! The text of `sh -c '…'` is a [`Value`]: its known pieces lie somewhere in an outer text, its holes are unknown. Here the
//! value becomes one string that can be parsed; a hole is a single private character in it, known by its position, so that
//! text which happens to hold the same character stays text.

use crate::model::{Hole, Piece, Span, Value};

/// The character that stands for a hole. From a private plane; its position says which hole.
const MARK: char = '\u{F_FFFD}';

/// A text that can be parsed, with its origin.
#[derive(Debug, Clone, Default)]
pub(crate) struct Source {
    pub(crate) text: String,
    /// INVARIANT (segments sorted): by `at`, the first at 0; a segment reaches to the next one.
    segments: Vec<Segment>,
    /// By position of their mark.
    holes: Vec<(u32, Hole)>,
}

#[derive(Debug, Clone, Copy)]
struct Segment {
    at: u32,
    span: Span,
}

/// A stretch of a source's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Range {
    pub(crate) start: u32,
    pub(crate) end: u32,
}

impl Range {
    pub(crate) fn new(start: usize, end: usize) -> Range {
        Range { start: start as u32, end: end.max(start) as u32 }
    }

    pub(crate) fn is_empty(self) -> bool {
        self.start >= self.end
    }
}

impl Source {
    /// The text of a value. Glob operators are characters again: what parses the text sees them as such.
    pub(crate) fn new(value: &Value, fallback: Span) -> Source {
        let mut source = Source::default();
        for piece in &value.pieces {
            match piece {
                Piece::Text { text, span } => source.push(text, *span),
                Piece::Hole(hole) => source.push_hole(hole.clone()),
                Piece::Glob(glob) => {
                    let at = source.text.len();
                    let mut written = String::new();
                    glob.write(&mut written);
                    source.push(&written, fallback);
                    debug_assert!(source.text.len() >= at);
                }
            }
        }
        if source.segments.is_empty() {
            source.segments.push(Segment { at: 0, span: fallback });
        }
        source
    }

    /// Appends known text. Where span and text are of one length, byte maps to byte.
    pub(crate) fn push(&mut self, text: &str, span: Span) {
        if text.is_empty() {
            return;
        }
        let at = self.text.len() as u32;
        if !self.continues(at, text.len(), span) {
            self.segments.push(Segment { at, span });
        } else if let Some(last) = self.segments.last_mut() {
            last.span.end = span.end;
        }
        self.text.push_str(text);
    }

    /// Whether the text goes on, byte for byte, where the last segment ends.
    fn continues(&self, at: u32, length: usize, span: Span) -> bool {
        self.segments.last().is_some_and(|last| {
            last.span.source == span.source
                && last.span.end == span.start
                && last.span.len() == (at - last.at) as usize
                && span.len() == length
        })
    }

    fn push_hole(&mut self, hole: Hole) {
        let at = self.text.len() as u32;
        self.segments.push(Segment { at, span: hole.span });
        self.text.push(MARK);
        self.holes.push((at, hole));
    }

    /// Appends a range of another source, holes included.
    pub(crate) fn push_range(&mut self, other: &Source, range: Range) {
        let mut rest = range;
        while let Some((at, hole, after)) = other.hole_in(rest) {
            let before = Range { end: at as u32, ..rest };
            self.push(other.slice(before), other.span(before));
            self.push_hole(hole.clone());
            rest.start = after as u32;
        }
        self.push(other.slice(rest), other.span(rest));
    }

    /// The first hole in a range: its position, the hole, and where its mark ends.
    pub(crate) fn hole_in(&self, range: Range) -> Option<(usize, &Hole, usize)> {
        let index = self.holes.partition_point(|(at, _)| *at < range.start);
        let (at, hole) = self.holes.get(index)?;
        (*at < range.end).then(|| (*at as usize, hole, *at as usize + MARK.len_utf8()))
    }

    /// The text of a range.
    pub(crate) fn slice(&self, range: Range) -> &str {
        self.text.get(range.start as usize..range.end as usize).unwrap_or("")
    }

    /// Where a range stands in the outer texts.
    pub(crate) fn span(&self, range: Range) -> Span {
        let Some(first) = self.segment(range.start) else { return Span::default() };
        let start = self.place(first, range.start, false);
        if range.is_empty() {
            return Span { end: start.start, ..start };
        }
        let Some(last) = self.segment(range.end - 1) else { return start };
        if first == last {
            let end = self.place(first, range.end, true);
            return Span { source: start.source, start: start.start, end: end.end.max(start.start) };
        }
        start.to(self.place(last, range.end, true))
    }

    fn segment(&self, at: u32) -> Option<usize> {
        self.segments.partition_point(|segment| segment.at <= at).checked_sub(1)
    }

    /// The segment's own stretch from (or up to) a position: exact where bytes map to bytes, else all of it.
    fn place(&self, index: usize, at: u32, up_to: bool) -> Span {
        let segment = self.segments[index];
        let length = self.segments.get(index + 1).map_or(self.text.len() as u32, |next| next.at) - segment.at;
        if segment.span.len() != length as usize {
            return segment.span;
        }
        let offset = (at - segment.at).min(length);
        if up_to {
            Span { end: segment.span.start + offset, ..segment.span }
        } else {
            Span { start: segment.span.start + offset, ..segment.span }
        }
    }
}
