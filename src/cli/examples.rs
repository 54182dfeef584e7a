//! Examples of rulebooks, judged: each in its own world, by the real engine.
//!
//! In come checked rulebooks and the layers in which they stand, out comes what became of each example. `rule test` prints it,
//! and an integration test runs the whole catalogue through it.

use crate::agents;
use crate::check::check;
use crate::explain::message;
use crate::language::{Example, ExampleInput, ExampleWorld, Rulebook};
use crate::model::{Decision, Preset, ToolCall, Verdict};
use crate::policy::Layers;
use crate::world::Memory;

/// What became of an example.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// It holds.
    Holds,
    /// It does not.
    Fails,
    /// A known gap, still open.
    Gap,
    /// A known gap that is closed: `todo` can go.
    Closed,
}

/// One example, tried.
#[derive(Debug, Clone)]
pub struct Tried<'a> {
    /// The example.
    pub example: &'a Example,
    /// What became of it.
    pub outcome: Outcome,
    /// The verdict that it got.
    pub verdict: Verdict,
}

impl Tried<'_> {
    /// Why it does not hold, in one line: what was wanted, and the rule, the layer and the reason of what it got.
    pub fn why(&self) -> String {
        let wanted = self.example.expected.word();
        let found = |rule: &str| self.verdict.findings.iter().any(|finding| finding.rule == rule);
        if self.verdict.decision == self.example.expected && !found(&self.example.rule) {
            return match self.verdict.findings.first() {
                Some(other) => format!("decided by {} ({}), not by this rule", other.rule, message::layer(other.layer)),
                None => "not by this rule".into(),
            };
        }
        match self.verdict.findings.first() {
            Some(finding) => format!(
                "wanted {wanted}, got {} by {} ({}): {}",
                self.verdict.decision.word(),
                finding.rule,
                message::layer(finding.layer),
                finding.reason
            ),
            None => match self.verdict.set_aside.iter().find(|(finding, _)| finding.rule == self.example.rule) {
                Some((_, because)) => format!("wanted {wanted}, got allow: set aside, {because}"),
                None => format!("wanted {wanted}, got allow: no rule matched"),
            },
        }
    }
}

/// Tries every example of the rulebooks. The layers' preset is set for each example and left as it was.
pub fn run<'a>(rulebooks: &'a [Rulebook], layers: &mut Layers) -> Vec<Tried<'a>> {
    let before = layers.preset;
    let mut tried = Vec::new();
    for rulebook in rulebooks {
        for example in &rulebook.examples {
            layers.preset = example.world.preset.unwrap_or_else(|| level(rulebook, &example.rule));
            tried.push(judge(example, layers));
        }
    }
    layers.preset = before;
    tried
}

/// The preset from which on a rule is active: its examples are judged by it where they name none.
fn level(rulebook: &Rulebook, rule: &str) -> Preset {
    rulebook.rules.iter().find(|each| each.id == rule).map_or(Preset::Standard, |rule| rule.level)
}

/// Tries one example in the layers as they are.
pub fn judge<'a>(example: &'a Example, layers: &Layers) -> Tried<'a> {
    let world = world(&example.world);
    let call = call(example, world.working_directory());
    let verdict = check(call, layers, &world).verdict;
    let by_this_rule = verdict.findings.iter().any(|finding| finding.rule == example.rule);
    let holds = verdict.decision == example.expected && (example.expected == Decision::Allow || by_this_rule);
    let outcome = match (example.todo, holds) {
        (false, true) => Outcome::Holds,
        (false, false) => Outcome::Fails,
        (true, false) => Outcome::Gap,
        (true, true) => Outcome::Closed,
    };
    Tried { example, outcome, verdict }
}

/// The standing world with what the example adds; relative paths are taken from the example's directory.
pub fn world(of: &ExampleWorld) -> Memory {
    let mut world = Memory::standing();
    if let Some(directory) = &of.directory {
        world = world.directory(directory);
    }
    if let Some(branch) = &of.branch {
        world = world.branch(branch);
    }
    for path in &of.modified {
        world = world.modified(path);
    }
    for path in &of.clean {
        world = world.clean(path);
    }
    for (path, text) in &of.files {
        world = world.file(path, text);
    }
    for (name, value) in &of.environment {
        world = world.variable_set(name, value);
    }
    world
}

/// The example's input as a tool call of an attended session; a command goes to the first agent's shell tool.
pub fn call(example: &Example, directory: &str) -> ToolCall {
    let agent = agents::DEFAULT;
    let (tool, fields) = match &example.input {
        ExampleInput::Command(command) => (agent.shell.tool.into(), serde_json::json!({ agent.shell.field: command })),
        ExampleInput::Tool { name, fields } => (name.clone(), fields.clone()),
    };
    ToolCall {
        agent: agent.name.into(),
        tool,
        fields,
        directory: directory.into(),
        workspace: None,
        attended: true,
        session: String::new(),
    }
}

/// The example's input in one line.
pub fn shown(example: &Example) -> String {
    match &example.input {
        ExampleInput::Command(command) => command.clone(),
        ExampleInput::Tool { name, fields } => format!("tool {name} {fields}"),
    }
}
