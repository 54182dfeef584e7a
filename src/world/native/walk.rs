//! Paths through links, component by component: a path is resolved as far as it exists, the rest stays as written.

use std::path::Path;

use super::{Native, is_missing};
use crate::model::path::join;
use crate::world::disk::{self, Meta, Platform};

/// How many links a path may lead through, as on Linux.
const LINKS: u32 = 40;

impl Native {
    /// The path with every link resolved; `None` past the budget, or where the links lead in a circle.
    pub(super) fn resolve(&self, path: &str) -> Option<String> {
        if disk::platform() == Platform::Windows { self.resolve_whole(path) } else { self.resolve_by_links(path) }
    }

    fn resolve_by_links(&self, path: &str) -> Option<String> {
        if self.resolved.borrow().is_empty() {
            self.resolve_working_directory();
        }
        if let Some(real) = self.resolved.borrow().get(path) {
            return Some(real.clone());
        }
        let (mut at, mut rest) = self.known_beginning(path);
        let (mut links, mut exists) = (0, true);
        while let Some(part) = rest.pop() {
            if part == ".." {
                at = join(&at, "..");
                continue;
            }
            let next = [at.trim_end_matches('/'), "/", &part].concat();
            if !exists {
                at = next;
                continue;
            }
            // Short of a link it would have been the known beginning.
            let known = if links > 0 { self.resolved.borrow().get(&next).cloned() } else { None };
            if let Some(real) = known {
                at = real;
                continue;
            }
            self.spend_stat()?;
            match disk::target(Path::new(&next)) {
                Ok(Some(target)) => {
                    links += 1;
                    if links > LINKS {
                        return None;
                    }
                    let target = target.to_str()?;
                    if target.starts_with('/') {
                        at = "/".into();
                    }
                    rest.extend(components(target));
                }
                Ok(None) => at = next,
                Err(fault) if is_missing(&fault) => {
                    exists = false;
                    at = next;
                }
                Err(_) => return None,
            }
            if exists && links == 0 {
                self.resolved.borrow_mut().insert(at.clone(), at.clone());
            }
        }
        self.resolved.borrow_mut().insert(path.to_string(), at.clone());
        Some(at)
    }

    /// The system names the directory that this process works in without links: mostly the one that the call is about.
    fn resolve_working_directory(&self) {
        let Some(directory) = Native::working_directory().filter(|at| at.starts_with('/')) else { return };
        let mut resolved = self.resolved.borrow_mut();
        let above = directory.match_indices('/').map(|(cut, _)| &directory[..cut]).filter(|above| !above.is_empty());
        for known in above.chain([directory.as_str()]) {
            resolved.insert(known.to_string(), known.to_string());
        }
    }

    /// The longest beginning of a path that was resolved before, and the components after it, last first.
    fn known_beginning(&self, path: &str) -> (String, Vec<String>) {
        let resolved = self.resolved.borrow();
        let cuts = path.rmatch_indices('/').map(|(cut, _)| cut).take_while(|cut| *cut > 0);
        let known = cuts.filter_map(|cut| Some((resolved.get(&path[..cut])?.clone(), components(&path[cut..])))).next();
        known.unwrap_or_else(|| ("/".into(), components(path)))
    }

    /// By the system's own answer, which on Windows undoes short names and letters' case, too.
    fn resolve_whole(&self, path: &str) -> Option<String> {
        self.spend_stat()?;
        let (mut existing, mut rest): (&str, Vec<&str>) = (path, Vec::new());
        loop {
            match disk::real(Path::new(existing)) {
                Ok(real) => {
                    let real = super::slashed(real.to_str()?.trim_start_matches(r"\\?\"));
                    return Some(rest.iter().rev().fold(real, |at, part| join(&at, part)));
                }
                Err(fault) if is_missing(&fault) => {
                    let (parent, last) = existing.trim_end_matches('/').rsplit_once('/')?;
                    rest.push(last);
                    existing = if parent.ends_with(':') { &existing[..parent.len() + 1] } else { parent };
                }
                Err(_) => return None,
            }
        }
    }

    /// Whether the user that runs this process owns the file; taken for granted where the system's answer is an access list.
    pub(super) fn owns(&self, meta: &Meta) -> bool {
        !meta.whole || meta.user == self.user
    }
}

/// Last first, so that the next one is popped.
fn components(path: &str) -> Vec<String> {
    path.split('/').rev().filter(|part| !part.is_empty() && *part != ".").map(String::from).collect()
}
