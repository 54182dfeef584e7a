//! This machine.
//!
//! Every call has a budget ([`Budget`]): so many opens, stats and bytes, past which every answer is "not known". What was asked
//! once is kept, so that rules may ask again.

mod git_facts;
mod walk;

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;
use std::rc::Rc;

use super::clock;
use super::disk::{self, Platform};
use super::file::{self, Links};
use super::git::Checkout;
use super::os;
use crate::model::path::{is_absolute, is_within, join};
use crate::model::{Entry, EntryKind, Stat, World};

/// How much one call may ask of the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// Files and directories opened.
    pub opens: u32,
    /// Paths looked at.
    pub stats: u32,
    /// Bytes read in all.
    pub bytes: u64,
    /// Bytes of one file.
    pub file: u64,
    /// Names in one directory.
    pub names: usize,
    /// Files that questions about git look at.
    pub tracked: u32,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget { opens: 64, stats: 512, bytes: 1 << 20, file: 256 << 10, names: 4096, tracked: 4096 }
    }
}

/// This machine as one call sees it. Made for each call: budgets and what is remembered are the call's own.
#[derive(Debug)]
pub struct Native {
    budget: Budget,
    opens: Cell<u32>,
    stats: Cell<u32>,
    bytes: Cell<u64>,
    tracked: Cell<u32>,
    user: u32,
    homes: OnceCell<Vec<String>>,
    temporary: OnceCell<Vec<String>>,
    resolved: RefCell<BTreeMap<String, String>>,
    checkouts: RefCell<BTreeMap<String, Option<Rc<Checkout>>>>,
}

impl Native {
    /// The machine with the budget of a hook's call.
    pub fn new() -> Native {
        Native::with_budget(Budget::default())
    }

    /// The machine with another budget.
    pub fn with_budget(budget: Budget) -> Native {
        Native {
            budget,
            opens: Cell::new(0),
            stats: Cell::new(0),
            bytes: Cell::new(0),
            tracked: Cell::new(0),
            user: os::user(),
            homes: OnceCell::new(),
            temporary: OnceCell::new(),
            resolved: RefCell::default(),
            checkouts: RefCell::default(),
        }
    }

    /// The working directory of this process, absolute; `None` where it is gone or no text.
    pub fn working_directory() -> Option<String> {
        std::env::current_dir().ok()?.to_str().map(slashed)
    }

    /// Takes one from a budget.
    fn spend(counter: &Cell<u32>, limit: u32) -> Option<()> {
        let spent = counter.get() + 1;
        counter.set(spent);
        (spent <= limit).then_some(())
    }

    fn spend_stat(&self) -> Option<()> {
        Native::spend(&self.stats, self.budget.stats)
    }

    fn home_slice(&self) -> &[String] {
        self.homes.get_or_init(|| {
            let named = disk::variable("HOME").map(|home| slashed(&home)).filter(|home| is_absolute(home));
            let mut homes: Vec<String> = named.map(|home| join("/", &home)).into_iter().collect();
            if let Some(home) = os::home().map(|home| join("/", &slashed(&home))).filter(|home| !homes.contains(home)) {
                homes.push(home);
            }
            homes
        })
    }

    fn find_temporary(&self) -> Vec<String> {
        let known: &[&str] = match disk::platform() {
            Platform::Mac => &["/tmp", "/var/tmp", "/private/tmp", "/private/var/tmp", "/var/folders", "/private/var/folders"],
            Platform::Windows => &[],
            Platform::Unix => &["/tmp", "/var/tmp"],
        };
        let mut all: Vec<String> =
            known.iter().filter(|path| !path.ends_with("folders")).map(|path| path.to_string()).collect();
        if disk::platform() == Platform::Windows {
            all.extend(self.home_slice().iter().map(|home| format!("{home}/AppData/Local/Temp")));
        }
        let roots: Vec<String> = known.iter().map(|path| path.to_string()).chain(all.clone()).collect();
        let named = disk::variable("TMPDIR").filter(|path| is_absolute(path)).map(|path| join("/", &path));
        // Not the roots' parents, and not a folder of the user's own that some setting calls temporary.
        let within = |path: &String| self.real(path).is_some_and(|real| roots.iter().any(|root| is_within(&real, root)));
        all.extend(named.filter(within));
        for path in all.clone() {
            all.extend(self.real(&path));
        }
        let mut seen = Vec::with_capacity(all.len());
        all.into_iter().for_each(|path| {
            if !seen.contains(&path) {
                seen.push(path)
            }
        });
        seen
    }
}

