//! `rule disable` and `rule enable`: one line of the user's settings, and nothing else.

use crate::support::{Home, expected, text};

const SETTINGS: &str = "# mine\npreset: standard   # as it is\n\noverrides:\n  # see ticket 12\n  git.reset-hard: deny\nallow_paths: [~/scratch]\n";
const FILE: &str = ".cc-safety-net/policy.yaml";

#[test]
fn a_rule_is_off_and_on_again_and_every_other_byte_stays() {
    let home = Home::new();
    home.write(FILE, SETTINGS);
    assert!(home.refuses("git push --force"));
    let told = home.expect(0, &["rule", "disable", "git.push-force"]);
    assert!(told.contains("+  git.push-force: off") && told.contains("Off from now on."), "{told}");
    let line = "  git.reset-hard: deny\n";
    assert_eq!(home.read(FILE), SETTINGS.replace(line, &format!("{line}  git.push-force: off\n")));
    assert!(!home.refuses("git push --force"));
    assert!(home.expect(0, &["rule", "disable", "git.push-force"]).contains("off already"));
    assert!(home.expect(0, &["rule", "enable", "git.push-force"]).contains("-  git.push-force: off"));
    assert_eq!(home.read(FILE), SETTINGS);
    assert!(home.refuses("git push --force"));
    assert!(home.expect(0, &["rule", "enable", "git.push-force"]).contains("it is on"));
    assert!(home.expect(1, &["rule", "enable", "git.reset-hard"]).contains("your settings say `deny`"));
    assert_eq!(home.read(FILE), SETTINGS);
}

#[test]
fn where_no_settings_are_they_are_made_for_the_user_alone() {
    use std::os::unix::fs::PermissionsExt;
    let home = Home::new();
    home.expect(0, &["rule", "disable", "git.push-force"]);
    assert_eq!(home.read(FILE), "overrides:\n  git.push-force: off\n");
    let mode = std::fs::metadata(home.path().join(FILE)).expect("there").permissions().mode();
    assert!(mode & 0o777 == 0o600 && !home.refuses("git push --force"));
}

#[test]
fn what_nobody_or_somebody_else_decides_is_refused() {
    let home = Home::new();
    home.write(
        "project/.cc-safety-net/rules/ours.rulebook",
        "rulebook ours\nversion 1.0.0\nabout \"Ours.\"\n\nrule x { match alpha; deny \"No.\" }\n",
    );
    for (id, why) in [
        ("self.settings", "of the floor"),
        ("engine.budget", "of the floor"),
        ("ours.x", "this project's"),
        ("git.push-forse", "did you mean `git.push-force`?"),
        ("no.such", "`rule list` names them all"),
    ] {
        let told = home.expect(1, &["rule", "disable", id]);
        assert!(told.contains(why), "{id}: {told}");
    }
    home.expect(1, &["rule", "enable", "no.such"]);
    assert!(!home.path().join(FILE).exists());
    // An override whose rule is gone can still be taken out.
    home.write(FILE, "overrides:\n  gone.rule: off\n");
    home.expect(0, &["rule", "enable", "gone.rule"]);
    assert_eq!(home.read(FILE), "overrides:\n");
}

#[test]
fn settings_that_cannot_be_edited_safely_stay_as_they_are() {
    let home = Home::new();
    for (settings, why) in [
        ("presett: strict\n", "settings::unknown-setting"),
        ("overrides: [\n", "settings::syntax"),
        ("{\"preset\": \"strict\"}\n", "`  git.push-force: off`"),
    ] {
        home.write(FILE, settings);
        let told = home.expect(1, &["rule", "disable", "git.push-force"]);
        assert!(told.contains(why), "{why}: {told}");
        assert_eq!(home.read(FILE), settings);
    }
    std::fs::remove_file(home.path().join(FILE)).expect("removed");
    home.write(".cc-safety-net/policy.json", "{\"version\": 1, \"safety\": {\"level\": \"strict\"}}");
    let told = home.expect(1, &["rule", "disable", "git.push-force"]);
    assert!(told.contains("would no longer be in force") && !home.path().join(FILE).exists(), "{told}");
}

#[test]
fn a_link_of_the_user_stays_one() {
    let home = Home::new();
    let file = home.write("dotfiles/policy.yaml", "preset: standard\n");
    std::fs::create_dir(home.path().join(".cc-safety-net")).expect("made");
    std::os::unix::fs::symlink(&file, home.path().join(FILE)).expect("linked");
    home.expect(0, &["rule", "disable", "git.push-force"]);
    assert!(std::fs::symlink_metadata(home.path().join(FILE)).expect("there").is_symlink());
    assert_eq!(home.read("dotfiles/policy.yaml"), "preset: standard\noverrides:\n  git.push-force: off\n");
}

#[test]
fn every_page_of_help_has_an_example_and_its_exit_codes() {
    let home = Home::new();
    for page in [
        &["rule", "add"][..],
        &["rule", "remove"],
        &["rule", "update"],
        &["rule", "enable"],
        &["rule", "disable"],
        &["rule", "new"],
        &["policy", "check"],
        &["policy", "apply"],
        &["policy", "show"],
    ] {
        let arguments: Vec<&str> = page.iter().copied().chain(["--help"]).collect();
        let told = text(&home.run(&arguments).stdout);
        assert!(told.contains("Examples:\n  cc-safety-net ") && told.contains("Exit code: 0"), "{told}");
        assert!(page[0] == "rule" || told.contains("JSON:"), "{told}");
        let after = told.split("Exit code").nth(1).expect("the rest");
        assert!(after.lines().all(|line| line.chars().count() <= 80), "{after}");
        let wrong: Vec<&str> = page.iter().copied().chain(["--no-such-option"]).collect();
        expected(2, &wrong, &home.run(&wrong));
    }
}
