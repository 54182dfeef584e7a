//! The index: which files git tracks, and the stat data by which it knows that they are unchanged (`gitformat-index`).
//!
//! Versions 2, 3 and 4. An entry that says "do not look at the work tree" (assume-valid, skip-worktree, intent-to-add) or that is
//! part of a conflict is tracked, and never clean.

use std::cmp::Ordering;

use crate::world::disk::Meta;

/// The largest index that is read, in bytes.
pub const LIMIT: u64 = 8 << 20;

const FLAG_EXTENDED: u16 = 0x4000;
const FLAGS_NOT_PLAIN: u16 = 0x8000 | 0x3000; // assume-valid, stage
const EXTENDED_NOT_PLAIN: u16 = 0x4000 | 0x2000; // skip-worktree, intent-to-add
const STAT: usize = 40;
const LINK: u32 = 0o120000;
const REGULAR: u32 = 0o100000;

/// An index.
#[derive(Debug)]
pub struct Index {
    bytes: Vec<u8>,
    /// The paths one after another.
    names: Vec<u8>,
    /// Sorted by path, as git writes them.
    entries: Vec<Entry>,
    /// When the index was written, in nanoseconds since 1970.
    written: i64,
}

#[derive(Debug, Clone, Copy)]
struct Entry {
    /// In `names`.
    start: u32,
    end: u32,
    /// Of the stat data in `bytes`.
    stat: u32,
    plain: bool,
}

impl Index {
    /// Reads an index whose object names have `hash` bytes; `None` for a fault and for formats that are not read.
    pub fn parse(bytes: Vec<u8>, hash: usize, written: i64) -> Option<Index> {
        let version = number(&bytes, 4)?;
        if bytes.get(..4)? != b"DIRC" || !(2..=4).contains(&version) {
            return None;
        }
        let count = number(&bytes, 8)? as usize;
        // An entry has 62 bytes at least: the count cannot make us reserve more than the file could hold.
        let mut entries = Vec::with_capacity(count.min(bytes.len() / 62));
        let (mut names, mut at) = (Vec::with_capacity(bytes.len() / 2), 12);
        for _ in 0..count {
            at = entry(&bytes, at, version, hash, &mut names, &mut entries)?;
        }
        // An extension whose name begins in lower case changes the meaning of the entries (a split, a sparse index).
        while at + 8 + hash <= bytes.len() {
            if !bytes[at].is_ascii_uppercase() {
                return None;
            }
            at = at.checked_add(8)?.checked_add(number(&bytes, at + 4)? as usize)?;
        }
        let index = Index { bytes, names, entries, written };
        index.entries.is_sorted_by(|one, other| index.name(one) <= index.name(other)).then_some(index)
    }

    /// Whether the file is tracked, or something below the directory.
    pub fn tracks(&self, path: &[u8]) -> bool {
        !self.find(path).is_empty() || self.below(path).next().is_some()
    }

    /// The paths that are tracked below a directory.
    pub fn below<'a>(&'a self, path: &'a [u8]) -> impl Iterator<Item = &'a [u8]> {
        let prefix = [path, if path.is_empty() { b"" } else { b"/" }].concat();
        let from = self.entries.partition_point(|entry| self.name(entry) < prefix.as_slice());
        self.entries[from..].iter().map(|entry| self.name(entry)).take_while(move |name| name.starts_with(&prefix))
    }

    /// Whether the file's one entry is plain and its stat data is that of `meta`. `None` where stat data alone cannot tell: the
    /// content is as long and as old, but something else differs, or the file was written as late as the index.
    pub fn is_clean(&self, path: &[u8], meta: &Meta) -> Option<bool> {
        let [entry] = self.find(path) else { return Some(false) };
        if !entry.plain {
            return Some(false);
        }
        let field = |which: usize| number(&self.bytes, entry.stat as usize + 4 * which);
        let (ours, theirs) = (Fields::of(meta), [field(2)?, field(3)?, field(9)?, field(6)?]);
        let [seconds, nanoseconds, size, mode] = theirs;
        let kind = mode & 0o170000;
        if ours.seconds != seconds || ours.size != size || ours.kind != kind || !matches!(kind, REGULAR | LINK) {
            return Some(false);
        }
        if nanoseconds != 0 && ours.nanoseconds != nanoseconds {
            return Some(false);
        }
        // Racy (git's own word): written in the same instant as the index, or later; a change within it left no trace.
        let modified = i64::from(seconds) * 1_000_000_000 + i64::from(if nanoseconds == 0 { 999_999_999 } else { nanoseconds });
        if modified >= self.written {
            return None;
        }
        let rest = [field(0)?, field(5)?, field(7)?, field(8)?, mode & 0o111];
        (ours.rest.is_none_or(|ours| ours == rest)).then_some(true)
    }

