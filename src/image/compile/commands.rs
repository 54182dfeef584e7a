//! Clauses on commands: which shard each goes to, and which atoms touch it there.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::rule::{CommandPattern, Pattern, PositionalPattern, WordPattern, WordSet};

use super::super::globs::{Building, Globs, matches};
use super::super::layout::{Key, Location, Section, Writer};
use super::super::nfa::Scope;
use super::super::record::{Clause, CommandShard, WildClauses, encode};
use super::{common, groups, lead};

/// Names of one set that are all literal: those that it means. None where a glob may mean others.
pub fn literals(set: &WordSet) -> Option<Vec<String>> {
    let names: Option<BTreeSet<&str>> = set.any.iter().map(WordPattern::as_literal).collect();
    let kept = |name: &&str| !set.except.iter().any(|pattern| matches(pattern, name, Scope::Word));
    Some(names?.into_iter().filter(kept).map(str::to_string).collect())
}

/// The first words that a pattern demands, where all of them are literal.
fn first_words(pattern: &CommandPattern) -> Option<Vec<String>> {
    match pattern.positionals.first() {
        Some(PositionalPattern::Word { words: Some(words), .. }) => literals(words),
        _ => None,
    }
}

/// The atoms that touch a clause: one set of patterns, of which every match of the clause needs one. The first word is left
/// out where the shard is already that word's. Options come first, since commands have fewer of them than words; a set that
/// is all literal before one with globs.
fn trigger(pattern: &CommandPattern, worded: bool) -> Option<Vec<&WordPattern>> {
    let options = pattern.options.iter().map(|option| vec![&option.spelling]);
    let words = pattern.positionals.iter().skip(usize::from(worded)).filter_map(|element| match element {
        PositionalPattern::Word { words: Some(words), .. } => Some(words.any.iter().collect()),
        _ => None,
    });
    let sets: Vec<Vec<&WordPattern>> = options.chain(words).collect();
    let rank = |set: &&Vec<&WordPattern>| (set.iter().any(|pattern| pattern.as_literal().is_none()), set.len());
    sets.iter().min_by_key(rank).cloned()
}

#[derive(Default)]
struct Gathered {
    clauses: Vec<(usize, Location)>,
}

/// Writes the shards of all clauses.
pub fn write(clauses: Vec<Clause>, writer: &mut Writer, building: &Building) {
    let mut shards: BTreeMap<(String, Option<String>), Gathered> = BTreeMap::new();
    let mut wild = WildClauses::new();
    for (number, clause) in clauses.iter().enumerate() {
        let Pattern::Command(pattern) = &clause.pattern else { continue };
        let location = writer.record(&encode(clause));
        let Some(programs) = literals(&pattern.program) else {
            wild.push((pattern.program.clone(), location));
            continue;
        };
        let words = first_words(pattern);
        for program in programs {
            // The program's own shard stands even where it is empty: it names the words that have one.
            shards.entry((program.clone(), None)).or_default();
            match &words {
                None => shards.entry((program, None)).or_default().clauses.push((number, location)),
                Some(words) => words.iter().for_each(|word| {
                    shards.entry((program.clone(), Some(word.clone()))).or_default().clauses.push((number, location));
                }),
            }
        }
    }
    let mut words: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (program, word) in shards.keys() {
        if let Some(word) = word {
            words.entry(program.clone()).or_default().push(word.clone());
        }
    }
    for ((program, word), gathered) in shards {
        let words = match &word {
            Some(_) => None,
            None => words.get(&program).map(|words| writer.record(&encode(words))),
        };
        let key = match &word {
            Some(word) => format!("{program}\0{word}"),
            None => program,
        };
        let shard = shard(key.clone(), word.is_some(), words, &gathered, &clauses, building);
        let location = writer.record(&encode(&shard));
        writer.name(if word.is_some() { Key::CommandWord } else { Key::Command }, &key, location);
    }
    groups(Section::WildCommands, wild, |(set, _)| common(set.any.iter().map(lead)), writer);
}

fn shard(
    key: String,
    worded: bool,
    words: Option<Location>,
    gathered: &Gathered,
    clauses: &[Clause],
    building: &Building,
) -> CommandShard {
    let (mut always, mut variables) = (Vec::new(), Vec::new());
    let mut atoms: Vec<(&WordPattern, u32)> = Vec::new();
    for (slot, (number, _)) in gathered.clauses.iter().enumerate() {
        let Pattern::Command(pattern) = &clauses[*number].pattern else { continue };
        match trigger(pattern, worded) {
            Some(set) => atoms.extend(set.into_iter().map(|pattern| (pattern, slot as u32))),
            None if clauses[*number].variables.is_empty() => always.push(slot as u32),
            None => variables.push((clauses[*number].variables.clone(), slot as u32)),
        }
    }
    CommandShard {
        key,
        words,
        atoms: Globs::new(atoms, Scope::Word, building),
        always,
        variables,
        clauses: gathered.clauses.iter().map(|(_, location)| *location).collect(),
    }
}
