//! Entries in JSON, with whatever comments, order and layout it has kept.

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstArray, CstInputValue, CstNode, CstObject, CstObjectProp, CstRootNode};
use serde_json::Value;

use super::edit::Wanted;
use super::ours::{self, Owned};
use crate::agents::Agent;
use crate::agents::setup::{Entries, Node, Slot};

/// What agents read: JSON with comments and trailing commas. Nothing looser, since a file that the agent itself rejects is to be
/// reported and not edited.
const OPTIONS: ParseOptions = ParseOptions {
    allow_comments: true,
    allow_trailing_commas: true,
    allow_loose_object_property_names: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

/// Reads a document; an empty text is an empty object.
pub fn read(text: &str) -> Result<Value, String> {
    let root = parse(text)?;
    Ok(root.to_serde_value().unwrap_or_else(|| Value::Object(Default::default())))
}

/// The text with our entries as they should be, or why that cannot be.
pub fn connect(text: &str, entries: &Entries, how: Wanted) -> Result<String, String> {
    let Wanted { agent, command, .. } = how;
    let root = parse(text)?;
    let object = root.object_value_or_create().ok_or("the file is not an object")?;
    for (key, number) in entries.fixed {
        match single(&object, key)? {
            None => drop(object.insert(0, key, CstInputValue::Number(number.to_string()))),
            Some(property) if value_of(&property) == Some(Value::from(*number)) => {}
            Some(_) => return Err(format!("`{key}` is not {number}, the form that this program knows")),
        }
    }
    for slot in entries.slots {
        if !how.reads(slot) && !is_there(&object, slot, agent)? {
            continue;
        }
        let wanted = (slot.value)(command);
        let (parent, last) = walk(&object, slot.path, true)?;
        let Some(parent) = parent else { continue };
        if slot.is_item {
            let list = match single(&parent, last)? {
                None => parent.append(last, CstInputValue::Array(Vec::new())).array_value(),
                Some(property) => property.array_value(),
            };
            mend(&list.ok_or_else(|| format!("`{}` is not a list", slot.path.join(".")))?, &wanted, agent);
        } else {
            match single(&parent, last)? {
                None => drop(parent.append(last, input(&wanted))),
                Some(property) => {
                    let present = value_of(&property).unwrap_or_default();
                    if ours::owned(&present, agent) != Owned::Whole {
                        return Err(format!("`{}` is there, and not ours", slot.path.join(".")));
                    }
                    if present != wanted.to_value() {
                        property.set_value(input(&wanted));
                    }
                }
            }
        }
    }
    Ok(root.to_string())
}

/// The text without our entries; what they leave empty goes with them.
pub fn disconnect(text: &str, slots: &[Slot], agent: &Agent) -> Result<String, String> {
    let root = parse(text)?;
    let Some(object) = root.object_value() else { return Ok(text.to_string()) };
    for slot in slots {
        let (Some(parent), last) = walk(&object, slot.path, false)? else { continue };
        let Some(property) = single(&parent, last)? else { continue };
        if slot.is_item {
            let Some(list) = property.array_value() else { continue };
            let before = list.elements().len();
            list.elements().into_iter().for_each(|element| take_away(element, agent));
            if list.elements().is_empty() && before > 0 {
                property.remove();
                prune(&object, slot.path)?;
            }
        } else if ours::owned(&value_of(&property).unwrap_or_default(), agent) == Owned::Whole {
            property.remove();
            prune(&object, slot.path)?;
        }
    }
    Ok(root.to_string())
}

/// Whether an entry of ours stands in a place.
fn is_there(object: &CstObject, slot: &Slot, agent: &Agent) -> Result<bool, String> {
    let (Some(parent), last) = walk(object, slot.path, false)? else { return Ok(false) };
    let value = single(&parent, last)?.and_then(|property| value_of(&property)).unwrap_or_default();
    Ok(ours::command_in(&value, agent).is_some())
}

/// Makes exactly one entry of the list ours, at the place of the first one that is.
fn mend(list: &CstArray, wanted: &Node, agent: &Agent) {
    let elements: Vec<(CstNode, Value)> =
        list.elements().into_iter().map(|node| (node.clone(), node.to_serde_value().unwrap_or_default())).collect();
    let mine: Vec<_> = elements.iter().filter(|(_, value)| ours::owned(value, agent) != Owned::None).collect();
    if let [(_, only)] = mine.as_slice()
        && *only == wanted.to_value()
    {
        return;
    }
    let mut is_placed = false;
    for (node, value) in mine {
        match (ours::owned(value, agent), node.as_object()) {
            (Owned::Whole, Some(object)) if !is_placed => is_placed = object.replace_with(input(wanted)).is_some(),
            _ => take_away(node.clone(), agent),
        }
    }
    if !is_placed {
        list.append(input(wanted));
    }
}

/// Removes an entry that is ours, or the handlers in it that are.
fn take_away(element: CstNode, agent: &Agent) {
    match ours::owned(&element.to_serde_value().unwrap_or_default(), agent) {
        Owned::None => {}
        Owned::Whole => element.remove(),
        Owned::Part => {
            let hooks = element.as_object().and_then(|group| group.array_value("hooks"));
            for handler in hooks.into_iter().flat_map(|hooks| hooks.elements()) {
                if handler.to_serde_value().is_some_and(|value| ours::is_ours(&value, agent)) {
                    handler.remove();
                }
            }
        }
    }
}

/// Removes the objects on the way to an entry that are empty now.
fn prune(object: &CstObject, path: &[&str]) -> Result<(), String> {
    for depth in (1..path.len()).rev() {
        let (Some(parent), last) = walk(object, &path[..depth], false)? else { continue };
        match single(&parent, last)? {
            Some(property) if property.object_value().is_some_and(|inner| inner.properties().is_empty()) => property.remove(),
            _ => break,
        }
    }
    Ok(())
}

/// The object that holds the last key of a path, and that key. Objects on the way are made where they are wanted.
fn walk<'a>(object: &CstObject, path: &[&'a str], make: bool) -> Result<(Option<CstObject>, &'a str), String> {
    let (last, parents) = path.split_last().ok_or("an entry without a place")?;
    let mut at = object.clone();
    for key in parents {
        let inner = match single(&at, key)? {
            None if make => at.append(key, CstInputValue::Object(Vec::new())).object_value(),
            None => return Ok((None, last)),
            Some(property) => property.object_value(),
        };
        at = inner.ok_or_else(|| format!("`{key}` is not an object"))?;
    }
    Ok((Some(at), last))
}

