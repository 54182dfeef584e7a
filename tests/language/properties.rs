//! The laws of the canonical layout, over generated rulebooks.

use cc_safety_net::language::{Rulebook, format};
use cc_safety_net::model::declaration::{Command, Subcommands};
use cc_safety_net::model::rule::{Condition, Rule};
use proptest::prelude::*;

use super::{check, rendered, rulebooks};

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_generated_holds(text in rulebooks::rulebook()) {
        let (rulebook, diagnostics) = check("made.rulebook", &text);
        let errors: Vec<_> = diagnostics.into_iter().filter(|diagnostic| diagnostic.is_error()).collect();
        prop_assert!(errors.is_empty(), "{}\n{}", text, rendered(&text, &errors));
        prop_assert_eq!(rulebook.rules.len(), 4);
        prop_assert_eq!(rulebook.commands.len(), 2);
    }

    #[test]
    fn layout_changes_no_meaning(text in rulebooks::rulebook()) {
        let formatted = format(&text).map_err(|all| TestCaseError::fail(rendered(&text, &all)))?;
        let (before, _) = check("made.rulebook", &text);
        let (after, diagnostics) = check("made.rulebook", &formatted);
        prop_assert_eq!(without_places(before), without_places(after), "{}\n{}\n{}", text, formatted, rendered(&formatted, &diagnostics));
        prop_assert_eq!(comments(&text), comments(&formatted), "{}\n{}", text, formatted);
    }

    #[test]
    fn layout_twice_is_layout_once(text in rulebooks::rulebook()) {
        let once = format(&text).map_err(|all| TestCaseError::fail(rendered(&text, &all)))?;
        let twice = format(&once).map_err(|all| TestCaseError::fail(rendered(&once, &all)))?;
        prop_assert_eq!(&once, &twice, "{}", text);
        prop_assert!(once.lines().all(|line| line.trim_end() == line), "{}", once);
    }
}

/// How many comments stand in a text that the generator made.
fn comments(text: &str) -> usize {
    text.matches("# a ").count() + text.matches("# be").count()
}

/// The rulebook with every place in the text set to zero.
fn without_places(mut rulebook: Rulebook) -> String {
    for command in &mut rulebook.commands {
        forget(command);
    }
    for rule in &mut rulebook.rules {
        clear(rule);
    }
    for example in &mut rulebook.examples {
        (example.at.start, example.at.end) = (0, 0);
    }
    format!("{rulebook:#?}")
}

fn forget(command: &mut Command) {
    command.at = None;
    if let Subcommands::Here(below) = &mut command.subcommands {
        below.iter_mut().for_each(forget);
    }
}

fn clear(rule: &mut Rule) {
    (rule.at.start, rule.at.end) = (0, 0);
    for one in &mut rule.matches {
        (one.at.start, one.at.end) = (0, 0);
    }
    // Conditions hold no places; this breaks where one is added.
    let _: Option<&Condition> = rule.when.first();
}
