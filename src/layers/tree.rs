//! YAML as a tree with places, so that every fault of a settings file is told at once and underlined.
//!
//! JSON is read by the same door: it is a subset.

use std::fmt;
use std::ops::Range;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_yaml::Spanned;

/// A value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// `null`, `~`, nothing.
    Null,
    /// `true`, `false`.
    Truth(bool),
    /// A whole number.
    Number(i64),
    /// Anything else that is no collection.
    Text(String),
    /// A sequence.
    List(Vec<Node>),
    /// A mapping, in the order of the text.
    Fields(Vec<(Node, Node)>),
}

/// A value and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// What it is.
    pub value: Value,
    /// In bytes of the text.
    pub at: Range<usize>,
}

/// What is wrong with a text that is no YAML.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// One line.
    pub message: String,
    /// Where.
    pub at: Range<usize>,
}

/// Reads a text.
pub fn parse(text: &str) -> Result<Node, Fault> {
    let place = |location: serde_yaml::Location| {
        let start = location.span().byte_offset().unwrap_or(0) as usize;
        let start = (0..=start.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        let end = (start + location.span().byte_len().unwrap_or(0) as usize).min(text.len());
        start..(end..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len())
    };
    match serde_yaml::from_str::<Spanned<Raw>>(text) {
        Ok(raw) => Ok(placed(raw, &place)),
        Err(fault) => {
            let message = fault.without_snippet().to_string();
            let line = message.lines().next().unwrap_or_default();
            Err(Fault { message: line.to_string(), at: fault.location().map_or(0..0, place) })
        }
    }
}

/// As the deserializer gives it, places still in its terms.
enum Raw {
    Plain(Value),
    List(Vec<Spanned<Raw>>),
    Fields(Vec<(Spanned<Raw>, Spanned<Raw>)>),
}

/// The depth is bounded by the deserializer's own limit on nesting.
fn placed(raw: Spanned<Raw>, place: &impl Fn(serde_yaml::Location) -> Range<usize>) -> Node {
    let value = match raw.value {
        Raw::Plain(value) => value,
        Raw::List(items) => Value::List(items.into_iter().map(|item| placed(item, place)).collect()),
        Raw::Fields(fields) => {
            Value::Fields(fields.into_iter().map(|(key, value)| (placed(key, place), placed(value, place))).collect())
        }
    };
    Node { value, at: place(raw.referenced) }
}

impl<'de> Deserialize<'de> for Raw {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Raw, D::Error> {
        deserializer.deserialize_any(RawVisitor)
    }
}

struct RawVisitor;

impl<'de> Visitor<'de> for RawVisitor {
    type Value = Raw;

    fn expecting(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Raw, E> {
        Ok(Raw::Plain(Value::Null))
    }

    fn visit_none<E>(self) -> Result<Raw, E> {
        Ok(Raw::Plain(Value::Null))
    }

    fn visit_bool<E>(self, value: bool) -> Result<Raw, E> {
        Ok(Raw::Plain(Value::Truth(value)))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Raw, E> {
        Ok(Raw::Plain(Value::Number(value)))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Raw, E> {
        Ok(Raw::Plain(i64::try_from(value).map_or_else(|_| Value::Text(value.to_string()), Value::Number)))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Raw, E> {
        Ok(Raw::Plain(Value::Text(value.to_string())))
    }

    fn visit_str<E>(self, value: &str) -> Result<Raw, E> {
        Ok(Raw::Plain(Value::Text(value.to_string())))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Raw, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = access.next_element()? {
            items.push(item);
        }
        Ok(Raw::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Raw, A::Error> {
        let mut fields = Vec::new();
        while let Some(entry) = access.next_entry()? {
            fields.push(entry);
        }
        Ok(Raw::Fields(fields))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_their_places() {
        let text = "a: off\nb:\n  - ü\n  - 2\nc: {d: true, e: ~}\n";
        let Value::Fields(fields) = parse(text).expect("yaml").value else { panic!("a mapping") };
        let names: Vec<&str> = fields.iter().map(|(key, _)| &text[key.at.clone()]).collect();
        assert_eq!(names, ["a", "b", "c"]);
        assert_eq!(&text[fields[0].1.at.clone()], "off");
        let Value::List(items) = &fields[1].1.value else { panic!("a list") };
        assert_eq!((&text[items[0].at.clone()], &items[1].value), ("ü", &Value::Number(2)));
    }

    #[test]
    fn what_is_no_yaml_says_where() {
        let fault = parse("a: [1\nb: 2\n").expect_err("no yaml");
        assert!(!fault.message.is_empty());
        assert!(parse(&"[".repeat(100_000)).is_err());
        assert!(parse("a: 1\na: 2\n").is_err(), "a key twice");
    }
}
