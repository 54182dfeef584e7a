//! What is to be done so that an agent is connected, or no longer is: an ordered list of steps, or the reasons why nothing is.

use super::edit::{self, Wanted};
use super::inspect::{self, Standing};
use super::ours;
use super::{Ground, Present, below, command_line, document, kept, plugins};
use crate::agents::Agent;
use crate::agents::setup::{Base, Call, Content, Entries, FOLDER, Folder, MARK, PROGRAM, Part, is_at_least};

/// A version that knows every place.
const NEWEST: &str = "999999.0";

/// What is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Goal {
    /// The agent calls this program.
    Connect,
    /// It no longer does.
    Disconnect,
}

/// The way there.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Plan {
    /// What is done, in this order. Empty where all is as it should be.
    pub steps: Vec<Step>,
    /// Why nothing is done. With one of these no step is.
    pub refusals: Vec<String>,
    /// What a person should know.
    pub notes: Vec<String>,
}

/// One step of a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// A file is written or removed.
    Write(Change),
    /// The agent's own program is run.
    Run(Run),
}

/// A file before and after.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// Which file. Where it is a link, what it leads to is changed.
    pub path: String,
    /// What is in it now; `None` where there is none.
    pub before: Option<String>,
    /// What will be; `None` where there will be none.
    pub after: Option<String>,
    /// The file whose permissions a new one gets; `None` for the user's usual ones.
    pub like: Option<String>,
}

/// A command of the agent's own program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// The program, absolute.
    pub program: String,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// Arguments that take it back; none where nothing has to be.
    pub undo: Vec<String>,
    /// A text that its output must have.
    pub expects: &'static str,
}

/// Plans for an agent.
pub fn plan(goal: Goal, agent: &Agent, ground: &Ground) -> Plan {
    let mut plan = Plan::default();
    match goal {
        Goal::Connect => {
            for part in agent.setup.parts {
                let planned = match part {
                    Part::Entries(entries) => connect_entries(agent, entries, ground),
                    Part::Folder(folder) => connect_folder(folder, ground),
                };
                plan.take(planned);
            }
            let is_told =
                plan.steps.is_empty() && agent.setup.wants.iter().all(|want| inspect::holds(want, ground).unwrap_or(false));
            if !is_told {
                plan.call(agent, agent.setup.driven.connect, ground, true);
            }
        }
        Goal::Disconnect => {
            let mut files = Plan::default();
            for part in agent.setup.parts.iter().rev() {
                let planned = match part {
                    Part::Entries(entries) => disconnect_entries(agent, entries, ground),
                    Part::Folder(folder) => disconnect_folder(folder, ground),
                };
                files.take(planned);
            }
            // The agent is told first: it must not find a plugin in its list that is gone.
            let is_known = agent.setup.wants.iter().any(|want| inspect::holds(want, ground).unwrap_or(false));
            if is_known || !files.steps.is_empty() {
                plan.call(agent, agent.setup.driven.disconnect, ground, false);
            }
            plan.steps.append(&mut files.steps);
            plan.refusals.append(&mut files.refusals);
        }
    }
    if !plan.refusals.is_empty() {
        plan.steps.clear();
    }
    plan
}

impl Plan {
    fn take(&mut self, planned: Result<Vec<Step>, String>) {
        match planned {
            Ok(mut steps) => self.steps.append(&mut steps),
            Err(why) => self.refusals.push(why),
        }
    }

    fn call(&mut self, agent: &Agent, calls: &[Call], ground: &Ground, is_needed: bool) {
        if calls.is_empty() {
            return;
        }
        let folder = agent.setup.parts.iter().find_map(|part| match part {
            Part::Folder(folder) => Some(path_of(folder, ground)),
            Part::Entries(_) => None,
        });
        let words = |words: &[&str]| -> Vec<String> {
            words.iter().map(|word| word.replace(FOLDER, folder.as_deref().unwrap_or_default())).collect()
        };
        let name = agent.setup.programs.first().copied().unwrap_or_default();
        let Some(program) = &ground.agent_program else {
            let commands: Vec<String> =
                calls.iter().map(|call| format!("`{name} {}`", words(call.arguments).join(" "))).collect();
            match is_needed {
                true => self.refusals.push(format!(
                    "the program `{name}` is not found on the PATH, and {} must be connected by its own command: {}",
                    agent.title,
                    commands.join(", ")
                )),
                false => self.notes.push(format!("the program `{name}` is not found: what it recorded itself stays as it is")),
            }
            return;
        };
        self.steps.extend(calls.iter().map(|call| {
            Step::Run(Run {
                program: program.clone(),
                arguments: words(call.arguments),
                undo: words(call.undo),
                expects: call.expects,
            })
        }));
    }
}

fn connect_entries(agent: &Agent, entries: &Entries, ground: &Ground) -> Result<Vec<Step>, String> {
    let path = below(&ground.place, entries.file);
    let command = command_line(&ground.program, agent).ok_or("this agent has no hook")?;
    let refuse = |why: String| format!("{path}: {why}");
    let before = text(&path, ground)?;
    let present = document::read(entries.format, before.as_deref().unwrap_or_default()).map_err(refuse)?;
    let is_ours = ours::command_in(&present, agent).is_some();
    if entries.is_own && before.as_deref().is_some_and(|text| !text.trim().is_empty()) && !ours::is_own(&present, agent) {
        return Err(refuse("the file is there, and not ours".into()));
    }
    let wanted = Wanted { agent, command: &command, version: ground.version.as_deref() };
    let after = edit::connect(before.as_deref().unwrap_or_default(), entries, wanted).map_err(refuse)?;
    if before.as_deref() == Some(after.as_str()) {
        return Ok(Vec::new());
    }
    let mut steps = Vec::new();
    // The last version without us is what is kept; one with us in it is nobody's wish.
    if let (Some(before), false) = (&before, is_ours) {
        let beside = kept(&path);
        let older = text(&beside, ground)?;
        if older.as_ref() != Some(before) {
            steps.push(Step::Write(Change {
                path: beside,
                before: older,
                after: Some(before.clone()),
                like: Some(path.clone()),
            }));
        }
    }
    steps.push(Step::Write(Change { path, before, after: Some(after), like: None }));
    Ok(steps)
}

