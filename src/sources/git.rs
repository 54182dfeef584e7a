//! Rulebooks of a repository, fetched with the user's own git: its addresses, credentials and proxies are as the user set them up.
//!
//! The repository is not to be trusted. What is fetched goes into an empty repository of a scratch folder, with no working tree: no
//! file is written from it, no hook or filter runs, no submodule is followed, no program is chosen by it. Of its tree only the regular
//! files of the places for rulebooks are read. Time and room are bounded.

use std::path::Path;
use std::time::Duration;

use super::{Basket, PLACES};
use crate::language::File;
use crate::world::program::{self, OUTPUT, Terms};
use crate::world::scratch::Scratch;

/// How long fetching may take.
const LIMIT: Duration = Duration::from_secs(120);
/// How much may be fetched. Only one commit is.
const ROOM: u64 = 64 << 20;

/// Variables by which another repository, another configuration or more protocols would be used.
const UNSET: [&str; 13] = [
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_NAMESPACE",
    "GIT_TEMPLATE_DIR",
    "GIT_ALLOW_PROTOCOL",
    "GIT_PROTOCOL_FROM_USER",
    "GIT_CONFIG_PARAMETERS",
    "GIT_CONFIG_COUNT",
    "GIT_DEFAULT_HASH",
];
/// Nobody is asked for a password: there may be nobody.
const SET: [(&str, &str); 2] = [("GIT_TERMINAL_PROMPT", "0"), ("GCM_INTERACTIVE", "never")];

/// Settings that hold whatever the user's or the repository's say.
const SETTINGS: [&str; 16] = [
    "protocol.allow=never",
    "protocol.ext.allow=never",
    "protocol.https.allow=always",
    "protocol.ssh.allow=always",
    "protocol.http.allow=always",
    "protocol.git.allow=always",
    "fetch.fsckObjects=true",
    "fetch.unpackLimit=1",
    "fetch.recurseSubmodules=false",
    "submodule.recurse=false",
    "transfer.bundleURI=false",
    "fetch.writeCommitGraph=false",
    "core.fsmonitor=false",
    "core.symlinks=false",
    "gc.auto=0",
    "maintenance.auto=false",
];

/// What was fetched.
#[derive(Debug)]
pub struct Fetched {
    /// The commit.
    pub commit: String,
    /// Its rulebooks.
    pub files: Vec<File>,
    /// What was passed over, a line each.
    pub passed_over: Vec<String>,
}

/// Fetches a repository's rulebooks, of a branch, a tag or a commit; of what it points to itself where none is named.
pub fn fetch(address: &str, reference: Option<&str>, is_local: bool) -> Result<Fetched, String> {
    let reference = reference.unwrap_or("HEAD");
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./+@".contains(&byte);
    if !reference.bytes().all(is_plain) || reference.starts_with(['-', '+']) || reference.is_empty() {
        return Err("a ref is a branch, a tag or a whole commit id".into());
    }
    let program = program::find("git").ok_or("git fetches it, and it is not on the PATH")?;
    let scratch = Scratch::make().map_err(|fault| format!("there is no room for it: {fault}"))?;
    let (store, hooks) = (scratch.path().join("store"), scratch.path().join("hooks"));
    let mut git = Git { program: &program, room: scratch.path(), base: Vec::new() };
    let mut set = |setting: String| git.base.extend(["-c".into(), setting]);
    SETTINGS.iter().for_each(|setting| set(setting.to_string()));
    set(format!("core.hooksPath={}", hooks.display()));
    set(format!("protocol.file.allow={}", if is_local { "always" } else { "never" }));
    git.run(&["init", "--quiet", "--bare", "--template=", &store.to_string_lossy()])?;
    git.base.push(format!("--git-dir={}", store.display()));
    let what = ["fetch", "--quiet", "--no-tags", "--depth=1", "--no-recurse-submodules", "--", address, reference];
    git.run(&what)?;
    let commit = git.run(&["rev-parse", "--verify", "--quiet", "FETCH_HEAD^{commit}"])?.trim().to_string();
    if commit.len() < 40 || !commit.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Err("what was fetched is no commit".into());
    }
    let mut basket = Basket::default();
    for place in PLACES {
        git.take(&mut basket, &commit, place)?;
        if !basket.files.is_empty() {
            break;
        }
    }
    Ok(Fetched { commit, files: basket.files, passed_over: basket.passed_over })
}

struct Git<'a> {
    program: &'a Path,
    room: &'a Path,
    base: Vec<String>,
}

impl Git<'_> {
    fn run(&self, arguments: &[&str]) -> Result<String, String> {
        let terms = Terms { limit: LIMIT, set: &SET, unset: &UNSET, room: Some((self.room, ROOM)) };
        let all: Vec<String> = self.base.iter().cloned().chain(arguments.iter().map(|each| each.to_string())).collect();
        let ran = program::run_on(&terms, self.program, &all).map_err(|why| format!("git {}: {why}", arguments[0]))?;
        if ran.code == Some(0) {
            return Ok(ran.output);
        }
        let told = ran.errors.lines().find(|line| line.starts_with("fatal: ")).or(ran.errors.lines().next_back());
        let told = told.unwrap_or("nothing was said").trim_start_matches("fatal: ");
        Err(format!("git {}: {}", arguments[0], told))
    }

    /// Takes the rulebooks of one place of a commit's tree. A link or a submodule on the way leads nowhere.
    fn take(&self, basket: &mut Basket, commit: &str, place: &str) -> Result<(), String> {
        let folder = format!("{place}/");
        let mut arguments = vec!["ls-tree", "-z", "--long", "--full-tree", commit];
        if !place.is_empty() {
            arguments.extend(["--", &folder]);
        }
        let listed = self.run(&arguments)?;
        if listed.len() as u64 >= OUTPUT {
            return Err("a folder of it has too many files".into());
        }
        for entry in listed.split('\0') {
            let Some((facts, path)) = entry.split_once('\t') else { continue };
            let name = path.rsplit('/').next().unwrap_or(path);
            if !Basket::is_rulebook(name) {
                continue;
            }
            let facts: Vec<&str> = facts.split_whitespace().collect();
            let [mode, "blob", object, size] = facts[..] else {
                basket.pass(name, "not a regular file");
                continue;
            };
            if mode != "100644" && mode != "100755" {
                basket.pass(name, "not a regular file");
                continue;
            }
            let size: u64 = size.parse().map_err(|_| "its tree cannot be read")?;
            basket.take(name, size, || {
                let text = self.run(&["cat-file", "blob", object])?;
                // What is no UTF-8 was read with signs in its place.
                let is_whole = text.len() as u64 == size && !text.contains('\u{fffd}');
                if is_whole { Ok(text) } else { Err(format!("{}: not UTF-8", name)) }
            })?;
        }
        Ok(())
    }
}
