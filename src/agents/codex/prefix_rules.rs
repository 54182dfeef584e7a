//! Codex's rule files: calls of `prefix_rule(…)` in a small part of Starlark; rules of this language.
//!
//! Facts: developers.openai.com/codex/rules. `pattern` is a list of words that a command must begin with, each a text or a list of
//! alternatives; `decision` is `allow`, `prompt` or `forbidden`; `match` and `not_match` are the rule's own examples, a text or a
//! list of words each. `host_executable` says where a program may lie.

use crate::agents::permissions::{Ported, PortedRule, choice, message};
use crate::model::Decision;

/// A value of Starlark, as far as these files have them.
#[derive(Debug, Clone, PartialEq)]
enum Value {
    Text(String),
    List(Vec<Value>),
    Other,
}

/// Reads a file.
pub fn read(text: &str) -> Option<Ported> {
    let is_known = text.contains("prefix_rule(") || text.contains("host_executable(");
    if !is_known || serde_json::from_str::<serde_json::Value>(text).is_ok() {
        return None;
    }
    let mut ported = Ported::default();
    let mut reader = Reader { text, at: 0 };
    while let Some((name, line)) = reader.call() {
        let at = format!("line {line}");
        let Some(fields) = reader.arguments() else {
            ported.unsaid(at, name, "cannot be read from here on");
            break;
        };
        match name.as_str() {
            "prefix_rule" => rule(&fields, at, &mut ported),
            _ => ported.unsaid(at, name, "a program is known by its name here, wherever it lies"),
        }
    }
    Some(ported)
}

