//! CC Safety Net: a policy-as-data rule engine that judges what an AI coding agent is about to do.
//!
//! [`check`](check()) is the whole of it for who embeds it: a tool call and a policy in, a verdict out. The rooms stand in the order in which
//! a call passes through them; `ARCHITECTURE.md` shows the way.

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

/// Judges a tool call by a policy, with this machine's facts. Nothing is executed, nothing is written; never fails: a fault of the
/// engine is a finding that refuses.
///
/// ```
/// use cc_safety_net::model::Decision;
/// use cc_safety_net::{agents, layers};
///
/// // The embedded rules alone; `layers::load` finds those of this machine, the user and the project, too.
/// let policy = layers::embedded();
///
/// let call = |script| agents::DEFAULT.shell_call("/work/project", script);
/// let verdict = cc_safety_net::check(call("git reset --hard HEAD~1"), &policy);
/// assert_eq!(verdict.decision, Decision::Deny);
/// assert_eq!(verdict.findings[0].rule, "git.reset-hard");
///
/// let verdict = cc_safety_net::check(call("git status"), &policy);
/// assert_eq!(verdict.decision, Decision::Allow);
/// ```
#[cfg(feature = "facts")]
pub fn check(call: model::ToolCall, policy: &policy::Layers) -> model::Verdict {
    check::check(call, policy, &world::Native::new()).verdict
}
