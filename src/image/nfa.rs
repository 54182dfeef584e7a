//! Word patterns as automata that are stepped by sets of states: what known text, unknown text and glob operators do to them.
//!
//! A word with a hole is stepped as a *family*: the known bytes before the hole lead to one set of states, the hole to every
//! set that some text of its shape leads to, and so on. At the end each set of the family either accepts or does not: none
//! does: *no*; some do: *possible*; all do: *certain*. That is exact, since a set of states is what a text leads to.
//!
//! Every step is counted. Where the budget ends the answer is *possible*, which never loosens.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use crate::model::rule::{PatternPart, WordPattern};
use crate::model::word::{Glob, Piece, Shape, Value};

/// Nesting of choices that is followed; beyond it a choice stands for any text.
const NESTING: usize = 16;

/// What a pattern is matched against.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// A word: `*` and `?` match slashes.
    Word,
    /// One component of a path.
    Component,
}

/// The three answers, in order: the weakest of several requirements wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Answer {
    /// No value matches.
    No,
    /// Some value does.
    Possible,
    /// Every value does.
    Certain,
}

impl Answer {
    /// Certain or no.
    pub fn known(holds: bool) -> Answer {
        if holds { Answer::Certain } else { Answer::No }
    }

    /// At most possible.
    pub fn doubted(self) -> Answer {
        self.min(Answer::Possible)
    }

    /// Yes for no and the reverse.
    pub fn flipped(self) -> Answer {
        match self {
            Answer::No => Answer::Certain,
            Answer::Possible => Answer::Possible,
            Answer::Certain => Answer::No,
        }
    }

    /// The answer over several values of which one is meant: certain only where all agree.
    pub fn of_alternatives(answers: impl Iterator<Item = Answer>) -> Answer {
        let mut all: Option<Answer> = None;
        for answer in answers {
            all = Some(match all {
                None => answer,
                Some(other) if other == answer => answer,
                Some(_) => Answer::Possible,
            });
        }
        all.unwrap_or(Answer::No)
    }
}

/// Steps that may still be taken.
#[derive(Debug)]
pub struct Budget(std::cell::Cell<u64>);

impl Budget {
    /// A budget of so many steps.
    pub fn new(steps: u64) -> Budget {
        Budget(std::cell::Cell::new(steps))
    }

    /// Takes steps off; false where there are none left.
    pub fn spend(&self, steps: u64) -> bool {
        let left = self.0.get();
        self.0.set(left.saturating_sub(steps));
        left >= steps
    }

    /// Steps left.
    pub fn left(&self) -> u64 {
        self.0.get()
    }
}

#[derive(Debug, Clone)]
enum Step {
    Char(char, u32),
    Any { slash: bool, next: u32 },
    Class { negated: bool, slash: bool, ranges: Vec<(char, char)>, next: u32 },
    Split(u32, u32),
    Accept { except: bool },
}

/// Several patterns, some of which take away.
#[derive(Debug, Clone)]
pub struct Nfa {
    steps: Vec<Step>,
    starts: Vec<u32>,
    fold: bool,
}

/// INVARIANT (sorted set): ascending, no state twice, no [`Step::Split`]; equal sets are equal vectors.
type States = Vec<u32>;

