//! `rules.lock`: which rulebooks of a layer came from elsewhere, from where, and what they were when a person accepted them.
//!
//! INVARIANT (pinned or not loaded): a rulebook with a pin is part of its layer only while its content has the pin's digest. What
//! differs is left out and reported, and then the layer's last good state stays in force, as with every fault.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::source::Source;
use crate::world::file::hex;

/// The file's name, in the layer's directory.
pub const LOCK: &str = "rules.lock";
/// The most sources that a layer may have.
pub const SOURCES: usize = 64;
/// The version that this engine writes and reads.
const VERSION: u32 = 1;

/// What a lock says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lock {
    version: u32,
    /// Sorted by name.
    pub sources: Vec<Pinned>,
}

/// A source and what was taken from it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pinned {
    /// As the person named it, or the folder's path.
    pub source: String,
    /// The branch, tag or commit that was asked for; none for a folder, and for what the repository itself points to.
    #[serde(rename = "ref", default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    /// The commit that it was; none for a folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// The rulebooks that were asked for by name; none for all of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub only: Vec<String>,
    /// Sorted by name.
    pub rulebooks: Vec<Pin>,
}

/// One rulebook.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pin {
    /// The rulebook's, and its file's in `rules/`.
    pub name: String,
    /// What it calls itself.
    pub version: String,
    /// `sha256:` and the digest of its text.
    pub digest: String,
}

impl Default for Lock {
    fn default() -> Lock {
        Lock { version: VERSION, sources: Vec::new() }
    }
}

impl Lock {
    /// Reads a lock; or why it cannot be believed.
    pub fn read(bytes: &[u8]) -> Result<Lock, String> {
        let lock: Lock = serde_json::from_slice(bytes).map_err(|fault| fault.to_string())?;
        if lock.version != VERSION {
            return Err(format!("version {} is not known; this engine reads {VERSION}", lock.version));
        }
        if lock.sources.len() > SOURCES {
            return Err(format!("more than {SOURCES} sources"));
        }
        let mut names: Vec<&str> = lock.pins().map(|(_, pin)| pin.name.as_str()).collect();
        if let Some(name) = names.iter().find(|name| !is_name(name)) {
            return Err(format!("{} is no rulebook's name", crate::policy::quote(name)));
        }
        names.sort_unstable();
        match names.windows(2).find(|pair| pair[0] == pair[1]) {
            Some(twice) => Err(format!("`{}` is pinned twice", twice[0])),
            None => Ok(lock),
        }
    }

    /// As it is written: the same lock, the same bytes.
    pub fn write(&self) -> String {
        let mut lock = self.clone();
        lock.sources.retain(|source| !source.rulebooks.is_empty());
        lock.sources.sort_by(|one, other| one.source.cmp(&other.source));
        for source in &mut lock.sources {
            source.rulebooks.sort_by(|one, other| one.name.cmp(&other.name));
            source.only.sort();
        }
        serde_json::to_string_pretty(&lock).map_or_else(|_| String::new(), |text| text + "\n")
    }

    /// Every pin, with the source that it is of.
    pub fn pins(&self) -> impl Iterator<Item = (&Pinned, &Pin)> {
        self.sources.iter().flat_map(|source| source.rulebooks.iter().map(move |pin| (source, pin)))
    }

    /// The pin of a rulebook.
    pub fn pin(&self, name: &str) -> Option<(&Pinned, &Pin)> {
        self.pins().find(|(_, pin)| pin.name == name)
    }
}

/// The digest by which a text is pinned.
pub fn digest(text: &[u8]) -> String {
    format!("sha256:{}", hex(&Sha256::digest(text)))
}

/// Whether a rulebook may have this name: letters, digits and dashes, a letter first; it becomes a file's.
pub fn is_name(name: &str) -> bool {
    let letters = name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
    letters && name.len() <= 64 && name.starts_with(|first: char| first.is_ascii_lowercase())
}

/// The file of a rulebook, from its layer's directory.
pub fn file_of(name: &str) -> String {
    format!("rules/{name}.rulebook")
}

/// Leaves out of a layer's files what is not as it was pinned; what is wrong, a line each.
pub(super) fn hold(files: &mut Vec<Source>) -> Vec<String> {
    let Some(lock) = files.iter().find(|file| file.name == LOCK) else { return Vec::new() };
    let lock = match Lock::read(&lock.bytes) {
        Ok(lock) => lock,
        Err(why) => return vec![format!("{LOCK}: pins::lock: {why}; which rulebooks are pinned is not known")],
    };
    let mut faults = Vec::new();
    for (source, pin) in lock.pins() {
        let name = file_of(&pin.name);
        let from = crate::policy::quote(&source.source);
        match files.iter().position(|file| file.name == name) {
            Some(at) if digest(&files[at].bytes) == pin.digest => {}
            Some(at) => {
                files.remove(at);
                faults.push(format!("{name}: pins::changed: not loaded: it is not what was accepted from {from}"));
            }
            None => faults.push(format!("{name}: pins::missing: it was accepted from {from} and is gone")),
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lock(name: &str, text: &str) -> Lock {
        let pin = Pin { name: name.into(), version: "1.0.0".into(), digest: digest(text.as_bytes()) };
        let rulebooks = vec![pin];
        Lock {
            sources: vec![Pinned {
                source: "team/rules".into(),
                reference: None,
                commit: Some("0".repeat(40)),
                only: Vec::new(),
                rulebooks,
            }],
            ..Lock::default()
        }
    }

    fn files(lock: &str, text: Option<&str>) -> Vec<Source> {
        let file = |name: &str, text: &str| Source { name: name.into(), bytes: text.into() };
        let mut all = vec![file(LOCK, lock)];
        all.extend(text.map(|text| file("rules/team.rulebook", text)));
        all
    }

    #[test]
    fn what_is_not_as_it_was_pinned_is_left_out() {
        let text = lock("team", "good").write();
        for (held, stays, code) in [
            (Some("good"), true, None),
            (Some("bad"), false, Some("rules/team.rulebook: pins::changed: ")),
            (None, false, Some("rules/team.rulebook: pins::missing: ")),
        ] {
            let mut files = files(&text, held);
            let faults = hold(&mut files);
            assert_eq!(files.iter().any(|file| file.name.ends_with(".rulebook")), stays, "{held:?}");
            assert_eq!(faults.len(), usize::from(code.is_some()), "{faults:?}");
            assert!(code.is_none_or(|code| faults[0].starts_with(code)), "{faults:?}");
        }
    }

    #[test]
    fn a_lock_that_cannot_be_believed_says_why() {
        let good = lock("team", "good");
        let twice = Lock { sources: [good.sources.clone(), good.sources.clone()].concat(), ..Lock::default() };
        for (text, why) in [
            ("{", "EOF"),
            ("{\"version\": 2, \"sources\": []}", "version 2"),
            (&lock("../x", "good").write(), "no rulebook's name"),
            (&twice.write(), "pinned twice"),
        ] {
            let faults = hold(&mut files(text, Some("good")));
            assert!(faults.len() == 1 && faults[0].contains("pins::lock") && faults[0].contains(why), "{faults:?}");
        }
        assert_eq!(Lock::read(good.write().as_bytes()), Ok(good));
    }
}
