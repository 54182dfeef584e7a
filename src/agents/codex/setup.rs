//! How Codex is connected: an entry in its `hooks.json`, which a person accepts once in `/hooks`.

use serde_json::{Value, json};

use crate::agents::setup::{Driven, Entries, Fact, Format, Is, Limit, Node, Part, Place, Setup, Slot, group};

/// Codex's.
pub const SETUP: Setup = Setup {
    flag: "--codex",
    programs: &["codex"],
    place: Place { variables: &[("CODEX_HOME", "")], home: ".codex" },
    parts: &[Part::Entries(Entries {
        file: "hooks.json",
        format: Format::Json,
        is_own: false,
        fixed: &[],
        slots: &[Slot { path: &["hooks", "PreToolUse"], is_item: true, since: "", value: entry }],
    })],
    driven: Driven::NOT,
    wants: &[],
    switches: &[
        Fact {
            file: "config.toml",
            format: Format::Toml,
            path: &["features", "hooks"],
            is: Is::Truth(false),
            says: "`features.hooks` is off: no hook is called",
        },
        Fact {
            file: "config.toml",
            format: Format::Toml,
            path: &["features", "codex_hooks"],
            is: Is::Truth(false),
            says: "`features.codex_hooks` is off: no hook is called",
        },
    ],
    afterwards: "Start Codex, open `/hooks` and accept the entry: until then Codex skips it.",
    cannot: &[
        Limit { before: "", says: "a missing program, a crash or a timeout lets the call run, and no setting changes that" },
        Limit { before: "", says: "an entry that nobody accepted in `/hooks` is skipped, and its file does not say so" },
        Limit { before: "", says: "nobody is asked: an ask is a refusal" },
        Limit { before: "", says: "a command's own directory and what is typed into a running process are not shown to hooks" },
    ],
    probe: Some(probe),
};

fn entry(command: &str) -> Node {
    group(Some("*"), vec![("type", "command".into()), ("command", command.into()), ("timeout", Node::Number(30))])
}

fn probe(command: &str, directory: &str) -> Value {
    json!({
        "session_id": "doctor", "turn_id": "doctor", "transcript_path": null, "cwd": directory, "model": "",
        "permission_mode": "default", "hook_event_name": "PreToolUse", "tool_name": "Bash",
        "tool_input": { "command": command }, "tool_use_id": "doctor",
    })
}
