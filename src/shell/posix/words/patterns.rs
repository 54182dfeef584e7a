//! Shell patterns matched against known text: `case`, `[[ = ]]`, `${x#p}`, `${x/p/r}`.
//!
//! A pattern is an automaton that is walked state by state, so that a match costs pattern times text at most. What cannot
//! be said exactly (a hole, `!(…)`) is no pattern: the caller gets nothing and must assume both answers.

use super::fields::class;
use super::{Fragment, Mode};
use crate::model::Glob;

/// Texts beyond this are not matched character by character.
const LONGEST: usize = 16 * 1024;

#[derive(Debug, Clone)]
enum Step {
    Character(char),
    Any,
    Class {
        negated: bool,
        ranges: Vec<(char, char)>,
    },
    /// To all of these, without a character.
    Split(Vec<usize>),
    End,
}

/// A pattern ready to match.
#[derive(Debug, Clone)]
pub(in super::super) struct Pattern {
    /// INVARIANT (steps): the last is the only end; a step that takes a character leads to the one after it.
    steps: Vec<Step>,
    /// Upper and lower case are the same (`nocasematch`).
    folded: bool,
}

impl Pattern {
    fn push(&mut self, fragment: &Fragment) -> Option<()> {
        match fragment {
            Fragment::Text { text, mode: Mode::Quoted, .. } => self.steps.extend(text.chars().map(Step::Character)),
            Fragment::Text { text, .. } => self.push_unquoted(text),
            Fragment::Glob(Glob::Star | Glob::DoubleStar) => self.star(),
            Fragment::Glob(Glob::Question) => self.steps.push(Step::Any),
            Fragment::Glob(Glob::Class { negated, ranges }) => {
                self.steps.push(Step::Class { negated: *negated, ranges: ranges.clone() })
            }
            Fragment::Hole { .. } | Fragment::Many(_) => return None,
            Fragment::Break => self.steps.push(Step::Character(' ')),
        }
        Some(())
    }

    fn push_unquoted(&mut self, text: &str) {
        let mut at = 0;
        while let Some(character) = text[at..].chars().next() {
            match character {
                '*' => self.star(),
                '?' => self.steps.push(Step::Any),
                '[' => {
                    if let Some((Glob::Class { negated, ranges }, length)) = class(&text[at..]) {
                        self.steps.push(Step::Class { negated, ranges });
                        at += length;
                        continue;
                    }
                    self.steps.push(Step::Character('['));
                }
                '\\' => match text[at + 1..].chars().next() {
                    Some(next) => {
                        self.steps.push(Step::Character(next));
                        at += next.len_utf8();
                    }
                    None => self.steps.push(Step::Character('\\')),
                },
                other => self.steps.push(Step::Character(other)),
            }
            at += character.len_utf8();
        }
    }

    fn star(&mut self) {
        let at = self.steps.len();
        if matches!(self.steps.last(), Some(Step::Split(targets)) if targets.as_slice() == [at - 2, at]) {
            return;
        }
        // split → any, back to the split; or on.
        self.steps.push(Step::Split(vec![at + 1, at + 3]));
        self.steps.push(Step::Any);
        self.steps.push(Step::Split(vec![at]));
    }

    /// Appends `@(a|b)`, `?(a|b)`, `*(a|b)`, `+(a|b)`; not `!(a|b)`.
    pub(in super::super) fn push_group(&mut self, operator: u8, alternatives: Vec<Pattern>) -> Option<()> {
        if operator == b'!' {
            return None;
        }
        let split = self.steps.len();
        self.steps.push(Step::Split(Vec::new()));
        let mut starts = Vec::new();
        let mut ends = Vec::new();
        for alternative in alternatives {
            let base = self.steps.len();
            starts.push(base);
            for step in alternative.steps {
                self.steps.push(match step {
                    Step::Split(targets) => Step::Split(targets.into_iter().map(|target| target + base).collect()),
                    Step::End => {
                        ends.push(self.steps.len());
                        Step::Split(Vec::new())
                    }
                    other => other,
                });
            }
        }
        let after = self.steps.len();
        let again = matches!(operator, b'*' | b'+');
        for end in ends {
            self.steps[end] = Step::Split(if again { vec![split, after] } else { vec![after] });
        }
        if matches!(operator, b'?' | b'*') {
            starts.push(after);
        }
        self.steps[split] = Step::Split(starts);
        Some(())
    }

