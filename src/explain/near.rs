//! Rules that came near: about the same command, or the same kind of effect, and what they lack.
//!
//! In comes the call and the rulebooks as checked, out comes, for each rule without a finding, what would have had to be
//! otherwise. This reads the rules as they stand and decides nothing: the verdict was made elsewhere.

use std::collections::BTreeSet;

use super::books::Books;
use super::patterns;
use super::shown::Texts;
use super::words;
use crate::model::call::Run;
use crate::model::rule::{CommandPattern, EffectPattern, Match, OptionPattern, Pattern, PositionalPattern, Rule, RuleKind};
use crate::model::{Argument, Call, Decision, LayerKind, Object, Preset, Reading, Verdict};

/// A rule that came near.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Near {
    /// Its id.
    pub rule: String,
    /// Whose rule.
    pub layer: LayerKind,
    /// What it would have decided.
    pub decision: Decision,
    /// What it lacks, as phrases; the fewer, the nearer.
    pub lacks: Vec<String>,
}

/// How many are told.
const MANY: usize = 40;

/// The rules that came near, nearest first.
pub fn near(call: &Call, verdict: &Verdict, preset: Preset, books: &Books, texts: &Texts) -> Vec<Near> {
    let told: BTreeSet<&str> =
        verdict.findings.iter().chain(verdict.set_aside.iter().map(|(finding, _)| finding)).map(|f| f.rule.as_str()).collect();
    let mut all: Vec<Near> = Vec::new();
    for book in &books.all {
        for rule in book.rulebook.rules.iter().filter(|rule| rule.kind == RuleKind::Rule && !told.contains(rule.id.as_str())) {
            let nearest = rule.matches.iter().filter_map(|each| lacks(each, rule, call)).min_by_key(|(_, lacks)| lacks.len());
            let Some((commanding, mut lacks)) = nearest else { continue };
            if rule.level > preset {
                lacks.insert(0, format!("it holds from the preset {} on", rule.level.word()));
            }
            // An effect that lacks something is shared by too many rules to be told of.
            if lacks.len() > if commanding { 3 } else { 1 } {
                continue;
            }
            all.push(Near {
                rule: rule.id.clone(),
                layer: if rule.floor { LayerKind::Floor } else { book.layer },
                decision: rule.decision,
                lacks: lacks.iter().map(|each| super::plain::clip(&texts.line(each), 300)).collect(),
            });
        }
    }
    all.sort_by(|a, b| a.lacks.len().cmp(&b.lacks.len()).then_with(|| a.rule.cmp(&b.rule)));
    all.truncate(MANY);
    all
}

/// What a match lacks, and whether it is on a command; `None` where it is about something else.
fn lacks(of: &Match, rule: &Rule, call: &Call) -> Option<(bool, Vec<String>)> {
    let (commanding, mut lacks) = match &of.pattern {
        Pattern::Command(pattern) => {
            let readings = call.runs.iter().flat_map(|run: &Run| &run.readings);
            (true, readings.filter_map(|reading| command(pattern, reading)).min_by_key(Vec::len)?)
        }
        Pattern::Effect(pattern) => (false, call.effects.iter().filter_map(|each| effect(pattern, each)).min_by_key(Vec::len)?),
        Pattern::Tool(pattern) => {
            if !patterns::has(&pattern.name, &call.tool.tool) {
                return None;
            }
            let fields = pattern.fields.iter().map(|(name, set)| format!("the field {name} must be {}", patterns::words(set)));
            (true, fields.collect())
        }
    };
    if lacks.is_empty() {
        // The pattern itself fits as far as can be said here, so it was a condition, or what is not known.
        let unbound = |_: &str| None;
        for when in rule.when.iter().chain(&of.when) {
            lacks.push(format!("it holds only if {}", patterns::condition(when, &unbound)));
        }
        let exempt: Vec<String> =
            rule.unless.iter().chain(&of.unless).map(|unless| patterns::condition(unless, &unbound)).collect();
        if !exempt.is_empty() {
            lacks.push(format!("it holds not if {}", exempt.join(", or if ")));
        }
    }
    Some((commanding, lacks))
}

