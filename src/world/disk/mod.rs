//! The few questions about files and surroundings that all facts are made of, with two answerers: the system that this was
//! built for, and, in WebAssembly, where there is none, the program that holds the engine.
//!
//! Everything above this (budgets, links, git, layers) is the same code for both, so that both come to the same verdicts.

#[cfg(target_family = "wasm")]
pub mod host;
#[cfg(not(target_family = "wasm"))]
mod native;

use crate::model::EntryKind;

#[cfg(target_family = "wasm")]
pub use host::{home, home_of, kept, list, nanoseconds, platform, read, real, stat, target, user, variable, write};
#[cfg(not(target_family = "wasm"))]
pub use native::{list, nanoseconds, platform, real, stat, target, variable};

const KIND: u32 = 0o170000;
const FILE: u32 = 0o100000;
const DIRECTORY: u32 = 0o040000;
const LINK: u32 = 0o120000;

/// The kinds of systems whose conventions differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Platform {
    /// Linux and its like.
    Unix,
    /// macOS.
    Mac,
    /// Windows.
    Windows,
}

/// Stat data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Meta {
    /// Kind and permissions, as Unix writes them.
    pub mode: u32,
    /// The owner.
    pub user: u32,
    /// The group.
    pub group: u32,
    /// The file's number on its volume.
    pub inode: u64,
    /// In bytes.
    pub size: u64,
    /// Nanoseconds since 1970, of the content.
    pub modified: i64,
    /// Nanoseconds since 1970, of the content or its stat data.
    pub changed: i64,
    /// Whether the system has owners, permissions and numbers; else they say nothing.
    pub whole: bool,
}

impl Meta {
    /// What it is the stat data of.
    pub fn kind(&self) -> EntryKind {
        match self.mode & KIND {
            FILE => EntryKind::File,
            DIRECTORY => EntryKind::Directory,
            LINK => EntryKind::Link,
            _ => EntryKind::Other,
        }
    }

    /// Whether it is a regular file's.
    pub fn is_file(&self) -> bool {
        self.kind() == EntryKind::File
    }

    /// Whether it is a directory's.
    pub fn is_dir(&self) -> bool {
        self.kind() == EntryKind::Directory
    }

    /// Whether it is a link's own.
    pub fn is_symlink(&self) -> bool {
        self.kind() == EntryKind::Link
    }
}
