//! The facts of the machine that decide, as a trait. `world` has the native and the in-memory one.
//!
//! Every path here is absolute with `/` between components. Every answer may be "not known" (`None`): past a budget, on a
//! fault, or where the host does not say. Unknown never exempts.

/// What a path names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EntryKind {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// A symbolic link, where links were not followed.
    Link,
    /// A device, a pipe, a socket.
    Other,
}

/// What is known of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stat {
    /// What it names.
    pub kind: EntryKind,
    /// Size in bytes.
    pub size: u64,
    /// Owned by the user that runs this process.
    pub own: bool,
}

/// One name in a directory.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    /// Without the directory.
    pub name: String,
    /// What it names, links not followed.
    pub kind: EntryKind,
}

/// The facts. Every method costs budget; past it the answer is `None`.
pub trait World {
    /// The homes of the user: `HOME` first, then the user database's, where they differ.
    fn homes(&self) -> Vec<String>;
    /// Another user's home.
    fn home_of(&self, user: &str) -> Option<String>;
    /// The directories for temporary files (`/tmp`, `/var/tmp`, a known `TMPDIR` within one), real paths and as written.
    fn temporary(&self) -> Vec<String>;
    /// A variable of the hook's own environment.
    fn variable(&self, name: &str) -> Option<String>;
    /// What the path names. `Some(None)`: nothing is there.
    fn stat(&self, path: &str, follow: bool) -> Option<Option<Stat>>;
    /// The path with every link resolved; the part that does not exist is kept as written.
    fn real(&self, path: &str) -> Option<String>;
    /// The names in a directory, sorted, at most 4,096; `None` where it cannot be listed or has more.
    fn entries(&self, path: &str) -> Option<Vec<Entry>>;
    /// A regular file's text, at most 256 KiB, without blocking.
    fn read(&self, path: &str) -> Option<String>;
    /// Whether the volume ignores case.
    fn folds_case(&self, path: &str) -> bool;
    /// The date as `YYYY-MM-DD`.
    fn today(&self) -> String;

    /// The work tree's root that holds the directory, by its `.git` entry.
    fn repository(&self, directory: &str) -> Option<String>;
    /// Whether git tracks the file.
    fn tracked(&self, path: &str) -> Option<bool>;
    /// Whether the file is tracked and its stat data equals the index's.
    fn clean(&self, path: &str) -> Option<bool>;
    /// Whether git ignores the path.
    fn ignored(&self, path: &str) -> Option<bool>;
    /// Whether every existing file at or below the path can be got back from git. A missing file can.
    fn recoverable(&self, path: &str) -> Option<bool>;
    /// Whether the name is a branch, a tag, a remote branch or a commit-ish of the directory's repository.
    fn is_ref(&self, directory: &str, name: &str) -> Option<bool>;
    /// The branch that is checked out in the directory's repository.
    fn branch(&self, directory: &str) -> Option<String>;
    /// Whether the directory lies in a verified linked worktree.
    fn linked_worktree(&self, directory: &str) -> Option<bool>;
    /// One value of the directory's repository configuration and the user's, the last that is set (`alias.x`).
    fn git_setting(&self, directory: &str, key: &str) -> Option<String>;
}
