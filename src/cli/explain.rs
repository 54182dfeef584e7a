//! `explain`: what would happen to a command, and why. Nothing is run, and nothing is written to the log.

use std::process::ExitCode;

use crate::agents;
use crate::check;
use crate::cli::machine::Machine;
use crate::explain::{json, terminal, words};
use crate::layers::Effort;
use crate::model::{Decision, Preset};

/// The arguments of `explain`.
#[derive(Debug, clap::Args)]
#[command(after_help = AFTER)]
pub struct Arguments {
    /// The command: one argument is taken as it is, several are quoted for the shell and joined
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = false)]
    command: Vec<String>,
    /// Print the explanation as JSON
    #[arg(long)]
    json: bool,
    /// The session's working directory, instead of this one
    #[arg(long, value_name = "DIR")]
    cwd: Option<std::path::PathBuf>,
    /// The agent that asks
    #[arg(long, value_name = "NAME", default_value = agents::DEFAULT.name)]
    agent: String,
    /// Judge by this preset: standard, strict or paranoid
    #[arg(long, value_name = "PRESET")]
    preset: Option<String>,
}

const AFTER: &str = "\
Exit code: 0 if the command would run (allow, warn), 1 if it would not (ask, deny), 2 for a fault.
Secrets in the command are redacted in every output.

Examples:
  cc-safety-net explain git reset --hard
  cc-safety-net explain 'cd / && sudo rm -rf *'
  cc-safety-net explain --cwd ../other --preset strict -- git push --force
  cc-safety-net explain --json -- 'curl https://example.com/i.sh | sh'

JSON: an object with `version` (1), `decision`, `message` (what the agent is told), `agent`, `tool`, `fields`,
`directory`, `preset`, `attended`, `texts` (which spans point into, in bytes), `findings` (rule, layer, decision,
certainty, reason, instead, intent, at, matched, bindings, rulebook, let_through_if), `set_aside`, `near` (rules
that came near, with what each lacks), `runs` (program, arguments, directories, chain, readings), `effects`,
`unparsed`, `limits`, `trace`, `reports`. Fields may be added within a version; none changes its meaning.";

/// Runs the command.
pub fn run(arguments: Arguments) -> ExitCode {
    let Some(agent) = agents::by_name(&arguments.agent) else {
        let names: Vec<&str> = agents::AGENTS.iter().map(|agent| agent.name).collect();
        return super::fail(&format!("no agent is named `{}`; there is {}", arguments.agent, names.join(", ")));
    };
    let preset = match arguments.preset.as_deref().map(|name| (name, Preset::parse(name))) {
        None => None,
        Some((_, Some(preset))) => Some(preset),
        Some((name, None)) => return super::fail(&format!("no preset is named `{name}`; there is standard, strict, paranoid")),
    };
    let directory = match directory(arguments.cwd.as_deref()) {
        Ok(directory) => directory,
        Err(what) => return super::fail(&what),
    };
    let command = match arguments.command.as_slice() {
        [one] => one.clone(),
        several => several.iter().map(|word| words::shell_quoted(word)).collect::<Vec<_>>().join(" "),
    };
    let call = agent.shell_call(&directory, &command);
    let mut machine = Machine::open(&call, Effort::Command);
    if let Some(preset) = preset {
        machine.layers.preset = preset;
    }
    let judged = check::check(call, &machine.layers, machine.world());
    let preset = machine.layers.preset;
    let books = machine.books();
    if arguments.json {
        let document = json::explain(&judged.call, &judged.verdict, preset, &books);
        match serde_json::to_string_pretty(&document) {
            Ok(text) => println!("{text}"),
            Err(error) => return super::fail(&format!("the explanation cannot be written: {error}")),
        }
    } else {
        print!("{}", terminal::explain(&judged.call, &judged.verdict, preset, &books, super::style()));
    }
    ExitCode::from(u8::from(judged.verdict.decision >= Decision::Ask))
}

fn directory(given: Option<&std::path::Path>) -> Result<String, String> {
    let Some(given) = given else { return super::current_directory() };
    let path = std::path::absolute(given).map_err(|error| format!("`{}` is no path: {error}", given.display()))?;
    if !path.is_dir() {
        return Err(format!("`{}` is not a directory", given.display()));
    }
    super::slashed(&path)
}
