//! `rule show`: one rule as a page: what it says, its source underlined, where it is from, how to change it.

use std::process::ExitCode;

use serde::Serialize;

use super::entries::{Entry, answering, entries, unknown};
use super::layer::refuse;
use super::list::{Told, told};
use crate::cli::{self, examples, machine};
use crate::explain::{Book, message, plain, report};
use crate::language::Example;
use crate::model::rule::{Condition, Rule, RuleKind};
use crate::model::{LayerKind, Preset};

/// The arguments of `rule show`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The rule's id, or a former or foreign one that it answers to
    id: String,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) const AFTER: &str = "\
Several rules may answer to one former or foreign id: all are shown.

Exit code: 0, 1 if there is no such rule, 2 for a fault.

Examples:
  cc-safety-net rule show git.reset-hard
  cc-safety-net rule show --json rm.git-metadata

JSON: `version` (1) and `rules`: the fields of `rule list`, and instead, intent, examples (decision, input, todo), source,
change (lines to copy).";

#[derive(Serialize)]
struct Document<'a> {
    version: u32,
    rules: Vec<Page<'a>>,
}

#[derive(Serialize)]
struct Page<'a> {
    #[serde(flatten)]
    rule: Told<'a>,
    instead: Option<&'a str>,
    intent: Option<&'static str>,
    examples: Vec<Shown>,
    source: Option<&'a str>,
    change: String,
}

#[derive(Serialize)]
struct Shown {
    decision: &'static str,
    input: String,
    todo: bool,
}

/// Runs the command.
pub(super) fn run(arguments: Arguments) -> ExitCode {
    let (machine, books) = match machine::in_force() {
        Ok(found) => found,
        Err(what) => return cli::fail(&what),
    };
    let all = entries(&machine.layers, &books);
    let found = answering(&all, &arguments.id);
    if found.is_empty() {
        return refuse(&unknown(&all, &arguments.id));
    }
    if arguments.json {
        println!("{}", cli::json(&Document { version: 1, rules: found.iter().map(|entry| page(entry)).collect() }));
    } else {
        let pages: Vec<String> = found.iter().map(|entry| human(entry)).collect();
        print!("{}", pages.join("\n"));
    }
    ExitCode::SUCCESS
}

fn page<'a>(entry: &'a Entry<'a>) -> Page<'a> {
    let source = entry.source;
    let shown =
        |example: &Example| Shown { decision: example.expected.word(), input: examples::shown(example), todo: example.todo };
    Page {
        rule: told(entry),
        instead: source.and_then(|(_, rule)| rule.instead.as_deref()),
        intent: source.filter(|(_, rule)| rule.kind == RuleKind::Rule).map(|(_, rule)| rule.intent.word()),
        examples: source.map(|(book, rule)| own(book, rule).map(shown).collect()).unwrap_or_default(),
        source: source.map(|(book, rule)| text(book, rule)),
        change: change(entry),
    }
}

/// The examples of a rule.
fn own<'b>(book: &'b Book, rule: &'b Rule) -> impl Iterator<Item = &'b Example> {
    book.rulebook.examples.iter().filter(|example| example.rule == rule.id)
}

/// A rule as it is written.
fn text<'b>(book: &'b Book, rule: &Rule) -> &'b str {
    book.file.text.get(rule.at.start as usize..rule.at.end as usize).unwrap_or_default()
}

