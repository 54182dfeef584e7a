//! Declarations applied: a tool call → what runs and what happens.
//!
//! In: the call as the agent announced it, what the layers declare, the facts. Out: the [`Call`] that rules look at. The one
//! thing to know: this room knows no program and no tool; every name comes from a declaration, and what nobody declared is
//! guessed, never certain.
//!
//! The modules stand in the order of the work: a tool's fields ([`tool`]), the walk and its budgets ([`host`]), one program
//! ([`program`]) by its names ([`names`]), its argument vector ([`arguments`]), what placeholders stand for ([`bindings`]), what happens
//! ([`effects`]), what is run in turn ([`nested`], [`scripts`]), what is printed ([`output`]), guesses ([`undeclared`]), and
//! the words that all of them cut and join ([`words`]).

mod aliases;
mod arguments;
mod bindings;
mod changes;
mod code;
mod effects;
mod host;
mod names;
mod nested;
mod output;
mod program;
mod recipes;
mod scripts;
mod split;
mod tool;
mod undeclared;
mod words;

pub use tool::only_script;

use crate::model::declaration::Declarations;
use crate::model::{Call, ToolCall, World};

/// Reads a tool call with the declarations of all layers. Never fails: what cannot be read is in the call as unknown text,
/// as unparsed, or as a limit.
pub fn interpret(tool: ToolCall, declarations: &dyn Declarations, world: &dyn World) -> Call {
    let mut host = host::Interpreter::new(tool::call(tool), declarations, world);
    tool::fields(&mut host);
    host.call
}
