//! The machine as a command finds it: the facts and the layers of a directory.

use crate::explain::Books;
use crate::language::Rulebook;
use crate::model::{Preset, World};
use crate::policy::Layers;
use crate::world::Native;

/// The facts and the layers.
pub struct Machine {
    layers: Layers,
    world: Native,
}

impl Machine {
    /// The layers in force.
    pub fn layers(&self) -> &Layers {
        &self.layers
    }

    /// Judges by this preset from now on.
    pub fn set_preset(&mut self, preset: Preset) {
        self.layers.preset = preset;
    }

    /// The rulebooks of all layers with their texts, for reports. Reads and parses them all: not for the hook.
    pub fn books(&self) -> Books {
        Books::default()
    }

    /// The facts.
    pub fn world(&self) -> &dyn World {
        &self.world
    }
}

/// The catalogue's rulebooks as checked, for commands.
pub fn catalogue() -> Vec<Rulebook> {
    Vec::new()
}

/// Whether a folder that has these files is the catalogue's own.
pub fn is_catalogue(_files: &[String]) -> bool {
    false
}

/// Layers of an embedded catalogue and a user's rulebooks.
pub fn stack(_embedded: &[Rulebook], _user: &[Rulebook]) -> Result<Layers, String> {
    Ok(Layers::default())
}

/// Opens the machine for a session in `directory`.
pub fn open(_directory: &str) -> Machine {
    Machine { layers: Layers::default(), world: Native::new() }
}
