//! The commands that people type, from outside.

#![cfg(feature = "machine")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

/// Runs the binary in a folder with a home of its own.
fn run(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_cc-safety-net"))
        .args(arguments)
        .current_dir(folder)
        .env_clear()
        .env("HOME", folder)
        .output()
        .expect("the binary starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

fn code(output: &Output) -> i32 {
    output.status.code().unwrap_or_else(|| panic!("no exit code: {output:?}"))
}

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a scratch folder")
}

const SOUND: &str = "rulebook mine\nversion 1.0.0\nabout \"Mine.\"\n
rule deploy {
  match deploy-tool --production
  deny \"Ships to everyone.\"
  instead \"deploy-tool --staging\"
  examples { deny `deploy-tool --production`; allow `deploy-tool --staging` }
}
";

const BROKEN: &str = "rulebook mine\n
rule first { match deploy-tool --production; deny \"Ships.\" sideways }
rule second { match writes @nowhere; deny \"Writes.\" }
";

#[test]
fn help_and_version_are_told() {
    let here = folder();
    let help = run(here.path(), &["--help"]);
    assert_eq!(code(&help), 0);
    for command in ["hook", "explain", "rule", "trust", "untrust"] {
        assert!(text(&help.stdout).contains(&format!("  {command} ")), "{command}");
        let page = run(here.path(), &[command, "--help"]);
        assert_eq!(code(&page), 0, "{command}");
        assert!(text(&page.stdout).contains("Usage: cc-safety-net"), "{command}");
    }
    for page in
        [&["explain", "--help"][..], &["rule", "check", "--help"], &["rule", "test", "--help"], &["rule", "fmt", "--help"]]
    {
        let page = text(&run(here.path(), page).stdout);
        assert!(page.contains("Examples:") && page.contains("Exit code:") && page.contains("JSON:"), "{page}");
    }
    assert!(text(&run(here.path(), &["--version"]).stdout).contains(env!("CARGO_PKG_VERSION")));
    assert_eq!(code(&run(here.path(), &[])), 0);
    let wrong = run(here.path(), &["no-such-command"]);
    assert!(code(&wrong) == 2 && wrong.stdout.is_empty() && !wrong.stderr.is_empty());
}

#[test]
fn explain_takes_a_command_in_each_of_its_forms() {
    let here = folder();
    for arguments in [
        &["explain", "git status --short"][..],
        &["explain", "git", "status", "--short"],
        &["explain", "--", "git", "status", "--short"],
        &["explain", "--cwd", ".", "--preset", "strict", "--agent", "claude-code", "--", "git status --short"],
    ] {
        let output = run(here.path(), arguments);
        assert_eq!(code(&output), 0, "{arguments:?} {output:?}");
        assert!(text(&output.stdout).starts_with("allow: `git status --short`: "), "{}", text(&output.stdout));
        assert!(!text(&output.stdout).contains('\u{1b}'), "no colour into a pipe");
    }
    for arguments in [
        &["explain"][..],
        &["explain", "--preset", "lax", "ls"],
        &["explain", "--agent", "nobody", "ls"],
        &["explain", "--cwd", "/no/such/place", "ls"],
        &["explain", "--unknown", "ls"],
    ] {
        let output = run(here.path(), arguments);
        assert_eq!(code(&output), 2, "{arguments:?}");
        assert!(output.stdout.is_empty() && !output.stderr.is_empty(), "{arguments:?}");
    }
}

#[test]
fn explain_has_no_secrets_in_any_form() {
    let here = folder();
    let command = "login --password hunter22secret; echo ghp_0123456789abcdefghijklmnopqrstuvwxyz";
    for arguments in [&["explain", command][..], &["explain", "--json", command]] {
        let output = run(here.path(), arguments);
        let all = text(&output.stdout) + &text(&output.stderr);
        assert!(!all.contains("hunter22") && !all.contains("ghp_0123"), "{all}");
        assert!(all.contains("<redacted>"), "{all}");
    }
}

/// The form of the document: every field that the help names is there, with its kind.
#[test]
fn the_document_of_explain_is_complete() {
    let here = folder();
    let output = run(here.path(), &["explain", "--json", "cd / && sudo bash -c 'ls -l > out.txt'"]);
    let document: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let kinds = [
        ("version", "number"),
        ("decision", "text"),
        ("message", "text"),
        ("agent", "text"),
        ("tool", "text"),
        ("fields", "object"),
        ("directory", "text"),
        ("preset", "text"),
        ("attended", "boolean"),
        ("texts", "list"),
        ("findings", "list"),
        ("set_aside", "list"),
        ("near", "list"),
        ("runs", "list"),
        ("effects", "list"),
        ("unparsed", "list"),
        ("limits", "list"),
        ("trace", "list"),
        ("reports", "list"),
    ];
    for (field, kind) in kinds {
        let found = match &document[field] {
            Value::Null => "nothing",
            Value::Bool(_) => "boolean",
            Value::Number(_) => "number",
            Value::String(_) => "text",
            Value::Array(_) => "list",
            Value::Object(_) => "object",
        };
        assert_eq!(found, kind, "{field}");
    }
    assert_eq!(document.as_object().map(|fields| fields.len()), Some(kinds.len()), "a new field belongs in the help, too");
    let again = run(here.path(), &["explain", "--json", "cd / && sudo bash -c 'ls -l > out.txt'"]);
    assert_eq!(output.stdout, again.stdout, "equal calls give equal bytes");
}

#[test]
fn rule_check_reports_every_fault_in_one_run() {
    let here = folder();
    fs::create_dir(here.path().join("rules")).expect("a folder");
    fs::write(here.path().join("rules/sound.rulebook"), SOUND).expect("written");
    let sound = run(here.path(), &["rule", "check", "rules"]);
    assert_eq!(code(&sound), 0, "{}{}", text(&sound.stdout), text(&sound.stderr));

    fs::write(here.path().join("rules/broken.rulebook"), BROKEN).expect("written");
    let broken = run(here.path(), &["rule", "check", "rules"]);
    assert_eq!(code(&broken), 1);
    let told = text(&broken.stdout);
    assert!(told.contains("rules/broken.rulebook:3:") && told.contains("rules/broken.rulebook:4:"), "{told}");

    let json = run(here.path(), &["rule", "check", "--format", "json", "rules/broken.rulebook"]);
    assert_eq!(code(&json), 1);
    let document: Value = serde_json::from_slice(&json.stdout).expect("JSON");
    assert_eq!(document["version"], 1);
    let diagnostics = document["diagnostics"].as_array().expect("a list");
    assert!(diagnostics.len() >= 2 && document["errors"].as_u64() >= Some(2), "{document}");
    for diagnostic in diagnostics {
        assert!(diagnostic["code"].as_str().is_some_and(|code| code.starts_with("rulebook::")), "{diagnostic}");
        assert!(diagnostic["labels"][0]["line"].as_u64() >= Some(1), "{diagnostic}");
    }
    assert_eq!(code(&run(here.path(), &["rule", "check", "no-such-folder"])), 2);
    assert_eq!(code(&run(here.path(), &["rule", "check"])), 2, "nothing stands here");
}

#[test]
fn rule_test_judges_examples_over_the_catalogue() {
    let here = folder();
    fs::write(here.path().join("sound.rulebook"), SOUND).expect("written");
    let sound = run(here.path(), &["rule", "test", "sound.rulebook"]);
    assert_eq!(code(&sound), 0, "{}{}", text(&sound.stdout), text(&sound.stderr));
    assert!(text(&sound.stderr).starts_with("2 examples: 2 hold, 0 failed"), "{}", text(&sound.stderr));

    let wrong =
        SOUND.replace("allow `deploy-tool --staging`", "deny `deploy-tool --staging`; todo deny `deploy-tool --production`");
    fs::write(here.path().join("wrong.rulebook"), wrong).expect("written");
    let failed = run(here.path(), &["rule", "test", "wrong.rulebook"]);
    assert_eq!(code(&failed), 1);
    let told = text(&failed.stdout);
    assert!(told.contains("wrong.rulebook:9:") && told.contains("got allow: no rule matched"), "{told}");
    assert!(told.contains("a known gap is closed"), "{told}");

    let json = run(here.path(), &["rule", "test", "--format", "json", "wrong.rulebook"]);
    let document: Value = serde_json::from_slice(&json.stdout).expect("JSON");
    assert_eq!((&document["version"], &document["examples"], &document["holding"]), (&1.into(), &3.into(), &1.into()));
    assert_eq!(document["failed"][0]["wanted"], "deny");
}

/// The guide's own lines, in a user's home: the wrapper is known, and what it does not change stays.
#[test]
fn three_lines_make_a_wrapper_known() {
    let guide = include_str!("../grammar/README.md");
    let section = guide.split("\n## ").find(|section| section.starts_with("A program of your own")).expect("a section");
    let lines = section.split("```rulebook\n").nth(1).and_then(|rest| rest.split("```").next()).expect("a block");
    assert_eq!(lines.lines().count(), 3, "{lines}");
    // The home lies beside the project: a layer that a variable names inside of it would be ignored.
    let (home, project) = (folder(), folder());
    let verdict = |command: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_cc-safety-net"))
            .args(["explain", command])
            .current_dir(project.path())
            .env_clear()
            .env("HOME", home.path())
            .output()
            .expect("the binary starts");
        text(&output.stdout).split(':').next().unwrap_or_default().to_string()
    };
    let calls = ["in-env -e prod rm -rf ~", "sudo in-env --env=prod bash -c 'rm -rf ~'", "in-env -e prod ls"];
    assert_eq!(calls.map(verdict), ["allow"; 3], "nobody declared it");
    let rules = home.path().join(".cc-safety-net/rules");
    fs::create_dir_all(&rules).expect("a folder");
    fs::write(rules.join("mine.rulebook"), lines).expect("written");
    assert_eq!(calls.map(verdict), ["deny", "deny", "allow"]);
}

#[test]
fn rule_fmt_changes_files_once_and_leaves_faulty_ones_alone() {
    let here = folder();
    let file = here.path().join("mine.rulebook");
    fs::write(&file, SOUND.replace("  match", "        match")).expect("written");
    assert_eq!(code(&run(here.path(), &["rule", "fmt", "--check", "mine.rulebook"])), 1);
    assert_eq!(code(&run(here.path(), &["rule", "fmt", "mine.rulebook"])), 0);
    let formatted = fs::read_to_string(&file).expect("read");
    assert!(!formatted.contains("        match"), "{formatted}");
    assert_eq!(code(&run(here.path(), &["rule", "fmt", "--check", "mine.rulebook"])), 0);

    fs::write(&file, BROKEN).expect("written");
    assert_eq!(code(&run(here.path(), &["rule", "fmt", "mine.rulebook"])), 1);
    assert_eq!(fs::read_to_string(&file).expect("read"), BROKEN);
}

#[test]
fn trust_needs_a_layer() {
    let here = folder();
    let output = run(here.path(), &["trust", "."]);
    assert_eq!(code(&output), 2);
    assert!(text(&output.stderr).contains(".cc-safety-net"), "{}", text(&output.stderr));
}
