//! `rule migrate`: other guards' rules and agents' permissions as rulebooks and settings, with a list of what could not be said.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde::Serialize;

use super::ported;
use crate::cli::{self, person};
use crate::explain::plain;
use crate::language::File;
use crate::layers::Environment;
use crate::migrate::{self, Draft, Migrated, Unsaid};
use crate::world::file::{self, Links};

/// The arguments of `rule migrate`.
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// Files: rule.json, rulebook.json, .safety-net.json, policy.json, a pack of patterns, an agent's rules or settings
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Write to this folder: its rules/ and its policy.yaml; without it, to the terminal
    #[arg(long)]
    out: Option<PathBuf>,
    /// Be sure, where no terminal is there: for a folder that is in force
    #[arg(long)]
    yes: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) const AFTER: &str = "\
What a file is is told by its shape:
  rule.json       of the TypeScript guard; its rulebooks are read beside it
  rulebook.json   versions 1 and 2
  inline rules    `.safety-net.json`, or `config.json` of old
  policy.json     becomes policy.yaml
  a YAML pack     of patterns that refuse and let pass
  prefix rules    an agent's .rules files
  permissions     of an agent's settings.json

Every rule is checked, its own examples are tried by the engine, and a rule
without gets examples made. What could not be said, or only more widely, is
listed with its place. Nothing is overwritten. A folder that is in force
(.cc-safety-net) is written by a person alone.

Exit code: 0 if everything was said, 1 if something is on the list, 2 if a
file cannot be read or written.

Examples:
  cc-safety-net rule migrate ~/.cc-safety-net/rules/rule.json
  cc-safety-net rule migrate --out migrated .claude/settings.json
  cc-safety-net rule migrate --json ~/.codex/rules/default.rules

JSON: `version` (1), `files` (name, text), and `unsaid` (file, at: a JSON
pointer or a line, item, why).";

/// The largest file that is read.
const SIZE: u64 = 4 << 20;

/// How many rulebooks one file may name.
const SOURCES: usize = 64;

#[derive(Serialize)]
struct Document {
    version: u32,
    files: Vec<Written>,
    unsaid: Vec<Told>,
}

#[derive(Serialize)]
struct Written {
    name: String,
    text: String,
}

#[derive(Serialize)]
struct Told {
    file: String,
    at: String,
    item: String,
    why: String,
}

/// What all files come to.
#[derive(Default)]
struct Gathered {
    drafts: Vec<Draft>,
    settings: Vec<String>,
    off: Vec<String>,
    /// With the file of each.
    unsaid: Vec<(String, Unsaid)>,
}

/// Runs the command.
pub(super) fn run(arguments: Arguments) -> ExitCode {
    if let Some(out) = arguments.out.as_deref().filter(|out| is_in_force(out))
        && let Some(why) = person::refusal_of_loosening(arguments.yes)
    {
        return cli::fail(&format!("`{}` is in force: {why}", out.display()));
    }
    let mut gathered = Gathered::default();
    for path in &arguments.files {
        if let Err(what) = gathered.add(path, true) {
            return cli::fail(&what);
        }
    }
    let (files, unsaid) = match gathered.finish() {
        Ok(done) => done,
        Err(what) => return cli::fail(&what),
    };
    if let Some(out) = &arguments.out
        && let Err(what) = write(out, &files)
    {
        return cli::fail(&what);
    }
    let is_whole = unsaid.is_empty();
    if arguments.json {
        let files = files.into_iter().map(|file| Written { name: file.name, text: file.text }).collect();
        println!("{}", cli::json(&Document { version: 1, files, unsaid }));
    } else {
        if arguments.out.is_none() {
            files.iter().for_each(|file| println!("# {}\n\n{}", file.name, file.text.trim_end()));
        }
        for told in &unsaid {
            eprintln!("{}: {}: {}", plain::line(&told.file), plain::line(&told.at), plain::clip(&plain::line(&told.item), 120));
            eprintln!("  {}", plain::line(&told.why));
        }
        eprintln!("{}, {} not said as it was", cli::count(files.len(), "file"), unsaid.len());
    }
    ExitCode::from(u8::from(!is_whole))
}

