//! A document edited in its own format.

use super::{json, toml};
use crate::agents::Agent;
use crate::agents::setup::{Entries, Format, Slot, is_at_least};

/// What an agent's entries are to say.
#[derive(Debug, Clone, Copy)]
pub struct Wanted<'a> {
    /// Whose entries.
    pub agent: &'a Agent,
    /// The command line that they call.
    pub command: &'a str,
    /// The agent's version, where it is known.
    pub version: Option<&'a str>,
}

impl Wanted<'_> {
    /// Whether the agent is known to read this place.
    pub fn reads(&self, slot: &Slot) -> bool {
        slot.since.is_empty() || self.version.is_some_and(|version| is_at_least(version, slot.since))
    }
}

/// The text with our entries in it; or why that cannot be, as a phrase.
pub fn connect(text: &str, entries: &Entries, wanted: Wanted) -> Result<String, String> {
    match entries.format {
        Format::Json => json::connect(text, entries, wanted),
        Format::Toml => toml::connect(text, entries, wanted),
        Format::Yaml => Err("YAML is not edited".into()),
    }
}

/// The text without our entries.
pub fn disconnect(text: &str, entries: &Entries, agent: &Agent) -> Result<String, String> {
    match entries.format {
        Format::Json => json::disconnect(text, entries.slots, agent),
        Format::Toml => toml::disconnect(text, entries.slots, agent),
        Format::Yaml => Err("YAML is not edited".into()),
    }
}
