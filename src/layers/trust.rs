//! Trust in a project's layer: the user said of this exact content that it speaks with the user's authority.
//!
//! A record is a file below the user's state directory, named by the project's path, private to the user. It holds the digest of
//! the whole `.cc-safety-net` directory; any change of any file in it ends the trust.

use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::place::NAME;
use super::{Environment, source};
use crate::world::file::{self, hex};

/// Why trust was not recorded or taken back.
#[derive(Debug, thiserror::Error)]
pub enum TrustFault {
    /// There is no layer.
    #[error("{0}: no `.cc-safety-net` directory is there")]
    Missing(PathBuf),
    /// The directory is not what a project's layer may be.
    #[error("{directory}: {fault}")]
    Sources {
        /// Which one.
        directory: PathBuf,
        /// What is wrong.
        fault: String,
    },
    /// The user database knows no home.
    #[error("the user has no home to keep the record in")]
    Home,
    /// The record.
    #[error(transparent)]
    File(#[from] file::FileFault),
}

/// Records trust in a project's layer as it is now. `project` is the directory that holds it, or the layer's own. The digest.
pub fn trust(project: &Path, environment: &Environment) -> Result<String, TrustFault> {
    let directory = layer(project)?;
    let sources = source::read(&directory, true);
    if let Some(fault) = sources.faults.into_iter().next() {
        return Err(TrustFault::Sources { directory, fault });
    }
    let record = record(&directory, environment).ok_or(TrustFault::Home)?;
    let digest = hex(&sources.digest);
    file::write(&record, format!("{digest} {}\n", directory.display()).as_bytes())?;
    Ok(digest)
}

/// Takes trust back; whether there was any. A directory that is gone can still be untrusted.
pub fn untrust(project: &Path, environment: &Environment) -> Result<bool, TrustFault> {
    let directory = layer(project).unwrap_or_else(|_| project.join(NAME));
    let record = record(&directory, environment).ok_or(TrustFault::Home)?;
    match std::fs::remove_file(&record) {
        Ok(()) => Ok(true),
        Err(fault) if fault.kind() == std::io::ErrorKind::NotFound => Ok(false),
        Err(source) => Err(file::FileFault::System { path: record, source }.into()),
    }
}

/// Whether the user trusts this content of this directory.
pub fn is_trusted(directory: &Path, content: &[u8; 32], environment: &Environment) -> bool {
    let said = record(directory, environment).and_then(|record| file::read_own(&record, 8 << 10).ok());
    said.is_some_and(|text| text == format!("{} {}\n", hex(content), directory.display()).as_bytes())
}

fn layer(project: &Path) -> Result<PathBuf, TrustFault> {
    let own = project.file_name().is_some_and(|name| name == NAME);
    let directory = if own { project.to_path_buf() } else { project.join(NAME) };
    let is_folder = std::fs::symlink_metadata(&directory).is_ok_and(|meta| meta.is_dir());
    let real = directory.canonicalize().ok().filter(|_| is_folder);
    real.ok_or_else(|| TrustFault::Missing(project.to_path_buf()))
}

fn record(directory: &Path, environment: &Environment) -> Option<PathBuf> {
    let name = Sha256::digest(directory.as_os_str().as_encoded_bytes());
    Some(environment.state_directory()?.join("trust").join(hex(&name[..16])))
}
