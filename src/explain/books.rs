//! The rulebooks that a verdict came from, with their texts, for the reports that point into them.

use super::patterns;
use super::plain::clip;
use super::shown::Texts;
use crate::language::{File, Rulebook};
use crate::model::rule::{Pattern, Rule};
use crate::model::{Certainty, Finding, LayerKind};

/// One rulebook of a layer.
#[derive(Debug, Clone)]
pub struct Book {
    /// The layer's authority; the floor's rules stand in the embedded books.
    pub layer: LayerKind,
    /// Where a person finds it.
    pub path: String,
    /// As its layer names it, with its text.
    pub file: File,
    /// As checked.
    pub rulebook: Rulebook,
}

/// The rulebooks of all layers.
#[derive(Debug, Clone, Default)]
pub struct Books {
    /// In the order of the layers, the strongest first.
    pub all: Vec<Book>,
}

impl Books {
    /// A rulebook's text.
    pub fn text(&self, layer: LayerKind, file: &str) -> Option<&str> {
        self.book(layer, file).map(|book| book.file.text.as_str())
    }

    /// A rulebook by its layer and the name that its layer has for it.
    pub fn book(&self, layer: LayerKind, file: &str) -> Option<&Book> {
        self.all.iter().find(|book| home(book.layer) == home(layer) && book.file.name == file)
    }

    /// The rule of a finding.
    pub fn rule(&self, finding: &Finding) -> Option<&Rule> {
        let at = finding.rulebook.as_ref()?;
        self.book(finding.layer, &at.file)?.rulebook.rules.iter().find(|rule| rule.id == finding.rule)
    }

    /// What would have let a call through, as phrases that follow on "if".
    pub fn lets_through(&self, finding: &Finding, texts: &Texts) -> Vec<String> {
        let Some(rule) = self.rule(finding) else { return Vec::new() };
        let bound = |name: &str| finding.bindings.iter().find(|(each, _)| each == name).map(|(_, value)| value.clone());
        let matched = rule.matches.iter().find(|each| Some(&each.at) == finding.rulebook.as_ref());
        let mut phrases = Vec::new();
        if let Some(Pattern::Command(pattern)) = matched.map(|each| &each.pattern) {
            phrases.extend(pattern.absent.iter().map(|option| format!("`{}` is given", patterns::option(option))));
        }
        for unless in rule.unless.iter().chain(matched.iter().flat_map(|each| &each.unless)) {
            phrases.push(patterns::condition(unless, &bound));
        }
        if finding.certainty == Certainty::Possible {
            phrases.push("all of the call is known, and does not match".into());
        }
        phrases.iter().map(|phrase| clip(&texts.line(phrase), 300)).collect()
    }
}

/// Where the texts of a layer's rules stand.
fn home(layer: LayerKind) -> LayerKind {
    match layer {
        LayerKind::Floor => LayerKind::Embedded,
        LayerKind::TrustedProject => LayerKind::Project,
        other => other,
    }
}
