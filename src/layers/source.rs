//! What a layer's directory holds: settings, rulebooks, and the stat data by which they are known to be unchanged.
//!
//! A project's directory counts as a whole, whatever is in it: its digest is what `trust` records. Of other layers the settings,
//! `rules/*.rulebook` and the lock of those that came from elsewhere count.

use std::path::Path;

use sha2::{Digest, Sha256};

use super::pins;
use crate::model::EntryKind;
use crate::world::disk::{self, Meta};
use crate::world::file::{self, FileFault, Links, Stamp};

/// The most files of a project's directory.
pub const PROJECT_FILES: usize = 64;
/// The most bytes of a project's directory.
pub const PROJECT_BYTES: u64 = 1 << 20;
/// The same of other layers.
const FILES: usize = 4096;
const BYTES: u64 = 32 << 20;
/// How deep a project's directory is looked through.
const DEPTH: usize = 8;

/// One file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// From the layer's directory, with `/`.
    pub name: String,
    /// What is in it.
    pub bytes: Vec<u8>,
}

/// A directory as read.
#[derive(Debug, Default)]
pub struct Sources {
    /// Sorted by name; without rulebooks that are not as they were pinned.
    pub files: Vec<Source>,
    /// Names and stat data of everything that decides whether this must be read again; `None`: nothing is there.
    pub stamps: Vec<(String, Option<Stamp>)>,
    /// The digest of names and content, whatever is left out.
    pub digest: [u8; 32],
    /// What is wrong, so that nothing here may loosen: links, owners, modes, limits, files that cannot be read.
    pub faults: Vec<String>,
}

/// Names that decide what a layer is: settings, then the folder of rulebooks.
pub const SETTINGS: &str = "policy.yaml";
/// The TypeScript peer's settings.
pub const FOREIGN: &str = "policy.json";
const RULES: &str = "rules";

/// The stamp of a path below a layer's directory, as the next call will see it.
pub fn stamp_of(directory: &Path, name: &str, project: bool) -> Option<Stamp> {
    let path = if name.is_empty() { directory.to_path_buf() } else { directory.join(name) };
    // A project's links are never followed; a user's lead to the file that counts.
    disk::stat(&path, !project).ok().map(|meta| reduced(name, &meta))
}

/// Of the layer's own directory only owner, mode and identity count: other things are written into it.
fn reduced(name: &str, meta: &Meta) -> Stamp {
    let stamp = file::stamp(meta);
    if name.is_empty() { Stamp { size: 0, modified: 0, changed: 0, ..stamp } } else { stamp }
}

/// Reads a layer's directory.
pub fn read(directory: &Path, project: bool) -> Sources {
    let mut reading = Reading { directory, project, bytes: 0, sources: Sources::default() };
    reading.note("");
    if let Ok(meta) = disk::stat(directory, false) {
        reading.believe(directory, &meta);
    }
    if project {
        reading.folder("", 0);
    } else {
        if !reading.file(SETTINGS) {
            reading.file(FOREIGN);
        }
        reading.file(pins::LOCK);
        reading.folder(RULES, 0);
    }
    let mut sources = reading.sources;
    sources.files.sort_by(|one, other| one.name.cmp(&other.name));
    let mut hash = Sha256::new();
    for file in &sources.files {
        for part in [file.name.as_bytes(), &file.bytes] {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        }
    }
    sources.digest = hash.finalize().into();
    sources.faults.extend(pins::hold(&mut sources.files));
    sources
}

struct Reading<'a> {
    directory: &'a Path,
    project: bool,
    bytes: u64,
    sources: Sources,
}

impl Reading<'_> {
    fn note(&mut self, name: &str) {
        // Before the content is read: a change in between is seen by the next call.
        self.sources.stamps.push((name.to_string(), stamp_of(self.directory, name, self.project)));
    }

    fn fault(&mut self, fault: String) {
        self.sources.faults.push(fault);
    }

    /// A layer that may loosen must be nobody else's to write. A project's needs no such proof: it only tightens, or its
    /// content is trusted by digest.
    fn believe(&mut self, path: &Path, meta: &Meta) {
        if self.project {
            return;
        }
        if meta.is_symlink() {
            self.fault(format!("{}: a link; what it holds may only tighten", path.display()));
        } else if let Err(fault) = file::believe(path, meta) {
            self.fault(fault.to_string());
        }
    }

    /// Reads one file; whether it is there.
    fn file(&mut self, name: &str) -> bool {
        self.note(name);
        let path = self.directory.join(name);
        let (files, bytes) = if self.project { (PROJECT_FILES, PROJECT_BYTES) } else { (FILES, BYTES) };
        match disk::stat(&path, false) {
            Ok(meta) => self.believe(&path, &meta),
            Err(_) => return false,
        }
        let links = if self.project { Links::Refuse } else { Links::Follow };
        match file::read(&path, bytes.saturating_sub(self.bytes), links) {
            Ok(_) if self.sources.files.len() >= files => self.fault(format!("more than {files} files")),
            Ok(content) => {
                self.bytes += content.len() as u64;
                self.sources.files.push(Source { name: name.to_string(), bytes: content });
            }
            Err(FileFault::Size { .. }) => self.fault(format!("more than {bytes} bytes")),
            Err(fault) => self.fault(fault.to_string()),
        }
        true
    }

    fn folder(&mut self, name: &str, depth: usize) {
        if !name.is_empty() {
            self.note(name);
        }
        let path = if name.is_empty() { self.directory.to_path_buf() } else { self.directory.join(name) };
        if !name.is_empty() && !self.project {
            match disk::stat(&path, false) {
                Ok(meta) => self.believe(&path, &meta),
                Err(_) => return,
            }
        }
        let entries = match disk::list(&path, FILES) {
            Ok(entries) => entries,
            Err(fault) if fault.kind() == std::io::ErrorKind::NotFound => return,
            Err(fault) => return self.fault(format!("{}: {fault}", path.display())),
        };
        let mut names: Vec<(String, bool)> = Vec::new();
        for (entry, kind) in entries {
            match entry.into_string() {
                Ok(name) => names.push((name, kind == EntryKind::Directory)),
                Err(_) => self.fault(format!("{}: a name in it cannot be read", path.display())),
            }
        }
        names.sort();
        if names.len() > if self.project { PROJECT_FILES } else { FILES } {
            return self.fault(format!("{}: too many files", path.display()));
        }
        for (entry, is_folder) in names {
            let below = if name.is_empty() { entry.clone() } else { format!("{name}/{entry}") };
            match (is_folder, self.project) {
                (true, true) if depth < DEPTH => self.folder(&below, depth + 1),
                (true, true) => self.fault(format!("{below}: too deep")),
                (false, true) => {
                    self.file(&below);
                }
                (false, false) if entry.ends_with(".rulebook") => {
                    self.file(&below);
                }
                (_, false) => {}
            }
        }
    }
}
