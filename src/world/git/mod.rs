//! Git's own files, read as git reads them, so that git is never run: a repository's configuration can make git run programs,
//! and a guard that starts git would run them.
//!
//! A work tree is found by its `.git` entry ([`Checkout::find`]). What is asked of it is read when it is asked, once: the index
//! ([`index`]), refs ([`refs`]), configuration ([`config`]), ignore files ([`ignore`]). Formats: git's own documentation of
//! `gitformat-index`, `gitrepository-layout`, `git-config` and `gitignore`, as of 2.47. What this build does not read (split and
//! sparse indexes, reftables) is "not known".

pub mod config;
pub mod glob;
pub mod ignore;
pub mod index;
pub mod refs;

use std::cell::OnceCell;
use std::path::{Path, PathBuf};

use super::disk;
use super::file::{self, Links};
use config::Config;
use index::Index;

/// Variables that lead git elsewhere: with one of them set, nothing that the files say is what git would see.
const REDIRECTIONS: [&str; 6] = [
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_COMMON_DIR",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
];

/// A work tree and its records.
#[derive(Debug)]
pub struct Checkout {
    /// The work tree's root, a real path.
    pub root: PathBuf,
    /// The records of this work tree: `.git`, or `…/.git/worktrees/NAME`.
    pub records: PathBuf,
    /// The records that all work trees share.
    pub common: PathBuf,
    /// Whether `.git` is a file.
    by_file: bool,
    /// Whether the records say that they share others.
    shares: bool,
    config: OnceCell<Config>,
    index: OnceCell<Option<Index>>,
    ignore: ignore::Cache,
}

impl Checkout {
    /// The nearest work tree at or above a directory, a real path.
    pub fn find(directory: &Path) -> Option<Checkout> {
        directory.ancestors().find_map(Checkout::at)
    }

    /// The work tree whose root is exactly this directory.
    pub fn at(root: &Path) -> Option<Checkout> {
        let entry = root.join(".git");
        let meta = disk::stat(&entry, true).ok()?;
        let by_file = meta.is_file();
        let records = if by_file { pointed_at(&entry, "gitdir:")? } else { entry };
        let shared = pointed_at(&records.join("commondir"), "");
        Some(Checkout {
            root: root.to_path_buf(),
            common: shared.clone().unwrap_or_else(|| records.clone()),
            records,
            by_file,
            shares: shared.is_some(),
            config: OnceCell::new(),
            index: OnceCell::new(),
            ignore: ignore::Cache::default(),
        })
    }

    /// The configuration as git reads it here: the system's, the user's, the repository's, the work tree's.
    pub fn config(&self, homes: &[String]) -> &Config {
        self.config.get_or_init(|| Config::load(self, homes))
    }

    /// The index; `None` where it is of a format that is not read, too large, or not there.
    pub fn index(&self, homes: &[String]) -> Option<&Index> {
        let load = || {
            let long =
                self.config(homes).last("extensions.objectformat").is_some_and(|format| format.eq_ignore_ascii_case("sha256"));
            let path = self.records.join("index");
            let (bytes, meta) = file::read_with_meta(&path, index::LIMIT, Links::Follow).ok()?;
            Index::parse(bytes, if long { 32 } else { 20 }, meta.modified)
        };
        self.index.get_or_init(load).as_ref()
    }

    /// Whether a path below the root is ignored.
    pub fn ignores(&self, below: &str, directory: bool, homes: &[String]) -> Option<bool> {
        ignore::ignores(self, &self.ignore, below, directory, homes)
    }

    /// Whether this is a linked worktree: `.git` is a file, its records name shared ones and point back to that very file.
    pub fn is_linked(&self) -> bool {
        let back = || pointed_at(&self.records.join("gitdir"), "").and_then(|path| disk::real(&path).ok());
        self.by_file && self.shares && back().is_some_and(|back| Some(back) == disk::real(&self.root.join(".git")).ok())
    }

    /// Whether git, run here, would look at these records and this tree: nothing in the environment or the configuration leads
    /// elsewhere, and a `.git` file is vouched for by what it points at.
    pub fn is_sound(&self, homes: &[String]) -> bool {
        let led_away = REDIRECTIONS.iter().any(|name| disk::variable(name).is_some());
        let elsewhere = match self.config(homes).last("core.worktree") {
            Some(tree) => disk::real(&self.records.join(tree)).ok().as_deref() != Some(self.root.as_path()),
            None => self.by_file && !self.is_linked(),
        };
        !led_away && !elsewhere
    }
}

/// The path that a small file holds, after `prefix`, relative to the file's folder.
fn pointed_at(path: &Path, prefix: &str) -> Option<PathBuf> {
    let bytes = file::read(path, 8 << 10, Links::Follow).ok()?;
    let text = String::from_utf8(bytes).ok()?;
    let target = text.strip_prefix(prefix)?.trim();
    let whole = path.parent()?.join(target);
    (!target.is_empty()).then(|| disk::real(&whole).unwrap_or(whole))
}
