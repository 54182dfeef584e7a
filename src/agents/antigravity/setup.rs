//! How Antigravity CLI is connected: a named hook in the global `hooks.json`.

use serde_json::{Value, json};

use crate::agents::setup::{Driven, Entries, Format, Limit, Node, Part, Place, Setup, Slot, group};

/// Antigravity CLI's.
pub const SETUP: Setup = Setup {
    flag: "--agy-cli",
    programs: &["agy"],
    place: Place { variables: &[], home: ".gemini/config" },
    parts: &[Part::Entries(Entries {
        file: "hooks.json",
        format: Format::Json,
        is_own: false,
        fixed: &[],
        slots: &[Slot { path: &["cc-safety-net"], is_item: false, since: "", value: entry }],
    })],
    driven: Driven::NOT,
    wants: &[],
    switches: &[],
    afterwards: "Restart the CLI, or open `/hooks`, which reads the file again.",
    cannot: &[
        Limit { before: "", says: "what becomes of a call after a timeout is not documented" },
        Limit { before: "", says: "a warning reaches nobody" },
        Limit { before: "", says: "versions disagree on whether the model sees the reason of a refusal" },
    ],
    probe: Some(probe),
};

fn entry(command: &str) -> Node {
    let handler = vec![("type", "command".into()), ("command", command.into()), ("timeout", Node::Number(30))];
    Node::Fields(vec![("PreToolUse", Node::List(vec![group(None, handler)]))])
}

fn probe(command: &str, directory: &str) -> Value {
    json!({
        "conversationId": "doctor", "workspacePaths": [directory], "stepIdx": 1,
        "toolCall": { "name": "run_command", "args": { "CommandLine": command, "Cwd": directory } },
    })
}
