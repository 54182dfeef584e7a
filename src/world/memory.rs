//! A machine made by hand, for tests and for the examples of rulebooks.
//!
//! [`Memory::standing`] is the world in which every example is judged; the methods add to it and give it back, so that a world
//! reads as one expression. Relative paths are taken from the working directory, `~/…` from the home. Parents are made.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::path::{is_within, join};
use crate::model::{Entry, EntryKind, Stat, World};

/// How many links a path may lead through, as on Linux.
const LINKS: u32 = 40;

/// What stands at a path.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Node {
    File(String),
    Directory,
    Link(String),
}

/// A repository.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Repository {
    branch: Option<String>,
    refs: BTreeSet<String>,
    settings: BTreeMap<String, String>,
    linked: bool,
}

/// What git knows of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tracking {
    Clean,
    Modified,
    Ignored,
}

/// A machine in memory.
///
/// ```
/// # use cc_safety_net::{model::World, world::Memory};
/// let world = Memory::standing().modified("src/app.py").clean("README.md").file("~/notes", "x");
/// assert_eq!(world.recoverable("/home/me/project/README.md"), Some(true));
/// assert_eq!(world.recoverable("/home/me/project"), Some(false));
/// assert_eq!(world.read("/home/me/notes").as_deref(), Some("x"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Memory {
    directory: String,
    homes: Vec<String>,
    users: BTreeMap<String, String>,
    temporary: Vec<String>,
    variables: BTreeMap<String, String>,
    nodes: BTreeMap<String, Node>,
    foreign: BTreeSet<String>,
    tracking: BTreeMap<String, Tracking>,
    repositories: BTreeMap<String, Repository>,
    folds_case: bool,
    today: String,
}

impl Memory {
    /// An empty machine: `/` alone, the working directory `/`, no home, nothing temporary, the date 2026-06-01.
    pub fn empty() -> Memory {
        Memory {
            directory: "/".into(),
            homes: Vec::new(),
            users: BTreeMap::new(),
            temporary: Vec::new(),
            variables: BTreeMap::new(),
            nodes: BTreeMap::from([("/".to_string(), Node::Directory)]),
            foreign: BTreeSet::from(["/".to_string()]),
            tracking: BTreeMap::new(),
            repositories: BTreeMap::new(),
            folds_case: false,
            today: "2026-06-01".into(),
        }
    }

    /// The world of the examples: home `/home/me`, the working directory `/home/me/project` a repository on branch `topic` that
    /// also knows `main`, `origin/main` and `origin/topic`; `/tmp` and `/var/tmp` for temporary files; the everyday folders of a
    /// system, owned by somebody else.
    pub fn standing() -> Memory {
        let mut world = Memory::empty();
        for path in ["/bin", "/boot", "/dev", "/etc", "/home", "/lib", "/opt", "/root", "/usr", "/usr/bin", "/usr/lib", "/var"]
        {
            world.nodes.insert(path.into(), Node::Directory);
            world.foreign.insert(path.into());
        }
        world.nodes.insert("/etc/passwd".into(), Node::File("me:x:1000:1000::/home/me:/bin/sh\n".into()));
        world.foreign.insert("/etc/passwd".into());
        world
            .temporary("/tmp")
            .temporary("/var/tmp")
            .home("/home/me")
            .user("root", "/root")
            .variable_set("USER", "me")
            .repository_at("/home/me/project")
            .branch_at("/home/me/project", "topic")
            .reference("/home/me/project", "main")
            .reference("/home/me/project", "origin/main")
            .reference("/home/me/project", "origin/topic")
            .directory("/home/me/project")
    }

    /// The working directory; made where it is not there.
    pub fn directory(mut self, path: &str) -> Memory {
        let path = self.place(path);
        self.make(&path);
        self.directory = path;
        self
    }

    /// The working directory as it is set.
    pub fn working_directory(&self) -> &str {
        &self.directory
    }

    /// A home: the first is `HOME` and sets the variable, a second one is the user database's.
    pub fn home(mut self, path: &str) -> Memory {
        self.make(path);
        if self.homes.is_empty() {
            self.variables.insert("HOME".into(), path.into());
        }
        self.homes.push(path.into());
        self
    }

