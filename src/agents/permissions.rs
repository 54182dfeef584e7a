//! Lists of permissions from elsewhere, as rules of this language: what an agent's own settings, or another guard's, come to.
//!
//! A reader gives clauses as text, since that is what a person will go on with; `migrate` makes rulebooks of them, checks them and
//! tries their examples. What a list cannot say here is told with its place, never dropped.

use crate::model::Decision;
use crate::model::rule::Intent;

/// Reads a list; nothing for a text of another format.
pub type Read = fn(&str) -> Option<Ported>;

/// The agents' own formats: what each is called, and its reader.
pub const READERS: &[(&str, Read)] =
    &[("permission rules", super::claude_code::permissions::read), ("prefix rules", super::codex::prefix_rules::read)];

/// What became of a list.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Ported {
    /// In the order of the list.
    pub rules: Vec<PortedRule>,
    /// What could not be said, or not exactly.
    pub unsaid: Vec<Unsaid>,
}

/// One rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PortedRule {
    /// A text that its name is made of.
    pub title: String,
    /// `match …` and `unless …`, each a clause of the language.
    pub clauses: Vec<String>,
    /// What is decided; an allow is an exception.
    pub decision: Decision,
    /// Why, in one line.
    pub reason: String,
    /// What the agent should do.
    pub intent: Option<Intent>,
    /// Commands of the list itself: whether the rule meets them.
    pub examples: Vec<(bool, String)>,
    /// Where it stood.
    pub at: String,
}

/// Something that could not be said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unsaid {
    /// Where it stood: a JSON pointer, or a line.
    pub at: String,
    /// What it was.
    pub item: String,
    /// What became of it, and why.
    pub why: String,
}

impl Ported {
    /// Notes what could not be said.
    pub fn unsaid(&mut self, at: impl Into<String>, item: impl Into<String>, why: impl Into<String>) {
        self.unsaid.push(Unsaid { at: at.into(), item: item.into(), why: why.into() });
    }
}

/// A text as a word of the language that means exactly it.
pub fn word(text: &str) -> String {
    const TAKEN: [&str; 14] =
        ["when", "unless", "except", "and", "or", "from", "on", "tool", "deny", "ask", "warn", "allow", "instead", "examples"];
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:+%=~".contains(c);
    let begins = text.starts_with(|c: char| c.is_ascii_alphanumeric() || "-/._~".contains(c)) && !text.starts_with("...");
    if begins && text.chars().all(plain) && !TAKEN.contains(&text) {
        return text.to_string();
    }
    string(text)
}

/// A text as a string of the language.
pub fn string(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// A text with `*` as a glob over words, all other letters meant as they are.
pub fn glob(text: &str) -> String {
    let parts: Vec<String> = text.split('*').map(|part| if part.is_empty() { String::new() } else { word(part) }).collect();
    let glob = parts.join("*");
    // A sign in first place is one of the language.
    if glob.starts_with(['@', '#', '!', '<']) { format!("\"\"{glob}") } else { glob }
}

/// A message: one line, braces doubled, at most as long as is shown.
pub fn message(text: &str) -> String {
    let line: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
    string(&line.replace('{', "{{").replace('}', "}}"))
}

/// One word of a foreign command line as an element of a pattern. An option stays one wherever it stands; several letters behind
/// one dash are that word, or the letters one by one.
pub fn element(text: &str) -> String {
    let letters = text.strip_prefix('-').filter(|rest| !rest.starts_with('-')).unwrap_or("");
    let cluster = (2..=4).contains(&letters.len()) && letters.bytes().all(|byte| byte.is_ascii_alphabetic());
    if cluster {
        let apart: Vec<String> = letters.chars().map(|letter| format!("-{letter}")).collect();
        return format!("({text} | {})", apart.join(" "));
    }
    match text.split_once('=').filter(|_| text.starts_with('-')) {
        Some((option, value)) => format!("{option}={}", if value.is_empty() { "\"\"".into() } else { word(value) }),
        None => word(text),
    }
}

/// Alternatives as one element; a word that is no option may stand behind others where `anywhere`.
pub fn choice(texts: &[String], anywhere: bool) -> String {
    let one = |text: &String| {
        let skipped = anywhere && !(text.starts_with('-') && text.len() > 1);
        if skipped { format!("... {}", element(text)) } else { element(text) }
    };
    match texts {
        [only] => one(only),
        _ => format!("({})", texts.iter().map(one).collect::<Vec<_>>().join(" | ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_mean_what_they_are() {
        for (text, written) in [
            ("push", "push"),
            ("when", "\"when\""),
            ("a b", "\"a b\""),
            ("a\"b\\", "\"a\\\"b\\\\\""),
            ("@x", "\"@x\""),
            ("...", "\"...\""),
            ("a*", "\"a*\""),
        ] {
            assert_eq!(word(text), written);
        }
        assert_eq!(element("-rf"), "(-rf | -r -f)");
        assert_eq!(element("--to=a b"), "--to=\"a b\"");
        assert_eq!(choice(&["--force".into(), "main".into()], true), "(--force | ... main)");
        assert_eq!(glob("a b*"), "\"a b\"*");
        assert_eq!(message("a  {b}\nc"), "\"a {{b}} c\"");
    }
}
