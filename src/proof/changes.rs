//! Two policies → what differs, each with what is proved of it.

use std::collections::BTreeMap;

use super::{normal, wider};
use crate::language::Rulebook;
use crate::model::Decision;
use crate::model::rule::{Rule, RuleKind};
use crate::model::settings::Override;

/// What differs.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subject {
    /// A rule or an allow, by its id.
    Rule(String),
    /// How a program is read: its names.
    Command(Vec<String>),
    /// The calls of a language, by its name.
    Language(String),
    /// The declarations of an agent's tools, as their glob is written.
    Tool(String),
    /// An override, by the id that it names.
    Override(String),
}

/// How it differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// It is new.
    Added,
    /// It is gone.
    Removed,
    /// It says something else.
    Changed,
    /// It decides the same, in other words or in another order.
    Reworded,
}

/// What is proved of a difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Direction {
    /// No decision changes.
    Same,
    /// No decision is weaker than before.
    Tightens,
    /// No decision is stronger than before.
    Loosens,
    /// Nothing is proved.
    Unknown,
}

/// One difference.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// What differs.
    pub subject: Subject,
    /// How.
    pub kind: Kind,
    /// Which way, as far as it is proved.
    pub direction: Direction,
}

/// Everything that differs between two policies, by subject.
pub fn changes(old: &[Rulebook], new: &[Rulebook]) -> Vec<Change> {
    let mut found = Vec::new();
    rules(old, new, &mut found);
    declarations(old, new, &mut found);
    overrides(old, new, &mut found);
    found.sort_by(|one, other| one.subject.cmp(&other.subject));
    found
}

/// Pairs of what has the same key; several of one key are one thing.
fn paired<T>(old: Vec<(Subject, T)>, new: Vec<(Subject, T)>) -> BTreeMap<Subject, (Vec<T>, Vec<T>)> {
    let mut all: BTreeMap<Subject, (Vec<T>, Vec<T>)> = BTreeMap::new();
    old.into_iter().for_each(|(key, value)| all.entry(key).or_insert_with(|| (Vec::new(), Vec::new())).0.push(value));
    new.into_iter().for_each(|(key, value)| all.entry(key).or_insert_with(|| (Vec::new(), Vec::new())).1.push(value));
    all
}

fn rules(old: &[Rulebook], new: &[Rulebook], found: &mut Vec<Change>) {
    let keyed = |books: &'_ [Rulebook]| -> Vec<(Subject, Rule)> {
        books.iter().flat_map(|book| &book.rules).map(|rule| (Subject::Rule(rule.id.clone()), rule.clone())).collect()
    };
    let named = |id: &str| old.iter().chain(new).flat_map(|book| &book.overrides).any(|each| each.rule == id);
    for (subject, (old, new)) in paired(keyed(old), keyed(new)) {
        let change = match (&old[..], &new[..]) {
            ([], [rule, ..]) => {
                Some((Kind::Added, if rule.kind == RuleKind::Rule { Direction::Tightens } else { Direction::Loosens }))
            }
            ([rule, ..], []) => {
                Some((Kind::Removed, if rule.kind == RuleKind::Rule { Direction::Loosens } else { Direction::Tightens }))
            }
            ([old], [new]) => compare(old, new, &named),
            _ => (old != new).then_some((Kind::Changed, Direction::Unknown)),
        };
        found.extend(change.map(|(kind, direction)| Change { subject, kind, direction }));
    }
}

/// How a rule differs. `overridden` says whether an override names an id.
fn compare(old: &Rule, new: &Rule, overridden: &dyn Fn(&str) -> bool) -> Option<(Kind, Direction)> {
    if normal::rule(old) == normal::rule(new) {
        return None;
    }
    // Other ids decide where an override names them.
    if old.also != new.also && old.also.iter().chain(&new.also).any(|also| overridden(&also.id)) {
        return Some((Kind::Changed, Direction::Unknown));
    }
    let named = std::iter::once(&old.id).chain(old.also.iter().chain(&new.also).map(|also| &also.id)).any(|id| overridden(id));
    let (old, new) = (normal::meaning(old), normal::meaning(new));
    if old == new {
        return Some((Kind::Reworded, Direction::Same));
    }
    Some(match (wider::as_strict(&new, &old), wider::as_strict(&old, &new)) {
        (true, true) => (Kind::Reworded, Direction::Same),
        // What an override makes of either is not compared.
        _ if named => (Kind::Changed, Direction::Unknown),
        (true, false) => (Kind::Changed, Direction::Tightens),
        (false, true) => (Kind::Changed, Direction::Loosens),
        (false, false) => (Kind::Changed, Direction::Unknown),
    })
}

/// Declarations as they are written, without their places. Nothing is proved of a declaration that differs.
fn declarations(old: &[Rulebook], new: &[Rulebook], found: &mut Vec<Change>) {
    let keyed = |books: &'_ [Rulebook]| -> Vec<(Subject, String)> {
        let mut all = Vec::new();
        for book in books {
            for command in &book.commands {
                let mut bare = command.clone();
                super::search::unplaced(&mut bare);
                all.push((Subject::Command(command.names.clone()), format!("{bare:?}")));
            }
            all.extend(book.languages.iter().map(|each| (Subject::Language(each.name.clone()), format!("{each:?}"))));
            all.extend(
                book.tools.iter().map(|each| (Subject::Tool(crate::explain::patterns::glob(&each.name)), format!("{each:?}"))),
            );
        }
        all
    };
    for (subject, (mut old, mut new)) in paired(keyed(old), keyed(new)) {
        old.sort();
        new.sort();
        if old != new {
            let kind = match (old.is_empty(), new.is_empty()) {
                (true, _) => Kind::Added,
                (_, true) => Kind::Removed,
                _ => Kind::Changed,
            };
            found.push(Change { subject, kind, direction: Direction::Unknown });
        }
    }
}

fn overrides(old: &[Rulebook], new: &[Rulebook], found: &mut Vec<Change>) {
    let keyed = |books: &'_ [Rulebook]| -> Vec<(Subject, Override)> {
        books.iter().flat_map(|book| &book.overrides).map(|each| (Subject::Override(each.rule.clone()), each.clone())).collect()
    };
    for (subject, (old, new)) in paired(keyed(old), keyed(new)) {
        if old == new {
            continue;
        }
        // `off` is weaker than anything; an ask and a warning may be stronger or weaker than what the rule itself says.
        let (kind, direction) = match (&old[..], &new[..]) {
            ([], [Override { decision: None, .. }]) => (Kind::Added, Direction::Loosens),
            ([], [Override { decision: Some(Decision::Deny), .. }]) => (Kind::Added, Direction::Tightens),
            ([Override { decision: None, .. }], []) => (Kind::Removed, Direction::Tightens),
            ([Override { decision: Some(Decision::Deny), .. }], []) => (Kind::Removed, Direction::Loosens),
            ([old], [new]) if new.decision > old.decision => (Kind::Changed, Direction::Tightens),
            ([_], [_]) => (Kind::Changed, Direction::Loosens),
            ([], _) => (Kind::Added, Direction::Unknown),
            (_, []) => (Kind::Removed, Direction::Unknown),
            _ => (Kind::Changed, Direction::Unknown),
        };
        found.push(Change { subject, kind, direction });
    }
}
