//! OpenClaw: the plugin in `plugin/` forwards each `before_tool_call`. The facts are in this folder's `README.md`.

mod setup;

use serde_json::{Map, Value, json};

use super::payload::{self, Bad};
use super::{Agent, Answer, Decoded, Failing, Honours, Request, Shell, fields, patch};
use crate::model::Decision;

/// OpenClaw, as of 2026.9.6.
pub const AGENT: Agent = Agent {
    name: "openclaw",
    title: "OpenClaw",
    flags: &[],
    old_flags: &[],
    bare_flags: &[],
    events: &["before_tool_call"],
    decode,
    encode,
    explicit: false,
    honours: Honours { ask: true, warn: false },
    fails: Failing::Closed,
    shell: Shell { tool: "exec", field: "command" },
    setup: setup::SETUP,
};

const TOOLS: fields::Tools = &[
    (EXEC, &["command"], &["workdir", "host"]),
    ("read", &["path"], &[]),
    ("write", &["path"], &["content"]),
    ("edit", &["path"], &[]),
    ("apply_patch", &["input"], &[]),
    ("web_fetch", &["url"], &[]),
];

/// The tool whose `host` says where it runs.
const EXEC: &str = "exec";

/// Where a command runs on the machine that the facts are of.
const HERE: [&str; 2] = ["auto", "gateway"];

fn decode(bytes: &[u8]) -> Decoded {
    fields::decode(&AGENT, bytes, &[], "hook_event_name", request)
}

fn request(object: &Map<String, Value>, event: &'static str) -> Result<Option<Request>, Bad> {
    let (call, context) = (fields::object(object, "event")?, fields::object(object, "ctx")?);
    let tool = payload::required_text(&call, "event.", "toolName")?;
    let input = fields::object(&call, "params")?;
    fields::check(TOOLS, tool, &input, "params.")?;
    if context.get("aborted") == Some(&Value::Bool(true)) {
        return Err(Bad::Value { field: "ctx.abortSignal".into(), wanted: "a call that is not aborted" });
    }
    let host = payload::optional_text(&input, "params.", "host")?;
    if tool == EXEC && host.is_some_and(|host| !HERE.contains(&host)) {
        return Err(Bad::Value { field: "params.host".into(), wanted: "`auto` or `gateway`, the machine of this guard" });
    }
    let workspace = payload::directory(&context, "ctx.", "workspace")?;
    let base = workspace.clone().unwrap_or_default();
    let own = fields::within(&base, &input, "params.", "workdir")?;
    let mut request = fields::request(&AGENT, event, tool, input);
    if tool == "apply_patch" && request.call.fields.get(patch::FILES).is_none() {
        return Err(Bad::NoPatch { field: "params.input".into() });
    }
    fields::place(&mut request, own, workspace.into_iter().collect());
    request.call.session = fields::session(&context, "sessionId")?;
    Ok(Some(request))
}

fn encode(answer: &Answer, _: &'static str) -> Option<String> {
    let message = fields::clipped(&answer.message);
    match answer.decision {
        Decision::Allow | Decision::Warn => None,
        Decision::Deny => fields::line(&json!({ "block": true, "blockReason": message })),
        Decision::Ask => fields::line(&json!({ "requireApproval": {
            "title": "CC Safety Net asks",
            "description": message,
            "severity": "critical",
            "timeoutMs": 60_000,
            "allowedDecisions": ["allow-once", "deny"],
        } })),
    }
}
