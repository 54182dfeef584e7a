//! What rulebooks declare about programs, languages and tools. Checked: names resolve, nothing is contradictory.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::effect::{Source, Verb};
use super::late::Late;
use super::rule::{PathSet, WordPattern, WordSet};

/// How a program's arguments are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
pub enum Syntax {
    /// Options anywhere, clusters of short ones, `--long=value`, unambiguous prefixes of long ones, `--` ends them.
    #[default]
    Gnu,
    /// As gnu, but options end at the first positional.
    Posix,
    /// `-long`, `-long=value`, `-long value`; no clusters.
    SingleDashLong,
    /// An expression: the words before the first that begins with `-`, `(` or `!` are positionals, then primaries.
    Expression,
    /// `key=value` words are the options (`dd if=…`).
    KeyValue,
    /// As gnu, and the first word is a cluster even without a dash (`tar xzf`).
    BundledFirst,
    /// `-Parameter`, any case, shortened where unambiguous, `-Name:value`.
    PowerShell,
    /// `/x`, any case.
    Cmd,
}

/// What a program's output is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Yield {
    /// The function.
    pub function: YieldFunction,
    /// Its argument: a placeholder, `stdin`, or nothing.
    pub argument: Argument,
    /// Only when this holds of the options given.
    pub when: Option<Given>,
}

/// The closed set of functions from a program's input to its output.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum YieldFunction {
    /// The argument's text (`cat FILE`, `which NAME`, `echo ARG`).
    Text,
    /// A fixed text.
    Literal(String),
    /// The last component of the argument.
    BaseName,
    /// All but the last component.
    DirName,
    /// Decoded.
    Base64Decoded,
    /// Decoded.
    HexDecoded,
    /// Character by character (`rev`).
    Reversed,
    /// Translated character by character (`tr a b`): the two positionals are the sets.
    Translated,
    /// A fresh path below the temporary directory.
    Temporary,
    /// What the network says.
    Network,
}

/// What an effect, a yield or a call is applied to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Argument {
    /// Nothing is named.
    None,
    /// The value of the option or operand with this placeholder (`PATH`), with a glob below it (`PATH/**`) where given.
    Placeholder {
        /// The name, upper case.
        name: String,
        /// Appended to each value, with its slash (`/**`).
        below: Option<String>,
    },
    /// What follows a beginning in the values of a placeholder, always a path or a text of its own: `DATA after "@"` is the
    /// file of `-d @file`, `SETTING after alias.*=!` the command of an alias. Values that do not begin so say nothing.
    After {
        /// The placeholder; empty for the option's own value, or all operands.
        name: String,
        /// The shortest beginning that matches is taken off.
        beginning: WordPattern,
    },
    /// What the values of a placeholder are when decoded (`executes powershell base64-decoded CODE`).
    Decoded {
        /// The placeholder; empty for the option's own value, or all operands.
        name: String,
        /// From which encoding.
        from: YieldFunction,
    },
    /// Standard input.
    Stdin,
    /// A fixed path or word (`@tmp/*`, `/dev/null`), as a set.
    Paths(PathSet),
}

/// A test of which options and operands were given.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Given {
    /// An option in any of its spellings.
    Option(String),
    /// An operand or an option's value.
    Placeholder(String),
    /// A placeholder's value matches the glob.
    Is(String, WordSet),
    /// Not.
    Not(#[serde(deserialize_with = "super::depth::limited")] Box<Given>),
    /// All.
    All(#[serde(deserialize_with = "super::depth::limited")] Vec<Given>),
    /// Any.
    Any(#[serde(deserialize_with = "super::depth::limited")] Vec<Given>),
}

/// One thing that an option's value, an operand or standard input does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Does {
    /// What happens.
    pub act: Act,
    /// Applied to.
    pub argument: Argument,
    /// Whether below it, too.
    pub recursively: bool,
    /// Whether in spite of protection.
    pub forcibly: bool,
    /// Where written or sent or executed data comes from (`writes DEST from network`, `from SOURCE`).
    pub from: Option<From>,
    /// Only when this holds.
    pub when: Option<Given>,
    /// Not when this holds.
    pub unless: Option<Given>,
}

/// Where data comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum From {
    /// A source of the language.
    Source(Source),
    /// The files named by a placeholder.
    Placeholder(String),
}

