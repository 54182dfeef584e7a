//! Many word patterns at once: tables for what a binary search answers, automata for the rest.
//!
//! Exact words, `x*` and `*x` stand in sorted tables and cost a search each. Other globs share anchored multi-pattern automata
//! (sparse DFAs, which step known text by bytes) where there are enough of them to pay for loading one; a few are matched one
//! by one. An automaton that exceeds its limit when it is built is halved until it does not.

use std::sync::OnceLock;

use regex_automata::dfa::{Automaton as _, sparse};
use regex_automata::util::start::Config;
use regex_automata::{Anchored, PatternID};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::model::rule::{PatternPart, WordPattern};

use super::bytes::{Fault, little};
use super::nfa::{Nfa, Scope};

/// Bytes in a record, taken over in one piece.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Blob(pub Vec<u8>);

impl Serialize for Blob {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0)
    }
}

impl<'de> Deserialize<'de> for Blob {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Blob, D::Error> {
        struct Visitor;
        impl serde::de::Visitor<'_> for Visitor {
            type Value = Blob;
            fn expecting(&self, out: &mut std::fmt::Formatter) -> std::fmt::Result {
                out.write_str("bytes")
            }
            fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Blob, E> {
                Ok(Blob(bytes.to_vec()))
            }
        }
        deserializer.deserialize_bytes(Visitor)
    }
}

/// Words, each with numbers, in sorted order, searched where they lie.
///
/// Number of words, then for each (and one more) where its text and its numbers begin, then the texts, then the numbers; all
/// numbers have four bytes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Table {
    content: Blob,
    /// A bit for each length that a word of it has, in bytes; the last bit for all that are longer.
    lengths: u64,
}

fn length_bit(length: usize) -> u64 {
    1 << length.min(63)
}

impl Table {
    /// A table of the words.
    pub fn new(words: &std::collections::BTreeMap<String, Vec<u32>>) -> Table {
        if words.is_empty() {
            return Table::default();
        }
        let mut heads = Vec::new();
        let (mut texts, mut numbers) = (Vec::new(), Vec::new());
        for (word, list) in words {
            heads.extend([texts.len() as u32, numbers.len() as u32]);
            texts.extend_from_slice(word.as_bytes());
            numbers.extend_from_slice(list);
        }
        heads.extend([texts.len() as u32, numbers.len() as u32]);
        let mut bytes = (words.len() as u32).to_le_bytes().to_vec();
        bytes.extend(heads.iter().flat_map(|head| head.to_le_bytes()));
        bytes.extend_from_slice(&texts);
        bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        let lengths = words.keys().fold(0, |all, word| all | length_bit(word.len()));
        Table { content: Blob(bytes), lengths }
    }

    /// Whether no word is in it.
    pub fn is_empty(&self) -> bool {
        self.content.0.is_empty()
    }

    fn count(&self) -> usize {
        (self.content.0.get(..4).map_or(0, little) as usize).min(self.content.0.len())
    }

    fn head(&self, number: usize) -> Result<(usize, usize), Fault> {
        let at = number.saturating_mul(8).saturating_add(4);
        let bytes = self.content.0.get(at..at.saturating_add(8)).ok_or(Fault::Content { part: "table" })?;
        let (text, numbers) = (little(&bytes[..4]) as usize, little(&bytes[4..]) as usize);
        // Both lie in this very table, so that sums of them cannot overflow.
        if text.max(numbers) > self.content.0.len() { Err(Fault::Content { part: "table" }) } else { Ok((text, numbers)) }
    }

    fn text(&self, number: usize) -> Result<&[u8], Fault> {
        let base = 4 + (self.count() + 1) * 8;
        let (start, end) = (self.head(number)?.0, self.head(number + 1)?.0);
        self.content.0.get(base + start..base + end).ok_or(Fault::Content { part: "table" })
    }

