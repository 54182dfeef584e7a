//! `hook`: one tool call judged. A payload on standard input, at most one line on standard output, exit code 0.
//!
//! INVARIANT (no fault allows): from the first line of [`run`] on, whatever goes wrong ends in the agent's own refusal: what
//! cannot be read, a panic, an exhausted stack, a failed allocation. Only a command line that names no agent is an error,
//! since then there is nobody to refuse to.

use std::ffi::OsString;
use std::io::{Read, Write};
use std::mem::ManuallyDrop;
use std::process::ExitCode;
use std::time::Instant;

use crate::agents::{self, Agent, Answer, Decoded};
use crate::check::{self, Judgement, Stage};
use crate::cli::lift::{Lifted, lift};
use crate::cli::machine::Machine;
use crate::cli::{fault, record};
use crate::explain::message;
use crate::layers::Effort;
use crate::model::{Decision, ToolCall};
use crate::world::crash;

/// Input beyond the limit is still taken, so that the agent is not left with a broken pipe; up to here.
const DRAINED: u64 = 1 << 30;

/// Runs the hook with the arguments after the word.
pub fn run(arguments: Vec<OsString>) -> ExitCode {
    let agent = match choose(&arguments) {
        Chosen::Agent(agent) => agent,
        Chosen::Help => {
            print!("{}", help());
            return ExitCode::SUCCESS;
        }
        Chosen::Wrong(what) => {
            eprint!("cc-safety-net: {what}\n\n{}", help());
            return ExitCode::from(1);
        }
    };
    let started = Instant::now();
    guard(agent, first(agent));
    let Some(outcome) = judge(agent) else { return ExitCode::SUCCESS };
    let took = started.elapsed();
    fault::inject(Stage::Encode);
    let code = match (agent.encode)(&outcome.answer, outcome.event) {
        Some(line) => reply(&line, &outcome.answer),
        None => 0,
    };
    // Silence is a reply, too: from here on nothing more is said, whatever the log meets with.
    crash::answered();
    fault::inject(Stage::Record);
    record::keep(agent, &outcome, took);
    crash::leave(code)
}

/// What was decided, and how it came about.
pub(super) struct Outcome {
    /// What the agent is told.
    pub answer: Answer,
    /// The event that is answered.
    pub event: &'static str,
    /// How it came about.
    pub way: Way,
    /// What became of a refusal that a person may lift.
    pub lifted: Option<Lifted>,
}

/// How a decision came about. What it holds is not dropped: the process ends with the reply.
pub(super) enum Way {
    /// The payload could not be read: what was wrong with it.
    Unreadable(String),
    /// The call was too plain for any rule.
    Plain(ManuallyDrop<Box<(Machine, ToolCall)>>),
    /// The call was judged.
    Judged(ManuallyDrop<Box<(Machine, Judgement)>>),
}

enum Chosen {
    Agent(&'static Agent),
    Help,
    Wrong(String),
}

/// Exactly one flag, which names the agent.
fn choose(arguments: &[OsString]) -> Chosen {
    let mut chosen: Option<&'static Agent> = None;
    for argument in arguments {
        let flag = argument.to_string_lossy();
        if flag == "-h" || flag == "--help" {
            return Chosen::Help;
        }
        match agents::by_flag(&flag) {
            Some(_) if chosen.is_some() => return Chosen::Wrong("`hook` takes one agent, and several are named".into()),
            Some(agent) => chosen = Some(agent),
            None => return Chosen::Wrong(format!("`hook` knows no agent `{}`", crate::explain::plain::line(&flag))),
        }
    }
    chosen.map_or_else(|| Chosen::Wrong("`hook` needs the flag of an agent".into()), Chosen::Agent)
}

/// The help of the command, written by hand: the argument parser is never built here.
fn help() -> String {
    let mut help = String::from(
        "Judges one tool call of an agent: its payload on standard input, its reply on standard output.\n\n\
         Usage: cc-safety-net hook AGENT < PAYLOAD\n\nAgents:\n",
    );
    for agent in agents::AGENTS.iter().filter(|agent| !agent.flags.is_empty()) {
        help.push_str(&format!("  {:<24} {}\n", agent.flags.join(", "), agent.title));
    }
    help.push_str(
        "\nThe exit code is 0 whatever the verdict; silence means that nobody objects.\n\n\
         Example:\n  echo '{\"tool_name\":\"Bash\",\"tool_input\":{\"command\":\"ls\"}}' | cc-safety-net hook --coding-cli\n",
    );
    help
}

/// The event that a payload is taken for before it is read.
fn first(agent: &Agent) -> &'static str {
    agent.events.first().copied().unwrap_or_default()
}

