//! `policy show`: every setting in force, and the layer that it comes from.

use std::process::ExitCode;

use serde::Serialize;

use super::{Show, apply, effect};
use crate::cli;
use crate::cli::machine::{self, Machine};
use crate::cli::rule::entries::{decision, entries};
use crate::explain::{message, plain};
use crate::layers::Effort;
use crate::model::settings::Override;
use crate::model::{LayerKind, Preset, Settings};
use crate::policy::{Layer, Layers, Rights};

pub(super) const AFTER: &str = "\
Of this directory, as a hook would judge a call in it. With a file, as it would
be if that took the place of the layer's policy.yaml.

Exit code: 0, 2 for a fault.

Examples:
  cc-safety-net policy show
  cc-safety-net policy show proposal.yaml

JSON: `version` (1), `project`, `layers` (kind, path, loosens), `fields` (field,
value, from: a kind of layer, `environment`, `default`), `overrides` (rule,
decision, from, here: what the rule comes to), `reports` (what is not in force,
and why).";

#[derive(Serialize)]
struct Document {
    version: u32,
    project: Option<String>,
    layers: Vec<Told>,
    fields: Vec<Field>,
    overrides: Vec<Overridden>,
    reports: Vec<String>,
}

#[derive(Serialize)]
struct Told {
    kind: &'static str,
    path: String,
    loosens: bool,
}

#[derive(Serialize)]
struct Field {
    field: &'static str,
    value: String,
    from: &'static str,
}

#[derive(Serialize)]
struct Overridden {
    rule: String,
    decision: &'static str,
    from: &'static str,
    here: Option<String>,
}

/// Runs the command.
pub(super) fn run(arguments: &Show) -> ExitCode {
    let directory = match cli::current_directory() {
        Ok(directory) => directory,
        Err(what) => return cli::fail(&what),
    };
    let mut machine = Machine::open(&machine::no_call(directory), Effort::Command);
    if let Some(path) = &arguments.file {
        match apply::proposed(path, arguments.project) {
            Ok((_, _, layers)) => machine.layers = layers,
            Err(what) => return cli::fail(&what),
        }
    }
    let document = document(&machine);
    if arguments.json {
        println!("{}", cli::json(&document));
    } else {
        print(&document);
    }
    ExitCode::SUCCESS
}

fn document(machine: &Machine) -> Document {
    let layers = &machine.layers;
    let own: Vec<(&Layer, Settings)> =
        layers.layers.iter().map(|layer| (layer, layer.image.settings().unwrap_or_default())).collect();
    let told = |layer: &&Layer| Told {
        kind: message::layer(layer.kind),
        path: layer.name.clone(),
        loosens: layer.rights == Rights::Loosen,
    };
    Document {
        version: 1,
        project: layers.project.clone(),
        layers: layers.layers.iter().rev().collect::<Vec<_>>().iter().map(told).collect(),
        fields: fields(layers, &own),
        overrides: overrides(machine, &own),
        reports: layers.reports.clone(),
    }
}

