//! The commands around the hook, from outside: `logs`, `status`, `statusline`.

#![cfg(feature = "machine")]

#[path = "support/hooks.rs"]
mod hooks;

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use hooks::{Home, finish, text};
use serde_json::{Value, json};

/// A home in which four calls were judged.
fn lived_in() -> Home {
    let home = Home::new();
    for command in ["git status", "git push --force", "git push --delete origin x", "git push --force"] {
        home.judge(command);
    }
    home
}

fn json_of(home: &Home, arguments: &[&str]) -> Value {
    let output = home.run(arguments);
    assert!(output.stderr.is_empty(), "{output:?}");
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
}

fn commands(records: &Value) -> Vec<&str> {
    records.as_array().expect("a list").iter().map(|record| record["command"].as_str().expect("a command")).collect()
}

#[test]
fn logs_shows_the_newest_first_and_filters() {
    let home = lived_in();
    let output = home.run(&["logs"]);
    let lines: Vec<String> = text(&output.stdout).lines().map(str::to_string).collect();
    assert_eq!((output.status.code(), lines.len()), (Some(0), 3), "allowed calls are asked for: {lines:?}");
    assert!(lines[0].contains("deny  claude-code git.push-force") && lines[0].ends_with(" git push --force"), "{lines:?}");
    let shown = |more: &[&str]| {
        let arguments: Vec<&str> = ["logs", "--json"].iter().chain(more).copied().collect();
        commands(&json_of(&home, &arguments)).len()
    };
    assert_eq!((shown(&[]), shown(&["--all"]), shown(&["--limit", "1"]), shown(&["--all", "--limit", "0"])), (3, 4, 1, 4));
    assert_eq!((shown(&["--rule", "git.push-delete"]), shown(&["--rule", "git"]), shown(&["--rule", "files"])), (1, 3, 0));
    assert_eq!((shown(&["--agent", "codex"]), shown(&["--session", "s-1"]), shown(&["--suspect"])), (0, 3, 2));
    assert_eq!((shown(&["--project", "."]), shown(&["--project", "elsewhere"]), shown(&["--since", "2"])), (3, 0, 3));
    let none = home.run(&["logs", "--rule", "files"]);
    assert_eq!((none.status.code(), text(&none.stdout).as_str(), text(&none.stderr).as_str()), (Some(0), "", "no records\n"));
    assert_eq!(home.run(&["logs", "--limit", "x"]).status.code(), Some(2));
}

#[test]
fn logs_counts_and_makes_tables() {
    let home = lived_in();
    let statistics = json_of(&home, &["logs", "--stats", "--all", "--json"]);
    assert_eq!(statistics["decisions"], json!({ "allow": 1, "warn": 0, "ask": 1, "deny": 2 }));
    assert_eq!(statistics["rules"]["git.push-force"]["deny"], 2);
    assert_eq!(statistics["agents"]["claude-code"]["ask"], 1);
    for by in ["projects", "days"] {
        assert_eq!(statistics[by].as_object().map(|names| names.len()), Some(1), "{by}");
    }
    let told = text(&home.run(&["logs", "--stats"]).stdout);
    assert!(told.contains("3 records, ") && told.contains("  git.push-force "), "{told}");
    assert!(told.lines().all(|line| line.chars().count() <= 80), "{told}");
    let table = text(&home.run(&["logs", "--csv", "--rule", "git.push-delete"]).stdout);
    let rows: Vec<&str> = table.lines().collect();
    assert!(rows.len() == 2 && rows[0].starts_with("ts,id,decision,") && rows[1].contains(",git.push-delete,"), "{table}");
}

#[test]
fn logs_explains_a_record_again() {
    let home = lived_in();
    let records = json_of(&home, &["logs", "--json", "--rule", "git.push-delete"]);
    let id = records[0]["id"].as_str().expect("an id");
    let told = text(&home.run(&["logs", "show", &id[..10]]).stdout);
    assert!(told.contains(id) && told.contains("git.push-delete") && told.contains("sessionId    s-1"), "{told}");
    assert!(told.contains("origin x") && !told.contains("has changed"), "{told}");
    let document = json_of(&home, &["logs", "show", "--json", id]);
    assert_eq!((&document["same_policy"], &document["explanation"]["decision"]), (&json!(true), &json!("ask")));
    home.policy("overrides:\n  git.push-delete: deny\n");
    let told = text(&home.run(&["logs", "show", id]).stdout);
    assert!(told.contains("The policy has changed since") && told.contains("Now: deny; then: ask."), "{told}");
    let unknown = home.run(&["logs", "show", "zzzz"]);
    assert!(unknown.status.code() == Some(1) && text(&unknown.stderr).contains("no record"), "{unknown:?}");
    assert_eq!(home.run(&["logs", "show", ""]).status.code(), Some(1), "more than one");
}

