//! The program. A hook is a new process for every tool call, so the word `hook` is tested by hand, before the argument parser
//! is built; see [`cc_safety_net::cli::hook`].

use std::process::ExitCode;

use cc_safety_net::{agents, cli};

fn main() -> ExitCode {
    let mut arguments: Vec<std::ffi::OsString> = std::env::args_os().skip(1).collect();
    match arguments.first().and_then(|first| first.to_str()) {
        Some("hook") => cli::hook::run(arguments.split_off(1)),
        // Installations of old call the hook with the agent's flag alone.
        Some(flag) if agents::by_bare_flag(flag).is_some() => cli::hook::run(arguments),
        _ => cli::run(arguments),
    }
}
