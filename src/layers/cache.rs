//! Compiled layers, kept between calls.
//!
//! For each layer's directory there is a pointer, a small file named by the directory's path. It lists every source with its stat
//! data, the digest of their content, and the image that is in force. A call that finds the stat data unchanged opens that
//! image and reads no source. Images are named by the content that they were compiled from.
//!
//! INVARIANT (last good): an image that may loosen was compiled from sources without a fault, in files that were the user's alone
//! to write. While the sources are broken it stays in force; where there is none, what can be read of them only tightens.

#[cfg(not(target_family = "wasm"))]
use std::borrow::Cow;
#[cfg(not(target_family = "wasm"))]
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::compile::{self, HOOK_BYTES};
use super::source::{self, Source, Sources};
use super::{Effort, Proposal};
use crate::image::{Bytes, Image, layout};
use crate::world::disk;
use crate::world::file::{self, Stamp, hex};

/// Raised when the meaning of a pointer changes.
const FORMAT: u32 = 2;
const POINTER_BYTES: u64 = 1 << 20;
/// Images up to this size are read at once instead of by position.
#[cfg(not(target_family = "wasm"))]
const WHOLE: u64 = 4 << 10;
/// The largest image that is read at once where it cannot be read by position.
#[cfg(target_family = "wasm")]
const WHOLE_IMAGE: u64 = 32 << 20;
/// A file that was changed this short a time before its pointer was written may have been changed again without a trace.
const RACY: i64 = 50_000_000;
/// How many faults a report lists.
const LINES: usize = 5;
/// How many images are kept.
const IMAGES: usize = 256;

/// A layer as it is in force.
#[derive(Debug)]
pub struct Found {
    /// None where nothing could be read and there was nothing good before.
    pub image: Option<Image>,
    /// Whether the image is of sources without a fault.
    pub loosens: bool,
    /// The digest of the directory's content as it is now.
    pub content: [u8; 32],
    /// What is wrong.
    pub reports: Vec<String>,
    /// What a layer without the right to loosen is not heard about.
    pub claims: Vec<String>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Pointer {
    format: u32,
    engine: u64,
    directory: String,
    written: i64,
    stamps: Vec<(String, Option<Stamp>)>,
    content: [u8; 32],
    in_force: Option<Named>,
    /// The newest image of sources without a fault.
    good: Option<Named>,
    reports: Vec<String>,
    claims: Vec<String>,
    /// Whether there was more to compile than a hook does: a command does it.
    left: bool,
}

/// An image by its file's name and its own digest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Named {
    file: [u8; 32],
    digest: [u8; 32],
}

/// Loads a layer's directory; `None` where there is none.
pub fn load(directory: &Path, project: bool, cache: Option<&Path>, homes: &[String], effort: Effort) -> Option<Found> {
    let rights = source::stamp_of(directory, "", project)?;
    let store = Store { cache, directory, project };
    let pointer = store.pointer();
    if let Some(pointer) = &pointer
        && pointer.engine == layout::engine()
        && !(pointer.left && effort == Effort::Command)
        && store.is_unchanged(pointer, rights)
        && let Some(found) = store.found(pointer)
    {
        return Some(found);
    }
    Some(store.renew(pointer, homes, effort))
}

/// A layer as it would be in force with these settings: compiled in memory, whatever is kept.
pub fn proposed(proposal: Proposal, project: bool, homes: &[String]) -> Found {
    let mut sources = source::read(proposal.directory, project);
    sources.files.retain(|file| file.name != source::SETTINGS);
    sources.files.push(Source { name: source::SETTINGS.into(), bytes: proposal.text.into() });
    let compiled = compile::compile(&sources, homes);
    let mut reports = sources.faults;
    reports.extend(compiled.found.iter().filter(|it| it.is_error()).map(|it| compile::line(it, &compiled.texts)));
    let (image, loosens) = (Image::open(Arc::new(compiled.image)).ok(), reports.is_empty());
    Found { image, loosens, content: sources.digest, reports, claims: compiled.claims }
}

struct Store<'a> {
    cache: Option<&'a Path>,
    directory: &'a Path,
    project: bool,
}

