//! What connecting an agent means, as plain values: which files hold which entries, and which commands of the agent's own are
//! needed. An agent's folder says it in its table entry; `setup` makes plans of it, `install` and `doctor` go through the table.
//!
//! INVARIANT (what is ours is marked): an entry is known by the command that it calls, a file or folder by [`MARK`]. Nothing
//! else is ever changed or taken away.

use serde_json::Value;

/// Stands in every text file that an installation writes as a whole, where the format has comments.
pub const MARK: &str = "@cc-safety-net-managed";

/// In a file's text: the absolute path of this program, quotes included.
pub const PROGRAM: &str = "\"@cc-safety-net-program@\"";

/// In a command of the agent's: the folder that was written for it.
pub const FOLDER: &str = "@folder@";

/// How an agent is connected.
#[derive(Debug)]
pub struct Setup {
    /// The flag of `install` that chooses it.
    pub flag: &'static str,
    /// The agent's own program, by each of its names. The first one that is found is asked for its version.
    pub programs: &'static [&'static str],
    /// Where the agent keeps its configuration.
    pub place: Place,
    /// What is written there.
    pub parts: &'static [Part],
    /// What the agent itself has to be told, by its own commands.
    pub driven: Driven,
    /// What must be so in the agent's files once it is connected, beside the parts.
    pub wants: &'static [Fact],
    /// What in the agent's files keeps it from calling any hook.
    pub switches: &'static [Fact],
    /// What a person has to do before the connection holds.
    pub afterwards: &'static str,
    /// What the guard does not see or cannot stop in this agent.
    pub cannot: &'static [Limit],
    /// The payload by which the agent would announce a command in a directory to its hook. None for one that has no hook.
    pub probe: Option<fn(&str, &str) -> Value>,
}

impl Setup {
    /// Whether what is written depends on the agent's version.
    pub fn asks_version(&self) -> bool {
        self.parts.iter().any(|part| match part {
            Part::Entries(entries) => entries.slots.iter().any(|slot| !slot.since.is_empty()),
            Part::Folder(folder) => folder.files.iter().any(|(_, content)| matches!(content, Content::From(..))),
        })
    }
}

/// A directory: the first variable that is set, with what comes below it, else a path below the user's home.
#[derive(Debug)]
pub struct Place {
    /// Variables of the agent's, each with the path below its value.
    pub variables: &'static [(&'static str, &'static str)],
    /// The path below the home.
    pub home: &'static str,
}

/// One thing that is written.
#[derive(Debug)]
pub enum Part {
    /// Entries in a file of settings.
    Entries(Entries),
    /// A folder, or a single file, that is ours as a whole.
    Folder(Folder),
}

/// Entries in a file of settings.
#[derive(Debug)]
pub struct Entries {
    /// The file, relative to [`Setup::place`].
    pub file: &'static str,
    /// How it is written.
    pub format: Format,
    /// Whether the file holds nothing but our entries; then a file of others is left alone.
    pub is_own: bool,
    /// Top-level numbers that must stand in the file for the agent to read it.
    pub fixed: &'static [(&'static str, u32)],
    /// The entries.
    pub slots: &'static [Slot],
}

/// A format of settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// JSON, with comments where they are.
    Json,
    /// TOML.
    Toml,
    /// YAML, which is read and never written.
    Yaml,
}

/// An entry: where it stands and what it is.
#[derive(Debug)]
pub struct Slot {
    /// The keys that lead to it.
    pub path: &'static [&'static str],
    /// Whether it is an item of the list there, beside others; else it is the value itself.
    pub is_item: bool,
    /// The first version of the agent that knows the place; empty for every version.
    pub since: &'static str,
    /// The entry for a hook's command line.
    pub value: fn(&str) -> Node,
}

