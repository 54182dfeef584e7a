//! The hook from outside: bytes in, at most one line and exit code 0 out.

#![cfg(feature = "machine")]

use std::io::Write;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

fn hook(arguments: &[&str], input: &[u8], environment: &[(&str, &str)]) -> Output {
    let home = std::env::temp_dir();
    let mut child = Command::new(env!("CARGO_BIN_EXE_cc-safety-net"))
        .args(arguments)
        .env_clear()
        .env("HOME", &home)
        .env("CC_SAFETY_NET_TEST_HOME", concat!(env!("CARGO_TARGET_TMPDIR"), "/hook-home"))
        .envs(environment.iter().copied())
        .current_dir(&home)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.to_vec();
    let writer = std::thread::spawn(move || {
        // A hook that answers early may close its input; that is no fault of the test.
        let _ = stdin.write_all(&input);
    });
    let output = child.wait_with_output().expect("the hook ends");
    writer.join().expect("the writer ends");
    output
}

fn claude(input: impl AsRef<[u8]>) -> Output {
    hook(&["hook", "-cc"], input.as_ref(), &[])
}

fn payload(tool: &str, fields: Value) -> Value {
    json!({ "hook_event_name": "PreToolUse", "session_id": "s", "cwd": "/", "tool_name": tool, "tool_input": fields })
}

/// The reason of a refusal, after checking that it is exactly what the agent takes as one.
fn refusal(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let text = String::from_utf8(output.stdout.clone()).expect("UTF-8");
    assert_eq!(text.matches('\n').count(), 1, "one line: {text:?}");
    assert!(text.ends_with('\n'), "{text:?}");
    let reply: Value = serde_json::from_str(&text).expect("JSON");
    let inner = &reply["hookSpecificOutput"];
    assert_eq!(inner["hookEventName"], "PreToolUse");
    assert_eq!(inner["permissionDecision"], "deny");
    let reason = inner["permissionDecisionReason"].as_str().expect("a reason").to_string();
    assert!(reason.starts_with("BLOCKED by CC Safety Net"), "{reason}");
    reason
}

fn silent(output: &Output) {
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(output.stdout.is_empty() && output.stderr.is_empty(), "{output:?}");
}

