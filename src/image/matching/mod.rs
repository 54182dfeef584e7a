//! Bytes → declarations, settings and matches.
//!
//! A match is found in three steps, each for fewer clauses than the one before: names are looked up in the index (mostly:
//! nothing there), atoms say which clauses of a shard are touched, and a touched clause is read and evaluated as a formula,
//! its conditions last, since they may ask the world.

mod below;
mod code;
mod commands;
mod conditions;
mod effects;
mod emptied;
mod paths;
mod places;
mod sets;
mod views;
mod walk;
mod words;

pub use words::holds;

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::sync::Arc;

use serde::de::DeserializeOwned;

use crate::model::call::Call;
use crate::model::declaration::{Command, Language, Tool};
use crate::model::facts::World;
use crate::model::rule::{Preset, RuleKind, WordSet};
use crate::model::settings::{Override, Settings};
use crate::model::span::Span;
use crate::model::verdict::{Certainty, RuleAt};
use crate::model::word::Word;

use super::bytes::{Bytes, Fault};
use super::declarations::{self, Head};
use super::kept::Kept;
use super::layout::{Frame, Key, Location, Section};
use super::nfa::{Answer, Budget};
use super::record::{Clause, CommandShard, RuleHeader, RuleRecord, Wild, decode, load};

/// Steps of automata that one evaluation may take; past them an answer is *possible*.
const STEPS: u64 = 4_000_000;
/// Paths that the effects of one call may touch, in all the ways in which each may be meant.
const TOUCHED: u64 = 4_096;

/// A layer's compiled rulebooks.
#[derive(Clone)]
pub struct Image {
    bytes: Arc<dyn Bytes>,
    frame: Frame,
    kept: Kept,
}

impl std::fmt::Debug for Image {
    fn fmt(&self, out: &mut std::fmt::Formatter) -> std::fmt::Result {
        out.debug_struct("Image").field("frame", &self.frame).finish_non_exhaustive()
    }
}

/// A project's root that is looked for when a rule asks.
pub struct Root<'c> {
    find: &'c dyn Fn() -> Option<String>,
    found: OnceCell<Option<String>>,
}

impl<'c> Root<'c> {
    /// The root as `find` finds it.
    pub fn new(find: &'c dyn Fn() -> Option<String>) -> Root<'c> {
        Root { find, found: OnceCell::new() }
    }

    /// The root.
    pub fn path(&self) -> Option<&str> {
        self.found.get_or_init(self.find).as_deref()
    }
}

/// What decides besides the call and the rules.
#[derive(Clone, Copy)]
pub struct Context<'c> {
    /// The facts.
    pub world: &'c dyn World,
    /// The preset in force.
    pub preset: Preset,
    /// The preset as those set it who may loosen: what another layer raises beyond it exempts nothing.
    pub granted: Preset,
    /// Whether somebody can answer an ask.
    pub attended: bool,
    /// The agent's name.
    pub agent: &'c str,
    /// The project's root, absolute; none: everything is outside. Found when it is first asked for.
    pub project: &'c Root<'c>,
    /// Settings in force: paths that may be deleted and overwritten.
    pub allow_paths: &'c [String],
    /// Settings in force: paths whose content is secret.
    pub deny_paths: &'c [String],
    /// Names of settings that are on (`relax-worktrees`).
    pub flags: &'c [String],
}

/// One match of one rule: what policy makes a finding of.
#[derive(Debug, Clone)]
pub struct RuleMatch {
    /// The rule.
    pub rule: Arc<RuleHeader>,
    /// Which of its `match` clauses.
    pub clause: usize,
    /// Where that clause stands.
    pub at: RuleAt,
    /// How sure the match is.
    pub certainty: Certainty,
    /// Whether a possible match is certain once every hole that is a variable set nowhere and unguarded is taken as empty.
    pub certain_when_emptied: bool,
    /// The absolute path that the effect's object is then.
    pub emptied: Option<String>,
    /// The run that matched.
    pub run: Option<usize>,
    /// The effect that matched.
    pub effect: Option<usize>,
    /// What to underline.
    pub span: Span,
    /// What the names are bound to.
    pub bindings: Vec<(String, String)>,
    /// How much the clause demands.
    pub narrowness: u32,
}

impl Image {
    /// Opens an image: reads and checks its header, whatever its size.
    pub fn open(bytes: Arc<dyn Bytes>) -> Result<Image, Fault> {
        let frame = Frame::open(&*bytes)?;
        Ok(Image { bytes, frame, kept: Kept::default() })
    }

    /// The identity of what was compiled.
    pub fn digest(&self) -> [u8; 32] {
        self.frame.digest
    }

    /// Reads all of it and compares its checksum.
    pub fn verify(&self) -> Result<(), Fault> {
        self.frame.verify(&*self.bytes)
    }

    /// The layer's settings.
    pub fn settings(&self) -> Result<Settings, Fault> {
        Ok(self.section(Section::Settings, "settings")?.unwrap_or_default())
    }

