//! Rules as checked: every name resolved, every group of alternatives unfolded. The image compiles them to automata; the slow
//! evaluator of the tests reads them as they stand.

use serde::{Deserialize, Serialize};

use super::effect::{Place, Source, Verb};
use super::verdict::RuleAt;

/// What is decided. The order is the strength.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Decision {
    /// Silence towards the agent.
    #[default]
    Allow,
    /// The call runs; the agent is told.
    Warn,
    /// A person is asked.
    Ask,
    /// Refused.
    Deny,
}

/// How much of what is not known is let through.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Preset {
    /// What is known decides.
    #[default]
    Standard,
    /// What may match is refused.
    Strict,
    /// And rules of `level paranoid` are active.
    Paranoid,
}

/// What the agent should do about a refusal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Intent {
    /// Not retry, not work around.
    HardStop,
    /// Use the alternative.
    UseAlternative,
    /// Retry on less.
    ScopeDown,
    /// Ask the person to run it.
    #[default]
    ManualOnly,
    /// Simplify, or report.
    StopAndExplain,
}

impl Decision {
    /// The word of the language.
    pub fn word(self) -> &'static str {
        match self {
            Decision::Allow => "allow",
            Decision::Warn => "warn",
            Decision::Ask => "ask",
            Decision::Deny => "deny",
        }
    }

    /// The decision of a word.
    pub fn parse(word: &str) -> Option<Decision> {
        [Decision::Allow, Decision::Warn, Decision::Ask, Decision::Deny].into_iter().find(|d| d.word() == word)
    }
}

impl Preset {
    /// The word of the language.
    pub fn word(self) -> &'static str {
        match self {
            Preset::Standard => "standard",
            Preset::Strict => "strict",
            Preset::Paranoid => "paranoid",
        }
    }

    /// The preset of a word.
    pub fn parse(word: &str) -> Option<Preset> {
        [Preset::Standard, Preset::Strict, Preset::Paranoid].into_iter().find(|p| p.word() == word)
    }
}

impl Intent {
    /// Every intent with its word.
    pub const ALL: [(Intent, &'static str); 5] = [
        (Intent::HardStop, "hard-stop"),
        (Intent::UseAlternative, "use-alternative"),
        (Intent::ScopeDown, "scope-down"),
        (Intent::ManualOnly, "manual-only"),
        (Intent::StopAndExplain, "stop-and-explain"),
    ];

    /// The word of the language.
    pub fn word(self) -> &'static str {
        Intent::ALL.iter().find(|(intent, _)| *intent == self).map_or("", |(_, word)| word)
    }

    /// The intent of a word.
    pub fn parse(word: &str) -> Option<Intent> {
        Intent::ALL.iter().find(|(_, name)| *name == word).map(|(intent, _)| *intent)
    }
}

/// A glob over one word, or over a path.
///
/// In a word `*` is any text and `?` any character, slashes included. In a path pattern `*` and `?` stop at `/`, `**` as a
/// component is any number of components. A path pattern begins with `/`, `C:/`, `~/` (or is `~`), `@project`, `@cwd`,
/// `@tmp` or `**/`; any other one is relative to `@cwd`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct WordPattern {
    /// In order.
    pub parts: Vec<PatternPart>,
}

/// A part of a glob.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum PatternPart {
    /// Exactly this.
    Literal(String),
    /// `*`.
    Star,
    /// `**`.
    DoubleStar,
    /// `?`.
    Question,
    /// `[a-z]`, `[!a-z]`.
    Class {
        /// Outside of the ranges.
        negated: bool,
        /// Ends included.
        ranges: Vec<(char, char)>,
    },
    /// `{x,y}`.
    Choice(#[serde(deserialize_with = "super::depth::limited")] Vec<WordPattern>),
}

impl WordPattern {
    /// A literal.
    pub fn literal(text: impl Into<String>) -> WordPattern {
        WordPattern { parts: vec![PatternPart::Literal(text.into())] }
    }

    /// The text, where it is a literal.
    pub fn as_literal(&self) -> Option<&str> {
        match self.parts.as_slice() {
            [] => Some(""),
            [PatternPart::Literal(text)] => Some(text),
            _ => None,
        }
    }
}

/// A set of words: any of `any`, none of `except`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct WordSet {
    /// Members.
    pub any: Vec<WordPattern>,
    /// Taken out.
    pub except: Vec<WordPattern>,
}

/// A set of paths: any of `any`, of the settings' lists, or within a place; none of `except`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct PathSet {
    /// Members. The places `@project`, `@cwd` and `@tmp` are leading literals of a member (`@project/**`).
    pub any: Vec<WordPattern>,
    /// Taken out.
    pub except: Vec<WordPattern>,
    /// Lists of the settings that are members too (`allow-paths`).
    pub settings: Vec<String>,
}

/// One statement of policy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rule {
    /// `rulebook.rule`.
    pub id: String,
    /// A rule that finds, or an allow that removes findings.
    pub kind: RuleKind,
    /// Never switched off.
    pub floor: bool,
    /// Any of these.
    pub matches: Vec<Match>,
    /// All of these.
    pub when: Vec<Condition>,
    /// None of these.
    pub unless: Vec<Condition>,
    /// What is decided. For an allow: [`Decision::Allow`].
    pub decision: Decision,
    /// What an ask becomes where nobody can answer (`ask or warn`).
    pub otherwise: Decision,
    /// What a possible match decides, instead of the preset, with what it becomes where nobody can answer.
    pub possible: Option<(Decision, Decision)>,
    /// One line; `{name}` is filled in.
    pub reason: String,
    /// What to do instead; `{name}` and `{command}` are filled in.
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
    /// `YYYY-MM-DD`: the last day on which an allow holds.
    pub expires: Option<String>,
    /// Where it stands.
    pub at: RuleAt,
}

