//! Which entries are ours: those whose command calls this program's hook for this agent.
//!
//! The command is the mark, because it is the one field that every agent reads and none rejects: some refuse a whole file for a
//! key that they do not know.

use serde_json::Value;

use crate::agents::Agent;

/// The names under which this program is installed.
const NAMES: [&str; 4] = ["cc-safety-net", "ccsn", "cc-safety-net.exe", "ccsn.exe"];
/// The fields of a handler that hold a command.
const COMMANDS: [&str; 4] = ["command", "bash", "powershell", "exec"];

/// PowerShell's sign for calling what follows.
const CALL: &str = "& ";

/// How much of an entry is ours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owned {
    /// Nothing.
    None,
    /// One of several handlers.
    Part,
    /// Every handler, and there is one.
    Whole,
}

/// The program that a command line calls as this agent's hook, without quotes; `None` for any other command.
///
/// ```
/// # use cc_safety_net::{agents, setup::ours};
/// let agent = agents::by_name("cursor").expect("there");
/// assert_eq!(ours::program("/opt/bin/ccsn hook --cursor", agent).as_deref(), Some("/opt/bin/ccsn"));
/// assert_eq!(ours::program("npx -y cc-safety-net hook --cursor", agent), None);
/// ```
pub fn program(command: &str, agent: &Agent) -> Option<String> {
    let command = command.trim().trim_start_matches(CALL);
    let (head, flag) = command.rsplit_once(char::is_whitespace)?;
    if !agent.flags.contains(&flag) && !agent.old_flags.contains(&flag) {
        return None;
    }
    let head = head.trim_end().strip_suffix("hook")?;
    let program = unquoted(head.strip_suffix(char::is_whitespace)?.trim())?;
    let name = program.rsplit(['/', '\\']).next().unwrap_or_default();
    NAMES.contains(&name).then_some(program)
}

/// Whether a command calls a guard of this name in another way, for example through a package runner.
pub fn is_kin(command: &str, agent: &Agent) -> bool {
    program(command, agent).is_none() && command.contains("cc-safety-net") && command.contains("hook")
}

/// A word without its quotes; `None` for several words.
fn unquoted(word: &str) -> Option<String> {
    let inner = |quote: char| word.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote));
    match (inner('\''), inner('"')) {
        (Some(inner), _) if !inner.replace("'\\''", "").contains('\'') => Some(inner.replace("'\\''", "'")),
        (_, Some(inner)) if !inner.contains('"') => Some(inner.to_string()),
        _ if !word.is_empty() && !word.contains([' ', '\t', '\'', '"']) => Some(word.to_string()),
        _ => None,
    }
}

/// Every command in an entry: its own, and those of its handlers.
pub fn commands(entry: &Value) -> Vec<&str> {
    handlers(entry).into_iter().filter_map(command).collect()
}

/// How much of an entry is ours.
pub fn owned(entry: &Value, agent: &Agent) -> Owned {
    let handlers = handlers(entry);
    let ours = handlers.iter().filter(|handler| is_ours(handler, agent)).count();
    match ours {
        0 => Owned::None,
        _ if ours == handlers.len() => Owned::Whole,
        _ => Owned::Part,
    }
}

/// Whether a handler is ours.
pub fn is_ours(handler: &Value, agent: &Agent) -> bool {
    command(handler).is_some_and(|command| program(command, agent).is_some())
}

/// The command by which the first of our entries in a document calls us.
pub fn command_in(document: &Value, agent: &Agent) -> Option<String> {
    let first = all(document, &|command| program(command, agent).is_some()).into_iter().next()?;
    Some(first.trim_start_matches(CALL).to_string())
}

/// Whether every handler of a document is ours, and there is one.
pub fn is_own(document: &Value, agent: &Agent) -> bool {
    let mine = all(document, &|command| program(command, agent).is_some()).len();
    mine > 0 && all(document, &|_| true).len() == mine
}

/// Every command in a document that is wanted. Not recursive: documents come from outside.
pub fn all(document: &Value, wanted: &dyn Fn(&str) -> bool) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = vec![document];
    while let Some(value) = open.pop() {
        match value {
            Value::Object(fields) => {
                let here = COMMANDS.iter().filter_map(|key| fields.get(*key)?.as_str());
                found.extend(here.filter(|command| wanted(command)).map(str::to_string));
                open.extend(fields.values());
            }
            Value::Array(items) => open.extend(items),
            _ => {}
        }
    }
    found.sort();
    found
}

/// The handlers of an entry: the items of its `hooks` (of every list in it, for an entry that is keyed by events), else itself.
fn handlers(entry: &Value) -> Vec<&Value> {
    let Value::Object(fields) = entry else { return vec![entry] };
    if let Some(Value::Array(hooks)) = fields.get("hooks") {
        return hooks.iter().collect();
    }
    let lists = fields.values().filter_map(Value::as_array).flatten().filter(|item| item.is_object());
    let within: Vec<&Value> = lists
        .flat_map(|item| match item.get("hooks") {
            Some(Value::Array(hooks)) => hooks.iter().collect::<Vec<_>>(),
            _ => vec![item],
        })
        .collect();
    if within.is_empty() { vec![entry] } else { within }
}

fn command(handler: &Value) -> Option<&str> {
    COMMANDS.iter().find_map(|key| handler.get(key)?.as_str())
}
