//! One decision, and its explanation made again from what is on record.

use std::process::ExitCode;

use crate::agents;
use crate::audit::{Log, Reader, Record};
use crate::check;
use crate::cli::machine::Machine;
use crate::explain::{json, plain, terminal};
use crate::layers::Effort;

/// The arguments of `logs show`.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
pub struct Arguments {
    /// The record's id, or its beginning
    id: String,
    /// Print the record and the explanation as JSON
    #[arg(long)]
    json: bool,
}

const AFTER: &str = "\
The call is judged again as it is on record: secrets in it are a word, and what was cut off is missing. Where the
policy or the machine has changed since, so may the verdict; that is said.

Exit code: 0, 1 if there is no such record or more than one, 2 for a fault.

Examples:
  cc-safety-net logs show 1a2b3c4d

JSON: an object with `record` (as `logs --json` has it), `same_policy`, and `explanation` (as `explain --json`).";

/// Runs the command.
pub(super) fn run(arguments: &Arguments, log: &Log) -> ExitCode {
    let mut found: Vec<Record> = Reader::new(log, "").filter(|record| record.id.starts_with(&arguments.id)).take(2).collect();
    let (Some(record), true) = (found.pop(), found.is_empty()) else {
        eprintln!(
            "cc-safety-net: {} record's id begins with `{}`",
            if found.is_empty() { "no" } else { "more than one" },
            arguments.id
        );
        return ExitCode::from(1);
    };
    if record.failure_stage.is_some() {
        if arguments.json {
            println!(
                "{}",
                super::super::json(&serde_json::json!({ "record": record, "same_policy": null, "explanation": null }))
            );
        } else {
            print_record(&record);
        }
        return ExitCode::SUCCESS;
    }
    let Some(agent) = agents::by_name(&record.agent) else {
        return super::super::fail(&format!("the record is of an agent that is not known: `{}`", plain::line(&record.agent)));
    };
    let call = record.call(agent);
    let mut machine = Machine::open(&call, Effort::Command);
    if let Some(level) = record.level {
        machine.layers.preset = level;
    }
    let same_policy = record.policy == format!("{:016x}", machine.layers.identity());
    let judged = check::check(call, &machine.layers, machine.world());
    let (preset, books) = (machine.layers.preset, machine.books());
    if arguments.json {
        let explanation = json::explain(&judged.call, &judged.verdict, preset, &books);
        let document = serde_json::json!({ "record": record, "same_policy": same_policy, "explanation": explanation });
        println!("{}", super::super::json(&document));
        return ExitCode::SUCCESS;
    }
    print_record(&record);
    println!();
    if !same_policy {
        println!("The policy has changed since; this is what it says now.\n");
    }
    if judged.verdict.decision != record.decision {
        println!("Now: {}; then: {}.\n", judged.verdict.decision.word(), record.decision.word());
    }
    print!("{}", terminal::explain(&judged.call, &judged.verdict, preset, &books, super::super::style()));
    ExitCode::SUCCESS
}

/// What is on record, a row for each field that is known.
fn print_record(record: &Record) {
    let Ok(serde_json::Value::Object(fields)) = serde_json::to_value(record) else { return };
    // In the order of the line and not of the alphabet.
    let line = String::from_utf8(record.line()).unwrap_or_default();
    let mut fields: Vec<_> = fields.into_iter().collect();
    fields.sort_by_key(|(name, _)| line.find(&format!("\"{name}\":")));
    for (name, value) in fields {
        let value = value.as_str().map_or_else(|| value.to_string(), str::to_string);
        if !value.is_empty() {
            println!("{name:<12} {}", plain::line(&value));
        }
    }
}
