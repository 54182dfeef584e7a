//! Rules that stood in the guard's own settings file before there were rulebooks (`.safety-net.json`): an array of rules in the form
//! of `rulebook.json` version 1.

use serde_json::Value;

use super::{Draft, Migrated, name, rulebook};

/// Reads a settings file with rules in it.
pub fn read(document: &Value, base: &str) -> Migrated {
    let mut migrated = Migrated { format: "inline rules", ..Migrated::default() };
    for (key, value) in document.as_object().into_iter().flatten() {
        if !["version", "rules", "$schema"].contains(&key.as_str()) {
            migrated.said(format!("/{key}"), value.to_string(), "not known");
        }
    }
    let mut draft = Draft {
        name: name(base.trim_start_matches('.')),
        version: "1.0.0".into(),
        about: "Migrated from inline rules.".into(),
        ..Draft::default()
    };
    for (index, rule) in document.get("rules").and_then(Value::as_array).into_iter().flatten().enumerate() {
        let at = format!("/rules/{index}");
        match rulebook::one(rule, at.clone(), &mut migrated) {
            Ok(rule) => draft.rules.push(rule),
            Err(why) => migrated.said(at, rule.to_string(), why),
        }
    }
    migrated.drafts.push(draft);
    migrated
}
