//! The door of the library: one tool call, the layers and the facts in; the call as understood and the verdict out.

use crate::interpret::{interpret, only_script};
use crate::model::{Call, ToolCall, Verdict, World};
use crate::policy::{Layers, decide};

/// A tool call judged.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    /// The call as understood: what runs, what happens.
    pub call: Call,
    /// What the layers say.
    pub verdict: Verdict,
}

/// The stages of a hook's work, in order. A fault may be injected before each, and a trace of time taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    /// The payload is read.
    Decode,
    /// The layers are loaded.
    Layers,
    /// The call is read with the declarations.
    Interpret,
    /// The call is judged.
    Decide,
    /// The reply is written.
    Encode,
    /// The decision is put on record.
    Record,
}

impl Stage {
    /// Every stage with its name, in order.
    pub const ALL: [(Stage, &'static str); 6] = [
        (Stage::Decode, "decode"),
        (Stage::Layers, "layers"),
        (Stage::Interpret, "interpret"),
        (Stage::Decide, "decide"),
        (Stage::Encode, "encode"),
        (Stage::Record, "record"),
    ];
}

/// Whether a tool call is so plain, and so far from every rule, that [`check`] would find nothing.
pub fn may_skip(tool: &ToolCall, layers: &Layers, world: &dyn World) -> bool {
    let Some(script) = only_script(tool, layers) else { return false };
    layers.may_skip(tool, script, world)
}

/// Judges a tool call. Depends on nothing but its arguments; never fails: a fault of the engine is a finding that refuses.
pub fn check(tool: ToolCall, layers: &Layers, world: &dyn World) -> Judgement {
    check_by_stages(tool, layers, world, &|_| ())
}

/// As [`check`], with `begins` told before each stage.
pub fn check_by_stages(tool: ToolCall, layers: &Layers, world: &dyn World, begins: &dyn Fn(Stage)) -> Judgement {
    begins(Stage::Interpret);
    let call = interpret(tool, layers, world);
    begins(Stage::Decide);
    let verdict = decide(layers, &call, world);
    Judgement { call, verdict }
}
