//! What the unit tests of this room share.

use crate::model::{Call, Text, ToolCall};

/// A shell call of which nothing was read yet.
pub(super) fn call(command: &str) -> Call {
    Call {
        tool: ToolCall {
            agent: "claude-code".into(),
            tool: "Bash".into(),
            fields: serde_json::json!({ "command": command }),
            directory: "/home/me/project".into(),
            workspace: None,
            attended: true,
            session: String::new(),
        },
        texts: vec![Text { name: "command".into(), text: command.into() }],
        runs: Vec::new(),
        effects: Vec::new(),
        unparsed: Vec::new(),
        limits: Vec::new(),
        notes: Vec::new(),
        changes: Vec::new(),
    }
}
