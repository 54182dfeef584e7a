//! Plans that connect agents: what stands in their files now goes in, what will stand there goes out, or the reason why nothing is
//! changed.
//!
//! What connecting means is said by each agent's own table entry ([`crate::agents::setup`]). Here it is applied to text: [`plan()`]
//! edits settings with their comments and layout kept ([`json`], [`toml`]), writes our own files, and names the agent's own
//! commands; [`inspect`] compares what a plan would write with what is there. Nothing here touches the machine: files are asked
//! for through [`Ground::look`], and the executor is `world::replace`.
//!
//! INVARIANT (nothing of others): a change adds, mends or removes what is ours ([`ours`]) and nothing else; where that cannot be
//! done, the plan is a refusal with its reason.

pub mod diff;
mod document;
mod edit;
pub mod inspect;
pub mod json;
pub mod ours;
pub mod plan;
pub mod plugins;
pub mod toml;

pub use inspect::{State, inspect};
pub use plan::{Change, Goal, Plan, Run, Step, plan};

use crate::agents::Agent;

/// What stands at a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Present {
    /// Nothing.
    Missing,
    /// A file with this text.
    File(String),
    /// Something that cannot be edited, and why.
    Unusable(String),
}

/// What a plan is made on.
pub struct Ground<'a> {
    /// The agent's configuration directory.
    pub place: String,
    /// Our own directory for what agents are given by their commands.
    pub data: String,
    /// This program, absolute.
    pub program: String,
    /// The agent's own program, absolute, where it is found.
    pub agent_program: Option<String>,
    /// The agent's version, as its program says it, where it is known.
    pub version: Option<String>,
    /// What stands at a path.
    pub look: &'a dyn Fn(&str) -> Present,
}

/// The path below a directory.
fn below(directory: &str, path: &str) -> String {
    if path.is_empty() { directory.to_string() } else { format!("{}/{path}", directory.trim_end_matches('/')) }
}

/// The name under which the version before ours is kept beside a file.
pub fn kept(path: &str) -> String {
    format!("{path}.before-cc-safety-net")
}

/// The command line by which an agent's hook calls a program, for a shell.
pub fn command_line(program: &str, agent: &Agent) -> Option<String> {
    let flag = agent.flags.last()?;
    Some(format!("{} hook {flag}", quoted(program)))
}

/// A word as every shell of the system reads it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_@%+=:,./-".contains(c) || (c == '\\' && cfg!(windows));
    if !word.is_empty() && word.chars().all(plain) {
        word.to_string()
    } else if cfg!(windows) {
        format!("\"{word}\"")
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}
