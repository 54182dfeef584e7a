//! An explanation as JSON: complete, stable, without secrets.
//!
//! `version` is 1. Fields may be added within a version; none is renamed, removed, or given another meaning. Every text is
//! redacted, and every span counts bytes of the redacted text `texts[span.text].text`. The order of fields and of lists is
//! fixed, so equal calls give equal bytes.

use std::collections::BTreeMap;

use serde::Serialize;

use super::books::Books;
use super::message;
use super::near::near;
use super::shown::Texts;
use super::trace::trace;
use super::words;
use crate::model::invocation::{LinkKind, OptionUse};
use crate::model::{
    Call, Certainty, Directory, Effect, Finding, Intent, LayerKind, Object, Place, Preset, Reading, Span, Taint, Verdict,
};

/// The whole document.
#[derive(Debug, Serialize)]
pub struct Explanation {
    /// Of this form.
    pub version: u32,
    /// `allow`, `warn`, `ask`, `deny`.
    pub decision: &'static str,
    /// What the agent is told; empty for allow.
    pub message: String,
    /// The agent's name.
    pub agent: String,
    /// The tool that was called.
    pub tool: String,
    /// Its fields.
    pub fields: serde_json::Value,
    /// The session's directory.
    pub directory: String,
    /// The preset in force.
    pub preset: &'static str,
    /// Whether somebody can answer an ask.
    pub attended: bool,
    /// The texts that spans point into; the first is the call's own.
    pub texts: Vec<Text>,
    /// Strongest first; the first is the headline.
    pub findings: Vec<Found>,
    /// Findings that something removed.
    pub set_aside: Vec<SetAside>,
    /// Rules that came near, nearest first.
    pub near: Vec<Near>,
    /// What runs, in order.
    pub runs: Vec<Run>,
    /// What happens, in order.
    pub effects: Vec<Done>,
    /// Stretches that could not be parsed.
    pub unparsed: Vec<At>,
    /// Budgets that were exhausted.
    pub limits: Vec<Limit>,
    /// How it was read, line by line, as `explain` shows it to a person.
    pub trace: Vec<String>,
    /// What the layers want reported.
    pub reports: Vec<String>,
}

/// A text that spans point into.
#[derive(Debug, Serialize)]
#[allow(missing_docs)]
pub struct Text {
    pub name: String,
    pub text: String,
}

/// A stretch of a text, in bytes.
#[derive(Debug, Serialize)]
#[allow(missing_docs)]
pub struct At {
    pub text: usize,
    pub start: usize,
    pub end: usize,
}

/// A finding.
#[derive(Debug, Serialize)]
#[allow(missing_docs)] // as in the model
pub struct Found {
    pub rule: String,
    pub layer: LayerKind,
    pub decision: &'static str,
    pub certainty: &'static str,
    pub reason: String,
    pub instead: Option<String>,
    pub intent: Intent,
    /// Where it matched, and the text there.
    pub at: Option<At>,
    pub matched: String,
    /// Indices into `runs` and `effects`.
    pub run: Option<usize>,
    pub effect: Option<usize>,
    /// What the rule's names were bound to.
    pub bindings: BTreeMap<String, String>,
    /// The clause that matched, and where it stands.
    pub rulebook: Option<Clause>,
    /// What would have let it through, as phrases that follow on "if".
    pub let_through_if: Vec<String>,
}

/// A clause of a rulebook.
#[derive(Debug, Serialize)]
#[allow(missing_docs)]
pub struct Clause {
    pub file: String,
    /// Counted from 1; 0 where the text is not at hand.
    pub line: usize,
    pub start: u32,
    pub end: u32,
    pub text: String,
}

/// A finding that something removed, and what.
#[derive(Debug, Serialize)]
#[allow(missing_docs)]
pub struct SetAside {
    pub finding: Found,
    pub because: String,
}

/// A rule that came near.
#[derive(Debug, Serialize)]
#[allow(missing_docs)]
pub struct Near {
    pub rule: String,
    pub layer: LayerKind,
    pub decision: &'static str,
    /// What it lacks, as phrases.
    pub lacks: Vec<String>,
}

/// A program that runs.
#[derive(Debug, Serialize)]
#[allow(missing_docs)]
pub struct Run {
    pub program: String,
    pub arguments: Vec<String>,
    pub environment: Vec<(String, String)>,
    /// One path; several, of which one holds; or none, where it is not known.
    pub directories: Vec<String>,
    pub place: &'static str,
    pub chain: Vec<Step>,
    pub input: Option<String>,
    pub at: Option<At>,
    pub readings: Vec<Read>,
}

/// A step by which a program came to run.
#[derive(Debug, Serialize)]
#[allow(missing_docs)]
pub struct Step {
    pub name: String,
    pub kind: &'static str,
}

