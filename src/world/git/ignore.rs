//! Ignore files (`gitignore`): the nearest file's last matching line decides; below an ignored directory nothing comes back.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::{Checkout, glob::Glob};
use crate::world::disk;
use crate::world::file::{self, Links};

const LIMIT: u64 = 256 << 10;
/// How many ignore files are read for one work tree.
const FILES: usize = 64;

/// One line of an ignore file.
#[derive(Debug)]
struct Line {
    glob: Glob,
    negated: bool,
    directories: bool,
    /// Whether it is about the path from the file's folder rather than about a name anywhere below.
    anchored: bool,
}

/// The ignore files that were read, by path; `None` for one that could not be.
#[derive(Debug, Default)]
pub struct Cache(RefCell<BTreeMap<PathBuf, Option<Rc<Vec<Line>>>>>);

impl Cache {
    fn lines(&self, path: PathBuf) -> Option<Rc<Vec<Line>>> {
        if let Some(lines) = self.0.borrow().get(&path) {
            return lines.clone();
        }
        if self.0.borrow().len() >= FILES {
            return None;
        }
        let lines = match file::read(&path, LIMIT, Links::Follow) {
            Ok(bytes) => Some(String::from_utf8_lossy(&bytes).lines().filter_map(line).collect::<Vec<_>>().into()),
            Err(fault) => fault.is_missing().then(Rc::default),
        };
        self.0.borrow_mut().insert(path, lines.clone());
        lines
    }
}

/// Whether a path below the root is ignored, or lies in an ignored directory.
pub fn ignores(checkout: &Checkout, cache: &Cache, below: &str, directory: bool, homes: &[String]) -> Option<bool> {
    let ends: Vec<usize> = below.match_indices('/').map(|(at, _)| at).chain([below.len()]).collect();
    for end in &ends {
        let is_directory = *end < below.len() || directory;
        if verdict(checkout, cache, &below[..*end], is_directory, homes)? {
            return Some(true);
        }
    }
    Some(false)
}

fn verdict(checkout: &Checkout, cache: &Cache, path: &str, directory: bool, homes: &[String]) -> Option<bool> {
    // From the nearest folder up to the root, then the repository's and the user's own files.
    let mut folder = path.rsplit_once('/').map(|(folder, _)| folder);
    loop {
        let base = folder.unwrap_or("");
        let lines = cache.lines(checkout.root.join(base).join(".gitignore"))?;
        let rest = if base.is_empty() { path } else { &path[base.len() + 1..] };
        if let Some(answer) = decide(&lines, rest, directory) {
            return Some(answer);
        }
        match folder {
            Some(inner) => folder = inner.rsplit_once('/').map(|(outer, _)| outer),
            None => break,
        }
    }
    let others = [Some(checkout.common.join("info/exclude")), user_file(checkout, homes)];
    for file in others.into_iter().flatten() {
        if let Some(answer) = decide(&cache.lines(file)?, path, directory) {
            return Some(answer);
        }
    }
    Some(false)
}

fn user_file(checkout: &Checkout, homes: &[String]) -> Option<PathBuf> {
    let home = homes.first()?;
    match checkout.config(homes).last("core.excludesfile") {
        Some(file) => Some(match file.strip_prefix("~/") {
            Some(rest) => Path::new(home).join(rest),
            None => checkout.root.join(file),
        }),
        None => {
            let base = disk::variable("XDG_CONFIG_HOME").filter(|base| !base.is_empty());
            Some(PathBuf::from(base.unwrap_or_else(|| format!("{home}/.config"))).join("git/ignore"))
        }
    }
}

fn decide(lines: &[Line], path: &str, directory: bool) -> Option<bool> {
    let name = path.rsplit('/').next().unwrap_or(path);
    let matches = |line: &&Line| (directory || !line.directories) && line.glob.matches(if line.anchored { path } else { name });
    lines.iter().rev().find(matches).map(|line| !line.negated)
}

fn line(text: &str) -> Option<Line> {
    let mut text = text.strip_suffix('\r').unwrap_or(text);
    while text.ends_with([' ', '\t']) && !text.ends_with("\\ ") {
        text = &text[..text.len() - 1];
    }
    if text.is_empty() || text.starts_with('#') {
        return None;
    }
    let (negated, text) = text.strip_prefix('!').map_or((false, text), |rest| (true, rest));
    let (directories, text) = text.strip_suffix('/').map_or((false, text), |rest| (true, rest));
    let anchored = text.contains('/');
    let glob = Glob::new(text.strip_prefix('/').unwrap_or(text), false)?;
    (!text.is_empty()).then_some(Line { glob, negated, directories, anchored })
}
