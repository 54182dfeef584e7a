//! Patches: which files one writes and which it takes away.
//!
//! In comes the text of a patch in either form that agents use, the `*** Begin Patch` form or a unified diff; out go the paths as
//! written. They become the fields `files.written_path` and `files.deleted_path`, which a rulebook's tool declaration names.
//! A header is taken with blanks before it, too, as the agents' own readers do: rather a file too many than one too few.

use serde_json::{Map, Value, json};

/// The field that [`name_files`] adds.
pub const FILES: &str = "files";

/// The files of a patch, in order, each once.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Files {
    /// Added, changed, or moved to.
    pub written: Vec<String>,
    /// Deleted, or moved away.
    pub deleted: Vec<String>,
}

/// Whether the text looks like a patch at all.
pub fn is_patch(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim_start);
    lines.any(|line| line.starts_with("*** Begin Patch") || line.starts_with("diff --git ") || line.starts_with("+++ "))
}

/// The files that the patch touches.
pub fn files(text: &str) -> Files {
    let mut files = Files::default();
    let mut updated: Option<&str> = None;
    let mut old: Option<&str> = None;
    for line in text.lines() {
        let line = line.trim();
        if let Some(path) = line.strip_prefix("*** Add File:") {
            put(&mut files.written, path);
        } else if let Some(path) = line.strip_prefix("*** Update File:") {
            updated = Some(path);
            put(&mut files.written, path);
        } else if let Some(path) = line.strip_prefix("*** Move to:") {
            put(&mut files.written, path);
            if let Some(from) = updated.take() {
                put(&mut files.deleted, from);
            }
        } else if let Some(path) = line.strip_prefix("*** Delete File:") {
            put(&mut files.deleted, path);
        } else if let Some(path) = line.strip_prefix("rename from ") {
            put(&mut files.deleted, path);
        } else if let Some(path) = line.strip_prefix("rename to ").or_else(|| line.strip_prefix("copy to ")) {
            put(&mut files.written, path);
        } else if let Some(path) = line.strip_prefix("--- ") {
            old = Some(side(path, "a/"));
        } else if let Some(path) = line.strip_prefix("+++ ") {
            match (side(path, "b/"), old.take()) {
                ("/dev/null", Some(old)) => put(&mut files.deleted, old),
                (new, _) => put(&mut files.written, new),
            }
        }
    }
    files
}

/// Adds the files of every text field that is a patch to the fields of a tool. An agent's own field of that name gives way: what it
/// says is still in the patch.
pub fn name_files(fields: &mut Map<String, Value>) {
    let mut all = Files::default();
    for text in fields.values().filter_map(Value::as_str).filter(|text| is_patch(text)) {
        let found = files(text);
        found.written.iter().for_each(|path| put(&mut all.written, path));
        found.deleted.iter().for_each(|path| put(&mut all.deleted, path));
    }
    if all != Files::default() {
        fields.insert(FILES.into(), json!({ "written_path": all.written, "deleted_path": all.deleted }));
    }
}

/// One side of a unified diff: without a time after a tab, quotes, and the letter that stands for the side.
fn side<'a>(path: &'a str, letter: &str) -> &'a str {
    let path = path.split('\t').next().unwrap_or(path).trim().trim_matches('"');
    path.strip_prefix(letter).unwrap_or(path)
}

fn put(paths: &mut Vec<String>, path: &str) {
    let path = path.trim();
    if !path.is_empty() && path != "/dev/null" && !paths.iter().any(|each| each == path) {
        paths.push(path.to_string());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> (Vec<String>, Vec<String>) {
        let files = files(text);
        (files.written, files.deleted)
    }

    fn paths(paths: &[&str]) -> Vec<String> {
        paths.iter().map(|path| (*path).to_string()).collect()
    }

    #[test]
    fn the_begin_patch_form() {
        let text = "*** Begin Patch\n*** Add File: a b.txt\n+x\n*** Update File: old.rs\n*** Move to: new.rs\n@@\n-a\n+b\n\
                    *** Delete File: gone.rs\n*** End Patch\n";
        assert_eq!(found(text), (paths(&["a b.txt", "old.rs", "new.rs"]), paths(&["old.rs", "gone.rs"])));
    }

    #[test]
    fn unified_diffs() {
        let text = "diff --git a/x b/x\n--- a/x\t2026-01-01\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n--- a/gone\n+++ /dev/null\n\
                    --- /dev/null\n+++ b/.env\nrename from p\nrename to q\n";
        assert_eq!(found(text), (paths(&["x", ".env", "q"]), paths(&["gone", "p"])));
    }

    #[test]
    fn what_is_no_patch_names_nothing() {
        let mut fields = Map::new();
        fields.insert("command".into(), Value::String("ls -l".into()));
        name_files(&mut fields);
        assert_eq!(fields.len(), 1);
    }
}
