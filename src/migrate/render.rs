//! Drafts → the text of rulebooks.

use std::collections::BTreeSet;

use super::{Draft, PortedRule};
use crate::agents::permissions::string;
use crate::language::{self, ExampleInput};
use crate::model::Decision;
use crate::proof::Candidate;

/// A text as a name: letters, digits and dashes.
pub fn name(of: &str) -> String {
    let mut out = String::new();
    for c in of.chars() {
        match c {
            c if c.is_ascii_alphanumeric() => out.push(c.to_ascii_lowercase()),
            _ if out.ends_with('-') || out.is_empty() => {}
            _ => out.push('-'),
        }
    }
    let short: String = out.chars().take(48).collect();
    let short = short.trim_end_matches('-');
    if short.is_empty() || short == "engine" { "migrated".into() } else { short.into() }
}

/// The names of a draft's rules, each another one, in their order.
pub fn names(draft: &Draft) -> Vec<String> {
    let mut taken: BTreeSet<String> = BTreeSet::new();
    let mut all = Vec::new();
    for rule in &draft.rules {
        let base = name(&rule.title);
        let mut own = base.clone();
        let mut number = 2;
        while !taken.insert(own.clone()) {
            own = format!("{base}-{number}");
            number += 1;
        }
        all.push(own);
    }
    all
}

/// A rulebook's text. `examples` are those of each rule, in their order; a rule without a clause is left out.
pub fn text(draft: &Draft, examples: &[Vec<(Decision, Candidate)>]) -> String {
    let mut out = format!("rulebook {}\nversion {}\nabout {}\n\n", draft.name, draft.version, string(&draft.about));
    for item in &draft.items {
        out.push_str(item);
        out.push_str("\n\n");
    }
    for ((rule, name), own) in draft.rules.iter().zip(names(draft)).zip(examples) {
        out.push_str(&one(rule, &name, own));
        out.push('\n');
    }
    language::format(&out).unwrap_or(out)
}

fn one(rule: &PortedRule, name: &str, examples: &[(Decision, Candidate)]) -> String {
    let kind = if rule.decision == Decision::Allow { "allow" } else { "rule" };
    let mut out = format!("{kind} {name} {{\n");
    rule.clauses.iter().for_each(|clause| out.push_str(&format!("  {clause}\n")));
    match rule.decision {
        Decision::Allow => out.push_str(&format!("  because {}\n", rule.reason)),
        decision => out.push_str(&format!("  {} {}\n", decision.word(), rule.reason)),
    }
    if let Some(intent) = rule.intent {
        out.push_str(&format!("  intent {}\n", intent.word()));
    }
    let shown: Vec<String> = examples.iter().map(|(decision, candidate)| example(*decision, candidate)).collect();
    if !shown.is_empty() {
        out.push_str(&format!("  examples {{\n    {}\n  }}\n", shown.join("\n    ")));
    }
    out.push_str("}\n");
    out
}

/// One example, in backquotes that its text does not have.
fn example(decision: Decision, candidate: &Candidate) -> String {
    let input = match &candidate.input {
        ExampleInput::Command(text) => fenced(text),
        ExampleInput::Tool { name, fields } => format!("tool {} {fields}", crate::agents::permissions::word(name)),
    };
    format!("{} {input}{}", decision.word(), candidate.facts())
}

fn fenced(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest + 1);
    if text.contains('\n') {
        let fence = if fence.len() < 3 { "```".to_string() } else { fence };
        let lines: Vec<String> = text.lines().map(|line| format!("      {line}")).collect();
        return format!("{fence}\n{}\n      {fence}", lines.join("\n"));
    }
    let pad = if longest > 0 { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}
