//! `rule.json` of the TypeScript guard of the same name: which rulebooks are on, changes of their rules, and programs that stand
//! before other programs.

use serde_json::Value;

use super::{Draft, Migrated, Replaced, field, intent, texts};
use crate::agents::permissions::word;

/// Reads the file.
pub fn read(document: &Value) -> Migrated {
    let mut migrated = Migrated { format: "a rule.json", ..Migrated::default() };
    for (key, value) in document.as_object().into_iter().flatten() {
        if !["$schema", "version", "rules", "overrides", "transparent_wrappers"].contains(&key.as_str()) {
            migrated.said(format!("/{key}"), value.to_string(), "not known");
        }
    }
    for (index, source) in texts(document.get("rules")).into_iter().enumerate() {
        // A rulebook of elsewhere lies under its name, like one of one's own.
        if source.contains(['/', '#']) {
            let why = "its copy here is taken as it is; a link to where it is from is made with `rule add`";
            migrated.said(format!("/rules/{index}"), &source, why);
        }
        migrated.sources.push(source.rsplit('/').next().unwrap_or(&source).to_string());
    }
    for (id, value) in document.get("overrides").and_then(Value::as_object).into_iter().flatten() {
        let at = format!("/overrides/{id}");
        let Some((rulebook, rule)) = id.split_once('/') else {
            migrated.said(at, id, "it names no rule of a rulebook");
            continue;
        };
        let off = value.as_str() == Some("off");
        if !off && !value.is_object() {
            migrated.said(at, value.to_string(), "neither off nor another reason");
            continue;
        }
        migrated.replaced.push(Replaced {
            rulebook: rulebook.into(),
            rule: rule.into(),
            reason: (!off).then(|| field(value, "reason").to_string()),
            intent: intent(field(value, "intent")),
            at,
        });
    }
    let wrappers = texts(document.get("transparent_wrappers"));
    if !wrappers.is_empty() {
        migrated.drafts.push(Draft {
            name: "wrappers".into(),
            version: "1.0.0".into(),
            about: "Programs that run what stands behind them.".into(),
            items: wrappers.iter().map(|name| format!("command {} {{\n  runs COMMAND...\n}}", word(name))).collect(),
            rules: Vec::new(),
        });
        let why = "an option of theirs that takes a value has to be declared (`-e, --env NAME`), else its value is taken for the command";
        migrated.said("/transparent_wrappers", wrappers.join(" "), why);
    }
    migrated
}
