//! `rule update`: sources asked again, and what is new in them taken once it is found sound.

use std::process::ExitCode;

use super::layer::{self, Place, refuse};
use crate::cli;
use crate::explain::plain;
use crate::layers::pins::Pinned;
use crate::sources::{self, Origin, Taken};

/// The arguments of `rule update`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// A rulebook's name, or a source as `rules.lock` names it; without one, all of them
    name: Option<String>,
    /// Replace rulebooks that were changed here since they were accepted, too
    #[arg(long)]
    replace: bool,
    /// In this project's layer instead of yours
    #[arg(long)]
    project: bool,
    /// Without asking, and without a terminal
    #[arg(long, short)]
    yes: bool,
}

pub(super) const AFTER: &str = "\
Each source is fetched at the ref that it was added with. What comes is checked
like the first time; for each rule that comes (+), goes (-) or changes (~) there
is a line, and you are asked. A source that fails keeps what it has, and the
others go on.

Only a person may update: it wants a terminal or --yes, and refuses when an
agent runs it.

Exit code: 0 if all is new, 1 if something is refused or fails, 2 for a fault.

Examples:
  cc-safety-net rule update
  cc-safety-net rule update terraform
  cc-safety-net rule update --replace terraform";

/// Runs the command.
pub(super) fn run(arguments: Arguments) -> ExitCode {
    let place = match layer::for_a_person(arguments.yes, arguments.project) {
        Ok(place) => place,
        Err(code) => return code,
    };
    let sources = place.standing.lock.sources.clone();
    let is_meant = |pinned: &Pinned| match &arguments.name {
        Some(name) => pinned.source == *name || pinned.rulebooks.iter().any(|pin| pin.name == *name),
        None => true,
    };
    let meant: Vec<Pinned> = sources.into_iter().filter(is_meant).collect();
    if meant.is_empty() {
        return match &arguments.name {
            Some(name) => refuse(&format!("{name}: no rulebook and no source has this name here")),
            None => {
                println!("No rulebook here is from elsewhere.");
                ExitCode::SUCCESS
            }
        };
    }
    let mut failed = 0;
    for pinned in &meant {
        println!("{}", plain::line(&pinned.source));
        if let Err(why) = one(pinned, &arguments) {
            println!("  kept as it is: {why}");
            failed += 1;
        }
    }
    if failed > 0 {
        return refuse(&format!("{failed} of {} could not be updated", cli::count(meant.len(), "source")));
    }
    ExitCode::SUCCESS
}

/// One source; why it stays as it is, where it does.
fn one(pinned: &Pinned, arguments: &Arguments) -> Result<(), String> {
    // Read again: the source before this one may have changed it.
    let place = Place::open(arguments.project)?;
    let reference = pinned.reference.as_deref();
    let origin = Origin::pinned(&pinned.source, &place.root, reference.is_some()).map_err(|why| plain::line(&why))?;
    let gathered = sources::gather(&origin, reference).map_err(|why| plain::line(&why))?;
    let (source, only) = (pinned.source.as_str(), pinned.only.as_slice());
    let taken = Taken { source, reference, only, gathered: &gathered, replaces: arguments.replace };
    let plan = place.standing.take(&taken).map_err(|why| plain::line(&why))?;
    if plan.changes.is_empty() {
        println!("  nothing new");
        return Ok(());
    }
    let objections = layer::objections(&place.standing, &plan)?;
    if !objections.is_empty() {
        objections.iter().for_each(|each| println!("{each}"));
        return Err(cli::count(objections.len(), "objection"));
    }
    if let (Some(old), Some(new)) = (&pinned.commit, &gathered.commit) {
        println!("  {} -> {}", short(old), short(new));
    }
    layer::told(&plan).iter().for_each(|line| println!("  {line}"));
    if let Some(note) = origin.warning() {
        println!("  note: {note}");
    }
    match layer::carry_out(&place, &plan, "  Take this?", arguments.yes) {
        ExitCode::SUCCESS => Ok(()),
        _ => Err("not taken".into()),
    }
}

fn short(commit: &str) -> &str {
    commit.get(..12).unwrap_or(commit)
}
