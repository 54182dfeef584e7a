//! What is wrong with a rulebook, told so that a person can mend it: a stable code, one line, the places, and text to paste.
//!
//! A [`Diagnostic`] is plain data without the text that it is about; [`Diagnostic::over`] joins the two for miette.

use std::fmt;
use std::ops::Range;

use miette::{LabeledSpan, NamedSource, SourceCode};

/// How grave a diagnostic is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The item holds, and something about it is worth a look.
    Warning,
    /// The item does not hold.
    Error,
}

/// A place in the text and what is wrong there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// Bytes of the file's text; on character boundaries, and within it.
    pub at: Range<usize>,
    /// A few words.
    pub text: String,
}

/// One thing that is wrong with a rulebook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Stable: `rulebook::unknown-set`.
    pub code: &'static str,
    /// Error or warning.
    pub severity: Severity,
    /// One line, lower case, without a final period.
    pub message: String,
    /// The file, as its layer names it.
    pub file: String,
    /// Places; the first is the one to go to.
    pub labels: Vec<Label>,
    /// What to write instead, with text to paste.
    pub help: Option<String>,
}

impl Diagnostic {
    /// Whether the item that it is about does not hold.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// Joined with the text of its file: a report that miette can render.
    pub fn over(&self, text: &str) -> Report {
        Report { diagnostic: self.clone(), source: NamedSource::new(&self.file, text.to_string()) }
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// A diagnostic with the text that it is about.
#[derive(Debug)]
pub struct Report {
    diagnostic: Diagnostic,
    source: NamedSource<String>,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.diagnostic.message)
    }
}

impl std::error::Error for Report {}

impl miette::Diagnostic for Report {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        Some(Box::new(self.diagnostic.code))
    }

    fn severity(&self) -> Option<miette::Severity> {
        Some(match self.diagnostic.severity {
            Severity::Warning => miette::Severity::Warning,
            Severity::Error => miette::Severity::Error,
        })
    }

    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.diagnostic.help.as_ref().map(|help| Box::new(help) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        Some(&self.source)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        Some(Box::new(self.diagnostic.labels.iter().map(|label| {
            LabeledSpan::new(Some(label.text.clone()), label.at.start, label.at.end.saturating_sub(label.at.start))
        })))
    }
}

/// The diagnostics of one file, as they are found.
#[derive(Debug)]
pub(super) struct Faults {
    /// The file, as its layer names it.
    pub file: String,
    /// What was found so far.
    pub found: Vec<Diagnostic>,
    length: usize,
    errors: usize,
    told: bool,
}

/// How many faults of one file are reported.
const FAULT_LIMIT: usize = 1_000;

impl Faults {
    /// None yet, over a text of `length` bytes.
    pub fn new(file: &str, length: usize) -> Faults {
        Faults { file: file.to_string(), found: Vec::new(), length, errors: 0, told: false }
    }

    /// Records an error at a place.
    pub fn error(
        &mut self,
        code: &'static str,
        at: At,
        label: impl Into<String>,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        self.add(Severity::Error, code, at, label.into(), message.into())
    }

    /// Records a warning at a place.
    pub fn warning(
        &mut self,
        code: &'static str,
        at: At,
        label: impl Into<String>,
        message: impl Into<String>,
    ) -> &mut Diagnostic {
        self.add(Severity::Warning, code, at, label.into(), message.into())
    }

    /// Whether so much is wrong that the rest of the file, from `at` on, is left unread; says so once.
    pub fn full(&mut self, at: At) -> bool {
        if self.errors < FAULT_LIMIT {
            return false;
        }
        if !self.told {
            self.told = true;
            let message = format!("more than {FAULT_LIMIT} faults: the rest of the file is not read");
            let at = At { start: at.start, end: at.start };
            self.error("rulebook::too-many-faults", at, "unread from here on", message)
                .help("mend the first ones and check again");
        }
        true
    }

    /// How many errors there are.
    pub fn errors(&self) -> usize {
        self.errors
    }

    fn add(&mut self, severity: Severity, code: &'static str, at: At, label: String, message: String) -> &mut Diagnostic {
        // INVARIANT (labels in bounds): every place comes from the splitter or from pest, both of which cut at characters; the
        // length is the last guard.
        let at = at.start.min(self.length)..at.end.min(self.length).max(at.start.min(self.length));
        let index = self.found.len();
        self.errors += usize::from(severity == Severity::Error);
        self.found.push(Diagnostic {
            code,
            severity,
            message,
            file: self.file.clone(),
            labels: vec![Label { at, text: label }],
            help: None,
        });
        &mut self.found[index]
    }
}

impl Diagnostic {
    /// Adds what to write instead.
    pub(super) fn help(&mut self, text: impl Into<String>) -> &mut Diagnostic {
        self.help = Some(text.into());
        self
    }

    /// Adds another place.
    pub(super) fn also(&mut self, at: At, text: impl Into<String>) -> &mut Diagnostic {
        self.labels.push(Label { at: at.start..at.end, text: text.into() });
        self
    }
}

/// A stretch of a file's text, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub(super) struct At {
    /// First byte.
    pub start: usize,
    /// One past the last.
    pub end: usize,
}

/// The name that was likely meant: the nearest of the known ones, if it is near enough to be a typing mistake.
pub(crate) fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = (word.chars().count() / 3).clamp(1, 3);
    known
        .into_iter()
        .filter(|name| *name != word)
        .map(|name| (distance(word, name, limit), name))
        .filter(|(distance, name)| *distance <= limit && *distance < name.chars().count())
        .min()
        .map(|(_, name)| name)
}

/// Edits (insert, remove, replace, swap neighbours) from one to the other; past `limit` any larger number.
fn distance(a: &str, b: &str, limit: usize) -> usize {
    let a: Vec<char> = a.chars().take(64).collect();
    let b: Vec<char> = b.chars().take(64).collect();
    if a.len().abs_diff(b.len()) > limit {
        return limit + 1;
    }
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let cost = usize::from(a[i - 1] != b[j - 1]);
            row[j] = (last[j] + 1).min(row[j - 1] + 1).min(last[j - 1] + cost);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_typing_mistake_has_its_name_near() {
        let known = ["unless", "when", "instead", "intent"];
        assert_eq!(nearest("unles", known), Some("unless"));
        assert_eq!(nearest("wehn", known), Some("when"));
        assert_eq!(nearest("zebra", known), None);
    }
}
