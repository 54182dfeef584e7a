//! A rulebook that cannot be wrong: what the image compiles and the tests judge by.

use crate::model::declaration::{Command, Language, Tool};
use crate::model::rule::{Decision, PathSet, Preset, Rule, WordSet};
use crate::model::settings::Override;
use crate::model::verdict::RuleAt;

/// One file of declarations, checked.
#[derive(Debug, Clone, PartialEq)]
pub struct Rulebook {
    /// From its header, else the file's name without its ending.
    pub name: String,
    /// From its header; `0.0.0` where there is none.
    pub version: String,
    /// One line.
    pub about: String,
    /// The file, as its layer names it.
    pub file: String,
    /// Named sets of words.
    pub lists: Vec<(String, WordSet)>,
    /// Named sets of paths.
    pub paths: Vec<(String, PathSet)>,
    /// Programs.
    pub commands: Vec<Command>,
    /// Calls of embedded languages.
    pub languages: Vec<Language>,
    /// Agents' tools.
    pub tools: Vec<Tool>,
    /// Rules and allows.
    pub rules: Vec<Rule>,
    /// Changes of other rules' decisions.
    pub overrides: Vec<Override>,
    /// Examples of all rules, in the order of the text.
    pub examples: Vec<Example>,
}

/// A command or a tool call with the decision that it must get.
#[derive(Debug, Clone, PartialEq)]
pub struct Example {
    /// The rule that states it.
    pub rule: String,
    /// What the verdict must be. For deny, ask and warn the rule must be among the findings.
    pub expected: Decision,
    /// A known gap: it must not hold yet.
    pub todo: bool,
    /// What is judged.
    pub input: ExampleInput,
    /// In which world.
    pub world: ExampleWorld,
    /// Where it stands.
    pub at: RuleAt,
}

/// What an example judges.
#[derive(Debug, Clone, PartialEq)]
pub enum ExampleInput {
    /// A command line of the everyday shell.
    Command(String),
    /// A tool call.
    Tool {
        /// The tool.
        name: String,
        /// Its fields, an object.
        fields: serde_json::Value,
    },
}

/// The facts of an example, on top of the standing world: home `/home/me`, working directory and repository `/home/me/project`
/// on branch `topic`, temporary directory `/tmp`, preset standard, attended.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ExampleWorld {
    /// Tracked files with changes.
    pub modified: Vec<String>,
    /// Tracked files without changes.
    pub clean: Vec<String>,
    /// Files that git ignores.
    pub ignored: Vec<String>,
    /// Directories that are linked worktrees.
    pub worktrees: Vec<String>,
    /// Files that are there, untracked, with their content.
    pub files: Vec<(String, String)>,
    /// The branch that is checked out.
    pub branch: Option<String>,
    /// The working directory.
    pub directory: Option<String>,
    /// The preset.
    pub preset: Option<Preset>,
    /// Variables of the environment.
    pub environment: Vec<(String, String)>,
    /// Settings, as the language names them, with one value each: `deny-paths` and a path.
    pub settings: Vec<(String, String)>,
}
