//! How Grok Build is connected: a file of our own among its hooks.

use serde_json::{Value, json};

use crate::agents::setup::{Driven, Entries, Format, Limit, Node, Part, Place, Setup, Slot, group};

/// Grok Build's.
pub const SETUP: Setup = Setup {
    flag: "--grok-build",
    programs: &["grok"],
    place: Place { variables: &[("GROK_HOME", "")], home: ".grok" },
    parts: &[Part::Entries(Entries {
        file: "hooks/cc-safety-net.json",
        format: Format::Json,
        is_own: true,
        fixed: &[],
        slots: &[Slot { path: &["hooks", "PreToolUse"], is_item: true, since: "", value: entry }],
    })],
    driven: Driven::NOT,
    wants: &[],
    switches: &[],
    afterwards: "Restart Grok Build.",
    cannot: &[
        Limit { before: "", says: "what becomes of a call when the hook breaks is not known; taken as: it runs" },
        Limit { before: "", says: "nobody is asked: an ask is a refusal; a warning reaches nobody" },
    ],
    probe: Some(probe),
};

fn entry(command: &str) -> Node {
    group(None, vec![("type", "command".into()), ("command", command.into()), ("timeout", Node::Number(30))])
}

fn probe(command: &str, directory: &str) -> Value {
    json!({
        "sessionId": "doctor", "workspaceRoot": directory, "cwd": directory, "toolName": "run_terminal_command",
        "toolInput": { "command": command }, "toolInputTruncated": false,
    })
}
