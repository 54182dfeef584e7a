//! An override written into a settings file, or taken out of it, so that every other byte stays: comments, order and layout are the
//! person's.
//!
//! The text is changed in one place and read again. What then says anything else than was meant is not written: the person is told
//! why, and edits by hand.

use std::ops::Range;

use super::settings;
use super::source::SETTINGS;
use super::tree::{self, Node, Value};
use crate::model::settings::Override;
use crate::model::{Decision, Settings};

/// The text with this rule's decision overridden (`Some(None)` is `off`), or with its override taken out (`None`); or why that cannot
/// be done, as a phrase.
pub fn with_override(text: &str, rule: &str, decision: Option<Option<Decision>>, homes: &[String]) -> Result<String, String> {
    let (before, faults) = settings::read(SETTINGS, text, homes);
    if let Some(fault) = faults.iter().find(|fault| fault.is_error()) {
        return Err(format!("it has faults, the first: {}: {}", fault.code, fault.message));
    }
    let word = decision.map(|decision| decision.map_or("off", Decision::word));
    let wanted = wanted(&before, rule, decision);
    if wanted == before {
        return Ok(text.to_string());
    }
    let tree = tree::parse(text).map_err(|fault| fault.message)?;
    let edit = match word {
        Some(word) => set(text, &tree, rule, word),
        None => clear(text, &tree, rule),
    };
    let amended = edit.map(|(at, new)| format!("{}{new}{}", &text[..at.start], &text[at.end..]));
    let is_meant = |amended: &String| {
        let (after, faults) = settings::read(SETTINGS, amended, homes);
        after == wanted && !faults.iter().any(|fault| fault.is_error())
    };
    amended.filter(is_meant).ok_or_else(|| "its layout is not one that can be edited without touching the rest".into())
}

fn wanted(before: &Settings, rule: &str, decision: Option<Option<Decision>>) -> Settings {
    let mut wanted = before.clone();
    match (decision, wanted.overrides.iter().position(|said| said.rule == rule)) {
        (Some(decision), Some(at)) => wanted.overrides[at].decision = decision,
        (Some(decision), None) => wanted.overrides.push(Override { rule: rule.to_string(), decision }),
        (None, Some(at)) => drop(wanted.overrides.remove(at)),
        (None, None) => {}
    }
    wanted
}

/// The entry of a mapping with this name.
fn entry<'t>(node: &'t Node, name: &str) -> Option<&'t (Node, Node)> {
    let Value::Fields(fields) = &node.value else { return None };
    fields.iter().find(|(key, _)| settings::text(key) == Some(name))
}

/// A change of text: where, and what stands there then.
type Edit = (Range<usize>, String);

fn set(text: &str, tree: &Node, rule: &str, word: &str) -> Option<Edit> {
    let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let Some((key, overrides)) = entry(tree, "overrides") else {
        // Behind everything that is there.
        let apart = if text.is_empty() || text.ends_with('\n') { "" } else { end };
        return Some((text.len()..text.len(), format!("{apart}overrides:{end}  {rule}: {word}{end}")));
    };
    if let Some((_, value)) = entry(overrides, rule) {
        return Some((value.at.clone(), word.to_string()));
    }
    let Value::Fields(fields) = &overrides.value else {
        // `overrides:` and nothing.
        let at = after_line(text, key.at.end);
        let apart = if text[..at].ends_with('\n') { "" } else { end };
        return Some((at..at, format!("{apart}{}  {rule}: {word}{end}", indentation(text, key.at.start)?)));
    };
    let ((first, _), (_, last)) = (fields.first()?, fields.last()?);
    match indentation(text, first.at.start) {
        // A line for each entry, and more than the key's own line.
        Some(indentation) if !text[key.at.end..first.at.start].contains('{') => {
            let at = after_line(text, last.at.end);
            let apart = if text[..at].ends_with('\n') { "" } else { end };
            Some((at..at, format!("{apart}{indentation}{rule}: {word}{end}")))
        }
        _ => Some((last.at.end..last.at.end, format!(", {rule}: {word}"))),
    }
}

