//! Agents that are told by their own commands: the exact calls, their absence, and each step's failure.

use cc_safety_net::setup::plugins;

use super::support::Home;

/// A fake that keeps the list of plugins as the agent does.
const HERMES: &str = r#"case "$2" in
enable) mkdir -p "$HOME/.hermes"; printf 'plugins:\n  enabled:\n    - cc-safety-net\n' > "$HOME/.hermes/config.yaml" ;;
disable) rm -f "$HOME/.hermes/config.yaml" ;;
esac"#;

#[test]
fn the_plugin_is_written_enabled_and_taken_away() {
    let home = Home::empty();
    home.fake("hermes", HERMES);
    let before = home.tree();
    for round in 1..=2 {
        home.expect(0, &["install", "--hermes-agent"]);
        let plugin = home.read(".hermes/plugins/cc-safety-net/__init__.py");
        let program = std::fs::canonicalize(&home.program).expect("there");
        assert!(plugin.contains(&format!("PROGRAM = \"{}\"", program.display())), "{plugin}");
        assert!(home.expect(0, &["install", "--hermes-agent"]).contains("nothing to do"));
        home.expect(0, &["uninstall", "--hermes-agent", "--yes"]);
        let calls = ["hermes plugins enable cc-safety-net --no-allow-tool-override", "hermes plugins disable cc-safety-net"];
        assert_eq!(home.calls(), calls.repeat(round));
        // The fake made the folder itself.
        let _ = std::fs::remove_dir(home.path(".hermes"));
        assert_eq!(home.tree(), before);
    }
}

#[test]
fn an_absent_command_is_said_plainly() {
    let home = Home::empty();
    let printed = home.expect(1, &["install", "--hermes-agent"]);
    assert!(printed.contains("the program `hermes` is not found on the PATH"), "{printed}");
    assert!(printed.contains("hermes plugins enable cc-safety-net"), "{printed}");
    assert!(home.tree().is_empty());
}

#[test]
fn a_plugin_that_was_disabled_is_enabled_again() {
    let home = Home::empty();
    home.fake("hermes", HERMES);
    home.expect(0, &["install", "--hermes-agent"]);
    home.write(".hermes/config.yaml", "plugins:\n  enabled: [other]\n");
    home.expect(0, &["update"]);
    assert_eq!(home.calls().len(), 2);
    assert!(home.read(".hermes/config.yaml").contains("cc-safety-net"));
}

#[test]
fn a_failing_disable_leaves_all_as_it_is() {
    let home = Home::empty();
    home.fake("hermes", HERMES);
    home.expect(0, &["install", "--hermes-agent"]);
    home.fake("hermes", "echo 'it is locked' >&2; exit 1");
    let before = home.tree();
    let printed = home.expect(1, &["uninstall", "--hermes-agent", "--yes"]);
    assert!(printed.contains("it is locked"), "{printed}");
    assert_eq!(home.tree(), before);
}

/// Plugins with the engine in them are there only where somebody built them before the program.
#[test]
fn plugins_that_this_build_does_not_carry_are_missed_plainly() {
    if plugins::are_there() {
        return;
    }
    for flag in ["--amp", "--openclaw", "--opencode", "--pi"] {
        let home = Home::empty();
        home.fake("openclaw", "");
        let before = home.tree();
        let printed = home.expect(1, &["install", flag]);
        assert!(printed.contains("carries no plugins"), "{printed}");
        assert_eq!(home.tree(), before);
    }
}

#[test]
fn each_step_of_several_may_fail() {
    if !plugins::are_there() {
        return;
    }
    let steps = ["plugins install ~/.local/state/cc-safety-net/plugins/openclaw --force", "plugins enable cc-safety-net"];
    let undo = ["plugins uninstall cc-safety-net --force", "plugins disable cc-safety-net"];
    for (failing, word) in [(0, "install"), (1, "enable"), (2, "inspect")] {
        let home = Home::empty();
        home.fake("openclaw", &format!("[ \"$2\" = {word} ] && exit 4; echo fine; exit 0"));
        let printed = home.expect(1, &["install", "--openclaw"]);
        assert!(printed.contains("failed:"), "{printed}");
        let mut expected: Vec<String> = steps.iter().take(failing + 1).map(|step| format!("openclaw {step}")).collect();
        if failing == 2 {
            expected.push("openclaw plugins inspect cc-safety-net".into());
        }
        expected.extend(undo.iter().take(failing).rev().map(|step| format!("openclaw {step}")));
        assert_eq!(home.calls(), expected);
        assert!(!home.path(".local/state/cc-safety-net/plugins").exists());
    }
    // It answers, but not that the plugin is loaded.
    let home = Home::empty();
    home.fake("openclaw", "echo 'status: error'");
    assert!(home.expect(1, &["install", "--openclaw"]).contains("has no `loaded`"));
}
