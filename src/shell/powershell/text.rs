//! A script's text with the way back to where it was written, and the matching of its brackets.

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

/// Where the bracket that opens at `open` closes, strings and comments passed over.
pub(super) fn closing(text: &str, open: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = open;
    let mut depth = 0usize;
    while at < bytes.len() {
        match bytes[at] {
            b'`' => at += 1,
            b'#' if at == 0 || !is_word(bytes[at - 1]) => {
                at = if at > 0 && bytes[at - 1] == b'<' {
                    text[at..].find("#>").map_or(bytes.len(), |n| at + n + 1)
                } else {
                    text[at..].find('\n').map_or(bytes.len(), |n| at + n)
                };
            }
            b'\'' | b'"' => at = string_end(text, at) - 1,
            b'(' | b'{' | b'[' => depth += 1,
            b')' | b'}' | b']' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => {}
        }
        at += 1;
    }
    None
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'/' | b':' | b'\\')
}

/// One past the quote that closes the string which begins at `start`; here-strings too.
pub(super) fn string_end(text: &str, start: usize) -> usize {
    let bytes = text.as_bytes();
    let quote = bytes[start];
    if start > 0 && bytes[start - 1] == b'@' && matches!(bytes.get(start + 1), Some(b'\n' | b'\r')) {
        let close = if quote == b'"' { "\n\"@" } else { "\n'@" };
        return text[start..].find(close).map_or(text.len(), |n| start + n + 3);
    }
    let mut at = start + 1;
    while at < bytes.len() {
        match bytes[at] {
            b'`' if quote == b'"' => at += 1,
            b if b == quote && bytes.get(at + 1) == Some(&quote) => at += 1,
            b if b == quote => return at + 1,
            _ => {}
        }
        at += 1;
    }
    text.len()
}

/// What stands between the quotes of the string that begins at `start`: its first byte, and one past its last. A string that
/// is never closed goes on to the end of the text.
pub(super) fn string_body(text: &str, start: usize) -> (usize, usize) {
    let end = string_end(text, start);
    let quote = text.as_bytes()[start];
    if start > 0 && text.as_bytes()[start - 1] == b'@' && text[start..].starts_with([quote as char]) {
        let body = text[start..].find('\n').map_or(text.len(), |n| start + n + 1);
        let closed = end >= body + 2 && text.as_bytes()[end - 1] == b'@';
        let close = if closed { text[..end].rfind('\n').unwrap_or(body) } else { end };
        return (body.min(close), close);
    }
    let closed = end > start + 1 && text.as_bytes()[end - 1] == quote;
    (start + 1, if closed { end - 1 } else { end })
}
