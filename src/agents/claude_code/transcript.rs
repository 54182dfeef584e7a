//! Claude Code's transcripts: `projects/PROJECT/SESSION.jsonl`. An answer of the model holds its tool calls as it made them.

use serde_json::{Map, Value};

use super::AGENT;
use crate::agents::transcript::{Session, Transcript};
use crate::model::ToolCall;

/// As of 2.1.332.
pub const TRANSCRIPT: Transcript =
    Transcript { agent: &AGENT, home: ("CLAUDE_CONFIG_DIR", ".claude"), folder: "projects", context: &[], read };

fn read(line: &Map<String, Value>, session: &mut Session) -> Option<Vec<ToolCall>> {
    line.get("type")?.as_str().filter(|_| line.contains_key("sessionId") || line.contains_key("message"))?;
    session.note(line.get("cwd"), line.get("sessionId"));
    let content = line.get("message").and_then(|message| message.get("content")).and_then(Value::as_array);
    let uses = content.into_iter().flatten().filter(|part| part.get("type").and_then(Value::as_str) == Some("tool_use"));
    let call = |part: &Value| {
        let fields = part.get("input")?.as_object()?.clone();
        Some(session.call(&AGENT, part.get("name")?.as_str()?, fields))
    };
    Some(uses.filter_map(call).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_s_tool_calls_are_read() {
        let line = serde_json::json!({ "type": "assistant", "cwd": "/p", "sessionId": "s", "message": { "content": [
            { "type": "text", "text": "x" },
            { "type": "tool_use", "id": "t", "name": "Bash", "input": { "command": "ls", "description": "d" } },
            { "type": "tool_use", "id": "u", "name": "Read", "input": { "file_path": "x" } },
        ] } });
        let calls = read(line.as_object().expect("an object"), &mut Session::default()).expect("a line");
        assert_eq!((calls[0].tool.as_str(), calls[1].tool.as_str(), calls.len()), ("Bash", "Read", 2));
        assert_eq!((calls[0].directory.as_str(), &calls[0].fields["command"]), ("/p", &Value::from("ls")));
        let other = serde_json::json!({ "tool_name": "Bash" });
        assert_eq!(read(other.as_object().expect("an object"), &mut Session::default()), None);
    }
}
