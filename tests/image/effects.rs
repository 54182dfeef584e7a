//! Patterns on effects: views, sets, what lies below.

use cc_safety_net::model::effect::{Effect, Verb};
use cc_safety_net::model::invocation::Directory;
use cc_safety_net::model::rule::{Condition, Pattern, Subject};
use cc_safety_net::model::verdict::Certainty::{Certain, Possible};

use crate::support::*;

const DOTENV: &str = "**/.env | **/.env.* except **/.env.{example,sample}";
const KEYS: &str = "~/.ssh/** | **/id_{rsa,dsa} | **/*.pem except **/*.pub | ~/.ssh/{known_hosts,config}";
const ROOTS: &str = "/ | /* | ~ | ~/ | /home/* | C:/ | C:/*";

fn on(verb: Verb, set: &str, effect: Effect, files: &Files) -> Option<cc_safety_net::model::Certainty> {
    let pattern = Pattern::Effect(effect_pattern(verb, Some(set)));
    let found = matches(vec![rule("t.r", vec![pattern])], &call(Vec::new(), vec![effect]), files);
    found.iter().map(|found| found.certainty).max()
}

#[test]
fn paths_in_every_view() {
    let mut files = Files::new(&["/home/me/project/src/"]);
    files.links.insert("/home/me/project/link".into(), "/home/me/.ssh".into());
    let cases = [
        (DOTENV, ".env", Some(Certain)),
        (DOTENV, "a/../.env", Some(Certain)),
        (DOTENV, "/x/y/.env.local", Some(Certain)),
        (DOTENV, ".env.example", None),
        (DOTENV, ".env.%", Some(Possible)),
        (DOTENV, "%/.env", Some(Certain)),
        (DOTENV, "%.env", Some(Possible)),
        (DOTENV, "%%/.env", Some(Certain)),
        (DOTENV, "x/%", Some(Possible)),
        (DOTENV, "x/%#", None),
        (DOTENV, "%/x", None),
        (KEYS, "/home/me/.ssh/id_ed25519", Some(Certain)),
        (KEYS, "../.ssh/config", None),
        (KEYS, "link/secret", Some(Certain)),
        (KEYS, "/home/me/.ssh", None),
        (KEYS, "a/id_rsa", Some(Certain)),
        (KEYS, "a/server.pem", Some(Certain)),
        (ROOTS, "/", Some(Certain)),
        (ROOTS, "/etc", Some(Certain)),
        (ROOTS, "/etc/x", None),
        (ROOTS, "~", None),
        (ROOTS, "/home/me/", Some(Certain)),
        (ROOTS, "/@*", Some(Certain)),
        (ROOTS, "%/", Some(Possible)),
        ("@project/.git/**", ".git/hooks/x", Some(Certain)),
        ("@cwd/a", "a", Some(Certain)),
        ("a", "a", Some(Certain)),
        ("@tmp/*", "/tmp/x", Some(Certain)),
        ("@tmp/*", "/tmp", None),
    ];
    for (set, path, expected) in cases {
        assert_eq!(on(Verb::Reads, set, effect(Verb::Reads, path), &files), expected, "{path} in {set}");
    }
}

#[test]
fn an_unknown_directory_leaves_floating_patterns_certain() {
    let at = |path: &str, set: &str| {
        let effect = Effect { directory: Directory::Unknown, ..effect(Verb::Reads, path) };
        on(Verb::Reads, set, effect, &Files::default())
    };
    assert_eq!(at(".env", DOTENV), Some(Certain));
    assert_eq!(at("x", "/etc/x"), Some(Possible));
    assert_eq!(at("y", "/etc/x"), None);
    assert_eq!(at("a/x", "@cwd/a/x"), Some(Certain));
}

