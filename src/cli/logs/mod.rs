//! `logs`: what was decided, filtered, counted, followed, and one decision with its explanation made again.

mod follow;
mod print;
mod show;
mod statistics;

use std::process::ExitCode;

use crate::audit::{Filter, Log, Reader, Suspects};
use crate::layers::Environment;
use crate::world::{clock, disk};

/// The arguments of `logs`.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER, args_conflicts_with_subcommands = true)]
pub struct Arguments {
    #[command(subcommand)]
    command: Option<Chosen>,
    #[command(flatten)]
    wanted: Wanted,
    /// Print counts by rule, agent, project and day
    #[arg(long, conflicts_with_all = ["follow", "csv", "limit"])]
    stats: bool,
    /// Print records as they come, until interrupted
    #[arg(long, short, conflicts_with_all = ["csv", "limit", "suspect"])]
    follow: bool,
    /// Print JSON: the records as they were written
    #[arg(long)]
    json: bool,
    /// Print a table for spreadsheets
    #[arg(long, conflicts_with = "json")]
    csv: bool,
}

/// Which records.
#[derive(Debug, clap::Args)]
struct Wanted {
    /// Calls that nobody objected to, too
    #[arg(long)]
    all: bool,
    /// At most so many, the newest; 0 for all [default: 20]
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Of the last days alone
    #[arg(long, value_name = "DAYS")]
    since: Option<u16>,
    /// Of one agent
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,
    /// Of one rule (`git.push-force`), or of all rules of a rulebook (`git`)
    #[arg(long, value_name = "ID")]
    rule: Option<String>,
    /// Of one session
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    /// Of sessions in this directory or below
    #[arg(long, value_name = "DIR")]
    project: Option<std::path::PathBuf>,
    /// Failures, and refusals that a session met with more than once
    #[arg(long)]
    suspect: bool,
}

#[derive(Debug, clap::Subcommand)]
enum Chosen {
    /// Show one decision, and explain it by the policy of now
    Show(show::Arguments),
}

const AFTER: &str = "\
Every decision is a line of `log/PROJECT/YYYY-MM/DD.jsonl` in the state directory (`cc-safety-net status` names it),
for the user alone, kept for 30 days (`retention_days` in policy.yaml) and without secrets. `audit: blocked` there
keeps refusals alone. No variable moves the log: it is below the home of the user database. Times are in UTC.

Exit code: 0, also where there is nothing to show; 1 if `show` finds no such record; 2 for a fault.

Examples:
  cc-safety-net logs --since 7 --rule git
  cc-safety-net logs --follow --all
  cc-safety-net logs --stats --project .
  cc-safety-net logs show 1a2b3c4d

JSON: a list of records, newest first (with `--follow` one a line, oldest first): `ts`, `id`, `v`, `sessionId`,
`decision`, `agent`, `shape` (the event), `level` (the preset), `toolName`, `command`, `fields`, `segment`,
`truncated`, `reason`, `ruleId`, `layer`, `certainty`, `intent`, `also`, `failureStage`, `ticket`, `cwd`, `project`,
`unattended`, `policy`, `durationUs`; what is not known is left out. With `--stats`: `version` (1), `from`, `to`,
`decisions`, and `rules`, `agents`, `projects`, `days` by name, each with `allow`, `warn`, `ask`, `deny`.
CSV: a cell that a spreadsheet would take for a formula begins with `'`.";

/// Runs the command.
pub fn run(arguments: Arguments) -> ExitCode {
    let Some(state) = Environment::of_process().state_directory() else {
        return super::fail("the user has no home, so there is no log");
    };
    let log = Log::below(&state);
    if let Some(Chosen::Show(arguments)) = &arguments.command {
        return show::run(arguments, &log);
    }
    let (filter, oldest) = match arguments.wanted.filter() {
        Ok(filter) => filter,
        Err(what) => return super::fail(&what),
    };
    if arguments.follow {
        return follow::run(&log, &filter, arguments.json);
    }
    let suspects = arguments.wanted.suspect.then(|| suspects(&log, &oldest));
    let mut reader = Reader::new(&log, &oldest);
    let wanted = reader.by_ref().filter(|record| filter.takes(record));
    let wanted = wanted.filter(|record| suspects.as_ref().is_none_or(|suspects| suspects.has(record)));
    if arguments.stats {
        statistics::print(wanted, arguments.json);
    } else {
        let limit = match arguments.wanted.limit {
            Some(0) => usize::MAX,
            limit => limit.unwrap_or(20),
        };
        let wanted = wanted.take(limit);
        match (arguments.json, arguments.csv) {
            (true, _) => print::json(wanted),
            (_, true) => print::csv(wanted),
            _ => print::lines(wanted),
        }
    }
    let is_plain = !arguments.stats && !arguments.json && !arguments.csv;
    if is_plain && super::person::refusal(true).is_none() {
        offers(&state);
    }
    if reader.unreadable > 0 {
        eprintln!("cc-safety-net: {} of the log could not be read", super::count(reader.unreadable, "line or file"));
    }
    ExitCode::SUCCESS
}

impl Wanted {
    /// The filter, and the oldest date that is looked at.
    fn filter(&self) -> Result<(Filter, String), String> {
        let project = match &self.project {
            Some(path) => {
                let path = std::path::absolute(path).map_err(|error| format!("`{}` is no path: {error}", path.display()))?;
                Some(super::slashed(&path)?)
            }
            None => None,
        };
        let day = |days: u16| clock::date_of(disk::nanoseconds() - i64::from(days) * 86_400_000_000_000);
        let filter = Filter {
            all: self.all,
            agent: self.agent.clone(),
            rule: self.rule.clone(),
            session: self.session.clone(),
            project,
        };
        Ok((filter, self.since.map(day).unwrap_or_default()))
    }
}

/// The refusals that a person may still lift, for a person alone.
fn offers(state: &std::path::Path) {
    let offers = crate::tickets::Tickets::below(state).offers(disk::nanoseconds());
    if !offers.is_empty() {
        println!("\nRefused within the last hour; each may pass once:");
    }
    for offer in offers.iter().take(5) {
        let call = crate::explain::plain::clip(&offer.call, 44);
        println!("  cc-safety-net allow-once {}  {call}", offer.code);
    }
}

fn suspects(log: &Log, oldest: &str) -> Suspects {
    let mut suspects = Suspects::default();
    Reader::new(log, oldest).for_each(|record| suspects.note(&record));
    suspects
}
