//! `allow-once`: a person lets one refused call through, once.

use std::process::ExitCode;

use super::person;
use crate::explain::plain;
use crate::layers::Environment;
use crate::tickets::Tickets;
use crate::world::disk;

/// The arguments of `allow-once`.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
pub struct Arguments {
    /// The code that came with the refusal; an agent that has no place for it leaves it to `logs`
    code: String,
}

const AFTER: &str = "\
The same call (agent, tool, fields, directory, policy) then passes once within ten minutes, and that is logged. A code
is good for an hour. What the floor, the administrator or the engine itself refuses stays refused.
It wants a terminal, and is refused where an agent is above this process or has marked the environment.

Exit code: 0, 1 if the code is not known or nobody is taken for a person here, 2 for a fault.

Examples:
  cc-safety-net allow-once k3mfd-p9x2a";

/// Runs the command.
pub fn run(arguments: Arguments) -> ExitCode {
    if let Some(why) = person::refusal(true) {
        eprintln!("cc-safety-net: only a person lets a call through, in a terminal of their own: {why}");
        return ExitCode::from(1);
    }
    let Some(state) = Environment::of_process().state_directory() else {
        return super::fail("the user has no home, so there are no codes");
    };
    match Tickets::below(&state).grant(&arguments.code, disk::nanoseconds()) {
        Ok(ticket) => {
            println!("Passes once, within ten minutes, for {} in {}:", ticket.agent, plain::line(&ticket.directory));
            println!("  {}", plain::line(&ticket.call));
            println!("It was refused by {}.", plain::line(&ticket.rule));
            ExitCode::SUCCESS
        }
        Err(crate::tickets::GrantFault::Unknown) => {
            eprintln!("cc-safety-net: no refusal of the last hour has the code `{}`", plain::line(&arguments.code));
            ExitCode::from(1)
        }
        Err(fault) => super::fail(&fault.to_string()),
    }
}