#[test]
fn logs_follows_what_comes() {
    let home = lived_in();
    let mut follower = home.command(&["logs", "--follow", "--json"]).stdin(Stdio::null()).spawn().expect("the binary starts");
    let mut lines = BufReader::new(follower.stdout.take().expect("a pipe")).lines();
    // What it had not seen when it began comes; when it began is not known, so it is told until it answers.
    let (done, told) = std::sync::mpsc::channel::<()>();
    let writer = std::thread::spawn(move || {
        while told.recv_timeout(std::time::Duration::from_millis(20)).is_err() {
            home.judge("git push --force origin news");
        }
        home
    });
    let line = lines.next().expect("a line").expect("UTF-8");
    done.send(()).expect("heard");
    let _home = writer.join().expect("ended");
    follower.kill().expect("killed");
    follower.wait().expect("ended");
    let record: Value = serde_json::from_str(&line).expect("JSON");
    assert_eq!(record["command"], "git push --force origin news");
}

#[test]
fn a_line_that_cannot_be_read_is_counted() {
    let home = lived_in();
    let [file] = &home.files()[..] else { panic!("one file") };
    std::fs::write(file, std::fs::read_to_string(file).expect("read") + "no record\n").expect("written");
    let output = home.run(&["logs"]);
    assert!(
        output.status.code() == Some(0) && text(&output.stderr).contains("1 line or file of the log could not"),
        "{output:?}"
    );
}

#[test]
fn status_says_what_is_in_force() {
    let home = lived_in();
    let output = home.run(&["status"]);
    let told = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{told}");
    for part in [": ready", "Preset    standard", "embedded: ", "every decision, for 30 days", "git.push-force", "logs show "] {
        assert!(told.contains(part), "{part}: {told}");
    }
    let document = json_of(&home, &["status", "--json"]);
    assert_eq!((&document["state"], &document["last_refusal"]["ruleId"]), (&json!("ready"), &json!("git.push-force")));
    assert!(document["layers"][0]["rules"].as_u64() >= Some(100), "{document}");
    home.policy("preset: strict\naudit: blocked\nretention_days: 90\n");
    let told = text(&home.run(&["status"]).stdout);
    assert!(
        told.contains("strict") && told.contains("refusals alone, for 90 days") && told.contains("user: 0 rules"),
        "{told}"
    );
    home.policy("no-such-setting: 1\n");
    let output = home.run(&["status"]);
    let told = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{told}");
    for part in [": degraded", "Not in force:", "no-such-setting"] {
        assert!(told.contains(part), "{part}: {told}");
    }
}

#[test]
fn status_says_that_nothing_can_be_recorded() {
    let home = Home::new();
    std::fs::create_dir_all(home.state()).expect("a folder");
    std::fs::write(home.state().join("log"), "").expect("written");
    let document = json_of(&home, &["status", "--json"]);
    assert_eq!(document["state"], "degraded");
    assert!(document["audit"]["fault"].as_str().is_some_and(|fault| fault.contains("not a directory")), "{document}");
}

