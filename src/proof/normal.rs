//! A rule without what has no meaning: its place in a file, the order of what is joined by *or* and *and*, members stated twice.

use crate::model::rule::{
    Condition, EffectPattern, Match, OptionPattern, PathSet, Pattern, PositionalPattern, Rule, WordPattern, WordSet,
};
use crate::model::verdict::RuleAt;

/// A rule's normal form. Two rules of the same form decide the same.
pub fn rule(of: &Rule) -> Rule {
    let mut rule = of.clone();
    rule.at = nowhere();
    rule.matches.iter_mut().for_each(one);
    sort(&mut rule.matches);
    conditions(&mut rule.when);
    conditions(&mut rule.unless);
    rule.also.sort_by(|one, other| (&one.id, &one.programs).cmp(&(&other.id, &other.programs)));
    rule
}

/// The form without wording and names: what decides.
pub fn meaning(of: &Rule) -> Rule {
    let mut rule = rule(of);
    (rule.reason, rule.instead, rule.because, rule.owner) = (String::new(), None, None, None);
    rule.intent = Default::default();
    rule.also = Vec::new();
    rule
}

fn nowhere() -> RuleAt {
    RuleAt { file: String::new(), start: 0, end: 0 }
}

fn one(of: &mut Match) {
    of.at = nowhere();
    pattern(&mut of.pattern);
    conditions(&mut of.when);
    conditions(&mut of.unless);
}

/// In an order that is always the same, each once.
fn sort<T: std::fmt::Debug + PartialEq>(all: &mut Vec<T>) {
    all.sort_by_cached_key(|each| format!("{each:?}"));
    all.dedup();
}

fn globs(all: &mut Vec<WordPattern>) {
    all.sort();
    all.dedup();
}

fn words(set: &mut WordSet) {
    globs(&mut set.any);
    globs(&mut set.except);
}

fn paths(set: &mut PathSet) {
    globs(&mut set.any);
    globs(&mut set.except);
    set.settings.sort();
    set.settings.dedup();
}

fn options(all: &mut Vec<OptionPattern>) {
    all.iter_mut().filter_map(|option| option.value.as_mut()).for_each(words);
    sort(all);
}

fn pattern(of: &mut Pattern) {
    match of {
        Pattern::Command(command) => {
            words(&mut command.program);
            for positional in &mut command.positionals {
                if let PositionalPattern::Word { words: Some(set), .. } = positional {
                    words(set);
                }
            }
            options(&mut command.options);
            options(&mut command.absent);
        }
        Pattern::Effect(EffectPattern { object, code, .. }) => {
            object.iter_mut().for_each(paths);
            code.iter_mut().for_each(|code| sort(&mut code.alternatives));
        }
        Pattern::Tool(tool) => {
            words(&mut tool.name);
            tool.fields.iter_mut().for_each(|(_, set)| words(set));
            sort(&mut tool.fields);
        }
    }
}

fn conditions(all: &mut Vec<Condition>) {
    all.iter_mut().for_each(condition);
    sort(all);
}

// Depth is bounded by the language's limit on nesting.
fn condition(of: &mut Condition) {
    match of {
        Condition::All(all) | Condition::Any(all) => conditions(all),
        Condition::Not(inner) => condition(inner),
        Condition::Match(inner) => pattern(inner),
        Condition::CwdIn(set) | Condition::PathIn(_, set) | Condition::PathOutside(_, set) => paths(set),
        Condition::WordIs(_, set)
        | Condition::BranchIs(set)
        | Condition::AgentIs(set)
        | Condition::ToolIs(set)
        | Condition::FieldIs(_, set)
        | Condition::EnvIs(_, set)
        | Condition::Under(set)
        | Condition::PipedFrom(set) => words(set),
        Condition::Exists(_)
        | Condition::Tracked(_)
        | Condition::Clean(_)
        | Condition::Ignored(_)
        | Condition::Recoverable(_)
        | Condition::Ref(_)
        | Condition::WorktreeLinked
        | Condition::InLanguage(_)
        | Condition::Setting(_)
        | Condition::PresetAtLeast(_)
        | Condition::PresetAtMost(_)
        | Condition::OperandsNone
        | Condition::Attended
        | Condition::On(_) => {}
    }
}
