//! What git knows, asked of its files.
//!
//! INVARIANT (unknown never exempts): a redirected repository, a format that is not read or a spent budget is `None`, never
//! `Some(true)`.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::{Native, is_missing};
use crate::model::path::join;
use crate::world::disk::{self, Meta};
use crate::world::git::{Checkout, refs};

/// A path, its work tree and what stands there.
struct Place {
    checkout: Rc<Checkout>,
    path: PathBuf,
    /// From the root.
    below: PathBuf,
    meta: Option<Meta>,
}

impl Native {
    /// The work tree that holds a directory, by the directory's real path.
    pub(super) fn checkout(&self, directory: &str) -> Option<Rc<Checkout>> {
        let real = self.resolve(directory)?;
        if let Some(known) = self.checkouts.borrow().get(&real) {
            return known.clone();
        }
        let mut found = None;
        for at in Path::new(&real).ancestors() {
            self.spend_stat()?;
            found = Checkout::at(at).map(Rc::new);
            if found.is_some() {
                break;
            }
        }
        self.checkouts.borrow_mut().insert(real, found.clone());
        found
    }

    /// `None`: not known. `Some(None)`: in no work tree.
    fn git_place(&self, path: &str) -> Option<Option<Place>> {
        let whole = join("/", path);
        let (folder, name) = whole.rsplit_once('/')?;
        // The last link is the file itself, unless the path says otherwise.
        let real = if path.ends_with('/') { self.resolve(path)? } else { join(&self.resolve(folder)?, name) };
        self.spend_stat()?;
        let meta = match disk::stat(Path::new(&real), false) {
            Ok(meta) => Some(meta),
            Err(fault) if is_missing(&fault) => None,
            Err(_) => return None,
        };
        let is_directory = meta.as_ref().is_some_and(Meta::is_dir);
        let parent = real.rsplit_once('/').map_or("/", |(parent, _)| parent);
        let Some(checkout) = self.checkout(if is_directory { &real } else { parent }) else { return Some(None) };
        if !checkout.is_sound(self.home_slice()) {
            return None;
        }
        let below = Path::new(&real).strip_prefix(&checkout.root).ok()?.to_path_buf();
        Some(Some(Place { checkout, path: real.into(), below, meta }))
    }

    pub(super) fn git_tracked(&self, path: &str) -> Option<bool> {
        let Some(place) = self.git_place(path)? else { return Some(false) };
        Some(place.checkout.index(self.home_slice())?.tracks(&bytes(&place.below)))
    }

    pub(super) fn git_clean(&self, path: &str) -> Option<bool> {
        let Some(place) = self.git_place(path)? else { return Some(false) };
        let index = place.checkout.index(self.home_slice())?;
        let name = bytes(&place.below);
        match &place.meta {
            None => Some(false),
            Some(meta) if !meta.is_dir() => index.is_clean(&name, meta),
            Some(_) => {
                let (mut any, mut unknown) = (false, false);
                for below in index.below(&name) {
                    Native::spend(&self.tracked, self.budget.tracked)?;
                    let Ok(meta) = disk::stat(&place.checkout.root.join(text(below)?), false) else {
                        return Some(false);
                    };
                    any = true;
                    match index.is_clean(below, &meta) {
                        Some(true) => {}
                        Some(false) => return Some(false),
                        None => unknown = true,
                    }
                }
                if unknown { None } else { Some(any) }
            }
        }
    }

    pub(super) fn git_ignored(&self, path: &str) -> Option<bool> {
        let Some(place) = self.git_place(path)? else { return Some(false) };
        if place.checkout.index(self.home_slice()).is_some_and(|index| index.tracks(&bytes(&place.below))) {
            return Some(false);
        }
        let directory = place.meta.as_ref().is_some_and(Meta::is_dir) || path.ends_with('/');
        place.checkout.ignores(place.below.to_str()?, directory, self.home_slice())
    }

    pub(super) fn git_recoverable(&self, path: &str) -> Option<bool> {
        let place = self.git_place(path)?;
        let missing = |place: &Place| place.meta.is_none();
        match place {
            None => {
                let nothing = disk::stat(Path::new(path), false).is_err_and(|fault| is_missing(&fault));
                Some(nothing)
            }
            Some(place) if missing(&place) => Some(true),
            Some(place) => self.all_clean(place),
        }
    }

    /// Whether every file at or below the place is clean. The first one that is not decides; an unknown one leaves it unknown.
    fn all_clean(&self, place: Place) -> Option<bool> {
        let index = place.checkout.index(self.home_slice())?;
        if place.below.components().any(|part| part.as_os_str() == ".git") {
            return Some(false);
        }
        let mut waiting = vec![(place.path, place.below, place.meta?)];
        let mut unknown = false;
        while let Some((path, below, meta)) = waiting.pop() {
            Native::spend(&self.tracked, self.budget.tracked)?;
            if !meta.is_dir() {
                match index.is_clean(&bytes(&below), &meta) {
                    Some(true) => {}
                    Some(false) => return Some(false),
                    None => unknown = true,
                }
                continue;
            }
            for (name, _) in disk::list(&path, self.budget.tracked as usize).ok()? {
                // The records themselves, or a repository within: no index of ours brings them back.
                if name == ".git" {
                    return Some(false);
                }
                if waiting.len() > self.budget.tracked as usize {
                    return None;
                }
                let entry = path.join(&name);
                let meta = disk::stat(&entry, false).ok()?;
                waiting.push((entry, below.join(name), meta));
            }
        }
        if unknown { None } else { Some(true) }
    }

    pub(super) fn git_is_ref(&self, directory: &str, name: &str) -> Option<bool> {
        let checkout = self.checkout(directory)?;
        let reftables =
            checkout.config(self.home_slice()).last("extensions.refstorage").is_some_and(|format| format != "files");
        refs::is_ref(&checkout, name, reftables)
    }

    pub(super) fn git_branch(&self, directory: &str) -> Option<String> {
        refs::branch(&*self.checkout(directory)?)
    }

    pub(super) fn git_linked(&self, directory: &str) -> Option<bool> {
        let Some(checkout) = self.checkout(directory) else { return Some(false) };
        if !checkout.is_linked() {
            return Some(false);
        }
        let config = checkout.config(self.home_slice());
        // Redirected, or configured to reach into submodules: what git would touch is not this tree alone.
        let recurses = config.last("submodule.recurse").is_some_and(|value| !value.eq_ignore_ascii_case("false"));
        let known = checkout.is_sound(self.home_slice()) && !config.is_partial() && config.last("core.worktree").is_none();
        if known && !recurses { Some(true) } else { None }
    }
}

#[cfg(unix)]
fn bytes(path: &Path) -> Vec<u8> {
    std::os::unix::ffi::OsStrExt::as_bytes(path.as_os_str()).to_vec()
}

#[cfg(not(unix))]
fn bytes(path: &Path) -> Vec<u8> {
    path.to_string_lossy().replace('\\', "/").into_bytes()
}

#[cfg(unix)]
fn text(bytes: &[u8]) -> Option<PathBuf> {
    Some(PathBuf::from(<std::ffi::OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(bytes)))
}

#[cfg(not(unix))]
fn text(bytes: &[u8]) -> Option<PathBuf> {
    std::str::from_utf8(bytes).ok().map(PathBuf::from)
}
