//! What changes in a layer when rulebooks are taken from a source or given up, and how that is carried out: all of it, or nothing.

use std::path::Path;

use super::standing::Standing;
use super::{Book, Gathered};
use crate::language::File;
use crate::layers::pins::{self, LOCK, Lock, Pin, Pinned, SOURCES};
use crate::world::{file, replace};

/// One file before and after.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// From the layer's directory.
    pub name: String,
    /// What is in it now; none where there is none.
    pub before: Option<String>,
    /// What will be; none where there will be none.
    pub after: Option<String>,
}

/// What is done to a layer, in this order: rulebooks, then the lock. Between the two a rulebook is not as it is pinned, and so is
/// not loaded.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Plan {
    /// The files; none where all is as it should be.
    pub changes: Vec<Change>,
}

/// What is taken from a source.
#[derive(Debug)]
pub struct Taken<'a> {
    /// As the lock names it.
    pub source: &'a str,
    /// The branch, tag or commit that was asked for.
    pub reference: Option<&'a str>,
    /// The rulebooks that were asked for by name; none for all.
    pub only: &'a [String],
    /// What the source has.
    pub gathered: &'a Gathered,
    /// Whether a rulebook that somebody changed here since is replaced, too.
    pub replaces: bool,
}

impl Standing {
    /// Plans to have of this source what was asked for and nothing else; or why that cannot be, as a phrase.
    pub fn take(&self, taken: &Taken) -> Result<Plan, String> {
        let wanted = wanted(taken)?;
        let mut lock = self.lock.clone();
        let position = lock.sources.iter().position(|pinned| pinned.source == taken.source);
        let old = position.map(|at| lock.sources.remove(at));
        if lock.sources.len() >= SOURCES {
            return Err(format!("a layer has at most {SOURCES} sources"));
        }
        let was_ours = |name: &str| old.iter().flat_map(|old| &old.rulebooks).any(|pin| pin.name == name);
        let mut plan = Plan::default();
        for book in &wanted {
            let is_there = self.text(&book.name).is_some();
            if let Some((other, _)) = lock.pin(&book.name) {
                return Err(format!("`{}` is already here, from {}", book.name, other.source));
            }
            if is_there && !was_ours(&book.name) {
                return Err(format!("{} is already here, and it is your own", pins::file_of(&book.name)));
            }
            if is_there && !self.is_as_pinned(&book.name) && !taken.replaces {
                return Err(changed(&book.name));
            }
            self.change(&mut plan, &book.name, Some(&book.text));
        }
        let is_wanted = |pin: &&Pin| wanted.iter().any(|book| book.name == pin.name);
        if let Some(gone) = old.iter().flat_map(|old| &old.rulebooks).find(|pin| !is_wanted(pin)) {
            let name = &gone.name;
            return Err(format!("it no longer has `{name}`; `cc-safety-net rule remove {name}` gives that up"));
        }
        lock.sources.push(Pinned {
            source: taken.source.to_string(),
            reference: taken.reference.map(str::to_string),
            commit: taken.gathered.commit.clone(),
            only: taken.only.to_vec(),
            rulebooks: wanted.iter().map(|book| pin(book)).collect(),
        });
        self.finish(plan, &lock)
    }

    /// Plans to give up a rulebook, or all of a source; or why that cannot be, as a phrase.
    pub fn give_up(&self, name: &str) -> Result<Plan, String> {
        let mut lock = self.lock.clone();
        let mut plan = Plan::default();
        for source in &mut lock.sources {
            let is_meant = |pin: &Pin| source.source == name || pin.name == name;
            for pin in source.rulebooks.iter().filter(|pin| is_meant(pin)) {
                if self.text(&pin.name).is_some() && !self.is_as_pinned(&pin.name) {
                    return Err(changed(&pin.name));
                }
                self.change(&mut plan, &pin.name, None);
            }
            let whole = source.source == name;
            source.rulebooks.retain(|pin| !whole && pin.name != name);
            // An update must not bring it back: what stays is asked for by name.
            let stays: Vec<String> = source.rulebooks.iter().map(|pin| pin.name.clone()).collect();
            if self.lock.pin(name).is_some_and(|(pinned, _)| pinned.source == source.source) {
                source.only = stays;
            }
        }
        if lock == self.lock {
            return Err(match self.text(name) {
                Some(_) => format!("{} is your own, and came from no source: delete the file", pins::file_of(name)),
                None => "no rulebook and no source has this name here".into(),
            });
        }
        self.finish(plan, &lock)
    }

    /// The layer's rulebooks as they would be.
    pub fn after(&self, plan: &Plan) -> Vec<File> {
        let mut files = self.files.clone();
        for change in plan.changes.iter().filter(|change| change.name != LOCK) {
            files.retain(|file| file.name != change.name);
            files.extend(change.after.iter().map(|text| File { name: change.name.clone(), text: text.clone() }));
        }
        files.sort_by(|one, other| one.name.cmp(&other.name));
        files
    }

