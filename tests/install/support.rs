//! A scratch home, the binary run in it, and what is in it to the byte.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use cc_safety_net::agents::{AGENTS, Agent, by_name};
use cc_safety_net::setup::plugins;

/// What stands at a path: permissions and content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    Folder(u32),
    File(u32, Vec<u8>),
    Link(PathBuf),
}

/// A home that goes away with the value.
pub struct Home {
    folder: tempfile::TempDir,
    pub program: PathBuf,
    pub variables: Vec<(String, String)>,
    /// Whether the tests play a person; else an agent may well be among the processes above.
    pub is_person: bool,
}

impl Home {
    pub fn empty() -> Home {
        let folder = tempfile::tempdir().expect("a scratch folder");
        Home { folder, program: env!("CARGO_BIN_EXE_cc-safety-net").into(), variables: Vec::new(), is_person: true }
    }

    /// A home in which every agent has been used: settings with comments, odd layout and hooks of others.
    pub fn lived_in() -> Home {
        let home = Home::empty();
        for (path, text) in LIVED_IN {
            home.write(path, text);
        }
        home
    }

    pub fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    pub fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(path, text).expect("written");
    }

    pub fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap_or_else(|fault| panic!("{path}: {fault}"))
    }

    pub fn link(&self, path: &str, target: &str) {
        fs::create_dir_all(self.path(path).parent().expect("a folder")).expect("made");
        symlink(self.path(target), self.path(path)).expect("linked");
    }

    pub fn mode(&self, path: &str, mode: u32) {
        fs::set_permissions(self.path(path), fs::Permissions::from_mode(mode)).expect("changed");
    }

    /// An agent's own program: writes its arguments to `calls` and then does what `script` says.
    pub fn fake(&self, name: &str, script: &str) {
        let text = format!(
            "#!/bin/sh\n[ \"$1\" = --version ] && echo '{name} 9.9.9' && exit 0\necho \"{name} $*\" >> \"$HOME/calls\"\n{script}\n"
        );
        self.write(&format!("programs/{name}"), &text);
        self.mode(&format!("programs/{name}"), 0o755);
    }

    /// How the agents' own programs were called so far.
    pub fn calls(&self) -> Vec<String> {
        let text = fs::read_to_string(self.path("calls")).unwrap_or_default();
        text.lines().map(|line| line.replace(&self.folder.path().display().to_string(), "~")).collect()
    }

    pub fn run(&self, arguments: &[&str]) -> Output {
        Command::new(&self.program)
            .args(arguments)
            .current_dir(self.folder.path())
            .env_clear()
            .env("HOME", self.folder.path())
            .env("PATH", format!("{}:/usr/bin:/bin", self.path("programs").display()))
            .envs(self.is_person.then_some(("CC_SAFETY_NET_TEST_PERSON", "1")))
            .envs(self.variables.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::null())
            .output()
            .expect("the binary starts")
    }

    /// Runs the binary and expects this exit code; what it printed, both streams.
    pub fn expect(&self, code: i32, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let printed = format!("{}{}", text(&output.stdout), text(&output.stderr));
        assert_eq!(output.status.code(), Some(code), "{arguments:?}\n{printed}");
        assert!(!printed.contains('\u{1b}'), "no colour into a pipe");
        printed
    }

    /// Everything in the home but our own record.
    pub fn tree(&self) -> BTreeMap<String, Found> {
        let mut found = BTreeMap::new();
        let mut open = vec![self.folder.path().to_path_buf()];
        while let Some(folder) = open.pop() {
            for entry in fs::read_dir(&folder).expect("readable") {
                let path = entry.expect("readable").path();
                let name = path.strip_prefix(self.folder.path()).expect("inside").display().to_string();
                if [".local", ".cache", "calls"].iter().any(|own| name == *own) {
                    continue;
                }
                let meta = fs::symlink_metadata(&path).expect("there");
                let mode = meta.permissions().mode() & 0o7777;
                let what = if meta.is_symlink() {
                    Found::Link(fs::read_link(&path).expect("a link"))
                } else if meta.is_dir() {
                    open.push(path);
                    Found::Folder(mode)
                } else {
                    Found::File(mode, fs::read(&path).expect("readable"))
                };
                found.insert(name, what);
            }
        }
        found
    }
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

pub fn agent(name: &str) -> &'static Agent {
    by_name(name).unwrap_or_else(|| panic!("{name}"))
}

/// The agents that are connected by files alone, as far as this build carries what is in them.
pub fn by_files() -> Vec<&'static Agent> {
    let is_plugin = |agent: &Agent| agent.flags.is_empty();
    let files = AGENTS.iter().copied().filter(|agent| agent.setup.driven.connect.is_empty());
    files.filter(|agent| plugins::are_there() || !is_plugin(agent)).collect()
}

/// What the agents' users had, byte for byte.
pub const LIVED_IN: &[(&str, &str)] = &[
    (
        ".claude/settings.json",
        "{\n\t// tabs, and a comment\n\t\"theme\": \"dark\",\n\t\"hooks\": {\n\t\t\"PreToolUse\": [\n\t\t\t{ \"matcher\": \"Bash\", \"hooks\": [{ \"type\": \"command\", \"command\": \"my.sh\" }] }, // mine\n\t\t],\n\t\t\"Stop\": []\n\t},\n\t\"env\": {}\n}",
    ),
    (
        ".codex/hooks.json",
        "{\"hooks\":{\"PreToolUse\":[{\"hooks\":[{\"type\":\"command\",\"command\":\"other hook --codex\"}]}]}}\n",
    ),
    (".codex/config.toml", "model = \"o3\" # kept\n"),
    (
        ".cursor/hooks.json",
        "{\r\n  \"version\": 1,\r\n  \"hooks\": {\r\n    \"stop\": [{ \"command\": \"x\" }]\r\n  }\r\n}\r\n",
    ),
    (".gemini/settings.json", "{ \"hooks\": { \"BeforeTool\": [] }, \"ui\": { \"theme\": \"x\" } }"),
    (".gemini/config/hooks.json", "{\n    \"mine\": { \"Stop\": [{ \"type\": \"command\", \"command\": \"x\" }] }\n}\n"),
    (".copilot/hooks/other.json", "{\"version\":1}"),
    (".copilot/settings.json", "{}"),
    (".grok/hooks/other.json", "{}"),
    (
        ".kimi-code/config.toml",
        "# my settings\ndefault_model = \"k2\"\n\n[[hooks]]\nevent = \"Stop\" # bell\ncommand = \"bell\"\n\n[mcp]\nx = { y = 1 }\n",
    ),
    (".hermes/config.yaml", "# mine\nplugins:\n  enabled: [other]\n"),
    (".openclaw/openclaw.json", "{}"),
    (".config/opencode/plugin/other.js", "export const x = 1;\n"),
    (".pi/agent/settings.json", "{}"),
    (".config/amp/plugins/other.ts", "export default () => {};\n"),
];
