//! The layer that `rule add`, `remove`, `update` and `new` change: which one, what a plan would make of it, and how it is told.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use super::files::Set;
use crate::cli::examples::{self, Outcome};
use crate::cli::machine::{self, Machine};
use crate::cli::{self, person};
use crate::explain::plain;
use crate::language::{Diagnostic, File, Rulebook};
use crate::layers::{Effort, Environment};
use crate::model::rule::RuleKind;
use crate::sources::{Change, Plan, Standing};

/// A layer, and where it belongs.
pub(super) struct Place {
    /// The layer as it stands.
    pub standing: Standing,
    /// The directory that paths in its lock are from.
    pub root: PathBuf,
}

impl Place {
    /// Opens the user's layer, or this project's.
    pub fn open(is_project: bool) -> Result<Place, String> {
        let (directory, root) = directory(is_project)?;
        Ok(Place { standing: Standing::open(&directory, is_project)?, root })
    }

    /// The root of the project; none of the user's layer.
    pub fn project(&self) -> Option<&Path> {
        self.standing.is_project.then_some(self.root.as_path())
    }
}

/// The layer that a person changes; a refusal, told, where nobody may.
pub(super) fn for_a_person(is_sure: bool, is_project: bool) -> Result<Place, ExitCode> {
    match person::refusal_of_loosening(is_sure) {
        Some(why) => Err(refuse(&why)),
        None => Place::open(is_project).map_err(|what| cli::fail(&what)),
    }
}

/// The directory of the user's layer, or of this project's, and what it belongs to.
pub(in crate::cli) fn directory(is_project: bool) -> Result<(PathBuf, PathBuf), String> {
    if is_project {
        let machine = Machine::open(&machine::no_call(cli::current_directory()?), Effort::Hook);
        let root = machine.layers.project.ok_or("no project is here: nothing above has a `.git`")?;
        return Ok((Path::new(&root).join(crate::layers::place::NAME), root.into()));
    }
    let user = Environment::of_process().user_directory().ok_or("the user has no home")?;
    Ok((user.clone(), user))
}

/// Why a layer does not take a plan: what is wrong with its rulebooks, as a person is shown it.
pub(super) fn objections(standing: &Standing, plan: &Plan) -> Result<Vec<String>, String> {
    let set = Set { files: standing.after(plan), catalogue: false, like_catalogue: false };
    let before = Set { files: standing.files.clone(), catalogue: false, like_catalogue: false }.check().diagnostics;
    let is_changed = |file: &str| plan.changes.iter().any(|change| change.name == file);
    let is_new = |found: &&Diagnostic| found.is_error() && (is_changed(&found.file) || !before.contains(found));
    let checked = set.check();
    let mut objections: Vec<String> = checked
        .diagnostics
        .iter()
        .filter(is_new)
        .map(|found| super::check::human(found, super::check::text(&set, found)))
        .collect();
    if objections.is_empty() {
        let mut layers = set.stack(&checked.rulebooks)?;
        let changed: Vec<Rulebook> = checked.rulebooks.iter().filter(|book| is_changed(&book.file)).cloned().collect();
        let tried = examples::run(&changed, &mut layers);
        let failed = tried.iter().filter(|each| each.outcome == Outcome::Fails);
        objections.extend(failed.map(|each| {
            let (example, why) = (each.example, each.why());
            plain::line(&format!("{}: its example `{}` fails: {why}", example.rule, examples::shown(example)))
        }));
    }
    Ok(objections)
}

/// Asks, carries out, and says what is in force then. `what` is the question.
pub(super) fn carry_out(place: &Place, plan: &Plan, what: &str, is_sure: bool) -> ExitCode {
    if !person::agrees(what, is_sure) {
        println!("Nothing was changed.");
        return ExitCode::from(1);
    }
    if let Err(why) = place.standing.carry_out(plan) {
        return refuse(&format!("nothing was changed: {why}"));
    }
    // Compiled here, so that the next hook finds it done.
    for report in reports(&place.standing.directory) {
        println!("  note: {}", plain::line(&report));
    }
    ExitCode::SUCCESS
}

