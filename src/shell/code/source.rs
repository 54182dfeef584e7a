//! The text of a script in another language, and where its bytes stand in the call's texts.

use crate::model::{Hole, Piece, Span, Value};

/// Stands in the text for a hole.
pub const HOLE: char = '\u{fffc}';

/// One value of a code word as a text. A hole of the word is one character of it.
#[derive(Debug)]
pub struct Source {
    /// The text.
    pub text: String,
    /// Stretches of it in order: first byte, and the span of the piece.
    stretches: Vec<Stretch>,
    /// Holes by their place in the text.
    holes: Vec<(usize, Hole)>,
}

#[derive(Debug)]
struct Stretch {
    start: usize,
    length: usize,
    span: Span,
}

impl Source {
    /// Of a word's value.
    pub fn new(value: &Value) -> Source {
        let mut source = Source { text: String::new(), stretches: Vec::new(), holes: Vec::new() };
        for piece in &value.pieces {
            let start = source.text.len();
            let span = match piece {
                Piece::Text { text, span } => {
                    source.text.push_str(text);
                    *span
                }
                Piece::Hole(hole) => {
                    source.holes.push((start, hole.clone()));
                    source.text.push(HOLE);
                    hole.span
                }
                Piece::Glob(glob) => {
                    glob.write(&mut source.text);
                    source.stretches.last().map_or(Span::default(), |last| Span { start: last.span.end, ..last.span })
                }
            };
            source.stretches.push(Stretch { start, length: source.text.len() - start, span });
        }
        source
    }

    /// The hole at this byte.
    pub fn hole(&self, at: usize) -> Option<&Hole> {
        let index = self.holes.binary_search_by_key(&at, |(place, _)| *place).ok()?;
        self.holes.get(index).map(|(_, hole)| hole)
    }

    /// Where the bytes stand in the call's texts.
    pub fn span(&self, start: usize, end: usize) -> Span {
        let mut spans = self.overlapping(start, end).map(|stretch| stretch.part(start, end));
        let Some(first) = spans.next() else {
            return self.stretches.last().map_or(Span::default(), |last| Span { start: last.span.end, ..last.span });
        };
        spans.fold(first, Span::to)
    }

    /// The bytes as known text, with their places.
    pub fn pieces(&self, start: usize, end: usize) -> Vec<Piece> {
        let mut all = Vec::new();
        for stretch in self.overlapping(start, end) {
            let from = start.max(stretch.start);
            let to = end.min(stretch.start + stretch.length);
            if let Some(text) = self.text.get(from..to)
                && !text.is_empty()
            {
                all.push(Piece::Text { text: text.to_string(), span: stretch.part(start, end) });
            }
        }
        all
    }

    fn overlapping(&self, start: usize, end: usize) -> impl Iterator<Item = &Stretch> {
        let first = self.stretches.partition_point(|stretch| stretch.start + stretch.length <= start);
        self.stretches[first..].iter().take_while(move |stretch| stretch.start < end)
    }
}

impl Stretch {
    /// The span of the part of the stretch that lies between the bytes; all of it, where it is not the text byte for byte.
    fn part(&self, start: usize, end: usize) -> Span {
        if self.span.len() != self.length {
            return self.span;
        }
        let from = start.saturating_sub(self.start).min(self.length);
        let to = end.saturating_sub(self.start).min(self.length);
        Span { start: self.span.start + from as u32, end: self.span.start + to.max(from) as u32, ..self.span }
    }
}
