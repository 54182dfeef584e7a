//! Git's files as we read them, compared with what git itself says of the same repository.

#![cfg(all(unix, feature = "machine"))]

use std::path::{Path, PathBuf};
use std::process::Command;

use cc_safety_net::model::World;
use cc_safety_net::world::Native;

/// A repository of its own, with a home of its own, so that nobody's configuration is in it.
struct Repository {
    _folder: tempfile::TempDir,
    root: PathBuf,
}

impl Repository {
    fn new() -> Repository {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().canonicalize().expect("real").join("project");
        std::fs::create_dir(&root).expect("made");
        let it = Repository { _folder: folder, root };
        it.git(&["init", "-q", "-b", "main"]);
        it
    }

    fn git(&self, arguments: &[&str]) -> String {
        self.git_in(&self.root, arguments)
    }

    fn git_in(&self, directory: &Path, arguments: &[&str]) -> String {
        let output = Command::new("git")
            .args(["-c", "user.name=n", "-c", "user.email=e@example.com", "-c", "commit.gpgsign=false"])
            .args(arguments)
            .current_dir(directory)
            .env("HOME", self.root.parent().expect("a parent"))
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .output()
            .expect("git runs");
        assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.root.join(path);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("made");
        std::fs::write(path, text).expect("written");
    }

    /// Commits all, and writes the index anew so that no entry is as young as it.
    fn commit(&self) {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "-m", "x"]);
        std::thread::yield_now();
        let index = self.root.join(".git/index");
        let text = std::fs::read(&index).expect("read");
        while std::fs::metadata(&index).expect("there").modified().expect("a time")
            <= std::fs::metadata(self.root.join("README.md")).expect("there").modified().expect("a time")
        {
            std::fs::write(&index, &text).expect("written");
        }
    }

    fn path(&self, below: &str) -> String {
        format!("{}/{below}", self.root.display())
    }
}

fn filled() -> Repository {
    let it = Repository::new();
    for (path, text) in [
        ("src/app.py", "1\n"),
        ("src/deep/er/x", "2\n"),
        ("src/deep/er/y", "3\n"),
        ("lib/z", "4\n"),
        (".gitignore", "*.log\n/build/\n!keep.log\n"),
        ("README.md", "r\n"),
    ] {
        it.write(path, text);
    }
    it.commit();
    it
}

#[test]
fn tracked_clean_and_recoverable_in_every_version_of_the_index() {
    for version in ["2", "3", "4"] {
        let it = filled();
        it.write("skipped", "s\n");
        it.git(&["add", "skipped"]);
        it.git(&["update-index", "--index-version", version]);
        it.git(&["update-index", "--skip-worktree", "skipped"]);
        it.commit();
        let world = Native::new();
        assert_eq!(world.tracked(&it.path("src/app.py")), Some(true), "version {version}");
        assert_eq!(world.clean(&it.path("src/app.py")), Some(true), "version {version}");
        assert_eq!(world.clean(&it.path("skipped")), Some(false));
        assert_eq!(world.recoverable(&it.path("src")), Some(true));
        assert_eq!(world.clean(&it.path("src")), Some(true));
        assert_eq!(world.recoverable(&it.path("nothing/here")), Some(true));
        assert_eq!(world.recoverable(&it.path(".git")), Some(false));
        assert_eq!(world.recoverable(&it.path("")), Some(false), "the root holds the records");
        it.write("src/new", "n\n");
        it.write("lib/z", "changed\n");
        let world = Native::new();
        assert_eq!(world.recoverable(&it.path("src")), Some(false));
        assert_eq!(world.recoverable(&it.path("src/deep")), Some(true));
        assert_eq!(world.clean(&it.path("lib/z")), Some(false));
        assert_eq!(world.tracked(&it.path("src/new")), Some(false));
    }
}

#[test]
fn a_change_of_equal_length_and_a_touched_file_are_not_clean() {
    let it = filled();
    it.write("src/app.py", "9\n");
    assert_eq!(Native::new().clean(&it.path("src/app.py")), Some(false));
    std::fs::set_permissions(it.root.join("lib/z"), std::os::unix::fs::PermissionsExt::from_mode(0o755)).expect("changed");
    assert_ne!(Native::new().clean(&it.path("lib/z")), Some(true));
}

#[test]
fn a_file_as_young_as_the_index_is_not_known() {
    let it = filled();
    let file = it.root.join("README.md");
    let index = std::fs::File::options().write(true).open(it.root.join(".git/index")).expect("open");
    index.set_modified(std::fs::metadata(&file).expect("there").modified().expect("a time")).expect("set");
    assert_eq!(Native::new().clean(&it.path("README.md")), None);
}

#[test]
fn ignored_as_git_says() {
    let it = filled();
    for (path, text) in [
        ("src/.gitignore", "gen*\n!gen-kept\n/only-here\nfoo/*.tmp\n**/cache\n"),
        (".git/info/exclude", "private\n"),
        ("a.log", ""),
        ("keep.log", ""),
        ("build/x", ""),
        ("src/build/x", ""),
        ("src/generated", ""),
        ("src/gen-kept", ""),
        ("src/only-here", ""),
        ("src/deep/only-here", ""),
        ("src/foo/a.tmp", ""),
        ("src/deep/foo/a.tmp", ""),
        ("src/deep/cache/x", ""),
        ("private", ""),
        ("space name.log", ""),
    ] {
        it.write(path, text);
    }
    let said = it.git(&["ls-files", "--others", "--ignored", "--exclude-standard"]);
    let said: Vec<&str> = said.lines().map(|line| line.trim_matches('"')).collect();
    let world = Native::new();
    let all = it.git(&["ls-files", "--others"]);
    for path in all.lines().map(|line| line.trim_matches('"')) {
        assert_eq!(world.ignored(&it.path(path)), Some(said.contains(&path)), "{path}");
    }
    assert_eq!(world.ignored(&it.path("src/app.py")), Some(false));
    assert!(said.len() > 6);
}

