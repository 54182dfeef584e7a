//! A tool call as the agent announced it, and as it was understood.

use super::effect::Effect;
use super::invocation::{Invocation, Reading};
use super::span::{Span, Text};

/// What an agent asks to do, decoded from its payload.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolCall {
    /// The agent's name in the table of agents (`claude-code`).
    pub agent: String,
    /// The tool's name as the agent says it.
    pub tool: String,
    /// The tool's fields: a JSON object.
    pub fields: serde_json::Value,
    /// The session's working directory, absolute.
    pub directory: String,
    /// The agent's workspace root, where it names one.
    pub workspace: Option<String>,
    /// Whether somebody can answer an ask.
    pub attended: bool,
    /// The session's identity, for the log.
    pub session: String,
}

impl ToolCall {
    /// A script that a POSIX shell is to run, asked for by nobody in particular, with somebody there who can answer an ask.
    pub fn shell(directory: &str, script: &str) -> ToolCall {
        ToolCall {
            agent: String::new(),
            tool: "Bash".into(),
            fields: serde_json::json!({ "command": script }),
            directory: directory.into(),
            workspace: None,
            attended: true,
            session: String::new(),
        }
    }
}

/// One program of a call with all its readings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// As the script runs it.
    pub invocation: Invocation,
    /// As the declarations read it; at least one. A rule matches if it matches one of them.
    pub readings: Vec<Reading>,
}

/// A budget that a call exhausted. Certain under every preset, never a silent allow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limit {
    /// Which one (`text`, `levels`, `words`, `steps`, `files`, `paths`).
    pub name: &'static str,
    /// Its size.
    pub size: u64,
    /// Where it was reached.
    pub span: Span,
}

/// A step of how the call was read, for the trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// One line, lower case: `cd moved to /tmp`, `script.sh read, 120 bytes`.
    pub text: String,
    /// Where.
    pub span: Span,
}

/// A tool call as understood: everything that the rules look at.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// As announced.
    pub tool: ToolCall,
    /// The texts that spans point into; the first is the call's own.
    pub texts: Vec<Text>,
    /// What runs, in order.
    pub runs: Vec<Run>,
    /// What happens, in order.
    pub effects: Vec<Effect>,
    /// Text that no front end could parse.
    pub unparsed: Vec<Span>,
    /// Budgets that were exhausted.
    pub limits: Vec<Limit>,
    /// How it was read.
    pub notes: Vec<Note>,
    /// Whether something in the script may have changed the files of the project before a later command looks at them; facts
    /// that exempt do not count then (index of the first run that may have done so).
    pub disturbed_from: Option<usize>,
}