impl Store<'_> {
    fn pointer_path(&self) -> Option<PathBuf> {
        let name = Sha256::digest(self.directory.as_os_str().as_encoded_bytes());
        Some(self.cache?.join("layers").join(hex(&name[..16])))
    }

    fn image_path(&self, file: &[u8; 32]) -> Option<PathBuf> {
        Some(self.cache?.join("images").join(hex(file)))
    }

    fn pointer(&self) -> Option<Pointer> {
        let bytes = file::read_own(&self.pointer_path()?, POINTER_BYTES).ok()?;
        let (pointer, rest) = postcard::take_from_bytes::<Pointer>(&bytes).ok()?;
        let is_ours =
            pointer.format == FORMAT && rest.is_empty() && Some(pointer.directory.as_str()) == self.directory.to_str();
        is_ours.then_some(pointer)
    }

    fn is_unchanged(&self, pointer: &Pointer, rights: Stamp) -> bool {
        let young = |stamp: &Stamp| stamp.changed.max(stamp.modified) > pointer.written - RACY;
        pointer.stamps.iter().all(|(name, known)| {
            let now = if name.is_empty() { Some(rights) } else { source::stamp_of(self.directory, name, self.project) };
            now == *known && !now.as_ref().is_some_and(young)
        })
    }

    /// What the pointer says, where its image is whole.
    fn found(&self, pointer: &Pointer) -> Option<Found> {
        let image = match &pointer.in_force {
            Some(named) => Some(self.open(named)?),
            None => None,
        };
        let loosens = pointer.in_force.is_some() && pointer.in_force == pointer.good;
        Some(Found {
            image,
            loosens,
            content: pointer.content,
            reports: pointer.reports.clone(),
            claims: pointer.claims.clone(),
        })
    }

    fn open(&self, named: &Named) -> Option<Image> {
        Image::open(bytes_of(&self.image_path(&named.file)?)?).ok().filter(|image| image.digest() == named.digest)
    }

    /// Reads the sources, compiles them where they are new, and writes the pointer.
    fn renew(&self, old: Option<Pointer>, homes: &[String], effort: Effort) -> Found {
        let now = disk::nanoseconds();
        let sources = source::read(self.directory, self.project);
        let old = old.filter(|old| old.engine == layout::engine());
        let same =
            old.as_ref().filter(|old| old.content == sources.digest && old.reports.is_empty() && sources.faults.is_empty());
        if let Some(old) = same {
            let renewed = Pointer { written: now, stamps: sources.stamps.clone(), ..old.clone() };
            if let Some(found) = self.found(&renewed) {
                self.keep(&renewed);
                return found;
            }
        }
        let good = old.and_then(|old| old.good).filter(|good| self.open(good).is_some());
        let mut pointer = Pointer {
            format: FORMAT,
            engine: layout::engine(),
            directory: self.directory.to_str().unwrap_or_default().to_string(),
            written: now,
            stamps: sources.stamps.clone(),
            content: sources.digest,
            in_force: good.clone(),
            good,
            reports: sources.faults.iter().take(LINES).cloned().collect(),
            claims: Vec::new(),
            left: false,
        };
        let image = self.compile(&sources, &mut pointer, homes, effort);
        self.keep(&pointer);
        match self.found(&pointer) {
            Some(found) if image.is_none() || found.image.is_some() => found,
            // The cache cannot be written: the image is in memory alone, and in force for this call.
            _ => {
                let loosens = pointer.reports.is_empty();
                let image = image.and_then(|bytes| Image::open(Arc::new(bytes)).ok());
                Found { image, loosens, content: pointer.content, reports: pointer.reports, claims: pointer.claims }
            }
        }
    }

    /// Compiles, and says in the pointer what is in force. The image's bytes, where a new one is.
    fn compile(&self, sources: &Sources, pointer: &mut Pointer, homes: &[String], effort: Effort) -> Option<Vec<u8>> {
        let stays = |pointer: &Pointer| {
            if pointer.good.is_some() { "the last good state stays in force" } else { "nothing of it loosens" }
        };
        let size = compile::size(sources);
        if effort == Effort::Hook && size > HOOK_BYTES {
            pointer.left = true;
            let line = format!("{size} bytes of rulebooks are more than a hook compiles; {}", stays(pointer));
            pointer.reports.push(format!("{line}; `cc-safety-net doctor` compiles them"));
            return None;
        }
        let compiled = compile::compile(sources, homes);
        let errors: Vec<_> = compiled.found.iter().filter(|found| found.is_error()).collect();
        pointer.reports.extend(errors.iter().take(LINES).map(|found| compile::line(found, &compiled.texts)));
        if errors.len() > LINES {
            pointer.reports.push(format!("and {} more; `cc-safety-net rule check` shows them all", errors.len() - LINES));
        }
        let is_good = pointer.reports.is_empty();
        pointer.claims = compiled.claims;
        if !is_good {
            pointer.reports.push(stays(pointer).to_string());
            if pointer.good.is_some() {
                return None;
            }
        }
        let digest = Image::open(Arc::new(compiled.image.clone())).ok()?.digest();
        let named = Named { file: self.file_name(sources), digest };
        if let Some(path) = self.image_path(&named.file)
            && file::write(&path, &compiled.image).is_ok()
        {
            prune(path.parent().unwrap_or(&path), &path);
        }
        pointer.in_force = Some(named.clone());
        pointer.good = is_good.then_some(named);
        Some(compiled.image)
    }

    /// An image depends on the sources, the engine, and on what allowed paths must not hold.
    fn file_name(&self, sources: &Sources) -> [u8; 32] {
        let mut hash = Sha256::new();
        hash.update(layout::engine().to_le_bytes());
        hash.update(sources.digest);
        hash.update(self.directory.as_os_str().as_encoded_bytes());
        hash.finalize().into()
    }

    /// Writes the pointer; where that cannot be done the next call works once more, which is no reason to trouble anybody.
    fn keep(&self, pointer: &Pointer) {
        if let (Some(path), Ok(bytes)) = (self.pointer_path(), postcard::to_stdvec(pointer)) {
            let _ = file::write(&path, &bytes);
        }
    }
}

