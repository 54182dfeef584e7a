//! Text of rulebooks ⇄ checked rulebooks.
//!
//! A text is split into items ([`split`](self)), each item is parsed by itself, and what was parsed is checked, so that a file
//! reports all its faults in one run and a fault costs one item. Nothing here fails: bad text gives diagnostics beside whatever
//! could be read.

pub mod checked;
pub mod diagnostic;

mod alternatives;
mod check;
mod format;
mod grammar;
mod lint;
mod parse;
mod split;
mod tree;
mod word;

pub use alternatives::{Alternative, Probes, probes};
pub use check::Checked;
use check::Reading;
pub use check::names::Known;
pub use checked::{Example, ExampleInput, ExampleWorld, Rulebook};
pub use diagnostic::{Diagnostic, Label, Report, Severity};
pub use format::format;
pub use lint::lint;

/// A rulebook's text and the name that reports call it by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// `git.rulebook`, relative to its layer.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// Checks the files of one layer together: a name means what its own file says, else another file of the layer, else `known`.
/// There is a rulebook for every file, with all that held of it.
pub fn check_layer(files: &[File], known: &Known) -> Checked {
    check::check(files, known, Reading::All)
}

/// As [`check_layer`], but leaves examples, and what rules lack, unread: what a hook does on the first call after an edit. The
/// rulebooks have no examples.
pub fn check_rules(files: &[File], known: &Known) -> Checked {
    check::check(files, known, Reading::WithoutExamples)
}

/// Checks one file as a layer of its own.
pub fn read(file: &File, known: &Known) -> (Rulebook, Vec<Diagnostic>) {
    let mut checked = check::check(std::slice::from_ref(file), known, Reading::All);
    (checked.rulebooks.remove(0), checked.diagnostics)
}
