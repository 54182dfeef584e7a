//! Generated rulebooks.
