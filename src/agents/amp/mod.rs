//! Amp: the plugin in `plugin/` forwards each `tool.call`. The facts are in this folder's `README.md`.

mod setup;

use serde_json::{Map, Value, json};

use super::payload::{self, Bad};
use super::{Agent, Answer, Decoded, Failing, Honours, Request, Shell, fields};
use crate::model::Decision;

/// Amp, as of the plugin interface of November 2026.
pub const AGENT: Agent = Agent {
    name: "amp",
    title: "Amp",
    flags: &[],
    old_flags: &[],
    bare_flags: &[],
    events: &["tool.call"],
    decode,
    encode,
    explicit: true,
    honours: Honours { ask: true, warn: false },
    fails: Failing::Closed,
    shell: Shell { tool: SHELL, field: "command" },
    setup: setup::SETUP,
};

/// The shell tool; what the agent's own helper reads out of any of its shell tools is judged as a call of this one.
const SHELL: &str = "shell_command";

const TOOLS: fields::Tools = &[
    (SHELL, &["command"], &["workdir"]),
    ("Read", &["path"], &[]),
    ("create_file", &["path"], &["content"]),
    ("edit_file", &["path"], &[]),
    ("read_web_page", &["url"], &[]),
];

fn decode(bytes: &[u8]) -> Decoded {
    fields::decode(&AGENT, bytes, &[], "hook_event_name", request)
}

fn request(object: &Map<String, Value>, event: &'static str) -> Result<Option<Request>, Bad> {
    let call = fields::object(object, "event")?;
    let mut tool = payload::required_text(&call, "event.", "tool")?;
    let mut input = fields::object(&call, "input")?;
    let system = fields::object(object, "system")?;
    let root = payload::directory(&system, "system.", "workspaceRoot")?.filter(|root| !root.is_empty());
    let root = root.ok_or_else(|| Bad::Missing { field: "system.workspaceRoot".into() })?;
    let mut own = None;
    // What the helper says a shell call runs, and where: the agent's shell tools have had several names and fields.
    if let Some(Value::Object(shell)) = object.get("shell") {
        let command = payload::required_text(shell, "shell.", "command")?;
        own = fields::within(&root, shell, "shell.", "dir")?;
        tool = SHELL;
        input.insert("command".into(), command.into());
    }
    fields::check(TOOLS, tool, &input, "input.")?;
    let mut request = fields::request(&AGENT, event, tool, input);
    fields::place(&mut request, own, vec![root]);
    request.call.attended = object.get("ui") == Some(&Value::Bool(true));
    if let Some(Value::Object(thread)) = call.get("thread") {
        request.call.session = fields::session(thread, "id")?;
    }
    Ok(Some(request))
}

/// The contract has no silence: an allow hands the call on to the agent's own permissions.
fn encode(answer: &Answer, _: &'static str) -> Option<String> {
    match answer.decision {
        Decision::Allow | Decision::Warn => fields::line(&json!({ "action": "allow" })),
        Decision::Ask | Decision::Deny => {
            fields::line(&json!({ "action": "reject-and-continue", "message": fields::clipped(&answer.message) }))
        }
    }
}
