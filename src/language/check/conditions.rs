//! Conditions: those of rules (facts, names of the match) and those of declarations (options and operands given).

use super::declarations::{Scope, place};
use super::names::{Resolved, is_place};
use super::union::{Set, Union, take_out};
use super::words::meant;
use super::{Check, paths, words};
use crate::language::diagnostic::At;
use crate::language::tree::{self, Capture, Element, Operand, Raw, SetOf, SetOfKind, SubjectOf, Test};
use crate::model::declaration::Given;
use crate::model::rule::{Condition, PathSet, PatternPart, Preset, Subject, WordPattern, WordSet};

/// The settings that are on or off.
const SWITCHES: [&str; 1] = ["relax-worktrees"];
/// The settings that are lists of paths.
const PATH_SETTINGS: [&str; 2] = ["allow-paths", "deny-paths"];

impl<'t> Check<'_, 't> {
    /// A condition of a rule. `bound` are the names that the match binds.
    pub(super) fn condition(&mut self, tree: &'t tree::Condition<'t>, used: &mut Vec<Raw<'t>>) -> Option<Condition> {
        Some(match tree {
            tree::Condition::All(all) => Condition::All(self.each(all, used)?),
            tree::Condition::Any(any) => Condition::Any(self.each(any, used)?),
            tree::Condition::Not(inner) => Condition::Not(Box::new(self.condition(inner, used)?)),
            tree::Condition::Test(test, at) => self.test(test, *at, used)?,
        })
    }

    fn each(&mut self, all: &'t [tree::Condition<'t>], used: &mut Vec<Raw<'t>>) -> Option<Vec<Condition>> {
        let checked: Vec<Option<Condition>> = all.iter().map(|one| self.condition(one, used)).collect();
        checked.into_iter().collect()
    }

    fn test(&mut self, test: &'t Test<'t>, at: At, used: &mut Vec<Raw<'t>>) -> Option<Condition> {
        Some(match test {
            Test::Compare(capture, relation, set) => {
                let subject = self.subject_name(capture, used);
                match relation.text {
                    "is" => any(self.word_sets(set)?, |set| Condition::WordIs(subject.clone(), set)),
                    "in" if self.means_words(set) => any(self.word_sets(set)?, |set| Condition::WordIs(subject.clone(), set)),
                    "in" => any(self.inside_of(set)?, |set| Condition::PathIn(subject.clone(), set)),
                    _ => all(self.path_sets(set)?, |set| Condition::PathOutside(subject.clone(), set)),
                }
            }
            Test::Fact(name, relation, set) => self.fact(*name, *relation, set)?,
            Test::Subject(name, of) => {
                let subject = match of {
                    SubjectOf::Capture(capture) => self.subject_name(capture, used),
                    SubjectOf::Word(raw) if name.text == "ref" => Subject::Fixed(words::pattern(*raw, self.faults)?),
                    SubjectOf::Word(raw) => Subject::Fixed(paths::pattern(*raw, self.faults)?),
                };
                match name.text {
                    "exists" => Condition::Exists(subject),
                    "tracked" => Condition::Tracked(subject),
                    "clean" => Condition::Clean(subject),
                    "ignored" => Condition::Ignored(subject),
                    "recoverable" => Condition::Recoverable(subject),
                    _ => Condition::Ref(subject),
                }
            }
            Test::Preset(comparison, preset) => {
                let preset = self.preset(*preset)?;
                match comparison.text {
                    ">=" => Condition::PresetAtLeast(preset),
                    "<=" => Condition::PresetAtMost(preset),
                    _ => Condition::All(vec![Condition::PresetAtLeast(preset), Condition::PresetAtMost(preset)]),
                }
            }
            Test::Setting(raw) => {
                if !SWITCHES.contains(&raw.text) {
                    let help = if PATH_SETTINGS.contains(&raw.text) {
                        format!("`{0}` is a list of paths: `<path> in setting {0}`", raw.text)
                    } else {
                        meant(raw.text, SWITCHES)
                    };
                    self.faults
                        .error(
                            "rulebook::unknown-setting",
                            raw.at,
                            "not a switch",
                            format!("there is no setting `{}` that is on or off", raw.text),
                        )
                        .help(help);
                    return None;
                }
                Condition::Setting(raw.text.to_string())
            }
            Test::Env(name, set) => any(self.word_sets(set)?, |set| Condition::EnvIs(name.text.to_string(), set)),
            Test::Field(name, set) => any(self.word_sets(set)?, |set| Condition::FieldIs(name.text.to_string(), set)),
            Test::Piped(operand) => any(self.operand_words(operand)?, Condition::PipedFrom),
            Test::Under(operand) => any(self.operand_words(operand)?, Condition::Under),
            Test::InLanguage(raw) => Condition::InLanguage(self.language_name(*raw).to_string()),
            Test::Worktree => Condition::WorktreeLinked,
            Test::Attended => Condition::Attended,
            Test::NoOperands => Condition::OperandsNone,
            Test::Match(pattern) => {
                let patterns = self.pattern(pattern)?;
                for pattern in &patterns {
                    if let Some(name) = pattern.bound.iter().find(|name| **name != "path") {
                        self.faults
                            .error(
                                "rulebook::captured-in-condition",
                                at,
                                format!("binds `<{name}>`"),
                                "a condition binds no names",
                            )
                            .help(format!("write `*` in place of `<{name}>`, or move the pattern to a `match` clause"));
                    }
                }
                any(patterns, |pattern| Condition::Match(Box::new(pattern.pattern)))
            }
            Test::On(raw) => Condition::On(place(Some(*raw))),
            Test::Value(name, ..) | Test::PlaceholderGiven(name) => {
                self.declaration_only(*name);
                return None;
            }
            Test::OptionGiven(raw) => {
                self.faults
                    .error("rulebook::option-in-condition", raw.at, "an option", "options are part of a pattern")
                    .help(format!("write `match … {0}`, or `when match PROGRAM {0}`", raw.text));
                return None;
            }
            Test::Wrong => return None,
        })
    }

    fn declaration_only(&mut self, name: Raw<'_>) {
        let small = name.text.to_ascii_lowercase();
        self.faults
            .error(
                "rulebook::placeholder-in-rule",
                name.at,
                "not a name of the match",
                format!("`{}` is a placeholder of declarations", name.text),
            )
            .help(format!("in a rule a captured name is written `<{small}>`"));
    }

    fn subject_name(&mut self, capture: &Capture<'t>, used: &mut Vec<Raw<'t>>) -> Subject {
        if capture.of.is_some() {
            self.faults
                .error(
                    "rulebook::capture-in-condition",
                    capture.at,
                    "has a pattern",
                    "a condition names what the match has bound",
                )
                .help(format!("write `<{}>`, and the pattern in the `match`", capture.name.text));
        }
        used.push(capture.name);
        Subject::Bound(capture.name.text.to_string())
    }

    fn fact(&mut self, name: Raw<'t>, relation: Raw<'t>, set: &'t SetOf<'t>) -> Option<Condition> {
        if name.text == "cwd" {
            let inside = any(self.inside_of(set)?, Condition::CwdIn);
            return Some(if relation.text == "outside" { Condition::Not(Box::new(inside)) } else { inside });
        }
        if relation.text == "outside" {
            self.faults
                .error("rulebook::wrong-relation", relation.at, "for paths only", format!("`{}` is no path", name.text))
                .help(format!("write `not {} in …`", name.text));
            return None;
        }
        let sets = self.word_sets(set)?;
        Some(match name.text {
            "branch" => any(sets, Condition::BranchIs),
            "agent" => any(sets, Condition::AgentIs),
            _ => any(sets, Condition::ToolIs),
        })
    }

    /// A preset's name.
    pub(super) fn preset(&mut self, raw: Raw<'_>) -> Option<Preset> {
        let preset = Preset::parse(raw.text);
        if preset.is_none() {
            self.unknown("preset", raw, "a preset", ["standard", "strict", "paranoid"]);
        }
        preset
    }

    /// Whether `in` compares words: a list is named.
    fn means_words(&mut self, set: &'t SetOf<'t>) -> bool {
        let SetOfKind::Operand(operand) = &set.of else { return false };
        let mut names = Vec::new();
        match operand {
            Operand::Reference(raw) => names.push(*raw),
            Operand::Group(group) => {
                for alternative in &group.alternatives {
                    if let [Element::Operand(Operand::Reference(raw))] = alternative.as_slice() {
                        names.push(*raw);
                    }
                }
            }
            _ => {}
        }
        let mut quiet = crate::language::diagnostic::Faults::new("", 0);
        names
            .iter()
            .filter(|raw| !is_place(raw))
            .any(|raw| matches!(self.names.set(self.file, *raw, &mut quiet), Resolved::Words(_)))
    }

    /// The words of an operand that stands for a set.
    pub(super) fn operand_words(&mut self, operand: &'t Operand<'t>) -> Option<Vec<WordSet>> {
        self.union(operand, Vec::new())
    }

    /// The words that something is compared with.
    pub(super) fn word_sets(&mut self, set: &'t SetOf<'t>) -> Option<Vec<WordSet>> {
        let except = self.taken_out::<WordSet>(set)?;
        match &set.of {
            SetOfKind::Setting(raw) => {
                self.faults
                    .error(
                        "rulebook::wrong-set",
                        raw.at,
                        "a list of paths",
                        "words are compared here, and settings are lists of paths",
                    )
                    .help(format!("write `<path> in setting {}`", raw.text));
                None
            }
            SetOfKind::Operand(operand) => self.union(operand, except),
        }
    }

    /// What `in` means: a place that stands there by its name is all that lies in it, as it is for `outside`.
    fn inside_of(&mut self, set: &'t SetOf<'t>) -> Option<Vec<PathSet>> {
        let mut sets = self.path_sets(set)?;
        let SetOfKind::Operand(operand) = &set.of else { return Some(sets) };
        for raw in self.members(operand)?.iter().filter(|raw| is_place(raw)) {
            let below = WordPattern { parts: vec![PatternPart::Literal(format!("{}/", raw.text)), PatternPart::DoubleStar] };
            let named = |set: &&mut PathSet| set.any.iter().any(|pattern| pattern.as_literal() == Some(raw.text));
            if let Some(set) = sets.iter_mut().find(named) {
                set.any.push(below);
            }
        }
        Some(sets)
    }

    /// The paths that something is compared with.
    pub(super) fn path_sets(&mut self, set: &'t SetOf<'t>) -> Option<Vec<PathSet>> {
        let except = self.taken_out::<PathSet>(set)?;
        match &set.of {
            SetOfKind::Setting(raw) => {
                if !PATH_SETTINGS.contains(&raw.text) {
                    self.faults
                        .error(
                            "rulebook::unknown-setting",
                            raw.at,
                            "not a list of paths",
                            format!("there is no setting `{}` that lists paths", raw.text),
                        )
                        .help(meant(raw.text, PATH_SETTINGS));
                    return None;
                }
                let mut union = Union::new(except);
                union.join(paths::of_setting(raw.text));
                Some(union.finish())
            }
            SetOfKind::Operand(operand) => self.union(operand, except),
        }
    }

    fn taken_out<S: Set>(&mut self, set: &'t SetOf<'t>) -> Option<Vec<WordPattern>> {
        let mut except = Vec::new();
        for raw in &set.except {
            let resolved = self.resolved::<S>(*raw);
            if !take_out::<S>(*raw, resolved, &mut except, self.faults) {
                return None;
            }
        }
        Some(except)
    }

    fn union<S: Set>(&mut self, operand: &'t Operand<'t>, except: Vec<WordPattern>) -> Option<Vec<S>> {
        let mut union = Union::new(except);
        let mut good = true;
        for raw in self.members(operand)? {
            let resolved = self.resolved::<S>(raw);
            if resolved.is_none() {
                self.bare_set_name(raw);
            }
            good &= union.add(raw, resolved, self.faults);
        }
        good.then(|| union.finish())
    }

    /// The set of a single member.
    pub(super) fn single<S: Set>(&mut self, raw: Raw<'t>) -> Option<Vec<S>> {
        let mut union = Union::new(Vec::new());
        let resolved = self.resolved::<S>(raw);
        union.add(raw, resolved, self.faults).then(|| union.finish())
    }

    /// What the name of a set stands for; none for a member that is no name.
    pub(super) fn resolved<S: Set>(&mut self, raw: Raw<'t>) -> Option<Resolved> {
        S::is_named(&raw).then(|| self.names.set(self.file, raw, self.faults))
    }

    /// The single words that an operand is made of.
    fn members(&mut self, operand: &'t Operand<'t>) -> Option<Vec<Raw<'t>>> {
        match operand {
            Operand::Word(raw) | Operand::Reference(raw) => Some(vec![*raw]),
            Operand::Capture(capture) => {
                self.faults
                    .error(
                        "rulebook::capture-as-set",
                        capture.at,
                        "a name of the match",
                        "a set of words or paths must stand here",
                    )
                    .help("write `@name`, or words in parentheses: `(a | b)`");
                None
            }
            Operand::Group(group) => {
                let mut all = Vec::new();
                for alternative in &group.alternatives {
                    match alternative.as_slice() {
                        [Element::Operand(inner @ (Operand::Word(_) | Operand::Reference(_) | Operand::Group(_)))] => {
                            all.extend(self.members(inner)?)
                        }
                        _ => {
                            self.faults
                                .error(
                                    "rulebook::words-in-set",
                                    group.at,
                                    "has alternatives of several words",
                                    "every alternative here is one word",
                                )
                                .help("write `(a | b)`, and quote words with blanks: `(\"a b\" | c)`");
                            return None;
                        }
                    }
                }
                Some(all)
            }
        }
    }

    /// Warns of a word that is the name of a set: its `@` was likely forgotten.
    fn bare_set_name(&mut self, raw: Raw<'_>) {
        if self.names.has_set(self.file, raw.text) {
            self.faults
                .warning(
                    "rulebook::bare-set-name",
                    raw.at,
                    "the word, or the set?",
                    format!("`{}` is also the name of a set", raw.text),
                )
                .help(format!("write `@{0}` for the set, `\"{0}\"` for the word", raw.text));
        }
    }

    /// The conditions of an effect in a declaration.
    pub(super) fn given(&mut self, given: &'t [tree::Given<'t>], scope: &Scope<'t>) -> (Option<Given>, Option<Given>) {
        let (mut when, mut unless) = (Vec::new(), Vec::new());
        for one in given {
            if let Some(checked) = self.given_one(&one.condition, scope) {
                if one.unless { unless.push(checked) } else { when.push(checked) }
            }
        }
        let join = |mut all: Vec<Given>, joined: fn(Vec<Given>) -> Given| match all.len() {
            0 => None,
            1 => all.pop(),
            _ => Some(joined(all)),
        };
        (join(when, Given::All), join(unless, Given::Any))
    }

    fn given_one(&mut self, tree: &'t tree::Condition<'t>, scope: &Scope<'t>) -> Option<Given> {
        Some(match tree {
            tree::Condition::All(all) => Given::All(all.iter().filter_map(|one| self.given_one(one, scope)).collect()),
            tree::Condition::Any(any) => Given::Any(any.iter().filter_map(|one| self.given_one(one, scope)).collect()),
            tree::Condition::Not(inner) => Given::Not(Box::new(self.given_one(inner, scope)?)),
            tree::Condition::Test(Test::OptionGiven(raw), _) => {
                if !scope.options.contains(&raw.text) {
                    let help = meant(raw.text, scope.options.iter().copied());
                    self.faults
                        .error(
                            "rulebook::unknown-option",
                            raw.at,
                            "not declared here",
                            format!("this command declares no option `{}`", raw.text),
                        )
                        .help(help);
                    return None;
                }
                Given::Option(raw.text.to_string())
            }
            tree::Condition::Test(Test::PlaceholderGiven(raw), _) => {
                Given::Placeholder(self.in_scope(*raw, scope)?.to_string())
            }
            tree::Condition::Test(Test::Value(raw, relation, set), _) => {
                let name = self.in_scope(*raw, scope)?.to_string();
                if relation.text == "outside" {
                    self.faults
                        .error("rulebook::wrong-relation", relation.at, "for paths only", "a declaration compares words")
                        .help(format!("write `not {} is …`", raw.text));
                    return None;
                }
                let mut sets = self.word_sets(set)?;
                if sets.len() == 1 {
                    Given::Is(name, sets.remove(0))
                } else {
                    Given::Any(sets.into_iter().map(|set| Given::Is(name.clone(), set)).collect())
                }
            }
            tree::Condition::Test(Test::Wrong, _) => return None,
            tree::Condition::Test(_, at) => {
                self.faults
                    .error(
                        "rulebook::fact-in-declaration",
                        *at,
                        "a fact of rules",
                        "a declaration knows options, operands and their values only",
                    )
                    .help("write `when -x`, `when not FILE`, `when MODE is r*`; facts belong into rules");
                return None;
            }
        })
    }
}

/// One condition for each of several sets, joined by *or*.
fn any<T>(mut sets: Vec<T>, condition: impl Fn(T) -> Condition) -> Condition {
    if sets.len() == 1 { condition(sets.remove(0)) } else { Condition::Any(sets.into_iter().map(condition).collect()) }
}

/// One condition for each of several sets, joined by *and*.
fn all<T>(mut sets: Vec<T>, condition: impl Fn(T) -> Condition) -> Condition {
    if sets.len() == 1 { condition(sets.remove(0)) } else { Condition::All(sets.into_iter().map(condition).collect()) }
}
