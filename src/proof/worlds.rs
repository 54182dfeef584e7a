//! Conditions → facts of a world in which they may hold, and words that may be bound.

use std::collections::BTreeMap;

use super::sample;
use crate::language::ExampleWorld;
use crate::model::rule::{Condition, Match, Rule, Subject};

/// One fact that a world can have.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fact {
    Modified(String),
    Clean(String),
    Ignored(String),
    File(String),
    Worktree(String),
    Branch(String),
    Directory(String),
    Environment(String, String),
    Setting(String, String),
}

/// A world with one fact more.
pub fn with(world: &ExampleWorld, fact: &Fact) -> ExampleWorld {
    let mut world = world.clone();
    match fact.clone() {
        Fact::Modified(path) => world.modified.push(path),
        Fact::Clean(path) => world.clean.push(path),
        Fact::Ignored(path) => world.ignored.push(path),
        Fact::File(path) => world.files.push((path, String::new())),
        Fact::Worktree(path) => {
            world.worktrees.push(path.clone());
            world.directory = Some(path);
        }
        Fact::Branch(name) => world.branch = Some(name),
        Fact::Directory(path) => world.directory = Some(path),
        Fact::Environment(name, value) => world.environment.push((name, value)),
        Fact::Setting(name, value) => world.settings.push((name, value)),
    }
    world
}

/// The facts that git and the disk may know of a path.
pub fn of_path(path: &str) -> Vec<Fact> {
    let name = path.to_string();
    let usual = !name.is_empty() && !name.contains(['$', '`', '*', '?', '\n']) && !name.starts_with('-') && name.len() < 200;
    let all = [Fact::File(name.clone()), Fact::Modified(name.clone()), Fact::Clean(name.clone()), Fact::Ignored(name)];
    if usual { all.to_vec() } else { Vec::new() }
}

/// Every condition of a rule and of one of its matches, those within others included.
fn conditions<'r>(rule: &'r Rule, of: Option<&'r Match>) -> Vec<&'r Condition> {
    let own = of.into_iter().flat_map(|each| each.when.iter().chain(&each.unless));
    let mut open: Vec<&Condition> = own.chain(&rule.when).chain(&rule.unless).collect();
    let mut all = Vec::new();
    while let Some(condition) = open.pop() {
        match condition {
            Condition::All(inner) | Condition::Any(inner) => open.extend(inner),
            Condition::Not(inner) => open.push(inner),
            other => all.push(other),
        }
    }
    all
}

/// What may be bound to each name, from the conditions on it.
pub fn values(rule: &Rule, of: &Match) -> BTreeMap<String, Vec<String>> {
    let mut all: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for condition in conditions(rule, Some(of)) {
        let (subject, found) = match condition {
            Condition::WordIs(subject, set) => (subject, sample::members(set)),
            Condition::PathIn(subject, set) | Condition::PathOutside(subject, set) => (subject, sample::places(set)),
            Condition::Ref(subject) => (subject, vec!["main".into()]),
            _ => continue,
        };
        if let Subject::Bound(name) = subject {
            all.entry(name.clone()).or_default().extend(found);
        }
    }
    all
}

/// Facts that the conditions of a rule ask for.
pub fn facts(rule: &Rule) -> Vec<Fact> {
    let mut all = Vec::new();
    let within = std::iter::once(None).chain(rule.matches.iter().map(Some));
    for condition in within.flat_map(|of| conditions(rule, of)) {
        match condition {
            Condition::CwdIn(set) => all.extend(sample::places(set).into_iter().map(Fact::Directory)),
            Condition::BranchIs(set) => all.extend(sample::members(set).into_iter().map(Fact::Branch)),
            Condition::EnvIs(name, set) => {
                all.extend(sample::members(set).into_iter().take(4).map(|value| Fact::Environment(name.clone(), value)));
            }
            Condition::PathIn(_, set) | Condition::PathOutside(_, set) if !set.settings.is_empty() => {
                all.push(Fact::Setting("allow-paths".into(), "~/scratch".into()));
            }
            Condition::Setting(name) => all.push(Fact::Setting(name.clone(), String::new())),
            Condition::WorktreeLinked => all.push(Fact::Worktree("/home/me/linked".into())),
            Condition::Exists(subject)
            | Condition::Tracked(subject)
            | Condition::Clean(subject)
            | Condition::Ignored(subject)
            | Condition::Recoverable(subject) => {
                let paths = match subject {
                    Subject::Bound(_) => vec!["x".to_string()],
                    Subject::Fixed(pattern) => sample::paths(pattern),
                };
                all.extend(paths.iter().flat_map(|path| of_path(path)));
            }
            _ => {}
        }
    }
    all.sort();
    all.dedup();
    all
}
