//! Refs: what is checked out, and which names mean a commit (`gitrevisions`).

use std::ffi::OsString;
use std::path::Path;

use super::Checkout;
use crate::world::disk;
use crate::world::file::{self, Links};

/// The largest `packed-refs` that is read, in bytes.
const PACKED: u64 = 8 << 20;

/// The branch that is checked out; none where a commit is.
pub fn branch(checkout: &Checkout) -> Option<String> {
    let head = small(&checkout.records.join("HEAD"))?;
    head.strip_prefix("ref: refs/heads/").map(|name| name.trim_end().to_string())
}

/// Whether a name is a branch, a tag, a remote branch, or an expression on one. A short object name that is not lying loose
/// cannot be told from nothing without reading packs: not known.
pub fn is_ref(checkout: &Checkout, name: &str, reftables: bool) -> Option<bool> {
    let base = name.split(['~', '^', ':']).next().unwrap_or(name);
    let base = base.split("@{").next().unwrap_or(base);
    let modified = base.len() < name.len();
    if matches!(base, "@" | "-" | "HEAD") || (base.is_empty() && name.starts_with("@{")) {
        return Some(true);
    }
    if !is_name(base) {
        return Some(false);
    }
    if reftables {
        return None;
    }
    let candidates = [
        format!("refs/{base}"),
        format!("refs/tags/{base}"),
        format!("refs/heads/{base}"),
        format!("refs/remotes/{base}"),
        format!("refs/remotes/{base}/HEAD"),
        base.to_string(),
    ];
    let pseudo = base.ends_with("HEAD") && base.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_');
    if pseudo && checkout.records.join(base).is_file() {
        return Some(true);
    }
    let known = |name: &String| {
        name.starts_with("refs/") && (checkout.common.join(name).is_file() || checkout.records.join(name).is_file())
    };
    if candidates.iter().any(known) || (!modified && loose_remote(&checkout.common, base)) {
        return Some(true);
    }
    match packed(&checkout.common, &candidates, base) {
        Some(false) if (4..=64).contains(&base.len()) && base.bytes().all(|byte| byte.is_ascii_hexdigit()) => {
            if loose_object(&checkout.common, &base.to_ascii_lowercase()) { Some(true) } else { None }
        }
        answer => answer,
    }
}

/// `git check-ref-format`, as far as it keeps a name from leading out of the records.
fn is_name(name: &str) -> bool {
    let bad = |part: &str| part.is_empty() || part.starts_with('.') || part.ends_with(".lock");
    let characters = |c: char| c.is_control() || " ~^:?*[\\".contains(c);
    !name.is_empty()
        && !name.contains("..")
        && !name.contains(characters)
        && !name.starts_with('-')
        && !name.split('/').any(bad)
}

/// `fix` for `origin/fix`: what `git checkout fix` makes a branch of.
fn loose_remote(common: &Path, name: &str) -> bool {
    let folder = common.join("refs/remotes");
    let Ok(remotes) = disk::list(&folder, 64) else { return false };
    let is_there = |remote: &OsString| disk::stat(&folder.join(remote).join(name), true).is_ok_and(|meta| meta.is_file());
    remotes.iter().any(|(remote, _)| is_there(remote))
}

fn packed(common: &Path, candidates: &[String], base: &str) -> Option<bool> {
    let bytes = match file::read(&common.join("packed-refs"), PACKED, Links::Follow) {
        Ok(bytes) => bytes,
        Err(fault) => return fault.is_missing().then_some(false),
    };
    let text = String::from_utf8_lossy(&bytes);
    let mut names = text.lines().filter(|line| !line.starts_with(['#', '^'])).filter_map(|line| line.split_once(' '));
    Some(names.any(|(_, name)| {
        let short = || name.strip_prefix("refs/remotes/").and_then(|rest| rest.split_once('/'));
        candidates.iter().any(|candidate| candidate == name) || short().is_some_and(|(_, rest)| rest == base)
    }))
}

fn loose_object(common: &Path, name: &str) -> bool {
    let (folder, rest) = name.split_at(2);
    let Ok(entries) = disk::list(&common.join("objects").join(folder), 4096) else { return false };
    entries.iter().any(|(name, _)| name.to_string_lossy().starts_with(rest))
}

fn small(path: &Path) -> Option<String> {
    file::read(path, 64 << 10, Links::Follow).ok().and_then(|bytes| String::from_utf8(bytes).ok())
}
