//! Rules and settings managed by a person, from outside: `rule add`, `remove`, `update`, `enable`, `disable`, `new`, and `policy`.
//! Every repository here is one of this machine's; nothing reaches a network.

#![cfg(all(unix, feature = "machine"))]

#[path = "../support/hooks.rs"]
mod hooks;

mod hostile;
mod pinned;
mod policy;
mod sources;
mod support;
mod switch;
