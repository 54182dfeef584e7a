//! Settings, layers, precedence: findings → verdict.
//!
//! [`decide`] asks every layer's image for matches and applies the laws of precedence to them, in this order: what a match decides
//! by certainty and preset ([`strength`]), overrides within the rights of their layer ([`overrides`]), allows ([`exempt`]), what
//! the agent makes of an ask. Nothing here reads rulebooks or files, and nothing fails: a part of an image that cannot be read
//! finds nothing and is reported.
//!
//! INVARIANT (nobody loosens above their rights): a finding is weakened or removed only through `Rights::reach`.

mod decide;
mod engine;
mod exempt;
mod hits;
mod layer;
mod message;
mod overrides;
mod project;
mod settings;
mod strength;

pub use decide::decide;
pub use engine::{BUDGET, FAULT, UNPARSED, fault};
pub use layer::{Layer, Layers, Rights};
pub use message::quote;
pub use overrides::in_force;
pub use project::project_root;
pub use settings::{Merged, merge};
