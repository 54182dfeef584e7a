//! Antigravity CLI (`agy`): a `toolCall` in, a decision out. The facts are in this folder's `README.md`.
//!
//! INVARIANT (silence is empty): `{}` is a refusal here, and so is any text that is no decision.

mod setup;

use serde_json::{Map, Value, json};

use super::payload::{self, Bad};
use super::{Agent, Answer, Decoded, Failing, Honours, Request, Shell, fields};
use crate::model::Decision;

/// Antigravity CLI, as of 1.4.3.
pub const AGENT: Agent = Agent {
    name: "antigravity",
    title: "Antigravity CLI",
    flags: &["-ac", "--agy-cli"],
    old_flags: &[],
    bare_flags: &[],
    events: &["PreToolUse"],
    decode,
    encode,
    explicit: false,
    honours: Honours { ask: true, warn: false },
    fails: Failing::Closed,
    shell: Shell { tool: "run_command", field: "CommandLine" },
    setup: setup::SETUP,
};

const TOOLS: fields::Tools = &[
    ("run_command", &["CommandLine"], &["Cwd"]),
    ("view_file", &["AbsolutePath"], &[]),
    ("write_to_file", &["TargetFile"], &[]),
    ("replace_file_content", &["TargetFile"], &[]),
    ("multi_replace_file_content", &["TargetFile"], &[]),
    ("list_dir", &["DirectoryPath"], &[]),
    ("read_url_content", &["Url"], &[]),
];

/// What the other events have: the payload names no event.
const OTHER: &[&str] = &["invocationNum", "executionNum", "terminationReason"];

fn decode(bytes: &[u8]) -> Decoded {
    fields::decode(&AGENT, bytes, &[], "hookEventName", request)
}

fn request(object: &Map<String, Value>, event: &'static str) -> Result<Option<Request>, Bad> {
    // `PostToolUse` is told by its `error`, which is there even when it is empty.
    let after = object.contains_key("toolCall") && object.contains_key("error");
    if after || (!object.contains_key("toolCall") && OTHER.iter().any(|field| object.contains_key(*field))) {
        return Ok(None);
    }
    let made = fields::object(object, "toolCall")?;
    let mut tool = payload::required_text(&made, "toolCall.", "name")?.to_string();
    let mut input = match made.get("args") {
        Some(Value::Object(fields)) => fields.clone(),
        None | Some(Value::Null) => return Err(Bad::Missing { field: "toolCall.args".into() }),
        Some(other) => {
            return Err(Bad::WrongType { field: "toolCall.args".into(), wanted: "an object", found: payload::kind(other) });
        }
    };
    fields::check(TOOLS, &tool, &input, "toolCall.args.")?;
    let roots = fields::roots(object, "workspacePaths")?;
    let base = roots.first().cloned().unwrap_or_default();
    let own = fields::within(&base, &input, "toolCall.args.", "Cwd")?;
    if tool == "call_mcp_tool" {
        // Every server's tools come under one name; rules know them as server and tool.
        let server = payload::required_text(&input, "toolCall.args.", "ServerName")?;
        let name = payload::required_text(&input, "toolCall.args.", "ToolName")?;
        tool = format!("mcp__{server}__{name}");
        input = match input.get("Arguments") {
            None | Some(Value::Null) => Map::new(),
            Some(Value::Object(fields)) => fields.clone(),
            Some(Value::String(text)) => fields::inner_object(text, "toolCall.args.Arguments")?,
            Some(other) => {
                let field = "toolCall.args.Arguments".into();
                return Err(Bad::WrongType { field, wanted: "an object", found: payload::kind(other) });
            }
        };
    }
    let mut request = fields::request(&AGENT, event, &tool, input);
    fields::place(&mut request, own, roots);
    request.call.session = fields::session(object, "conversationId")?;
    Ok(Some(request))
}

/// `force_ask` asks whatever was always allowed before. An `allow` is never printed: versions disagree on what it means.
fn encode(answer: &Answer, _: &'static str) -> Option<String> {
    let decision = match answer.decision {
        Decision::Allow | Decision::Warn => return None,
        Decision::Ask => "force_ask",
        Decision::Deny => "deny",
    };
    fields::line(&json!({ "decision": decision, "reason": fields::clipped(&answer.message) }))
}
