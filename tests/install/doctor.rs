//! What the doctor finds, and that each of its findings can be made to appear and to go.

use std::fs;

use serde_json::Value;

use super::support::{Home, text};

/// The doctor's document, after checking its exit code.
fn report(home: &Home, code: i32) -> Value {
    let output = home.run(&["doctor", "--json"]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|fault| panic!("{fault}: {output:?}"));
    assert_eq!(output.status.code(), Some(code), "{:#}", report["findings"]);
    report
}

fn ids(report: &Value) -> Vec<String> {
    let findings = report["findings"].as_array().expect("a list");
    let own = findings.iter().filter(|finding| {
        // The machine that runs these tests may have layers of its own.
        !finding["id"].as_str().expect("an id").starts_with("layer.") && finding["id"] != "files.rights"
    });
    own.map(|finding| format!("{} {}", finding["severity"].as_str().expect("a text"), finding["id"].as_str().expect("a text")))
        .collect()
}

fn told<'a>(report: &'a Value, name: &str) -> &'a Value {
    report["agents"].as_array().expect("a list").iter().find(|agent| agent["name"] == name).expect("the agent")
}

#[test]
fn nothing_is_connected_in_an_empty_home() {
    let home = Home::empty();
    let report = report(&home, 1);
    assert_eq!(ids(&report), ["error agents.none-connected"]);
    assert_eq!(report["agents"].as_array().map(Vec::len), Some(13));
    assert!(home.tree().is_empty());
}

#[test]
fn an_installed_hook_is_called_and_answers() {
    let home = Home::empty();
    let names = ["antigravity", "claude-code", "codex", "copilot-cli", "cursor", "gemini-cli", "grok-build", "kimi-code"];
    let flags: Vec<&str> = names.iter().map(|name| super::support::agent(name).setup.flag).collect();
    home.expect(0, &[&["install"][..], &flags].concat());
    let report = report(&home, 0);
    assert_eq!(ids(&report), Vec::<String>::new());
    for name in names {
        let agent = told(&report, name);
        assert_eq!(agent["self_test"]["passed"], true, "{agent:#}");
        assert!(agent["command"].as_str().expect("a command").contains(" hook --"), "{agent:#}");
        assert!(!agent["cannot"].as_array().expect("a list").is_empty(), "{agent:#}");
    }
    let page = home.expect(0, &["doctor"]);
    assert!(page.contains("hook refuses and lets pass what it must"), "{page}");
    let long: Vec<&str> = page.lines().filter(|line| line.chars().count() > 80 && line.trim().contains(' ')).collect();
    assert!(long.iter().all(|line| line.contains('/')), "only a path may be longer than a line: {long:?}");
}

#[test]
fn a_hook_that_does_not_refuse_is_an_error() {
    for (script, words) in [
        ("exit 0", "lets a call pass that must be refused"),
        ("echo '{\"decision\":\"block\"}'", "does not refuse in the agent's own form"),
        ("exit 1", "ends with code 1"),
    ] {
        let home = Home::empty();
        home.write("bin/cc-safety-net", &format!("#!/bin/sh\n{script}\n"));
        home.mode("bin/cc-safety-net", 0o755);
        let command = format!("{} hook --cursor", home.path("bin/cc-safety-net").display());
        home.write(
            ".cursor/hooks.json",
            &format!(r#"{{"version":1,"hooks":{{"preToolUse":[{{"command":"{command}","timeout":30,"failClosed":true}}]}}}}"#),
        );
        let report = report(&home, 1);
        assert_eq!(ids(&report), ["error agent.self-test", "warning agent.drift"]);
        let fault = told(&report, "cursor")["self_test"]["fault"].as_str().expect("a fault").to_string();
        assert!(fault.contains(words), "{fault}");
    }
}

#[test]
fn a_program_that_is_gone_is_an_error_and_is_mended() {
    let mut home = Home::empty();
    let here = home.program.clone();
    home.write("old/x", "");
    let old = home.path("old/cc-safety-net");
    fs::hard_link(&here, &old).or_else(|_| fs::copy(&here, &old).map(drop)).expect("there");
    home.program = old.clone();
    home.expect(0, &["install", "--gemini-cli"]);
    fs::remove_file(old).expect("removed");
    home.program = here;
    let before = report(&home, 1);
    assert_eq!(ids(&before), ["error agent.self-test", "warning agent.drift"]);
    let fixed = home.run(&["doctor", "--fix", "--json"]);
    let fixed: Value = serde_json::from_slice(&fixed.stdout).expect("JSON");
    assert_eq!(fixed["fixed"][0], "Gemini CLI: its entries are as they should be", "{fixed:#}");
    assert_eq!(ids(&report(&home, 0)), Vec::<String>::new());
}

#[test]
fn drift_damage_switches_and_strangers() {
    let home = Home::lived_in();
    home.expect(0, &["install", "--claude-code", "--cursor", "--codex", "--gemini-cli", "--kimi-code"]);
    let edit = |path: &str, from: &str, to: &str| {
        let text = home.read(path);
        assert!(text.contains(from), "{text}");
        home.write(path, &text.replacen(from, to, 1));
    };
    edit(".claude/settings.json", "{", "{ \"disableAllHooks\": true,");
    edit(".cursor/hooks.json", "\"timeout\": 30", "\"timeout\": 5");
    edit(".codex/config.toml", "", "[features]\nhooks = false\n\n[other]\n");
    edit(
        ".gemini/settings.json",
        "\"BeforeTool\": [",
        "\"BeforeTool\": [{ \"hooks\": [{ \"type\": \"command\", \"command\": \"npx -y cc-safety-net hook --gemini-cli\" }] },",
    );
    home.write(".kimi-code/config.toml", "[");
    home.write(".grok/hooks/cc-safety-net.json", "{\"mine\": 1}");
    let report = report(&home, 1);
    let ids = ids(&report);
    for id in [
        "error agent.switched-off",
        "warning agent.drift",
        "warning agent.beside",
        "error agent.damaged",
        "warning agent.foreign",
        "info agent.not-connected",
    ] {
        assert!(ids.iter().any(|found| found == id), "{id} in {ids:?}");
    }
    assert_eq!(told(&report, "cursor")["drift"][0], "`hooks.preToolUse.timeout` is 5 and should be 30");
    assert_eq!(ids.iter().filter(|id| *id == "error agent.switched-off").count(), 2, "{ids:?}");
}

#[test]
fn a_plugin_that_the_agent_was_not_told_of_is_an_error() {
    let home = Home::empty();
    home.fake("hermes", "");
    home.expect(0, &["install", "--hermes-agent"]);
    // The fake recorded nothing.
    assert_eq!(ids(&report(&home, 1)), ["error agent.not-told", "error agents.none-connected"].map(String::from));
    home.write(".hermes/config.yaml", "plugins:\n  enabled: [cc-safety-net]\n");
    let now = report(&home, 0);
    assert_eq!(told(&now, "hermes")["self_test"]["passed"], true);
    assert_eq!(told(&now, "hermes")["agent_version"], "hermes 9.9.9");
}

#[test]
fn files_that_others_may_write_are_found_and_mended() {
    let home = Home::empty();
    home.expect(0, &["install", "--cursor"]);
    home.mode(".cursor/hooks.json", 0o666);
    let found = text(&home.run(&["doctor", "--json"]).stdout);
    assert!(found.contains("others may write it (mode 666)"), "{found}");
    home.run(&["doctor", "--fix"]);
    let found = text(&home.run(&["doctor", "--json"]).stdout);
    assert!(!found.contains("mode 666"), "{found}");
}
