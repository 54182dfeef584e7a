//! Settings in any of the formats, read into one kind of value.

use serde_json::{Map, Value};
use toml_edit::{Item, Value as Inline};

use super::json;
use crate::agents::setup::Format;

/// Reads a document, or says why it cannot be read, as a phrase. An empty text is an empty document.
pub fn read(format: Format, text: &str) -> Result<Value, String> {
    match format {
        Format::Json => json::read(text),
        Format::Toml => {
            let document: toml_edit::DocumentMut = text.parse().map_err(|fault| super::toml::fault(text, &fault))?;
            Ok(of_item(document.as_item()))
        }
        Format::Yaml if text.trim().is_empty() => Ok(Value::Object(Map::new())),
        Format::Yaml => serde_yaml::from_str(text).map_err(|fault| format!("not YAML: {}", first_line(&fault.to_string()))),
    }
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

/// A TOML item as a value. The parser bounds its depth.
pub fn of_item(item: &Item) -> Value {
    match item {
        Item::None => Value::Null,
        Item::Value(value) => of_inline(value),
        Item::Table(table) => Value::Object(table.iter().map(|(key, item)| (key.to_string(), of_item(item))).collect()),
        Item::ArrayOfTables(tables) => {
            let fields = |table: &toml_edit::Table| -> Map<String, Value> {
                table.iter().map(|(key, item)| (key.to_string(), of_item(item))).collect()
            };
            tables.iter().map(|table| Value::Object(fields(table))).collect()
        }
    }
}

/// A TOML value as a value.
pub fn of_inline(value: &Inline) -> Value {
    match value {
        Inline::String(text) => Value::from(text.value().as_str()),
        Inline::Integer(number) => Value::from(*number.value()),
        Inline::Float(number) => Value::from(*number.value()),
        Inline::Boolean(truth) => Value::from(*truth.value()),
        Inline::Datetime(date) => Value::from(date.value().to_string()),
        Inline::Array(items) => items.iter().map(of_inline).collect(),
        Inline::InlineTable(table) => {
            Value::Object(table.iter().map(|(key, value)| (key.to_string(), of_inline(value))).collect())
        }
    }
}

/// The value at the end of a path of keys.
pub fn at<'a>(document: &'a Value, path: &[&str]) -> Option<&'a Value> {
    path.iter().try_fold(document, |value, key| value.get(key))
}
