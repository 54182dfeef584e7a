//! `rule new`: a rulebook to begin with, that checks and whose examples hold.

use std::process::ExitCode;

use super::layer::{Place, refuse};
use crate::cli;
use crate::layers::pins;
use crate::sources;

/// The arguments of `rule new`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The rulebook's name: letters in lower case, digits and dashes
    name: String,
    /// In this project's layer instead of yours
    #[arg(long)]
    project: bool,
}

pub(super) const AFTER: &str = "\
Writes `rules/NAME.rulebook` with comments into your layer. It checks and its
examples hold; its rule is about a program that nobody has. Nothing that is
there is overwritten.

Exit code: 0 if it is written, 1 if the name is taken or none, 2 for a fault.

Examples:
  cc-safety-net rule new deploys
  cc-safety-net rule new deploys --project";

/// What it begins with; the first `NAME` is its name.
const STARTER: &str = include_str!("starter.txt");

/// Runs the command.
pub(super) fn run(arguments: Arguments) -> ExitCode {
    let name = &arguments.name;
    if !pins::is_name(name) {
        return refuse(&format!("{name}: a rulebook's name is letters in lower case, digits and dashes, a letter first"));
    }
    let place = match Place::open(arguments.project) {
        Ok(place) => place,
        Err(what) => return cli::fail(&what),
    };
    let path = place.standing.directory.join(pins::file_of(name)).display().to_string();
    if place.standing.text(name).is_some() || place.standing.lock.pin(name).is_some() {
        return refuse(&format!("{path}: it is already here"));
    }
    if let Err(why) = sources::create(&place.standing, &pins::file_of(name), &STARTER.replacen("NAME", name, 1)) {
        return cli::fail(&why);
    }
    println!("{path}\nEdit it, then: cc-safety-net rule check; cc-safety-net rule test");
    ExitCode::SUCCESS
}