    /// Another user and that user's home.
    pub fn user(mut self, name: &str, home: &str) -> Memory {
        self.users.insert(name.into(), home.into());
        self
    }

    /// A directory for temporary files.
    pub fn temporary(mut self, path: &str) -> Memory {
        self.make(path);
        self.temporary.push(path.into());
        self
    }

    /// A variable of the environment.
    pub fn variable_set(mut self, name: &str, value: &str) -> Memory {
        self.variables.insert(name.into(), value.into());
        self
    }

    /// A file that git does not track.
    pub fn file(mut self, path: &str, text: &str) -> Memory {
        let path = self.place(path);
        self.put(&path, Node::File(text.into()));
        self
    }

    /// A directory.
    pub fn folder(mut self, path: &str) -> Memory {
        let path = self.place(path);
        self.make(&path);
        self
    }

    /// A symbolic link.
    pub fn link(mut self, path: &str, target: &str) -> Memory {
        let path = self.place(path);
        self.put(&path, Node::Link(target.into()));
        self
    }

    /// Marks a path as not owned by the user.
    pub fn foreign(mut self, path: &str) -> Memory {
        let path = self.place(path);
        self.foreign.insert(path);
        self
    }

    /// A tracked file with changes.
    pub fn modified(self, path: &str) -> Memory {
        self.tracked_as(path, Tracking::Modified)
    }

    /// A tracked file without changes.
    pub fn clean(self, path: &str) -> Memory {
        self.tracked_as(path, Tracking::Clean)
    }

    /// A path that git ignores; a file is made where nothing is there.
    pub fn ignored(self, path: &str) -> Memory {
        self.tracked_as(path, Tracking::Ignored)
    }

    /// A repository whose work tree's root this is.
    pub fn repository_at(mut self, root: &str) -> Memory {
        let root = self.place(root);
        self.make(&join(&root, ".git"));
        self.repositories.entry(root).or_default();
        self
    }

    /// The branch that the working directory's repository has checked out.
    pub fn branch(self, name: &str) -> Memory {
        match self.repository_of(&self.directory.clone()) {
            Some(root) => self.branch_at(&root, name),
            None => self,
        }
    }

    /// The branch that a repository has checked out; a ref of that name comes with it.
    pub fn branch_at(mut self, root: &str, name: &str) -> Memory {
        let repository = self.repositories.entry(root.into()).or_default();
        repository.branch = Some(name.into());
        repository.refs.insert(name.into());
        self
    }

    /// A branch, a tag or a remote branch.
    pub fn reference(mut self, root: &str, name: &str) -> Memory {
        self.repositories.entry(root.into()).or_default().refs.insert(name.into());
        self
    }

    /// One value of a repository's configuration.
    pub fn git_setting_at(mut self, root: &str, key: &str, value: &str) -> Memory {
        self.repositories.entry(root.into()).or_default().settings.insert(key.into(), value.into());
        self
    }

    /// Makes a repository a verified linked worktree.
    pub fn linked_worktree_at(mut self, root: &str) -> Memory {
        let root = self.place(root);
        let git = join(&root, ".git");
        self.nodes.remove(&git);
        self.put(&git, Node::File("gitdir: /home/me/main/.git/worktrees/it\n".into()));
        self.repositories.entry(root).or_default().linked = true;
        self
    }

    /// A volume that ignores case.
    pub fn folding_case(mut self) -> Memory {
        self.folds_case = true;
        self
    }

    /// The date.
    pub fn on(mut self, date: &str) -> Memory {
        self.today = date.into();
        self
    }

    fn tracked_as(mut self, path: &str, tracking: Tracking) -> Memory {
        let path = self.place(path);
        if !self.nodes.contains_key(&path) {
            self.put(&path, Node::File(format!("{tracking:?}\n").to_lowercase()));
        }
        self.tracking.insert(path, tracking);
        self
    }

    fn place(&self, path: &str) -> String {
        match (path, self.homes.first()) {
            ("~", Some(home)) => home.clone(),
            (path, Some(home)) if path.starts_with("~/") => join(home, &path[2..]),
            (path, _) => join(&self.directory, path),
        }
    }