/// The property of a name. Readers disagree on which of two counts.
fn single(object: &CstObject, name: &str) -> Result<Option<CstObjectProp>, String> {
    let mut named = object.properties().into_iter().filter(|property| property.decoded_name().as_deref() == Some(name));
    match (named.next(), named.next()) {
        (_, Some(_)) => Err(format!("`{name}` stands there twice")),
        (found, None) => Ok(found),
    }
}

fn value_of(property: &CstObjectProp) -> Option<Value> {
    property.value()?.to_serde_value()
}

fn parse(text: &str) -> Result<CstRootNode, String> {
    if text.starts_with('\u{feff}') {
        return Err("the file begins with a byte order mark".into());
    }
    let root = CstRootNode::parse(text, &OPTIONS).map_err(|fault| {
        let what = fault.kind().to_string();
        format!("not JSON at line {}, column {}: {}", fault.line_display(), fault.column_display(), what.to_lowercase())
    })?;
    match root.value() {
        Some(value) if value.as_object().is_none() => Err("the file is not an object".into()),
        _ => Ok(root),
    }
}

fn input(node: &Node) -> CstInputValue {
    match node {
        Node::Text(text) => CstInputValue::String(text.clone()),
        Node::Number(number) => CstInputValue::Number(number.to_string()),
        Node::Truth(truth) => CstInputValue::Bool(*truth),
        Node::List(items) => CstInputValue::Array(items.iter().map(input).collect()),
        Node::Fields(fields) => {
            CstInputValue::Object(fields.iter().map(|(key, value)| (key.to_string(), input(value))).collect())
        }
    }
}
