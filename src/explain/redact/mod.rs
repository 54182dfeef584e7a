//! Secrets taken out of text, before it is shown or kept anywhere.
//!
//! In comes any text, out goes the same text with [`MARK`] in place of what looks like a secret, by the data in `secrets.txt`: tokens
//! of a known form ([`formats`]), values of names that say what they are (`password=…`, `--token …`, `"apiKey": "…"`), passwords in URLs,
//! authorisation headers, private keys. What only refers to a secret (`$TOKEN`, `--password-file x`) stays.
//!
//! INVARIANT (linear): the text is scanned once from left to right; what is looked at ahead of the place reached is either
//! taken at once or at most [`AHEAD`] bytes. No expression is compiled.

mod formats;
mod named;
mod table;

/// What stands in place of a secret.
pub const MARK: &str = "<redacted>";

/// How far a look ahead may go without taking what it saw.
const AHEAD: usize = 256;

/// A text without its secrets, and where they were.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Redacted {
    /// The text to show.
    pub text: String,
    /// What was taken out: the bytes of the original.
    pub cuts: Vec<std::ops::Range<usize>>,
}

/// The text without secrets.
///
/// ```
/// # use cc_safety_net::explain::redact::redact;
/// assert_eq!(redact("PGPASSWORD=hunter22 psql -h db"), "PGPASSWORD=<redacted> psql -h db");
/// assert_eq!(redact("git clone https://me:hunter22@host/x"), "git clone https://me:<redacted>@host/x");
/// assert_eq!(redact("login --token $TOKEN"), "login --token $TOKEN");
/// ```
pub fn redact(text: &str) -> String {
    find(text).text
}

/// The text without secrets, and where they were.
pub fn find(text: &str) -> Redacted {
    let cuts = secrets(text);
    let mut shown = String::with_capacity(text.len());
    let mut done = 0;
    for cut in &cuts {
        shown.push_str(&text[done..cut.start]);
        shown.push_str(MARK);
        done = cut.end;
    }
    shown.push_str(&text[done..]);
    Redacted { text: shown, cuts }
}

/// Where the secrets are, in order, without overlaps. Every end lies on a character boundary: the scanners stop at ASCII
/// bytes, or at the text's end.
fn secrets(text: &str) -> Vec<std::ops::Range<usize>> {
    let bytes = text.as_bytes();
    let mut cuts: Vec<std::ops::Range<usize>> = Vec::new();
    let mut at = 0;
    let mut kind = Kind::Other;
    while at < bytes.len() {
        // What stands before a secret that was seen ahead is looked at, too: `scheme://password=:x@host`.
        if !cuts.is_empty()
            && let Some(end) = cuts.iter().rev().take(4).filter(|cut| cut.contains(&at)).map(|cut| cut.end).max()
        {
            at = end;
            kind = KINDS[usize::from(bytes[at - 1])];
            continue;
        }
        let before = std::mem::replace(&mut kind, KINDS[usize::from(bytes[at])]);
        let found = match (before, kind) {
            // `-pTOKEN`, `nameTOKEN`.
            (Kind::Word, Kind::Word) => formats::token(bytes, at, true),
            (_, Kind::Word | Kind::Mark) => formats::at(bytes, at).or_else(|| named::at(bytes, at)),
            (_, Kind::Other) => None,
        };
        cuts.extend(found.filter(|cut| cut.start >= at && cut.end > cut.start));
        if cuts.last().is_none_or(|cut| cut.start != at) {
            at += 1;
        }
    }
    cuts.sort_by_key(|cut| cut.start);
    cuts.dedup_by(|later, earlier| {
        let touches = later.start <= earlier.end;
        if touches {
            earlier.end = earlier.end.max(later.end);
        }
        touches
    });
    cuts
}

/// What may begin at a byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// A letter, a digit or `_`: a token, a name.
    Word,
    /// `-`, `:` or `.`: an option, a URL's host, a private key.
    Mark,
    /// Nothing that is looked for.
    Other,
}

/// Each byte's kind: every byte of every text is looked up.
const KINDS: [Kind; 256] = {
    let mut kinds = [Kind::Other; 256];
    let mut byte = 0;
    while byte < 256 {
        if is_word(byte as u8) {
            kinds[byte] = Kind::Word;
        } else if matches!(byte as u8, b'-' | b':' | b'.') {
            kinds[byte] = Kind::Mark;
        }
        byte += 1;
    }
    kinds
};

/// Letters, digits and `_`.
const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Whether the bytes at a place begin with a text, its case ignored.
fn begins(bytes: &[u8], at: usize, text: &str) -> bool {
    bytes.get(at..at + text.len()).is_some_and(|start| start.eq_ignore_ascii_case(text.as_bytes()))
}

/// The first place from `at` on, at most `limit` bytes ahead, whose byte is not of the kind.
fn run(bytes: &[u8], at: usize, limit: usize, kind: impl Fn(u8) -> bool) -> usize {
    let end = bytes.len().min(at.saturating_add(limit));
    (at..end).find(|i| !kind(bytes[*i])).unwrap_or(end)
}

#[cfg(test)]
mod tests;
