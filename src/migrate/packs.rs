//! YAML packs of patterns, in the form of version 0.4.1 of the guard that reads them: regular expressions over a command's text, those
//! that refuse and those that let pass.
//!
//! A regular expression that spells out a command (`git\s+push\s+.*--force`) becomes a pattern on commands; every other one is
//! told of, with what it has that is more than that.

use serde_json::Value;

use super::{Draft, Migrated, PortedRule, field, name, version};
use crate::agents::permissions::{choice, message};
use crate::model::Decision;

/// Reads a pack.
pub fn read(document: &Value) -> Migrated {
    let mut migrated = Migrated { format: "a pack of patterns", ..Migrated::default() };
    let id = match field(document, "id") {
        "" => field(document, "name"),
        id => id,
    };
    let about = field(document, "description");
    let mut draft = Draft {
        name: name(id),
        version: version(field(document, "version")),
        about: if about.is_empty() {
            "Migrated from a pack of patterns.".into()
        } else {
            about.split_whitespace().collect::<Vec<_>>().join(" ")
        },
        ..Draft::default()
    };
    for (key, value) in document.as_object().into_iter().flatten() {
        match key.as_str() {
            // Keywords made the matching quicker and said nothing.
            "id" | "name" | "version" | "description" | "schema_version" | "keywords" => {}
            "destructive_patterns" | "safe_patterns" => {
                for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                    pattern(item, format!("/{key}/{index}"), key == "safe_patterns", &mut draft, &mut migrated);
                }
            }
            _ => migrated.said(format!("/{key}"), value.to_string(), "not known"),
        }
    }
    exempt(&mut draft);
    migrated.drafts.push(draft);
    migrated
}

/// What lets pass does so for the rules of its own pack alone: each of them gets it as an `unless`.
fn exempt(draft: &mut Draft) {
    let (safe, mut rules): (Vec<PortedRule>, Vec<PortedRule>) =
        std::mem::take(&mut draft.rules).into_iter().partition(|rule| rule.decision == Decision::Allow);
    for rule in &mut rules {
        rule.clauses.extend(safe.iter().flat_map(|each| &each.clauses).map(|clause| format!("unless {clause}")));
    }
    draft.rules = rules;
}

fn pattern(item: &Value, at: String, safe: bool, draft: &mut Draft, migrated: &mut Migrated) {
    let expression = field(item, "pattern");
    let clause = match clause(expression) {
        Ok(clause) => clause,
        Err(why) => return migrated.said(at, expression, why),
    };
    let said =
        ["reason", "description", "explanation", "name"].into_iter().map(|key| field(item, key)).find(|text| !text.is_empty());
    let decision = match (safe, field(item, "severity")) {
        (true, _) => Decision::Allow,
        (false, "medium" | "warning") => Decision::Warn,
        (false, "low" | "info") => {
            return migrated.said(at, expression, "it was recorded only, and so is every call here: it needs no rule");
        }
        (false, _) => Decision::Deny,
    };
    migrated.said(
        at.clone(),
        expression,
        "said of commands, not of their text: what is only mentioned is not met, other spellings are",
    );
    draft.rules.push(PortedRule {
        title: field(item, "name").into(),
        clauses: vec![clause],
        decision,
        reason: message(said.unwrap_or("Migrated.")),
        intent: None,
        examples: Vec::new(),
        at,
    });
}

/// How a piece of an expression follows on the one before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Gap {
    None,
    Blanks,
    Anything,
}

