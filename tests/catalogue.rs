//! Every example under `rules/`, judged by the real engine: the catalogue says what it does, and does it.

#![cfg(feature = "machine")]

use cc_safety_net::catalogue;
use cc_safety_net::cli::examples::{self, Outcome};
use cc_safety_net::cli::machine;
use cc_safety_net::language::{File, Known, check_layer};

/// How many failures are printed.
const SHOWN: usize = 60;

#[test]
fn every_example_holds() {
    let files: Vec<File> =
        catalogue::texts().iter().map(|(name, text)| File { name: (*name).into(), text: (*text).into() }).collect();
    let checked = check_layer(&files, &Known::default());
    let mut layers = machine::stack(None, &[]).expect("the catalogue loads");
    let mut failures = Vec::new();
    for tried in examples::run(&checked.rulebooks, &mut layers) {
        let why = match tried.outcome {
            Outcome::Holds | Outcome::Gap => continue,
            Outcome::Fails => tried.why(),
            Outcome::Closed => "a known gap is closed: `todo` can go".into(),
        };
        let at = &tried.example.at;
        let text = catalogue::text(&at.file).unwrap_or_default();
        let line = text.get(..at.start as usize).unwrap_or_default().matches('\n').count() + 1;
        let wanted = tried.example.expected.word();
        failures.push(format!("rules/{}:{line}: {wanted} `{}`: {why}", at.file, examples::shown(tried.example)));
    }
    let shown: Vec<&str> = failures.iter().take(SHOWN).map(String::as_str).collect();
    assert!(failures.is_empty(), "{} examples fail:\n{}", failures.len(), shown.join("\n"));
}

#[test]
fn every_rule_has_examples_on_both_sides() {
    use cc_safety_net::model::Decision;
    use cc_safety_net::model::rule::{Condition, RuleKind};
    let files: Vec<File> =
        catalogue::texts().iter().map(|(name, text)| File { name: (*name).into(), text: (*text).into() }).collect();
    let mut faults = Vec::new();
    for rulebook in check_layer(&files, &Known::default()).rulebooks {
        for rule in rulebook.rules.iter().filter(|rule| rule.kind == RuleKind::Rule) {
            let own = || rulebook.examples.iter().filter(|example| example.rule == rule.id);
            let hits = own().any(|example| example.expected != Decision::Allow);
            // What only a person's own settings make a rule of, no example can show.
            let by_settings = rule
                .matches
                .iter()
                .flat_map(|one| &one.when)
                .any(|when| matches!(when, Condition::PathIn(_, set) if set.any.is_empty() && !set.settings.is_empty()));
            let hits = hits || by_settings;
            let misses = own().any(|example| example.expected == Decision::Allow);
            if !hits || !misses {
                faults.push(format!("{}: no {}", rule.id, if hits { "near miss" } else { "example that it decides" }));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
