//! CC Safety Net: a policy-as-data rule engine that judges what an AI coding agent is about to do.
//!
//! The rooms stand in the order in which a call passes through them; `ARCHITECTURE.md` shows the way.

#[cfg(target_env = "musl")]
#[global_allocator]
static ALLOCATOR: talc::TalcLock<spinning_top::RawSpinlock, talc::source::GlobalAllocSource<std::alloc::System>> =
    talc::TalcLock::new(talc::source::GlobalAllocSource::new(std::alloc::System));

pub mod model;

pub mod language;

pub mod image;

pub mod shell;

pub mod interpret;

pub mod policy;

pub mod check;

pub mod agents;

pub mod explain;

pub mod catalogue;

pub mod world;

#[cfg(feature = "facts")]
pub mod layers;

#[cfg(feature = "facts")]
pub mod engine;

#[cfg(feature = "machine")]
pub mod setup;

#[cfg(feature = "machine")]
pub mod audit;

#[cfg(feature = "machine")]
pub mod tickets;

#[cfg(feature = "machine")]
pub mod sources;

#[cfg(feature = "machine")]
pub mod replay;

#[cfg(feature = "machine")]
pub mod proof;

#[cfg(feature = "machine")]
pub mod migrate;

#[cfg(feature = "machine")]
pub mod cli;