/// The clause of an expression that spells out a command.
fn clause(expression: &str) -> Result<String, String> {
    let mut rest = expression;
    for begin in ["(?i)", "^", "\\b", "\\s*", "(?:^|\\s)", "(^|\\s)"] {
        rest = rest.strip_prefix(begin).unwrap_or(rest);
    }
    for end in ["$", "\\b", "(?:\\s|$)", "(\\s|$)", ".*", "\\s*", "\\s+"] {
        rest = rest.strip_suffix(end).unwrap_or(rest);
    }
    let mut pieces: Vec<(Gap, Vec<String>)> = Vec::new();
    let mut gap = Gap::Blanks;
    while !rest.is_empty() {
        if let Some((wide, after)) = blanks(rest) {
            let before = gap;
            gap = if wide || before == Gap::Anything { Gap::Anything } else { Gap::Blanks };
            rest = after;
            continue;
        }
        if let Some(after) = rest.strip_prefix("\\b") {
            rest = after;
            continue;
        }
        let (words, after) = words(rest)?;
        match pieces.last_mut() {
            // Two pieces without a gap are one word.
            Some((_, last)) if gap == Gap::None => {
                *last = last.iter().flat_map(|begin| words.iter().map(move |end| format!("{begin}{end}"))).collect();
            }
            _ => pieces.push((gap, words)),
        }
        gap = Gap::None;
        rest = after;
    }
    let Some(((_, program), arguments)) = pieces.split_first() else { return Err("it names no command".into()) };
    if program.iter().any(|word| word.starts_with('-') || word.is_empty()) {
        return Err("it names no program first".into());
    }
    let mut out = format!("match {}", choice(program, false));
    for (gap, words) in arguments {
        out.push_str(&format!(" {}", choice(words, *gap == Gap::Anything)));
    }
    Ok(out)
}

/// What stands for blanks, or for anything between words.
fn blanks(rest: &str) -> Option<(bool, &str)> {
    const GAPS: [(&str, bool); 9] = [
        ("(?:\\s+\\S+)*", true),
        ("[^;&|]*", true),
        ("[^|;&]*", true),
        (".*?", true),
        (".*", true),
        (".+", true),
        ("\\s+", false),
        ("\\s*", false),
        (" ", false),
    ];
    GAPS.iter().find_map(|(text, wide)| rest.strip_prefix(text).map(|after| (*wide, after)))
}

/// Letters, or a group of alternatives of letters, and what is left.
fn words(rest: &str) -> Result<(Vec<String>, &str), String> {
    if let Some(inner) = rest.strip_prefix("(?:").or_else(|| rest.strip_prefix('(')) {
        let Some((inside, after)) = inner.split_once(')') else { return Err("a bracket is never closed".into()) };
        if after.starts_with(['?', '*', '+', '{']) {
            return Err(format!("`{inside}` may stand there or not"));
        }
        let each: Result<Vec<String>, String> = inside
            .split('|')
            .map(|alternative| match letters(alternative.trim_matches(' ')) {
                (word, "") if !word.is_empty() => Ok(word),
                (_, left) => Err(format!("`{left}` is more than a word")),
            })
            .collect();
        return Ok((each?, after));
    }
    let (word, after) = letters(rest);
    if word.is_empty() {
        return Err(format!("`{after}` is more than a word"));
    }
    if after.starts_with(['?', '*', '+', '{']) {
        return Err(format!("`{after}` repeats a letter"));
    }
    Ok((vec![word], after))
}

/// Plain and escaped letters, up to what is neither.
fn letters(text: &str) -> (String, &str) {
    let mut out = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let escaped = rest.strip_prefix('\\').and_then(|rest| rest.chars().next()).filter(|c| c.is_ascii_punctuation());
        match (c, escaped) {
            (_, Some(letter)) => {
                out.push(letter);
                rest = &rest[1 + letter.len_utf8()..];
            }
            (c, None) if c.is_ascii_alphanumeric() || "-_/:=@,~%".contains(c) => {
                out.push(c);
                rest = &rest[1..];
            }
            _ => break,
        }
    }
    (out, rest)
}

#[cfg(test)]
mod tests {
    use super::clause;

    #[test]
    fn expressions_that_spell_out_commands() {
        for (expression, written) in [
            (r"git\s+push\s+.*--force", "match git push --force"),
            (r"^git\s+(?:push|fetch)\b.*\bmain$", "match git (push | fetch) ... main"),
            (r"\bkubectl\s+delete\s+(namespace|ns)\b", "match kubectl delete (namespace | ns)"),
            (r"mkfs\.ext4\s+/dev/sda", "match mkfs.ext4 /dev/sda"),
            (r"acme\s+--all(?:\s|$)", "match acme --all"),
        ] {
            assert_eq!(clause(expression).as_deref(), Ok(written), "{expression}");
        }
        for expression in [r"rm\s+-[a-z]*f", r"(?<!x)git", r"a{2}b", r"git\s+push(?!.*lease)", "", r"x\d+", r"(a|b"] {
            assert!(clause(expression).is_err(), "{expression}");
        }
    }
}
