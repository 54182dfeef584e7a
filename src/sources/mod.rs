//! Rulebooks from elsewhere: taken from a folder or fetched from a git repository when a person says so, pinned, never at run time.
//!
//! An [`Origin`] is read off what the person named. [`gather`] brings its rulebooks as text, by [`folder`] or by [`git`](self), with
//! everything bounded: nothing of a repository is checked out or run, no link in it is followed. A [`Standing`] is the layer that is
//! to take them; it plans which files change and carries that out whole ([`Plan`]). Whether the rulebooks are any good is asked by
//! whoever calls: the engine judges their examples.

mod folder;
mod git;
mod origin;
mod plan;
mod standing;

use crate::language::{File, Known, read};
use crate::layers::pins;

pub use origin::Origin;
pub use plan::{Change, Plan, Taken, create};
pub use standing::Standing;

/// The largest rulebook that is taken.
pub const FILE_BYTES: u64 = 1 << 20;
/// The most bytes of a source's rulebooks together.
pub const SOURCE_BYTES: u64 = 4 << 20;
/// The most rulebooks of one source.
pub const FILES: usize = 64;

/// The ending of a rulebook's file.
const ENDING: &str = ".rulebook";
/// Where a source keeps its rulebooks: the first of these places that has any counts.
const PLACES: [&str; 3] = [".cc-safety-net/rules", "rules", ""];

/// What a source has.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Gathered {
    /// The commit that it is of; none for a folder.
    pub commit: Option<String>,
    /// Its rulebooks, sorted by name.
    pub books: Vec<Book>,
    /// What looked like a rulebook and was passed over, and why; one line each.
    pub passed_over: Vec<String>,
}

/// One rulebook of a source.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Book {
    /// What it calls itself.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Its text.
    pub text: String,
}

/// Brings the rulebooks of a source; or why that cannot be done, as a phrase.
pub fn gather(origin: &Origin, reference: Option<&str>) -> Result<Gathered, String> {
    let (files, commit, passed_over) = match origin {
        Origin::Folder(path) => {
            let (files, passed_over) = folder::read(path)?;
            (files, None, passed_over)
        }
        Origin::Repository { address, is_local } => {
            let fetched = git::fetch(address, reference, *is_local)?;
            (fetched.files, Some(fetched.commit), fetched.passed_over)
        }
    };
    if files.is_empty() {
        let over = passed_over.first().map_or_else(String::new, |first| format!(" ({first})"));
        return Err(format!("it has no *{ENDING} in .cc-safety-net/rules, in rules, or at its top{over}"));
    }
    let mut books = files.into_iter().map(book).collect::<Result<Vec<Book>, String>>()?;
    books.sort();
    match books.windows(2).find(|pair| pair[0].name == pair[1].name) {
        Some(pair) => Err(format!("two of its files are the rulebook `{}`", pair[0].name)),
        None => Ok(Gathered { commit, books, passed_over }),
    }
}

/// A file as the rulebook that it says it is. Whether that is sound is asked later, of all together.
fn book(file: File) -> Result<Book, String> {
    let (rulebook, _) = read(&file, &Known::default());
    if !pins::is_name(&rulebook.name) {
        return Err(format!("{} does not begin with `rulebook NAME`, NAME in lower case", file.name));
    }
    Ok(Book { name: rulebook.name, version: rulebook.version, text: file.text })
}

/// What is taken so far, within the limits of a source.
#[derive(Debug, Default)]
struct Basket {
    files: Vec<File>,
    bytes: u64,
    passed_over: Vec<String>,
}

impl Basket {
    /// Whether a file of this name is a rulebook's.
    fn is_rulebook(name: &str) -> bool {
        name.ends_with(ENDING) && name.len() > ENDING.len()
    }

    /// Takes a file of this size, whose text `read` brings.
    fn take(&mut self, name: &str, size: u64, read: impl FnOnce() -> Result<String, String>) -> Result<(), String> {
        self.bytes += size;
        if size > FILE_BYTES || self.bytes > SOURCE_BYTES {
            return Err(format!("{}: larger than a rulebook may be", name));
        }
        if self.files.len() >= FILES {
            return Err(format!("it has more than {FILES} rulebooks"));
        }
        self.files.push(File { name: name.to_string(), text: read()? });
        Ok(())
    }

    /// Passes a file over.
    fn pass(&mut self, name: &str, why: &str) {
        if self.passed_over.len() < FILES {
            self.passed_over.push(format!("{}: {why}", name));
        }
    }
}
