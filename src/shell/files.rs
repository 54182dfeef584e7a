//! What a script has written to files: a map that branches share, so that joining two of them costs what they changed and not
//! what was written before.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::shared::Shared;
use crate::model::Flow;

/// Changes that a state carries of its own before they go into the part that is shared.
const OWN: usize = 32;

/// What a file may hold is long, and cloned with every branch.
type Written = BTreeMap<Arc<str>, Shared<Flow>>;

/// By absolute path. Cheap to clone.
///
/// INVARIANT (what is newer hides): a path in `own` stands for what `shared` says of it.
#[derive(Debug, Clone, Default)]
pub struct Files {
    shared: Arc<Written>,
    own: Written,
}

impl Files {
    /// What a file holds; none where the script has not written it.
    pub fn get(&self, path: &str) -> Option<&Flow> {
        self.entry(path).map(|flow| &**flow)
    }

    fn entry(&self, path: &str) -> Option<&Shared<Flow>> {
        self.own.get(path).or_else(|| self.shared.get(path))
    }

    /// Whether the script has written the file.
    pub fn contains_key(&self, path: &str) -> bool {
        self.entry(path).is_some()
    }

    /// As [`Files::get`], to be changed.
    pub fn get_mut(&mut self, path: &str) -> Option<&mut Flow> {
        if !self.own.contains_key(path) {
            self.own.insert(path.into(), self.shared.get(path)?.clone());
        }
        self.own.get_mut(path).map(|flow| &mut **flow)
    }

    /// Takes what a file holds from now on.
    pub fn insert(&mut self, path: String, flow: Flow) {
        self.keep(path.into(), Shared::new(flow));
    }

    fn keep(&mut self, path: Arc<str>, flow: Shared<Flow>) {
        self.own.insert(path, flow);
        if self.own.len() >= OWN {
            Arc::make_mut(&mut self.shared).append(&mut self.own);
        }
    }

    /// Whether the script has written none.
    pub fn is_empty(&self) -> bool {
        self.shared.is_empty() && self.own.is_empty()
    }

    /// Every file and what it holds.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Flow)> {
        let older = self.shared.iter().filter(|(path, _)| !self.own.contains_key(*path));
        self.own.iter().chain(older).map(|(path, flow)| (path.as_ref(), &**flow))
    }

    /// How many files there are; those that were written again may count twice.
    pub fn len(&self) -> usize {
        self.shared.len() + self.own.len()
    }

    /// What holds after either of two ways: where both wrote a file, what `both` makes of it; where one did, what it wrote,
    /// since what stands there otherwise is not ours.
    pub fn join(&self, other: &Files, both: impl Fn(&Flow, &Flow) -> Flow) -> Files {
        let mut joined = self.clone();
        let rest = if Arc::ptr_eq(&self.shared, &other.shared) { None } else { Some(&other.shared) };
        let hidden = |path: &Arc<str>| other.own.contains_key(path);
        let rest = rest.into_iter().flat_map(|shared| shared.iter()).filter(|(path, _)| !hidden(path));
        for (path, flow) in rest.chain(&other.own) {
            match joined.entry(path) {
                Some(mine) if mine == flow => {}
                Some(mine) => {
                    let flow = both(mine, flow);
                    joined.keep(path.clone(), Shared::new(flow));
                }
                None => joined.keep(path.clone(), flow.clone()),
            }
        }
        // What this way alone wrote again and the other one left as it was before.
        for (path, flow) in &self.own {
            if let Some(theirs) = other.entry(path).filter(|theirs| *theirs != flow && !other.own.contains_key(path)) {
                let flow = both(flow, theirs);
                joined.keep(path.clone(), Shared::new(flow));
            }
        }
        joined
    }
}

impl Eq for Files {}

/// Equal where they say the same of every file.
impl PartialEq for Files {
    fn eq(&self, other: &Files) -> bool {
        if Arc::ptr_eq(&self.shared, &other.shared) {
            let of = |one: &Files, other: &Files| one.own.iter().all(|(path, flow)| other.entry(path) == Some(flow));
            return of(self, other) && of(other, self);
        }
        let of = |one: &Files, other: &Files| {
            one.shared.keys().chain(one.own.keys()).all(|path| one.entry(path) == other.entry(path))
        };
        of(self, other) && of(other, self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Span, Taint, Word};

    fn text(text: &str) -> Flow {
        Flow::Text(Word::known_text(text.to_string(), Span::default()))
    }

    fn either(_: &Flow, _: &Flow) -> Flow {
        Flow::Unknown(Taint::none())
    }

    #[test]
    fn a_join_knows_what_either_way_wrote() {
        let mut before = Files::default();
        for number in 0..100 {
            before.insert(format!("/f{number}"), text("a"));
        }
        let (mut one, mut other) = (before.clone(), before.clone());
        assert!(one == other);
        one.insert("/one".into(), text("1"));
        one.insert("/f3".into(), text("b"));
        other.insert("/f99".into(), text("b"));
        assert!(one != other);
        for joined in [one.join(&other, either), other.join(&one, either)] {
            assert_eq!(joined.get("/one"), Some(&text("1")));
            assert_eq!(joined.get("/f1"), Some(&text("a")));
            assert_eq!(joined.get("/f3"), Some(&Flow::Unknown(Taint::none())));
            assert_eq!(joined.get("/f99"), Some(&Flow::Unknown(Taint::none())));
            assert_eq!(joined.get("/none"), None);
        }
    }

    #[test]
    fn what_is_changed_in_place_is_changed_here_alone() {
        for size in [1, OWN - 1, OWN, 3 * OWN] {
            let mut files = Files::default();
            for number in 0..size {
                files.insert(format!("/f{number}"), text("a"));
            }
            let before = files.clone();
            for number in 0..size {
                *files.get_mut(&format!("/f{number}")).expect("written") = text("b");
            }
            let all = |files: &Files, flow: &Flow| (0..size).all(|number| files.get(&format!("/f{number}")) == Some(flow));
            assert!(all(&files, &text("b")) && all(&before, &text("a")), "{size}");
        }
    }
}
