//! The `policy.json` of the TypeScript guard of the same name (2.4.5), in its own schema, where no `policy.yaml` stands.
//!
//! What has no counterpart is not applied and said: its switches for a whole protection (name the rules in `overrides`), and its
//! paths whose reading is allowed (an `allow` rule says which and why).

use super::settings::{Reading, text};
use super::tree::{self, Node, Value};
use crate::language::Diagnostic;
use crate::model::settings::Override;
use crate::model::{Preset, Settings};

/// Reads the peer's settings.
pub fn read(file: &str, text: &str, homes: &[String]) -> (Settings, Vec<Diagnostic>) {
    let mut reading = Reading { file, homes, settings: Settings::default(), found: Vec::new() };
    match tree::parse(text) {
        Ok(root @ Node { value: Value::Fields(_), .. }) => policy(&mut reading, &root),
        Ok(node) => reading.fault("settings::shape", &node.at, "not an object", "the file is not an object", None),
        Err(fault) => reading.fault("settings::syntax", &fault.at, "here", &fault.message, None),
    }
    (reading.settings, reading.found)
}

fn policy(reading: &mut Reading<'_>, root: &Node) {
    const NAMES: [&str; 6] = ["version", "safety", "workflow", "destructive_command_protection", "secret_protection", "audit"];
    for (key, value) in reading.fields(root) {
        match text(&key).unwrap_or_default() {
            "version" if value.value == Value::Number(1) => {}
            "version" => reading.fault("settings::version", &value.at, "not known", "this engine reads version 1", None),
            "safety" => safety(reading, &value),
            "workflow" => {
                for (key, value) in reading.fields(&value) {
                    match text(&key).unwrap_or_default() {
                        "worktree_mode" => reading.settings.worktree = reading.truth(&value),
                        name => reading.unknown(&key, name, &["worktree_mode"]),
                    }
                }
            }
            "destructive_command_protection" => protection(reading, &value, false),
            "secret_protection" => protection(reading, &value, true),
            "audit" => {
                for (key, value) in reading.fields(&value) {
                    match text(&key).unwrap_or_default() {
                        "retention_days" => reading.settings.retention_days = reading.days(&value),
                        name => reading.unknown(&key, name, &["retention_days"]),
                    }
                }
            }
            name => reading.unknown(&key, name, &NAMES),
        }
    }
}

/// A level and three capabilities that may be set one by one; the nearest preset that is not weaker.
fn safety(reading: &mut Reading<'_>, node: &Node) {
    const CAPABILITIES: [&str; 3] = ["fail_closed", "paranoid_rm", "paranoid_interpreters"];
    let (mut level, mut set) = (None, [None; 3]);
    for (key, value) in reading.fields(node) {
        match text(&key).unwrap_or_default() {
            "level" => level = reading.preset(&value),
            "overrides" => {
                for (key, value) in reading.fields(&value) {
                    let name = text(&key).unwrap_or_default();
                    match CAPABILITIES.iter().position(|known| *known == name) {
                        Some(which) => set[which] = reading.truth(&value),
                        None => reading.unknown(&key, name, &CAPABILITIES),
                    }
                }
            }
            name => reading.unknown(&key, name, &["level", "overrides"]),
        }
    }
    let base = level.unwrap_or_default();
    let [closed, delete, interpret] = [(set[0], Preset::Strict), (set[1], Preset::Paranoid), (set[2], Preset::Paranoid)]
        .map(|(set, from)| set.unwrap_or(base >= from));
    let preset = match (closed, delete || interpret) {
        (_, true) => Preset::Paranoid,
        (true, false) => Preset::Strict,
        (false, false) => Preset::Standard,
    };
    if level.is_some() || set.iter().any(Option::is_some) {
        reading.settings.preset = Some(preset);
    }
}

fn protection(reading: &mut Reading<'_>, node: &Node, secrets: bool) {
    for (key, value) in reading.fields(node) {
        match text(&key).unwrap_or_default() {
            "enabled" => {
                if reading.truth(&value) == Some(false) {
                    let help = "name the rules that are to be off in `overrides`";
                    reading.warn(
                        "settings::not-applied",
                        &value.at,
                        "not applied",
                        "no whole protection is switched off",
                        Some(help),
                    );
                }
            }
            "overrides" => {
                for (key, value) in reading.fields(&value) {
                    let word = match &value.value {
                        Value::Truth(true) => Some("on"),
                        Value::Truth(false) => Some("off"),
                        _ => text(&value),
                    };
                    match (text(&key), word) {
                        (Some(rule), Some("off")) => {
                            reading.settings.overrides.push(Override { rule: rule.to_string(), decision: None });
                        }
                        (Some(_), Some("on")) => {}
                        _ => reading.fault(
                            "settings::decision",
                            &value.at,
                            "neither",
                            "neither \"on\" nor \"off\"",
                            Some("\"off\""),
                        ),
                    }
                }
            }
            "allow_paths" if secrets => {
                if !reading.texts(&value).is_empty() {
                    let help = "write an `allow` rule that names the path and says why";
                    let message = "paths whose reading is allowed are not applied";
                    reading.warn("settings::not-applied", &value.at, "not applied", message, Some(help));
                }
            }
            "allow_paths" => reading.settings.allow_paths = reading.allow_paths(&value),
            "deny_paths" if secrets => reading.settings.deny_paths = reading.deny_paths(&value),
            name => reading.unknown(&key, name, &["enabled", "overrides", "allow_paths", "deny_paths"]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_peer_s_whole_schema() {
        let text = r#"{"version": 1, "safety": {"level": "strict", "overrides": {"paranoid_rm": true}}, "workflow": {"worktree_mode": true},
            "destructive_command_protection": {"enabled": false, "overrides": {"find.delete": "off", "git.stash-drop": "on"},
            "allow_paths": ["~/scratch"]}, "secret_protection": {"deny_paths": ["conf/secret"], "allow_paths": [".env"]},
            "audit": {"retention_days": 7}}"#;
        let (settings, found) = read("policy.json", text, &["/home/me".to_string()]);
        assert_eq!(found.iter().map(|it| (it.code, it.is_error())).collect::<Vec<_>>(), [("settings::not-applied", false); 2]);
        assert_eq!(
            (settings.preset, settings.worktree, settings.retention_days),
            (Some(Preset::Paranoid), Some(true), Some(7))
        );
        assert_eq!(settings.overrides, [Override { rule: "find.delete".into(), decision: None }]);
        assert_eq!(
            (settings.allow_paths, settings.deny_paths),
            (vec!["~/scratch".to_string()], vec!["@project/conf/secret".to_string()])
        );
    }

    #[test]
    fn capabilities_become_the_nearest_preset_that_is_not_weaker() {
        let preset = |text: &str| read("policy.json", &format!("{{\"safety\": {text}}}"), &[]).0.preset;
        assert_eq!(preset(r#"{"overrides": {"fail_closed": true}}"#), Some(Preset::Strict));
        assert_eq!(preset(r#"{"level": "strict", "overrides": {"fail_closed": false}}"#), Some(Preset::Standard));
        assert_eq!(preset(r#"{"level": "standard"}"#), Some(Preset::Standard));
        assert_eq!(preset("{}"), None);
    }
}
