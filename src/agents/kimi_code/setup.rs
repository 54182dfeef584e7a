//! How Kimi Code is connected: a `[[hooks]]` table in its configuration, with no key but the four that it knows.

use serde_json::{Value, json};

use crate::agents::setup::{Driven, Entries, Format, Limit, Node, Part, Place, Setup, Slot};

/// Kimi Code's.
pub const SETUP: Setup = Setup {
    flag: "--kimi-code",
    programs: &["kimi", "kimi-code"],
    place: Place { variables: &[("KIMI_CODE_HOME", "")], home: ".kimi-code" },
    parts: &[Part::Entries(Entries {
        file: "config.toml",
        format: Format::Toml,
        is_own: false,
        fixed: &[],
        slots: &[Slot { path: &["hooks"], is_item: true, since: "", value: entry }],
    })],
    driven: Driven::NOT,
    wants: &[],
    switches: &[],
    afterwards: "Restart Kimi Code.",
    cannot: &[
        Limit { before: "", says: "a missing program, a crash or a timeout lets the call run, and no setting changes that" },
        Limit { before: "", says: "nobody is asked: an ask is a refusal; a warning reaches nobody" },
    ],
    probe: Some(probe),
};

fn entry(command: &str) -> Node {
    Node::Fields(vec![("event", "PreToolUse".into()), ("command", command.into()), ("timeout", Node::Number(30))])
}

fn probe(command: &str, directory: &str) -> Value {
    json!({
        "hook_event_name": "PreToolUse", "session_id": "doctor", "cwd": directory,
        "tool_name": "Bash", "tool_input": { "command": command }, "tool_call_id": "doctor",
    })
}
