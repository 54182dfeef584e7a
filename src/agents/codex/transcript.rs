//! Codex's transcripts: `sessions/YYYY/MM/DD/rollout-….jsonl`. A line has a `type` and a `payload`; the working directory is said
//! by the lines `session_meta` and `turn_context`, for those after them.

use serde_json::{Map, Value, json};

use super::{AGENT, PATCH};
use crate::agents::transcript::{Session, Transcript};
use crate::explain::words::shell_quoted;
use crate::model::{ToolCall, path};

/// As of 0.171.0.
pub const TRANSCRIPT: Transcript = Transcript {
    agent: &AGENT,
    home: ("CODEX_HOME", ".codex"),
    folder: "sessions",
    context: &["\"session_meta\"", "\"turn_context\""],
    read,
};

fn read(line: &Map<String, Value>, session: &mut Session) -> Option<Vec<ToolCall>> {
    let kind = line.get("type")?.as_str()?;
    let payload = line.get("payload")?.as_object()?;
    match kind {
        "session_meta" | "turn_context" => session.note(payload.get("cwd"), payload.get("id")),
        "response_item" => return Some(call(payload, session).into_iter().collect()),
        _ => {}
    }
    Some(Vec::new())
}

fn call(item: &Map<String, Value>, session: &Session) -> Option<ToolCall> {
    let text = |name: &str| item.get(name).and_then(Value::as_str);
    let (name, fields) = match text("type")? {
        "function_call" => (text("name")?, serde_json::from_str(text("arguments")?).ok()?),
        "custom_tool_call" => (text("name")?, json!({ "command": text("input")? })),
        "local_shell_call" => (AGENT.shell.tool, item.get("action")?.clone()),
        _ => return None,
    };
    let Value::Object(mut fields) = fields else { return None };
    let command = fields.remove("command").or_else(|| fields.remove("cmd"));
    let directory = fields.remove("workdir").or_else(|| fields.remove("working_directory"));
    let mut session = session.clone();
    if let Some(directory) = directory.as_ref().and_then(Value::as_str).filter(|text| !text.is_empty()) {
        session.directory = path::join(&session.directory, directory);
    }
    let command = match command {
        Some(Value::String(text)) => text,
        Some(Value::Array(words)) => script(&words)?,
        _ => return Some(session.call(&AGENT, name, fields)),
    };
    // The hook announces every shell under one name.
    let tool = if name == PATCH || name.starts_with("mcp__") { name } else { AGENT.shell.tool };
    let fields = Map::from_iter([(AGENT.shell.field.to_string(), Value::String(command))]);
    Some(session.call(&AGENT, tool, fields))
}

/// An argument vector as a script: what a shell is told to run, else the words.
fn script(words: &[Value]) -> Option<String> {
    let words: Vec<&str> = words.iter().map(Value::as_str).collect::<Option<_>>()?;
    match words.as_slice() {
        [_, "-c" | "-lc", script] => Some(script.to_string()),
        words => Some(words.iter().map(|word| shell_quoted(word)).collect::<Vec<_>>().join(" ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_of_call_is_read() {
        let mut session = Session::default();
        let mut calls = Vec::new();
        for (kind, payload) in [
            ("session_meta", json!({ "id": "s", "cwd": "/p" })),
            ("event_msg", json!({ "type": "token_count" })),
            (
                "response_item",
                json!({ "type": "function_call", "name": "shell",
                "arguments": r#"{"command":["bash","-lc","ls | wc"],"workdir":"src"}"# }),
            ),
            (
                "response_item",
                json!({ "type": "function_call", "name": "exec_command", "arguments": r#"{"cmd":"git status"}"# }),
            ),
            ("response_item", json!({ "type": "local_shell_call", "action": { "command": ["rm", "a b"] } })),
            ("response_item", json!({ "type": "custom_tool_call", "name": "apply_patch", "input": "*** Begin Patch" })),
            ("response_item", json!({ "type": "message", "role": "user" })),
        ] {
            let line = json!({ "type": kind, "payload": payload });
            calls.extend(read(line.as_object().expect("an object"), &mut session).expect("a line"));
        }
        let said: Vec<(&str, &str, &str)> = calls
            .iter()
            .map(|call| (call.tool.as_str(), call.fields["command"].as_str().unwrap_or_default(), call.directory.as_str()))
            .collect();
        assert_eq!(
            said,
            [
                ("Bash", "ls | wc", "/p/src"),
                ("Bash", "git status", "/p"),
                ("Bash", "rm 'a b'", "/p"),
                ("apply_patch", "*** Begin Patch", "/p"),
            ]
        );
    }
}
