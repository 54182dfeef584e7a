//! What was there before is there again, to the byte, after `install` and `uninstall`; and what the user wrote in between stays.

use std::fs;

use serde_json::{Value, json};

use super::support::{Found, Home, agent, by_files};

/// Every agent by itself, twice over, with the doctor between.
fn round_trips(home: impl Fn() -> Home) {
    for agent in by_files() {
        let home = home();
        let before = home.tree();
        for round in ["first", "second"] {
            let printed = home.expect(0, &["install", agent.setup.flag]);
            assert!(printed.contains("  connected\n"), "{round} {printed}");
            let connected = home.tree();
            assert_ne!(connected, before, "{}", agent.name);
            assert!(home.expect(0, &["install", agent.setup.flag]).contains("nothing to do"), "{}", agent.name);
            let report: Value = serde_json::from_slice(&home.run(&["doctor", "--json"]).stdout).expect("JSON");
            let agents = report["agents"].as_array().expect("a list");
            let told = agents.iter().find(|told| told["name"] == agent.name).expect("the agent");
            assert_eq!((&told["connected"], &told["drift"]), (&json!(true), &json!([])), "{told:#}");
            assert_eq!(home.tree(), connected, "{}: the doctor changes nothing", agent.name);
            home.expect(0, &["uninstall", agent.setup.flag, "--yes"]);
            assert_eq!(home.tree(), before, "{}, {round} time", agent.name);
            assert!(home.expect(0, &["uninstall", agent.setup.flag, "--yes"]).contains("nothing to do"), "{}", agent.name);
        }
    }
}

#[test]
fn an_empty_home_is_empty_again() {
    round_trips(Home::empty);
}

#[test]
fn a_lived_in_home_is_what_it_was() {
    round_trips(Home::lived_in);
}

#[test]
fn all_agents_at_once() {
    let home = Home::lived_in();
    let before = home.tree();
    let flags: Vec<&str> = by_files().iter().map(|agent| agent.setup.flag).collect();
    home.expect(0, &[&["install"][..], &flags].concat());
    let all = home.tree();
    for agent in by_files() {
        assert!(home.expect(0, &["install", agent.setup.flag]).contains("connected, nothing to do"));
    }
    assert_eq!(home.tree(), all);
    home.expect(0, &["uninstall", "--all", "--yes"]);
    assert_eq!(home.tree(), before);
}

#[test]
fn a_trial_changes_nothing_and_shows_everything() {
    let home = Home::lived_in();
    let before = home.tree();
    let printed = home.expect(0, &["install", "--cursor", "--kimi-code", "--dry-run"]);
    assert!(printed.contains("+        \"failClosed\": true") && printed.contains("+[[hooks]]"), "{printed}");
    assert!(printed.contains("Nothing was changed"), "{printed}");
    assert_eq!(home.tree(), before);
}

#[test]
fn entries_name_this_program_a_timeout_and_the_switch_that_closes() {
    let home = Home::empty();
    home.expect(0, &["install", "--claude-code", "--cursor", "--gemini-cli", "--codex", "--grok-build", "--copilot-cli"]);
    let read = |path: &str| serde_json::from_str::<Value>(&home.read(path)).expect("JSON");
    let program = fs::canonicalize(&home.program).expect("there").display().to_string();
    let handler = |command: &str| json!({ "type": "command", "command": format!("{program} hook {command}"), "timeout": 30 });
    let mut claude = handler("--coding-cli");
    claude["onFailure"] = json!("block");
    assert_eq!(read(".claude/settings.json"), json!({ "hooks": { "PreToolUse": [{ "matcher": "*", "hooks": [claude] }] } }));
    assert_eq!(
        read(".cursor/hooks.json"),
        json!({ "version": 1, "hooks": { "preToolUse": [
            { "command": format!("{program} hook --cursor"), "timeout": 30, "failClosed": true }
        ] } })
    );
    let mut gemini = handler("--gemini-cli");
    (gemini["timeout"], gemini["name"]) = (json!(30_000), json!("cc-safety-net"));
    assert_eq!(read(".gemini/settings.json"), json!({ "hooks": { "BeforeTool": [{ "matcher": "*", "hooks": [gemini] }] } }));
    assert_eq!(
        read(".codex/hooks.json"),
        json!({ "hooks": { "PreToolUse": [{ "matcher": "*", "hooks": [handler("--codex")] }] } })
    );
    assert_eq!(
        read(".grok/hooks/cc-safety-net.json"),
        json!({ "hooks": { "PreToolUse": [{ "hooks": [handler("--grok-build")] }] } })
    );
    assert_eq!(read(".copilot/hooks/cc-safety-net.json")["hooks"]["preToolUse"][0]["timeoutSec"], 30);
}