    /// Carries a plan out. Where a step fails, what was done is taken back, and the phrase says which and why.
    pub fn carry_out(&self, plan: &Plan) -> Result<(), String> {
        for (number, change) in plan.changes.iter().enumerate() {
            let Err(why) = self.write(&change.name, change.before.as_deref(), change.after.as_deref()) else { continue };
            let mut lines = vec![why];
            for done in plan.changes[..number].iter().rev() {
                let back = self.write(&done.name, done.after.as_deref(), done.before.as_deref());
                lines.extend(back.err().map(|why| format!("and taking it back failed: {why}")));
            }
            return Err(lines.join("; "));
        }
        Ok(())
    }

    fn change(&self, plan: &mut Plan, name: &str, after: Option<&str>) {
        let (before, after) = (self.text(name).map(str::to_string), after.map(str::to_string));
        if before != after {
            plan.changes.push(Change { name: pins::file_of(name), before, after });
        }
    }

    /// Adds the lock to a plan.
    fn finish(&self, mut plan: Plan, lock: &Lock) -> Result<Plan, String> {
        let after = lock.pins().next().is_some().then(|| lock.write());
        if after != self.lock_text {
            plan.changes.push(Change { name: LOCK.into(), before: self.lock_text.clone(), after });
        }
        let more = |change: &Change| {
            let size = |text: &Option<String>| text.as_ref().map_or(0, |text| text.len() as u64);
            size(&change.after).saturating_sub(size(&change.before))
        };
        let new = plan.changes.iter().filter(|change| change.before.is_none()).count();
        self.holds(new, plan.changes.iter().map(more).sum())?;
        Ok(plan)
    }

    fn write(&self, name: &str, before: Option<&str>, after: Option<&str>) -> Result<(), String> {
        let path = self.directory.join(name);
        match (before, after) {
            // New files of the user are the user's alone, whatever the umask; a project's are made as the project's others.
            (None, Some(text)) if !self.is_project && replace::look(&path) == replace::Sight::Missing => {
                file::write(&path, text.as_bytes()).map_err(|fault| fault.to_string())
            }
            _ => replace::replace(&path, before, after, None).map(drop).map_err(|fault| fault.to_string()),
        }
    }
}

fn pin(book: &Book) -> Pin {
    Pin { name: book.name.clone(), version: book.version.clone(), digest: pins::digest(book.text.as_bytes()) }
}

fn changed(name: &str) -> String {
    format!(
        "{} was changed here since it was accepted; `rule update --replace {name}` puts the source's in its place",
        pins::file_of(name)
    )
}

/// The rulebooks that are asked for.
fn wanted<'g>(taken: &Taken<'g>) -> Result<Vec<&'g Book>, String> {
    let books = &taken.gathered.books;
    if let Some(missing) = taken.only.iter().find(|name| !books.iter().any(|book| book.name == **name)) {
        let names: Vec<&str> = books.iter().map(|book| book.name.as_str()).collect();
        return Err(format!("it has no rulebook `{missing}`; it has: {}", names.join(", ")));
    }
    Ok(books.iter().filter(|book| taken.only.is_empty() || taken.only.contains(&book.name)).collect())
}

/// Writes a file of a layer that is not there yet, for the user alone where the layer is the user's.
pub fn create(standing: &Standing, name: &str, text: &str) -> Result<(), String> {
    debug_assert!(!Path::new(name).is_absolute());
    standing.write(name, None, Some(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_that_fails_takes_those_before_it_back() {
        let folder = tempfile::tempdir().expect("a folder");
        let standing = Standing::open(folder.path(), false).expect("nothing is there");
        let change = |name: &str, before: Option<&str>, after: Option<&str>| Change {
            name: name.into(),
            before: before.map(str::to_string),
            after: after.map(str::to_string),
        };
        standing.write("rules/old.rulebook", None, Some("old")).expect("written");
        let changes = vec![
            change("rules/new.rulebook", None, Some("new")),
            change("rules/old.rulebook", Some("old"), None),
            // It is not what the plan was made on.
            change(LOCK, Some("a lock"), Some("another")),
        ];
        let why = standing.carry_out(&Plan { changes }).expect_err("the last one fails");
        assert!(why.contains("changed since the plan was made"), "{why}");
        let names: Vec<_> =
            std::fs::read_dir(folder.path().join("rules")).expect("there").flatten().map(|e| e.file_name()).collect();
        assert_eq!(names, ["old.rulebook"]);
        assert_eq!(std::fs::read_to_string(folder.path().join("rules/old.rulebook")).expect("there"), "old");
    }
}
