//! An agent's tool: its declared fields do what they say; the fields of a tool that nobody declared are judged by their names
//! and values.
//!
//! Spans point into one text: the command, where a field is one; else the fields as printed.

use serde_json::Value as Json;

use super::bindings::Bindings;
use super::effects::{self, Scene};
use super::host::Interpreter;
use super::program::Step;
use crate::model::declaration::{Act, Argument as Applied, Declarations, Does, Tool};
use crate::model::effect::{Place, Verb};
use crate::model::{Call, Directory, Flow, Invocation, Note, Span, Taint, Text, ToolCall, Word};
use crate::shell::{Dialect, Host, State};

/// One field with its value as text.
struct FieldValue {
    path: String,
    text: String,
    span: Span,
}

/// The call's text, before anything is known of it.
pub fn call(tool: ToolCall) -> Call {
    let text = only_text(&tool.fields).unwrap_or_else(|| serde_json::to_string_pretty(&tool.fields).unwrap_or_default());
    Call {
        tool,
        texts: vec![Text { name: "command".into(), text }],
        runs: Vec::new(),
        effects: Vec::new(),
        unparsed: Vec::new(),
        limits: Vec::new(),
        notes: Vec::new(),
        changes: Vec::new(),
    }
}

/// The names under which agents send a command's text.
const COMMAND_FIELDS: [&str; 4] = ["command", "cmd", "script", "commands"];

/// The text of the field that is the command, or of the only field that is a text.
fn only_text(fields: &Json) -> Option<String> {
    let fields = fields.as_object()?;
    let command = COMMAND_FIELDS.iter().find_map(|name| fields.get(*name)?.as_str());
    let alone = || if fields.len() == 1 { fields.values().next()?.as_str() } else { None };
    command.or_else(alone).map(str::to_string)
}

/// The POSIX script that is all a tool does, by its declarations.
pub fn only_script<'t>(tool: &'t ToolCall, declarations: &dyn Declarations) -> Option<&'t str> {
    let mut script = None;
    for declared in declarations.tools(&tool.tool) {
        for field in declared.fields.iter().filter(|field| !field.does.is_empty()) {
            // A field within a field is looked for the long way.
            let top = field.name.split('.').next().unwrap_or_default();
            let Some(value) = tool.fields.get(top) else { continue };
            let runs = |does: &Does| match &does.act {
                Act::Executes(language) => super::scripts::dialect(language) == Some(Dialect::Posix),
                _ => false,
            };
            let text = value.as_str().filter(|_| script.is_none() && top == field.name)?;
            script = field.does.iter().all(runs).then_some(text);
            script?;
        }
    }
    script
}

/// Does what the tool's fields do.
pub fn fields(host: &mut Interpreter<'_>) {
    let fields = host.call.tool.fields.clone();
    let tools = host.declarations.tools(&host.call.tool.tool);
    let mut values = Vec::new();
    let mut cursor = 0;
    let text = host.call.texts[0].text.clone();
    flatten(&fields, "", 0, &mut values, &text, &mut cursor);
    let mut state = State::new(&host.call.tool.directory);
    if tools.is_empty() {
        host.note(Note {
            text: format!("nobody declared the tool {}: its fields are judged by their names and values", host.call.tool.tool),
            span: Span::default(),
        });
        for value in &values {
            guessed(host, value, &mut state);
        }
        return;
    }
    for tool in &tools {
        declared(host, tool, &values, &mut state);
    }
}

fn declared(host: &mut Interpreter<'_>, tool: &Tool, values: &[FieldValue], state: &mut State) {
    for field in &tool.fields {
        for value in values.iter().filter(|value| value.path == field.name) {
            for does in &field.does {
                perform(host, does, value, state);
            }
        }
    }
}

/// A field that nobody declared.
fn guessed(host: &mut Interpreter<'_>, value: &FieldValue, state: &mut State) {
    let name = value.path.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
    let text = value.text.as_str();
    let short = text.len() <= 4_096 && !text.contains('\n');
    let act = if COMMAND_FIELDS.contains(&name.as_str()) {
        Act::Executes("shell".into())
    } else if short && text.contains("://") && !text.starts_with("file://") {
        Act::Effect(Verb::Fetches)
    } else if short && !text.contains(' ') && (text.starts_with(['/', '~', '.']) || names_path(&name)) {
        Act::Effect(Verb::Reads)
    } else {
        return;
    };
    let does = Does { act, argument: Applied::None, recursively: false, forcibly: false, from: None, when: None, unless: None };
    let doubtful = u32::from(!matches!(does.act, Act::Executes(_)));
    host.doubt += doubtful;
    perform(host, &does, value, state);
    host.doubt -= doubtful;
}

