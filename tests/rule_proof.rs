//! `rule witness`, `rule diff` and `rule migrate`, from outside.

#![cfg(feature = "machine")]

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};

fn run(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cc-safety-net"));
    command.args(arguments).current_dir(folder).env_clear().env("HOME", folder).env("CC_SAFETY_NET_TEST_HOME", folder);
    command.output().expect("the binary starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

fn code(output: &Output) -> i32 {
    output.status.code().unwrap_or_else(|| panic!("no exit code: {output:?}"))
}

fn document(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {output:?}"))
}

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a scratch folder");
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(path, text).expect("written");
    }
    folder
}

#[test]
fn the_pages_of_help_fit_a_terminal() {
    let here = folder(&[]);
    for page in ["witness", "diff", "migrate"] {
        let page = text(&run(here.path(), &["rule", page, "--help"]).stdout);
        assert!(page.contains("Examples:") && page.contains("Exit code:") && page.contains("JSON:"), "{page}");
        let after = page.split("--help").last().unwrap_or_default();
        assert!(after.lines().all(|line| line.chars().count() <= 80), "{page}");
    }
}

#[test]
fn a_witness_is_refused_by_the_engine() {
    let here = folder(&[]);
    let found = run(here.path(), &["rule", "witness", "--json", "git.stash-clear"]);
    assert_eq!(code(&found), 0, "{found:?}");
    let found = document(&found);
    let command = found["witness"]["input"].as_str().expect("a command");
    assert_eq!((found["known"].as_bool(), found["witness"]["decision"].as_str()), (Some(true), Some("deny")));
    assert!(command.len() <= "git stash clear".len(), "{command}");
    let judged = run(here.path(), &["explain", "--json", command]);
    assert!(text(&judged.stdout).contains("git.stash-clear"), "{command}");
    let shown = run(here.path(), &["rule", "witness", "git.stash-clear"]);
    assert!(text(&shown.stdout).contains(&format!("`{command}`")), "{shown:?}");
}

#[test]
fn what_cannot_be_shown_is_unknown() {
    let here = folder(&[(
        ".cc-safety-net/rules/mine.rulebook",
        "rulebook mine\nrule never { match acme --a !--a; deny \"Never.\" }\nallow fine { match acme; because \"fine\" }\n\
         rule quiet { match acme quiet; deny \"Quiet.\" }\noverride mine.quiet = off\n",
    )]);
    for id in ["mine.never", "mine.fine", "mine.quiet", "engine.budget"] {
        let found = run(here.path(), &["rule", "witness", "--json", id]);
        assert_eq!((code(&found), document(&found)["known"].as_bool()), (1, Some(false)), "{id}");
        assert!(text(&run(here.path(), &["rule", "witness", id]).stdout).contains("unknown"), "{id}");
    }
    let none = run(here.path(), &["rule", "witness", "git.stash-clera"]);
    assert!(code(&none) == 1 && text(&none.stderr).contains("git.stash-clear"), "{none:?}");
}

