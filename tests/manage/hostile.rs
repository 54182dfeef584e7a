//! Repositories that would rather do something else than be read.

use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use crate::support::{Home, Repository, expected, git, rulebook};

/// A script that leaves a mark.
fn trap(path: &Path, mark: &Path) {
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
    std::fs::write(path, format!("#!/bin/sh\ntouch '{}'\n", mark.display())).expect("written");
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).expect("changed");
}

#[test]
fn nothing_of_a_repository_runs() {
    let home = Home::new();
    let mark = home.path().join("ran");
    let inner = Repository::new(&home, "inner");
    inner.write("x", "x");
    inner.commit();
    let team = Repository::new(&home, "team");
    team.write("rules/team.rulebook", &rulebook("team", "1.0.0", "alpha"));
    team.write(".gitattributes", "* filter=trap diff=trap\n");
    team.git(&["submodule", "--quiet", "add", &inner.address(), "below"]);
    team.commit();
    for hook in ["post-checkout", "reference-transaction", "post-merge", "pre-auto-gc", "post-index-change", "pre-receive"] {
        trap(&team.path.join(".git/hooks").join(hook), &mark);
        trap(&home.path().join("hooks").join(hook), &mark);
    }
    trap(&home.path().join("program"), &mark);
    let program = home.path().join("program").display().to_string();
    // The user's own settings point to hooks and programs, too; they are not for what others wrote.
    home.write(
        ".gitconfig",
        &format!(
            "[core]\n\thooksPath = {0}/hooks\n\tfsmonitor = {program}\n[filter \"trap\"]\n\tsmudge = {program}\n\trequired = true\n\
             [submodule]\n\trecurse = true\n[fetch]\n\trecurseSubmodules = true\n[init]\n\ttemplateDir = {1}\n",
            home.path().display(),
            team.path.join(".git").display()
        ),
    );
    home.expect(0, &["rule", "add", &team.address()]);
    assert!(home.refuses("alpha --hard"));
    home.expect(0, &["rule", "update"]);
    assert!(!mark.exists(), "something ran");
    let left: Vec<_> = std::fs::read_dir(home.path()).expect("readable").flatten().map(|entry| entry.file_name()).collect();
    assert!(!left.iter().any(|name| name.to_string_lossy().starts_with("cc-safety-net-")), "{left:?}");
}

#[test]
fn only_protocols_that_bring_files_are_used() {
    let home = Home::new();
    let mark = home.path().join("ran");
    let variables = [("CC_SAFETY_NET_TEST_PERSON", "1"), ("GIT_ALLOW_PROTOCOL", "ext:file:https"), ("GIT_DIR", "/nowhere")];
    let program = format!("ext::sh -c touch% {}", mark.display());
    for source in [program.as_str(), "ext://x/y", "--upload-pack=touch", "fd::0"] {
        let arguments = ["rule", "add", "--", source];
        expected(1, &arguments, &home.with(&variables, &arguments));
    }
    // What a setting makes of an address is bounded as well.
    home.write(".gitconfig", &format!("[url \"{program} #\"]\n\tinsteadOf = https://example.invalid/\n"));
    let arguments = ["rule", "add", "https://example.invalid/x"];
    let told = expected(1, &arguments, &home.with(&variables, &arguments));
    assert!(told.contains("'ext' not allowed"), "{told}");
    assert!(!mark.exists());
    let team = Repository::new(&home, "team");
    team.write("team.rulebook", &rulebook("team", "1.0.0", "alpha"));
    team.commit();
    home.write(".gitconfig", &format!("[url \"{}\"]\n\tinsteadOf = https://example.invalid/\n", team.address()));
    let told = expected(1, &arguments, &home.with(&variables, &arguments));
    assert!(told.contains("'file' not allowed"), "{told}");
    let address = team.address();
    let arguments = ["rule", "add", &address];
    expected(0, &arguments, &home.with(&variables, &arguments));
}

#[test]
fn links_lead_nowhere() {
    let home = Home::new();
    home.write("secret/outside.rulebook", &rulebook("outside", "1.0.0", "alpha"));
    let team = Repository::new(&home, "team");
    team.write("rules/good.rulebook", &rulebook("good", "1.0.0", "beta"));
    symlink(home.path().join("secret/outside.rulebook"), team.path.join("rules/bad.rulebook")).expect("linked");
    symlink(home.path().join("secret"), team.path.join(".cc-safety-net")).expect("linked");
    team.commit();
    for source in [team.address(), team.path.display().to_string()] {
        let told = home.expect(0, &["rule", "add", &source]);
        assert!(told.contains("note: bad.rulebook: not a regular file"), "{told}");
        assert!(home.refuses("beta --hard") && !home.refuses("alpha --hard"));
        home.expect(0, &["rule", "remove", "good"]);
    }
    symlink(home.path().join("secret"), home.path().join("linked")).expect("linked");
    std::fs::create_dir(home.path().join("holder")).expect("made");
    symlink(home.path().join("secret"), home.path().join("holder/rules")).expect("linked");
    home.expect(1, &["rule", "add", "../holder"]);
}

