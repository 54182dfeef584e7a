//! Finds, reads, caches and stacks the layers over the catalogue.
//!
//! [`load`] is what a hook calls. For each directory with a layer it reads one small file, the pointer ([`cache`]), compares the
//! stat data of the sources with what the pointer lists, and opens an image; nothing is parsed. Only a difference leads to
//! reading, checking and compiling ([`source`], [`compile`]). Loading is total: whatever is wrong is a line in
//! [`Layers::reports`](crate::policy::Layers::reports), and what is in force then never loosens more than what was good before.
//!
//! INVARIANT (the repository decides nothing about itself): no path inside of the project, and no variable, says where the
//! user's layer, the cache or the trust is.

pub mod amend;
pub mod cache;
pub mod compile;
pub mod environment;
mod foreign;
mod known;
pub mod pins;
pub mod place;
mod settings;
pub mod source;
mod tree;
pub mod trust;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::catalogue;
use crate::image::{self, Fault, Image};
use crate::language::{File, Known, Rulebook, check_layer};
use crate::model::{LayerKind, Settings, ToolCall, World};
use crate::policy::{Layer, Layers, Rights, merge, project_root};

pub use environment::Environment;
pub use foreign::read as read_foreign;
pub use known::known;
pub use settings::read as read_settings;
pub use trust::{trust, untrust};

/// How much work loading may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effort {
    /// In a hook: at most 256 KiB of rulebooks are compiled; past that the last good image stays.
    Hook,
    /// In a command that a person types: whatever there is.
    Command,
}

/// The catalogue alone.
pub fn embedded() -> Layers {
    let mut reports = Vec::new();
    let layers = catalogue_layer(&mut reports).into_iter().collect();
    Layers::stack(layers, reports)
}

/// Rulebooks in memory as layers, for examples and tests: as the catalogue, and as the user's.
pub fn of_rulebooks(embedded: &[Rulebook], user: &[Rulebook]) -> Result<Layers, Fault> {
    let compiled = |kind, name: &str, rulebooks| {
        let image = Image::open(Arc::new(image::compile(rulebooks, &Settings::default())))?;
        Ok(Layer { kind, rights: Rights::Loosen, name: name.to_string(), image })
    };
    let layers = vec![compiled(LayerKind::Embedded, "catalogue", embedded)?, compiled(LayerKind::User, "user", user)?];
    Ok(Layers::stack(layers, Vec::new()))
}

/// The catalogue's rulebooks as checked. Parses them all: for commands.
pub fn catalogue_rulebooks() -> Vec<Rulebook> {
    check_layer(&catalogue_files(), &Known::default()).rulebooks
}

/// The files of every layer in force, as the layers name them. Reads the directories again: for commands.
pub fn files(layers: &Layers) -> Vec<(LayerKind, Vec<File>)> {
    let of = |layer: &Layer| match layer.kind {
        LayerKind::Embedded | LayerKind::Floor => catalogue_files(),
        kind => {
            let whole = matches!(kind, LayerKind::Project | LayerKind::TrustedProject);
            compile::files(&source::read(Path::new(&layer.name), whole))
        }
    };
    layers.layers.iter().map(|layer| (layer.kind, of(layer))).collect()
}

/// The files of the catalogue, as the build left them.
pub fn catalogue_files() -> Vec<File> {
    catalogue::texts().iter().map(|(name, text)| File { name: name.to_string(), text: text.to_string() }).collect()
}

/// The layers for a tool call: catalogue, managed, the user's, those that variables name, the project's.
pub fn load(tool: &ToolCall, world: &dyn World, environment: &Environment, effort: Effort) -> Layers {
    stack(tool, world, environment, effort, None)
}

/// Settings that somebody proposes for a layer.
#[derive(Debug, Clone, Copy)]
pub struct Proposal<'a> {
    /// The layer's directory; it need not be there yet.
    pub directory: &'a Path,
    /// What its settings file would be.
    pub text: &'a str,
}

/// The layers as [`load`] would find them with a proposal in its place. Nothing is written.
pub fn propose(tool: &ToolCall, world: &dyn World, environment: &Environment, proposal: Proposal) -> Layers {
    stack(tool, world, environment, Effort::Command, Some(proposal))
}

fn stack(tool: &ToolCall, world: &dyn World, environment: &Environment, effort: Effort, proposal: Option<Proposal>) -> Layers {
    let homes = world.homes();
    let mut loading = Loading { environment, effort, homes, cache: None, proposal, layers: Vec::new(), reports: Vec::new() };
    let project = project_root(tool, world);
    let root = project.as_deref().map(Path::new);
    loading.cache = environment.cache_directory(root);
    loading.layers.extend(catalogue_layer(&mut loading.reports));
    if let Some(managed) = &environment.managed {
        loading.add(managed, false, LayerKind::Managed, Rights::Loosen);
    }
    let user = environment.user_directory();
    if let Some(user) = &user {
        loading.add(user, false, LayerKind::User, Rights::Loosen);
    }
    loading.add_named(user.as_deref(), root, &tool.directory, world);
    if let Some(root) = &project {
        let mut directories = place::project_directories(root, tool, world, &mut loading.reports);
        if let Some(proposed) = proposal.map(|proposal| proposal.directory)
            && proposed == Path::new(root).join(place::NAME)
            && !directories.iter().any(|directory| directory == proposed)
        {
            directories.push(proposed.to_path_buf());
        }
        for directory in directories {
            if Some(directory.as_path()) != user.as_deref() {
                loading.add(&directory, true, LayerKind::Project, Rights::Tighten);
            }
        }
    }
    let mut layers = Layers::stack(loading.layers, loading.reports);
    let asked = environment.preset(&mut layers.reports);
    layers.raise(asked);
    environment.apply(&mut layers.settings, &mut layers.reports);
    layers.project = project;
    layers
}

