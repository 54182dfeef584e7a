//! A word as written → a glob, and a string as written → its text.
//!
//! The grammar has accepted the word; what can still be wrong is a range that runs backwards.

use crate::model::rule::{PatternPart, WordPattern};

/// A part of a word that means nothing: its bytes in the word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BadRange {
    /// First byte of the class.
    pub start: usize,
    /// One past the last.
    pub end: usize,
}

/// The glob that a word means. Quotes join and make literal; `{a}` without a comma is literal.
pub fn glob(word: &str) -> Result<WordPattern, BadRange> {
    let mut parts = Vec::new();
    parse(word, 0, &mut parts)?;
    Ok(WordPattern { parts })
}

/// A string's text: `\"`, `\\`, `\n` and `\t` stand for what they stand for everywhere.
pub fn unescape(text: &str) -> String {
    if !text.contains('\\') {
        return text.to_string();
    }
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some('n') => out.push('\n'),
                Some('t') => out.push('\t'),
                Some(other) => out.push(other),
                None => {}
            },
            c => out.push(c),
        }
    }
    out
}

/// Whether the word's first letter is quoted: then it is no sign of the language.
pub fn begins_quoted(word: &str) -> bool {
    word.starts_with('"')
}

// Depth is bounded by the splitter's limit on nesting.
fn parse(word: &str, base: usize, parts: &mut Vec<PatternPart>) -> Result<(), BadRange> {
    let bytes = word.as_bytes();
    let mut i = 0;
    while i < bytes.len() {
        match bytes[i] {
            b'"' => {
                let end = quote_end(bytes, i);
                literal(parts, &unescape(&word[i + 1..end.saturating_sub(1).max(i + 1)]));
                i = end;
            }
            b'*' => {
                let stars = bytes[i..].iter().take_while(|byte| **byte == b'*').count();
                parts.push(if stars == 1 { PatternPart::Star } else { PatternPart::DoubleStar });
                i += stars;
            }
            b'?' => {
                parts.push(PatternPart::Question);
                i += 1;
            }
            b'[' => match class_end(bytes, i) {
                Some(end) => {
                    parts.push(class(&word[i + 1..end - 1]).ok_or(BadRange { start: base + i, end: base + end })?);
                    i = end;
                }
                None => {
                    literal(parts, "[");
                    i += 1;
                }
            },
            b'{' => {
                let (commas, end) = choice_end(bytes, i);
                match end {
                    Some(end) if !commas.is_empty() => {
                        let mut starts = vec![i + 1];
                        starts.extend(commas.iter().map(|comma| comma + 1));
                        let ends = commas.iter().copied().chain([end - 1]);
                        let mut choices = Vec::new();
                        for (start, stop) in starts.into_iter().zip(ends) {
                            let mut inner = Vec::new();
                            parse(&word[start..stop], base + start, &mut inner)?;
                            choices.push(WordPattern { parts: inner });
                        }
                        parts.push(PatternPart::Choice(choices));
                        i = end;
                    }
                    _ => {
                        literal(parts, "{");
                        i += 1;
                    }
                }
            }
            _ => {
                let length = bytes[i..]
                    .iter()
                    .position(|byte| matches!(byte, b'"' | b'*' | b'?' | b'[' | b'{'))
                    .unwrap_or(bytes.len() - i);
                literal(parts, &word[i..i + length]);
                i += length;
            }
        }
    }
    Ok(())
}

fn literal(parts: &mut Vec<PatternPart>, text: &str) {
    match parts.last_mut() {
        Some(PatternPart::Literal(last)) => last.push_str(text),
        _ if text.is_empty() => {}
        _ => parts.push(PatternPart::Literal(text.to_string())),
    }
}

fn quote_end(bytes: &[u8], start: usize) -> usize {
    let mut i = start + 1;
    while i < bytes.len() {
        match bytes[i] {
            b'\\' => i += 2,
            b'"' => return i + 1,
            _ => i += 1,
        }
    }
    bytes.len()
}

fn class_end(bytes: &[u8], start: usize) -> Option<usize> {
    let mut i = start + 1;
    if bytes.get(i) == Some(&b'!') {
        i += 1;
    }
    if bytes.get(i) == Some(&b']') {
        i += 1;
    }
    while i < bytes.len() {
        if bytes[i] == b']' {
            return Some(i + 1);
        }
        i += 1;
    }
    None
}

/// The commas at the choice's own level, and its end.
fn choice_end(bytes: &[u8], start: usize) -> (Vec<usize>, Option<usize>) {
    let mut commas = Vec::new();
    let mut depth = 0usize;
    let mut i = start;
    while i < bytes.len() {
        match bytes[i] {
            b'"' => {
                i = quote_end(bytes, i);
                continue;
            }
            b'[' => {
                if let Some(end) = class_end(bytes, i) {
                    i = end;
                    continue;
                }
            }
            b'{' => depth += 1,
            b'}' => {
                depth -= 1;
                if depth == 0 {
                    return (commas, Some(i + 1));
                }
            }
            b',' if depth == 1 => commas.push(i),
            _ => {}
        }
        i += 1;
    }
    (commas, None)
}

fn class(inner: &str) -> Option<PatternPart> {
    let (negated, inner) = match inner.strip_prefix('!') {
        Some(rest) => (true, rest),
        None => (false, inner),
    };
    let letters: Vec<char> = inner.chars().collect();
    let mut ranges = Vec::new();
    let mut i = 0;
    while i < letters.len() {
        let (low, high) = if i + 2 < letters.len() && letters[i + 1] == '-' {
            (letters[i], letters[i + 2])
        } else {
            (letters[i], letters[i])
        };
        if low > high {
            return None;
        }
        i += if i + 2 < letters.len() && letters[i + 1] == '-' { 3 } else { 1 };
        ranges.push((low, high));
    }
    if ranges.is_empty() { None } else { Some(PatternPart::Class { negated, ranges }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn literals(word: &str) -> Vec<PatternPart> {
        glob(word).map(|pattern| pattern.parts).unwrap_or_default()
    }

    #[test]
    fn quotes_join_and_make_literal() {
        assert_eq!(literals("\"@evil/\"*"), vec![PatternPart::Literal("@evil/".into()), PatternPart::Star]);
        assert_eq!(literals("a\"*\"b"), vec![PatternPart::Literal("a*b".into())]);
    }

    #[test]
    fn braces_without_a_comma_are_literal() {
        assert_eq!(literals("HEAD@{1}"), vec![PatternPart::Literal("HEAD@{1}".into())]);
    }

    #[test]
    fn a_choice_holds_globs() {
        let PatternPart::Choice(choices) = &literals("{a*,b}")[0] else { panic!("no choice") };
        assert_eq!(choices[0].parts, vec![PatternPart::Literal("a".into()), PatternPart::Star]);
        assert_eq!(choices[1].as_literal(), Some("b"));
    }

    #[test]
    fn a_backward_range_is_a_fault() {
        assert_eq!(glob("x[z-a]"), Err(BadRange { start: 1, end: 6 }));
    }
}
