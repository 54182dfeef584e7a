//! What one match decides, by its certainty and the preset: the table of the language page.

use crate::image::RuleHeader;
use crate::model::{Certainty, Decision, LayerKind, Preset};

/// A decision, and what it becomes where nobody can answer an ask.
#[derive(Debug, Clone, Copy)]
pub struct Strength {
    /// Where somebody can answer.
    pub decision: Decision,
    /// Where nobody can.
    pub otherwise: Decision,
}

impl Strength {
    /// A decision whose ask is a deny where nobody can answer.
    pub fn of(decision: Decision) -> Strength {
        Strength { decision, otherwise: Decision::Deny }
    }

    /// What is left of it.
    pub fn resolve(self, attended: bool) -> Decision {
        match self.decision {
            Decision::Ask if !attended => self.otherwise,
            decision => decision,
        }
    }

    /// The stronger of both, with and without somebody to ask.
    pub fn max(self, other: Strength) -> Strength {
        let otherwise = self.resolve(false).max(other.resolve(false));
        Strength { decision: self.decision.max(other.decision), otherwise }
    }

    /// The weaker of both, with and without somebody to ask.
    pub fn min(self, other: Strength) -> Strength {
        let otherwise = self.resolve(false).min(other.resolve(false));
        Strength { decision: self.decision.min(other.decision), otherwise }
    }

    /// Whether it decides the same, with and without somebody to ask.
    pub fn equals(self, other: Strength) -> bool {
        self.decision == other.decision && self.resolve(false) == other.resolve(false)
    }
}

/// What a match of a rule decides before overrides. `emptied` says that it is certain with the holes of unset variables emptied,
/// and names a root.
pub fn strength(rule: &RuleHeader, kind: LayerKind, certainty: Certainty, emptied: bool, preset: Preset) -> Strength {
    let own = Strength { decision: rule.decision, otherwise: rule.otherwise };
    match (certainty, rule.possible) {
        (Certainty::Certain, _) => own,
        (Certainty::Possible, Some((decision, otherwise))) => Strength { decision, otherwise },
        (Certainty::Possible, None) => match preset {
            Preset::Standard if kind == LayerKind::Floor && emptied => Strength::of(Decision::Ask),
            Preset::Standard => Strength::of(Decision::Allow),
            // A rule that warns of what is certain does not refuse what is only possible.
            Preset::Strict | Preset::Paranoid if rule.decision == Decision::Warn => own,
            Preset::Strict | Preset::Paranoid => Strength::of(Decision::Deny),
        },
    }
}