/// A value of settings, in the order in which it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Node {
    /// A text.
    Text(String),
    /// A number.
    Number(u32),
    /// True or false.
    Truth(bool),
    /// A list.
    List(Vec<Node>),
    /// Fields.
    Fields(Vec<(&'static str, Node)>),
}

impl Node {
    /// The value without its order.
    pub fn to_value(&self) -> Value {
        match self {
            Node::Text(text) => Value::from(text.as_str()),
            Node::Number(number) => Value::from(*number),
            Node::Truth(truth) => Value::from(*truth),
            Node::List(items) => items.iter().map(Node::to_value).collect(),
            Node::Fields(fields) => {
                Value::Object(fields.iter().map(|(key, value)| (key.to_string(), value.to_value())).collect())
            }
        }
    }
}

impl From<&str> for Node {
    fn from(text: &str) -> Node {
        Node::Text(text.to_string())
    }
}

/// A group of one handler, as most agents have it: `{matcher?, hooks: [handler]}`.
pub fn group(matcher: Option<&str>, handler: Vec<(&'static str, Node)>) -> Node {
    let hooks = ("hooks", Node::List(vec![Node::Fields(handler)]));
    Node::Fields(matcher.map(|matcher| ("matcher", matcher.into())).into_iter().chain([hooks]).collect())
}

/// Files that are ours as a whole.
#[derive(Debug)]
pub struct Folder {
    /// Where it is.
    pub base: Base,
    /// The folder, relative to the base.
    pub path: &'static str,
    /// Whether the folder is the agent's, with files of others in it.
    pub is_shared: bool,
    /// The files. The first one carries the mark by which the rest is known.
    pub files: &'static [(&'static str, Content)],
}

/// Where a folder is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Base {
    /// In the agent's configuration.
    Agent,
    /// In our own directory for such things; the agent is told by its own command.
    Ours,
}

/// What is in a file.
#[derive(Debug, Clone, Copy)]
pub enum Content {
    /// This text, in which [`PROGRAM`] is replaced.
    Text(&'static str),
    /// A plugin with the engine in it, as `src/engine/build` made it.
    Plugin(&'static str),
    /// The first plugin from this version of the agent on, else, and where the version is not known, the second.
    From(&'static str, &'static str, &'static str),
}

/// What the agent's own program is told.
#[derive(Debug)]
pub struct Driven {
    /// To connect.
    pub connect: &'static [Call],
    /// To disconnect.
    pub disconnect: &'static [Call],
    /// What to ask for whether it is connected, and a text that then stands in a line of the answer.
    pub ask: Option<(&'static [&'static str], &'static str)>,
}

impl Driven {
    /// Nothing: the files are enough.
    pub const NOT: Driven = Driven { connect: &[], disconnect: &[], ask: None };
}

/// One command of an agent's own program.
#[derive(Debug)]
pub struct Call {
    /// Its arguments.
    pub arguments: &'static [&'static str],
    /// Arguments that take it back; none where nothing has to be.
    pub undo: &'static [&'static str],
    /// A text that its output must have.
    pub expects: &'static str,
}

/// A value in one of the agent's files, and what it means.
#[derive(Debug)]
pub struct Fact {
    /// The file, relative to [`Setup::place`].
    pub file: &'static str,
    /// How it is written.
    pub format: Format,
    /// The keys that lead to it.
    pub path: &'static [&'static str],
    /// The value.
    pub is: Is,
    /// The sentence for it (a switch), or for its lack (a want).
    pub says: &'static str,
}

/// Something that the guard does not see or cannot stop in an agent.
#[derive(Debug)]
pub struct Limit {
    /// The first version for which it no longer is so; empty where every version has it.
    pub before: &'static str,
    /// The sentence.
    pub says: &'static str,
}

/// Whether a text that names a version names at least this one. An empty one is named by every text.
///
/// ```
/// # use cc_safety_net::agents::setup::is_at_least;
/// assert!(is_at_least("2.1.332 (Claude Code)", "2.1.295") && is_at_least("codex-cli 0.171.0", "0.99"));
/// assert!(!is_at_least("v1.18.33", "2.0"));
/// ```
pub fn is_at_least(said: &str, version: &str) -> bool {
    let numbers = |text: &str| -> Vec<u64> {
        let version = text.split(|c: char| !c.is_ascii_digit() && c != '.').find(|word| word.contains('.'));
        version.unwrap_or_default().split('.').filter_map(|number| number.parse().ok()).collect()
    };
    version.is_empty() || numbers(said) >= numbers(version)
}

/// What a value is compared with.
#[derive(Debug, Clone, Copy)]
pub enum Is {
    /// True or false.
    Truth(bool),
    /// A list that holds this text.
    Holds(&'static str),
}
