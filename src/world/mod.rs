//! The facts: native and in memory.
