//! How Copilot CLI is connected: a file of our own among its hooks.

use serde_json::{Value, json};

use crate::agents::setup::{Driven, Entries, Fact, Format, Is, Limit, Node, Part, Place, Setup, Slot};

/// Copilot CLI's.
pub const SETUP: Setup = Setup {
    flag: "--copilot-cli",
    programs: &["copilot"],
    place: Place { variables: &[("COPILOT_HOME", "")], home: ".copilot" },
    parts: &[Part::Entries(Entries {
        file: "hooks/cc-safety-net.json",
        format: Format::Json,
        is_own: true,
        fixed: &[("version", 1)],
        slots: &[Slot { path: &["hooks", "preToolUse"], is_item: true, since: "", value: entry }],
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
    afterwards: "Restart Copilot CLI.",
    cannot: &[
        Limit { before: "", says: "after a timeout of 30 seconds the call runs; any other failure refuses it" },
        Limit { before: "", says: "where nobody can answer, an ask is a refusal" },
    ],
    probe: Some(probe),
};

fn entry(command: &str) -> Node {
    // PowerShell takes a quoted word for a text, unless it is told to call it.
    let powershell = format!("& {command}");
    Node::Fields(vec![
        ("type", "command".into()),
        ("bash", command.into()),
        ("powershell", powershell.as_str().into()),
        ("timeoutSec", Node::Number(30)),
    ])
}

fn probe(command: &str, directory: &str) -> Value {
    json!({
        "sessionId": "doctor", "timestamp": 1, "cwd": directory, "toolName": "bash",
        "toolArgs": json!({ "command": command }).to_string(),
    })
}
