//! A call → calls that differ from it in one place.

use std::ops::Range;

use super::worlds::{self, Fact};
use super::{Candidate, sample};
use crate::language::{ExampleInput, ExampleWorld};
use crate::model::Preset;

/// Where the words stand, those within quotes and substitutions, too.
fn words(text: &str) -> Vec<Range<usize>> {
    let mut all = Vec::new();
    let mut start = None;
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        match (start, c.is_whitespace() || "'\"`;|&()<>{}".contains(c)) {
            (None, false) => start = Some(at),
            (Some(begun), true) => {
                all.push(begun..at);
                start = None;
            }
            _ => {}
        }
    }
    all
}

/// The words of a command that name something, not options.
pub fn operands(candidate: &Candidate) -> Vec<String> {
    match &candidate.input {
        ExampleInput::Command(text) => {
            let all = words(text).into_iter().map(|at| text[at].to_string());
            all.skip(1).filter(|word| !word.starts_with('-')).take(8).collect()
        }
        ExampleInput::Tool { fields, .. } => {
            let texts = fields.as_object().into_iter().flat_map(|object| object.values());
            texts.filter_map(|value| value.as_str()).map(str::to_string).take(8).collect()
        }
    }
}

/// One word left out, replaced or added, from a vocabulary.
pub fn reworded(candidate: &Candidate, vocabulary: &[String]) -> Vec<Candidate> {
    let of = |input| Candidate { input, ..candidate.clone() };
    match &candidate.input {
        ExampleInput::Command(text) => {
            let mut all = Vec::new();
            let places = words(text);
            for at in places.iter().take(14) {
                let (before, own, after) = (&text[..at.start], &text[at.clone()], &text[at.end..]);
                all.push(format!("{}{after}", before.trim_end_matches(' ')));
                let value = own.find('=').map(|cut| &own[..=cut]);
                for word in vocabulary {
                    let word = &written(word);
                    all.push(format!("{before}{word}{after}"));
                    all.push(format!("{before}{own} {word}{after}"));
                    all.extend(value.map(|name| format!("{before}{name}{word}{after}")));
                    if at.start == 0 {
                        all.push(format!("{word} {text}"));
                    }
                }
            }
            all.retain(|each| each != text && !each.trim().is_empty());
            all.into_iter().map(|text| of(ExampleInput::Command(text))).collect()
        }
        ExampleInput::Tool { name, fields } => {
            let mut all = Vec::new();
            for word in vocabulary {
                all.push(of(ExampleInput::Tool { name: word.clone(), fields: fields.clone() }));
                for key in fields.as_object().into_iter().flat_map(|object| object.keys()) {
                    let mut changed = fields.clone();
                    changed[key.as_str()] = word.clone().into();
                    all.push(of(ExampleInput::Tool { name: name.clone(), fields: changed }));
                }
            }
            all
        }
    }
}

/// A word of a vocabulary, or several that stand together, as a shell reads them.
fn written(word: &str) -> String {
    if word.starts_with('-') && word.contains(' ') {
        return word.split(' ').map(sample::word).collect::<Vec<_>>().join(" ");
    }
    sample::word(word)
}

/// The same call in other worlds: without any fact, with one fact more, in other presets, with nobody to answer.
pub fn elsewhere(candidate: &Candidate, facts: &[Fact]) -> Vec<Candidate> {
    let of = |world| Candidate { world, ..candidate.clone() };
    let preset = candidate.world.preset;
    let bare = ExampleWorld { preset, ..ExampleWorld::default() };
    let mut all = in_presets(candidate);
    all.push(of(bare.clone()));
    let own = operands(candidate);
    let named = own.iter().flat_map(|word| worlds::of_path(word));
    for fact in facts.iter().cloned().chain(named).chain([Fact::Directory("~".into()), Fact::Directory("/tmp".into())]) {
        all.push(of(worlds::with(&candidate.world, &fact)));
        all.push(of(worlds::with(&bare, &fact)));
    }
    all
}

/// The same call in every preset, with somebody to answer and without.
pub fn in_presets(candidate: &Candidate) -> Vec<Candidate> {
    let presets = [Preset::Standard, Preset::Strict, Preset::Paranoid];
    let each = presets.into_iter().flat_map(|preset| [(preset, true), (preset, false)]);
    each.map(|(preset, attended)| {
        let world = ExampleWorld { preset: Some(preset), ..candidate.world.clone() };
        Candidate { input: candidate.input.clone(), world, attended }
    })
    .filter(|each| each != candidate)
    .collect()
}

/// Calls with a few words less, or a shorter one, and worlds with a fact less.
pub fn smaller(candidate: &Candidate) -> Vec<Candidate> {
    let mut all = Vec::new();
    if let ExampleInput::Command(text) = &candidate.input {
        let of = |text: String| Candidate { input: ExampleInput::Command(text), ..candidate.clone() };
        let places = words(text);
        for (nth, at) in places.iter().enumerate() {
            for last in places.iter().skip(nth).take(4) {
                all.push(of(joined(&text[..at.start], &text[last.end..])));
            }
            let own = &text[at.clone()];
            let shorter =
                [Some("x"), Some("/"), Some("~"), own.rsplit_once('/').map(|cut| cut.1), own.split_once('=').map(|cut| cut.1)];
            let shorter = shorter.into_iter().flatten().filter(|short| short.len() < own.len() && !own.starts_with('-'));
            all.extend(shorter.map(|short| of(format!("{}{short}{}", &text[..at.start], &text[at.end..]))));
        }
        for cut in text.match_indices([';', '&', '|', '\n']).map(|(at, sign)| at + sign.len()) {
            all.push(of(text[cut..].trim_start_matches(['&', '|', ' ']).to_string()));
            all.push(of(text[..cut - 1].trim_end().to_string()));
        }
        all.retain(|each| !matches!(&each.input, ExampleInput::Command(text) if text.trim().is_empty()));
    }
    let world = &candidate.world;
    let mut without = |change: &dyn Fn(&mut ExampleWorld)| {
        let mut world = world.clone();
        change(&mut world);
        all.push(Candidate { world, ..candidate.clone() });
    };
    without(&|world| *world = ExampleWorld { preset: world.preset, ..ExampleWorld::default() });
    without(&|world| drop(world.modified.pop()));
    without(&|world| drop(world.clean.pop()));
    without(&|world| drop(world.ignored.pop()));
    without(&|world| drop(world.files.pop()));
    without(&|world| drop(world.worktrees.pop()));
    without(&|world| drop(world.environment.pop()));
    without(&|world| drop(world.settings.pop()));
    without(&|world| world.branch = None);
    without(&|world| world.directory = None);
    all
}

fn joined(before: &str, after: &str) -> String {
    let (before, after) = (before.trim_end_matches(' '), after.trim_start_matches(' '));
    if before.is_empty() || after.is_empty() { format!("{before}{after}") } else { format!("{before} {after}") }
}
