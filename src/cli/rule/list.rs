//! `rule list`: every rule of every layer in one line.

use std::process::ExitCode;

use serde::Serialize;

use super::entries::{Entry, decision, entries};
use crate::cli::{self, machine};
use crate::explain::plain;

/// The arguments of `rule list`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Only the rules of this field
    field: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) const AFTER: &str = "\
One line for each rule: its id; its field (a folder of the embedded rules, or a rulebook); what it decides (`ask` is a
deny where nobody can answer, `ask or warn` a warning), and what an override makes of that here; the preset from which on
it is active; whether nobody can switch it off; its layer; its reason.

Exit code: 0, 1 if the field has no rules, 2 for a fault.

Examples:
  cc-safety-net rule list
  cc-safety-net rule list git
  cc-safety-net rule list --json

JSON: `version` (1), `preset` (the one in force), and `rules`: id, field, decision and here (as above; `off`), preset, floor,
layer, line, also, file, start_line.";

#[derive(Serialize)]
struct Document<'a> {
    version: u32,
    preset: &'static str,
    rules: Vec<Told<'a>>,
}

/// One rule for programs.
#[derive(Debug, Serialize)]
pub(super) struct Told<'a> {
    id: &'a str,
    field: &'a str,
    decision: String,
    here: String,
    preset: &'static str,
    floor: bool,
    layer: &'static str,
    line: &'a str,
    also: Vec<&'a str>,
    file: Option<&'a str>,
    start_line: Option<usize>,
}

/// Runs the command.
pub(super) fn run(arguments: Arguments) -> ExitCode {
    let (machine, books) = match machine::in_force() {
        Ok(found) => found,
        Err(what) => return cli::fail(&what),
    };
    let mut entries = entries(&machine.layers, &books);
    if let Some(field) = &arguments.field {
        entries.retain(|entry| entry.field == field);
        if entries.is_empty() {
            eprintln!("cc-safety-net: no rule is of the field `{field}`; `rule list` names them all");
            return ExitCode::from(1);
        }
    }
    if arguments.json {
        let rules = entries.iter().map(told).collect();
        println!("{}", cli::json(&Document { version: 1, preset: machine.layers.preset.word(), rules }));
    } else {
        print!("{}", table(&entries));
    }
    ExitCode::SUCCESS
}

/// A rule for programs.
pub(super) fn told<'a>(entry: &'a Entry<'a>) -> Told<'a> {
    let source = entry.source;
    Told {
        id: entry.id,
        field: entry.field,
        decision: entry.stated.map_or_else(|| "allow".into(), |stated| decision(Some(stated))),
        here: if entry.stated.is_none() { "allow".into() } else { decision(entry.in_force) },
        preset: entry.preset.word(),
        floor: entry.floor,
        layer: entry.layer(),
        line: entry.line,
        also: source.map(|(_, rule)| rule.also.iter().map(|also| also.id.as_str()).collect()).unwrap_or_default(),
        file: source.map(|(book, _)| book.path.as_str()),
        start_line: source.map(|(book, rule)| cli::line_and_column(&book.file.text, rule.at.start as usize).0),
    }
}

/// The entries in columns, the sentence last.
fn table(entries: &[Entry<'_>]) -> String {
    let rows: Vec<[String; 6]> = entries
        .iter()
        .map(|entry| {
            let floor = if entry.floor { "floor" } else { "-" };
            [
                entry.id.into(),
                entry.field.into(),
                entry.decision(),
                entry.preset.word().into(),
                floor.into(),
                entry.layer().into(),
            ]
        })
        .collect();
    let widths: Vec<usize> = (0..6).map(|at| rows.iter().map(|row| row[at].chars().count()).max().unwrap_or(0)).collect();
    let mut out = String::new();
    for (row, entry) in rows.iter().zip(entries) {
        for (cell, width) in row.iter().zip(&widths) {
            out.push_str(&format!("{}  ", plain::line(&format!("{cell:width$}"))));
        }
        out.push_str(&plain::line(entry.line));
        out.push('\n');
    }
    out
}