    /// Overrides that rulebooks state.
    pub fn overrides(&self) -> Result<Vec<Override>, Fault> {
        Ok(self.section(Section::Overrides, "overrides")?.unwrap_or_default())
    }

    /// Ids of all rules and allows, in the order of the rulebooks.
    pub fn rule_ids(&self) -> Result<Vec<String>, Fault> {
        Ok(self.section(Section::Rules, "list of rules")?.unwrap_or_default())
    }

    /// Name, version, sentence and file of each rulebook.
    pub fn rulebooks(&self) -> Result<Vec<(String, String, String, String)>, Fault> {
        Ok(self.section(Section::Rulebooks, "list of rulebooks")?.unwrap_or_default())
    }

    /// A rule by its id.
    pub fn rule(&self, id: &str) -> Result<Option<RuleHeader>, Fault> {
        let found = self.records::<RuleRecord>(Key::Rule, id, "rule")?;
        Ok(found.into_iter().map(|record| record.header.clone()).find(|header| header.id == id))
    }

    /// Rules that name this id as a former or foreign one.
    pub fn rules_also(&self, id: &str) -> Result<Vec<RuleHeader>, Fault> {
        let found = self.records::<RuleRecord>(Key::Also, id, "rule")?;
        Ok(found
            .into_iter()
            .map(|record| record.header.clone())
            .filter(|header| header.also.iter().any(|a| a.id == id))
            .collect())
    }

    /// Declarations of the program with this base name.
    pub fn commands(&self, name: &str) -> Result<Vec<Arc<Command>>, Fault> {
        let named = |head: &Head| head.names.iter().any(|n| n == name || head.shell && n.eq_ignore_ascii_case(name));
        let found = self.frame.find(&*self.bytes, Key::Declaration, name)?;
        let read = |location| declarations::load(&self.bytes, location, named).transpose();
        found.into_iter().filter_map(read).map(|command| command.map(Arc::new)).collect()
    }

    /// Declarations of the language.
    pub fn languages(&self, name: &str) -> Result<Vec<Arc<Language>>, Fault> {
        let found = self.records::<Language>(Key::Language, name, "declaration")?;
        Ok(found.into_iter().filter(|language| language.name == name).collect())
    }

    /// Declarations of the tools whose name matches.
    pub fn tools(&self, name: &str) -> Result<Vec<Arc<Tool>>, Fault> {
        let mut found = self.records::<Tool>(Key::ToolDeclaration, name, "declaration")?;
        let wild = self.wild::<Tool>(Section::WildToolDeclarations, name)?;
        found.extend(wild.iter().flat_map(|group| group.iter()).cloned().map(Arc::new));
        found.retain(|tool| super::globs::matches(&tool.name, name, super::nfa::Scope::Word));
        Ok(found)
    }

    /// Every match of every rule and allow on the call, in the order of the call, then of the rules.
    pub fn matches(&self, call: &Call, context: &Context) -> Result<Vec<RuleMatch>, Fault> {
        let evaluation = Evaluation {
            image: self,
            call,
            context: *context,
            budget: Budget::new(STEPS),
            places: OnceCell::new(),
            walk: below::Walk::default(),
            shards: RefCell::default(),
            sets: sets::Sets::default(),
            touched: Budget::new(TOUCHED),
            changed: RefCell::default(),
        };
        let mut found = Vec::new();
        evaluation.commands(&mut found)?;
        evaluation.effects(&mut found)?;
        evaluation.tool(&mut found)?;
        Ok(distinct(found))
    }

    pub(super) fn section<T: DeserializeOwned>(&self, section: Section, part: &'static str) -> Result<Option<T>, Fault> {
        match self.frame.section(&*self.bytes, section)? {
            Some(record) => decode(&record, part).map(Some),
            None => Ok(None),
        }
    }

    /// Whether something stands under the name, or under another one with its hash.
    pub(super) fn has(&self, key: Key, name: &str) -> Result<bool, Fault> {
        Ok(!self.frame.find(&*self.bytes, key, name)?.is_empty())
    }

    /// A record, read once.
    pub(super) fn load<T: DeserializeOwned + Send + Sync + 'static>(
        &self,
        location: Location,
        part: &'static str,
    ) -> Result<Arc<T>, Fault> {
        self.kept.get(location, || load(&*self.bytes, location, part))
    }

    /// What goes by globs that may mean the name, in groups.
    fn wild<T: DeserializeOwned + Send + Sync + 'static>(
        &self,
        section: Section,
        name: &str,
    ) -> Result<Vec<Arc<Vec<T>>>, Fault> {
        let Some(place) = self.frame.place(section) else { return Ok(Vec::new()) };
        let wild = self.load::<Wild>(place, "names")?;
        let meant = wild.groups.iter().filter(|(lead, _)| name.starts_with(lead.as_str()));
        meant.map(|(_, location)| self.load(*location, "names")).collect()
    }

    /// The clauses whose glob means the name.
    pub(super) fn wild_clauses(&self, section: Section, name: &str) -> Result<Vec<Location>, Fault> {
        let groups = self.wild::<(WordSet, Location)>(section, name)?;
        let clauses = groups.iter().flat_map(|group| group.iter());
        Ok(clauses.filter(|(set, _)| holds(set, name)).map(|(_, location)| *location).collect())
    }

    /// The heads of the declarations under a name, and under others with its hash.
    pub(super) fn heads(&self, name: &str) -> Result<Vec<Head>, Fault> {
        let found = self.frame.find(&*self.bytes, Key::Declaration, name)?;
        found.into_iter().map(|location| self.head(location)).collect()
    }

    pub(super) fn head(&self, location: Location) -> Result<Head, Fault> {
        declarations::head(&*self.bytes, location)
    }

    pub(super) fn records<T: DeserializeOwned + Send + Sync + 'static>(
        &self,
        key: Key,
        name: &str,
        part: &'static str,
    ) -> Result<Vec<Arc<T>>, Fault> {
        let found = self.frame.find(&*self.bytes, key, name)?;
        found.into_iter().map(|location| self.load(location, part)).collect()
    }
}

