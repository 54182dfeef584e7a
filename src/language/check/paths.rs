//! Paths as written → patterns.

use super::names::{PLACES, Resolved, is_place, is_reference};
use super::union::Set;
use super::words::glob;
use crate::language::diagnostic::{Faults, nearest};
use crate::language::tree::Raw;
use crate::language::word;
use crate::model::rule::{PathSet, PatternPart, WordPattern};

impl Set for PathSet {
    fn is_named(raw: &Raw<'_>) -> bool {
        is_reference(raw) && !is_place(raw)
    }

    fn pattern(raw: Raw<'_>, faults: &mut Faults) -> Option<WordPattern> {
        pattern(raw, faults)
    }

    fn named(resolved: Resolved, raw: Raw<'_>, faults: &mut Faults) -> Option<Vec<PathSet>> {
        match resolved {
            Resolved::Paths(sets) => Some(sets),
            Resolved::Words(_) => {
                not_paths(raw, faults);
                None
            }
            Resolved::Broken => None,
        }
    }

    fn of(pattern: WordPattern) -> PathSet {
        PathSet { any: vec![pattern], ..PathSet::default() }
    }

    fn parts(self) -> (Vec<WordPattern>, Vec<WordPattern>) {
        (self.any, self.except)
    }

    fn except(&mut self) -> &mut Vec<WordPattern> {
        &mut self.except
    }

    fn absorb(&mut self, other: PathSet) {
        self.any.extend(other.any);
        self.settings.extend(other.settings);
    }
}

/// A list of the settings, as a set.
pub fn of_setting(name: &str) -> PathSet {
    PathSet { settings: vec![name.to_string()], ..PathSet::default() }
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
