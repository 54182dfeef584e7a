//! Where an image's bytes come from, and what may be wrong with them.

use std::borrow::Cow;
use std::sync::Arc;

/// Why an image, or a part of it, is refused. A refused image never loosens: its layer reports it and contributes nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// It ends before what it should hold, or after it.
    #[error("the image is {found} bytes long, its header says {expected}")]
    Length {
        /// Bytes there are.
        found: u64,
        /// Bytes there should be.
        expected: u64,
    },
    /// It does not begin as an image does.
    #[error("this is no image")]
    Magic,
    /// It was compiled for the other byte order.
    #[error("the image is for a machine of the other byte order")]
    ByteOrder,
    /// Another version of the format, older or newer.
    #[error("the image has format {found}, this engine reads {}", super::layout::FORMAT)]
    Format {
        /// The version it has.
        found: u32,
    },
    /// Another build of the engine compiled it.
    #[error("the image was compiled by another build of the engine")]
    Engine,
    /// A part is not what was written.
    #[error("the {part} of the image is damaged")]
    Checksum {
        /// Which part.
        part: &'static str,
    },
    /// A part with a good checksum says what cannot be.
    #[error("the {part} of the image makes no sense")]
    Content {
        /// Which part.
        part: &'static str,
    },
    /// The bytes could not be read.
    #[error("the image cannot be read")]
    Read,
    /// Nothing is wrong with the image: the call touches more than one evaluation looks at.
    #[error("the call touches more than {most} paths")]
    Touched {
        /// How many are looked at.
        most: u64,
    },
}

/// A source of bytes read by position. A slice in memory lends what is asked for; a file copies it.
pub trait Bytes: Send + Sync {
    /// How many there are.
    fn length(&self) -> u64;
    /// Exactly `length` bytes from `offset`; none where there are fewer or they cannot be read.
    fn read(&self, offset: u64, length: usize) -> Option<Cow<'_, [u8]>>;
}

impl Bytes for [u8] {
    fn length(&self) -> u64 {
        self.len() as u64
    }
    fn read(&self, offset: u64, length: usize) -> Option<Cow<'_, [u8]>> {
        let start = usize::try_from(offset).ok()?;
        self.get(start..start.checked_add(length)?).map(Cow::Borrowed)
    }
}

impl Bytes for &'static [u8] {
    fn length(&self) -> u64 {
        (**self).length()
    }
    fn read(&self, offset: u64, length: usize) -> Option<Cow<'_, [u8]>> {
        (**self).read(offset, length)
    }
}

impl Bytes for Arc<[u8]> {
    fn length(&self) -> u64 {
        (**self).length()
    }
    fn read(&self, offset: u64, length: usize) -> Option<Cow<'_, [u8]>> {
        (**self).read(offset, length)
    }
}

impl Bytes for Vec<u8> {
    fn length(&self) -> u64 {
        self.as_slice().length()
    }
    fn read(&self, offset: u64, length: usize) -> Option<Cow<'_, [u8]>> {
        self.as_slice().read(offset, length)
    }
}

/// A checksum against damage (not against malice, which file modes and owners keep out). Each step is a bijection of the state
/// for a given input and of the input for a given state, so any change within eight bytes is seen.
pub fn checksum(bytes: &[u8]) -> u64 {
    const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
    let mut state = (bytes.len() as u64).wrapping_mul(FACTOR) ^ 0x5851_F42D_4C95_7F2D;
    let mut chunks = bytes.chunks_exact(8);
    let mut step = |word: u64| {
        state = (state ^ word).wrapping_mul(FACTOR);
        state ^= state >> 29;
    };
    for chunk in &mut chunks {
        step(chunk.try_into().map_or(0, u64::from_le_bytes));
    }
    let rest = chunks.remainder();
    if !rest.is_empty() {
        step(little(rest));
    }
    state
}

/// Up to eight bytes as a number, the first one least.
pub fn little(bytes: &[u8]) -> u64 {
    let mut eight = [0; 8];
    let length = bytes.len().min(8);
    eight[..length].copy_from_slice(&bytes[..length]);
    u64::from_le_bytes(eight)
}
