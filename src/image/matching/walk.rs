//! A view walked through a trie of path patterns, and what it hits.
//!
//! Patterns that begin with `~`, `@project`, `@cwd` or `@tmp` are entered where a view passes that place. In an open view every node
//! may have been reached, and certainly only those that a floating pattern (`**/…`) is in whatever came before.

use crate::model::effect::Place;
use crate::model::rule::WordPattern;

use super::super::bytes::Fault;
use super::super::nfa::{Answer, Nfa, Scope};
use super::super::trail::{Entered, Reached};
use super::super::trie::{Root, Trie, same};
use super::views::{Part, View, names};
use super::{Evaluation, Side};

/// Atoms that were hit, ascending: with case ignored where the volume does, and exactly.
#[derive(Debug, Clone, Default)]
pub struct Hits {
    loose: Vec<(u32, Answer)>,
    exact: Vec<(u32, Answer)>,
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
        // A walk that began alike is gone on with; behind what is unknown none is kept.
        let mut trail = if view.open { None } else { trie.trail() };
        let resumed = trail.as_mut().and_then(|trail| trail.resume(view.known_names(), &entered, fold));
        let start = resumed.as_ref().map(|(common, _)| *common);
        if let Some((_, before)) = resumed {
            reached = before;
        }
        for number in start.unwrap_or(0)..=view.parts.len() {
            if start != Some(number) {
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
                if let Some(trail) = &mut trail {
                    trail.reach(&reached);
                }
            }
            let Some(part) = view.parts.get(number) else { break };
            if !self.budget.spend(1 + reached.may.len() as u64) {
                return Ok(Reached { may: trie.all(), must: Vec::new() });
            }
            reached = match part {
                Part::Known(name) => {
                    if let Some(trail) = &mut trail {
                        trail.go(name);
                    }
                    let may = trie.step(&reached.may, name, fold)?;
                    let sure = reached.must == reached.may;
                    Reached { must: if sure { may.clone() } else { trie.step(&reached.must, name, fold)? }, may }
                }
                Part::Unknown(value) => {
                    trie.keep(trail.take());
                    let (may, must) = trie.step_unknown(&reached.may, &reached.must, value, fold, &self.budget);
                    Reached { may, must }
                }
            };
        }
        trie.keep(trail);
        Ok(reached)
    }

    /// Which roots a view passes, before which component, and whether it surely does. What an open view begins with may lie
    /// anywhere in a place's own path.
    pub(super) fn entries_of(&self, view: &View, directory: Option<&str>, place: Place, fold: bool) -> Vec<Entered> {
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
}
