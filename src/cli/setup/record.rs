//! What the last command did, so that it can be taken back, and which directories we made, so that they go when they are empty.
//!
//! The record lies in the user's state directory, private: it holds the former texts of files. It is read only where nobody else
//! could have written it.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::apply;
use super::ground::Machine;
use crate::setup::{Change, Run};
use crate::world::{file, replace};

const LIMIT: u64 = 64 << 20;

/// The record.
pub struct Record {
    path: PathBuf,
    kept: Kept,
    /// What this command has done so far.
    now: Last,
    /// Directories that the plan at hand made.
    fresh: Vec<PathBuf>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct Kept {
    version: u32,
    /// Directories that we made, outermost first.
    directories: Vec<PathBuf>,
    last: Option<Last>,
}

#[derive(Debug, Default, Clone, Serialize, Deserialize)]
struct Last {
    command: String,
    steps: Vec<Done>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
enum Done {
    /// A file: what it was, and the digest of what it became.
    Wrote { path: PathBuf, before: Option<String>, after: Option<String> },
    /// A command, by what takes it back.
    Ran { program: String, undo: Vec<String> },
}

impl Record {
    /// The record of this home; an empty one where there is none that can be believed.
    pub fn open(machine: &Machine) -> Record {
        let path = machine.state.join("setup.json");
        let kept = file::read_own(&path, LIMIT).ok().and_then(|bytes| serde_json::from_slice::<Kept>(&bytes).ok());
        let kept = kept.filter(|kept| kept.version == 1).unwrap_or_else(|| Kept { version: 1, ..Kept::default() });
        Record { path, kept, now: Last::default(), fresh: Vec::new() }
    }

    /// A command begins.
    pub fn begin(&mut self, command: &str) {
        self.now = Last { command: command.to_string(), steps: Vec::new() };
    }

    /// Directories were made.
    pub fn made(&mut self, directories: Vec<PathBuf>) {
        self.kept.directories.extend(directories.iter().cloned());
        self.fresh.extend(directories);
    }

    /// A file is gone: the directories above it that we made go too, where they are empty.
    pub fn unmake(&mut self, path: &str) {
        let above = |directory: &&PathBuf| Path::new(path).starts_with(directory);
        let mut candidates: Vec<PathBuf> = self.kept.directories.iter().filter(above).cloned().collect();
        candidates.sort_by_key(|directory| directory.components().count());
        let gone = replace::remove_empty(&candidates);
        self.kept.directories.retain(|directory| !gone.contains(directory));
    }

    /// The plan at hand failed and was taken back.
    pub fn forget(&mut self) {
        let gone = replace::remove_empty(&self.fresh);
        self.kept.directories.retain(|directory| !gone.contains(directory));
        self.fresh.clear();
    }

    /// A change that stays.
    pub fn wrote(&mut self, change: &Change) {
        self.now.steps.push(Done::Wrote {
            path: change.path.clone().into(),
            before: change.before.clone(),
            after: change.after.as_deref().map(digest),
        });
        self.fresh.clear();
    }

    /// A command that stays.
    pub fn ran(&mut self, run: &Run) {
        if !run.undo.is_empty() {
            self.now.steps.push(Done::Ran { program: run.program.clone(), undo: run.undo.clone() });
        }
    }

    /// Writes the record, if anything was done.
    pub fn close(mut self) -> Result<(), String> {
        if self.now.steps.is_empty() {
            return Ok(());
        }
        self.kept.last = Some(std::mem::take(&mut self.now));
        self.write()
    }

    /// Takes the last command back: every file first compared with what the command left. What was done, a line each.
    pub fn undo(&mut self) -> Result<Vec<String>, String> {
        let last = self.kept.last.take().ok_or("there is nothing to take back")?;
        let mut texts = Vec::new();
        for step in &last.steps {
            let Done::Wrote { path, after, .. } = step else { continue };
            let now = match replace::look(path) {
                replace::Sight::Missing => None,
                replace::Sight::File(text) => Some(text),
                replace::Sight::Unusable(why) => return Err(format!("{}: {why}", path.display())),
            };
            if now.as_deref().map(digest) != *after {
                let command = &last.command;
                return Err(format!("{}: it has changed since `{command}`; nothing was taken back", path.display()));
            }
            texts.push(now);
        }
        let mut lines = vec![format!("taken back: `{}`", last.command)];
        for step in last.steps.into_iter().rev() {
            match step {
                Done::Wrote { path, before, .. } => {
                    let now = texts.pop().flatten();
                    let made = replace::replace(&path, now.as_deref(), before.as_deref(), None);
                    self.kept.directories.extend(made.map_err(|fault| fault.to_string())?);
                    if before.is_none() {
                        self.unmake(&path.display().to_string());
                    }
                    lines.push(format!("  {} {}", if before.is_some() { "restored" } else { "removed" }, path.display()));
                }
                Done::Ran { program, undo } => {
                    apply::run(&program, &undo, "")?;
                    lines.push(format!("  ran {program} {}", undo.join(" ")));
                }
            }
        }
        self.write()?;
        Ok(lines)
    }

    fn write(&self) -> Result<(), String> {
        let text = serde_json::to_vec(&self.kept).map_err(|fault| fault.to_string())?;
        file::write(&self.path, &text).map_err(|fault| fault.to_string())
    }
}

fn digest(text: &str) -> String {
    file::hex(&Sha256::digest(text.as_bytes()))
}
