//! Git's configuration: sections, values, inclusion (`git-config`, "Configuration file", "Includes").

use std::path::{Path, PathBuf};

use super::{Checkout, glob::Glob, refs};
use crate::world::disk;
use crate::world::file::{self, Links};

/// How deep files may include each other, as in git.
const DEPTH: u32 = 10;
/// How many files are read.
const FILES: u32 = 32;
const LIMIT: u64 = 256 << 10;

/// Values in the order in which git reads them.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Config {
    /// Key and value; section and variable in lower case, the subsection as written.
    values: Vec<(String, String)>,
    /// Whether something could not be read, so that a missing value means nothing.
    partial: bool,
    files: u32,
}

impl Config {
    /// Reads the system's, the user's and the repository's files, the last word last.
    pub fn load(checkout: &Checkout, homes: &[String]) -> Config {
        let mut config = Config::default();
        let set = |name: &str| disk::variable(name).filter(|value| !value.is_empty());
        if set("GIT_CONFIG_NOSYSTEM").is_none() {
            config.file(&PathBuf::from(set("GIT_CONFIG_SYSTEM").unwrap_or("/etc/gitconfig".into())), checkout, homes, 0);
        }
        if let Some(global) = set("GIT_CONFIG_GLOBAL") {
            config.file(&PathBuf::from(global), checkout, homes, 0);
        } else if let Some(home) = homes.first() {
            let base = set("XDG_CONFIG_HOME").unwrap_or_else(|| format!("{home}/.config"));
            config.file(&PathBuf::from(base).join("git/config"), checkout, homes, 0);
            config.file(&PathBuf::from(home).join(".gitconfig"), checkout, homes, 0);
        }
        config.file(&checkout.common.join("config"), checkout, homes, 0);
        if config.last("extensions.worktreeconfig").is_some_and(|value| value.eq_ignore_ascii_case("true")) {
            config.file(&checkout.records.join("config.worktree"), checkout, homes, 0);
        }
        config
    }

    /// The last value of a key: `alias.x`, `core.worktree`, `remote.Origin.url`.
    pub fn last(&self, key: &str) -> Option<&str> {
        let key = canonical(key);
        self.values.iter().rev().find(|(name, _)| *name == key).map(|(_, value)| value.as_str())
    }

    /// Whether a file could not be read or a budget ended.
    pub fn is_partial(&self) -> bool {
        self.partial
    }

    fn file(&mut self, path: &Path, checkout: &Checkout, homes: &[String], depth: u32) {
        self.files += 1;
        if depth > DEPTH || self.files > FILES {
            self.partial = true;
            return;
        }
        let bytes = match file::read(path, LIMIT, Links::Follow) {
            Ok(bytes) => bytes,
            Err(fault) => {
                self.partial |= !fault.is_missing();
                return;
            }
        };
        for (key, value) in parse(&String::from_utf8_lossy(&bytes)) {
            let target = include(&key, checkout, homes, path).then(|| placed(&value, path, homes));
            match target {
                Some(target) => self.file(&target, checkout, homes, depth + 1),
                None => self.values.push((key, value)),
            }
        }
    }
}

/// Whether a key includes a file here: `include.path`, `includeif.CONDITION.path`.
fn include(key: &str, checkout: &Checkout, homes: &[String], file: &Path) -> bool {
    if key == "include.path" {
        return true;
    }
    let Some(condition) = key.strip_prefix("includeif.").and_then(|rest| rest.strip_suffix(".path")) else { return false };
    match condition.split_once(':') {
        Some(("gitdir", pattern)) => in_records(pattern, checkout, homes, file, false),
        Some(("gitdir/i", pattern)) => in_records(pattern, checkout, homes, file, true),
        Some(("onbranch", pattern)) => {
            let whole = if pattern.ends_with('/') { format!("{pattern}**") } else { pattern.to_string() };
            refs::branch(checkout).is_some_and(|branch| Glob::new(&whole, false).is_some_and(|glob| glob.matches(&branch)))
        }
        _ => false,
    }
}

fn in_records(pattern: &str, checkout: &Checkout, homes: &[String], file: &Path, fold: bool) -> bool {
    let mut pattern = match pattern.strip_prefix("./") {
        Some(rest) => file.parent().unwrap_or(file).join(rest).to_string_lossy().into_owned(),
        None => placed(pattern, Path::new("/-/config"), homes).to_string_lossy().trim_start_matches("/-/").to_string(),
    };
    if !pattern.starts_with('/') {
        pattern.insert_str(0, "**/");
    }
    if pattern.ends_with('/') {
        pattern.push_str("**");
    }
    Glob::new(&pattern, fold).is_some_and(|glob| glob.matches(&checkout.records.to_string_lossy()))
}

