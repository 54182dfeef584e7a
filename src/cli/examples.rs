//! Examples of rulebooks, judged: each in its own world, by the real engine.
//!
//! In come checked rulebooks and the layers in which they stand, out comes what became of each example. `rule test` prints it,
//! and an integration test runs the whole catalogue through it. An example says what its own rule makes of a call: overrides of
//! the rulebooks themselves are left out by whoever stacks the layers.

use crate::agents;
use crate::check::check;
use crate::explain::message;
use crate::language::{Example, ExampleInput, ExampleWorld, Rulebook};
use crate::model::{Decision, Preset, ToolCall, Verdict};
use crate::policy::Layers;
use crate::proof::Candidate;
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

/// Tries every example of the rulebooks. The layers' preset and settings are set for each example and left as they were.
pub fn run<'a>(rulebooks: &'a [Rulebook], layers: &mut Layers) -> Vec<Tried<'a>> {
    let mut tried = Vec::new();
    for rulebook in rulebooks {
        for example in &rulebook.examples {
            tried.push(within(rulebook, example, layers, |layers| judge(example, layers)));
        }
    }
    tried
}

/// Does something with the layers set as an example's world says.
pub fn within<T>(rulebook: &Rulebook, example: &Example, layers: &mut Layers, act: impl FnOnce(&Layers) -> T) -> T {
    let preset = example.world.preset.unwrap_or_else(|| usual_preset(rulebook, &example.rule));
    set_for(&example.world, preset, layers, act)
}

/// Judges a call that shows something of a rule, with the layers set as its world says.
pub fn verdict(candidate: &Candidate, layers: &mut Layers) -> Verdict {
    let world = world(&candidate.world);
    let mut call = call_of(&candidate.input, world.working_directory());
    call.attended = candidate.attended;
    let preset = candidate.world.preset.unwrap_or_default();
    set_for(&candidate.world, preset, layers, |layers| check(call, layers, &world).verdict)
}

fn set_for<T>(world: &ExampleWorld, preset: Preset, layers: &mut Layers, act: impl FnOnce(&Layers) -> T) -> T {
    let before = (layers.preset, layers.settings.clone());
    layers.preset = preset;
    for (name, value) in &world.settings {
        match name.as_str() {
            "allow-paths" => layers.settings.allow_paths.push(value.clone()),
            "deny-paths" if value.starts_with(['/', '~', '@', '*']) => layers.settings.deny_paths.push(value.clone()),
            "deny-paths" => layers.settings.deny_paths.push(format!("@project/{value}")),
            _ => layers.settings.worktree = Some(true),
        }
    }
    let result = act(layers);
    (layers.preset, layers.settings) = before;
    result
}

/// The preset of a rule's examples that name none: the one from which on the rule is active; standard where another of its
/// examples names one, since then it is told from the others.
fn usual_preset(rulebook: &Rulebook, rule: &str) -> Preset {
    if rulebook.examples.iter().any(|example| example.rule == rule && example.world.preset.is_some()) {
        return Preset::Standard;
    }
    rulebook.rules.iter().find(|each| each.id == rule).map_or(Preset::Standard, |rule| rule.level)
}

/// Tries one example in the layers as they are.
pub fn judge<'a>(example: &'a Example, layers: &Layers) -> Tried<'a> {
    let world = world(&example.world);
    let call = call(example, world.working_directory());
    let verdict = check(call, layers, &world).verdict;
    let by_this_rule = verdict.findings.iter().any(|finding| finding.rule == example.rule);
    // What the preset lets through this rule has found all the same: that another one decides is a matter of `rule check`.
    let by_this_rule = by_this_rule || verdict.set_aside.iter().any(|(finding, _)| finding.rule == example.rule);
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
    for path in &of.ignored {
        world = world.ignored(path);
    }
    for path in &of.worktrees {
        world = world.repository_at(path).linked_worktree_at(path);
    }
    for (name, value) in &of.environment {
        world = world.variable_set(name, value);
    }
    world
}

/// The example's input as a tool call of an attended session; a command goes to the first agent's shell tool.
pub fn call(example: &Example, directory: &str) -> ToolCall {
    call_of(&example.input, directory)
}

fn call_of(input: &ExampleInput, directory: &str) -> ToolCall {
    match input {
        ExampleInput::Command(command) => agents::DEFAULT.shell_call(directory, command),
        ExampleInput::Tool { name, fields } => {
            ToolCall { tool: name.clone(), fields: fields.clone(), ..agents::DEFAULT.shell_call(directory, "") }
        }
    }
}

/// The example's input in one line.
pub fn shown(example: &Example) -> String {
    shown_input(&example.input)
}

/// A call in one line.
pub fn shown_input(input: &ExampleInput) -> String {
    match input {
        ExampleInput::Command(command) => command.clone(),
        ExampleInput::Tool { name, fields } => format!("tool {name} {fields}"),
    }
}