    /// Adds the numbers of a word.
    pub fn find(&self, word: &[u8], found: &mut Vec<u32>) -> Result<(), Fault> {
        if self.lengths & length_bit(word.len()) == 0 {
            return Ok(());
        }
        let (mut low, mut high) = (0, self.count());
        while low < high {
            let middle = low + (high - low) / 2;
            match self.text(middle)?.cmp(word) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => return self.numbers(middle, found),
            }
        }
        Ok(())
    }

    fn numbers(&self, word: usize, found: &mut Vec<u32>) -> Result<(), Fault> {
        let count = self.count();
        let base = 4 + (count + 1) * 8 + self.head(count)?.0;
        let (start, end) = (self.head(word)?.1, self.head(word + 1)?.1);
        let bytes = self.content.0.get(base + start * 4..base + end * 4).ok_or(Fault::Content { part: "table" })?;
        found.extend(bytes.chunks_exact(4).map(|number| little(number) as u32));
        Ok(())
    }
}

/// An automaton and which pattern of the set each of its patterns is.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Shared {
    dfa: Blob,
    patterns: Vec<u32>,
    /// Checked when it is first used: that costs its size, once for each shard that is loaded.
    #[serde(skip)]
    checked: OnceLock<Option<sparse::DFA<Vec<u8>>>>,
}

/// A set of patterns.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Globs {
    exact: Table,
    prefixes: Table,
    suffixes: Table,
    automata: Vec<Shared>,
    single: Vec<(WordPattern, u32)>,
}

/// One automaton for patterns of this scope, for a machine of this byte order; none where it would be too large.
pub type Automaton = fn(&[(&WordPattern, u32)], Scope, bool) -> Option<Blob>;

/// What building costs and for whom it is.
#[derive(Debug, Clone, Copy)]
pub struct Building {
    /// What builds automata. Building one takes longer than all else, so what is compiled in a hook has none; and who only
    /// compiles so ([`crate::image::compile()`]) does not even hold the builder, which is a third of a plugin's engine.
    pub automata: Option<Automaton>,
    /// Globs of one set that are worth automata. Below that, comparing the literal ends of each is faster than checking an
    /// automaton's bytes, which every process does anew.
    pub worth: usize,
    /// For a machine whose first byte is the greatest.
    pub big: bool,
}

impl Building {
    /// No automata at all: for sets that live as long as one call.
    pub fn none() -> Building {
        Building { automata: None, worth: usize::MAX, big: false }
    }
}

/// Globs that share one at first.
const SHARED: usize = 64;
/// Bytes of one automaton, and of what building it may use.
const LIMIT: usize = 1 << 20;

impl Globs {
    /// A set of patterns, each with its number.
    pub fn new<'p>(patterns: impl IntoIterator<Item = (&'p WordPattern, u32)>, scope: Scope, building: &Building) -> Globs {
        let mut tables: [std::collections::BTreeMap<String, Vec<u32>>; 3] = Default::default();
        let mut rest: Vec<(&WordPattern, u32)> = Vec::new();
        for (pattern, number) in patterns {
            let (table, text) = match pattern.parts.as_slice() {
                [] => (0, ""),
                [PatternPart::Literal(text)] => (0, text.as_str()),
                [PatternPart::Literal(text), PatternPart::Star | PatternPart::DoubleStar] => (1, text.as_str()),
                [PatternPart::Star | PatternPart::DoubleStar, PatternPart::Literal(text)] => (2, text.as_str()),
                _ => {
                    rest.push((pattern, number));
                    continue;
                }
            };
            tables[table].entry(text.to_string()).or_default().push(number);
        }
        let mut globs = Globs {
            exact: Table::new(&tables[0]),
            prefixes: Table::new(&tables[1]),
            suffixes: Table::new(&tables[2]),
            automata: Vec::new(),
            single: Vec::new(),
        };
        if rest.len() < building.worth {
            globs.single = rest.into_iter().map(|(pattern, number)| (pattern.clone(), number)).collect();
        } else {
            for shared in rest.chunks(SHARED) {
                globs.build(shared, scope, building);
            }
        }
        globs
    }

    fn build(&mut self, patterns: &[(&WordPattern, u32)], scope: Scope, building: &Building) {
        let Some(automaton) = building.automata.filter(|_| patterns.len() > 1) else {
            self.single.extend(patterns.iter().map(|(pattern, number)| ((*pattern).clone(), *number)));
            return;
        };
        match automaton(patterns, scope, building.big) {
            Some(dfa) => {
                let patterns = patterns.iter().map(|(_, number)| *number).collect();
                self.automata.push(Shared { dfa, patterns, checked: OnceLock::new() });
            }
            None => {
                let (left, right) = patterns.split_at(patterns.len() / 2);
                self.build(left, scope, building);
                self.build(right, scope, building);
            }
        }
    }

    /// The numbers of the patterns that match the text, ascending.
    pub fn matching(&self, text: &str, scope: Scope) -> Result<Vec<u32>, Fault> {
        let mut found = Vec::new();
        self.exact.find(text.as_bytes(), &mut found)?;
        if !self.prefixes.is_empty() || !self.suffixes.is_empty() {
            // A star of a component does not cross a slash; a component has none.
            for (cut, _) in text.char_indices().chain([(text.len(), ' ')]) {
                self.prefixes.find(&text.as_bytes()[..cut], &mut found)?;
                self.suffixes.find(&text.as_bytes()[cut..], &mut found)?;
            }
        }
        for automaton in &self.automata {
            automaton.matching(text, &mut found)?;
        }
        for (pattern, number) in &self.single {
            if matches(pattern, text, scope) {
                found.push(*number);
            }
        }
        found.sort_unstable();
        found.dedup();
        Ok(found)
    }
}