/// What loading says of a layer of this directory.
pub(in crate::cli) fn reports(directory: &Path) -> Vec<String> {
    let Ok(here) = cli::current_directory() else { return Vec::new() };
    let layers = Machine::open(&machine::no_call(here), Effort::Command).layers;
    let name = format!("{}: ", directory.display());
    layers.reports.iter().filter_map(|report| Some(report.strip_prefix(&name)?.to_string())).collect()
}

/// What a plan does, for a person: a line for each rulebook, and one for each of its rules that comes, goes or changes.
pub(super) fn told(plan: &Plan) -> Vec<String> {
    let mut lines = Vec::new();
    for change in plan.changes.iter().filter(|change| change.name.ends_with(".rulebook")) {
        let [before, after] = [&change.before, &change.after].map(|text| text.as_ref().map(|text| book(change, text)));
        match (&before, &after) {
            (None, Some(new)) => lines.push(format!("+ {} {}: {}", new.name, new.version, holds(new))),
            (Some(old), None) => lines.push(format!("- {} {}: {}", old.name, old.version, holds(old))),
            (Some(old), Some(new)) => {
                lines.push(format!("~ {} {} -> {}: {}", new.name, old.version, new.version, holds(new)));
                lines.extend(rules(change, old, new));
            }
            (None, None) => {}
        }
    }
    lines.iter().map(|line| plain::line(line)).collect()
}

fn book(change: &Change, text: &str) -> Rulebook {
    let file = File { name: change.name.clone(), text: text.to_string() };
    crate::language::read(&file, &crate::layers::known()).0
}

/// What is in a rulebook; what may loosen by name.
fn holds(book: &Rulebook) -> String {
    let of = |kind| book.rules.iter().filter(|rule| rule.kind == kind).count();
    let mut parts = vec![cli::count(of(RuleKind::Rule), "rule")];
    let loosening = [
        (of(RuleKind::Allow), "allow"),
        (book.overrides.len(), "override"),
        (book.commands.len() + book.languages.len() + book.tools.len(), "declaration"),
    ];
    parts.extend(loosening.into_iter().filter(|(count, _)| *count > 0).map(|(count, what)| cli::count(count, what)));
    parts.join(", ")
}

/// The rules of a rulebook that come, go or change.
fn rules(change: &Change, old: &Rulebook, new: &Rulebook) -> Vec<String> {
    let text = |of: &Option<String>, book: &Rulebook, id: &str| {
        let rule = book.rules.iter().find(|rule| rule.id == id)?;
        Some(of.as_ref()?.get(rule.at.start as usize..rule.at.end as usize)?.to_string())
    };
    let mut ids: Vec<&String> = old.rules.iter().chain(&new.rules).map(|rule| &rule.id).collect();
    ids.sort();
    ids.dedup();
    let sign = |id: &&String| match (text(&change.before, old, id), text(&change.after, new, id)) {
        (None, Some(_)) => Some('+'),
        (Some(_), None) => Some('-'),
        (one, other) if one != other => Some('~'),
        _ => None,
    };
    ids.iter().filter_map(|id| Some(format!("    {} {id}", sign(id)?))).collect()
}

/// What was asked for is not done.
pub(in crate::cli) fn refuse(why: &str) -> ExitCode {
    eprintln!("cc-safety-net: {}", plain::line(why));
    ExitCode::from(1)
}

/// Says what is wrong with rulebooks that are not taken.
pub(super) fn refuse_all(source: &str, objections: &[String]) -> ExitCode {
    objections.iter().for_each(|each| println!("{each}"));
    refuse(&format!("nothing was changed: {source}: {}", cli::count(objections.len(), "objection")))
}
