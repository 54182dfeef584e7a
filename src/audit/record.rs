//! One decision, as it is kept.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::fields::{clip, kept};
use crate::agents::Agent;
use crate::explain::redact::redact;
use crate::explain::shown::Texts;
use crate::model::{Call, Certainty, Decision, Finding, Intent, LayerKind, Preset, ToolCall, Verdict};
use crate::policy::Layers;
use crate::world::clock;

/// The longest command, segment or reason, name, and path, in bytes.
const COMMAND: usize = 10_000;
const SEGMENT: usize = 2_000;
const NAME: usize = 256;
const PATH: usize = 32_768;
/// Past this, secrets are looked for in what is kept alone, and not first in the whole call.
const SEARCHED: usize = 64 << 10;

/// A decision on record. What is not known of it is empty and not written.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Record {
    /// When, in UTC: `2026-11-30T19:50:49.123Z`.
    pub ts: String,
    /// The record's name: 16 hexadecimal digits.
    pub id: String,
    /// The version of the engine.
    pub v: String,
    /// The agent's session.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub session_id: String,
    /// What was decided.
    pub decision: Decision,
    /// The agent's name.
    pub agent: String,
    /// The agent's event that was answered.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub shape: String,
    /// The preset in force.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level: Option<Preset>,
    /// The tool that was called.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub tool_name: String,
    /// The shell command; empty where the tool runs none.
    pub command: String,
    /// The tool's other fields; for a shell tool, none.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub fields: Map<String, Value>,
    /// The stretch of the command that the headline is about.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub segment: String,
    /// Whether a text or a field was cut.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub truncated: bool,
    /// The headline's sentence.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// The headline's rule.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule_id: Option<String>,
    /// Whose rule it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layer: Option<LayerKind>,
    /// How sure the match is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certainty: Option<Certainty>,
    /// What the agent should do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub intent: Option<Intent>,
    /// Further rules that matched, in the order of the verdict, each once.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<String>,
    /// Where it went wrong, for a call that could not be judged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure_stage: Option<Stage>,
    /// The ticket that let a refused call through once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ticket: Option<String>,
    /// The session's working directory.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub cwd: String,
    /// The project's root.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub project: String,
    /// Whether a person could have answered an ask.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub unattended: bool,
    /// The policy in force, by its identity.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub policy: String,
    /// From the start of the hook to the decision, in microseconds.
    pub duration_us: u64,
}

/// Where a call that could not be judged failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    /// The payload could not be read.
    Payload,
    /// The engine failed.
    Engine,
}

/// On what occasion something was decided.
#[derive(Debug, Clone, Copy)]
pub struct Occasion {
    /// Who asked.
    pub agent: &'static Agent,
    /// The event that is answered.
    pub event: &'static str,
    /// Nanoseconds since 1970.
    pub now: i64,
    /// From the start of the hook to the decision.
    pub took: Duration,
}

impl Record {
    /// What any record says.
    fn new(occasion: &Occasion) -> Record {
        Record {
            ts: clock::timestamp(occasion.now),
            id: identity(occasion.now),
            v: env!("CARGO_PKG_VERSION").into(),
            agent: occasion.agent.name.into(),
            shape: occasion.event.into(),
            duration_us: occasion.took.as_micros() as u64,
            ..Record::default()
        }
    }

    /// A call that could not be judged, and what was wrong.
    pub fn failed(occasion: &Occasion, stage: Stage, what: &str) -> Record {
        let mut record = Record { failure_stage: Some(stage), decision: Decision::Deny, ..Record::new(occasion) };
        record.reason = record.text(what, SEGMENT, None);
        record
    }

    /// A call so plain that no rule could match.
    pub fn plain(occasion: &Occasion, tool: &ToolCall, layers: &Layers) -> Record {
        let mut record = Record::new(occasion);
        record.take_call(occasion, tool, layers, None);
        record
    }

    /// A call that was judged.
    pub fn judged(occasion: &Occasion, call: &Call, verdict: &Verdict, layers: &Layers) -> Record {
        let mut record = Record { decision: verdict.decision, ..Record::new(occasion) };
        let is_small = call.texts.iter().map(|text| text.text.len()).sum::<usize>() <= SEARCHED;
        let texts = (is_small || !verdict.findings.is_empty()).then(|| Texts::of(call));
        record.take_call(occasion, &call.tool, layers, texts.as_ref());
        if let (Some((headline, further)), Some(texts)) = (verdict.findings.split_first(), &texts) {
            record.take_headline(headline, texts);
            for finding in further.iter().filter(|finding| finding.rule != headline.rule) {
                if record.also.len() < 16 && !record.also.contains(&finding.rule) {
                    record.also.push(finding.rule.clone());
                }
            }
        }
        record
    }

