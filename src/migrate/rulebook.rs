//! `rulebook.json`, versions 1 and 2, of the TypeScript guard of the same name: a command, words that any of which make the rule
//! fire, words that keep it from firing.

use serde_json::Value;

use super::{Draft, Migrated, PortedRule, field, intent, name, texts, version};
use crate::agents::permissions::{choice, element, message, word};
use crate::model::Decision;

/// How many words one clause has as alternatives.
const CHUNK: usize = 24;

/// Reads a rulebook.
pub fn read(document: &Value) -> Migrated {
    let mut migrated = Migrated { format: "a rulebook.json", ..Migrated::default() };
    match document.get("rulebook_version").and_then(Value::as_u64) {
        Some(1 | 2) => {}
        other => migrated.said("/rulebook_version", format!("{other:?}"), "read as version 2, whose form may differ"),
    }
    const KNOWN: [&str; 9] =
        ["rulebook_version", "name", "version", "description", "author", "migrated_from", "allowed_commands", "rules", "tests"];
    for (key, value) in document.as_object().into_iter().flatten() {
        if !KNOWN.contains(&key.as_str()) && key != "$schema" {
            migrated.said(format!("/{key}"), value.to_string(), "not known");
        }
    }
    let mut draft = Draft {
        name: name(field(document, "name")),
        version: version(field(document, "version")),
        about: match field(document, "description") {
            "" => "Migrated from a rulebook.json.".into(),
            text => text.split_whitespace().collect::<Vec<_>>().join(" "),
        },
        items: match field(document, "author") {
            "" => Vec::new(),
            author => vec![format!("# By {}.", author.split_whitespace().collect::<Vec<_>>().join(" "))],
        },
        rules: Vec::new(),
    };
    // `allowed_commands` needs no word here: a rule speaks of the programs that it names and of no others.
    for (index, rule) in document.get("rules").and_then(Value::as_array).into_iter().flatten().enumerate() {
        let at = format!("/rules/{index}");
        match one(rule, at.clone(), &mut migrated) {
            Ok(rule) => draft.rules.push(rule),
            Err(why) => migrated.said(at, field(rule, "name"), why),
        }
    }
    tests(document, &mut draft, &mut migrated);
    migrated.drafts.push(draft);
    migrated
}

impl Migrated {
    /// Notes what could not be said.
    pub(super) fn said(&mut self, at: impl Into<String>, item: impl Into<String>, why: impl Into<String>) {
        self.unsaid.push(super::Unsaid { at: at.into(), item: item.into(), why: why.into() });
    }
}

/// One rule of either version.
pub(super) fn one(rule: &Value, at: String, migrated: &mut Migrated) -> Result<PortedRule, &'static str> {
    let (path, any, none) = match rule.get("match") {
        Some(found) => (texts(found.get("command_path")), texts(found.get("any_args")), texts(found.get("exclude_args"))),
        None => {
            let path = [field(rule, "command"), field(rule, "subcommand")];
            let path = path.into_iter().filter(|word| !word.is_empty()).map(str::to_string).collect();
            (path, texts(rule.get("block_args")), Vec::new())
        }
    };
    if path.is_empty() {
        return Err("it names no command");
    }
    let mut begin: String = path.iter().map(|word| element(word)).collect::<Vec<_>>().join(" ");
    for word in any.iter().filter(|word| element(word).contains(" | ")) {
        let why = "said more widely: several letters behind one dash are met one by one, too, in any order";
        migrated.said(format!("{at}/{word}"), word, why);
    }
    let mut unless = Vec::new();
    for excluded in &none {
        if excluded.starts_with('-') && excluded.len() > 1 {
            begin.push_str(&format!(" !{excluded}"));
        } else {
            unless.push(format!("unless match {} ... {}", word(&path[0]), word(excluded)));
        }
    }
    let mut clauses: Vec<String> = match any.len() {
        0 => vec![format!("match {begin}")],
        _ => any.chunks(CHUNK).map(|chunk| format!("match {begin} {}", choice(chunk, true))).collect(),
    };
    clauses.extend(unless);
    let said = field(rule, "intent");
    let intent = intent(said);
    if intent.is_none() && !said.is_empty() {
        migrated.said(format!("{at}/intent"), said, "not known");
    }
    Ok(PortedRule {
        title: field(rule, "name").into(),
        clauses,
        decision: Decision::Deny,
        reason: message(field(rule, "reason")),
        intent,
        examples: Vec::new(),
        at,
    })
}

/// Its fixtures become examples; one that names no rule goes to the first rule of its command, else to the first.
fn tests(document: &Value, draft: &mut Draft, migrated: &mut Migrated) {
    for (index, test) in document.get("tests").and_then(Value::as_array).into_iter().flatten().enumerate() {
        let (command, named) = (field(test, "command"), field(test, "rule"));
        let program = command.split_whitespace().next().unwrap_or_default();
        let about = |rule: &PortedRule| {
            let first = rule.clauses.first().map(String::as_str).unwrap_or_default();
            first.split_whitespace().nth(1) == Some(program)
        };
        let by_name = draft.rules.iter().position(|rule| rule.title == named);
        let by_command = draft.rules.iter().position(about);
        let Some(owner) = by_name.or(by_command).or((!draft.rules.is_empty()).then_some(0)) else {
            migrated.said(format!("/tests/{index}"), command, "there is no rule that it could be an example of");
            continue;
        };
        draft.rules[owner].examples.push((field(test, "expect") == "blocked", command.to_string()));
    }
}
