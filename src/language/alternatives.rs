//! Rulebooks → the alternatives of their patterns, and for each of them a rule that only it matches: its probe.
//!
//! An alternative is a whole `match` without a group, or one choice of a group `(a | b)` in it, nested ones and those in the text
//! of `executes sql "…"` included. Members of sets and choices in braces are words, not alternatives. A probe is the rule's text
//! with its other `match` clauses gone and every group around the alternative cut down to it: what the language means by the
//! probe is what it means by the alternative, and whoever asks which alternatives an example exercises asks which probes match.

use std::ops::Range;

use super::File;
use super::check::parse_file;
use super::diagnostic::{At, Faults};
use super::tree::{Item, ItemKind, Pattern, Rule, RuleClause};

/// One alternative.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alternative {
    /// The rule's id.
    pub rule: String,
    /// The id of its probe.
    pub probe: String,
    /// Where it stands in the file, in bytes.
    pub at: Range<usize>,
}

/// The probes of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Probes {
    /// A rulebook with the sets and declarations of the file, and one rule for each alternative.
    pub file: File,
    /// In the order of the text.
    pub alternatives: Vec<Alternative>,
}

/// The probes of a file, the `index`th of its layer. A rule that cannot be read has none.
pub fn probes(file: &File, index: usize) -> Probes {
    let text = file.text.as_str();
    let mut faults = Faults::new(&file.name, text.len());
    let parsed = parse_file(text, &mut faults);
    let headed = parsed.items.iter().find_map(|item| match &item.kind {
        ItemKind::Rulebook(name) => Some(name.text),
        _ => None,
    });
    let base = file.name.rsplit(['/', '\\']).next().unwrap_or(&file.name);
    let rulebook = headed.unwrap_or(base.strip_suffix(".rulebook").unwrap_or(base));
    let mut out = format!("rulebook probe-{index}\n");
    let mut alternatives = Vec::new();
    for item in &parsed.items {
        match &item.kind {
            ItemKind::Set(_) | ItemKind::Command(_) | ItemKind::Language(_) | ItemKind::Tool(_) => {
                out.push_str(&text[item.at.start..item.at.end]);
                out.push('\n');
            }
            ItemKind::Rule(rule) if !rule.allow && !item.broken => {
                let id = format!("{rulebook}.{}", rule.name.text);
                for (at, narrowed) in alternatives_of(text, rule, item) {
                    let name = format!("n{}", alternatives.len());
                    out.push_str(&probe(text, rule, &name, &narrowed));
                    let probe = format!("probe-{index}.{name}");
                    alternatives.push(Alternative { rule: id.clone(), probe, at: at.start..at.end });
                }
            }
            _ => {}
        }
    }
    Probes { file: File { name: file.name.clone(), text: out }, alternatives }
}

/// Each alternative of a rule, with the `match` clause cut down to it.
fn alternatives_of(text: &str, rule: &Rule<'_>, item: &Item<'_>) -> Vec<(At, String)> {
    let mut found = Vec::new();
    for (clause, at) in &rule.clauses {
        let RuleClause::Match { pattern, .. } = clause else { continue };
        let at = At { start: at.start, end: at.end.min(item.at.end) };
        let is_code = matches!(pattern, Pattern::Effect { code: Some(_), .. });
        let groups = groups(text, at, is_code);
        if groups.is_empty() {
            found.push((at, text[at.start..at.end].to_string()));
        }
        for (index, group) in groups.iter().enumerate() {
            found.extend(group.choices.iter().map(|choice| (*choice, narrowed(text, at, &groups, index, *choice))));
        }
    }
    found
}

fn probe(text: &str, rule: &Rule<'_>, name: &str, narrowed: &str) -> String {
    let mut out = format!("rule {name} {{\n{narrowed}\n");
    for (clause, at) in &rule.clauses {
        if matches!(clause, RuleClause::Given(_)) {
            out.push_str(&text[at.start..at.end]);
            out.push('\n');
        }
    }
    out.push_str("deny \"probe\"\n}\n");
    out
}

/// A group of a pattern: its brackets included, and each choice without the blanks around it.
struct Group {
    at: At,
    choices: Vec<At>,
    /// The group around it, and which of its choices it stands in.
    within: Option<(usize, usize)>,
}

