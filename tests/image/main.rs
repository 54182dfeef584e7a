//! The image from outside: checked rulebooks and calls in, matches out.
//!
//! `slow` is an evaluator that reads rules as they stand; `agreement` compares the two over generated rules and calls.

mod support;

mod agreement;
mod catalogue;
mod commands;
mod damage;
mod effects;
mod prefilter;
mod size;
mod slow;
