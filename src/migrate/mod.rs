//! Rules of elsewhere → rulebooks and settings of here, with a list of what could not be said.
//!
//! In comes a text, what it is is told by its shape; out come drafts of rulebooks ([`Migrated`]), which `rule migrate` checks and
//! whose examples it tries. A reader of a format that belongs to an agent stands in that agent's folder; the others are here, one
//! file for each.

mod inline;
mod packs;
mod policy;
mod render;
mod rulebook;
mod sources;

use serde_json::Value;

use crate::agents::permissions::READERS;
pub use crate::agents::permissions::{Ported, PortedRule, Unsaid};
pub use render::{name, names, text};

/// A rulebook to be.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Draft {
    /// Its name.
    pub name: String,
    /// Its version, three numbers.
    pub version: String,
    /// What it is for.
    pub about: String,
    /// Items that are no rules, each on lines of its own.
    pub items: Vec<String>,
    /// Its rules.
    pub rules: Vec<PortedRule>,
}

/// What became of one file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Migrated {
    /// What the file was.
    pub format: &'static str,
    /// Rulebooks.
    pub drafts: Vec<Draft>,
    /// Lines of `policy.yaml`.
    pub settings: Vec<String>,
    /// Rules that its overrides switch off.
    pub off: Vec<String>,
    /// Rulebooks that the file names: they are read beside it.
    pub sources: Vec<String>,
    /// Changes of rules of those: the rulebook, the rule, what becomes of it.
    pub replaced: Vec<Replaced>,
    /// What could not be said.
    pub unsaid: Vec<Unsaid>,
}

/// A change of one rule of another rulebook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replaced {
    /// The rulebook.
    pub rulebook: String,
    /// The rule.
    pub rule: String,
    /// Its reason from now on; none switches it off.
    pub reason: Option<String>,
    /// What the agent should do from now on.
    pub intent: Option<crate::model::rule::Intent>,
    /// Where it stood.
    pub at: String,
}

/// Reads a file by its shape. `base` is its name without folder and ending.
pub fn read(text: &str, base: &str) -> Result<Migrated, String> {
    let of_agents = READERS.iter().find_map(|(format, read)| Some((*format, read(text)?)));
    if let Some((format, ported)) = of_agents {
        return Ok(of_agent(format, base, ported));
    }
    let document: Value = match serde_json::from_str(text) {
        Ok(document) => document,
        Err(json) => match serde_yaml::from_str::<Value>(text) {
            Ok(document) if document.is_object() => document,
            _ => return Err(format!("neither JSON nor a format that is known: {json}")),
        },
    };
    let has = |name: &str| document.get(name).is_some();
    if has("rulebook_version") {
        Ok(rulebook::read(&document))
    } else if has("destructive_patterns") || has("safe_patterns") {
        Ok(packs::read(&document))
    } else if ["safety", "workflow", "destructive_command_protection", "secret_protection"].into_iter().any(has) {
        Ok(policy::read(&document))
    } else if document.get("rules").and_then(Value::as_array).is_some_and(|rules| rules.iter().any(Value::is_object)) {
        Ok(inline::read(&document, base))
    } else if has("rules") || has("overrides") || has("transparent_wrappers") {
        Ok(sources::read(&document))
    } else {
        Err("its shape is none that is known".into())
    }
}

fn of_agent(format: &'static str, base: &str, ported: Ported) -> Migrated {
    let draft = Draft {
        name: name(base),
        version: "1.0.0".into(),
        about: format!("Migrated from {format} of an agent."),
        items: Vec::new(),
        rules: ported.rules,
    };
    Migrated { format, drafts: vec![draft], unsaid: ported.unsaid, ..Migrated::default() }
}

/// The text of a field; empty where there is none.
fn field<'v>(of: &'v Value, name: &str) -> &'v str {
    of.get(name).and_then(Value::as_str).unwrap_or_default()
}

/// The texts of a list.
fn texts(of: Option<&Value>) -> Vec<String> {
    of.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).map(str::to_string).collect()
}

/// A version as three numbers; the first version where it is none.
fn version(text: &str) -> String {
    let parts: Vec<&str> = text.split('.').collect();
    let number = |part: &&str| !part.is_empty() && part.len() < 9 && part.bytes().all(|byte| byte.is_ascii_digit());
    if parts.len() == 3 && parts.iter().all(number) { text.into() } else { "1.0.0".into() }
}

/// An intent by its foreign name.
fn intent(text: &str) -> Option<crate::model::rule::Intent> {
    crate::model::rule::Intent::parse(&text.replace('_', "-"))
}
