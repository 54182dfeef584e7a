//! Names of sets and what they stand for.
//!
//! `@name` means the set of its own file; else that of another file of the layer; else that of the base layer. Sets are kept as
//! unions of differences, since `@a | @b` where both have an `except` is no single difference.

use std::collections::{BTreeMap, BTreeSet};

use super::Parsed;
use super::union::{Set, Union, take_out};
use crate::language::checked::Rulebook;
use crate::language::diagnostic::{At, Faults, nearest};
use crate::language::tree::{self, ItemKind, Raw};
use crate::model::declaration::Syntax;
use crate::model::rule::{PathSet, WordSet};

/// The places that a path pattern may begin with, and that no set may be named.
pub const PLACES: [&str; 3] = ["project", "cwd", "tmp"];

/// How many differences one set may be a union of.
pub const UNION_LIMIT: usize = 64;

/// What the layers below declare: their sets, languages, and how their programs' arguments are written.
#[derive(Debug, Clone, Default)]
pub struct Known {
    sets: BTreeMap<String, Resolved>,
    languages: BTreeSet<String>,
    syntaxes: BTreeMap<String, Syntax>,
}

impl Known {
    /// What these rulebooks declare.
    pub fn of(rulebooks: &[Rulebook]) -> Known {
        let mut known = Known::default();
        for rulebook in rulebooks {
            for (name, set) in &rulebook.lists {
                match known.sets.entry(name.clone()).or_insert_with(|| Resolved::Words(Vec::new())) {
                    Resolved::Words(sets) => sets.push(set.clone()),
                    _ => continue,
                }
            }
            for (name, set) in &rulebook.paths {
                match known.sets.entry(name.clone()).or_insert_with(|| Resolved::Paths(Vec::new())) {
                    Resolved::Paths(sets) => sets.push(set.clone()),
                    _ => continue,
                }
            }
            known.languages.extend(rulebook.languages.iter().map(|language| language.name.clone()));
            for command in &rulebook.commands {
                known.syntaxes.extend(command.names.iter().map(|name| (name.clone(), command.syntax)));
            }
        }
        known
    }
}

/// What a name stands for: a union of differences.
#[derive(Debug, Clone, PartialEq)]
pub enum Resolved {
    /// A `list`.
    Words(Vec<WordSet>),
    /// A `paths`.
    Paths(Vec<PathSet>),
    /// Declared, and faulty; reported where it is declared.
    Broken,
}

/// All the names of a layer.
pub struct Names<'t> {
    known: &'t Known,
    /// For each file its own sets.
    own: Vec<BTreeMap<&'t str, usize>>,
    /// For each name the sets of all files.
    layer: BTreeMap<&'t str, Vec<usize>>,
    declared: Vec<Declared<'t>>,
    languages: BTreeSet<&'t str>,
    syntaxes: BTreeMap<&'t str, Syntax>,
}

struct Declared<'t> {
    file: usize,
    name: &'t str,
    /// None: it could not be read.
    set: Option<&'t tree::Set<'t>>,
    state: State,
}

enum State {
    Unseen,
    Busy,
    Done(Resolved),
}

impl<'t> Names<'t> {
    /// Collects and resolves the sets of all files; their faults go to their own file.
    pub fn collect(files: &'t [Parsed<'t>], known: &'t Known, faults: &mut [Faults]) -> Names<'t> {
        let mut names = Names {
            known,
            own: vec![BTreeMap::new(); files.len()],
            layer: BTreeMap::new(),
            declared: Vec::new(),
            languages: BTreeSet::new(),
            syntaxes: BTreeMap::new(),
        };
        for (index, file) in files.iter().enumerate() {
            for item in &file.items {
                match &item.kind {
                    ItemKind::Set(set) => names.declare(index, set.name.text, Some((set, set.name.at)), &mut faults[index]),
                    ItemKind::Language(language) => {
                        names.languages.insert(language.name.text);
                    }
                    ItemKind::Command(command) => names.declare_syntax(command),
                    _ => {}
                }
            }
            for name in &file.lost_sets {
                names.declare(index, name, None, &mut faults[index]);
            }
        }
        for index in 0..names.declared.len() {
            names.resolve(index, faults, 0);
        }
        names
    }

    fn declare(&mut self, file: usize, name: &'t str, set: Option<(&'t tree::Set<'t>, At)>, faults: &mut Faults) {
        if let Some((_, at)) = set {
            if PLACES.contains(&name) {
                faults
                    .error("rulebook::reserved-name", at, "a place of the language", format!("no set can be named `{name}`"))
                    .help(format!("`@{name}` is a place; choose another name, such as `{name}-paths`"));
                return;
            }
            if let Some(first) = self.own[file].get(name).and_then(|first| self.declared[*first].set) {
                faults
                    .error("rulebook::duplicate", at, "declared again", format!("the set `{name}` is declared twice"))
                    .also(first.name.at, "declared first here")
                    .help("rename one of them, or join their members");
                return;
            }
        }
        let index = self.declared.len();
        self.declared.push(Declared { file, name, set: set.map(|(set, _)| set), state: State::Unseen });
        self.own[file].insert(name, index);
        self.layer.entry(name).or_default().push(index);
    }

    fn declare_syntax(&mut self, command: &'t tree::Command<'t>) {
        for clause in &command.clauses {
            if let tree::CommandClause::Syntax(word) = clause
                && let Some(syntax) = super::declarations::syntax(word.text)
            {
                self.syntaxes.extend(command.names.iter().map(|name| (name.text, syntax)));
            }
        }
    }

    /// How a program's arguments are written, as far as this layer or the base layer says.
    pub fn syntax(&self, program: &str) -> Syntax {
        self.syntaxes.get(program).or_else(|| self.known.syntaxes.get(program)).copied().unwrap_or_default()
    }

