//! Syntax trees → checked rulebooks: names resolved, groups unfolded, contradictions reported.
//!
//! All files of a layer are parsed first, then their sets are resolved together, then every file is checked by itself, so that
//! neither the order of files nor that of items matters. An item with a fault is left out and reported.

mod code;
mod conditions;
mod declarations;
mod examples;
mod library;
pub(super) mod names;
mod paths;
mod patterns;
mod rules;
mod union;
mod words;

use std::collections::BTreeMap;

use super::checked::{Example, Rulebook};
use super::diagnostic::{At, Diagnostic, Faults};
use super::split::{self, Piece};
use super::tree::{Item, ItemKind, Raw};
use super::{File, parse};
use crate::model::settings::Override;
use crate::model::verdict::RuleAt;
use names::{Known, Names, Resolved};

/// What checking a layer gives: a rulebook for each file, with whatever held, and what is wrong with the rest.
#[derive(Debug, Clone, PartialEq)]
pub struct Checked {
    /// In the order of the files.
    pub rulebooks: Vec<Rulebook>,
    /// By file, then by place.
    pub diagnostics: Vec<Diagnostic>,
}

/// A file's trees.
pub struct Parsed<'t> {
    pub items: Vec<Item<'t>>,
    /// Names of sets whose items could not be read: declared all the same, so that one fault is one report.
    lost_sets: Vec<&'t str>,
}

/// How much of a rulebook is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// All of it.
    All,
    /// All but the examples, and what rules lack.
    WithoutExamples,
}

/// Checks files against what the layers below declare.
pub fn check(files: &[File], known: &Known, reading: Reading) -> Checked {
    // A second net under the grammar, which is linear: some 14 calls of pest's for a byte, at most 64.
    pest::set_call_limit(std::num::NonZeroUsize::new(64 * split::ITEM_LIMIT));
    let mut faults: Vec<Faults> = Vec::with_capacity(files.len());
    let mut parsed: Vec<Parsed<'_>> = Vec::with_capacity(files.len());
    for file in files {
        let mut own = Faults::new(&file.name, file.text.len());
        parsed.push(parse_file(&file.text, &mut own));
        faults.push(own);
    }
    let names = Names::collect(&parsed, known, &mut faults);
    let mut rulebooks = Vec::with_capacity(files.len());
    let mut ids: BTreeMap<String, String> = BTreeMap::new();
    for (index, (file, parsed)) in files.iter().zip(&parsed).enumerate() {
        let mut check = Check {
            names: &names,
            reading,
            text: &file.text,
            file: index,
            faults: &mut faults[index],
            rulebook: rulebook(file),
            ids: &mut ids,
        };
        check.items(&parsed.items);
        rulebooks.push(check.rulebook);
    }
    let mut diagnostics = Vec::new();
    for mut file in faults {
        file.found.sort_by_key(|diagnostic| diagnostic.labels.first().map_or(0, |label| label.at.start));
        diagnostics.append(&mut file.found);
    }
    Checked { rulebooks, diagnostics }
}

/// A file's trees; what cannot be read is reported.
pub fn parse_file<'t>(text: &'t str, faults: &mut Faults) -> Parsed<'t> {
    let mut parsed = Parsed { items: Vec::new(), lost_sets: Vec::new() };
    if text.len() > split::TEXT_LIMIT {
        let message = format!("this file has {} bytes, more than {}", text.len(), split::TEXT_LIMIT);
        faults
            .error("rulebook::file-too-long", At { start: 0, end: 0 }, "begins here", message)
            .help("split it into several files");
        return parsed;
    }
    foreign_letters(text, faults);
    for piece in split::split(text, faults) {
        if faults.full(piece.at) {
            return parsed;
        }
        match parse::parse(text, &piece, faults) {
            Some(item) => parsed.items.push(item),
            None => lose(&mut parsed, &piece),
        }
    }
    parsed
}

fn lose<'t>(parsed: &mut Parsed<'t>, piece: &Piece<'t>) {
    if matches!(piece.keyword, "list" | "paths") && !piece.name.is_empty() {
        parsed.lost_sets.push(piece.name);
    }
}

/// Reports letters that a reader cannot see, or that make text look like what it is not.
fn foreign_letters(text: &str, faults: &mut Faults) {
    // The lead bytes of such letters: controls, and the blocks U+0080, U+2000 and U+F000.
    let suspicious =
        |byte: u8| (byte < b' ' && !matches!(byte, b'\t' | b'\n' | b'\r')) || matches!(byte, 0x7f | 0xc2 | 0xe2 | 0xef);
    for (start, _) in text.bytes().enumerate().filter(|(_, byte)| suspicious(*byte)) {
        let Some(c) = text.get(start..).and_then(|rest| rest.chars().next()) else { continue };
        let hidden = c.is_control()
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}');
        if hidden && !(start == 0 && c == '\u{feff}') {
            let at = At { start, end: start + c.len_utf8() };
            let message = format!("the invisible letter U+{:04X} is in the text", u32::from(c));
            faults.error("rulebook::hidden-letter", at, "here", message).help("remove it: a rulebook means what it looks like");
        }
    }
}

