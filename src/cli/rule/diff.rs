//! `rule diff`: two policies, what differs between them, a command for each difference, and whether it only tightens.

use std::path::PathBuf;
use std::process::ExitCode;

use serde::Serialize;

use super::files;
use super::witness::{call, facts, input};
use crate::cli::{self, examples, machine};
use crate::explain::plain;
use crate::language::{Diagnostic, Rulebook};
use crate::layers;
use crate::model::{Decision, Verdict};
use crate::policy::Layers;
use crate::proof::{self, Candidate, Change, Direction, Kind, Subject};

/// The arguments of `rule diff`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// A folder or a file of rulebooks, or `embedded`: the built-in ones
    old: PathBuf,
    /// What is to take its place
    new: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) const AFTER: &str = "\
Rulebooks stand over the built-in ones; a folder that has most of the files
of the built-in ones takes their place. What differs is found by comparing
rules by meaning: other words, another order, or a list written in another
way are no change. For each change a command is looked for whose verdict the
engine gives differently under both; where none could be shown that is said
(`no command shown`), and it proves nothing.

Settings (policy.yaml) are not compared.

`tightens` and `loosens` are proved: by inclusion of the patterns, or, for
`loosens`, by the command. `unknown` is everything else.

Exit code: 0 if nothing changes or everything only tightens, 1 if something
loosens or is not proved, 2 if files cannot be read or have errors.

Examples:
  cc-safety-net rule diff embedded .cc-safety-net/rules
  cc-safety-net rule diff main/rules topic/rules
  cc-safety-net rule diff --json old.rulebook new.rulebook

JSON: `version` (1), `only_tightens`, and `changes`: about (rule, command,
language, tool, override), name, change (added, removed, changed, reworded),
direction (same, tightens, loosens, unknown), and witness, null where none
was shown: input, facts, attended, old and new (decision, by), verdict_changes
(false where other rules decide the same all the same).";

/// How many calls are judged for one change, where nobody says.
pub const MOST: usize = 5000;

/// How many more are judged for a call that is let through, once one was found that is stopped.
const MORE: usize = 300;

/// A policy: what it says, and the layers that judge by it.
pub struct Side {
    /// Its own rulebooks; those of the catalogue where they are another version of it.
    pub rulebooks: Vec<Rulebook>,
    /// Whether they take the catalogue's place.
    pub catalogue: bool,
    /// All layers.
    pub layers: Layers,
}

/// A difference with a call that shows it.
pub struct Shown {
    /// What differs.
    pub change: Change,
    /// The call and both verdicts.
    pub witness: Option<Witness>,
}

/// A call on which two policies differ.
pub struct Witness {
    /// The call.
    pub candidate: Candidate,
    /// What the old one says.
    pub old: Verdict,
    /// What the new one says.
    pub new: Verdict,
}

impl Side {
    /// Rulebooks as a policy.
    pub fn of(rulebooks: Vec<Rulebook>, catalogue: bool) -> Result<Side, String> {
        let layers =
            if catalogue { machine::stack_whole(Some(&rulebooks), &[]) } else { machine::stack_whole(None, &rulebooks) }?;
        Ok(Side { rulebooks, catalogue, layers })
    }

    /// What a person named.
    fn open(path: &PathBuf) -> Result<Side, String> {
        if path.as_os_str() == "embedded" {
            return Ok(Side { rulebooks: layers::catalogue_rulebooks(), catalogue: true, layers: layers::embedded() });
        }
        let mut sets = files::gather(std::slice::from_ref(path))?;
        let Some(mut set) = sets.pop() else { return Err(format!("`{}` has no rulebooks", path.display())) };
        set.catalogue = set.like_catalogue;
        let checked = set.check();
        if let Some(fault) = checked.diagnostics.iter().find(|each| Diagnostic::is_error(each)) {
            return Err(format!("{}: {}; `rule check` says all", fault.file, fault.message));
        }
        Side::of(checked.rulebooks, set.catalogue)
    }
}

/// Everything that differs between two policies, with at most so many calls judged for each difference.
pub fn diff(old: &mut Side, new: &mut Side, most: usize) -> Vec<Shown> {
    let embedded = layers::catalogue_rulebooks();
    let whole = |side: &Side, other: &Side| {
        let below = if side.catalogue || !other.catalogue { &[][..] } else { &embedded[..] };
        below.iter().chain(&side.rulebooks).cloned().collect::<Vec<_>>()
    };
    let (before, after) = (whole(old, new), whole(new, old));
    let changes = proof::changes(&before, &after);
    changes
        .into_iter()
        .map(|mut change| {
            let witness = match change.direction {
                Direction::Same => None,
                _ => search(&change, (&before, &after, &embedded), (old, new), most),
            };
            // What the engine shows is so, whatever was proved.
            if witness.as_ref().is_some_and(|witness| witness.new.decision < witness.old.decision) {
                change.direction = Direction::Loosens;
            }
            Shown { change, witness }
        })
        .collect()
}

