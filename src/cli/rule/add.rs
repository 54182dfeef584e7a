//! `rule add`: rulebooks of a folder or a repository taken into a layer, once they are found sound.

use std::process::ExitCode;

use super::layer::{self, refuse};
use crate::cli;
use crate::explain::plain;
use crate::sources::{self, Origin, Taken};

/// The arguments of `rule add`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// A folder, `owner/repo`, or an address that git understands
    source: String,
    /// Of a repository: a branch, a tag or a whole commit id
    #[arg(long = "ref", value_name = "REF")]
    reference: Option<String>,
    /// Only the rulebook of this name; may be given more than once
    #[arg(long, value_name = "NAME")]
    only: Vec<String>,
    /// Into this project's layer instead of yours
    #[arg(long)]
    project: bool,
    /// Without asking, and without a terminal
    #[arg(long, short)]
    yes: bool,
}

pub(super) const AFTER: &str = "\
A source keeps its rulebooks in `.cc-safety-net/rules`, in `rules`, or at its
top; the first of these that has any counts. A repository is fetched with your
own git; nothing of it is checked out or run. The rulebooks are checked, their
examples run, what they hold is shown, and you are asked. They are copied to
the layer's `rules` folder and pinned in its `rules.lock`, by commit and
digest: from then on nothing is fetched, and a copy that is no longer what you
accepted is not loaded. `rule update` fetches again.

Only a person may add: it wants a terminal or --yes, and refuses when an agent
runs it. At most 64 sources, of 64 rulebooks and 4 MiB each; a project's layer
has at most 64 files and 1 MiB.

Exit code: 0 if all is as asked, 1 if something is refused or fails, 2 for a
fault or a wrong command line.

Examples:
  cc-safety-net rule add ../team-rules
  cc-safety-net rule add acme/rulebooks --ref v1.2.0 --only terraform
  cc-safety-net rule add git@git.example.com:team/rules.git --project";

/// Runs the command.
pub(super) fn run(arguments: Arguments) -> ExitCode {
    let place = match layer::for_a_person(arguments.yes, arguments.project) {
        Ok(place) => place,
        Err(code) => return code,
    };
    let here = match cli::current_directory() {
        Ok(here) => here,
        Err(what) => return cli::fail(&what),
    };
    let about = |why: String| refuse(&format!("{}: {why}", arguments.source));
    let reference = arguments.reference.as_deref();
    let origin = match Origin::read(&arguments.source, here.as_ref(), reference.is_some()) {
        Ok(origin) => origin,
        Err(why) => return about(why),
    };
    if reference.is_some() && matches!(origin, Origin::Folder(_)) {
        return about("--ref is for repositories".into());
    }
    let gathered = match sources::gather(&origin, reference) {
        Ok(gathered) => gathered,
        Err(why) => return about(why),
    };
    let source = origin.named(&arguments.source, place.project());
    let old = place.standing.lock.sources.iter().find(|pinned| pinned.source == source);
    // What is here of this source stays, and what is asked for comes.
    let only = match old {
        Some(old) if old.only.is_empty() || arguments.only.is_empty() => Vec::new(),
        Some(old) => [old.only.clone(), arguments.only].concat(),
        None => arguments.only,
    };
    let mut only = only;
    only.sort();
    only.dedup();
    let taken = Taken { source: &source, reference, only: &only, gathered: &gathered, replaces: false };
    let plan = match place.standing.take(&taken) {
        Ok(plan) => plan,
        Err(why) => return refuse(&format!("{source}: {why}")),
    };
    if plan.changes.is_empty() {
        println!("Nothing to do: it is here already, and as it was accepted.");
        return ExitCode::SUCCESS;
    }
    match layer::objections(&place.standing, &plan) {
        Ok(objections) if objections.is_empty() => {}
        Ok(objections) => return layer::refuse_all(&source, &objections),
        Err(what) => return cli::fail(&what),
    }
    println!("{}", plain::line(&source));
    if let Some(commit) = &gathered.commit {
        println!("  commit {commit}");
    }
    layer::told(&plan).iter().for_each(|line| println!("  {line}"));
    let notes = gathered.passed_over.iter().map(String::as_str).chain(origin.warning());
    notes.for_each(|note| println!("  note: {}", plain::line(note)));
    let code = layer::carry_out(&place, &plan, "Take these rulebooks?", arguments.yes);
    if code == ExitCode::SUCCESS {
        println!("In force from now on: {}", plain::line(&place.standing.directory.join("rules").display().to_string()));
    }
    code
}
