//! Allows: a certain match of an `allow` removes the findings of that very invocation or effect, within its layer's rights.

use super::decide::Hit;
use super::layer::Layers;
use crate::model::{Call, Certainty, LayerKind};

/// An allow that holds for this call.
pub struct Exemption<'a> {
    hit: &'a Hit,
}

/// The allows that hold. One that has expired is reported and does nothing; one that matches only possibly does nothing.
pub fn exemptions<'a>(allows: &'a [Hit], layers: &Layers, today: impl Fn() -> String, reports: &mut Vec<String>) -> Vec<Exemption<'a>> {
    let mut held = Vec::new();
    for hit in allows.iter().filter(|hit| hit.certainty == Certainty::Certain && hit.rule.level <= layers.preset) {
        match &hit.rule.expires {
            Some(last) if today().as_str() > last.as_str() => {
                reports.push(format!("{}: allow {} expired on {last}", layers.layers[hit.layer].name, hit.rule.id));
            }
            _ => held.push(Exemption { hit }),
        }
    }
    held
}

impl Exemption<'_> {
    /// Whether it is about the finding: the same invocation or an effect of its own, or the same effect. Where the allow binds
    /// names, only what they are bound to is allowed: `rm` of an allowed and of another folder stays a finding for the other.
    fn is_about(&self, finding: &Hit, call: &Call) -> bool {
        let invocation_of = |effect: usize| call.effects.get(effect).and_then(|effect| effect.invocation);
        let same = match (self.hit.run, self.hit.effect) {
            (_, Some(effect)) => return finding.effect == Some(effect),
            (Some(run), None) => finding.run == Some(run) || finding.effect.and_then(invocation_of) == Some(run),
            // An allow on a tool is about the whole call's own fields, not about what a script in them runs.
            (None, None) => finding.run.is_none() && finding.effect.and_then(invocation_of).is_none(),
        };
        let covered = |value: &String| self.hit.bindings.iter().any(|(_, bound)| bound == value);
        same && (self.hit.bindings.is_empty() || finding.bindings.iter().all(|(_, value)| covered(value)))
    }

    /// Whether it removes the finding; `Err` names the attempt of a layer that has no right to.
    pub fn removes(&self, finding: &Hit, kind: LayerKind, layers: &Layers, call: &Call) -> Result<bool, String> {
        if !self.is_about(finding, call) {
            return Ok(false);
        }
        let layer = &layers.layers[self.hit.layer];
        if layer.rights.reach(self.hit.layer == finding.layer, kind) {
            return Ok(true);
        }
        Err(format!("{}: allow {} has no right over {}; not applied", layer.name, self.hit.rule.id, finding.rule.id))
    }

    /// Why a finding was set aside.
    pub fn reason(&self) -> String {
        match &self.hit.rule.because {
            Some(because) => format!("allowed by {}: {because}", self.hit.rule.id),
            None => format!("allowed by {}", self.hit.rule.id),
        }
    }
}
