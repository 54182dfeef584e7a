//! `rule doc`: the rules of all layers as one Markdown page, generated from the rulebooks. A snapshot of the catalogue's page shows
//! in review what a change of the rulebooks means for people.

use std::process::ExitCode;

use super::entries::{Entry, entries};
use crate::cli::{self, examples, machine};
use crate::explain::{Book, Books, message, patterns, plain};
use crate::model::rule::{Rule, RuleKind};
use crate::model::{Decision, LayerKind, Preset};
use crate::policy::Layers;

/// How many examples of each side the page has: the first ones, which show the plain form.
const EXAMPLES: usize = 3;

/// The arguments of `rule doc`: none.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {}

pub(super) const AFTER: &str = "\
The page goes to standard output. It has every rule in force in this directory: decision, reason, what to do instead, what it
matches, what exempts, and the first examples of each side.

Exit code: 0, 2 for a fault.

Examples:
  cc-safety-net rule doc > rules.md";

/// Runs the command.
pub(super) fn run(_: Arguments) -> ExitCode {
    let (machine, books) = match machine::in_force() {
        Ok(found) => found,
        Err(what) => return cli::fail(&what),
    };
    print!("{}", page(&machine.layers, &books));
    ExitCode::SUCCESS
}

/// The page.
pub fn page(layers: &Layers, books: &Books) -> String {
    let entries = entries(layers, books);
    let mut fields: Vec<&str> = entries.iter().map(|entry| entry.field).collect();
    fields.dedup();
    let mut out = format!(
        "# Rules\n\n{} in {}. `ask` is a refusal where nobody can answer; `floor` rules are never switched off.\n",
        cli::count(entries.len(), "rule"),
        cli::count(fields.len(), "field"),
    );
    let mut field = "";
    for entry in &entries {
        if entry.field != field {
            field = entry.field;
            out.push_str(&format!("\n## {field}\n"));
        }
        out.push_str(&section(entry));
    }
    out
}

fn section(entry: &Entry) -> String {
    let mut facts = vec![entry.decision()];
    if entry.floor {
        facts.push("floor".into());
    }
    if entry.preset > Preset::Standard {
        facts.push(format!("from {} on", entry.preset.word()));
    }
    if !matches!(entry.layer, LayerKind::Embedded | LayerKind::Floor) {
        facts.push(entry.layer().into());
    }
    let mut out = format!("\n### {}\n\n**{}**: {}\n", plain::line(entry.id), facts.join(", "), plain::line(entry.line));
    let Some((book, rule)) = entry.source else { return out };
    let mut points = Vec::new();
    if let Some(instead) = &rule.instead {
        points.push(format!("instead: {}", plain::quoted(&plain::line(instead))));
    }
    if rule.kind == RuleKind::Rule {
        points.push(format!("then: {}", message::footer(rule.intent)));
    }
    for condition in &rule.when {
        points.push(format!("only if {}", plain::line(&patterns::condition(condition, &|_| None))));
    }
    for condition in &rule.unless {
        points.push(format!("not if {}", plain::line(&patterns::condition(condition, &|_| None))));
    }
    if !rule.also.is_empty() {
        let ids: Vec<String> = rule.also.iter().map(|also| plain::quoted(&plain::line(&also.id))).collect();
        points.push(format!("also {}", ids.join(", ")));
    }
    if !points.is_empty() {
        out.push_str(&format!("\n- {}\n", points.join("\n- ")));
    }
    out.push_str(&format!("\n```\n{}```\n", code(book, rule)));
    out
}

/// The rule's patterns as they are written, then the first examples of each side.
fn code(book: &Book, rule: &Rule) -> String {
    let mut places: Vec<(u32, u32)> = rule.matches.iter().map(|each| (each.at.start, each.at.end)).collect();
    places.sort_unstable();
    places.dedup();
    let mut out = String::new();
    for (start, end) in places {
        let written = book.file.text.get(start as usize..end as usize).unwrap_or_default();
        let lines: Vec<&str> = written.lines().map(str::trim).collect();
        out.push_str(&format!("{}\n", plain::lines(&lines.join("\n  "))));
    }
    let own = || book.rulebook.examples.iter().filter(|example| example.rule == rule.id && !example.todo);
    let hits = own().filter(|example| example.expected != Decision::Allow).take(EXAMPLES);
    let misses = own().filter(|example| example.expected == Decision::Allow).take(EXAMPLES);
    for example in hits.chain(misses) {
        out.push_str(&format!("# {:<5} {}\n", example.expected.word(), plain::line(&examples::shown(example))));
    }
    out
}