/// How a declaration read the arguments.
#[derive(Debug, Serialize)]
#[allow(missing_docs)]
pub struct Read {
    pub program: String,
    pub declared: bool,
    pub certain: bool,
    pub options: Vec<Flag>,
    pub positionals: Vec<String>,
    /// How many positionals stand before a literal `--`.
    pub dashes: Option<usize>,
    /// Whether words that are not known may be further options.
    pub open: bool,
}

/// An option as it was used.
#[derive(Debug, Serialize)]
#[allow(missing_docs)]
pub struct Flag {
    pub spelling: String,
    pub also: Vec<String>,
    pub value: Option<String>,
    pub certain: bool,
}

/// An effect.
#[derive(Debug, Serialize)]
#[allow(missing_docs)]
pub struct Done {
    pub verb: &'static str,
    pub recursively: bool,
    pub forcibly: bool,
    /// `path`, `address`, `code`, `other` or `none`.
    pub kind: &'static str,
    pub object: String,
    /// For code: its language.
    pub language: Option<String>,
    pub filters: Vec<String>,
    /// What the data carries: `network`, `stdin`, `environment`, `unknown`, and paths of files.
    pub from: Vec<String>,
    pub directories: Vec<String>,
    pub place: &'static str,
    pub certain: bool,
    pub run: Option<usize>,
    pub at: Option<At>,
}

/// A budget that was exhausted.
#[derive(Debug, Serialize)]
#[allow(missing_docs)]
pub struct Limit {
    pub name: &'static str,
    pub size: u64,
    pub at: Option<At>,
}

/// The explanation of a judged call.
pub fn explain(call: &Call, verdict: &Verdict, preset: Preset, books: &Books) -> Explanation {
    let texts = Texts::of(call);
    Explanation {
        version: 1,
        decision: verdict.decision.word(),
        message: message::answer(call, verdict).message,
        agent: call.tool.agent.clone(),
        tool: texts.line(&call.tool.tool),
        fields: redacted(&call.tool.fields, "", &texts),
        directory: texts.line(&call.tool.directory),
        preset: preset.word(),
        attended: call.tool.attended,
        texts: texts.texts.iter().map(|(name, shown)| Text { name: name.clone(), text: shown.text.clone() }).collect(),
        findings: verdict.findings.iter().map(|each| found(each, &texts, books)).collect(),
        set_aside: verdict
            .set_aside
            .iter()
            .map(|(each, why)| SetAside { finding: found(each, &texts, books), because: texts.line(why) })
            .collect(),
        near: near(call, verdict, preset, books, &texts)
            .into_iter()
            .map(|each| Near { rule: each.rule, layer: each.layer, decision: each.decision.word(), lacks: each.lacks })
            .collect(),
        runs: call.runs.iter().map(|each| run(each, &texts)).collect(),
        effects: call.effects.iter().map(|each| effect(each, &texts)).collect(),
        unparsed: call.unparsed.iter().filter_map(|span| at(*span, &texts)).collect(),
        limits: call.limits.iter().map(|each| Limit { name: each.name, size: each.size, at: at(each.span, &texts) }).collect(),
        trace: trace(call, &texts),
        reports: verdict.reports.iter().map(|each| texts.line(each)).collect(),
    }
}

/// The fields of a tool with every text redacted, together with the name that it stands under.
fn redacted(value: &serde_json::Value, name: &str, texts: &Texts) -> serde_json::Value {
    use serde_json::Value;
    match value {
        Value::String(text) => Value::String(secret_value(name, text, texts)),
        Value::Array(all) => Value::Array(all.iter().map(|each| redacted(each, name, texts)).collect()),
        Value::Object(all) => {
            Value::Object(all.iter().map(|(key, each)| (texts.line(key), redacted(each, key, texts))).collect())
        }
        other => other.clone(),
    }
}

fn at(span: Span, texts: &Texts) -> Option<At> {
    let (text, range) = texts.find(span)?;
    Some(At { text, start: range.start, end: range.end })
}

fn found(finding: &Finding, texts: &Texts, books: &Books) -> Found {
    Found {
        rule: texts.line(&finding.rule),
        layer: finding.layer,
        decision: finding.decision.word(),
        certainty: match finding.certainty {
            Certainty::Certain => "certain",
            Certainty::Possible => "possible",
        },
        reason: texts.line(&finding.reason),
        instead: finding.instead.as_ref().map(|instead| texts.line(instead)),
        intent: finding.intent,
        at: at(finding.span, texts),
        matched: texts.excerpt(finding.span).unwrap_or_default().to_string(),
        run: finding.run,
        effect: finding.effect,
        bindings: finding.bindings.iter().map(|(name, value)| (name.clone(), texts.line(value))).collect(),
        rulebook: finding.rulebook.as_ref().map(|at| {
            let text = books.text(finding.layer, &at.file);
            let before = text.and_then(|text| text.get(..at.start as usize));
            Clause {
                file: texts.line(&at.file),
                line: before.map_or(0, |before| before.matches('\n').count() + 1),
                start: at.start,
                end: at.end,
                text: text
                    .and_then(|text| text.get(at.start as usize..at.end as usize))
                    .map(|t| texts.lines(t))
                    .unwrap_or_default(),
            }
        }),
        let_through_if: books.lets_through(finding, texts),
    }
}