/// The groups of a `match` clause, up to its first condition. What stands behind `except` is taken out, not an alternative.
fn groups(text: &str, clause: At, is_code: bool) -> Vec<Group> {
    let bytes = text.as_bytes();
    let mut found: Vec<Group> = Vec::new();
    // Groups that are open: their index, and where the choice began.
    let mut open: Vec<(usize, usize)> = Vec::new();
    let (mut i, mut skipped) = (clause.start, 0usize);
    let trimmed = |from: usize, to: usize| {
        let inner = &text[from..to];
        let start = from + inner.len() - inner.trim_start().len();
        At { start, end: start + inner.trim().len() }
    };
    while i < clause.end {
        let at_word = i == clause.start || bytes[i - 1].is_ascii_whitespace() || matches!(bytes[i - 1], b'(' | b'|');
        match bytes[i] {
            b'"' if !is_code => i = string_end(bytes, i, clause.end),
            b'#' if at_word && !is_code => i += text[i..clause.end].find('\n').unwrap_or(clause.end - i - 1),
            b'(' if skipped > 0 || text[clause.start..i].trim_end().ends_with("except") => skipped += 1,
            b')' if skipped > 0 => skipped -= 1,
            _ if skipped > 0 => {}
            b'(' => {
                let within = open.last().map(|(index, _)| (*index, found[*index].choices.len()));
                open.push((found.len(), i + 1));
                found.push(Group { at: At { start: i, end: i + 1 }, choices: Vec::new(), within });
            }
            b'|' => {
                if let Some((index, start)) = open.last_mut() {
                    found[*index].choices.push(trimmed(*start, i));
                    *start = i + 1;
                }
            }
            b')' => {
                if let Some((index, start)) = open.pop() {
                    found[index].choices.push(trimmed(start, i));
                    found[index].at.end = i + 1;
                }
            }
            b'w' | b'u' if at_word && open.is_empty() && !is_code => {
                let rest = &text[i..clause.end];
                if ["when", "unless"]
                    .iter()
                    .any(|word| rest.strip_prefix(word).is_some_and(|rest| rest.starts_with([' ', '\n'])))
                {
                    break;
                }
            }
            _ => {}
        }
        i += 1;
    }
    found
}

/// The last byte of a string that begins here.
fn string_end(bytes: &[u8], start: usize, end: usize) -> usize {
    let mut i = start + 1;
    while i < end && bytes[i] != b'"' {
        i += if bytes[i] == b'\\' { 2 } else { 1 };
    }
    i
}

/// The clause with a group cut down to one choice, and every group around it to the choice that it stands in.
fn narrowed(text: &str, clause: At, groups: &[Group], mut group: usize, choice: At) -> String {
    let mut inner = text[choice.start..choice.end].to_string();
    loop {
        let at = groups[group].at;
        let around = groups[group].within.and_then(|(outer, nth)| Some((outer, *groups[outer].choices.get(nth)?)));
        let (from, to) = around.map_or((clause.start, clause.end), |(_, choice)| (choice.start, choice.end));
        inner = format!("{}({inner}){}", &text[from..at.start], &text[at.end..to]);
        match around {
            Some((outer, _)) => group = outer,
            None => return inner,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::{Known, check_rules};

    fn of(rule: &str) -> (Vec<String>, Probes) {
        let file = File { name: "t.rulebook".into(), text: format!("list few = a | b\n{rule}") };
        let probes = probes(&file, 0);
        let texts = probes.alternatives.iter().map(|each| file.text[each.at.clone()].to_string()).collect();
        let checked = check_rules(std::slice::from_ref(&probes.file), &Known::default());
        assert!(checked.diagnostics.is_empty(), "{:?}\n{}", checked.diagnostics, probes.file.text);
        assert_eq!(checked.rulebooks[0].rules.len(), probes.alternatives.len());
        (texts, probes)
    }

    #[test]
    fn clauses_groups_and_nested_groups_have_alternatives() {
        let (texts, probes) = of("rule r { match a; match (npm | yarn (b | c)) publish -f; deny \"{command}\" }");
        assert_eq!(texts, ["match a", "npm", "yarn (b | c)", "b", "c"]);
        assert!(probes.file.text.contains("match (yarn (c)) publish -f\n"), "{}", probes.file.text);
    }

    #[test]
    fn sets_conditions_exceptions_and_comments_have_none() {
        let (texts, _) = of("rule r { match deletes (~/a | b/**) except (c | d) when cwd in (@tmp | ~); deny \"x\" }");
        assert_eq!(texts, ["~/a", "b/**"]);
        let (texts, _) = of("rule r { match x @few \"a(b|c)\" # (d | e)\n deny \"x\" }");
        assert_eq!(texts.len(), 1);
    }

    #[test]
    fn code_has_alternatives_and_conditions_stay() {
        let (texts, probes) = of("rule r { match executes any \"drop (table | view) *\"; when attended; deny \"x\" }");
        assert_eq!(texts, ["table", "view"]);
        assert!(probes.file.text.contains("\"drop (view) *\"\nwhen attended\n"), "{}", probes.file.text);
    }
}
