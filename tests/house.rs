//! The house rules, read off the sources: who may import whom, how long a file may be, where `unsafe`, input and output, and
//! names of programs may stand.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The rooms in the order of the pipeline, and what each may name.
const ROOMS: &[(&str, &[&str])] = &[
    ("model", &[]),
    ("language", &["model"]),
    ("image", &["model", "language"]),
    ("shell", &["model"]),
    ("interpret", &["model", "image", "shell"]),
    ("policy", &["model", "image"]),
    ("check", &["model", "interpret", "policy"]),
    ("explain", &["model", "language", "image", "policy"]),
    ("agents", &["model", "explain"]),
    ("catalogue", &["model", "image", "language"]),
    ("world", &["model"]),
    ("layers", &["model", "language", "image", "policy", "catalogue", "world"]),
    ("engine", &["model", "language", "policy", "check", "explain", "agents", "world", "layers"]),
    ("setup", &["agents"]),
    ("audit", &["model", "explain", "policy", "agents", "world"]),
    ("tickets", &["model", "explain", "world"]),
    ("sources", &["model", "language", "layers", "world"]),
    ("replay", &["model", "image", "policy", "check", "explain", "agents", "world", "layers", "audit"]),
    ("proof", &["model", "language", "explain"]),
    ("migrate", &["model", "language", "agents", "layers", "proof"]),
    (
        "cli",
        &[
            "proof",
            "migrate",
            "audit",
            "setup",
            "sources",
            "replay",
            "tickets",
            "model",
            "language",
            "image",
            "shell",
            "interpret",
            "policy",
            "check",
            "explain",
            "agents",
            "catalogue",
            "world",
            "layers",
        ],
    ),
];

/// Rooms that touch no file, clock, environment or process.
const PURE: &[&str] =
    &["model", "language", "image", "shell", "interpret", "policy", "check", "explain", "agents", "setup", "proof"];

struct Source {
    room: String,
    path: PathBuf,
    text: String,
}

fn sources() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("src is readable") {
            let path = entry.expect("src is readable").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                let inside = path.strip_prefix(&root).expect("below src");
                let first = inside.components().next().expect("a name").as_os_str().to_string_lossy().into_owned();
                let room = first.trim_end_matches(".rs").to_string();
                let text = fs::read_to_string(&path).expect("utf-8");
                found.push(Source { room, path: inside.to_path_buf(), text });
            }
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    assert!(found.len() > 20, "the sources were not found");
    found
}

/// The part of a file before its unit tests.
fn product(text: &str) -> &str {
    text.split("#[cfg(test)]").next().unwrap_or(text)
}

/// The text without comments.
fn code_lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    product(text)
        .lines()
        .enumerate()
        .map(|(n, line)| (n + 1, line.split("//").next().unwrap_or("")))
        .filter(|(_, line)| !line.trim().is_empty())
}

/// Every `crate::room` that a file names, groups in braces included.
fn named_rooms(text: &str) -> BTreeSet<String> {
    let code: String = code_lines(text).map(|(_, line)| format!("{line}\n")).collect();
    let mut rooms = BTreeSet::new();
    for (at, _) in code.match_indices("crate::") {
        let rest = &code[at + "crate::".len()..];
        if let Some(group) = rest.strip_prefix('{') {
            let mut depth = 1;
            let mut item = String::new();
            for c in group.chars() {
                match c {
                    '{' => depth += 1,
                    '}' => depth -= 1,
                    ',' if depth == 1 => {
                        rooms.insert(first_segment(&item));
                        item.clear();
                        continue;
                    }
                    _ => {}
                }
                if depth == 0 {
                    break;
                }
                item.push(c);
            }
            rooms.insert(first_segment(&item));
        } else {
            rooms.insert(first_segment(rest));
        }
    }
    rooms.retain(|room| !room.is_empty());
    rooms
}

fn first_segment(path: &str) -> String {
    path.trim().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
}

