//! What is refused, and that nothing is changed by it.

use super::support::Home;

/// Refused with these words; the home stays as it is.
fn refused(home: &Home, arguments: &[&str], words: &[&str]) {
    let before = home.tree();
    let printed = home.expect(1, arguments);
    for word in words {
        assert!(printed.contains(word), "{word} is missing in:\n{printed}");
    }
    assert_eq!(home.tree(), before, "{arguments:?}");
}

#[test]
fn damaged_settings() {
    for (flag, path, text, words) in [
        ("--cursor", ".cursor/hooks.json", "{\n  \"hooks\": {\n", "not JSON at line"),
        ("--cursor", ".cursor/hooks.json", "[]", "the file is not an object"),
        ("--cursor", ".cursor/hooks.json", "{\"version\": 2}", "`version` is not 1"),
        ("--cursor", ".cursor/hooks.json", "{\"version\":1,\"hooks\":[]}", "`hooks` is not an object"),
        ("--cursor", ".cursor/hooks.json", "{\"version\":1,\"hooks\":{\"preToolUse\":{}}}", "`hooks.preToolUse` is not a list"),
        ("--claude-code", ".claude/settings.json", "{\"hooks\":{},\"hooks\":{}}", "`hooks` stands there twice"),
        ("--claude-code", ".claude/settings.json", "{'a':1}", "not JSON at line 1, column 2"),
        ("--claude-code", ".claude/settings.json", "\u{feff}{}", "byte order mark"),
        ("--codex", ".codex/hooks.json", "{\"a\": 1} {\"b\": 2}", "not JSON at line 1"),
        ("--kimi-code", ".kimi-code/config.toml", "[a\nx = 1\n", "not TOML at line 1"),
        ("--kimi-code", ".kimi-code/config.toml", "hooks = 1\n", "`hooks` is not a list"),
    ] {
        let home = Home::empty();
        home.write(path, text);
        refused(&home, &["install", flag], &["refused, nothing was changed", path, words]);
        assert_eq!(home.read(path), text);
    }
    let deep = Home::empty();
    deep.write(".gemini/settings.json", &"{\"a\":".repeat(100_000));
    refused(&deep, &["install", "--gemini-cli"], &["not JSON", "depth"]);
    let bytes = Home::empty();
    bytes.write(".codex/hooks.json", "");
    std::fs::write(bytes.path(".codex/hooks.json"), [b'{', 0xff, b'}']).expect("written");
    refused(&bytes, &["install", "--codex"], &["not UTF-8"]);
}

#[test]
fn things_that_are_no_files() {
    let home = Home::empty();
    std::fs::create_dir_all(home.path(".cursor/hooks.json")).expect("made");
    refused(&home, &["install", "--cursor"], &["not a regular file"]);
    home.link(".codex/hooks.json", "nowhere/hooks.json");
    refused(&home, &["install", "--codex"], &["a link that leads to no file"]);
    home.write(".grok", "a file");
    refused(&home, &["install", "--grok-build"], &[".grok"]);
}

#[test]
fn files_of_others_that_have_our_names() {
    for (flag, path, text) in [
        (
            "--copilot-cli",
            ".copilot/hooks/cc-safety-net.json",
            "{\"version\":1,\"hooks\":{\"preToolUse\":[{\"bash\":\"mine\"}]}}",
        ),
        ("--grok-build", ".grok/hooks/cc-safety-net.json", "{}"),
        ("--agy-cli", ".gemini/config/hooks.json", "{\"cc-safety-net\":{\"Stop\":[]}}"),
        ("--hermes-agent", ".hermes/plugins/cc-safety-net/__init__.py", "def register(ctx): pass\n"),
        ("--hermes-agent", ".hermes/plugins/cc-safety-net/plugin.yaml", "name: x\n"),
    ] {
        let home = Home::empty();
        home.fake("hermes", "");
        home.write(path, text);
        refused(&home, &["install", flag], &["not ours"]);
        let before = home.tree();
        home.run(&["uninstall", flag, "--yes"]);
        assert_eq!(home.tree(), before, "{flag}");
        assert_eq!(home.calls(), Vec::<String>::new());
    }
}

#[test]
fn one_refusal_does_not_keep_the_others() {
    let home = Home::lived_in();
    home.write(".cursor/hooks.json", "{");
    let printed = home.expect(1, &["install", "--codex", "--cursor", "--kimi-code"]);
    assert!(printed.contains("1 of 3 agents refused or failed"), "{printed}");
    assert!(home.read(".codex/hooks.json").contains(" hook --codex\""));
    assert!(home.read(".kimi-code/config.toml").contains(" hook --kimi-code\""));
    assert_eq!(home.read(".cursor/hooks.json"), "{");
}

/// A step that fails takes back those before it, made folders too. Root is not kept from writing, so a file in the way does it.
#[test]
fn a_step_that_fails_takes_back_the_others() {
    let home = Home::empty();
    home.fake("hermes", "exit 3");
    let before = home.tree();
    let printed = home.expect(1, &["install", "--hermes-agent"]);
    assert!(printed.contains("ended with code 3"), "{printed}");
    assert_eq!(home.tree(), before);
}

#[test]
fn only_a_person_takes_away() {
    let mut home = Home::empty();
    home.expect(0, &["install", "--cursor"]);
    home.is_person = false;
    for arguments in [&["uninstall", "--cursor"][..], &["install", "--undo"]] {
        refused(&home, arguments, &[]);
    }
    home.is_person = true;
    home.variables = vec![("CLAUDECODE".into(), "1".into())];
    for arguments in [&["uninstall", "--cursor", "--yes"][..], &["install", "--undo", "--yes"]] {
        refused(&home, arguments, &["only a person may do this"]);
    }
    // What only tightens runs anywhere.
    home.expect(0, &["install", "--codex"]);
    home.expect(0, &["update"]);
    home.expect(0, &["uninstall", "--cursor", "--dry-run"]);
}

#[test]
fn wrong_command_lines() {
    let home = Home::empty();
    for arguments in [
        &["install"][..],
        &["install", "--nobody"],
        &["install", "--all", "--cursor"],
        &["uninstall", "--yes"],
        &["install", "--undo", "--dry-run"],
    ] {
        let printed = home.expect(2, arguments);
        assert!(!printed.is_empty());
    }
    assert!(home.expect(2, &["install"]).contains("--claude-code"));
    for command in ["install", "uninstall", "update", "doctor"] {
        let page = home.expect(0, &[command, "--help"]);
        assert!(page.contains("Examples:") && page.contains("Exit code:"), "{page}");
        assert!(page.lines().all(|line| line.chars().count() <= 80), "{page}");
    }
}
