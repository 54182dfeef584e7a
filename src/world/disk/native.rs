//! The answers of the system that this was built for.

use std::ffi::OsString;
use std::fs::{FileType, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

#[cfg(not(unix))]
use super::{DIRECTORY, FILE, LINK};
use super::{Meta, Platform};
use crate::model::EntryKind;

/// The system's kind.
pub fn platform() -> Platform {
    if cfg!(target_os = "macos") {
        Platform::Mac
    } else if cfg!(windows) {
        Platform::Windows
    } else {
        Platform::Unix
    }
}

/// A variable of the environment; none where it is no text.
pub fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// Nanoseconds since 1970.
pub fn nanoseconds() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos() as i64)
}

/// The stat data of a path; of a last link's target with `follow`.
pub fn stat(path: &Path, follow: bool) -> io::Result<Meta> {
    let meta = if follow { std::fs::metadata(path) } else { std::fs::symlink_metadata(path) };
    meta.map(|meta| Meta::from(&meta))
}

/// Where a link leads, as it is written; none where the path is no link.
pub fn target(path: &Path) -> io::Result<Option<PathBuf>> {
    match std::fs::read_link(path) {
        Ok(target) => Ok(Some(target)),
        // What is there and is no link. A text that names nothing (a NUL byte) is as invalid, but no answer of the system.
        Err(fault) if is_no_link(&fault) => Ok(None),
        Err(fault) => Err(fault),
    }
}

#[cfg(unix)]
fn is_no_link(fault: &io::Error) -> bool {
    fault.raw_os_error() == Some(libc::EINVAL)
}

#[cfg(not(unix))]
fn is_no_link(fault: &io::Error) -> bool {
    const ERROR_NOT_A_REPARSE_POINT: i32 = 4390;
    fault.raw_os_error() == Some(ERROR_NOT_A_REPARSE_POINT)
}

/// The path with every link resolved; it must exist.
pub fn real(path: &Path) -> io::Result<PathBuf> {
    std::fs::canonicalize(path)
}

/// The names in a directory with what they name, links not followed, in no order; one more than `limit` where there are more.
pub fn list(path: &Path, limit: usize) -> io::Result<Vec<(OsString, EntryKind)>> {
    let entries = std::fs::read_dir(path)?.take(limit.saturating_add(1));
    entries.map(|entry| entry.and_then(|entry| Ok((entry.file_name(), kind(entry.file_type()?))))).collect()
}

fn kind(file: FileType) -> EntryKind {
    if file.is_symlink() {
        EntryKind::Link
    } else if file.is_dir() {
        EntryKind::Directory
    } else if file.is_file() {
        EntryKind::File
    } else {
        EntryKind::Other
    }
}

impl From<&Metadata> for Meta {
    #[cfg(unix)]
    fn from(meta: &Metadata) -> Meta {
        use std::os::unix::fs::MetadataExt;
        let nanoseconds = |seconds: i64, rest: i64| seconds.saturating_mul(1_000_000_000).saturating_add(rest);
        Meta {
            mode: meta.mode(),
            user: meta.uid(),
            group: meta.gid(),
            inode: meta.ino(),
            size: meta.len(),
            modified: nanoseconds(meta.mtime(), meta.mtime_nsec()),
            changed: nanoseconds(meta.ctime(), meta.ctime_nsec()),
            whole: true,
        }
    }

    #[cfg(not(unix))]
    fn from(meta: &Metadata) -> Meta {
        let since = |time: io::Result<SystemTime>| {
            let time = time.ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
            time.map_or(0, |time| time.as_nanos() as i64)
        };
        let mode = match kind(meta.file_type()) {
            EntryKind::File => FILE,
            EntryKind::Directory => DIRECTORY,
            EntryKind::Link => LINK,
            EntryKind::Other => 0,
        };
        let (modified, changed) = (since(meta.modified()), since(meta.created()));
        Meta { mode, user: 0, group: 0, inode: 0, size: meta.len(), modified, changed, whole: false }
    }
}
