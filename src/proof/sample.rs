//! Globs → texts that they match, short ones first; texts → words of a shell.

use crate::explain::patterns::has;
use crate::model::rule::{PathSet, PatternPart, WordPattern, WordSet};

/// How many texts are made of one glob.
const MANY: usize = 12;

/// Texts that a glob over words matches: each choice, stars empty and filled.
pub fn texts(pattern: &WordPattern) -> Vec<String> {
    let mut all = grow(&pattern.parts, "");
    all.extend(grow(&pattern.parts, "x"));
    all.sort_by_key(String::len);
    all.dedup();
    all
}

// Depth is bounded by the language's limit on nesting.
fn grow(parts: &[PatternPart], star: &str) -> Vec<String> {
    let mut all = vec![String::new()];
    for part in parts {
        let ends: Vec<String> = match part {
            PatternPart::Literal(text) => vec![text.clone()],
            PatternPart::Star => vec![star.to_string()],
            PatternPart::DoubleStar if star.is_empty() => vec!["x/y".into()],
            PatternPart::DoubleStar | PatternPart::Question => vec!["x".into()],
            PatternPart::Class { negated, ranges } => {
                let within = |c: char| ranges.iter().any(|(low, high)| (*low..=*high).contains(&c));
                let of = if *negated { "x0_Z-".chars().find(|c| !within(*c)) } else { ranges.first().map(|(low, _)| *low) };
                vec![of.map(String::from).unwrap_or_default()]
            }
            PatternPart::Choice(choices) => choices.iter().flat_map(|choice| grow(&choice.parts, star)).collect(),
        };
        all = ends.iter().flat_map(|end| all.iter().map(move |begun| format!("{begun}{end}"))).take(MANY).collect();
    }
    all
}

/// Members of a set of words, short ones first.
pub fn members(set: &WordSet) -> Vec<String> {
    let mut all: Vec<String> = set.any.iter().flat_map(texts).filter(|text| has(set, text)).collect();
    all.sort_by_key(String::len);
    all.dedup();
    all
}

/// Paths that a glob over paths matches in the standing world.
pub fn paths(pattern: &WordPattern) -> Vec<String> {
    let floating = matches!(pattern.parts.first(), Some(PatternPart::DoubleStar));
    let parts = if floating { &pattern.parts[1..] } else { &pattern.parts[..] };
    let place = |text: String| {
        let text = if floating { text.trim_start_matches('/').to_string() } else { text };
        match text.split_once('/').unwrap_or((&text, "")) {
            ("@project", "") => "/home/me/project".into(),
            ("@project", rest) => format!("/home/me/project/{rest}"),
            ("@cwd", "") => ".".into(),
            ("@cwd", rest) => rest.into(),
            ("@tmp", "") => "/tmp".into(),
            ("@tmp", rest) => format!("/tmp/{rest}"),
            _ => text,
        }
    };
    let mut all: Vec<String> = grow(parts, "x").into_iter().chain(grow(parts, "")).map(place).collect();
    all.dedup();
    all
}

/// Paths that lie in a set, and some that are taken out of it: the engine tells them apart.
pub fn places(set: &PathSet) -> Vec<String> {
    let mut all: Vec<String> = set.any.iter().chain(&set.except).flat_map(paths).collect();
    if !set.settings.is_empty() {
        all.push("~/scratch/x".into());
    }
    all
}

/// A text as one word of a shell, and of a rulebook.
pub fn word(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:@%+,~".contains(c);
    match text {
        "" => "\"\"".into(),
        _ if text.chars().all(plain) => text.into(),
        _ if text.contains('\'') => format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"")),
        _ => format!("'{text}'"),
    }
}
