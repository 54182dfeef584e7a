//! Every example under `rules/`, judged by the real engine: the catalogue says what it does, and does it.

#![cfg(feature = "machine")]

use cc_safety_net::catalogue;
use cc_safety_net::cli::examples::{self, Outcome};
use cc_safety_net::cli::rule::doc;
use cc_safety_net::cli::{coverage, lints, machine};
use cc_safety_net::language::{Checked, Diagnostic, File, Known, check_layer};
use cc_safety_net::layers;
use cc_safety_net::model::Decision;

/// How many failures are printed.
const SHOWN: usize = 60;

/// The files of the catalogue, and what they are.
fn sources() -> (Vec<File>, Checked) {
    let files = layers::catalogue_files();
    let checked = check_layer(&files, &Known::default());
    (files, checked)
}

/// Each diagnostic in one line that leads to its place.
fn told(found: &[Diagnostic]) -> String {
    let line = |each: &Diagnostic| {
        let at = each.labels.first().map_or(0, |label| label.at.start);
        let line = catalogue::text(&each.file).and_then(|text| text.get(..at)).unwrap_or_default().matches('\n').count() + 1;
        format!("rules/{}:{line}: {}: {}", each.file, each.code, each.message)
    };
    found.iter().take(SHOWN).map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn every_example_holds_and_no_lint_objects() {
    let (files, checked) = sources();
    let mut layers = machine::stack(None, &[]).expect("the catalogue loads");
    let mut failures = Vec::new();
    let all = examples::run(&checked.rulebooks, &mut layers);
    for tried in &all {
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
    let found = lints::lints(&files, &checked.rulebooks, &all, &mut layers);
    assert!(found.is_empty() && checked.diagnostics.is_empty(), "{}\n{}", told(&checked.diagnostics), told(&found));
}

#[test]
fn every_alternative_of_every_pattern_is_exercised() {
    let (files, checked) = sources();
    let covered = coverage::cover(&files, &checked.rulebooks, None).expect("the probes are sound");
    assert!(covered.alternatives > 500, "only {} alternatives", covered.alternatives);
    assert!(covered.missing.is_empty(), "{} missing:\n{}", covered.missing.len(), told(&covered.diagnostics()));
}

/// What the rules mean for people: a change of a rulebook is seen here in review.
#[test]
fn the_page_of_the_catalogue() {
    let (layers, books) = machine::catalogue_alone();
    insta::with_settings!({
        snapshot_path => concat!(env!("CARGO_MANIFEST_DIR"), "/snapshots/catalogue"),
        prepend_module_to_snapshot => false,
        omit_expression => true,
    }, {
        insta::assert_snapshot!("page", doc::page(&layers, &books));
    });
}

/// The guard's own family: whoever may loosen it may do anything, so each of its rules is complete.
#[test]
fn the_rules_that_protect_the_guard_are_complete() {
    let (_, checked) = sources();
    let book = checked.rulebooks.iter().find(|book| book.name == "self").expect("the family");
    assert!(book.rules.len() >= 8);
    for rule in &book.rules {
        let own = |allowed: bool| {
            let of = |each: &&cc_safety_net::language::Example| {
                each.rule == rule.id && !each.todo && (each.expected == Decision::Allow) == allowed
            };
            book.examples.iter().filter(of).count()
        };
        assert!(rule.floor, "{}: somebody could switch it off", rule.id);
        assert!(rule.decision >= Decision::Ask && rule.otherwise == Decision::Deny, "{}: too weak", rule.id);
        assert!(rule.instead.is_some(), "{}: nothing to do instead", rule.id);
        assert!(rule.reason.ends_with('.') && rule.reason.chars().count() <= 100, "{}: {}", rule.id, rule.reason);
        assert!(own(false) >= 1 && own(true) >= 2, "{}: {} examples, {} near misses", rule.id, own(false), own(true));
    }
}

#[test]
fn every_rule_has_examples_on_both_sides() {
    use cc_safety_net::model::rule::RuleKind;
    let mut faults = Vec::new();
    for rulebook in sources().1.rulebooks {
        for rule in rulebook.rules.iter().filter(|rule| rule.kind == RuleKind::Rule) {
            let own = || rulebook.examples.iter().filter(|example| example.rule == rule.id);
            let hits = own().any(|example| example.expected != Decision::Allow);
            let misses = own().any(|example| example.expected == Decision::Allow);
            if !hits || !misses {
                faults.push(format!("{}: no {}", rule.id, if hits { "near miss" } else { "example that it decides" }));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
