//! A tool's fields as they may be kept: cut to size, then without secrets.
//!
//! INVARIANT (cut before redacting): what is cut off is cut at a blank, so that no half of a secret, too short to be known as
//! one, is left at the end.

use serde_json::{Map, Value};

use crate::explain::redact;
use crate::explain::shown::Texts;

/// How far back from the limit a blank is looked for, and how much is given up where there is none.
const BACK: usize = 256;
/// The longest text in fields, and the longest where the whole is too long.
const TEXT: usize = 2_000;
const SHORT: usize = 200;
/// How much of fields is kept: bytes of text, and values.
const WHOLE: usize = 10_000;
const VALUES: usize = 500;

/// The beginning of a text, at most `limit` bytes; `None` where it is no longer than that.
pub fn clip(text: &str, limit: usize) -> Option<&str> {
    if text.len() <= limit {
        return None;
    }
    let from = limit.saturating_sub(BACK);
    let blank = text.as_bytes()[from..limit].iter().rposition(u8::is_ascii_whitespace).map_or(from, |at| from + at);
    (0..=blank).rev().find(|at| text.is_char_boundary(*at)).map(|at| &text[..at])
}

/// The fields that are kept, and whether something was cut off.
pub(super) fn kept(fields: &Map<String, Value>, without: &str, texts: Option<&Texts>) -> (Map<String, Value>, bool) {
    let cut_at = |text| {
        let mut cutting = Cutting { text, left: WHOLE, values: VALUES, cut: false };
        let entries = fields.iter().filter(|(name, _)| *name != without);
        let cut: Map<_, _> = entries.map(|(name, value)| (name.clone(), cutting.value(value, 0))).collect();
        (cut, cutting)
    };
    let (mut kept, mut cutting) = cut_at(TEXT);
    if cutting.left == 0 || cutting.values == 0 {
        (kept, cutting) = cut_at(SHORT);
    }
    redact_all(&mut kept, texts);
    (kept, cutting.cut)
}

struct Cutting {
    text: usize,
    left: usize,
    values: usize,
    cut: bool,
}

impl Cutting {
    fn value(&mut self, value: &Value, depth: usize) -> Value {
        self.values = self.values.saturating_sub(1);
        if self.left == 0 || self.values == 0 || depth > 16 {
            self.cut = true;
            return Value::Null;
        }
        match value {
            Value::String(text) => {
                let limit = self.text.min(self.left);
                let cut = clip(text, limit);
                self.cut |= cut.is_some();
                self.left = self.left.saturating_sub(text.len().min(limit));
                Value::String(cut.unwrap_or(text).to_string())
            }
            Value::Array(all) => Value::Array(all.iter().take(VALUES).map(|each| self.value(each, depth + 1)).collect()),
            Value::Object(all) => {
                Value::Object(all.iter().take(VALUES).map(|(name, each)| (name.clone(), self.value(each, depth + 1))).collect())
            }
            other => other.clone(),
        }
    }
}

fn redact_all(fields: &mut Map<String, Value>, texts: Option<&Texts>) {
    for (name, each) in fields.iter_mut() {
        redact_value(name, each, texts);
    }
    // A name may be a secret, too.
    if fields.keys().any(|name| redact::redact(name) != *name) {
        *fields = std::mem::take(fields).into_iter().map(|(name, each)| (redact::redact(&name), each)).collect();
    }
}

/// Takes the secrets out of a value; the name that it stands under may say that it is one.
fn redact_value(name: &str, value: &mut Value, texts: Option<&Texts>) {
    match value {
        Value::String(text) => *text = redacted(name, text, texts),
        Value::Array(all) => all.iter_mut().for_each(|each| redact_value(name, each, texts)),
        Value::Object(all) => redact_all(all, texts),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn redacted(name: &str, text: &str, texts: Option<&Texts>) -> String {
    // Whether the name says that all of it is a secret, and not only that it begins with one.
    let begins = |found: redact::Redacted, at: usize| found.cuts.first().is_some_and(|cut| cut.start == at);
    if begins(redact::find(&format!("{name}={text}")), name.len() + 1) && !begins(redact::find(text), 0) {
        return redact::MARK.into();
    }
    match texts {
        Some(texts) => texts.redacted(text),
        None => redact::redact(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(value: Value) -> Map<String, Value> {
        match value {
            Value::Object(object) => object,
            _ => Map::new(),
        }
    }

    #[test]
    fn texts_are_cut_at_a_blank() {
        assert_eq!(clip("short", 5), None);
        assert_eq!(clip("one two three", 10), Some("one two"));
        let long = "ü".repeat(1000);
        let cut = clip(&long, 601).expect("cut");
        assert!(cut.len() <= 601 - BACK && long.starts_with(cut));
        let token = format!("{} ghp_{}", "x ".repeat(1000), "a1B2".repeat(9));
        assert!(!clip(&token, 2010).expect("cut").contains("ghp"), "no half of a token stays");
    }

    #[test]
    fn large_fields_are_cut_and_small_ones_are_not() {
        let (small, cut) = kept(&object(serde_json::json!({ "a": "b", "command": "x", "n": [1, true] })), "command", None);
        assert_eq!((Value::Object(small), cut), (serde_json::json!({ "a": "b", "n": [1, true] }), false));
        let many: Vec<String> = (0..5_000).map(|n| format!("{n} {}", "y ".repeat(600))).collect();
        let (large, cut) = kept(&object(serde_json::json!({ "all": many })), "", None);
        assert!(cut && serde_json::to_string(&large).expect("JSON").len() < 20_000);
    }

    #[test]
    fn names_say_what_is_secret() {
        let fields =
            serde_json::json!({ "headers": { "x-api-key": "hunter22" }, "password": ["hunter22"], "page": "hunter22" });
        let (kept, _) = kept(&object(fields), "", None);
        assert_eq!(
            Value::Object(kept),
            serde_json::json!({ "headers": { "x-api-key": "<redacted>" }, "password": ["<redacted>"], "page": "hunter22" })
        );
    }
}
