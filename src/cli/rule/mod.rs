//! `rule`: rulebooks checked, tested and formatted.

mod check;
mod files;
mod format;
mod test;

use std::process::ExitCode;

/// The arguments of `rule`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    command: Chosen,
}

#[derive(Debug, clap::Subcommand)]
enum Chosen {
    /// Say everything that is wrong with rulebooks
    #[command(after_help = check::AFTER)]
    Check(check::Arguments),
    /// Run the examples of rulebooks
    #[command(after_help = test::AFTER)]
    Test(test::Arguments),
    /// Write rulebooks in the one way that they are written
    #[command(after_help = format::AFTER)]
    Fmt(format::Arguments),
}

/// How results are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// For people.
    Human,
    /// For programs: one object.
    Json,
}

/// Runs the command.
pub fn run(arguments: Arguments) -> ExitCode {
    match arguments.command {
        Chosen::Check(arguments) => check::run(arguments),
        Chosen::Test(arguments) => test::run(arguments),
        Chosen::Fmt(arguments) => format::run(arguments),
    }
}
