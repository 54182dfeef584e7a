//! A path and its views, walked through a trie of path patterns.
//!
//! A path has one view for each way to name the same thing: absolute (joined with the directory), and with its links resolved.
//! Patterns that begin with `~`, `@project`, `@cwd` or `@tmp` are entered where a view passes that place. A rule matches if any
//! view does, an exemption holds only if all do.
//!
//! Behind a hole nothing is known of what came before, since it may hold `..`: such a view is *open*. Every node may have been
//! reached then, and certainly only those that a floating pattern (`**/…`) is in whatever came before.

use std::cell::OnceCell;
use std::rc::Rc;

use crate::model::effect::Place;
use crate::model::invocation::Directory;
use crate::model::path::{is_absolute, join};
use crate::model::rule::{PathSet, PatternPart, WordPattern};
use crate::model::word::{Glob, Piece, Shape, Value, Word};

use super::super::bytes::Fault;
use super::super::globs::Building;
use super::super::nfa::{Answer, Nfa, Scope};
use super::super::trie::{self, Root, Start, Trie, same};
use super::{Evaluation, Side};

/// Names that one word's glob operators expand to, at most; beyond them the match is formal.
const NAMES: usize = 512;
/// Characters that a glob says of a name that it spells out, at least.
const SPELLED: usize = 3;

/// Whether a last link is what is touched, or what it points to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Follow {
    /// What it points to: reading, writing, changing modes.
    Last,
    /// The link itself, unless the path ends in `/`: deleting, moving.
    Parent,
}

/// A component of a view.
#[derive(Debug, Clone)]
pub enum Part {
    /// A name.
    Known(String),
    /// A name of which parts are unknown.
    Unknown(Value),
}

/// One way to name what is touched.
#[derive(Debug, Clone)]
pub struct View {
    /// What came before is unknown.
    open: bool,
    /// Open only because the directory is unknown: patterns of `@cwd` are entered at its beginning.
    relative: bool,
    parts: Vec<Part>,
    /// The absolute path, where all of it is known.
    pub path: Option<String>,
}

/// The views of one path, of the several that the word may be.
#[derive(Debug, Clone)]
pub struct Alternative {
    /// At least one.
    pub views: Vec<View>,
    /// Whether there may be a view that is not known.
    unresolved: bool,
    /// Where `@cwd` is.
    directory: Option<String>,
}

/// Atoms that were hit, ascending: with case ignored where the volume does, and exactly.
#[derive(Debug, Clone, Default)]
pub struct Hits {
    loose: Vec<(u32, Answer)>,
    exact: Vec<(u32, Answer)>,
}

/// What a walk reached.
#[derive(Debug, Clone, Default)]
pub struct Reached {
    /// Nodes that some value leads to.
    pub may: Vec<u32>,
    /// Nodes that every value leads to.
    pub must: Vec<u32>,
}

impl Hits {
    /// The atoms that were hit.
    pub fn atoms(&self) -> impl Iterator<Item = u32> + '_ {
        self.loose.iter().map(|(atom, _)| *atom)
    }

    fn of(list: &[(u32, Answer)], atoms: &[u32]) -> Answer {
        let hit = |atom: &u32| list.binary_search_by_key(atom, |(other, _)| *other).ok().map(|found| list[found].1);
        atoms.iter().filter_map(hit).max().unwrap_or(Answer::No)
    }

    /// The answer for a set: rules are folded, what is taken out of them is exact, and so are exemptions.
    pub fn answer(&self, any: &[u32], except: &[u32], side: Side) -> Answer {
        let any = match side {
            Side::Requires => Hits::of(&self.loose, any),
            Side::Exempts => Hits::of(&self.exact, any),
        };
        let except = match side {
            Side::Requires => Hits::of(&self.exact, except),
            Side::Exempts => Hits::of(&self.loose, except),
        };
        match except {
            Answer::No => any,
            Answer::Possible => any.doubted(),
            Answer::Certain => Answer::No,
        }
    }

    pub(super) fn from(trie: &Trie, loose: &Reached, exact: &Reached) -> Hits {
        let list = |reached: &Reached| {
            let mut atoms: Vec<(u32, Answer)> = trie.atoms(&reached.may).map(|atom| (atom, Answer::Possible)).collect();
            atoms.extend(trie.atoms(&reached.must).map(|atom| (atom, Answer::Certain)));
            atoms.sort_unstable_by_key(|(atom, answer)| (*atom, std::cmp::Reverse(*answer)));
            atoms.dedup_by_key(|(atom, _)| *atom);
            atoms
        };
        Hits { loose: list(loose), exact: list(exact) }
    }
}

/// Which homes `~` stands for, where one home lies in another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Homes {
    /// Each of them: a rule matches in any.
    All,
    /// The one that is nearest to the path: what exempts in the outer one says nothing of the inner one.
    Innermost,
}

