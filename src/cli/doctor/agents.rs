//! Every agent: found, connected, how, and whether its hook answers.

use std::path::PathBuf;
use std::time::Duration;

use serde::Serialize;

use super::selftest::{self, Tested};
use super::{Finding, Severity};
use crate::agents::setup::{Part, is_at_least};
use crate::agents::{AGENTS, Agent, Failing};
use crate::cli::setup::ground::Machine;
use crate::setup::inspect::{Standing, State, inspect};
use crate::world::program;

/// How long an agent may take to list its plugins.
const ASKED: Duration = Duration::from_secs(30);

/// What is known of an agent.
#[derive(Debug, Serialize)]
pub struct Told {
    /// Its name in rules.
    pub name: &'static str,
    /// The name that people know.
    pub title: &'static str,
    /// Whether anything of it is here.
    pub found: bool,
    /// Its own program.
    pub program: Option<String>,
    /// What that says of its version.
    pub agent_version: Option<String>,
    /// Its configuration directory.
    pub place: String,
    /// Whether it calls this program, as far as its files say.
    pub connected: bool,
    /// By which files.
    pub parts: Vec<PartTold>,
    /// The command line that is installed.
    pub command: Option<String>,
    /// What differs from what `install` would write.
    pub drift: Vec<String>,
    /// What keeps it from calling any hook.
    pub switched_off: Vec<String>,
    /// Other guards of this name that it calls as well.
    pub beside: Vec<String>,
    /// What its own program says, where it is asked.
    pub told: Option<String>,
    /// The installed hook, called.
    pub self_test: Option<Tested>,
    /// What becomes of a call when the hook breaks.
    pub fails: &'static str,
    /// Whether an ask reaches a person.
    pub asks: bool,
    /// Whether a warning reaches anybody.
    pub warns: bool,
    /// What the guard does not see or cannot stop in it.
    pub cannot: Vec<&'static str>,
}

/// One file or folder.
#[derive(Debug, Serialize)]
pub struct PartTold {
    /// Where.
    pub path: String,
    /// `absent`, `connected`, `drifted`, `foreign` or `damaged`.
    pub standing: &'static str,
}

/// Looks at every agent. `asks`: whether programs are run.
pub fn examine(machine: &Machine, asks: bool, findings: &mut Vec<Finding>) -> Vec<Told> {
    if asks {
        machine.ask_versions();
    }
    let told: Vec<Told> = AGENTS.iter().map(|agent| one(agent, machine, asks, findings)).collect();
    if !told.iter().any(|told| told.connected) {
        findings.push(Finding {
            id: "agents.none-connected",
            severity: Severity::Error,
            what: "no agent calls this program: nothing is guarded".into(),
            fix: "cc-safety-net install --all".into(),
        });
    }
    told
}

/// The files by which agents call us, where they are.
pub fn files(machine: &Machine) -> Vec<PathBuf> {
    let of = |agent: &Agent| {
        let state = machine.with(agent, |ground| inspect(agent, ground));
        state.parts.into_iter().filter(|(_, standing)| *standing != Standing::Absent).map(|(path, _)| path.into())
    };
    AGENTS.iter().flat_map(|agent| of(agent).collect::<Vec<PathBuf>>()).collect()
}

fn one(agent: &Agent, machine: &Machine, asks: bool, findings: &mut Vec<Finding>) -> Told {
    let state = machine.with(agent, |ground| inspect(agent, ground));
    let found = machine.is_found(agent);
    judge(agent, &state, found, findings);
    let self_test = match (&state.command, agent.setup.probe) {
        (Some(command), Some(probe)) if asks && state.is_ours() => Some(selftest::run(agent, command, probe, &machine.home)),
        _ => None,
    };
    if let Some(tested) = &self_test {
        findings.extend(tested.fault.iter().map(|fault| Finding {
            id: "agent.self-test",
            severity: Severity::Error,
            what: format!("{}: the installed hook {fault}", agent.title),
            fix: "cc-safety-net update".into(),
        }));
    }
    let agent_version = if asks { machine.version(agent) } else { None };
    let told = if asks && state.is_ours() { ask(agent, machine, findings) } else { None };
    let drift = state.parts.iter().flat_map(|(_, standing)| match standing {
        Standing::Drifted(what) => what.clone(),
        _ => Vec::new(),
    });
    Told {
        name: agent.name,
        title: agent.title,
        found,
        program: machine.agent_program(agent),
        cannot: limits(agent, agent_version.as_deref()),
        agent_version,
        place: machine.place(agent),
        connected: state.is_connected(),
        drift: drift.collect(),
        parts: state.parts.iter().map(|(path, standing)| PartTold { path: path.clone(), standing: word(standing) }).collect(),
        command: state.command,
        switched_off: state.switches.iter().map(|(path, says)| format!("{path}: {says}")).collect(),
        beside: state.kin.iter().map(|(path, command)| format!("{path}: {command}")).collect(),
        told,
        self_test,
        fails: match agent.fails {
            Failing::Closed => "closed",
            Failing::OpenUnlessConfigured if agent.setup.parts.iter().all(|part| matches!(part, Part::Folder(_))) => "closed",
            Failing::OpenUnlessConfigured => "closed where it is new enough",
            Failing::Open => "open",
        },
        asks: agent.honours.ask,
        warns: agent.honours.warn,
    }
}

