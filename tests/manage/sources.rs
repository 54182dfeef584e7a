//! Rulebooks taken from folders and repositories, updated and given up.

use std::os::unix::fs::PermissionsExt;

use serde_json::Value;

use crate::support::{Home, Repository, expected, rulebook};

fn lock(home: &Home, path: &str) -> Value {
    serde_json::from_str(&home.read(path)).expect("JSON")
}

#[test]
fn a_folder_is_taken_pinned_and_in_force() {
    let home = Home::new();
    home.write("team/rules/team.rulebook", &rulebook("team", "1.0.0", "alpha"));
    home.write("team/rules/notes.txt", "not one");
    assert!(!home.refuses("alpha --hard"));
    let told = home.expect(0, &["rule", "add", "../team"]);
    assert!(told.contains("+ team 1.0.0: 1 rule") && told.contains("In force from now on"), "{told}");
    assert!(home.refuses("alpha --hard") && !home.refuses("alpha --soft"));
    assert!(home.expect(0, &["rule", "list"]).contains("team.alpha"));
    let lock = lock(&home, ".cc-safety-net/rules.lock");
    let source = &lock["sources"][0];
    assert_eq!(source["source"], home.path().join("team").canonicalize().expect("real").display().to_string());
    assert_eq!((&source["rulebooks"][0]["name"], source.get("commit")), (&"team".into(), None));
    for path in [".cc-safety-net/rules.lock", ".cc-safety-net/rules/team.rulebook"] {
        let mode = std::fs::metadata(home.path().join(path)).expect("there").permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{path}");
    }
    let again = home.expect(0, &["rule", "add", "../team"]);
    assert!(again.contains("Nothing to do"), "{again}");
    let status = home.run(&["status"]);
    assert_eq!(status.status.code(), Some(0), "{status:?}");
}

#[test]
fn one_file_is_a_source_too() {
    let home = Home::new();
    home.write("some/where.rulebook", &rulebook("mine", "1.0.0", "alpha"));
    home.expect(0, &["rule", "add", "../some/where.rulebook"]);
    assert!(home.refuses("alpha --hard") && home.path().join(".cc-safety-net/rules/mine.rulebook").is_file());
}

#[test]
fn a_repository_is_pinned_by_commit_and_updated() {
    let home = Home::new();
    let team = Repository::new(&home, "team.git.d");
    team.write(".cc-safety-net/rules/team.rulebook", &rulebook("team", "1.0.0", "alpha"));
    team.write("rules/other.rulebook", &rulebook("other", "1.0.0", "omega"));
    let first = team.commit();
    team.git(&["tag", "v1"]);
    let address = team.address();
    let told = home.expect(0, &["rule", "add", &address]);
    assert!(told.contains(&first) && told.contains("+ team 1.0.0"), "{told}");
    assert!(home.refuses("alpha --hard") && !home.refuses("omega --hard"), "the first place that has any");
    assert_eq!(lock(&home, ".cc-safety-net/rules.lock")["sources"][0]["commit"], first);
    assert!(home.expect(0, &["rule", "update"]).contains("nothing new"));

    let more = rulebook("team", "1.1.0", "alpha").replace("Too hard.", "Far too hard.");
    let more = more + "\nrule beta { match beta --hard; deny \"No.\"; examples { deny `beta --hard`; allow `beta` } }\n";
    team.write(".cc-safety-net/rules/team.rulebook", &more);
    let second = team.commit();
    assert!(!home.refuses("beta --hard"), "nothing is fetched at run time");
    let told = home.expect(0, &["rule", "update", "team"]);
    for line in [
        format!("{} -> {}", &first[..12], &second[..12]),
        "~ team 1.0.0 -> 1.1.0: 2 rules".into(),
        "~ team.alpha".into(),
        "+ team.beta".into(),
    ] {
        assert!(told.contains(&line), "{line}: {told}");
    }
    assert!(home.refuses("beta --hard"));
    let told = home.expect(0, &["rule", "add", &address, "--ref", "v1"]);
    assert!(told.contains("~ team 1.1.0 -> 1.0.0") && told.contains("- team.beta"), "{told}");
    assert!(home.expect(0, &["rule", "update"]).contains("nothing new"), "a tag stays where it is");
    home.expect(0, &["rule", "add", &address, "--ref", &second]);
    assert!(home.refuses("beta --hard"));
    home.expect(1, &["rule", "add", &address, "--ref", "no-such-branch"]);
    home.expect(1, &["rule", "add", &address, "--ref=--upload-pack=x"]);
    assert!(home.refuses("beta --hard"));
}

