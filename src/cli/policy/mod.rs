//! `policy`: a proposal for a layer's settings checked, its effect shown, applied by a person; and the policy in force.

mod apply;
mod effect;
mod file;
mod show;

use std::path::PathBuf;
use std::process::ExitCode;

pub(super) use file::SettingsFile;

/// The arguments of `policy`.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    command: Chosen,
}

#[derive(Debug, clap::Subcommand)]
enum Chosen {
    /// Say what is wrong with a proposal, and what it would change
    #[command(after_help = apply::CHECK)]
    Check(Check),
    /// Put a proposal into force: for a person
    #[command(after_help = apply::APPLY)]
    Apply(Apply),
    /// Show the policy in force, or the one that a proposal would make of it
    #[command(after_help = show::AFTER)]
    Show(Show),
}

/// The arguments of `policy check`.
#[derive(Debug, clap::Args)]
struct Check {
    /// The proposal: a `policy.yaml` under any name
    file: PathBuf,
    /// For this project's layer instead of yours
    #[arg(long)]
    project: bool,
    /// Judge the examples of this field alone, as `rule list` names it
    #[arg(long)]
    field: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The arguments of `policy apply`.
#[derive(Debug, clap::Args)]
struct Apply {
    #[command(flatten)]
    check: Check,
    /// Without asking, and without a terminal
    #[arg(long, short)]
    yes: bool,
}

/// The arguments of `policy show`.
#[derive(Debug, clap::Args)]
struct Show {
    /// A proposal; without one, what is in force
    file: Option<PathBuf>,
    /// A proposal for this project's layer instead of yours
    #[arg(long, requires = "file")]
    project: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(arguments: Arguments) -> ExitCode {
    match arguments.command {
        Chosen::Check(arguments) => apply::check(&arguments),
        Chosen::Apply(arguments) => apply::apply(&arguments),
        Chosen::Show(arguments) => show::run(&arguments),
    }
}
