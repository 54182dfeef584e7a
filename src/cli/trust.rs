//! `trust` and `untrust`: whether a project's own rulebooks and settings may loosen, as they are now.

use std::path::PathBuf;
use std::process::ExitCode;

use crate::layers::{self, Environment};

/// The arguments of `trust` and `untrust`.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
pub struct Arguments {
    /// The project's directory, which has `.cc-safety-net` in it
    directory: PathBuf,
}

const AFTER: &str = "\
A project's `.cc-safety-net` may always tighten. Only with your trust may it override and allow, with your own rights.
Trust is for this content: any change of any file in the directory ends it. Read the directory before you trust it.

Exit code: 0 if it is recorded (for untrust: if there was trust), 1 if there was none to take back, 2 for a fault.

Examples:
  cc-safety-net trust .
  cc-safety-net untrust ../other";

/// Runs `trust`.
pub fn trust(arguments: Arguments) -> ExitCode {
    match layers::trust(&arguments.directory, &Environment::of_process()) {
        Ok(digest) => {
            println!("trusted as it is now: {} ({})", arguments.directory.display(), &digest[..digest.len().min(16)]);
            ExitCode::SUCCESS
        }
        Err(fault) => super::fail(&fault.to_string()),
    }
}

/// Runs `untrust`.
pub fn untrust(arguments: Arguments) -> ExitCode {
    match layers::untrust(&arguments.directory, &Environment::of_process()) {
        Ok(true) => {
            println!("no longer trusted: {}", arguments.directory.display());
            ExitCode::SUCCESS
        }
        Ok(false) => {
            println!("it was not trusted: {}", arguments.directory.display());
            ExitCode::from(1)
        }
        Err(fault) => super::fail(&fault.to_string()),
    }
}
