//! The agents: a folder for each, and the table of them.
//!
//! In comes what an agent wrote to the hook's standard input, out goes a [`ToolCall`]; in comes an [`Answer`], out goes the
//! line that the agent understands. An agent is a value of plain functions and facts, [`Agent`], so that everything else
//! goes through the table and asks no agent by name. A new agent is a folder and a line in [`AGENTS`].
//!
//! Nothing here touches the machine, and nothing here fails: a payload that cannot be read is a [`Bad`], which refuses.

pub mod claude_code;
pub mod payload;

pub use payload::{Bad, LIMIT};

pub use crate::explain::Answer;
use crate::model::ToolCall;

/// Every agent, in the order in which help and reports name them.
pub const AGENTS: &[&Agent] = &[&claude_code::AGENT];

/// What the product must know of one agent.
#[derive(Debug)]
pub struct Agent {
    /// The name in rules (`agent is NAME`), logs and `--agent`.
    pub name: &'static str,
    /// The name that people know.
    pub title: &'static str,
    /// The flags of `hook` that choose it, the short one first.
    pub flags: &'static [&'static str],
    /// Flags that older installations still use. Help does not show them.
    pub old_flags: &'static [&'static str],
    /// Old flags that stood alone, without the word `hook`, and are still honoured there.
    pub bare_flags: &'static [&'static str],
    /// Reads what the agent wrote.
    pub decode: fn(&[u8]) -> Decoded,
    /// Writes what the agent reads: one line, or `None` for silence, which is how every agent is told that nobody objects.
    pub encode: fn(&Answer) -> Option<String>,
    /// What the agent makes of an ask and of a warning.
    pub honours: Honours,
    /// What the agent does with the call when its hook breaks.
    pub fails: Failing,
    /// The shell tool, as `explain` and the tests of rulebooks announce a command to the agent's rules.
    pub shell: Shell,
}

/// The tool by which an agent runs shell commands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shell {
    /// The tool's name.
    pub tool: &'static str,
    /// The field that holds the command.
    pub field: &'static str,
}

/// What an agent makes of the answers between silence and refusal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Honours {
    /// Whether an ask reaches a person, where one is there (see [`ToolCall::attended`]).
    pub ask: bool,
    /// Whether a warning reaches anybody.
    pub warn: bool,
}

/// What an agent does with a call whose hook crashed, printed nonsense, or took too long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failing {
    /// The call runs.
    Open,
    /// The call runs, unless the installed hook says otherwise.
    OpenUnlessConfigured,
    /// The call is refused.
    Closed,
}

/// What a payload turned out to be.
#[derive(Debug, Clone, PartialEq)]
pub enum Decoded {
    /// A tool call to be judged. An empty `directory` means that the payload names none.
    Call(Box<ToolCall>),
    /// An event that is not asked about: silence.
    NotOurs,
    /// Not to be read as this agent's payload: refused.
    Bad(Bad),
}

/// The agent that one of its flags, shown or old, chooses.
///
/// ```
/// # use cc_safety_net::agents::by_flag;
/// assert_eq!(by_flag("-cc").map(|agent| agent.name), Some("claude-code"));
/// assert!(by_flag("--nobody").is_none());
/// ```
pub fn by_flag(flag: &str) -> Option<&'static Agent> {
    AGENTS.iter().copied().find(|agent| agent.flags.contains(&flag) || agent.old_flags.contains(&flag))
}

/// The agent whose hook an old installation calls with a flag alone.
pub fn by_bare_flag(flag: &str) -> Option<&'static Agent> {
    AGENTS.iter().copied().find(|agent| agent.bare_flags.contains(&flag))
}

/// The agent of that name.
pub fn by_name(name: &str) -> Option<&'static Agent> {
    AGENTS.iter().copied().find(|agent| agent.name == name)
}
