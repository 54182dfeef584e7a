//! How Claude Code is connected: entries in its settings, each with `onFailure: "block"`, so that a missing program refuses.

use serde_json::{Value, json};

use crate::agents::setup::{Driven, Entries, Fact, Format, Is, Limit, Node, Part, Place, Setup, Slot, group};

/// Claude Code's.
pub const SETUP: Setup = Setup {
    flag: "--claude-code",
    programs: &["claude"],
    place: Place { variables: &[("CLAUDE_CONFIG_DIR", "")], home: ".claude" },
    parts: &[Part::Entries(Entries {
        file: "settings.json",
        format: Format::Json,
        is_own: false,
        fixed: &[],
        slots: &[
            Slot { path: &["hooks", "PreToolUse"], is_item: true, since: "", value: entry },
            // An older version rejects the whole file for an event that it does not know.
            Slot { path: &["hooks", "PreSkillShellCommand"], is_item: true, since: "2.1.332", value: entry },
        ],
    })],
    driven: Driven::NOT,
    wants: &[],
    switches: &[Fact {
        file: "settings.json",
        format: Format::Json,
        path: &["disableAllHooks"],
        is: Is::Truth(true),
        says: "`disableAllHooks` is on: no hook is called",
    }],
    afterwards: "Restart the sessions that are open.",
    cannot: &[
        Limit {
            before: "2.1.295",
            says: "before 2.1.295 `onFailure` is ignored: a missing program or one that takes too long lets the call run",
        },
        Limit { before: "2.1.332", says: "before 2.1.332 the shell lines inside skills are not seen" },
        Limit { before: "", says: "with `--bare` or `--safe-mode` no hook is called" },
        Limit { before: "", says: "where permissions are bypassed nobody is asked, and an ask is a refusal" },
    ],
    probe: Some(probe),
};

fn entry(command: &str) -> Node {
    group(
        Some("*"),
        vec![
            ("type", "command".into()),
            ("command", command.into()),
            ("timeout", Node::Number(30)),
            ("onFailure", "block".into()),
        ],
    )
}

fn probe(command: &str, directory: &str) -> Value {
    json!({
        "hook_event_name": "PreToolUse", "session_id": "doctor", "cwd": directory,
        "tool_name": "Bash", "tool_input": { "command": command },
    })
}
