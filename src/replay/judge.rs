//! Lines → calls → verdicts.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::rc::Rc;

use serde_json::{Map, Value, json};

use super::tally::Example;
use super::{Chunk, Outcome};
use crate::agents::transcript::{Session, TRANSCRIPTS};
use crate::agents::{self, Agent, Decoded};
use crate::audit::{self, Record};
use crate::check;
use crate::explain::shown::Texts;
use crate::explain::{message, plain, redact};
use crate::image::Image;
use crate::layers::{self, Effort, Environment};
use crate::model::{Call, Decision, Finding, LayerKind, ToolCall, Verdict};
use crate::policy::{Layer, Layers, Rights};
use crate::world::Native;

/// For how many directories the layers are kept.
const DIRECTORIES: usize = 64;
/// How much of a call an example shows.
const SHOWN: usize = 400;

/// By what calls are judged.
#[derive(Debug)]
pub struct Policy {
    /// The surroundings: where the layers of now are.
    pub environment: Environment,
    /// A proposal that takes the place of the user's layer: its directory, and what it compiles to.
    pub proposed: Option<(PathBuf, std::sync::Arc<Vec<u8>>)>,
}

/// Judges chunks, one after the other.
pub struct Judge<'a> {
    policy: &'a Policy,
    lines: bool,
    /// The layers of directories: those of now, and those of the proposal.
    known: VecDeque<(Place, Rc<Stacks>)>,
}

/// What the layers depend on.
#[derive(PartialEq, Eq)]
struct Place {
    directory: String,
    workspace: Option<String>,
}

struct Stacks {
    now: Layers,
    proposed: Option<Layers>,
}

/// A call out of a line, and how it was decided when it was made, where that is on record.
struct Past {
    call: ToolCall,
    was: Option<Decision>,
}

/// A verdict, as far as it is needed.
struct Judged {
    decision: Decision,
    found: Option<Box<(Call, Verdict)>>,
}

impl<'a> Judge<'a> {
    /// A judge; with `lines` it prints a line for each call.
    pub fn new(policy: &'a Policy, lines: bool) -> Judge<'a> {
        Judge { policy, lines, known: VecDeque::new() }
    }

    /// Judges the lines of a chunk.
    pub fn chunk(&mut self, chunk: &Chunk) -> Outcome {
        let mut outcome = Outcome { bytes: chunk.text.len(), ..Outcome::default() };
        let mut session = Session::default();
        if let Some(context) = &chunk.context {
            let _ = calls(context, chunk.agent, &mut session);
        }
        if let Some(fault) = &chunk.fault {
            outcome.tally.fault(plain::line(fault));
        }
        for (number, line) in (chunk.line + 1..).zip(chunk.text.split_inclusive(|byte| *byte == b'\n')) {
            let line = line.trim_ascii();
            if line.is_empty() {
                continue;
            }
            outcome.tally.lines += 1;
            match calls(line, chunk.agent, &mut session) {
                Ok(calls) => calls.into_iter().for_each(|past| self.past(past, number, &mut outcome)),
                Err(what) => {
                    if self.lines {
                        write(&mut outcome.lines, &json!({ "line": number, "decision": null, "fault": what }));
                    }
                    outcome.tally.fault(format!("line {number}: {what}"));
                }
            }
        }
        outcome
    }

    fn past(&mut self, past: Past, number: u64, outcome: &mut Outcome) {
        let stacks = self.stacks(&past.call);
        let tally = &mut outcome.tally;
        tally.calls += 1;
        let (before, after) = match &stacks.proposed {
            None => (None, judge(past.call.clone(), &stacks.now)),
            Some(proposed) => (Some(judge(past.call.clone(), &stacks.now)), judge(past.call.clone(), proposed)),
        };
        tally.decisions.add(after.decision);
        let example = || Example {
            agent: past.call.agent.clone(),
            directory: redact::redact(&past.call.directory),
            call: subject(&past.call),
        };
        if after.decision != Decision::Allow {
            tally.rule(after.rule().unwrap_or_default(), after.decision, example);
        }
        let from = before.as_ref().map_or(past.was, |before| Some(before.decision));
        if let Some(from) = from.filter(|from| *from != after.decision) {
            let stricter = before.as_ref().filter(|before| before.decision > after.decision).unwrap_or(&after);
            tally.change(from, after.decision, stricter.rule().unwrap_or_default(), example);
        }
        if self.lines {
            write(&mut outcome.lines, &said(&past, number, before.as_ref(), &after));
        }
    }

    /// The layers of a call's directory.
    fn stacks(&mut self, call: &ToolCall) -> Rc<Stacks> {
        let is = |place: &Place| place.directory == call.directory && place.workspace == call.workspace;
        if let Some(at) = self.known.iter().position(|(place, _)| is(place)) {
            if at > 0 {
                self.known.swap(0, at);
            }
            return Rc::clone(&self.known[0].1);
        }
        let load = || layers::load(call, &Native::new(), &self.policy.environment, Effort::Command);
        let proposed = self.policy.proposed.as_ref().and_then(|(directory, bytes)| {
            let image = Image::open(std::sync::Arc::clone(bytes) as std::sync::Arc<dyn crate::image::Bytes>).ok()?;
            let mut now = load();
            now.layers.retain(|layer| layer.kind != LayerKind::User);
            let name = directory.display().to_string();
            now.layers.push(Layer { kind: LayerKind::User, rights: Rights::Loosen, name, image });
            let mut stacked = Layers::stack(now.layers, Vec::new());
            stacked.raise(self.policy.environment.preset(&mut Vec::new()));
            stacked.project = now.project;
            Some(stacked)
        });
        let stacks = Rc::new(Stacks { now: load(), proposed });
        let place = Place { directory: call.directory.clone(), workspace: call.workspace.clone() };
        self.known.push_front((place, Rc::clone(&stacks)));
        self.known.truncate(DIRECTORIES);
        stacks
    }
}

impl Judged {
    fn headline(&self) -> Option<&Finding> {
        self.found.as_ref()?.1.findings.first()
    }

