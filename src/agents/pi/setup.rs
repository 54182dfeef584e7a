//! How Pi is connected: our package, a folder among its extensions.

use crate::agents::setup::{Base, Content, Driven, Folder, Limit, Part, Place, Setup};

/// Pi's.
pub const SETUP: Setup = Setup {
    flag: "--pi",
    programs: &["pi"],
    place: Place { variables: &[("PI_CODING_AGENT_DIR", "")], home: ".pi/agent" },
    parts: &[Part::Folder(Folder {
        base: Base::Agent,
        path: "extensions/cc-safety-net",
        is_shared: false,
        files: &[
            ("index.js", Content::Plugin("pi/index.js")),
            ("package.json", Content::Text(include_str!("plugin/package.json"))),
        ],
    })],
    driven: Driven::NOT,
    wants: &[],
    switches: &[],
    afterwards: "Restart Pi, or type `/reload`.",
    cannot: &[
        Limit { before: "", says: "an extension that does not load is skipped with a warning: Pi then runs without a guard" },
        Limit { before: "", says: "commands that a person types with `!` are not judged" },
    ],
    probe: None,
};
