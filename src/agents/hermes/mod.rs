//! Hermes Agent: `pre_tool_call` in, an action out. The facts are in this folder's `README.md`.

mod setup;

use serde_json::{Map, Value, json};

use super::payload::{self, Bad};
use super::{Agent, Answer, Decoded, Failing, Honours, Request, Shell, fields, patch};
use crate::model::Decision;

/// Hermes Agent, as of 0.19.0, and the documentation of 0.22.
pub const AGENT: Agent = Agent {
    name: "hermes",
    title: "Hermes Agent",
    flags: &["-ha", "--hermes-agent"],
    old_flags: &[],
    bare_flags: &[],
    events: &["pre_tool_call"],
    decode,
    encode,
    explicit: false,
    honours: Honours { ask: true, warn: false },
    fails: Failing::OpenUnlessConfigured,
    shell: Shell { tool: "terminal", field: "command" },
    setup: setup::SETUP,
};

const TOOLS: fields::Tools = &[
    ("terminal", &["command"], &["workdir"]),
    ("read_file", &["path"], &[]),
    ("write_file", &["path"], &["content"]),
    ("execute_code", &["code"], &[]),
];

fn decode(bytes: &[u8]) -> Decoded {
    fields::decode(&AGENT, bytes, &["extra"], "hook_event_name", request)
}

fn request(object: &Map<String, Value>, event: &'static str) -> Result<Option<Request>, Bad> {
    let tool = payload::required_text(object, "", "tool_name")?;
    // A plugin's callback has `args` instead.
    let field = if object.contains_key("args") && !object.contains_key("tool_input") { "args" } else { "tool_input" };
    let input = fields::object(object, field)?;
    fields::check(TOOLS, tool, &input, &format!("{field}."))?;
    let whole = payload::optional_text(&input, &format!("{field}."), "mode")? == Some("patch");
    let session = payload::directory(object, "", "cwd")?.unwrap_or_default();
    // The directory of a call may lie anywhere.
    let own = fields::within(&session, &input, &format!("{field}."), "workdir")?;
    let mut request = fields::request(&AGENT, event, tool, input);
    if whole && request.call.fields.get(patch::FILES).is_none() {
        return Err(Bad::NoPatch { field: format!("{field}.patch") });
    }
    request.call.directory = own.unwrap_or(session);
    request.call.session = fields::session(object, "session_id")?;
    Ok(Some(request))
}

/// `approve` sends the call to a person; it is no approval.
fn encode(answer: &Answer, _: &'static str) -> Option<String> {
    let action = match answer.decision {
        Decision::Allow | Decision::Warn => return None,
        Decision::Ask => "approve",
        Decision::Deny => "block",
    };
    fields::line(&json!({ "action": action, "message": fields::clipped(&answer.message) }))
}
