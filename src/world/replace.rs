//! Files of others, looked at and replaced whole: a file is written beside, brought to the disk and renamed, so that there is
//! never half of one. Permissions and owner stay, and a link stays a link: what it leads to is replaced.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::file::{self, FileFault, Links};

/// How large a file may be that is edited or compared.
const LIMIT: u64 = 16 << 20;

/// What stands at a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sight {
    /// Nothing.
    Missing,
    /// A file, perhaps behind links, with this text.
    File(String),
    /// Anything else, and why it cannot be used.
    Unusable(String),
}

/// Why a file was not replaced.
#[derive(Debug, thiserror::Error)]
pub enum ReplaceFault {
    /// The system says no.
    #[error("{path}: {source}")]
    System {
        /// Which file or directory.
        path: PathBuf,
        /// What it says.
        source: io::Error,
    },
    /// It is not what the plan was made on.
    #[error("{0}: it has changed since the plan was made")]
    Changed(PathBuf),
}

/// Looks at a file.
pub fn look(path: &Path) -> Sight {
    match fs::symlink_metadata(path) {
        Err(fault) if fault.kind() == io::ErrorKind::NotFound => return Sight::Missing,
        Err(fault) => return Sight::Unusable(fault.to_string()),
        Ok(meta) if meta.is_symlink() && fs::metadata(path).is_err() => {
            return Sight::Unusable("a link that leads to no file".into());
        }
        Ok(_) => {}
    }
    match file::read(path, LIMIT, Links::Follow) {
        Ok(bytes) => String::from_utf8(bytes).map_or_else(|_| Sight::Unusable("not UTF-8".into()), Sight::File),
        Err(FileFault::Kind(_)) => Sight::Unusable("not a regular file".into()),
        Err(FileFault::Size { limit, .. }) => Sight::Unusable(format!("larger than {limit} bytes")),
        Err(FileFault::System { source, .. }) => Sight::Unusable(source.to_string()),
        Err(other) => Sight::Unusable(other.to_string()),
    }
}

/// Puts `after` in the place of `before`, `None` being no file. A new file has the permissions of `like`, else the usual ones. The
/// directories that had to be made, outermost first.
pub fn replace(
    path: &Path,
    before: Option<&str>,
    after: Option<&str>,
    like: Option<&Path>,
) -> Result<Vec<PathBuf>, ReplaceFault> {
    let is_as_planned = match (look(path), before) {
        (Sight::Missing, None) => true,
        (Sight::File(text), Some(before)) => text == before,
        _ => false,
    };
    if !is_as_planned {
        return Err(ReplaceFault::Changed(path.to_path_buf()));
    }
    let Some(after) = after else {
        fs::remove_file(path).map_err(at(path))?;
        return Ok(Vec::new());
    };
    let made = make_directories(path)?;
    write(path, after, like).inspect_err(|_| drop(remove_empty(&made)))?;
    Ok(made)
}

/// Removes those of these directories, given outermost first, that are empty. Those that are gone now.
pub fn remove_empty(directories: &[PathBuf]) -> Vec<PathBuf> {
    directories.iter().rev().filter(|directory| fs::remove_dir(directory).is_ok()).cloned().collect()
}

fn write(path: &Path, text: &str, like: Option<&Path>) -> Result<(), ReplaceFault> {
    let target = if before_is_link(path) { fs::canonicalize(path).map_err(at(path))? } else { path.to_path_buf() };
    let folder = target.parent().unwrap_or(Path::new("/"));
    let name = target.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let beside = folder.join(format!(".{name}.{}.cc-safety-net", std::process::id()));
    // Left behind by a process of this number that was killed.
    let _ = fs::remove_file(&beside);
    let model = fs::metadata(&target).or_else(|_| like.map_or(Err(io::ErrorKind::NotFound.into()), fs::metadata)).ok();
    let done = (|| {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        if model.is_some() {
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        }
        let mut file = options.open(&beside)?;
        file.write_all(text.as_bytes())?;
        if let Some(model) = &model {
            keep_owner(&file, model)?;
            fs::set_permissions(&beside, model.permissions())?;
        }
        file.sync_all()?;
        fs::rename(&beside, &target)
    })();
    done.map_err(|source| {
        let _ = fs::remove_file(&beside);
        ReplaceFault::System { path: path.to_path_buf(), source }
    })?;
    // The name is on the disk when its folder is. Not every file system can.
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
    Ok(())
}

fn before_is_link(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|meta| meta.is_symlink())
}

#[cfg(unix)]
fn keep_owner(file: &File, model: &fs::Metadata) -> io::Result<()> {
    use std::os::unix::fs::MetadataExt;
    let own = file.metadata()?;
    if (own.uid(), own.gid()) == (model.uid(), model.gid()) {
        return Ok(());
    }
    std::os::unix::fs::fchown(file, Some(model.uid()), Some(model.gid()))
}

#[cfg(not(unix))]
fn keep_owner(_: &File, _: &fs::Metadata) -> io::Result<()> {
    Ok(())
}

/// Makes the directories above a file that are not there, outermost first.
fn make_directories(path: &Path) -> Result<Vec<PathBuf>, ReplaceFault> {
    let above = path.ancestors().skip(1).filter(|above| !above.as_os_str().is_empty());
    let missing: Vec<&Path> = above.take_while(|above| fs::symlink_metadata(above).is_err()).collect();
    let mut made = Vec::new();
    for directory in missing.into_iter().rev() {
        if let Err(source) = fs::create_dir(directory) {
            remove_empty(&made);
            return Err(ReplaceFault::System { path: directory.to_path_buf(), source });
        }
        made.push(directory.to_path_buf());
    }
    Ok(made)
}

fn at(path: &Path) -> impl Fn(io::Error) -> ReplaceFault {
    move |source| ReplaceFault::System { path: path.to_path_buf(), source }
}
