//! Which agents a command is for: a flag for each, out of the table.

use clap::{Arg, ArgAction, ArgMatches, Command, Error, FromArgMatches};

use crate::agents::{AGENTS, Agent};

/// The agents that are named.
#[derive(Debug, Clone, Default)]
pub struct Targets {
    /// By a flag each.
    pub agents: Vec<&'static Agent>,
    /// By `--all`.
    pub all: bool,
}

/// The name of a flag without its dashes.
fn name(agent: &Agent) -> &'static str {
    agent.setup.flag.trim_start_matches('-')
}

impl clap::Args for Targets {
    fn augment_args(command: Command) -> Command {
        let flags = AGENTS.iter().map(|agent| {
            Arg::new(name(agent)).long(name(agent)).help(agent.title).action(ArgAction::SetTrue).conflicts_with("all")
        });
        let all = Arg::new("all").long("all").help("Every agent that is found here").action(ArgAction::SetTrue);
        command.args(flags).arg(all)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Targets {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Targets, Error> {
        let mut targets = Targets::default();
        targets.update_from_arg_matches(matches)?;
        Ok(targets)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        self.agents = AGENTS.iter().copied().filter(|agent| matches.get_flag(name(agent))).collect();
        self.all = matches.get_flag("all");
        Ok(())
    }
}
