//! What the agents' payloads have in common: a JSON object in bounds.
//!
//! In comes what stood on standard input, out goes an object whose every text was checked, or what was wrong with it. The
//! bounds hold while it is read: a payload never costs more memory than a small multiple of its size.

use std::cell::{Cell, RefCell};
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

/// The largest payload that is read, in bytes.
pub const LIMIT: usize = 8 * 1024 * 1024;

/// The most values in a payload. An agent's call has a few dozen; an edit in many places some thousands.
const VALUES: usize = 262_144;

/// The deepest nesting. `serde_json` itself stops at 128.
const DEPTH: usize = 64;

/// Why a payload cannot be read, as a phrase that a refusal takes up.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Bad {
    /// Nothing stood there.
    #[error("the hook was given an empty payload")]
    Empty,
    /// More than [`LIMIT`] bytes.
    #[error("the payload is larger than {} MiB", LIMIT >> 20)]
    TooLarge,
    /// Not UTF-8 from this byte on.
    #[error("the payload is not UTF-8 (byte {at})")]
    NotText {
        /// The first byte that is wrong.
        at: usize,
    },
    /// Not JSON.
    #[error("the payload is not JSON (line {line}, column {column}: {what})")]
    NotJson {
        /// Counted from 1.
        line: usize,
        /// Counted from 1.
        column: usize,
        /// What the parser says, lower case.
        what: String,
    },
    /// More than the deepest nesting, or more than the most values.
    #[error("the payload is nested too deeply or has too many values")]
    TooComplex,
    /// JSON, but another kind than is needed. The field is empty for the whole payload.
    #[error("{} must be {wanted}, and is {found}", if field.is_empty() { "the payload".into() } else { format!("`{field}`") })]
    WrongType {
        /// Dotted.
        field: String,
        /// What it has to be.
        wanted: &'static str,
        /// What it is.
        found: &'static str,
    },
    /// A field that must be there is not.
    #[error("`{field}` is missing")]
    Missing {
        /// Dotted.
        field: String,
    },
    /// A field that must say something is empty.
    #[error("`{field}` is empty")]
    EmptyField {
        /// Dotted.
        field: String,
    },
    /// A text with a NUL character: no program or file can be given it, so what the agent would do with it is not known.
    #[error("`{field}` has a NUL character in it")]
    Nul {
        /// Dotted.
        field: String,
    },
    /// A field whose text must be JSON, and is not.
    #[error("`{field}` is not JSON")]
    NotJsonField {
        /// Dotted.
        field: String,
    },
    /// The agent itself says that the call is not whole.
    #[error("`{field}` says that the call is not whole")]
    Truncated {
        /// Dotted.
        field: String,
    },
    /// A tool that applies a patch, with a text that names no file.
    #[error("`{field}` is no patch that names a file")]
    NoPatch {
        /// Dotted.
        field: String,
    },
    /// A value with which the call would not run where, or as, it is judged.
    #[error("`{field}` must say {wanted}")]
    Value {
        /// Dotted.
        field: String,
        /// What it has to be.
        wanted: &'static str,
    },
    /// A working directory outside of every root of the agent's workspace.
    #[error("the working directory `{found}` is outside of the workspace")]
    Outside {
        /// The directory.
        found: String,
    },
    /// A working directory that is not an absolute path.
    #[error("`{field}` must be an absolute path, and is `{found}`")]
    NotAbsolute {
        /// Dotted.
        field: String,
        /// What stands there.
        found: String,
    },
}

/// The payload as an object. Fields in `ignored` are skipped without being built.
pub fn object(bytes: &[u8], ignored: &[&str]) -> Result<Map<String, Value>, Bad> {
    if bytes.len() > LIMIT {
        return Err(Bad::TooLarge);
    }
    let text = std::str::from_utf8(bytes).map_err(|error| Bad::NotText { at: error.valid_up_to() })?;
    // Some shells put a byte order mark before what they pipe.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.trim_ascii().is_empty() {
        return Err(Bad::Empty);
    }
    let budget = Budget { left: Cell::new(VALUES), exceeded: Cell::new(false), nul: RefCell::new(None) };
    let mut json = serde_json::Deserializer::from_str(text);
    let read = Seed { budget: &budget, depth: 0, ignored }.deserialize(&mut json).and_then(|value| json.end().map(|()| value));
    if budget.exceeded.get() {
        return Err(Bad::TooComplex);
    }
    let value = read.map_err(not_json)?;
    if let Some(field) = budget.nul.into_inner() {
        return Err(Bad::Nul { field });
    }
    match value {
        Value::Object(object) => Ok(object),
        other => Err(Bad::WrongType { field: String::new(), wanted: "an object", found: kind(&other) }),
    }
}

/// What a JSON value is, with its article.
pub fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// A field that is a text where it is there; `null` counts as not there. `path` names the object in messages, with its dot.
pub fn optional_text<'a>(object: &'a Map<String, Value>, path: &str, field: &str) -> Result<Option<&'a str>, Bad> {
    match object.get(field) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => Ok(Some(text)),
        Some(other) => Err(Bad::WrongType { field: format!("{path}{field}"), wanted: "a text", found: kind(other) }),
    }
}

/// A field that must be a text and must not be blank.
pub fn required_text<'a>(object: &'a Map<String, Value>, path: &str, field: &str) -> Result<&'a str, Bad> {
    match optional_text(object, path, field)? {
        None => Err(Bad::Missing { field: format!("{path}{field}") }),
        Some(text) if text.trim().is_empty() => Err(Bad::EmptyField { field: format!("{path}{field}") }),
        Some(text) => Ok(text),
    }
}

