//! `rule check`: everything that is wrong with rulebooks, in one run.

use std::path::PathBuf;
use std::process::ExitCode;

use serde::Serialize;

use super::Format;
use super::files::{self, Set};
use crate::cli::{self, examples, lints};
use crate::explain::report;
use crate::language::{Diagnostic, Severity};

/// The arguments of `rule check`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Rulebooks, or folders of them; without any, this project's and the user's
    paths: Vec<PathBuf>,
    /// How to print
    #[arg(long, value_enum, default_value = "human")]
    format: Format,
    /// Let warnings fail, too
    #[arg(long)]
    strict: bool,
}

pub(super) const AFTER: &str = "\
Warnings are about what is sound and not yet right: a rule without a near miss or that never decides, an example that
another rule decides, a pattern that matches nothing, an `instead` that would be refused, a set that nobody uses, a
reason too long for one line.

Exit code: 0 if all is well or there are warnings alone, 1 if there is an error, 2 if files cannot be read.

Examples:
  cc-safety-net rule check
  cc-safety-net rule check .cc-safety-net/rules/mine.rulebook
  cc-safety-net rule check --format json rules/

JSON: `version` (1), `files`, `errors`, `warnings`, `diagnostics` (code, severity, message, help, file, and labels:
text, start, end in bytes, line and column from 1).";

#[derive(Serialize)]
struct Document {
    version: u32,
    files: usize,
    errors: usize,
    warnings: usize,
    diagnostics: Vec<Told>,
}

/// A diagnostic for programs.
#[derive(Serialize)]
pub(in crate::cli) struct Told {
    code: &'static str,
    severity: &'static str,
    message: String,
    help: Option<String>,
    file: String,
    labels: Vec<Place>,
}

#[derive(Serialize)]
struct Place {
    text: String,
    start: usize,
    end: usize,
    line: usize,
    column: usize,
}

/// Runs the command.
pub(super) fn run(arguments: Arguments) -> ExitCode {
    let sets = match files::gather(&arguments.paths) {
        Ok(sets) => sets,
        Err(what) => return cli::fail(&what),
    };
    let mut document = Document { version: 1, files: 0, errors: 0, warnings: 0, diagnostics: Vec::new() };
    for set in &sets {
        document.files += set.files.len();
        let checked = set.check();
        let mut found = checked.diagnostics;
        // What is not sound is not yet worth a second look.
        if !found.iter().any(Diagnostic::is_error) {
            let mut layers = match set.stack(&checked.rulebooks) {
                Ok(layers) => layers,
                Err(what) => return cli::fail(&what),
            };
            let tried = examples::run(&checked.rulebooks, &mut layers);
            found.extend(lints::lints(&set.files, &checked.rulebooks, &tried, &mut layers));
        }
        for diagnostic in found {
            match diagnostic.severity {
                Severity::Error => document.errors += 1,
                Severity::Warning => document.warnings += 1,
            }
            let text = text(set, &diagnostic);
            if arguments.format == Format::Human {
                println!("{}", human(&diagnostic, text));
            }
            document.diagnostics.push(told(&diagnostic, text));
        }
    }
    match arguments.format {
        Format::Human => eprintln!(
            "{}: {}, {}",
            cli::count(document.files, "rulebook"),
            cli::count(document.errors, "error"),
            cli::count(document.warnings, "warning")
        ),
        Format::Json => println!("{}", cli::json(&document)),
    }
    ExitCode::from(u8::from(document.errors > 0 || (arguments.strict && document.warnings > 0)))
}

/// A diagnostic as a terminal shows it, over the text that it is about.
pub(in crate::cli) fn human(diagnostic: &Diagnostic, text: &str) -> String {
    let style = cli::style();
    report::render(&diagnostic.over(text), style.colour, style.width)
}

/// The text that a diagnostic is about.
pub(super) fn text<'a>(set: &'a Set, diagnostic: &Diagnostic) -> &'a str {
    set.files.iter().find(|file| file.name == diagnostic.file).map_or("", |file| file.text.as_str())
}

/// A diagnostic for programs, over the text that it is about.
pub(in crate::cli) fn told(diagnostic: &Diagnostic, text: &str) -> Told {
    let place = |label: &crate::language::Label| {
        let (line, column) = cli::line_and_column(text, label.at.start);
        Place { text: label.text.clone(), start: label.at.start, end: label.at.end, line, column }
    };
    Told {
        code: diagnostic.code,
        severity: match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        },
        message: diagnostic.message.clone(),
        help: diagnostic.help.clone(),
        file: diagnostic.file.clone(),
        labels: diagnostic.labels.iter().map(place).collect(),
    }
}
