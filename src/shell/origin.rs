//! A script's text with the way back to where it was written.

use crate::model::{Piece, Span, Value};

/// A known text and where each of its stretches stands.
pub(super) struct Script {
    pub text: String,
    /// First byte in the text, and the span of the piece that begins there, in order.
    runs: Vec<(usize, Span)>,
    whole: Span,
}

impl Script {
    /// The text of a value without holes.
    pub fn of(value: &Value, whole: Span) -> Option<Script> {
        let mut text = String::new();
        let mut runs = Vec::new();
        for piece in &value.pieces {
            let Piece::Text { text: part, span } = piece else { return None };
            runs.push((text.len(), *span));
            text.push_str(part);
        }
        Some(Script { text, runs, whole })
    }

    /// Where the bytes `start..end` were written.
    pub fn span(&self, start: usize, end: usize) -> Span {
        if end <= start {
            return self.point(start, 0);
        }
        self.point(start, 1).to(self.point(end - 1, 1))
    }

    fn point(&self, at: usize, length: usize) -> Span {
        let index = self.runs.partition_point(|(start, _)| *start <= at);
        let Some((start, span)) = index.checked_sub(1).and_then(|i| self.runs.get(i)) else { return self.whole };
        let next = self.runs.get(index).map_or(self.text.len(), |(start, _)| *start);
        if next - start == span.len() {
            let from = span.start as usize + (at - start);
            return Span::within(span.source, from, (from + length).min(span.end as usize));
        }
        *span
    }
}
