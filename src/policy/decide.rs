//! Matches of all layers → verdict.

use std::cmp::Reverse;
use std::sync::Arc;

use super::exempt::{Exemption, exemptions};
use super::hits::Found;
use super::layer::Layers;
use super::overrides::{Overridden, Overrides};
use super::strength::strength;
use super::{engine, message};
use crate::image::RuleHeader;
use crate::model::path::base_name;
use crate::model::rule::RuleKind;
use crate::model::verdict::RuleAt;
use crate::model::{Call, Certainty, Decision, Finding, LayerKind, Span, Verdict, World};

/// One match of one rule of one layer.
#[derive(Debug, Clone)]
pub struct Hit {
    /// The index of the layer.
    pub layer: usize,
    /// What the rule says.
    pub rule: Arc<RuleHeader>,
    /// How sure.
    pub certainty: Certainty,
    /// Whether it is certain once the holes of unset, unguarded variables are emptied, and then names a root.
    pub emptied: bool,
    /// Where in the call's texts.
    pub span: Span,
    /// The run that matched.
    pub run: Option<usize>,
    /// The effect that matched.
    pub effect: Option<usize>,
    /// What the captures are bound to.
    pub bindings: Vec<(String, String)>,
    /// The clause that matched.
    pub at: RuleAt,
    /// How much it demands.
    pub narrowness: u32,
}

/// Judges a call as understood. Never fails and never panics, whatever the call holds.
pub fn decide(layers: &Layers, call: &Call, world: &dyn World) -> Verdict {
    let mut reports = layers.reports.clone();
    let Found { hits, failed, limit } = super::hits::hits(layers, call, world, &mut reports);
    let mut kept = engine::findings(call, layers.preset);
    kept.extend(failed.then(|| engine::fault("catalogue")));
    kept.extend(limit.as_ref().map(engine::budget));
    let mut set_aside = Vec::new();
    if !hits.is_empty() {
        let judging = Judging::new(layers, call, world, hits, &mut reports);
        judging.judge(&mut kept, &mut set_aside, &mut reports);
    }
    kept.sort_by(order);
    set_aside.sort_by(|one: &(Finding, String), other| order(&one.0, &other.0));
    reports.sort();
    reports.dedup();
    let decision = kept.iter().map(|finding| finding.decision).max().unwrap_or_default();
    Verdict { decision, findings: kept, set_aside, reports }
}

/// The headline first: the strongest decision, then floor, certain, the narrower pattern, the layer, the id; the rest makes the
/// order total.
fn order(one: &Finding, other: &Finding) -> std::cmp::Ordering {
    let key = |finding: &Finding| {
        let floor = finding.layer == LayerKind::Floor;
        (
            Reverse(finding.decision),
            Reverse(floor),
            Reverse(finding.certainty),
            Reverse(finding.narrowness),
            Reverse(finding.layer),
        )
    };
    let rest = |finding: &Finding| (finding.span, finding.run, finding.effect);
    key(one)
        .cmp(&key(other))
        .then_with(|| one.rule.cmp(&other.rule))
        .then_with(|| rest(one).cmp(&rest(other)))
        .then_with(|| one.bindings.cmp(&other.bindings))
        .then_with(|| one.reason.cmp(&other.reason))
}

struct Judging<'a> {
    layers: &'a Layers,
    call: &'a Call,
    world: &'a dyn World,
    found: Vec<Hit>,
    allows: Vec<Hit>,
    overrides: Overrides,
}