fn run(run: &crate::model::call::Run, texts: &Texts) -> Run {
    let of = &run.invocation;
    Run {
        program: texts.line(&words::word(&of.program)),
        arguments: of.arguments.iter().map(|each| texts.lines(&bare(each))).collect(),
        environment: of
            .environment
            .iter()
            .map(|(name, value)| (name.clone(), secret_value(name, &words::word(value), texts)))
            .collect(),
        directories: directories(&of.directory, texts),
        place: place(of.place),
        chain: of
            .chain
            .iter()
            .map(|link| Step {
                name: texts.line(&link.name),
                kind: match link.kind {
                    LinkKind::Program => "program",
                    LinkKind::Function => "function",
                    LinkKind::Language => "language",
                    LinkKind::File => "file",
                },
            })
            .collect(),
        input: words::stdin(&of.stdin).map(|text| texts.lines(&text)),
        at: at(of.span, texts),
        readings: run.readings.iter().map(|each| read(each, texts)).collect(),
    }
}

/// An argument without quotes.
fn bare(argument: &crate::model::Argument) -> String {
    argument.word().map_or_else(|| words::argument(argument), words::word)
}

/// A value that stands apart from the name that says whether it is a secret.
fn secret_value(name: &str, value: &str, texts: &Texts) -> String {
    let named = format!("{name}={value}");
    let cut = super::redact::find(&named).cuts.first().is_some_and(|cut| cut.start == name.len() + 1);
    if cut { super::redact::MARK.into() } else { texts.lines(value) }
}

fn read(reading: &Reading, texts: &Texts) -> Read {
    let option = |of: &OptionUse| {
        let spelling = of.spellings.first().cloned().unwrap_or_default();
        Flag {
            value: of.value.as_ref().map(|value| secret_value(&spelling, &words::word(value), texts)),
            also: of.spellings.iter().skip(1).cloned().collect(),
            spelling: texts.line(&spelling),
            certain: of.certain,
        }
    };
    Read {
        program: texts.line(&reading.program),
        declared: reading.declared,
        certain: reading.certain,
        options: reading.options.iter().map(option).collect(),
        positionals: reading.positionals.iter().map(|each| texts.lines(&bare(each))).collect(),
        dashes: reading.dashes,
        open: reading.open,
    }
}

fn effect(effect: &Effect, texts: &Texts) -> Done {
    let (kind, object, language) = match &effect.object {
        Object::Path(of) => ("path", words::word(of), None),
        Object::Address(of) => ("address", words::word(of), None),
        Object::Code(code) => ("code", words::word(&code.text), Some(code.language.clone())),
        Object::Other(of) => ("other", words::word(of), None),
        Object::None => ("none", String::new(), None),
    };
    Done {
        verb: effect.verb.word(),
        recursively: effect.recursively,
        forcibly: effect.forcibly,
        kind,
        object: texts.lines(&object),
        language,
        filters: effect.filters.iter().map(|each| texts.line(&words::word(each))).collect(),
        from: carries(&effect.from, texts),
        directories: directories(&effect.directory, texts),
        place: place(effect.place),
        certain: effect.certain,
        run: effect.invocation,
        at: at(effect.span, texts),
    }
}

fn carries(taint: &Taint, texts: &Texts) -> Vec<String> {
    let kinds =
        [(taint.network, "network"), (taint.stdin, "stdin"), (taint.environment, "environment"), (taint.unknown, "unknown")];
    let mut all: Vec<String> = kinds.iter().filter(|(is, _)| *is).map(|(_, name)| (*name).to_string()).collect();
    all.extend(taint.files.iter().map(|file| texts.line(&words::word(file))));
    all
}

fn directories(directory: &Directory, texts: &Texts) -> Vec<String> {
    match directory {
        Directory::Known(path) => vec![texts.line(path)],
        Directory::OneOf(paths) => paths.iter().map(|path| texts.line(path)).collect(),
        Directory::Unknown => Vec::new(),
    }
}

fn place(place: Place) -> &'static str {
    match place {
        Place::Here => "here",
        Place::Remote => "remote",
        Place::Container => "container",
    }
}
