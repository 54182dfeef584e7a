//! The views of a path: each way to name the same thing.
//!
//! One is absolute (joined with the directory), another has its links resolved. Behind a hole nothing is known of what came before,
//! since it may hold `..`: such a view is *open*.

use crate::model::effect::Place;
use crate::model::invocation::Directory;
use crate::model::path::{is_absolute, join};
use crate::model::word::{Glob, Piece, Shape, Value};

use super::Evaluation;

/// Whether a last link is what is touched, or what it points to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Follow {
    /// What it points to: reading, writing, changing modes.
    Last,
    /// The link itself, unless the path ends in `/`: deleting, moving.
    Parent,
}

/// A component of a view.
#[derive(Debug, Clone)]
pub enum Part {
    /// A name.
    Known(String),
    /// A name of which parts are unknown.
    Unknown(Value),
}

/// One way to name what is touched.
#[derive(Debug, Clone)]
pub struct View {
    /// What came before is unknown.
    pub(super) open: bool,
    /// Open only because the directory is unknown: patterns of `@cwd` are entered at its beginning.
    pub(super) relative: bool,
    pub(super) parts: Vec<Part>,
    /// The absolute path, where all of it is known.
    pub path: Option<String>,
}

/// The views of one path, of the several that the word may be.
#[derive(Debug, Clone)]
pub struct Alternative {
    /// At least one.
    pub views: Vec<View>,
    /// Whether there may be a view that is not known.
    pub(super) unresolved: bool,
    /// Where `@cwd` is.
    pub(super) directory: Option<String>,
}

impl View {
    /// The names that it begins with, up to the first that is not known.
    pub fn known_names(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().map_while(|part| match part {
            Part::Known(name) => Some(name.as_str()),
            Part::Unknown(_) => None,
        })
    }
}

impl Evaluation<'_> {
    /// The views of one value of a word.
    pub(super) fn alternatives(&self, value: &Value, directory: &Directory, place: Place, follow: Follow) -> Vec<Alternative> {
        let unknown = [None];
        let directories: Vec<Option<&str>> = match directory {
            Directory::Known(path) => vec![Some(path)],
            Directory::OneOf(paths) => paths.iter().map(|path| Some(path.as_str())).collect(),
            Directory::Unknown => unknown.to_vec(),
        };
        let ends_in_slash = matches!(value.pieces.last(), Some(Piece::Text { text, .. }) if text.ends_with('/'));
        let follow = if ends_in_slash { Follow::Last } else { follow };
        directories
            .into_iter()
            .map(|directory| {
                let view = view(value, directory);
                let mut unresolved = false;
                let mut views = vec![view];
                if let (Some(path), Place::Here) = (views[0].path.clone(), place) {
                    match self.resolved(&path, follow) {
                        Some(real) if real != path => views.push(known_view(real)),
                        Some(_) => {}
                        None => unresolved = true,
                    }
                }
                Alternative { views, unresolved, directory: directory.map(str::to_string) }
            })
            .collect()
    }

    /// The path with its links resolved, the last one only where it is followed.
    fn resolved(&self, path: &str, follow: Follow) -> Option<String> {
        if follow == Follow::Last {
            return self.context.world.real(path);
        }
        match path.rsplit_once('/') {
            Some((parent, name)) if !name.is_empty() => {
                let parent = if parent.is_empty() { "/" } else { parent };
                let real = self.context.world.real(parent)?;
                Some(join(&real, name))
            }
            _ => Some(path.to_string()),
        }
    }
}

/// The components of a path.
pub(super) fn names(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter(|name| !name.is_empty())
}

/// The view of an absolute path.
pub fn known_view(path: String) -> View {
    let parts = names(&path).map(|name| Part::Known(name.to_string())).collect();
    View { open: false, relative: false, parts, path: Some(path) }
}

/// A value's pieces by component; an empty first one says that it is absolute. Empty ones are left out.
pub(super) fn by_component(value: &Value) -> Vec<Vec<Piece>> {
    let mut components: Vec<Vec<Piece>> = vec![Vec::new()];
    for piece in &value.pieces {
        match piece {
            Piece::Text { text, span } => {
                for (number, name) in text.split('/').enumerate() {
                    if number > 0 {
                        components.push(Vec::new());
                    }
                    if let (false, Some(last)) = (name.is_empty(), components.last_mut()) {
                        last.push(Piece::Text { text: name.to_string(), span: *span });
                    }
                }
            }
            other => {
                if let Some(last) = components.last_mut() {
                    last.push(other.clone());
                }
            }
        }
    }
    components.retain(|component| !component.is_empty());
    components
}

/// A value as a path below a directory.
fn view(value: &Value, directory: Option<&str>) -> View {
    if let (Some(text), Some(directory)) = (value.known(), directory) {
        return known_view(join(directory, &text));
    }
    let absolute = match value.pieces.first() {
        Some(Piece::Text { .. }) => is_absolute(&value.emptied()) && leading_is_absolute(value),
        _ => false,
    };
    let mut open = !absolute && directory.is_none();
    let mut relative = open;
    let mut parts: Vec<Part> = match directory {
        Some(directory) if !absolute => names(directory).map(|name| Part::Known(name.to_string())).collect(),
        _ => Vec::new(),
    };
    for component in by_component(value) {
        let anything = |piece: &Piece| {
            matches!(piece, Piece::Glob(Glob::DoubleStar)) || matches!(piece, Piece::Hole(hole) if hole.shape == Shape::Any)
        };
        if let Some(last) = component.iter().rposition(anything) {
            // The hole may end the component and begin others, and take back what came before.
            open = true;
            relative = false;
            parts.clear();
            let rest = &component[last + 1..];
            // Behind a slash at the hole's end these are no names.
            let dots = matches!(rest, [Piece::Text { text, .. }] if text == "." || text == "..");
            if !rest.is_empty() && !dots {
                let glued = std::iter::once(Piece::Glob(Glob::Star)).chain(rest.iter().cloned()).collect();
                parts.push(Part::Unknown(Value { pieces: glued }));
            }
            continue;
        }
        let value = Value { pieces: component };
        match value.known().as_deref() {
            Some(".") => {}
            Some("..") => {
                if parts.pop().is_none() && open {
                    relative = false;
                }
            }
            Some(name) => parts.push(Part::Known(name.to_string())),
            None => parts.push(Part::Unknown(value)),
        }
    }
    let known: Option<Vec<&str>> = parts
        .iter()
        .map(|part| match part {
            Part::Known(name) => Some(name.as_str()),
            Part::Unknown(_) => None,
        })
        .collect();
    let path = if open { None } else { known.map(|names| join("/", &names.join("/"))) };
    View { open, relative, parts, path }
}

fn leading_is_absolute(value: &Value) -> bool {
    matches!(value.pieces.first(), Some(Piece::Text { text, .. }) if is_absolute(text))
}
