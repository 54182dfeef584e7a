//! How Hermes Agent is connected: our Python plugin, which turns every failure into a block, enabled by its own command.

use serde_json::{Value, json};

use crate::agents::setup::{Base, Call, Content, Driven, Fact, Folder, Format, Is, Limit, Part, Place, Setup};

/// Hermes Agent's.
pub const SETUP: Setup = Setup {
    flag: "--hermes-agent",
    programs: &["hermes"],
    place: Place { variables: &[("HERMES_HOME", "")], home: ".hermes" },
    parts: &[Part::Folder(Folder {
        base: Base::Agent,
        path: "plugins/cc-safety-net",
        is_shared: false,
        files: &[
            ("__init__.py", Content::Text(include_str!("plugin/__init__.py"))),
            ("plugin.yaml", Content::Text(include_str!("plugin/plugin.yaml"))),
        ],
    })],
    driven: Driven {
        connect: &[Call {
            arguments: &["plugins", "enable", "cc-safety-net", "--no-allow-tool-override"],
            undo: &["plugins", "disable", "cc-safety-net"],
            expects: "",
        }],
        disconnect: &[Call {
            arguments: &["plugins", "disable", "cc-safety-net"],
            undo: &["plugins", "enable", "cc-safety-net", "--no-allow-tool-override"],
            expects: "",
        }],
        ask: None,
    },
    wants: &[Fact {
        file: "config.yaml",
        format: Format::Yaml,
        path: &["plugins", "enabled"],
        is: Is::Holds("cc-safety-net"),
        says: "the plugin is not in `plugins.enabled`: it is not loaded",
    }],
    switches: &[],
    afterwards: "Restart Hermes.",
    cannot: &[
        Limit { before: "", says: "with `HERMES_SAFE_MODE=1` no plugin is loaded" },
        Limit { before: "", says: "only `terminal`, `write_file`, `patch` and `read_file` are judged" },
        Limit { before: "", says: "a warning reaches nobody" },
    ],
    probe: Some(probe),
};

fn probe(command: &str, directory: &str) -> Value {
    json!({
        "hook_event_name": "pre_tool_call", "tool_name": "terminal", "tool_input": { "command": command },
        "session_id": "doctor", "cwd": directory,
    })
}
