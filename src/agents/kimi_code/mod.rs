//! Kimi Code: `PreToolUse` in, a nested refusal or silence out. The facts are in this folder's `README.md`.

mod setup;

use serde_json::{Map, Value};

use super::claude_code::nested;
use super::payload::{self, Bad};
use super::{Agent, Answer, Decoded, Failing, Honours, Request, Shell, fields};
use crate::model::Decision;

/// Kimi Code, as of 2.1.0.
pub const AGENT: Agent = Agent {
    name: "kimi-code",
    title: "Kimi Code",
    flags: &["-kc", "--kimi-code"],
    old_flags: &[],
    bare_flags: &[],
    events: &["PreToolUse", OBSERVED],
    decode,
    encode,
    explicit: false,
    honours: Honours { ask: false, warn: false },
    fails: Failing::Open,
    shell: Shell { tool: "Bash", field: "command" },
    setup: setup::SETUP,
};

/// A person is about to be asked. The agent takes no answer here; a refusal is written all the same, in the one form it knows.
const OBSERVED: &str = "PermissionRequest";

const TOOLS: fields::Tools = &[
    ("Bash", &["command"], &[]),
    ("Read", &["path"], &[]),
    ("Write", &["path"], &["content"]),
    ("Edit", &["path"], &[]),
    ("Grep", &["pattern"], &["path"]),
    ("Glob", &["pattern"], &["path"]),
    ("FetchURL", &["url"], &[]),
];

fn decode(bytes: &[u8]) -> Decoded {
    fields::decode(&AGENT, bytes, &["tool_output", "display"], "hook_event_name", request)
}

fn request(object: &Map<String, Value>, event: &'static str) -> Result<Option<Request>, Bad> {
    let tool = payload::required_text(object, "", "tool_name")?;
    let input = fields::object(object, "tool_input")?;
    fields::check(TOOLS, tool, &input, "tool_input.")?;
    let session = payload::directory(object, "", "cwd")?.unwrap_or_default();
    let own = fields::within(&session, &input, "tool_input.", "cwd")?;
    let workdir = fields::within(&session, &input, "tool_input.", "workdir")?;
    let mut request = fields::request(&AGENT, event, tool, input);
    // A call's own directory must lie inside the session's.
    if let (Some(_), false) = (own.as_ref().or(workdir.as_ref()), session.is_empty()) {
        request.roots = vec![session.clone()];
    }
    request.call.directory = own.or(workdir).unwrap_or(session);
    request.call.attended = event == OBSERVED;
    request.call.session = fields::session(object, "session_id")?;
    Ok(Some(request))
}

fn encode(answer: &Answer, event: &'static str) -> Option<String> {
    match answer.decision {
        Decision::Allow | Decision::Warn => None,
        Decision::Ask if event == OBSERVED => None,
        Decision::Ask | Decision::Deny => {
            let refusal = Answer { decision: Decision::Deny, message: answer.message.clone(), aside: None };
            // The only form that is read, whatever the event.
            nested(&refusal, AGENT.events[0])
        }
    }
}
