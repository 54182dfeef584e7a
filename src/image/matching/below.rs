//! What a recursive effect touches below its path, as far as a rule can name it.
//!
//! Names that are literal in a pattern are asked for one by one; where a pattern floats or has a glob, directories are listed
//! breadth first. What the walk does not reach within its limits is no match: a guard that cries wolf on every large directory
//! is switched off. Links are not followed.

use std::cell::Cell;
use std::collections::{BTreeMap, VecDeque};

use crate::model::effect::Place;
use crate::model::facts::EntryKind;
use crate::model::rule::WordPattern;

use super::super::bytes::Fault;
use super::super::nfa::{Nfa, Scope};
use super::super::trail::Reached;
use super::super::trie::Trie;
use super::Evaluation;
use super::views::known_view;
use super::walk::Hits;

/// Directories listed, entries looked at and names asked for in one evaluation.
const DIRECTORIES: u32 = 64;
const ENTRIES: u32 = 512;
const STATS: u32 = 128;
/// Paths told for one atom.
const TOLD: u32 = 8;

/// How much of the machine was walked.
#[derive(Debug, Default)]
pub struct Walk {
    directories: Cell<u32>,
    entries: Cell<u32>,
    stats: Cell<u32>,
}

fn count(cell: &Cell<u32>, limit: u32) -> bool {
    cell.set(cell.get().saturating_add(1));
    cell.get() <= limit
}

struct Found {
    told: BTreeMap<u32, u32>,
    hits: Vec<(String, Hits)>,
}

impl Found {
    fn add(&mut self, trie: &Trie, path: &str, loose: &[u32], exact: &[u32]) {
        let reached = |states: &[u32]| Reached { may: states.to_vec(), must: states.to_vec() };
        let hits = Hits::from(trie, &reached(loose), &reached(exact));
        let mut fresh = false;
        for atom in hits.atoms() {
            let told = self.told.entry(atom).or_default();
            *told += 1;
            fresh |= *told <= TOLD;
        }
        if fresh {
            self.hits.push((path.to_string(), hits));
        }
    }
}

impl Evaluation<'_> {
    /// Paths below `path` that patterns name, with what they hit. `filters`: only these names are touched.
    pub(super) fn below(&self, trie: &Trie, path: &str, filters: &[WordPattern]) -> Result<Vec<(String, Hits)>, Fault> {
        let mut found = Found { told: BTreeMap::new(), hits: Vec::new() };
        if trie.is_empty() {
            return Ok(found.hits);
        }
        let filters = (!filters.is_empty()).then(|| Nfa::new(filters, [], Scope::Component, false));
        let world = self.context.world;
        let mut pending: VecDeque<(String, Vec<u32>, Vec<u32>)> = VecDeque::new();
        match world.stat(path, true) {
            Some(Some(stat)) if stat.kind == EntryKind::Directory => {}
            None => {}
            Some(_) => return Ok(found.hits),
        }
        let (loose, exact) = self.walk(trie, &known_view(path.to_string()), None, Place::Here)?;
        pending.push_back((path.to_string(), loose.may, exact.may));
        for (_, place) in self.places_below(path) {
            if !matches!(world.stat(place, false), Some(Some(_))) {
                continue;
            }
            let (loose, exact) = self.walk(trie, &known_view(place.to_string()), None, Place::Here)?;
            if filters.as_ref().is_none_or(|filters| filters.matches(last(place))) {
                found.add(trie, place, &loose.may, &exact.may);
            }
            pending.push_back((place.to_string(), loose.may, exact.may));
        }
        while let Some((path, loose, exact)) = pending.pop_front() {
            if filters.is_none() {
                found.add(trie, &path, &trie.tails(&loose), &trie.tails(&exact));
            }
            for (name, directory) in self.children(trie, &path, &loose, filters.is_some()) {
                let child = format!("{}/{name}", path.trim_end_matches('/'));
                let fold = world.folds_case(&child);
                let exact = trie.step(&exact, &name, false)?;
                let loose = if fold { trie.step(&loose, &name, true)? } else { trie.step(&loose, &name, false)? };
                let (loose, exact) = match filters {
                    // What a final `**` meets was told for the directory.
                    None => (trie.without_final(loose), trie.without_final(exact)),
                    Some(_) => (loose, exact),
                };
                if filters.as_ref().is_none_or(|filters| filters.matches(&name)) {
                    found.add(trie, &child, &loose, &exact);
                }
                if directory && !loose.is_empty() {
                    pending.push_back((child, loose, exact));
                }
            }
        }
        found.hits.retain(|(_, hits)| hits.atoms().next().is_some());
        Ok(found.hits)
    }

    /// Names in a directory that may matter, and whether each is a directory itself.
    fn children(&self, trie: &Trie, path: &str, states: &[u32], all: bool) -> Vec<(String, bool)> {
        let world = self.context.world;
        if (all || trie.wants_listing(states))
            && count(&self.walk.directories, DIRECTORIES)
            && let Some(entries) = world.entries(path)
        {
            let within = entries.into_iter().take_while(|_| count(&self.walk.entries, ENTRIES));
            return within.map(|entry| (entry.name, entry.kind == EntryKind::Directory)).collect();
        }
        let asked = trie.literal_names(states).into_iter().take_while(|_| count(&self.walk.stats, STATS));
        asked
            .filter_map(|name| match world.stat(&format!("{}/{name}", path.trim_end_matches('/')), false) {
                Some(Some(stat)) => Some((name, stat.kind == EntryKind::Directory)),
                _ => None,
            })
            .collect()
    }
}

fn last(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
