//! `rule fmt`: rulebooks in the one way that they are written.

use std::path::PathBuf;
use std::process::ExitCode;

use serde::Serialize;

use super::Format;
use super::check::human;
use super::files;
use crate::cli;
use crate::language;

/// The arguments of `rule fmt`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Rulebooks, or folders of them; without any, this project's and the user's
    paths: Vec<PathBuf>,
    /// Change nothing; say which files would change
    #[arg(long)]
    check: bool,
    /// How to print
    #[arg(long, value_enum, default_value = "human")]
    format: Format,
}

pub(super) const AFTER: &str = "\
A file with a fault in it is left as it is. Formatting never changes what a rulebook means.

Exit code: 0 if all is well, 1 if a file has a fault or, with --check, would change, 2 if files cannot be read or
written.

Examples:
  cc-safety-net rule fmt
  cc-safety-net rule fmt --check rules/

JSON: `version` (1), `files`, `changed` (names), `faulty` (names).";

#[derive(Serialize)]
struct Document {
    version: u32,
    files: usize,
    changed: Vec<String>,
    faulty: Vec<String>,
}

/// Runs the command.
pub(super) fn run(arguments: Arguments) -> ExitCode {
    let sets = match files::gather(&arguments.paths) {
        Ok(sets) => sets,
        Err(what) => return cli::fail(&what),
    };
    let mut document = Document { version: 1, files: 0, changed: Vec::new(), faulty: Vec::new() };
    for file in sets.iter().flat_map(|set| &set.files) {
        document.files += 1;
        match language::format(&file.text) {
            Ok(formatted) if formatted == file.text => {}
            Ok(formatted) => {
                if !arguments.check
                    && let Err(error) = std::fs::write(&file.name, formatted)
                {
                    return cli::fail(&format!("`{}`: {error}", file.name));
                }
                if arguments.format == Format::Human {
                    println!("{} {}", if arguments.check { "would change" } else { "formatted" }, file.name);
                }
                document.changed.push(file.name.clone());
            }
            Err(diagnostics) => {
                for diagnostic in diagnostics.into_iter().filter(|_| arguments.format == Format::Human) {
                    println!("{}", human(&language::Diagnostic { file: file.name.clone(), ..diagnostic }, &file.text));
                }
                document.faulty.push(file.name.clone());
            }
        }
    }
    match arguments.format {
        Format::Human => eprintln!(
            "{}: {} {}, {} with faults",
            cli::count(document.files, "rulebook"),
            document.changed.len(),
            if arguments.check { "would change" } else { "changed" },
            document.faulty.len()
        ),
        Format::Json => println!("{}", cli::json(&document)),
    }
    let fails = !document.faulty.is_empty() || (arguments.check && !document.changed.is_empty());
    ExitCode::from(u8::from(fails))
}
