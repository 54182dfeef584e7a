//! What a script knows at one point of its execution.
//!
//! Cloning is cheap, since every subshell, pipeline stage and branch works on a clone: what is large is [`Shared`]. Where
//! branches meet, [`State::join`] makes one state of two that holds for both.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::files::Files;
use super::posix::Function;
use super::shared::Shared;
use crate::model::{Argument, Directory, Flow, Hole, Link, Origin, Place, Shape, Span, Taint, Value, Word};

/// How many values a joined word or directory may have before nothing is known of it.
pub const MOST_VALUES: usize = 16;

/// A variable's value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    /// A scalar, or the elements of an array. Empty: declared, but not set.
    pub value: Vec<Argument>,
    /// Whether it is an array.
    pub array: bool,
    /// Whether programs see it.
    pub exported: bool,
    /// The keys of an associative array, or the indices of an array with gaps, one for each element; empty for others.
    pub keys: Vec<String>,
    /// Whether the keys are texts (`declare -A`).
    pub associative: bool,
    /// The variable that this one is another name for (`declare -n`).
    pub reference: Option<String>,
    /// What assignment does to the text.
    pub fold: Fold,
}

impl Variable {
    /// A scalar.
    pub fn scalar(word: Word) -> Variable {
        Variable { value: vec![Argument::Word(word)], ..Variable::unset() }
    }

    /// Declared, but not set.
    pub fn unset() -> Variable {
        Variable {
            value: Vec::new(),
            array: false,
            exported: false,
            keys: Vec::new(),
            associative: false,
            reference: None,
            fold: Fold::None,
        }
    }
}

/// What assigning to a declared variable does to the text (`declare -l`, `-u`, `-i`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Fold {
    /// Nothing.
    #[default]
    None,
    /// To lower case.
    Lower,
    /// To upper case.
    Upper,
    /// Evaluates it as an arithmetic expression.
    Integer,
}

/// What the shell remembers besides variables and the directory.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Memory {
    /// Functions by name.
    pub(crate) functions: BTreeMap<String, Function>,
    /// Aliases by name.
    pub aliases: BTreeMap<String, Word>,
    /// Code to run on a signal or at the end, by signal.
    pub traps: BTreeMap<String, Word>,
    /// `set` and `shopt` options that are on, by long name.
    pub options: BTreeMap<String, bool>,
    /// Variables that may not be assigned again.
    pub constants: std::collections::BTreeSet<String>,
    /// The directories below the present one on the stack of `pushd`, the nearest last.
    pub stack: Vec<Directory>,
    /// Where `cd -` leads.
    pub previous: Option<Directory>,
    /// What file descriptors beyond the pipeline's are connected to (`exec 3> f`).
    pub descriptors: BTreeMap<u32, Target>,
    /// Where `getopts` stands: the argument's number, and how many letters of it were taken.
    pub option: (usize, usize),
    /// What variables were before a function made them local; one map for each call.
    pub locals: Vec<BTreeMap<String, Option<Variable>>>,
}

/// What a file descriptor is connected to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// The script's own output, or whatever reads it.
    Output,
    /// The terminal's, the log's, nobody's: what is written there is gone.
    Nowhere,
    /// A file.
    File(Word),
    /// The network.
    Network(Word),
    /// Reads this.
    Input(Flow),
}

/// What comes after a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Control {
    /// The next command.
    #[default]
    Next,
    /// The end of so many loops.
    Break(u32),
    /// The next turn of the loop so many levels up.
    Continue(u32),
    /// The end of the function or sourced file.
    Return,
    /// The end of the script.
    Exit,
}

/// The abstract state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct State {
    /// Where relative paths start.
    pub directory: Directory,
    /// Variables that the script has set; others are the environment's.
    pub variables: Shared<BTreeMap<String, Variable>>,
    /// `$0 $1 …` of the script or function.
    pub positional: Vec<Argument>,
    /// What files hold that the script has written, by absolute path; unknown once something else may have changed them.
    pub files: Files,
    /// Standard input at this point.
    pub stdin: Flow,
    /// Whose file system.
    pub place: Place,
    /// How this script came to run, outermost first.
    pub chain: Vec<Link>,
    /// Whose commands run: a declaration may hold for one shell alone. `interpret` sets it where it starts a script.
    pub dialect: super::Dialect,
    /// How deep in scripts and wrappers; the budget is 10 script levels.
    pub depth: u32,
    /// How deep in syntax and calls, in all scripts together; the budget is 64.
    pub levels: u32,
    /// The rest of what the shell remembers.
    pub memory: Shared<Memory>,
    /// Whether the last command succeeded, where that is known.
    pub status: Option<bool>,
    /// What comes next.
    pub control: Control,
    /// Where the script stays if the last command failed (`cd x ||`).
    pub(crate) directory_if_failed: Option<Directory>,
    /// Whether this is where a `cd` has failed and nothing has asked about it (`||`, `else`): then, where branches meet, the
    /// other one is taken, as it is for `cd x; …`.
    pub(crate) unlikely: bool,
}

