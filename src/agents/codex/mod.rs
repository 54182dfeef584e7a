//! Codex: `PreToolUse` and `PermissionRequest` in, the nested replies out. The facts are in this folder's `README.md`.
//!
//! INVARIANT (known keys only): one key that Codex does not know makes the whole reply void, and the call runs.

pub mod prefix_rules;
mod setup;
pub mod transcript;

use serde_json::{Map, Value};

use super::claude_code::{PERMISSION, nested};
use super::payload::{self, Bad};
use super::{Agent, Answer, Decoded, Failing, Honours, Request, Shell, fields, patch};
use crate::model::Decision;

/// Codex, as of 0.171.0.
pub const AGENT: Agent = Agent {
    name: "codex",
    title: "Codex",
    flags: &["-cx", "--codex"],
    old_flags: &[],
    bare_flags: &[],
    events: &["PreToolUse", PERMISSION],
    decode,
    encode,
    explicit: false,
    honours: Honours { ask: false, warn: true },
    fails: Failing::Open,
    shell: Shell { tool: "Bash", field: "command" },
    setup: setup::SETUP,
};

/// The tool whose command is a patch.
const PATCH: &str = "apply_patch";

const TOOLS: fields::Tools = &[("Bash", &["command"], &[]), (PATCH, &["command"], &[])];

fn decode(bytes: &[u8]) -> Decoded {
    fields::decode(&AGENT, bytes, &["tool_response"], "hook_event_name", request)
}

fn request(object: &Map<String, Value>, event: &'static str) -> Result<Option<Request>, Bad> {
    let tool = payload::required_text(object, "", "tool_name")?;
    let input = fields::object(object, "tool_input")?;
    fields::check(TOOLS, tool, &input, "tool_input.")?;
    let session = payload::directory(object, "", "cwd")?.unwrap_or_default();
    let directory = fields::within(&session, &input, "tool_input.", "workdir")?;
    let mut request = fields::request(&AGENT, event, tool, input);
    if tool == PATCH && request.call.fields.get(patch::FILES).is_none() {
        return Err(Bad::NoPatch { field: "tool_input.command".into() });
    }
    request.call.directory = directory.unwrap_or(session);
    // An ask makes the call run; only where a person is about to be asked anyway, silence is one.
    let mode = payload::optional_text(object, "", "permission_mode")?;
    request.call.attended = event == PERMISSION && matches!(mode, None | Some("default" | "acceptEdits" | "plan"));
    request.call.session = fields::session(object, "session_id")?;
    Ok(Some(request))
}

fn encode(answer: &Answer, event: &'static str) -> Option<String> {
    let decision = match answer.decision {
        Decision::Ask if event != PERMISSION => Decision::Deny,
        other => other,
    };
    nested(&Answer { decision, message: answer.message.clone(), aside: None }, event)
}
