//! Sets of words: members as written → unions of differences.

use super::names::{PLACES, Resolved, UNION_LIMIT};
use crate::language::diagnostic::{At, Faults, nearest};
use crate::language::tree::Raw;
use crate::language::word;
use crate::model::rule::{WordPattern, WordSet};

/// A union of differences that grows.
pub struct Union {
    except: Vec<WordPattern>,
    sets: Vec<WordSet>,
}

impl Union {
    /// Nothing, with `except` taken out of all that will be added.
    pub fn new(except: Vec<WordPattern>) -> Union {
        Union { except, sets: Vec::new() }
    }

    /// Adds a word; false where it is faulty.
    pub fn add(&mut self, raw: Raw<'_>, faults: &mut Faults) -> bool {
        let mut any = Vec::new();
        if !push(raw, &mut any, faults) {
            return false;
        }
        self.join(any, Vec::new());
        true
    }

    /// Adds what a name stands for; false where it does not stand for words.
    pub fn add_set(&mut self, resolved: Resolved, raw: Raw<'_>, faults: &mut Faults) -> bool {
        match resolved {
            Resolved::Words(sets) => {
                for set in sets {
                    self.join(set.any, set.except);
                }
                if self.sets.len() > UNION_LIMIT {
                    too_many(raw.at, faults);
                    return false;
                }
                true
            }
            Resolved::Paths(_) => {
                not_words(raw, faults);
                false
            }
            Resolved::Broken => false,
        }
    }

    /// The sets; members with the same exceptions are joined.
    pub fn finish(self) -> Vec<WordSet> {
        self.sets
    }

    fn join(&mut self, any: Vec<WordPattern>, mut except: Vec<WordPattern>) {
        for pattern in &self.except {
            if !except.contains(pattern) {
                except.push(pattern.clone());
            }
        }
        match self.sets.iter_mut().find(|set| set.except == except) {
            Some(set) => set.any.extend(any),
            None => self.sets.push(WordSet { any, except }),
        }
    }
}

/// Adds a word's glob; false where the word is faulty.
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
        Resolved::Words(sets) => {
            for set in sets {
                if !set.except.is_empty() {
                    nested_exception(raw, faults);
                    return false;
                }
                into.extend(set.any);
            }
            true
        }
        Resolved::Paths(_) => {
            not_words(raw, faults);
            false
        }
        Resolved::Broken => false,
    }
}

/// The glob of a word that is compared as text.
pub fn pattern(raw: Raw<'_>, faults: &mut Faults) -> Option<WordPattern> {
    if raw.text.starts_with('@') {
        let name_end =
            raw.text[1..].find(|c: char| !c.is_ascii_alphanumeric() && c != '-' && c != '_').map_or(raw.text.len(), |i| i + 1);
        let name = &raw.text[1..name_end];
        let (head, tail) = raw.text.split_at(name_end);
        let help = if PLACES.contains(&name) {
            format!("places are for paths; as a word it is written `\"{head}\"{tail}`")
        } else {
            format!("`@` begins the name of a set; as a letter it is quoted: `\"{head}\"{tail}`")
        };
        faults
            .error("rulebook::unquoted-at", raw.at, "begins with `@`", format!("`{}` is neither a set nor a word", raw.text))
            .help(help);
        return None;
    }
    glob(raw, faults)
}

/// The glob of a word, whatever it is for.
pub fn glob(raw: Raw<'_>, faults: &mut Faults) -> Option<WordPattern> {
    match word::glob(raw.text) {
        Ok(pattern) => Some(pattern),
        Err(bad) => {
            let at = At { start: raw.at.start + bad.start, end: raw.at.start + bad.end };
            faults
                .error("rulebook::bad-class", at, "a range runs backwards, or nothing is in it", "this class matches no letter")
                .help("write the smaller letter first: `[a-z]`");
            None
        }
    }
}

/// A word without globs; one with globs is reported.
pub fn literal(raw: Raw<'_>, what: &str, faults: &mut Faults) -> Option<String> {
    let pattern = glob(raw, faults)?;
    match pattern.as_literal() {
        Some(text) => Some(text.to_string()),
        None => {
            faults
                .error("rulebook::glob-not-allowed", raw.at, "has a glob", format!("{what} is written without globs"))
                .help(format!("if these letters are meant, quote them: `\"{}\"`", raw.text));
            None
        }
    }
}

/// Reports a set of paths where words are compared.
pub fn not_words(raw: Raw<'_>, faults: &mut Faults) {
    faults
        .error(
            "rulebook::wrong-set",
            raw.at,
            "a set of paths",
            format!("`{}` is a set of paths, and words are compared here", raw.text),
        )
        .help(format!("capture the word and compare its path: `<target>` and `when <target> in {}`", raw.text));
}

/// Reports a set that is taken out although it has exceptions itself.
pub fn nested_exception(raw: Raw<'_>, faults: &mut Faults) {
    faults
        .error(
            "rulebook::nested-except",
            raw.at,
            "has an `except` itself",
            "a set that is taken out may not have exceptions of its own",
        )
        .help("name the members that are to be taken out");
}

/// Reports a union that is too wide.
pub fn too_many(at: At, faults: &mut Faults) {
    faults
        .error(
            "rulebook::too-many-alternatives",
            at,
            "one too many",
            format!("more than {UNION_LIMIT} sets with exceptions are joined here"),
        )
        .help("join the members into one `list` or `paths`");
}

/// The name that was likely meant, as help.
pub fn meant<'a>(word: &str, known: impl IntoIterator<Item = &'a str> + Clone) -> String {
    match nearest(word, known.clone()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("one of: {}", known.into_iter().collect::<Vec<_>>().join(", ")),
    }
}
