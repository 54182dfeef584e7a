//! Whether a person is at the other end: for the commands that loosen.
//!
//! No proof: a process of the same user can make a pseudo-terminal, clear its environment and leave its parents. It keeps an
//! agent from loosening by the way.

use std::io::IsTerminal;

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
