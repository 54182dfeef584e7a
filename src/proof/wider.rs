//! Whether one rule decides at least as strictly as another on every call: proved by inclusion, part by part, or not said.
//!
//! Everything here is one-sided: yes is a proof, no says nothing. What a match answers (no, possible, certain) only rises with a
//! wider pattern, and an exemption holds only where it is certain, so that inclusion of the parts is enough.

use super::include;
use crate::model::rule::{
    CommandPattern, Condition, EffectPattern, Match, OptionPattern, Pattern, PositionalPattern, Rule, RuleKind, ToolPattern,
    WordSet,
};
use crate::model::{Decision, Preset};

/// Whether `new` is at least as strict as `old`, both in their normal form.
pub fn as_strict(new: &Rule, old: &Rule) -> bool {
    if new.kind != old.kind {
        return false;
    }
    match new.kind {
        RuleKind::Rule => strength(new, old) && new.level <= old.level && new.floor >= old.floor && matches(new, old),
        // What exempts is stricter where it exempts less.
        RuleKind::Allow => {
            let holds_longer = |one: &Rule, other: &Rule| match (&one.expires, &other.expires) {
                (None, _) => true,
                (Some(_), None) => false,
                (Some(one), Some(other)) => one >= other,
            };
            holds_longer(old, new) && old.level <= new.level && matches(old, new)
        }
    }
}

fn strength(new: &Rule, old: &Rule) -> bool {
    let unattended = |(decision, otherwise): (Decision, Decision)| if decision == Decision::Ask { otherwise } else { decision };
    let stronger = |new: (Decision, Decision), old: (Decision, Decision)| new.0 >= old.0 && unattended(new) >= unattended(old);
    let possible = match (new.possible, old.possible) {
        (None, None) => true,
        (Some(new), Some(old)) => stronger(new, old),
        (Some(new), None) => stronger(new, (Decision::Deny, Decision::Deny)),
        (None, Some(old)) => stronger((Decision::Allow, Decision::Allow), old),
    };
    // A rule that warns does not refuse what is only possible, in no preset.
    let warns = (new.decision == Decision::Warn) <= (old.decision == Decision::Warn);
    possible && warns && stronger((new.decision, new.otherwise), (old.decision, old.otherwise))
}

/// Whether everything that `small` matches `large` matches, too.
fn matches(large: &Rule, small: &Rule) -> bool {
    small.matches.iter().all(|own| {
        large.matches.iter().any(|each| {
            let all = |one: &[Condition], other: &[Condition]| one.iter().chain(other).cloned().collect::<Vec<_>>();
            let demanded = all(&large.when, &each.when);
            let held = all(&small.when, &own.when);
            let exempt = all(&large.unless, &each.unless);
            let exempted = all(&small.unless, &own.unless);
            covers(&each.pattern, &own.pattern)
                && demanded.iter().all(|one| held.iter().any(|other| implies(other, one)))
                && exempt.iter().all(|one| exempted.iter().any(|other| implies(one, other)))
                && same_names(each, own)
        })
    })
}

/// What is bound must be bound alike: conditions, messages and exceptions ask for it.
fn same_names(one: &Match, other: &Match) -> bool {
    let names = |of: &Match| match &of.pattern {
        Pattern::Command(command) => command
            .positionals
            .iter()
            .filter_map(|each| match each {
                PositionalPattern::Word { bind, .. } => bind.clone(),
                _ => None,
            })
            .collect(),
        _ => Vec::new(),
    };
    names(one) == names(other)
}

fn covers(large: &Pattern, small: &Pattern) -> bool {
    match (large, small) {
        (Pattern::Command(large), Pattern::Command(small)) => command(large, small),
        (Pattern::Effect(large), Pattern::Effect(small)) => effect(large, small),
        (Pattern::Tool(large), Pattern::Tool(small)) => tool(large, small),
        _ => false,
    }
}

fn command(large: &CommandPattern, small: &CommandPattern) -> bool {
    let demanded = |option: &OptionPattern, of: &[OptionPattern]| of.iter().any(|own| wider_option(option, own));
    include::words(&large.program, &small.program)
        && positionals(&large.positionals, &small.positionals)
        && large.options.iter().all(|option| demanded(option, &small.options))
        && large.absent.iter().all(|option| small.absent.iter().any(|own| wider_option(own, option)))
}

