//! The laws of precedence: on hand-written layers, each law by its smallest case, and over generated ones.

mod generated;
mod laws;
mod support;
