//! The blocks of `grammar/README.md` hold, and those marked `fault CODE` get that diagnostic.

use super::{check, rendered};

const REFERENCE: &str = include_str!("../../grammar/README.md");

/// The marked blocks: what stands behind `rulebook`, and the text.
fn blocks() -> Vec<(String, String)> {
    let mut all = Vec::new();
    let mut open: Option<(String, String)> = None;
    for line in REFERENCE.lines() {
        match &mut open {
            None => open = line.strip_prefix("```rulebook").map(|mark| (mark.trim().to_string(), String::new())),
            Some(_) if line == "```" => all.extend(open.take()),
            Some((_, text)) => {
                text.push_str(line);
                text.push('\n');
            }
        }
    }
    all
}

#[test]
fn every_block_of_the_reference_means_what_it_says() {
    let blocks = blocks();
    assert!(blocks.len() > 20, "the reference has {} blocks", blocks.len());
    for (mark, text) in blocks {
        let (_, diagnostics) = check("reference.rulebook", &text);
        match mark.strip_prefix("fault ") {
            Some(code) => assert!(
                diagnostics.iter().any(|diagnostic| diagnostic.code == code)
                    && diagnostics.iter().filter(|one| one.is_error()).count() <= 1,
                "{code} is expected of\n{text}\n{}",
                rendered(&text, &diagnostics)
            ),
            None => assert!(diagnostics.is_empty(), "{text}\n{}", rendered(&text, &diagnostics)),
        }
    }
}

#[test]
fn every_rule_of_the_grammar_is_explained() {
    let grammar = include_str!("../../grammar/rulebook.pest");
    let mut above = "";
    for line in grammar.lines() {
        let rule = line.split(" = ").next().filter(|name| line.contains(" = ") && !name.starts_with([' ', '/', '|']));
        if let Some(name) = rule {
            assert!(above.starts_with("///") || name.starts_with("kw_"), "the grammar rule `{name}` has no comment");
        }
        above = line;
    }
}
