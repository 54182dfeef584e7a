//! Files, opened so that nothing is followed, waited for or believed that should not be.
//!
//! Everything that this process reads goes through [`open`]: regular files alone, never blocking (a pipe or a device is
//! refused, not waited for). What decides (settings, images, trust) goes through [`open_own`]: not through a link, and believed
//! only where the user or root owns it and nobody else may write it. Writing is atomic and private ([`write`]).

#[cfg(not(target_family = "wasm"))]
use std::fs::{File, OpenOptions};
use std::io;
#[cfg(not(target_family = "wasm"))]
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use super::disk::Meta;

/// Whether a last link is followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Links {
    /// It is.
    Follow,
    /// The path must not end in one.
    Refuse,
}

/// Why a file is not believed.
#[derive(Debug, thiserror::Error)]
pub enum FileFault {
    /// The system says no.
    #[error("{path}: {source}")]
    System {
        /// Which file.
        path: PathBuf,
        /// What it says.
        source: io::Error,
    },
    /// Not a regular file.
    #[error("{0}: not a regular file")]
    Kind(PathBuf),
    /// Too large.
    #[error("{path}: larger than {limit} bytes")]
    Size {
        /// Which file.
        path: PathBuf,
        /// The limit.
        limit: u64,
    },
    /// Somebody else owns it.
    #[error("{0}: owned by another user")]
    Owner(PathBuf),
    /// Others may write it.
    #[error("{0}: others may write it (`chmod go-w` helps)")]
    Mode(PathBuf),
}

impl FileFault {
    /// Whether there is simply no such file.
    pub fn is_missing(&self) -> bool {
        matches!(self, FileFault::System { source, .. } if matches!(source.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory))
    }
}

/// Stat data by which a file is known to be unchanged. Two stamps are equal only if nobody wrote in between: the time of change
/// cannot be set by hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, serde::Serialize, serde::Deserialize)]
pub struct Stamp {
    /// In bytes.
    pub size: u64,
    /// Nanoseconds since 1970, of the content.
    pub modified: i64,
    /// Nanoseconds since 1970, of the content or its stat data.
    pub changed: i64,
    /// The file's number on its volume.
    pub inode: u64,
    /// The mode and the owner, in one number.
    pub rights: u64,
}

/// A file's stamp.
pub fn stamp(meta: &Meta) -> Stamp {
    Stamp {
        size: meta.size,
        modified: meta.modified,
        changed: meta.changed,
        inode: meta.inode,
        rights: if meta.whole { u64::from(meta.user) << 32 | u64::from(meta.mode) } else { 0 },
    }
}

/// Opens a regular file for reading.
#[cfg(not(target_family = "wasm"))]
pub fn open(path: &Path, links: Links) -> Result<(File, Meta), FileFault> {
    let system = |source| FileFault::System { path: path.to_path_buf(), source };
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        let follow = if links == Links::Refuse { libc::O_NOFOLLOW } else { 0 };
        options.custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY | follow);
    }
    #[cfg(not(unix))]
    if links == Links::Refuse && super::disk::stat(path, false).is_ok_and(|meta| meta.is_symlink()) {
        return Err(FileFault::Kind(path.to_path_buf()));
    }
    let file = options.open(path).map_err(system)?;
    let meta = Meta::from(&file.metadata().map_err(system)?);
    if meta.is_file() { Ok((file, meta)) } else { Err(FileFault::Kind(path.to_path_buf())) }
}

/// Reads a regular file of at most `limit` bytes.
pub fn read(path: &Path, limit: u64, links: Links) -> Result<Vec<u8>, FileFault> {
    read_with_meta(path, limit, links).map(|(bytes, _)| bytes)
}

/// Reads a regular file of at most `limit` bytes; its stat data is from before the reading.
#[cfg(not(target_family = "wasm"))]
pub fn read_with_meta(path: &Path, limit: u64, links: Links) -> Result<(Vec<u8>, Meta), FileFault> {
    let (file, meta) = open(path, links)?;
    Ok((read_open(path, file, &meta, limit)?, meta))
}

#[cfg(target_family = "wasm")]
pub use super::disk::read as read_with_meta;

/// Opens a file that decides: not through a link, owned by the user or root, writable by nobody else.
#[cfg(not(target_family = "wasm"))]
pub fn open_own(path: &Path) -> Result<(File, Meta), FileFault> {
    let (file, meta) = open(path, Links::Refuse)?;
    believe(path, &meta)?;
    Ok((file, meta))
}

/// Reads a file that decides, of at most `limit` bytes. What the engine wrote itself is its own to believe.
pub fn read_own(path: &Path, limit: u64) -> Result<Vec<u8>, FileFault> {
    #[cfg(target_family = "wasm")]
    if let Some(bytes) = super::disk::kept(path) {
        return Ok(bytes);
    }
    let (bytes, meta) = read_with_meta(path, limit, Links::Refuse)?;
    believe(path, &meta)?;
    Ok(bytes)
}

/// Keeps a file in the engine's memory: the machine is not its own to write.
#[cfg(target_family = "wasm")]
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), FileFault> {
    super::disk::write(path, bytes);
    Ok(())
}

/// Bytes in hexadecimal digits: what digests name files by.
pub fn hex(bytes: &[u8]) -> String {
    const DIGITS: [char; 16] = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'];
    let digits = |byte: &u8| [DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]];
    bytes.iter().flat_map(digits).collect()
}

