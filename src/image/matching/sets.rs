//! The sets of paths that conditions name, as tries. A short command asks few of them, each once, and only for what its words may
//! mean; a long script asks the same ones a thousand times.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use super::super::trie::Trie;
use crate::model::rule::PathSet;

/// After so many questions a whole trie is worth its making.
const FEW: u32 = 16;
/// How many tries are kept.
const MOST: usize = 256;

/// What was made in one evaluation.
#[derive(Default)]
pub(super) struct Sets {
    asked: Cell<u32>,
    known: RefCell<Vec<(PathSet, Rc<Trie>)>>,
}

impl Sets {
    /// The whole trie of a set; `None` while one for the word at hand alone is cheaper.
    pub(super) fn trie(&self, set: &PathSet, whole: impl FnOnce() -> Trie) -> Option<Rc<Trie>> {
        let asked = self.asked.get().saturating_add(1);
        self.asked.set(asked);
        if asked <= FEW {
            return None;
        }
        let mut known = self.known.borrow_mut();
        if let Some((_, trie)) = known.iter().find(|(other, _)| other == set) {
            return Some(trie.clone());
        }
        let trie = Rc::new(whole());
        if known.len() < MOST {
            known.push((set.clone(), trie.clone()));
        }
        Some(trie)
    }
}
