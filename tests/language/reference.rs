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

/// The rules of the grammar, but for the words of the language, and the comment above each.
fn grammar_rules() -> Vec<(&'static str, String)> {
    let mut rules = Vec::new();
    let mut comment = String::new();
    for line in include_str!("../../grammar/rulebook.pest").lines() {
        if let Some(more) = line.strip_prefix("///") {
            comment.push_str(more);
            continue;
        }
        let name = line.split(" = ").next().filter(|name| line.contains(" = ") && !name.starts_with([' ', '/', '|']));
        rules.extend(name.filter(|name| !name.starts_with("kw_")).map(|name| (name, std::mem::take(&mut comment))));
        comment.clear();
    }
    rules
}

#[test]
fn every_rule_of_the_grammar_has_a_comment_and_an_example() {
    let rules = grammar_rules();
    assert!(rules.len() > 100, "only {} rules were found", rules.len());
    for (name, comment) in rules {
        assert!(comment.contains('`') || name == "WHITESPACE", "the grammar rule `{name}` has no example: {comment}");
    }
}

#[test]
fn every_word_of_the_language_is_in_the_reference() {
    let words = include_str!("../../grammar/rulebook.pest").lines().filter(|line| line.starts_with("kw_"));
    let missing: Vec<&str> = words
        .filter_map(|line| line.split('"').nth(1))
        .filter(|word| !REFERENCE.split(|c: char| !c.is_alphanumeric() && c != '-').any(|each| each == *word))
        .collect();
    assert!(missing.is_empty(), "not in the reference: {missing:?}");
}
