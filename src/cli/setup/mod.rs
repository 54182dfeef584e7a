//! `install`, `uninstall` and `update`: which agents are meant, the plan for each, shown as a difference, and its execution.

mod apply;
mod choose;
pub mod ground;
mod record;
pub mod targets;

use std::io::IsTerminal;
use std::process::ExitCode;

use super::person;
use crate::agents::{AGENTS, Agent};
use crate::explain::plain;
use crate::setup::{Goal, Plan, diff, inspect, plan};
use ground::Machine;
use record::Record;
use targets::Targets;

/// The arguments of `install`.
#[derive(Debug, clap::Args)]
#[command(after_help = INSTALL)]
pub struct Install {
    #[command(flatten)]
    targets: Targets,
    /// Show what would be done, and do nothing
    #[arg(long)]
    dry_run: bool,
    /// Take back what the last of these commands did
    #[arg(long, conflicts_with = "dry_run")]
    undo: bool,
    /// With --undo: go on without a terminal
    #[arg(long, short, requires = "undo")]
    yes: bool,
}

const INSTALL: &str = "\
Every change is shown first. Other content of a file stays as it is, comments
and layout too; the file as it was is kept beside it, as
`NAME.before-cc-safety-net`. What is not ours is never overwritten. Without
a flag, on a terminal, you choose from a list.

Exit code: 0 if all is as wanted, 1 if something was refused or failed,
2 for a wrong command line.

Examples:
  cc-safety-net install --claude-code --cursor
  cc-safety-net install --all --dry-run
  cc-safety-net install --undo";

/// The arguments of `uninstall`.
#[derive(Debug, clap::Args)]
#[command(after_help = UNINSTALL)]
pub struct Uninstall {
    #[command(flatten)]
    targets: Targets,
    /// Show what would be done, and do nothing
    #[arg(long)]
    dry_run: bool,
    /// Go on without a terminal
    #[arg(long, short)]
    yes: bool,
}

const UNINSTALL: &str = "\
Takes away what is ours and nothing else. Where a file was not touched since
`install`, it is afterwards what it was before, to the byte. Only a person
may do this: it wants a terminal or --yes, and refuses when an agent runs it.

Exit code: 0 if all is as wanted, 1 if something was refused or failed,
2 for a wrong command line.

Examples:
  cc-safety-net uninstall --gemini-cli
  cc-safety-net uninstall --all --dry-run";

/// The arguments of `update`.
#[derive(Debug, clap::Args)]
#[command(after_help = UPDATE)]
pub struct Update {
    #[command(flatten)]
    targets: Targets,
    /// Show what would be done, and do nothing
    #[arg(long)]
    dry_run: bool,
}

const UPDATE: &str = "\
Mends every entry of ours: after the program moved or was upgraded, and where
somebody changed an entry. Agents that are not connected stay so.

Exit code: 0 if all is as wanted, 1 if something was refused or failed,
2 for a wrong command line.

Examples:
  cc-safety-net update
  cc-safety-net update --cursor --dry-run";

/// Runs `install`.
pub fn install(arguments: Install) -> ExitCode {
    if arguments.undo {
        return person::refusal_of_loosening(arguments.yes).map_or_else(undo, |why| refuse(&why));
    }
    carry_out("install", Goal::Connect, &arguments.targets, arguments.dry_run, &|_| true)
}

/// Runs `uninstall`.
pub fn uninstall(arguments: Uninstall) -> ExitCode {
    if !arguments.dry_run
        && let Some(why) = person::refusal_of_loosening(arguments.yes)
    {
        return refuse(&why);
    }
    carry_out("uninstall", Goal::Disconnect, &arguments.targets, arguments.dry_run, &is_ours)
}

/// Runs `update`.
pub fn update(arguments: Update) -> ExitCode {
    let mut targets = arguments.targets;
    targets.all |= targets.agents.is_empty();
    carry_out("update", Goal::Connect, &targets, arguments.dry_run, &is_ours)
}

fn is_ours(state: &inspect::State) -> bool {
    state.is_ours()
}

fn refuse(why: &str) -> ExitCode {
    eprintln!("cc-safety-net: {why}");
    ExitCode::from(1)
}

