//! `trust` and `untrust`: whether a project's own rulebooks and settings may loosen, as they are now.

use std::path::PathBuf;
use std::process::ExitCode;

use super::person;
use crate::layers::{self, Environment};

/// The arguments of `untrust`.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
pub struct Arguments {
    /// The project's directory, which has `.cc-safety-net` in it
    directory: PathBuf,
}

/// The arguments of `trust`.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
pub struct TrustArguments {
    /// The project's directory, which has `.cc-safety-net` in it
    directory: PathBuf,
    /// Without a terminal
    #[arg(long)]
    yes: bool,
}

const AFTER: &str = "\
A project's `.cc-safety-net` may always tighten. Only with your trust may it override and allow, with your own rights.
Trust is for this content: any change of any file in the directory ends it. Read the directory before you trust it.
Only a person may trust: it wants a terminal or --yes, and refuses when an agent runs it.

Exit code: 0 if it is recorded (for untrust: if there was trust), 1 if it is refused or there was none to take back,
2 for a fault.

Examples:
  cc-safety-net trust .
  cc-safety-net untrust ../other";

/// Runs `trust`.
pub fn trust(arguments: TrustArguments) -> ExitCode {
    if let Some(why) = person::refusal_of_loosening(arguments.yes) {
        eprintln!("cc-safety-net: {why}");
        return ExitCode::from(1);
    }
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
