//! Everything about sound rulebooks that is worth a second look: what the text alone shows (`language::lint`), and what only the
//! engine knows, an example that another rule decides and an `instead` that would be refused.

use std::collections::BTreeSet;

use super::examples::{self, Outcome, Tried};
use crate::language::{Diagnostic, Example, ExampleInput, File, Label, Rulebook, Severity, lint};
use crate::model::verdict::RuleAt;
use crate::model::{Decision, Finding};
use crate::policy::Layers;

/// Lints rulebooks whose examples were tried in these layers. By file, then by place.
pub fn lints(files: &[File], rulebooks: &[Rulebook], tried: &[Tried], layers: &mut Layers) -> Vec<Diagnostic> {
    let mut found = lint(files, rulebooks, layers);
    let mut asked: BTreeSet<(String, String)> = BTreeSet::new();
    for each in tried.iter().filter(|each| each.outcome == Outcome::Holds && each.example.expected != Decision::Allow) {
        let own = || each.verdict.findings.iter().filter(|finding| finding.rule == each.example.rule);
        found.extend(decided_elsewhere(each, own().map(|finding| finding.decision).max()));
        let Some(finding) = own().find(|finding| finding.instead.is_some()) else { continue };
        let instead = finding.instead.clone().unwrap_or_default();
        if asked.insert((finding.rule.clone(), instead.clone()))
            && let Some(rulebook) = rulebooks.iter().find(|book| book.file == each.example.at.file)
        {
            found.extend(refused_instead(files, rulebook, each.example, finding, &instead, layers));
        }
    }
    let order = |each: &Diagnostic| (each.file.clone(), each.labels.first().map_or(0, |label| label.at.start));
    found.sort_by_key(order);
    // Of one rule, the first `instead` that fails is enough.
    found.dedup_by(|later, earlier| later.code == earlier.code && later.file == earlier.file && later.labels == earlier.labels);
    found
}

/// An example whose rule is weaker than what is decided: it would hold without the rule.
fn decided_elsewhere(tried: &Tried, own: Option<Decision>) -> Option<Diagnostic> {
    let headline = tried.verdict.findings.first().filter(|_| own < Some(tried.verdict.decision))?;
    let at = &tried.example.at;
    Some(warning(
        "rulebook::decided-elsewhere",
        at.start as usize..at.end as usize,
        format!("decided by `{}`", headline.rule),
        format!("this example of `{}` holds without it", tried.example.rule),
        "move it to the rule that decides it, or choose a command that only this rule is about",
        &at.file,
    ))
}

/// An `instead`, filled in as the example's verdict has it, that would be asked about or refused in the example's own world.
fn refused_instead(
    files: &[File],
    rulebook: &Rulebook,
    example: &Example,
    finding: &Finding,
    instead: &str,
    layers: &mut Layers,
) -> Option<Diagnostic> {
    let advised = Example { input: ExampleInput::Command(instead.into()), expected: Decision::Allow, ..example.clone() };
    let verdict = examples::within(rulebook, example, layers, |layers| examples::judge(&advised, layers).verdict);
    let by = verdict.findings.first().filter(|_| verdict.decision >= Decision::Ask)?;
    let rule = rulebook.rules.iter().find(|rule| rule.id == finding.rule)?;
    let text = files.iter().find(|file| file.name == rulebook.file).map_or("", |file| &file.text);
    Some(warning(
        "rulebook::refused-instead",
        instead_of(text, &rule.at),
        format!("{} by `{}`", verdict.decision.word(), by.rule),
        format!("the advice `{instead}` would not pass"),
        "advise what the rules let pass; say in words what only a person can do",
        &rulebook.file,
    ))
}

/// Where a rule's `instead` stands; its beginning where that cannot be told.
fn instead_of(text: &str, rule: &RuleAt) -> std::ops::Range<usize> {
    let (start, end) = (rule.start as usize, rule.end as usize);
    let body = text.get(start..end).unwrap_or_default();
    match body.find("instead \"") {
        Some(at) => {
            let line = body[at..].find(['\n', ';']).unwrap_or(body.len() - at);
            start + at..start + at + line
        }
        None => start..start,
    }
}

fn warning(
    code: &'static str,
    at: std::ops::Range<usize>,
    label: String,
    message: String,
    help: &str,
    file: &str,
) -> Diagnostic {
    Diagnostic {
        code,
        severity: Severity::Warning,
        message,
        file: file.into(),
        labels: vec![Label { at, text: label }],
        help: Some(help.into()),
    }
}
