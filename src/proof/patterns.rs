//! Patterns → calls that they are about, and the words that they hold.

use std::collections::{BTreeMap, BTreeSet};

use super::{sample, worlds};
use crate::language::ExampleInput;
use crate::model::effect::Verb;
use crate::model::rule::{
    CodePattern, CodeToken, CommandPattern, Condition, EffectPattern, Match, OptionPattern, PathSet, Pattern,
    PositionalPattern, Rule, ToolPattern, WordSet,
};

/// How many calls are made of one match.
const MANY: usize = 160;

/// Words that stand where a pattern says nothing.
const ANY: [&str; 7] = ["x", "a.py", "/x", "~/x", "../x", ".", "/"];

/// Calls that a match may be about.
pub fn calls(rule: &Rule, of: &Match) -> Vec<ExampleInput> {
    match &of.pattern {
        Pattern::Command(pattern) => {
            commands(pattern, &worlds::values(rule, of)).into_iter().map(ExampleInput::Command).collect()
        }
        Pattern::Effect(pattern) => redirections(pattern, rule, of).into_iter().map(ExampleInput::Command).collect(),
        Pattern::Tool(pattern) => tools(pattern, rule, of),
    }
}

/// Command lines: a product of a few choices for each element, options before, between and after the positionals.
fn commands(pattern: &CommandPattern, values: &BTreeMap<String, Vec<String>>) -> Vec<String> {
    let mut lines: Vec<Vec<String>> = sample::members(&pattern.program).into_iter().take(8).map(|name| vec![name]).collect();
    let mut before_dashes = None;
    for positional in &pattern.positionals {
        let choices: Vec<String> = match positional {
            PositionalPattern::Word { words: Some(set), .. } => sample::members(set).into_iter().take(12).collect(),
            PositionalPattern::Word { words: None, bind } => {
                let bound = bind.as_ref().and_then(|name| values.get(name)).into_iter().flatten().take(12).cloned();
                bound.chain(ANY.map(String::from)).collect()
            }
            PositionalPattern::Skip => continue,
            PositionalPattern::Dashes => {
                before_dashes = lines.first().map(Vec::len);
                vec!["--".into()]
            }
        };
        lines = product(&lines, &choices);
    }
    let mut all = Vec::new();
    let options = options(&pattern.options);
    for line in &lines {
        for given in &options {
            let end = before_dashes.unwrap_or(line.len());
            let mut places = vec![end];
            places.extend([1, 2].into_iter().filter(|at| *at < end));
            for at in places.into_iter().take(if given.is_empty() { 1 } else { 3 }) {
                let mut words: Vec<String> = line.iter().map(|word| sample::word(word)).collect();
                words.splice(at..at, given.iter().map(|word| sample::word(word)));
                all.push(words.join(" "));
            }
        }
    }
    all.sort_by_key(String::len);
    all.dedup();
    all.truncate(MANY);
    all
}

fn product(lines: &[Vec<String>], choices: &[String]) -> Vec<Vec<String>> {
    let each = |line: &Vec<String>| {
        let line = line.clone();
        choices.iter().map(move |choice| line.iter().cloned().chain([choice.clone()]).collect::<Vec<_>>())
    };
    let mut all: Vec<Vec<String>> = lines.iter().flat_map(each).collect();
    all.sort_by_key(|line| line.iter().map(String::len).sum::<usize>());
    all.truncate(MANY);
    all
}

/// Ways of giving the options: bare, and with a value as the next word or attached.
fn options(all: &[OptionPattern]) -> Vec<Vec<String>> {
    let mut given: Vec<Vec<String>> = vec![Vec::new()];
    for option in all {
        given = given
            .iter()
            .flat_map(|before| spelled(option).into_iter().map(move |own| [before.clone(), own].concat()))
            .take(40)
            .collect();
    }
    given
}

/// Ways of giving one option.
pub fn spelled(option: &OptionPattern) -> Vec<Vec<String>> {
    let mut all = Vec::new();
    for spelling in sample::texts(&option.spelling).into_iter().take(3) {
        match &option.value {
            None => {
                all.push(vec![spelling.clone()]);
                all.push(vec![spelling, "x".into()]);
            }
            Some(set) => {
                for value in sample::members(set).into_iter().take(4) {
                    if spelling.starts_with('-') {
                        all.push(vec![spelling.clone(), value.clone()]);
                    }
                    all.push(vec![format!("{spelling}={value}")]);
                }
            }
        }
    }
    all
}

