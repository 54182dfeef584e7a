//! What a proposal changes: which settings of its layer, and which verdicts on the embedded rules' own examples.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::cli::examples;
use crate::explain::plain;
use crate::language::Rulebook;
use crate::model::settings::{Audit, Override};
use crate::model::{Decision, Settings};
use crate::policy::Layers;

/// One setting before and after, as text; none where it is not said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Field {
    /// The setting; of one override, with the rule's id: `overrides.git.push-force`.
    pub field: String,
    /// Before.
    pub before: Option<String>,
    /// After.
    pub after: Option<String>,
}

/// A verdict that changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Changed {
    /// The rule whose example it is.
    pub rule: String,
    /// The call.
    pub input: String,
    /// The decision at present.
    pub before: &'static str,
    /// The decision under the proposal.
    pub after: &'static str,
    /// Whether more is let through.
    pub loosens: bool,
}

/// The verdicts.
#[derive(Debug, Default, Serialize)]
pub(super) struct Verdicts {
    /// How many examples were judged twice.
    pub examples: usize,
    /// How many verdicts are weaker than before.
    pub loosened: usize,
    /// How many are stronger.
    pub tightened: usize,
    /// One for each rule and direction, what loosens first; at most [`SHOWN`].
    pub changed: Vec<Changed>,
}

/// How many verdicts are listed.
const SHOWN: usize = 20;

/// The settings that a layer says, by name, as text.
fn stated(settings: &Settings) -> Vec<(String, String)> {
    let mut fields: Vec<(String, String)> = Vec::new();
    let mut add = |name: &str, value: Option<String>| fields.extend(value.map(|value| (name.to_string(), value)));
    let truth = |value: Option<bool>| value.map(|value| value.to_string());
    let list = |items: &[String]| (!items.is_empty()).then(|| items.join(", "));
    add("preset", settings.preset.map(|preset| preset.word().to_string()));
    for said in &settings.overrides {
        add(&format!("overrides.{}", said.rule), Some(word(said).to_string()));
    }
    add("allow_paths", list(&settings.allow_paths));
    add("deny_paths", list(&settings.deny_paths));
    add("worktree", truth(settings.worktree));
    add("audit", settings.audit.map(|audit| audit_word(audit).to_string()));
    add("retention_days", settings.retention_days.map(|days| days.to_string()));
    add("loosen_by_environment", truth(settings.loosen_by_environment));
    add("lock", list(&settings.lock));
    fields
}

/// What an override says.
pub(super) fn word(said: &Override) -> &'static str {
    said.decision.map_or("off", Decision::word)
}

/// What the log records.
pub(super) fn audit_word(audit: Audit) -> &'static str {
    match audit {
        Audit::All => "all",
        Audit::Blocked => "blocked",
    }
}

/// The settings that differ, in the order of the reference.
pub(super) fn fields(before: &Settings, after: &Settings) -> Vec<Field> {
    let (old, new) = (stated(before), stated(after));
    let of = |all: &[(String, String)], name: &str| all.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone());
    let mut seen = BTreeSet::new();
    let names = new.iter().chain(&old).map(|(name, _)| name).filter(|name| seen.insert((*name).clone()));
    let all = names.map(|name| Field { field: name.clone(), before: of(&old, name), after: of(&new, name) });
    all.filter(|field| field.before != field.after).collect()
}

/// Judges every example of these rulebooks under both stacks, each in its own world, at the preset in force and not at its own.
pub(super) fn verdicts(rulebooks: &[Rulebook], before: &mut Layers, after: &mut Layers) -> Verdicts {
    // An example's world has a project of its own.
    (before.project, after.project) = (None, None);
    let mut verdicts = Verdicts::default();
    let mut told = BTreeSet::new();
    for example in rulebooks.iter().flat_map(|book| &book.examples) {
        verdicts.examples += 1;
        let [old, new] = [&*before, &*after].map(|layers| examples::judge(example, layers).verdict.decision);
        if old == new {
            continue;
        }
        let loosens = new < old;
        *(if loosens { &mut verdicts.loosened } else { &mut verdicts.tightened }) += 1;
        if told.insert((example.rule.clone(), loosens)) {
            let input = plain::clip(&plain::line(&examples::shown(example)), 200);
            let (rule, before, after) = (example.rule.clone(), old.word(), new.word());
            verdicts.changed.push(Changed { rule, input, before, after, loosens });
        }
    }
    verdicts.changed.sort_by_key(|changed| !changed.loosens);
    verdicts.changed.truncate(SHOWN);
    verdicts
}
