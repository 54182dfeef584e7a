//! Pi: the plugin in `plugin/` forwards each `tool_call`. The facts are in this folder's `README.md`.

mod setup;

use serde_json::{Map, Value, json};

use super::payload::{self, Bad};
use super::{Agent, Answer, Decoded, Failing, Honours, Request, Shell, fields};
use crate::model::Decision;

/// Pi, as of 1.6.0.
pub const AGENT: Agent = Agent {
    name: "pi",
    title: "Pi",
    flags: &[],
    old_flags: &[],
    bare_flags: &[],
    events: &["tool_call"],
    decode,
    encode,
    explicit: false,
    honours: Honours { ask: true, warn: false },
    fails: Failing::Closed,
    shell: Shell { tool: "bash", field: "command" },
    setup: setup::SETUP,
};

const TOOLS: fields::Tools = &[
    ("bash", &["command"], &[]),
    ("powershell", &["command"], &[]),
    ("Shell", &["command"], &["working_directory"]),
    ("read", &["path"], &[]),
    ("write", &["path"], &["content"]),
    ("edit", &["path"], &[]),
    ("grep", &["pattern"], &["path", "glob"]),
    ("find", &["pattern"], &["path"]),
    ("ls", &[], &["path"]),
];

fn decode(bytes: &[u8]) -> Decoded {
    fields::decode(&AGENT, bytes, &[], "hook_event_name", request)
}

fn request(object: &Map<String, Value>, event: &'static str) -> Result<Option<Request>, Bad> {
    let (call, context) = (fields::object(object, "event")?, fields::object(object, "ctx")?);
    let tool = payload::required_text(&call, "event.", "toolName")?;
    let input = fields::object(&call, "input")?;
    fields::check(TOOLS, tool, &input, "input.")?;
    let session = payload::directory(&context, "ctx.", "cwd")?.unwrap_or_default();
    let own = fields::within(&session, &input, "input.", "working_directory")?;
    let mut request = fields::request(&AGENT, event, tool, input);
    request.call.directory = own.unwrap_or(session);
    // Without a surface there is nobody to ask.
    request.call.attended = context.get("hasUI") == Some(&Value::Bool(true));
    request.call.session = fields::session(&context, "sessionId")?;
    Ok(Some(request))
}

/// An ask is a question of the plugin's own; this is what it answers where the person says no.
fn encode(answer: &Answer, _: &'static str) -> Option<String> {
    match answer.decision {
        Decision::Allow | Decision::Warn => None,
        Decision::Ask | Decision::Deny => fields::line(&json!({ "block": true, "reason": fields::clipped(&answer.message) })),
    }
}
