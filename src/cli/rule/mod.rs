//! `rule`: rules listed, shown and written down; rulebooks checked, tested and formatted.

mod check;
pub mod doc;
pub mod entries;
mod files;
mod format;
mod list;
mod show;
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
    /// List the rules in force, of all layers
    #[command(after_help = list::AFTER)]
    List(list::Arguments),
    /// Show one rule: what it says, where it is from, how to change it
    #[command(after_help = show::AFTER)]
    Show(show::Arguments),
    /// Write all rules in force down as one Markdown page
    #[command(after_help = doc::AFTER)]
    Doc(doc::Arguments),
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
        Chosen::List(arguments) => list::run(arguments),
        Chosen::Show(arguments) => show::run(arguments),
        Chosen::Doc(arguments) => doc::run(arguments),
        Chosen::Check(arguments) => check::run(arguments),
        Chosen::Test(arguments) => test::run(arguments),
        Chosen::Fmt(arguments) => format::run(arguments),
    }
}
