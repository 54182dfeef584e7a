//! Compiled rulebooks. [`compile()`] turns checked rulebooks into bytes (build script and commands); [`Image`] turns bytes and a
//! call into matches with three answers: no, possible, certain.
//!
//! An image is a header of fixed size, an index of checksummed pages, and records, each with its own checksum. A name (a
//! program, a program and its first word, a verb, a rule's id) is looked up in one page, so that a call reads and validates
//! what it touches and nothing else: opening costs the header alone, however many rules there are.
//!
//! Every pattern on a single word is an *atom*. A clause is *touched* when a word of the command hits one of the atoms that
//! the clause cannot do without ([`compile::commands`] chooses the rarest); only touched clauses are read and evaluated as
//! formulas. Words with holes touch every clause of their shard and are stepped through the clause's own automata.

pub mod bytes;
pub mod compile;
pub mod declarations;
pub mod globs;
pub mod kept;
pub mod layout;
pub mod matching;
pub mod nfa;
pub mod prefilter;
pub mod record;
pub mod trail;
pub mod trie;

pub use bytes::{Bytes, Fault};
pub use compile::{Effort, Order, compile, compile_for};
pub use matching::{Context, Image, Root, RuleMatch};
pub use prefilter::may_skip;
pub use record::RuleHeader;