fn catalogue_layer(reports: &mut Vec<String>) -> Option<Layer> {
    match catalogue::image() {
        Ok(image) => Some(Layer { kind: LayerKind::Embedded, rights: Rights::Loosen, name: "catalogue".into(), image }),
        Err(fault) => {
            reports.push(format!("catalogue: {fault}"));
            None
        }
    }
}

struct Loading<'a> {
    environment: &'a Environment,
    effort: Effort,
    homes: Vec<String>,
    cache: Option<PathBuf>,
    proposal: Option<Proposal<'a>>,
    layers: Vec<Layer>,
    reports: Vec<String>,
}

impl Loading<'_> {
    /// Adds the layer of a directory, where there is one. A repository's own (`is_project`) counts as a whole and may be trusted.
    fn add(&mut self, directory: &Path, is_project: bool, kind: LayerKind, rights: Rights) {
        let found = match self.proposal.filter(|proposal| proposal.directory == directory) {
            Some(proposal) => Some(cache::proposed(proposal, is_project, &self.homes)),
            None => cache::load(directory, is_project, self.cache.as_deref(), &self.homes, self.effort),
        };
        let Some(found) = found else { return };
        let name = directory.display().to_string();
        self.reports.extend(found.reports.iter().map(|report| format!("{name}: {report}")));
        let Some(image) = found.image else { return };
        // What is trusted is what is there now, not what was good before it.
        let is_current = found.loosens && found.reports.is_empty();
        let trusted = is_project && is_current && trust::is_trusted(directory, &found.content, self.environment);
        let (kind, rights) = match (trusted, found.loosens) {
            (true, _) => (LayerKind::TrustedProject, Rights::Loosen),
            (false, true) => (kind, rights),
            (false, false) => (kind, Rights::Tighten),
        };
        if rights == Rights::Tighten {
            self.reports.extend(found.claims.iter().map(|claim| format!("{name}: {claim}")));
        }
        self.layers.push(Layer { kind, rights, name, image });
    }

    /// Layers that `HOME` and `CC_SAFETY_NET_HOME` name: they add, and loosen only where the user's settings permit it.
    fn add_named(&mut self, user: Option<&Path>, root: Option<&Path>, directory: &str, world: &dyn World) {
        let home = self.environment.named_home.as_ref().filter(|home| Some(*home) != self.environment.home.as_ref());
        let home = home.map(|home| ("HOME", Path::new(home).join(".cc-safety-net")));
        let own = self.environment.variable("CC_SAFETY_NET_HOME").map(|path| ("CC_SAFETY_NET_HOME", PathBuf::from(path)));
        for (variable, named) in home.into_iter().chain(own) {
            let real = named.to_str().and_then(|path| world.real(path)).map(PathBuf::from);
            let Some(real) = real.filter(|_| named.is_absolute()) else {
                self.reports.push(format!("{variable}: ignored: no absolute path"));
                continue;
            };
            if Some(real.as_path()) == user || !real.is_dir() {
                continue;
            }
            if real.starts_with(root.unwrap_or(Path::new(directory))) {
                self.reports.push(format!("{variable}: ignored: it points into the project"));
                continue;
            }
            if self.permits() {
                self.add(&real, false, LayerKind::User, Rights::Loosen);
            } else {
                let why = "the settings do not permit loosening by the environment (`loosen_by_environment: true`)";
                self.reports.push(format!("{variable}: {} may only tighten: {why}", real.display()));
                // Whoever set the variable may have written it: its words are a repository's.
                self.add(&real, false, LayerKind::Project, Rights::Tighten);
            }
        }
    }

    /// Whether the administrator's and the user's own settings permit loosening by the environment.
    fn permits(&mut self) -> bool {
        let own: Vec<(LayerKind, Rights, String, Settings)> = self
            .layers
            .iter()
            .filter(|layer| matches!(layer.kind, LayerKind::Managed | LayerKind::User) && layer.rights == Rights::Loosen)
            .filter_map(|layer| Some((layer.kind, layer.rights, layer.name.clone(), layer.image.settings().ok()?)))
            .collect();
        let merged = merge(own.iter().map(|(kind, rights, name, settings)| (*kind, *rights, name.as_str(), settings)));
        merged.settings.loosen_by_environment == Some(true)
    }
}