    fn rule(&self) -> Option<&str> {
        self.headline().map(|finding| finding.rule.as_str())
    }
}

fn judge(call: ToolCall, layers: &Layers) -> Judged {
    // The facts are a call's own: budgets begin anew.
    let world = Native::new();
    if check::may_skip(&call, layers, &world) {
        return Judged { decision: Decision::Allow, found: None };
    }
    let judged = check::check(call, layers, &world);
    let found = judged.verdict.decision != Decision::Allow;
    Judged { decision: judged.verdict.decision, found: found.then(|| Box::new((judged.call, judged.verdict))) }
}

/// The calls of a line.
fn calls(line: &[u8], agent: &'static Agent, session: &mut Session) -> Result<Vec<Past>, String> {
    if audit::is_record(line) {
        let record: Record = serde_json::from_slice(line).map_err(|fault| fault.to_string())?;
        return Ok(recorded(&record).into_iter().collect());
    }
    let is_typed = line.windows(8).take(512).any(|part| part == b"\"type\":\"" || part == b"\"type\": ");
    let is_bare = line.windows(9).take(4096).all(|part| part != b"tool_name" && part != b"toolName\"");
    if is_typed || is_bare {
        let Value::Object(object) = serde_json::from_slice(line).map_err(|fault| fault.to_string())? else {
            return Err("not an object".into());
        };
        for transcript in TRANSCRIPTS {
            if let Some(calls) = (transcript.read)(&object, session) {
                return Ok(calls.into_iter().map(|call| Past { call, was: None }).collect());
            }
        }
        if let Some(call) = bare(&object, agent, session) {
            return Ok(vec![Past { call, was: None }]);
        }
    }
    match (agent.decode)(line) {
        Decoded::Call(mut request) => {
            if request.call.directory.is_empty() {
                request.call.directory = "/".into();
            }
            Ok(vec![Past { call: request.call, was: None }])
        }
        Decoded::NotOurs => Ok(Vec::new()),
        Decoded::Bad { bad, .. } => Err(bad.to_string()),
    }
}

fn recorded(record: &Record) -> Option<Past> {
    if record.failure_stage.is_some() {
        return None;
    }
    let agent = agents::by_name(&record.agent)?;
    // What a person let through once was refused.
    let was = if record.ticket.is_some() { Decision::Deny } else { record.decision };
    Some(Past { call: record.call(agent), was: Some(was) })
}

/// `{"command": "…", "cwd": "…"}`: a shell command and nothing of an agent.
fn bare(object: &Map<String, Value>, agent: &Agent, session: &mut Session) -> Option<ToolCall> {
    let command = object.get("command")?.as_str()?;
    session.note(object.get("cwd"), None);
    Some(session.call(agent, agent.shell.tool, Map::from_iter([(agent.shell.field.to_string(), Value::from(command))])))
}

/// A call in one line, without secrets.
fn subject(call: &ToolCall) -> String {
    let agent = agents::by_name(&call.agent).unwrap_or(agents::DEFAULT);
    let text = match call.fields.get(agent.shell.field).and_then(Value::as_str) {
        Some(command) => command.to_string(),
        None => format!("{} {}", call.tool, call.fields),
    };
    let text = audit::clip(&text, 4 * SHOWN).unwrap_or(&text);
    plain::clip(&plain::line(&redact::redact(text)), SHOWN)
}

/// A call's line.
fn said(past: &Past, number: u64, before: Option<&Judged>, after: &Judged) -> Value {
    let mut line = json!({
        "line": number, "agent": past.call.agent, "tool": redact::redact(&past.call.tool), "call": subject(&past.call),
        "decision": after.decision,
    });
    if let Some(before) = before {
        line["before"] = json!(before.decision);
    } else if let Some(was) = past.was {
        line["was"] = json!(was);
    }
    if let (Some(found), Some(headline)) = (&after.found, after.headline()) {
        line["rule"] = json!(headline.rule);
        line["layer"] = json!(headline.layer);
        line["certainty"] = json!(headline.certainty);
        line["reason"] = json!(message::reason(headline, &Texts::of(&found.0)));
    }
    line
}

fn write(lines: &mut Vec<u8>, line: &Value) {
    // To memory, a value: it cannot fail.
    let _ = serde_json::to_writer(&mut *lines, line);
    lines.push(b'\n');
}
