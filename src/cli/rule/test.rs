//! `rule test`: the examples of rulebooks, judged by the real engine, each in its own world.

use std::path::PathBuf;
use std::process::ExitCode;

use serde::Serialize;

use super::Format;
use super::check::{human, text};
use super::files::{self, Set};
use crate::cli::examples::{self, Outcome, Tried};
use crate::cli::{self, machine};
use crate::explain::message;
use crate::language::Rulebook;

/// The arguments of `rule test`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Rulebooks, or folders of them; without any, this project's and the user's
    paths: Vec<PathBuf>,
    /// How to print
    #[arg(long, value_enum, default_value = "human")]
    format: Format,
}

pub(super) const AFTER: &str = "\
Each example is judged in a world of its own: home /home/me, working directory and repository /home/me/project on
branch topic, /tmp for temporary files, somebody there to answer, and what the example adds (`with modified FILE`,
`in DIR`, `preset P`). Above the embedded rules the rulebooks stand as the user's layer; the folder of the embedded
rules themselves is judged as the embedded layer.

An example marked `todo` is a known gap: the day it holds, that is reported, and the mark can go.

Exit code: 0 if every example holds, 1 if one fails, a known gap is closed, or a rulebook has an error, 2 if files
cannot be read.

Examples:
  cc-safety-net rule test
  cc-safety-net rule test --format json .cc-safety-net/rules

JSON: `version` (1), `examples`, `holding`, `gaps`, `errors`, and `failed`: rule, file, line, column, input, todo,
wanted, got, by (rule), layer, reason, why.";

#[derive(Serialize)]
struct Document {
    version: u32,
    examples: usize,
    holding: usize,
    gaps: usize,
    errors: usize,
    failed: Vec<Failure>,
}

#[derive(Serialize)]
struct Failure {
    rule: String,
    file: String,
    line: usize,
    column: usize,
    input: String,
    todo: bool,
    wanted: &'static str,
    got: &'static str,
    by: Option<String>,
    layer: Option<&'static str>,
    reason: Option<String>,
    why: String,
}

/// Runs the command.
pub(super) fn run(arguments: Arguments) -> ExitCode {
    let sets = match files::gather(&arguments.paths) {
        Ok(sets) => sets,
        Err(what) => return cli::fail(&what),
    };
    let mut document = Document { version: 1, examples: 0, holding: 0, gaps: 0, errors: 0, failed: Vec::new() };
    for set in &sets {
        let checked = set.check();
        for diagnostic in checked.diagnostics.iter().filter(|diagnostic| diagnostic.is_error()) {
            document.errors += 1;
            if arguments.format == Format::Human {
                println!("{}", human(diagnostic, text(set, diagnostic)));
            }
        }
        let stacked = if set.catalogue {
            machine::stack(Some(&checked.rulebooks), &[])
        } else {
            machine::stack(None, &checked.rulebooks)
        };
        let mut layers = match stacked {
            Ok(layers) => layers,
            Err(what) => return cli::fail(&what),
        };
        for tried in examples::run(&checked.rulebooks, &mut layers) {
            document.examples += 1;
            match tried.outcome {
                Outcome::Holds => document.holding += 1,
                Outcome::Gap => document.gaps += 1,
                Outcome::Fails | Outcome::Closed => {
                    let failure = failure(&tried, set, &checked.rulebooks);
                    if arguments.format == Format::Human {
                        println!("{}", line(&failure));
                    }
                    document.failed.push(failure);
                }
            }
        }
    }
    match arguments.format {
        Format::Human => eprintln!(
            "{}: {} hold, {} failed, {} known to fail, {}",
            cli::count(document.examples, "example"),
            document.holding,
            document.failed.len(),
            document.gaps,
            cli::count(document.errors, "error")
        ),
        Format::Json => println!("{}", cli::json(&document)),
    }
    ExitCode::from(u8::from(document.errors > 0 || !document.failed.is_empty()))
}

fn failure(tried: &Tried, set: &Set, rulebooks: &[Rulebook]) -> Failure {
    let example = tried.example;
    let file = set.files.iter().find(|file| file.name == example.at.file);
    let (line, column) = file.map_or((0, 0), |file| cli::line_and_column(&file.text, example.at.start as usize));
    let headline = tried.verdict.findings.first();
    debug_assert!(rulebooks.iter().any(|rulebook| rulebook.file == example.at.file));
    Failure {
        rule: example.rule.clone(),
        file: example.at.file.clone(),
        line,
        column,
        input: examples::shown(example),
        todo: example.todo,
        wanted: example.expected.word(),
        got: tried.verdict.decision.word(),
        by: headline.map(|finding| finding.rule.clone()),
        layer: headline.map(|finding| message::layer(finding.layer)),
        reason: headline.map(|finding| finding.reason.clone()),
        why: match tried.outcome {
            Outcome::Closed => "a known gap is closed: `todo` can go".into(),
            _ => tried.why(),
        },
    }
}

/// A failure in two lines, of which the first leads to the place.
fn line(failure: &Failure) -> String {
    format!(
        "{}:{}:{}: {}: {} `{}`\n    {}",
        failure.file, failure.line, failure.column, failure.rule, failure.wanted, failure.input, failure.why
    )
}
