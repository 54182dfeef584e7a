//! Allows: a certain match of an `allow` removes the findings of that very invocation or effect, within its layer's rights.

use std::collections::BTreeSet;

use super::decide::Hit;
use super::layer::Layers;
use crate::model::{Call, Certainty, LayerKind, Object};

/// An allow that holds for an invocation, an effect or the tool call itself.
pub struct Exemption<'a> {
    hit: &'a Hit,
    /// What its names are bound to, over all its matches here; none where one of them binds nothing and so speaks of the whole.
    values: Option<BTreeSet<&'a str>>,
}

/// The allows that hold. One that has expired is reported and does nothing; one that matches only possibly does nothing.
pub fn exemptions<'a>(
    allows: &'a [Hit],
    layers: &Layers,
    today: impl Fn() -> String,
    reports: &mut Vec<String>,
) -> Vec<Exemption<'a>> {
    let mut held: Vec<Exemption<'a>> = Vec::new();
    for hit in allows.iter().filter(|hit| hit.certainty == Certainty::Certain && hit.rule.level <= layers.granted) {
        if let Some(last) = hit.rule.expires.as_ref().filter(|last| today().as_str() > last.as_str()) {
            reports.push(format!("{}: allow {} expired on {last}", layers.layers[hit.layer].name, hit.rule.id));
            continue;
        }
        let bound: BTreeSet<&str> = hit.bindings.iter().map(|(_, value)| value.as_str()).collect();
        let here = |held: &&mut Exemption<'a>| {
            let known = held.hit;
            (known.layer, &known.rule.id, known.run, known.effect) == (hit.layer, &hit.rule.id, hit.run, hit.effect)
        };
        match held.iter_mut().find(here) {
            Some(known) if bound.is_empty() => known.values = None,
            Some(known) => known.values.as_mut().into_iter().for_each(|values| values.extend(&bound)),
            None => held.push(Exemption { hit, values: (!bound.is_empty()).then_some(bound) }),
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
            // An allow on a tool is about the call's own fields, not about what a script in them runs.
            (None, None) => finding.run.is_none() && finding.effect.and_then(invocation_of).is_none(),
        };
        same && self.values.as_ref().is_none_or(|values| self.covers(values, finding, call))
    }

    fn covers(&self, values: &BTreeSet<&str>, finding: &Hit, call: &Call) -> bool {
        if !finding.bindings.is_empty() {
            return finding.bindings.iter().all(|(_, value)| values.contains(value.as_str()));
        }
        // The finding is about the invocation as a whole: every path and address that it touches must be among what is allowed.
        let mut own = call.effects.iter().filter(|effect| effect.invocation == self.hit.run && self.hit.run.is_some());
        own.all(|effect| match &effect.object {
            Object::Path(word) | Object::Address(word) | Object::Other(word) => {
                word.known().is_some_and(|text| values.contains(&*text))
            }
            Object::Code(_) => false,
            Object::None => true,
        })
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