const OLD: &str = "rulebook a
rule same { match acme drop {x,y}*; when attended; when cwd in /srv/**; deny \"x\" }
rule looser { match acme deploy --prod; deny \"x\"; examples { deny `acme deploy --prod`; allow `acme deploy` } }
rule gone { match acme gone; ask \"x\" }
rule tighter { match acme (a | b); when cwd in /srv/**; ask \"x\" }
";

const NEW: &str = "rulebook a
list both = x* | y*
rule same { match acme drop @both; when cwd in /srv/**; when attended; deny \"y\" }
rule looser { match acme deploy --prod !--dry; deny \"x\"; examples { deny `acme deploy --prod`; allow `acme deploy` } }
rule tighter { match acme (a | b | c); ask \"x\" }
rule fresh { match acme fresh; warn \"x\" }
";

#[test]
fn a_diff_shows_each_change_by_a_command() {
    let here = folder(&[("old/a.rulebook", OLD), ("new/a.rulebook", NEW)]);
    let found = run(here.path(), &["rule", "diff", "--json", "old", "new"]);
    assert_eq!(code(&found), 1, "{found:?}");
    let found = document(&found);
    assert_eq!(found["only_tightens"], false);
    let of = |name: &str| {
        let all = found["changes"].as_array().expect("changes").iter();
        all.clone().find(|each| each["name"] == format!("a.{name}")).unwrap_or_else(|| panic!("{name}: {found}")).clone()
    };
    for (name, change, direction, old, new) in [
        ("looser", "changed", "loosens", "deny", "allow"),
        ("gone", "removed", "loosens", "ask", "allow"),
        ("tighter", "changed", "tightens", "allow", "ask"),
        ("fresh", "added", "tightens", "allow", "warn"),
    ] {
        let told = of(name);
        assert_eq!((told["change"].as_str(), told["direction"].as_str()), (Some(change), Some(direction)), "{told}");
        let witness = &told["witness"];
        assert_eq!(
            (witness["old"]["decision"].as_str(), witness["new"]["decision"].as_str()),
            (Some(old), Some(new)),
            "{told}"
        );
        assert_eq!(witness["verdict_changes"], true, "{told}");
    }
    assert_eq!((of("same")["change"].as_str(), of("same")["direction"].as_str()), (Some("reworded"), Some("same")));
    let shown = text(&run(here.path(), &["rule", "diff", "old", "new"]).stdout);
    assert!(shown.contains("rule a.fresh: added, tightens\n  `acme fresh`\n  allow -> warn (a.fresh)\n"), "{shown}");
}

#[test]
fn what_only_tightens_passes_and_faults_are_told() {
    let here = folder(&[("new/a.rulebook", NEW), ("bad/a.rulebook", "rule x {"), ("new/b.rulebook", "rulebook b\n")]);
    for (old, new, wanted) in [
        ("embedded", "new", 0),
        ("new", "new", 0),
        ("new", "embedded", 1),
        ("new/a.rulebook", "new", 0),
        ("new", "bad", 2),
        ("new", "nowhere", 2),
    ] {
        let output = run(here.path(), &["rule", "diff", old, new]);
        assert_eq!(code(&output), wanted, "{old} {new}: {output:?}");
    }
}

/// Migrates a file into a folder, and has the result checked and tried.
fn migrated(files: &[(&str, &str)], file: &str) -> (tempfile::TempDir, String, i32, String) {
    let here = folder(files);
    let output = run(here.path(), &["rule", "migrate", "--out", "out", file]);
    assert!(code(&output) < 2, "{output:?}");
    let rules = here.path().join("out/rules");
    let mut all = String::new();
    let mut names: Vec<_> = fs::read_dir(&rules).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    names.sort();
    for path in &names {
        all.push_str(&fs::read_to_string(path).expect("text"));
    }
    if !names.is_empty() {
        for command in ["check", "test"] {
            let output = run(here.path(), &["rule", command, "out/rules"]);
            assert_eq!(code(&output), 0, "{all}{output:?}");
        }
        assert_eq!(code(&run(here.path(), &["rule", "fmt", "--check", "out/rules"])), 0, "{all}");
    }
    let told = text(&output.stderr);
    (here, all, code(&output), told)
}

fn has(text: &str, lines: &[&str]) {
    lines.iter().for_each(|line| assert!(text.contains(line), "`{line}` is not in\n{text}"));
}

#[test]
fn rulebooks_of_version_one() {
    let book = json!({ "rulebook_version": 1, "name": "team", "version": "1.2.0", "allowed_commands": ["git", "npm"], "rules": [
        { "name": "add-all", "command": "git", "subcommand": "add", "block_args": ["-A", "--all", "."], "reason": "Name files.", "intent": "use_alternative" },
        { "name": "global", "command": "npm", "subcommand": "install", "block_args": ["-g"], "reason": "No {global} \"installs\"." }],
        "tests": [{ "command": "git add -A", "expect": "blocked", "rule": "add-all" }, { "command": "git add a.py", "expect": "allowed" }] });
    let (here, rules, status, told) = migrated(&[("rulebook.json", &book.to_string())], "rulebook.json");
    assert_eq!(status, 0, "{told}");
    has(
        &rules,
        &[
            "rulebook team\nversion 1.2.0",
            "match git add (-A | --all | ... .)",
            "intent use-alternative",
            "deny  `git add -A`",
            "allow `git add a.py`",
            "match npm install -g",
            "deny \"No {{global}} \\\"installs\\\".\"",
        ],
    );
    let again = run(here.path(), &["rule", "migrate", "--out", "out", "rulebook.json"]);
    assert!(code(&again) == 2 && text(&again.stderr).contains("nothing was written"), "{again:?}");
}

#[test]
fn rulebooks_of_version_two_and_what_names_them() {
    let book = json!({ "rulebook_version": 2, "name": "cloud", "version": "1.0.0", "allowed_commands": ["acme"], "rules": [
        { "name": "rm", "match": { "command_path": ["acme", "s3", "rm"], "any_args": ["--recursive"], "exclude_args": ["--dryrun", "help"] }, "reason": "Deletes." },
        { "name": "all", "match": { "command_path": ["acme", "wipe"] }, "reason": "Wipes." },
        { "name": "late", "match": { "command_path": ["acme", "late"] }, "reason": "Late." }] });
    let rule = json!({ "version": 1, "rules": ["cloud", "owner/repo#main/absent"], "transparent_wrappers": ["in-env"],
        "overrides": { "cloud/all": "off", "cloud/late": { "reason": "Ask me.", "intent": "manual_only" }, "other/x": "off" } });
    let files = [("cloud/rulebook.json", book.to_string()), ("rule.json", rule.to_string())];
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let (here, rules, status, told) = migrated(&files, "rule.json");
    assert_eq!(status, 1);
    has(
        &rules,
        &[
            "match acme s3 rm !--dryrun --recursive",
            "unless match acme ... help",
            "match acme wipe",
            "deny \"Ask me.\"",
            "command in-env {",
            "runs COMMAND...",
        ],
    );
    has(&told, &["absent", "/overrides/other/x", "/transparent_wrappers"]);
    assert!(fs::read_to_string(here.path().join("out/policy.yaml")).expect("settings").contains("\"cloud.all\": off"));
}

#[test]
fn inline_rules_and_policies() {
    let inline =
        json!({ "version": 1, "rules": [{ "name": "wipe", "command": "acme", "block_args": ["--wipe"], "reason": "Wipes." }] });
    let (_, rules, status, _) = migrated(&[(".safety-net.json", &inline.to_string())], ".safety-net.json");
    assert_eq!(status, 0);
    has(&rules, &["rulebook safety-net", "match acme --wipe"]);
    let policy = json!({ "version": 1, "safety": { "level": "strict" }, "workflow": { "worktree_mode": true },
        "destructive_command_protection": { "enabled": false, "overrides": { "find.delete": "off" }, "allow_paths": ["~/scratch"] },
        "secret_protection": { "deny_paths": ["conf/secret"], "allow_paths": [".env.example"] }, "audit": { "retention_days": 7 } });
    let (here, rules, status, told) = migrated(&[("policy.json", &policy.to_string())], "policy.json");
    assert_eq!(status, 1);
    has(&told, &["/destructive_command_protection/enabled"]);
    has(&rules, &["allow readable {", "match reads (@project/.env.example/** | @project/.env.example)"]);
    has(
        &fs::read_to_string(here.path().join("out/policy.yaml")).expect("settings"),
        &[
            "preset: strict",
            "worktree: true",
            "retention_days: 7",
            "allow_paths: [\"~/scratch\"]",
            "\"@project/conf/secret\"",
            "\"find.delete\": off",
        ],
    );
}

#[test]
fn packs_and_rules_of_agents() {
    let pack = "id: acme.deploy\nversion: 1.0.0\nkeywords: [acmectl]\ndestructive_patterns:\n  - name: prod\n    pattern: 'acmectl\\s+deploy\\s+.*--prod'\n    \
                severity: critical\n    description: Deploys.\n  - name: odd\n    pattern: 'rm\\s+-[a-z]*f'\nsafe_patterns:\n  - name: dry\n    pattern: 'acmectl\\s+deploy\\s+.*--dry-run'\n";
    let (_, rules, status, told) = migrated(&[("pack.yaml", pack)], "pack.yaml");
    assert_eq!(status, 1);
    has(&rules, &["match acmectl deploy --prod", "unless match acmectl deploy --dry-run", "deny \"Deploys.\""]);
    has(&told, &["/destructive_patterns/1"]);
    let prefix = "prefix_rule(pattern=[\"acme\", [\"a\", \"b\"]], decision=\"prompt\", match=[[\"acme\", \"a\"]], not_match=[\"acme c\"])\nprefix_rule(pattern=[\"ls\"])\n";
    let (_, rules, status, told) = migrated(&[("default.rules", prefix)], "default.rules");
    assert_eq!(status, 1);
    has(&rules, &["match acme (a | b)", "ask   `acme a`", "allow `acme c`"]);
    has(&told, &["line 2: ls"]);
    let settings = json!({ "permissions": { "deny": ["Bash(acme push:*)", "Read(./secrets/**)", "mcp__db", "WebFetch(domain:evil.example)"], "ask": ["Edit(//srv/**)"], "allow": ["Bash(ls)"] } });
    let (_, rules, status, _) = migrated(&[("settings.json", &settings.to_string())], "settings.json");
    assert_eq!(status, 1);
    has(
        &rules,
        &[
            "match acme push",
            "match reads @project/secrets/**",
            "match tool mcp__db__*",
            "match deletes /srv/**",
            "when field url is",
        ],
    );
}

#[test]
fn a_folder_in_force_wants_a_person() {
    let here = folder(&[("x.rules", "prefix_rule(pattern=[\"acme\"], decision=\"forbidden\")\n"), ("odd.json", "{\"a\": 1}")]);
    for out in [".cc-safety-net", ".cc-safety-net/deeper", "./a/../.CC-safety-net"] {
        let output = run(here.path(), &["rule", "migrate", "--out", out, "x.rules"]);
        assert_eq!(code(&output), 2, "{out}: {output:?}");
        assert!(!here.path().join(".cc-safety-net").exists());
    }
    for arguments in [&["rule", "migrate", "odd.json"][..], &["rule", "migrate", "nowhere.json"], &["rule", "migrate"]] {
        assert_eq!(code(&run(here.path(), arguments)), 2, "{arguments:?}");
    }
    let shown = run(here.path(), &["rule", "migrate", "--json", "x.rules"]);
    assert_eq!(document(&shown)["files"][0]["name"], "rules/x.rulebook", "{shown:?}");
}