impl Shared {
    fn matching(&self, text: &str, found: &mut Vec<u32>) -> Result<(), Fault> {
        const BAD: Fault = Fault::Content { part: "automaton" };
        let check = || sparse::DFA::from_bytes(&self.dfa.0).ok().map(|(dfa, _)| dfa.to_owned());
        let dfa = self.checked.get_or_init(check).as_ref().ok_or(BAD)?;
        let mut state = dfa.start_state(&Config::new().anchored(Anchored::Yes)).map_err(|_| BAD)?;
        for byte in text.bytes() {
            state = dfa.next_state(state, byte);
            if dfa.is_dead_state(state) {
                return Ok(());
            }
        }
        state = dfa.next_eoi_state(state);
        if dfa.is_match_state(state) {
            for number in 0..dfa.match_len(state) {
                let pattern: PatternID = dfa.match_pattern(state, number);
                found.push(*self.patterns.get(pattern.as_usize()).ok_or(BAD)?);
            }
        }
        Ok(())
    }
}

/// Whether one pattern matches a known text.
pub fn matches(pattern: &WordPattern, text: &str, scope: Scope) -> bool {
    match pattern.parts.as_slice() {
        [] => text.is_empty(),
        [PatternPart::Literal(literal)] => literal == text,
        [PatternPart::Star | PatternPart::DoubleStar] => scope == Scope::Word || !text.contains('/'),
        [PatternPart::Choice(choices)] => choices.iter().any(|choice| matches(choice, text, scope)),
        parts if scope == Scope::Word && is_plain(parts) => in_order(parts, text),
        [star @ .., PatternPart::Literal(tail)] if !star.is_empty() && !text.ends_with(tail.as_str()) => false,
        [PatternPart::Literal(head), ..] if !text.starts_with(head.as_str()) => false,
        _ => Nfa::new([pattern], [], scope, false).matches(text),
    }
}

/// Whether texts and stars alone are in it, and no text follows a text.
fn is_plain(parts: &[PatternPart]) -> bool {
    let is_text = |part: &PatternPart| matches!(part, PatternPart::Literal(_));
    let is_star = |part: &PatternPart| matches!(part, PatternPart::Star | PatternPart::DoubleStar);
    parts.iter().all(|part| is_text(part) || is_star(part)) && parts.windows(2).all(|two| !two.iter().all(is_text))
}

/// Whether the texts of plain parts stand in this order, with anything between them where a star is. Each is taken where it
/// first stands, but for the last, which must end the text.
fn in_order(parts: &[PatternPart], text: &str) -> bool {
    let (mut rest, mut floats) = (text, false);
    for (number, part) in parts.iter().enumerate() {
        let PatternPart::Literal(literal) = part else {
            floats = true;
            continue;
        };
        let at = match (floats, number + 1 == parts.len()) {
            (true, true) => rest.len().checked_sub(literal.len()).filter(|_| rest.ends_with(literal.as_str())),
            (true, false) => rest.find(literal.as_str()),
            (false, _) => rest.starts_with(literal.as_str()).then_some(0),
        };
        let Some(at) = at else { return false };
        rest = &rest[at + literal.len()..];
        floats = false;
    }
    floats || rest.is_empty()
}

