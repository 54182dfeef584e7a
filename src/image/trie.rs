//! Path patterns matched by component: a trie whose edges are literal names and component globs, and in which `**` is a node
//! that steps to itself. It is stepped by sets of nodes, so that floating patterns never share an automaton with one another.

use std::collections::BTreeMap;
use std::sync::Mutex;

use serde::{Deserialize, Serialize};

use crate::model::rule::{PatternPart, WordPattern};
use crate::model::word::Value;

use super::bytes::Fault;
use super::globs::{Building, Globs};
use super::nfa::{Answer, Budget, Nfa, Scope};
use super::trail::Trail;

/// Where a path pattern starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Root {
    /// `**/…`: anywhere.
    Anywhere,
    /// `/…`, `C:/…`.
    Absolute,
    /// `~`, `~/…`.
    Home,
    /// `@project`.
    Project,
    /// `@cwd`, and whatever begins with none of these.
    Directory,
    /// `@tmp`.
    Temporary,
}

impl Root {
    /// All of them.
    pub const ALL: [Root; 6] = [Root::Anywhere, Root::Absolute, Root::Home, Root::Project, Root::Directory, Root::Temporary];
}

/// Places that a pattern may begin with, by their names.
const PLACES: [(&str, Root); 4] =
    [("~", Root::Home), ("@project", Root::Project), ("@cwd", Root::Directory), ("@tmp", Root::Temporary)];

/// One component of a pattern.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum PatternComponent {
    /// This name.
    Name(String),
    /// `*`.
    Any,
    /// A glob with something literal in it.
    Glob(WordPattern),
    /// `**`.
    Rest,
}

/// Alternatives into which one pattern is unfolded, at most. The checker refuses patterns with more; what is left of a choice
/// then stays within its component.
const UNFOLDED: usize = 64;

/// A path pattern as its root and its components, its choices unfolded.
pub fn components(pattern: &WordPattern) -> Vec<(Root, Vec<PatternComponent>)> {
    unfold(pattern, 0).iter().map(|parts| split(parts)).collect()
}

/// How all that a pattern matches begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start<'p> {
    /// At a place.
    Place(Root),
    /// At the root, with this name.
    Name(&'p str),
}

/// How a pattern begins, where that is easily said.
pub fn start(pattern: &WordPattern) -> Option<Start<'_>> {
    let Some(PatternPart::Literal(text)) = pattern.parts.first() else { return None };
    let mut names = text.split('/');
    let (first, second) = (names.next()?, names.next());
    // What is followed by nothing is a whole name only where no glob goes on with it.
    let whole = |next: Option<&str>| next.is_some() || pattern.parts.len() == 1;
    if first.is_empty() {
        return second.filter(|name| !matches!(*name, "" | "." | "..") && whole(names.next())).map(Start::Name);
    }
    let (_, root) = PLACES.into_iter().find(|(name, _)| whole(second) && *name == first)?;
    Some(Start::Place(root))
}

fn unfold(pattern: &WordPattern, depth: usize) -> Vec<Vec<PatternPart>> {
    let mut all: Vec<Vec<PatternPart>> = vec![Vec::new()];
    for part in &pattern.parts {
        match part {
            PatternPart::Choice(choices) if depth < 16 => {
                let heads: Vec<Vec<PatternPart>> = choices.iter().flat_map(|choice| unfold(choice, depth + 1)).collect();
                if all.len() * heads.len() > UNFOLDED {
                    all.iter_mut().for_each(|parts| parts.push(part.clone()));
                    continue;
                }
                all = all.iter().flat_map(|parts| heads.iter().map(move |head| [parts.as_slice(), head].concat())).collect();
            }
            other => all.iter_mut().for_each(|parts| parts.push(other.clone())),
        }
    }
    all
}

fn split(parts: &[PatternPart]) -> (Root, Vec<PatternComponent>) {
    let mut components: Vec<Vec<PatternPart>> = vec![Vec::new()];
    for part in parts {
        match part {
            PatternPart::Literal(text) => {
                for (number, name) in text.split('/').enumerate() {
                    if number > 0 {
                        components.push(Vec::new());
                    }
                    if let (false, Some(last)) = (name.is_empty(), components.last_mut()) {
                        match last.last_mut() {
                            Some(PatternPart::Literal(before)) => before.push_str(name),
                            _ => last.push(PatternPart::Literal(name.to_string())),
                        }
                    }
                }
            }
            other => {
                if let Some(last) = components.last_mut() {
                    last.push(other.clone());
                }
            }
        }
    }
    let absolute = components.len() > 1 && components[0].is_empty();
    let mut named: Vec<PatternComponent> = Vec::new();
    for component in components.into_iter().filter(|component| !component.is_empty()) {
        let component = match component.as_slice() {
            [PatternPart::Literal(name)] if name == "." => continue,
            [PatternPart::Literal(name)] => PatternComponent::Name(name.clone()),
            [PatternPart::Star] => PatternComponent::Any,
            [PatternPart::DoubleStar] => PatternComponent::Rest,
            _ => PatternComponent::Glob(WordPattern { parts: component }),
        };
        if component == PatternComponent::Rest && named.last() == Some(&PatternComponent::Rest) {
            continue;
        }
        named.push(component);
    }
    if absolute {
        return (Root::Absolute, named);
    }
    let root = match named.first() {
        Some(PatternComponent::Rest) => return (Root::Anywhere, named),
        Some(PatternComponent::Name(name)) => match PLACES.into_iter().find(|(place, _)| place == name) {
            Some((_, root)) => root,
            None if name.len() == 2 && name.ends_with(':') => return (Root::Absolute, named),
            None => return (Root::Directory, named),
        },
        _ => return (Root::Directory, named),
    };
    named.remove(0);
    (root, named)
}

