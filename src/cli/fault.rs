//! Faults on purpose, to prove that each ends in the agent's refusal. Builds for release have none of this.
//!
//! `CC_SAFETY_NET_FAULT=KIND@STAGE`: `panic`, `stack` (exhausted) or `memory` (a failed allocation), before `decode`, `layers`,
//! `interpret`, `decide` or `encode`.

use crate::check::Stage;

/// The variable that asks for a fault.
pub const VARIABLE: &str = "CC_SAFETY_NET_FAULT";

/// Breaks, if the environment asks for a fault at this stage.
#[cfg(debug_assertions)]
pub fn inject(stage: Stage) {
    let Ok(wanted) = std::env::var(VARIABLE) else { return };
    let Some((kind, at)) = wanted.split_once('@') else { return };
    if !Stage::ALL.iter().any(|(each, name)| *each == stage && *name == at) {
        return;
    }
    match kind {
        "panic" => panic!("a fault on purpose"),
        "stack" => {
            std::hint::black_box(descend(1));
        }
        "memory" => {
            std::hint::black_box(Vec::<u8>::with_capacity(isize::MAX as usize - 4096));
        }
        _ => {}
    }
}

/// Nothing, in a release.
#[cfg(not(debug_assertions))]
#[inline(always)]
pub fn inject(_stage: Stage) {}

/// Calls itself until the stack is gone.
#[cfg(debug_assertions)]
fn descend(depth: u64) -> u64 {
    let frame = std::hint::black_box([depth; 64]);
    if frame[0] == 0 { 0 } else { descend(frame[0] + 1) + frame[63] }
}
