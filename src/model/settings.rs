//! What `policy.yaml` says, checked.

use serde::{Deserialize, Serialize};

use super::rule::{Decision, Preset};

/// A layer's settings. What is not said is `None` or empty and leaves the layer below in force.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Settings {
    /// How much of what is not known is let through.
    pub preset: Option<Preset>,
    /// Changes of rules' decisions, by id.
    pub overrides: Vec<Override>,
    /// Paths that may be deleted and overwritten: absolute or `~/…`.
    pub allow_paths: Vec<String>,
    /// Paths whose content is secret.
    pub deny_paths: Vec<String>,
    /// Whether discarding work in a verified linked worktree is let through.
    pub worktree: Option<bool>,
    /// What the audit log records.
    pub audit: Option<Audit>,
    /// Days that the audit log is kept, 1 to 365.
    pub retention_days: Option<u16>,
    /// Whether the environment may loosen (`CC_SAFETY_NET_HOME`, `CC_SAFETY_NET_WORKTREE`).
    pub loosen_by_environment: Option<bool>,
    /// Settings that no layer below may change (managed layer).
    pub lock: Vec<String>,
}

/// What the audit log records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Audit {
    /// Every decision.
    All,
    /// Refusals alone.
    Blocked,
}

/// A change of one rule's decision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Override {
    /// `rulebook.rule`, or a foreign id of an `also` clause.
    pub rule: String,
    /// What it becomes; `None` is `off`.
    pub decision: Option<Decision>,
}
