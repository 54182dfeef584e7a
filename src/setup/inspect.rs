//! Whether an agent is connected, read off its files: every part by itself, and what differs from what a plan would write.

use serde_json::Value;

use super::edit::{self, Wanted};
use super::plan::{content_of, path_of, text};
use super::{Ground, Present, below, command_line, document, ours};
use crate::agents::Agent;
use crate::agents::setup::{Entries, Fact, Folder, Is, MARK, Part};

/// How an agent is connected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    /// Each part: the file or folder, and how it stands.
    pub parts: Vec<(String, Standing)>,
    /// The command line by which the agent calls us, as it is installed.
    pub command: Option<String>,
    /// What the agent has not been told, a sentence each.
    pub lacks: Vec<&'static str>,
    /// What keeps the agent from calling any hook: the file and the sentence.
    pub switches: Vec<(String, &'static str)>,
    /// Commands of other guards of this name in our files.
    pub kin: Vec<(String, String)>,
}

/// How a part stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Standing {
    /// There is nothing of ours.
    Absent,
    /// As a plan would write it.
    Connected,
    /// Ours, and different from what a plan would write.
    Drifted(Vec<String>),
    /// Something of others stands in its place.
    Foreign(String),
    /// It cannot be read.
    Damaged(String),
}

impl State {
    /// Whether the agent calls us, as far as its files say.
    pub fn is_connected(&self) -> bool {
        let stands = |standing: &Standing| matches!(standing, Standing::Connected | Standing::Drifted(_));
        !self.parts.is_empty() && self.parts.iter().all(|(_, standing)| stands(standing)) && self.lacks.is_empty()
    }

    /// Whether anything of ours is there.
    pub fn is_ours(&self) -> bool {
        self.parts.iter().any(|(_, standing)| matches!(standing, Standing::Connected | Standing::Drifted(_)))
    }
}

/// Looks at an agent's files.
pub fn inspect(agent: &Agent, ground: &Ground) -> State {
    let mut state = State { parts: Vec::new(), command: None, lacks: Vec::new(), switches: Vec::new(), kin: Vec::new() };
    for part in agent.setup.parts {
        match part {
            Part::Entries(entries) => {
                let path = below(&ground.place, entries.file);
                let standing = of_entries(agent, entries, &path, ground, &mut state);
                state.parts.push((path, standing));
            }
            Part::Folder(folder) => {
                let (path, standing) = of_folder(folder, ground);
                if standing == Standing::Connected {
                    state.command = command_line(&ground.program, agent);
                }
                state.parts.push((path, standing));
            }
        }
    }
    if state.is_ours() {
        let lacking = agent.setup.wants.iter().filter(|want| holds(want, ground) == Some(false));
        state.lacks = lacking.map(|want| want.says).collect();
    }
    let off = agent.setup.switches.iter().filter(|switch| holds(switch, ground) == Some(true));
    state.switches = off.map(|switch| (below(&ground.place, switch.file), switch.says)).collect();
    state
}

/// Whether a fact is so; `None` where its file cannot be read.
pub fn holds(fact: &Fact, ground: &Ground) -> Option<bool> {
    let document = match (ground.look)(&below(&ground.place, fact.file)) {
        Present::Missing => return Some(false),
        Present::Unusable(_) => return None,
        Present::File(text) => document::read(fact.format, &text).ok()?,
    };
    let value = document::at(&document, fact.path);
    Some(match fact.is {
        Is::Truth(truth) => value.and_then(Value::as_bool) == Some(truth),
        Is::Holds(wanted) => {
            let items = value.and_then(Value::as_array);
            items.is_some_and(|items| items.iter().any(|item| item.as_str() == Some(wanted)))
        }
    })
}

fn of_entries(agent: &Agent, entries: &Entries, path: &str, ground: &Ground, state: &mut State) -> Standing {
    let present = match (ground.look)(path) {
        Present::Missing => return Standing::Absent,
        Present::Unusable(why) => return Standing::Damaged(why),
        Present::File(present) => present,
    };
    let document = match document::read(entries.format, &present) {
        Ok(document) => document,
        Err(why) => return Standing::Damaged(why),
    };
    let kin = ours::all(&document, &|command| ours::is_kin(command, agent));
    state.kin.extend(kin.into_iter().map(|command| (path.to_string(), command)));
    let Some(found) = ours::command_in(&document, agent) else {
        let is_foreign = entries.is_own && !present.trim().is_empty();
        return if is_foreign { Standing::Foreign("the file is there, and not ours".into()) } else { Standing::Absent };
    };
    state.command.get_or_insert(found);
    let Some(command) = command_line(&ground.program, agent) else { return Standing::Absent };
    let wanted = Wanted { agent, command: &command, version: ground.version.as_deref() };
    match edit::connect(&present, entries, wanted) {
        Ok(after) if after == present => Standing::Connected,
        Ok(_) => Standing::Drifted(drift(entries, &document, wanted)),
        Err(why) => Standing::Damaged(why),
    }
}

