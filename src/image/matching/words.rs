//! A word against a set of word patterns.

use crate::model::invocation::Directory;
use crate::model::rule::WordSet;
use crate::model::word::{Value, Word};

use super::super::globs::matches;
use super::super::nfa::{Answer, Nfa, Scope};
use super::{Evaluation, Side};

/// Whether a known text is in the set.
pub fn holds(set: &WordSet, text: &str) -> bool {
    set.any.iter().any(|pattern| matches(pattern, text, Scope::Word))
        && !set.except.iter().any(|pattern| matches(pattern, text, Scope::Word))
}

impl Evaluation<'_> {
    /// The answer for one word. Nothing that a program computed exempts.
    pub(super) fn word(&self, word: &Word, set: &WordSet, directory: &Directory, side: Side) -> Answer {
        let answer = Answer::of_alternatives(word.values.iter().map(|value| self.value(value, set, directory, side)));
        if side == Side::Exempts && word.computed { answer.doubted() } else { answer }
    }

    fn value(&self, value: &Value, set: &WordSet, directory: &Directory, side: Side) -> Answer {
        if let Some(text) = value.known() {
            return Answer::known(holds(set, &text));
        }
        let formal = Nfa::new(&set.any, &set.except, Scope::Word, false).answer(value, &self.budget);
        if !value.has_glob() {
            return formal;
        }
        // The shell hands on the names that exist, or the text as written where there are none.
        let written = if value.has_hole() { formal } else { Answer::known(holds(set, &value.emptied())) };
        match side {
            Side::Exempts => formal.min(written),
            Side::Requires if written == Answer::Certain => Answer::Certain,
            Side::Requires if formal == Answer::No => written,
            Side::Requires => match self.expand(value, directory) {
                Some(names) if names.iter().any(|name| holds(set, name)) => Answer::Certain,
                Some(_) => written,
                None => Answer::Possible,
            },
        }
    }
}