/// What a shell alone does to a path. Effects of programs are found by way of examples.
fn redirections(pattern: &EffectPattern, rule: &Rule, of: &Match) -> Vec<String> {
    let sign = match pattern.verb {
        Verb::Writes | Verb::Creates | Verb::Truncates => ">",
        Verb::Appends => ">>",
        Verb::Reads => "<",
        _ => return Vec::new(),
    };
    paths_of(pattern, rule, of).iter().map(|path| format!("{sign}{}", sample::word(path))).collect()
}

/// The paths that a pattern on an effect is about.
pub fn paths_of(pattern: &EffectPattern, rule: &Rule, of: &Match) -> Vec<String> {
    let mut all: Vec<String> = pattern.object.iter().flat_map(sample::places).collect();
    all.extend(worlds::values(rule, of).into_values().flatten());
    if pattern.object.is_none() {
        all.extend(ANY.map(String::from));
    }
    all.truncate(40);
    all
}

fn tools(pattern: &ToolPattern, rule: &Rule, of: &Match) -> Vec<ExampleInput> {
    let mut fields = pattern.fields.clone();
    for condition in of.when.iter().chain(&rule.when) {
        if let Condition::FieldIs(name, set) = condition {
            fields.push((name.clone(), set.clone()));
        }
    }
    let filled = |nth: usize| {
        let mut object = serde_json::Map::new();
        for (name, set) in &fields {
            let members = sample::members(set);
            let value = members.get(nth).or(members.first()).cloned().unwrap_or_default();
            put(&mut object, name, value);
        }
        serde_json::Value::Object(object)
    };
    let names = sample::members(&pattern.name).into_iter().take(8);
    names
        .flat_map(|name| (0..4).map(move |nth| (name.clone(), nth)))
        .map(|(name, nth)| ExampleInput::Tool { name, fields: filled(nth) })
        .collect()
}

/// Sets a field by its dotted path.
fn put(object: &mut serde_json::Map<String, serde_json::Value>, path: &str, value: String) {
    match path.split_once('.') {
        None => drop(object.insert(path.into(), value.into())),
        Some((first, rest)) => {
            let inner = object.entry(first).or_insert_with(|| serde_json::Value::Object(Default::default()));
            if let Some(inner) = inner.as_object_mut() {
                put(inner, rest, value);
            }
        }
    }
}

/// The words that a rule holds, in patterns and conditions, as texts that match.
pub fn vocabulary(rule: &Rule) -> BTreeSet<String> {
    let mut words = Words(BTreeSet::new());
    for of in &rule.matches {
        words.pattern(&of.pattern);
        of.when.iter().chain(&of.unless).for_each(|condition| words.condition(condition));
    }
    rule.when.iter().chain(&rule.unless).for_each(|condition| words.condition(condition));
    words.0
}

struct Words(BTreeSet<String>);

impl Words {
    fn set(&mut self, set: &WordSet) {
        self.0.extend(set.any.iter().chain(&set.except).flat_map(sample::texts));
    }

    fn paths(&mut self, set: &PathSet) {
        self.0.extend(sample::places(set));
    }

    fn pattern(&mut self, pattern: &Pattern) {
        match pattern {
            Pattern::Command(command) => {
                self.set(&command.program);
                for positional in &command.positionals {
                    match positional {
                        PositionalPattern::Word { words: Some(set), .. } => self.set(set),
                        PositionalPattern::Dashes => drop(self.0.insert("--".into())),
                        _ => {}
                    }
                }
                for option in command.options.iter().chain(&command.absent) {
                    self.0.extend(spelled(option).into_iter().map(|words| words.join(" ")));
                }
            }
            Pattern::Effect(effect) => {
                effect.object.iter().for_each(|set| self.paths(set));
                effect.code.iter().for_each(|code| self.code(code));
            }
            Pattern::Tool(tool) => {
                self.set(&tool.name);
                tool.fields.iter().for_each(|(_, set)| self.set(set));
            }
        }
    }

    fn code(&mut self, code: &CodePattern) {
        for token in code.alternatives.iter().flatten() {
            if let CodeToken::Token(pattern) | CodeToken::Absent(pattern) = token {
                self.0.extend(sample::texts(pattern));
            }
        }
    }

    // Depth is bounded by the language's limit on nesting.
    fn condition(&mut self, condition: &Condition) {
        match condition {
            Condition::All(all) | Condition::Any(all) => all.iter().for_each(|each| self.condition(each)),
            Condition::Not(inner) => self.condition(inner),
            Condition::Match(pattern) => self.pattern(pattern),
            Condition::PathIn(_, set) | Condition::PathOutside(_, set) => self.paths(set),
            Condition::WordIs(_, set) | Condition::FieldIs(_, set) | Condition::Under(set) => self.set(set),
            Condition::Ref(_) => drop(self.0.insert("main".into())),
            _ => {}
        }
    }
}