impl Nfa {
    /// An automaton that accepts what one of `any` matches and none of `except`. With `fold` case is ignored.
    pub fn new<'p>(
        any: impl IntoIterator<Item = &'p WordPattern>,
        except: impl IntoIterator<Item = &'p WordPattern>,
        scope: Scope,
        fold: bool,
    ) -> Nfa {
        let mut nfa =
            Nfa { steps: vec![Step::Accept { except: false }, Step::Accept { except: true }], starts: Vec::new(), fold };
        for pattern in any {
            let start = nfa.add(pattern, 0, scope, 0);
            nfa.starts.push(start);
        }
        for pattern in except {
            let start = nfa.add(pattern, 1, scope, 0);
            nfa.starts.push(start);
        }
        nfa
    }

    /// Adds a pattern that goes on at `next`; its first state. Built from the end, so that every state knows its successor.
    fn add(&mut self, pattern: &WordPattern, mut next: u32, scope: Scope, depth: usize) -> u32 {
        let slash = scope == Scope::Word;
        for part in pattern.parts.iter().rev() {
            next = match part {
                PatternPart::Literal(text) => {
                    let folded = if self.fold { text.to_lowercase() } else { text.clone() };
                    folded.chars().rev().fold(next, |next, char| self.push(Step::Char(char, next)))
                }
                PatternPart::Star | PatternPart::DoubleStar => self.repeat(slash, next),
                PatternPart::Question => self.push(Step::Any { slash, next }),
                PatternPart::Class { negated, ranges } => {
                    self.push(Step::Class { negated: *negated, slash, ranges: ranges.clone(), next })
                }
                PatternPart::Choice(_) if depth >= NESTING => self.repeat(slash, next),
                PatternPart::Choice(choices) => {
                    let mut starts = choices.iter().map(|choice| self.add(choice, next, scope, depth + 1)).collect::<Vec<_>>();
                    let last = starts
                        .pop()
                        .unwrap_or_else(|| self.push(Step::Class { negated: false, slash, ranges: Vec::new(), next }));
                    starts.into_iter().fold(last, |other, start| self.push(Step::Split(start, other)))
                }
            };
        }
        next
    }

    fn push(&mut self, step: Step) -> u32 {
        self.steps.push(step);
        self.steps.len() as u32 - 1
    }

    fn repeat(&mut self, slash: bool, next: u32) -> u32 {
        let split = self.push(Step::Split(0, next));
        let any = self.push(Step::Any { slash, next: split });
        self.steps[split as usize] = Step::Split(any, next);
        split
    }

    fn closure(&self, from: impl IntoIterator<Item = u32>) -> States {
        let mut pending: Vec<u32> = from.into_iter().collect();
        let mut reached = Vec::with_capacity(pending.len());
        // A bit for each state that was split, where there is one.
        let mut split: Vec<u64> = Vec::new();
        while let Some(state) = pending.pop() {
            let Step::Split(left, right) = self.steps[state as usize] else {
                reached.push(state);
                continue;
            };
            split.resize(self.steps.len() / 64 + 1, 0);
            let (word, bit) = (&mut split[state as usize / 64], 1 << (state % 64));
            if *word & bit == 0 {
                *word |= bit;
                pending.extend([left, right]);
            }
        }
        reached.sort_unstable();
        reached.dedup();
        reached
    }

    fn step(&self, states: &[u32], char: char) -> States {
        let folded = if self.fold { fold(char) } else { char };
        let next = states.iter().filter_map(|state| match &self.steps[*state as usize] {
            Step::Char(wanted, next) if *wanted == folded => Some(*next),
            Step::Any { slash, next } if *slash || char != '/' => Some(*next),
            Step::Class { negated, slash, ranges, next } if *slash || char != '/' => {
                let within = |char: char| ranges.iter().any(|(low, high)| (*low..=*high).contains(&char));
                let upper = || char.to_uppercase().next().unwrap_or(char);
                let inside = within(char) || self.fold && (within(folded) || within(upper()));
                (inside != *negated).then_some(*next)
            }
            _ => None,
        });
        self.closure(next)
    }

    /// Whether the states, or a filling, may tell the character from one that nothing names.
    fn names(&self, states: &[u32], char: char) -> bool {
        let folded = if self.fold { fold(char) } else { char };
        let named = |state: &u32| match &self.steps[*state as usize] {
            Step::Char(wanted, _) => *wanted == folded,
            Step::Class { .. } => true,
            Step::Any { .. } | Step::Split(..) | Step::Accept { .. } => false,
        };
        matches!(char, '/' | '.' | '0'..='9') || states.iter().any(named)
    }

    fn accepts(&self, states: &[u32]) -> bool {
        let has = |wanted: bool| {
            states.iter().any(|state| matches!(self.steps[*state as usize], Step::Accept { except } if except == wanted))
        };
        has(false) && !has(true)
    }

    /// Whether a known text is accepted.
    pub fn matches(&self, text: &str) -> bool {
        let mut states = self.closure(self.starts.iter().copied());
        for char in text.chars() {
            if states.is_empty() {
                return false;
            }
            states = self.step(&states, char);
        }
        self.accepts(&states)
    }

    /// The answer for a value with holes and glob operators. A glob operator is any text that it can stand for.
    pub fn answer(&self, value: &Value, budget: &Budget) -> Answer {
        let alphabet = OnceCell::new();
        let alphabet = || alphabet.get_or_init(|| self.alphabet());
        let mut family = BTreeSet::from([self.closure(self.starts.iter().copied())]);
        for piece in &value.pieces {
            let next = match piece {
                Piece::Text { text, .. } => {
                    let mut next = BTreeSet::new();
                    for states in family {
                        if !budget.spend(text.len() as u64 * (states.len() as u64 + 1)) {
                            return Answer::Possible;
                        }
                        let end = text
                            .chars()
                            .fold(states, |states, char| if states.is_empty() { states } else { self.step(&states, char) });
                        next.insert(end);
                    }
                    Some(next)
                }
                Piece::Hole(hole) => self.spread(family, Filling::of(hole.shape), alphabet(), budget),
                Piece::Glob(Glob::Star | Glob::DoubleStar) => self.spread(family, Filling::NoSlash, alphabet(), budget),
                Piece::Glob(Glob::Question) => self.once(family, alphabet(), |char| char != '/', budget),
                Piece::Glob(Glob::Class { negated, ranges }) => {
                    let inside = |char: char| ranges.iter().any(|(low, high)| (*low..=*high).contains(&char)) != *negated;
                    let mut wider = alphabet().clone();
                    wider.extend(ranges.iter().flat_map(|(low, high)| [*low, *high]));
                    self.once(family, &wider, |char| char != '/' && inside(char), budget)
                }
            };
            match next {
                Some(next) => family = next,
                None => return Answer::Possible,
            }
        }
        Answer::of_alternatives(family.iter().map(|states| Answer::known(self.accepts(states))))
    }

    /// One character for each class of characters that the automaton tells apart.
    fn alphabet(&self) -> BTreeSet<char> {
        let mut chars: BTreeSet<char> = ['/', '.', '0', '1'].into();
        let mut edge = |char: char| {
            chars.insert(char);
            chars.extend([(char as u32).wrapping_sub(1), char as u32 + 1].into_iter().filter_map(char::from_u32));
            if self.fold {
                chars.extend(char.to_uppercase().chain(char.to_lowercase()));
            }
        };
        for step in &self.steps {
            match step {
                Step::Char(char, _) => edge(*char),
                Step::Class { ranges, .. } => ranges.iter().for_each(|(low, high)| {
                    edge(*low);
                    edge(*high);
                }),
                _ => {}
            }
        }
        let other = ('a'..='z').chain('\u{E000}'..='\u{F8FF}').find(|char| !chars.contains(char)).unwrap_or('\u{F8FF}');
        chars.insert(other);
        for digit in '0'..='9' {
            if chars.contains(&digit) {
                continue;
            }
            chars.insert(digit);
            break;
        }
        chars
    }

    fn once(
        &self,
        family: BTreeSet<States>,
        alphabet: &BTreeSet<char>,
        allowed: impl Fn(char) -> bool,
        budget: &Budget,
    ) -> Option<BTreeSet<States>> {
        let mut next = BTreeSet::new();
        for states in family {
            for char in alphabet.iter().filter(|char| allowed(**char)) {
                if !budget.spend(states.len() as u64 + 1) {
                    return None;
                }
                next.insert(self.step(&states, *char));
            }
        }
        Some(next)
    }

    /// Every set that some text of the filling leads to, from any set of the family.
    fn spread(
        &self,
        family: BTreeSet<States>,
        filling: Filling,
        alphabet: &BTreeSet<char>,
        budget: &Budget,
    ) -> Option<BTreeSet<States>> {
        let mut seen: BTreeSet<(Progress, States)> = BTreeSet::new();
        let mut pending: Vec<(Progress, States)> = family.into_iter().map(|states| (Progress::Empty, states)).collect();
        while let Some((progress, states)) = pending.pop() {
            if !seen.insert((progress, states.clone())) {
                continue;
            }
            let mut plain = false;
            for char in alphabet {
                let Some(next) = filling.step(progress, *char) else { continue };
                if !budget.spend(states.len() as u64 + 1) {
                    return None;
                }
                // What none of the states names leads where all such characters lead.
                if !self.names(&states, *char) && std::mem::replace(&mut plain, true) {
                    continue;
                }
                let reached = (next, self.step(&states, *char));
                if !seen.contains(&reached) {
                    pending.push(reached);
                }
            }
        }
        Some(seen.into_iter().filter(|(progress, _)| filling.ends(*progress)).map(|(_, states)| states).collect())
    }
}