fn rulebook(file: &File) -> Rulebook {
    let name = file.name.rsplit(['/', '\\']).next().unwrap_or(&file.name);
    let name = name.strip_suffix(".rulebook").unwrap_or(name);
    Rulebook {
        name: name.to_string(),
        version: "0.0.0".to_string(),
        about: String::new(),
        file: file.name.clone(),
        lists: Vec::new(),
        paths: Vec::new(),
        commands: Vec::new(),
        languages: Vec::new(),
        tools: Vec::new(),
        rules: Vec::new(),
        overrides: Vec::new(),
        examples: Vec::<Example>::new(),
    }
}

/// How many rules one file may have.
const RULES_LIMIT: usize = 20_000;

/// What the checks of one file share.
pub(super) struct Check<'a, 't> {
    names: &'a Names<'t>,
    reading: Reading,
    text: &'t str,
    file: usize,
    faults: &'a mut Faults,
    rulebook: Rulebook,
    /// The ids of all rules of the layer so far, and their files.
    ids: &'a mut BTreeMap<String, String>,
}

impl<'t> Check<'_, 't> {
    fn items(&mut self, items: &'t [Item<'t>]) {
        self.headers(items);
        for (name, resolved) in self.names.of_file(self.file) {
            match resolved {
                Resolved::Words(sets) => self.rulebook.lists.extend(sets.iter().map(|set| (name.to_string(), set.clone()))),
                Resolved::Paths(sets) => self.rulebook.paths.extend(sets.iter().map(|set| (name.to_string(), set.clone()))),
                Resolved::Broken => {}
            }
        }
        for item in items {
            let before = self.faults.errors();
            match &item.kind {
                ItemKind::Command(command) => {
                    let checked = self.command(command, item.at);
                    if self.holds(item, before) {
                        self.rulebook.commands.extend(checked);
                    }
                }
                ItemKind::Language(language) => {
                    let checked = self.language(language);
                    if self.holds(item, before) {
                        self.rulebook.languages.push(checked);
                    }
                }
                ItemKind::Tool(tool) => {
                    let checked = self.tool(tool);
                    if self.holds(item, before) {
                        self.rulebook.tools.extend(checked);
                    }
                }
                ItemKind::Rule(rule) => {
                    let checked = self.rule(rule, item.at, item.broken);
                    if self.holds(item, before)
                        && let Some((rule, examples)) = checked
                    {
                        if self.rulebook.rules.len() == RULES_LIMIT {
                            let message = format!("this file has more than {RULES_LIMIT} rules");
                            self.faults
                                .error("rulebook::too-many-rules", item.at, "one too many", message)
                                .help("split it into several files");
                            return;
                        }
                        self.rulebook.rules.push(rule);
                        self.rulebook.examples.extend(examples);
                    }
                }
                ItemKind::Override { id, decision } => self.override_(*id, *decision),
                ItemKind::Set(_) | ItemKind::Rulebook(_) | ItemKind::Version(_) | ItemKind::About(_) => {}
            }
        }
    }

    fn holds(&self, item: &Item<'_>, errors_before: usize) -> bool {
        !item.broken && self.faults.errors() == errors_before
    }

    fn headers(&mut self, items: &'t [Item<'t>]) {
        let mut seen: BTreeMap<&str, At> = BTreeMap::new();
        for item in items {
            let word = match &item.kind {
                ItemKind::Rulebook(name) => {
                    if name.text.contains('.') || name.text == "engine" {
                        let message = format!("a rulebook cannot be named `{}`", name.text);
                        let help = "the name has no dots, and `engine` is the engine's own; try a word such as `git`";
                        self.faults.error("rulebook::reserved-name", name.at, "not a rulebook's name", message).help(help);
                    } else if !seen.contains_key("rulebook") {
                        self.rulebook.name = name.text.to_string();
                    }
                    "rulebook"
                }
                ItemKind::Version(version) => {
                    self.rulebook.version = version.text.to_string();
                    "version"
                }
                ItemKind::About(about) => {
                    self.rulebook.about = super::word::unescape(about.text);
                    "about"
                }
                _ => continue,
            };
            if let Some(first) = seen.get(word) {
                self.faults
                    .error("rulebook::duplicate", item.at, "stated again", format!("`{word}` stands twice"))
                    .also(*first, "stated first here")
                    .help("remove one of them");
            } else {
                seen.insert(word, item.at);
            }
        }
    }

    fn override_(&mut self, id: Raw<'t>, decision: Raw<'t>) {
        let decision = match decision.text {
            "off" => None,
            other => crate::model::Decision::parse(other),
        };
        if !id.text.contains('.') {
            let help = format!("a rule's id is its rulebook and its name: `{}.{}`", self.rulebook.name, id.text);
            let message = format!("`{}` is no rule's id", id.text);
            self.faults.error("rulebook::bad-id", id.at, "without a rulebook's name", message).help(help);
            return;
        }
        self.rulebook.overrides.push(Override { rule: id.text.to_string(), decision });
    }

    fn rule_at(&self, at: At) -> RuleAt {
        RuleAt { file: self.rulebook.file.clone(), start: at.start as u32, end: at.end as u32 }
    }
}