    pub(in super::super) fn begin() -> Pattern {
        Pattern { steps: Vec::new(), folded: false }
    }

    /// The pattern, with upper and lower case the same if so asked.
    pub(in super::super) fn folded(self, folded: bool) -> Pattern {
        Pattern { folded, ..self }
    }

    pub(in super::super) fn push_fragments(&mut self, fragments: &[Fragment]) -> Option<()> {
        fragments.iter().try_for_each(|fragment| self.push(fragment))
    }

    pub(in super::super) fn finish(&mut self) {
        self.steps.push(Step::End);
    }

    fn add(&self, at: usize, set: &mut Vec<usize>, seen: &mut [bool]) {
        let mut open = vec![at];
        while let Some(at) = open.pop() {
            if at >= self.steps.len() || seen[at] {
                continue;
            }
            seen[at] = true;
            match &self.steps[at] {
                Step::Split(targets) => open.extend(targets),
                _ => set.push(at),
            }
        }
    }

    /// Byte lengths of the beginnings of the text that match, in order; `None` where the text is too long.
    pub(in super::super) fn prefixes(&self, text: &str) -> Option<Vec<usize>> {
        if text.len() > LONGEST {
            return None;
        }
        let mut lengths = Vec::new();
        let mut seen = vec![false; self.steps.len()];
        let mut set = Vec::new();
        self.add(0, &mut set, &mut seen);
        let mut characters = text.char_indices();
        loop {
            let next = characters.next();
            let at = next.map_or(text.len(), |(at, _)| at);
            if set.iter().any(|step| matches!(self.steps[*step], Step::End)) {
                lengths.push(at);
            }
            let Some((_, character)) = next else { return Some(lengths) };
            if set.is_empty() {
                return Some(lengths);
            }
            seen.iter_mut().for_each(|flag| *flag = false);
            let mut after = Vec::new();
            for step in &set {
                if self.steps[*step].takes(character, self.folded) {
                    self.add(step + 1, &mut after, &mut seen);
                }
            }
            set = after;
        }
    }

    /// Whether all of the text matches.
    pub(in super::super) fn matches(&self, text: &str) -> Option<bool> {
        Some(self.prefixes(text)?.last() == Some(&text.len()))
    }

    /// Where the endings of the text begin that match, longest first.
    pub(in super::super) fn suffixes(&self, text: &str) -> Option<Vec<usize>> {
        if text.len() > 2048 {
            return None;
        }
        let mut starts = Vec::new();
        for at in text.char_indices().map(|(at, _)| at).chain([text.len()]) {
            if self.matches(&text[at..])? {
                starts.push(at);
            }
        }
        Some(starts)
    }

    /// The first, longest match at or after a position.
    pub(in super::super) fn find(&self, text: &str, from: usize) -> Option<Option<(usize, usize)>> {
        for at in text[from..].char_indices().map(|(at, _)| from + at).chain([text.len()]) {
            if let Some(length) = self.prefixes(&text[at..])?.last() {
                return Some(Some((at, at + length)));
            }
        }
        Some(None)
    }
}

impl Step {
    fn takes(&self, character: char, folded: bool) -> bool {
        let any = |fits: &dyn Fn(char) -> bool| {
            fits(character) || folded && character.to_lowercase().chain(character.to_uppercase()).any(fits)
        };
        match self {
            Step::Character(own) => any(&|one| *own == one),
            Step::Any => true,
            Step::Class { negated, ranges } => {
                any(&|one| ranges.iter().any(|(low, high)| (*low..=*high).contains(&one))) != *negated
            }
            Step::Split(_) | Step::End => false,
        }
    }
}
