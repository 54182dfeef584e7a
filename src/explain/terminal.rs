//! An explanation as a terminal shows it.

use super::books::Books;
use super::message;
use super::near::near;
use super::plain::{clip, quoted};
use super::report;
use super::shown::Texts;
use super::trace::trace;
use crate::model::{Call, Decision, Preset, Verdict};

/// How many rules that came near are told of; JSON has more.
const NEAR: usize = 8;

/// How it is shown.
#[derive(Debug, Clone, Copy)]
pub struct Style {
    /// Whether colour may be used; nothing is said by it alone.
    pub colour: bool,
    /// Columns.
    pub width: usize,
}

/// The verdict, each finding with the command and the rule underlined, and how the call was read.
pub fn explain(call: &Call, verdict: &Verdict, preset: Preset, books: &Books, style: Style) -> String {
    let texts = Texts::of(call);
    let mut out = String::new();
    let subject = texts.texts.first().map(|(_, shown)| shown.text.trim()).filter(|text| !text.is_empty());
    let subject = subject.map_or_else(|| call.tool.tool.clone(), |text| clip(&texts.line(text), 160));
    let outcome = match verdict.decision {
        Decision::Allow => "no rule objects",
        Decision::Warn => "it runs, and the agent is warned",
        Decision::Ask => "a person is asked",
        Decision::Deny => "it is refused",
    };
    out.push_str(&format!("{}: {}: {outcome}\n", verdict.decision.word(), quoted(&subject)));
    for finding in &verdict.findings {
        for each in report::finding(finding, &texts, books) {
            out.push('\n');
            out.push_str(report::render(&each, style.colour, style.width).trim_end());
            out.push('\n');
        }
    }
    section(
        &mut out,
        "Set aside",
        verdict.set_aside.iter().map(|(finding, why)| {
            texts.line(&format!("{} ({}): {}: {why}", finding.rule, message::layer(finding.layer), finding.decision.word()))
        }),
    );
    section(
        &mut out,
        &format!(
            "How it was read (in {}, preset {}, agent {})",
            texts.line(&call.tool.directory),
            preset.word(),
            call.tool.agent
        ),
        trace(call, &texts).into_iter(),
    );
    // Of a refused call the findings are enough.
    let near = if verdict.decision <= Decision::Warn { near(call, verdict, preset, books, &texts) } else { Vec::new() };
    section(
        &mut out,
        "Rules that came near",
        near.iter().take(NEAR).map(|each| {
            let lacks = if each.lacks.is_empty() { "not all of the call is known".into() } else { each.lacks.join("; ") };
            format!("{} ({}, {}): {lacks}", each.rule, message::layer(each.layer), each.decision.word())
        }),
    );
    section(&mut out, "Reports", verdict.reports.iter().map(|report| texts.line(report)));
    out
}

fn section(out: &mut String, title: &str, lines: impl Iterator<Item = String>) {
    let lines: Vec<String> = lines.collect();
    if lines.is_empty() {
        return;
    }
    out.push_str(&format!("\n{title}\n"));
    for line in lines {
        out.push_str(&format!("  {line}\n"));
    }
}
