//! Connecting agents, from outside: the binary in a scratch home, with the agents' own programs as scripts that write down how they
//! were called.

#![cfg(all(feature = "machine", unix))]

mod commands;
mod doctor;
mod homes;
mod laws;
mod refusals;
mod support;