/// The lower case of a character, where it is one character.
fn fold(char: char) -> char {
    let mut lower = char.to_lowercase();
    match (lower.next(), lower.next()) {
        (Some(one), None) => one,
        _ => char,
    }
}

/// What a hole may be filled with.
#[derive(Debug, Clone, Copy)]
enum Filling {
    Any,
    NoSlash,
    Component,
    Number,
}

/// How much of a filling there is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Progress {
    Empty,
    Dot,
    Dots,
    Some,
}

impl Filling {
    fn of(shape: Shape) -> Filling {
        match shape {
            Shape::Any => Filling::Any,
            Shape::Component => Filling::Component,
            Shape::Number => Filling::Number,
        }
    }

    fn step(self, progress: Progress, char: char) -> Option<Progress> {
        match self {
            Filling::Any => Some(Progress::Empty),
            Filling::NoSlash => (char != '/').then_some(Progress::Empty),
            Filling::Number => char.is_ascii_digit().then_some(Progress::Some),
            Filling::Component => match (progress, char) {
                (_, '/') => None,
                (Progress::Empty, '.') => Some(Progress::Dot),
                (Progress::Dot, '.') => Some(Progress::Dots),
                _ => Some(Progress::Some),
            },
        }
    }

    fn ends(self, progress: Progress) -> bool {
        match self {
            Filling::Any | Filling::NoSlash => true,
            Filling::Number | Filling::Component => progress == Progress::Some,
        }
    }
}
