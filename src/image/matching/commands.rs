//! Clauses on commands.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::model::call::Run;
use crate::model::invocation::Reading;
use crate::model::rule::{CommandPattern, OptionPattern, Pattern, PositionalPattern};
use crate::model::verdict::Certainty;
use crate::model::word::{Argument, Hole, Word};

use super::super::bytes::Fault;
use super::super::globs::matches;
use super::super::layout::{Key, Location, Section};
use super::super::nfa::{Answer, Scope};
use super::super::record::CommandShard;
use super::views::Follow;
use super::{Evaluation, RuleMatch, Side, Surroundings, emptied, side, words};

/// Ways to bind the names of one clause that are told.
const WAYS: usize = 256;

/// One way in which a clause's positionals match.
pub struct Way {
    pub answer: Answer,
    pub bindings: Vec<(String, Word)>,
    /// Whether no operand is left over.
    pub bare: Answer,
}

impl Evaluation<'_> {
    pub(super) fn commands(&self, found: &mut Vec<RuleMatch>) -> Result<(), Fault> {
        if self.call.runs.is_empty() {
            return Ok(());
        }
        // A script runs the same programs again and again.
        let mut wild: BTreeMap<&str, Vec<Location>> = BTreeMap::new();
        for (index, run) in self.call.runs.iter().enumerate() {
            for reading in &run.readings {
                let clauses = self.touched(run, reading)?;
                let wild = match wild.entry(&reading.program) {
                    Entry::Occupied(known) => known.into_mut(),
                    Entry::Vacant(new) => new.insert(self.image.wild_clauses(Section::WildCommands, &reading.program)?),
                };
                for location in clauses.iter().chain(wild.iter()) {
                    self.command_clause(*location, index, run, reading, found)?;
                }
            }
        }
        Ok(())
    }

    fn command_clause(
        &self,
        location: Location,
        index: usize,
        run: &Run,
        reading: &Reading,
        found: &mut Vec<RuleMatch>,
    ) -> Result<(), Fault> {
        let Some(clause) = self.clause(location)? else { return Ok(()) };
        let Pattern::Command(pattern) = &clause.pattern else { return Ok(()) };
        let side = side(clause.kind);
        let start = found.len();
        let evaluate = |reading: &Reading, found: &mut Vec<RuleMatch>| -> Result<(), Fault> {
            for way in self.ways(pattern, run, reading, side) {
                let around = Surroundings {
                    run: Some(index),
                    effect: None,
                    directory: &run.invocation.directory,
                    place: run.invocation.place,
                    follow: Follow::Last,
                    bindings: &way.bindings,
                    bare: way.bare,
                };
                self.conclude(&clause, way.answer, &around, run.invocation.span, found)?;
            }
            Ok(())
        };
        evaluate(reading, found)?;
        if found[start..].iter().any(|m| m.certainty == Certainty::Possible)
            && let Some(bare) = emptied::reading(run, reading)
        {
            let mut certain = Vec::new();
            evaluate(&bare, &mut certain)?;
            if certain.iter().any(|m| m.certainty == Certainty::Certain) {
                found[start..].iter_mut().for_each(|m| m.certain_when_emptied = m.certainty == Certainty::Possible);
            }
        }
        Ok(())
    }

    /// The clauses of the program's shards that a reading touches.
    fn touched(&self, run: &Run, reading: &Reading) -> Result<Vec<Location>, Fault> {
        let is_set = |name: &str| {
            run.invocation.environment.iter().any(|(variable, _)| variable == name)
                || self.context.world.variable(name).is_some()
        };
        let Some(main) = self.shard(Key::Command, &reading.program)? else { return Ok(Vec::new()) };
        let texts = texts(reading);
        let mut clauses = candidates(&main, texts.as_deref(), &is_set)?;
        let first = match reading.positionals.first() {
            None => return Ok(clauses),
            Some(Argument::Word(word)) => word.values.iter().map(|value| value.known()).collect::<Option<Vec<_>>>(),
            Some(Argument::Splice(_)) => None,
        };
        let words: Vec<String> = match (first, main.words) {
            (_, None) => return Ok(clauses),
            (Some(known), _) => known.into_iter().map(|word| word.into_owned()).collect(),
            (None, Some(location)) => Vec::clone(&*self.image.load(location, "command shard")?),
        };
        for word in words {
            if let Some(shard) = self.shard(Key::CommandWord, &format!("{}\0{word}", reading.program))? {
                clauses.extend(candidates(&shard, texts.as_deref(), &is_set)?);
            }
        }
        clauses.sort_unstable();
        clauses.dedup();
        Ok(clauses)
    }

    /// A program's shard, or that of a program and a word, a nul between them.
    fn shard(&self, key: Key, name: &str) -> Result<Option<Arc<CommandShard>>, Fault> {
        if let Some(known) = self.shards.borrow().get(name) {
            return Ok(known.clone());
        }
        let shards = self.image.records::<CommandShard>(key, name, "command shard")?;
        let shard = shards.into_iter().find(|shard| shard.key == name);
        self.shards.borrow_mut().insert(name.to_string(), shard.clone());
        Ok(shard)
    }

    /// The ways in which a reading matches a pattern, the program's name aside; none where it does not.
    pub(super) fn ways(&self, pattern: &CommandPattern, run: &Run, reading: &Reading, side: Side) -> Vec<Way> {
        let mut answer = if reading.certain { Answer::Certain } else { Answer::Possible };
        for option in &pattern.options {
            answer = answer.min(self.option(option, run, reading, side));
            if answer == Answer::No {
                return Vec::new();
            }
        }
        let exempt = |option: &OptionPattern| match side {
            Side::Requires => self.given(option, run, reading, Side::Exempts) == Answer::Certain,
            Side::Exempts => self.given(option, run, reading, Side::Requires) != Answer::No,
        };
        if pattern.absent.iter().any(exempt) {
            return Vec::new();
        }
        let mut ways = self.positionals(pattern, run, reading, side);
        ways.iter_mut().for_each(|way| way.answer = way.answer.min(answer));
        ways
    }

    /// An option that must be given.
    fn option(&self, option: &OptionPattern, run: &Run, reading: &Reading, side: Side) -> Answer {
        let mut best = if reading.open { Answer::Possible } else { Answer::No };
        for used in &reading.options {
            let spelled = |spelling: &str| matches(&option.spelling, spelling, Scope::Word);
            let attached = |written: &String| {
                written.split_once('=').filter(|(name, _)| spelled(name)).map(|(_, value)| value.to_string())
            };
            let value = match &option.value {
                None if used.spellings.iter().any(|spelling| spelled(spelling)) => Answer::Certain,
                // What nobody declared is kept as written.
                None if !reading.declared && used.spellings.iter().any(|written| attached(written).is_some()) => {
                    Answer::Certain
                }
                None => Answer::No,
                Some(set) => match (&used.value, used.spellings.iter().any(|spelling| spelled(spelling))) {
                    (Some(word), true) => self.word(word, set, &run.invocation.directory, side),
                    (None, _) if !reading.declared => {
                        let value = used.spellings.iter().find_map(attached);
                        Answer::known(value.is_some_and(|value| words::holds(set, &value)))
                    }
                    _ => Answer::No,
                },
            };
            let doubted = !used.certain || side == Side::Exempts && used.computed;
            best = best.max(if doubted { value.doubted() } else { value });
        }
        best
    }

    /// An option, or a bare word, that must not be given.
    fn given(&self, option: &OptionPattern, run: &Run, reading: &Reading, side: Side) -> Answer {
        let mut answer = self.option(option, run, reading, side);
        if option.value.is_none() {
            let set = crate::model::rule::WordSet { any: vec![option.spelling.clone()], except: Vec::new() };
            for argument in &reading.positionals {
                answer = answer.max(match argument {
                    Argument::Word(word) => self.word(word, &set, &run.invocation.directory, side),
                    Argument::Splice(_) => Answer::Possible,
                });
            }
        }
        answer
    }

    /// The positionals: a table of answers for each element from each argument on, and, where names are bound, each way.
    fn positionals(&self, pattern: &CommandPattern, run: &Run, reading: &Reading, side: Side) -> Vec<Way> {
        let table = Table::new(self, pattern, run, reading, side);
        if table.best(0, 0) == Answer::No {
            return Vec::new();
        }
        let binds = |element: &PositionalPattern| matches!(element, PositionalPattern::Word { bind: Some(_), .. });
        let mut ways = Vec::new();
        if pattern.positionals.iter().any(binds) {
            table.enumerate(0, 0, Answer::Certain, &mut Vec::new(), &mut ways);
            return ways;
        }
        vec![Way { answer: table.best(0, 0), bindings: Vec::new(), bare: table.bare(pattern.positionals.len()) }]
    }
}

