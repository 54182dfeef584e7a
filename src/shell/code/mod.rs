//! Code in other languages: the calls that it makes, with their arguments as far as they can be told without running it.
//!
//! One front end for all of them, told each language's tokens by a table ([`lexis`]). It reads statements in order, expressions
//! and calls; literals, names bound to them, joined and decoded texts are followed; what a call does is the [`Library`]'s to
//! say. Code that only mentions a call, in a text or a comment, calls nothing.
//!
//! It is no parser of any language: what it does not understand it steps over, and it sees the calls on both sides of it.

pub mod decode;
pub mod lexis;

mod calls;
mod expressions;
mod functions;
mod imports;
mod source;
mod tokens;
mod value;
mod walk;

use crate::model::{Argument, Span, Taint, Word};

/// A call as the code makes it.
#[derive(Debug, Clone)]
pub struct Call {
    /// Its full name, imports and aliases resolved: `os.system`.
    pub name: String,
    /// Its arguments in order, each as one or, for a list, as several words.
    pub arguments: Vec<Vec<Argument>>,
    /// Arguments by name (`shell=True`, `{recursive: true}`); those that are false are left out.
    pub named: Vec<(String, Vec<Argument>)>,
    /// Where.
    pub span: Span,
}

/// Who knows what calls do. `interpret` is the one in the product, tests record.
pub trait Library {
    /// Whether the call of this name is declared.
    fn declares(&self, name: &str) -> bool;
    /// Takes a declared call, and says what its answer carries.
    fn call(&mut self, call: &Call) -> Taint;
    /// Takes a text that the language itself gives to the shell (a backquote), and says what its output carries.
    fn command(&mut self, text: &Word) -> Taint;
    /// Takes a file that the language itself writes (`print > "file"`).
    fn writes(&mut self, path: &Word);
    /// The home directory.
    fn home(&self) -> Option<String>;
    /// Counts steps; false once none are left.
    fn step(&mut self, steps: u64) -> bool;
}

/// Walks code; false where nobody reads the language.
pub fn walk(text: &Word, language: &str, arguments: &[Argument], library: &mut dyn Library) -> bool {
    let Some(lexis) = lexis::of(language) else { return false };
    for value in &text.values {
        let source = source::Source::new(value);
        if !library.step(source.text.len() as u64 / 4 + 1) {
            break;
        }
        walk::walk(&source, lexis, arguments, library);
    }
    true
}
