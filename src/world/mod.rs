//! The facts that decide, behind [`crate::model::World`]: the directory, homes, the environment, files and links, the state of git, the date.
//!
//! [`Memory`] is a machine that a test or an example builds by hand; it touches nothing and is always there. [`Native`] is this
//! machine, and with it this room is the only one that touches files, the clock, the environment and the user database. Git is
//! never run: its own files are read ([`git`]). Every answer may be "not known": past a budget, on a fault, in a format that this
//! build does not read. Unknown never exempts.

#[cfg(feature = "machine")]
pub mod ancestors;
#[cfg(feature = "facts")]
pub mod clock;
#[cfg(feature = "machine")]
pub mod crash;
#[cfg(feature = "facts")]
pub mod disk;
#[cfg(feature = "facts")]
pub mod file;
#[cfg(feature = "facts")]
pub mod git;
mod memory;
#[cfg(feature = "facts")]
mod native;
#[cfg(feature = "facts")]
pub mod os;
#[cfg(feature = "machine")]
pub mod program;
#[cfg(feature = "machine")]
pub mod replace;
#[cfg(feature = "machine")]
pub mod rights;
#[cfg(feature = "machine")]
pub mod scratch;

pub use memory::Memory;
#[cfg(feature = "facts")]
pub use native::{Budget, Native};
