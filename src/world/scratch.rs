//! A folder of our own for as long as it is needed.

use std::io;
use std::path::{Path, PathBuf};

/// A new folder that only this user may enter; gone with the value, and everything in it.
#[derive(Debug)]
pub struct Scratch(PathBuf);

impl Scratch {
    /// Makes one below the system's folder for such things.
    pub fn make() -> io::Result<Scratch> {
        let root = std::env::temp_dir().canonicalize()?;
        let time = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(0, |time| time.as_nanos());
        let mut builder = std::fs::DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        // One that is there already is nobody's to use: that is a fault.
        let path = root.join(format!("cc-safety-net-{}-{time}", std::process::id()));
        builder.create(&path)?;
        Ok(Scratch(path))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
