//! Sets of paths: which of them a word is in, or lies outside of, and what its glob operators stand for.
//!
//! A path has several [views](super::views), each of which is [walked](super::walk) through a trie of the set's patterns. A rule
//! matches if any view does, an exemption holds only if all do.

use std::cell::OnceCell;
use std::rc::Rc;

use crate::model::effect::Place;
use crate::model::invocation::Directory;
use crate::model::path::{is_absolute, join};
use crate::model::rule::{PathSet, PatternPart, WordPattern};
use crate::model::word::{Glob, Piece, Value, Word};

use super::super::bytes::Fault;
use super::super::globs::Building;
use super::super::nfa::{Answer, Nfa, Scope};
use super::super::trie::{self, Root, Start, Trie, same};
use super::views::{Alternative, Follow, Part, View, by_component, known_view};
use super::walk::Hits;
use super::{Evaluation, Side};

/// Names that one word's glob operators expand to, at most; beyond them the match is formal.
const NAMES: usize = 512;
/// Characters that a glob says of a name that it spells out, at least.
const SPELLED: usize = 3;

impl Evaluation<'_> {
    /// A word against a set of paths that is not in the image's tries.
    pub(super) fn path_in(
        &self,
        word: &Word,
        set: &PathSet,
        directory: &Directory,
        place: Place,
        follow: Follow,
        side: Side,
    ) -> Result<Answer, Fault> {
        let named = self.of_settings(set);
        let alternatives: Vec<Alternative> =
            word.values.iter().flat_map(|value| self.alternatives(value, directory, place, follow)).collect();
        // A pattern that begins where no view does is not worth its nodes.
        let views = || alternatives.iter().flat_map(|one| one.views.iter().map(move |view| (one, view)));
        let entered = OnceCell::new();
        let roots = || {
            let of = |(one, view): (&Alternative, &View)| self.entries_of(view, one.directory.as_deref(), place, true);
            entered.get_or_init(|| views().flat_map(of).map(|(root, ..)| root).collect::<Vec<Root>>())
        };
        let begins = |start: Start| match start {
            Start::Place(root) => roots().contains(&root),
            Start::Name(name) => views().any(|(_, view)| match view.parts.first() {
                Some(Part::Known(first)) => same(name, first),
                first => first.is_some(),
            }),
        };
        let open = views().any(|(_, view)| view.open);
        let patterns = || set.any.iter().chain(&named).chain(&set.except).zip(0u32..);
        let whole = self.sets.trie(set, || Trie::new(patterns(), &Building::none()));
        let trie = whole.unwrap_or_else(|| {
            let worth = patterns().filter(|(pattern, _)| open || trie::start(pattern).is_none_or(begins));
            Rc::new(Trie::new(worth, &Building::none()))
        });
        let all = set.any.len() + named.len();
        let numbers: Vec<u32> = (0..(all + set.except.len()) as u32).collect();
        let (any, except) = numbers.split_at(all);
        let mut answers = Vec::new();
        for alternative in &alternatives {
            let hits = self.hits(&trie, alternative, place, false)?;
            answers.push(over_views(&hits, alternative, any, except, side));
        }
        let answer = Answer::of_alternatives(answers.into_iter());
        Ok(if side == Side::Exempts && word.computed { answer.doubted() } else { answer })
    }

    /// What each view of an alternative hits. A recursive effect on a path that is not known cannot be looked into; it meets
    /// what a final `**` means, as that on a known directory does.
    pub(super) fn hits(
        &self,
        trie: &Trie,
        alternative: &Alternative,
        place: Place,
        recursive: bool,
    ) -> Result<Vec<Hits>, Fault> {
        let directory = alternative.directory.as_deref();
        let walk = |view: &View| {
            let (mut loose, mut exact) = self.walk(trie, view, directory, place)?;
            if recursive && (view.path.is_none() || place != Place::Here) {
                for reached in [&mut loose, &mut exact] {
                    let (may, must) = (trie.tails(&reached.may), trie.tails(&reached.must));
                    reached.may.extend(may);
                    reached.must.extend(must);
                }
            }
            Ok(Hits::from(trie, &loose, &exact))
        };
        alternative.views.iter().map(walk).collect()
    }

    /// Whether a path lies outside of every path of a set: what counts is where its links lead, since that is what is touched.
    pub(super) fn path_outside(
        &self,
        word: &Word,
        set: &PathSet,
        directory: &Directory,
        place: Place,
        follow: Follow,
        side: Side,
    ) -> Result<Answer, Fault> {
        let whole = PathSet { any: set.any.iter().flat_map(with_below).collect(), ..set.clone() };
        let mut answers = Vec::new();
        for value in &word.values {
            let known = self.alternatives(value, directory, place, follow);
            for alternative in known {
                let view = match alternative.views.last().and_then(|view| view.path.clone()) {
                    Some(path) => Word::known_text(path, word.span),
                    None => Word { values: vec![value.clone()], ..word.clone() },
                };
                let from = match &alternative.directory {
                    Some(path) => Directory::Known(path.clone()),
                    None => Directory::Unknown,
                };
                let inside = self.path_in(&view, &whole, &from, place, Follow::Last, Side::Requires)?;
                answers.push(inside.flipped());
            }
        }
        let answer = Answer::of_alternatives(answers.into_iter());
        Ok(if side == Side::Exempts && word.computed { answer.doubted() } else { answer })
    }

    /// What the settings' lists that a set names hold, and what is below it.
    fn of_settings(&self, set: &PathSet) -> Vec<WordPattern> {
        let list = |name: &String| match name.as_str() {
            "allow-paths" | "allow_paths" => self.context.allow_paths,
            "deny-paths" | "deny_paths" => self.context.deny_paths,
            _ => &[],
        };
        let literal = |path: &String| WordPattern::literal(path.trim_end_matches('/').to_string());
        set.settings.iter().flat_map(list).map(literal).flat_map(|pattern| with_below(&pattern)).collect()
    }

    /// The names of rules that a glob in the last component spells out but for a character or two (`.en?`), whether or not
    /// they exist by now. `*.pem` and `s*` spell out nothing.
    pub(super) fn spelled(&self, trie: &Trie, value: &Value, directory: &Directory) -> Result<Vec<String>, Fault> {
        let components = by_component(value);
        let Some((last, before)) = components.split_last() else { return Ok(Vec::new()) };
        let literal: usize = last.iter().map(|piece| if let Piece::Text { text, .. } = piece { text.len() } else { 0 }).sum();
        let glob = |piece: &Piece| matches!(piece, Piece::Glob(_));
        let Directory::Known(directory) = directory else { return Ok(Vec::new()) };
        if literal < SPELLED || before.iter().flatten().any(glob) {
            return Ok(Vec::new());
        }
        let mut parent: String = before.iter().map(|component| Value { pieces: component.clone() }.emptied() + "/").collect();
        if is_absolute(&value.emptied()) {
            parent.insert(0, '/');
        }
        let view = known_view(join(directory, &parent));
        let (reached, _) = self.walk(trie, &view, Some(directory), Place::Here)?;
        let hidden = matches!(last.first(), Some(Piece::Text { text, .. }) if text.starts_with('.'));
        let nfa = Nfa::new([&as_pattern(&Value { pieces: last.clone() })], [], Scope::Component, false);
        let spelled = |name: &String| (hidden || !name.starts_with('.')) && literal * 4 >= name.len() * 3 && nfa.matches(name);
        Ok(trie.literal_names(&reached.may).into_iter().filter(spelled).map(|name| parent.clone() + &name).collect())
    }

    /// The names that a value's glob operators stand for; none where they cannot be listed, or are too many.
    pub(super) fn expand(&self, value: &Value, directory: &Directory) -> Option<Vec<String>> {
        let Directory::Known(directory) = directory else { return None };
        if value.has_hole() || value.pieces.iter().any(|piece| matches!(piece, Piece::Glob(Glob::DoubleStar))) {
            return None;
        }
        let components = by_component(value);
        let absolute = is_absolute(&value.emptied());
        let mut paths: Vec<String> = vec![String::new()];
        for (number, component) in components.iter().enumerate() {
            let glob = component.iter().any(|piece| matches!(piece, Piece::Glob(_)));
            let written = Value { pieces: component.clone() };
            let slash = if number > 0 || absolute { "/" } else { "" };
            let mut next = Vec::new();
            for path in &paths {
                if !glob {
                    next.push(format!("{path}{slash}{}", written.emptied()));
                    continue;
                }
                let listed = join(directory, &format!("{path}{slash}"));
                let hidden = matches!(component.first(), Some(Piece::Text { text, .. }) if text.starts_with('.'));
                let pattern = as_pattern(&written);
                let nfa = Nfa::new([&pattern], [], Scope::Component, false);
                for entry in self.context.world.entries(&listed)? {
                    if (hidden || !entry.name.starts_with('.')) && nfa.matches(&entry.name) {
                        next.push(format!("{path}{slash}{}", entry.name));
                    }
                }
                if next.len() > NAMES {
                    return None;
                }
            }
            paths = next;
        }
        Some(paths)
    }
}

