//! `doctor`: is everything connected, sound and in force? Reads, asks the agents' own programs, and calls each installed hook once
//! with a call that must be refused and one that must pass.

mod agents;
mod layers;
mod selftest;
mod show;

use std::path::PathBuf;
use std::process::ExitCode;

use serde::Serialize;

use super::setup::ground::Machine;
use crate::world::rights;

/// The arguments of `doctor`.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
pub struct Arguments {
    /// Print one JSON document instead of text
    #[arg(long)]
    json: bool,
    /// Repair drifted entries, and files that others may write
    #[arg(long)]
    fix: bool,
    /// Do not call the installed hooks and the agents' own programs
    #[arg(long)]
    offline: bool,
}

const AFTER: &str = "\
For every agent: is it here, does it call this program, by which file, does the
entry say what it should, and does the installed hook refuse what it must. For
every layer: where it is, and what is wrong with it.

JSON:
  version, program, home; agents[]: name, title, found, program,
  agent_version, place, connected, parts[], command, drift[], switched_off[],
  beside[], told, self_test, fails, asks, warns, cannot[]; layers[]: kind,
  path, there, in_force, rights, faults[]; reports[]; cache: path, files,
  bytes; permissions[]: path, what; findings[]: id, severity (error, warning,
  info), what, fix; fixed[]

Exit code: 0 if nothing is wrong (warnings may be), 1 for an error, 2 for a
fault.

Examples:
  cc-safety-net doctor
  cc-safety-net doctor --fix
  cc-safety-net doctor --json | jq '.findings[]'";

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Something does not guard.
    Error,
    /// Something is not as it should be.
    Warning,
    /// Something to know.
    Info,
}

/// One thing that is worth saying.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Finding {
    /// How bad it is.
    pub severity: Severity,
    /// A name for scripts.
    pub id: &'static str,
    /// What is wrong.
    pub what: String,
    /// What to do.
    pub fix: String,
}

/// Everything that was found.
#[derive(Debug, Serialize)]
pub struct Report {
    /// Of this program.
    pub version: &'static str,
    /// This program.
    pub program: String,
    /// The home that agents see.
    pub home: String,
    /// Every agent of the table.
    pub agents: Vec<agents::Told>,
    /// Every layer, and the places where one could be.
    pub layers: Vec<layers::Told>,
    /// What loading said that belongs to no layer.
    pub reports: Vec<String>,
    /// The images that are kept.
    pub cache: Option<layers::Cache>,
    /// Files that others may write.
    pub permissions: Vec<Rights>,
    /// What is worth saying, the worst first.
    pub findings: Vec<Finding>,
    /// What `--fix` repaired.
    pub fixed: Vec<String>,
}

/// A file that others may write.
#[derive(Debug, Serialize)]
pub struct Rights {
    /// Which one.
    pub path: String,
    /// What is wrong with it.
    pub what: String,
}

/// Runs `doctor`.
pub fn run(arguments: Arguments) -> ExitCode {
    let machine = match Machine::of_process() {
        Ok(machine) => machine,
        Err(what) => return super::fail(&what),
    };
    let fixed = if arguments.fix { fix(&machine) } else { Vec::new() };
    let mut report = examine(&machine, !arguments.offline);
    report.fixed = fixed;
    if arguments.json {
        println!("{}", super::json(&report));
    } else {
        print!("{}", show::render(&report, &|text| machine.shown(text)));
    }
    let is_wrong = report.findings.iter().any(|finding| finding.severity == Severity::Error);
    ExitCode::from(u8::from(is_wrong))
}

fn examine(machine: &Machine, asks: bool) -> Report {
    let mut findings = Vec::new();
    let agents = agents::examine(machine, asks, &mut findings);
    let layers::Found { layers, reports, cache } = layers::examine(&mut findings);
    let permissions: Vec<Rights> = roots(machine)
        .iter()
        .flat_map(|root| rights::faults(root))
        .map(|(path, what)| Rights { path: path.display().to_string(), what })
        .collect();
    findings.extend(permissions.iter().map(|Rights { path, what }| Finding {
        id: "files.rights",
        severity: Severity::Warning,
        what: format!("{path}: {what}"),
        fix: "cc-safety-net doctor --fix".into(),
    }));
    findings.sort();
    Report {
        version: env!("CARGO_PKG_VERSION"),
        program: machine.program.clone(),
        home: machine.home.clone(),
        agents,
        layers,
        reports,
        cache,
        permissions,
        findings,
        fixed: Vec::new(),
    }
}

/// The files that decide: the program, our own directories, what we wrote for agents.
fn roots(machine: &Machine) -> Vec<PathBuf> {
    let environment = crate::layers::Environment::of_process();
    let own = [environment.user_directory(), environment.state_directory(), environment.cache_directory(None)];
    let mut roots: Vec<PathBuf> = own.into_iter().flatten().collect();
    roots.extend([machine.program.clone().into(), machine.state.clone()]);
    roots.extend(agents::files(machine));
    roots.sort();
    roots.dedup();
    roots
}

/// Repairs what is safe, in the home that agents see and nowhere else; what was done, a line each.
fn fix(machine: &Machine) -> Vec<String> {
    let mut fixed = super::setup::mend_all(machine);
    for root in roots(machine).into_iter().filter(|root| root.starts_with(&machine.home)) {
        for (path, _) in rights::faults(&root) {
            if rights::mend(&path) {
                fixed.push(format!("{}: only you may write it now", path.display()));
            }
        }
    }
    fixed
}
