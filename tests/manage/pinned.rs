//! A rulebook that is no longer what was accepted is not loaded, and everybody says so.

use crate::support::{Home, expected, rulebook, text};

/// A home with a rulebook from elsewhere.
fn with_team() -> Home {
    let home = Home::new();
    home.write("team/team.rulebook", &rulebook("team", "1.0.0", "alpha"));
    home.expect(0, &["rule", "add", "../team"]);
    home
}

/// What stands in the copy.
const COPY: &str = ".cc-safety-net/rules/team.rulebook";

fn forget(home: &Home) {
    let below = if cfg!(target_os = "macos") { "Library/Caches" } else { ".cache" };
    std::fs::remove_dir_all(home.path().join(below).join("cc-safety-net")).expect("a cache");
}

#[test]
fn a_changed_copy_is_not_loaded_and_the_last_good_state_stays() {
    let home = with_team();
    assert!(home.refuses("alpha --hard"));
    home.write(COPY, &rulebook("team", "1.0.0", "beta"));
    assert!(home.refuses("alpha --hard") && !home.refuses("beta --hard"), "what was accepted stays in force");
    forget(&home);
    assert!(!home.refuses("beta --hard"), "and without it nothing of the changed one is");
    let code = "rules/team.rulebook: pins::changed: not loaded";
    let status = home.run(&["status"]);
    assert!(status.status.code() == Some(1) && text(&status.stdout).contains(code), "{status:?}");
    for arguments in [&["explain", "ls"][..], &["doctor", "--offline"], &["policy", "show"]] {
        let output = home.run(arguments);
        assert!(text(&output.stdout).contains("pins::changed"), "{arguments:?} {output:?}");
    }
    let refusal = home.judge("git push --force");
    assert!(text(&refusal.stdout).contains("pins::changed"), "{refusal:?}");
    assert!(!home.expect(0, &["rule", "list"]).contains("team."));

    // Neither taken over nor thrown away without a word.
    assert!(home.expect(1, &["rule", "update"]).contains("was changed here"));
    assert!(home.expect(1, &["rule", "remove", "team"]).contains("was changed here"));
    home.expect(0, &["rule", "update", "--replace"]);
    assert!(home.refuses("alpha --hard"));
    assert_eq!(home.run(&["status"]).status.code(), Some(0));
}

#[test]
fn a_copy_that_is_gone_and_a_lock_that_is_none_are_told() {
    let home = with_team();
    std::fs::remove_file(home.path().join(COPY)).expect("removed");
    assert!(home.refuses("alpha --hard"), "the last good state");
    assert!(text(&home.run(&["status"]).stdout).contains("pins::missing"));
    home.expect(0, &["rule", "update"]);
    assert_eq!(home.run(&["status"]).status.code(), Some(0));
    home.write(".cc-safety-net/rules.lock", "{}");
    assert!(text(&home.run(&["status"]).stdout).contains("pins::lock"));
    home.write(".cc-safety-net/policy.yaml", "overrides:\n  git.push-force: off\n");
    assert!(home.refuses("git push --force"), "nothing new loosens meanwhile");
    for command in ["add", "update", "remove"] {
        let arguments = if command == "update" { vec!["rule", command] } else { vec!["rule", command, "../team"] };
        expected(2, &arguments, &home.person(&arguments));
    }
}

#[test]
fn a_change_of_the_lock_alone_is_seen() {
    let home = with_team();
    assert!(home.refuses("alpha --hard"));
    let lock = home.read(".cc-safety-net/rules.lock");
    let (start, _) = lock.split_once("sha256:").expect("a digest");
    home.write(
        ".cc-safety-net/rules.lock",
        &format!("{start}sha256:{}\"\n        }}\n      ]\n    }}\n  ]\n}}\n", "0".repeat(64)),
    );
    assert!(text(&home.run(&["status"]).stdout).contains("pins::changed"));
}

#[test]
fn a_project_s_copy_is_held_to_its_pin_too() {
    let home = Home::new();
    home.write("team/team.rulebook", &rulebook("team", "1.0.0", "alpha"));
    home.expect(0, &["rule", "add", "../team", "--project"]);
    home.write("project/.cc-safety-net/rules/team.rulebook", &rulebook("team", "1.0.0", "beta"));
    forget(&home);
    assert!(!home.refuses("beta --hard"));
    assert!(text(&home.run(&["status"]).stdout).contains("pins::changed"));
}
