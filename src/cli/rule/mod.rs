//! `rule`: rules listed, shown, switched off and on; rulebooks checked, tested, formatted, taken from elsewhere and given up.

mod add;
pub(super) mod check;
pub mod diff;
pub mod doc;
pub mod entries;
mod files;
mod format;
pub(super) mod layer;
mod list;
mod migrate;
mod new;
mod ported;
mod remove;
mod show;
mod switch;
mod test;
mod update;
mod witness;

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
    /// Take rulebooks from a folder or a git repository, pinned
    #[command(after_help = add::AFTER)]
    Add(add::Arguments),
    /// Give up what was taken
    #[command(after_help = remove::AFTER)]
    Remove(remove::Arguments),
    /// Ask the sources again, and take what is new
    #[command(after_help = update::AFTER)]
    Update(update::Arguments),
    /// Switch a rule off, in your own settings
    #[command(after_help = switch::DISABLE)]
    Disable(switch::Disable),
    /// Take that back
    #[command(after_help = switch::ENABLE)]
    Enable(switch::Enable),
    /// Write a rulebook to begin with
    #[command(after_help = new::AFTER)]
    New(new::Arguments),
    /// Say everything that is wrong with rulebooks
    #[command(after_help = check::AFTER)]
    Check(check::Arguments),
    /// Run the examples of rulebooks
    #[command(after_help = test::AFTER)]
    Test(test::Arguments),
    /// Write rulebooks in the one way that they are written
    #[command(after_help = format::AFTER)]
    Fmt(format::Arguments),
    /// Show a shortest command that a rule refuses
    #[command(after_help = witness::AFTER)]
    Witness(witness::Arguments),
    /// Show what differs between two policies, with a command for each difference, and whether it only tightens
    #[command(after_help = diff::AFTER)]
    Diff(diff::Arguments),
    /// Make rulebooks of other guards' rules and of agents' permissions
    #[command(after_help = migrate::AFTER)]
    Migrate(migrate::Arguments),
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
        Chosen::Add(arguments) => add::run(arguments),
        Chosen::Remove(arguments) => remove::run(arguments),
        Chosen::Update(arguments) => update::run(arguments),
        Chosen::Disable(arguments) => switch::disable(arguments),
        Chosen::Enable(arguments) => switch::enable(arguments),
        Chosen::New(arguments) => new::run(arguments),
        Chosen::Check(arguments) => check::run(arguments),
        Chosen::Test(arguments) => test::run(arguments),
        Chosen::Fmt(arguments) => format::run(arguments),
        Chosen::Witness(arguments) => witness::run(arguments),
        Chosen::Diff(arguments) => diff::run(arguments),
        Chosen::Migrate(arguments) => migrate::run(arguments),
    }
}
