//! Verdicts, faults and rules told to a person or an agent. Every sentence about a verdict stands here.
//!
//! In comes a call as understood with its verdict, or a fault, out comes text: the [`message`] that an agent reads, the
//! [`report`] that a person reads, with the command and the rule underlined, and the same as [`json`]. Nothing goes out but
//! through [`redact`].

pub mod message;
pub mod plain;
pub mod redact;

pub use message::Answer;