/// What happens.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Act {
    /// A plain effect.
    Effect(Verb),
    /// The argument is code of this language (`executes shell`); `any` where it may be any.
    Executes(String),
    /// The argument is an argument vector, or the words of one: the rest of the arguments for a repeated operand.
    Runs,
    /// As [`Act::Runs`], the words up to one of these, with a placeholder word in them standing for `as_argument`
    /// (`-exec … ;` with `{}` as `PATH/**`).
    RunsUntil {
        /// The words that end the command.
        terminators: Vec<String>,
        /// The word that stands for the path.
        placeholder: String,
        /// What it stands for.
        as_argument: Argument,
    },
    /// The value narrows the recursive effects of the same invocation (`find -name`).
    Narrows,
    /// The argument's value is assigned to the environment of what is run (`env NAME=value`).
    Assigns,
    /// While the option is given, certainly and not computed, nothing else that this command or subcommand declares happens
    /// (`--dry-run`, `--help`).
    Cancels,
    /// The argument's words stand among the arguments, in its place; of a variable, before them (`env -S`, `TAR_OPTIONS`).
    Splits,
    /// The argument's value is the word that an item of standard input takes the place of (`xargs -I`); without a value, `{}`.
    Replaces,
    /// `as_argument` is another name of the argument from then on (`ln`).
    Links {
        /// The other name.
        as_argument: Argument,
    },
    /// The argument names a file that is run in this language, or with the language's entry (`executes-file package.json as
    /// json-scripts entry NAME`). [`Act::Effect`] with [`Verb::ExecutesFile`] is the same in the program's own language.
    ExecutesFile {
        /// The language; none: the program's own, else by the file's first line.
        language: Option<String>,
        /// A placeholder (upper case) or a word: what of the file is run. None: all of it, or its first entry.
        entry: Option<String>,
    },
    /// The argument's value is what a subcommand's other name stands for (`git -c alias.x=…`): the name is what stands behind
    /// the last dot of the first half of the option's `KEY=VALUE`. A value that begins with `!` is a shell command, which the
    /// rest of the words follow; any other one is words of this program.
    Aliases,
}

/// One option.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OptionDeclaration {
    /// `-f`, `--force`; for [`Syntax::KeyValue`] `of`, without the sign.
    pub spellings: Vec<String>,
    /// How it takes a value.
    pub value: ValueKind,
    /// The placeholder of its value; empty where it takes none. `KEY=VALUE` names the halves before and behind the first `=`,
    /// `NAME VALUE` the two values of [`ValueKind::Pair`].
    pub placeholder: String,
    /// What its value, or its being given, does.
    pub does: Late<Vec<Does>>,
}

/// Variables of the environment that a program acts on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Variable {
    /// Globs over the variable's name.
    pub names: Vec<WordPattern>,
    /// What its value is called in `does`: `VALUE` where nothing is said. `KEY=VALUE`: the variables stand in pairs, one that
    /// matches the first name holds the key, the one that matches the second name with the same ending the value (git's
    /// `GIT_CONFIG_KEY_0`).
    pub placeholder: String,
    /// What its value does.
    pub does: Vec<Does>,
}

/// How an option takes a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum ValueKind {
    /// It takes none.
    None,
    /// Attached or as the next word.
    Required,
    /// Attached only, and may be missing (`--color[=WHEN]`).
    Attached,
    /// Two values, each the next word (`--arg NAME VALUE`).
    Pair,
    /// All the rest of the words (`-Command CODE...`); as code they are joined by blanks.
    Rest,
}

/// One operand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Operand {
    /// Upper case.
    pub name: String,
    /// How often it stands.
    pub times: Times,
}

/// How often an operand stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Times {
    /// `NAME`.
    Once,
    /// `NAME?`.
    Optional,
    /// `NAME...`: zero or more.
    Repeated,
}

