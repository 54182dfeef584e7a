//! Secrets that are known by where they stand: after a name that says so, in a URL before the host, in a header.

use std::ops::Range;

use super::table;
use super::{AHEAD, begins, is_word, run};

/// A name with one of these in it, case ignored, has a secret for its value.
const NAMES: &[&str] = &table::words::<{ table::count("name") }>("name");
/// A name that is one of these, or ends in one of these after `_`, `-` or `.`, too.
const LAST: &[&str] = &table::words::<{ table::count("ending") }>("ending");
/// Names whose value is a whole header, blanks included.
const HEADERS: &[&str] = &table::words::<{ table::count("header") }>("header");
/// A name whose last part is one of these only speaks about a secret.
const ABOUT: &[&str] = &table::words::<{ table::count("about") }>("about");
/// Options whose value is a user's name, a colon, and a password.
const USERS: &[&str] = &table::words::<{ table::count("user") }>("user");

/// The longest name that is looked at.
const NAME: usize = 96;

/// A secret that a name, a URL or a header shows, where that begins here. The range may begin later than here.
pub(super) fn at(bytes: &[u8], at: usize) -> Option<Range<usize>> {
    if bytes[at] == b':' {
        return begins(bytes, at, "://").then(|| url(bytes, at + 3)).flatten();
    }
    let before = at.checked_sub(1).map(|i| bytes[i]);
    if before.is_some_and(is_name) || !is_name(bytes[at]) {
        return None;
    }
    let end = run(bytes, at, NAME, is_name);
    let name = &bytes[at..end];
    scheme(bytes, name, end).or_else(|| user(bytes, name, end)).or_else(|| value(bytes, name, end))
}

fn is_name(byte: u8) -> bool {
    is_word(byte) || matches!(byte, b'-' | b'.')
}

/// `user:password@`, or a long user alone, before a host.
fn url(bytes: &[u8], start: usize) -> Option<Range<usize>> {
    let stop = |b: u8| b.is_ascii_whitespace() || matches!(b, b'"' | b'\'' | b'`' | b'<' | b'>' | b'|' | b';' | b'\\');
    let end = run(bytes, start, AHEAD, |b| !stop(b));
    let authority = run(bytes, start, AHEAD, |b| !stop(b) && !matches!(b, b'/' | b'?' | b'#'));
    let colon = bytes[start..authority].iter().position(|b| *b == b':').map(|found| start + found);
    let last_at = |from: usize, to: usize| bytes[from..to].iter().rposition(|b| *b == b'@').map(|found| from + found);
    if let Some(at) = last_at(start, authority) {
        return match colon.filter(|colon| *colon < at) {
            Some(colon) => literal(bytes, colon + 1, at),
            None => (at - start >= 20).then_some(start..at),
        };
    }
    // A password with a slash in it, as people do write it: what follows the colon is no port.
    let colon = colon?;
    let port = run(bytes, colon + 1, 6, |b| b.is_ascii_digit());
    if port == authority {
        return None;
    }
    literal(bytes, colon + 1, last_at(authority, end)?)
}

/// `Bearer TOKEN`, `Basic BASE64`: the word after a scheme.
fn scheme(bytes: &[u8], name: &[u8], end: usize) -> Option<Range<usize>> {
    let bearer = name.eq_ignore_ascii_case(b"bearer");
    if !bearer && !name.eq_ignore_ascii_case(b"basic") {
        return None;
    }
    let start = run(bytes, end, 4, |b| b == b' ');
    let stop = run(bytes, start, usize::MAX, |b| is_word(b) || matches!(b, b'-' | b'.' | b'~' | b'+' | b'/' | b'='));
    let word = bytes.get(start..stop)?;
    let least = if bearer { 8 } else { 16 };
    let mixed = word.iter().any(|b| b.is_ascii_digit() || b.is_ascii_uppercase() || *b == b'=');
    (start > end && word.len() >= least && mixed).then_some(start..stop)
}

/// The password in `-u name:password`. A number is a group's, and a name twice is a user's own group.
fn user(bytes: &[u8], name: &[u8], end: usize) -> Option<Range<usize>> {
    if name[0] != b'-' || !USERS.iter().any(|option| option.as_bytes() == name) {
        return None;
    }
    let start = if bytes.get(end) == Some(&b'=') { end + 1 } else { run(bytes, end, 8, |b| b == b' ') };
    let opening = bytes.get(start).copied().filter(|b| matches!(b, b'"' | b'\''));
    let inside = start + usize::from(opening.is_some());
    let colon = run(bytes, inside, AHEAD, |b| is_word(b) || matches!(b, b'-' | b'.' | b'@' | b'+' | b'\\'));
    if start == end || colon == inside || bytes.get(colon) != Some(&b':') {
        return None;
    }
    let stop = match opening {
        Some(quote) => quoted_end(bytes, colon + 1, quote),
        None => plain_end(bytes, colon + 1, false),
    };
    let password = bytes.get(colon + 1..stop)?;
    let is_group = password.iter().all(u8::is_ascii_digit) || password == &bytes[inside..colon];
    if is_group { None } else { literal(bytes, colon + 1, stop) }
}

