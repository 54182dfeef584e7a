//! Cursor, editor and CLI: its permission events in, `permission` out. The facts are in this folder's `README.md`.

mod setup;

use serde_json::{Map, Value, json};

use super::payload::{self, Bad};
use super::{Agent, Answer, Decoded, Failing, Honours, Request, Shell, fields};
use crate::model::Decision;

/// Cursor, as of its documentation of October 2026.
pub const AGENT: Agent = Agent {
    name: "cursor",
    title: "Cursor",
    flags: &["-cu", "--cursor"],
    old_flags: &[],
    bare_flags: &[],
    events: &["preToolUse", SHELL, SERVER, FILE],
    decode,
    encode,
    explicit: false,
    honours: Honours { ask: true, warn: false },
    fails: Failing::OpenUnlessConfigured,
    shell: Shell { tool: "Shell", field: "command" },
    setup: setup::SETUP,
};

const SHELL: &str = "beforeShellExecution";
const SERVER: &str = "beforeMCPExecution";
const FILE: &str = "beforeReadFile";

const TOOLS: fields::Tools = &[
    ("Shell", &["command"], &["working_directory", "cwd"]),
    ("Read", &["file_path"], &[]),
    ("Write", &["file_path"], &["content"]),
    ("Delete", &[], &["file_path", "path"]),
    ("Grep", &["pattern"], &["path"]),
];

fn decode(bytes: &[u8]) -> Decoded {
    fields::decode(&AGENT, bytes, &["tool_output", "content"], "hook_event_name", request)
}

fn request(object: &Map<String, Value>, event: &'static str) -> Result<Option<Request>, Bad> {
    let (tool, input) = match event {
        SHELL => ("Shell".to_string(), only(object, "command")?),
        FILE => ("Read".to_string(), only(object, "file_path")?),
        SERVER => {
            let name = payload::required_text(object, "", "tool_name")?;
            let name = if name.starts_with("MCP:") { name.to_string() } else { format!("MCP:{name}") };
            (name, server_input(object)?)
        }
        _ => (payload::required_text(object, "", "tool_name")?.to_string(), fields::object(object, "tool_input")?),
    };
    fields::check(TOOLS, &tool, &input, "tool_input.")?;
    let mut roots = fields::roots(object, "workspace_roots")?;
    let session = fields::session_directory(object, "cwd")?;
    if roots.is_empty() {
        roots.extend(session.clone());
    }
    let base = session.clone().or_else(|| roots.first().cloned()).unwrap_or_default();
    let own = match fields::within(&base, &input, "tool_input.", "working_directory")? {
        None if tool == "Shell" => fields::within(&base, &input, "tool_input.", "cwd")?,
        own => own,
    };
    let mut request = fields::request(&AGENT, event, &tool, input);
    fields::place(&mut request, own.or(session), roots);
    // `preToolUse` accepts an ask and does not enforce it; reading a file knows none.
    request.call.attended = matches!(event, SHELL | SERVER);
    request.call.session = fields::session(object, "conversation_id")?;
    Ok(Some(request))
}

fn only(object: &Map<String, Value>, field: &str) -> Result<Map<String, Value>, Bad> {
    let text = payload::required_text(object, "", field)?;
    Ok(Map::from_iter([(field.to_string(), Value::String(text.into()))]))
}

/// A server's tool is sent its arguments as JSON in a text.
fn server_input(object: &Map<String, Value>) -> Result<Map<String, Value>, Bad> {
    match object.get("tool_input") {
        Some(Value::String(text)) => fields::inner_object(text, "tool_input"),
        _ => fields::object(object, "tool_input"),
    }
}

fn encode(answer: &Answer, event: &'static str) -> Option<String> {
    let message = fields::halved(fields::clipped(&answer.message));
    let decision = match answer.decision {
        Decision::Allow | Decision::Warn => return None,
        Decision::Ask if matches!(event, SHELL | SERVER) => "ask",
        Decision::Ask | Decision::Deny => "deny",
    };
    fields::line(&json!({ "permission": decision, "user_message": message, "agent_message": message }))
}
