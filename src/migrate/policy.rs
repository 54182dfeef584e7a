//! `policy.json` of the TypeScript guard of the same name: `policy.yaml`, and an exception where it let secrets be read.

use serde_json::Value;

use super::{Draft, Migrated, PortedRule, texts};
use crate::agents::permissions::string;
use crate::layers;
use crate::model::{Decision, Preset};

/// Reads the file.
pub fn read(document: &Value) -> Migrated {
    let mut migrated = Migrated { format: "a policy.json", ..Migrated::default() };
    let text = document.to_string();
    let (settings, _) = layers::read_foreign("policy.json", &text, &["/home/me".to_string()]);
    let lines = &mut migrated.settings;
    let list = |paths: &[String]| paths.iter().map(|path| string(path)).collect::<Vec<_>>().join(", ");
    lines.push("version: 1".into());
    lines.extend(settings.preset.map(|preset: Preset| format!("preset: {}", preset.word())));
    lines.extend(settings.worktree.map(|on| format!("worktree: {on}")));
    lines.extend(settings.retention_days.map(|days| format!("retention_days: {days}")));
    if !settings.allow_paths.is_empty() {
        lines.push(format!("allow_paths: [{}]", list(&settings.allow_paths)));
    }
    if !settings.deny_paths.is_empty() {
        lines.push(format!("deny_paths: [{}]", list(&settings.deny_paths)));
    }
    migrated.off = settings.overrides.iter().map(|each| each.rule.clone()).collect();
    capabilities(document, settings.preset, &mut migrated);
    for (key, kept) in [("destructive_command_protection", &settings.allow_paths), ("secret_protection", &settings.deny_paths)]
    {
        let Some(protection) = document.get(key) else { continue };
        if protection.get("enabled") == Some(&Value::Bool(false)) {
            let why = "no whole protection is switched off here: name the rules that are to be off in `overrides`";
            migrated.said(format!("/{key}/enabled"), "false", why);
        }
        let list = if key.starts_with("secret") { "deny_paths" } else { "allow_paths" };
        let said = texts(protection.get(list));
        if said.len() != kept.len() {
            migrated.said(format!("/{key}/{list}"), said.join(" "), "not all of these are paths that may stand there");
        }
    }
    let readable = texts(document.pointer("/secret_protection/allow_paths"));
    if !readable.is_empty() {
        migrated.drafts.push(exception(&readable));
    }
    migrated
}

/// Three switches may have stood one by one; what they come to here is a preset that is not weaker.
fn capabilities(document: &Value, preset: Option<Preset>, migrated: &mut Migrated) {
    let overrides = document.pointer("/safety/overrides").and_then(Value::as_object);
    for (key, value) in overrides.into_iter().flatten() {
        let why = format!(
            "no switch of its own here: the preset is {}, the nearest that is not weaker",
            preset.unwrap_or_default().word()
        );
        migrated.said(format!("/safety/overrides/{key}"), value.to_string(), why);
    }
}

/// Paths whose content may be read although it may be secret.
fn exception(paths: &[String]) -> Draft {
    let place = |path: &String| match path.strip_prefix("./").unwrap_or(path) {
        rooted if rooted.starts_with(['/', '~', '*']) => string(rooted),
        inside => format!("@project{}", string(&format!("/{inside}"))),
    };
    // Quotes take the meaning of `~` and `*` away: only what is no plain path is quoted.
    let plain = |path: &String| path.chars().all(|c| c.is_ascii_alphanumeric() || "-_./~*".contains(c));
    let written = |path: &String| match plain(path) {
        true if path.starts_with(['/', '~', '*']) => path.clone(),
        true => format!("@project/{}", path.strip_prefix("./").unwrap_or(path)),
        false => place(path),
    };
    let all: Vec<String> = paths.iter().map(written).flat_map(|path| [format!("{path}/**"), path]).collect();
    let set = format!("({})", all.join(" | "));
    Draft {
        name: "readable".into(),
        version: "1.0.0".into(),
        about: "Paths that may be read although they may hold secrets.".into(),
        items: Vec::new(),
        rules: vec![PortedRule {
            title: "readable".into(),
            clauses: ["reads", "lists"].iter().map(|verb| format!("match {verb} {set}")).collect(),
            decision: Decision::Allow,
            reason: string("allowed by the policy that this was migrated from"),
            intent: None,
            examples: Vec::new(),
            at: "/secret_protection/allow_paths".into(),
        }],
    }
}