/// Makes every crash from here on a refusal in answer to the event.
fn guard(agent: &'static Agent, event: &'static str) {
    crash::guard(refusal(agent, event, "the guard crashed").into_bytes());
    std::panic::set_hook(Box::new(move |panic| {
        let place =
            panic.location().map_or_else(|| "panic".into(), |at| format!("panic at {}:{}", own_path(at.file()), at.line()));
        if crash::say(refusal(agent, event, &place).as_bytes()) {
            record::keep_fault(agent, event, &place);
        }
        crash::leave(0);
    }));
}

/// The agent's refusal for a fault of ours, with its line end.
fn refusal(agent: &Agent, event: &'static str, what: &str) -> String {
    let answer = Answer { decision: Decision::Deny, message: message::fault(what), aside: None };
    let mut line = (agent.encode)(&answer, event).unwrap_or_default();
    line.push('\n');
    line
}

/// A source file without the folders of the machine that built it.
fn own_path(file: &str) -> &str {
    file.rfind("src/").map_or(file, |cut| &file[cut..])
}

/// What is decided; `None` where the payload is about something else.
fn judge(agent: &'static Agent) -> Option<Outcome> {
    fault::inject(Stage::Decode);
    let unreadable = |what: String, event| {
        Some(Outcome { answer: message::unreadable(&what, agent.title), event, way: Way::Unreadable(what), lifted: None })
    };
    let payload = match read() {
        Ok(payload) => payload,
        Err(error) => return unreadable(format!("standard input failed: {error}"), first(agent)),
    };
    let mut request = match (agent.decode)(&payload) {
        Decoded::Call(request) => *request,
        Decoded::NotOurs => return None,
        Decoded::Bad { bad, event } => return unreadable(bad.to_string(), event),
    };
    drop(payload);
    let event = request.event;
    if event != first(agent) {
        guard(agent, event);
    }
    fault::inject(Stage::Layers);
    if request.call.directory.is_empty() {
        match super::current_directory() {
            Ok(directory) => request.call.directory = directory,
            Err(what) => return unreadable(what, event),
        }
    }
    let machine = ManuallyDrop::new(Machine::open(&request.call, Effort::Hook));
    if let Err(bad) = request.inside(|path| machine.world().real(path)) {
        return unreadable(bad.to_string(), event);
    }
    if check::may_skip(&request.call, &machine.layers, machine.world()) {
        let way = Way::Plain(ManuallyDrop::new(Box::new((ManuallyDrop::into_inner(machine), request.call))));
        return Some(Outcome { answer: Answer::silence(), event, way, lifted: None });
    }
    let judgement = check::check_by_stages(request.call, &machine.layers, machine.world(), &fault::inject);
    let mut answer = message::answer(&judgement.call, &judgement.verdict);
    let lifted = lift(&machine, &judgement, &mut answer);
    let way = Way::Judged(ManuallyDrop::new(Box::new((ManuallyDrop::into_inner(machine), judgement))));
    Some(Outcome { answer, event, way, lifted })
}

/// Standard input, up to one byte more than is allowed.
fn read() -> std::io::Result<Vec<u8>> {
    let mut payload = Vec::with_capacity(8 * 1024);
    let mut input = std::io::stdin().lock();
    input.by_ref().take(agents::LIMIT as u64 + 1).read_to_end(&mut payload)?;
    if payload.len() > agents::LIMIT {
        std::io::copy(&mut input.take(DRAINED), &mut std::io::sink())?;
    }
    Ok(payload)
}

/// Writes the one line. Where standard output is gone, the exit code that most agents take as a refusal is all that is left.
fn reply(line: &str, answer: &Answer) -> i32 {
    let mut whole = Vec::with_capacity(line.len() + 1);
    whole.extend_from_slice(line.as_bytes());
    whole.push(b'\n');
    crash::answered();
    let mut output = std::io::stdout().lock();
    match output.write_all(&whole).and_then(|()| output.flush()) {
        Ok(()) => 0,
        Err(_) => {
            let _ = writeln!(std::io::stderr(), "{}", answer.message);
            if answer.decision >= Decision::Ask { 2 } else { 0 }
        }
    }
}
