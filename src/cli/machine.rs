//! The machine as a command finds it: the facts and the layers of a call, and the catalogue and its kin as rulebooks.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::agents;
use crate::catalogue;
use crate::explain::{Book, Books};
use crate::image::{self, Image};
use crate::language::{File, Known, Rulebook, check_layer};
use crate::layers::{self, Effort, Environment};
use crate::model::{LayerKind, Settings, ToolCall, World};
use crate::policy::{Layer, Layers, Rights};
use crate::world::Native;

/// The facts and the layers.
pub struct Machine {
    /// The layers in force.
    pub layers: Layers,
    /// Where the log and the tickets are kept.
    pub state: Option<PathBuf>,
    world: Native,
}

impl Machine {
    /// Opens the machine for a tool call.
    pub fn open(tool: &ToolCall, effort: Effort) -> Machine {
        let world = Native::new();
        let environment = Environment::of_process();
        let layers = layers::load(tool, &world, &environment, effort);
        Machine { layers, state: environment.state_directory(), world }
    }

    /// The facts.
    pub fn world(&self) -> &dyn World {
        &self.world
    }

    /// The rulebooks of all layers with their texts, for reports. Reads and parses them all: not for the hook.
    pub fn books(&self) -> Books {
        let embedded = layers::catalogue_files();
        let checked = check_layer(&embedded, &Known::default()).rulebooks;
        let known = layers::known();
        let mut books = Books::default();
        for layer in self.layers.layers.iter().filter(|layer| layer.kind != LayerKind::Embedded) {
            let project = matches!(layer.kind, LayerKind::Project | LayerKind::TrustedProject);
            let homes = self.world.homes();
            let (_, compiled) = layers::compile::inspect(Path::new(&layer.name), project, &homes);
            let files: Vec<File> = compiled.texts.into_iter().filter(|file| file.name.ends_with(".rulebook")).collect();
            let rulebooks = check_layer(&files, &known).rulebooks;
            books.all.extend(files.into_iter().zip(rulebooks).map(|(file, rulebook)| Book {
                layer: layer.kind,
                path: format!("{}/{}", layer.name, file.name),
                file,
                rulebook,
            }));
        }
        books.all.extend(embedded.into_iter().zip(checked).map(|(file, rulebook)| Book {
            layer: LayerKind::Embedded,
            path: format!("rules/{}", file.name),
            file,
            rulebook,
        }));
        books
    }
}

/// A call of nothing in a directory, for those who ask what is in force there.
pub fn no_call(directory: String) -> ToolCall {
    agents::DEFAULT.shell_call(&directory, "")
}

/// The rules as they are in force where this process works: the layers, and the rulebooks with their texts; or why that
/// directory is not known, as a phrase.
pub fn in_force() -> Result<(Machine, Books), String> {
    let machine = Machine::open(&no_call(super::current_directory()?), Effort::Command);
    let books = machine.books();
    Ok((machine, books))
}

/// The catalogue as the only layer, with its texts.
pub fn catalogue_alone() -> (Layers, Books) {
    let machine = Machine { layers: layers::embedded(), state: None, world: Native::new() };
    let books = machine.books();
    (machine.layers, books)
}

/// Whether a folder that has these files, named relative to it, is the catalogue's own.
pub fn is_catalogue(files: &[String]) -> bool {
    let texts = catalogue::texts();
    !texts.is_empty() && texts.iter().all(|(name, _)| files.iter().any(|file| file == name))
}

/// Whether a folder that has these files is another version of the catalogue: it has most of its files.
pub fn is_like_catalogue(files: &[String]) -> bool {
    let texts = catalogue::texts();
    let same = texts.iter().filter(|(name, _)| files.iter().any(|file| file == name)).count();
    same * 2 > texts.len()
}

/// A user's rulebooks over the catalogue; with `embedded` these rulebooks take the catalogue's place. For examples and lints, which
/// are about what rules say by themselves: overrides are left out.
pub fn stack(embedded: Option<&[Rulebook]>, user: &[Rulebook]) -> Result<Layers, String> {
    let plain = |book: &Rulebook| Rulebook { overrides: Vec::new(), ..book.clone() };
    let plain = |books: &[Rulebook]| books.iter().map(plain).collect::<Vec<Rulebook>>();
    stack_whole(embedded.map(plain).as_deref(), &plain(user))
}

/// As [`stack`], with the overrides that the rulebooks state.
pub fn stack_whole(embedded: Option<&[Rulebook]>, user: &[Rulebook]) -> Result<Layers, String> {
    let own = |rulebooks: &[Rulebook]| Image::open(Arc::new(image::compile(rulebooks, &Settings::default())));
    let below = match embedded {
        Some(rulebooks) => own(rulebooks),
        None => catalogue::image(),
    };
    let layer = |kind, name: &str, image| Layer { kind, rights: Rights::Loosen, name: name.into(), image };
    let mut layers = vec![layer(LayerKind::Embedded, "catalogue", below.map_err(|fault| fault.to_string())?)];
    if !user.is_empty() {
        layers.push(layer(LayerKind::User, "these rulebooks", own(user).map_err(|fault| fault.to_string())?));
    }
    Ok(Layers::stack(layers, Vec::new()))
}
