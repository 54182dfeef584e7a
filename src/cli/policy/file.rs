//! The settings file of a layer: read, shown with what changes, replaced whole.

use std::path::{Path, PathBuf};

use crate::cli::rule::layer;
use crate::explain::plain;
use crate::layers::source::{FOREIGN, SETTINGS};
use crate::setup::{Change, Plan, Step, diff};
use crate::world::replace::{self, Sight};
use crate::world::{disk, file};

/// A layer's settings file as it stands.
pub(in crate::cli) struct SettingsFile {
    /// The layer's directory; it need not be there yet.
    pub directory: PathBuf,
    /// The file.
    pub path: PathBuf,
    /// What is in it; none where there is none.
    pub before: Option<String>,
    is_project: bool,
}

impl SettingsFile {
    /// Opens the user's, or this project's; or why it cannot be used, as a phrase.
    pub fn open(is_project: bool) -> Result<SettingsFile, String> {
        let (directory, _) = layer::directory(is_project)?;
        let path = directory.join(SETTINGS);
        let is_link = |path: &Path| disk::stat(path, false).is_ok_and(|meta| meta.is_symlink());
        // A repository's link may lead to anybody's files.
        if let Some(link) = [&directory, &path].into_iter().find(|path| is_project && is_link(path)) {
            return Err(format!("{}: a link, and links of a project are not followed", link.display()));
        }
        let before = match replace::look(&path) {
            Sight::Missing => None,
            Sight::File(text) => Some(text),
            Sight::Unusable(why) => return Err(format!("{}: {why}", path.display())),
        };
        Ok(SettingsFile { directory, path, before, is_project })
    }

    /// The other guard's settings that are in force only as long as this file is not there.
    pub fn shadows(&self) -> Option<PathBuf> {
        let foreign = self.directory.join(FOREIGN);
        (self.before.is_none() && foreign.exists()).then_some(foreign)
    }

    /// What would change, as lines of a difference.
    pub fn difference(&self, after: &str) -> String {
        let path = self.path.display().to_string();
        let change = Change { path, before: self.before.clone(), after: Some(after.to_string()), like: None };
        let plan = Plan { steps: vec![Step::Write(change)], ..Plan::default() };
        diff::render(&plan, &|path| path.to_string(), &|line| plain::line(line))
    }

    /// Replaces it whole; where that fails it is what it was.
    pub fn write(&self, after: &str) -> Result<(), String> {
        match &self.before {
            // For the user alone, whatever the umask.
            None if !self.is_project && replace::look(&self.path) == Sight::Missing => {
                file::write(&self.path, after.as_bytes()).map_err(|fault| fault.to_string())
            }
            before => {
                let replaced = replace::replace(&self.path, before.as_deref(), Some(after), None);
                replaced.map(drop).map_err(|fault| fault.to_string())
            }
        }
    }
}
