//! What agents keep of what they did: lines of JSON, of which some are tool calls.
//!
//! In comes a line as an object, out go the tool calls in it, as the agent's hook would have announced them.

use serde_json::{Map, Value};

use super::{Agent, claude_code, codex};
use crate::model::ToolCall;

/// An agent's transcripts.
#[derive(Debug)]
pub struct Transcript {
    /// Whose they are.
    pub agent: &'static Agent,
    /// The variable that names the agent's folder, and that folder below a home.
    pub home: (&'static str, &'static str),
    /// Where in that folder they are; files end in `.jsonl`.
    pub folder: &'static str,
    /// Texts of which one stands in every line that is needed to read those after it.
    pub context: &'static [&'static str],
    /// Reads a line: the calls in it, or what it says of those to come. `None` where it is no line of these transcripts.
    pub read: fn(&Map<String, Value>, &mut Session) -> Option<Vec<ToolCall>>,
}

/// What the lines before have said.
#[derive(Debug, Clone, Default)]
pub struct Session {
    /// The working directory.
    pub directory: String,
    /// The session's identity.
    pub name: String,
}

/// Every agent whose transcripts are read.
pub const TRANSCRIPTS: &[Transcript] = &[claude_code::transcript::TRANSCRIPT, codex::transcript::TRANSCRIPT];

impl Session {
    /// Takes what a line says of the session.
    pub fn note(&mut self, directory: Option<&Value>, name: Option<&Value>) {
        let text = |value: Option<&Value>| value.and_then(Value::as_str).filter(|text| !text.is_empty()).map(str::to_string);
        self.directory = text(directory).unwrap_or(std::mem::take(&mut self.directory));
        self.name = text(name).unwrap_or(std::mem::take(&mut self.name));
    }

    /// A call in the session. Whether anybody could have answered an ask is not on record: somebody could.
    pub fn call(&self, agent: &Agent, tool: &str, fields: Map<String, Value>) -> ToolCall {
        let mut request = super::fields::request(agent, agent.events[0], tool, fields);
        request.call.directory = if self.directory.is_empty() { "/".into() } else { self.directory.clone() };
        request.call.session = self.name.clone();
        request.call
    }
}
