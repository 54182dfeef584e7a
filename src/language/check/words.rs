//! Words as written → patterns, and what may be wrong with a word.

use super::names::{PLACES, Resolved, UNION_LIMIT, is_reference};
use super::union::Set;
use crate::language::diagnostic::{At, Faults, nearest};
use crate::language::tree::Raw;
use crate::language::word;
use crate::model::rule::{WordPattern, WordSet};

impl Set for WordSet {
    fn is_named(raw: &Raw<'_>) -> bool {
        is_reference(raw)
    }

    fn pattern(raw: Raw<'_>, faults: &mut Faults) -> Option<WordPattern> {
        pattern(raw, faults)
    }

    fn named(resolved: Resolved, raw: Raw<'_>, faults: &mut Faults) -> Option<Vec<WordSet>> {
        match resolved {
            Resolved::Words(sets) => Some(sets),
            Resolved::Paths(_) => {
                not_words(raw, faults);
                None
            }
            Resolved::Broken => None,
        }
    }

    fn of(pattern: WordPattern) -> WordSet {
        WordSet { any: vec![pattern], except: Vec::new() }
    }

    fn parts(self) -> (Vec<WordPattern>, Vec<WordPattern>) {
        (self.any, self.except)
    }

    fn except(&mut self) -> &mut Vec<WordPattern> {
        &mut self.except
    }

    fn absorb(&mut self, other: WordSet) {
        self.any.extend(other.any);
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