/// The value after a name: `NAME=value`, `NAME: value`, `"NAME": "value"`, `--NAME value`.
fn value(bytes: &[u8], name: &[u8], end: usize) -> Option<Range<usize>> {
    let quote = bytes.get(end).copied().filter(|b| matches!(b, b'"' | b'\''));
    let after = run(bytes, end + usize::from(quote.is_some()), 8, |b| b == b' ');
    let sign = bytes.get(after).copied().filter(|b| matches!(b, b'=' | b':'));
    let start = match sign {
        Some(b'=') if bytes.get(after + 1) == Some(&b'=') => return None,
        Some(b':') if matches!(bytes.get(after + 1), Some(b':' | b'/')) => return None,
        // A shell's `${NAME:-value}`; `${NAME:?message}` has no value.
        Some(b':') if (end - name.len()).checked_sub(1).is_some_and(|i| bytes[i] == b'{') => match bytes.get(after + 1) {
            Some(b'-' | b'=') => after + 2,
            _ => return None,
        },
        Some(_) => run(bytes, after + 1, 8, |b| b == b' '),
        None if name[0] == b'-' && quote.is_none() && after > end => after,
        None => return None,
    };
    // `name= value` of a shell is an empty assignment, followed by a command.
    if sign == Some(b'=') && start > after + 1 && after == end {
        return None;
    }
    let lower = name.to_ascii_lowercase();
    if !speaks_of_a_secret(&lower) {
        return None;
    }
    // INVARIANT (linear): whether the value only refers to a secret is known before its end is looked for.
    let opening = bytes.get(start).copied().filter(|b| matches!(b, b'"' | b'\''));
    let inside = after_scheme(bytes, start + usize::from(opening.is_some()));
    if (sign.is_none() && bytes.get(inside) == Some(&b'-')) || refers(bytes.get(inside).copied()) {
        return None;
    }
    let header = ends_with_part(&lower, HEADERS);
    let stop = match opening {
        Some(quote) => quoted_end(bytes, inside, quote),
        None => plain_end(bytes, inside, header),
    };
    literal(bytes, inside, stop)
}

fn speaks_of_a_secret(name: &[u8]) -> bool {
    let name = name.strip_prefix(b"--").or_else(|| name.strip_prefix(b"-")).unwrap_or(name);
    if ends_with_part(name, ABOUT) {
        return false;
    }
    // The shell's own `PWD` and `OLDPWD` are directories.
    if name == b"pwd" || name == b"oldpwd" {
        return false;
    }
    NAMES.iter().any(|word| name.windows(word.len()).any(|w| w == word.as_bytes())) || ends_with_part(name, LAST)
}

/// Whether the name is one of the words, or its last part after `_`, `-` or `.` is.
fn ends_with_part(name: &[u8], words: &[&str]) -> bool {
    words.iter().any(|word| {
        name.strip_suffix(word.as_bytes()).is_some_and(|rest| rest.last().is_none_or(|b| matches!(b, b'_' | b'-' | b'.')))
    })
}

/// Where a quoted value ends: before its own quote, else with the text.
fn quoted_end(bytes: &[u8], start: usize, quote: u8) -> usize {
    let mut at = start;
    while at < bytes.len() && bytes[at] != quote {
        at += if bytes[at] == b'\\' && quote == b'"' { 2 } else { 1 };
    }
    boundary(bytes, at)
}

/// Where a bare value ends: with its word; a header's goes on over blanks, to its line's or its quote's end.
fn plain_end(bytes: &[u8], start: usize, header: bool) -> usize {
    run(bytes, start, usize::MAX, |b| match b {
        b'\n' | b'\r' | b'"' | b'\'' | b'`' => false,
        b' ' | b'\t' | b'&' | b';' | b'|' | b',' | b')' | b'}' | b']' | b'<' | b'>' => header,
        _ => true,
    })
}

/// A step over an escaped byte may have landed within a character, or beyond the text.
fn boundary(bytes: &[u8], at: usize) -> usize {
    let mut at = at.min(bytes.len());
    while at < bytes.len() && bytes[at] & 0xc0 == 0x80 {
        at += 1;
    }
    at
}

/// The scheme of a header stays: `Bearer`, `Basic`, `token`.
fn after_scheme(bytes: &[u8], start: usize) -> usize {
    for scheme in ["bearer ", "basic ", "token ", "digest ", "apikey "] {
        if begins(bytes, start, scheme) {
            return run(bytes, start + scheme.len(), 8, |b| b == b' ');
        }
    }
    start
}

/// Whether a value that begins so only refers to a secret: a variable, a substitution, a placeholder, a file.
fn refers(first: Option<u8>) -> bool {
    first.is_none_or(|b| matches!(b, b'$' | b'<' | b'`' | b'%' | b'{' | b'@'))
}

/// The range, unless it is empty or only refers to a secret.
fn literal(bytes: &[u8], start: usize, stop: usize) -> Option<Range<usize>> {
    (start < stop && !refers(bytes.get(start).copied())).then_some(start..stop)
}
