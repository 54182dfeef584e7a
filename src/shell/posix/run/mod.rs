//! The tree walked in execution order.

pub(super) mod compound;
mod endless;
pub(super) mod flows;
pub(super) mod functions;
pub(super) mod lists;
pub(super) mod loops;
pub(super) mod redirections;
pub(super) mod simple;
pub(super) mod substitutions;
pub(super) mod tests;
