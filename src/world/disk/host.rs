//! The answers of the program that holds the engine: read-only calls, each a question and its bytes.
//!
//! A question is a number, a path or a name, and a limit. The host writes the answer into [`room`], which it asks for by an
//! exported function of the engine, and returns its length, or a negative number: nothing is there, it is not known, it is no
//! regular file, it is larger than the limit. Stat data is seven little-endian numbers of eight bytes and a byte, in the order of
//! [`Meta`]'s fields. Paths have `/` between components, whatever the host's system writes.

#![allow(unsafe_code)] // the declaration of the one function that is imported

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use super::{Meta, Platform};
use crate::model::EntryKind;
use crate::world::file::{FileFault, Links};

#[link(wasm_import_module = "host")]
unsafe extern "C" {
    /// Answers one question; `text` and `length` are where its path or name lies.
    safe fn ask(question: u32, text: *const u8, length: usize, limit: u32) -> i32;
}

/// What is asked. The numbers are the host's, too.
#[derive(Debug, Clone, Copy)]
enum Question {
    Stat = 0,
    StatOfLink = 1,
    Target = 2,
    Real = 3,
    List = 4,
    Read = 5,
    ReadNoLink = 6,
    Variable = 7,
    /// `platform`, `user`, `home`, `home of NAME`, `nanoseconds`.
    Fact = 8,
}

const MISSING: i32 = -1;
const NO_FILE: i32 = -3;
const TOO_LARGE: i32 = -4;
/// The bytes of stat data.
const STAT: usize = 57;
/// The longest answer.
const LONGEST: usize = 40 << 20;

thread_local! {
    static ANSWER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static KEPT: RefCell<BTreeMap<PathBuf, Vec<u8>>> = const { RefCell::new(BTreeMap::new()) };
    static HOST: OnceCell<Host> = const { OnceCell::new() };
}

/// What stays as it is for as long as the host lives.
#[derive(Debug, Clone)]
struct Host {
    platform: Platform,
    user: u32,
    home: Option<String>,
}

fn host<T>(get: impl FnOnce(&Host) -> T) -> T {
    HOST.with(|host| {
        get(host.get_or_init(|| Host {
            platform: match fact("platform").as_deref() {
                Some("darwin") => Platform::Mac,
                Some("win32") => Platform::Windows,
                _ => Platform::Unix,
            },
            user: fact("user").and_then(|text| text.parse().ok()).unwrap_or(0),
            home: fact("home"),
        }))
    })
}

/// Where the host writes an answer of so many bytes; null for one that is too long.
pub fn room(length: usize) -> *mut u8 {
    if length > LONGEST {
        return std::ptr::null_mut();
    }
    ANSWER.with_borrow_mut(|answer| {
        answer.clear();
        answer.resize(length, 0);
        answer.as_mut_ptr()
    })
}

/// What the host wrote, so many bytes of it.
pub fn take(length: usize) -> Vec<u8> {
    let mut written = ANSWER.take();
    written.truncate(length);
    written
}

/// Leaves bytes for the host to read, and says how many.
pub fn put(bytes: Vec<u8>) -> usize {
    let length = bytes.len();
    ANSWER.set(bytes);
    length
}

/// Where those bytes stand.
pub fn place() -> *const u8 {
    ANSWER.with_borrow(|answer| answer.as_ptr())
}

fn question(what: Question, text: &str, limit: u32) -> Result<Vec<u8>, i32> {
    match ask(what as u32, text.as_ptr(), text.len(), limit) {
        length @ 0.. => Ok(take(length as usize)),
        fault => Err(fault),
    }
}

fn on_path(what: Question, path: &Path, limit: u32) -> io::Result<Vec<u8>> {
    // A text with a NUL byte names nothing, as the system would say.
    let text = path.to_str().filter(|text| !text.contains('\0')).ok_or(io::ErrorKind::InvalidInput)?;
    question(what, text, limit)
        .map_err(|fault| io::Error::from(if fault == MISSING { io::ErrorKind::NotFound } else { io::ErrorKind::Other }))
}

fn text_of(bytes: Vec<u8>) -> io::Result<String> {
    String::from_utf8(bytes).map_err(|_| io::ErrorKind::InvalidData.into())
}

fn fact(name: &str) -> Option<String> {
    text_of(question(Question::Fact, name, 0).ok()?).ok()
}