/// Builds one by determinising.
pub fn dfa(patterns: &[(&WordPattern, u32)], scope: Scope, big: bool) -> Option<Blob> {
    use regex_automata::dfa::{StartKind, dense};
    use regex_automata::nfa::thompson;
    use regex_automata::util::syntax;
    let texts: Vec<String> = patterns.iter().map(|(pattern, _)| expression(pattern, scope)).collect();
    let dense = dense::Builder::new()
        .configure(
            dense::Config::new()
                .start_kind(StartKind::Anchored)
                .match_kind(regex_automata::MatchKind::All)
                .dfa_size_limit(Some(LIMIT))
                .determinize_size_limit(Some(4 * LIMIT)),
        )
        .syntax(syntax::Config::new().dot_matches_new_line(true).nest_limit(250))
        .thompson(thompson::Config::new().nfa_size_limit(Some(LIMIT)))
        .build_many(&texts)
        .ok()?;
    let sparse = dense.to_sparse().ok()?;
    let bytes = if big { sparse.to_bytes_big_endian() } else { sparse.to_bytes_little_endian() };
    Some(Blob(bytes))
}

/// A pattern in the automaton crate's own syntax, anchored at its end.
fn expression(pattern: &WordPattern, scope: Scope) -> String {
    let mut out = String::from("(?:");
    write(pattern, scope, &mut out, 0);
    out.push_str(")\\z");
    out
}

/// A class without a character.
const NOTHING: &str = "[a&&b]";

fn write(pattern: &WordPattern, scope: Scope, out: &mut String, depth: usize) {
    use std::fmt::Write;
    let any = if scope == Scope::Word { "." } else { "[^/]" };
    let escape = |out: &mut String, char: char| {
        let _ = write!(out, "\\x{{{:X}}}", char as u32);
    };
    for part in &pattern.parts {
        match part {
            PatternPart::Literal(text) => text.chars().for_each(|char| escape(out, char)),
            PatternPart::Star | PatternPart::DoubleStar => {
                out.push_str(any);
                out.push('*');
            }
            PatternPart::Question => out.push_str(any),
            PatternPart::Class { negated, ranges } => {
                let ranges: Vec<(char, char)> = ranges.iter().copied().filter(|(low, high)| low <= high).collect();
                if ranges.is_empty() {
                    // No character is in it, so every one is outside of it.
                    out.push_str(if *negated { any } else { NOTHING });
                    continue;
                }
                let slash = if scope == Scope::Word { "" } else { "&&[^/]" };
                out.push_str(if *negated { "[[^" } else { "[[" });
                for (low, high) in &ranges {
                    escape(out, *low);
                    out.push('-');
                    escape(out, *high);
                }
                out.push(']');
                out.push_str(slash);
                out.push(']');
            }
            PatternPart::Choice(_) if depth >= 16 => {
                out.push_str(any);
                out.push('*');
            }
            PatternPart::Choice(choices) => {
                out.push_str("(?:");
                for (number, choice) in choices.iter().enumerate() {
                    if number > 0 {
                        out.push('|');
                    }
                    write(choice, scope, out, depth + 1);
                }
                out.push(')');
                if choices.is_empty() {
                    out.push_str(NOTHING);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_parts_mean_what_the_automaton_says() {
        let kinds = [PatternPart::Star, PatternPart::Literal("a".into()), PatternPart::Literal("ab".into())];
        let texts: Vec<String> = (0..6u32)
            .flat_map(|length| {
                (0..1u32 << length).map(move |bits| (0..length).map(|i| if bits >> i & 1 == 0 { 'a' } else { 'b' }).collect())
            })
            .collect();
        for number in 0..kinds.len().pow(4) {
            let parts: Vec<PatternPart> = (0..4).map(|i| kinds[number / kinds.len().pow(i) % kinds.len()].clone()).collect();
            for length in 2..=4 {
                let pattern = WordPattern { parts: parts[..length].to_vec() };
                let automaton = Nfa::new([&pattern], [], Scope::Word, false);
                for text in &texts {
                    assert_eq!(matches(&pattern, text, Scope::Word), automaton.matches(text), "{pattern:?} {text}");
                }
            }
        }
    }
}