/// How a program, or one of its subcommands, reads its arguments and what it does. Its subcommands are written and read apart
/// from it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Command {
    /// The names that it goes by; several programs may share a declaration.
    pub names: Vec<String>,
    /// How its arguments are written; a subcommand has its parent's.
    pub syntax: Syntax,
    /// The shell whose command it is (`powershell`), where only there.
    pub shell: Option<String>,
    /// Options; a subcommand's parent's options hold before the subcommand's word, and, where `global`, after it.
    pub options: Vec<OptionDeclaration>,
    /// Operands, required ones filled first, then left to right.
    pub operands: Vec<Operand>,
    /// What the operands do.
    pub does: Vec<Does>,
    /// `runs COMMAND...`: the rest is another command. The name of that operand.
    pub runs: Option<Runs>,
    /// What is done with standard input.
    pub stdin: Vec<Does>,
    /// Whether `NAME=value` words may stand before the command that it runs.
    pub assignments: bool,
    /// What its output is; none: unknown text that carries what it read.
    pub yields: Vec<Yield>,
    /// Whose file system the command that it runs means (`ssh`: remote).
    pub runs_on: super::effect::Place,
    /// What variables of its environment do.
    pub environment: Late<Vec<Variable>>,
    /// Subcommands.
    #[serde(skip)]
    pub subcommands: Subcommands,
    /// Where it is declared: file and bytes, for `rule show` and for diagnostics.
    pub at: Option<super::verdict::RuleAt>,
}

/// A command's subcommands.
#[derive(Debug, Clone)]
pub enum Subcommands {
    /// As a rulebook declares them.
    Here(Vec<Command>),
    /// Where they are stored; read one by one, since a call names one of hundreds.
    Apart(Arc<dyn Branches>),
}

/// A store of subcommands.
pub trait Branches: std::fmt::Debug + Send + Sync {
    /// The subcommand of this name, where there is one.
    fn find(&self, name: &str) -> Option<&Command>;
}

impl Default for Subcommands {
    fn default() -> Subcommands {
        Subcommands::Here(Vec::new())
    }
}

impl Subcommands {
    /// Those that are here.
    pub fn here(&self) -> &[Command] {
        match self {
            Subcommands::Here(all) => all,
            Subcommands::Apart(_) => &[],
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        matches!(self, Subcommands::Here(all) if all.is_empty())
    }

    /// The subcommand of this name, where there is one.
    pub fn find(&self, name: &str) -> Option<&Command> {
        match self {
            Subcommands::Here(all) => all.iter().find(|command| command.names.iter().any(|known| known == name)),
            Subcommands::Apart(branches) => branches.find(name),
        }
    }
}

/// Stored ones are equal where they are the same store.
impl PartialEq for Subcommands {
    fn eq(&self, other: &Subcommands) -> bool {
        match (self, other) {
            (Subcommands::Here(one), Subcommands::Here(other)) => one == other,
            (Subcommands::Apart(one), Subcommands::Apart(other)) => Arc::ptr_eq(one, other),
            _ => false,
        }
    }
}

impl Eq for Subcommands {}

/// That the rest of the arguments is another command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Runs {
    /// The operand's name.
    pub operand: String,
    /// Whether more arguments come from standard input (`xargs`).
    pub arguments_from_stdin: bool,
    /// Whether it is one text for a shell rather than words, joined by blanks (`ssh HOST cmd…`, `watch`).
    pub joined: bool,
    /// Words behind which arguments for the command stand, too (`parallel cmd ::: a b`).
    pub arguments_after: Vec<String>,
    /// The word in the command that such an argument, or an item of standard input, takes the place of.
    pub placeholder: Option<String>,
}

/// Calls of an embedded language.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Language {
    /// `python`.
    pub name: String,
    /// The calls.
    pub calls: Vec<LibraryCall>,
}

/// One call of a library.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LibraryCall {
    /// `os.system`, `fs.rmSync`.
    pub names: Vec<String>,
    /// Its parameters in order.
    pub parameters: Vec<Operand>,
    /// What it does.
    pub does: Vec<Does>,
    /// What the program prints by it.
    pub yields: Vec<Yield>,
}

/// An agent's tool that is no shell, or that is one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tool {
    /// Globs over the tool's name.
    pub name: WordPattern,
    /// Fields by dotted path (`edits.file_path`; a list is walked).
    pub fields: Vec<Field>,
}

/// One field of a tool.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Field {
    /// The field's name, dotted for nested ones.
    pub name: String,
    /// What its value does. The argument is the field's own value where it is [`Argument::None`].
    pub does: Vec<Does>,
}

/// The declarations of all layers together. A name may have several: each is one reading, and the findings are those of all
/// readings together, so that nobody loosens by declaring.
pub trait Declarations {
    /// Declarations of the program with this base name.
    fn commands(&self, name: &str) -> Vec<Arc<Command>>;
    /// Calls of the language.
    fn languages(&self, name: &str) -> Vec<Arc<Language>>;
    /// Declarations of the agents' tools whose glob matches the name.
    fn tools(&self, name: &str) -> Vec<Arc<Tool>>;
}