#[test]
fn rooms_import_only_what_the_table_allows() {
    let table: BTreeMap<&str, &[&str]> = ROOMS.iter().copied().collect();
    let mut faults = Vec::new();
    for source in sources() {
        if ["lib", "main", "ccsn"].contains(&source.room.as_str()) {
            continue;
        }
        let Some(may) = table.get(source.room.as_str()) else {
            faults.push(format!("{}: the room `{}` is not in the table", source.path.display(), source.room));
            continue;
        };
        for named in named_rooms(&source.text) {
            if named != source.room && table.contains_key(named.as_str()) && !may.contains(&named.as_str()) {
                faults.push(format!("{}: `{}` may not name `{named}`", source.path.display(), source.room));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn matching_does_not_know_the_language() {
    for source in sources().iter().filter(|s| s.path.starts_with("image/matching")) {
        assert!(!named_rooms(&source.text).contains("language"), "{}", source.path.display());
    }
}

#[test]
fn pure_rooms_touch_nothing() {
    const MACHINE: &[&str] =
        &["std::fs", "std::env", "std::process", "std::net", "std::thread", "SystemTime", "Instant", "std::io::std", "libc::"];
    let mut faults = Vec::new();
    for source in sources().iter().filter(|s| PURE.contains(&s.room.as_str())) {
        for (n, line) in code_lines(&source.text) {
            for word in MACHINE.iter().filter(|word| line.contains(**word)) {
                faults.push(format!("{}:{n}: {word}", source.path.display()));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn unsafe_stands_only_where_the_system_is_called() {
    let allowed = ["world/crash.rs", "world/os.rs", "world/disk/host.rs", "engine/exports.rs"].map(Path::new);
    for source in sources() {
        let has = code_lines(&source.text).any(|(_, line)| line.contains("unsafe ") || line.contains("allow(unsafe_code)"));
        assert!(!has || allowed.contains(&source.path.as_path()), "{}", source.path.display());
    }
}

#[test]
fn files_open_with_what_they_are_for_and_stay_readable() {
    let mut faults = Vec::new();
    for source in sources() {
        let lines = source.text.lines().count();
        if lines > 600 {
            faults.push(format!("{}: {lines} lines; look for a seam", source.path.display()));
        }
        if !source.text.starts_with("//!") {
            faults.push(format!("{}: does not open with //!", source.path.display()));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn the_top_level_is_the_card() {
    let allowed: BTreeSet<&str> = [
        "Cargo.toml",
        "Cargo.lock",
        "README.md",
        "ARCHITECTURE.md",
        "LICENSE",
        "rustfmt.toml",
        "grammar",
        "rules",
        "src",
        "tests",
        "snapshots",
        "target",
    ]
    .into();
    for entry in fs::read_dir(env!("CARGO_MANIFEST_DIR")).expect("readable") {
        let name = entry.expect("readable").file_name().to_string_lossy().into_owned();
        assert!(name.starts_with('.') || allowed.contains(name.as_str()), "`{name}` is not on the card");
    }
}

/// Reserved words and special builtins of the shells: the one list of command names that Rust may hold.
const SHELL_WORDS: &[&str] = &[
    "!",
    ".",
    ":",
    "[",
    "[[",
    "alias",
    "bg",
    "bind",
    "break",
    "builtin",
    "caller",
    "case",
    "cd",
    "command",
    "compgen",
    "complete",
    "continue",
    "coproc",
    "declare",
    "dirs",
    "disown",
    "do",
    "done",
    "echo",
    "elif",
    "else",
    "enable",
    "esac",
    "eval",
    "exec",
    "exit",
    "export",
    "false",
    "fc",
    "fg",
    "fi",
    "for",
    "function",
    "getopts",
    "hash",
    "help",
    "history",
    "if",
    "in",
    "jobs",
    "kill",
    "let",
    "local",
    "logout",
    "mapfile",
    "popd",
    "printf",
    "pushd",
    "pwd",
    "read",
    "readarray",
    "readonly",
    "return",
    "select",
    "set",
    "shift",
    "shopt",
    "source",
    "suspend",
    "test",
    "then",
    "time",
    "times",
    "trap",
    "true",
    "type",
    "typeset",
    "ulimit",
    "umask",
    "unalias",
    "unset",
    "until",
    "wait",
    "while",
];

/// Words that are names of declared programs and something else at once, and what they mean where Rust says them.
const HOMONYMS: &[(&str, &[&str])] = &[
    (
        "languages and shells that have a front end",
        &["awk", "cmd", "elixir", "java", "julia", "lua", "perl", "php", "powershell", "python", "ruby", "sed", "sql"],
    ),
    ("words of the rulebook language", &["call", "code", "command", "file", "path", "size", "standard"]),
    (
        "fields of payloads and settings",
        &["cmd", "code", "command", "dir", "exec", "expect", "file", "id", "path", "prompt", "script", "type"],
    ),
    ("words in the names of secrets", &["env", "fd", "pass", "passwd", "pw", "pwd", "type"]),
    ("kinds of faults and limits", &["safety", "size", "stack"]),
    (
        "agents' own names, and events' fields",
        &["amp", "codex", "cursor", "host", "mode", "openclaw", "opencode", "platform", "source"],
    ),
    ("folders of records", &["granted"]),
    ("our own commands, and states and severities in their reports", &["info", "install", "open"]),
    ("values and encodings", &["base64", "false", "true", "yes"]),
    (
        "words and functions of the embedded languages themselves",
        &[
            "as", "del", "foreach", "format", "grep", "join", "ne", "q", "realpath", "split", "strip", "tr", "uniq", "usort",
            "w",
        ],
    ),
    ("words that cmd.exe itself defines, options of shells", &["bash", "chdir", "gtr", "noglob", "rem"]),
];

/// Names of agents' own tools, fields and programs: in the room of agents they are part of a wire form or of a table entry.
const AGENTS_TOOLS: &[&str] = &[
    "bash",
    "claude",
    "copilot",
    "cursor-agent",
    "exec",
    "find",
    "gemini",
    "grok",
    "install",
    "kimi",
    "ls",
    "patch",
    "powershell",
    "timeout",
    "title",
    "type",
    "write",
];

/// In the room of sources alone: the one program of others that we run for ourselves (rulebooks are fetched with the user's own git,
/// its settings and credentials), a command of it, and the schemes of addresses.
const FETCHING: &[&str] = &["git", "http", "https", "init", "ssh"];

#[test]
fn no_rust_source_names_a_declared_program() {
    let programs = declared_programs();
    assert!(programs.len() >= 60, "only {} programs are declared", programs.len());
    let mut faults = Vec::new();
    for source in sources() {
        for (n, line) in code_lines(&source.text) {
            for literal in string_literals(line) {
                let shell_word = source.room == "shell" && SHELL_WORDS.contains(&literal.as_str());
                let homonym = HOMONYMS.iter().any(|(_, words)| words.contains(&literal.as_str()));
                let sign = !literal.chars().any(char::is_alphanumeric);
                let tool = source.room == "agents" && AGENTS_TOOLS.contains(&literal.as_str());
                let fetching = source.room == "sources" && FETCHING.contains(&literal.as_str());
                if programs.contains(&literal) && !shell_word && !homonym && !sign && !tool && !fetching {
                    faults.push(format!("{}:{n}: \"{literal}\"", source.path.display()));
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn no_rust_source_names_a_rule() {
    let mut ids = BTreeSet::new();
    for text in rulebooks() {
        let book = text.lines().find_map(|line| line.strip_prefix("rulebook ")).expect("a header").trim().to_string();
        let rules = text.lines().filter_map(|line| line.strip_prefix("rule ").or(line.strip_prefix("allow ")));
        ids.extend(rules.filter_map(|line| line.split_whitespace().next()).map(|name| format!("{book}.{name}")));
        let also = text.lines().filter_map(|line| line.trim().strip_prefix("also "));
        ids.extend(also.flat_map(|line| line.split(" for ").next().unwrap_or("").split_whitespace()).map(str::to_string));
    }
    assert!(ids.len() >= 200, "only {} ids were found", ids.len());
    let mut faults = Vec::new();
    for source in sources() {
        for (n, line) in code_lines(&source.text) {
            let named = string_literals(line).into_iter().filter(|literal| ids.contains(literal));
            faults.extend(named.map(|literal| format!("{}:{n}: \"{literal}\"", source.path.display())));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// The names after `command` in every rulebook.
fn declared_programs() -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for text in rulebooks() {
        for line in text.lines().filter_map(|line| line.strip_prefix("command ")) {
            let names = line.split('{').next().unwrap_or("");
            found.extend(names.split_whitespace().map(|name| name.trim_matches('"').to_string()));
        }
    }
    found
}

/// The texts of the catalogue.
fn rulebooks() -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("rules")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("rules is readable") {
            let path = entry.expect("rules is readable").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "rulebook") {
                found.push(fs::read_to_string(&path).expect("utf-8"));
            }
        }
    }
    found
}

fn string_literals(line: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = line;
    while let Some(start) = rest.find('"') {
        let Some(end) = rest[start + 1..].find('"') else { break };
        found.push(rest[start + 1..start + 1 + end].to_string());
        rest = &rest[start + 2 + end..];
    }
    found
}
