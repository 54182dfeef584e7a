//! Tokens that are known by their form alone: a fixed beginning, then enough characters of a kind.

use std::ops::Range;

use super::table::{self, Address, Token};
use super::{AHEAD, begins, run};

/// Every form, sorted by beginning.
pub(super) const FORMATS: &[Token] = &table::tokens::<{ table::count("token") }>();
const ADDRESSES: &[Address] = &table::addresses::<{ table::count("address") }>();

/// The characters of a token after its beginning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Body {
    /// Letters and digits.
    Alnum,
    /// Letters, digits, `_` and `-`.
    Url,
    /// Letters, digits, `_`, `-`, `.`, `=`, `/`, `+`, `~`: several parts, or base64.
    Wide,
    /// Capital letters and digits.
    Upper,
    /// Hexadecimal digits in small letters.
    Hex,
}

impl Body {
    fn has(self, byte: u8) -> bool {
        match self {
            Body::Alnum => byte.is_ascii_alphanumeric(),
            Body::Url => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'),
            Body::Wide => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'=' | b'/' | b'+' | b'~'),
            Body::Upper => byte.is_ascii_uppercase() || byte.is_ascii_digit(),
            Body::Hex => byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte),
        }
    }
}

/// For each first byte, where its formats begin in the table.
const FIRST: [u16; 257] = {
    let mut first = [FORMATS.len() as u16; 257];
    let mut row = FORMATS.len();
    while row > 0 {
        row -= 1;
        let byte = FORMATS[row].beginning.as_bytes()[0] as usize;
        let mut each = byte as isize;
        while each >= 0 && (first[each as usize] as usize) > row {
            first[each as usize] = row as u16;
            each -= 1;
        }
    }
    first
};

/// For each first byte, the second bytes of the tokens: at most places no token begins.
const SECOND: [u128; 256] = seconds(false);
/// As [`SECOND`], of the tokens that count within a word.
const TELLING: [u128; 256] = seconds(true);

const fn seconds(telling: bool) -> [u128; 256] {
    let mut second = [0; 256];
    let mut row = 0;
    while row < FORMATS.len() {
        let beginning = FORMATS[row].beginning.as_bytes();
        if FORMATS[row].is_telling || !telling {
            second[beginning[0] as usize] |= 1 << (beginning[1] & 127);
        }
        row += 1;
    }
    second
}

/// Which bytes an address begins with.
const ADDRESS: [bool; 256] = {
    let mut first = [false; 256];
    let mut row = 0;
    while row < ADDRESSES.len() {
        let byte = ADDRESSES[row].text.as_bytes()[0];
        first[byte.to_ascii_lowercase() as usize] = true;
        first[byte.to_ascii_uppercase() as usize] = true;
        row += 1;
    }
    first
};

/// A token of the table that begins here. Within a word, where only a beginning that is no word itself counts.
pub(super) fn token(bytes: &[u8], at: usize, inside: bool) -> Option<Range<usize>> {
    let byte = usize::from(bytes[at]);
    let second = if inside { &TELLING[byte] } else { &SECOND[byte] };
    if *second == 0 || bytes.get(at + 1).is_none_or(|next| second >> (next & 127) & 1 == 0) {
        return None;
    }
    for token in &FORMATS[usize::from(FIRST[byte])..usize::from(FIRST[byte + 1])] {
        let beginning = token.beginning.as_bytes();
        if (token.is_telling || !inside) && bytes[at..].starts_with(beginning) {
            let start = at + beginning.len();
            let end = run(bytes, start, usize::MAX, |b| token.body.has(b));
            if end - start >= token.least {
                return Some(at..end);
            }
        }
    }
    None
}

/// A secret of a known form that begins here, at the beginning of a word.
pub(super) fn at(bytes: &[u8], at: usize) -> Option<Range<usize>> {
    if let Some(found) = token(bytes, at, false) {
        return Some(found);
    }
    match bytes[at] {
        b'0'..=b'9' => bot(bytes, at).or_else(|| two_parts(bytes, at)),
        b'a'..=b'f' => two_parts(bytes, at),
        b'M' | b'N' | b'O' => three_parts(bytes, at),
        b'-' => private_key(bytes, at),
        _ => None,
    }
    .or_else(|| address(bytes, at))
}

/// What follows an address that is itself the permission.
fn address(bytes: &[u8], at: usize) -> Option<Range<usize>> {
    if !ADDRESS[usize::from(bytes[at])] {
        return None;
    }
    let address = ADDRESSES.iter().find(|address| begins(bytes, at, address.text))?;
    let start = at + address.text.len();
    let end = run(bytes, start, AHEAD, |b| b == b':' || (Body::Wide.has(b) && (!address.word || b != b'/')));
    (end - start >= 20).then_some(start..end)
}

/// 32 hexadecimal digits, a dot, 16 letters and digits: Zhipu's.
fn two_parts(bytes: &[u8], at: usize) -> Option<Range<usize>> {
    let dot = run(bytes, at, 33, |b| Body::Hex.has(b));
    if dot - at != 32 || bytes.get(dot) != Some(&b'.') {
        return None;
    }
    let end = run(bytes, dot + 1, 32, |b| Body::Alnum.has(b));
    (end - dot == 17).then_some(at..end)
}

/// A Telegram bot's token: digits, a colon, 35 characters.
fn bot(bytes: &[u8], at: usize) -> Option<Range<usize>> {
    let colon = run(bytes, at, 12, |b| b.is_ascii_digit());
    if colon - at < 8 || bytes.get(colon) != Some(&b':') {
        return None;
    }
    let end = run(bytes, colon + 1, 64, |b| Body::Url.has(b));
    (end - colon > 33).then_some(at..end)
}

/// A Discord bot's token: three parts, joined by dots.
fn three_parts(bytes: &[u8], at: usize) -> Option<Range<usize>> {
    let first = run(bytes, at, 40, |b| Body::Url.has(b));
    let second = run(bytes, first + 1, 12, |b| Body::Url.has(b));
    if !(23..=30).contains(&(first - at)) || bytes.get(first) != Some(&b'.') || bytes.get(second) != Some(&b'.') {
        return None;
    }
    let end = run(bytes, second + 1, 80, |b| Body::Url.has(b));
    (second - first == 7 && end - second > 27).then_some(at..end)
}

/// What stands between the lines of a private key; all the rest where it has no end.
fn private_key(bytes: &[u8], at: usize) -> Option<Range<usize>> {
    const BEGIN: &str = "-----BEGIN ";
    if !begins(bytes, at, BEGIN) {
        return None;
    }
    let label = at + BEGIN.len();
    let closed = run(bytes, label, 64, |b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b' ');
    let name = &bytes[label..closed];
    if !name.windows(11).any(|w| w == b"PRIVATE KEY") || !begins(bytes, closed, "-----") {
        return None;
    }
    let start = closed + 5;
    let end = bytes[start..].windows(9).position(|w| w == b"-----END ").map_or(bytes.len(), |found| start + found);
    (end > start).then_some(start..end)
}