fn command(pattern: &CommandPattern, reading: &Reading) -> Option<Vec<String>> {
    if !patterns::has(&pattern.program, &reading.program) {
        return None;
    }
    let mut lacks = Vec::new();
    // What the command has in common with the pattern beyond the program: without any it is another command.
    let mut common = 0;
    let mut positionals = reading.positionals.iter();
    let mut skipping = false;
    for (number, wanted) in pattern.positionals.iter().enumerate() {
        match wanted {
            PositionalPattern::Skip => skipping = true,
            PositionalPattern::Dashes => {
                if reading.dashes.is_none() {
                    lacks.push("`--` is not given".into());
                }
            }
            PositionalPattern::Word { words: set, bind } => {
                let fits = |argument: &Argument| match (set, argument.word().and_then(|word| word.known())) {
                    (None, _) | (_, None) => true,
                    (Some(set), Some(text)) => patterns::has(set, &text),
                };
                let found = if skipping { positionals.by_ref().find(|each| fits(each)) } else { positionals.next() };
                skipping = false;
                let name = || match (set, bind) {
                    (Some(set), _) => patterns::words(set),
                    (None, Some(name)) => format!("<{name}>"),
                    (None, None) => "another word".into(),
                };
                match found {
                    Some(argument) if fits(argument) => common += usize::from(set.is_some()),
                    // A program's other subcommands are not near.
                    _ if number == 0 && set.is_some() => return None,
                    Some(argument) => lacks.push(format!("`{}` is not {}", words::argument(argument), name())),
                    None => lacks.push(format!("{} is not given", name())),
                }
            }
        }
    }
    for option in &pattern.options {
        common += usize::from(spelled(option, reading));
        if !given(option, reading) {
            lacks.push(format!("`{}` is not given", patterns::option(option)));
        }
    }
    for option in pattern.absent.iter().filter(|option| given(option, reading)) {
        lacks.push(format!("`{}` is given", patterns::option(option)));
    }
    let demands =
        !pattern.options.is_empty() || pattern.positionals.iter().any(|each| !matches!(each, PositionalPattern::Skip));
    (common > 0 || !demands).then_some(lacks)
}

/// Whether the option is given, whatever its value.
fn spelled(option: &OptionPattern, reading: &Reading) -> bool {
    reading.options.iter().flat_map(|each| &each.spellings).any(|each| patterns::matches(&option.spelling, each))
}

fn given(option: &OptionPattern, reading: &Reading) -> bool {
    reading.options.iter().any(|each| {
        let value = match (&option.value, each.value.as_ref().and_then(|value| value.known())) {
            (Some(set), Some(text)) => patterns::has(set, &text),
            (Some(_), None) => each.value.is_some(),
            (None, _) => true,
        };
        value && each.spellings.iter().any(|spelling| patterns::matches(&option.spelling, spelling))
    })
}

fn effect(pattern: &EffectPattern, effect: &crate::model::Effect) -> Option<Vec<String>> {
    if pattern.verb != effect.verb || pattern.on != effect.place {
        return None;
    }
    let mut lacks = Vec::new();
    if let Object::Code(code) = &effect.object
        && pattern.language.as_ref().is_some_and(|language| *language != code.language)
    {
        return None;
    }
    if pattern.recursively && !effect.recursively {
        lacks.push("it is not recursive".into());
    }
    if pattern.forcibly && !effect.forcibly {
        lacks.push("it is not forced".into());
    }
    if let Some(source) = pattern.from {
        use crate::model::Source;
        let carried = match source {
            Source::Network => effect.from.network,
            Source::Stdin => effect.from.stdin,
            Source::File => !effect.from.files.is_empty(),
            Source::Environment => effect.from.environment,
            Source::Unknown => effect.from.unknown,
        };
        if !carried {
            lacks.push(format!("what it {} does not come from {}", effect.verb.word(), format!("{source:?}").to_lowercase()));
        }
    }
    if let Some(code) = &pattern.code {
        let _ = code;
        lacks.push(format!("its text is not `{}`", patterns::pattern(&Pattern::Effect(pattern.clone()))));
    }
    if let Some(set) = &pattern.object {
        lacks.push(format!("`{}` is none of {}", words::object(&effect.object), patterns::paths(set)));
    }
    Some(lacks)
}
