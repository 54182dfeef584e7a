//! `rule remove`: a rulebook that came from elsewhere given up, or all of its source.

use std::process::ExitCode;

use super::layer::{self, refuse};
use crate::cli;

/// The arguments of `rule remove`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// A rulebook's name, or a source as `rules.lock` names it
    name: String,
    /// From this project's layer instead of yours
    #[arg(long)]
    project: bool,
    /// Without asking, and without a terminal
    #[arg(long, short)]
    yes: bool,
}

pub(super) const AFTER: &str = "\
Takes away what `rule add` brought, and its pin. A rulebook of your own is your
own to delete, and one that was changed since it was accepted stays. Nothing is
taken away that another rulebook of the layer needs.

Only a person may remove: it wants a terminal or --yes, and refuses when an
agent runs it.

Exit code: 0 if it is gone, 1 if that is refused or fails, 2 for a fault.

Examples:
  cc-safety-net rule remove terraform
  cc-safety-net rule remove acme/rulebooks";

/// Runs the command.
pub(super) fn run(arguments: Arguments) -> ExitCode {
    let place = match layer::for_a_person(arguments.yes, arguments.project) {
        Ok(place) => place,
        Err(code) => return code,
    };
    let plan = match place.standing.give_up(&arguments.name) {
        Ok(plan) => plan,
        Err(why) => return refuse(&format!("{}: {why}", arguments.name)),
    };
    match layer::objections(&place.standing, &plan) {
        Ok(objections) if objections.is_empty() => {}
        Ok(objections) => return layer::refuse_all(&arguments.name, &objections),
        Err(what) => return cli::fail(&what),
    }
    layer::told(&plan).iter().for_each(|line| println!("{line}"));
    let code = layer::carry_out(&place, &plan, "Give this up?", arguments.yes);
    if code == ExitCode::SUCCESS {
        println!("No longer in force.");
    }
    code
}
