//! The audit log from outside: every decision leaves one whole line, without secrets, and nothing about it reaches the agent.

#![cfg(feature = "machine")]

#[path = "support/hooks.rs"]
mod hooks;

use std::process::Output;

use hooks::{Home, finish, text};
use serde_json::{Value, json};

fn silent(output: &Output) {
    assert!(output.status.code() == Some(0) && output.stdout.is_empty() && output.stderr.is_empty(), "{output:?}");
}

#[test]
fn every_decision_is_a_line_with_its_fields() {
    let home = Home::new();
    silent(&home.judge("git status"));
    silent(&home.judge("git 'status'"));
    assert!(text(&home.judge("git push --force; git push --delete origin x").stdout).contains("deny"));
    silent(&home.hook("-cc", &home.payload("Read", json!({ "file_path": "src/main.rs" }))));
    assert!(text(&home.hook("-cc", "{").stdout).contains("deny"));
    silent(&home.hook("-cc", r#"{"hook_event_name":"Stop"}"#));
    let all = home.records();
    assert_eq!(all.len(), 5, "what is not asked about is not logged");
    let [unread] = &all.iter().filter(|record| record["failureStage"] == "payload").collect::<Vec<_>>()[..] else {
        panic!("{all:?}")
    };
    assert!(unread["decision"] == "deny" && unread["reason"].as_str().is_some_and(|why| why.contains("not JSON")), "{unread}");
    let judged: Vec<&Value> = all.iter().filter(|record| record.get("failureStage").is_none()).collect();
    let project = home.project().canonicalize().expect("there");
    for record in &judged {
        for field in ["ts", "id", "v", "sessionId", "decision", "agent", "shape", "level", "toolName", "cwd", "policy"] {
            assert!(record[field].as_str().is_some_and(|text| !text.is_empty()), "{field}: {record}");
        }
        assert!(record["durationUs"].is_u64() && record["id"].as_str().map(str::len) == Some(16), "{record}");
        assert_eq!(
            (&record["agent"], &record["sessionId"], &record["level"]),
            (&json!("claude-code"), &json!("s-1"), &json!("standard"))
        );
        // A scratch folder is in a temporary place, where no project is.
        assert!(record.get("project").is_none_or(|path| path.as_str() == project.to_str()), "{record}");
    }
    let of = |command: &str| *judged.iter().find(|record| record["command"] == command).unwrap_or_else(|| panic!("{command}"));
    assert_eq!((&of("git status")["decision"], &of("git 'status'")["decision"]), (&json!("allow"), &json!("allow")));
    let refused = of("git push --force; git push --delete origin x");
    for (field, value) in [
        ("decision", "deny"),
        ("ruleId", "git.push-force"),
        ("segment", "git push --force"),
        ("layer", "embedded"),
        ("certainty", "certain"),
        ("intent", "use-alternative"),
    ] {
        assert_eq!(refused[field], value, "{refused}");
    }
    assert_eq!(refused["also"], json!(["git.push-delete"]));
    let read = judged.iter().find(|record| record["toolName"] == "Read").expect("a record");
    assert_eq!((&read["command"], &read["fields"]), (&json!(""), &json!({ "file_path": "src/main.rs" })));
    let ids: std::collections::BTreeSet<&str> = all.iter().filter_map(|record| record["id"].as_str()).collect();
    assert_eq!(ids.len(), all.len());
}

#[test]
fn refusals_alone_where_the_settings_say_so() {
    let home = Home::new();
    home.policy("audit: blocked\n");
    for command in ["git status", "git 'status'", "git push --force", "git push --delete origin x"] {
        home.judge(command);
    }
    let decisions: Vec<Value> = home.records().into_iter().map(|record| record["decision"].clone()).collect();
    assert_eq!(decisions, ["deny", "ask"]);
}

#[cfg(unix)]
#[test]
fn the_log_is_the_users_alone() {
    use std::os::unix::fs::PermissionsExt;
    let home = Home::new();
    home.judge("git status");
    let files = home.files();
    assert_eq!(files.len(), 1, "{files:?}");
    assert_eq!(std::fs::metadata(&files[0]).expect("there").permissions().mode() & 0o777, 0o600);
    assert_eq!(std::fs::metadata(home.state()).expect("there").permissions().mode() & 0o777, 0o700);
}

/// Fifty at once, one killed while it has half of its payload.
#[test]
fn many_hooks_at_once_lose_and_tear_no_line() {
    let home = Home::new();
    let mut hooks: Vec<_> = (0..50).map(|_| home.start("-cc")).collect();
    let long = "x".repeat(5_000);
    let command = |number: usize| format!("echo {number} '{long}'");
    for (number, hook) in hooks.iter_mut().enumerate() {
        let payload = home.payload("Bash", json!({ "command": command(number) }));
        let sent = if number == 25 { &payload[..payload.len() / 2] } else { &payload };
        std::io::Write::write_all(hook.stdin.as_mut().expect("a pipe"), sent.as_bytes()).expect("written");
    }
    hooks[25].kill().expect("killed");
    for (number, hook) in hooks.into_iter().enumerate() {
        let output = finish(hook, "");
        if number != 25 {
            silent(&output);
        }
    }
    let mut commands: Vec<String> =
        home.records().iter().map(|record| record["command"].as_str().expect("a command").to_string()).collect();
    commands.sort();
    let mut expected: Vec<String> = (0..50).filter(|number| *number != 25).map(command).collect();
    expected.sort();
    assert_eq!(commands, expected);
}

#[test]
fn what_a_killed_writer_left_harms_no_other_line() {
    let home = Home::new();
    home.judge("git status");
    let [file] = &home.files()[..] else { panic!("one file") };
    let whole = std::fs::read_to_string(file).expect("read");
    std::fs::write(file, format!("{whole}{}", &whole[..whole.len() / 2])).expect("torn");
    home.judge("git push --force");
    let log = cc_safety_net::audit::Log::below(&home.state());
    let mut reader = cc_safety_net::audit::Reader::new(&log, "");
    let commands: Vec<String> = reader.by_ref().map(|record| record.command).collect();
    assert_eq!(commands, ["git push --force", "git status"]);
    assert_eq!(reader.unreadable, 1);
}

/// Whatever the log meets with, the agent hears of the call alone.
#[test]
fn a_log_that_fails_is_silent() {
    let home = Home::new();
    let state = home.state();
    std::fs::create_dir_all(state.parent().expect("a parent")).expect("a folder");
    std::fs::write(&state, "a file where a folder should be").expect("written");
    silent(&home.judge("git status"));
    let refused = home.judge("git push --force");
    assert!(refused.stderr.is_empty() && text(&refused.stdout).contains("git.push-force"), "{refused:?}");
}

#[cfg(all(debug_assertions, unix))]
#[test]
fn a_fault_while_recording_changes_no_reply_and_one_before_it_is_recorded() {
    let home = Home::new();
    let faulty = |fault: &str, command: &str| {
        let child = home.command(&["hook", "-cc"]).env("CC_SAFETY_NET_FAULT", fault).spawn().expect("the binary starts");
        finish(child, &home.payload("Bash", json!({ "command": command })))
    };
    for kind in ["panic", "stack", "memory"] {
        let output = faulty(&format!("{kind}@record"), "git 'status'");
        assert!(output.status.code() == Some(0) && output.stdout.is_empty(), "{kind}: {output:?}");
        let refused = text(&faulty(&format!("{kind}@record"), "git push --force").stdout);
        assert!(refused.lines().count() == 1 && refused.contains("git.push-force"), "{kind}: {refused}");
    }
    assert_eq!(home.records().len(), 0);
    assert!(text(&faulty("panic@interpret", "git 'status'").stdout).contains("engine.fault"));
    let records = home.records();
    assert_eq!((records.len(), &records[0]["failureStage"], &records[0]["decision"]), (1, &json!("engine"), &json!("deny")));
}
