//! The vocabulary of the product as plain data. Nothing here computes a verdict, and nothing here touches the machine.
//!
//! The modules stand in the order of a call: where text came from ([`span`]), what a shell word may be ([`word`]), what runs
//! ([`invocation`]) and what it does ([`effect`]), the declarations that say so ([`declaration`]), the rules that judge it
//! ([`rule`]), the call as the agent announced it ([`call`]), the facts that decide ([`facts`]), and the answer
//! ([`verdict`]).

pub mod call;
pub mod declaration;
pub mod depth;
pub mod effect;
pub mod facts;
pub mod invocation;
pub mod late;
pub mod path;
pub mod rule;
pub mod settings;
pub mod span;
pub mod verdict;
pub mod word;

pub use call::{Call, Limit, Note, ToolCall};
pub use effect::{Code, Effect, Object, Place, Source, Verb};
pub use facts::{Entry, EntryKind, Stat, World};
pub use invocation::{Directory, Flow, Invocation, Link, OptionUse, Reading};
pub use rule::{Decision, Intent, Preset};
pub use settings::Settings;
pub use span::{SourceId, Span, Text};
pub use verdict::{Certainty, Finding, LayerKind, Verdict};
pub use word::{Argument, Glob, Hole, Origin, Piece, Shape, Taint, Value, Word};
