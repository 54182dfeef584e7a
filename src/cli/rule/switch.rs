//! `rule disable` and `rule enable`: an `off` written into the user's settings, and taken out again. Every other byte stays.

use std::process::ExitCode;

use super::entries::{Entry, answering, entries, unknown};
use super::layer::{refuse, reports};
use crate::cli::machine::{self, Machine};
use crate::cli::policy::SettingsFile;
use crate::cli::{self, person};
use crate::explain::{Books, plain};
use crate::layers::{amend, read_settings};
use crate::model::{LayerKind, World};

/// The arguments of `rule disable`.
#[derive(Debug, clap::Args)]
pub(super) struct Disable {
    /// The rule's id, or a former or foreign one that it answers to
    id: String,
    /// Without asking, and without a terminal
    #[arg(long, short)]
    yes: bool,
}

/// The arguments of `rule enable`.
#[derive(Debug, clap::Args)]
pub(super) struct Enable {
    /// The id as `rule disable` took it
    id: String,
    /// Without asking, and without a terminal
    #[arg(long, short)]
    yes: bool,
}

pub(super) const DISABLE: &str = "\
Writes an override into ~/.cc-safety-net/policy.yaml; comments and everything
else in it stay as they are, and the change is shown first. A rule of the floor
is never off. To weaken a rule, or to except one case, see `rule show ID`.

Only a person may do this: it wants a terminal or --yes, and refuses when an
agent runs it.

Exit code: 0 if it is off, 1 if that is refused or fails, 2 for a fault.

Examples:
  cc-safety-net rule disable git.stash-drop";

pub(super) const ENABLE: &str = "\
Takes the override out of ~/.cc-safety-net/policy.yaml that `rule disable`
wrote there; everything else in it stays as it is.

Only a person may do this: it wants a terminal or --yes, and refuses when an
agent runs it.

Exit code: 0 if it is on, 1 if that is refused or fails, 2 for a fault.

Examples:
  cc-safety-net rule enable git.stash-drop";

/// Runs `rule disable`.
pub(super) fn disable(arguments: Disable) -> ExitCode {
    if let Some(why) = person::refusal_of_loosening(arguments.yes) {
        return refuse(&why);
    }
    let (machine, books) = match machine::in_force() {
        Ok(found) => found,
        Err(what) => return cli::fail(&what),
    };
    if let Err(why) = may_be_off(&machine, &books, &arguments.id) {
        return refuse(&why);
    }
    let file = match SettingsFile::open(false) {
        Ok(file) => file,
        Err(why) => return refuse(&why),
    };
    if let Some(foreign) = file.shadows() {
        let foreign = foreign.display();
        return refuse(&format!("{foreign} would no longer be in force beside a policy.yaml; turn it into one first"));
    }
    let homes = machine.world().homes();
    change(&file, &arguments.id, true, &homes, "Switch it off?", arguments.yes)
}

/// Runs `rule enable`.
pub(super) fn enable(arguments: Enable) -> ExitCode {
    if let Some(why) = person::refusal_of_loosening(arguments.yes) {
        return refuse(&why);
    }
    let file = match SettingsFile::open(false) {
        Ok(file) => file,
        Err(why) => return refuse(&why),
    };
    let homes = crate::world::Native::new().homes();
    let (settings, _) = read_settings("policy.yaml", file.before.as_deref().unwrap_or_default(), &homes);
    match settings.overrides.iter().find(|said| said.rule == arguments.id).map(|said| said.decision) {
        Some(None) => change(&file, &arguments.id, false, &homes, "Switch it on?", arguments.yes),
        Some(Some(decision)) => {
            let word = decision.word();
            refuse(&format!("{}: your settings say `{word}`, not off; edit {}", arguments.id, file.path.display()))
        }
        None => {
            let (machine, books) = match machine::in_force() {
                Ok(found) => found,
                Err(what) => return cli::fail(&what),
            };
            let all = entries(&machine.layers, &books);
            let found = answering(&all, &arguments.id);
            if found.is_empty() {
                return refuse(&unknown(&all, &arguments.id));
            }
            if found.iter().any(|entry| entry.stated.is_some() && entry.in_force.is_none()) {
                let where_ = file.path.display();
                return refuse(&format!("{}: it is off, and not by {where_}: see your rulebooks' overrides", arguments.id));
            }
            println!("Nothing to do: it is on.");
            ExitCode::SUCCESS
        }
    }
}

/// The change, shown, agreed to, written, and looked at.
fn change(file: &SettingsFile, id: &str, off: bool, homes: &[String], question: &str, is_sure: bool) -> ExitCode {
    let before = file.before.as_deref().unwrap_or_default();
    let after = match amend::with_override(before, id, off.then_some(None), homes) {
        Ok(after) => after,
        Err(why) => {
            let lines = if off { format!("write there: `overrides:`, below it `  {id}: off`") } else { "edit it".into() };
            return refuse(&format!("{}: {why}; {lines}", file.path.display()));
        }
    };
    if after == before {
        println!("Nothing to do: it is off already.");
        return ExitCode::SUCCESS;
    }
    print!("{}", file.difference(&after));
    if !person::agrees(question, is_sure) {
        println!("Nothing was changed.");
        return ExitCode::from(1);
    }
    if let Err(why) = file.write(&after) {
        return refuse(&format!("nothing was changed: {why}"));
    }
    reports(&file.directory).iter().for_each(|report| println!("note: {}", plain::line(report)));
    println!("{}", if off { "Off from now on." } else { "On from now on." });
    ExitCode::SUCCESS
}

/// Whether the user's settings can switch a rule off; why not, where they cannot.
fn may_be_off(machine: &Machine, books: &Books, id: &str) -> Result<(), String> {
    let all = entries(&machine.layers, books);
    let found = answering(&all, id);
    if found.is_empty() {
        return Err(unknown(&all, id));
    }
    if machine.layers.settings.lock.iter().any(|lock| lock == "overrides") {
        return Err(format!("{id}: the administrator of this machine has locked overrides"));
    }
    let why_not = |entry: &&Entry| match entry.layer {
        _ if entry.floor => Some("it is of the floor: nobody switches it off"),
        LayerKind::Managed => Some("it is the administrator's"),
        LayerKind::Project | LayerKind::TrustedProject => Some("it is this project's: edit the project's rulebook"),
        _ if entry.stated.is_none() => Some("it is an allow: take it out of its rulebook"),
        _ => None,
    };
    let reasons: Vec<&str> = found.iter().filter_map(why_not).collect();
    match reasons.first() {
        Some(why) if reasons.len() == found.len() => Err(format!("{id}: {why}")),
        _ => Ok(()),
    }
}