impl Default for Native {
    fn default() -> Native {
        Native::new()
    }
}

impl World for Native {
    fn homes(&self) -> Vec<String> {
        self.home_slice().to_vec()
    }

    fn home_of(&self, user: &str) -> Option<String> {
        Native::spend(&self.opens, self.budget.opens)?;
        os::home_of(user)
    }

    fn temporary(&self) -> Vec<String> {
        self.temporary.get_or_init(|| self.find_temporary()).clone()
    }

    fn variable(&self, name: &str) -> Option<String> {
        disk::variable(name)
    }

    fn stat(&self, path: &str, follow: bool) -> Option<Option<Stat>> {
        self.spend_stat()?;
        match disk::stat(Path::new(path), follow || path.ends_with('/')) {
            Ok(meta) => Some(Some(Stat { kind: meta.kind(), size: meta.size, own: self.owns(&meta) })),
            Err(fault) => is_missing(&fault).then_some(None),
        }
    }

    fn real(&self, path: &str) -> Option<String> {
        self.resolve(path)
    }

    fn entries(&self, path: &str) -> Option<Vec<Entry>> {
        Native::spend(&self.opens, self.budget.opens)?;
        let names = disk::list(Path::new(path), self.budget.names).ok()?;
        if names.len() > self.budget.names {
            return None;
        }
        let entry = |(name, kind): (OsString, EntryKind)| Entry { name: name.to_string_lossy().into_owned(), kind };
        let mut all: Vec<Entry> = names.into_iter().map(entry).collect();
        all.sort();
        Some(all)
    }

    fn read(&self, path: &str) -> Option<String> {
        Native::spend(&self.opens, self.budget.opens)?;
        let left = self.budget.bytes.saturating_sub(self.bytes.get());
        let bytes = file::read(Path::new(path), self.budget.file.min(left), Links::Follow).ok()?;
        self.bytes.set(self.bytes.get() + bytes.len() as u64);
        String::from_utf8(bytes).ok()
    }

    fn folds_case(&self, _path: &str) -> bool {
        // What these systems do unless a volume was made otherwise; to fold where the volume does not only warns more.
        disk::platform() != Platform::Unix
    }

    fn today(&self) -> String {
        clock::date_of(disk::nanoseconds())
    }

    fn repository(&self, directory: &str) -> Option<String> {
        self.checkout(directory).and_then(|checkout| checkout.root.to_str().map(slashed))
    }

    fn tracked(&self, path: &str) -> Option<bool> {
        self.git_tracked(path)
    }

    fn clean(&self, path: &str) -> Option<bool> {
        self.git_clean(path)
    }

    fn ignored(&self, path: &str) -> Option<bool> {
        self.git_ignored(path)
    }

    fn recoverable(&self, path: &str) -> Option<bool> {
        self.git_recoverable(path)
    }

    fn is_ref(&self, directory: &str, name: &str) -> Option<bool> {
        self.git_is_ref(directory, name)
    }

    fn branch(&self, directory: &str) -> Option<String> {
        self.git_branch(directory)
    }

    fn linked_worktree(&self, directory: &str) -> Option<bool> {
        self.git_linked(directory)
    }

    fn git_setting(&self, directory: &str, key: &str) -> Option<String> {
        let checkout = self.checkout(directory)?;
        checkout.config(self.home_slice()).last(key).map(str::to_string)
    }
}

fn is_missing(fault: &std::io::Error) -> bool {
    use std::io::ErrorKind::{InvalidInput, NotADirectory, NotFound};
    // A text with a NUL byte names nothing.
    matches!(fault.kind(), NotFound | NotADirectory | InvalidInput)
}

fn slashed(path: &str) -> String {
    if disk::platform() == Platform::Windows { path.replace('\\', "/") } else { path.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn past_the_budget_nothing_is_known() {
        let world = Native::with_budget(Budget { stats: 1, opens: 1, ..Budget::default() });
        assert!(world.stat("/", true).is_some());
        assert!(world.stat("/", true).is_none());
        assert!(world.entries("/").is_some());
        assert!(world.read("/etc/passwd").is_none());
    }

    #[test]
    fn devices_and_pipes_are_not_read() {
        assert!(Native::new().read("/dev/zero").is_none());
    }
}