#[test]
fn a_bad_payload_is_refused_with_what_was_wrong() {
    let mut not_utf8 = br#"{"tool_name":"Bash","tool_input":{"command":"ls "#.to_vec();
    not_utf8.extend(b"\xff\"}}");
    let cases: Vec<(Vec<u8>, &str)> = vec![
        (b"".to_vec(), "empty payload"),
        (b" \n ".to_vec(), "empty payload"),
        (b"not-json".to_vec(), "not JSON"),
        (b"{\"tool_name\":\"Bash\"".to_vec(), "not JSON"),
        (b"{}{}".to_vec(), "not JSON"),
        (b"[]".to_vec(), "must be an object"),
        (b"null".to_vec(), "must be an object"),
        (not_utf8, "not UTF-8"),
        ("[".repeat(100_000).into_bytes(), "nested too deeply"),
        (b"{}".to_vec(), "`tool_name` is missing"),
        (br#"{"tool_name":7,"tool_input":{}}"#.to_vec(), "`tool_name` must be a text, and is a number"),
        (br#"{"tool_name":"","tool_input":{}}"#.to_vec(), "`tool_name` is empty"),
        (br#"{"tool_name":"Bash"}"#.to_vec(), "`tool_input` is missing"),
        (br#"{"tool_name":"Bash","tool_input":"ls"}"#.to_vec(), "`tool_input` must be an object"),
        (br#"{"tool_name":"Bash","tool_input":{}}"#.to_vec(), "`tool_input.command` is missing"),
        (br#"{"tool_name":"Bash","tool_input":{"command":["ls"]}}"#.to_vec(), "`tool_input.command` must be a text"),
        (br#"{"tool_name":"Bash","tool_input":{"command":" "}}"#.to_vec(), "`tool_input.command` is empty"),
        (br#"{"tool_name":"Bash","tool_input":{"command":"ls\u0000"}}"#.to_vec(), "NUL character"),
        (br#"{"tool_name":"Read","tool_input":{}}"#.to_vec(), "`tool_input.file_path` is missing"),
        (br#"{"tool_name":"Read","tool_input":{"file_path":"x"},"cwd":"a/b"}"#.to_vec(), "must be an absolute path"),
        (br#"{"tool_name":"Read","tool_input":{"file_path":"x"},"cwd":7}"#.to_vec(), "`cwd` must be a text"),
        (
            br#"{"hook_event_name":7,"tool_name":"Read","tool_input":{"file_path":"x"}}"#.to_vec(),
            "`hook_event_name` must be a text",
        ),
        (vec![b' '; (8 << 20) + 1], "larger than 8 MiB"),
    ];
    for (input, what) in cases {
        let reason = refusal(&claude(&input));
        let shown = String::from_utf8_lossy(&input[..input.len().min(120)]).into_owned();
        assert!(reason.lines().next().is_some_and(|first| first.contains(what)), "{shown}: {reason}");
    }
}

#[test]
fn other_events_are_met_with_silence() {
    for event in ["PostToolUse", "SessionStart", "UserPromptSubmit", "Stop", "Elicitation", "SomethingNew"] {
        silent(&claude(json!({ "hook_event_name": event, "cwd": "/" }).to_string()));
    }
}

#[test]
fn every_tool_is_taken() {
    let calls = [
        ("Bash", json!({ "command": "git status" })),
        ("PowerShell", json!({ "command": "Get-ChildItem" })),
        ("Read", json!({ "file_path": "/project/readme.txt", "offset": 1 })),
        ("Write", json!({ "file_path": "/project/readme.txt", "content": "x" })),
        ("Edit", json!({ "file_path": "/project/readme.txt", "old_string": "a", "new_string": "b" })),
        ("MultiEdit", json!({ "file_path": "/project/readme.txt", "edits": [] })),
        ("NotebookEdit", json!({ "notebook_path": "/project/a.ipynb", "new_source": "x" })),
        ("Grep", json!({ "pattern": "x", "path": "/project/src" })),
        ("Glob", json!({ "pattern": "*.rs" })),
        ("WebFetch", json!({ "url": "https://docs.example.org/setup", "prompt": "x" })),
        ("mcp__pager__page_oncall", json!({ "team": "infra" })),
        ("SomethingNew", json!({})),
    ];
    for (tool, fields) in calls {
        silent(&claude(payload(tool, fields).to_string()));
    }
}

#[test]
fn a_byte_order_mark_and_blanks_do_no_harm() {
    silent(&claude(format!("\u{feff}\n{}\n\n", payload("Bash", json!({ "command": "git status" })))));
}

/// For each agent: its flag, its call of a shell command in `/`, and where in its reply the refusal stands.
fn forms(command: &str) -> Vec<(&'static str, Value, &'static str, &'static str)> {
    let fields = json!({ "command": command });
    let snake =
        |event: &str, tool: &str| json!({ "hook_event_name": event, "cwd": "/", "tool_name": tool, "tool_input": fields });
    let nested = "/hookSpecificOutput/permissionDecision";
    let permission = "/hookSpecificOutput/decision/behavior";
    vec![
        (
            "-ac",
            json!({ "workspacePaths": ["/"], "toolCall": { "name": "run_command", "args": { "CommandLine": command } } }),
            "/decision",
            "deny",
        ),
        ("-cc", snake("PreToolUse", "Bash"), nested, "deny"),
        ("-cc", snake("PermissionRequest", "Bash"), permission, "deny"),
        ("-cc", snake("PreSkillShellCommand", "Bash"), nested, "deny"),
        ("-cx", snake("PreToolUse", "Bash"), nested, "deny"),
        ("-cx", snake("PermissionRequest", "Bash"), permission, "deny"),
        ("-cp", json!({ "cwd": "/", "toolName": "bash", "toolArgs": fields.to_string() }), "/permissionDecision", "deny"),
        ("-cp", snake("PreToolUse", "Bash"), "/permissionDecision", "deny"),
        (
            "-cu",
            json!({ "cwd": "/", "workspace_roots": ["/"], "tool_name": "Shell", "tool_input": fields }),
            "/permission",
            "deny",
        ),
        ("-cu", json!({ "hook_event_name": "beforeShellExecution", "cwd": "/", "command": command }), "/permission", "deny"),
        ("-gc", snake("BeforeTool", "run_shell_command"), "/decision", "deny"),
        (
            "-gb",
            json!({ "cwd": "/", "workspaceRoot": "/", "toolName": "run_terminal_command", "toolInput": fields }),
            "/decision",
            "deny",
        ),
        ("-ha", snake("pre_tool_call", "terminal"), "/action", "block"),
        ("-kc", snake("PreToolUse", "Bash"), nested, "deny"),
    ]
}

#[test]
fn every_agent_is_refused_in_its_own_form_and_else_met_with_silence() {
    for (flag, payload, place, refused) in forms("rm -rf /") {
        let output = hook(&["hook", flag], payload.to_string().as_bytes(), &[]);
        assert_eq!(output.status.code(), Some(0), "{flag}: {output:?}");
        let reply: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{flag}: {error}: {output:?}"));
        assert_eq!(reply.pointer(place).and_then(Value::as_str), Some(refused), "{flag}: {reply}");
    }
    for (flag, payload, ..) in forms("git status") {
        let output = hook(&["hook", flag], payload.to_string().as_bytes(), &[]);
        assert_eq!(output.status.code(), Some(0), "{flag}: {output:?}");
        let text = String::from_utf8_lossy(&output.stdout);
        assert_eq!(text, if flag == "-gb" { "{\"decision\":\"allow\"}\n" } else { "" }, "{flag}");
    }
}

#[test]
fn a_patch_is_judged_by_the_files_that_it_touches() {
    let patch = "*** Begin Patch\n*** Delete File: /etc/passwd\n*** End Patch\n";
    let payload =
        json!({ "hook_event_name": "PreToolUse", "cwd": "/", "tool_name": "apply_patch", "tool_input": { "command": patch } });
    refusal(&hook(&["hook", "-cx"], payload.to_string().as_bytes(), &[]));
}

#[test]
fn the_command_line_names_exactly_one_agent() {
    let input = payload("Bash", json!({ "command": "git status" })).to_string();
    for arguments in [&["hook", "-cc"][..], &["hook", "--coding-cli"], &["hook", "--claude-code"], &["-cc"], &["--claude-code"]]
    {
        silent(&hook(arguments, input.as_bytes(), &[]));
    }
    for arguments in [&["hook"][..], &["hook", "-cc", "--coding-cli"], &["hook", "--nobody"], &["hook", "-cc", "extra"]] {
        let output = hook(arguments, input.as_bytes(), &[]);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("Usage: cc-safety-net hook"), "{arguments:?}");
    }
}

/// Every kind of crash at every stage is the agent's refusal. Builds for release cannot be made to crash on purpose.
#[cfg(all(debug_assertions, unix))]
#[test]
fn every_fault_at_every_stage_is_the_refusal() {
    // Not plain enough to be waved through before it is read.
    let input = payload("Bash", json!({ "command": "git 'status'" })).to_string();
    for stage in ["decode", "layers", "interpret", "decide", "encode"] {
        for kind in ["panic", "stack", "memory"] {
            let fault = format!("{kind}@{stage}");
            let output = hook(&["hook", "-cc"], input.as_bytes(), &[("CC_SAFETY_NET_FAULT", &fault)]);
            let reason = refusal(&output);
            assert!(reason.contains("internal fault") && reason.contains("engine.fault"), "{fault}: {reason}");
            assert_eq!(kind == "panic", reason.contains("panic at src/cli/fault.rs"), "{fault}: {reason}");
        }
    }
}