/// Every setting in force but overrides, lists item by item.
fn fields(layers: &Layers, own: &[(&Layer, Settings)]) -> Vec<Field> {
    let settings = &layers.settings;
    let mut fields = Vec::new();
    let mut one = |field: &'static str, value: String, is_usual: bool, says: &dyn Fn(&Settings) -> bool| {
        let otherwise = if is_usual { "default" } else { "environment" };
        fields.push(Field { field, value, from: from(layers, own, field, says).unwrap_or(otherwise) });
    };
    let preset = layers.preset;
    one("preset", preset.word().into(), preset == Preset::default(), &|said| said.preset == Some(preset));
    for path in &settings.allow_paths {
        one("allow_paths", path.clone(), true, &|said| said.allow_paths.contains(path));
    }
    for path in &settings.deny_paths {
        one("deny_paths", path.clone(), true, &|said| said.deny_paths.contains(path));
    }
    let worktree = settings.worktree;
    one("worktree", worktree.unwrap_or(false).to_string(), worktree.is_none(), &|said| {
        worktree.is_some() && said.worktree == worktree
    });
    let audit = settings.audit;
    let word = audit.map_or("all", effect::audit_word);
    one("audit", word.into(), audit.is_none(), &|said| audit.is_some() && said.audit == audit);
    let days = settings.retention_days;
    one("retention_days", days.unwrap_or(crate::audit::RETENTION).to_string(), days.is_none(), &|said| {
        days.is_some() && said.retention_days == days
    });
    let loosen = settings.loosen_by_environment;
    one("loosen_by_environment", loosen.unwrap_or(false).to_string(), loosen.is_none(), &|said| {
        loosen.is_some() && said.loosen_by_environment == loosen
    });
    for name in &settings.lock {
        one("lock", name.clone(), true, &|said| said.lock.contains(name));
    }
    fields
}

/// The layer that a setting in force comes from: of those that say it the last that may loosen, else the first that tightens.
fn from(layers: &Layers, own: &[(&Layer, Settings)], field: &str, says: &dyn Fn(&Settings) -> bool) -> Option<&'static str> {
    let is_locked = layers.settings.lock.iter().any(|lock| lock == field) || field == "lock";
    let counts = |layer: &Layer| !is_locked || layer.kind == LayerKind::Managed;
    let saying: Vec<&Layer> = own.iter().filter(|(layer, said)| counts(layer) && says(said)).map(|(layer, _)| *layer).collect();
    let loosening = saying.iter().filter(|layer| layer.rights == Rights::Loosen);
    // The administrator is asked first, and whoever comes later replaces.
    let last = loosening.max_by_key(|layer| layer.kind != LayerKind::Managed);
    last.or(saying.first()).map(|layer| message::layer(layer.kind))
}

/// What layers say of rules, in their settings and rulebooks, and what the rules come to.
fn overrides(machine: &Machine, own: &[(&Layer, Settings)]) -> Vec<Overridden> {
    let mut said: Vec<(&Layer, Override)> = Vec::new();
    for (layer, settings) in own {
        let stated = layer.image.overrides().unwrap_or_default();
        said.extend(settings.overrides.iter().cloned().chain(stated).map(|each| (*layer, each)));
    }
    if said.is_empty() {
        return Vec::new();
    }
    let books = machine.books();
    let all = entries(&machine.layers, &books);
    let here = |id: &str| all.iter().find(|entry| entry.id == id).map(|entry| decision(entry.in_force));
    let told = |(layer, each): (&Layer, Override)| Overridden {
        decision: effect::word(&each),
        from: message::layer(layer.kind),
        here: here(&each.rule),
        rule: each.rule,
    };
    said.into_iter().map(told).collect()
}

fn print(document: &Document) {
    for (number, layer) in document.layers.iter().enumerate() {
        let rights = if layer.loosens { "" } else { ", may only tighten" };
        let title = if number == 0 { "Layers" } else { "" };
        println!("{title:<9} {}: {}{rights}", layer.kind, plain::line(&layer.path));
    }
    println!("\nSettings");
    for field in &document.fields {
        println!("  {:<22} {:<34} {}", field.field, plain::line(&field.value), field.from);
    }
    if !document.overrides.is_empty() {
        println!("\nOverrides");
    }
    for each in &document.overrides {
        let note = match &each.here {
            Some(here) if here.split(' ').next() == Some(each.decision) => String::new(),
            Some(here) => format!(" (here {here})"),
            None => " (no rule has this id of its own)".into(),
        };
        println!("  {:<40} {:<5} {}{note}", plain::line(&each.rule), each.decision, each.from);
    }
    if !document.reports.is_empty() {
        println!("\nNot in force:");
        document.reports.iter().for_each(|report| println!("- {}", plain::line(report)));
    }
}
