//! Conditions beside a pattern, three-valued. What requires weakens a match to possible where it is not known; what exempts
//! counts only when it is certain.
//!
//! Inside `not`, `unless` and `allow` the side changes: `not X` requires that X does not surely hold, so an unknown X leaves
//! the match as it is.

use crate::model::effect::{Object, Place};
use crate::model::invocation::{Directory, LinkKind};
use crate::model::path::{is_within, join};
use crate::model::rule::{Condition, Pattern, Subject, WordPattern, WordSet};
use crate::model::word::Word;

use super::super::bytes::Fault;
use super::super::nfa::Answer;
use super::super::record::{Clause, RuleRecord};
use super::super::trie::{PatternComponent, Root, components};
use super::views::Follow;
use super::{Evaluation, Side, Surroundings, words};

/// Nesting of conditions that is followed; the checker refuses more.
const NESTING: usize = 64;

/// What the machine says of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fact {
    /// Something is there.
    Exists,
    /// Whether it is so.
    Is(bool),
}

impl Evaluation<'_> {
    /// Everything beside the pattern: `when` and `unless` of the rule and of the clause.
    pub(super) fn conditions(
        &self,
        rule: &RuleRecord,
        clause: &Clause,
        around: &Surroundings,
        side: Side,
    ) -> Result<Answer, Fault> {
        let when = clause.when.iter().chain(&rule.when);
        let unless = clause.unless.iter().chain(&rule.unless);
        let mut answer = Answer::Certain;
        for condition in when {
            answer = answer.min(self.condition(condition, around, side, 0)?);
            if answer == Answer::No {
                return Ok(answer);
            }
        }
        for condition in unless {
            if self.negated(condition, around, side, 0)? == Answer::No {
                return Ok(Answer::No);
            }
        }
        Ok(answer)
    }

    /// `not X` as `side` needs it.
    fn negated(&self, condition: &Condition, around: &Surroundings, side: Side, depth: usize) -> Result<Answer, Fault> {
        Ok(match side {
            Side::Requires => Answer::known(self.condition(condition, around, Side::Exempts, depth)? != Answer::Certain),
            Side::Exempts => Answer::known(self.condition(condition, around, Side::Requires, depth)? == Answer::No),
        })
    }

    fn condition(&self, condition: &Condition, around: &Surroundings, side: Side, depth: usize) -> Result<Answer, Fault> {
        if depth > NESTING {
            return Err(Fault::Content { part: "condition" });
        }
        let call = self.call;
        let context = &self.context;
        Ok(match condition {
            Condition::All(all) => {
                let mut answer = Answer::Certain;
                for one in all {
                    answer = answer.min(self.condition(one, around, side, depth + 1)?);
                    if answer == Answer::No {
                        break;
                    }
                }
                answer
            }
            Condition::Any(any) => {
                let mut answer = Answer::No;
                for one in any {
                    answer = answer.max(self.condition(one, around, side, depth + 1)?);
                    if answer == Answer::Certain {
                        break;
                    }
                }
                answer
            }
            Condition::Not(inner) => self.negated(inner, around, side, depth + 1)?,
            Condition::Match(pattern) => self.same_invocation(pattern, around, side)?,
            Condition::CwdIn(set) => {
                let word = Word::known_text(".", Default::default());
                self.path_in(&word, set, around.directory, around.place, Follow::Last, side)?
            }
            Condition::PathIn(subject, set) => {
                let Some(word) = self.subject(subject, around) else { return Ok(Answer::No) };
                self.path_in(&word, set, around.directory, around.place, around.follow, side)?
            }
            Condition::PathOutside(subject, set) => {
                let Some(word) = self.subject(subject, around) else { return Ok(Answer::No) };
                self.path_outside(&word, set, around.directory, around.place, around.follow, side)?
            }
            Condition::WordIs(subject, set) => {
                let Some(word) = self.subject(subject, around) else { return Ok(Answer::No) };
                self.word(&word, set, around.directory, side)
            }
            Condition::Exists(subject) => self.fact(subject, around, side, |path| {
                Some(match context.world.stat(path, true)? {
                    Some(_) => Fact::Exists,
                    None => Fact::Is(false),
                })
            }),
            Condition::Tracked(subject) => self.fact(subject, around, side, |path| context.world.tracked(path).map(Fact::Is)),
            Condition::Clean(subject) => self.fact(subject, around, side, |path| context.world.clean(path).map(Fact::Is)),
            Condition::Ignored(subject) => self.fact(subject, around, side, |path| context.world.ignored(path).map(Fact::Is)),
            Condition::Recoverable(subject) => {
                self.fact(subject, around, side, |path| context.world.recoverable(path).map(Fact::Is))
            }
            Condition::Ref(subject) => {
                let Some(word) = self.subject(subject, around) else { return Ok(Answer::No) };
                let names: Option<Vec<String>> =
                    word.values.iter().map(|value| value.known().map(|text| text.into_owned())).collect();
                let Some(names) = names else { return Ok(Answer::Possible) };
                let computed = side == Side::Exempts && word.computed;
                let answers = names.iter().map(|name| {
                    self.in_directories(around, "", |directory| context.world.is_ref(directory, name).map(Fact::Is))
                });
                let answer = Answer::of_alternatives(answers);
                if computed { answer.doubted() } else { answer }
            }
            Condition::BranchIs(set) => self.in_directories(around, "", |directory| {
                context.world.branch(directory).map(|branch| Fact::Is(words::holds(set, &branch)))
            }),
            Condition::WorktreeLinked => {
                self.in_directories(around, "", |directory| context.world.linked_worktree(directory).map(Fact::Is))
            }
            Condition::AgentIs(set) => Answer::known(words::holds(set, context.agent)),
            Condition::ToolIs(set) => Answer::known(words::holds(set, &call.tool.tool)),
            Condition::FieldIs(name, set) => Answer::known(self.field(name, set)),
            Condition::EnvIs(name, set) => self.environment(name, set, around, side),
            Condition::Under(set) => Answer::known(
                self.chain(around).iter().any(|link| words::holds(set, crate::model::path::base_name(&link.name))),
            ),
            Condition::InLanguage(language) => {
                Answer::known(self.chain(around).iter().any(|link| link.kind == LinkKind::Language && link.name == *language))
            }
            Condition::PipedFrom(set) => self.piped(set, around),
            Condition::Setting(name) => Answer::known(context.flags.iter().any(|flag| flag == name)),
            // A preset that a project raised opens no exemption, and closes no rule.
            Condition::PresetAtLeast(preset) => Answer::known(match side {
                Side::Requires => context.preset >= *preset,
                Side::Exempts => context.granted >= *preset,
            }),
            Condition::PresetAtMost(preset) => Answer::known(match side {
                Side::Requires => context.granted <= *preset,
                Side::Exempts => context.preset <= *preset,
            }),
            Condition::OperandsNone => around.bare,
            Condition::Attended => Answer::known(context.attended),
            Condition::On(place) => Answer::known(around.place == *place),
        })
    }

    /// The word that a condition is about; none where nothing of this name is bound.
    fn subject(&self, subject: &Subject, around: &Surroundings) -> Option<Word> {
        match subject {
            Subject::Bound(name) => around.bindings.iter().find(|(bound, _)| bound == name).map(|(_, word)| word.clone()),
            Subject::Fixed(pattern) => {
                let span = Default::default();
                let text = pattern.as_literal()?;
                Some(Word::known_text(self.fixed(pattern).unwrap_or_else(|| text.to_string()), span))
            }
        }
    }

    /// A fixed path that begins with a place, as an absolute one.
    fn fixed(&self, pattern: &WordPattern) -> Option<String> {
        let unfolded = components(pattern);
        let [(root, names)] = unfolded.as_slice() else { return None };
        let names: Option<Vec<&str>> = names
            .iter()
            .map(|component| match component {
                PatternComponent::Name(name) => Some(name.as_str()),
                _ => None,
            })
            .collect();
        let base = match root {
            Root::Home => self.context.world.homes().into_iter().next()?,
            Root::Temporary => self.context.world.temporary().into_iter().next()?,
            Root::Project => self.context.project.path()?.to_string(),
            Root::Anywhere | Root::Absolute | Root::Directory => return None,
        };
        Some(join(&base, &names?.join("/")))
    }

    /// Whether something earlier in the script may have changed what a fact says of a path: what lies there, above or below it,
    /// under any of the names that links give, or what git knows and ignores. What exists goes on existing, whatever changes below.
    fn disturbed(&self, path: &str, fact: Fact, around: &Surroundings) -> bool {
        let Some(run) = around.run else { return false };
        let mut earlier = self.call.changes.iter().filter(|change| change.before <= run).peekable();
        if earlier.peek().is_none() {
            return false;
        }
        let asked = self.folded_names(path);
        earlier.any(|change| {
            let Some(path) = &change.path else { return true };
            let mut known = self.changed.borrow_mut();
            let changed = known.entry(path).or_insert_with(|| self.folded_names(path));
            let above = |one: &String| asked.iter().any(|other| is_within(other, one) && !(change.inside && other == one));
            if fact == Fact::Exists {
                return changed.iter().any(above);
            }
            let below = |one: &String| asked.iter().any(|other| is_within(one, other));
            changed.iter().any(|one| above(one) || below(one)) || changed[0].split('/').any(|name| name.starts_with(".git"))
        })
    }

    /// A path as written and through links, in small letters.
    fn folded_names(&self, path: &str) -> [String; 2] {
        let real = self.context.world.real(path);
        [path.to_ascii_lowercase(), real.as_deref().unwrap_or(path).to_ascii_lowercase()]
    }

    fn known_fact(&self, fact: Option<Fact>, path: &str, around: &Surroundings) -> Answer {
        match fact {
            None => Answer::Possible,
            Some(fact) if self.disturbed(path, fact, around) => Answer::Possible,
            Some(Fact::Exists) => Answer::Certain,
            Some(Fact::Is(holds)) => Answer::known(holds),
        }
    }

    /// A fact about a path: of all names that a set means where it exempts, of any where it is required.
    fn fact(&self, subject: &Subject, around: &Surroundings, side: Side, ask: impl Fn(&str) -> Option<Fact>) -> Answer {
        let Some(word) = self.subject(subject, around) else { return Answer::No };
        if around.place != Place::Here || side == Side::Exempts && word.computed {
            return Answer::Possible;
        }
        let mut answers = Vec::new();
        for value in &word.values {
            if value.has_glob() {
                let Some(names) = self.expand(value, around.directory) else { return Answer::Possible };
                let facts = names.iter().map(|name| self.in_directories(around, name, &ask));
                answers.push(match side {
                    Side::Requires => facts.max().unwrap_or(Answer::No),
                    Side::Exempts => facts.min().unwrap_or(Answer::Possible),
                });
                continue;
            }
            let Some(text) = value.known() else { return Answer::Possible };
            answers.push(self.in_directories(around, &text, &ask));
        }
        Answer::of_alternatives(answers.into_iter())
    }

    /// A fact of what lies at `relative` in the directory, or in each that it may be.
    fn in_directories(&self, around: &Surroundings, relative: &str, ask: impl Fn(&str) -> Option<Fact>) -> Answer {
        if around.place != Place::Here {
            return Answer::Possible;
        }
        let answer = |directory: &String| {
            let path = join(directory, relative);
            self.known_fact(ask(&path), &path, around)
        };
        match around.directory {
            Directory::Known(directory) => answer(directory),
            Directory::OneOf(directories) => Answer::of_alternatives(directories.iter().map(answer)),
            Directory::Unknown => Answer::Possible,
        }
    }

    fn chain(&self, around: &Surroundings) -> &[crate::model::invocation::Link] {
        around.run.and_then(|run| self.call.runs.get(run)).map_or(&[], |run| &run.invocation.chain)
    }

    /// A variable of the command's environment. What the script did not set may be the hook's value, since the agent's shell
    /// need not share it; what is set nowhere is nothing, or every rule about a variable would possibly match every command.
    fn environment(&self, name: &str, set: &WordSet, around: &Surroundings, side: Side) -> Answer {
        let run = around.run.and_then(|run| self.call.runs.get(run));
        let assigned = run.and_then(|run| run.invocation.environment.iter().rev().find(|(variable, _)| variable == name));
        match assigned {
            Some((_, word)) => self.word(word, set, around.directory, side),
            None => {
                let value = self.context.world.variable(name);
                Answer::known(value.is_some_and(|value| words::holds(set, &value))).doubted()
            }
        }
    }

    /// Where a command's standard input is from: the words `network`, `stdin`, `environment`, `unknown`, `file`, `text`.
    fn piped(&self, set: &WordSet, around: &Surroundings) -> Answer {
        let Some(run) = around.run.and_then(|run| self.call.runs.get(run)) else { return Answer::No };
        let taint = run.invocation.stdin.taint();
        let text = matches!(run.invocation.stdin, crate::model::invocation::Flow::Text(_));
        let sources = [
            (taint.network, "network"),
            (taint.stdin, "stdin"),
            (taint.environment, "environment"),
            (taint.unknown, "unknown"),
            (!taint.files.is_empty(), "file"),
            (text, "text"),
        ];
        Answer::known(sources.iter().any(|(is, name)| *is && words::holds(set, name)))
    }

    /// Whether the same invocation matches another pattern, too.
    fn same_invocation(&self, pattern: &Pattern, around: &Surroundings, side: Side) -> Result<Answer, Fault> {
        Ok(match pattern {
            Pattern::Command(pattern) => {
                let Some(run) = around.run.and_then(|run| self.call.runs.get(run)) else { return Ok(Answer::No) };
                let readings = run.readings.iter().filter(|reading| words::holds(&pattern.program, &reading.program));
                let answers = readings.map(|reading| {
                    self.ways(pattern, run, reading, side).iter().map(|way| way.answer).max().unwrap_or(Answer::No)
                });
                match side {
                    Side::Requires => answers.max().unwrap_or(Answer::No),
                    // Every reading must exempt.
                    Side::Exempts => answers.min().unwrap_or(Answer::No),
                }
            }
            Pattern::Effect(pattern) => {
                let meant = super::super::record::meant(pattern.verb);
                let mut best = Answer::No;
                for (index, effect) in self.call.effects.iter().enumerate() {
                    let same = effect.invocation.is_some() && effect.invocation == around.run || around.effect == Some(index);
                    if !same || !meant.contains(&effect.verb) {
                        continue;
                    }
                    let mut answer = self.manner(pattern, effect);
                    if let (Some(set), true) = (&pattern.object, answer != Answer::No) {
                        let object = match &effect.object {
                            Object::Path(word) => {
                                let follow = super::effects::follow(effect.verb);
                                self.path_in(word, set, &effect.directory, effect.place, follow, side)?
                            }
                            Object::Address(word) | Object::Other(word) => {
                                let set = WordSet { any: set.any.clone(), except: set.except.clone() };
                                self.word(word, &set, &effect.directory, side)
                            }
                            Object::Code(_) | Object::None => Answer::No,
                        };
                        answer = answer.min(object);
                    }
                    best = best.max(answer);
                }
                best
            }
            Pattern::Tool(pattern) => Answer::known(self.tool_call(pattern)),
        })
    }
}
