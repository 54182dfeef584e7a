//! `status`: whether the guard is in force here, by which layers, and what it last refused.

use std::process::ExitCode;

use serde::Serialize;

use crate::audit::{Log, RETENTION, Record, last_refusal};
use crate::cli::machine::{self, Machine};
use crate::explain::message::layer;
use crate::explain::plain;
use crate::layers::Effort;
use crate::model::settings::Audit;
use crate::policy::Rights;
use crate::world::disk;

/// The arguments of `status`.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
pub struct Arguments {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

const AFTER: &str = "\
Of this directory, as a hook would judge a call in it. Whether agents are connected is told by `doctor`.

Exit code: 0 if everything that is configured is in force, 1 if something is not, 2 for a fault.

Examples:
  cc-safety-net status
  cc-safety-net status --json

JSON: an object with `version` (1), `engine` (its version), `state` (`ready` or `degraded`), `preset`, `project`, `layers`
(kind, name, loosens, rules), `audit` (records, days, folder, fault), `policy` (the identity in records),
`last_refusal` (a record, or null), `reports` (what is not in force, and why).";

/// What is in force.
#[derive(Debug, Serialize)]
struct Status {
    version: u32,
    engine: &'static str,
    state: &'static str,
    preset: &'static str,
    project: Option<String>,
    layers: Vec<LayerStatus>,
    audit: AuditStatus,
    policy: String,
    last_refusal: Option<Record>,
    reports: Vec<String>,
}

#[derive(Debug, Serialize)]
struct LayerStatus {
    kind: &'static str,
    name: String,
    loosens: bool,
    rules: usize,
}

#[derive(Debug, Serialize)]
struct AuditStatus {
    records: &'static str,
    days: u16,
    folder: String,
    fault: Option<String>,
}

/// Runs the command.
pub fn run(arguments: Arguments) -> ExitCode {
    let directory = match super::current_directory() {
        Ok(directory) => directory,
        Err(what) => return super::fail(&what),
    };
    let status = status(&Machine::open(&machine::no_call(directory), Effort::Hook));
    if arguments.json {
        println!("{}", super::json(&status));
    } else {
        print(&status);
    }
    ExitCode::from(u8::from(status.state != "ready"))
}

fn status(machine: &Machine) -> Status {
    let layers = &machine.layers;
    let log = machine.state.as_deref().map(Log::below);
    let mut fault = match &log {
        Some(log) => log.fault(),
        None => Some("the user has no home".into()),
    };
    fault = fault.map(|fault| format!("nothing can be recorded: {fault}"));
    Status {
        version: 1,
        engine: env!("CARGO_PKG_VERSION"),
        state: if layers.reports.is_empty() && fault.is_none() { "ready" } else { "degraded" },
        preset: layers.preset.word(),
        project: layers.project.clone(),
        layers: layers
            .layers
            .iter()
            .rev()
            .map(|each| LayerStatus {
                kind: layer(each.kind),
                name: each.name.clone(),
                loosens: each.rights == Rights::Loosen,
                rules: each.image.rule_ids().map_or(0, |ids| ids.len()),
            })
            .collect(),
        audit: AuditStatus {
            records: if layers.settings.audit == Some(Audit::Blocked) { "blocked" } else { "all" },
            days: layers.settings.retention_days.unwrap_or(RETENTION),
            folder: log.as_ref().map(|log| log.folder().display().to_string()).unwrap_or_default(),
            fault,
        },
        policy: format!("{:016x}", layers.identity()),
        last_refusal: log.and_then(|log| last_refusal(&log, layers.project.as_deref(), disk::nanoseconds())),
        reports: layers.reports.clone(),
    }
}

fn print(status: &Status) {
    println!("CC Safety Net {}: {}\n", status.engine, status.state);
    println!("Preset    {}", status.preset);
    println!("Project   {}", status.project.as_deref().map_or("none: everything is outside of it".into(), plain::line));
    for (number, layer) in status.layers.iter().enumerate() {
        let title = if number == 0 { "Layers" } else { "" };
        let rights = if layer.loosens { "" } else { ", may only tighten" };
        println!("{title:<9} {}: {} ({}{rights})", layer.kind, super::count(layer.rules, "rule"), plain::line(&layer.name));
    }
    let what = if status.audit.records == "all" { "every decision" } else { "refusals alone" };
    println!("Log       {what}, for {}: {}", super::count(status.audit.days.into(), "day"), plain::line(&status.audit.folder));
    match &status.last_refusal {
        Some(record) => {
            let rule = record.rule_id.as_deref().unwrap_or("a call that could not be judged");
            println!("Refused   {} ago: {rule}", age(record, disk::nanoseconds()));
            println!("          {}", plain::clip(&plain::line(&record.subject()), 68));
            println!("          `cc-safety-net logs show {}` explains it", record.id.get(..8).unwrap_or(&record.id));
        }
        None => println!("Refused   nothing here today or yesterday"),
    }
    let wrong: Vec<&String> = status.reports.iter().chain(&status.audit.fault).collect();
    if wrong.is_empty() {
        println!("\nEverything that is configured is in force.");
        return;
    }
    println!("\nNot in force:");
    wrong.iter().for_each(|line| println!("- {}", plain::line(line)));
}

/// How long ago a record was made: `3m`, `2h`, `1d`.
pub(super) fn age(record: &Record, now: i64) -> String {
    let then = crate::world::clock::nanoseconds(&record.ts).unwrap_or(now);
    let minutes = (now.saturating_sub(then)).max(0) / 60_000_000_000;
    match minutes {
        0 => "less than 1m".into(),
        1..60 => format!("{minutes}m"),
        60..1440 => format!("{}h", minutes / 60),
        _ => format!("{}d", minutes / 1440),
    }
}
