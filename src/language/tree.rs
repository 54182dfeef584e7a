//! A rulebook as it is written: every word where it stands, nothing resolved yet. Texts are borrowed from the file.

use super::diagnostic::At;

/// A word as written, quotes and globs included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Raw<'t> {
    pub text: &'t str,
    pub at: At,
}

/// One item of a file.
#[derive(Debug)]
pub struct Item<'t> {
    pub kind: ItemKind<'t>,
    pub at: At,
    /// Whether a part of it could not be read. The rest is checked, so that its faults come out too, but the item does not hold.
    pub broken: bool,
}

#[derive(Debug)]
pub enum ItemKind<'t> {
    Rulebook(Raw<'t>),
    Version(Raw<'t>),
    About(Quoted<'t>),
    Set(Set<'t>),
    Command(Command<'t>),
    Language(Language<'t>),
    Tool(Tool<'t>),
    Rule(Rule<'t>),
    Override { id: Raw<'t>, decision: Raw<'t> },
}

/// A string as written between its quotes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quoted<'t> {
    pub text: &'t str,
    pub at: At,
}

#[derive(Debug)]
pub struct Set<'t> {
    pub paths: bool,
    pub name: Raw<'t>,
    pub any: Vec<Raw<'t>>,
    pub except: Vec<Raw<'t>>,
}

/// A command or a subcommand.
#[derive(Debug)]
pub struct Command<'t> {
    pub names: Vec<Raw<'t>>,
    pub clauses: Vec<CommandClause<'t>>,
    pub at: At,
}

#[derive(Debug)]
pub enum CommandClause<'t> {
    Subcommand(Command<'t>),
    Option { spellings: Vec<Raw<'t>>, value: Option<Raw<'t>>, does: Vec<Effect<'t>> },
    Operands { parameters: Vec<Raw<'t>>, does: Vec<Effect<'t>>, at: At },
    Always { does: Vec<Effect<'t>> },
    Runs(Runs<'t>),
    Stdin { does: Vec<Effect<'t>>, at: At },
    Environment { names: Vec<Raw<'t>>, value: Option<Raw<'t>>, does: Vec<Effect<'t>> },
    Assignments,
    Syntax(Raw<'t>),
    Shell(Raw<'t>),
    Yields(Yield<'t>, Vec<Given<'t>>),
}

/// That the rest of the arguments is a command.
#[derive(Debug)]
pub struct Runs<'t> {
    pub operand: Raw<'t>,
    pub joined: bool,
    pub from_stdin: bool,
    pub after: Vec<String>,
    pub placeholder: Option<Quoted<'t>>,
    pub on: Option<Raw<'t>>,
    pub at: At,
}

#[derive(Debug)]
pub struct Effect<'t> {
    pub kind: EffectKind<'t>,
    pub given: Vec<Given<'t>>,
    pub at: At,
}

#[derive(Debug)]
pub enum EffectKind<'t> {
    Yields(Yield<'t>),
    RunsUntil { terminators: Option<Group<'t>>, terminator: Option<Quoted<'t>>, placeholder: Quoted<'t>, object: Object<'t> },
    Runs(Option<Raw<'t>>),
    Narrows,
    Cancels,
    Assigns(Option<Raw<'t>>),
    Splits(Option<Raw<'t>>),
    Replaces(Option<Raw<'t>>),
    Aliases(Option<Raw<'t>>),
    Links { object: Object<'t>, name: Object<'t> },
    ExecutesFileAs { object: Option<Object<'t>>, language: Raw<'t>, entry: Option<Raw<'t>> },
    Executes { language: Option<Raw<'t>>, function: Option<Raw<'t>>, argument: Option<Raw<'t>>, how: How<'t> },
    Plain { verb: Raw<'t>, object: Option<Object<'t>>, how: How<'t> },
}

/// What both kinds of effect may say.
#[derive(Debug, Default)]
pub struct How<'t> {
    pub qualifiers: Vec<Raw<'t>>,
    pub after: Option<Raw<'t>>,
    pub from: Option<Raw<'t>>,
    pub on: Option<Raw<'t>>,
}

#[derive(Debug, Clone, Copy)]
pub enum Object<'t> {
    Placed(Raw<'t>),
    Computed(Raw<'t>, Raw<'t>),
    Stdin,
    Reference(Raw<'t>),
    Word(Raw<'t>),
}

#[derive(Debug)]
pub enum Yield<'t> {
    Literal(Quoted<'t>),
    Function(Raw<'t>, Option<Raw<'t>>),
    Argument(Raw<'t>),
    Word(Raw<'t>),
}

/// `when` or `unless` with its condition.
#[derive(Debug)]
pub struct Given<'t> {
    pub unless: bool,
    pub condition: Condition<'t>,
}

#[derive(Debug)]
pub struct Language<'t> {
    pub name: Raw<'t>,
    pub calls: Vec<Call<'t>>,
}

#[derive(Debug)]
pub struct Call<'t> {
    pub names: Vec<Raw<'t>>,
    pub parameters: Vec<Raw<'t>>,
    pub does: Vec<Effect<'t>>,
}

#[derive(Debug)]
pub struct Tool<'t> {
    pub name: Raw<'t>,
    pub fields: Vec<Field<'t>>,
}

#[derive(Debug)]
pub struct Field<'t> {
    pub name: Raw<'t>,
    pub does: Vec<Effect<'t>>,
}

/// A rule or an allow.
#[derive(Debug)]
pub struct Rule<'t> {
    pub allow: bool,
    pub name: Raw<'t>,
    pub clauses: Vec<(RuleClause<'t>, At)>,
}

#[derive(Debug)]
pub enum RuleClause<'t> {
    Match {
        pattern: Pattern<'t>,
        given: Vec<Given<'t>>,
    },
    Given(Given<'t>),
    Decide {
        decision: Raw<'t>,
        otherwise: Option<Raw<'t>>,
        reason: Quoted<'t>,
    },
    Possible {
        decision: Raw<'t>,
        otherwise: Option<Raw<'t>>,
    },
    Instead(Quoted<'t>),
    Intent(Raw<'t>),
    Also {
        ids: Vec<Raw<'t>>,
        programs: Vec<Raw<'t>>,
    },
    Floor,
    Level(Raw<'t>),
    Because(Quoted<'t>),
    Owner(Quoted<'t>),
    Expires(Raw<'t>),
    /// The block's text as it stands; read by itself, where examples are asked for.
    Examples(Raw<'t>),
}

#[derive(Debug)]
pub enum Pattern<'t> {
    Command {
        elements: Vec<Element<'t>>,
        at: At,
    },
    Effect {
        verb: Raw<'t>,
        qualifiers: Vec<Raw<'t>>,
        object: Option<SetOf<'t>>,
        language: Option<Raw<'t>>,
        code: Option<Quoted<'t>>,
        from: Option<Raw<'t>>,
        on: Option<Raw<'t>>,
    },
    Tool {
        name: Operand<'t>,
        fields: Vec<(Raw<'t>, Operand<'t>)>,
    },
}

#[derive(Debug)]
pub enum Element<'t> {
    Absent(Raw<'t>),
    Dots(At),
    Operand(Operand<'t>),
}

#[derive(Debug)]
pub enum Operand<'t> {
    Group(Group<'t>),
    Capture(Capture<'t>),
    Reference(Raw<'t>),
    Word(Raw<'t>),
}

#[derive(Debug)]
pub struct Group<'t> {
    pub alternatives: Vec<Vec<Element<'t>>>,
    pub at: At,
}

#[derive(Debug, Clone, Copy)]
pub struct Capture<'t> {
    pub name: Raw<'t>,
    pub of: Option<CaptureOf<'t>>,
    pub at: At,
}

#[derive(Debug, Clone, Copy)]
pub enum CaptureOf<'t> {
    Reference(Raw<'t>),
    Word(Raw<'t>),
}

/// What a comparison is with.
#[derive(Debug)]
pub struct SetOf<'t> {
    pub of: SetOfKind<'t>,
    pub except: Vec<Raw<'t>>,
}

#[derive(Debug)]
pub enum SetOfKind<'t> {
    Setting(Raw<'t>),
    Operand(Operand<'t>),
}

#[derive(Debug)]
#[allow(clippy::large_enum_variant)] // most conditions are a single test; a box would cost more than it saves
pub enum Condition<'t> {
    All(Vec<Condition<'t>>),
    Any(Vec<Condition<'t>>),
    Not(Box<Condition<'t>>),
    Test(Test<'t>, At),
}

#[derive(Debug)]
pub enum Test<'t> {
    Compare(Capture<'t>, Raw<'t>, SetOf<'t>),
    Fact(Raw<'t>, Raw<'t>, SetOf<'t>),
    Subject(Raw<'t>, SubjectOf<'t>),
    Preset(Raw<'t>, Raw<'t>),
    Setting(Raw<'t>),
    Env(Raw<'t>, SetOf<'t>),
    Field(Raw<'t>, SetOf<'t>),
    Piped(Operand<'t>),
    Under(Operand<'t>),
    InLanguage(Raw<'t>),
    Worktree,
    Attended,
    NoOperands,
    Match(Box<Pattern<'t>>),
    On(Raw<'t>),
    Value(Raw<'t>, Raw<'t>, SetOf<'t>),
    OptionGiven(Raw<'t>),
    PlaceholderGiven(Raw<'t>),
    /// Reported already.
    Wrong,
}

#[derive(Debug, Clone, Copy)]
pub enum SubjectOf<'t> {
    Capture(Capture<'t>),
    Word(Raw<'t>),
}

#[derive(Debug)]
pub struct Example<'t> {
    pub todo: bool,
    pub decision: Raw<'t>,
    pub input: ExampleInput<'t>,
    pub world: Vec<World<'t>>,
    pub at: At,
}

#[derive(Debug)]
pub enum ExampleInput<'t> {
    Code { text: &'t str, long: bool },
    Tool { name: Raw<'t>, fields: serde_json::Value },
}

#[derive(Debug)]
pub enum World<'t> {
    With { kind: Raw<'t>, word: Raw<'t>, content: Option<(&'t str, bool)> },
    In(Raw<'t>),
    Preset(Raw<'t>),
    Env(Raw<'t>),
    Setting(Raw<'t>),
}