impl Gathered {
    /// Reads one file, and the rulebooks beside it that it names where `follow`.
    fn add(&mut self, path: &Path, follow: bool) -> Result<(), String> {
        let shown = path.display().to_string();
        let bytes = file::read(path, SIZE, Links::Follow).map_err(|error| error.to_string())?;
        let text = String::from_utf8(bytes).map_err(|_| format!("`{shown}` is not UTF-8"))?;
        let base = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        let Migrated { format, drafts, settings, off, sources, replaced, unsaid } =
            migrate::read(&text, &base).map_err(|what| format!("`{shown}`: {what}"))?;
        eprintln!("{}: {format}", plain::line(&shown));
        let mut note = |at: &str, item: &str, why: &str| {
            self.unsaid.push((shown.clone(), Unsaid { at: at.into(), item: item.into(), why: why.into() }));
        };
        unsaid.iter().for_each(|each| note(&each.at, &each.item, &each.why));
        if !settings.is_empty() && !self.settings.is_empty() {
            note("/", &settings.join("; "), "another file has said the settings already");
        }
        let first = self.drafts.len();
        self.drafts.extend(drafts);
        self.off.extend(off);
        if self.settings.is_empty() {
            self.settings = settings;
        }
        for (index, source) in sources.iter().enumerate() {
            let beside = path.parent().unwrap_or(Path::new("")).join(source).join("rulebook.json");
            let plain = source.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c));
            if !follow || !plain || index >= SOURCES || !beside.is_file() {
                let why = format!("`{}` is not there", beside.display());
                self.unsaid.push((shown.clone(), Unsaid { at: "/rules".into(), item: source.clone(), why }));
                continue;
            }
            self.add(&beside, false)?;
        }
        for change in replaced {
            let own = migrate::name(&change.rulebook);
            let draft = self.drafts[first..].iter_mut().find(|draft| draft.name == own);
            let rule = draft.and_then(|draft| {
                let at = draft.rules.iter().position(|rule| rule.title == change.rule)?;
                Some((format!("{own}.{}", migrate::names(draft)[at]), &mut draft.rules[at]))
            });
            match (rule, change.reason) {
                (Some((id, _)), None) => self.off.push(id),
                (Some((_, rule)), Some(reason)) => {
                    if !reason.is_empty() {
                        rule.reason = crate::agents::permissions::message(&reason);
                    }
                    rule.intent = change.intent.or(rule.intent);
                }
                (None, _) => {
                    let item = format!("{}/{}", change.rulebook, change.rule);
                    let why = "its rulebook, or the rule in it, is not there".into();
                    self.unsaid.push((shown.clone(), Unsaid { at: change.at, item, why }));
                }
            }
        }
        Ok(())
    }

    /// The files, and everything that could not be said.
    fn finish(mut self) -> Result<(Vec<File>, Vec<Told>), String> {
        let mut taken: Vec<String> = Vec::new();
        for draft in &mut self.drafts {
            let base = draft.name.clone();
            let mut number = 2;
            while taken.contains(&draft.name) {
                draft.name = format!("{base}-{number}");
                number += 1;
            }
            taken.push(draft.name.clone());
        }
        self.drafts.retain(|draft| !draft.rules.is_empty() || !draft.items.is_empty());
        let mut late = Vec::new();
        let made = ported::files(&mut self.drafts, &mut late)?;
        let mut files: Vec<File> =
            made.into_iter().map(|file| File { name: format!("rules/{}", file.name), text: file.text }).collect();
        let mut lines = self.settings;
        if !self.off.is_empty() {
            lines.push("overrides:".into());
            let ids = self.off.iter().map(|id| format!("  {}: off", crate::agents::permissions::string(id)));
            lines.extend(ids);
        }
        if !lines.is_empty() {
            files.push(File { name: "policy.yaml".into(), text: lines.join("\n") + "\n" });
        }
        let late = late.into_iter().map(|each| ("rules".to_string(), each));
        let unsaid = self.unsaid.into_iter().chain(late);
        Ok((files, unsaid.map(|(file, each)| Told { file, at: each.at, item: each.item, why: each.why }).collect()))
    }
}

/// Whether a folder is one that the guard reads, whatever links lead there.
fn is_in_force(out: &Path) -> bool {
    let real = out.ancestors().find_map(|each| {
        let real = std::fs::canonicalize(if each.as_os_str().is_empty() { Path::new(".") } else { each }).ok()?;
        Some(out.strip_prefix(each).map(|rest| real.join(rest)).unwrap_or(real))
    });
    let named = |path: &Path| path.components().any(|part| part.as_os_str().eq_ignore_ascii_case(".cc-safety-net"));
    let leaves = |path: &Path| path.components().any(|part| part == std::path::Component::ParentDir);
    let user = Environment::of_process().user_directory();
    let is_users = |path: &Path| user.as_ref().is_some_and(|user| path.starts_with(user));
    named(out) || real.is_none_or(|real| named(&real) || leaves(&real) || is_users(&real))
}

/// Writes the files; nothing where one of them is there already.
fn write(out: &Path, files: &[File]) -> Result<(), String> {
    for file in files {
        let path = out.join(&file.name);
        if path.symlink_metadata().is_ok() {
            return Err(format!("`{}` is there already: nothing was written", path.display()));
        }
    }
    let fault = |path: &Path, error: std::io::Error| format!("`{}`: {error}", path.display());
    std::fs::create_dir_all(out.join("rules")).map_err(|error| fault(out, error))?;
    for file in files {
        let path = out.join(&file.name);
        let mut open = std::fs::OpenOptions::new();
        let written = open.write(true).create_new(true).open(&path);
        written
            .and_then(|mut to| std::io::Write::write_all(&mut to, file.text.as_bytes()))
            .map_err(|error| fault(&path, error))?;
    }
    Ok(())
}