/// The bytes of an image's file.
#[cfg(not(target_family = "wasm"))]
fn bytes_of(path: &Path) -> Option<Arc<dyn Bytes>> {
    let (file, meta) = file::open_own(path).ok()?;
    let length = meta.size;
    if length > WHOLE {
        return Some(Arc::new(Positioned { file, length }));
    }
    let mut whole = vec![0; length as usize];
    file::read_at(&file, &mut whole, 0).then(|| Arc::new(whole) as Arc<dyn Bytes>)
}

/// The bytes of an image's file, all of them: a question to the host costs more than they do.
#[cfg(target_family = "wasm")]
fn bytes_of(path: &Path) -> Option<Arc<dyn Bytes>> {
    Some(Arc::new(file::read_own(path, WHOLE_IMAGE).ok()?))
}

/// An image that is read by position.
#[cfg(not(target_family = "wasm"))]
struct Positioned {
    file: File,
    length: u64,
}

#[cfg(not(target_family = "wasm"))]
impl Bytes for Positioned {
    fn length(&self) -> u64 {
        self.length
    }

    fn read(&self, offset: u64, length: usize) -> Option<Cow<'_, [u8]>> {
        // Never more than the file holds, whatever a damaged record says.
        if offset.checked_add(length as u64)? > self.length {
            return None;
        }
        let mut bytes = vec![0; length];
        file::read_at(&self.file, &mut bytes, offset).then_some(Cow::Owned(bytes))
    }
}

/// Removes the oldest images where there are many; a pointer whose image is gone compiles again.
fn prune(folder: &Path, newest: &Path) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let age = |entry: std::fs::DirEntry| Some((entry.metadata().ok()?.modified().ok()?, entry.path()));
    let mut images: Vec<_> = entries.flatten().filter_map(age).filter(|(_, path)| path != newest).collect();
    if images.len() >= IMAGES {
        images.sort();
        for (_, path) in &images[..images.len() - IMAGES / 2] {
            let _ = std::fs::remove_file(path);
        }
    }
}
