//! Rulebooks on disk, gathered: files as they are named, folders with all that is below them.

use std::path::{Path, PathBuf};

use crate::cli::machine;
use crate::language::{Checked, File, Known, Rulebook, check_layer};
use crate::layers;
use crate::policy::Layers;
use crate::world::file::{self, Links};

/// The ending of a rulebook's file.
const ENDING: &str = "rulebook";

/// The largest file that is read; the language says more about files that are too large for it.
const SIZE: u64 = 4 << 20;

/// The deepest folder that is looked into.
const DEPTH: usize = 16;

/// Rulebooks that stand together: a folder, or the files that were named one by one.
#[derive(Debug)]
pub struct Set {
    /// Named as the person named them, so that a report leads to the file.
    pub files: Vec<File>,
    /// Whether these are the catalogue's own sources: then they are judged as the embedded layer, instead of it.
    pub catalogue: bool,
    /// Whether these are the sources of another version of the catalogue, or of this one.
    pub like_catalogue: bool,
}

impl Set {
    /// Checked as a layer, over the catalogue.
    pub fn check(&self) -> Checked {
        let known = if self.catalogue { Known::default() } else { layers::known() };
        check_layer(&self.files, &known)
    }

    /// The layers in which its examples are judged.
    pub fn stack(&self, rulebooks: &[Rulebook]) -> Result<Layers, String> {
        if self.catalogue { machine::stack(Some(rulebooks), &[]) } else { machine::stack(None, rulebooks) }
    }
}

/// Gathers what the paths name; the rulebooks of this project and of the user where none is named.
pub fn gather(paths: &[PathBuf]) -> Result<Vec<Set>, String> {
    let standing;
    let paths = if paths.is_empty() {
        standing = standing_folders();
        if standing.is_empty() {
            return Err("no rulebooks are here: name files or folders".into());
        }
        &standing
    } else {
        paths
    };
    let mut sets = Vec::new();
    let mut single = Vec::new();
    for path in paths {
        let meta = std::fs::metadata(path).map_err(|error| format!("`{}`: {error}", path.display()))?;
        if meta.is_dir() {
            let mut found = Vec::new();
            walk(path, 0, &mut found)?;
            if found.is_empty() {
                return Err(format!("`{}` has no .{ENDING} files", path.display()));
            }
            found.sort();
            let files = found.iter().map(|each| read(each)).collect::<Result<Vec<File>, String>>()?;
            let names: Vec<String> = found.iter().filter_map(|each| relative(each, path)).collect();
            let catalogue = machine::is_catalogue(&names);
            sets.push(Set { files, catalogue, like_catalogue: catalogue || machine::is_like_catalogue(&names) });
        } else {
            single.push(read(path)?);
        }
    }
    if !single.is_empty() {
        sets.push(Set { files: single, catalogue: false, like_catalogue: false });
    }
    Ok(sets)
}

fn standing_folders() -> Vec<PathBuf> {
    let home = std::env::var_os("HOME").map(PathBuf::from);
    let places = [Some(PathBuf::from(".cc-safety-net/rules")), home.map(|home| home.join(".cc-safety-net/rules"))];
    places.into_iter().flatten().filter(|place| place.is_dir()).collect()
}

/// Links are not followed: a folder must not lead out of itself.
fn walk(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) -> Result<(), String> {
    if depth > DEPTH {
        return Err(format!("`{}` lies too deep", folder.display()));
    }
    let entries = std::fs::read_dir(folder).map_err(|error| format!("`{}`: {error}", folder.display()))?;
    for entry in entries {
        let entry = entry.map_err(|error| format!("`{}`: {error}", folder.display()))?;
        let kind = entry.file_type().map_err(|error| format!("`{}`: {error}", entry.path().display()))?;
        let path = entry.path();
        if kind.is_dir() {
            walk(&path, depth + 1, found)?;
        } else if kind.is_file() && path.extension().is_some_and(|ending| ending == ENDING) {
            found.push(path);
        }
    }
    Ok(())
}

fn read(path: &Path) -> Result<File, String> {
    let bytes = file::read(path, SIZE, Links::Follow).map_err(|error| error.to_string())?;
    let text = String::from_utf8(bytes)
        .map_err(|error| format!("`{}` is not UTF-8 (byte {})", path.display(), error.utf8_error().valid_up_to()))?;
    Ok(File { name: slashed(path), text })
}

fn relative(path: &Path, folder: &Path) -> Option<String> {
    path.strip_prefix(folder).ok().map(slashed)
}

fn slashed(path: &Path) -> String {
    let text = path.to_string_lossy().into_owned();
    if cfg!(windows) { text.replace('\\', "/") } else { text }
}
