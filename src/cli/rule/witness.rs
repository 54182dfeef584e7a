//! `rule witness`: a shortest command that a rule refuses, judged by the real engine.

use std::process::ExitCode;

use serde::Serialize;

use super::entries::{Entry, answering, entries, unknown};
use super::layer::refuse;
use crate::cli::{self, examples, machine};
use crate::explain::plain;
use crate::language::{ExampleInput, Rulebook};
use crate::model::rule::RuleKind;
use crate::model::{Certainty, Finding};
use crate::policy::Layers;
use crate::proof::{self, Candidate};

/// The arguments of `rule witness`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The rule's id
    id: String,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) const AFTER: &str = "\
Commands are made of the rule's patterns and examples, tried from the
shortest on in the world of examples (`rule test --help`), and made shorter
as long as the engine still finds the rule in them. The layers are those in
force here: a rule that an override switches off refuses nothing. Where no
command could be shown the answer is `unknown`: it may still refuse some.

Exit code: 0 if there is one, 1 if none could be shown or no rule has this
id, 2 for a fault.

Examples:
  cc-safety-net rule witness git.reset-hard
  cc-safety-net rule witness --json rm.git-metadata

JSON: `version` (1), `rule`, `known`, `judged` (how many calls were), and
`witness`, null where it is not known: input (the command; of a tool, its
name and fields), facts (of its world, as an example states them), decision,
certainty, reason.";

/// How many calls are judged before the answer is `unknown`.
const MOST: usize = 6000;

#[derive(Serialize)]
struct Document {
    version: u32,
    rule: String,
    known: bool,
    judged: usize,
    witness: Option<Shown>,
}

#[derive(Serialize)]
struct Shown {
    input: serde_json::Value,
    facts: String,
    decision: &'static str,
    certainty: Certainty,
    reason: String,
}

/// Runs the command.
pub(super) fn run(arguments: Arguments) -> ExitCode {
    let (machine, books) = match machine::in_force() {
        Ok(found) => found,
        Err(what) => return cli::fail(&what),
    };
    let all = entries(&machine.layers, &books);
    let [entry, ..] = answering(&all, &arguments.id)[..] else { return refuse(&unknown(&all, &arguments.id)) };
    let rulebooks: Vec<Rulebook> = books.all.iter().map(|book| book.rulebook.clone()).collect();
    let mut layers = machine.layers;
    layers.project = None;
    let (found, judged) = search(entry, &rulebooks, &mut layers);
    let document = Document {
        version: 1,
        rule: entry.id.into(),
        known: found.is_some(),
        judged,
        witness: found.as_ref().map(|(candidate, finding)| Shown {
            input: input(&candidate.input),
            facts: candidate.facts().trim().into(),
            decision: finding.decision.word(),
            certainty: finding.certainty,
            reason: finding.reason.clone(),
        }),
    };
    if arguments.json {
        println!("{}", cli::json(&document));
    } else {
        match &found {
            Some((candidate, finding)) => {
                println!("{}  {}  `{}`{}", entry.id, finding.decision.word(), call(candidate), facts(candidate));
                println!("  {}", plain::line(&finding.reason));
            }
            None => println!("{}  unknown: {}", entry.id, why(entry, judged)),
        }
    }
    ExitCode::from(u8::from(found.is_none()))
}

fn why(entry: &Entry, judged: usize) -> String {
    match (entry.source.map(|(_, rule)| rule.kind), entry.in_force) {
        (None, _) => "the engine itself decides this, by no pattern".into(),
        (Some(RuleKind::Allow), _) => "an exception refuses nothing".into(),
        (_, None) => "it is switched off here".into(),
        _ => format!("none of {} that were tried meets it", cli::count(judged, "call")),
    }
}

fn search(entry: &Entry, rulebooks: &[Rulebook], layers: &mut Layers) -> (Option<(Candidate, Finding)>, usize) {
    let Some((_, rule)) = entry.source.filter(|(_, rule)| rule.kind == RuleKind::Rule && entry.in_force.is_some()) else {
        return (None, 0);
    };
    let mut of = |candidate: &Candidate, certainty: Certainty| {
        let verdict = examples::verdict(candidate, layers);
        verdict.findings.into_iter().find(|finding| finding.rule == rule.id && finding.certainty >= certainty)
    };
    let mut judged = 0;
    for certainty in [Certainty::Certain, Certainty::Possible] {
        let phases = proof::for_rule(rule, rulebooks, rulebooks);
        let (found, tried) = proof::first(phases, MOST, |candidate| of(candidate, certainty));
        judged += tried;
        if let Some((candidate, _)) = found {
            let candidate = proof::shrink(candidate, |smaller| of(smaller, certainty).is_some());
            return (of(&candidate, certainty).map(|finding| (candidate, finding)), judged);
        }
    }
    (None, judged)
}

/// A call for programs: a command as a string, a tool as an object.
pub(super) fn input(of: &ExampleInput) -> serde_json::Value {
    match of {
        ExampleInput::Command(text) => text.as_str().into(),
        ExampleInput::Tool { name, fields } => serde_json::json!({ "tool": name, "fields": fields }),
    }
}

/// A call for people, in one line.
pub(super) fn call(candidate: &Candidate) -> String {
    plain::line(&examples::shown_input(&candidate.input)).to_string()
}

/// The facts of a call's world for people, and whether nobody is there.
pub(super) fn facts(candidate: &Candidate) -> String {
    let nobody = if candidate.attended { "" } else { "  (nobody there to answer)" };
    format!("{}{nobody}", plain::line(&candidate.facts()))
}
