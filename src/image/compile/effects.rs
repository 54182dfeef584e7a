//! Clauses on effects: a shard for each verb, its path patterns in one trie.

use std::collections::BTreeMap;

use crate::model::effect::Verb;
use crate::model::rule::{Pattern, WordPattern};

use super::super::globs::Building;
use super::super::layout::{Key, Writer};
use super::super::record::{Clause, EffectShard, encode, meant};
use super::super::trie::Trie;

/// Writes the shards of all clauses.
pub fn write(clauses: Vec<Clause>, writer: &mut Writer, building: &Building) {
    let mut verbs: BTreeMap<Verb, Vec<Clause>> = BTreeMap::new();
    for clause in clauses {
        let Pattern::Effect(pattern) = &clause.pattern else { continue };
        for verb in meant(pattern.verb) {
            verbs.entry(*verb).or_default().push(clause.clone());
        }
    }
    for (verb, clauses) in verbs {
        let shard = shard(verb, clauses, writer, building);
        let location = writer.record(&encode(&shard));
        writer.name(Key::Effect, verb.word(), location);
    }
}

fn shard(verb: Verb, clauses: Vec<Clause>, writer: &mut Writer, building: &Building) -> EffectShard {
    let mut numbers: BTreeMap<WordPattern, u32> = BTreeMap::new();
    let mut touches: Vec<Vec<u32>> = Vec::new();
    let (mut always, mut objects, mut locations) = (Vec::new(), Vec::new(), Vec::new());
    for (slot, mut clause) in clauses.into_iter().enumerate() {
        let slot = slot as u32;
        let Pattern::Effect(pattern) = &clause.pattern else { continue };
        match &pattern.object {
            // What the settings add is known only when the call is judged.
            Some(set) if set.settings.is_empty() => {
                let mut atom = |pattern: &WordPattern, touched: bool| {
                    let fresh = numbers.len() as u32;
                    let number = *numbers.entry(pattern.clone()).or_insert(fresh);
                    if number == fresh {
                        touches.push(Vec::new());
                    }
                    let list = &mut touches[number as usize];
                    if touched && list.last() != Some(&slot) {
                        list.push(slot);
                    }
                    number
                };
                clause.atoms.0 = set.any.iter().map(|pattern| atom(pattern, true)).collect();
                clause.atoms.1 = set.except.iter().map(|pattern| atom(pattern, false)).collect();
                objects.push(slot);
            }
            _ => always.push(slot),
        }
        locations.push(writer.record(&encode(&clause)));
    }
    let trie = Trie::new(numbers.iter().map(|(pattern, number)| (pattern, *number)), building);
    EffectShard { key: verb.word().to_string(), trie, touches, always, objects, clauses: locations }
}
