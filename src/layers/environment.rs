//! What the surroundings of the process say: homes, and the variables of the guard.
//!
//! A repository's agent settings can set variables for hooks. So no variable says where the user's own layer, the cache or the
//! trust is; variables tighten, and the few that loosen hold only where the user's settings permit it.

use std::path::{Path, PathBuf};

use crate::model::path::{is_absolute, is_within, join};
use crate::model::settings::Audit;
use crate::model::{Preset, Settings};
use crate::world::disk::{self, Platform};

/// Names before the product had its own prefix, each after its present name.
const FORMER: [(&str, &str); 6] = [
    ("CC_SAFETY_NET_STRICT", "SAFETY_NET_STRICT"),
    ("CC_SAFETY_NET_PARANOID", "SAFETY_NET_PARANOID"),
    ("CC_SAFETY_NET_PARANOID_RM", "SAFETY_NET_PARANOID_RM"),
    ("CC_SAFETY_NET_PARANOID_INTERPRETERS", "SAFETY_NET_PARANOID_INTERPRETERS"),
    ("CC_SAFETY_NET_WORKTREE", "SAFETY_NET_WORKTREE"),
    ("CC_SAFETY_NET_LEVEL", "SAFETY_NET_LEVEL"),
];

/// The surroundings, as far as loading layers looks at them. Tests build one by hand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Environment {
    /// Home, from the user database; from `HOME` only where the database does not know the user.
    pub home: Option<String>,
    /// The administrator's directory.
    pub managed: Option<PathBuf>,
    /// `HOME`.
    pub named_home: Option<String>,
    /// `XDG_CACHE_HOME`.
    pub named_cache: Option<String>,
    /// Variables of the guard that are set, by their present names.
    pub variables: Vec<(&'static str, String)>,
}

/// Every variable of the guard that loading looks at.
const VARIABLES: [&str; 8] = [
    "CC_SAFETY_NET_LEVEL",
    "CC_SAFETY_NET_STRICT",
    "CC_SAFETY_NET_PARANOID",
    "CC_SAFETY_NET_PARANOID_RM",
    "CC_SAFETY_NET_PARANOID_INTERPRETERS",
    "CC_SAFETY_NET_WORKTREE",
    "CC_SAFETY_NET_AUDIT_SCOPE",
    "CC_SAFETY_NET_HOME",
];

impl Environment {
    /// This process's.
    pub fn of_process() -> Environment {
        let set = |name: &str| disk::variable(name).filter(|value| !value.is_empty());
        let former = |name: &str| FORMER.iter().find(|(now, _)| *now == name).and_then(|(_, former)| set(former));
        let named_home = set("HOME").filter(|home| is_absolute(home)).map(|home| join("/", &home));
        Environment {
            home: crate::world::os::home().map(|home| join("/", &home)).or_else(|| named_home.clone()),
            managed: Some(managed()),
            named_home,
            named_cache: set("XDG_CACHE_HOME").filter(|path| is_absolute(path)).map(|path| join("/", &path)),
            variables: VARIABLES.into_iter().filter_map(|name| Some((name, set(name).or_else(|| former(name))?))).collect(),
        }
    }

    /// A variable of the guard.
    pub fn variable(&self, name: &str) -> Option<&str> {
        self.variables.iter().find(|(known, _)| *known == name).map(|(_, value)| value.as_str())
    }

    /// Whether a variable of the guard is on.
    fn is_on(&self, name: &str) -> bool {
        self.variable(name)
            .is_some_and(|value| matches!(value.trim().to_ascii_lowercase().as_str(), "1" | "true" | "yes" | "on"))
    }

    /// The user's directory.
    pub fn user_directory(&self) -> Option<PathBuf> {
        self.home.as_ref().map(|home| Path::new(home).join(".cc-safety-net"))
    }

    /// Where images are kept: below the home of the user database, unless `XDG_CACHE_HOME` names another place below it that is
    /// not in the project.
    pub fn cache_directory(&self, project: Option<&Path>) -> Option<PathBuf> {
        let home = self.home.as_ref()?;
        let outside = |path: &&String| {
            is_within(path, home) && !project.is_some_and(|project| Path::new(path.as_str()).starts_with(project))
        };
        if let Some(named) = self.named_cache.as_ref().filter(outside) {
            return Some(Path::new(named).join("cc-safety-net"));
        }
        let below = match disk::platform() {
            Platform::Mac => "Library/Caches/cc-safety-net",
            Platform::Windows => "AppData/Local/cc-safety-net/cache",
            Platform::Unix => ".cache/cc-safety-net",
        };
        Some(Path::new(home).join(below))
    }

    /// Where trust is recorded: below the home of the user database, whatever any variable says.
    pub fn state_directory(&self) -> Option<PathBuf> {
        let below = match disk::platform() {
            Platform::Mac => "Library/Application Support/cc-safety-net",
            Platform::Windows => "AppData/Local/cc-safety-net/state",
            Platform::Unix => ".local/state/cc-safety-net",
        };
        self.home.as_ref().map(|home| Path::new(home).join(below))
    }

    /// The preset that variables ask for; they can only raise it.
    pub fn preset(&self, reports: &mut Vec<String>) -> Preset {
        let named = self.variable("CC_SAFETY_NET_LEVEL").and_then(|value| {
            let preset = Preset::parse(value.trim());
            if preset.is_none() {
                let shown: String = value.chars().take(40).collect();
                reports.push(format!("CC_SAFETY_NET_LEVEL: no preset: {}", crate::policy::quote(&shown)));
            }
            preset
        });
        let strict = self.is_on("CC_SAFETY_NET_STRICT").then_some(Preset::Strict);
        let paranoid = ["CC_SAFETY_NET_PARANOID", "CC_SAFETY_NET_PARANOID_RM", "CC_SAFETY_NET_PARANOID_INTERPRETERS"];
        let paranoid = paranoid.iter().any(|name| self.is_on(name)).then_some(Preset::Paranoid);
        [named, strict, paranoid].into_iter().flatten().max().unwrap_or_default()
    }

    /// Applies the variables that are no preset. One that loosens holds where the settings permit it and nothing is locked.
    pub fn apply(&self, settings: &mut Settings, reports: &mut Vec<String>) {
        let permits = settings.loosen_by_environment == Some(true);
        let locked = |name: &str| settings.lock.iter().any(|lock| lock == name);
        if self.is_on("CC_SAFETY_NET_WORKTREE") && settings.worktree != Some(true) {
            if permits && !locked("worktree") {
                settings.worktree = Some(true);
            } else {
                reports.push("CC_SAFETY_NET_WORKTREE: ignored: the settings do not permit loosening by the environment".into());
            }
        }
        match self.variable("CC_SAFETY_NET_AUDIT_SCOPE") {
            Some("all") => settings.audit = Some(Audit::All),
            Some(_) if settings.audit == Some(Audit::Blocked) => {}
            Some(_) if permits && !locked("audit") => settings.audit = Some(Audit::Blocked),
            Some(_) => reports
                .push("CC_SAFETY_NET_AUDIT_SCOPE: ignored: the settings do not permit loosening by the environment".into()),
            None => {}
        }
    }
}

/// The administrator's directory on this system.
fn managed() -> PathBuf {
    PathBuf::from(match disk::platform() {
        Platform::Mac => "/Library/Application Support/cc-safety-net",
        // Not from the variable `ProgramData`, which whoever starts the hook may set.
        Platform::Windows => "C:/ProgramData/cc-safety-net",
        Platform::Unix => "/etc/cc-safety-net",
    })
}
