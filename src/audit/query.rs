//! Which records are wanted, and how many there are of each kind.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use serde::Serialize;

use super::Record;
use crate::model::Decision;

/// What a record must be to be shown. Empty fields demand nothing.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    /// Calls that nobody objected to, too.
    pub all: bool,
    /// The agent's name.
    pub agent: Option<String>,
    /// A rule's id, or a rulebook's name.
    pub rule: Option<String>,
    /// The session.
    pub session: Option<String>,
    /// A directory: sessions in it or below.
    pub project: Option<String>,
}

impl Filter {
    /// Whether a record is wanted.
    pub fn takes(&self, record: &Record) -> bool {
        let is = |wanted: &Option<String>, found: &str| wanted.as_deref().is_none_or(|wanted| wanted == found);
        let below = |place: &String| crate::model::path::is_within(&record.cwd, place);
        let rule = |wanted: &String| {
            let matches =
                |id: &String| id == wanted || id.strip_prefix(wanted.as_str()).is_some_and(|rest| rest.starts_with('.'));
            record.rule_id.iter().chain(&record.also).any(matches)
        };
        (self.all || record.decision != Decision::Allow || record.ticket.is_some())
            && is(&self.agent, &record.agent)
            && is(&self.session, &record.session_id)
            && self.project.as_ref().is_none_or(below)
            && self.rule.as_ref().is_none_or(rule)
    }
}

/// Finds what looks like a guard in the way, or a session that does not take no for an answer: failures, and the same refusal
/// twice in a session.
#[derive(Debug, Default)]
pub struct Suspects {
    refused: BTreeMap<u64, u32>,
}

impl Suspects {
    /// Counts a record.
    pub fn note(&mut self, record: &Record) {
        if record.is_refusal() {
            *self.refused.entry(signature(record)).or_default() += 1;
        }
    }

    /// Whether the record is one of them; all records must have been counted before.
    pub fn has(&self, record: &Record) -> bool {
        let again = || self.refused.get(&signature(record)).is_some_and(|times| *times > 1);
        record.failure_stage.is_some() || (record.is_refusal() && again())
    }
}

fn signature(record: &Record) -> u64 {
    let mut hasher = DefaultHasher::new();
    (&record.session_id, &record.rule_id, &record.segment, &record.tool_name).hash(&mut hasher);
    hasher.finish()
}

/// How many were decided how.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Count {
    /// Silence.
    pub allow: u64,
    /// Told.
    pub warn: u64,
    /// Asked.
    pub ask: u64,
    /// Refused.
    pub deny: u64,
}

impl Count {
    /// Counts one more.
    pub fn add(&mut self, decision: Decision) {
        *match decision {
            Decision::Allow => &mut self.allow,
            Decision::Warn => &mut self.warn,
            Decision::Ask => &mut self.ask,
            Decision::Deny => &mut self.deny,
        } += 1;
    }

    /// Adds another count.
    pub fn merge(&mut self, other: Count) {
        self.allow += other.allow;
        self.warn += other.warn;
        self.ask += other.ask;
        self.deny += other.deny;
    }

    /// All of them.
    pub fn sum(&self) -> u64 {
        self.allow + self.warn + self.ask + self.deny
    }
}

/// How many there are of each kind.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Statistics {
    /// Of this form.
    pub version: u32,
    /// The oldest record and the newest.
    pub from: String,
    /// See [`Statistics::from`].
    pub to: String,
    /// All.
    pub decisions: Count,
    /// By the headline's rule; calls without one are left out.
    pub rules: BTreeMap<String, Count>,
    /// By agent.
    pub agents: BTreeMap<String, Count>,
    /// By project.
    pub projects: BTreeMap<String, Count>,
    /// By day.
    pub days: BTreeMap<String, Count>,
}

impl Statistics {
    /// Statistics of nothing.
    pub fn new() -> Statistics {
        Statistics { version: 1, ..Statistics::default() }
    }

    /// Counts a record.
    pub fn add(&mut self, record: &Record) {
        self.decisions.add(record.decision);
        if let Some(rule) = &record.rule_id {
            self.rules.entry(rule.clone()).or_default().add(record.decision);
        }
        self.agents.entry(record.agent.clone()).or_default().add(record.decision);
        self.projects.entry(record.project.clone()).or_default().add(record.decision);
        self.days.entry(record.ts.chars().take(10).collect()).or_default().add(record.decision);
        if self.from.is_empty() || record.ts < self.from {
            self.from = record.ts.clone();
        }
        if record.ts > self.to {
            self.to = record.ts.clone();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(session: &str, rule: &str, decision: Decision) -> Record {
        Record {
            session_id: session.into(),
            rule_id: (!rule.is_empty()).then(|| rule.into()),
            decision,
            agent: "a".into(),
            cwd: "/home/me/project/src".into(),
            ts: "2026-11-30T10:00:00.000Z".into(),
            ..Record::default()
        }
    }

    #[test]
    fn every_filter_demands_something() {
        let denied = Record { also: vec!["files.delete".into()], ..record("s", "git.push-force", Decision::Deny) };
        let takes = |change: &dyn Fn(&mut Filter)| {
            let mut filter = Filter::default();
            change(&mut filter);
            filter.takes(&denied)
        };
        assert!(takes(&|_| ()) && !Filter::default().takes(&record("s", "", Decision::Allow)));
        for rule in ["git.push-force", "git", "files.delete"] {
            assert!(takes(&|filter| filter.rule = Some(rule.into())), "{rule}");
        }
        assert!(!takes(&|filter| filter.rule = Some("git.push".into())));
        assert!(takes(&|filter| filter.project = Some("/home/me/project".into())));
        assert!(!takes(&|filter| filter.project = Some("/home/me/proj".into())));
        assert!(!takes(&|filter| filter.agent = Some("b".into())) && !takes(&|filter| filter.session = Some("t".into())));
    }

    #[test]
    fn the_same_refusal_twice_in_a_session_is_suspect() {
        let mut suspects = Suspects::default();
        let (one, other) = (record("s", "x.y", Decision::Deny), record("t", "x.y", Decision::Deny));
        for each in [&one, &one, &other] {
            suspects.note(each);
        }
        assert!(suspects.has(&one) && !suspects.has(&other));
    }

    #[test]
    fn statistics_count_by_everything() {
        let mut statistics = Statistics::new();
        for decision in [Decision::Deny, Decision::Ask, Decision::Allow, Decision::Deny] {
            statistics.add(&record("s", if decision == Decision::Allow { "" } else { "x.y" }, decision));
        }
        let count = Count { allow: 1, warn: 0, ask: 1, deny: 2 };
        assert_eq!((statistics.decisions, statistics.rules["x.y"].sum(), statistics.days["2026-11-30"]), (count, 3, count));
    }
}
