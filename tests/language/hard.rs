//! A rulebook of hard cases: it holds without a word, and what it means is in the snapshot.

use cc_safety_net::language::format;

use super::outline::outline;
use super::{check, rendered};

const HARD: &str = include_str!("hard.rulebook");

#[test]
fn the_hard_cases_hold_and_mean_what_the_snapshot_says() {
    let (rulebook, diagnostics) = check("hard.rulebook", HARD);
    assert!(diagnostics.is_empty(), "{}", rendered(HARD, &diagnostics));
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../snapshots/language");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| {
        insta::assert_snapshot!("hard", outline(&rulebook));
    });
}

#[test]
fn the_hard_cases_in_canonical_layout() {
    let formatted = format(HARD).expect("it parses");
    assert_eq!(format(&formatted).as_deref(), Ok(formatted.as_str()), "formatting twice is formatting once");
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../snapshots/language");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!("hard-formatted", formatted));
}