/// INVARIANT (checked trie): every range and every node number is within its table; [`Trie::validate`] says so before use.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Node {
    names: (u32, u32),
    globs: (u32, u32),
    atoms: (u32, u32),
    /// By any component; 0 is none.
    any: u32,
    /// By any component, to a node that stays: a final `**`.
    tail: u32,
    /// Without a component, to a node that stays: `**` before something.
    rest: u32,
    /// Steps to itself by any component.
    stays: bool,
}

/// Path patterns, each with the number of its atom.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Trie {
    /// For each root its node; 0 is none.
    roots: [u32; 6],
    nodes: Vec<Node>,
    labels: String,
    /// Start and length of the label, and the node: ascending labels for each node.
    names: Vec<(u32, u32, u32)>,
    /// Number of the glob, and the node.
    edges: Vec<(u32, u32)>,
    atoms: Vec<u32>,
    globs: Globs,
    patterns: Vec<WordPattern>,
    /// What was asked of `globs`: the paths of one call share most of their components.
    #[serde(skip)]
    asked: Mutex<BTreeMap<String, Vec<u32>>>,
    /// The last walk, once a second one is made.
    #[serde(skip)]
    trail: Mutex<Option<Trail>>,
}

/// Components that are kept.
const ASKED: usize = 1024;

#[derive(Default)]
struct Growing {
    names: BTreeMap<String, u32>,
    globs: BTreeMap<WordPattern, u32>,
    atoms: Vec<u32>,
    any: u32,
    tail: u32,
    rest: u32,
    stays: bool,
}

