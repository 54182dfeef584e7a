//! Claude Code: the payload of its `PreToolUse` event in, its nested reply out. The facts are in this folder's `README.md`.
//!
//! Every tool is judged, whatever its name: what a tool's fields do is said by the rulebooks in `rules/tools/`. Here stands
//! only which fields the agent's own tools must have to be a call at all.

pub mod permissions;
mod setup;
pub mod transcript;

use serde_json::{Map, Value, json};

use super::payload::{self, Bad};
use super::{Agent, Answer, Decoded, Failing, Honours, Request, Shell, fields};
use crate::model::Decision;

/// Claude Code, as of 2.1.332.
pub const AGENT: Agent = Agent {
    name: "claude-code",
    title: "Claude Code",
    flags: &["-cc", "--coding-cli"],
    old_flags: &["--claude-code"],
    bare_flags: &["-cc", "--claude-code"],
    events: &["PreToolUse", PERMISSION, SKILL],
    decode,
    encode,
    explicit: false,
    honours: Honours { ask: true, warn: true },
    fails: Failing::OpenUnlessConfigured,
    shell: Shell { tool: "Bash", field: "command" },
    setup: setup::SETUP,
};

/// A person is about to be asked: another reply, and an ask is silence, since the person's prompt is it.
pub const PERMISSION: &str = "PermissionRequest";
/// A shell line inside a skill, which no `PreToolUse` shows.
const SKILL: &str = "PreSkillShellCommand";

/// The agent's own tools: name, the texts that a call must have, the texts that it may have.
const TOOLS: fields::Tools = &[
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
    fields::decode(&AGENT, bytes, &["tool_response"], "hook_event_name", request)
}

fn request(object: &Map<String, Value>, event: &'static str) -> Result<Option<Request>, Bad> {
    let tool = payload::required_text(object, "", "tool_name")?;
    let input = fields::object(object, "tool_input")?;
    fields::check(TOOLS, tool, &input, "tool_input.")?;
    let mode = payload::optional_text(object, "", "permission_mode")?;
    let mut request = fields::request(&AGENT, event, tool, input);
    // The payload names no workspace: `cwd` follows the session's own `cd`.
    request.call.directory = payload::directory(object, "", "cwd")?.unwrap_or_default();
    // Inside a skill an ask keeps the line from running without asking anybody.
    request.call.attended = event != SKILL && attended(mode, tool);
    request.call.session = fields::session(object, "session_id")?;
    Ok(Some(request))
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

/// An `allow` is never printed: it would take away the person's own prompt.
fn encode(answer: &Answer, event: &'static str) -> Option<String> {
    let mut reply = reply(answer, event)?;
    // Shown to the user, and not to the model.
    if let Some(aside) = &answer.aside {
        reply["systemMessage"] = fields::clipped(aside).into();
    }
    fields::line(&reply)
}

/// The nested replies, which some other agents read as well.
pub fn nested(answer: &Answer, event: &'static str) -> Option<String> {
    fields::line(&reply(answer, event)?)
}

fn reply(answer: &Answer, event: &'static str) -> Option<Value> {
    let message = fields::clipped(&answer.message);
    let decided = |decision: &str| {
        json!({ "hookSpecificOutput": {
            "hookEventName": event, "permissionDecision": decision, "permissionDecisionReason": message,
        } })
    };
    Some(match (answer.decision, event) {
        (Decision::Allow, _) => return None,
        (Decision::Warn | Decision::Ask, PERMISSION) | (Decision::Warn, SKILL) => json!({ "systemMessage": message }),
        (Decision::Deny, PERMISSION) => {
            let decision = json!({ "behavior": "deny", "message": message });
            json!({ "hookSpecificOutput": { "hookEventName": event, "decision": decision } })
        }
        (Decision::Warn, _) => json!({
            "systemMessage": message,
            "hookSpecificOutput": { "hookEventName": event, "additionalContext": message },
        }),
        (Decision::Ask, _) => decided("ask"),
        (Decision::Deny, _) => decided("deny"),
    })
}
