//! The command line: one file for each command, arguments and output only.
//!
//! [`hook`] is reached before any argument parser is built; everything else goes through [`run`].

pub mod fault;
pub mod hook;
pub mod machine;

use std::process::ExitCode;

/// Runs the command that the arguments (without the program's name) choose.
pub fn run(_arguments: Vec<std::ffi::OsString>) -> ExitCode {
    ExitCode::SUCCESS
}

/// The process's working directory with `/` between components, or why there is none, as a phrase.
fn current_directory() -> Result<String, String> {
    let directory = std::env::current_dir().map_err(|error| format!("the working directory cannot be found: {error}"))?;
    let text = directory.to_str().ok_or("the working directory's path is not UTF-8")?;
    let slashed = if cfg!(windows) { text.replace('\\', "/") } else { text.to_string() };
    Ok(crate::model::path::join("/", &slashed))
}
