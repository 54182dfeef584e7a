//! Wrong text of every kind: no panic, and every place that is reported lies in the text.

use std::sync::LazyLock;

use cc_safety_net::language::{Diagnostic, Rulebook, format};
use proptest::prelude::*;

use super::check;

const TEXTS: [&str; 2] = [include_str!("hard.rulebook"), include_str!("cases/seven-faults.rulebook")];

/// What the texts mean before they are edited.
static BEFORE: [LazyLock<Rulebook>; 2] =
    [LazyLock::new(|| check("case.rulebook", TEXTS[0]).0), LazyLock::new(|| check("case.rulebook", TEXTS[1]).0)];

/// The letters that matter to the language, and some that do not.
const LETTERS: [&str; 30] = [
    "{", "}", "(", ")", "[", "]", "\"", "`", "```", "#", "@", "!", "<", ">", "|", ",", ";", ":", "=", "\n", " ", "\\", "$",
    "'", "é", "\u{202e}", "rule x {", "...", "*", "-",
];

fn in_bounds(text: &str, diagnostics: &[Diagnostic]) -> Result<(), TestCaseError> {
    for diagnostic in diagnostics {
        for label in &diagnostic.labels {
            prop_assert!(text.get(label.at.clone()).is_some(), "{diagnostic:?} in {text}");
        }
        prop_assert!(!diagnostic.message.contains('\n') && !diagnostic.message.ends_with('.'), "{diagnostic:?}");
        prop_assert!(diagnostic.help.is_some(), "{diagnostic:?}");
    }
    Ok(())
}

fn edited(text: &str, edits: &[(usize, usize, u8)]) -> String {
    let mut text = text.to_string();
    for (place, letter, kind) in edits {
        let mut at = place % (text.len() + 1);
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        let width = text[at..].chars().next().map_or(0, char::len_utf8);
        match kind % 3 {
            0 => text.insert_str(at, LETTERS[letter % LETTERS.len()]),
            1 => text.replace_range(at..at + width, ""),
            _ => text.replace_range(at..at + width, LETTERS[letter % LETTERS.len()]),
        }
    }
    text
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn one_edit_costs_one_item_and_never_a_panic(which in 0usize..2, edit in (any::<usize>(), any::<usize>(), any::<u8>())) {
        let text = edited(TEXTS[which], &[edit]);
        let before = &*BEFORE[which];
        let (after, diagnostics) = check("case.rulebook", &text);
        in_bounds(&text, &diagnostics)?;
        // `rule x {` in the middle of an item may cost that one and the next.
        let lost = before.rules.len().saturating_sub(after.rules.len()) + before.commands.len().saturating_sub(after.commands.len());
        prop_assert!(lost <= 2, "{lost} items lost by {edit:?} in {text}");
        if lost > 0 {
            prop_assert!(diagnostics.iter().any(Diagnostic::is_error), "lost in silence: {text}");
        }
        let _ = format(&text);
    }

    #[test]
    fn many_edits_never_a_panic(which in 0usize..2, edits in prop::collection::vec((any::<usize>(), any::<usize>(), any::<u8>()), 1..40)) {
        let text = edited(TEXTS[which], &edits);
        let (_, diagnostics) = check("case.rulebook", &text);
        in_bounds(&text, &diagnostics)?;
    }

    #[test]
    fn any_text_never_a_panic(text in "[ -~\n\"`{}()|;#@é]{0,200}") {
        let (_, diagnostics) = check("case.rulebook", &text);
        in_bounds(&text, &diagnostics)?;
    }
}

#[test]
fn hostile_shapes_end_soon() {
    let shapes = [
        "(".repeat(100_000),
        "{".repeat(100_000),
        "[".repeat(100_000),
        "rule a {\n".repeat(20_000),
        "}\n".repeat(100_000),
        format!("rule a {{ match x {} }}", "(".repeat(60_000)),
        format!("rule a {{ match x when {} attended }}", "not ".repeat(15_000)),
        format!("rule a {{ match x when {} attended }}", "(".repeat(10_000)),
        format!("rule a {{ match {} ; deny \"x\" }}", "(a | b) ".repeat(50)),
        format!("list a = {}", "x | ".repeat(15_000)),
        format!("rule a {{ match x {}y{} }}", "{a,".repeat(60), "}".repeat(60)),
        "list a = @b\nlist b = @a\n".to_string(),
        (0..3_000).map(|i| format!("list l{i} = @l{}\n", i + 1)).collect::<String>(),
        format!("rule a {{ match x; examples {{ {} }} }}", "deny tool X { a: ".repeat(3_000)),
    ];
    for text in shapes {
        let (_, diagnostics) = check("case.rulebook", &text);
        in_bounds(&text, &diagnostics).expect("labels in bounds");
    }
}
