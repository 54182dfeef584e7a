//! The frame of an image: header, index pages, checksummed records.
//!
//! | bytes | what |
//! | --- | --- |
//! | 0–7 | magic |
//! | 8–11 | byte order mark, in the order of the machine that it is for (the automata have that order; all else is little) |
//! | 12–15 | format version |
//! | 16–23 | engine build |
//! | 24–55 | digest of the content: the identity |
//! | 56–59 | number of index pages |
//! | 64–71, 72–79 | offset of the index, length of the image |
//! | 80–207 | eight sections: offset, length |
//! | 240–247 | checksum of all that follows the header, compared only by who asks for it |
//! | 248–255 | checksum of the bytes before it |
//!
//! A page is 256 bytes: fifteen entries of hash, offset and length, their number, whether the next page goes on, a checksum. A
//! record is its bytes and then their checksum.

use std::borrow::Cow;

use super::bytes::{Bytes, Fault, checksum, little};

/// The version of this layout and of the records in it.
pub const FORMAT: u32 = 2;
/// Told apart from [`FORMAT`]: raised when the same records come to mean something else.
const MEANING: &str = "1";
const MAGIC: &[u8; 8] = b"CCSNIMG\n";
const MARK: u32 = 0x0A0B_0C0D;
/// Size of the header.
pub const HEADER: usize = 256;
/// Size of an index page.
pub const PAGE: usize = 256;
/// Entries of a page.
const ENTRIES: usize = 15;
/// Pages that hand on to one another, at most: as many as sixty thousand records under one name fill.
const CHAIN: u64 = 4096;

/// The build that compiled the image: the crate's version and what its records mean.
pub fn engine() -> u64 {
    checksum(concat!("cc-safety-net ", env!("CARGO_PKG_VERSION"), " ").as_bytes()) ^ checksum(MEANING.as_bytes())
}

/// Where a record lies: its first byte and its length without the checksum.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
pub struct Location {
    /// First byte.
    pub offset: u64,
    /// Length in bytes.
    pub length: u32,
}

/// Records that every image may have, found through the header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Section {
    /// The settings.
    Settings,
    /// Overrides that rulebooks state.
    Overrides,
    /// Ids of all rules.
    Rules,
    /// Clauses whose program is a glob.
    WildCommands,
    /// Clauses on tools whose name is a glob.
    WildTools,
    /// Declarations of tools whose name is a glob.
    WildToolDeclarations,
    /// Names, versions and texts of the rulebooks.
    Rulebooks,
    /// None yet.
    Spare,
}

const SECTIONS: usize = 8;

/// Kinds of names in the index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Key {
    /// Rules on a program.
    Command = 1,
    /// Rules on a program and its first positional, a nul between them.
    CommandWord,
    /// Rules on an effect's verb.
    Effect,
    /// Rules on a tool.
    Tool,
    /// Declarations of a program.
    Declaration,
    /// A language's calls.
    Language,
    /// Declarations of a tool.
    ToolDeclaration,
    /// A rule by its id.
    Rule,
    /// Rules by a former or foreign id.
    Also,
}

