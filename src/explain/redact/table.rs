//! `secrets.txt` → tables, when the crate is compiled: a line that is none of those that the file describes does not compile.

use super::formats::Body;

const TEXT: &[u8] = include_bytes!("secrets.txt");

/// A form of tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token {
    /// How it begins.
    pub beginning: &'static str,
    /// The characters that follow.
    pub body: Body,
    /// How many of them at least.
    pub least: usize,
    /// Whether the beginning is no part of a word, so that it counts within one.
    pub is_telling: bool,
}

/// An address whose rest is the secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Address {
    /// The address.
    pub text: &'static str,
    /// Whether the secret ends at a slash.
    pub word: bool,
}

/// How many lines there are of a keyword.
pub(super) const fn count(keyword: &str) -> usize {
    let (mut found, mut at) = (0, 0);
    while at < TEXT.len() {
        let end = line_end(at);
        if rest(at, end, keyword).is_some() {
            found += 1;
        }
        at = end + 1;
    }
    found
}

/// What follows a keyword, line by line.
pub(super) const fn words<const N: usize>(keyword: &str) -> [&'static str; N] {
    let mut all = [""; N];
    let (mut found, mut at) = (0, 0);
    while at < TEXT.len() {
        let end = line_end(at);
        if let Some(rest) = rest(at, end, keyword) {
            all[found] = rest;
            found += 1;
        }
        at = end + 1;
    }
    all
}

/// The tokens.
pub(super) const fn tokens<const N: usize>() -> [Token; N] {
    let rows = words::<N>("token");
    let mut all = [Token { beginning: "", body: Body::Alnum, least: 0, is_telling: false }; N];
    let mut row = 0;
    while row < N {
        let (kind, left) = word(rows[row]);
        let (least, beginning) = word(left);
        let beginning = unquoted(beginning);
        assert!(!beginning.is_empty());
        all[row] = Token { beginning, body: body(kind), least: number(least), is_telling: is_telling(beginning.as_bytes()) };
        row += 1;
    }
    all
}

/// The addresses.
pub(super) const fn addresses<const N: usize>() -> [Address; N] {
    let rows = words::<N>("address");
    let mut all = [Address { text: "", word: false }; N];
    let mut row = 0;
    while row < N {
        let (first, left) = word(rows[row]);
        all[row] = if left.is_empty() { Address { text: first, word: false } } else { Address { text: left, word: true } };
        row += 1;
    }
    all
}

const fn line_end(mut at: usize) -> usize {
    while at < TEXT.len() && TEXT[at] != b'\n' {
        at += 1;
    }
    at
}

/// What follows the keyword in a line, without its comment.
const fn rest(start: usize, end: usize, keyword: &str) -> Option<&'static str> {
    let keyword = keyword.as_bytes();
    let mut at = 0;
    while at < keyword.len() {
        if start + at >= end || TEXT[start + at] != keyword[at] {
            return None;
        }
        at += 1;
    }
    if start + at >= end || TEXT[start + at] != b' ' {
        return None;
    }
    let mut stop = start + at;
    while stop < end && TEXT[stop] != b'#' {
        stop += 1;
    }
    Some(trimmed(slice(TEXT, start + at, stop)))
}

/// The first word of a text, and what follows it.
const fn word(text: &'static str) -> (&'static str, &'static str) {
    let bytes = text.as_bytes();
    let mut end = 0;
    while end < bytes.len() && bytes[end] != b' ' {
        end += 1;
    }
    (trimmed(slice(bytes, 0, end)), trimmed(slice(bytes, end, bytes.len())))
}

const fn unquoted(text: &'static str) -> &'static str {
    let bytes = text.as_bytes();
    if bytes.len() > 1 && bytes[0] == b'"' && bytes[bytes.len() - 1] == b'"' {
        return string(slice(bytes, 1, bytes.len() - 1));
    }
    text
}

const fn slice(bytes: &'static [u8], start: usize, end: usize) -> &'static [u8] {
    bytes.split_at(end).0.split_at(start).1
}

const fn trimmed(bytes: &'static [u8]) -> &'static str {
    string(bytes.trim_ascii())
}

const fn string(bytes: &'static [u8]) -> &'static str {
    match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(_) => panic!("the table is UTF-8"),
    }
}

const fn number(text: &str) -> usize {
    let bytes = text.as_bytes();
    let (mut number, mut at) = (0, 0);
    assert!(!bytes.is_empty());
    while at < bytes.len() {
        assert!(bytes[at].is_ascii_digit());
        number = number * 10 + (bytes[at] - b'0') as usize;
        at += 1;
    }
    number
}

const fn body(kind: &str) -> Body {
    match kind.as_bytes() {
        b"alnum" => Body::Alnum,
        b"url" => Body::Url,
        b"wide" => Body::Wide,
        b"upper" => Body::Upper,
        b"hex" => Body::Hex,
        _ => panic!("no such kind of characters"),
    }
}

/// At least four characters, one of which stands in no word.
const fn is_telling(beginning: &[u8]) -> bool {
    let mut at = 0;
    while at < beginning.len() {
        if !beginning[at].is_ascii_alphanumeric() {
            return beginning.len() >= 4;
        }
        at += 1;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_file_is_in_a_table() {
        let text = std::str::from_utf8(TEXT).expect("UTF-8");
        let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).count();
        let keywords = ["token", "address", "name", "ending", "header", "about", "user"];
        assert_eq!(keywords.map(count).iter().sum::<usize>(), lines);
    }
}