    fn put(&mut self, path: &str, node: Node) {
        if let Some((parent, _)) = path.rsplit_once('/') {
            self.make(parent);
        }
        self.nodes.insert(path.into(), node);
    }

    fn make(&mut self, path: &str) {
        let mut at = String::new();
        for part in path.split('/').filter(|part| !part.is_empty()) {
            at.push('/');
            at.push_str(part);
            self.nodes.entry(at.clone()).or_insert(Node::Directory);
        }
    }

    /// Follows the links of every component, of the last one only where `last`. What does not exist is kept as written.
    fn resolve(&self, path: &str, last: bool) -> Option<String> {
        let mut rest: Vec<String> = path.split('/').rev().filter(|part| !part.is_empty()).map(String::from).collect();
        let (mut at, mut links) = (String::from("/"), 0);
        while let Some(part) = rest.pop() {
            if part == "." {
                continue;
            }
            let next = join(&at, &part);
            match self.nodes.get(&next) {
                Some(Node::Link(target)) if last || !rest.is_empty() => {
                    links += 1;
                    if links > LINKS {
                        return None;
                    }
                    if target.starts_with('/') {
                        at = "/".into();
                    }
                    rest.extend(target.split('/').rev().filter(|part| !part.is_empty()).map(String::from));
                }
                _ => at = next,
            }
        }
        Some(at)
    }

    fn node(&self, path: &str, follow: bool) -> Option<Option<(String, &Node)>> {
        let real = self.resolve(path, follow)?;
        Some(self.nodes.get(&real).map(|node| (real, node)))
    }

    fn repository_of(&self, directory: &str) -> Option<String> {
        let real = self.resolve(directory, true)?;
        self.repositories.keys().filter(|root| is_within(&real, root)).max_by_key(|root| root.len()).cloned()
    }

    fn below<'a>(&'a self, path: &'a str) -> impl Iterator<Item = (&'a String, &'a Node)> {
        self.nodes.range(path.to_string()..).filter(move |(at, _)| is_within(at, path))
    }

    fn tracking_of(&self, path: &str) -> Option<Option<Tracking>> {
        let real = self.resolve(path, false)?;
        self.repository_of(&real)?;
        let exact = self.tracking.get(&real).copied();
        let above = || {
            self.tracking.iter().find(|(at, kind)| **kind == Tracking::Ignored && is_within(&real, at)).map(|(_, kind)| *kind)
        };
        Some(exact.or_else(above))
    }
}

impl World for Memory {
    fn homes(&self) -> Vec<String> {
        self.homes.clone()
    }

    fn home_of(&self, user: &str) -> Option<String> {
        self.users.get(user).cloned()
    }

    fn temporary(&self) -> Vec<String> {
        self.temporary.clone()
    }

    fn variable(&self, name: &str) -> Option<String> {
        self.variables.get(name).cloned()
    }

    fn stat(&self, path: &str, follow: bool) -> Option<Option<Stat>> {
        let found = self.node(path, follow || path.ends_with('/'))?;
        Some(found.map(|(real, node)| {
            let (kind, size) = match node {
                Node::File(text) => (EntryKind::File, text.len() as u64),
                Node::Directory => (EntryKind::Directory, 0),
                Node::Link(target) => (EntryKind::Link, target.len() as u64),
            };
            Stat { kind, size, own: !self.foreign.contains(&real) }
        }))
    }

    fn real(&self, path: &str) -> Option<String> {
        self.resolve(path, true)
    }

    fn entries(&self, path: &str) -> Option<Vec<Entry>> {
        let (real, node) = self.node(path, true)??;
        if *node != Node::Directory {
            return None;
        }
        let prefix = if real == "/" { real } else { format!("{real}/") };
        let names = self.nodes.range(prefix.clone()..).take_while(|(at, _)| at.starts_with(&prefix));
        let direct = names.filter_map(|(at, node)| {
            let name = &at[prefix.len()..];
            let kind = match node {
                Node::File(_) => EntryKind::File,
                Node::Directory => EntryKind::Directory,
                Node::Link(_) => EntryKind::Link,
            };
            (!name.is_empty() && !name.contains('/')).then(|| Entry { name: name.into(), kind })
        });
        Some(direct.collect())
    }

