//! Claude Code: the payload of its `PreToolUse` event in, its nested reply out. The facts are in this folder's `README.md`.
//!
//! Every tool is judged, whatever its name: what a tool's fields do is said by the rulebooks in `rules/tools/`. Here stands
//! only which fields the agent's own tools must have to be a call at all.

use serde::Serialize;
use serde_json::{Map, Value};

use super::payload::{self, Bad};
use super::{Agent, Answer, Decoded, Failing, Honours, Shell};
use crate::model::{Decision, ToolCall};

/// Claude Code, as of 2.1.332.
pub const AGENT: Agent = Agent {
    name: "claude-code",
    title: "Claude Code",
    flags: &["-cc", "--coding-cli"],
    old_flags: &["--claude-code"],
    bare_flags: &["-cc", "--claude-code"],
    decode,
    encode,
    honours: Honours { ask: true, warn: true },
    fails: Failing::OpenUnlessConfigured,
    shell: Shell { tool: "Bash", field: "command" },
};

/// The event that is judged.
const EVENT: &str = "PreToolUse";

/// Output above 10,000 characters is moved to a file by the agent, and the model sees a preview only.
const MESSAGE_LIMIT: usize = 8_000;

/// The refusal of a message that cannot be written as JSON. Texts always can.
const UNWRITABLE: &str = r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"BLOCKED by CC Safety Net: the reason could not be written."}}"#;

/// The agent's own tools: name, the texts that a call must have, the texts that it may have.
const TOOLS: &[(&str, &[&str], &[&str])] = &[
    ("Bash", &["command"], &[]),
    ("PowerShell", &["command"], &[]),
    ("Monitor", &[], &["command"]),
    ("Read", &["file_path"], &[]),
    ("Write", &["file_path"], &["content"]),
    ("Edit", &["file_path"], &["old_string", "new_string"]),
    ("MultiEdit", &["file_path"], &[]),
    ("NotebookEdit", &["notebook_path"], &["new_source"]),
    ("Grep", &["pattern"], &["path", "glob"]),
    ("Glob", &["pattern"], &["path"]),
    ("WebFetch", &["url"], &["prompt"]),
];

/// The tools whose ask is shown to a person in the `auto` mode, too.
const SHELLS: &[&str] = &["Bash", "PowerShell"];

fn decode(bytes: &[u8]) -> Decoded {
    let read = payload::object(bytes, &["tool_response"]).and_then(|object| call(&object));
    match read {
        Ok(Some(call)) => Decoded::Call(Box::new(call)),
        Ok(None) => Decoded::NotOurs,
        Err(bad) => Decoded::Bad(bad),
    }
}

fn call(object: &Map<String, Value>) -> Result<Option<ToolCall>, Bad> {
    // A payload without an event is judged: a host that forgets to name it must not switch the guard off.
    if payload::optional_text(object, "", "hook_event_name")?.is_some_and(|event| event != EVENT) {
        return Ok(None);
    }
    let tool = payload::required_text(object, "", "tool_name")?;
    let fields = match object.get("tool_input") {
        None | Some(Value::Null) => return Err(Bad::Missing { field: "tool_input".into() }),
        Some(Value::Object(fields)) => fields,
        Some(other) => {
            return Err(Bad::WrongType { field: "tool_input".into(), wanted: "an object", found: payload::kind(other) });
        }
    };
    if let Some((_, required, optional)) = TOOLS.iter().find(|(name, _, _)| *name == tool) {
        for field in *required {
            payload::required_text(fields, "tool_input.", field)?;
        }
        for field in *optional {
            payload::optional_text(fields, "tool_input.", field)?;
        }
    }
    let mode = payload::optional_text(object, "", "permission_mode")?;
    Ok(Some(ToolCall {
        agent: AGENT.name.into(),
        tool: tool.into(),
        fields: Value::Object(fields.clone()),
        directory: payload::directory(object, "", "cwd")?.unwrap_or_default(),
        // The payload names no workspace: `cwd` follows the session's own `cd`.
        workspace: None,
        attended: attended(mode, tool),
        session: payload::optional_text(object, "", "session_id")?.unwrap_or_default().into(),
    }))
}

/// Whether a person sees an ask. With permissions bypassed the agent drops it and runs the call; where it was told not to
/// ask, it refuses without our words. In the `auto` mode an ask is shown for a shell command, and passes unseen for the file
/// tools. A mode that nobody has heard of is taken as one in which nobody answers.
fn attended(mode: Option<&str>, tool: &str) -> bool {
    match mode {
        None | Some("default" | "acceptEdits" | "plan") => true,
        Some("auto") => SHELLS.contains(&tool),
        Some(_) => false,
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Reply<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    system_message: Option<&'a str>,
    hook_specific_output: Output<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Output<'a> {
    hook_event_name: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    permission_decision: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    permission_decision_reason: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    additional_context: Option<&'a str>,
}

/// An `allow` is never printed: it would take away the person's own prompt.
fn encode(answer: &Answer) -> Option<String> {
    let message = clipped(&answer.message);
    let decision = match answer.decision {
        Decision::Allow => return None,
        Decision::Warn => None,
        Decision::Ask => Some("ask"),
        Decision::Deny => Some("deny"),
    };
    let warning = decision.is_none().then_some(message);
    let reply = Reply {
        system_message: warning,
        hook_specific_output: Output {
            hook_event_name: EVENT,
            permission_decision: decision,
            permission_decision_reason: decision.map(|_| message),
            additional_context: warning,
        },
    };
    // INVARIANT (no silent fault): only an allow is silence, so what cannot be written is refused.
    Some(serde_json::to_string(&reply).unwrap_or_else(|_| UNWRITABLE.into()))
}

fn clipped(message: &str) -> &str {
    message.char_indices().nth(MESSAGE_LIMIT).map_or(message, |(cut, _)| &message[..cut])
}
