//! What the engine itself refuses, rule or no rule: the ids that findings without a rulebook have, told in one line each.

use crate::model::Preset;
use crate::policy::{BUDGET, FAULT, UNPARSED};

/// The id of a payload that cannot be read.
pub const PAYLOAD: &str = "engine.payload";

/// One outcome of the engine.
#[derive(Debug)]
pub struct EngineRule {
    /// `engine.…`.
    pub id: &'static str,
    /// The preset from which on it refuses.
    pub preset: Preset,
    /// One line.
    pub line: &'static str,
}

/// All of them.
pub static RULES: [EngineRule; 4] = [
    EngineRule {
        id: PAYLOAD,
        preset: Preset::Standard,
        line: "The agent's message cannot be read, so its call cannot be judged.",
    },
    EngineRule { id: BUDGET, preset: Preset::Standard, line: "The call is larger or deeper than what is read of a call." },
    EngineRule { id: UNPARSED, preset: Preset::Strict, line: "A part of the call can be parsed by no front end." },
    EngineRule { id: FAULT, preset: Preset::Standard, line: "A fault of the guard itself: nothing is known about the call." },
];
