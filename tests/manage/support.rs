//! A home, a person in it, and repositories to take rulebooks from.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

pub use crate::hooks::{Home, text};

/// A rulebook with one rule: `PROGRAM --hard` is refused.
pub fn rulebook(name: &str, version: &str, program: &str) -> String {
    format!(
        "rulebook {name}\nversion {version}\nabout \"For tests.\"\n\nrule {program} {{\n  match {program} --hard\n  \
         deny \"Too hard.\"\n  examples {{ deny `{program} --hard`; allow `{program} --soft` }}\n}}\n"
    )
}

impl Home {
    /// Runs a command as a person at a terminal would, with the programs of this machine.
    pub fn person(&self, arguments: &[&str]) -> Output {
        self.with(&[("CC_SAFETY_NET_TEST_PERSON", "1")], arguments)
    }

    /// Runs a command with these variables and the programs of this machine.
    pub fn with(&self, variables: &[(&str, &str)], arguments: &[&str]) -> Output {
        let mut command = self.command(arguments);
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default()).envs(variables.iter().copied());
        command.stdin(std::process::Stdio::null()).output().expect("the binary starts")
    }

    /// Runs a command as a person and expects this exit code; what it printed, both streams.
    pub fn expect(&self, code: i32, arguments: &[&str]) -> String {
        expected(code, arguments, &self.person(arguments))
    }

    /// A file below the home.
    pub fn write(&self, path: &str, text: &str) -> PathBuf {
        let path = self.path().join(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        std::fs::write(&path, text).expect("written");
        path
    }

    pub fn read(&self, path: &str) -> String {
        std::fs::read_to_string(self.path().join(path)).unwrap_or_else(|fault| panic!("{path}: {fault}"))
    }

    /// Every file of a folder below the home.
    pub fn tree(&self, folder: &str) -> BTreeMap<PathBuf, Vec<u8>> {
        let (mut open, mut found) = (vec![self.path().join(folder)], BTreeMap::new());
        while let Some(folder) = open.pop() {
            for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
                match entry.path() {
                    path if path.is_dir() => open.push(path),
                    path => drop(found.insert(path.clone(), std::fs::read(&path).expect("readable"))),
                }
            }
        }
        found
    }

    /// What the hook decides on a command: nothing is an allow.
    pub fn refuses(&self, command: &str) -> bool {
        text(&self.judge(command).stdout).contains("\"deny\"")
    }
}

/// Both streams of a run that ended as expected.
pub fn expected(code: i32, arguments: &[&str], output: &Output) -> String {
    let printed = format!("{}{}", text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{arguments:?}\n{printed}");
    assert!(!printed.contains('\u{1b}'), "no colour into a pipe");
    printed
}

/// A repository below a home.
pub struct Repository {
    pub path: PathBuf,
}

impl Repository {
    pub fn new(home: &Home, name: &str) -> Repository {
        let repository = Repository { path: home.path().join(name) };
        std::fs::create_dir_all(&repository.path).expect("made");
        repository.git(&["init", "--quiet", "--initial-branch=main"]);
        repository
    }

    pub fn address(&self) -> String {
        format!("file://{}", self.path.display())
    }

    pub fn write(&self, path: &str, text: &str) {
        let path = self.path.join(path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        std::fs::write(path, text).expect("written");
    }

    /// Commits everything; the commit's id.
    pub fn commit(&self) -> String {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--allow-empty", "-m", "x"]);
        self.git(&["rev-parse", "HEAD"]).trim().to_string()
    }

    pub fn git(&self, arguments: &[&str]) -> String {
        git(&self.path, arguments)
    }
}

/// Runs git with nobody's settings.
pub fn git(directory: &Path, arguments: &[&str]) -> String {
    let mut command = Command::new("git");
    command.args(["-c", "user.name=x", "-c", "user.email=x@y", "-c", "protocol.file.allow=always"]).args(arguments);
    command.current_dir(directory).env_clear().env("PATH", std::env::var_os("PATH").unwrap_or_default());
    let output = command.env("GIT_CONFIG_NOSYSTEM", "1").output().expect("git starts");
    assert!(output.status.success(), "{arguments:?} {}", text(&output.stderr));
    text(&output.stdout)
}
