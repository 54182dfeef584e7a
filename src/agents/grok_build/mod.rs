//! Grok Build: a tool call in, a decision out, an explicit one even where nobody objects. The facts are in this folder's
//! `README.md`.

mod setup;

use serde_json::{Map, Value, json};

use super::payload::{self, Bad};
use super::{Agent, Answer, Decoded, Failing, Honours, Request, Shell, fields};
use crate::model::Decision;

/// Grok Build; no version of the agent itself was seen.
pub const AGENT: Agent = Agent {
    name: "grok-build",
    title: "Grok Build",
    flags: &["-gb", "--grok-build"],
    old_flags: &[],
    bare_flags: &[],
    events: &["PreToolUse"],
    decode,
    encode,
    explicit: true,
    honours: Honours { ask: false, warn: false },
    fails: Failing::Open,
    shell: Shell { tool: "run_terminal_command", field: "command" },
    setup: setup::SETUP,
};

const TOOLS: fields::Tools = &[("run_terminal_command", &["command"], &[])];

fn decode(bytes: &[u8]) -> Decoded {
    fields::decode(&AGENT, bytes, &[], "hookEventName", request)
}

fn request(object: &Map<String, Value>, event: &'static str) -> Result<Option<Request>, Bad> {
    match object.get("toolInputTruncated") {
        None | Some(Value::Null | Value::Bool(false)) => {}
        Some(_) => return Err(Bad::Truncated { field: "toolInputTruncated".into() }),
    }
    let tool = payload::required_text(object, "", "toolName")?;
    let input = match object.get("toolInput") {
        Some(Value::String(text)) => fields::inner_object(text, "toolInput")?,
        _ => fields::object(object, "toolInput")?,
    };
    fields::check(TOOLS, tool, &input, "toolInput.")?;
    let root = fields::session_directory(object, "workspaceRoot")?;
    let directory = fields::session_directory(object, "cwd")?;
    let mut request = fields::request(&AGENT, event, tool, input);
    fields::place(&mut request, directory, root.into_iter().collect());
    request.call.session = fields::session(object, "sessionId")?;
    Ok(Some(request))
}

fn encode(answer: &Answer, _: &'static str) -> Option<String> {
    match answer.decision {
        Decision::Allow | Decision::Warn => fields::line(&json!({ "decision": "allow" })),
        Decision::Ask | Decision::Deny => {
            fields::line(&json!({ "decision": "deny", "reason": fields::clipped(&answer.message) }))
        }
    }
}