#[test]
fn a_project_s_links_are_not_written_through() {
    let home = Home::new();
    home.write("team/team.rulebook", &rulebook("team", "1.0.0", "alpha"));
    let victim = home.write("victim", "precious\n");
    let lock = r#"{"version": 1, "sources": [{"source": "./vendor", "rulebooks": [{"name": "team", "version": "1", "digest": "sha256:0"}]}]}"#;
    home.write("project/.cc-safety-net/rules.lock", lock);
    home.write("project/vendor/team.rulebook", &rulebook("team", "1.0.0", "alpha"));
    std::fs::create_dir_all(home.path().join("project/.cc-safety-net/rules")).expect("made");
    symlink(&victim, home.path().join("project/.cc-safety-net/rules/team.rulebook")).expect("linked");
    let told = home.expect(2, &["rule", "update", "--replace", "--project"]);
    assert!(told.contains("a link"), "{told}");
    std::fs::remove_dir_all(home.path().join("project/.cc-safety-net")).expect("removed");
    std::fs::create_dir_all(home.path().join("elsewhere")).expect("made");
    symlink(home.path().join("elsewhere"), home.path().join("project/.cc-safety-net")).expect("linked");
    home.expect(2, &["rule", "add", "../team", "--project"]);
    home.expect(2, &["rule", "new", "mine", "--project"]);
    assert_eq!(home.read("victim"), "precious\n");
    assert!(home.tree("elsewhere").is_empty());
}

#[test]
fn too_much_is_not_taken() {
    let home = Home::new();
    let team = Repository::new(&home, "team");
    team.write("rules/large.rulebook", &format!("# {}\n", "x".repeat(2 << 20)));
    team.commit();
    assert!(home.expect(1, &["rule", "add", &team.address()]).contains("larger than a rulebook may be"));
    team.git(&["rm", "--quiet", "rules/large.rulebook"]);
    for number in 0..65 {
        team.write(&format!("rules/a{number}.rulebook"), &rulebook(&format!("a{number}"), "1.0.0", "alpha"));
    }
    team.commit();
    assert!(home.expect(1, &["rule", "add", &team.address()]).contains("more than 64 rulebooks"));
    team.git(&["rm", "--quiet", "-r", "rules"]);
    team.write("rules/bytes.rulebook", "rulebook x");
    std::fs::write(team.path.join("rules/bytes.rulebook"), b"rulebook x\n# \xff\xfe\n").expect("written");
    team.commit();
    assert!(home.expect(1, &["rule", "add", &team.address()]).contains("not UTF-8"));
    team.git(&["rm", "--quiet", "-r", "rules"]);
    team.commit();
    assert!(home.expect(1, &["rule", "add", &team.address()]).contains("it has no *.rulebook"));
    assert!(!home.path().join(".cc-safety-net").exists());
}

#[test]
fn a_bare_repository_is_one_and_words_of_a_repository_cannot_play_tricks() {
    let home = Home::new();
    let team = Repository::new(&home, "team");
    let tricky = rulebook("team", "1.0.0", "alpha").replace("about \"For tests.\"", "about \"\u{202e}evil\u{1b}[31m\"");
    team.write("team.rulebook", &tricky);
    team.write("rules/\u{1b}[31mred.rulebook", "rulebook Red\n");
    let commit = team.commit();
    git(home.path(), &["clone", "--quiet", "--bare", "team", "bare"]);
    let told = home.expect(1, &["rule", "add", "../bare"]);
    assert!(!told.contains('\u{1b}') && !told.contains('\u{202e}'), "{told:?}");
    team.git(&["rm", "--quiet", "-r", "rules"]);
    team.write("team.rulebook", &rulebook("team", "1.0.0", "alpha"));
    let next = team.commit();
    git(&home.path().join("bare"), &["fetch", "--quiet", "../team", "main:main"]);
    assert!(commit != next && home.expect(0, &["rule", "add", "../bare"]).contains(&next));
}
