//! The same call in every agent's own form gets the same verdict, by the function that plugins ask.

#![cfg(feature = "facts")]

use cc_safety_net::agents::AGENTS;
use cc_safety_net::engine::answer;
use serde_json::{Value, json};

/// A shell command as each agent announces it.
fn payload(agent: &str, command: &str, directory: &str) -> Value {
    match agent {
        "amp" => json!({
            "event": { "tool": "Bash", "input": { "cmd": command } },
            "system": { "workspaceRoot": directory }, "shell": { "command": command }, "ui": true,
        }),
        "antigravity" => json!({
            "workspacePaths": [directory],
            "toolCall": { "name": "run_command", "args": { "CommandLine": command, "Cwd": directory } },
        }),
        "claude-code" | "codex" | "kimi-code" => json!({
            "hook_event_name": "PreToolUse", "cwd": directory, "tool_name": "Bash", "tool_input": { "command": command },
        }),
        "copilot-cli" => json!({
            "cwd": directory, "toolName": "bash", "toolArgs": json!({ "command": command }).to_string(),
        }),
        "cursor" => json!({
            "workspace_roots": [directory], "hook_event_name": "preToolUse", "tool_name": "Shell",
            "tool_input": { "command": command }, "cwd": directory,
        }),
        "gemini-cli" => json!({
            "hook_event_name": "BeforeTool", "cwd": directory, "tool_name": "run_shell_command",
            "tool_input": { "command": command },
        }),
        "grok-build" => json!({
            "workspaceRoot": directory, "cwd": directory, "toolName": "run_terminal_command",
            "toolInput": { "command": command }, "toolInputTruncated": false,
        }),
        "hermes" => json!({
            "hook_event_name": "pre_tool_call", "cwd": directory, "tool_name": "terminal", "tool_input": { "command": command },
        }),
        "openclaw" => json!({
            "event": { "toolName": "exec", "params": { "command": command } }, "ctx": { "workspace": directory },
        }),
        "opencode" => json!({
            "input": { "tool": "bash" }, "output": { "args": { "command": command } }, "plugin": { "directory": directory },
        }),
        "pi" => json!({
            "event": { "toolName": "bash", "input": { "command": command } }, "ctx": { "cwd": directory, "hasUI": true },
        }),
        other => panic!("no form of {other} is known here"),
    }
}

fn ask(question: &str) -> Value {
    serde_json::from_str(&answer(question)).expect("JSON")
}

#[test]
fn every_agent_gets_the_same_verdict() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let directory = folder.path().canonicalize().expect("a real path").display().to_string();
    let calls = [
        ("git status --short", "allow"),
        ("echo 'rm -rf /'", "allow"),
        ("git push --force origin main", "deny"),
        ("cd / && sudo bash -c 'rm -rf *'", "deny"),
        ("cat ~/.ssh/id_ed25519", "deny"),
    ];
    for (command, wanted) in calls {
        for agent in AGENTS {
            let said = ask(&format!("judge {}\n{}", agent.name, payload(agent.name, command, &directory)));
            assert_eq!(said["decision"], wanted, "{}: {command}: {said}", agent.name);
            assert_eq!(said["reply"].is_null(), wanted == "allow" && !agent.explicit, "{}: {command}: {said}", agent.name);
        }
    }
}

#[test]
fn questions_about_rules_are_answered() {
    let folder = tempfile::tempdir().expect("a scratch folder");
    let directory = folder.path().display();
    let list = ask(&format!("list {directory}"));
    let rules = list["rules"].as_array().expect("rules");
    assert!(rules.iter().any(|rule| rule["id"] == "git.push-force" && rule["decision"] == "deny"), "{list}");
    assert_eq!(ask(&format!("show git.push-force\n{directory}"))["layer"], "catalogue");
    assert_eq!(ask(&format!("show no.such-rule\n{directory}")), Value::Null);
    assert_eq!(ask(&format!("explain pi {directory}\ngit push --force"))["decision"], "deny");
    assert_eq!(ask(&format!("command {directory}\ngit push --force"))["decision"], "deny");
    assert_eq!(ask(&format!("command {directory}\ngit status")), json!({ "decision": "allow", "message": "", "reply": null }));
    assert_eq!(ask("command \ngit status")["decision"], "deny", "a call without a directory");
    let blanks = folder.path().join("a name with blanks");
    std::fs::create_dir_all(blanks.join(".cc-safety-net/rules")).expect("a project's layer");
    let own = "rulebook own\nversion 1.0.0\nrule one { match no-such-tool; deny \"No.\"; examples { deny `no-such-tool`; allow `ls` } }\n";
    std::fs::write(blanks.join(".cc-safety-net/rules/own.rulebook"), own).expect("written");
    let list = ask(&format!("list {}", blanks.display()));
    assert!(list["rules"].as_array().expect("rules").iter().any(|rule| rule["id"] == "own.one"), "{list}");
    assert_eq!(ask("check x.rulebook\nrule x { match no-such-tool; deny \"No.\" }"), json!([]));
    let faults = ask("check x.rulebook\nrule x { match writes @nowhere; deny \"No.\" }");
    assert!(faults[0].as_str().is_some_and(|line| line.starts_with("x.rulebook:1:23: rulebook::unknown-set")), "{faults}");
    for none in ["", "judge", "judge nobody\n{}", "run rm"] {
        assert_eq!(ask(none), Value::Null, "{none}");
    }
}
