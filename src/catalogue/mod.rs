//! The embedded layer: the rulebooks of `rules/`, compiled into the binary by the build script (`bake.rs`).
//!
//! It is loaded by the way that any image takes. The texts are there for reports that underline a rule; a hook never touches the
//! pages that they lie in.

use std::sync::{Arc, OnceLock};

use crate::image::{Fault, Image};
use crate::model::declaration::Syntax;
use crate::model::rule::{PathSet, WordSet};

static IMAGE: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/catalogue.image"));
static NAMES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/catalogue.known"));

include!(concat!(env!("OUT_DIR"), "/texts.rs"));

/// The image of the catalogue; all of a process share what was decoded of it. A fault is one of the build: the binary is damaged.
pub fn image() -> Result<Image, Fault> {
    static OPENED: OnceLock<Result<Image, Fault>> = OnceLock::new();
    OPENED.get_or_init(|| Image::open(Arc::new(IMAGE))).clone()
}

/// What rulebooks of other layers may refer to.
#[derive(Debug, Clone, PartialEq, Eq, serde::Deserialize)]
pub struct Names {
    /// Named sets of words.
    pub lists: Vec<(String, WordSet)>,
    /// Named sets of paths.
    pub paths: Vec<(String, PathSet)>,
    /// Embedded languages.
    pub languages: Vec<String>,
    /// Programs and how their arguments are written.
    pub commands: Vec<(Vec<String>, Syntax)>,
}

/// The names of the catalogue; none where the binary is damaged.
pub fn names() -> Option<Names> {
    postcard::from_bytes(NAMES).ok()
}

/// Every rulebook's name, relative to `rules/`, and its text, sorted by name.
pub fn texts() -> &'static [(&'static str, &'static str)] {
    TEXTS
}

/// The text of a rulebook by the name that findings and diagnostics give.
pub fn text(file: &str) -> Option<&'static str> {
    TEXTS.binary_search_by(|(name, _)| (*name).cmp(file)).ok().map(|at| TEXTS[at].1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_catalogue_is_whole_and_has_its_texts() {
        let image = image().expect("an image");
        image.verify().expect("whole");
        assert!(image.settings().is_ok());
        assert!(names().is_some());
        for (name, text_of) in texts() {
            assert_eq!(text(name), Some(*text_of));
        }
        for id in image.rule_ids().expect("ids") {
            let rule = image.rule(&id).expect("read").expect("there");
            assert!(
                text(&rule.at.file).is_some_and(|text| text.get(rule.at.start as usize..rule.at.end as usize).is_some()),
                "{id}"
            );
        }
    }
}
