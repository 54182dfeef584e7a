//! What a script knows at one point of its execution.

use std::collections::BTreeMap;

use crate::model::{Argument, Directory, Flow, Link, Place, Word};

/// A variable's value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    /// A scalar, or the elements of an array.
    pub value: Vec<Argument>,
    /// Whether it is an array.
    pub array: bool,
    /// Whether programs see it.
    pub exported: bool,
}

/// The abstract state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    /// Where relative paths start.
    pub directory: Directory,
    /// Variables that the script has set; others are the environment's.
    pub variables: BTreeMap<String, Variable>,
    /// `$0 $1 …` of the script or function.
    pub positional: Vec<Argument>,
    /// What files hold that the script has written, by absolute path; unknown once something else may have changed them.
    pub files: BTreeMap<String, Flow>,
    /// Standard input at this point.
    pub stdin: Flow,
    /// Whose file system.
    pub place: Place,
    /// How this script came to run, outermost first.
    pub chain: Vec<Link>,
    /// Whose commands run: a declaration may hold for one shell alone. `interpret` sets it where it starts a script.
    pub dialect: super::Dialect,
    /// How deep in scripts and wrappers; the budget is 10 script levels, 64 levels of syntax.
    pub depth: u32,
}

impl State {
    /// The state at the beginning of a call.
    pub fn new(directory: &str) -> State {
        State {
            directory: Directory::Known(directory.to_string()),
            variables: BTreeMap::new(),
            positional: Vec::new(),
            files: BTreeMap::new(),
            stdin: Flow::Unknown(crate::model::Taint { stdin: true, ..Default::default() }),
            place: Place::Here,
            chain: Vec::new(),
            dialect: super::Dialect::Posix,
            depth: 0,
        }
    }

    /// A script's own state below this one: a subshell, `sh -c`, a file that is run. Variables and files are inherited,
    /// changes to them but for files do not come back.
    pub fn child(&self) -> State {
        State { depth: self.depth + 1, ..self.clone() }
    }

    /// A known scalar.
    pub fn assign(&mut self, name: &str, value: Word, exported: bool) {
        self.variables.insert(name.to_string(), Variable { value: vec![Argument::Word(value)], array: false, exported });
    }
}