/// The answer of one alternative over its views.
pub fn over_views(hits: &[Hits], alternative: &Alternative, any: &[u32], except: &[u32], side: Side) -> Answer {
    let answers = hits.iter().map(|hits| hits.answer(any, except, side));
    match side {
        Side::Requires => answers.max().unwrap_or(Answer::No),
        Side::Exempts if alternative.unresolved => answers.min().unwrap_or(Answer::No).doubted(),
        Side::Exempts => answers.min().unwrap_or(Answer::No),
    }
}

/// A pattern and what is below it.
fn with_below(pattern: &WordPattern) -> [WordPattern; 2] {
    let mut below = pattern.clone();
    match below.parts.as_slice() {
        [PatternPart::Literal(text)] if text.is_empty() || text.ends_with('/') => {}
        _ => below.parts.push(PatternPart::Literal("/".to_string())),
    }
    below.parts.push(PatternPart::DoubleStar);
    [pattern.clone(), below]
}

/// The operators of a value as a pattern over names.
pub fn as_pattern(value: &Value) -> WordPattern {
    let parts = value.pieces.iter().map(|piece| match piece {
        Piece::Text { text, .. } => PatternPart::Literal(text.clone()),
        Piece::Hole(_) | Piece::Glob(Glob::Star | Glob::DoubleStar) => PatternPart::Star,
        Piece::Glob(Glob::Question) => PatternPart::Question,
        Piece::Glob(Glob::Class { negated, ranges }) => PatternPart::Class { negated: *negated, ranges: ranges.clone() },
    });
    WordPattern { parts: parts.collect() }
}
