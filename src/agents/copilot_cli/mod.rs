//! GitHub Copilot CLI, in both its dialects: camelCase with arguments in a text, and PascalCase; a flat decision out, which both
//! read. The facts are in this folder's `README.md`.

mod setup;

use serde_json::{Map, Value, json};

use super::payload::{self, Bad};
use super::{Agent, Answer, Decoded, Failing, Honours, Request, Shell, fields, patch};
use crate::model::Decision;

/// Copilot CLI, as of 1.0.101.
pub const AGENT: Agent = Agent {
    name: "copilot-cli",
    title: "GitHub Copilot CLI",
    flags: &["-cp", "--copilot-cli"],
    old_flags: &[],
    bare_flags: &["-cp", "--copilot-cli"],
    events: &["preToolUse", "PreToolUse", PERMISSION, "permissionRequest", "preMcpToolCall"],
    decode,
    encode,
    explicit: false,
    honours: Honours { ask: true, warn: true },
    fails: Failing::Closed,
    shell: Shell { tool: "bash", field: "command" },
    setup: setup::SETUP,
};

const PERMISSION: &str = "PermissionRequest";

/// The tools that run a command, in either dialect.
const TOOLS: fields::Tools = &[
    ("bash", &["command"], &[]),
    ("powershell", &["command"], &[]),
    ("Bash", &["command"], &[]),
    ("PowerShell", &["command"], &[]),
];

/// What the camelCase dialect's other events have: it names no event.
const OTHER: &[&str] = &[
    "toolResult",
    "tool_result",
    "prompt",
    "source",
    "initialPrompt",
    "reason",
    "stopReason",
    "transcriptPath",
    "agentName",
    "trigger",
    "notification_type",
    "error",
];

fn decode(bytes: &[u8]) -> Decoded {
    fields::decode(&AGENT, bytes, &[], "hook_event_name", request)
}

fn request(object: &Map<String, Value>, event: &'static str) -> Result<Option<Request>, Bad> {
    let pascal = object.contains_key("tool_name") || object.contains_key("hook_event_name");
    let (name, session) = if pascal { ("tool_name", "session_id") } else { ("toolName", "sessionId") };
    let answered = object.contains_key("toolResult") || object.contains_key("tool_result");
    if !pascal && (answered || (!object.contains_key(name) && OTHER.iter().any(|field| object.contains_key(*field)))) {
        return Ok(None);
    }
    let mut tool = payload::required_text(object, "", name)?.to_string();
    let field = match (pascal, object.contains_key("serverName")) {
        (true, _) => "tool_input",
        (false, true) => "arguments",
        (false, false) => "toolArgs",
    };
    let input = arguments(object, field, &tool)?;
    if field == "arguments" {
        tool = format!("{}-{tool}", payload::required_text(object, "", "serverName")?);
    }
    fields::check(TOOLS, &tool, &input, &format!("{field}."))?;
    let mut request = fields::request(&AGENT, event, &tool, input);
    request.call.directory = payload::directory(object, "", "cwd")?.unwrap_or_default();
    request.call.session = fields::session(object, session)?;
    Ok(Some(request))
}

/// An object, an object as JSON in a text, or the bare text of a patch.
fn arguments(object: &Map<String, Value>, field: &str, tool: &str) -> Result<Map<String, Value>, Bad> {
    let Some(Value::String(text)) = object.get(field) else { return fields::object(object, field) };
    if !text.trim_start().starts_with('{') && patch::is_patch(text) {
        if patch::files(text) == patch::Files::default() {
            return Err(Bad::NoPatch { field: field.into() });
        }
        let mut fields = Map::new();
        // Beside a shell's name a patch is a command, and judged as one.
        let name = if TOOLS.iter().any(|(shell, _, _)| *shell == tool) { AGENT.shell.field } else { "input" };
        fields.insert(name.into(), Value::String(text.clone()));
        return Ok(fields);
    }
    fields::inner_object(text, field)
}

/// The flat form: the nested one is not read in the camelCase dialect.
fn encode(answer: &Answer, event: &'static str) -> Option<String> {
    let message = fields::clipped(&answer.message);
    let decided = |decision: &str| json!({ "permissionDecision": decision, "permissionDecisionReason": message });
    let reply = match (answer.decision, event) {
        (Decision::Allow, _) | (Decision::Ask | Decision::Warn, PERMISSION | "permissionRequest") => return None,
        (Decision::Deny, PERMISSION | "permissionRequest") => json!({ "behavior": "deny", "message": message }),
        (Decision::Warn, _) => json!({ "additionalContext": message }),
        (Decision::Ask, _) => decided("ask"),
        (Decision::Deny, _) => decided("deny"),
    };
    fields::line(&reply)
}