/// Whether stat data speaks for believing: owned by the user or root, writable by nobody else. Where the system has no such
/// data, the folders' own access lists do.
pub fn believe(path: &Path, meta: &Meta) -> Result<(), FileFault> {
    if meta.whole && meta.user != 0 && meta.user != super::os::user() {
        return Err(FileFault::Owner(path.to_path_buf()));
    }
    if meta.whole && meta.mode & 0o022 != 0 {
        return Err(FileFault::Mode(path.to_path_buf()));
    }
    Ok(())
}

/// Reads `buffer.len()` bytes at `offset`; whether they were all there. The file's own position is not used.
#[cfg(unix)]
pub fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> bool {
    use std::os::unix::fs::FileExt;
    file.read_exact_at(buffer, offset).is_ok()
}

/// Reads `buffer.len()` bytes at `offset`; whether they were all there.
#[cfg(windows)]
pub fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> bool {
    use std::os::windows::fs::FileExt;
    let mut done = 0;
    while done < buffer.len() {
        match file.seek_read(&mut buffer[done..], offset + done as u64) {
            Ok(count) if count > 0 => done += count,
            _ => return false,
        }
    }
    true
}

/// Writes a file that only the user may read, whole or not at all: a file of another name is written, then renamed. Folders
/// are made, for the user alone.
#[cfg(not(target_family = "wasm"))]
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), FileFault> {
    let system = |source| FileFault::System { path: path.to_path_buf(), source };
    let folder = path.parent().unwrap_or(Path::new("."));
    make_private(folder).map_err(system)?;
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let unique = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |time| time.subsec_nanos());
    let beside = folder.join(format!(".{name}.{}.{unique}", std::process::id()));
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let written =
        options.open(&beside).and_then(|mut file| file.write_all(bytes)).and_then(|()| std::fs::rename(&beside, path));
    written.map_err(|source| {
        let _ = std::fs::remove_file(&beside);
        system(source)
    })
}

/// Adds to the end of a file in one write, so that many processes may do so at once. A file that is not there is made, for
/// the user alone, and its folders; whether it was.
#[cfg(not(target_family = "wasm"))]
pub fn append(path: &Path, bytes: &[u8]) -> Result<bool, FileFault> {
    let system = |source| FileFault::System { path: path.to_path_buf(), source };
    let mut options = OpenOptions::new();
    options.append(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600).custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY | libc::O_NOFOLLOW);
    }
    let (mut file, made) = match options.open(path) {
        Ok(file) => (file, false),
        Err(fault) if fault.kind() == io::ErrorKind::NotFound => {
            make_private(path.parent().unwrap_or(Path::new("."))).map_err(system)?;
            (options.create(true).open(path).map_err(system)?, true)
        }
        Err(fault) => return Err(system(fault)),
    };
    if !Meta::from(&file.metadata().map_err(system)?).is_file() {
        return Err(FileFault::Kind(path.to_path_buf()));
    }
    // Not `write_all`: the rest of a line that was cut short by a full disk would stand behind another process's line.
    match file.write(bytes).map_err(system)? {
        written if written == bytes.len() => Ok(made),
        _ => Err(system(io::ErrorKind::WriteZero.into())),
    }
}

#[cfg(not(target_family = "wasm"))]
fn make_private(folder: &Path) -> io::Result<()> {
    if folder.is_dir() {
        return Ok(());
    }
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

#[cfg(not(target_family = "wasm"))]
fn read_open(path: &Path, file: File, meta: &Meta, limit: u64) -> Result<Vec<u8>, FileFault> {
    if meta.size > limit {
        return Err(FileFault::Size { path: path.to_path_buf(), limit });
    }
    let mut bytes = Vec::with_capacity(meta.size as usize + 1);
    // A file of `/proc` says size 0 and a growing one is longer than it said: one byte past the limit tells.
    let read = file.take(limit + 1).read_to_end(&mut bytes);
    read.map_err(|source| FileFault::System { path: path.to_path_buf(), source })?;
    if bytes.len() as u64 > limit {
        return Err(FileFault::Size { path: path.to_path_buf(), limit });
    }
    Ok(bytes)
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn what_others_may_write_is_not_believed() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("settings");
        write(&path, b"x").expect("written");
        assert_eq!(std::fs::metadata(&path).expect("there").permissions().mode() & 0o777, 0o600);
        assert_eq!(read_own(&path, 10).expect("believed"), b"x");
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o620)).expect("changed");
        assert!(matches!(read_own(&path, 10), Err(FileFault::Mode(_))));
    }

    #[test]
    fn links_pipes_and_large_files_are_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let (path, link) = (folder.path().join("file"), folder.path().join("link"));
        write(&path, b"twelve bytes").expect("written");
        std::os::unix::fs::symlink(&path, &link).expect("linked");
        assert!(read(&link, 100, Links::Refuse).is_err());
        assert!(read(&link, 100, Links::Follow).is_ok());
        assert!(matches!(read(&path, 11, Links::Refuse), Err(FileFault::Size { .. })));
        assert!(matches!(read("/dev/null".as_ref(), 11, Links::Refuse), Err(FileFault::Kind(_))));
        assert!(matches!(read(folder.path(), 11, Links::Refuse), Err(FileFault::Kind(_))));
    }
}
