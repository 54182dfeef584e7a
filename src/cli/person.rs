//! Whether a person is at the other end: for the commands that loosen.
//!
//! No proof: a process of the same user can make a pseudo-terminal, clear its environment and leave its parents. It keeps an
//! agent from loosening by the way.

use std::io::{BufRead, IsTerminal, Write};

use crate::tickets::agent_mark;
use crate::world::{ancestors, disk};

/// Why whoever runs this command is not taken for a person, as a phrase; `None` where they are. `terminal` demands one.
pub fn refusal(terminal: bool) -> Option<String> {
    let is_set = |name: &str| disk::variable(name).is_some_and(|value| !value.is_empty());
    // Builds for tests may skip what no test can arrange.
    if cfg!(debug_assertions) && is_set("CC_SAFETY_NET_TEST_PERSON") {
        return agent_mark(is_set, &[]);
    }
    let Some(processes) = ancestors::ancestors() else {
        return Some("this system does not tell which processes are above this one".into());
    };
    if let Some(mark) = agent_mark(is_set, &processes) {
        return Some(mark);
    }
    let at_terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    (terminal && !at_terminal).then(|| "this is no terminal".into())
}

/// Why whoever runs this command may not loosen: trust a project, take back what `install` did. `None` where they may. A person who
/// is sure needs no terminal.
/// Where the system tells nothing of the processes above, variables and terminal have to do: an entry must not be there for ever.
pub fn refusal_of_loosening(is_sure: bool) -> Option<String> {
    let why = if cfg!(windows) {
        agent_mark(|name| disk::variable(name).is_some_and(|value| !value.is_empty()), &[])
    } else {
        refusal(false)
    };
    let at_terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    let is_trial = cfg!(debug_assertions) && disk::variable("CC_SAFETY_NET_TEST_PERSON").is_some();
    match why {
        Some(why) => Some(format!("only a person may do this: {why}")),
        None if is_sure || at_terminal || is_trial => None,
        None => Some("this wants a person at a terminal, or --yes".into()),
    }
}

/// Whether the person at this terminal says yes. Where none is there, [`refusal_of_loosening`] has said what counts instead.
pub fn agrees(question: &str, is_sure: bool) -> bool {
    if is_sure || !std::io::stdin().is_terminal() || !std::io::stdout().is_terminal() {
        return true;
    }
    // Not on standard output, which may be somebody's JSON.
    eprint!("{question} [y/N] ");
    let _ = std::io::stderr().flush();
    let mut line = String::new();
    let _ = std::io::stdin().lock().read_line(&mut line);
    matches!(line.trim().to_ascii_lowercase().as_str(), "y" | "yes")
}