fn meta(bytes: &[u8]) -> Option<Meta> {
    let number = |at: usize| bytes.get(at * 8..at * 8 + 8)?.try_into().ok().map(u64::from_le_bytes);
    Some(Meta {
        mode: number(0)? as u32,
        user: number(1)? as u32,
        group: number(2)? as u32,
        inode: number(3)?,
        size: number(4)?,
        modified: number(5)? as i64,
        changed: number(6)? as i64,
        whole: *bytes.get(56)? == 1,
    })
}

/// The kind of the host's system.
pub fn platform() -> Platform {
    host(|host| host.platform)
}

/// The user that runs the host; 0 where the system has no such numbers.
pub fn user() -> u32 {
    host(|host| host.user)
}

/// That user's home, from the user database.
pub fn home() -> Option<String> {
    host(|host| host.home.clone())
}

/// Another user's home.
pub fn home_of(name: &str) -> Option<String> {
    fact(&format!("home of {name}"))
}

/// Nanoseconds since 1970.
pub fn nanoseconds() -> i64 {
    fact("nanoseconds").and_then(|text| text.parse().ok()).unwrap_or(0)
}

/// Keeps a file for as long as the engine lives: what the layers' cache would write on a machine of its own.
pub fn write(path: &Path, bytes: &[u8]) {
    KEPT.with_borrow_mut(|kept| kept.insert(path.to_path_buf(), bytes.to_vec()));
}

/// A file that was kept.
pub fn kept(path: &Path) -> Option<Vec<u8>> {
    KEPT.with_borrow(|kept| kept.get(path).cloned())
}

/// A variable of the host's environment.
pub fn variable(name: &str) -> Option<String> {
    text_of(question(Question::Variable, name, 0).ok()?).ok()
}

/// The stat data of a path; of a last link's target with `follow`.
pub fn stat(path: &Path, follow: bool) -> io::Result<Meta> {
    let bytes = on_path(if follow { Question::Stat } else { Question::StatOfLink }, path, 0)?;
    meta(&bytes).ok_or_else(|| io::ErrorKind::InvalidData.into())
}

/// Where a link leads, as it is written; none where the path is no link.
pub fn target(path: &Path) -> io::Result<Option<PathBuf>> {
    let answer = text_of(on_path(Question::Target, path, 0)?)?;
    Ok((!answer.is_empty()).then(|| answer.into()))
}

/// The path with every link resolved; it must exist.
pub fn real(path: &Path) -> io::Result<PathBuf> {
    text_of(on_path(Question::Real, path, 0)?).map(PathBuf::from)
}

/// The names in a directory with what they name, links not followed, in no order; one more than `limit` where there are more.
pub fn list(path: &Path, limit: usize) -> io::Result<Vec<(OsString, EntryKind)>> {
    let answer = text_of(on_path(Question::List, path, u32::try_from(limit).unwrap_or(u32::MAX))?)?;
    // Each name ends with a NUL and begins with a letter for its kind.
    let entry = |entry: &str| {
        let kind = match entry.as_bytes().first() {
            Some(b'f') => EntryKind::File,
            Some(b'd') => EntryKind::Directory,
            Some(b'l') => EntryKind::Link,
            _ => EntryKind::Other,
        };
        (OsString::from(entry.get(1..).unwrap_or_default()), kind)
    };
    Ok(answer.split_terminator('\0').map(entry).collect())
}

/// Reads a regular file of at most `limit` bytes.
pub fn read(path: &Path, limit: u64, links: Links) -> Result<(Vec<u8>, Meta), FileFault> {
    let system = |kind: io::ErrorKind| FileFault::System { path: path.to_path_buf(), source: kind.into() };
    let what = if links == Links::Refuse { Question::ReadNoLink } else { Question::Read };
    let text = path.to_str().filter(|text| !text.contains('\0')).ok_or_else(|| system(io::ErrorKind::InvalidInput))?;
    let mut bytes = question(what, text, u32::try_from(limit).unwrap_or(u32::MAX)).map_err(|fault| match fault {
        MISSING => system(io::ErrorKind::NotFound),
        NO_FILE => FileFault::Kind(path.to_path_buf()),
        TOO_LARGE => FileFault::Size { path: path.to_path_buf(), limit },
        _ => system(io::ErrorKind::Other),
    })?;
    let meta = meta(&bytes).ok_or_else(|| system(io::ErrorKind::InvalidData))?;
    bytes.drain(..STAT);
    if bytes.len() as u64 > limit {
        return Err(FileFault::Size { path: path.to_path_buf(), limit });
    }
    Ok((bytes, meta))
}