/// A path of a configuration file: `~/…`, absolute, or relative to the file.
fn placed(value: &str, file: &Path, homes: &[String]) -> PathBuf {
    match (value.strip_prefix("~/"), homes.first()) {
        (Some(rest), Some(home)) => PathBuf::from(format!("{home}/{rest}")),
        _ => file.parent().map(|folder| folder.join(value)).unwrap_or_else(|| value.into()),
    }
}

fn canonical(key: &str) -> String {
    match (key.find('.'), key.rfind('.')) {
        (Some(first), Some(last)) if first < last => {
            format!("{}{}{}", key[..first].to_ascii_lowercase(), &key[first..last], key[last..].to_ascii_lowercase())
        }
        _ => key.to_ascii_lowercase(),
    }
}

/// The keys and values of a text, in order. A line that is no configuration is passed over.
fn parse(text: &str) -> Vec<(String, String)> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let (mut found, mut section) = (Vec::new(), String::new());
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let mut line = line.trim();
        if let Some(rest) = line.strip_prefix('[') {
            let Some((name, after)) = header(rest) else { continue };
            section = name;
            line = after.trim();
        }
        if line.is_empty() || line.starts_with(['#', ';']) || section.is_empty() {
            continue;
        }
        let end = line.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(line.len());
        let key = format!("{section}.{}", line[..end].to_ascii_lowercase());
        match line[end..].trim_start().strip_prefix('=') {
            Some(value) if end > 0 => found.push((key, unquoted(value.trim_start(), &mut lines))),
            None if end == line.len() => found.push((key, "true".into())),
            _ => {}
        }
    }
    found
}

/// `section "sub\"section"]` or `section.sub]`: the canonical prefix, and what follows on the line.
fn header(text: &str) -> Option<(String, &str)> {
    let end = text.find(['"', ']', ' ', '\t'])?;
    let name = text[..end].to_ascii_lowercase();
    let rest = text[end..].trim_start();
    let Some(quoted) = rest.strip_prefix('"') else { return Some((name, rest.strip_prefix(']')?)) };
    let (mut sub, mut characters) = (String::new(), quoted.char_indices());
    while let Some((at, c)) = characters.next() {
        match c {
            '"' => return Some((format!("{name}.{sub}"), quoted[at + 1..].trim_start().strip_prefix(']')?)),
            '\\' => sub.push(characters.next()?.1),
            c => sub.push(c),
        }
    }
    None
}

/// A value: quotes and escapes removed, comments cut off, continued lines joined.
fn unquoted(first: &str, lines: &mut std::str::Lines<'_>) -> String {
    let (mut value, mut quoted, mut kept) = (String::new(), false, 0);
    let mut line = first;
    'lines: loop {
        let mut characters = line.chars();
        while let Some(c) = characters.next() {
            match c {
                '"' => {
                    quoted = !quoted;
                    kept = value.len();
                }
                '\\' => match characters.next() {
                    None => match lines.next() {
                        Some(next) => {
                            line = next;
                            continue 'lines;
                        }
                        None => break 'lines,
                    },
                    Some(escaped) => {
                        value.push(match escaped {
                            'n' => '\n',
                            't' => '\t',
                            'b' => '\u{8}',
                            other => other,
                        });
                        kept = value.len();
                    }
                },
                '#' | ';' if !quoted => break 'lines,
                c => {
                    value.push(c);
                    if quoted || !c.is_whitespace() {
                        kept = value.len();
                    }
                }
            }
        }
        break;
    }
    value.truncate(kept);
    value
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn values_as_git_reads_them() {
        let text = "[core]\n\tbare = false ; no\n[alias]\n  Co = checkout\n x = \"!f() { \\\"a\\\"; }; f\" # c\n long = a \\\n  b\n\
                    [Remote \"Or.igin\"] url = u\n[user]\n\tflag\n[a.B]\nc=1\nnonsense ?\n";
        let expected = [
            ("core.bare", "false"),
            ("alias.co", "checkout"),
            ("alias.x", "!f() { \"a\"; }; f"),
            ("alias.long", "a   b"),
            ("remote.Or.igin.url", "u"),
            ("user.flag", "true"),
            ("a.b.c", "1"),
        ];
        let found = parse(text);
        assert_eq!(found.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect::<Vec<_>>(), expected);
    }
}
