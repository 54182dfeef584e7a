//! Rulebooks of a folder, as they are now. Links in it are passed over: it must not lead out of itself.

use std::path::Path;

use super::{Basket, PLACES};
use crate::language::File;
use crate::model::EntryKind;
use crate::world::disk;
use crate::world::file::{self, Links};

/// How many entries of one folder are looked at.
const ENTRIES: usize = 4096;

/// The rulebooks of the first of its places that has any, and what was passed over. A file is the one rulebook that it is.
pub fn read(path: &Path) -> Result<(Vec<File>, Vec<String>), String> {
    let mut basket = Basket::default();
    if !path.is_dir() {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if !Basket::is_rulebook(name) {
            return Err("it is neither a folder nor a rulebook's file".into());
        }
        take(&mut basket, path, name)?;
        return Ok((basket.files, basket.passed_over));
    }
    for place in PLACES {
        if !is_folder(path, place) {
            continue;
        }
        let folder = path.join(place);
        let mut entries = disk::list(&folder, ENTRIES).map_err(|fault| format!("{}: {fault}", folder.display()))?;
        entries.sort();
        for (name, kind) in entries {
            let Some(name) = name.to_str().filter(|name| Basket::is_rulebook(name)) else { continue };
            match kind {
                EntryKind::File => take(&mut basket, &folder.join(name), name)?,
                _ => basket.pass(name, "not a regular file"),
            }
        }
        if !basket.files.is_empty() {
            break;
        }
    }
    Ok((basket.files, basket.passed_over))
}

/// Whether each part of a place is a folder and no link to one.
fn is_folder(root: &Path, place: &str) -> bool {
    let mut at = root.to_path_buf();
    place.split('/').filter(|part| !part.is_empty()).all(|part| {
        at.push(part);
        disk::stat(&at, false).is_ok_and(|meta| !meta.is_symlink() && at.is_dir())
    })
}

fn take(basket: &mut Basket, path: &Path, name: &str) -> Result<(), String> {
    let size = disk::stat(path, false).map_or(0, |meta| meta.size);
    basket.take(name, size, || {
        let bytes = file::read(path, super::FILE_BYTES, Links::Refuse).map_err(|fault| fault.to_string())?;
        String::from_utf8(bytes).map_err(|_| format!("{}: not UTF-8", path.display()))
    })
}
