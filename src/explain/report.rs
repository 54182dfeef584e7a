//! Findings as diagnostics: the call underlined where it matched, and the rule underlined where it says so.

use std::fmt;
use std::ops::Range;

use miette::{Diagnostic, LabeledSpan, NamedSource, Severity, SourceCode};

use super::books::{Book, Books};
use super::message;
use super::plain::clip;
use super::shown::{Shown, Texts};
use crate::model::rule::{Rule, RuleKind};
use crate::model::verdict::RuleAt;
use crate::model::{Certainty, Decision, Finding, LayerKind};

/// The longest line of a source that is shown whole; of a longer one, a window around what is underlined.
const WIDE: usize = 240;
/// How much is shown on either side then.
const AROUND: usize = 80;

/// One diagnostic with its source.
#[derive(Debug)]
pub struct Report {
    message: String,
    code: Option<String>,
    severity: Severity,
    help: Option<String>,
    source: Option<NamedSource<String>>,
    labels: Vec<LabeledSpan>,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Report {}

impl Diagnostic for Report {
    fn code<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.code.as_ref().map(|code| Box::new(code) as Box<dyn fmt::Display>)
    }
    fn severity(&self) -> Option<Severity> {
        Some(self.severity)
    }
    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.help.as_ref().map(|help| Box::new(help) as Box<dyn fmt::Display>)
    }
    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.source.as_ref().map(|source| source as &dyn SourceCode)
    }
    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        (!self.labels.is_empty()).then(|| Box::new(self.labels.iter().cloned()) as Box<dyn Iterator<Item = LabeledSpan>>)
    }
}

/// A finding as two diagnostics: what was asked for, and the rule. The second is missing where the rule has no text
/// (`engine.…`).
pub fn finding(finding: &Finding, texts: &Texts, books: &Books) -> Vec<Report> {
    let mut reports = vec![in_the_call(finding, texts)];
    if let Some(at) = &finding.rulebook
        && let Some(book) = books.book(finding.layer, &at.file)
    {
        reports.push(in_the_rulebook(finding, at, book, &books.lets_through(finding, texts)));
    }
    reports
}

fn in_the_call(finding: &Finding, texts: &Texts) -> Report {
    let what = match (finding.decision, finding.certainty) {
        (Decision::Deny, Certainty::Certain) => "refused",
        (Decision::Deny, Certainty::Possible) => "refused, since it may match",
        (Decision::Ask, Certainty::Certain) => "a person is asked",
        (Decision::Ask, Certainty::Possible) => "a person is asked, since it may match",
        (Decision::Warn, _) => "warned about",
        (Decision::Allow, _) => "let through",
    };
    let (source, labels) = match texts.find(finding.span).and_then(|(index, range)| Some((texts.texts.get(index)?, range))) {
        Some(((name, shown), range)) if !shown.text.is_empty() => {
            let (text, range) = window(&shown.text, range);
            (Some(NamedSource::new(name, text)), vec![LabeledSpan::new_with_span(Some(what.into()), range)])
        }
        _ => (None, Vec::new()),
    };
    let mut help = Vec::new();
    if let Some(instead) = finding.instead.as_ref().filter(|_| finding.layer != LayerKind::Project) {
        help.push(format!("instead: {}", clip(&texts.line(instead), 400)));
    }
    if finding.decision == Decision::Deny {
        help.push(message::footer(finding.intent).to_string());
    }
    Report {
        message: message::reason(finding, texts),
        code: Some(texts.line(&finding.rule)),
        severity: match finding.decision {
            Decision::Deny | Decision::Ask => Severity::Error,
            Decision::Warn => Severity::Warning,
            Decision::Allow => Severity::Advice,
        },
        help: (!help.is_empty()).then(|| help.join("\n")),
        source,
        labels,
    }
}

fn in_the_rulebook(finding: &Finding, at: &RuleAt, book: &Book, lets_through: &[String]) -> Report {
    let shown = Shown::of(&book.file.text);
    let range = shown.range(at.start as usize, at.end as usize);
    let mut help: Vec<String> = lets_through.iter().map(|each| format!("let through if {each}")).collect();
    help.push(message::way_out(finding));
    let (text, range) =
        if range.end <= shown.text.len() && !range.is_empty() { (shown.text, range) } else { (shown.text, 0..0) };
    Report {
        message: format!("the rule, in the {} layer", message::layer(finding.layer)),
        code: None,
        severity: Severity::Advice,
        help: Some(help.join("\n")),
        source: Some(NamedSource::new(super::plain::line(&book.path), text)),
        labels: vec![LabeledSpan::new_with_span(Some("this matched".into()), range)],
    }
}

/// A rule as its rulebook has it: each `match` and the decision underlined.
pub fn rule(rule: &Rule, book: &Book) -> Report {
    let shown = Shown::of(&book.file.text);
    let mut places: Vec<Range<usize>> =
        rule.matches.iter().map(|each| shown.range(each.at.start as usize, each.at.end as usize)).collect();
    places.sort_by_key(|place| (place.start, place.end));
    places.dedup();
    places.retain(|place| place.end <= shown.text.len() && !place.is_empty());
    let label = if rule.kind == RuleKind::Rule { "matches" } else { "exempts" };
    Report {
        message: format!("`{}` in {}", rule.id, super::plain::line(&book.path)),
        code: None,
        severity: Severity::Advice,
        help: None,
        source: Some(NamedSource::new(super::plain::line(&book.path), shown.text)),
        labels: places.into_iter().map(|place| LabeledSpan::new_with_span(Some(label.into()), place)).collect(),
    }
}

/// The text with long lines cut down to a window around what is underlined, and the range in it.
fn window(text: &str, range: Range<usize>) -> (String, Range<usize>) {
    let start = text[..range.start].rfind('\n').map_or(0, |at| at + 1);
    let end = text[range.end..].find('\n').map_or(text.len(), |at| range.end + at);
    if end - start <= WIDE {
        return (text.to_string(), range);
    }
    // What is underlined may itself be long: its beginning and the window's width are enough.
    let from = floor(text, range.start.saturating_sub(AROUND).max(start));
    let until = floor(text, range.end.min(range.start + WIDE));
    let to = floor(text, (until + AROUND).min(end));
    let lead = if from > start { "…" } else { "" };
    let tail = if to < end { "…" } else { "" };
    let cut = format!("{lead}{}{tail}", &text[from..to]);
    let shift = |at: usize| at - from + lead.len();
    (cut, shift(range.start)..shift(until))
}

fn floor(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// A diagnostic as a terminal shows it.
#[cfg(feature = "machine")]
pub fn render(report: &dyn Diagnostic, colour: bool, width: usize) -> String {
    use miette::{GraphicalReportHandler, GraphicalTheme};
    let theme = if colour { GraphicalTheme::unicode() } else { GraphicalTheme::unicode_nocolor() };
    let handler = GraphicalReportHandler::new_themed(theme).with_links(false).with_width(width).with_context_lines(1);
    let mut out = String::new();
    match handler.render_report(&mut out, report) {
        Ok(()) => out,
        // A span that the handler does not like costs the picture, not the sentence.
        Err(_) => format!("{report}\n"),
    }
}