fn human(entry: &Entry) -> String {
    let mut out = format!("{}  {}: {}\n\n", plain::line(entry.id), entry.decision(), plain::line(entry.line));
    let mut fact = |name: &str, value: &str| out.push_str(&format!("  {name:<9} {}\n", plain::line(value)));
    fact("layer", entry.layer());
    fact("field", entry.field);
    let floor = if entry.floor { "; nobody can switch it off" } else { "" };
    fact("active", &format!("from preset {} on{floor}", entry.preset.word()));
    let Some((book, rule)) = entry.source else {
        out.push_str(&format!("\n{}", change(entry)));
        return out;
    };
    if let Some(instead) = &rule.instead {
        fact("instead", instead);
    }
    if rule.kind == RuleKind::Rule {
        fact("agent", message::footer(rule.intent));
    }
    for also in &rule.also {
        let programs = if also.programs.is_empty() { String::new() } else { format!(" (for {})", also.programs.join(", ")) };
        fact("also", &format!("{}{programs}", also.id));
    }
    for (name, value) in [("owner", &rule.owner), ("expires", &rule.expires)] {
        if let Some(value) = value {
            fact(name, value);
        }
    }
    let line = cli::line_and_column(&book.file.text, rule.at.start as usize).0;
    fact("from", &format!("{}:{line}, rulebook {} {}", book.path, book.rulebook.name, book.rulebook.version));
    let style = cli::style();
    out.push('\n');
    out.push_str(report::render(&report::rule(rule, book), style.colour, style.width).trim_end());
    out.push_str("\n\nExamples\n");
    for example in own(book, rule) {
        let gap = if example.todo { "  (a known gap)" } else { "" };
        out.push_str(&format!("  {:<5} {}{gap}\n", example.expected.word(), plain::line(&examples::shown(example))));
    }
    out.push_str(&format!("\n{}", change(entry)));
    out
}

/// How to change what the rule decides: lines to copy.
fn change(entry: &Entry) -> String {
    if entry.floor {
        return "Change\n  Nothing switches it off. A person who wants it runs the command in a terminal of their own.\n"
            .into();
    }
    let Some((book, rule)) = entry.source else { return String::new() };
    match entry.layer {
        LayerKind::Managed => return "Change\n  Only the administrator of this machine can change it.\n".into(),
        LayerKind::Embedded | LayerKind::Floor => {}
        _ => return format!("Change\n  It stands in {}; edit it there.\n", plain::line(&book.path)),
    }
    let id = &rule.id;
    let first = rule.matches.first().map(|each| &each.at);
    let first = first.and_then(|at| book.file.text.get(at.start as usize..at.end as usize)).unwrap_or_default();
    let lines: Vec<&str> = first.lines().map(str::trim).collect();
    let name = id.rsplit('.').next().unwrap_or(id);
    let mut out = format!(
        "Change\n  Everywhere: in ~/.cc-safety-net/policy.yaml\n    overrides:\n      {id}: off      # or warn, ask, deny\n  \
         the same in a rulebook of ~/.cc-safety-net/rules\n    override {id} = off\n  Somewhere: in a rulebook of \
         ~/.cc-safety-net/rules\n    allow {name} {{\n      {}\n      when cwd in ~/scratch/**\n      because \"say why\"\n    }}\n",
        lines.join("\n        ")
    );
    let exempts = |found: &dyn Fn(&Condition) -> bool| rule.unless.iter().any(|condition| mentions(condition, found));
    if exempts(
        &|condition| matches!(condition, Condition::PathIn(_, set) if set.settings.iter().any(|name| name == "allow-paths")),
    ) {
        out.push_str("  For a folder: in ~/.cc-safety-net/policy.yaml\n    allow_paths: [~/scratch]\n");
    }
    if exempts(&|condition| matches!(condition, Condition::Setting(_))) {
        out.push_str("  For linked worktrees: in ~/.cc-safety-net/policy.yaml\n    worktree: true\n");
    }
    if rule.level > Preset::Standard {
        out.push_str(&format!("  To have it: in ~/.cc-safety-net/policy.yaml\n    preset: {}\n", rule.level.word()));
    }
    out
}

/// Whether a test stands anywhere in a condition. Depth is bounded by the language's limit on nesting.
fn mentions(condition: &Condition, found: &dyn Fn(&Condition) -> bool) -> bool {
    match condition {
        Condition::All(all) | Condition::Any(all) => all.iter().any(|each| mentions(each, found)),
        Condition::Not(inner) => mentions(inner, found),
        other => found(other),
    }
}
