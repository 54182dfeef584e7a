//! Sets of paths: members as written → unions of differences.

use super::names::{PLACES, Resolved, UNION_LIMIT};
use super::words::{glob, nested_exception, too_many};
use crate::language::diagnostic::{Faults, nearest};
use crate::language::tree::Raw;
use crate::language::word;
use crate::model::rule::{PathSet, PatternPart, WordPattern};

/// A union of differences that grows.
pub struct Union {
    except: Vec<WordPattern>,
    sets: Vec<PathSet>,
}

impl Union {
    /// Nothing, with `except` taken out of all that will be added.
    pub fn new(except: Vec<WordPattern>) -> Union {
        Union { except, sets: Vec::new() }
    }

    /// Adds a path pattern or a place; false where it is faulty.
    pub fn add(&mut self, raw: Raw<'_>, faults: &mut Faults) -> bool {
        let mut any = Vec::new();
        if !push(raw, &mut any, faults) {
            return false;
        }
        self.join(PathSet { any, ..PathSet::default() });
        true
    }

    /// Adds what a name stands for; false where it does not stand for paths.
    pub fn add_set(&mut self, resolved: Resolved, raw: Raw<'_>, faults: &mut Faults) -> bool {
        match resolved {
            Resolved::Paths(sets) => {
                for set in sets {
                    self.join(set);
                }
                if self.sets.len() > UNION_LIMIT {
                    too_many(raw.at, faults);
                    return false;
                }
                true
            }
            Resolved::Words(_) => {
                not_paths(raw, faults);
                false
            }
            Resolved::Broken => false,
        }
    }

    /// Adds a list of the settings.
    pub fn add_setting(&mut self, name: &str) {
        self.join(PathSet { settings: vec![name.to_string()], ..PathSet::default() });
    }

    /// The sets; members with the same exceptions are joined.
    pub fn finish(self) -> Vec<PathSet> {
        self.sets
    }

    fn join(&mut self, mut set: PathSet) {
        for pattern in &self.except {
            if !set.except.contains(pattern) {
                set.except.push(pattern.clone());
            }
        }
        match self.sets.iter_mut().find(|other| other.except == set.except) {
            Some(other) => {
                other.any.extend(set.any);
                other.settings.extend(set.settings);
            }
            None => self.sets.push(set),
        }
    }
}

/// Adds a path pattern; false where it is faulty.
pub fn push(raw: Raw<'_>, into: &mut Vec<WordPattern>, faults: &mut Faults) -> bool {
    match pattern(raw, faults) {
        Some(pattern) => {
            into.push(pattern);
            true
        }
        None => false,
    }
}

/// Adds the members of a set that is taken out; it may not have exceptions itself.
pub fn flatten(resolved: Resolved, raw: Raw<'_>, into: &mut Vec<WordPattern>, faults: &mut Faults) -> bool {
    match resolved {
        Resolved::Paths(sets) => {
            for set in sets {
                if !set.except.is_empty() {
                    nested_exception(raw, faults);
                    return false;
                }
                into.extend(set.any);
            }
            true
        }
        Resolved::Words(_) => {
            not_paths(raw, faults);
            false
        }
        Resolved::Broken => false,
    }
}

/// The pattern of a word that is compared as a path.
pub fn pattern(raw: Raw<'_>, faults: &mut Faults) -> Option<WordPattern> {
    if let Some(rest) = raw.text.strip_prefix('@') {
        let name_end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '-' && c != '_').unwrap_or(rest.len());
        let (name, tail) = rest.split_at(name_end);
        if !PLACES.contains(&name) || !(tail.is_empty() || tail.starts_with('/')) {
            let help = match nearest(name, PLACES) {
                Some(near) => format!("did you mean `@{near}{tail}`?"),
                None => format!(
                    "a path may begin with `@project`, `@cwd` or `@tmp`; if the letters are meant, quote them: `\"{}\"`",
                    raw.text
                ),
            };
            faults
                .error(
                    "rulebook::unknown-place",
                    raw.at,
                    "no place",
                    format!("`@{name}` is no place that a path may begin with"),
                )
                .help(help);
            return None;
        }
    }
    let mut pattern = glob(raw, faults)?;
    if let Some(PatternPart::Literal(first)) = pattern.parts.first_mut() {
        // Quoted, a leading `@` or `~` is a letter: below the current directory, where it means that.
        if word::begins_quoted(raw.text) && first.starts_with(['@', '~']) {
            first.insert_str(0, "./");
        }
    }
    if pattern.parts.iter().any(|part| matches!(part, PatternPart::Literal(text) if text.contains('\\'))) {
        faults
            .error("rulebook::backslash-in-path", raw.at, "has a backslash", "paths are written with `/`, Windows paths, too")
            .help(format!("write `{}`", raw.text.replace("\\\\", "/")));
        return None;
    }
    Some(pattern)
}

/// Reports a list where paths are compared.
pub fn not_paths(raw: Raw<'_>, faults: &mut Faults) {
    faults
        .error(
            "rulebook::wrong-set",
            raw.at,
            "a list of words",
            format!("`{}` is a list of words, and paths are compared here", raw.text),
        )
        .help("declare it with `paths` instead of `list`");
}
