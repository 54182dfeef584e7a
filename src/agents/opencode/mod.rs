//! OpenCode, versions 1 and 2: the plugin in `plugin/` forwards each call before it is executed. The facts are in this folder's
//! `README.md`.

mod setup;

use serde_json::{Map, Value, json};

use super::payload::{self, Bad};
use super::{Agent, Answer, Decoded, Failing, Honours, Request, Shell, fields};
use crate::model::Decision;

/// OpenCode, as of 1.18.33 and 2.0.26.
pub const AGENT: Agent = Agent {
    name: "opencode",
    title: "OpenCode",
    flags: &[],
    old_flags: &[],
    bare_flags: &[],
    events: &["tool.execute.before", NEWER],
    decode,
    encode,
    explicit: false,
    honours: Honours { ask: false, warn: false },
    fails: Failing::Closed,
    shell: Shell { tool: "bash", field: "command" },
    setup: setup::SETUP,
};

/// Version 2's name of the event.
const NEWER: &str = "execute.before";

const TOOLS: fields::Tools = &[
    ("bash", &["command"], &["workdir"]),
    ("shell", &["command"], &["workdir"]),
    ("read", &[], &["filePath", "path"]),
    ("write", &[], &["filePath", "path", "content"]),
    ("edit", &[], &["filePath", "path"]),
    ("grep", &["pattern"], &["path"]),
    ("glob", &["pattern"], &["path"]),
    ("webfetch", &["url"], &[]),
    ("apply_patch", &["patchText"], &[]),
];

fn decode(bytes: &[u8]) -> Decoded {
    fields::decode(&AGENT, bytes, &[], "hook_event_name", request)
}

fn request(object: &Map<String, Value>, event: &'static str) -> Result<Option<Request>, Bad> {
    let (call, input) = if event == NEWER {
        let call = fields::object(object, "event")?;
        let input = fields::object(&call, "input")?;
        (call, input)
    } else {
        (fields::object(object, "input")?, fields::object(&fields::object(object, "output")?, "args")?)
    };
    let tool = payload::required_text(&call, "input.", "tool")?;
    fields::check(TOOLS, tool, &input, "args.")?;
    let plugin = fields::object(object, "plugin")?;
    let session = payload::directory(&plugin, "plugin.", "directory")?.unwrap_or_default();
    let own = fields::within(&session, &input, "args.", "workdir")?;
    let mut request = fields::request(&AGENT, event, tool, input);
    request.call.directory = own.unwrap_or(session);
    request.call.session = fields::session(&call, "sessionID")?;
    Ok(Some(request))
}

/// The agent refuses a call whose hook throws: the plugin throws the message.
fn encode(answer: &Answer, _: &'static str) -> Option<String> {
    match answer.decision {
        Decision::Allow | Decision::Warn => None,
        Decision::Ask | Decision::Deny => fields::line(&json!({ "block": true, "message": fields::clipped(&answer.message) })),
    }
}
