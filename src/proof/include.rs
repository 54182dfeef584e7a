//! Whether one set of globs has all that another has: proved on automata, or not said.

use std::collections::{BTreeSet, VecDeque};

use regex_automata::dfa::{Automaton, StartKind, dense};
use regex_automata::nfa::thompson;
use regex_automata::util::primitives::StateID;
use regex_automata::util::start;
use regex_automata::{Anchored, util::syntax};

use crate::model::rule::{PathSet, PatternPart, WordPattern, WordSet};

/// The largest automaton that is built, in bytes.
const SIZE: usize = 4 << 20;

/// The most pairs of states that are looked at.
const PAIRS: usize = 200_000;

/// Whether it is certain that every word of `small` is in `large`.
pub fn words(large: &WordSet, small: &WordSet) -> bool {
    large == small || within(&small.any, &large.any, word) && within(&large.except, &small.except, word)
}

/// Whether it is certain that every path of `small` is in `large`, whichever way it is written.
pub fn paths(large: &PathSet, small: &PathSet) -> bool {
    large == small
        || within(&small.any, &large.any, path)
            && within(&large.except, &small.except, path)
            && small.settings.iter().all(|name| large.settings.contains(name))
}

fn within(small: &[WordPattern], large: &[WordPattern], expression: fn(&WordPattern) -> String) -> bool {
    let rest: Vec<&WordPattern> = small.iter().filter(|each| !large.contains(each)).collect();
    if rest.is_empty() {
        return true;
    }
    if large.is_empty() {
        return false;
    }
    let union = |all: &mut dyn Iterator<Item = &WordPattern>| all.map(expression).collect::<Vec<_>>().join("|");
    let (small, large) = (union(&mut rest.into_iter()), union(&mut large.iter()));
    match (automaton(&small), automaton(&large)) {
        (Some(small), Some(large)) => included(&small, &large).unwrap_or(false),
        _ => false,
    }
}

fn automaton(expression: &str) -> Option<dense::DFA<Vec<u32>>> {
    dense::Builder::new()
        .configure(
            dense::Config::new().start_kind(StartKind::Anchored).dfa_size_limit(Some(SIZE)).determinize_size_limit(Some(SIZE)),
        )
        .syntax(syntax::Config::new().dot_matches_new_line(true))
        .thompson(thompson::Config::new().nfa_size_limit(Some(SIZE)))
        .build(&format!("(?:{expression})\\z"))
        .ok()
}

/// Walks both automata over every text at once: none may end in one alone. `None` where that takes too long.
fn included(small: &dense::DFA<Vec<u32>>, large: &dense::DFA<Vec<u32>>) -> Option<bool> {
    let begin = start::Config::new().anchored(Anchored::Yes);
    let first = (small.start_state(&begin).ok()?, large.start_state(&begin).ok()?);
    let mut seen: BTreeSet<(StateID, StateID)> = BTreeSet::from([first]);
    let mut open = VecDeque::from([first]);
    while let Some((a, b)) = open.pop_front() {
        let ends = |dfa: &dense::DFA<Vec<u32>>, state| dfa.is_match_state(dfa.next_eoi_state(state));
        if ends(small, a) && !ends(large, b) {
            return Some(false);
        }
        for byte in 0..=u8::MAX {
            let next = (small.next_state(a, byte), large.next_state(b, byte));
            if !small.is_dead_state(next.0) && seen.insert(next) {
                if seen.len() > PAIRS {
                    return None;
                }
                open.push_back(next);
            }
        }
    }
    Some(true)
}

fn word(pattern: &WordPattern) -> String {
    expression(&pattern.parts, ".*", ".", ".*")
}

/// `**` as a component is any number of components; at the end it is what lies below.
fn path(pattern: &WordPattern) -> String {
    expression(&pattern.parts, "[^/]*", "[^/]", "(?:[^/]+(?:/[^/]+)*)?").replace("(?:[^/]+(?:/[^/]+)*)?/", "(?:[^/]*/)*")
}

// Depth is bounded by the language's limit on nesting.
fn expression(parts: &[PatternPart], star: &str, question: &str, double: &str) -> String {
    let mut out = String::from("(?:");
    for part in parts {
        match part {
            PatternPart::Literal(text) => text.chars().for_each(|c| {
                if c.is_ascii_punctuation() && c != '/' {
                    out.push('\\');
                }
                out.push(c);
            }),
            PatternPart::Star => out.push_str(star),
            PatternPart::DoubleStar => out.push_str(double),
            PatternPart::Question => out.push_str(question),
            PatternPart::Class { negated, ranges } => {
                out.push_str(if *negated { "[^" } else { "[" });
                for (low, high) in ranges {
                    out.push_str(&format!("\\u{{{:x}}}-\\u{{{:x}}}", u32::from(*low), u32::from(*high)));
                }
                out.push(']');
            }
            PatternPart::Choice(choices) => {
                let each: Vec<String> =
                    choices.iter().map(|choice| expression(&choice.parts, star, question, double)).collect();
                out.push_str(&format!("(?:{})", each.join("|")));
            }
        }
    }
    out.push(')');
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::{File, Known, check_layer};

    /// Whether the first of two lists (or sets of paths) has all of the second.
    fn has(kind: &str, large: &str, small: &str) -> bool {
        let text = format!("{kind} a = {large}\n{kind} b = {small}\n");
        let book = check_layer(&[File { name: "t.rulebook".into(), text }], &Known::default()).rulebooks.remove(0);
        if kind == "list" { words(&book.lists[0].1, &book.lists[1].1) } else { paths(&book.paths[0].1, &book.paths[1].1) }
    }

    #[test]
    fn words_are_included_by_meaning() {
        assert!(has("list", "a* | b*", "{a,b}x | b"));
        assert!(has("list", "{a,b}*", "a* | b*") && has("list", "a* | b*", "{a,b}*"));
        assert!(!has("list", "a*", "a | b"));
        assert!(has("list", "[a-f]?", "b[x-z]") && !has("list", "[!a]", "a"));
        assert!(has("list", "a* except ab", "a* except (ab | ac)") && !has("list", "a* except (ab | ac)", "a* except ab"));
        assert!(!has("list", "a.c", "abc"), "a dot is a letter");
    }

    #[test]
    fn paths_are_included_by_meaning() {
        assert!(has("paths", "~/.ssh/**", "~/.ssh/id_* | ~/.ssh/a/b"));
        assert!(!has("paths", "~/.ssh/*", "~/.ssh/a/b") && !has("paths", "~/.ssh/**", "~/.ssh"));
        assert!(has("paths", "**/.env", "~/x/.env | /.env") && !has("paths", "**/.env", "**/.env.local"));
        assert!(has("paths", "/a/**/b", "/a/b | /a/x/y/b"));
    }
}