#[test]
fn the_status_line_is_one_line() {
    let home = lived_in();
    let line = |input: &str| {
        let child = home.command(&["statusline", "--claude-code"]).spawn().expect("the binary starts");
        let output = finish(child, input);
        assert!(output.status.code() == Some(0) && output.stderr.is_empty(), "{output:?}");
        let said = text(&output.stdout);
        assert_eq!(said.lines().count(), 1, "{said}");
        said
    };
    let session = json!({ "workspace": { "current_dir": home.project() } }).to_string();
    let said = line(&session);
    assert!(said.starts_with("🛡️ CC Safety Net ✅ standard") && said.contains("⛔ git.push-force less than 1m ago"), "{said}");
    assert!(!line(r#"{"cwd": "/nowhere"}"#).contains("⛔"), "another project's");
    assert!(line("main *2\nmore").starts_with("main *2 | 🛡️"));
    home.policy("preset: strict\nwrong: 1\n");
    assert!(line(&session).contains("🔒 strict +user ⚠️") || line(&session).contains("⚠️"), "{}", line(&session));
    for arguments in [&["statusline"][..], &["statusline", "--nobody"]] {
        assert_eq!(home.run(arguments).status.code(), Some(2));
    }
    assert!(text(&home.run(&["statusline", "--help"]).stdout).contains("Examples:"));
}

/// The code in what the user is told of a refusal.
#[cfg(debug_assertions)]
fn code(refused: &std::process::Output) -> String {
    let reply: Value = serde_json::from_slice(&refused.stdout).expect("JSON");
    let aside = reply["systemMessage"].as_str().expect("a word to the user").to_string();
    let code = aside.rsplit(' ').next().expect("a code").to_string();
    let told = reply["hookSpecificOutput"]["permissionDecisionReason"].as_str().expect("a reason");
    assert!(code.len() >= 9 && !told.contains(&code), "the agent is not told: {reply}");
    code
}

/// As a person at a terminal.
#[cfg(debug_assertions)]
fn allow(home: &Home, code: &str, variables: &[(&str, &str)]) -> std::process::Output {
    let mut command = home.command(&["allow-once", code]);
    command.env("CC_SAFETY_NET_TEST_PERSON", "1").envs(variables.iter().copied()).output().expect("the binary starts")
}

#[cfg(debug_assertions)]
#[test]
fn a_refused_call_passes_once_where_a_person_says_so() {
    let home = Home::new();
    let passes = |command: &str| home.judge(command).stdout.is_empty();
    let code = code(&home.judge("git push --force"));
    assert_eq!(code, self::code(&home.judge("git push --force")), "one code for one call");
    let granted = allow(&home, &code, &[]);
    assert!(granted.status.code() == Some(0) && text(&granted.stdout).contains("git push --force"), "{granted:?}");
    assert!(!passes("git push --force origin main"), "another call");
    assert!(
        !home.hook("-cx", &home.payload("Bash", json!({ "command": "git push --force" }))).stdout.is_empty(),
        "another agent"
    );
    assert!(passes("git push --force"));
    assert!(!passes("git push --force"), "once");
    assert_eq!(allow(&home, &code, &[]).status.code(), Some(1), "a code counts once");
    let records = home.records();
    let passed: Vec<&Value> = records.iter().filter(|record| record.get("ticket").is_some()).collect();
    assert_eq!((passed.len(), &passed[0]["decision"], &passed[0]["ruleId"]), (1, &json!("allow"), &json!("git.push-force")));
    assert!(text(&home.run(&["logs"]).stdout).contains("(allowed once)"));
    assert!(!home.text().contains(&code), "the log has no codes");
}

#[cfg(debug_assertions)]
#[test]
fn a_ticket_ends_with_the_policy_it_was_for() {
    let home = Home::new();
    let code = code(&home.judge("git push --force"));
    assert_eq!(allow(&home, &code, &[]).status.code(), Some(0));
    home.policy("deny_paths: [/x]\n");
    assert!(!home.judge("git push --force").stdout.is_empty());
}

#[cfg(debug_assertions)]
#[test]
fn what_nobody_may_lift_has_no_code() {
    let home = Home::new();
    for command in ["rm -rf ~", "git push --force && rm -rf ~"] {
        let reply: Value = serde_json::from_slice(&home.judge(command).stdout).expect("JSON");
        assert!(reply.get("systemMessage").is_none(), "{reply}");
    }
    assert!(!home.state().join("tickets/offered").exists());
    let listed = home.command(&["logs"]).env("CC_SAFETY_NET_TEST_PERSON", "1").output().expect("the binary starts");
    assert!(!text(&listed.stdout).contains("allow-once"));
}

/// A refusal whose code the agent has no place for is in the list that a person sees, and an agent does not.
#[cfg(debug_assertions)]
#[test]
fn codes_are_listed_for_a_person_alone() {
    let home = Home::new();
    home.hook("-cx", &home.payload("Bash", json!({ "command": "git push --force" })));
    let list = |variables: &[(&str, &str)]| {
        text(&home.command(&["logs"]).envs(variables.iter().copied()).output().expect("the binary starts").stdout)
    };
    let person = ("CC_SAFETY_NET_TEST_PERSON", "1");
    let told = list(&[person]);
    let code = told.split("allow-once ").nth(1).and_then(|rest| rest.split(' ').next()).unwrap_or_else(|| panic!("{told}"));
    assert!(!list(&[]).contains(code) && !list(&[person, ("CLAUDECODE", "1")]).contains(code));
    for variables in [&[("CLAUDECODE", "1")][..], &[("CODEX_SANDBOX", "x")]] {
        let refused = allow(&home, code, variables);
        assert!(refused.status.code() == Some(1) && text(&refused.stderr).contains("only a person"), "{refused:?}");
    }
    let refused = home.run(&["allow-once", code]);
    assert!(refused.status.code() == Some(1) && text(&refused.stderr).contains("only a person"), "no terminal: {refused:?}");
    assert_eq!(allow(&home, code, &[]).status.code(), Some(0));
}
