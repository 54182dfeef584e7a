//! `rule test`: the examples of rulebooks, judged by the real engine, each in its own world.

use std::path::PathBuf;
use std::process::ExitCode;

use serde::Serialize;

use super::Format;
use super::check::{human, text};
use super::files::{self, Set};
use crate::cli::examples::{self, Outcome, Tried};
use crate::cli::{self, coverage};
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
    /// Let alternatives of patterns that no example of their rule matches fail, too
    #[arg(long)]
    coverage: bool,
}

pub(super) const AFTER: &str = "\
Each example is judged in a world of its own: home /home/me, working directory and repository /home/me/project on
branch topic, /tmp for temporary files, somebody there to answer, and what the example adds (`with modified FILE`,
`in DIR`, `preset P`). Above the embedded rules the rulebooks stand as the user's layer, without their overrides; the
folder of the embedded rules themselves is judged as the embedded layer.

An example marked `todo` is a known gap: the day it holds, that is reported, and the mark can go.

Exit code: 0 if every example holds, 1 if one fails, a known gap is closed, a rulebook has an error, or (with
--coverage) an alternative is not exercised, 2 if files cannot be read.

Examples:
  cc-safety-net rule test
  cc-safety-net rule test --coverage .cc-safety-net/rules
  cc-safety-net rule test --format json .cc-safety-net/rules

JSON: `version` (1), `examples`, `holding`, `gaps`, `errors`, and `failed`: rule, file, line, column, input, todo,
wanted, got, by (rule), layer, reason, why. With --coverage also `alternatives` and `unexercised`: rule, file, line,
column, text.";

#[derive(Serialize)]
struct Document {
    version: u32,
    examples: usize,
    holding: usize,
    gaps: usize,
    errors: usize,
    failed: Vec<Failure>,
    #[serde(skip_serializing_if = "Option::is_none")]
    alternatives: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unexercised: Option<Vec<Unexercised>>,
}

#[derive(Serialize)]
struct Unexercised {
    rule: String,
    file: String,
    line: usize,
    column: usize,
    text: String,
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
    let mut document = Document {
        version: 1,
        examples: 0,
        holding: 0,
        gaps: 0,
        errors: 0,
        failed: Vec::new(),
        alternatives: arguments.coverage.then_some(0),
        unexercised: arguments.coverage.then(Vec::new),
    };
    for set in &sets {
        let checked = set.check();
        for diagnostic in checked.diagnostics.iter().filter(|diagnostic| diagnostic.is_error()) {
            document.errors += 1;
            if arguments.format == Format::Human {
                println!("{}", human(diagnostic, text(set, diagnostic)));
            }
        }
        let mut layers = match set.stack(&checked.rulebooks) {
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
        if arguments.coverage
            && let Err(what) = cover(set, &checked.rulebooks, arguments.format, &mut document)
        {
            return cli::fail(&what);
        }
    }
    match arguments.format {
        Format::Human => {
            eprintln!(
                "{}: {} hold, {} failed, {} known to fail, {}",
                cli::count(document.examples, "example"),
                document.holding,
                document.failed.len(),
                document.gaps,
                cli::count(document.errors, "error")
            );
            if let (Some(all), Some(missing)) = (document.alternatives, &document.unexercised) {
                eprintln!("{} of {} exercised", all - missing.len(), cli::count(all, "alternative"));
            }
        }
        Format::Json => println!("{}", cli::json(&document)),
    }
    let missing = document.unexercised.as_ref().is_some_and(|missing| !missing.is_empty());
    ExitCode::from(u8::from(document.errors > 0 || !document.failed.is_empty() || missing))
}

/// Adds what no example exercises.
fn cover(set: &Set, rulebooks: &[Rulebook], format: Format, document: &mut Document) -> Result<(), String> {
    let embedded = set.catalogue.then_some(rulebooks);
    let covered = coverage::cover(&set.files, rulebooks, embedded)?;
    document.alternatives = document.alternatives.map(|all| all + covered.alternatives);
    for diagnostic in covered.diagnostics() {
        if format == Format::Human {
            println!("{}", human(&diagnostic, text(set, &diagnostic)));
        }
    }
    for (file, missing) in covered.missing {
        let text = set.files.iter().find(|each| each.name == file).map_or("", |each| &each.text);
        let (line, column) = cli::line_and_column(text, missing.at.start);
        let text = text.get(missing.at).unwrap_or_default().to_string();
        document.unexercised.get_or_insert_default().push(Unexercised { rule: missing.rule, file, line, column, text });
    }
    Ok(())
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
