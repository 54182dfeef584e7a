//! The rulebooks that a verdict came from, with their texts, for the reports that point into them.

use super::shown::Texts;
use crate::language::{File, Rulebook};
use crate::model::rule::Rule;
use crate::model::{Finding, LayerKind};

/// One rulebook of a layer.
#[derive(Debug, Clone)]
pub struct Book {
    /// The layer's authority; the floor's rules stand in the embedded books.
    pub layer: LayerKind,
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

    fn book(&self, layer: LayerKind, file: &str) -> Option<&Book> {
        self.all.iter().find(|book| home(book.layer) == home(layer) && book.file.name == file)
    }

    /// The rule of a finding.
    pub fn rule(&self, finding: &Finding) -> Option<&Rule> {
        let at = finding.rulebook.as_ref()?;
        self.book(finding.layer, &at.file)?.rulebook.rules.iter().find(|rule| rule.id == finding.rule)
    }

    /// What would have let a call through, as phrases that follow on "if".
    pub fn lets_through(&self, _finding: &Finding, _texts: &Texts) -> Vec<String> {
        Vec::new()
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