impl<'a> Judging<'a> {
    fn new(layers: &'a Layers, call: &'a Call, world: &'a dyn World, hits: Vec<Hit>, reports: &mut Vec<String>) -> Judging<'a> {
        let (found, allows) = hits.into_iter().partition(|hit| hit.rule.kind == RuleKind::Rule);
        let mut it = Judging { layers, call, world, found, allows, overrides: Overrides::of(layers, reports) };
        it.found = merged(it.found);
        it
    }

    fn judge(&self, kept: &mut Vec<Finding>, set_aside: &mut Vec<(Finding, String)>, reports: &mut Vec<String>) {
        let exemptions = exemptions(&self.allows, self.layers, || self.world.today(), reports);
        for hit in &self.found {
            match self.outcome(hit, &exemptions, reports) {
                (decision, None) => kept.push(self.finding(hit, decision)),
                (decision, Some(reason)) => set_aside.push((self.finding(hit, decision), reason)),
            }
        }
    }

    /// What is decided, and why that does not count, where it does not.
    fn outcome(&self, hit: &Hit, exemptions: &[Exemption<'_>], reports: &mut Vec<String>) -> (Decision, Option<String>) {
        let (rule, preset, attended) = (&*hit.rule, self.layers.preset, self.call.tool.attended);
        let kind = self.kind(hit);
        let start = strength(rule, kind, hit.certainty, hit.emptied, preset);
        if rule.level > preset {
            return (start.resolve(attended), Some(format!("active from preset {} on", rule.level.word())));
        }
        let Overridden { strength, by, refused } =
            self.overrides.apply(self.layers, (hit.layer, kind, rule), start, |program| self.runs(hit, program));
        for (layer, said) in refused {
            let wanted = said.decision.map_or("off", Decision::word);
            let name = &self.layers.layers[layer].name;
            reports.push(format!("{name}: no right to override {} = {wanted}; not applied", said.rule));
        }
        let by = by.map(|layer| self.layers.layers[layer].name.as_str()).unwrap_or_default();
        let Some(strength) = strength else {
            return (start.resolve(attended), Some(format!("switched off by {by}")));
        };
        for exemption in exemptions {
            match exemption.removes(hit, kind, self.layers, self.call) {
                Ok(true) => return (strength.resolve(attended), Some(exemption.reason())),
                Ok(false) => {}
                Err(attempt) => reports.push(attempt),
            }
        }
        match strength.resolve(attended) {
            Decision::Allow if hit.certainty == Certainty::Possible => {
                (Decision::Allow, Some(format!("only possible, and preset {} lets that through", preset.word())))
            }
            Decision::Allow => (Decision::Allow, Some(format!("allowed by {by}"))),
            decision => (decision, None),
        }
    }

    fn kind(&self, hit: &Hit) -> LayerKind {
        match self.layers.layers[hit.layer].kind {
            LayerKind::Embedded if hit.rule.floor => LayerKind::Floor,
            kind => kind,
        }
    }

    /// Whether the finding is of a program of this name.
    fn runs(&self, hit: &Hit, program: &str) -> bool {
        let run = hit.run.or_else(|| self.call.effects.get(hit.effect?)?.invocation).and_then(|run| self.call.runs.get(run));
        run.is_some_and(|run| {
            let read = run.readings.iter().any(|reading| reading.program == program);
            read || run.invocation.program.known().is_some_and(|name| base_name(&name) == program)
        })
    }

    fn finding(&self, hit: &Hit, decision: Decision) -> Finding {
        let layer = &self.layers.layers[hit.layer];
        let rule = &*hit.rule;
        let untrusted = layer.kind == LayerKind::Project;
        let reason = message::fill(&rule.reason, &hit.bindings, self.command(hit));
        Finding {
            rule: rule.id.clone(),
            layer: self.kind(hit),
            decision,
            certainty: hit.certainty,
            reason: if untrusted { message::clipped_words(&reason) } else { reason },
            instead: rule.instead.as_ref().filter(|_| !untrusted).map(|it| message::fill(it, &hit.bindings, self.command(hit))),
            intent: rule.intent,
            span: hit.span,
            run: hit.run,
            effect: hit.effect,
            bindings: hit.bindings.clone(),
            rulebook: Some(hit.at.clone()),
            narrowness: hit.narrowness,
        }
    }

    /// The text of the command that was found, as it stands.
    fn command(&self, hit: &Hit) -> &str {
        let run = hit.run.or_else(|| self.call.effects.get(hit.effect?)?.invocation).and_then(|run| self.call.runs.get(run));
        let span = run.map_or(hit.span, |run| run.invocation.span);
        let text = self.call.texts.get(usize::from(span.source.0));
        text.and_then(|text| text.text.get(span.start as usize..span.end as usize)).unwrap_or_default()
    }
}

/// Several readings, values or clauses of one rule that found the same thing are one finding: the surest, then the narrowest.
fn merged(mut hits: Vec<Hit>) -> Vec<Hit> {
    let place = |hit: &Hit| (hit.layer, hit.rule.id.clone(), hit.run, hit.effect, hit.bindings.clone());
    hits.sort_by(|one, other| {
        let worth = |hit: &Hit| (Reverse(hit.certainty), Reverse(hit.emptied), Reverse(hit.narrowness), hit.span);
        place(one).cmp(&place(other)).then_with(|| worth(one).cmp(&worth(other))).then_with(|| at(one).cmp(&at(other)))
    });
    hits.dedup_by(|later, earlier| {
        let same = place(later) == place(earlier);
        earlier.emptied |= same && later.emptied;
        same
    });
    hits
}

fn at(hit: &Hit) -> (&str, u32, u32) {
    (&hit.at.file, hit.at.start, hit.at.end)
}
