//! Who may write the files that decide: what is wrong with each, and the one repair that is always safe.

use std::path::{Path, PathBuf};

use super::disk;
use super::file::{self, FileFault};

/// How many files are looked at below one directory.
const LIMIT: usize = 4096;

/// What is wrong with a file or directory, as a phrase; nothing where only the user and root may write it. Links are not followed.
fn fault(path: &Path) -> Option<String> {
    let meta = disk::stat(path, false).ok()?;
    if meta.is_symlink() {
        return None;
    }
    match file::believe(path, &meta) {
        Err(FileFault::Owner(_)) => Some("owned by another user".into()),
        Err(FileFault::Mode(_)) => Some(format!("others may write it (mode {:o})", meta.mode & 0o7777)),
        _ => None,
    }
}

/// A path and everything below it that others may write.
pub fn faults(root: &Path) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut open = vec![root.to_path_buf()];
    let mut seen = 0;
    while let Some(path) = open.pop() {
        seen += 1;
        if seen > LIMIT {
            break;
        }
        found.extend(fault(&path).map(|what| (path.clone(), what)));
        let is_folder = std::fs::symlink_metadata(&path).is_ok_and(|meta| meta.is_dir());
        if is_folder && let Ok(entries) = std::fs::read_dir(&path) {
            open.extend(entries.flatten().map(|entry| entry.path()));
        }
    }
    found.sort();
    found
}

/// Takes the right to write from others. Whether that was done.
pub fn mend(path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let Ok(meta) = std::fs::symlink_metadata(path) else { return false };
        let mode = meta.permissions().mode() & !0o022;
        !meta.is_symlink() && std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).is_ok()
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        false
    }
}
