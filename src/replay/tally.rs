//! What a replay found.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::audit::Count;
use crate::model::Decision;

/// How many examples of a kind are kept.
pub const EXAMPLES: usize = 3;

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Tally {
    /// Lines that were not empty.
    pub lines: u64,
    /// Calls in them.
    pub calls: u64,
    /// Lines and files that could not be read.
    pub unreadable: u64,
    /// Calls by decision.
    pub decisions: Count,
    /// By the headline's rule, those that somebody objected to.
    pub rules: BTreeMap<String, Rule>,
    /// Calls whose decision is another than it was, or than it is: by both decisions and the rule.
    pub changes: Vec<Change>,
    /// The first faults.
    pub faults: Vec<String>,
}

/// What a rule found.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Rule {
    /// How often.
    pub decisions: Count,
    /// The first few.
    pub examples: Vec<Example>,
}

/// A call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Example {
    /// The agent.
    pub agent: String,
    /// The directory.
    pub directory: String,
    /// The call in one line, without secrets.
    pub call: String,
}

/// A change of decisions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Change {
    /// Before.
    pub from: Decision,
    /// After.
    pub to: Decision,
    /// The headline's rule of the stricter one of both.
    pub rule: String,
    /// How often.
    pub count: u64,
    /// The first few.
    pub examples: Vec<Example>,
}

impl Tally {
    /// Notes a fault.
    pub fn fault(&mut self, what: String) {
        self.unreadable += 1;
        if self.faults.len() < EXAMPLES {
            self.faults.push(what);
        }
    }

    /// Counts a call that a rule objected to.
    pub fn rule(&mut self, id: &str, decision: Decision, example: impl FnOnce() -> Example) {
        if !self.rules.contains_key(id) {
            self.rules.insert(id.to_string(), Rule::default());
        }
        let Some(rule) = self.rules.get_mut(id) else { return };
        rule.decisions.add(decision);
        if rule.examples.len() < EXAMPLES {
            rule.examples.push(example());
        }
    }

    /// Counts a call whose decision changes.
    pub fn change(&mut self, from: Decision, to: Decision, rule: &str, example: impl FnOnce() -> Example) {
        let found = self.changes.iter_mut().find(|it| (it.from, it.to, it.rule.as_str()) == (from, to, rule));
        match found {
            Some(change) => {
                change.count += 1;
                if change.examples.len() < EXAMPLES {
                    change.examples.push(example());
                }
            }
            None => self.changes.push(Change { from, to, rule: rule.into(), count: 1, examples: vec![example()] }),
        }
    }

    /// Adds what was found in lines that stand behind.
    pub fn merge(&mut self, other: Tally) {
        self.lines += other.lines;
        self.calls += other.calls;
        self.unreadable += other.unreadable;
        self.decisions.merge(other.decisions);
        let room = EXAMPLES.saturating_sub(self.faults.len());
        self.faults.extend(other.faults.into_iter().take(room));
        for (id, found) in other.rules {
            let rule = self.rules.entry(id).or_default();
            rule.decisions.merge(found.decisions);
            let room = EXAMPLES.saturating_sub(rule.examples.len());
            rule.examples.extend(found.examples.into_iter().take(room));
        }
        for found in other.changes {
            let same = |it: &&mut Change| (it.from, it.to, &it.rule) == (found.from, found.to, &found.rule);
            match self.changes.iter_mut().find(same) {
                Some(change) => {
                    change.count += found.count;
                    let room = EXAMPLES.saturating_sub(change.examples.len());
                    change.examples.extend(found.examples.into_iter().take(room));
                }
                None => self.changes.push(found),
            }
        }
    }
}
