//! Where the project's layers are: every `.cc-safety-net` from the working directory up to the project's root.
//!
//! All of them and not only the nearest one: otherwise a new directory below would hide the rules of the one above.

use std::path::PathBuf;

use crate::model::path::{is_within, join};
use crate::model::{EntryKind, ToolCall, World};

/// The directory that holds a project's layer.
pub const NAME: &str = ".cc-safety-net";
/// How many directories are looked at.
const LEVELS: usize = 64;

/// The directories, the nearest one first.
pub fn project_directories(root: &str, tool: &ToolCall, world: &dyn World, reports: &mut Vec<String>) -> Vec<PathBuf> {
    let start = world.real(&join("/", &tool.directory)).filter(|start| is_within(start, root));
    let mut at = start.unwrap_or_else(|| root.to_string());
    let mut found = Vec::new();
    for _ in 0..LEVELS {
        let here = join(&at, NAME);
        match world.stat(&here, false).flatten().map(|stat| stat.kind) {
            Some(EntryKind::Directory) => found.push(PathBuf::from(here)),
            Some(_) => reports.push(format!("{here}: not a directory (links are not followed); ignored")),
            None => {}
        }
        if at == root {
            break;
        }
        match at.rsplit_once('/') {
            Some((above, _)) if is_within(above, root) => at.truncate(above.len()),
            _ => break,
        }
    }
    found
}
