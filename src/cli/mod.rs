//! The command line: one file for each command, arguments and output only.
//!
//! [`hook`] is reached before any argument parser is built; everything else goes through [`run`]. Exit codes: 0 when all is
//! well, 1 when what was asked for is refused or fails, 2 for a fault or a wrong command line.

mod allow_once;
pub mod coverage;
pub mod doctor;
pub mod examples;
pub mod explain;
pub mod fault;
pub mod hook;
mod lift;
pub mod lints;
pub mod logs;
pub mod machine;
pub mod person;
pub mod policy;
mod record;
pub mod replay;
pub mod rule;
pub mod setup;
pub mod status;
pub mod statusline;
pub mod trust;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};

/// A guard between AI coding agents and your machine: it judges every tool call before it runs.
#[derive(Debug, Parser)]
#[command(name = "cc-safety-net", version, max_term_width = 100, disable_help_subcommand = false, after_help = EXAMPLES)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Chosen>,
}

const EXAMPLES: &str = "Examples:
  cc-safety-net install --all                       connect every agent that is found here
  cc-safety-net explain 'git reset --hard HEAD~1'   what would happen, and why
  cc-safety-net rule show git.reset-hard            what a rule says, and how to change it
  cc-safety-net rule add acme/rulebooks             take rules from elsewhere
  cc-safety-net policy show                         the settings in force, and who says so
  cc-safety-net rule check .cc-safety-net/rules     is every rulebook sound
  cc-safety-net rule test  .cc-safety-net/rules     do its examples hold
  cc-safety-net trust .                             let this project's rulebooks loosen, as they are now";

#[derive(Debug, Subcommand)]
enum Chosen {
    /// Judge one tool call of an agent: its payload on standard input, its reply on standard output
    // Listed here for the help alone: `main` runs it before any parser is built.
    #[command(disable_help_flag = true)]
    Hook {
        #[arg(hide = true, allow_hyphen_values = true, trailing_var_arg = true)]
        arguments: Vec<OsString>,
    },
    /// Say what would happen to a command, and why: nothing is run
    Explain(explain::Arguments),
    /// Connect agents: from then on they ask this program before every tool call
    Install(setup::Install),
    /// Take that back
    Uninstall(setup::Uninstall),
    /// Mend the entries of connected agents, after the program moved or was upgraded
    Update(setup::Update),
    /// Say whether everything is connected, sound and in force
    Doctor(doctor::Arguments),
    /// Say whether the guard is in force here, by which layers, and what it last refused
    Status(status::Arguments),
    /// Print the state in one line, for an agent's status line
    // Run before any parser is built, like the hook.
    #[command(disable_help_flag = true)]
    Statusline {
        #[arg(hide = true, allow_hyphen_values = true, trailing_var_arg = true)]
        arguments: Vec<OsString>,
    },
    /// Show what was decided: filtered, counted, followed, explained
    Logs(logs::Arguments),
    /// Let one refused call through, once: for a person at a terminal
    AllowOnce(allow_once::Arguments),
    /// Judge past calls again: what would have been stopped, by which rule, how often
    Replay(replay::Arguments),
    /// List, explain and switch rules, check rulebooks, take them from elsewhere
    Rule(rule::Arguments),
    /// Show the policy in force; check a proposal, see what it changes, apply it
    Policy(policy::Arguments),
    /// Let a project's own rulebooks and settings loosen, as they are now
    Trust(trust::TrustArguments),
    /// Take that back
    Untrust(trust::Arguments),
}

/// The whole program. A hook is a new process for every tool call, so the word `hook` is tested by hand, before the argument
/// parser is built.
pub fn start() -> ExitCode {
    let mut arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    match arguments.first().and_then(|first| first.to_str()) {
        Some("hook") => hook::run(arguments.split_off(1)),
        Some("statusline") => {
            end_with_the_reader();
            statusline::run(&arguments[1..])
        }
        // Installations of old call the hook with the agent's flag alone.
        Some(flag) if crate::agents::by_bare_flag(flag).is_some() => hook::run(arguments),
        _ => run(arguments),
    }
}

