//! Declarations applied: a tool call → what runs and what happens.

use crate::model::declaration::Declarations;
use crate::model::{Call, Text, ToolCall, World};

/// Reads a tool call with the declarations of all layers.
pub fn interpret(tool: ToolCall, _declarations: &dyn Declarations, _world: &dyn World) -> Call {
    Call {
        tool,
        texts: vec![Text { name: "command".into(), text: String::new() }],
        runs: Vec::new(),
        effects: Vec::new(),
        unparsed: Vec::new(),
        limits: Vec::new(),
        notes: Vec::new(),
        disturbed_from: None,
    }
}
