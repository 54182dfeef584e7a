//! The door of the library: one tool call, the layers and the facts in; the call as understood and the verdict out.

use crate::interpret::interpret;
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

/// Judges a tool call. Depends on nothing but its arguments; never fails: a fault of the engine is a finding that refuses.
pub fn check(tool: ToolCall, layers: &Layers, world: &dyn World) -> Judgement {
    let call = interpret(tool, layers, world);
    let verdict = decide(layers, &call, world);
    Judgement { call, verdict }
}
