//! Text of rulebooks ⇄ checked rulebooks.
//!
//! A text is split into items, each item is parsed by itself, and what was parsed is checked, so that a file reports all its
//! faults in one run and a fault costs one item. Nothing here fails: bad text gives diagnostics beside whatever could be read.

pub mod checked;

pub use checked::{Example, ExampleInput, ExampleWorld, Rulebook};

/// A rulebook's text and the name that reports call it by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// `git.rulebook`, relative to its layer.
    pub name: String,
    /// Its text.
    pub text: String,
}
