//! Coverage: which alternatives of rules' patterns the rules' own examples exercise.
//!
//! Every alternative has a probe (`language::probes`), a rule that only it matches. The probes stand above the rulebooks as a layer
//! of their own, the examples are judged once more, and a probe that none of its rule's examples found is an alternative that
//! could be removed, or broken, and nobody would notice.

use std::collections::{BTreeMap, BTreeSet};

use super::{examples, machine};
use crate::language::{Alternative, Diagnostic, File, Known, Label, Rulebook, Severity, check_rules, probes};

/// What examples exercise.
#[derive(Debug)]
pub struct Coverage {
    /// How many alternatives there are.
    pub alternatives: usize,
    /// Those that no example exercises, with their file, in the order of the text.
    pub missing: Vec<(String, Alternative)>,
}

/// Judges the examples of sound rulebooks. `embedded` are rulebooks that take the catalogue's place.
pub fn cover(files: &[File], rulebooks: &[Rulebook], embedded: Option<&[Rulebook]>) -> Result<Coverage, String> {
    let all: Vec<_> = files.iter().enumerate().map(|(index, file)| probes(file, index)).collect();
    let probing: Vec<File> = all.iter().map(|each| each.file.clone()).collect();
    let known = if embedded.is_some() { Known::default() } else { crate::layers::known() };
    let checked = check_rules(&probing, &known);
    if let Some(fault) = checked.diagnostics.iter().find(|each| each.is_error()) {
        return Err(format!("{}: the alternatives cannot be told apart: {}", fault.file, fault.message));
    }
    // The declarations stand in the layer below already; a second reading of each program would prove nothing.
    let bare = |mut book: Rulebook| {
        if embedded.is_some() {
            (book.commands, book.languages, book.tools) = Default::default();
        }
        book
    };
    let probing: Vec<Rulebook> = checked.rulebooks.into_iter().map(bare).collect();
    let mut layers = machine::stack(embedded, &probing)?;
    let mut met: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for tried in examples::run(rulebooks, &mut layers) {
        let found = tried.verdict.findings.into_iter().chain(tried.verdict.set_aside.into_iter().map(|(finding, _)| finding));
        met.entry(tried.example.rule.clone()).or_default().extend(found.map(|finding| finding.rule));
    }
    let mut coverage = Coverage { alternatives: 0, missing: Vec::new() };
    for Alternative { rule, probe, at } in all.iter().flat_map(|each| &each.alternatives) {
        coverage.alternatives += 1;
        if !met.get(rule).is_some_and(|met| met.contains(probe)) {
            let file =
                all.iter().find(|each| each.alternatives.iter().any(|own| own.probe == *probe)).map(|each| &each.file.name);
            let missing = Alternative { rule: rule.clone(), probe: probe.clone(), at: at.clone() };
            coverage.missing.push((file.cloned().unwrap_or_default(), missing));
        }
    }
    Ok(coverage)
}

impl Coverage {
    /// One warning for each rule, its missing alternatives underlined.
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        let mut found: Vec<Diagnostic> = Vec::new();
        let mut rules: Vec<&str> = Vec::new();
        for (file, missing) in &self.missing {
            let label = Label { at: missing.at.clone(), text: "no example".into() };
            match (rules.last(), found.last_mut()) {
                (Some(rule), Some(last)) if *rule == missing.rule => last.labels.push(label),
                _ => {
                    rules.push(&missing.rule);
                    found.push(Diagnostic {
                        code: "rulebook::unexercised",
                        severity: Severity::Warning,
                        message: format!("examples of `{}` do not exercise all of its pattern", missing.rule),
                        file: file.clone(),
                        labels: vec![label],
                        help: Some("add an example for each, or remove what is not needed".into()),
                    });
                }
            }
        }
        found
    }
}
