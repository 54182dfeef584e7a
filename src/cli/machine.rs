//! The machine as a command finds it: the facts and the layers of a directory.

use crate::model::facts::{Entry, Stat, World};
use crate::policy::Layers;

/// The facts and the layers.
pub struct Machine {
    layers: Layers,
    world: Nothing,
}

impl Machine {
    /// The layers in force.
    pub fn layers(&self) -> &Layers {
        &self.layers
    }

    /// The facts.
    pub fn world(&self) -> &dyn World {
        &self.world
    }
}

/// Opens the machine for a session in `directory`.
pub fn open(_directory: &str) -> Machine {
    Machine { layers: Layers::default(), world: Nothing }
}

/// A world of which nothing is known, until the native one is there.
struct Nothing;

impl World for Nothing {
    fn homes(&self) -> Vec<String> {
        Vec::new()
    }
    fn home_of(&self, _: &str) -> Option<String> {
        None
    }
    fn temporary(&self) -> Vec<String> {
        Vec::new()
    }
    fn variable(&self, _: &str) -> Option<String> {
        None
    }
    fn stat(&self, _: &str, _: bool) -> Option<Option<Stat>> {
        None
    }
    fn real(&self, _: &str) -> Option<String> {
        None
    }
    fn entries(&self, _: &str) -> Option<Vec<Entry>> {
        None
    }
    fn read(&self, _: &str) -> Option<String> {
        None
    }
    fn folds_case(&self, _: &str) -> bool {
        false
    }
    fn today(&self) -> String {
        String::new()
    }
    fn repository(&self, _: &str) -> Option<String> {
        None
    }
    fn tracked(&self, _: &str) -> Option<bool> {
        None
    }
    fn clean(&self, _: &str) -> Option<bool> {
        None
    }
    fn ignored(&self, _: &str) -> Option<bool> {
        None
    }
    fn recoverable(&self, _: &str) -> Option<bool> {
        None
    }
    fn is_ref(&self, _: &str, _: &str) -> Option<bool> {
        None
    }
    fn branch(&self, _: &str) -> Option<String> {
        None
    }
    fn linked_worktree(&self, _: &str) -> Option<bool> {
        None
    }
    fn git_setting(&self, _: &str, _: &str) -> Option<String> {
        None
    }
}
