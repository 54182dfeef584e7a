//! How Amp is connected: our plugin, one file in its plugin directory.

use crate::agents::setup::{Base, Content, Driven, Folder, Limit, Part, Place, Setup};

/// Amp's.
pub const SETUP: Setup = Setup {
    flag: "--amp",
    programs: &["amp"],
    place: Place { variables: &[], home: ".config/amp" },
    parts: &[Part::Folder(Folder {
        base: Base::Agent,
        path: "plugins",
        is_shared: true,
        files: &[("cc-safety-net.ts", Content::Plugin("amp/cc-safety-net.ts"))],
    })],
    driven: Driven { ask: Some((&["plugins", "list"], "cc-safety-net")), ..Driven::NOT },
    wants: &[],
    switches: &[],
    afterwards: "Restart Amp.",
    cannot: &[
        Limit {
            before: "",
            says: "another plugin may change a call after this one has judged it: the order of plugins is not defined",
        },
        Limit { before: "", says: "threads on other machines do not have this file" },
    ],
    probe: None,
};
