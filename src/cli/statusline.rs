//! `statusline`: the state in one line, for an agent that shows one below its prompt and asks for it again and again.
//!
//! What another status line printed may be piped in and stands before ours; the agent's own JSON says in which directory the
//! session is. Whatever is wrong, a line is printed.

use std::ffi::OsString;
use std::io::{IsTerminal, Read};
use std::process::ExitCode;

use crate::audit::{Log, last_refusal};
use crate::cli::machine::{self, Machine};
use crate::explain::plain;
use crate::layers::Effort;
use crate::model::{LayerKind, Preset};
use crate::world::disk;

/// More of standard input is not read.
const INPUT: u64 = 1 << 20;

/// The help; the argument parser knows the command by name alone.
pub const HELP: &str = "\
Print the state in one line, for an agent's status line

Usage: cc-safety-net statusline --claude-code

Options:
  -cc, --claude-code  For Claude Code: its JSON on standard input, or the text of another status line, which stands before
                      this one
  -h, --help          Print help

The line: the preset (✅ standard, 🔒 strict, 👁️ paranoid), the layers beside the catalogue, ⚠️ where something configured is
not in force (`cc-safety-net status` says what), and the last refusal of the project since yesterday.

Exit code: 0, 2 for a wrong command line.

Examples:
  In ~/.claude/settings.json:
  \"statusLine\": { \"type\": \"command\", \"command\": \"cc-safety-net statusline --claude-code\" }
";

/// Runs the command.
pub fn run(arguments: &[OsString]) -> ExitCode {
    let flags: Vec<&str> = arguments.iter().filter_map(|argument| argument.to_str()).collect();
    match flags.as_slice() {
        ["-h" | "--help"] => print!("{HELP}"),
        ["-cc" | "--claude-code"] => println!("{}", line()),
        _ => {
            eprint!("cc-safety-net: `statusline` takes the flag of one agent\n\n{HELP}");
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}

fn line() -> String {
    let mut input = Vec::new();
    if !std::io::stdin().is_terminal() {
        let _ = std::io::stdin().lock().take(INPUT + 1).read_to_end(&mut input);
    }
    let text = String::from_utf8_lossy(&input);
    let (directory, before) = match serde_json::from_str::<serde_json::Value>(&text) {
        Ok(json) => {
            let said = json.pointer("/workspace/current_dir").or_else(|| json.get("cwd")).and_then(|it| it.as_str());
            (said.and_then(|said| super::slashed(said.as_ref()).ok()), String::new())
        }
        Err(_) if input.len() as u64 > INPUT => (None, String::new()),
        Err(_) => (None, text.lines().next().unwrap_or_default().trim().to_string()),
    };
    let directory = directory.or_else(|| super::current_directory().ok()).unwrap_or_else(|| "/".into());
    let said = state(&Machine::open(&machine::no_call(directory), Effort::Hook));
    if before.is_empty() { said } else { format!("{before} | {said}") }
}

fn state(machine: &Machine) -> String {
    let layers = &machine.layers;
    let sign = match layers.preset {
        Preset::Standard => "✅",
        Preset::Strict => "🔒",
        Preset::Paranoid => "👁️",
    };
    let mut said = format!("🛡️ CC Safety Net {sign} {}", layers.preset.word());
    for layer in layers.layers.iter().filter(|layer| layer.kind != LayerKind::Embedded) {
        said.push_str(&format!(" +{}", crate::explain::message::layer(layer.kind).split(',').next().unwrap_or_default()));
    }
    let log = machine.state.as_deref().map(Log::below);
    if !layers.reports.is_empty() || log.as_ref().is_none_or(|log| log.fault().is_some()) {
        said.push_str(" ⚠️");
    }
    let now = disk::nanoseconds();
    if let Some(record) = log.and_then(|log| last_refusal(&log, layers.project.as_deref(), now)) {
        let rule = record.rule_id.as_deref().unwrap_or("failure");
        said.push_str(&format!(" ⛔ {} {} ago", plain::line(rule), super::status::age(&record, now)));
    }
    said
}