#[test]
fn a_place_that_only_newer_versions_know_is_used_where_the_version_is_known() {
    let home = Home::empty();
    home.fake("claude", "");
    home.expect(0, &["install", "--claude-code"]);
    let settings: Value = serde_json::from_str(&home.read(".claude/settings.json")).expect("JSON");
    assert_eq!(settings["hooks"].as_object().expect("an object").len(), 2, "{settings}");
    // The version that the entries were written for is no longer known, and they are ours all the same.
    fs::remove_file(home.path("programs/claude")).expect("removed");
    assert!(home.expect(0, &["install", "--claude-code"]).contains("nothing to do"));
    home.expect(0, &["uninstall", "--claude-code", "--yes"]);
    assert!(!home.path(".claude").exists());
}

#[test]
fn links_stay_links_and_what_they_lead_to_is_replaced() {
    let home = Home::lived_in();
    for (path, target) in [(".cursor/hooks.json", "dotfiles/hooks.json"), (".kimi-code/config.toml", "dotfiles/kimi.toml")] {
        let text = home.read(path);
        fs::remove_file(home.path(path)).expect("removed");
        home.write(target, &text);
        home.link(path, target);
    }
    home.mode("dotfiles/hooks.json", 0o640);
    let before = home.tree();
    home.expect(0, &["install", "--cursor", "--kimi-code"]);
    let now = home.tree();
    assert!(matches!(now[".cursor/hooks.json"], Found::Link(_)));
    assert!(
        matches!(&now["dotfiles/hooks.json"], Found::File(0o640, text) if String::from_utf8_lossy(text).contains("hook --cursor"))
    );
    assert!(home.read("dotfiles/kimi.toml").contains("hook --kimi-code"));
    home.expect(0, &["uninstall", "--cursor", "--kimi-code", "--yes"]);
    assert_eq!(home.tree(), before);
}

#[test]
fn permissions_stay() {
    let home = Home::lived_in();
    home.mode(".cursor/hooks.json", 0o444);
    home.mode(".claude/settings.json", 0o600);
    let before = home.tree();
    home.expect(0, &["install", "--cursor", "--claude-code"]);
    let now = home.tree();
    for (path, mode) in
        [(".cursor/hooks.json", 0o444), (".claude/settings.json", 0o600), (".claude/settings.json.before-cc-safety-net", 0o600)]
    {
        assert!(matches!(now[path], Found::File(found, _) if found == mode), "{path}: {:?}", now[path]);
    }
    home.expect(0, &["uninstall", "--all", "--yes"]);
    assert_eq!(home.tree(), before);
}

#[test]
fn what_the_user_wrote_after_the_installation_stays() {
    let home = Home::lived_in();
    home.expect(0, &["install", "--claude-code", "--cursor", "--kimi-code"]);
    for (path, from, to) in [
        (".claude/settings.json", "\"theme\": \"dark\"", "\"theme\": \"light\""),
        (".cursor/hooks.json", "\"x\"", "\"y\""),
        (".kimi-code/config.toml", "\"k2\"", "\"k3\""),
    ] {
        home.write(path, &home.read(path).replace(from, to));
    }
    home.expect(0, &["uninstall", "--all", "--yes"]);
    for (path, text) in super::support::LIVED_IN {
        let now = home.read(path);
        let back = now.replace("\"light\"", "\"dark\"").replace("\"k3\"", "\"k2\"").replace("\"y\"", "\"x\"");
        assert!(!now.contains("cc-safety-net"), "{path}: {now}");
        if path.starts_with(".kimi") {
            assert_eq!(&back, text, "{path}");
        } else if path.starts_with(".claude") || path.starts_with(".cursor") {
            assert!(now.contains("light") || now.contains("\"y\""), "{path}: {now}");
            assert_eq!(squeezed(&back), squeezed(text), "{path}");
        }
    }
    assert!(home.tree().keys().all(|path| !path.contains("before-cc-safety-net")));
}

/// The text without blanks and the commas that may trail.
fn squeezed(text: &str) -> String {
    text.split_whitespace()
        .collect::<String>()
        .replace(",]", "]")
        .replace(",}", "}")
        .replace("],//mine", "]//mine")
        .replace("},//mine", "}//mine")
}

