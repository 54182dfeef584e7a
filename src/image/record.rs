//! The records of an image, as `postcard` writes them. Decoding is total: bytes that make no sense are a [`Fault`], and every
//! number that points somewhere is looked up, never trusted.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::model::effect::Verb;
use crate::model::rule::{Also, Condition, Decision, Intent, Pattern, Preset, Rule, RuleKind, WordSet};
use crate::model::verdict::RuleAt;

use super::bytes::{Bytes, Fault};
use super::globs::Globs;
use super::layout::{Location, record};
use super::trie::Trie;

/// What a rule says besides its patterns: enough for findings, `explain` and `rule list`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleHeader {
    /// `rulebook.rule`.
    pub id: String,
    /// A rule that finds, or an allow that removes findings.
    pub kind: RuleKind,
    /// Never switched off.
    pub floor: bool,
    /// What is decided.
    pub decision: Decision,
    /// What an ask becomes where nobody can answer.
    pub otherwise: Decision,
    /// What a possible match decides instead of the preset.
    pub possible: Option<(Decision, Decision)>,
    /// One line; `{name}` is filled in.
    pub reason: String,
    /// What to do instead.
    pub instead: Option<String>,
    /// What the agent should do.
    pub intent: Intent,
    /// Active from this preset on.
    pub level: Preset,
    /// Former and foreign ids.
    pub also: Vec<Also>,
    /// Why an allow stands.
    pub because: Option<String>,
    /// Who answers for it.
    pub owner: Option<String>,
    /// The last day on which an allow holds.
    pub expires: Option<String>,
    /// Where the rule stands.
    pub at: RuleAt,
}

impl RuleHeader {
    /// The header of a checked rule.
    pub fn of(rule: &Rule) -> RuleHeader {
        RuleHeader {
            id: rule.id.clone(),
            kind: rule.kind,
            floor: rule.floor,
            decision: rule.decision,
            otherwise: rule.otherwise,
            possible: rule.possible,
            reason: rule.reason.clone(),
            instead: rule.instead.clone(),
            intent: rule.intent,
            level: rule.level,
            also: rule.also.clone(),
            because: rule.because.clone(),
            owner: rule.owner.clone(),
            expires: rule.expires.clone(),
            at: rule.at.clone(),
        }
    }
}

/// A rule as its clauses need it once one of their patterns has matched.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleRecord {
    /// What it says.
    pub header: RuleHeader,
    /// All of these.
    pub when: Vec<Condition>,
    /// None of these.
    pub unless: Vec<Condition>,
}

/// One `match` clause.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clause {
    /// Its rule.
    pub rule: Location,
    /// Which of the rule's clauses it is.
    pub number: u32,
    /// Whether its rule finds or exempts.
    pub kind: RuleKind,
    /// Active from this preset on.
    pub level: Preset,
    /// What it matches.
    pub pattern: Pattern,
    /// For an effect: the atoms of its object in the shard's trie, members and then those taken out.
    pub atoms: (Vec<u32>, Vec<u32>),
    /// All of these.
    pub when: Vec<Condition>,
    /// None of these.
    pub unless: Vec<Condition>,
    /// Where it stands.
    pub at: RuleAt,
    /// How much it demands.
    pub narrowness: u32,
    /// Variables of the environment of which it demands one; none: it does not. Told to the shard alone.
    #[serde(skip)]
    pub variables: Vec<String>,
}

/// The clauses on a program, or on a program and its first word.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct CommandShard {
    /// The name that it is found by.
    pub key: String,
    /// First words that have shards of their own.
    pub words: Option<Location>,
    /// Atoms; the number of each is the clause that cannot match without it (or one of its like).
    pub atoms: Globs,
    /// Clauses that may match without any atom.
    pub always: Vec<u32>,
    /// Clauses that may match where one of these variables of the environment is set.
    pub variables: Vec<(Vec<String>, u32)>,
    /// The clauses.
    pub clauses: Vec<Location>,
}

/// The clauses on an effect's verb.
#[derive(Debug, Serialize, Deserialize)]
pub struct EffectShard {
    /// The verb.
    pub key: String,
    /// Path atoms.
    pub trie: Trie,
    /// For each atom the clauses that it touches.
    pub touches: Vec<Vec<u32>>,
    /// Clauses that any object may match.
    pub always: Vec<u32>,
    /// Clauses that name objects; a path touches them through the trie, anything else through this list.
    pub objects: Vec<u32>,
    /// The clauses.
    pub clauses: Vec<Location>,
}

/// The clauses on a tool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolShard {
    /// The name that it is found by.
    pub key: String,
    /// The clauses.
    pub clauses: Vec<Location>,
}

/// Whatever goes by a glob instead of a name, in groups by the text with which all of a group's globs begin.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wild {
    /// Beginnings, each with the record of its group: a list.
    pub groups: Vec<(String, Location)>,
}

/// Clauses whose program or tool is a glob, with that glob: a group of [`Wild`].
pub type WildClauses = Vec<(WordSet, Location)>;

/// The effects that a pattern's verb means: who appends, creates or truncates a file writes it, too.
pub fn meant(verb: Verb) -> &'static [Verb] {
    match verb {
        Verb::Reads => &[Verb::Reads],
        Verb::Writes => &[Verb::Writes, Verb::Appends, Verb::Creates, Verb::Truncates],
        Verb::Appends => &[Verb::Appends],
        Verb::Creates => &[Verb::Creates],
        Verb::Truncates => &[Verb::Truncates],
        Verb::Deletes => &[Verb::Deletes],
        Verb::Moves => &[Verb::Moves],
        Verb::Lists => &[Verb::Lists],
        Verb::Executes => &[Verb::Executes],
        Verb::ExecutesFile => &[Verb::ExecutesFile],
        Verb::ChangesMode => &[Verb::ChangesMode],
        Verb::ChangesOwner => &[Verb::ChangesOwner],
        Verb::ChangesDirectory => &[Verb::ChangesDirectory],
        Verb::Fetches => &[Verb::Fetches],
        Verb::Sends => &[Verb::Sends],
        Verb::Kills => &[Verb::Kills],
        Verb::Formats => &[Verb::Formats],
    }
}

/// Decodes a record.
pub fn decode<T: DeserializeOwned>(bytes: &[u8], part: &'static str) -> Result<T, Fault> {
    match postcard::take_from_bytes(bytes) {
        Ok((value, [])) => Ok(value),
        _ => Err(Fault::Content { part }),
    }
}

/// Reads and decodes a record.
pub fn load<T: DeserializeOwned>(bytes: &dyn Bytes, location: Location, part: &'static str) -> Result<T, Fault> {
    decode(&record(bytes, location)?, part)
}

/// Encodes a record. Cannot fail: the values are plain data and the memory grows.
pub fn encode<T: Serialize>(value: &T) -> Vec<u8> {
    postcard::to_stdvec(value).unwrap_or_default()
}
