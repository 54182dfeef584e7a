//! A machine that is all in memory: a home, variables, files to read; of everything else nothing is known.

#![allow(dead_code)]

use std::collections::BTreeMap;

use cc_safety_net::model::{Entry, Stat, World};

/// The machine.
#[derive(Default)]
pub struct Machine {
    pub home: String,
    pub variables: BTreeMap<String, String>,
    pub files: BTreeMap<String, String>,
}

impl World for Machine {
    fn homes(&self) -> Vec<String> {
        vec![self.home.clone()]
    }
    fn home_of(&self, user: &str) -> Option<String> {
        (user == "root").then(|| "/root".into())
    }
    fn temporary(&self) -> Vec<String> {
        vec!["/tmp".into()]
    }
    fn variable(&self, name: &str) -> Option<String> {
        self.variables.get(name).cloned()
    }
    fn stat(&self, _: &str, _: bool) -> Option<Option<Stat>> {
        None
    }
    fn real(&self, path: &str) -> Option<String> {
        Some(path.into())
    }
    fn entries(&self, _: &str) -> Option<Vec<Entry>> {
        None
    }
    fn read(&self, path: &str) -> Option<String> {
        self.files.get(path).cloned()
    }
    fn folds_case(&self, _: &str) -> bool {
        false
    }
    fn today(&self) -> String {
        "2026-01-01".into()
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
