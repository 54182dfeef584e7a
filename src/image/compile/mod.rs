//! Checked rulebooks → bytes. Compiling cannot fail: a checked rulebook cannot be wrong, and what an automaton cannot hold is
//! matched without one.

pub mod commands;
pub mod effects;

use std::collections::BTreeMap;

use sha2::{Digest, Sha256};

use crate::language::Rulebook;
use crate::model::declaration::Command;
use crate::model::rule::{Condition, Pattern, PatternPart, Rule, WordPattern};
use crate::model::settings::{Override, Settings};

use super::declarations as nodes;
use super::globs::{Automaton, Building, dfa};
use super::layout::{FORMAT, Key, Location, Section, Writer, engine};
use super::record::{Clause, RuleHeader, RuleRecord, ToolShard, Wild, WildClauses, encode};

/// Globs of one shard that are worth automata (see [`Building::worth`]).
const WORTH: usize = 48;

/// How long compiling may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effort {
    /// In a hook: no automata, a few milliseconds for the largest layer.
    Quick,
    /// At build time.
    Full,
}

/// The byte order of the machine that an image is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// Least byte first.
    Little,
    /// Greatest byte first.
    Big,
}

impl Order {
    /// This machine's.
    pub const NATIVE: Order = if cfg!(target_endian = "big") { Order::Big } else { Order::Little };
}

/// Compiles a layer for this machine, quickly.
pub fn compile(rulebooks: &[Rulebook], settings: &Settings) -> Vec<u8> {
    compile_with(rulebooks, settings, Building { automata: None, worth: WORTH, big: Order::NATIVE == Order::Big })
}

/// Compiles a layer. The same rulebooks in another order give an image that answers the same.
pub fn compile_for(rulebooks: &[Rulebook], settings: &Settings, effort: Effort, order: Order) -> Vec<u8> {
    let automata = match effort {
        // Determinising a few dozen globs with inner stars takes longer than a hook may; comparing their literal ends does not.
        Effort::Quick => None,
        Effort::Full => Some(dfa as Automaton),
    };
    compile_with(rulebooks, settings, Building { automata, worth: WORTH, big: order == Order::Big })
}

fn compile_with(rulebooks: &[Rulebook], settings: &Settings, building: Building) -> Vec<u8> {
    let mut writer = Writer::default();
    let mut shards = Shards::default();
    let mut ids: Vec<String> = Vec::new();
    for rule in rulebooks.iter().flat_map(|rulebook| &rulebook.rules) {
        let record = RuleRecord { header: RuleHeader::of(rule), when: rule.when.clone(), unless: rule.unless.clone() };
        let location = writer.record(&encode(&record));
        writer.name(Key::Rule, &rule.id, location);
        for also in &rule.also {
            writer.name(Key::Also, &also.id, location);
        }
        ids.push(rule.id.clone());
        clauses(rule, location, &mut shards);
    }
    commands::write(std::mem::take(&mut shards.commands), &mut writer, &building);
    effects::write(std::mem::take(&mut shards.effects), &mut writer, &building);
    tools(std::mem::take(&mut shards.tools), &mut writer);
    declarations(rulebooks, &mut writer);
    let overrides: Vec<&Override> = rulebooks.iter().flat_map(|rulebook| &rulebook.overrides).collect();
    let about: Vec<(&str, &str, &str, &str)> =
        rulebooks.iter().map(|book| (&*book.name, &*book.version, &*book.about, &*book.file)).collect();
    writer.section(Section::Settings, &encode(settings));
    writer.section(Section::Overrides, &encode(&overrides));
    writer.section(Section::Rules, &encode(&ids));
    writer.section(Section::Rulebooks, &encode(&about));
    writer.finish(digest(rulebooks, settings), building.big)
}

/// Clauses by what they look at.
#[derive(Debug, Default)]
struct Shards {
    commands: Vec<Clause>,
    effects: Vec<Clause>,
    tools: Vec<Clause>,
}

fn clauses(rule: &Rule, location: Location, shards: &mut Shards) {
    for (number, clause) in rule.matches.iter().enumerate() {
        let conditions = rule.when.len() + rule.unless.len() + clause.when.len() + clause.unless.len();
        let compiled = Clause {
            rule: location,
            number: number as u32,
            kind: rule.kind,
            level: rule.level,
            pattern: clause.pattern.clone(),
            atoms: Default::default(),
            when: clause.when.clone(),
            unless: clause.unless.clone(),
            at: clause.at.clone(),
            narrowness: narrowness(&clause.pattern) + conditions as u32,
            variables: clause.when.iter().chain(&rule.when).filter_map(variables).min_by_key(Vec::len).unwrap_or_default(),
        };
        match clause.pattern {
            Pattern::Command(_) => shards.commands.push(compiled),
            Pattern::Effect(_) => shards.effects.push(compiled),
            Pattern::Tool(_) => shards.tools.push(compiled),
        }
    }
}

/// Variables of which one must be set for the condition to hold; none where it may hold without.
fn variables(condition: &Condition) -> Option<Vec<String>> {
    match condition {
        Condition::EnvIs(name, _) => Some(vec![name.clone()]),
        Condition::All(all) => all.iter().filter_map(variables).min_by_key(Vec::len),
        Condition::Any(any) => any.iter().map(variables).collect::<Option<Vec<_>>>().map(|all| all.concat()),
        _ => None,
    }
}