/// A shorter sequence demands less: more positionals may follow. `...` is compared with itself alone.
fn positionals(large: &[PositionalPattern], small: &[PositionalPattern]) -> bool {
    large.len() <= small.len()
        && large.iter().zip(small).all(|pair| match pair {
            (PositionalPattern::Word { words: None, .. }, PositionalPattern::Word { .. }) => true,
            (PositionalPattern::Word { words: Some(large), .. }, PositionalPattern::Word { words: Some(small), .. }) => {
                include::words(large, small)
            }
            (large, small) => large == small,
        })
}

fn wider_option(large: &OptionPattern, small: &OptionPattern) -> bool {
    let value = match (&large.value, &small.value) {
        (None, None) => true,
        (Some(large), Some(small)) => include::words(large, small),
        _ => false,
    };
    value && large.spelling == small.spelling
}

fn effect(large: &EffectPattern, small: &EffectPattern) -> bool {
    let object = match (&large.object, &small.object) {
        (None, _) => true,
        (Some(_), None) => false,
        (Some(large), Some(small)) => include::paths(large, small),
    };
    let code = match (&large.code, &small.code) {
        (None, _) => true,
        (Some(_), None) => false,
        (Some(large), Some(small)) => small.alternatives.iter().all(|each| large.alternatives.contains(each)),
    };
    large.verb == small.verb
        && large.recursively <= small.recursively
        && large.forcibly <= small.forcibly
        && object
        && code
        && (large.language.is_none() || large.language == small.language)
        && (large.from.is_none() || large.from == small.from)
        && large.on == small.on
}

fn tool(large: &ToolPattern, small: &ToolPattern) -> bool {
    let field =
        |(name, set): &(String, WordSet)| small.fields.iter().any(|(own, words)| own == name && include::words(set, words));
    include::words(&large.name, &small.name) && large.fields.iter().all(field)
}

/// Whether the second condition holds wherever the first does.
// Depth is bounded by the language's limit on nesting.
fn implies(one: &Condition, other: &Condition) -> bool {
    if one == other {
        return true;
    }
    match (one, other) {
        (_, Condition::All(all)) => all.iter().all(|each| implies(one, each)),
        (Condition::Any(any), _) => any.iter().all(|each| implies(each, other)),
        (Condition::All(all), _) if all.iter().any(|each| implies(each, other)) => true,
        (_, Condition::Any(any)) => any.iter().any(|each| implies(one, each)),
        (Condition::Not(one), Condition::Not(other)) => implies(other, one),
        (Condition::WordIs(a, small), Condition::WordIs(b, large)) => a == b && include::words(large, small),
        (Condition::PathIn(a, small), Condition::PathIn(b, large)) => a == b && include::paths(large, small),
        (Condition::PathOutside(a, large), Condition::PathOutside(b, small)) => a == b && include::paths(large, small),
        (Condition::CwdIn(small), Condition::CwdIn(large)) => include::paths(large, small),
        (Condition::FieldIs(a, small), Condition::FieldIs(b, large))
        | (Condition::EnvIs(a, small), Condition::EnvIs(b, large)) => a == b && include::words(large, small),
        (Condition::BranchIs(small), Condition::BranchIs(large))
        | (Condition::AgentIs(small), Condition::AgentIs(large))
        | (Condition::ToolIs(small), Condition::ToolIs(large))
        | (Condition::Under(small), Condition::Under(large))
        | (Condition::PipedFrom(small), Condition::PipedFrom(large)) => include::words(large, small),
        (Condition::PresetAtLeast(small), Condition::PresetAtLeast(large)) => large <= small,
        (Condition::PresetAtMost(small), Condition::PresetAtMost(large)) => small <= large,
        (_, Condition::PresetAtLeast(Preset::Standard)) | (_, Condition::PresetAtMost(Preset::Paranoid)) => true,
        (Condition::Match(small), Condition::Match(large)) => covers(large, small),
        _ => false,
    }
}