impl State {
    /// The state at the beginning of a call.
    pub fn new(directory: &str) -> State {
        State {
            directory: Directory::Known(directory.to_string()),
            variables: Shared::default(),
            positional: Vec::new(),
            files: Files::default(),
            stdin: Flow::Unknown(Taint { stdin: true, ..Default::default() }),
            place: Place::Here,
            chain: Vec::new(),
            dialect: super::Dialect::Posix,
            depth: 0,
            levels: 0,
            memory: Shared::default(),
            status: Some(true),
            control: Control::Next,
            directory_if_failed: None,
            unlikely: false,
        }
    }

    /// A script's own state below this one: `sh -c`, a file that is run. Variables and files are inherited, changes to them
    /// but for files do not come back.
    pub fn child(&self) -> State {
        State { depth: self.depth + 1, ..self.fork() }
    }

    /// A subshell's state. Its traps are its own.
    pub fn fork(&self) -> State {
        let mut state = self.clone();
        if !state.memory.traps.is_empty() {
            state.memory.traps.clear();
        }
        state.control = Control::Next;
        state
    }

    /// A known scalar.
    pub fn assign(&mut self, name: &str, value: Word, exported: bool) {
        self.variables.insert(name.to_string(), Variable { exported, ..Variable::scalar(value) });
    }

    /// Whether a `set` or `shopt` option is on.
    pub fn option(&self, name: &str) -> bool {
        !self.memory.options.is_empty() && self.memory.options.get(name).copied().unwrap_or(false)
    }

    /// The state where two branches meet: what differs becomes a set of both. A branch that ended (`exit`) gives nothing.
    pub fn join(self, other: State) -> State {
        match (self.control, other.control) {
            (Control::Next, Control::Next) => {}
            (Control::Next, _) => return State { files: self.files.join(&other.files, join_flows), ..self },
            (_, Control::Next) => return State { files: self.files.join(&other.files, join_flows), ..other },
            // Both end, in the same way or not: the weaker end keeps more of what follows in sight.
            (one, two) => {
                let weaker = if rank(two) < rank(one) { two } else { one };
                let mut state = State { control: Control::Next, ..self }.join(State { control: Control::Next, ..other });
                state.control = weaker;
                return state;
            }
        }
        match (self.unlikely, other.unlikely) {
            (true, false) => return State { files: self.files.join(&other.files, join_flows), ..other },
            (false, true) => return State { files: self.files.join(&other.files, join_flows), ..self },
            _ => {}
        }
        let mut state = self;
        state.directory = join_directories(state.directory, other.directory);
        if !state.variables.same(&other.variables) && state.variables != other.variables {
            state.variables = join_variables(&state.variables, &other.variables);
        }
        if state.positional != other.positional {
            state.positional = join_positional(&state.positional, &other.positional);
        }
        state.files = state.files.join(&other.files, join_flows);
        if state.stdin != other.stdin {
            state.stdin = join_flows(&state.stdin, &other.stdin);
        }
        if !state.memory.same(&other.memory) && state.memory != other.memory {
            join_memory(&mut state.memory, &other.memory);
        }
        if state.status != other.status {
            state.status = None;
        }
        state.directory_if_failed = None;
        state
    }
}

fn rank(control: Control) -> u8 {
    match control {
        Control::Next => 0,
        Control::Continue(_) => 1,
        Control::Break(_) => 2,
        Control::Return => 3,
        Control::Exit => 4,
    }
}

/// Both directories.
pub(crate) fn join_directories(one: Directory, two: Directory) -> Directory {
    if one == two {
        return one;
    }
    let mut all = match one {
        Directory::Known(path) => vec![path],
        Directory::OneOf(paths) => paths,
        Directory::Unknown => return Directory::Unknown,
    };
    let more = match two {
        Directory::Known(path) => vec![path],
        Directory::OneOf(paths) => paths,
        Directory::Unknown => return Directory::Unknown,
    };
    for path in more {
        if !all.contains(&path) {
            all.push(path);
        }
    }
    if all.len() > MOST_VALUES { Directory::Unknown } else { Directory::OneOf(all) }
}

fn join_variables(
    one: &Shared<BTreeMap<String, Variable>>,
    two: &Shared<BTreeMap<String, Variable>>,
) -> Shared<BTreeMap<String, Variable>> {
    let mut all = BTreeMap::clone(one);
    for (name, variable) in two.iter() {
        match all.get_mut(name) {
            Some(mine) if mine == variable => {}
            Some(mine) => *mine = join_two(mine, variable),
            None => {
                all.insert(name.clone(), maybe_unset(name, variable));
            }
        }
    }
    for (name, variable) in all.iter_mut() {
        if !two.contains_key(name) {
            *variable = maybe_unset(name, variable);
        }
    }
    Shared::new(all)
}

