//! Sources → settings and rulebooks → an image, or everything that is wrong with them.

use std::path::Path;

use super::known::known;
use super::source::{FOREIGN, SETTINGS, Sources};
use super::{foreign, settings, source};
use crate::catalogue;
use crate::image;
use crate::language::{Checked, Diagnostic, File, Known, check_layer};
use crate::model::Settings;

/// A layer checked and compiled.
#[derive(Debug)]
pub struct Compiled {
    /// The image of everything that could be read.
    pub image: Vec<u8>,
    /// What is wrong, errors and warnings.
    pub found: Vec<Diagnostic>,
    /// The texts that the diagnostics are about, by the names that they give.
    pub texts: Vec<File>,
    /// What it says that a layer without the right to loosen is not heard about: one line each.
    pub claims: Vec<String>,
}

/// How many rulebook bytes are compiled in a hook.
pub const HOOK_BYTES: usize = 256 << 10;

/// Checks and compiles. Never fails: what is wrong is told, the rest is in the image.
pub fn compile(sources: &Sources, homes: &[String]) -> Compiled {
    let (mut texts, mut rulebooks, mut said, mut found) = (Vec::new(), Vec::new(), Settings::default(), Vec::new());
    for source in &sources.files {
        let file = File { name: source.name.clone(), text: String::from_utf8_lossy(&source.bytes).into_owned() };
        let has_own = sources.files.iter().any(|other| other.name == SETTINGS);
        if source.name == SETTINGS {
            let (read, faults) = settings::read(&file.name, &file.text, homes);
            (said, found) = (read, [found, faults].concat());
        } else if source.name == FOREIGN && !has_own {
            let (read, faults) = foreign::read(&file.name, &file.text, homes);
            (said, found) = (read, [found, faults].concat());
        } else if is_rulebook(&source.name) {
            rulebooks.push(file.clone());
        } else {
            continue;
        }
        texts.push(file);
    }
    // Most layers are settings alone, and need no names.
    let known = if rulebooks.is_empty() { Known::default() } else { known() };
    let Checked { rulebooks: checked, diagnostics } = check_layer(&rulebooks, &known);
    found.extend(diagnostics);
    Compiled { image: image::compile(&checked, &said), claims: claims(&checked), found, texts }
}

/// The rulebooks of a directory as text.
pub fn files(sources: &Sources) -> Vec<File> {
    let rulebooks = sources.files.iter().filter(|source| is_rulebook(&source.name));
    rulebooks.map(|it| File { name: it.name.clone(), text: String::from_utf8_lossy(&it.bytes).into_owned() }).collect()
}

/// How many bytes of rulebooks there are to compile.
pub fn size(sources: &Sources) -> usize {
    sources.files.iter().filter(|file| is_rulebook(&file.name)).map(|file| file.bytes.len()).sum()
}

/// Everything that is wrong with a layer's directory, for `rule check` and `doctor`: what the files themselves are guilty of, and
/// the diagnostics with their texts.
pub fn inspect(directory: &Path, project: bool, homes: &[String]) -> (Vec<String>, Compiled) {
    let sources = source::read(directory, project);
    let compiled = compile(&sources, homes);
    (sources.faults, compiled)
}

/// A diagnostic in one line, for reports: `policy.yaml:2:1: settings::preset: not a preset`.
pub fn line(found: &Diagnostic, texts: &[File]) -> String {
    let at = found.labels.first().map_or(0, |label| label.at.start);
    let text = texts.iter().find(|file| file.name == found.file).map_or("", |file| &file.text);
    let before = text.get(..at).unwrap_or_default();
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    let (line, column) = (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1);
    format!("{}:{line}:{column}: {}: {}", found.file, found.code, found.message)
}

fn is_rulebook(name: &str) -> bool {
    name.strip_prefix("rules/").is_some_and(|rest| !rest.contains('/') && rest.ends_with(".rulebook"))
}

/// What an untrusted repository claims and does not get.
fn claims(rulebooks: &[crate::language::Rulebook]) -> Vec<String> {
    use crate::model::rule::RuleKind;
    let known = catalogue::image().ok();
    let declared = |name: &str| known.as_ref().is_some_and(|image| image.commands(name).is_ok_and(|found| !found.is_empty()));
    let mut claims = Vec::new();
    for book in rulebooks {
        for rule in &book.rules {
            if rule.kind == RuleKind::Allow {
                claims.push(format!("allow {}: has a right over this layer's own rules alone", rule.id));
            } else if rule.floor {
                claims.push(format!("rule {}: only the catalogue has a floor; it is an ordinary rule here", rule.id));
            }
        }
        claims.extend(book.overrides.iter().map(|said| format!("override {}: may only raise", said.rule)));
        for name in book.commands.iter().flat_map(|command| &command.names).filter(|name| declared(name)) {
            claims.push(format!("command {name}: adds a reading and replaces none"));
        }
        claims.extend(book.paths.iter().map(|(name, _)| format!("paths {name}: holds in this layer alone")));
    }
    claims.truncate(16);
    claims
}