/// Whether a rule finds or exempts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum RuleKind {
    /// `rule`.
    Rule,
    /// `allow`.
    Allow,
}

/// A former or foreign id. An override of it narrows to the programs named, where some are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Also {
    /// The id.
    pub id: String,
    /// `for find`: only findings of these programs.
    pub programs: Vec<String>,
}

/// One `match` clause, its groups unfolded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Match {
    /// What it matches.
    pub pattern: Pattern,
    /// All of these, for this match alone.
    pub when: Vec<Condition>,
    /// None of these, for this match alone.
    pub unless: Vec<Condition>,
    /// The clause in its rulebook.
    pub at: RuleAt,
}

/// What a match looks at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Pattern {
    /// An invocation.
    Command(CommandPattern),
    /// An effect.
    Effect(EffectPattern),
    /// A tool call.
    Tool(ToolPattern),
}

/// A pattern on an invocation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommandPattern {
    /// The program's base name.
    pub program: WordSet,
    /// What the positionals must be, from the first on; more may follow.
    pub positionals: Vec<PositionalPattern>,
    /// Options that must be given, in any order.
    pub options: Vec<OptionPattern>,
    /// Options (or words) that must not be given.
    pub absent: Vec<OptionPattern>,
}

/// One element of the positionals.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum PositionalPattern {
    /// One positional, and the name that it is bound to.
    Word {
        /// Any where it is `None`: `<name>` alone.
        words: Option<WordSet>,
        /// `<name>`.
        bind: Option<String>,
    },
    /// `...`: any number.
    Skip,
    /// A literal `--`.
    Dashes,
}

/// One option of a pattern.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OptionPattern {
    /// `--force`; with a glob where the pattern has one.
    pub spelling: WordPattern,
    /// What its value must be.
    pub value: Option<WordSet>,
}

/// A pattern on an effect.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EffectPattern {
    /// What happens.
    pub verb: Verb,
    /// Only where below the path too.
    pub recursively: bool,
    /// Only where in spite of protection.
    pub forcibly: bool,
    /// To what; any where it is `None`.
    pub object: Option<PathSet>,
    /// For `executes`: the language; `None` is `any`.
    pub language: Option<String>,
    /// For `executes`: the text, token by token.
    pub code: Option<CodePattern>,
    /// Where the text or the data comes from.
    pub from: Option<Source>,
    /// Whose file system; this machine's where it is not said.
    pub on: Place,
}

/// A pattern on the tokens of a text in a language: `drop (database | schema) *`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CodePattern {
    /// Each alternative is a sequence of tokens; the text has a statement that begins with them.
    pub alternatives: Vec<Vec<CodeToken>>,
}

/// One element of a code pattern.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum CodeToken {
    /// One token, case ignored.
    Token(WordPattern),
    /// `*`: any number of tokens.
    Any,
    /// `!word`: this token does not follow anywhere in the statement.
    Absent(WordPattern),
}

/// A pattern on a tool call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolPattern {
    /// The tool's name.
    pub name: WordSet,
    /// Fields and what they must be.
    pub fields: Vec<(String, WordSet)>,
}

/// A test beside a match. Each has three answers: no, unknown, yes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Condition {
    /// All.
    All(#[serde(deserialize_with = "super::depth::limited")] Vec<Condition>),
    /// Any.
    Any(#[serde(deserialize_with = "super::depth::limited")] Vec<Condition>),
    /// Not.
    Not(#[serde(deserialize_with = "super::depth::limited")] Box<Condition>),
    /// The same invocation matches this, too.
    Match(#[serde(deserialize_with = "super::depth::limited")] Box<Pattern>),
    /// `cwd in PATHS`.
    CwdIn(PathSet),
    /// `<name> in PATHS`.
    PathIn(Subject, PathSet),
    /// `<name> outside PATHS`: no view of it lies within.
    PathOutside(Subject, PathSet),
    /// `<name> is GLOB`, `<name> in @list`.
    WordIs(Subject, WordSet),
    /// `exists P`.
    Exists(Subject),
    /// `tracked P`.
    Tracked(Subject),
    /// `clean P`.
    Clean(Subject),
    /// `ignored P`.
    Ignored(Subject),
    /// `recoverable P`.
    Recoverable(Subject),
    /// `ref NAME`.
    Ref(Subject),
    /// `branch in LIST`.
    BranchIs(WordSet),
    /// `worktree linked`.
    WorktreeLinked,
    /// `agent is NAME`.
    AgentIs(WordSet),
    /// `tool is GLOB`.
    ToolIs(WordSet),
    /// `field NAME is GLOB`.
    FieldIs(String, WordSet),
    /// `env NAME is GLOB`.
    EnvIs(String, WordSet),
    /// `under WRAPPER`.
    Under(WordSet),
    /// `in-language python`.
    InLanguage(String),
    /// `piped from …`.
    PipedFrom(WordSet),
    /// `setting NAME`.
    Setting(String),
    /// `preset >= strict` and its kin.
    PresetAtLeast(Preset),
    /// `preset <= standard`.
    PresetAtMost(Preset),
    /// `operands none`.
    OperandsNone,
    /// `attended`.
    Attended,
    /// `on remote`.
    On(Place),
}

/// What a condition is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Subject {
    /// What `<name>` is bound to.
    Bound(String),
    /// A fixed path or word.
    Fixed(WordPattern),
}