/// A field that names a directory: absolute, in either spelling, given back with `/` between components and normal. `None`
/// where the payload has none.
pub fn directory(object: &Map<String, Value>, path: &str, field: &str) -> Result<Option<String>, Bad> {
    let Some(text) = optional_text(object, path, field)? else { return Ok(None) };
    if text.is_empty() {
        return Err(Bad::EmptyField { field: format!("{path}{field}") });
    }
    // A drive or a share: there alone a backslash divides.
    let bytes = text.as_bytes();
    let windows = text.starts_with("\\\\") || (bytes.len() >= 3 && bytes[1] == b':' && bytes[2] == b'\\');
    let slashed = if windows { text.replace('\\', "/") } else { text.to_string() };
    if !crate::model::path::is_absolute(&slashed) {
        return Err(Bad::NotAbsolute { field: format!("{path}{field}"), found: text.chars().take(200).collect() });
    }
    if slashed.starts_with("//") {
        return Ok(Some(slashed));
    }
    Ok(Some(crate::model::path::join("/", &slashed)))
}

fn not_json(error: serde_json::Error) -> Bad {
    let whole = error.to_string();
    let what = whole.rfind(" at line ").map_or(whole.as_str(), |cut| &whole[..cut]);
    if what.starts_with("recursion limit") {
        return Bad::TooComplex;
    }
    Bad::NotJson { line: error.line(), column: error.column(), what: what.to_string() }
}

/// What is left while a payload is read.
struct Budget {
    left: Cell<usize>,
    exceeded: Cell<bool>,
    nul: RefCell<Option<String>>,
}

impl Budget {
    fn take<E: Error>(&self, depth: usize) -> Result<(), E> {
        let left = self.left.get();
        if left == 0 || depth > DEPTH {
            self.exceeded.set(true);
            return Err(E::custom("too complex"));
        }
        self.left.set(left - 1);
        Ok(())
    }

    fn look(&self, text: &str, field: &str) {
        if text.as_bytes().contains(&0) && self.nul.borrow().is_none() {
            *self.nul.borrow_mut() = Some(field.replace('\0', "\\0"));
        }
    }
}

/// Builds one value within the budget.
struct Seed<'a> {
    budget: &'a Budget,
    depth: usize,
    ignored: &'a [&'a str],
}

impl<'de> DeserializeSeed<'de> for Seed<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        self.budget.take(self.depth)?;
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Seed<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_string()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Value, A::Error> {
        let mut all = Vec::new();
        while let Some(value) = sequence.next_element_seed(Seed { budget: self.budget, depth: self.depth + 1, ignored: &[] })? {
            if let Value::String(text) = &value {
                self.budget.look(text, "a list");
            }
            all.push(value);
        }
        Ok(Value::Array(all))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut all = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            if self.ignored.contains(&key.as_str()) {
                entries.next_value::<IgnoredAny>()?;
                continue;
            }
            self.budget.look(&key, &key);
            let value = entries.next_value_seed(Seed { budget: self.budget, depth: self.depth + 1, ignored: &[] })?;
            if let Value::String(text) = &value {
                self.budget.look(text, &key);
            }
            // A repeated key: the last one holds, as in the agents' own JavaScript.
            all.insert(key, value);
        }
        Ok(Value::Object(all))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_fault_is_named() {
        let cases: &[(&[u8], Bad)] = &[
            (b"", Bad::Empty),
            (b" \n\t", Bad::Empty),
            (b"\xff{}", Bad::NotText { at: 0 }),
            (b"[]", Bad::WrongType { field: String::new(), wanted: "an object", found: "a list" }),
            (b"7", Bad::WrongType { field: String::new(), wanted: "an object", found: "a number" }),
            (b"{\"a\":{\"b\":\"x\\u0000\"}}", Bad::Nul { field: "b".into() }),
            (b"{\"a\":[\"x\\u0000\"]}", Bad::Nul { field: "a list".into() }),
        ];
        for (bytes, bad) in cases {
            assert_eq!(object(bytes, &[]).as_ref().err(), Some(bad), "{bytes:?}");
        }
        for text in ["{", "{} {}", "nonsense", "{\"a\":\"\\ud800\"}", "{\"a\":\"\u{0}\"}", "{'a':1}"] {
            assert!(matches!(object(text.as_bytes(), &[]), Err(Bad::NotJson { .. })), "{text:?}");
        }
    }

    #[test]
    fn bounds_hold() {
        assert_eq!(object(&vec![b' '; LIMIT + 1], &[]), Err(Bad::TooLarge));
        let deep = format!("{}{}", "{\"a\":".repeat(100_000), "1");
        assert_eq!(object(deep.as_bytes(), &[]), Err(Bad::TooComplex));
        let wide = format!("{{\"a\":[{}0]}}", "0,".repeat(VALUES));
        assert_eq!(object(wide.as_bytes(), &[]), Err(Bad::TooComplex));
        assert!(object(wide.as_bytes(), &["a"]).is_ok_and(|map| map.is_empty()), "what is ignored costs nothing");
    }

    #[test]
    fn directories_are_absolute_and_normal() {
        let read = |text: &str| {
            let mut map = Map::new();
            map.insert("cwd".into(), Value::String(text.into()));
            directory(&map, "", "cwd")
        };
        assert_eq!(read("/a/../b/"), Ok(Some("/b".into())));
        assert_eq!(read("C:\\Users\\me"), Ok(Some("C:/Users/me".into())));
        assert_eq!(read("/a\\b"), Ok(Some("/a\\b".into())), "a backslash is a character of a name elsewhere");
        assert!(matches!(read("a/b"), Err(Bad::NotAbsolute { .. })));
        assert!(matches!(read(""), Err(Bad::EmptyField { .. })));
    }
}