#[test]
fn only_what_is_asked_for_is_taken() {
    let home = Home::new();
    for name in ["one", "two", "three"] {
        home.write(&format!("team/{name}.rulebook"), &rulebook(name, "1.0.0", name));
    }
    let wrong = home.expect(1, &["rule", "add", "../team", "--only", "four"]);
    assert!(wrong.contains("it has: one, three, two"), "{wrong}");
    home.expect(0, &["rule", "add", "../team", "--only", "one"]);
    assert!(home.refuses("one --hard") && !home.refuses("two --hard"));
    home.expect(0, &["rule", "add", "../team", "--only", "two"]);
    assert!(home.refuses("one --hard") && home.refuses("two --hard") && !home.refuses("three --hard"));
    home.expect(0, &["rule", "update"]);
    assert!(!home.refuses("three --hard"));
    home.expect(0, &["rule", "remove", "one"]);
    assert!(!home.refuses("one --hard") && home.refuses("two --hard"));
    home.expect(0, &["rule", "update"]);
    assert!(!home.refuses("one --hard"), "what was given up does not come back");
    home.expect(0, &["rule", "add", "../team"]);
    assert!(["one", "two", "three"].iter().all(|name| home.refuses(&format!("{name} --hard"))));
}

#[test]
fn what_is_not_sound_is_not_taken() {
    let home = Home::new();
    home.write("team/good.rulebook", &rulebook("good", "1.0.0", "alpha"));
    let bad = |text: &str, why: &str| {
        home.write("team/bad.rulebook", text);
        let told = home.expect(1, &["rule", "add", "../team"]);
        assert!(told.contains(why), "{why}: {told}");
        assert!(!home.path().join(".cc-safety-net").exists(), "nothing is written");
    };
    let rule = rulebook("bad", "1.0.0", "beta");
    bad(&rule.replace("deny \"Too", "deny sideways \"Too"), "rulebook::");
    bad(&rule.replace("allow `beta --soft`", "allow `beta --hard --soft`"), "its example `beta --hard --soft` fails");
    bad(&rule.replace("rulebook bad", "rulebook good"), "two of its files are the rulebook `good`");
    bad("rulebook ../x\n", "rulebook::");
    bad(&format!("# {}\n{rule}", "x".repeat(2 << 20)), "larger than a rulebook may be");
}

#[test]
fn what_is_somebody_else_s_is_not_overwritten() {
    let home = Home::new();
    let own = rulebook("team", "0.1.0", "own");
    home.write(".cc-safety-net/rules/team.rulebook", &own);
    home.write("one/team.rulebook", &rulebook("team", "1.0.0", "alpha"));
    home.write("two/more.rulebook", &rulebook("more", "1.0.0", "beta"));
    home.write("three/more.rulebook", &rulebook("more", "2.0.0", "gamma"));
    assert!(home.expect(1, &["rule", "add", "../one"]).contains("it is your own"));
    assert_eq!(home.read(".cc-safety-net/rules/team.rulebook"), own);
    home.expect(0, &["rule", "add", "../two"]);
    let before = home.tree(".cc-safety-net");
    assert!(home.expect(1, &["rule", "add", "../three"]).contains("already here, from"));
    assert!(home.expect(1, &["rule", "remove", "team"]).contains("your own"));
    assert!(home.expect(1, &["rule", "remove", "nothing"]).contains("no rulebook and no source"));
    assert!(home.expect(1, &["rule", "update", "nothing"]).contains("no rulebook and no source"));
    assert_eq!(home.tree(".cc-safety-net"), before);
    home.expect(0, &["rule", "remove", "more"]);
    assert!(
        !home.path().join(".cc-safety-net/rules.lock").exists() && home.refuses("own --hard") && !home.refuses("beta --hard")
    );
}

#[test]
fn what_others_need_is_not_given_up() {
    let home = Home::new();
    home.write("sets/sets.rulebook", "rulebook sets\nversion 1.0.0\nabout \"Sets.\"\n\nlist hard-ones = alpha | beta\n");
    home.expect(0, &["rule", "add", "../sets"]);
    home.write(
        ".cc-safety-net/rules/mine.rulebook",
        "rulebook mine\nversion 1.0.0\nabout \"Mine.\"\n\nrule x { match @hard-ones --hard; deny \"No.\"; examples { deny `alpha --hard`; allow `alpha` } }\n",
    );
    assert!(home.refuses("beta --hard"));
    let told = home.expect(1, &["rule", "remove", "sets"]);
    assert!(told.contains("hard-ones") && home.refuses("beta --hard"), "{told}");
}

