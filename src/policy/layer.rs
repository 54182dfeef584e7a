//! A set of rulebooks with one authority, and the stack of them.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use super::settings::merge;
use crate::image::{self, Image};
use crate::model::declaration::{Command, Declarations, Language, Tool};
use crate::model::settings::Override;
use crate::model::{LayerKind, Preset, Settings, ToolCall, World};

/// What a layer may do to what others have found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rights {
    /// Override and allow findings of the catalogue, and its own. Never those of the floor.
    Loosen,
    /// Raise decisions, and allow its own findings.
    Tighten,
}

/// One layer.
#[derive(Debug)]
pub struct Layer {
    /// Whose it is.
    pub kind: LayerKind,
    /// What it may do.
    pub rights: Rights,
    /// What reports call it: its directory, or `catalogue`.
    pub name: String,
    /// Its rulebooks and settings.
    pub image: Image,
}

/// The layers of one call, stacked.
#[derive(Debug, Default)]
pub struct Layers {
    /// The preset in force.
    pub preset: Preset,
    /// The preset as the layers that may loosen set it.
    pub(super) granted: Preset,
    /// The settings in force, merged by rights. Overrides are applied by layer and are not in it.
    pub settings: Settings,
    /// The root of the call's project.
    pub project: Option<String>,
    /// What every surface reports: a broken rulebook, an expired allow, a project that tried to loosen.
    pub reports: Vec<String>,
    /// By authority, then name.
    pub layers: Vec<Layer>,
    /// The overrides that each layer's settings state, in the order of `layers`.
    pub(super) overrides: Vec<Vec<Override>>,
    seen: Declared,
}

/// Declarations that were asked for, since one call asks for the same programs again and again.
#[derive(Debug, Default)]
struct Declared {
    commands: Mutex<BTreeMap<String, Vec<Arc<Command>>>>,
    tools: Mutex<BTreeMap<String, Vec<Arc<Tool>>>>,
}

/// What was found under a name, or what `find` finds. A script of ten thousand different names must not be kept.
fn once<T: Clone>(seen: &Mutex<BTreeMap<String, T>>, name: &str, find: impl FnOnce() -> T) -> T {
    let Ok(mut seen) = seen.lock() else { return find() };
    if let Some(known) = seen.get(name) {
        return known.clone();
    }
    let found = find();
    if seen.len() < 256 {
        seen.insert(name.to_string(), found.clone());
    }
    found
}

impl Rights {
    /// Whether a layer of these rights may weaken or remove a finding of a rule of `theirs`. `own` says that it is the layer's
    /// own rule.
    pub(super) fn reach(self, own: bool, theirs: LayerKind) -> bool {
        match theirs {
            LayerKind::Floor => false,
            LayerKind::Embedded => own || self == Rights::Loosen,
            LayerKind::Project | LayerKind::TrustedProject | LayerKind::User | LayerKind::Managed => own,
        }
    }
}

impl Layers {
    /// Stacks layers and merges their settings. A part of an image that cannot be read is reported and says nothing.
    pub fn stack(mut layers: Vec<Layer>, reports: Vec<String>) -> Layers {
        // One order whatever the order of reading: readings, and with them the numbers of effects, follow it.
        layers.sort_by(|one, other| (one.kind, &one.name).cmp(&(other.kind, &other.name)));
        let mut stacked = Layers { reports, ..Layers::default() };
        let mut settings = Vec::with_capacity(layers.len());
        for layer in &layers {
            settings.push(layer.image.settings().unwrap_or_else(|fault| {
                stacked.reports.push(format!("{}: the settings are not in force: {fault}", layer.name));
                Settings::default()
            }));
        }
        let said = layers.iter().zip(&settings).map(|(layer, said)| (layer.kind, layer.rights, layer.name.as_str(), said));
        let loosening = said.clone().filter(|(_, rights, ..)| *rights == Rights::Loosen);
        stacked.granted = merge(loosening).settings.preset.unwrap_or_default();
        let merged = merge(said);
        stacked.reports.extend(merged.refused);
        stacked.preset = merged.settings.preset.unwrap_or_default();
        stacked.settings = merged.settings;
        stacked.overrides = settings.into_iter().map(|settings| settings.overrides).collect();
        stacked.layers = layers;
        stacked
    }

    /// The identity of the policy in force: of the rulebooks and settings of every layer, its rights, the preset. For
    /// recognising it again, not a proof against forgery.
    pub fn identity(&self) -> u64 {
        let mut identity = 0x9e37_79b9_7f4a_7c15 ^ self.preset as u64 ^ (u64::from(self.settings.worktree == Some(true)) << 8);
        let mut mix = |word: u64| {
            identity = (identity.rotate_left(23) ^ word).wrapping_mul(0x9fb2_1c65_1e98_df25);
        };
        for layer in &self.layers {
            mix(layer.kind as u64 | (layer.rights as u64) << 8);
            let digest = layer.image.digest();
            digest.chunks_exact(8).for_each(|part| mix(part.iter().fold(0, |word, byte| word << 8 | u64::from(*byte))));
        }
        identity ^ identity >> 29
    }

    /// Raises the preset; a lower one changes nothing.
    pub fn raise(&mut self, preset: Preset) {
        self.preset = self.preset.max(preset);
        self.settings.preset = Some(self.preset);
    }

    /// Whether a POSIX script that is all the tool does is so plain that no rule of any layer can match. What cannot be read is
    /// no reason to skip.
    pub fn may_skip(&self, call: &ToolCall, script: &str, world: &dyn World) -> bool {
        let images: Vec<&Image> = self.layers.iter().map(|layer| &layer.image).collect();
        image::may_skip(&images, call, script, world).unwrap_or(false)
    }

    /// Asks every layer, and leaves out what it cannot read.
    fn each<T>(&self, ask: impl Fn(&Image) -> Result<Vec<Arc<T>>, crate::image::Fault>) -> Vec<Arc<T>> {
        self.layers.iter().filter_map(|layer| ask(&layer.image).ok()).flatten().collect()
    }
}

impl Declarations for Layers {
    fn commands(&self, name: &str) -> Vec<Arc<Command>> {
        once(&self.seen.commands, name, || self.each(|image| image.commands(name)))
    }

    fn languages(&self, name: &str) -> Vec<Arc<Language>> {
        self.each(|image| image.languages(name))
    }

    fn tools(&self, name: &str) -> Vec<Arc<Tool>> {
        once(&self.seen.tools, name, || self.each(|image| image.tools(name)))
    }
}