/// One command: for every agent that is meant, a plan, shown and carried out. With `--all` those that `wanted` takes.
fn carry_out(
    command: &str,
    goal: Goal,
    targets: &Targets,
    is_trial: bool,
    wanted: &dyn Fn(&inspect::State) -> bool,
) -> ExitCode {
    let machine = match Machine::of_process() {
        Ok(machine) => machine,
        Err(what) => return super::fail(&what),
    };
    let agents: Vec<&Agent> = if targets.all {
        let meant = |agent: &Agent| {
            let found = goal == Goal::Disconnect || command == "update" || machine.is_found(agent);
            found && machine.with(agent, |ground| wanted(&inspect::inspect(agent, ground)))
        };
        AGENTS.iter().copied().filter(|agent| meant(agent)).collect()
    } else if targets.agents.is_empty() {
        if !std::io::stdin().is_terminal() || !std::io::stdout().is_terminal() {
            let flags: Vec<_> = AGENTS.iter().map(|agent| agent.setup.flag).collect();
            return super::fail(&format!("`{command}` needs --all or at least one of:\n  {}", flags.join(" ")));
        }
        choose::agents(command, goal, &machine)
    } else {
        targets.agents.clone()
    };
    if agents.is_empty() {
        println!("{}", if targets.all { "No agent is here that this is for." } else { "Cancelled: nothing was changed." });
        return ExitCode::SUCCESS;
    }
    let mut record = Record::open(&machine);
    record.begin(command);
    let mut failed = 0;
    for agent in &agents {
        let plan = machine.with(agent, |ground| plan(goal, agent, ground));
        if !one(&machine, agent, goal, &plan, is_trial, &mut record) {
            failed += 1;
        }
    }
    if is_trial {
        println!("\nNothing was changed: this was a trial.");
    } else if let Err(what) = record.close() {
        eprintln!("cc-safety-net: what was done cannot be undone by `install --undo`: {what}");
    }
    if failed > 0 {
        eprintln!("\ncc-safety-net: {} of {} refused or failed", failed, super::count(agents.len(), "agent"));
        return ExitCode::from(1);
    }
    ExitCode::SUCCESS
}

/// The plan for one agent, told and carried out; whether that went well.
fn one(machine: &Machine, agent: &Agent, goal: Goal, plan: &Plan, is_trial: bool, record: &mut Record) -> bool {
    println!("{}", agent.title);
    let indented = |text: &str| text.lines().map(|line| format!("  {line}\n")).collect::<String>();
    if !plan.refusals.is_empty() {
        let lines: Vec<String> = plan.refusals.iter().map(|why| plain::line(&machine.shown(why))).collect();
        println!("  refused, nothing was changed:\n{}", indented(&lines.join("\n")).trim_end());
        return false;
    }
    for note in &plan.notes {
        println!("  note: {}", plain::line(note));
    }
    if plan.steps.is_empty() {
        println!("  {}", if goal == Goal::Connect { "connected, nothing to do" } else { "not connected, nothing to do" });
        return true;
    }
    print!("{}", indented(&diff::render(plan, &|path| machine.shown(path), &|line| plain::line(line))));
    if is_trial {
        return true;
    }
    match apply::apply(plan, record) {
        Ok(()) => {
            println!("  {}", if goal == Goal::Connect { "connected" } else { "disconnected" });
            if goal == Goal::Connect {
                println!("  {}", agent.setup.afterwards);
                if !machine.is_found(agent) {
                    println!("  note: {} was not found here", agent.title);
                }
            }
            true
        }
        Err(why) => {
            println!("  failed: {}", plain::line(&machine.shown(&why)));
            false
        }
    }
}

/// Mends every agent whose entries are ours and are not as they should be; what was done, a line each.
pub fn mend_all(machine: &Machine) -> Vec<String> {
    let mut record = Record::open(machine);
    record.begin("doctor --fix");
    let mut lines = Vec::new();
    for agent in AGENTS {
        let is_meant = machine.with(agent, |ground| is_ours(&inspect::inspect(agent, ground)));
        let plan = machine.with(agent, |ground| plan(Goal::Connect, agent, ground));
        if !is_meant || plan.steps.is_empty() {
            continue;
        }
        match apply::apply(&plan, &mut record) {
            Ok(()) => lines.push(format!("{}: its entries are as they should be", agent.title)),
            Err(why) => lines.push(format!("{}: not mended: {why}", agent.title)),
        }
    }
    lines.extend(record.close().err());
    lines
}

/// Takes the last command back.
fn undo() -> ExitCode {
    let machine = match Machine::of_process() {
        Ok(machine) => machine,
        Err(what) => return super::fail(&what),
    };
    let mut record = Record::open(&machine);
    match record.undo() {
        Ok(lines) => {
            lines.iter().for_each(|line| println!("{}", plain::line(&machine.shown(line))));
            ExitCode::SUCCESS
        }
        Err(why) => refuse(&plain::line(&machine.shown(&why))),
    }
}
