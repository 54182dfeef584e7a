//! How Cursor is connected: an entry in its `hooks.json` with `failClosed: true`, for the editor and the CLI.

use serde_json::{Value, json};

use crate::agents::setup::{Driven, Entries, Format, Limit, Node, Part, Place, Setup, Slot};

/// Cursor's.
pub const SETUP: Setup = Setup {
    flag: "--cursor",
    programs: &["cursor-agent", "cursor"],
    place: Place { variables: &[("CURSOR_CONFIG_DIR", "")], home: ".cursor" },
    parts: &[Part::Entries(Entries {
        file: "hooks.json",
        format: Format::Json,
        is_own: false,
        fixed: &[("version", 1)],
        slots: &[Slot { path: &["hooks", "preToolUse"], is_item: true, since: "", value: entry }],
    })],
    driven: Driven::NOT,
    wants: &[],
    switches: &[],
    afterwards: "Restart Cursor.",
    cannot: &[
        Limit { before: "", says: "an ask is not enforced before a tool call, so it is a refusal" },
        Limit { before: "", says: "a warning reaches nobody" },
        Limit { before: "", says: "agents in the cloud do not read this machine's file" },
    ],
    probe: Some(probe),
};

fn entry(command: &str) -> Node {
    Node::Fields(vec![("command", command.into()), ("timeout", Node::Number(30)), ("failClosed", Node::Truth(true))])
}

fn probe(command: &str, directory: &str) -> Value {
    json!({
        "conversation_id": "doctor", "generation_id": "doctor", "workspace_roots": [directory],
        "hook_event_name": "preToolUse", "tool_name": "Shell", "tool_input": { "command": command }, "cwd": directory,
    })
}