fn rule(fields: &[(String, Value)], at: String, ported: &mut Ported) {
    let field = |name: &str| fields.iter().find(|(own, _)| own == name).map(|(_, value)| value);
    let texts = |value: &Value| match value {
        Value::Text(text) => Some(vec![text.clone()]),
        Value::List(all) => {
            all.iter().map(|each| if let Value::Text(text) = each { Some(text.clone()) } else { None }).collect()
        }
        Value::Other => None,
    };
    let words: Option<Vec<Vec<String>>> = match field("pattern") {
        Some(Value::List(all)) => all.iter().map(texts).collect(),
        _ => None,
    };
    let Some(words) = words.filter(|words| !words.is_empty() && words.iter().all(|each| !each.is_empty())) else {
        return ported.unsaid(at, "prefix_rule", "its pattern is no list of words");
    };
    let shown = words.iter().map(|each| each.join("|")).collect::<Vec<_>>().join(" ");
    let decision = match field("decision") {
        Some(Value::Text(text)) if text == "forbidden" => Decision::Deny,
        Some(Value::Text(text)) if text == "prompt" => Decision::Ask,
        None => Decision::Allow,
        Some(Value::Text(text)) if text == "allow" => Decision::Allow,
        Some(_) => return ported.unsaid(at, shown, "its decision is not known"),
    };
    if decision == Decision::Allow {
        return ported.unsaid(
            at,
            shown,
            "needs no rule: what no rule refuses passes here; the agent goes on sparing its prompt",
        );
    }
    if words.iter().flatten().any(|word| word.starts_with('-') && word.len() > 1) {
        ported.unsaid(at.clone(), shown.clone(), "said more widely: its options are met wherever they stand in the command");
    }
    let mut examples = Vec::new();
    for (name, meets) in [("match", true), ("not_match", false)] {
        let Some(Value::List(all)) = field(name) else { continue };
        for each in all {
            match each {
                Value::Text(text) => examples.push((meets, text.clone())),
                Value::List(_) => {
                    let words = texts(each).unwrap_or_default();
                    examples.push((meets, words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")));
                }
                Value::Other => {}
            }
        }
    }
    let reason = match field("justification") {
        Some(Value::Text(text)) if !text.trim().is_empty() => text.clone(),
        _ => format!("A rule of this agent's: {shown}"),
    };
    let elements: Vec<String> = words.iter().map(|each| choice(each, false)).collect();
    ported.rules.push(PortedRule {
        title: shown,
        clauses: vec![format!("match {}", elements.join(" "))],
        decision,
        reason: message(&reason),
        intent: None,
        examples,
        at,
    });
}

/// A word as a shell reads it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:@%+,".contains(c);
    if !word.is_empty() && word.chars().all(plain) { word.into() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    /// Passes blanks and comments.
    fn blanks(&mut self) {
        loop {
            let rest = self.rest();
            let trimmed = rest.trim_start();
            self.at += rest.len() - trimmed.len();
            if !self.rest().starts_with('#') {
                return;
            }
            self.at += self.rest().find('\n').unwrap_or(self.rest().len());
        }
    }

    fn name(&mut self) -> String {
        let end = self.rest().find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(self.rest().len());
        let name = self.rest()[..end].to_string();
        self.at += end;
        name
    }

    fn sign(&mut self, sign: char) -> bool {
        self.blanks();
        let there = self.rest().starts_with(sign);
        self.at += if there { sign.len_utf8() } else { 0 };
        there
    }

    /// The next call's name and its line; what is no call is passed.
    fn call(&mut self) -> Option<(String, usize)> {
        loop {
            self.blanks();
            if self.rest().is_empty() {
                return None;
            }
            let line = self.text[..self.at].matches('\n').count() + 1;
            let name = self.name();
            if !name.is_empty() && self.rest().starts_with('(') {
                self.at += 1;
                return Some((name, line));
            }
            self.at += if name.is_empty() { self.rest().chars().next().map_or(0, char::len_utf8) } else { 0 };
        }
    }

    /// `name = value, …)`
    fn arguments(&mut self) -> Option<Vec<(String, Value)>> {
        let mut all = Vec::new();
        loop {
            if self.sign(')') {
                return Some(all);
            }
            self.blanks();
            let name = self.name();
            if name.is_empty() || !self.sign('=') {
                return None;
            }
            all.push((name, self.value(0)?));
            if !self.sign(',') {
                return self.sign(')').then_some(all);
            }
        }
    }

    /// Depth is counted: it is the input's.
    fn value(&mut self, depth: usize) -> Option<Value> {
        self.blanks();
        if depth > 8 {
            return None;
        }
        if self.sign('[') {
            let mut all = Vec::new();
            loop {
                if self.sign(']') {
                    return Some(Value::List(all));
                }
                all.push(self.value(depth + 1)?);
                if !self.sign(',') {
                    return self.sign(']').then_some(Value::List(all));
                }
            }
        }
        match self.rest().chars().next()? {
            quote @ ('"' | '\'') => self.string(quote).map(Value::Text),
            _ => {
                let name = self.name();
                (!name.is_empty()).then_some(Value::Other)
            }
        }
    }

    fn string(&mut self, quote: char) -> Option<String> {
        let long = self.rest().starts_with(&quote.to_string().repeat(3));
        let fence = quote.to_string().repeat(if long { 3 } else { 1 });
        self.at += fence.len();
        let mut out = String::new();
        loop {
            if self.rest().starts_with(&fence) {
                self.at += fence.len();
                return Some(out);
            }
            let c = self.rest().chars().next()?;
            self.at += c.len_utf8();
            if c != '\\' {
                out.push(c);
                continue;
            }
            let escaped = self.rest().chars().next()?;
            self.at += escaped.len_utf8();
            match escaped {
                'n' => out.push('\n'),
                't' => out.push('\t'),
                '\n' => {}
                '\\' | '"' | '\'' => out.push(escaped),
                other => out.extend(['\\', other]),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_file() {
        let text = r#"
            # what is pushed is seen
            prefix_rule(
                pattern = ["git", ["push", "fetch"], "--force"],  # two of them
                decision = "prompt",
                justification = "Others \"see\" it.",
                match = ["git push --force", ["git", "fetch", "--force", "a b"]],
                not_match = ['git status'],
            )
            host_executable(name = "git", paths = ["/usr/bin/git"])
            prefix_rule(pattern = ["ls"], decision = "allow")
            prefix_rule(pattern = ["dd"], decision = "forbidden")
        "#;
        let ported = read(text).expect("rules");
        let rules: Vec<_> = ported.rules.iter().map(|rule| (rule.clauses[0].as_str(), rule.decision)).collect();
        assert_eq!(rules, [("match git (push | fetch) --force", Decision::Ask), ("match dd", Decision::Deny)]);
        assert_eq!(ported.rules[0].examples.len(), 3);
        assert_eq!(ported.rules[0].examples[1].1, "git fetch --force 'a b'");
        assert_eq!(ported.rules[0].reason, "\"Others \\\"see\\\" it.\"");
        assert_eq!(ported.unsaid.len(), 3, "{:?}", ported.unsaid);
    }

    #[test]
    fn every_cut_is_read() {
        let text = "prefix_rule(pattern=[\"é\", ['a', \"\"\"b\"\"\"]], decision=\"prompt\", match=[[\"x\\n\"]])\nx = 1\n";
        for (cut, _) in text.char_indices() {
            read(&text[..cut]);
            read(&text[cut..]);
        }
        read(&format!("prefix_rule(pattern={}", "[".repeat(50_000)));
    }
}