/// The hash under which a name stands in the index. What is found is compared with the name itself, so a collision costs a
/// read and decides nothing.
pub fn hash(key: Key, name: &str) -> u64 {
    // The kind is a byte of its own: else one kind's `wc` would be another kind's `sc`.
    let mut state = 0xCBF2_9CE4_8422_2325_u64;
    for byte in std::iter::once(key as u8).chain(name.bytes()) {
        state = (state ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3);
    }
    state ^= state >> 32;
    state.wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// Builds the bytes of an image.
#[derive(Debug)]
pub struct Writer {
    bytes: Vec<u8>,
    sections: [Location; SECTIONS],
    entries: Vec<(u64, Location)>,
}

impl Default for Writer {
    fn default() -> Writer {
        let none = Location { offset: 0, length: 0 };
        Writer { bytes: vec![0; HEADER], sections: [none; SECTIONS], entries: Vec::new() }
    }
}

impl Writer {
    /// Appends a record.
    pub fn record(&mut self, content: &[u8]) -> Location {
        let location = Location { offset: self.bytes.len() as u64, length: content.len() as u32 };
        self.bytes.extend_from_slice(content);
        self.bytes.extend_from_slice(&checksum(content).to_le_bytes());
        location
    }

    /// Appends a record that the header names.
    pub fn section(&mut self, section: Section, content: &[u8]) {
        self.sections[section as usize] = self.record(content);
    }

    /// Makes a record be found by a name.
    pub fn name(&mut self, key: Key, name: &str, location: Location) {
        self.entries.push((hash(key, name), location));
    }

    /// The image. `big` says that the automata in it have the byte order of a big-endian machine.
    pub fn finish(mut self, digest: [u8; 32], big: bool) -> Vec<u8> {
        let index = self.bytes.len() as u64;
        let pages = pages(&mut self.entries);
        for page in &pages {
            self.bytes.extend_from_slice(page);
        }
        let length = self.bytes.len() as u64;
        let mut header = [0_u8; HEADER];
        let mut put = |at: usize, bytes: &[u8]| header[at..at + bytes.len()].copy_from_slice(bytes);
        put(0, MAGIC);
        put(8, &if big { MARK.to_be_bytes() } else { MARK.to_le_bytes() });
        put(12, &FORMAT.to_le_bytes());
        put(16, &engine().to_le_bytes());
        put(24, &digest);
        put(56, &(pages.len() as u32).to_le_bytes());
        put(64, &index.to_le_bytes());
        put(72, &length.to_le_bytes());
        for (number, section) in self.sections.iter().enumerate() {
            put(80 + number * 16, &section.offset.to_le_bytes());
            put(88 + number * 16, &section.length.to_le_bytes());
        }
        header[HEADER - 16..HEADER - 8].copy_from_slice(&checksum(&self.bytes[HEADER..]).to_le_bytes());
        let sum = checksum(&header[..HEADER - 8]);
        header[HEADER - 8..].copy_from_slice(&sum.to_le_bytes());
        self.bytes[..HEADER].copy_from_slice(&header);
        self.bytes
    }
}

/// Entries into pages: a page that is full hands on to the next one, the last to the first.
fn pages(entries: &mut [(u64, Location)]) -> Vec<[u8; PAGE]> {
    entries.sort();
    let count = (entries.len() / 10 + 1).next_power_of_two();
    let mut filled: Vec<Vec<(u64, Location)>> = vec![Vec::new(); count];
    let mut over = vec![false; count];
    for entry in entries.iter() {
        let mut page = (entry.0 as usize) & (count - 1);
        while filled[page].len() == ENTRIES {
            over[page] = true;
            page = (page + 1) & (count - 1);
        }
        filled[page].push(*entry);
    }
    let write = |(entries, over): (&Vec<(u64, Location)>, &bool)| {
        let mut page = [0_u8; PAGE];
        for (number, (hash, location)) in entries.iter().enumerate() {
            let at = number * 16;
            page[at..at + 8].copy_from_slice(&hash.to_le_bytes());
            page[at + 8..at + 12].copy_from_slice(&(location.offset as u32).to_le_bytes());
            page[at + 12..at + 16].copy_from_slice(&location.length.to_le_bytes());
        }
        page[240] = entries.len() as u8;
        page[241] = u8::from(*over);
        let sum = checksum(&page[..PAGE - 8]);
        page[PAGE - 8..].copy_from_slice(&sum.to_le_bytes());
        page
    };
    filled.iter().zip(&over).map(write).collect()
}

/// An image's frame, its header checked.
#[derive(Debug, Clone)]
pub struct Frame {
    /// The identity of the content.
    pub digest: [u8; 32],
    pages: u32,
    index: u64,
    content: u64,
    sections: [Location; SECTIONS],
}

impl Frame {
    /// Checks the header: what it is, whether this engine reads it, whether it is whole.
    pub fn open(bytes: &dyn Bytes) -> Result<Frame, Fault> {
        let length = bytes.length();
        if length < HEADER as u64 {
            let known = bytes.read(0, MAGIC.len().min(length as usize)).ok_or(Fault::Read)?;
            let begins = !known.is_empty() && MAGIC.starts_with(&known);
            return Err(if begins { Fault::Length { found: length, expected: HEADER as u64 } } else { Fault::Magic });
        }
        let header = bytes.read(0, HEADER).ok_or(Fault::Read)?;
        let number = |at: usize, size: usize| little(&header[at..at + size]);
        if &header[..8] != MAGIC {
            return Err(Fault::Magic);
        }
        let mark = [header[8], header[9], header[10], header[11]];
        if mark != MARK.to_ne_bytes() {
            let other = mark.iter().rev().eq(MARK.to_ne_bytes().iter());
            return Err(if other { Fault::ByteOrder } else { Fault::Checksum { part: "header" } });
        }
        if number(12, 4) != u64::from(FORMAT) {
            return Err(Fault::Format { found: number(12, 4) as u32 });
        }
        if number(16, 8) != engine() {
            return Err(Fault::Engine);
        }
        if number(HEADER - 8, 8) != checksum(&header[..HEADER - 8]) {
            return Err(Fault::Checksum { part: "header" });
        }
        if number(72, 8) != length {
            return Err(Fault::Length { found: length, expected: number(72, 8) });
        }
        let mut digest = [0; 32];
        digest.copy_from_slice(&header[24..56]);
        let sections =
            std::array::from_fn(|n| Location { offset: number(80 + n * 16, 8), length: number(88 + n * 16, 4) as u32 });
        let pages = number(56, 4) as u32;
        if !pages.is_power_of_two() {
            return Err(Fault::Content { part: "header" });
        }
        Ok(Frame { digest, pages, index: number(64, 8), content: number(240, 8), sections })
    }

    /// The record of a section; none where the image has none.
    pub fn section<'b>(&self, bytes: &'b dyn Bytes, section: Section) -> Result<Option<Cow<'b, [u8]>>, Fault> {
        self.place(section).map(|location| record(bytes, location)).transpose()
    }

    /// Where a section lies; none where the image has it not.
    pub fn place(&self, section: Section) -> Option<Location> {
        Some(self.sections[section as usize]).filter(|location| location.offset != 0)
    }

    /// The records under a name, and those of other names with the same hash.
    pub fn find(&self, bytes: &dyn Bytes, key: Key, name: &str) -> Result<Vec<Location>, Fault> {
        let wanted = hash(key, name);
        let mask = u64::from(self.pages) - 1;
        let mut found = Vec::new();
        for step in 0..u64::from(self.pages).min(CHAIN) {
            let at = self.index.saturating_add((wanted.wrapping_add(step) & mask) * PAGE as u64);
            let page = bytes.read(at, PAGE).ok_or(Fault::Read)?;
            if little(&page[PAGE - 8..]) != checksum(&page[..PAGE - 8]) {
                return Err(Fault::Checksum { part: "index" });
            }
            let count = usize::from(page[240]);
            if count > ENTRIES {
                return Err(Fault::Content { part: "index" });
            }
            for entry in page[..count * 16].chunks_exact(16) {
                if little(&entry[..8]) == wanted {
                    let location = Location { offset: little(&entry[8..12]), length: little(&entry[12..16]) as u32 };
                    found.push(location);
                }
            }
            if page[241] == 0 {
                break;
            }
        }
        Ok(found)
    }

    /// Reads all of it and compares the checksum of the whole, for whoever wants to know that every byte is as written.
    pub fn verify(&self, bytes: &dyn Bytes) -> Result<(), Fault> {
        let length = usize::try_from(bytes.length()).map_err(|_| Fault::Read)?;
        let all = bytes.read(HEADER as u64, length - HEADER).ok_or(Fault::Read)?;
        if checksum(&all) == self.content { Ok(()) } else { Err(Fault::Checksum { part: "content" }) }
    }
}

/// A record's bytes, its checksum compared.
pub fn record(bytes: &dyn Bytes, location: Location) -> Result<Cow<'_, [u8]>, Fault> {
    let length = location.length as usize;
    if location.offset.saturating_add(length as u64 + 8) > bytes.length() {
        return Err(Fault::Content { part: "index" });
    }
    let all = bytes.read(location.offset, length + 8).ok_or(Fault::Read)?;
    if little(&all[length..]) != checksum(&all[..length]) {
        return Err(Fault::Checksum { part: "record" });
    }
    Ok(match all {
        Cow::Borrowed(slice) => Cow::Borrowed(&slice[..length]),
        Cow::Owned(mut copy) => {
            copy.truncate(length);
            Cow::Owned(copy)
        }
    })
}