/// Runs the command that the arguments (without the program's name) choose.
pub fn run(arguments: Vec<OsString>) -> ExitCode {
    end_with_the_reader();
    let named = std::iter::once(OsString::from("cc-safety-net")).chain(arguments);
    let parsed = match Arguments::try_parse_from(named) {
        Ok(parsed) => parsed,
        Err(error) => {
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { 2 } else { 0 });
        }
    };
    match parsed.command {
        None => {
            print!("{}", Arguments::command().render_long_help());
            ExitCode::SUCCESS
        }
        Some(Chosen::Hook { arguments }) => hook::run(arguments),
        Some(Chosen::Explain(arguments)) => explain::run(arguments),
        Some(Chosen::Install(arguments)) => setup::install(arguments),
        Some(Chosen::Uninstall(arguments)) => setup::uninstall(arguments),
        Some(Chosen::Update(arguments)) => setup::update(arguments),
        Some(Chosen::Doctor(arguments)) => doctor::run(arguments),
        Some(Chosen::Status(arguments)) => status::run(arguments),
        Some(Chosen::Statusline { arguments }) => statusline::run(&arguments),
        Some(Chosen::Logs(arguments)) => logs::run(arguments),
        Some(Chosen::AllowOnce(arguments)) => allow_once::run(arguments),
        Some(Chosen::Replay(arguments)) => replay::run(arguments),
        Some(Chosen::Rule(arguments)) => rule::run(arguments),
        Some(Chosen::Policy(arguments)) => policy::run(arguments),
        Some(Chosen::Trust(arguments)) => trust::trust(arguments),
        Some(Chosen::Untrust(arguments)) => trust::untrust(arguments),
    }
}

/// Lets the program end quietly where whoever reads its output has read enough (`rule list | head`).
fn end_with_the_reader() {
    let otherwise = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| match panic.payload().downcast_ref::<String>() {
        Some(what) if what.starts_with("failed printing to stdout") => std::process::exit(0),
        _ => otherwise(panic),
    }));
}

/// A fault of the command line or of the machine: said on standard error, exit code 2.
fn fail(what: &str) -> ExitCode {
    eprintln!("cc-safety-net: {what}");
    ExitCode::from(2)
}

/// The process's working directory with `/` between components, or why there is none, as a phrase.
fn current_directory() -> Result<String, String> {
    crate::world::Native::working_directory().ok_or_else(|| "the working directory is gone, or its path is not UTF-8".into())
}

/// An absolute path as the facts have it: `/` between components, normal.
fn slashed(path: &std::path::Path) -> Result<String, String> {
    let text = path.to_str().ok_or("the working directory's path is not UTF-8")?;
    let slashed = if cfg!(windows) { text.replace('\\', "/") } else { text.to_string() };
    Ok(crate::model::path::join("/", &slashed))
}

/// How a report is shown here: in colour only on a terminal that wants it.
fn style() -> crate::explain::terminal::Style {
    use std::io::IsTerminal;
    let wanted = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    let colour = wanted && std::io::stdout().is_terminal() && std::env::var_os("TERM").is_none_or(|term| term != "dumb");
    let columns = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    crate::explain::terminal::Style { colour, width: columns.filter(|c| (40..=400).contains(c)).unwrap_or(100) }
}

/// A number and what is counted: `1 rulebook`, `3 rulebooks`.
fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// A document as JSON, one of ours: it can always be written.
fn json(document: &impl serde::Serialize) -> String {
    serde_json::to_string_pretty(document).unwrap_or_else(|error| format!("{{\"error\": \"{error}\"}}"))
}

/// The line and the column of a byte, both counted from 1, the column in characters.
fn line_and_column(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or(text);
    let start = before.rfind('\n').map_or(0, |end| end + 1);
    (before.matches('\n').count() + 1, before[start..].chars().count() + 1)
}
