//! Sets as they are written, `a | @b except c`: members → unions of differences. Words and paths differ in what a member means.

use super::names::{Resolved, UNION_LIMIT};
use super::words::{nested_exception, too_many};
use crate::language::diagnostic::Faults;
use crate::language::tree::Raw;
use crate::model::rule::WordPattern;

/// A set of words or of paths: a difference of patterns.
pub trait Set: Sized {
    /// Whether a member is the name of another set.
    fn is_named(raw: &Raw<'_>) -> bool;
    /// The pattern of a member that is none; `None` where it is faulty.
    fn pattern(raw: Raw<'_>, faults: &mut Faults) -> Option<WordPattern>;
    /// The sets behind a name; `None`, reported, where they are of the other kind.
    fn named(resolved: Resolved, raw: Raw<'_>, faults: &mut Faults) -> Option<Vec<Self>>;
    /// A set of one pattern.
    fn of(pattern: WordPattern) -> Self;
    /// What is in it, and what is taken out.
    fn parts(self) -> (Vec<WordPattern>, Vec<WordPattern>);
    /// What is taken out.
    fn except(&mut self) -> &mut Vec<WordPattern>;
    /// Takes in the members of a set with the same exceptions.
    fn absorb(&mut self, other: Self);
}

/// A union of differences that grows.
pub struct Union<S> {
    except: Vec<WordPattern>,
    sets: Vec<S>,
}

impl<S: Set> Union<S> {
    /// Nothing, with `except` taken out of all that will be added.
    pub fn new(except: Vec<WordPattern>) -> Union<S> {
        Union { except, sets: Vec::new() }
    }

    /// Adds a member, or what its name stands for; false where it is faulty.
    pub fn add(&mut self, raw: Raw<'_>, resolved: Option<Resolved>, faults: &mut Faults) -> bool {
        let Some(resolved) = resolved else {
            let Some(pattern) = S::pattern(raw, faults) else { return false };
            self.join(S::of(pattern));
            return true;
        };
        let Some(sets) = S::named(resolved, raw, faults) else { return false };
        sets.into_iter().for_each(|set| self.join(set));
        let fits = self.sets.len() <= UNION_LIMIT;
        if !fits {
            too_many(raw.at, faults);
        }
        fits
    }

    /// Adds a set as it is.
    pub fn join(&mut self, mut set: S) {
        for pattern in &self.except {
            if !set.except().contains(pattern) {
                set.except().push(pattern.clone());
            }
        }
        match self.sets.iter_mut().position(|other| other.except() == set.except()) {
            Some(at) => self.sets[at].absorb(set),
            None => self.sets.push(set),
        }
    }

    /// The sets; members with the same exceptions are joined.
    pub fn finish(self) -> Vec<S> {
        self.sets
    }
}

/// Adds a member that is taken out, or those of a set, which may not have exceptions itself. False where it is faulty.
pub fn take_out<S: Set>(raw: Raw<'_>, resolved: Option<Resolved>, into: &mut Vec<WordPattern>, faults: &mut Faults) -> bool {
    let Some(resolved) = resolved else {
        let pattern = S::pattern(raw, faults);
        into.extend(pattern.iter().cloned());
        return pattern.is_some();
    };
    let Some(sets) = S::named(resolved, raw, faults) else { return false };
    for set in sets {
        let (any, except) = set.parts();
        if !except.is_empty() {
            nested_exception(raw, faults);
            return false;
        }
        into.extend(any);
    }
    true
}
