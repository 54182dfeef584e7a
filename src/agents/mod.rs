//! The agents: a folder for each, and the table of them.
//!
//! In comes what an agent wrote to the hook's standard input, out goes a [`ToolCall`]; in comes an [`Answer`], out goes the
//! line that the agent understands. An agent is a value of plain functions and facts, [`Agent`], so that everything else
//! goes through the table and asks no agent by name. A new agent is a folder and a line in [`AGENTS`].
//!
//! Nothing here touches the machine, and nothing here fails: a payload that cannot be read is a [`Bad`], which refuses.

pub mod amp;
pub mod antigravity;
pub mod claude_code;
pub mod codex;
pub mod copilot_cli;
pub mod cursor;
pub mod fields;
pub mod gemini_cli;
pub mod grok_build;
pub mod hermes;
pub mod kimi_code;
pub mod openclaw;
pub mod opencode;
pub mod patch;
pub mod payload;
pub mod permissions;
pub mod pi;
pub mod setup;
pub mod transcript;

pub use payload::{Bad, LIMIT};

pub use crate::explain::Answer;
use crate::model::{ToolCall, path};

/// Every agent, in the order in which help and reports name them.
pub const AGENTS: &[&Agent] = &[
    &amp::AGENT,
    &antigravity::AGENT,
    &claude_code::AGENT,
    &codex::AGENT,
    &copilot_cli::AGENT,
    &cursor::AGENT,
    &gemini_cli::AGENT,
    &grok_build::AGENT,
    &hermes::AGENT,
    &kimi_code::AGENT,
    &openclaw::AGENT,
    &opencode::AGENT,
    &pi::AGENT,
];

/// The agent that is meant where none is named.
pub const DEFAULT: &Agent = &claude_code::AGENT;

/// What the product must know of one agent.
#[derive(Debug)]
pub struct Agent {
    /// The name in rules (`agent is NAME`), logs and `--agent`.
    pub name: &'static str,
    /// The name that people know.
    pub title: &'static str,
    /// The flags of `hook` that choose it, the short one first. None for an agent that holds the engine in a plugin.
    pub flags: &'static [&'static str],
    /// Flags that older installations still use. Help does not show them.
    pub old_flags: &'static [&'static str],
    /// Old flags that stood alone, without the word `hook`, and are still honoured there.
    pub bare_flags: &'static [&'static str],
    /// The events that are judged, as the agent spells them. A payload that names none is taken for the first.
    pub events: &'static [&'static str],
    /// Reads what the agent wrote.
    pub decode: fn(&[u8]) -> Decoded,
    /// Writes what the agent reads in answer to this event: one line, or `None` for silence, which is how an agent is told that
    /// nobody objects, unless [`Agent::explicit`].
    pub encode: fn(&Answer, &'static str) -> Option<String>,
    /// Whether the agent's contract wants a line even where nobody objects.
    pub explicit: bool,
    /// What the agent makes of an ask and of a warning.
    pub honours: Honours,
    /// What the agent does with the call when its hook breaks.
    pub fails: Failing,
    /// The shell tool, as `explain` and the tests of rulebooks announce a command to the agent's rules.
    pub shell: Shell,
    /// How it is connected.
    pub setup: setup::Setup,
}

impl Agent {
    /// A script as this agent's shell tool would announce it from an absolute directory, with somebody there who can answer an ask.
    pub fn shell_call(&self, directory: &str, script: &str) -> ToolCall {
        ToolCall {
            agent: self.name.into(),
            tool: self.shell.tool.into(),
            fields: serde_json::json!({ self.shell.field: script }),
            directory: directory.into(),
            workspace: None,
            attended: true,
            session: String::new(),
        }
    }
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
    /// A tool call to be judged.
    Call(Box<Request>),
    /// An event that is not asked about: silence.
    NotOurs,
    /// Not to be read as this agent's payload: refused.
    Bad {
        /// What is wrong with it.
        bad: Bad,
        /// The event that is answered, as far as it could be read.
        event: &'static str,
    },
}

/// A tool call with what its agent says about it.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// The call. An empty `directory` means that the payload names none.
    pub call: ToolCall,
    /// The event that is answered, one of [`Agent::events`].
    pub event: &'static str,
    /// The roots of the workspace, in one of which the call must run; none where the agent names none.
    pub roots: Vec<String>,
}

impl Request {
    /// Whether the call runs inside the agent's workspace, with `real` to resolve links: by what is really there where that is
    /// known, else by what is written. Without roots everything is inside.
    pub fn inside(&self, real: impl Fn(&str) -> Option<String>) -> Result<(), Bad> {
        let resolved = |path: &str| real(path).unwrap_or_else(|| path.to_string());
        let directory = resolved(&self.call.directory);
        let mut roots = self.roots.iter();
        if roots.len() == 0 || roots.any(|root| path::is_within(&directory, &resolved(root))) {
            return Ok(());
        }
        Err(Bad::Outside { found: self.call.directory.clone() })
    }
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
