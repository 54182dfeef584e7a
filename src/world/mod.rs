//! The facts: native and in memory.

#[cfg(feature = "machine")]
pub mod crash;