/// Answers for the elements from `i` on against the arguments from `j` on.
struct Table<'t> {
    elements: &'t [PositionalPattern],
    arguments: &'t [Argument],
    dashes: Option<usize>,
    tests: Vec<Answer>,
    best: Vec<Answer>,
}

impl<'t> Table<'t> {
    fn new(evaluation: &Evaluation, pattern: &'t CommandPattern, run: &Run, reading: &'t Reading, side: Side) -> Table<'t> {
        let (elements, arguments) = (pattern.positionals.as_slice(), reading.positionals.as_slice());
        let width = arguments.len() + 1;
        let cells = (elements.len() + 1) * width;
        let mut table = Table {
            elements,
            arguments,
            dashes: reading.dashes,
            tests: vec![Answer::No; cells],
            best: vec![Answer::No; cells],
        };
        if !evaluation.budget.spend(cells as u64) {
            table.best.fill(Answer::Possible);
            table.tests.fill(Answer::Possible);
            return table;
        }
        table.best[elements.len() * width..].fill(Answer::Certain);
        for i in (0..elements.len()).rev() {
            for j in (0..width).rev() {
                if let PositionalPattern::Word { words, .. } = &elements[i] {
                    table.tests[i * width + j] = match (words, arguments.get(j)) {
                        (_, None) => Answer::No,
                        (None, Some(Argument::Word(_))) => Answer::Certain,
                        (Some(set), Some(Argument::Word(word))) if table.best(i + 1, j + 1) != Answer::No => {
                            evaluation.word(word, set, &run.invocation.directory, side)
                        }
                        (Some(_), Some(Argument::Word(_))) => Answer::No,
                        (None, Some(Argument::Splice(_))) => Answer::Possible,
                        (Some(set), Some(Argument::Splice(hole))) => {
                            evaluation.word(&any_word(hole), set, &run.invocation.directory, side).doubted()
                        }
                    };
                }
                table.best[i * width + j] = table.answer(i, j);
            }
        }
        table
    }

    fn best(&self, i: usize, j: usize) -> Answer {
        self.best.get(i * (self.arguments.len() + 1) + j).copied().unwrap_or(Answer::No)
    }

    fn test(&self, i: usize, j: usize) -> Answer {
        self.tests.get(i * (self.arguments.len() + 1) + j).copied().unwrap_or(Answer::No)
    }

    fn answer(&self, i: usize, j: usize) -> Answer {
        let next = |j: usize| self.best(i + 1, j);
        let splice = matches!(self.arguments.get(j), Some(Argument::Splice(_)));
        match &self.elements[i] {
            PositionalPattern::Skip if j < self.arguments.len() => next(j).max(self.best(i, j + 1)),
            PositionalPattern::Skip => next(j),
            PositionalPattern::Dashes if self.dashes == Some(j) => next(j),
            PositionalPattern::Dashes if splice && self.dashes.is_none_or(|dashes| j < dashes) => {
                next(j).max(self.best(i, j + 1)).doubted()
            }
            PositionalPattern::Dashes => Answer::No,
            // What stands behind `--` has none behind it.
            PositionalPattern::Word { .. }
                if self.dashes.is_some_and(|dashes| j >= dashes)
                    && self.elements[i + 1..].contains(&PositionalPattern::Dashes) =>
            {
                Answer::No
            }
            // The splice holds the word, or has ended.
            PositionalPattern::Word { .. } if splice => self.test(i, j).min(next(j)).max(self.best(i, j + 1)).doubted(),
            PositionalPattern::Word { .. } => self.test(i, j).min(next(j + 1)),
        }
    }

    /// Whether no argument is left behind the first `count`.
    fn bare(&self, count: usize) -> Answer {
        match self.arguments.get(count..) {
            None | Some([]) => Answer::Certain,
            Some(rest) if rest.iter().all(|argument| matches!(argument, Argument::Splice(_))) => Answer::Possible,
            Some(_) => Answer::No,
        }
    }

    /// Each way to match, with its bindings. The depth is that of the pattern: arguments are looped over.
    fn enumerate(&self, i: usize, j: usize, answer: Answer, bound: &mut Vec<(String, Word)>, ways: &mut Vec<Way>) {
        let last = i + 1 == self.elements.len();
        let Some(element) = self.elements.get(i) else {
            let same = |way: &Way| way.bindings == *bound && way.answer >= answer;
            if ways.len() < WAYS && !ways.iter().any(same) {
                ways.push(Way { answer, bindings: bound.clone(), bare: self.bare(j) });
            }
            return;
        };
        let (mut answer, mut at) = (answer, j);
        while at <= self.arguments.len() && ways.len() < WAYS {
            if self.best(i, at) == Answer::No && !last {
                return;
            }
            let argument = self.arguments.get(at);
            let splice = matches!(argument, Some(Argument::Splice(_)));
            match element {
                PositionalPattern::Skip => {
                    if self.best(i + 1, at) != Answer::No {
                        self.enumerate(i + 1, at, answer, bound, ways);
                    }
                }
                PositionalPattern::Dashes => {
                    if self.dashes == Some(at) {
                        return self.enumerate(i + 1, at, answer, bound, ways);
                    }
                    if !splice {
                        return;
                    }
                    answer = answer.doubted();
                    self.enumerate(i + 1, at, answer, bound, ways);
                }
                PositionalPattern::Word { bind, words } => {
                    let Some(argument) = argument else { return };
                    let test = self.test(i, at);
                    let (word, next) = match argument {
                        Argument::Word(word) => (word.clone(), at + 1),
                        Argument::Splice(hole) => {
                            answer = answer.doubted();
                            (any_word(hole), at)
                        }
                    };
                    if test.min(self.best(i + 1, next)) != Answer::No {
                        let depth = bound.len();
                        bound.extend(bind.iter().map(|name| (name.clone(), word.clone())));
                        self.enumerate(i + 1, next, answer.min(test), bound, ways);
                        bound.truncate(depth);
                    }
                    // A last name stands for each of the words that are left.
                    let repeated = last && bind.is_some() && words.is_none();
                    if !splice && !repeated {
                        return;
                    }
                }
            }
            at += 1;
        }
    }
}