    fn name(&self, entry: &Entry) -> &[u8] {
        &self.names[entry.start as usize..entry.end as usize]
    }

    /// The entries of exactly this path: several where it is part of a conflict.
    fn find(&self, path: &[u8]) -> &[Entry] {
        let from = self.entries.partition_point(|entry| self.name(entry).cmp(path) == Ordering::Less);
        let count = self.entries[from..].iter().take_while(|entry| self.name(entry) == path).count();
        &self.entries[from..from + count]
    }
}

/// What git compares.
struct Fields {
    seconds: u32,
    nanoseconds: u32,
    size: u32,
    kind: u32,
    /// Time of change, inode, user, group, executable bits; none where the system has no such data.
    rest: Option<[u32; 5]>,
}

impl Fields {
    fn of(meta: &Meta) -> Fields {
        // git keeps only whether the user may execute, and nothing of a link.
        let executable = if meta.mode & 0o100 != 0 && meta.is_file() { 0o111 } else { 0 };
        let seconds = |nanoseconds: i64| nanoseconds.div_euclid(1_000_000_000) as u32;
        Fields {
            seconds: seconds(meta.modified),
            nanoseconds: meta.modified.rem_euclid(1_000_000_000) as u32,
            size: meta.size as u32,
            kind: meta.mode & 0o170000,
            rest: meta.whole.then(|| [seconds(meta.changed), meta.inode as u32, meta.user, meta.group, executable]),
        }
    }
}

/// Reads the entry at `at` and says where the next one begins.
fn entry(bytes: &[u8], at: usize, version: u32, hash: usize, names: &mut Vec<u8>, entries: &mut Vec<Entry>) -> Option<usize> {
    let flags_at = at + STAT + hash;
    let flags = short(bytes, flags_at)?;
    let extended = if version >= 3 && flags & FLAG_EXTENDED != 0 { Some(short(bytes, flags_at + 2)?) } else { None };
    let mut name_at = flags_at + if extended.is_some() { 4 } else { 2 };
    let start = names.len();
    if version == 4 {
        let (strip, after) = varying(bytes, name_at)?;
        let last = entries.last().map_or(0..0, |last: &Entry| last.start as usize..last.end as usize);
        let keep = last.len().checked_sub(strip)?;
        names.extend_from_within(last.start..last.start + keep);
        name_at = after;
    }
    let length = bytes.get(name_at..)?.iter().position(|byte| *byte == 0)?;
    names.extend_from_slice(&bytes[name_at..name_at + length]);
    let plain = flags & FLAGS_NOT_PLAIN == 0 && extended.unwrap_or(0) & EXTENDED_NOT_PLAIN == 0;
    entries.push(Entry { start: start as u32, end: names.len() as u32, stat: at as u32, plain });
    // Names share prefixes in version 4: 8 MiB of index must not become gigabytes of names.
    if names.len() as u64 > 4 * LIMIT {
        return None;
    }
    let end = name_at + length;
    Some(if version == 4 { end + 1 } else { at + ((end - at) / 8 + 1) * 8 })
}

/// An offset as packs write it: seven bits at a time, each further byte counting one more.
fn varying(bytes: &[u8], mut at: usize) -> Option<(usize, usize)> {
    let mut byte = *bytes.get(at)?;
    let mut value = usize::from(byte & 127);
    while byte & 128 != 0 {
        at += 1;
        byte = *bytes.get(at)?;
        value = value.checked_add(1)?.checked_mul(128)?.checked_add(usize::from(byte & 127))?;
    }
    Some((value, at + 1))
}

fn number(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..at.checked_add(4)?)?.try_into().ok().map(u32::from_be_bytes)
}

fn short(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..at.checked_add(2)?)?.try_into().ok().map(u16::from_be_bytes)
}
