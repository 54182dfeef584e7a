//! The places by whose names patterns begin: homes, the project's root, temporary directories.

use super::super::trie::Root;
use super::Evaluation;
use crate::model::path::{is_within, join};

/// Where patterns may be entered.
#[derive(Debug, Default)]
pub struct Places {
    /// Each an absolute path.
    pub(super) places: Vec<(Root, String)>,
}

impl Evaluation<'_> {
    pub(super) fn places(&self) -> &Places {
        self.places.get_or_init(|| {
            let world = self.context.world;
            let mut places: Vec<(Root, String)> = Vec::new();
            places.extend(world.homes().into_iter().map(|home| (Root::Home, join("/", &home))));
            places.extend(world.temporary().into_iter().map(|path| (Root::Temporary, join("/", &path))));
            if let Some(project) = self.context.project.path() {
                places.push((Root::Project, join("/", project)));
                places.extend(self.project_as_written(project).map(|path| (Root::Project, path)));
            }
            places.sort();
            places.dedup();
            Places { places }
        })
    }

    /// The project's root by the way that the session's directory was named, where links lead to it.
    fn project_as_written(&self, project: &str) -> Option<String> {
        let directory = join("/", &self.call.tool.directory);
        let real = self.context.world.real(&directory)?;
        let below = is_within(&real, project).then(|| &real[project.trim_end_matches('/').len()..])?;
        directory.strip_suffix(below).filter(|root| !root.is_empty() && *root != project).map(str::to_string)
    }

    /// Places strictly below a path: a recursive effect on it touches them.
    pub(super) fn places_below(&self, path: &str) -> impl Iterator<Item = (Root, &str)> {
        let places = &self.places().places;
        places
            .iter()
            .filter(move |(_, place)| place != path && is_within(place, path))
            .map(|(root, place)| (*root, place.as_str()))
    }
}
