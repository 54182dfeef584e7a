//! `replay`: past calls judged again, by the policy of now or by a proposed one.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::agents::{self, Agent};
use crate::audit::Log;
use crate::explain::plain;
use crate::layers::{Environment, compile};
use crate::replay::{Policy, Source, Tally, collect, replay, transcripts};
use crate::world::Native;

/// The arguments of `replay`.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
pub struct Arguments {
    /// Files of lines, folders of `.jsonl` files, or `-` for standard input [default: the audit log]
    files: Vec<PathBuf>,
    /// The agent whose transcripts are read where no file is named, and whose payloads lines are
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,
    /// Judge by a proposed policy, too: a folder like `~/.cc-safety-net`, which takes the place of the user's
    #[arg(long, value_name = "POLICY")]
    diff: Option<PathBuf>,
    /// What to print: text, json (the counts), or jsonl (a line for each call, as it is judged)
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = ["text", "json", "jsonl"])]
    format: String,
}

const AFTER: &str = "\
Nothing is run, and nothing is written to the log. A line is one of
  a record of the audit log              judged as it is on record: a secret is a word, what was cut off is missing
  a line of a transcript                 of Claude Code or Codex; lines without a tool call are passed over
  a payload                              as the agent's hook gets it (`--agent`, else Claude Code's)
  {\"command\": \"…\", \"cwd\": \"…\"}         a shell command
The facts (files, branches, the layers of a directory) are those of now and of this machine.

Exit code: 0; 1 if the decision of a call changes under `--diff`; 2 for a fault.

Examples:
  cc-safety-net replay
  cc-safety-net replay --agent codex --diff ./proposal
  cc-safety-net replay --format jsonl - < calls.jsonl
  split -n l/8 --filter='cc-safety-net replay --format jsonl -' calls.jsonl

JSON: an object with `version` (1), `lines`, `calls`, `unreadable`, `decisions` (allow, warn, ask, deny), `rules` (by id:
decisions, examples), `changes` (from, to, rule, count, examples), `faults`. With `jsonl`, for each call in the order of
the input: `line`, `agent`, `tool`, `call`, `decision`, `before` (with `--diff`: by the policy of now), `was` (on record),
`rule`, `layer`, `certainty`, `reason`; for a line that cannot be read: `line`, `decision` (null), `fault`.";

/// Runs the command.
pub fn run(arguments: Arguments) -> ExitCode {
    let environment = Environment::of_process();
    let sources = match sources(&arguments, &environment) {
        Ok(sources) => sources,
        Err(what) => return super::fail(&what),
    };
    let proposed = match arguments.diff.as_deref().map(proposal).transpose() {
        Ok(proposed) => proposed,
        Err(what) => return super::fail(&what),
    };
    let is_diff = proposed.is_some();
    let policy = Policy { environment, proposed };
    let total = sources.iter().filter_map(|source| std::fs::metadata(source.path.as_ref()?).ok()).map(|meta| meta.len()).sum();
    let mut progress = Progress::new(total);
    let (mut tally, mut output) = (Tally::default(), std::io::stdout().lock());
    let lines = arguments.format == "jsonl";
    let mut reader = Ok(());
    replay(sources, &policy, lines, |outcome| {
        progress.add(outcome.bytes, outcome.tally.calls);
        tally.merge(outcome.tally);
        if lines {
            reader = output.write_all(&outcome.lines);
        }
        reader.is_ok()
    });
    progress.end();
    drop(output);
    if reader.is_err() {
        return ExitCode::SUCCESS;
    }
    match arguments.format.as_str() {
        "jsonl" => {}
        "json" => {
            let mut document = serde_json::to_value(&tally).unwrap_or_default();
            document["version"] = 1.into();
            println!("{}", super::json(&document));
        }
        _ => print(&tally, is_diff),
    }
    if lines {
        for fault in &tally.faults {
            eprintln!("cc-safety-net: {fault}");
        }
    }
    ExitCode::from(u8::from(is_diff && !tally.changes.is_empty()))
}

/// What is read.
fn sources(arguments: &Arguments, environment: &Environment) -> Result<Vec<Source>, String> {
    let named = match &arguments.agent {
        Some(name) => Some(agents::by_name(name).ok_or_else(|| format!("no agent is named `{}`", plain::line(name)))?),
        None => None,
    };
    let agent: &'static Agent = named.unwrap_or(agents::DEFAULT);
    let mut found = Vec::new();
    for path in &arguments.files {
        match path {
            path if path == Path::new("-") => found.push(None),
            path if path.is_dir() => {
                let mut files = Vec::new();
                collect(path, &mut files, 0);
                files.sort();
                found.extend(files.into_iter().map(Some));
            }
            path if path.exists() => found.push(Some(path.clone())),
            path => return Err(format!("`{}` is not there", path.display())),
        }
    }
    if arguments.files.is_empty() {
        let files = match named {
            Some(agent) => transcripts(agent, environment.home.as_deref())
                .ok_or_else(|| format!("the transcripts of {} are not known; name files with its payloads", agent.title))?,
            None => {
                let state = environment.state_directory().ok_or("the user has no home, so there is no log")?;
                Log::below(&state).days().into_iter().rev().map(|(_, path)| path).collect()
            }
        };
        found.extend(files.into_iter().map(Some));
    }
    Ok(found.into_iter().map(|path| Source { path, agent }).collect())
}

/// A proposed policy, compiled. It must be sound: what is wrong with it would be counted as a change.
fn proposal(directory: &Path) -> Result<(PathBuf, Arc<Vec<u8>>), String> {
    if !directory.is_dir() {
        return Err(format!("`{}` is no folder with a policy", directory.display()));
    }
    let homes = crate::model::World::homes(&Native::new());
    let (faults, compiled) = compile::inspect(directory, false, &homes);
    let errors = compiled.found.iter().filter(|found| found.is_error()).map(|found| compile::line(found, &compiled.texts));
    if let Some(fault) = faults.into_iter().chain(errors).next() {
        return Err(format!("the proposed policy has a fault: {fault}"));
    }
    Ok((directory.to_path_buf(), Arc::new(compiled.image)))
}

fn print(tally: &Tally, is_diff: bool) {
    let of = &tally.decisions;
    let lines = super::count(tally.lines as usize, "line");
    let calls = super::count(tally.calls as usize, "call");
    println!("{lines}, {calls}: {} allow, {} warn, {} ask, {} deny", of.allow, of.warn, of.ask, of.deny);
    let mut rules: Vec<_> = tally.rules.iter().collect();
    rules.sort_by_key(|(id, rule)| (std::cmp::Reverse((rule.decisions.deny, rule.decisions.sum())), (*id).clone()));
    if !rules.is_empty() {
        println!("\n{:<44} {:>8} {:>8} {:>8}", "by rule", "warn", "ask", "deny");
    }
    for (id, rule) in rules {
        let of = &rule.decisions;
        println!("{:<44} {:>8} {:>8} {:>8}", plain::line(id), of.warn, of.ask, of.deny);
        rule.examples.iter().for_each(|example| println!("    {}", plain::clip(&example.call, 76)));
    }
    if !tally.changes.is_empty() {
        println!("\n{}", if is_diff { "under the proposed policy" } else { "now another decision than on record" });
    }
    for change in &tally.changes {
        println!("{} → {}  {}: {}", change.from.word(), change.to.word(), plain::line(&change.rule), change.count);
        change.examples.iter().for_each(|example| println!("    {}", plain::clip(&example.call, 76)));
    }
    if is_diff && tally.changes.is_empty() {
        println!("\nThe proposed policy decides every one of these calls as the present one does.");
    }
    if tally.unreadable > 0 {
        eprintln!("cc-safety-net: {} could not be read", super::count(tally.unreadable as usize, "line or file"));
        tally.faults.iter().for_each(|fault| eprintln!("  {fault}"));
    }
}

/// How far it is, on a terminal's standard error.
struct Progress {
    shown: bool,
    total: u64,
    bytes: u64,
    calls: u64,
    begun: Instant,
    told: Instant,
}

impl Progress {
    fn new(total: u64) -> Progress {
        let now = Instant::now();
        Progress { shown: std::io::stderr().is_terminal(), total, bytes: 0, calls: 0, begun: now, told: now }
    }

    fn add(&mut self, bytes: usize, calls: u64) {
        self.bytes += bytes as u64;
        self.calls += calls;
        if self.shown && self.told.elapsed() > Duration::from_millis(200) {
            self.told = Instant::now();
            let rate = self.calls as f64 / self.begun.elapsed().as_secs_f64().max(0.001);
            let part =
                (self.bytes * 100).checked_div(self.total).map_or(String::new(), |part| format!("{:>3}%  ", part.min(100)));
            eprint!("\r{part}{} calls, {rate:.0} a second ", self.calls);
        }
    }

    fn end(&self) {
        if self.shown && self.told > self.begun {
            eprint!("\r{:60}\r", "");
        }
    }
}
