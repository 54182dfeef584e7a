//! What the agents' decoders share: events, a tool's fields, directories.
//!
//! In comes the payload's object, out go the pieces of a [`Request`](super::Request), checked.

use serde_json::{Map, Value};

use super::payload::{self, Bad};
use super::{Agent, Decoded, Request, patch};
use crate::model::ToolCall;
use crate::model::path;

/// What an agent makes of an event's payload; nothing where it is not to be judged.
type Reader = fn(&Map<String, Value>, &'static str) -> Result<Option<Request>, Bad>;

/// Reads a payload: the event that it names among those of the agent (the first where it names none), then the request.
pub fn decode(agent: &'static Agent, bytes: &[u8], ignored: &[&str], event_field: &str, request: Reader) -> Decoded {
    let first = agent.events.first().copied().unwrap_or_default();
    let object = match payload::object(bytes, ignored) {
        Ok(object) => object,
        Err(bad) => return Decoded::Bad { bad, event: first },
    };
    // A payload without an event is judged: a host that forgets to name it must not switch the guard off.
    let event = match payload::optional_text(&object, "", event_field) {
        Ok(None) => first,
        Ok(Some(named)) => match agent.events.iter().find(|event| **event == named) {
            Some(event) => event,
            None => return Decoded::NotOurs,
        },
        Err(bad) => return Decoded::Bad { bad, event: first },
    };
    match request(&object, event) {
        Ok(Some(request)) => Decoded::Call(Box::new(request)),
        Ok(None) => Decoded::NotOurs,
        Err(bad) => Decoded::Bad { bad, event },
    }
}

/// What a request begins as: nothing but the tool, its fields (files of patches named), and who asks.
pub fn request(agent: &Agent, event: &'static str, tool: &str, mut fields: Map<String, Value>) -> Request {
    patch::name_files(&mut fields);
    Request {
        call: ToolCall {
            agent: agent.name.into(),
            tool: tool.into(),
            fields: Value::Object(fields),
            directory: String::new(),
            workspace: None,
            attended: agent.honours.ask,
            session: String::new(),
        },
        event,
        roots: Vec::new(),
    }
}

/// A field that must be an object.
pub fn object(payload: &Map<String, Value>, field: &str) -> Result<Map<String, Value>, Bad> {
    match payload.get(field) {
        None | Some(Value::Null) => Err(Bad::Missing { field: field.into() }),
        Some(Value::Object(fields)) => Ok(fields.clone()),
        Some(other) => Err(Bad::WrongType { field: field.into(), wanted: "an object", found: payload::kind(other) }),
    }
}

/// A text that holds an object as JSON.
pub fn inner_object(text: &str, field: &str) -> Result<Map<String, Value>, Bad> {
    payload::object(text.as_bytes(), &[]).map_err(|bad| match bad {
        Bad::Empty | Bad::NotJson { .. } => Bad::NotJsonField { field: field.into() },
        Bad::WrongType { found, .. } => Bad::WrongType { field: field.into(), wanted: "an object in a text", found },
        other => other,
    })
}

/// The agent's own tools: name, the texts that a call must have, the texts that it may have.
pub type Tools = &'static [(&'static str, &'static [&'static str], &'static [&'static str])];

/// Whether a call of one of the agent's own tools has what makes it a call. Other tools may look like anything.
pub fn check(tools: Tools, tool: &str, fields: &Map<String, Value>, path: &str) -> Result<(), Bad> {
    if let Some((_, required, optional)) = tools.iter().find(|(name, _, _)| *name == tool) {
        for field in *required {
            payload::required_text(fields, path, field)?;
        }
        for field in *optional {
            payload::optional_text(fields, path, field)?;
        }
    }
    Ok(())
}

/// A directory that a tool's field gives, relative to the session's. Blank counts as not given.
pub fn within(base: &str, fields: &Map<String, Value>, path: &str, field: &str) -> Result<Option<String>, Bad> {
    let Some(text) = payload::optional_text(fields, path, field)?.filter(|text| !text.trim().is_empty()) else {
        return Ok(None);
    };
    if path::is_absolute(text) || text.contains('\\') || text.starts_with('~') || base.is_empty() {
        return payload::directory(fields, path, field);
    }
    Ok(Some(path::join(base, text)))
}

/// A session's directory, where blank counts as not given.
pub fn session_directory(payload: &Map<String, Value>, field: &str) -> Result<Option<String>, Bad> {
    match payload::optional_text(payload, "", field)? {
        None | Some("") => Ok(None),
        Some(_) => payload::directory(payload, "", field),
    }
}

/// A list of absolute directories.
pub fn roots(payload: &Map<String, Value>, field: &str) -> Result<Vec<String>, Bad> {
    let wrong = |found| Bad::WrongType { field: field.into(), wanted: "a list of paths", found };
    let items = match payload.get(field) {
        None | Some(Value::Null) => return Ok(Vec::new()),
        Some(Value::Array(items)) => items,
        Some(other) => return Err(wrong(payload::kind(other))),
    };
    let mut roots = Vec::new();
    for item in items {
        let Value::String(text) = item else { return Err(wrong(payload::kind(item))) };
        let mut one = Map::new();
        one.insert(field.into(), Value::String(text.clone()));
        roots.extend(payload::directory(&one, "", field)?);
    }
    Ok(roots)
}

/// Puts a call below its roots: the directory is the given one or the first root; the workspace is the deepest root around it.
pub fn place(request: &mut Request, directory: Option<String>, roots: Vec<String>) {
    request.call.directory = directory.or_else(|| roots.first().cloned()).unwrap_or_default();
    let around = roots.iter().filter(|root| path::is_within(&request.call.directory, root));
    request.call.workspace = around.max_by_key(|root| root.len()).cloned();
    request.roots = roots;
}

/// The session's identity, for the log.
pub fn session(payload: &Map<String, Value>, field: &str) -> Result<String, Bad> {
    Ok(payload::optional_text(payload, "", field)?.unwrap_or_default().into())
}

/// The URLs in a text for a model, for the tools that fetch what a prompt names.
pub fn urls(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for word in text.split(|c: char| c.is_whitespace() || "\"'`<>()[]{},".contains(c)) {
        let Some(scheme) = word.find("://") else { continue };
        let start = word[..scheme].rfind(|c: char| !c.is_ascii_alphanumeric()).map_or(0, |at| at + 1);
        let url = word[start..].trim_end_matches(['.', '!', '?', ';', ':']);
        if start < scheme && found.len() < 64 && !found.iter().any(|each| each == url) {
            found.push(url.to_string());
        }
    }
    found
}

/// A message cut to what agents show a model.
pub fn clipped(message: &str) -> &str {
    first(message, 8_000)
}

/// Half of that, where the message is said twice.
pub fn halved(message: &str) -> &str {
    first(message, 4_000)
}

/// So many characters.
fn first(message: &str, limit: usize) -> &str {
    if message.len() <= limit {
        return message;
    }
    message.char_indices().nth(limit).map_or(message, |(cut, _)| &message[..cut])
}

/// One line of JSON.
pub fn line(reply: &Value) -> Option<String> {
    Some(reply.to_string())
}