fn clear(text: &str, tree: &Node, rule: &str) -> Option<Edit> {
    let (_, overrides) = entry(tree, "overrides")?;
    let Value::Fields(fields) = &overrides.value else { return None };
    let at = fields.iter().position(|(key, _)| settings::text(key) == Some(rule))?;
    let (key, value) = &fields[at];
    let line = before_line(text, key.at.start)..after_line(text, value.at.end);
    let others = fields.iter().enumerate().filter(|(other, _)| *other != at);
    let is_alone = indentation(text, key.at.start).is_some()
        && !text[line.clone()].contains(['{', '}'])
        && others.map(|(_, (key, _))| key.at.start).all(|start| !line.contains(&start));
    if is_alone {
        return Some((line, String::new()));
    }
    // Between braces: the comma goes with it.
    match (fields.get(at + 1), at.checked_sub(1)) {
        (Some((next, _)), _) => Some((key.at.start..next.at.start, String::new())),
        (None, Some(last)) => Some((fields[last].1.at.end..value.at.end, String::new())),
        (None, None) => Some((key.at.start..value.at.end, String::new())),
    }
}

/// Where the line of a byte begins.
fn before_line(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |newline| newline + 1)
}

/// Where the line after a byte begins; the end, where there is none.
fn after_line(text: &str, at: usize) -> usize {
    text[at..].find('\n').map_or(text.len(), |newline| at + newline + 1)
}

/// The blanks before a byte, where nothing else stands before it on its line.
fn indentation(text: &str, at: usize) -> Option<&str> {
    let before = &text[before_line(text, at)..at];
    before.chars().all(|each| each == ' ').then_some(before)
}

#[cfg(test)]
mod tests {
    use super::*;

    const OFF: Option<Option<Decision>> = Some(None);

    fn amended(text: &str, decision: Option<Option<Decision>>) -> Result<String, String> {
        with_override(text, "git.push", decision, &["/home/me".to_string()])
    }

    #[test]
    fn an_override_is_written_and_every_other_byte_stays() {
        for (before, after) in [
            ("", "overrides:\n  git.push: off\n"),
            ("# mine\n", "# mine\noverrides:\n  git.push: off\n"),
            ("preset: strict # kept", "preset: strict # kept\noverrides:\n  git.push: off\n"),
            ("overrides:\npreset: strict\n", "overrides:\n  git.push: off\npreset: strict\n"),
            ("overrides: # these\n", "overrides: # these\n  git.push: off\n"),
            (
                "overrides:\n    a.b: ask # why\n# end\npreset: strict\n",
                "overrides:\n    a.b: ask # why\n    git.push: off\n# end\npreset: strict\n",
            ),
            (
                "overrides:\n  a.b: ask\n\n  # this\n  git.push: deny  # for now\n",
                "overrides:\n  a.b: ask\n\n  # this\n  git.push: off  # for now\n",
            ),
            ("overrides:\n  \"git.push\": \"deny\"\n", "overrides:\n  \"git.push\": off\n"),
            ("overrides: {a.b: ask} # all\n", "overrides: {a.b: ask, git.push: off} # all\n"),
            ("overrides:\r\n  a.b: ask\r\n", "overrides:\r\n  a.b: ask\r\n  git.push: off\r\n"),
            ("overrides:\n  a.b: ask", "overrides:\n  a.b: ask\n  git.push: off\n"),
            ("overrides:\n  git.push: off\n", "overrides:\n  git.push: off\n"),
        ] {
            assert_eq!(amended(before, OFF).as_deref(), Ok(after), "{before:?}");
        }
        assert_eq!(amended("", Some(Some(Decision::Ask))).as_deref(), Ok("overrides:\n  git.push: ask\n"));
    }

    #[test]
    fn an_override_is_taken_out_and_every_other_byte_stays() {
        for (before, after) in [
            (
                "overrides:\n  # one\n  a.b: ask\n  git.push: off # gone\n  c.d: deny\n",
                "overrides:\n  # one\n  a.b: ask\n  c.d: deny\n",
            ),
            ("overrides:\n  git.push: off\npreset: strict\n", "overrides:\npreset: strict\n"),
            ("overrides: {git.push: off, a.b: ask}\n", "overrides: {a.b: ask}\n"),
            ("overrides: {a.b: ask, git.push: off}\n", "overrides: {a.b: ask}\n"),
            ("overrides: {git.push: off}\n", "overrides: {}\n"),
            ("preset: strict\n", "preset: strict\n"),
        ] {
            assert_eq!(amended(before, None).as_deref(), Ok(after), "{before:?}");
        }
    }

    #[test]
    fn what_would_change_more_is_refused() {
        for text in [
            "{preset: strict}\n",
            "preset: lax\n",
            "overrides: [\n",
            "preset: strict\n...\n",
            "x: &a\n  git.push: deny\noverrides: *a\n",
            "overrides:\n  ? git.push\n  : deny\n  ? a.b\n  :\n    deny\n---\n",
        ] {
            assert!(amended(text, OFF).is_err(), "{text:?}: {:?}", amended(text, OFF));
        }
    }
}
