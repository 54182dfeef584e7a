//! The rules of all layers, each with what it comes to here: what `rule list`, `rule show` and `rule doc` tell of.

use crate::explain::engine::{self, EngineRule};
use crate::explain::{Book, Books, message};
use crate::image::RuleHeader;
use crate::language::diagnostic::nearest;
use crate::model::rule::{Rule, RuleKind};
use crate::model::{Decision, LayerKind, Preset};
use crate::policy::{Layers, in_force};

/// A decision, and what it becomes where nobody can answer.
pub type Stated = (Decision, Decision);

/// One rule or allow of a layer, or an outcome of the engine itself.
#[derive(Debug)]
pub struct Entry<'b> {
    /// `rulebook.rule`.
    pub id: &'b str,
    /// The catalogue's folder, or the rulebook's name.
    pub field: &'b str,
    /// Whose it is.
    pub layer: LayerKind,
    /// Never switched off.
    pub floor: bool,
    /// The preset from which on it is active.
    pub preset: Preset,
    /// What it states; none for an allow.
    pub stated: Option<Stated>,
    /// What that comes to, overrides applied; none where it is off.
    pub in_force: Option<Stated>,
    /// One line: the reason, or why an allow stands.
    pub line: &'b str,
    /// The rule and its rulebook; the engine's have none.
    pub source: Option<(&'b Book, &'b Rule)>,
}

/// Every entry, in the order of fields, then of the text; the engine's last.
pub fn entries<'b>(layers: &Layers, books: &'b Books) -> Vec<Entry<'b>> {
    let mut all: Vec<Entry<'b>> = Vec::new();
    for book in &books.all {
        let index = layers.layers.iter().position(|layer| {
            layer.kind == book.layer && (layer.kind == LayerKind::Embedded || book.path.starts_with(&layer.name))
        });
        all.extend(book.rulebook.rules.iter().map(|rule| entry(layers, index, book, rule)));
    }
    all.sort_by(|one, other| (one.field, &one.layer).cmp(&(other.field, &other.layer)));
    all.extend(engine::RULES.iter().map(of_the_engine));
    all
}

/// The entries with this id, else those that answer to it as a former or foreign one.
pub fn answering<'e, 'b>(all: &'e [Entry<'b>], id: &str) -> Vec<&'e Entry<'b>> {
    let own: Vec<&Entry> = all.iter().filter(|entry| entry.id == id).collect();
    if !own.is_empty() {
        return own;
    }
    all.iter().filter(|entry| entry.also().any(|also| also == id)).collect()
}

/// That nothing has this id, and which is nearest, as a phrase.
pub fn unknown(all: &[Entry], id: &str) -> String {
    let ids = all.iter().flat_map(|entry| std::iter::once(entry.id).chain(entry.also()));
    match nearest(id, ids) {
        Some(near) => format!("no rule is named `{id}`; did you mean `{near}`?"),
        None => format!("no rule is named `{id}`; `rule list` names them all"),
    }
}

impl<'b> Entry<'b> {
    /// Its former and foreign ids.
    fn also(&self) -> impl Iterator<Item = &'b str> + use<'b> {
        self.source.into_iter().flat_map(|(_, rule)| rule.also.iter().map(|also| also.id.as_str()))
    }
}

fn entry<'b>(layers: &Layers, index: Option<usize>, book: &'b Book, rule: &'b Rule) -> Entry<'b> {
    let is_rule = rule.kind == RuleKind::Rule;
    let folder = book.file.name.split_once('/').map(|(folder, _)| folder).filter(|_| book.layer == LayerKind::Embedded);
    Entry {
        id: &rule.id,
        field: folder.unwrap_or(&book.rulebook.name),
        layer: book.layer,
        floor: rule.floor && book.layer == LayerKind::Embedded,
        preset: rule.level,
        stated: is_rule.then_some((rule.decision, rule.otherwise)),
        in_force: index.and_then(|index| in_force(layers, index, &RuleHeader::of(rule))).filter(|_| is_rule),
        line: if is_rule { &rule.reason } else { rule.because.as_deref().unwrap_or_default() },
        source: Some((book, rule)),
    }
}

fn of_the_engine<'b>(rule: &'static EngineRule) -> Entry<'b> {
    let stated = Some((Decision::Deny, Decision::Deny));
    Entry {
        id: rule.id,
        field: "engine",
        layer: LayerKind::Floor,
        floor: true,
        preset: rule.preset,
        stated,
        in_force: stated,
        line: rule.line,
        source: None,
    }
}

impl Entry<'_> {
    /// What is decided, in a word or two: `deny`, `ask or warn`, `allow`, `deny, here off`.
    pub fn decision(&self) -> String {
        match (self.stated, self.in_force) {
            (None, _) => "allow".into(),
            (stated, here) if stated == here => decision(stated),
            (stated, here) => format!("{}, here {}", decision(stated), decision(here)),
        }
    }

    /// The layer, as people call it.
    pub fn layer(&self) -> &'static str {
        message::layer(self.layer)
    }
}

/// A decision as a rulebook spells it; `off` where there is none.
pub fn decision(of: Option<Stated>) -> String {
    match of {
        None => "off".into(),
        Some((Decision::Ask, Decision::Deny)) => "ask".into(),
        Some((Decision::Ask, otherwise)) => format!("ask or {}", otherwise.word()),
        Some((decision, _)) => decision.word().into(),
    }
}
