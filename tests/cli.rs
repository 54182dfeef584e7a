//! The commands that people type, from outside.

#![cfg(feature = "machine")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

/// Runs the binary in a folder with a home of its own.
fn run(folder: &Path, arguments: &[&str]) -> Output {
    run_with(folder, folder, arguments)
}

/// Runs the binary in a folder of a home.
fn run_with(home: &Path, folder: &Path, arguments: &[&str]) -> Output {
    command(home, folder, arguments).output().expect("the binary starts")
}

/// Runs the binary as a person would at a terminal.
fn as_person(folder: &Path, arguments: &[&str]) -> Output {
    command(folder, folder, arguments).env("CC_SAFETY_NET_TEST_PERSON", "1").output().expect("the binary starts")
}

fn command(home: &Path, folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cc-safety-net"));
    command.args(arguments).current_dir(folder).env_clear().env("HOME", home).env("CC_SAFETY_NET_TEST_HOME", home);
    command
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
    for command in
        ["hook", "explain", "status", "statusline", "logs", "replay", "allow-once", "rule", "policy", "trust", "untrust"]
    {
        assert!(text(&help.stdout).contains(&format!("  {command} ")), "{command}");
        let page = run(here.path(), &[command, "--help"]);
        assert_eq!(code(&page), 0, "{command}");
        assert!(text(&page.stdout).contains("Usage: cc-safety-net"), "{command}");
    }
    for page in [
        &["explain", "--help"][..],
        &["status", "--help"],
        &["logs", "--help"],
        &["replay", "--help"],
        &["rule", "check", "--help"],
        &["rule", "test", "--help"],
        &["rule", "fmt", "--help"],
        &["rule", "list", "--help"],
        &["rule", "show", "--help"],
        &["rule", "witness", "--help"],
        &["rule", "diff", "--help"],
        &["rule", "migrate", "--help"],
    ] {
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
    let here = folder();
    let work = here.path().join("work");
    fs::create_dir_all(&work).expect("a folder");
    let verdict = |command: &str| {
        let output = run_with(here.path(), &work, &["explain", command]);
        text(&output.stdout).split(':').next().unwrap_or_default().to_string()
    };
    let calls = ["in-env -e prod rm -rf ~", "sudo in-env --env=prod bash -c 'rm -rf ~'", "in-env -e prod ls"];
    assert_eq!(calls.map(verdict), ["allow"; 3], "nobody declared it");
    let rules = here.path().join(".cc-safety-net/rules");
    fs::create_dir_all(&rules).expect("a folder");
    fs::write(rules.join("mine.rulebook"), lines).expect("written");
    assert_eq!(calls.map(verdict), ["deny", "deny", "allow"]);
}

#[test]
fn rule_test_underlines_what_no_example_exercises() {
    let here = folder();
    let grouped = SOUND.replace("deploy-tool --production\n", "deploy-tool (--production | now)\n");
    fs::write(here.path().join("grouped.rulebook"), &grouped).expect("written");
    assert_eq!(code(&run(here.path(), &["rule", "test", "grouped.rulebook"])), 0, "coverage is asked for");
    let missing = run(here.path(), &["rule", "test", "--coverage", "grouped.rulebook"]);
    assert_eq!(code(&missing), 1);
    let told = text(&missing.stdout);
    assert!(told.contains("rulebook::unexercised") && told.contains("no example"), "{told}");
    assert!(text(&missing.stderr).contains("1 of 2 alternatives exercised"), "{}", text(&missing.stderr));
    let json = run(here.path(), &["rule", "test", "--coverage", "--format", "json", "grouped.rulebook"]);
    let document: Value = serde_json::from_slice(&json.stdout).expect("JSON");
    assert_eq!((&document["alternatives"], &document["unexercised"][0]["text"]), (&2.into(), &"now".into()));

    let whole = grouped.replace("allow `deploy-tool --staging`", "deny `deploy-tool now`; allow `deploy-tool --staging`");
    fs::write(here.path().join("grouped.rulebook"), whole).expect("written");
    assert_eq!(code(&run(here.path(), &["rule", "test", "--coverage", "grouped.rulebook"])), 0);
}

#[test]
fn rule_check_doubts_advice_that_would_be_refused_and_examples_of_others() {
    let here = folder();
    let check = |text: &str| {
        fs::write(here.path().join("mine.rulebook"), text).expect("written");
        let output = run(here.path(), &["rule", "check", "--strict", "mine.rulebook"]);
        (code(&output), String::from_utf8(output.stdout).expect("UTF-8"))
    };
    assert_eq!(check(SOUND).0, 0, "{}", check(SOUND).1);
    let (failed, told) = check(&SOUND.replace("instead \"deploy-tool --staging\"", "instead \"git reset --hard\""));
    assert!(failed == 1 && told.contains("rulebook::refused-instead") && told.contains("git.reset-hard"), "{told}");
    let weak = SOUND
        .replace("deny \"Ships", "warn \"Ships")
        .replace("deny `deploy-tool --production`", "warn `deploy-tool --production`");
    assert_eq!(check(&weak).0, 0);
    let (failed, told) = check(&weak.replace("examples {", "examples { deny `deploy-tool --production; rm -rf /`;"));
    assert!(failed == 1 && told.contains("rulebook::decided-elsewhere"), "{told}");
}

#[test]
fn rules_of_all_layers_are_listed_shown_and_written_down() {
    let here = folder();
    let rules = here.path().join(".cc-safety-net/rules");
    fs::create_dir_all(&rules).expect("folders");
    fs::write(rules.join("mine.rulebook"), SOUND).expect("written");
    fs::write(here.path().join(".cc-safety-net/policy.yaml"), "overrides:\n  git.reset-hard: ask\n").expect("written");
    let work = here.path().join("work");
    fs::create_dir(&work).expect("a folder");
    let run = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cc-safety-net"));
        command.args(arguments).current_dir(&work).env_clear().env("HOME", here.path());
        command.env("CC_SAFETY_NET_TEST_HOME", here.path());
        command.env("CC_SAFETY_NET_HOME", here.path().join(".cc-safety-net")).output().expect("the binary starts")
    };
    let list = text(&run(&["rule", "list"]).stdout);
    let line = |id: &str| list.lines().find(|line| line.starts_with(&format!("{id} "))).unwrap_or_default().to_string();
    assert!(line("mine.deploy").contains("Ships to everyone."), "{list}");
    assert!(line("git.reset-hard").contains("deny") && line("engine.budget").contains("floor"), "{list}");
    let git = text(&run(&["rule", "list", "git"]).stdout);
    assert!(git.lines().count() > 20 && git.lines().all(|line| line.contains("  git  ")), "{git}");
    assert_eq!(code(&run(&["rule", "list", "no-such-field"])), 1);
    let json: Value = serde_json::from_slice(&run(&["rule", "list", "--json"]).stdout).expect("JSON");
    assert_eq!(json["rules"].as_array().map(Vec::len), Some(list.lines().count()));
    for field in ["id", "field", "decision", "here", "preset", "floor", "layer", "line", "also", "file", "start_line"] {
        assert!(json["rules"][0].get(field).is_some(), "{field}");
    }

    let shown = text(&run(&["rule", "show", "git.reset-hard"]).stdout);
    for part in
        ["Examples", "overrides:", "override git.reset-hard = off", "allow reset-hard {", "rules/git/git.rulebook:", "matches"]
    {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    assert!(text(&run(&["rule", "show", "self.binary"]).stdout).contains("Nothing switches it off"));
    assert!(text(&run(&["rule", "show", "mine.deploy"]).stdout).contains("deploy-tool --staging"));
    assert!(text(&run(&["rule", "show", "engine.budget"]).stdout).contains("floor"));
    let former = text(&run(&["rule", "show", "rm.git-metadata"]).stdout);
    assert!(former.contains("rm.git-metadata") && former.contains("Examples"), "{former}");
    let wrong = run(&["rule", "show", "git.reset-hart"]);
    assert!(code(&wrong) == 1 && text(&wrong.stderr).contains("did you mean `git.reset-hard`?"), "{}", text(&wrong.stderr));
    let json: Value = serde_json::from_slice(&run(&["rule", "show", "--json", "git.reset-hard"]).stdout).expect("JSON");
    assert!(json["rules"][0]["source"].as_str().is_some_and(|source| source.starts_with("rule reset-hard {")), "{json}");

    let page = text(&run(&["rule", "doc"]).stdout);
    assert!(page.starts_with("# Rules") && page.contains("### git.reset-hard") && page.contains("### mine.deploy"), "{page}");
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
    let output = as_person(here.path(), &["trust", "."]);
    assert_eq!(code(&output), 2);
    assert!(text(&output.stderr).contains(".cc-safety-net"), "{}", text(&output.stderr));
}

#[test]
fn only_a_person_trusts() {
    let here = folder();
    let project = here.path().join("project");
    fs::create_dir_all(project.join(".cc-safety-net")).expect("made");
    fs::write(project.join(".cc-safety-net/policy.yaml"), "preset: strict\n").expect("written");
    let output = run(here.path(), &["trust", "project"]);
    assert_eq!(code(&output), 1);
    assert!(text(&output.stderr).contains("person"), "{}", text(&output.stderr));
    assert_eq!(code(&run(here.path(), &["untrust", "project"])), 1, "nothing was recorded");
    assert_eq!(code(&as_person(here.path(), &["trust", "project"])), 0);
    assert_eq!(code(&run(here.path(), &["untrust", "project"])), 0, "anybody may take it back");
}
