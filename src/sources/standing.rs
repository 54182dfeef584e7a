//! A layer that takes rulebooks: its directory, its lock, and the files that a plan may touch.

use std::path::{Path, PathBuf};

use super::ENDING;
use crate::language::File;
use crate::layers::pins::{self, LOCK, Lock};
use crate::layers::source::{PROJECT_BYTES, PROJECT_FILES};
use crate::world::disk;
use crate::world::file::{self, Links};
use crate::world::program;

/// The largest lock that is read.
const LOCK_BYTES: u64 = 1 << 20;
/// The largest rulebook of the layer itself that is read.
const OWN_BYTES: u64 = 4 << 20;
/// How many files of the folder are looked at.
const ENTRIES: usize = 4096;

/// A layer as it stands.
#[derive(Debug)]
pub struct Standing {
    /// Its directory; it need not be there yet.
    pub directory: PathBuf,
    /// Whether it is a repository's own: links in it are refused, and its size is bounded.
    pub is_project: bool,
    /// What is pinned.
    pub lock: Lock,
    /// The lock's text; none where there is none.
    pub(super) lock_text: Option<String>,
    /// Its rulebooks, named from its directory, sorted.
    pub files: Vec<File>,
}

impl Standing {
    /// Reads a layer; or why nothing can be done to it, as a phrase.
    pub fn open(directory: &Path, is_project: bool) -> Result<Standing, String> {
        let rules = directory.join("rules");
        for folder in [directory, &rules] {
            let Ok(meta) = disk::stat(folder, false) else { continue };
            // A repository's link may lead to anybody's files.
            if meta.is_symlink() && is_project {
                return Err(format!("{}: a link, and links of a project are not followed", folder.display()));
            }
            if !folder.is_dir() {
                return Err(format!("{}: not a folder", folder.display()));
            }
        }
        let lock_text = read(&directory.join(LOCK), LOCK_BYTES)?;
        let lock = match &lock_text {
            Some(text) => Lock::read(text.as_bytes()).map_err(|why| format!("{}: {why}", directory.join(LOCK).display()))?,
            None => Lock::default(),
        };
        let mut files = Vec::new();
        let mut names: Vec<String> = match disk::list(&rules, ENTRIES) {
            Ok(entries) => entries.into_iter().filter_map(|(name, _)| name.into_string().ok()).collect(),
            Err(fault) if fault.kind() == std::io::ErrorKind::NotFound => Vec::new(),
            Err(fault) => return Err(format!("{}: {fault}", rules.display())),
        };
        names.sort();
        for name in names.into_iter().filter(|name| name.ends_with(ENDING)) {
            if let Some(text) = read(&rules.join(&name), OWN_BYTES)? {
                files.push(File { name: format!("rules/{name}"), text });
            }
        }
        Ok(Standing { directory: directory.to_path_buf(), is_project, lock, lock_text, files })
    }

    /// The text of a rulebook's file.
    pub fn text(&self, name: &str) -> Option<&str> {
        let name = pins::file_of(name);
        self.files.iter().find(|file| file.name == name).map(|file| file.text.as_str())
    }

    /// Whether a pinned rulebook is as it was accepted.
    pub fn is_as_pinned(&self, name: &str) -> bool {
        let pin = self.lock.pin(name).map(|(_, pin)| pin.digest.clone());
        self.text(name).map(|text| pins::digest(text.as_bytes())) == pin
    }

    /// Whether the layer holds so much more, as a phrase where not. Only a project's is bounded here.
    pub(super) fn holds(&self, files: usize, bytes: u64) -> Result<(), String> {
        if !self.is_project {
            return Ok(());
        }
        let (mut open, mut count) = (vec![self.directory.clone()], 0);
        while let Some(folder) = open.pop() {
            for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
                if entry.file_type().is_ok_and(|kind| kind.is_dir()) { open.push(entry.path()) } else { count += 1 }
            }
        }
        let is_full = count + files > PROJECT_FILES || program::size(&self.directory) + bytes > PROJECT_BYTES;
        let limits = format!("{PROJECT_FILES} files and {} MiB", PROJECT_BYTES >> 20);
        if is_full { Err(format!("a project's layer has at most {limits}, and this would be more")) } else { Ok(()) }
    }
}

/// The text of a file that a plan may replace; none where there is none. A link is refused: what it leads to is not the layer's.
fn read(path: &Path, limit: u64) -> Result<Option<String>, String> {
    if disk::stat(path, false).is_ok_and(|meta| meta.is_symlink()) {
        return Err(format!("{}: a link, and what it leads to is not to be replaced", path.display()));
    }
    match file::read(path, limit, Links::Refuse) {
        Ok(bytes) => String::from_utf8(bytes).map(Some).map_err(|_| format!("{}: not UTF-8", path.display())),
        Err(fault) if fault.is_missing() => Ok(None),
        Err(fault) => Err(fault.to_string()),
    }
}