#[test]
fn update_mends_what_moved_or_drifted_and_nothing_else() {
    let mut home = Home::lived_in();
    home.expect(0, &["install", "--claude-code", "--cursor", "--kimi-code"]);
    let settings = home.read(".cursor/hooks.json").replace("\"failClosed\": true", "\"failClosed\": false");
    home.write(".cursor/hooks.json", &settings);
    let moved = home.path("new place/it's/cc-safety-net");
    fs::create_dir_all(moved.parent().expect("a folder")).expect("made");
    fs::hard_link(&home.program, &moved).or_else(|_| fs::copy(&home.program, &moved).map(drop)).expect("moved");
    home.program = moved;
    let printed = home.expect(0, &["update"]);
    assert_eq!(printed.matches("\n  connected\n").count(), 3, "{printed}");
    let place = fs::canonicalize(home.path("new place")).expect("there").display().to_string();
    for path in [".claude/settings.json", ".cursor/hooks.json", ".kimi-code/config.toml"] {
        let text = home.read(path);
        assert_eq!(text.matches("cc-safety-net").count(), 1, "{path}: {text}");
        assert!(text.contains(&place) && !text.contains("\"failClosed\": false"), "{path}: {text}");
    }
    assert!(!home.path(".codex/hooks.json.before-cc-safety-net").exists(), "not connected, not touched");
    assert!(home.expect(0, &["update"]).contains("nothing to do"));
    home.expect(0, &["uninstall", "--claude-code", "--cursor", "--kimi-code", "--yes"]);
    for (path, text) in super::support::LIVED_IN {
        assert_eq!(home.read(path), *text, "{path}");
    }
}

#[test]
fn of_several_entries_of_ours_one_is_left() {
    let home = Home::empty();
    let ours = |name: &str| format!("{{ \"command\": \"/old/{name} hook --cursor\", \"timeout\": 3 }}");
    let text = format!(
        "{{ \"version\": 1, \"hooks\": {{ \"preToolUse\": [{}, {{ \"command\": \"mine\" }}, {}] }} }}",
        ours("ccsn"),
        ours("cc-safety-net")
    );
    home.write(".cursor/hooks.json", &text);
    home.expect(0, &["install", "--cursor"]);
    let settings: Value = serde_json::from_str(&home.read(".cursor/hooks.json")).expect("JSON");
    let entries = settings["hooks"]["preToolUse"].as_array().expect("a list");
    assert_eq!(entries.len(), 2, "{settings}");
    assert_eq!(entries[1]["command"], "mine");
    // A handler of ours in a group of the user's is taken out of it.
    home.write(
        ".codex/hooks.json",
        r#"{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"mine"},{"type":"command","command":"ccsn hook -cx"}]}]}}"#,
    );
    home.expect(0, &["install", "--codex"]);
    let settings: Value = serde_json::from_str(&home.read(".codex/hooks.json")).expect("JSON");
    let groups = settings["hooks"]["PreToolUse"].as_array().expect("a list");
    assert_eq!(groups[0], json!({ "matcher": "Bash", "hooks": [{ "type": "command", "command": "mine" }] }));
    assert_eq!((groups.len(), groups[1]["hooks"].as_array().map(Vec::len)), (2, Some(1)), "{settings}");
}

#[test]
fn the_last_command_is_taken_back() {
    let home = Home::lived_in();
    let before = home.tree();
    let flags: Vec<&str> = by_files().iter().map(|agent| agent.setup.flag).collect();
    home.expect(0, &[&["install"][..], &flags].concat());
    let connected = home.tree();
    home.expect(0, &["install", "--undo", "--yes"]);
    assert_eq!(home.tree(), before);
    assert!(home.expect(1, &["install", "--undo", "--yes"]).contains("nothing to take back"));
    home.expect(0, &[&["install"][..], &flags].concat());
    home.expect(0, &["uninstall", "--all", "--yes"]);
    home.expect(0, &["install", "--undo", "--yes"]);
    assert_eq!(home.tree(), connected);
    // Not over what somebody wrote since.
    home.expect(0, &["uninstall", "--all", "--yes"]);
    home.write(".cursor/hooks.json", "{}");
    let now = home.tree();
    let printed = home.expect(1, &["install", "--undo", "--yes"]);
    assert!(printed.contains("~/.cursor/hooks.json: it has changed"), "{printed}");
    assert_eq!(home.tree(), now);
}

#[test]
fn variables_move_the_files() {
    let mut home = Home::empty();
    let place = home.path("elsewhere").display().to_string();
    for (flag, variable, file) in [
        ("--claude-code", "CLAUDE_CONFIG_DIR", "settings.json"),
        ("--codex", "CODEX_HOME", "hooks.json"),
        ("--cursor", "CURSOR_CONFIG_DIR", "hooks.json"),
        ("--copilot-cli", "COPILOT_HOME", "hooks/cc-safety-net.json"),
        ("--kimi-code", "KIMI_CODE_HOME", "config.toml"),
        ("--grok-build", "GROK_HOME", "hooks/cc-safety-net.json"),
        ("--gemini-cli", "GEMINI_CLI_HOME", ".gemini/settings.json"),
    ] {
        home.variables = vec![(variable.to_string(), format!("{place}/{variable}"))];
        home.expect(0, &["install", flag]);
        assert!(home.read(&format!("elsewhere/{variable}/{file}")).contains(" hook --"), "{flag}");
    }
    assert_eq!(home.tree().keys().filter(|path| !path.starts_with("elsewhere")).count(), 0);
    assert_eq!(agent("claude-code").setup.flag, "--claude-code");
}
