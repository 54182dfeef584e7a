//! A home of its own, hooks that run in it, and what they leave in its log.

#![allow(dead_code)] // each test takes what it needs

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use serde_json::{Value, json};

/// A home with a project in it.
pub struct Home {
    folder: tempfile::TempDir,
}

impl Home {
    pub fn new() -> Home {
        let home = Home { folder: tempfile::tempdir().expect("a scratch folder") };
        std::fs::create_dir_all(home.project().join(".git")).expect("a project");
        home
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    pub fn project(&self) -> PathBuf {
        self.path().join("project")
    }

    /// The user's settings.
    pub fn policy(&self, text: &str) {
        std::fs::create_dir_all(self.path().join(".cc-safety-net")).expect("a folder");
        std::fs::write(self.path().join(".cc-safety-net/policy.yaml"), text).expect("written");
    }

    pub fn state(&self) -> PathBuf {
        let below = if cfg!(target_os = "macos") { "Library/Application Support" } else { ".local/state" };
        self.path().join(below).join("cc-safety-net")
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cc-safety-net"));
        command.args(arguments).env_clear().env("HOME", self.path()).env("CC_SAFETY_NET_TEST_HOME", self.path());
        command.current_dir(self.project()).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Runs a command that a person types, with nothing on its standard input.
    pub fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).stdin(Stdio::null()).output().expect("the binary starts")
    }

    /// A hook that waits for its payload.
    pub fn start(&self, flag: &str) -> Child {
        self.command(&["hook", flag]).spawn().expect("the binary starts")
    }

    /// A hook's whole run.
    pub fn hook(&self, flag: &str, payload: &str) -> Output {
        finish(self.start(flag), payload)
    }

    /// A payload of the default agent, in the project.
    pub fn payload(&self, tool: &str, fields: Value) -> String {
        let directory = self.project();
        json!({ "hook_event_name": "PreToolUse", "session_id": "s-1", "cwd": directory, "tool_name": tool, "tool_input": fields })
            .to_string()
    }

    /// A shell command judged for the default agent.
    pub fn judge(&self, command: &str) -> Output {
        self.hook("-cc", &self.payload("Bash", json!({ "command": command })))
    }

    /// Every file of the log.
    pub fn files(&self) -> Vec<PathBuf> {
        let mut found = Vec::new();
        let mut folders = vec![self.state().join("log")];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
                if entry.path().is_dir() { folders.push(entry.path()) } else { found.push(entry.path()) }
            }
        }
        found.retain(|path| path.extension().is_some_and(|end| end == "jsonl"));
        found.sort();
        found
    }

    /// The log as text.
    pub fn text(&self) -> String {
        self.files().iter().map(|file| std::fs::read_to_string(file).expect("UTF-8")).collect()
    }

    /// Every record, file by file. Every line must be one.
    pub fn records(&self) -> Vec<Value> {
        self.text().lines().map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"))).collect()
    }
}

pub fn finish(mut child: Child, payload: &str) -> Output {
    let mut input = child.stdin.take().expect("a pipe");
    // A hook that answers early may close its input; that is no fault of the test.
    let _ = input.write_all(payload.as_bytes());
    drop(input);
    child.wait_with_output().expect("the hook ends")
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}
