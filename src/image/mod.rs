//! Compiled rulebooks. [`compile`] turns checked rulebooks into bytes (build script and commands); [`matching`] turns bytes and
//! a call into matches with three answers: no, possible, certain.

pub mod compile;
pub mod matching;
