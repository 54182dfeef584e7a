//! The matching of brackets and the ends of strings.

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