/// One finding for each rule, run or effect, and bindings: the surest, then the narrowest clause.
fn distinct(found: Vec<RuleMatch>) -> Vec<RuleMatch> {
    let mut kept: Vec<RuleMatch> = Vec::new();
    for next in found {
        // INVARIANT (in the order of the call): the matches of one run, and those of one effect, follow one another.
        let here = |other: &&mut RuleMatch| other.run == next.run && other.effect == next.effect;
        let same = |other: &&mut RuleMatch| other.rule.id == next.rule.id && other.bindings == next.bindings;
        match kept.iter_mut().rev().take_while(here).find(same) {
            Some(other) => {
                let strength = |m: &RuleMatch| (m.certainty, m.certain_when_emptied, m.narrowness);
                if strength(&next) > strength(other) {
                    *other = next;
                }
            }
            None => kept.push(next),
        }
    }
    kept
}

/// From which side an answer is needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    /// Something must hold: any view, any member of a set.
    Requires,
    /// Something exempts: all views, all members, nothing computed.
    Exempts,
}

/// What a condition may look at.
#[derive(Clone, Copy)]
struct Surroundings<'s> {
    run: Option<usize>,
    effect: Option<usize>,
    directory: &'s crate::model::invocation::Directory,
    place: crate::model::effect::Place,
    follow: views::Follow,
    bindings: &'s [(String, Word)],
    /// Whether no operand is left over.
    bare: Answer,
}

struct Evaluation<'e> {
    image: &'e Image,
    call: &'e Call,
    context: Context<'e>,
    budget: Budget,
    places: OnceCell<places::Places>,
    walk: below::Walk,
    /// What was looked up once: a script runs the same programs again and again.
    shards: RefCell<BTreeMap<String, Option<Arc<CommandShard>>>>,
    sets: sets::Sets,
    touched: Budget,
    /// Paths that the script may have changed, as conditions compare them.
    changed: RefCell<BTreeMap<&'e str, [String; 2]>>,
}

impl Evaluation<'_> {
    /// A clause, where the preset has it active.
    fn clause(&self, location: Location) -> Result<Option<Arc<Clause>>, Fault> {
        let clause = self.image.load::<Clause>(location, "clause")?;
        Ok((clause.level <= self.context.preset).then_some(clause))
    }

    /// The match of a clause whose pattern holds with this answer, its conditions tested.
    fn conclude(
        &self,
        clause: &Clause,
        answer: Answer,
        around: &Surroundings,
        span: Span,
        found: &mut Vec<RuleMatch>,
    ) -> Result<Answer, Fault> {
        let rule = self.image.load::<RuleRecord>(clause.rule, "rule")?;
        let side = side(clause.kind);
        let answer = answer.min(self.conditions(&rule, clause, around, side)?);
        let certainty = match answer {
            Answer::No => return Ok(answer),
            Answer::Possible => Certainty::Possible,
            Answer::Certain => Certainty::Certain,
        };
        found.push(RuleMatch {
            rule: Arc::new(rule.header.clone()),
            clause: clause.number as usize,
            at: clause.at.clone(),
            certainty,
            certain_when_emptied: false,
            emptied: None,
            run: around.run,
            effect: around.effect,
            span,
            bindings: around.bindings.iter().map(|(name, word)| (name.clone(), self.shown(word))).collect(),
            narrowness: clause.narrowness,
        });
        Ok(answer)
    }

    /// A word as a message shows it: its value where it is known, else as it stands in the text.
    fn shown(&self, word: &Word) -> String {
        if let Some(text) = word.known() {
            return text.into_owned();
        }
        let text = self.call.texts.get(usize::from(word.span.source.0));
        let written = text.and_then(|text| text.text.get(word.span.start as usize..word.span.end as usize));
        match written {
            Some(written) if !written.is_empty() => written.to_string(),
            _ => word.values.first().map(|value| value.emptied()).unwrap_or_default(),
        }
    }
}

fn side(kind: RuleKind) -> Side {
    match kind {
        RuleKind::Rule => Side::Requires,
        RuleKind::Allow => Side::Exempts,
    }
}