    fn read(&self, path: &str) -> Option<String> {
        match self.node(path, true)?? {
            (_, Node::File(text)) if text.len() <= 256 << 10 => Some(text.clone()),
            _ => None,
        }
    }

    fn folds_case(&self, _path: &str) -> bool {
        self.folds_case
    }

    fn today(&self) -> String {
        self.today.clone()
    }

    fn repository(&self, directory: &str) -> Option<String> {
        self.repository_of(directory)
    }

    fn tracked(&self, path: &str) -> Option<bool> {
        Some(matches!(self.tracking_of(path)?, Some(Tracking::Clean | Tracking::Modified)))
    }

    fn clean(&self, path: &str) -> Option<bool> {
        Some(matches!(self.tracking_of(path)?, Some(Tracking::Clean)))
    }

    fn ignored(&self, path: &str) -> Option<bool> {
        Some(matches!(self.tracking_of(path)?, Some(Tracking::Ignored)))
    }

    fn recoverable(&self, path: &str) -> Option<bool> {
        let real = self.resolve(path, path.ends_with('/'))?;
        if !self.nodes.contains_key(&real) {
            return Some(true);
        }
        let Some(root) = self.repository_of(&real) else { return Some(false) };
        let files = self.below(&real).filter(|(_, node)| **node != Node::Directory);
        let lost = |(at, _): (&String, &Node)| self.tracking.get(at) != Some(&Tracking::Clean);
        let records = join(&root, ".git");
        Some(!files.into_iter().any(lost) && !is_within(&real, &records) && !is_within(&records, &real))
    }

    fn is_ref(&self, directory: &str, name: &str) -> Option<bool> {
        let repository = self.repositories.get(&self.repository_of(directory)?)?;
        let base = name.split(['~', '^', ':']).next().unwrap_or(name);
        let base = base.split("@{").next().unwrap_or(base);
        let remote = || repository.refs.iter().any(|known| known.split_once('/').is_some_and(|(_, rest)| rest == base));
        Some(matches!(base, "HEAD" | "@" | "-" | "FETCH_HEAD" | "ORIG_HEAD") || repository.refs.contains(base) || remote())
    }

    fn branch(&self, directory: &str) -> Option<String> {
        self.repositories.get(&self.repository_of(directory)?)?.branch.clone()
    }

    fn linked_worktree(&self, directory: &str) -> Option<bool> {
        Some(self.repositories.get(&self.repository_of(directory)?)?.linked)
    }

    fn git_setting(&self, directory: &str, key: &str) -> Option<String> {
        self.repositories.get(&self.repository_of(directory)?)?.settings.get(key).cloned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_followed_where_asked() {
        let world = Memory::standing().link("~/short", "/etc").link("/home/me/project/up", "../short/passwd");
        assert_eq!(world.real("/home/me/project/up").as_deref(), Some("/etc/passwd"));
        assert_eq!(world.real("/home/me/short/new/x").as_deref(), Some("/etc/new/x"));
        assert_eq!(world.stat("/home/me/short", false).flatten().map(|stat| stat.kind), Some(EntryKind::Link));
        assert_eq!(world.stat("/home/me/short", true).flatten().map(|stat| stat.own), Some(false));
        assert_eq!(Memory::empty().link("/a", "b").link("/b", "a").real("/a"), None);
    }

    #[test]
    fn a_directory_is_recoverable_when_every_file_below_is() {
        let world = Memory::standing().clean("src/a").clean("src/b");
        assert_eq!(world.recoverable("/home/me/project/src"), Some(true));
        assert_eq!(world.clone().file("src/c", "").recoverable("/home/me/project/src"), Some(false));
        assert_eq!(world.recoverable("/home/me/project/missing"), Some(true));
        assert_eq!(world.recoverable("/etc/passwd"), Some(false));
    }

    #[test]
    fn a_remote_branch_is_a_ref_by_its_short_name() {
        let world = Memory::standing().reference("/home/me/project", "origin/fix");
        assert_eq!(world.is_ref("/home/me/project/src", "fix"), Some(true));
        assert_eq!(world.is_ref("/home/me/project", "HEAD~3"), Some(true));
        assert_eq!(world.is_ref("/home/me/project", "src"), Some(false));
    }
}
