//! A deliberately slow evaluator: reads rules as they stand, matches globs by plain recursion, and decides no, possible and
//! certain by trying fillings of holes one after another. Shares no code with the image.

use cc_safety_net::model::call::Run;
use cc_safety_net::model::effect::{Effect, Object};
use cc_safety_net::model::invocation::{Directory, Reading};
use cc_safety_net::model::path::join;
use cc_safety_net::model::rule::*;
use cc_safety_net::model::{Argument, Glob, Piece, Shape, Value, Word};

/// The three answers, by strength.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Answer {
    No,
    Possible,
    Certain,
}

impl Answer {
    fn over(truths: impl Iterator<Item = bool>) -> Answer {
        let (mut some, mut all) = (false, true);
        for truth in truths {
            some |= truth;
            all &= truth;
        }
        match (some, all) {
            (false, _) => Answer::No,
            (true, true) => Answer::Certain,
            (true, false) => Answer::Possible,
        }
    }
}

/// Whether a glob matches a text; `slash` says whether `*` and `?` match slashes.
pub fn glob_matches(parts: &[PatternPart], text: &str, slash: bool) -> bool {
    let Some((part, rest)) = parts.split_first() else { return text.is_empty() };
    let one = |allowed: &dyn Fn(char) -> bool| {
        text.chars()
            .next()
            .is_some_and(|char| (slash || char != '/') && allowed(char) && glob_matches(rest, &text[char.len_utf8()..], slash))
    };
    match part {
        PatternPart::Literal(literal) => {
            text.strip_prefix(literal.as_str()).is_some_and(|after| glob_matches(rest, after, slash))
        }
        PatternPart::Question => one(&|_| true),
        PatternPart::Class { negated, ranges } => {
            one(&|char| ranges.iter().any(|(low, high)| *low <= char && char <= *high) != *negated)
        }
        PatternPart::Star | PatternPart::DoubleStar => {
            let cuts = text.char_indices().map(|(at, _)| at).chain([text.len()]);
            cuts.take_while(|cut| slash || !text[..*cut].contains('/')).any(|cut| glob_matches(rest, &text[cut..], slash))
        }
        PatternPart::Choice(choices) => {
            choices.iter().any(|choice| glob_matches(&[choice.parts.as_slice(), rest].concat(), text, slash))
        }
    }
}

pub fn in_words(set: &WordSet, text: &str) -> bool {
    let any = |patterns: &[WordPattern]| patterns.iter().any(|pattern| glob_matches(&pattern.parts, text, true));
    any(&set.any) && !any(&set.except)
}

/// Every text of the alphabet up to a length.
fn texts(alphabet: &[char], length: usize) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut last = all.clone();
    for _ in 0..length {
        last = last.iter().flat_map(|text| alphabet.iter().map(move |char| format!("{text}{char}"))).collect();
        all.extend(last.iter().cloned());
    }
    all
}

/// The texts that are tried for one piece. Paths get whole components besides, `..` among them; what is unknown `alone` in its value
/// may be as long as a generated pattern asks for.
fn fillings(piece: &Piece, paths: bool, alone: bool) -> Vec<String> {
    const CHARS: [char; 5] = ['a', 'b', 'c', '.', '/'];
    match piece {
        Piece::Text { text, .. } => vec![text.clone()],
        Piece::Hole(hole) => match hole.shape {
            Shape::Any if paths => [
                "", "a", "b", "c", "/a", "a/", "b/a", "..", "../..", "/", "a/b/c", "../a", "/b/", "c/..", "/a/b", "/a/b/",
                "/home/me", "/home/", "me", "ome/me/a",
            ]
            .map(str::to_string)
            .to_vec(),
            Shape::Any if alone => [texts(&CHARS, 3), texts(&['a', 'b', 'c', '/'], 6)].concat(),
            Shape::Any => texts(&CHARS, 3),
            Shape::Component if paths => ["a", "b", "c", "ab", "me", "home", "tmp"].map(str::to_string).to_vec(),
            Shape::Component => {
                let long = if alone { texts(&CHARS[..3], 6) } else { Vec::new() };
                texts(&CHARS[..4], 3).into_iter().chain(long).filter(|text| !["", ".", ".."].contains(&text.as_str())).collect()
            }
            Shape::Number => texts(&['1', '2'], 3).into_iter().filter(|text| !text.is_empty()).collect(),
        },
        Piece::Glob(Glob::Star | Glob::DoubleStar) => texts(&CHARS[..4], 3),
        Piece::Glob(Glob::Question) => texts(&CHARS[..4], 1).into_iter().filter(|text| !text.is_empty()).collect(),
        Piece::Glob(Glob::Class { negated, ranges }) => texts(&CHARS[..4], 1)
            .into_iter()
            .filter(|text| text.chars().any(|char| ranges.iter().any(|(low, high)| *low <= char && char <= *high) != *negated))
            .collect(),
    }
}

