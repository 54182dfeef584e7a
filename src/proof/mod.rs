//! What can be shown about rules: a command that meets one, and a command on which two policies differ.
//!
//! In come checked rulebooks; out come candidates, calls in worlds, that are likely to show the point ([`Candidate`]), and what is
//! certain without any call ([`changes`]: equal, only tighter, only looser, by inclusion of automata). Whoever asks judges each
//! candidate by the real engine: nothing here decides what a witness is, and a candidate that shows nothing costs only time.

mod changes;
mod edits;
mod include;
mod normal;
mod patterns;
mod sample;
mod search;
mod wider;
mod worlds;

pub use changes::{Change, Direction, Kind, Subject, changes};
pub use search::{Phases, for_change, for_rule};

use crate::language::{Example, ExampleInput, ExampleWorld};
use crate::model::Preset;

/// A call in a world, for the engine to judge.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// The call.
    pub input: ExampleInput,
    /// Its world; its preset is always said.
    pub world: ExampleWorld,
    /// Whether somebody can answer.
    pub attended: bool,
}

impl Candidate {
    /// A command in the standing world.
    pub fn command(text: String) -> Candidate {
        let world = ExampleWorld { preset: Some(Preset::Standard), ..ExampleWorld::default() };
        Candidate { input: ExampleInput::Command(text), world, attended: true }
    }

    /// An example as a candidate. `level` is the preset of examples that name none.
    fn of(example: &Example, level: Preset) -> Candidate {
        let mut world = example.world.clone();
        world.preset = Some(world.preset.unwrap_or(level));
        Candidate { input: example.input.clone(), world, attended: true }
    }

    /// Its size: shorter commands first, then fewer facts.
    pub fn size(&self) -> (usize, usize) {
        let input = match &self.input {
            ExampleInput::Command(text) => text.chars().count(),
            ExampleInput::Tool { name, fields } => name.len() + fields.to_string().len(),
        };
        (input, self.facts().len())
    }

    /// The world as an example's line has it, a blank before each fact; empty for the standing world.
    pub fn facts(&self) -> String {
        let mut out = String::new();
        let mut add = |word: &str, value: &str| out.push_str(&format!(" {word} {}", sample::word(value)));
        let world = &self.world;
        for (kind, paths) in [
            ("with modified", &world.modified),
            ("with clean", &world.clean),
            ("with ignored", &world.ignored),
            ("with worktree", &world.worktrees),
        ] {
            paths.iter().for_each(|path| add(kind, path));
        }
        for (path, text) in &world.files {
            if text.is_empty() {
                add("with file", path);
            } else {
                add("with file", &format!("{path} `{text}`"));
            }
        }
        world.branch.iter().for_each(|branch| add("with branch", branch));
        world.directory.iter().for_each(|directory| add("in", directory));
        world.preset.iter().filter(|preset| **preset != Preset::Standard).for_each(|preset| add("preset", preset.word()));
        world.environment.iter().for_each(|(name, value)| add("env", &format!("{name}={value}")));
        for (name, value) in &world.settings {
            add("setting", &if value.is_empty() { name.clone() } else { format!("{name}={value}") });
        }
        out
    }
}

/// Judges candidates until one is accepted, shortest first in each phase, at most `most` of them. Gives how many were judged, too.
pub fn first<T>(
    phases: Phases<'_>,
    most: usize,
    mut accept: impl FnMut(&Candidate) -> Option<T>,
) -> (Option<(Candidate, T)>, usize) {
    let mut judged = 0;
    let mut seen = std::collections::BTreeSet::new();
    for phase in phases {
        let mut candidates = phase();
        candidates.sort_by_cached_key(Candidate::size);
        for candidate in candidates {
            if !seen.insert(format!("{:?}", (&candidate.input, &candidate.world, candidate.attended))) {
                continue;
            }
            if judged == most {
                return (None, judged);
            }
            judged += 1;
            if let Some(accepted) = accept(&candidate) {
                return (Some((candidate, accepted)), judged);
            }
        }
    }
    (None, judged)
}

/// Calls that differ from one in a word or two, nearest first: some of them a rule just does not meet.
pub fn near_misses(candidate: &Candidate) -> Vec<Candidate> {
    let usual = ["x", "--help", "-n"].map(String::from);
    let mut all = edits::smaller(candidate);
    all.sort_by_cached_key(|each| std::cmp::Reverse(each.size()));
    all.extend(edits::reworded(candidate, &usual));
    // Another program is no near miss.
    let program = |of: &Candidate| match &of.input {
        ExampleInput::Command(text) => text.split_whitespace().next().map(str::to_string),
        ExampleInput::Tool { name, .. } => Some(name.clone()),
    };
    let own = program(candidate);
    all.sort_by_key(|each| program(each) != own);
    all
}

/// A smaller candidate that is still accepted: words and facts are left out, one after the other, as long as that holds.
pub fn shrink(candidate: Candidate, mut accepted: impl FnMut(&Candidate) -> bool) -> Candidate {
    let mut best = candidate;
    for _ in 0..40 {
        let mut smaller = edits::smaller(&best);
        smaller.retain(|each| each.size() < best.size());
        smaller.sort_by_cached_key(Candidate::size);
        match smaller.into_iter().find(|each| accepted(each)) {
            Some(found) => best = found,
            None => break,
        }
    }
    best
}