#[test]
fn a_recursive_effect_touches_what_exists_below() {
    let files = Files::new(&[
        "/home/me/project/.git/hooks/x",
        "/home/me/project/a/b/.env",
        "/home/me/.ssh/id_rsa",
        "/home/me/project/build/main.o",
    ]);
    let recursive = |path: &str| Effect { recursively: true, ..effect(Verb::Reads, path) };
    assert_eq!(on(Verb::Reads, DOTENV, recursive("."), &files), Some(Certain));
    assert_eq!(on(Verb::Reads, DOTENV, recursive("build"), &files), None);
    assert_eq!(on(Verb::Reads, KEYS, recursive("/"), &files), Some(Certain));
    assert_eq!(on(Verb::Reads, KEYS, recursive("/home/me/.ssh"), &files), Some(Certain));
    assert_eq!(on(Verb::Reads, "**/.git", recursive("."), &files), Some(Certain));
    assert_eq!(on(Verb::Reads, "**/.git/**", recursive("%/.git"), &files), Some(Certain));
    assert_eq!(on(Verb::Reads, "~/.ssh/**", recursive("%/.ssh"), &files), Some(Possible));
    assert_eq!(on(Verb::Reads, "~/.ssh", recursive("%/.git"), &files), None);
    assert_eq!(on(Verb::Reads, "~/.ssh/**", recursive("%/.git"), &files), Some(Possible));
    let filtered = Effect { filters: vec![word("*.o")], ..recursive(".") };
    assert_eq!(on(Verb::Reads, "**/.git | @project", filtered.clone(), &files), None);
    assert_eq!(on(Verb::Reads, "**/main.o", filtered, &files), Some(Certain));
}

#[test]
fn outside_the_project_and_not_in_a_temporary_directory() {
    let mut pattern = effect_pattern(Verb::Deletes, None);
    pattern.recursively = true;
    let mut outside = rule("files.outside", vec![Pattern::Effect(pattern)]);
    outside.when = vec![Condition::PathOutside(Subject::Bound("path".into()), paths("@project"))];
    outside.unless = vec![Condition::PathIn(Subject::Bound("path".into()), paths("@tmp/** | /var/tmp/**"))];
    let delete = |path: &str| Effect { recursively: true, ..effect(Verb::Deletes, path) };
    let on = |path: &str| {
        let found = matches(vec![outside.clone()], &call(Vec::new(), vec![delete(path)]), &Files::default());
        found.first().map(|found| (found.certainty, found.bindings[0].1.clone()))
    };
    assert_eq!(on("../other"), Some((Certain, "../other".into())));
    assert_eq!(on("build"), None);
    assert_eq!(on("/tmp/x/y"), None);
    assert_eq!(on("/tmp"), Some((Certain, "/tmp".into())));
    assert_eq!(on("%").map(|found| found.0), Some(Possible));
}

#[test]
fn an_unset_variable_before_a_slash_is_the_root_when_emptied() {
    let mut pattern = effect_pattern(Verb::Deletes, Some(ROOTS));
    pattern.recursively = true;
    let roots = vec![rule("files.roots", vec![Pattern::Effect(pattern)])];
    let delete = |path: &str| Effect { recursively: true, ..effect(Verb::Deletes, path) };
    let found = matches(roots.clone(), &call(Vec::new(), vec![delete("%/")]), &Files::default());
    assert_eq!((found[0].certainty, found[0].certain_when_emptied), (Possible, true));
    assert_eq!(found[0].emptied.as_deref(), Some("/"));
    let found = matches(roots, &call(Vec::new(), vec![delete("%/dist/x")]), &Files::default());
    assert!(found.iter().all(|found| !found.certain_when_emptied));
}

#[test]
fn case_is_ignored_by_rules_and_not_by_what_they_leave_out() {
    let folds = Files { folds: true, ..Files::default() };
    assert_eq!(on(Verb::Reads, DOTENV, effect(Verb::Reads, ".ENV"), &folds), Some(Certain));
    assert_eq!(on(Verb::Reads, DOTENV, effect(Verb::Reads, ".env.EXAMPLE"), &folds), Some(Certain));
    assert_eq!(on(Verb::Reads, DOTENV, effect(Verb::Reads, ".ENV"), &Files::default()), None);
}
