//! Every layer: where it is or could be, whether it is in force, and what is wrong with it.

use std::path::{Path, PathBuf};

use serde::Serialize;

use super::{Finding, Severity};
use crate::cli::machine;
use crate::explain::message;
use crate::layers::{self, Effort, Environment};
use crate::model::LayerKind;
use crate::policy::Rights;
use crate::world::Native;

/// A layer, or a place for one.
#[derive(Debug, Serialize)]
pub struct Told {
    /// Whose it is.
    pub kind: &'static str,
    /// Its directory, or `catalogue`.
    pub path: String,
    /// Whether there is one.
    pub there: bool,
    /// Whether calls are judged by it.
    pub in_force: bool,
    /// Whether it may loosen, or only tighten.
    pub rights: &'static str,
    /// What is wrong with it, and what it tried to loosen.
    pub faults: Vec<String>,
}

/// The images that are kept.
#[derive(Debug, Serialize)]
pub struct Cache {
    /// Where.
    pub path: String,
    /// How many files.
    pub files: usize,
    /// How large they are together.
    pub bytes: u64,
}

/// What was found of all layers.
pub struct Found {
    /// Layers and places.
    pub layers: Vec<Told>,
    /// What belongs to no layer.
    pub reports: Vec<String>,
    /// The images.
    pub cache: Option<Cache>,
}

/// Loads the layers of the working directory.
pub fn examine(findings: &mut Vec<Finding>) -> Found {
    let environment = Environment::of_process();
    let directory = crate::cli::current_directory().unwrap_or_else(|_| "/".into());
    let loaded = layers::load(&machine::no_call(directory), &Native::new(), &environment, Effort::Command);
    let mut told: Vec<Told> = loaded
        .layers
        .iter()
        .map(|layer| Told {
            kind: message::layer(layer.kind),
            path: layer.name.clone(),
            there: true,
            in_force: true,
            rights: if layer.rights == Rights::Loosen { "loosens and tightens" } else { "tightens" },
            faults: Vec::new(),
        })
        .collect();
    let places = [(LayerKind::Managed, environment.managed.clone()), (LayerKind::User, environment.user_directory())];
    for (kind, place) in places {
        let Some(place) = place.map(|place| place.display().to_string()) else { continue };
        if !told.iter().any(|layer| layer.path == place) {
            let there = Path::new(&place).is_dir();
            let kind = message::layer(kind);
            told.push(Told { kind, path: place, there, in_force: false, rights: "none", faults: Vec::new() });
        }
    }
    let mut reports = Vec::new();
    for report in &loaded.reports {
        let of = told.iter_mut().find_map(|layer| {
            let what = report.strip_prefix(&layer.path)?.strip_prefix(": ")?.to_string();
            Some((layer, what))
        });
        match of {
            Some((layer, what)) => layer.faults.push(what),
            None => reports.push(report.clone()),
        }
        findings.push(Finding {
            id: "layer.fault",
            severity: Severity::Warning,
            what: report.clone(),
            fix: "cc-safety-net rule check DIRECTORY".into(),
        });
    }
    if !loaded.layers.iter().any(|layer| layer.kind == LayerKind::Embedded) {
        findings.push(Finding {
            id: "layer.no-catalogue",
            severity: Severity::Error,
            what: "the catalogue of this program cannot be read: nothing but the user's own rules is in force".into(),
            fix: "install the program again".into(),
        });
    }
    Found { layers: told, reports, cache: environment.cache_directory(None).as_deref().and_then(cache) }
}

fn cache(path: &Path) -> Option<Cache> {
    let mut open: Vec<PathBuf> = vec![path.to_path_buf()];
    let mut cache = Cache { path: path.display().to_string(), files: 0, bytes: 0 };
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder).ok().into_iter().flatten().flatten() {
            match entry.metadata() {
                Ok(meta) if meta.is_dir() => open.push(entry.path()),
                Ok(meta) => {
                    cache.files += 1;
                    cache.bytes += meta.len();
                }
                Err(_) => {}
            }
        }
    }
    path.is_dir().then_some(cache)
}
