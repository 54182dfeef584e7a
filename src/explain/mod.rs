//! Verdicts, faults and rules told to a person or an agent. Every sentence about a verdict stands here.
//!
//! In comes a call as understood with its verdict, or a fault, out comes text: the [`message`] that an agent reads, the
//! [`report`] that a person reads, with the command and the rule underlined, the [`trace`] of how the call was read, and all
//! of it as [`json`]. Nothing goes out but through [`redact`].

pub mod books;
pub mod engine;
pub mod json;
pub mod message;
pub mod near;
pub mod patterns;
pub mod plain;
pub mod redact;
pub mod report;
pub mod shown;
#[cfg(feature = "machine")]
pub mod terminal;
pub mod trace;
pub mod words;

pub use books::{Book, Books};
pub use message::Answer;

#[cfg(test)]
mod tests;
