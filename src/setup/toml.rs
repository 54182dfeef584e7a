//! Entries in TOML, with whatever comments, order and layout it has kept. Entries are tables of a list at the top level.

use toml_edit::{Array, ArrayOfTables, DocumentMut, InlineTable, Item, Table, TomlError, Value as Inline};

use super::document;
use super::edit::Wanted;
use super::ours::{self, Owned};
use crate::agents::Agent;
use crate::agents::setup::{Entries, Node, Slot};

/// The text with our entries as they should be, or why that cannot be.
pub fn connect(text: &str, entries: &Entries, how: Wanted) -> Result<String, String> {
    let Wanted { agent, command, .. } = how;
    let mut document = parse(text)?;
    for slot in entries.slots.iter().filter(|slot| how.reads(slot)) {
        let wanted = (slot.value)(command);
        let key = key(slot)?;
        match document.entry(key).or_insert(Item::ArrayOfTables(ArrayOfTables::new())) {
            Item::ArrayOfTables(tables) => {
                let present: Vec<_> = tables.iter().map(|table| document::of_item(&Item::Table(table.clone()))).collect();
                let mine: Vec<usize> = places(&present, agent);
                if let [only] = mine.as_slice()
                    && present[*only] == wanted.to_value()
                {
                    continue;
                }
                mine.iter().skip(1).rev().for_each(|at| drop(tables.remove(*at)));
                match mine.first().and_then(|at| tables.get_mut(*at)) {
                    Some(table) => fill(table, &wanted),
                    None => {
                        let mut table = Table::new();
                        fill(&mut table, &wanted);
                        tables.push(table);
                    }
                }
            }
            Item::Value(Inline::Array(items)) => {
                let present: Vec<_> = items.iter().map(document::of_inline).collect();
                let mine = places(&present, agent);
                if let [only] = mine.as_slice()
                    && present[*only] == wanted.to_value()
                {
                    continue;
                }
                mine.iter().rev().for_each(|at| drop(items.remove(*at)));
                items.push(inline(&wanted));
            }
            _ => return Err(format!("`{key}` is not a list")),
        }
    }
    Ok(document.to_string())
}

/// The text without our entries.
pub fn disconnect(text: &str, slots: &[Slot], agent: &Agent) -> Result<String, String> {
    let mut document = parse(text)?;
    for slot in slots {
        let key = key(slot)?;
        let is_empty = match document.get_mut(key) {
            Some(Item::ArrayOfTables(tables)) => {
                let present: Vec<_> = tables.iter().map(|table| document::of_item(&Item::Table(table.clone()))).collect();
                let mine = places(&present, agent);
                mine.iter().rev().for_each(|at| drop(tables.remove(*at)));
                !mine.is_empty() && tables.is_empty()
            }
            Some(Item::Value(Inline::Array(items))) => {
                let present: Vec<_> = items.iter().map(document::of_inline).collect();
                let mine = places(&present, agent);
                mine.iter().rev().for_each(|at| drop(items.remove(*at)));
                !mine.is_empty() && items.is_empty()
            }
            _ => false,
        };
        if is_empty {
            document.remove(key);
        }
    }
    Ok(document.to_string())
}

/// A fault of the parser as a phrase with its line and column.
pub fn fault(text: &str, fault: &TomlError) -> String {
    let at = fault.span().map_or(0, |span| span.start);
    let before = text.get(..at).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    format!("not TOML at line {line}, column {column}: {}", fault.message().replace('\n', "; "))
}

fn parse(text: &str) -> Result<DocumentMut, String> {
    text.parse().map_err(|error| fault(text, &error))
}

fn key(slot: &Slot) -> Result<&'static str, String> {
    match slot.path {
        [key] if slot.is_item => Ok(key),
        _ => Err("an entry that has no place in TOML".into()),
    }
}

/// Which entries are ours. An entry of TOML is one handler.
fn places(present: &[serde_json::Value], agent: &Agent) -> Vec<usize> {
    (0..present.len()).filter(|at| ours::owned(&present[*at], agent) == Owned::Whole).collect()
}

/// Gives a table exactly these fields.
fn fill(table: &mut Table, node: &Node) {
    let Node::Fields(fields) = node else { return };
    let others: Vec<String> = table.iter().map(|(key, _)| key.to_string()).collect();
    for key in others.iter().filter(|key| !fields.iter().any(|(name, _)| name == key)) {
        table.remove(key);
    }
    for (key, value) in fields {
        if table.get(key).map(document::of_item) != Some(value.to_value()) {
            table.insert(key, Item::Value(inline(value)));
        }
    }
}

fn inline(node: &Node) -> Inline {
    match node {
        Node::Text(text) => Inline::from(text.as_str()),
        Node::Number(number) => Inline::from(i64::from(*number)),
        Node::Truth(truth) => Inline::from(*truth),
        Node::List(items) => Inline::Array(items.iter().map(inline).collect::<Array>()),
        Node::Fields(fields) => {
            Inline::InlineTable(fields.iter().map(|(key, value)| (*key, inline(value))).collect::<InlineTable>())
        }
    }
}