/// How much a pattern demands: two for each word, option, object and field, one for each thing that it excludes.
fn narrowness(pattern: &Pattern) -> u32 {
    use crate::model::rule::PositionalPattern;
    let demands = match pattern {
        Pattern::Command(command) => {
            let words = command.positionals.iter().map(|element| match element {
                PositionalPattern::Word { words: Some(_), .. } | PositionalPattern::Dashes => 2,
                PositionalPattern::Word { words: None, .. } => 1,
                PositionalPattern::Skip => 0,
            });
            let options = command.options.iter().map(|option| 2 + 2 * usize::from(option.value.is_some()));
            2 + words.sum::<usize>() + options.sum::<usize>() + command.absent.len()
        }
        Pattern::Effect(effect) => {
            let flags = usize::from(effect.recursively) + usize::from(effect.forcibly) + usize::from(effect.from.is_some());
            1 + flags
                + 2 * usize::from(effect.object.is_some())
                + 2 * usize::from(effect.code.is_some())
                + usize::from(effect.language.is_some())
        }
        Pattern::Tool(tool) => 2 + 2 * tool.fields.len(),
    };
    demands as u32
}

fn tools(clauses: Vec<Clause>, writer: &mut Writer) {
    let mut shards: BTreeMap<String, Vec<Location>> = BTreeMap::new();
    let mut wild = WildClauses::new();
    for clause in clauses {
        let location = writer.record(&encode(&clause));
        let Pattern::Tool(pattern) = &clause.pattern else { continue };
        match commands::literals(&pattern.name) {
            Some(names) => names.into_iter().for_each(|name| shards.entry(name).or_default().push(location)),
            None => wild.push((pattern.name.clone(), location)),
        }
    }
    for (key, clauses) in shards {
        let location = writer.record(&encode(&ToolShard { key: key.clone(), clauses }));
        writer.name(Key::Tool, &key, location);
    }
    groups(Section::WildTools, wild, |(set, _)| common(set.any.iter().map(lead)), writer);
}

fn declarations(rulebooks: &[Rulebook], writer: &mut Writer) {
    for command in rulebooks.iter().flat_map(|rulebook| &rulebook.commands) {
        let location = nodes::write(command, writer);
        let mut names: Vec<String> = command.names.clone();
        if command.shell.is_some() {
            // Shells of Windows ignore case.
            names.extend(command.names.iter().map(|name| name.to_lowercase()));
        }
        names.sort();
        names.dedup();
        names.iter().for_each(|name| writer.name(Key::Declaration, name, location));
    }
    for language in rulebooks.iter().flat_map(|rulebook| &rulebook.languages) {
        let location = writer.record(&encode(language));
        writer.name(Key::Language, &language.name, location);
    }
    let mut wild = Vec::new();
    for tool in rulebooks.iter().flat_map(|rulebook| &rulebook.tools) {
        match tool.name.as_literal() {
            Some(name) => {
                let location = writer.record(&encode(tool));
                writer.name(Key::ToolDeclaration, name, location);
            }
            None => wild.push(tool),
        }
    }
    groups(Section::WildToolDeclarations, wild, |tool| lead(&tool.name).to_string(), writer);
}

/// Writes what goes by globs, in groups by how these begin.
pub(super) fn groups<T: serde::Serialize>(section: Section, all: Vec<T>, begins: impl Fn(&T) -> String, writer: &mut Writer) {
    if all.is_empty() {
        return;
    }
    let mut groups: BTreeMap<String, Vec<T>> = BTreeMap::new();
    for one in all {
        groups.entry(begins(&one)).or_default().push(one);
    }
    let groups = groups.into_iter().map(|(lead, group)| (lead, writer.record(&encode(&group)))).collect();
    writer.section(section, &encode(&Wild { groups }));
}

/// The text with which all that the pattern matches begins.
pub(super) fn lead(pattern: &WordPattern) -> &str {
    match pattern.parts.first() {
        Some(PatternPart::Literal(text)) => text,
        _ => "",
    }
}

/// The text with which all of the texts begin.
pub(super) fn common<'t>(mut texts: impl Iterator<Item = &'t str>) -> String {
    let Some(first) = texts.next() else { return String::new() };
    let shared =
        |one: &str, other: &str| one.chars().zip(other.chars()).take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum();
    let length = texts.fold(first.len(), |length, text| length.min(shared(first, text)));
    first[..length].to_string()
}

/// The identity: what was compiled and by which engine, not for which machine.
fn digest(rulebooks: &[Rulebook], settings: &Settings) -> [u8; 32] {
    let mut hash = Sha256::new();
    hash.update(FORMAT.to_le_bytes());
    hash.update(engine().to_le_bytes());
    hash.update(encode(settings));
    for book in rulebooks {
        hash.update(encode(&(&book.name, &book.version, &book.about, &book.file)));
        hash.update((book.commands.len() as u64).to_le_bytes());
        book.commands.iter().for_each(|command| identify(command, &mut hash));
        hash.update(encode(&(&book.languages, &book.tools)));
        hash.update(encode(&(&book.rules, &book.overrides)));
    }
    hash.finalize().into()
}

fn identify(command: &Command, hash: &mut Sha256) {
    hash.update(encode(command));
    let below = command.subcommands.here();
    hash.update((below.len() as u64).to_le_bytes());
    below.iter().for_each(|command| identify(command, hash));
}