#[test]
fn a_source_that_fails_keeps_what_it_has_and_the_others_go_on() {
    let home = Home::new();
    let repository = Repository::new(&home, "gone");
    repository.write("a.rulebook", &rulebook("a", "1.0.0", "alpha"));
    repository.commit();
    home.write("stays/b.rulebook", &rulebook("b", "1.0.0", "beta"));
    home.expect(0, &["rule", "add", &repository.address()]);
    home.expect(0, &["rule", "add", "../stays"]);
    std::fs::remove_dir_all(&repository.path).expect("removed");
    home.write("stays/b.rulebook", &rulebook("b", "2.0.0", "gamma"));
    let told = home.expect(1, &["rule", "update"]);
    assert!(told.contains("kept as it is: git fetch: ") && told.contains("1 of 2 sources could not be updated"), "{told}");
    assert!(home.refuses("alpha --hard") && home.refuses("gamma --hard") && !home.refuses("beta --hard"));
    home.write("stays/b.rulebook", "rulebook b\nrule x { match; }\n");
    assert!(home.expect(1, &["rule", "update", "b"]).contains("kept as it is"));
    assert!(home.refuses("gamma --hard"));
    std::fs::remove_file(home.path().join("stays/b.rulebook")).expect("removed");
    home.write("stays/c.rulebook", &rulebook("c", "1.0.0", "delta"));
    assert!(home.expect(1, &["rule", "update", "b"]).contains("no longer has `b`"));
    assert!(home.refuses("gamma --hard"));
}

#[test]
fn a_project_s_layer_takes_rulebooks_from_beside_it() {
    let home = Home::new();
    home.write("project/vendor/rules/team.rulebook", &rulebook("team", "1.0.0", "alpha"));
    home.expect(0, &["rule", "add", "vendor", "--project"]);
    assert!(home.refuses("alpha --hard") && !home.path().join(".cc-safety-net").exists());
    assert_eq!(lock(&home, "project/.cc-safety-net/rules.lock")["sources"][0]["source"], "./vendor");
    home.write("project/vendor/rules/team.rulebook", &rulebook("team", "1.1.0", "beta"));
    home.expect(0, &["rule", "update", "--project"]);
    assert!(home.refuses("beta --hard") && !home.refuses("alpha --hard"));
    for number in 0..61 {
        home.write(&format!("project/.cc-safety-net/notes/{number}"), "x");
    }
    home.write("more/a.rulebook", &rulebook("a", "1.0.0", "gamma"));
    home.write("more/b.rulebook", &rulebook("b", "1.0.0", "delta"));
    assert!(home.expect(1, &["rule", "add", "../more", "--project"]).contains("at most 64 files"));
    home.expect(0, &["rule", "remove", "./vendor", "--project"]);
    assert!(!home.refuses("beta --hard"));
}

#[test]
fn an_agent_and_a_pipe_are_refused() {
    let home = Home::new();
    home.write("team/team.rulebook", &rulebook("team", "1.0.0", "alpha"));
    home.expect(0, &["rule", "add", "../team"]);
    let before = home.tree(".cc-safety-net");
    home.write("team/team.rulebook", &rulebook("team", "2.0.0", "beta"));
    for arguments in [
        &["rule", "add", "../team", "--yes"][..],
        &["rule", "update", "--yes"],
        &["rule", "remove", "team", "--yes"],
        &["rule", "disable", "git.stash-drop", "--yes"],
        &["rule", "enable", "git.stash-drop", "--yes"],
    ] {
        let agent = home.with(&[("CC_SAFETY_NET_TEST_PERSON", "1"), ("CLAUDECODE", "1")], arguments);
        let told = expected(1, arguments, &agent);
        assert!(told.contains("only a person may do this"), "{told}");
        let without = &arguments[..arguments.len() - 1];
        expected(1, without, &home.with(&[], without));
    }
    assert_eq!(home.tree(".cc-safety-net"), before);
}

#[test]
fn a_rulebook_to_begin_with_is_sound() {
    let home = Home::new();
    let told = home.expect(0, &["rule", "new", "deploys"]);
    let path = home.path().join(".cc-safety-net/rules/deploys.rulebook").display().to_string();
    assert!(told.contains(&path), "{told}");
    assert!(home.expect(0, &["rule", "check", "--strict", &path]).contains("0 errors, 0 warnings"));
    assert!(home.expect(0, &["rule", "test", "--coverage", &path]).contains("4 hold, 0 failed"));
    home.expect(0, &["rule", "fmt", "--check", &path]);
    assert_eq!(home.run(&["status"]).status.code(), Some(0));
    assert!(home.expect(1, &["rule", "new", "deploys"]).contains("already here"));
    for wrong in ["Deploys", "../x", "a/b", ""] {
        home.expect(1, &["rule", "new", wrong]);
    }
    home.expect(0, &["rule", "new", "ours", "--project"]);
    assert!(home.path().join("project/.cc-safety-net/rules/ours.rulebook").is_file());
}