impl Evaluation<'_> {
    /// The views of one value of a word.
    pub(super) fn alternatives(&self, value: &Value, directory: &Directory, place: Place, follow: Follow) -> Vec<Alternative> {
        let unknown = [None];
        let directories: Vec<Option<&str>> = match directory {
            Directory::Known(path) => vec![Some(path)],
            Directory::OneOf(paths) => paths.iter().map(|path| Some(path.as_str())).collect(),
            Directory::Unknown => unknown.to_vec(),
        };
        let ends_in_slash = matches!(value.pieces.last(), Some(Piece::Text { text, .. }) if text.ends_with('/'));
        let follow = if ends_in_slash { Follow::Last } else { follow };
        directories
            .into_iter()
            .map(|directory| {
                let view = view(value, directory);
                let mut unresolved = false;
                let mut views = vec![view];
                if let (Some(path), Place::Here) = (views[0].path.clone(), place) {
                    match self.resolved(&path, follow) {
                        Some(real) if real != path => views.push(known_view(real)),
                        Some(_) => {}
                        None => unresolved = true,
                    }
                }
                Alternative { views, unresolved, directory: directory.map(str::to_string) }
            })
            .collect()
    }

    /// The path with its links resolved, the last one only where it is followed.
    fn resolved(&self, path: &str, follow: Follow) -> Option<String> {
        if follow == Follow::Last {
            return self.context.world.real(path);
        }
        match path.rsplit_once('/') {
            Some((parent, name)) if !name.is_empty() => {
                let parent = if parent.is_empty() { "/" } else { parent };
                let real = self.context.world.real(parent)?;
                Some(join(&real, name))
            }
            _ => Some(path.to_string()),
        }
    }

    /// Walks a view through a trie.
    pub(super) fn walk(
        &self,
        trie: &Trie,
        view: &View,
        directory: Option<&str>,
        place: Place,
    ) -> Result<(Reached, Reached), Fault> {
        let exact = self.walk_case(trie, view, directory, place, false, Homes::Innermost)?;
        let folds = place == Place::Here && self.context.world.folds_case(view.path.as_deref().unwrap_or("/"));
        let nested = self.places().places.iter().filter(|(root, _)| *root == Root::Home).count() > 1;
        let loose =
            if folds || nested { self.walk_case(trie, view, directory, place, folds, Homes::All)? } else { exact.clone() };
        Ok((loose, exact))
    }

    fn walk_case(
        &self,
        trie: &Trie,
        view: &View,
        directory: Option<&str>,
        place: Place,
        fold: bool,
        homes: Homes,
    ) -> Result<Reached, Fault> {
        let mut entered = self.entries_of(view, directory, place, fold);
        if homes == Homes::Innermost {
            let innermost = entered.iter().filter(|(root, ..)| *root == Root::Home).map(|(_, at, _)| *at).max();
            entered.retain(|(root, at, _)| *root != Root::Home || Some(*at) == innermost);
        }
        let mut reached = Reached::default();
        if view.open {
            reached.may = trie.all();
            // What a floating pattern is in after any path at all: the node of its `**`.
            let mut floating: Vec<u32> = trie.root(Root::Anywhere).into_iter().collect();
            let before = floating.clone();
            trie.close(&mut floating);
            reached.must = floating.into_iter().filter(|node| !before.contains(node)).collect();
            if view.relative {
                reached.must.extend(trie.root(Root::Directory));
                trie.close(&mut reached.must);
            }
        }
        for number in 0..=view.parts.len() {
            for (root, _, answer) in entered.iter().filter(|(_, at, _)| *at == number) {
                if let Some(node) = trie.root(*root) {
                    reached.may.push(node);
                    if *answer == Answer::Certain {
                        reached.must.push(node);
                    }
                }
            }
            trie.close(&mut reached.may);
            trie.close(&mut reached.must);
            let Some(part) = view.parts.get(number) else { break };
            if !self.budget.spend(1 + reached.may.len() as u64) {
                return Ok(Reached { may: trie.all(), must: Vec::new() });
            }
            reached = match part {
                Part::Known(name) => {
                    Reached { may: trie.step(&reached.may, name, fold)?, must: trie.step(&reached.must, name, fold)? }
                }
                Part::Unknown(value) => {
                    let (may, must) = trie.step_unknown(&reached.may, &reached.must, value, fold, &self.budget);
                    Reached { may, must }
                }
            };
        }
        Ok(reached)
    }

    /// Which roots a view passes, before which component, and whether it surely does. What an open view begins with may lie
    /// anywhere in a place's own path.
    fn entries_of(&self, view: &View, directory: Option<&str>, place: Place, fold: bool) -> Vec<(Root, usize, Answer)> {
        let mut entered = Vec::new();
        if !view.open {
            entered.extend([(Root::Anywhere, 0, Answer::Certain), (Root::Absolute, 0, Answer::Certain)]);
        }
        let is = |name: &str, part: &Part| match part {
            Part::Known(known) => Answer::known(name == known || fold && same(name, known)),
            Part::Unknown(value) => {
                Nfa::new([&WordPattern::literal(name)], [], Scope::Component, fold).answer(value, &self.budget)
            }
        };
        let mut enter = |root: Root, path: &str| {
            let mut pass = |skipped: usize, most: Answer| {
                let (mut passed, mut answer) = (0, most);
                for name in names(path).skip(skipped) {
                    let Some(part) = view.parts.get(passed) else { return };
                    answer = answer.min(is(name, part));
                    if answer == Answer::No {
                        return;
                    }
                    passed += 1;
                }
                entered.push((root, passed, answer));
            };
            if view.open {
                (0..names(path).count()).for_each(|skipped| pass(skipped, Answer::Possible));
            } else {
                pass(0, Answer::Certain);
            }
        };
        if let Some(directory) = directory {
            enter(Root::Directory, directory);
        }
        if place == Place::Here {
            for (root, path) in &self.places().places {
                enter(*root, path);
            }
        } else if matches!(view.parts.first(), Some(Part::Known(sign)) if sign == "~") {
            // Another machine's home is known by its sign alone.
            entered.push((Root::Home, 1, Answer::Certain));
        }
        entered.sort_unstable();
        entered
    }

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

