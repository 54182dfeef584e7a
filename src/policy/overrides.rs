//! `override ID = off | warn | ask | deny`, within the rights of the layer that says so.

use super::layer::{Layers, Rights};
use super::strength::Strength;
use crate::image::RuleHeader;
use crate::model::settings::Override;
use crate::model::{Decision, LayerKind};

/// The overrides of all layers, read once a finding needs them.
pub struct Overrides {
    /// The index of the layer, and what it says; layers that loosen by authority, then those that raise.
    all: Vec<(usize, Rank, Override)>,
}

/// Who is asked first; a later one replaces an earlier one, as far as its rights reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Own,
    Managed,
    User,
    Raise,
}

/// What came of the overrides.
pub struct Overridden {
    /// The strength now; none where the rule is off.
    pub strength: Option<Strength>,
    /// Who changed it.
    pub by: Option<usize>,
    /// Overrides that had no right to: the layer and what it wanted.
    pub refused: Vec<(usize, Override)>,
}

impl Overrides {
    /// Reads what settings and rulebooks state.
    pub fn of(layers: &Layers, reports: &mut Vec<String>) -> Overrides {
        let mut all = Vec::new();
        for (index, layer) in layers.layers.iter().enumerate() {
            let stated = layer.image.overrides().unwrap_or_else(|fault| {
                reports.push(format!("{}: the overrides are not in force: {fault}", layer.name));
                Vec::new()
            });
            let locked = layer.kind != LayerKind::Managed && layers.settings.lock.iter().any(|lock| lock == "overrides");
            let rank = match (layer.rights, layer.kind) {
                (Rights::Tighten, _) => Rank::Raise,
                (Rights::Loosen, _) if locked => Rank::Raise,
                (Rights::Loosen, LayerKind::Embedded | LayerKind::Floor) => Rank::Own,
                (Rights::Loosen, LayerKind::Managed) => Rank::Managed,
                (Rights::Loosen, _) => Rank::User,
            };
            let settings = layers.overrides.get(index).into_iter().flatten();
            all.extend(settings.chain(&stated).map(|stated| (index, rank, stated.clone())));
        }
        all.sort_by_key(|(_, rank, said)| (*rank, said.decision.unwrap_or_default()));
        Overrides { all }
    }

    /// Applies what is said of one finding. `runs` says whether the finding is of a program.
    pub fn apply(
        &self,
        layers: &Layers,
        finding: (usize, LayerKind, &RuleHeader),
        start: Strength,
        runs: impl Fn(&str) -> bool,
    ) -> Overridden {
        let (owner, kind, rule) = finding;
        let (mut now, mut by, mut refused) = (Some(start), None, Vec::new());
        let mut spoken: Option<(Rank, Option<Strength>)> = None;
        for (index, rank, said) in self.all.iter().filter(|(_, _, said)| is_about(said, rule, &runs)) {
            let wanted = said.decision.map(|decision| wanted(decision, rule));
            let rights = if *rank == Rank::Raise { Rights::Tighten } else { layers.layers[*index].rights };
            let may = rights.reach(*index == owner, kind);
            if *rank == Rank::Raise || !may {
                match (wanted, now) {
                    // What decides nothing (a possible match, in standard) is not raised: the preset says so, not the rule.
                    (Some(_), Some(old)) if old.decision == Decision::Allow => {}
                    (Some(wanted), _) if *rank == Rank::Raise && kind != LayerKind::Floor => {
                        let raised = now.map_or(wanted, |old| old.max(wanted));
                        if now.is_none_or(|old| !raised.equals(old)) {
                            (now, by) = (Some(raised), Some(*index));
                        }
                        if !raised.equals(wanted) {
                            refused.push((*index, said.clone()));
                        }
                    }
                    _ => refused.push((*index, said.clone())),
                }
                continue;
            }
            // Two layers of one authority, or one layer that says both: the stronger word.
            let word = match spoken {
                Some((before, strength)) if before == *rank => stronger(strength, wanted),
                _ => wanted,
            };
            spoken = Some((*rank, word));
            now = word.map(|word| certain_or_possible(word, rule, start));
            by = Some(*index);
        }
        Overridden { strength: now, by, refused }
    }
}

/// What a certain match of a layer's rule comes to, whatever the program, with the overrides of all layers: the decision, and what it
/// becomes where nobody can answer. None where the rule is off.
pub fn in_force(layers: &Layers, layer: usize, rule: &RuleHeader) -> Option<(Decision, Decision)> {
    let kind = match layers.layers.get(layer)?.kind {
        LayerKind::Embedded if rule.floor => LayerKind::Floor,
        kind => kind,
    };
    let start = Strength { decision: rule.decision, otherwise: rule.otherwise };
    let overrides = Overrides::of(layers, &mut Vec::new());
    let strength = overrides.apply(layers, (layer, kind, rule), start, |_| false).strength?;
    Some((strength.decision, strength.resolve(false)))
}

fn wanted(decision: Decision, rule: &RuleHeader) -> Strength {
    let otherwise = if rule.decision == Decision::Ask { rule.otherwise } else { Decision::Deny };
    Strength { decision, otherwise: if decision == Decision::Ask { otherwise } else { Decision::Deny } }
}

/// What an override makes of a match: its own word, but a possible match that decided something else than the rule is only
/// lowered to it, never raised by it.
fn certain_or_possible(word: Strength, rule: &RuleHeader, start: Strength) -> Strength {
    if start.equals(Strength { decision: rule.decision, otherwise: rule.otherwise }) { word } else { start.min(word) }
}

fn stronger(one: Option<Strength>, other: Option<Strength>) -> Option<Strength> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.max(other)),
        (one, other) => one.or(other),
    }
}

/// Whether an override is about a rule: by its id, or by a former or foreign one, narrowed to the programs that it names.
fn is_about(said: &Override, rule: &RuleHeader, runs: &impl Fn(&str) -> bool) -> bool {
    let former = || rule.also.iter().filter(|also| also.id == said.rule);
    said.rule == rule.id || former().any(|also| also.programs.is_empty() || also.programs.iter().any(|program| runs(program)))
}