impl Trie {
    /// A trie of the patterns, whose numbers are those of their atoms.
    pub fn new<'p>(patterns: impl IntoIterator<Item = (&'p WordPattern, u32)>, building: &Building) -> Trie {
        let mut nodes: Vec<Growing> = vec![Growing::default()];
        let mut trie = Trie::default();
        for (pattern, atom) in patterns {
            for (root, path) in components(pattern) {
                let mut node = trie.roots[root as usize];
                if node == 0 {
                    nodes.push(Growing::default());
                    node = nodes.len() as u32 - 1;
                    trie.roots[root as usize] = node;
                }
                for (number, component) in path.iter().enumerate() {
                    let last = number + 1 == path.len();
                    node = grow(&mut nodes, node, component, last);
                }
                let atoms = &mut nodes[node as usize].atoms;
                if !atoms.contains(&atom) {
                    atoms.push(atom);
                }
            }
        }
        trie.flatten(nodes, building);
        trie
    }

    fn flatten(&mut self, nodes: Vec<Growing>, building: &Building) {
        let mut globs: BTreeMap<WordPattern, u32> = BTreeMap::new();
        for glob in nodes.iter().flat_map(|node| node.globs.keys()) {
            let number = globs.len() as u32;
            globs.entry(glob.clone()).or_insert(number);
        }
        for node in nodes {
            let names = (self.names.len() as u32, node.names.len() as u32);
            for (label, target) in node.names {
                self.names.push((self.labels.len() as u32, label.len() as u32, target));
                self.labels.push_str(&label);
            }
            let edges = (self.edges.len() as u32, node.globs.len() as u32);
            self.edges.extend(node.globs.iter().map(|(glob, target)| (globs[glob], *target)));
            let atoms = (self.atoms.len() as u32, node.atoms.len() as u32);
            self.atoms.extend(node.atoms);
            let Growing { any, tail, rest, stays, .. } = node;
            self.nodes.push(Node { names, globs: edges, atoms, any, tail, rest, stays });
        }
        self.globs = Globs::new(globs.iter().map(|(glob, number)| (glob, *number)), Scope::Component, building);
        let mut patterns: Vec<(u32, WordPattern)> = globs.into_iter().map(|(glob, number)| (number, glob)).collect();
        patterns.sort();
        self.patterns = patterns.into_iter().map(|(_, glob)| glob).collect();
    }

    /// Checks every number in it.
    pub fn validate(&self) -> Result<(), Fault> {
        let nodes = self.nodes.len() as u32;
        let within = |(start, count): (u32, u32), size: usize| start as usize + count as usize <= size;
        let whole = self.roots.iter().all(|root| *root == 0 || *root < nodes)
            && self.names.iter().all(|(start, length, target)| {
                *target < nodes && self.labels.get(*start as usize..*start as usize + *length as usize).is_some()
            })
            && self.edges.iter().all(|(glob, target)| *target < nodes && (*glob as usize) < self.patterns.len())
            && self.nodes.iter().all(|node| {
                within(node.names, self.names.len())
                    && within(node.globs, self.edges.len())
                    && within(node.atoms, self.atoms.len())
                    && [node.any, node.tail, node.rest].iter().all(|target| *target == 0 || *target < nodes)
            });
        if whole { Ok(()) } else { Err(Fault::Content { part: "path trie" }) }
    }

    /// Whether no pattern is in it.
    pub fn is_empty(&self) -> bool {
        self.nodes.len() < 2
    }

    /// The node of a root.
    pub fn root(&self, root: Root) -> Option<u32> {
        Some(self.roots[root as usize]).filter(|node| *node != 0)
    }

    /// All nodes: where some path leads.
    pub fn all(&self) -> Vec<u32> {
        (1..self.nodes.len() as u32).collect()
    }

    fn names(&self, node: &Node) -> &[(u32, u32, u32)] {
        let start = node.names.0 as usize;
        self.names.get(start..start + node.names.1 as usize).unwrap_or_default()
    }

    fn edges(&self, node: &Node) -> &[(u32, u32)] {
        let start = node.globs.0 as usize;
        self.edges.get(start..start + node.globs.1 as usize).unwrap_or_default()
    }

    fn label(&self, (start, length, _): (u32, u32, u32)) -> &str {
        self.labels.get(start as usize..start as usize + length as usize).unwrap_or_default()
    }

    /// The last walk, to be gone on with; none at the first: most sets are asked once.
    pub fn trail(&self) -> Option<Trail> {
        self.trail.lock().ok()?.replace(Trail::default())
    }

    /// Keeps a walk for the next.
    pub fn keep(&self, trail: Option<Trail>) {
        if let (Some(trail), Ok(mut kept)) = (trail, self.trail.lock()) {
            *kept = Some(trail);
        }
    }

    /// Adds the nodes that are reached without a component.
    pub fn close(&self, states: &mut Vec<u32>) {
        let rest: Vec<u32> = states.iter().filter_map(|state| self.node(*state)).map(|node| node.rest).collect();
        states.extend(rest.into_iter().filter(|rest| *rest != 0));
        states.sort_unstable();
        states.dedup();
    }

    fn node(&self, state: u32) -> Option<&Node> {
        self.nodes.get(state as usize)
    }

    /// The nodes that a known component leads to.
    pub fn step(&self, states: &[u32], name: &str, fold: bool) -> Result<Vec<u32>, Fault> {
        let mut next = Vec::new();
        let mut hits: Option<Vec<u32>> = None;
        for state in states {
            let Some(node) = self.node(*state) else { continue };
            next.extend([node.any, node.tail].into_iter().filter(|target| *target != 0));
            if node.stays {
                next.push(*state);
            }
            let names = self.names(node);
            if fold {
                next.extend(names.iter().filter(|edge| same(self.label(**edge), name)).map(|edge| edge.2));
            } else if let Ok(found) = names.binary_search_by(|edge| self.label(*edge).cmp(name)) {
                next.push(names[found].2);
            }
            let edges = self.edges(node);
            if !edges.is_empty() {
                let hits = match &mut hits {
                    Some(hits) => hits,
                    None => hits.insert(self.globs_matching(name, fold)?),
                };
                next.extend(edges.iter().filter(|(glob, _)| hits.binary_search(glob).is_ok()).map(|(_, target)| *target));
            }
        }
        self.close(&mut next);
        Ok(next)
    }

    fn globs_matching(&self, name: &str, fold: bool) -> Result<Vec<u32>, Fault> {
        if !fold {
            if let Some(known) = self.asked.lock().ok().and_then(|asked| asked.get(name).cloned()) {
                return Ok(known);
            }
            let found = self.globs.matching(name, Scope::Component)?;
            if let Ok(mut asked) = self.asked.lock()
                && asked.len() < ASKED
            {
                asked.insert(name.to_string(), found.clone());
            }
            return Ok(found);
        }
        let folded = |pattern: &WordPattern| Nfa::new([pattern], [], Scope::Component, true).matches(name);
        Ok((0..self.patterns.len() as u32).filter(|number| folded(&self.patterns[*number as usize])).collect())
    }

    /// The nodes that a component with unknown parts may lead to, and those that it leads to whatever it is.
    pub fn step_unknown(&self, may: &[u32], must: &[u32], value: &Value, fold: bool, budget: &Budget) -> (Vec<u32>, Vec<u32>) {
        let (mut next_may, mut next_must) = (Vec::new(), Vec::new());
        let mut answers: BTreeMap<u32, Answer> = BTreeMap::new();
        for state in may {
            let Some(node) = self.node(*state) else { continue };
            let sure = must.binary_search(state).is_ok();
            let mut reach = |target: u32, answer: Answer| {
                if target != 0 && answer != Answer::No {
                    next_may.push(target);
                    if sure && answer == Answer::Certain {
                        next_must.push(target);
                    }
                }
            };
            reach(node.any, Answer::Certain);
            reach(node.tail, Answer::Certain);
            reach(if node.stays { *state } else { 0 }, Answer::Certain);
            for edge in self.names(node) {
                let literal = WordPattern::literal(self.label(*edge));
                reach(edge.2, Nfa::new([&literal], [], Scope::Component, fold).answer(value, budget));
            }
            for (glob, target) in self.edges(node) {
                let answer = *answers.entry(*glob).or_insert_with(|| match self.patterns.get(*glob as usize) {
                    Some(pattern) => Nfa::new([pattern], [], Scope::Component, fold).answer(value, budget),
                    None => Answer::No,
                });
                reach(*target, answer);
            }
        }
        self.close(&mut next_may);
        self.close(&mut next_must);
        (next_may, next_must)
    }

    /// The atoms of the nodes.
    pub fn atoms<'t>(&'t self, states: &'t [u32]) -> impl Iterator<Item = u32> + 't {
        states.iter().filter_map(|state| self.node(*state)).flat_map(|node| {
            let start = node.atoms.0 as usize;
            self.atoms.get(start..start + node.atoms.1 as usize).unwrap_or_default().iter().copied()
        })
    }

    /// The nodes of a final `**` just below: what a recursive effect on a directory meets without looking into it.
    pub fn tails(&self, states: &[u32]) -> Vec<u32> {
        states.iter().filter_map(|state| self.node(*state)).map(|node| node.tail).filter(|tail| *tail != 0).collect()
    }

    /// The nodes without those of a final `**`.
    pub fn without_final(&self, mut states: Vec<u32>) -> Vec<u32> {
        let leads = |node: &Node| node.names.1 > 0 || node.globs.1 > 0 || node.any != 0 || node.tail != 0 || node.rest != 0;
        states.retain(|state| self.node(*state).is_some_and(|node| !node.stays || leads(node)));
        states
    }

    /// The names that lead on from nodes which no other name can leave, ascending.
    pub fn literal_names(&self, states: &[u32]) -> Vec<String> {
        let nodes = states.iter().filter_map(|state| self.node(*state));
        let mut names: Vec<String> =
            nodes.flat_map(|node| self.names(node)).map(|edge| self.label(*edge).to_string()).collect();
        names.sort();
        names.dedup();
        names
    }

    /// Whether what lies below depends on names that only a listing tells.
    pub fn wants_listing(&self, states: &[u32]) -> bool {
        states.iter().filter_map(|state| self.node(*state)).any(|node| {
            let leads = node.names.1 > 0 || node.globs.1 > 0 || node.any != 0 || node.tail != 0;
            node.globs.1 > 0 || node.any != 0 || (node.stays && leads)
        })
    }
}

fn grow(nodes: &mut Vec<Growing>, node: u32, component: &PatternComponent, last: bool) -> u32 {
    let fresh = nodes.len() as u32;
    let here = &mut nodes[node as usize];
    let target = match component {
        PatternComponent::Name(name) => *here.names.entry(name.clone()).or_insert(fresh),
        PatternComponent::Glob(glob) => *here.globs.entry(glob.clone()).or_insert(fresh),
        PatternComponent::Any => claim(&mut here.any, fresh),
        PatternComponent::Rest if last => claim(&mut here.tail, fresh),
        PatternComponent::Rest => claim(&mut here.rest, fresh),
    };
    if target == fresh {
        nodes.push(Growing { stays: *component == PatternComponent::Rest, ..Growing::default() });
    }
    target
}

fn claim(place: &mut u32, fresh: u32) -> u32 {
    if *place == 0 {
        *place = fresh;
    }
    *place
}

/// Whether two names are one where case is ignored.
pub fn same(left: &str, right: &str) -> bool {
    left == right || left.eq_ignore_ascii_case(right) || (!left.is_ascii() && left.to_lowercase() == right.to_lowercase())
}
