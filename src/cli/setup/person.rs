//! Whether a person is at work: what can loosen wants a terminal, or `--yes`, and refuses where an agent runs it.
//!
//! A pseudo-terminal fools the first test; that an agent is among the processes above, or left its variables, is the second. What a
//! process of the same user can still forge is said in the README.

use std::io::IsTerminal;

use crate::agents::AGENTS;
use crate::world::ancestors;

/// Why this is refused, as a phrase; nothing where a person is at work.
pub fn check(is_sure: bool) -> Result<(), String> {
    no_agent()?;
    if is_sure || (std::io::stdin().is_terminal() && std::io::stdout().is_terminal()) {
        Ok(())
    } else {
        Err("this wants a person at a terminal, or --yes".into())
    }
}

/// Whether no agent is among the processes above.
pub fn is_free_of_agents() -> bool {
    no_agent().is_ok()
}

fn no_agent() -> Result<(), String> {
    for agent in AGENTS {
        if let Some(variable) = agent.setup.marks.variables.iter().find(|name| std::env::var_os(name).is_some()) {
            return Err(format!("only a person may do this, and {} seems to run it (`{variable}` is set)", agent.title));
        }
    }
    for process in ancestors::names() {
        if let Some(agent) = AGENTS.iter().find(|agent| agent.setup.marks.processes.contains(&process.as_str())) {
            return Err(format!("only a person may do this, and {} seems to run it (process `{process}`)", agent.title));
        }
    }
    Ok(())
}
