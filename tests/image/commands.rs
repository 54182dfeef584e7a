//! Patterns on commands: options anywhere, positionals in order, splices and holes.

use cc_safety_net::model::rule::{Condition, RuleKind, Subject};
use cc_safety_net::model::verdict::Certainty::{Certain, Possible};

use crate::support::*;

fn on(pattern: &str, line: &str) -> Option<cc_safety_net::model::Certainty> {
    outcome(command(pattern), &call(vec![run(reading(line))], Vec::new()))
}

#[test]
fn words_and_options() {
    let cases = [
        ("git reset --hard", "git reset -h,--hard HEAD", Some(Certain)),
        ("git reset --hard", "git reset --soft", None),
        ("git reset --hard", "git status --hard", None),
        ("git push ... +*", "git push origin +a", Some(Certain)),
        ("git push ... +*", "git push origin a", None),
        ("git push +*", "git push origin +a", None),
        ("git push --force !--dry-run", "git push --force", Some(Certain)),
        ("git push --force !--dry-run", "git push --force -n,--dry-run", None),
        ("git push --force !--dry-run", "git push --force %", Some(Certain)),
        ("git push --force !--dry-run", "git push --force %...", Some(Certain)),
        ("git push --force", "git push %...", Some(Possible)),
        ("git % --force", "git x --force", None),
        ("git push --force", "git % --force", Some(Possible)),
        ("git push --force", "git push^pull --force", Some(Possible)),
        ("git push --force", "git push^push --force", Some(Certain)),
        ("(npm|pnpm) publish", "pnpm publish", Some(Certain)),
        ("mk* disk", "mkfs disk", Some(Certain)),
        ("kubectl delete (ns|namespace) <n>", "kubectl delete ns web", Some(Certain)),
        ("kubectl delete (ns|namespace) <n>", "kubectl delete ns", None),
        ("kubectl delete --cascade=(a|b*)", "kubectl delete --cascade=bx", Some(Certain)),
        ("kubectl delete --cascade=(a|b*)", "kubectl delete --cascade=c", None),
        ("kubectl delete --cascade=(a|b*)", "kubectl delete --cascade=b%", Some(Certain)),
        ("kubectl delete --cascade=(a|b*)", "kubectl delete --cascade=%", Some(Possible)),
        ("git checkout -- <t>", "git checkout -- a", Some(Certain)),
        ("git checkout -- <t>", "git checkout a", None),
        ("git checkout -- <t>", "git checkout a -- b", None),
        ("git checkout ... -- <t>", "git checkout a -- b", Some(Certain)),
        ("x ... z", "x %... z", Some(Certain)),
        ("x z", "x %... z", Some(Possible)),
    ];
    for (pattern, line, expected) in cases {
        assert_eq!(on(pattern, line), expected, "{pattern} on {line}");
    }
}

#[test]
fn a_last_name_is_bound_to_each_word() {
    let mut rule = rule("git.checkout", vec![command("git checkout <target>")]);
    rule.when = vec![
        Condition::Exists(Subject::Bound("target".into())),
        Condition::Not(Box::new(Condition::Ref(Subject::Bound("target".into())))),
    ];
    let mut files = Files::new(&["/home/me/project/a", "/home/me/project/b", "/home/me/project/main"]);
    files.refs = vec!["main".into()];
    let found = matches(vec![rule], &call(vec![run(reading("git checkout main a b c"))], Vec::new()), &files);
    let bound: Vec<&str> = found.iter().map(|m| m.bindings[0].1.as_str()).collect();
    assert_eq!(bound, ["a", "b"]);
}

#[test]
fn a_splice_of_an_unset_variable_is_certain_when_emptied() {
    let found = matches(
        vec![rule("t.r", vec![command("git clean -f !-n")])],
        &call(vec![run(reading("git %... clean -f"))], Vec::new()),
        &Files::default(),
    );
    assert_eq!((found[0].certainty, found[0].certain_when_emptied), (Possible, true));
}

#[test]
fn an_allow_counts_only_what_is_certain_and_not_computed() {
    let mut allow = rule("t.allow", vec![command("git clean -f ... scratch")]);
    allow.kind = RuleKind::Allow;
    let certainty = |line: &str, computed: bool| {
        let mut reading = reading(line);
        for argument in &mut reading.positionals {
            if let cc_safety_net::model::Argument::Word(word) = argument {
                word.computed = computed;
            }
        }
        let found = matches(vec![allow.clone()], &call(vec![run(reading)], Vec::new()), &Files::default());
        found.first().map(|found| found.certainty)
    };
    assert_eq!(certainty("git clean -f scratch", false), Some(Certain));
    assert_eq!(certainty("git clean -f scratch", true), Some(Possible));
    assert_eq!(certainty("git clean -f %", false), Some(Possible));
}

#[test]
fn a_variable_that_nothing_sets_matches_nothing() {
    let mut rule = rule("t.r", vec![command("git")]);
    rule.when = vec![Condition::EnvIs("GIT_X".into(), words("a*"))];
    let on = |environment: Vec<(&str, &str)>| {
        let mut run = run(reading("git status"));
        run.invocation.environment = environment.into_iter().map(|(name, value)| (name.into(), word(value))).collect();
        let found = matches(vec![rule.clone()], &call(vec![run], Vec::new()), &Files::default());
        found.first().map(|found| found.certainty)
    };
    assert_eq!(on(vec![]), None);
    assert_eq!(on(vec![("GIT_X", "ab")]), Some(Certain));
    assert_eq!(on(vec![("GIT_X", "%")]), Some(Possible));
    assert_eq!(on(vec![("GIT_X", "ab"), ("GIT_X", "b")]), None);
}