fn disconnect_entries(agent: &Agent, entries: &Entries, ground: &Ground) -> Result<Vec<Step>, String> {
    let path = below(&ground.place, entries.file);
    let refuse = |why: String| format!("{path}: {why}");
    let Some(before) = text(&path, ground)? else { return Ok(Vec::new()) };
    let present = document::read(entries.format, &before).map_err(refuse)?;
    let Some(command) = ours::command_in(&present, agent) else { return Ok(Vec::new()) };
    let beside = kept(&path);
    let older = match (ground.look)(&beside) {
        Present::File(older) => Some(older),
        _ => None,
    };
    // Where connecting what was there before gives exactly what is there now, that is what stood there: to the byte.
    let gives = |from: &str| {
        [None, ground.version.as_deref(), Some(NEWEST)].into_iter().any(|version| {
            edit::connect(from, entries, Wanted { agent, command: &command, version }).is_ok_and(|after| after == before)
        })
    };
    let after = match &older {
        Some(older) if gives(older) => Some(older.clone()),
        None if gives("") => None,
        _ if entries.is_own && ours::is_own(&present, agent) => None,
        _ => Some(edit::disconnect(&before, entries, agent).map_err(refuse)?),
    };
    let mut steps = Vec::new();
    if after.as_ref() != Some(&before) {
        steps.push(Step::Write(Change { path, before: Some(before), after, like: None }));
        steps.extend(older.map(|older| Step::Write(Change { path: beside, before: Some(older), after: None, like: None })));
    }
    Ok(steps)
}

fn connect_folder(folder: &Folder, ground: &Ground) -> Result<Vec<Step>, String> {
    let mut steps = Vec::new();
    claim(folder, ground)?;
    for (name, content) in folder.files {
        let path = below(&path_of(folder, ground), name);
        let before = text(&path, ground)?;
        let after = content_of(content, ground)?;
        if before.as_ref() != Some(&after) {
            steps.push(Step::Write(Change { path, before, after: Some(after), like: None }));
        }
    }
    Ok(steps)
}

fn disconnect_folder(folder: &Folder, ground: &Ground) -> Result<Vec<Step>, String> {
    if inspect::of_folder(folder, ground).1 == Standing::Absent {
        return Ok(Vec::new());
    }
    claim(folder, ground)?;
    let mut steps = Vec::new();
    for (name, _) in folder.files.iter().rev() {
        let path = below(&path_of(folder, ground), name);
        if let Some(before) = text(&path, ground)? {
            steps.push(Step::Write(Change { path, before: Some(before), after: None, like: None }));
        }
    }
    Ok(steps)
}

/// Whether the files of a folder are ours or not there at all; else why they are left alone.
fn claim(folder: &Folder, ground: &Ground) -> Result<(), String> {
    let first = folder.files.first().map_or("", |(name, _)| name);
    let marked = below(&path_of(folder, ground), first);
    match text(&marked, ground)? {
        Some(text) if text.contains(MARK) => return Ok(()),
        Some(_) => return Err(format!("{marked}: the file is there, and not ours: it has no line with `{MARK}`")),
        None => {}
    }
    for (name, _) in folder.files {
        let path = below(&path_of(folder, ground), name);
        if text(&path, ground)?.is_some() {
            return Err(format!("{path}: the file is there, and not ours: `{first}` with our mark is not beside it"));
        }
    }
    Ok(())
}

/// Where a folder is.
pub(super) fn path_of(folder: &Folder, ground: &Ground) -> String {
    match folder.base {
        Base::Agent => below(&ground.place, folder.path),
        Base::Ours => below(&ground.data, folder.path),
    }
}

/// What a file of ours must hold.
pub(super) fn content_of(content: &Content, ground: &Ground) -> Result<String, String> {
    match content {
        Content::Text(text) => {
            let program = serde_json::Value::from(ground.program.as_str()).to_string();
            Ok(text.replace(PROGRAM, &program))
        }
        Content::Plugin(name) => plugin(name),
        Content::From(version, newer, older) => {
            let is_newer = ground.version.as_ref().is_some_and(|said| is_at_least(said, version));
            plugin(if is_newer { newer } else { older })
        }
    }
}

fn plugin(name: &str) -> Result<String, String> {
    plugins::text(name).ok_or_else(|| {
        format!("this build of the program carries no plugins (`{name}`): `src/engine/build` makes them, before `cargo build`")
    })
}

/// The text of a file, `None` where there is none; or why it cannot be used.
pub(super) fn text(path: &str, ground: &Ground) -> Result<Option<String>, String> {
    match (ground.look)(path) {
        Present::Missing => Ok(None),
        Present::File(text) => Ok(Some(text)),
        Present::Unusable(why) => Err(format!("{path}: {why}")),
    }
}