    fn take_call(&mut self, occasion: &Occasion, tool: &ToolCall, layers: &Layers, texts: Option<&Texts>) {
        let shell = occasion.agent.shell;
        self.session_id = self.text(&tool.session, NAME, texts);
        self.tool_name = self.text(&tool.tool, NAME, texts);
        self.cwd = self.text(&tool.directory, PATH, texts);
        self.project = self.text(layers.project.as_deref().unwrap_or_default(), PATH, texts);
        self.unattended = !tool.attended;
        self.level = Some(layers.preset);
        self.policy = format!("{:016x}", layers.identity());
        let command = tool.fields.get(shell.field).and_then(Value::as_str);
        self.command = self.text(command.unwrap_or_default(), COMMAND, texts);
        let is_shell = tool.tool == shell.tool && command.is_some();
        if let Value::Object(fields) = &tool.fields
            && !is_shell
        {
            let (fields, cut) = kept(fields, if command.is_some() { shell.field } else { "" }, texts);
            self.fields = fields;
            self.truncated |= cut;
        }
    }

    fn take_headline(&mut self, headline: &Finding, texts: &Texts) {
        let segment = texts.excerpt(headline.span).unwrap_or_default().to_string();
        self.segment = self.text(&segment, SEGMENT, Some(texts));
        self.reason = self.text(&headline.reason, SEGMENT, Some(texts));
        self.rule_id = Some(headline.rule.clone());
        self.layer = Some(headline.layer);
        self.certainty = Some(headline.certainty);
        self.intent = Some(headline.intent);
    }

    /// A text cut to a limit, without secrets.
    fn text(&mut self, text: &str, limit: usize, texts: Option<&Texts>) -> String {
        let cut = clip(text, limit);
        self.truncated |= cut.is_some();
        let text = cut.unwrap_or(text);
        match texts {
            Some(texts) => texts.redacted(text),
            None => redact(text),
        }
    }

    /// The record as a line of the log.
    pub fn line(&self) -> Vec<u8> {
        let mut line = Vec::with_capacity(768);
        // A record is texts, numbers and maps of texts: writing it to memory cannot fail.
        let _ = serde_json::to_writer(&mut line, self);
        line.push(b'\n');
        line
    }

    /// The call that is on record, as far as it was kept; secrets are a word.
    pub fn call(&self, agent: &Agent) -> ToolCall {
        let restored = |text: &str| text.replace(crate::explain::redact::MARK, "REDACTED");
        let mut fields = self.fields.clone();
        fields.values_mut().for_each(|value| restore(value, &restored));
        if !self.command.is_empty() {
            fields.insert(agent.shell.field.into(), Value::String(restored(&self.command)));
        }
        let tool = if self.tool_name.is_empty() { agent.shell.tool } else { &self.tool_name };
        ToolCall {
            agent: agent.name.into(),
            tool: tool.into(),
            fields: Value::Object(fields),
            directory: if self.cwd.is_empty() { "/".into() } else { self.cwd.clone() },
            workspace: None,
            attended: !self.unattended,
            session: self.session_id.clone(),
        }
    }

    /// Whether the call did not run, or only once a person had said so.
    pub fn is_refusal(&self) -> bool {
        self.decision >= Decision::Ask
    }

    /// The call in one line: the command, or the tool and its fields.
    pub fn subject(&self) -> String {
        if !self.command.is_empty() {
            return self.command.clone();
        }
        let said = |(name, value): (&String, &Value)| match value {
            Value::String(text) => format!(" {name}={text}"),
            other => format!(" {name}={other}"),
        };
        self.tool_name.clone() + &self.fields.iter().map(said).collect::<String>()
    }
}

fn restore(value: &mut Value, restored: &impl Fn(&str) -> String) {
    match value {
        Value::String(text) => *text = restored(text),
        Value::Array(all) => all.iter_mut().for_each(|each| restore(each, restored)),
        Value::Object(all) => all.values_mut().for_each(|each| restore(each, restored)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// A name that no other record has: of the time and the process, mixed so that its beginning tells records apart.
fn identity(now: i64) -> String {
    let unique = (now as u64) ^ u64::from(std::process::id()).rotate_right(20);
    let mixed = (unique ^ unique >> 31).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    format!("{:016x}", (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb))
}