/// A call whose decision changes, one that is let through before one that is stopped; else one whose findings change.
fn search(
    change: &Change,
    (before, after, donors): (&[Rulebook], &[Rulebook], &[Rulebook]),
    (old, new): (&mut Side, &mut Side),
    most: usize,
) -> Option<Witness> {
    let mut judge =
        |candidate: &Candidate| (examples::verdict(candidate, &mut old.layers), examples::verdict(candidate, &mut new.layers));
    let (mut decisive, mut found_otherwise) = (None, None);
    let mut left = most;
    let phases = proof::for_change(change, before, after, donors);
    proof::first(phases, most, |candidate| {
        left = left.saturating_sub(1);
        if left == 0 {
            return Some(());
        }
        let (old, new) = judge(candidate);
        if new.decision < old.decision {
            decisive = Some(candidate.clone());
            return Some(());
        }
        if new.decision > old.decision && decisive.is_none() {
            decisive = Some(candidate.clone());
            left = if change.direction == Direction::Unknown { left.min(MORE) } else { 1 };
        }
        let said =
            |verdict: &Verdict| verdict.findings.iter().map(|each| (each.rule.clone(), each.decision)).collect::<Vec<_>>();
        if found_otherwise.is_none() && said(&old) != said(&new) {
            found_otherwise = Some(candidate.clone());
        }
        None
    });
    let candidate = match decisive {
        Some(candidate) => {
            let order = |candidate: &Candidate, judge: &mut dyn FnMut(&Candidate) -> (Verdict, Verdict)| {
                let (old, new) = judge(candidate);
                old.decision.cmp(&new.decision)
            };
            let which = order(&candidate, &mut judge);
            proof::shrink(candidate, |smaller| order(smaller, &mut judge) == which)
        }
        None => found_otherwise?,
    };
    let (old, new) = judge(&candidate);
    Some(Witness { candidate, old, new })
}

#[derive(Serialize)]
struct Document {
    version: u32,
    only_tightens: bool,
    changes: Vec<Told>,
}

#[derive(Serialize)]
struct Told {
    about: &'static str,
    name: String,
    change: &'static str,
    direction: &'static str,
    witness: Option<ToldWitness>,
}

#[derive(Serialize)]
struct ToldWitness {
    input: serde_json::Value,
    facts: String,
    attended: bool,
    old: Said,
    new: Said,
    verdict_changes: bool,
}

#[derive(Serialize)]
struct Said {
    decision: &'static str,
    by: Option<String>,
}

/// Runs the command.
pub(super) fn run(arguments: Arguments) -> ExitCode {
    let (mut old, mut new) = match (Side::open(&arguments.old), Side::open(&arguments.new)) {
        (Ok(old), Ok(new)) => (old, new),
        (Err(what), _) | (_, Err(what)) => return cli::fail(&what),
    };
    let shown = diff(&mut old, &mut new, MOST);
    let only_tightens = shown.iter().all(|each| matches!(each.change.direction, Direction::Same | Direction::Tightens));
    if arguments.json {
        println!("{}", cli::json(&Document { version: 1, only_tightens, changes: shown.iter().map(told).collect() }));
    } else {
        shown.iter().for_each(|each| print!("{}", human(each)));
        let many = |direction| shown.iter().filter(|each| each.change.direction == direction).count();
        eprintln!(
            "{}: {} same, {} tighten, {} loosen, {} unknown",
            cli::count(shown.len(), "change"),
            many(Direction::Same),
            many(Direction::Tightens),
            many(Direction::Loosens),
            many(Direction::Unknown)
        );
    }
    ExitCode::from(u8::from(!only_tightens))
}

fn named(subject: &Subject) -> (&'static str, String) {
    match subject {
        Subject::Rule(id) => ("rule", id.clone()),
        Subject::Command(names) => ("command", names.join(" ")),
        Subject::Language(name) => ("language", name.clone()),
        Subject::Tool(name) => ("tool", name.clone()),
        Subject::Override(id) => ("override", id.clone()),
    }
}

fn kind(of: Kind) -> &'static str {
    match of {
        Kind::Added => "added",
        Kind::Removed => "removed",
        Kind::Changed => "changed",
        Kind::Reworded => "reworded",
    }
}

fn direction(of: Direction) -> &'static str {
    match of {
        Direction::Same => "same",
        Direction::Tightens => "tightens",
        Direction::Loosens => "loosens",
        Direction::Unknown => "unknown",
    }
}

fn said(verdict: &Verdict) -> Said {
    Said { decision: verdict.decision.word(), by: verdict.findings.first().map(|finding| finding.rule.clone()) }
}

fn told(shown: &Shown) -> Told {
    let (about, name) = named(&shown.change.subject);
    let witness = shown.witness.as_ref().map(|witness| ToldWitness {
        input: input(&witness.candidate.input),
        facts: witness.candidate.facts().trim().into(),
        attended: witness.candidate.attended,
        old: said(&witness.old),
        new: said(&witness.new),
        verdict_changes: witness.old.decision != witness.new.decision,
    });
    Told { about, name, change: kind(shown.change.kind), direction: direction(shown.change.direction), witness }
}

fn human(shown: &Shown) -> String {
    let (about, name) = named(&shown.change.subject);
    let mut out =
        format!("{about} {}: {}, {}\n", plain::line(&name), kind(shown.change.kind), direction(shown.change.direction));
    match &shown.witness {
        Some(witness) => {
            let (old, new) = (said(&witness.old), said(&witness.new));
            out.push_str(&format!("  `{}`{}\n", call(&witness.candidate), facts(&witness.candidate)));
            let by = |said: &Said| match &said.by {
                Some(rule) if said.decision != Decision::Allow.word() => format!("{} ({rule})", said.decision),
                _ => said.decision.to_string(),
            };
            let all_the_same = if old.decision == new.decision { ", what is found differs" } else { "" };
            out.push_str(&format!("  {} -> {}{all_the_same}\n", by(&old), by(&new)));
        }
        None if shown.change.direction == Direction::Same => {}
        None => out.push_str("  no command shown: unknown which verdicts change\n"),
    }
    out
}