fn names_path(name: &str) -> bool {
    name == "path" || name == "file" || name.ends_with("_path") || name.ends_with("path") || name == "filename"
}

fn perform(host: &mut Interpreter<'_>, does: &Does, value: &FieldValue, state: &mut State) {
    let home = host.facts.homes().into_iter().next();
    let path = !matches!(does.act, Act::Executes(_));
    let text = match (home, value.text.strip_prefix("file://").unwrap_or(&value.text)) {
        (Some(home), text) if path && (text == "~" || text.starts_with("~/")) => format!("{home}{}", &text[1..]),
        (_, text) => text.to_string(),
    };
    let span = if text.len() == value.text.len() || text.len() != value.span.len() { value.span } else { start(value.span) };
    let word = Word::known_text(text, span);
    let invocation = Invocation {
        program: Word::known_text(host.call.tool.tool.clone(), start(value.span)),
        arguments: Vec::new(),
        environment: Vec::new(),
        directory: Directory::Known(host.call.tool.directory.clone()),
        stdin: Flow::Empty,
        place: Place::Here,
        chain: Vec::new(),
        span: value.span,
    };
    if let Act::Executes(language) = &does.act
        && let Some(dialect) = super::scripts::dialect(language)
    {
        // The agent's own shell: its text is the call itself, not something that it runs.
        state.dialect = dialect;
        if !super::scripts::within_size(host, &word) {
            return;
        }
        crate::shell::evaluate(&word, dialect, state, host);
        return;
    }
    let bindings = Bindings::default();
    let scene = Scene {
        invocation: &invocation,
        run: None,
        bindings: &bindings,
        directory: invocation.directory.clone(),
        place: Place::Here,
        environment: None,
        carried: Taint::none(),
        fetched: false,
        filters: Vec::new(),
        replaced: None,
        certain: true,
        sweeps: false,
    };
    let step = Step { does, own: Some(&word), words: &[], placeholder: "", option: false, span: value.span, stdin: false };
    effects::perform(host, &scene, &step, state);
}

fn start(span: Span) -> Span {
    Span { end: span.start, ..span }
}

/// The deepest that fields are looked at.
const DEPTH: usize = 16;

/// Every scalar below a field, lists walked, JSON in a text parsed; with where it stands in the call's text.
fn flatten(json: &Json, path: &str, depth: usize, values: &mut Vec<FieldValue>, text: &str, cursor: &mut usize) {
    if depth > DEPTH || values.len() > 4_096 {
        return;
    }
    match json {
        Json::Object(fields) => {
            for (name, value) in fields {
                let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                flatten(value, &path, depth + 1, values, text, cursor);
            }
        }
        Json::Array(items) => {
            for item in items {
                flatten(item, path, depth + 1, values, text, cursor);
            }
        }
        Json::String(value) => {
            let inner = value.trim_start();
            if inner.starts_with(['{', '['])
                && let Ok(parsed) = serde_json::from_str::<Json>(value)
            {
                flatten(&parsed, path, depth + 1, values, text, cursor);
            }
            let span = place(value, text, cursor);
            values.push(FieldValue { path: path.to_string(), text: value.clone(), span });
        }
        Json::Number(_) | Json::Bool(_) | Json::Null => {}
    }
}

/// Where the value stands in the call's text: byte for byte, or as JSON writes it, or at its beginning.
fn place(value: &str, text: &str, cursor: &mut usize) -> Span {
    if value == text {
        return Span::new(0, text.len());
    }
    let written = serde_json::to_string(value).unwrap_or_default();
    let written = written.get(1..written.len().saturating_sub(1)).unwrap_or_default();
    let quoted = format!("\"{written}\"");
    let from = text.get(*cursor..).and_then(|rest| rest.find(&quoted)).map(|at| at + *cursor).or_else(|| text.find(&quoted));
    match from {
        Some(at) if !written.is_empty() => {
            *cursor = at + 1;
            Span::new(at + 1, at + 1 + written.len())
        }
        _ => Span::new(0, 0),
    }
}