#[test]
fn refs_loose_packed_remote_and_by_expression() {
    let it = filled();
    it.git(&["branch", "topic"]);
    it.git(&["tag", "v1"]);
    it.git(&["update-ref", "refs/remotes/origin/fix", "HEAD"]);
    for _ in 0..2 {
        let world = Native::new();
        for name in ["main", "topic", "v1", "HEAD", "HEAD~2", "main^", "origin/fix", "fix", "@{upstream}", "-", "heads/topic"] {
            assert_eq!(world.is_ref(&it.path("src"), name), Some(true), "{name}");
        }
        for name in ["src", "README.md", "../../etc", "nothing~1", "", "a..b"] {
            assert_eq!(world.is_ref(&it.path("src"), name), Some(false), "{name}");
        }
        assert_eq!(world.is_ref(&it.path(""), "deadbeef"), None, "a short object name may be in a pack");
        assert_eq!(world.branch(&it.path("src")).as_deref(), Some("main"));
        it.git(&["pack-refs", "--all"]);
    }
    it.git(&["checkout", "-q", "--detach"]);
    assert_eq!(Native::new().branch(&it.path("")), None);
}

#[test]
fn a_linked_worktree_is_verified_both_ways() {
    let it = filled();
    let tree = it.root.parent().expect("a parent").join("tree");
    it.git(&["worktree", "add", "-q", "-b", "other", tree.to_str().expect("text")]);
    let tree_text = tree.display().to_string();
    let world = Native::new();
    assert_eq!(world.linked_worktree(&tree_text), Some(true));
    assert_eq!(world.linked_worktree(&it.path("")), Some(false));
    assert_eq!(world.branch(&tree_text).as_deref(), Some("other"));
    assert_eq!(world.is_ref(&tree_text, "main"), Some(true));
    assert_eq!(world.tracked(&format!("{tree_text}/lib/z")), Some(true));
    // A folder that claims the same records is not the one that they point back to.
    let thief = it.root.parent().expect("a parent").join("thief");
    std::fs::create_dir(&thief).expect("made");
    std::fs::copy(tree.join(".git"), thief.join(".git")).expect("copied");
    std::fs::write(thief.join("z"), "").expect("written");
    let world = Native::new();
    assert_eq!(world.linked_worktree(&thief.display().to_string()), Some(false));
    assert_eq!(world.recoverable(&thief.join("z").display().to_string()), None);
    it.git(&["config", "core.worktree", "/elsewhere"]);
    assert_ne!(Native::new().linked_worktree(&tree_text), Some(true));
    assert_eq!(Native::new().recoverable(&it.path("lib/z")), None);
}

#[test]
fn settings_with_inclusion() {
    let it = filled();
    it.git(&["config", "alias.co", "checkout"]);
    it.git(&["config", "include.path", "more"]);
    it.git(&["config", &format!("includeIf.gitdir:{}/.path", it.root.display()), "here"]);
    it.write(".git/here", "[alias]\n\there = status\n");
    it.git(&["config", "includeIf.gitdir:/elsewhere/.path", "there"]);
    it.write(".git/there", "[alias]\n\tthere = status\n");
    it.write(".git/more", "[alias]\n\tx = !sh -c 'x'\n[include]\n\tpath = more\n"); // git itself refuses the circle
    let world = Native::new();
    assert_eq!(world.git_setting(&it.path("src"), "alias.co").as_deref(), Some("checkout"));
    assert_eq!(world.git_setting(&it.path("src"), "Alias.X").as_deref(), Some("!sh -c 'x'"));
    assert_eq!(world.git_setting(&it.path("src"), "alias.here").as_deref(), Some("status"));
    assert_eq!(world.git_setting(&it.path("src"), "alias.there"), None);
}

#[test]
fn a_repository_within_is_not_recoverable() {
    let it = filled();
    std::fs::create_dir(it.root.join("lib/inner")).expect("made");
    it.git_in(&it.root.join("lib/inner"), &["init", "-q"]);
    assert_eq!(Native::new().recoverable(&it.path("lib")), Some(false));
}

#[test]
fn links_are_judged_as_links() {
    let it = filled();
    std::os::unix::fs::symlink("README.md", it.root.join("link")).expect("linked");
    std::os::unix::fs::symlink("/etc", it.root.join("out")).expect("linked");
    it.commit();
    let world = Native::new();
    assert_eq!(world.clean(&it.path("link")), Some(true));
    assert_eq!(world.real(&it.path("out/nothing/x")).as_deref(), Some("/etc/nothing/x"));
    assert_eq!(world.recoverable(&it.path("out/hostname")), Some(false));
}

#[test]
fn a_truncated_or_flipped_index_never_panics() {
    use cc_safety_net::world::git::index::Index;
    let it = filled();
    for version in ["2", "4"] {
        it.git(&["update-index", "--index-version", version]);
        let bytes = std::fs::read(it.root.join(".git/index")).expect("read");
        for cut in 0..bytes.len() {
            let _ = Index::parse(bytes[..cut].to_vec(), 20, 0);
            let mut flipped = bytes.clone();
            flipped[cut] ^= 0xff;
            let _ = Index::parse(flipped, 20, 0);
        }
        assert!(Index::parse(bytes, 20, 0).is_some());
    }
}