/// What the agent's version, as far as it is known, still has.
fn limits(agent: &Agent, version: Option<&str>) -> Vec<&'static str> {
    let is_past = |before: &str| !before.is_empty() && version.is_some_and(|version| is_at_least(version, before));
    agent.setup.cannot.iter().filter(|limit| !is_past(limit.before)).map(|limit| limit.says).collect()
}

fn word(standing: &Standing) -> &'static str {
    match standing {
        Standing::Absent => "absent",
        Standing::Connected => "connected",
        Standing::Drifted(_) => "drifted",
        Standing::Foreign(_) => "foreign",
        Standing::Damaged(_) => "damaged",
    }
}

/// What of an agent's state is worth saying.
fn judge(agent: &Agent, state: &State, found: bool, findings: &mut Vec<Finding>) {
    let title = agent.title;
    let install = format!("cc-safety-net install {}", agent.setup.flag);
    let mut say = |id, severity, what: String, fix: &str| findings.push(Finding { id, severity, what, fix: fix.into() });
    for (path, standing) in &state.parts {
        match standing {
            Standing::Drifted(what) => {
                let what = what.join("; ");
                say("agent.drift", Severity::Warning, format!("{title}: {path}: {what}"), "cc-safety-net doctor --fix");
            }
            Standing::Damaged(why) => {
                let severity = if found { Severity::Error } else { Severity::Warning };
                say("agent.damaged", severity, format!("{title}: {path}: {why}"), "mend the file, then install again");
            }
            Standing::Foreign(why) => {
                say("agent.foreign", Severity::Warning, format!("{title}: {path}: {why}"), "move it away, then install");
            }
            Standing::Absent | Standing::Connected => {}
        }
    }
    for lack in &state.lacks {
        say("agent.not-told", Severity::Error, format!("{title}: {lack}"), &install);
    }
    for (path, says) in state.switches.iter().filter(|_| state.is_ours()) {
        say("agent.switched-off", Severity::Error, format!("{title}: {path}: {says}"), "take the setting out");
    }
    for (path, command) in &state.kin {
        let what = format!("{title}: {path}: another guard of this name is called as well: `{command}`");
        say("agent.beside", Severity::Warning, what, "take one of the two out");
    }
    if found && !state.is_ours() && !state.parts.iter().any(|(_, standing)| matches!(standing, Standing::Damaged(_))) {
        say("agent.not-connected", Severity::Info, format!("{title} is here, and not connected"), &install);
    }
}

/// What the agent's own program says of the plugin, where it keeps that to itself.
fn ask(agent: &Agent, machine: &Machine, findings: &mut Vec<Finding>) -> Option<String> {
    let (arguments, wanted) = agent.setup.driven.ask?;
    let program = machine.agent_program(agent)?;
    let arguments: Vec<String> = arguments.iter().map(|word| word.to_string()).collect();
    let line = format!("`{}`", arguments.join(" "));
    let mut wrong = |what: String| {
        findings.push(Finding {
            id: "agent.not-loaded",
            severity: Severity::Warning,
            what: format!("{}: {what}", agent.title),
            fix: agent.setup.afterwards.into(),
        });
        Some(what)
    };
    match program::run(&program, &arguments, "", ASKED) {
        Ok(ran) if ran.code == Some(0) => match ran.output.lines().find(|line| line.contains(wanted)) {
            Some(line) => Some(line.trim().chars().take(200).collect()),
            None => wrong(format!("{line} does not name the plugin")),
        },
        Ok(ran) => wrong(format!("{line} ended with code {}", ran.code.unwrap_or(-1))),
        Err(why) => wrong(format!("{line}: {why}")),
    }
}