/// What differs between the entries that are there and those that a plan would write.
fn drift(entries: &Entries, document: &Value, how: Wanted) -> Vec<String> {
    let Wanted { agent, command, .. } = how;
    let mut found = Vec::new();
    for slot in entries.slots.iter().filter(|slot| how.reads(slot)) {
        let wanted = (slot.value)(command).to_value();
        let place = slot.path.join(".");
        let present = document::at(document, slot.path);
        let mine: Vec<&Value> = match present {
            Some(Value::Array(items)) if slot.is_item => {
                items.iter().filter(|item| ours::owned(item, agent) != ours::Owned::None).collect()
            }
            other => other.into_iter().collect(),
        };
        match mine.as_slice() {
            [] => found.push(format!("`{place}` has no entry of ours")),
            [only] => compare(only, &wanted, &place, &mut found),
            several => found.push(format!("`{place}` has {} entries of ours", several.len())),
        }
    }
    for (key, number) in entries.fixed {
        compare(document.get(key).unwrap_or(&Value::Null), &Value::from(*number), key, &mut found);
    }
    if found.is_empty() {
        found.push("the entry is not where or how a plan would write it".into());
    }
    found
}

fn compare(present: &Value, wanted: &Value, place: &str, found: &mut Vec<String>) {
    let mut open = vec![(Some(present), Some(wanted), place.to_string())];
    while let Some((present, wanted, place)) = open.pop() {
        match (present, wanted) {
            (Some(one), Some(other)) if one == other => {}
            (Some(Value::Object(one)), Some(Value::Object(other))) => {
                let mut keys: Vec<&String> = one.keys().chain(other.keys()).collect();
                keys.sort();
                keys.dedup();
                open.extend(keys.into_iter().rev().map(|key| (one.get(key), other.get(key), format!("{place}.{key}"))));
            }
            (Some(Value::Array(one)), Some(Value::Array(other))) => {
                let count = one.len().max(other.len());
                open.extend((0..count).rev().map(|at| (one.get(at), other.get(at), format!("{place}[{at}]"))));
            }
            (Some(one), Some(other)) => found.push(format!("`{place}` is {one} and should be {other}")),
            (None, Some(other)) => found.push(format!("`{place}` is missing and should be {other}")),
            (Some(_), None) => found.push(format!("`{place}` should not be there")),
            (None, None) => {}
        }
    }
}

/// A folder's path, and how it stands.
pub(super) fn of_folder(folder: &Folder, ground: &Ground) -> (String, Standing) {
    let path = match folder.files {
        [(name, _)] => below(&path_of(folder, ground), name),
        _ => path_of(folder, ground),
    };
    let mut missing = Vec::new();
    let mut drifted = Vec::new();
    let mut marked = false;
    for (at, (name, content)) in folder.files.iter().enumerate() {
        match text(&below(&path_of(folder, ground), name), ground) {
            Err(why) => return (path, Standing::Damaged(why)),
            Ok(None) => missing.push(format!("`{name}` is missing")),
            Ok(Some(present)) => {
                marked |= at == 0 && present.contains(MARK);
                match content_of(content, ground) {
                    Ok(wanted) if wanted == present => {}
                    Ok(_) => drifted.push(format!("`{name}` is not what this version writes")),
                    Err(_) => {
                        drifted.push(format!("`{name}` cannot be compared: this build of the program carries no plugins"))
                    }
                }
            }
        }
    }
    let standing = match (marked, missing.len() == folder.files.len()) {
        (_, true) => Standing::Absent,
        (false, _) => Standing::Foreign("files of these names are there, and not ours".into()),
        (true, _) if missing.is_empty() && drifted.is_empty() => Standing::Connected,
        (true, _) => Standing::Drifted(missing.into_iter().chain(drifted).collect()),
    };
    (path, standing)
}
