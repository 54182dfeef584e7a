//! What the layers say about a call.

use serde::{Deserialize, Serialize};

use super::rule::{Decision, Intent};
use super::span::Span;

/// How sure a match is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Certainty {
    /// Some value of the unknown parts matches.
    Possible,
    /// Every value does.
    Certain,
}

/// Which authority a set of rulebooks has, weakest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LayerKind {
    /// In the binary, the defaults.
    Embedded,
    /// The repository's.
    Project,
    /// The repository's, its exact content trusted by the user.
    TrustedProject,
    /// The user's.
    User,
    /// The administrator's.
    Managed,
    /// The embedded rules that nobody switches off.
    Floor,
}

/// One match of one rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// `rulebook.rule`, or `engine.…` for what the engine itself says.
    pub rule: String,
    /// Whose rule.
    pub layer: LayerKind,
    /// After presets, overrides and what the agent honours.
    pub decision: Decision,
    /// How sure.
    pub certainty: Certainty,
    /// One line, the captures filled in.
    pub reason: String,
    /// What to do instead.
    pub instead: Option<String>,
    /// What the agent should do now.
    pub intent: Intent,
    /// Where in the call's texts.
    pub span: Span,
    /// The run that matched, for a match on a command.
    pub run: Option<usize>,
    /// The effect that matched, for a match on an effect.
    pub effect: Option<usize>,
    /// What the captures are bound to.
    pub bindings: Vec<(String, String)>,
    /// Where the rule stands: name of the rulebook's text and bytes in it.
    pub rulebook: Option<RuleAt>,
    /// How narrow the pattern is: the more it demands, the higher.
    pub narrowness: u32,
}

/// Where a rule stands in its rulebook.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleAt {
    /// The rulebook's file, as the layer names it.
    pub file: String,
    /// First byte of the clause that matched.
    pub start: u32,
    /// One past its last byte.
    pub end: u32,
}

/// What all layers together say about one tool call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// The strongest decision left; allow where nothing was found.
    pub decision: Decision,
    /// Strongest first; the first is the headline.
    pub findings: Vec<Finding>,
    /// Findings that something removed: an allow, an override, a preset; each with the reason in one line.
    pub set_aside: Vec<(Finding, String)>,
    /// What the layers want reported: a broken rulebook, an expired allow, a project that tried to loosen.
    pub reports: Vec<String>,
}
