//! A limit on how deep decoded values nest, so that bytes which say otherwise are a fault and not an exhausted stack.

use std::cell::Cell;

use serde::de::Error;
use serde::{Deserialize, Deserializer};

/// Levels of conditions, choices and subcommands within one another. The checker of rulebooks refuses more.
pub const LEVELS: u32 = 64;

thread_local! {
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}

/// Goes one level up again, however the decoding of this one ended.
struct Level;

impl Drop for Level {
    fn drop(&mut self) {
        DEPTH.with(|depth| depth.set(depth.get().saturating_sub(1)));
    }
}

/// Decodes a field that may hold its own type again: `#[serde(deserialize_with = "…::limited")]`.
pub fn limited<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<T, D::Error> {
    let depth = DEPTH.with(|depth| {
        depth.set(depth.get() + 1);
        depth.get()
    });
    let _level = Level;
    if depth > LEVELS {
        return Err(D::Error::custom("nested too deeply"));
    }
    T::deserialize(deserializer)
}

#[cfg(test)]
mod tests {
    use crate::model::rule::Condition;

    #[test]
    fn too_deep_is_a_fault() {
        let nested = |levels: usize| {
            let inner = (0..levels).fold(Condition::Attended, |inner, _| Condition::Not(Box::new(inner)));
            postcard::from_bytes::<Condition>(&postcard::to_stdvec(&inner).expect("plain data")).is_ok()
        };
        assert!(nested(60) && !nested(100) && nested(60));
    }
}
