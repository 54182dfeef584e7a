//! Past calls judged again, from outside.

#![cfg(feature = "machine")]

#[path = "support/hooks.rs"]
mod hooks;

use std::process::Output;

use hooks::{Home, finish, text};
use serde_json::{Value, json};

fn replay(home: &Home, arguments: &[&str], input: &str) -> Output {
    let arguments: Vec<&str> = ["replay"].iter().chain(arguments).copied().collect();
    finish(home.command(&arguments).spawn().expect("the binary starts"), input)
}

fn counts(home: &Home, arguments: &[&str], input: &str) -> Value {
    let arguments: Vec<&str> = ["--format", "json"].iter().chain(arguments).copied().collect();
    let output = replay(home, &arguments, input);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
}

#[test]
fn every_kind_of_line_is_read() {
    let home = Home::new();
    let directory = home.project();
    let input = [
        json!({ "type": "session_meta", "payload": { "id": "s", "cwd": directory } }),
        json!({ "type": "response_item", "payload": { "type": "function_call", "name": "shell",
            "arguments": r#"{"command":["bash","-lc","git push --force"]}"# } }),
        json!({ "type": "assistant", "cwd": directory, "sessionId": "s", "message": { "content": [
            { "type": "tool_use", "name": "Bash", "input": { "command": "git push --force" } },
            { "type": "tool_use", "name": "Bash", "input": { "command": "git status" } } ] } }),
        json!({ "type": "user", "sessionId": "s", "message": { "content": "git push --force" } }),
        json!({ "hook_event_name": "PreToolUse", "cwd": directory, "tool_name": "Bash", "tool_input": { "command": "ls" } }),
        json!({ "command": "git push --delete origin x", "cwd": directory }),
        json!({ "ts": "2026-11-30T10:00:00.000Z", "id": "1", "agent": "claude-code", "decision": "allow",
            "command": "git push --force", "cwd": directory }),
        json!({ "tool_name": "Bash" }),
    ];
    // Fields come sorted out of `json!`, and records begin with their time.
    let mut lines: Vec<String> = input.iter().map(Value::to_string).collect();
    lines[6] = format!(
        "{{\"ts\":\"2026-11-30T10:00:00.000Z\",{}",
        lines[6].trim_start_matches('{').replace(",\"ts\":\"2026-11-30T10:00:00.000Z\"", "")
    );
    lines.push("no JSON".into());
    let text = lines.join("\n\n");
    let found = counts(&home, &["-"], &text);
    assert_eq!((&found["lines"], &found["calls"], &found["unreadable"]), (&json!(9), &json!(6), &json!(2)), "{found}");
    assert_eq!(found["decisions"], json!({ "allow": 2, "warn": 0, "ask": 1, "deny": 3 }), "{found}");
    let rule = &found["rules"]["git.push-force"];
    assert_eq!((&rule["decisions"]["deny"], rule["examples"].as_array().map(Vec::len)), (&json!(3), Some(3)), "{found}");
    assert_eq!(rule["examples"][0], json!({ "agent": "codex", "directory": directory, "call": "git push --force" }));
    let change = &found["changes"][0];
    assert_eq!((&change["from"], &change["to"], &change["count"]), (&json!("allow"), &json!("deny"), &json!(1)), "{found}");
    assert!(home.files().is_empty(), "nothing is logged");
}

#[test]
fn lines_come_out_in_the_order_of_the_input() {
    let home = Home::new();
    let command = |number: usize| if number % 10 == 3 { "git push --force".to_string() } else { format!("echo {number} 'x'") };
    // Several chunks.
    let input: String =
        (1..=9_000).map(|n| json!({ "command": command(n), "cwd": home.project() }).to_string() + "\n").collect();
    assert!(input.len() > 512 << 10);
    let output = replay(&home, &["--format", "jsonl", "-"], &input);
    assert_eq!(output.status.code(), Some(0));
    let lines = text(&output.stdout);
    assert_eq!(lines.lines().count(), 9_000);
    for (number, line) in (1..).zip(lines.lines()) {
        let line: Value = serde_json::from_str(line).expect("JSON");
        assert_eq!((&line["line"], &line["call"]), (&json!(number), &json!(command(number))));
        assert_eq!(line["decision"] == "deny", number % 10 == 3, "{line}");
        assert_eq!(line.get("rule").and_then(Value::as_str), (number % 10 == 3).then_some("git.push-force"));
    }
    assert_eq!(replay(&home, &["--format", "jsonl", "-"], &input).stdout, lines.as_bytes(), "equal input, equal output");
}

#[test]
fn the_log_is_what_is_read_where_nothing_is_named() {
    let home = Home::new();
    for command in ["git status", "git push --force", "PGPASSWORD=hunter22secret git push --force"] {
        home.judge(command);
    }
    let found = counts(&home, &[], "");
    assert_eq!(
        (&found["calls"], &found["decisions"]["deny"], &found["changes"]),
        (&json!(3), &json!(2), &json!([])),
        "{found}"
    );
    home.policy("overrides:\n  git.push-force: off\n");
    let found = counts(&home, &[], "");
    assert_eq!((&found["decisions"]["deny"], &found["changes"][0]["count"]), (&json!(0), &json!(2)), "{found}");
}

#[test]
fn transcripts_are_found_in_the_home() {
    let home = Home::new();
    let folder = home.path().join(".claude/projects/-x");
    std::fs::create_dir_all(&folder).expect("a folder");
    let line = json!({ "type": "assistant", "sessionId": "s", "cwd": home.project(), "message": { "content": [
        { "type": "tool_use", "name": "Bash", "input": { "command": "git push --force" } } ] } });
    std::fs::write(folder.join("s.jsonl"), format!("{line}\n")).expect("written");
    let found = counts(&home, &["--agent", "claude-code"], "");
    assert_eq!((&found["calls"], &found["decisions"]["deny"]), (&json!(1), &json!(1)), "{found}");
    assert_eq!(replay(&home, &["--agent", "cursor"], "").status.code(), Some(2), "nobody knows its transcripts");
    assert_eq!(replay(&home, &["--agent", "nobody"], "").status.code(), Some(2));
    assert_eq!(replay(&home, &["no-such-file"], "").status.code(), Some(2));
}

#[test]
fn a_proposed_policy_is_compared_with_the_present_one() {
    let home = Home::new();
    let proposal = home.path().join("proposal");
    std::fs::create_dir_all(proposal.join("rules")).expect("a folder");
    std::fs::write(proposal.join("policy.yaml"), "overrides:\n  git.push-force: ask\n").expect("written");
    let rule = "rulebook mine\nversion 1.0.0\nabout \"Mine.\"\nrule deploy {\n  match deploy-tool --production\n  deny \"Ships.\"\n}\n";
    std::fs::write(proposal.join("rules/mine.rulebook"), rule).expect("written");
    let path = proposal.to_str().expect("UTF-8");
    let input = ["git push --force", "deploy-tool --production", "ls"]
        .map(|command| json!({ "command": command, "cwd": home.project() }).to_string())
        .join("\n");
    let found = counts(&home, &["--diff", path, "-"], &input);
    let changes: Vec<String> = found["changes"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|change| format!("{} {} {} {}", change["from"], change["to"], change["rule"], change["count"]))
        .collect();
    assert_eq!(changes, [r#""deny" "ask" "git.push-force" 1"#, r#""allow" "deny" "mine.deploy" 1"#]);
    let output = replay(&home, &["--diff", path, "-"], &input);
    assert!(output.status.code() == Some(1) && text(&output.stdout).contains("deny → ask  git.push-force: 1"), "{output:?}");
    let none = replay(&home, &["--diff", path, "-"], "{\"command\": \"ls\"}");
    assert!(none.status.code() == Some(0) && text(&none.stdout).contains("as the present one does"), "{none:?}");
    std::fs::write(proposal.join("policy.yaml"), "presett: strict\n").expect("written");
    let faulty = replay(&home, &["--diff", path, "-"], &input);
    assert!(faulty.status.code() == Some(2) && text(&faulty.stderr).contains("presett"), "{faulty:?}");
}