fn values(value: &Value, paths: bool) -> Vec<String> {
    let alone = value.pieces.iter().filter(|piece| !matches!(piece, Piece::Text { .. })).count() == 1;
    let mut all = vec![String::new()];
    for piece in &value.pieces {
        let next = fillings(piece, paths, alone);
        all = all.iter().flat_map(|head| next.iter().map(move |tail| format!("{head}{tail}"))).collect();
    }
    all
}

/// A word against a set: every value that it may have is tried.
pub fn word(word: &Word, set: &WordSet) -> Answer {
    Answer::over(word.values.iter().flat_map(|value| values(value, false)).map(|text| in_words(set, &text)))
}

/// A command pattern on a reading. What must hold is tried on every concrete reading; an option that must be absent counts
/// only where it is surely there.
pub fn command(pattern: &CommandPattern, run: &Run) -> Answer {
    run.readings.iter().map(|reading| reading_answer(pattern, reading)).max().unwrap_or(Answer::No)
}

fn reading_answer(pattern: &CommandPattern, reading: &Reading) -> Answer {
    if !in_words(&pattern.program, &reading.program) {
        return Answer::No;
    }
    let given = |option: &OptionPattern| {
        reading.options.iter().filter(|used| used.certain && !used.computed).any(|used| {
            let named = used.spellings.iter().any(|spelling| glob_matches(&option.spelling.parts, spelling, true));
            named
                && option.value.as_ref().is_none_or(|set| {
                    used.value.as_ref().is_some_and(|value| !value.computed && word(value, set) == Answer::Certain)
                })
        })
    };
    if pattern.absent.iter().any(given) {
        return Answer::No;
    }
    let options = pattern.options.iter().map(|option| {
        let uses = reading.options.iter().map(|used| {
            let named = used.spellings.iter().any(|spelling| glob_matches(&option.spelling.parts, spelling, true));
            let value = option
                .value
                .as_ref()
                .map_or(Answer::Certain, |set| used.value.as_ref().map_or(Answer::No, |value| word(value, set)));
            match (named, used.certain) {
                (false, _) => Answer::No,
                (true, true) => value,
                (true, false) => value.min(Answer::Possible),
            }
        });
        let behind_splice = if reading.open { Answer::Possible } else { Answer::No };
        uses.max().unwrap_or(Answer::No).max(behind_splice)
    });
    let options = options.min().unwrap_or(Answer::Certain);
    options.min(positionals(pattern, reading))
}

fn positionals(pattern: &CommandPattern, reading: &Reading) -> Answer {
    // Words that a splice or an unknown word may be: those that the pattern could want, and one that it does not.
    let mut interesting = vec!["c".to_string()];
    for element in &pattern.positionals {
        if let PositionalPattern::Word { words: Some(set), .. } = element {
            let samples = texts(&['a', 'b', 'c', '/'], 3);
            interesting.extend(samples.into_iter().find(|text| in_words(set, text)));
        }
    }
    let mut readings: Vec<(Vec<String>, Option<usize>)> = vec![(Vec::new(), None)];
    for (number, argument) in reading.positionals.iter().enumerate() {
        if reading.dashes == Some(number) {
            readings.iter_mut().for_each(|(words, dashes)| *dashes = dashes.or(Some(words.len())));
        }
        let splice = matches!(argument, Argument::Splice(_));
        let choices: Vec<Vec<String>> = match argument {
            Argument::Word(word) => {
                let all: Vec<String> = word.values.iter().flat_map(|value| values(value, false)).collect();
                // One value for each way in which the sets of the pattern see it.
                let mut kept: Vec<(Vec<bool>, String)> = Vec::new();
                for text in all {
                    let seen: Vec<bool> = pattern
                        .positionals
                        .iter()
                        .map(|element| match element {
                            PositionalPattern::Word { words: Some(set), .. } => in_words(set, &text),
                            _ => true,
                        })
                        .collect();
                    if !kept.iter().any(|(other, _)| *other == seen) {
                        kept.push((seen, text));
                    }
                }
                kept.into_iter().map(|(_, text)| vec![text]).collect()
            }
            Argument::Splice(_) => {
                let mut all = vec![Vec::new()];
                let mut last: Vec<Vec<String>> = all.clone();
                for _ in 0..pattern.positionals.len().min(3) {
                    last = last
                        .iter()
                        .flat_map(|words| {
                            interesting.iter().map(move |word| [words.as_slice(), std::slice::from_ref(word)].concat())
                        })
                        .collect();
                    all.extend(last.iter().cloned());
                }
                all
            }
        };
        let before = readings.clone();
        readings = before
            .iter()
            .flat_map(|(words, dashes)| choices.iter().map(move |more| ([words.as_slice(), more].concat(), *dashes)))
            .collect();
        if splice {
            // One of its words may be `--`.
            for (words, _) in before.iter().filter(|(_, dashes)| dashes.is_none()) {
                for more in &choices {
                    let ends = (0..=more.len()).map(|at| ([words.as_slice(), more].concat(), Some(words.len() + at)));
                    readings.extend(ends);
                }
            }
        }
    }
    if reading.dashes == Some(reading.positionals.len()) {
        readings.iter_mut().for_each(|(words, dashes)| *dashes = dashes.or(Some(words.len())));
    }
    Answer::over(readings.iter().map(|(words, dashes)| concrete(&pattern.positionals, words, 0, *dashes)))
}

