//! How OpenCode is connected: our plugin, a file in its plugin directory.

use crate::agents::setup::{Base, Content, Driven, Folder, Limit, Part, Place, Setup};

/// OpenCode's.
pub const SETUP: Setup = Setup {
    flag: "--opencode",
    programs: &["opencode"],
    place: Place { variables: &[("OPENCODE_CONFIG_DIR", ""), ("XDG_CONFIG_HOME", "opencode")], home: ".config/opencode" },
    parts: &[Part::Folder(Folder {
        base: Base::Agent,
        path: "plugin",
        is_shared: true,
        files: &[("cc-safety-net.js", Content::From("2.0", "opencode/v2.js", "opencode/index.js"))],
    })],
    driven: Driven::NOT,
    wants: &[],
    switches: &[],
    afterwards: "Restart OpenCode.",
    cannot: &[
        Limit { before: "", says: "nobody is asked: an ask is a refusal; a warning reaches nobody" },
        Limit {
            before: "",
            says: "version 2 has another form of plugin; which one is written goes by what `opencode --version` says",
        },
    ],
    probe: None,
};
