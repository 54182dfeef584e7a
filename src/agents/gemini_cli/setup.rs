//! How Gemini CLI is connected: an entry in its settings; it counts timeouts in milliseconds.

use serde_json::{Value, json};

use crate::agents::setup::{Driven, Entries, Fact, Format, Is, Limit, Node, Part, Place, Setup, Slot, group};

/// Gemini CLI's.
pub const SETUP: Setup = Setup {
    flag: "--gemini-cli",
    programs: &["gemini"],
    place: Place { variables: &[("GEMINI_CLI_HOME", ".gemini")], home: ".gemini" },
    parts: &[Part::Entries(Entries {
        file: "settings.json",
        format: Format::Json,
        is_own: false,
        fixed: &[],
        slots: &[Slot { path: &["hooks", "BeforeTool"], is_item: true, since: "", value: entry }],
    })],
    driven: Driven::NOT,
    wants: &[],
    switches: &[
        Fact {
            file: "settings.json",
            format: Format::Json,
            path: &["hooksConfig", "enabled"],
            is: Is::Truth(false),
            says: "`hooksConfig.enabled` is off: no hook is called",
        },
        Fact {
            file: "settings.json",
            format: Format::Json,
            path: &["hooksConfig", "disabled"],
            is: Is::Holds(NAME),
            says: "the hook is named in `hooksConfig.disabled`: it is not called",
        },
    ],
    afterwards: "Restart Gemini CLI.",
    cannot: &[
        Limit { before: "", says: "a timeout or a crash without a word lets the call run, and no setting changes that" },
        Limit { before: "", says: "nobody is asked: an ask is a refusal" },
    ],
    probe: Some(probe),
};

/// What the agent's own lists call the hook.
const NAME: &str = "cc-safety-net";

fn entry(command: &str) -> Node {
    group(
        Some("*"),
        vec![("name", NAME.into()), ("type", "command".into()), ("command", command.into()), ("timeout", Node::Number(30_000))],
    )
}

fn probe(command: &str, directory: &str) -> Value {
    json!({
        "session_id": "doctor", "transcript_path": "", "cwd": directory, "hook_event_name": "BeforeTool",
        "timestamp": "2026-01-01T00:00:00Z", "tool_name": "run_shell_command", "tool_input": { "command": command },
    })
}
