//! The machine as a command finds it: the facts and the layers of a directory.

use std::collections::BTreeSet;

use crate::catalogue;
use crate::explain::{Book, Books};
use crate::language::{Known, Rulebook, check_layer};
use crate::layers::{self, Effort, Environment};
use crate::model::{LayerKind, Preset, ToolCall, World};
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
        let mut all = Vec::new();
        let base = Known::of(&layers::catalogue_rulebooks());
        for (layer, files) in layers::files(&self.layers) {
            let known = if layer == LayerKind::Embedded { &Known::default() } else { &base };
            let checked = check_layer(&files, known);
            all.extend(files.into_iter().zip(checked.rulebooks).map(|(file, rulebook)| Book { layer, file, rulebook }));
        }
        all.sort_by_key(|book| std::cmp::Reverse(book.layer));
        Books { all }
    }

    /// The facts.
    pub fn world(&self) -> &dyn World {
        &self.world
    }
}

/// The catalogue's rulebooks as checked, for commands.
pub fn catalogue() -> Vec<Rulebook> {
    layers::catalogue_rulebooks()
}

/// Whether a folder that has these files is the catalogue's own.
pub fn is_catalogue(files: &[String]) -> bool {
    let own: BTreeSet<&str> = catalogue::texts().iter().map(|(name, _)| *name).collect();
    files.iter().map(String::as_str).collect::<BTreeSet<_>>() == own
}

/// Layers of an embedded catalogue and a user's rulebooks.
pub fn stack(embedded: &[Rulebook], user: &[Rulebook]) -> Result<Layers, String> {
    layers::of_rulebooks(embedded, user).map_err(|fault| fault.to_string())
}

/// Opens the machine for a session in `directory`, for a command that a person types.
pub fn open(directory: &str) -> Machine {
    let session = ToolCall {
        agent: String::new(),
        tool: String::new(),
        fields: serde_json::Value::Null,
        directory: directory.to_string(),
        workspace: None,
        attended: true,
        session: String::new(),
    };
    opened(&session, Effort::Command)
}

/// Opens the machine for a hook's call.
pub fn open_for(call: &ToolCall) -> Machine {
    opened(call, Effort::Hook)
}

fn opened(call: &ToolCall, effort: Effort) -> Machine {
    let world = Native::new();
    Machine { layers: layers::load(call, &world, &Environment::of_process(), effort), world }
}