/// One of the words of a splice.
fn any_word(hole: &Hole) -> Word {
    Word::unknown(hole.origin.clone(), hole.taint.clone(), hole.span)
}

/// Every text that an atom may be hit by; none where some are not known.
fn texts(reading: &Reading) -> Option<Vec<String>> {
    if reading.open {
        return None;
    }
    let mut texts: BTreeSet<String> = reading.options.iter().flat_map(|option| option.spellings.iter().cloned()).collect();
    if !reading.declared {
        let attached = reading.options.iter().flat_map(|option| &option.spellings).filter_map(|text| text.split_once('='));
        texts.extend(attached.map(|(name, _)| name.to_string()).collect::<Vec<_>>());
    }
    for argument in &reading.positionals {
        for value in &argument.word()?.values {
            texts.insert(value.known()?.into_owned());
        }
    }
    Some(texts.into_iter().collect())
}

fn candidates(shard: &CommandShard, texts: Option<&[String]>, is_set: &dyn Fn(&str) -> bool) -> Result<Vec<Location>, Fault> {
    let Some(texts) = texts else { return Ok(shard.clauses.clone()) };
    let mut touched = shard.always.clone();
    touched.extend(shard.variables.iter().filter(|(names, _)| names.iter().any(|name| is_set(name))).map(|(_, slot)| *slot));
    for text in texts {
        touched.extend(shard.atoms.matching(text, Scope::Word)?);
    }
    touched.sort_unstable();
    touched.dedup();
    let clause = |slot: u32| shard.clauses.get(slot as usize).copied().ok_or(Fault::Content { part: "command shard" });
    touched.into_iter().map(clause).collect()
}