fn concrete(elements: &[PositionalPattern], words: &[String], at: usize, dashes: Option<usize>) -> bool {
    let Some((element, rest)) = elements.split_first() else { return true };
    match element {
        PositionalPattern::Skip => (at..=words.len()).any(|at| concrete(rest, words, at, dashes)),
        PositionalPattern::Dashes => dashes == Some(at) && concrete(rest, words, at, dashes),
        PositionalPattern::Word { words: set, .. } => {
            words.get(at).is_some_and(|word| set.as_ref().is_none_or(|set| in_words(set, word)))
                && concrete(rest, words, at + 1, dashes)
        }
    }
}

/// The places of the standing world of these tests.
const PLACES: [(&str, &str); 4] =
    [("~", "/home/me"), ("@project", crate::support::HOME), ("@cwd", crate::support::HOME), ("@tmp", "/tmp")];

/// Whether a path pattern matches an absolute path. Choices are unfolded, the rest is compared component by component.
pub fn path_matches(pattern: &WordPattern, path: &str) -> bool {
    unfold(&pattern.parts).iter().any(|parts| {
        let components = components(parts);
        let names: Vec<&str> = path.split('/').filter(|name| !name.is_empty()).collect();
        let Some(first) = components.first() else { return false };
        if first.is_empty() {
            return below(&components[1..], &names);
        }
        if matches!(first.as_slice(), [PatternPart::DoubleStar]) {
            return below(&components, &names);
        }
        let place = match first.as_slice() {
            [PatternPart::Literal(name)] => PLACES.iter().find(|(place, _)| place == name),
            _ => None,
        };
        let (start, rest) = match place {
            Some((_, start)) => (*start, &components[1..]),
            None => (crate::support::HOME, components.as_slice()),
        };
        let start: Vec<&str> = start.split('/').filter(|name| !name.is_empty()).collect();
        names.starts_with(&start) && below(rest, &names[start.len()..])
    })
}

fn unfold(parts: &[PatternPart]) -> Vec<Vec<PatternPart>> {
    let Some((part, rest)) = parts.split_first() else { return vec![Vec::new()] };
    let heads: Vec<Vec<PatternPart>> = match part {
        PatternPart::Choice(choices) => choices.iter().flat_map(|choice| unfold(&choice.parts)).collect(),
        other => vec![vec![other.clone()]],
    };
    let tails = unfold(rest);
    heads.iter().flat_map(|head| tails.iter().map(move |tail| [head.as_slice(), tail].concat())).collect()
}

fn components(parts: &[PatternPart]) -> Vec<Vec<PatternPart>> {
    let mut all: Vec<Vec<PatternPart>> = vec![Vec::new()];
    for part in parts {
        match part {
            PatternPart::Literal(text) => {
                for (number, name) in text.split('/').enumerate() {
                    if number > 0 {
                        all.push(Vec::new());
                    }
                    if !name.is_empty() {
                        let last = all.last_mut().expect("one component");
                        match last.last_mut() {
                            Some(PatternPart::Literal(before)) => before.push_str(name),
                            _ => last.push(PatternPart::Literal(name.to_string())),
                        }
                    }
                }
            }
            other => all.last_mut().expect("one component").push(other.clone()),
        }
    }
    let absolute = all.len() > 1 && all[0].is_empty();
    all.retain(|component| !component.is_empty());
    // Two `**` in a row say no more than one.
    all.dedup_by(|next, before| matches!(next.as_slice(), [PatternPart::DoubleStar]) && next == before);
    if absolute {
        all.insert(0, Vec::new());
    }
    all
}

fn below(components: &[Vec<PatternPart>], names: &[&str]) -> bool {
    let Some((component, rest)) = components.split_first() else { return names.is_empty() };
    if matches!(component.as_slice(), [PatternPart::DoubleStar]) {
        let least = usize::from(rest.iter().all(|component| matches!(component.as_slice(), [PatternPart::DoubleStar])));
        return (least..=names.len()).any(|taken| below(rest, &names[taken..]));
    }
    names.first().is_some_and(|name| glob_matches(component, name, false)) && below(rest, &names[1..])
}

/// A path set on an effect whose object is a path without links, not recursive.
pub fn effect(set: &PathSet, effect: &Effect) -> Answer {
    let Object::Path(word) = &effect.object else { return Answer::No };
    let Directory::Known(directory) = &effect.directory else { return Answer::No };
    path(set, word, directory)
}

pub fn path(set: &PathSet, word: &Word, directory: &str) -> Answer {
    let any = |patterns: &[WordPattern], path: &str| patterns.iter().any(|pattern| path_matches(pattern, path));
    let texts = word.values.iter().flat_map(|value| values(value, true)).map(|text| join(directory, &text));
    Answer::over(texts.map(|path| any(&set.any, &path) && !any(&set.except, &path)))
}
