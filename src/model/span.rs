//! Where a piece of text came from, so that a report can underline it in the text that the person sees.

use serde::{Deserialize, Serialize};

/// Which text a span points into: 0 is the tool call's own text, others are script files that were read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
pub struct SourceId(pub u16);

/// A stretch of a text, in bytes.
///
/// INVARIANT (spans in bounds): `start <= end`, both lie on character boundaries of the text of `source`. A script nested in
/// another one (`sh -c '…'`) has spans in the outer text, so the report underlines inside the quotes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
pub struct Span {
    /// The text.
    pub source: SourceId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// A span in the tool call's own text.
    pub fn new(start: usize, end: usize) -> Span {
        Span::within(SourceId(0), start, end)
    }

    /// A span in the text of `source`.
    pub fn within(source: SourceId, start: usize, end: usize) -> Span {
        Span { source, start: start as u32, end: end as u32 }
    }

    /// Length in bytes.
    pub fn len(&self) -> usize {
        (self.end - self.start) as usize
    }

    /// Whether it covers no byte.
    pub fn is_empty(&self) -> bool {
        self.start == self.end
    }

    /// The smallest span that covers both; `self` where they lie in different texts.
    pub fn to(self, other: Span) -> Span {
        if self.source != other.source {
            return self;
        }
        Span { source: self.source, start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// A text that spans point into.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Text {
    /// What a report calls it: `command`, or the script file's path.
    pub name: String,
    /// The text.
    pub text: String,
}