fn join_two(one: &Variable, two: &Variable) -> Variable {
    Variable {
        value: join_lists(&one.value, &two.value),
        array: one.array || two.array,
        exported: one.exported || two.exported,
        keys: if one.keys == two.keys { one.keys.clone() } else { Vec::new() },
        associative: one.associative || two.associative,
        reference: if one.reference == two.reference { one.reference.clone() } else { None },
        fold: one.fold,
    }
}

/// Set in one branch alone: that value, or what the environment says.
fn maybe_unset(name: &str, variable: &Variable) -> Variable {
    let mut variable = variable.clone();
    match variable.value.as_mut_slice() {
        [Argument::Word(word)] if !variable.array => {
            let hole = Hole {
                shape: Shape::Any,
                origin: Origin::Unset { name: name.to_string(), guarded: false },
                taint: Taint::none(),
                span: word.span,
            };
            let value = Value::hole(hole);
            if !word.values.contains(&value) {
                word.values.push(value);
            }
        }
        [] => {}
        _ => {
            let span = variable.value[0].span();
            variable.value = vec![Argument::Splice(unknown_hole(&variable.value, span))];
        }
    }
    variable
}

fn unknown_hole(values: &[Argument], span: Span) -> Hole {
    let mut taint = Taint::none();
    for value in values {
        taint = taint.join(&match value {
            Argument::Word(word) => word.taint(),
            Argument::Splice(hole) => hole.taint.clone(),
        });
    }
    Hole { shape: Shape::Any, origin: Origin::Unknown, taint, span }
}

/// `$0` is no part of what `$@` stands for, so it stays in its place.
fn join_positional(one: &[Argument], two: &[Argument]) -> Vec<Argument> {
    let rest = join_lists(one.get(1..).unwrap_or_default(), two.get(1..).unwrap_or_default());
    one.first().or(two.first()).cloned().into_iter().chain(rest).collect()
}

fn join_lists(one: &[Argument], two: &[Argument]) -> Vec<Argument> {
    if one.len() == two.len() {
        let mut all = Vec::with_capacity(one.len());
        for (one, two) in one.iter().zip(two) {
            match (one, two) {
                (Argument::Word(one), Argument::Word(two)) => all.push(Argument::Word(join_words(one, two))),
                (Argument::Splice(hole), other) | (other, Argument::Splice(hole)) => {
                    all.push(Argument::Splice(unknown_hole(std::slice::from_ref(other), hole.span)));
                }
            }
        }
        return all;
    }
    let span = one.first().or(two.first()).map(Argument::span).unwrap_or_default();
    let both: Vec<Argument> = one.iter().chain(two).cloned().collect();
    vec![Argument::Splice(unknown_hole(&both, span))]
}

/// A word that is one or the other.
pub(crate) fn join_words(one: &Word, two: &Word) -> Word {
    let mut values = one.values.clone();
    for value in &two.values {
        // The same text from two places is one value.
        if !values.iter().any(|mine| mine == value || matches!((mine.known(), value.known()), (Some(a), Some(b)) if a == b)) {
            values.push(value.clone());
        }
    }
    let computed = one.computed || two.computed;
    if values.len() > MOST_VALUES {
        let taint = one.taint().join(&two.taint());
        return Word { computed, ..Word::unknown(Origin::Unknown, taint, one.span) };
    }
    Word { values, span: one.span, computed }
}

/// A flow that is one or the other.
pub(crate) fn join_flows(one: &Flow, two: &Flow) -> Flow {
    match (one, two) {
        (one, two) if one == two => one.clone(),
        (Flow::Text(one), Flow::Text(two)) => Flow::Text(join_words(one, two)),
        (Flow::Empty, Flow::Text(word)) | (Flow::Text(word), Flow::Empty) => {
            Flow::Text(join_words(word, &Word { values: vec![Value::default()], span: word.span, computed: false }))
        }
        (one, two) => Flow::Unknown(one.taint().join(&two.taint())),
    }
}

fn join_memory(one: &mut Memory, two: &Memory) {
    for (name, function) in &two.functions {
        one.functions.entry(name.clone()).or_insert_with(|| function.clone());
    }
    for (name, alias) in &two.aliases {
        one.aliases.entry(name.clone()).or_insert_with(|| alias.clone());
    }
    for (signal, code) in &two.traps {
        match one.traps.get_mut(signal) {
            Some(mine) => *mine = join_words(mine, code),
            None => {
                one.traps.insert(signal.clone(), code.clone());
            }
        }
    }
    // An option that is on in one branch alone is taken as off: `-u`, `-e` and `-f` all make scripts safer.
    one.options.retain(|name, on| two.options.get(name) == Some(on));
    one.constants.retain(|name| two.constants.contains(name));
    if one.stack != two.stack {
        one.stack.clear();
    }
    if one.previous != two.previous {
        one.previous = None;
    }
    for (number, target) in &two.descriptors {
        one.descriptors.entry(*number).or_insert_with(|| target.clone());
    }
}

/// A function as the state keeps it: equal where it is the very same definition.
impl PartialEq for Function {
    fn eq(&self, other: &Function) -> bool {
        Arc::ptr_eq(&self.body, &other.body)
    }
}

impl Eq for Function {}
