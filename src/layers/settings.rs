//! `policy.yaml` → settings, or every fault of it.

use std::ops::Range;

use super::tree::{self, Node, Value};
use crate::language::diagnostic::nearest;
use crate::language::{Diagnostic, Label, Severity};
use crate::model::path::{is_absolute, is_within, join};
use crate::model::settings::{Audit, Override};
use crate::model::{Decision, Preset, Settings};

/// Every setting, in the order of the reference.
const NAMES: [&str; 10] = [
    "version",
    "preset",
    "overrides",
    "allow_paths",
    "deny_paths",
    "worktree",
    "audit",
    "retention_days",
    "loosen_by_environment",
    "lock",
];

/// Reads a settings file. What is right in it counts even where something else is wrong; whoever loads it decides what a file
/// with errors may still do. `homes` are what an allowed path must not hold.
pub fn read(file: &str, text: &str, homes: &[String]) -> (Settings, Vec<Diagnostic>) {
    let mut reading = Reading { file, homes, settings: Settings::default(), found: Vec::new() };
    match tree::parse(text) {
        Ok(Node { value: Value::Null, .. }) => {}
        Ok(Node { value: Value::Fields(fields), .. }) => {
            for (key, value) in &fields {
                reading.setting(key, value);
            }
        }
        Ok(node) => reading.fault(
            "settings::shape",
            &node.at,
            "not a mapping",
            "the file is not a mapping of settings",
            Some("preset: strict"),
        ),
        Err(fault) => reading.fault("settings::syntax", &fault.at, "here", &fault.message, None),
    }
    (reading.settings, reading.found)
}

/// What is read, and what is wrong with it.
pub(super) struct Reading<'a> {
    pub file: &'a str,
    pub homes: &'a [String],
    pub settings: Settings,
    pub found: Vec<Diagnostic>,
}

