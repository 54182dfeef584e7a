//! The plugins that hold the engine, as the build script found them in `target/plugins/`; none where nobody built them.
//!
//! Every plugin has the same engine in it, as text. The build script keeps it once, and a short word in its place.

/// Stands in a plugin where the engine is.
const ENGINE: &str = "@cc-safety-net-engine@";

include!(concat!(env!("OUT_DIR"), "/plugins.rs"));

/// The text of a plugin's file, named `AGENT/FILE`; `None` where this build has none.
pub fn text(name: &str) -> Option<String> {
    let (_, text) = PLUGINS.iter().find(|(known, _)| *known == name)?;
    Some(text.replace(ENGINE, MODULE))
}

/// Whether this build carries plugins.
pub fn are_there() -> bool {
    !PLUGINS.is_empty()
}
