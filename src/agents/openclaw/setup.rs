//! How OpenClaw is connected: our plugin, installed and enabled by its own commands.

use crate::agents::setup::{Base, Call, Content, Driven, FOLDER, Fact, Folder, Format, Is, Limit, Part, Place, Setup};

/// OpenClaw's.
pub const SETUP: Setup = Setup {
    flag: "--openclaw",
    programs: &["openclaw"],
    place: Place { variables: &[("OPENCLAW_STATE_DIR", "")], home: ".openclaw" },
    parts: &[Part::Folder(Folder {
        base: Base::Ours,
        path: "plugins/openclaw",
        is_shared: false,
        files: &[
            ("index.js", Content::Plugin("openclaw/index.js")),
            ("openclaw.plugin.json", Content::Text(include_str!("plugin/openclaw.plugin.json"))),
            ("package.json", Content::Text(include_str!("plugin/package.json"))),
        ],
    })],
    driven: Driven {
        connect: &[
            Call {
                arguments: &["plugins", "install", FOLDER, "--force"],
                undo: &["plugins", "uninstall", "cc-safety-net", "--force"],
                expects: "",
            },
            Call {
                arguments: &["plugins", "enable", "cc-safety-net"],
                undo: &["plugins", "disable", "cc-safety-net"],
                expects: "",
            },
            Call { arguments: &["plugins", "inspect", "cc-safety-net"], undo: &[], expects: "loaded" },
        ],
        disconnect: &[Call {
            arguments: &["plugins", "uninstall", "cc-safety-net", "--force"],
            undo: &["plugins", "install", FOLDER, "--force"],
            expects: "",
        }],
        ask: None,
    },
    wants: &[Fact {
        file: "openclaw.json",
        format: Format::Json,
        path: &["plugins", "entries", "cc-safety-net", "enabled"],
        is: Is::Truth(true),
        says: "the plugin is not enabled in `plugins.entries`",
    }],
    switches: &[Fact {
        file: "openclaw.json",
        format: Format::Json,
        path: &["plugins", "enabled"],
        is: Is::Truth(false),
        says: "`plugins.enabled` is off: no plugin is loaded",
    }],
    afterwards: "Restart the Gateway.",
    cannot: &[Limit {
        before: "",
        says: "calls on a host other than `auto` and `gateway` are refused, since nothing is known of that machine",
    }],
    probe: None,
};