impl Reading<'_> {
    fn setting(&mut self, key: &Node, value: &Node) {
        let Value::Text(name) = &key.value else {
            return self.fault("settings::unknown-setting", &key.at, "not a setting", "a setting's name is a word", None);
        };
        match name.as_str() {
            "version" if value.value == Value::Number(1) => {}
            "version" => self.fault(
                "settings::version",
                &value.at,
                "not known",
                "this engine reads settings of version 1",
                Some("version: 1"),
            ),
            "preset" => self.settings.preset = self.preset(value),
            "overrides" => self.overrides(value),
            "allow_paths" => self.settings.allow_paths = self.allow_paths(value),
            "deny_paths" => self.settings.deny_paths = self.deny_paths(value),
            "worktree" => self.settings.worktree = self.truth(value),
            "audit" => self.settings.audit = self.audit(value),
            "retention_days" => self.settings.retention_days = self.days(value),
            "loosen_by_environment" => self.settings.loosen_by_environment = self.truth(value),
            "lock" => self.lock(value),
            _ => self.unknown(key, name, &NAMES),
        }
    }

    /// A name that is none of those known.
    pub fn unknown(&mut self, key: &Node, name: &str, known: &[&'static str]) {
        let help = match nearest(name, known.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("known are: {}", known.join(", ")),
        };
        self.fault("settings::unknown-setting", &key.at, "not known", &format!("unknown setting `{name}`"), Some(&help));
    }

    pub fn preset(&mut self, node: &Node) -> Option<Preset> {
        let preset = text(node).and_then(Preset::parse);
        if preset.is_none() {
            self.fault("settings::preset", &node.at, "not a preset", "not a preset", Some("standard, strict or paranoid"));
        }
        preset
    }

    pub fn truth(&mut self, node: &Node) -> Option<bool> {
        if let Value::Truth(truth) = node.value {
            return Some(truth);
        }
        self.fault("settings::truth", &node.at, "neither true nor false", "neither true nor false", Some("true, or false"));
        None
    }

    pub fn days(&mut self, node: &Node) -> Option<u16> {
        if let Value::Number(days @ 1..=365) = node.value {
            return Some(days as u16);
        }
        self.fault("settings::days", &node.at, "not 1 to 365", "not a number of days from 1 to 365", Some("30"));
        None
    }

    fn audit(&mut self, node: &Node) -> Option<Audit> {
        match text(node) {
            Some("all") => return Some(Audit::All),
            Some("blocked") => return Some(Audit::Blocked),
            _ => self.fault(
                "settings::audit",
                &node.at,
                "not known",
                "not what the audit log can record",
                Some("all, or blocked"),
            ),
        }
        None
    }

    fn overrides(&mut self, node: &Node) {
        for (key, value) in self.fields(node) {
            let word = match &value.value {
                // Some readers of YAML take `off` for a truth value.
                Value::Truth(false) => Some("off"),
                _ => text(&value),
            };
            let decision = match word {
                Some("off") => Some(None),
                Some(word) => Decision::parse(word).filter(|decision| *decision != Decision::Allow).map(Some),
                None => None,
            };
            match (text(&key), decision) {
                (Some(rule), Some(decision)) => self.settings.overrides.push(Override { rule: rule.to_string(), decision }),
                (None, _) => self.fault(
                    "settings::rule",
                    &key.at,
                    "not a rule's id",
                    "not the id of a rule",
                    Some("git.push-force: ask"),
                ),
                (_, None) => self.fault(
                    "settings::decision",
                    &value.at,
                    "not a decision",
                    "not a decision",
                    Some("off, warn, ask or deny"),
                ),
            }
        }
    }

    fn lock(&mut self, node: &Node) {
        for (name, at) in self.texts(node) {
            if NAMES[1..NAMES.len() - 1].contains(&name.as_str()) {
                self.settings.lock.push(name);
            } else {
                let key = Node { value: Value::Null, at };
                self.unknown(&key, &name, &NAMES[1..NAMES.len() - 1]);
            }
        }
    }

    pub fn allow_paths(&mut self, node: &Node) -> Vec<String> {
        let mut paths = Vec::new();
        for (path, at) in self.texts(node) {
            let placed = match (path.strip_prefix('~'), self.homes.first()) {
                (Some(rest), Some(home)) if rest.is_empty() || rest.starts_with('/') => {
                    join(home, rest.trim_start_matches('/'))
                }
                _ => join("/", &path),
            };
            let (label, message) = if !is_absolute(&path) && !path.starts_with("~/") && path != "~" {
                ("relative", "an allowed path begins with `/` or `~/`")
            } else if path.contains(['*', '?', '[', '{']) {
                ("a pattern", "an allowed path is no pattern; what is below it is allowed too")
            } else if path.split('/').any(|part| part == "..") {
                ("leads upwards", "an allowed path has no `..`")
            } else if placed.trim_end_matches('/').is_empty() || self.homes.iter().any(|home| is_within(home, &placed)) {
                ("holds the home", "an allowed path is neither home nor above it")
            } else {
                paths.push(path);
                continue;
            };
            self.fault("settings::allowed-path", &at, label, message, Some("~/scratch"));
        }
        paths
    }

    pub fn deny_paths(&mut self, node: &Node) -> Vec<String> {
        let mut paths = Vec::new();
        for (path, at) in self.texts(node) {
            let bare = path.trim_end_matches('/');
            let placed = bare.strip_prefix("~").and_then(|rest| self.homes.first().map(|home| format!("{home}{rest}")));
            let placed = placed.unwrap_or_else(|| bare.to_string());
            if bare.is_empty() || (is_absolute(&placed) && self.homes.iter().any(|home| is_within(home, &placed))) {
                self.fault(
                    "settings::secret-path",
                    &at,
                    "holds the home",
                    "a secret path is neither home nor above it",
                    Some("~/.netrc"),
                );
            } else if is_absolute(&path) || path.starts_with(['~', '@']) || path.starts_with("**/") {
                paths.push(path);
            } else {
                paths.push(format!("@project/{}", path.trim_start_matches("./")));
            }
        }
        paths
    }

    /// The entries of a mapping; a fault where it is none.
    pub fn fields(&mut self, node: &Node) -> Vec<(Node, Node)> {
        match &node.value {
            Value::Fields(fields) => fields.clone(),
            Value::Null => Vec::new(),
            _ => {
                self.fault("settings::shape", &node.at, "not a mapping", "not a mapping", None);
                Vec::new()
            }
        }
    }

    /// The texts of a list; a fault where it is none, or one of them is none.
    pub fn texts(&mut self, node: &Node) -> Vec<(String, Range<usize>)> {
        let Value::List(items) = &node.value else {
            if node.value != Value::Null {
                self.fault("settings::shape", &node.at, "not a list", "not a list", Some("[one, two]"));
            }
            return Vec::new();
        };
        let mut texts = Vec::new();
        for item in items {
            match text(item) {
                Some(text) if !text.is_empty() => texts.push((text.to_string(), item.at.clone())),
                // A bare `~` is YAML's null, and whoever writes it means home: the caller says why that is not allowed.
                None if item.value == Value::Null => texts.push(("~".into(), item.at.clone())),
                _ => self.fault("settings::shape", &item.at, "not a text", "not a text", None),
            }
        }
        texts
    }

    pub fn fault(&mut self, code: &'static str, at: &Range<usize>, label: &str, message: &str, help: Option<&str>) {
        self.add(Severity::Error, code, at, label, message, help);
    }

    pub fn warn(&mut self, code: &'static str, at: &Range<usize>, label: &str, message: &str, help: Option<&str>) {
        self.add(Severity::Warning, code, at, label, message, help);
    }

    fn add(
        &mut self,
        severity: Severity,
        code: &'static str,
        at: &Range<usize>,
        label: &str,
        message: &str,
        help: Option<&str>,
    ) {
        let labels = vec![Label { at: at.clone(), text: label.to_string() }];
        let (file, message, help) = (self.file.to_string(), message.to_string(), help.map(str::to_string));
        self.found.push(Diagnostic { code, severity, message, file, labels, help });
    }
}