fn names(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter(|name| !name.is_empty())
}

/// The view of an absolute path.
pub fn known_view(path: String) -> View {
    let parts = names(&path).map(|name| Part::Known(name.to_string())).collect();
    View { open: false, relative: false, parts, path: Some(path) }
}

/// A value's pieces by component; an empty first one says that it is absolute. Empty ones are left out.
fn by_component(value: &Value) -> Vec<Vec<Piece>> {
    let mut components: Vec<Vec<Piece>> = vec![Vec::new()];
    for piece in &value.pieces {
        match piece {
            Piece::Text { text, span } => {
                for (number, name) in text.split('/').enumerate() {
                    if number > 0 {
                        components.push(Vec::new());
                    }
                    if let (false, Some(last)) = (name.is_empty(), components.last_mut()) {
                        last.push(Piece::Text { text: name.to_string(), span: *span });
                    }
                }
            }
            other => {
                if let Some(last) = components.last_mut() {
                    last.push(other.clone());
                }
            }
        }
    }
    components.retain(|component| !component.is_empty());
    components
}

/// A value as a path below a directory.
fn view(value: &Value, directory: Option<&str>) -> View {
    if let (Some(text), Some(directory)) = (value.known(), directory) {
        return known_view(join(directory, &text));
    }
    let absolute = match value.pieces.first() {
        Some(Piece::Text { .. }) => is_absolute(&value.emptied()) && leading_is_absolute(value),
        _ => false,
    };
    let mut open = !absolute && directory.is_none();
    let mut relative = open;
    let mut parts: Vec<Part> = match directory {
        Some(directory) if !absolute => names(directory).map(|name| Part::Known(name.to_string())).collect(),
        _ => Vec::new(),
    };
    for component in by_component(value) {
        let anything = |piece: &Piece| {
            matches!(piece, Piece::Glob(Glob::DoubleStar)) || matches!(piece, Piece::Hole(hole) if hole.shape == Shape::Any)
        };
        if let Some(last) = component.iter().rposition(anything) {
            // The hole may end the component and begin others, and take back what came before.
            open = true;
            relative = false;
            parts.clear();
            let rest = &component[last + 1..];
            // Behind a slash at the hole's end these are no names.
            let dots = matches!(rest, [Piece::Text { text, .. }] if text == "." || text == "..");
            if !rest.is_empty() && !dots {
                let glued = std::iter::once(Piece::Glob(Glob::Star)).chain(rest.iter().cloned()).collect();
                parts.push(Part::Unknown(Value { pieces: glued }));
            }
            continue;
        }
        let value = Value { pieces: component };
        match value.known().as_deref() {
            Some(".") => {}
            Some("..") => {
                if parts.pop().is_none() && open {
                    relative = false;
                }
            }
            Some(name) => parts.push(Part::Known(name.to_string())),
            None => parts.push(Part::Unknown(value)),
        }
    }
    let known: Option<Vec<&str>> = parts
        .iter()
        .map(|part| match part {
            Part::Known(name) => Some(name.as_str()),
            Part::Unknown(_) => None,
        })
        .collect();
    let path = if open { None } else { known.map(|names| join("/", &names.join("/"))) };
    View { open, relative, parts, path }
}

fn leading_is_absolute(value: &Value) -> bool {
    matches!(value.pieces.first(), Some(Piece::Text { text, .. }) if is_absolute(text))
}