    /// Whether a front end or a declaration has this language.
    pub fn has_language(&self, name: &str) -> bool {
        self.languages.contains(name) || self.known.languages.contains(name)
    }

    /// Every declared language.
    pub fn languages(&self) -> impl Iterator<Item = &str> {
        self.languages.iter().copied().chain(self.known.languages.iter().map(String::as_str))
    }

    /// Whether a set has this name.
    pub fn has_set(&self, file: usize, name: &str) -> bool {
        self.own[file].contains_key(name) || self.layer.contains_key(name) || self.known.sets.contains_key(name)
    }

    /// What `@name` stands for in a file; a fault is reported.
    pub fn set(&self, file: usize, raw: Raw<'_>, faults: &mut Faults) -> Resolved {
        match self.find(file, raw, faults) {
            Some(Found::Here(index)) => match &self.declared[index].state {
                State::Done(resolved) => resolved.clone(),
                _ => Resolved::Broken,
            },
            Some(Found::Below(resolved)) => resolved.clone(),
            None => Resolved::Broken,
        }
    }

    /// The resolved sets of one file, in the order of the text.
    pub fn of_file(&self, file: usize) -> impl Iterator<Item = (&'t str, &Resolved)> {
        self.declared.iter().filter(move |declared| declared.file == file).filter_map(|declared| match &declared.state {
            State::Done(resolved) => Some((declared.name, resolved)),
            _ => None,
        })
    }

    fn find(&self, file: usize, raw: Raw<'_>, faults: &mut Faults) -> Option<Found<'_>> {
        let name = raw.text.trim_start_matches('@');
        if let Some(index) = self.own[file].get(name) {
            return Some(Found::Here(*index));
        }
        match self.layer.get(name).map(Vec::as_slice) {
            Some([index]) => return Some(Found::Here(*index)),
            Some([_, _, ..]) => {
                faults
                    .error(
                        "rulebook::ambiguous-set",
                        raw.at,
                        "which one?",
                        format!("several files of this layer declare `{name}`"),
                    )
                    .help(format!("declare `{name}` in this file, or rename all but one of them"));
                return None;
            }
            _ => {}
        }
        if let Some(resolved) = self.known.sets.get(name) {
            return Some(Found::Below(resolved));
        }
        let known = self.layer.keys().copied().chain(self.known.sets.keys().map(String::as_str)).chain(PLACES);
        let near = nearest(name, known);
        let help = match near {
            Some(near) => format!("did you mean `@{near}`?"),
            None => format!("declare it: `list {name} = word | word` or `paths {name} = ~/dir/**`"),
        };
        faults.error("rulebook::unknown-set", raw.at, "not declared", format!("there is no set `{name}`")).help(help);
        None
    }

    /// Resolves one set; recursion ends at a cycle, and at the limit on nesting.
    fn resolve(&mut self, index: usize, faults: &mut [Faults], depth: usize) -> Resolved {
        let (file, set) = (self.declared[index].file, self.declared[index].set);
        match &self.declared[index].state {
            State::Done(resolved) => return resolved.clone(),
            State::Busy => return Resolved::Broken,
            State::Unseen => {}
        }
        let Some(set) = set else {
            self.declared[index].state = State::Done(Resolved::Broken);
            return Resolved::Broken;
        };
        self.declared[index].state = State::Busy;
        let resolved = if depth > crate::language::split::NESTING_LIMIT {
            faults[file]
                .error("rulebook::nesting", set.name.at, "too deep", "sets refer to sets too deeply")
                .help("name the members themselves");
            Resolved::Broken
        } else if set.paths {
            self.union(file, set, faults, depth).map_or(Resolved::Broken, Resolved::Paths)
        } else {
            self.union(file, set, faults, depth).map_or(Resolved::Broken, Resolved::Words)
        };
        self.declared[index].state = State::Done(resolved.clone());
        resolved
    }

    /// A member that is a set: resolved first.
    fn member(&mut self, file: usize, raw: Raw<'t>, faults: &mut [Faults], depth: usize) -> Resolved {
        let index = match self.find(file, raw, &mut faults[file]) {
            Some(Found::Below(resolved)) => return resolved.clone(),
            Some(Found::Here(index)) => index,
            None => return Resolved::Broken,
        };
        if matches!(self.declared[index].state, State::Busy) {
            faults[file]
                .error("rulebook::cycle", raw.at, "leads back to the set that it is in", "a set cannot contain itself")
                .help("take one of the sets out of the other");
            return Resolved::Broken;
        }
        self.resolve(index, faults, depth + 1)
    }

    fn union<S: Set>(&mut self, file: usize, set: &'t tree::Set<'t>, faults: &mut [Faults], depth: usize) -> Option<Vec<S>> {
        let mut except = Vec::new();
        let mut good = true;
        for raw in &set.except {
            let resolved = S::is_named(raw).then(|| self.member(file, *raw, faults, depth));
            good &= take_out::<S>(*raw, resolved, &mut except, &mut faults[file]);
        }
        let mut union = Union::new(except);
        for raw in &set.any {
            let resolved = S::is_named(raw).then(|| self.member(file, *raw, faults, depth));
            good &= union.add(*raw, resolved, &mut faults[file]);
        }
        good.then(|| union.finish())
    }
}

enum Found<'a> {
    Here(usize),
    Below(&'a Resolved),
}

/// Whether a word is `@name` alone.
pub fn is_reference(raw: &Raw<'_>) -> bool {
    raw.text
        .strip_prefix('@')
        .is_some_and(|name| !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_')))
}

/// Whether it is one of the places.
pub fn is_place(raw: &Raw<'_>) -> bool {
    raw.text.strip_prefix('@').is_some_and(|name| PLACES.contains(&name))
}