/// A text; a number or a truth value is none.
pub(super) fn text(node: &Node) -> Option<&str> {
    match &node.value {
        Value::Text(text) => Some(text),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Settings, Vec<Diagnostic>) {
        super::read("policy.yaml", text, &["/home/me".to_string()])
    }

    #[test]
    fn everything_that_can_be_said() {
        let text = "version: 1\npreset: strict\noverrides:\n  git.push-force: ask\n  a.b: off\nallow_paths: [~/scratch, /data/x]\n\
                    deny_paths: [secrets.yml, ~/.netrc, '**/*.key']\nworktree: true\naudit: blocked\nretention_days: 90\n\
                    loosen_by_environment: false\nlock: [preset, overrides]\n";
        let (settings, found) = read(text);
        assert_eq!(found, []);
        assert_eq!(settings.preset, Some(Preset::Strict));
        assert_eq!(settings.overrides[0], Override { rule: "git.push-force".into(), decision: Some(Decision::Ask) });
        assert_eq!(settings.overrides[1], Override { rule: "a.b".into(), decision: None });
        assert_eq!(settings.deny_paths, ["@project/secrets.yml", "~/.netrc", "**/*.key"]);
        assert_eq!((settings.worktree, settings.audit, settings.retention_days), (Some(true), Some(Audit::Blocked), Some(90)));
        assert_eq!(settings.lock, ["preset", "overrides"]);
        assert_eq!(read("").1, []);
    }

    #[test]
    fn every_fault_is_told_and_the_rest_counts() {
        let text = "presett: strict\npreset: stricter\nworktree: yes please\nretention_days: 900\noverrides:\n  a.b: allow\n\
                    allow_paths: [~, /home, x, ~/a/../.., '~/x*', ~/fine]\naudit: none\nlock: [presets]\n";
        let (settings, found) = read(text);
        let codes: Vec<&str> = found.iter().map(|fault| fault.code).collect();
        let paths = ["settings::allowed-path"; 5];
        let mut expected =
            vec!["settings::unknown-setting", "settings::preset", "settings::truth", "settings::days", "settings::decision"];
        expected.extend(paths);
        expected.extend(["settings::audit", "settings::unknown-setting"]);
        assert_eq!(codes, expected);
        assert_eq!(settings.allow_paths, ["~/fine"]);
        assert_eq!(found[0].help.as_deref(), Some("did you mean `preset`?"));
        assert_eq!(&text[found[1].labels[0].at.clone()], "stricter");
        assert_eq!(read("- a\n").1[0].code, "settings::shape");
        assert_eq!(read("a: [\n").1[0].code, "settings::syntax");
    }
}
