//! What the last walk through a trie reached, component by component: the paths of one call begin alike, and what is known of
//! their common beginning is not walked again.

use super::nfa::Answer;
use super::trie::Root;

/// A root, before which component a path enters it, and whether it surely does.
pub type Entered = (Root, usize, Answer);

/// The nodes that a walk reached.
#[derive(Debug, Clone, Default)]
pub struct Reached {
    /// Nodes that some value leads to.
    pub may: Vec<u32>,
    /// Nodes that every value leads to.
    pub must: Vec<u32>,
}

/// A walk along known names.
///
/// INVARIANT (same beginning): what is reached before a component depends on the names before it, on the roots entered up to it and on
/// whether case counts, and on nothing else.
#[derive(Debug, Clone, Default)]
pub struct Trail {
    fold: bool,
    names: Vec<String>,
    entered: Vec<Entered>,
    /// Before each of the names, and after the last.
    reached: Vec<Reached>,
}

impl Trail {
    /// Goes back to where another walk parts from this one: how many names they have in common, and what was reached there. None:
    /// they have nothing in common, and the trail is empty.
    pub fn resume<'n>(
        &mut self,
        names: impl Iterator<Item = &'n str>,
        entered: &[Entered],
        fold: bool,
    ) -> Option<(usize, Reached)> {
        let alone = |one: &[Entered], other: &[Entered]| -> Option<usize> {
            one.iter().filter(|entry| !other.contains(entry)).map(|(_, at, _)| *at).min()
        };
        let parting = [alone(&self.entered, entered), alone(entered, &self.entered)].into_iter().flatten().min();
        let alike = self.names.iter().zip(names).take_while(|(mine, other)| mine == other).count();
        let common = parting.map_or(Some(alike), |at| Some(alike.min(at.checked_sub(1)?)));
        let common = common.filter(|_| self.fold == fold).map(|common| common.min(self.reached.len().saturating_sub(1)));
        let Some((common, reached)) = common.and_then(|common| Some((common, self.reached.get(common)?.clone()))) else {
            *self = Trail { fold, entered: entered.to_vec(), ..Trail::default() };
            return None;
        };
        self.names.truncate(common);
        self.reached.truncate(common + 1);
        self.entered = entered.to_vec();
        Some((common, reached))
    }

    /// Notes what is reached before the next name.
    pub fn reach(&mut self, reached: &Reached) {
        self.reached.push(reached.clone());
    }

    /// Notes the next name.
    pub fn go(&mut self, name: &str) {
        self.names.push(name.to_string());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(number: u32) -> Reached {
        Reached { may: vec![number], must: Vec::new() }
    }

    fn walked(names: &[&str], entered: &[Entered]) -> Trail {
        let mut trail = Trail::default();
        assert!(trail.resume(names.iter().copied(), entered, false).is_none());
        for (number, name) in (0..).zip(names) {
            trail.reach(&at(number));
            trail.go(name);
        }
        trail.reach(&at(names.len() as u32));
        trail
    }

    #[test]
    fn a_trail_is_resumed_where_walks_part() {
        const ABSOLUTE: Entered = (Root::Absolute, 0, Answer::Certain);
        const HOME: Entered = (Root::Home, 2, Answer::Certain);
        let trail = walked(&["a", "b", "c"], &[ABSOLUTE, HOME]);
        let resumed = |names: &[&str], entered: &[Entered], fold: bool| {
            trail.clone().resume(names.iter().copied(), entered, fold).map(|(common, reached)| (common, reached.may))
        };
        assert_eq!(resumed(&["a", "b", "c"], &[ABSOLUTE, HOME], false), Some((3, vec![3])));
        assert_eq!(resumed(&["a", "b", "d", "e"], &[ABSOLUTE, HOME], false), Some((2, vec![2])));
        assert_eq!(resumed(&["a"], &[ABSOLUTE], false), Some((1, vec![1])));
        // Whatever follows a root that one of them alone has entered is another walk.
        assert_eq!(resumed(&["a", "b", "c"], &[ABSOLUTE], false), Some((1, vec![1])));
        assert_eq!(resumed(&["a", "b", "c"], &[HOME], false), None);
        assert_eq!(resumed(&["a", "b", "c"], &[ABSOLUTE, HOME], true), None);
        assert_eq!(resumed(&["x"], &[ABSOLUTE, HOME], false), Some((0, vec![0])));
    }
}
