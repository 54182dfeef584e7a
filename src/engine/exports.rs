//! What the host calls: room for its bytes, and an answer to the question that it wrote there.
//!
//! The host writes a question into [`room`] and calls [`answer`] with its length; meanwhile it is asked for facts by the same
//! means. What `answer` returns is the length of the answer, which stands where [`answered`] says.

#![allow(unsafe_code)] // the names of the exported functions

use crate::world::disk::host;

/// Where the host writes so many bytes.
#[unsafe(no_mangle)]
pub extern "C" fn room(length: usize) -> *mut u8 {
    host::room(length)
}

/// Answers the question in the room; the answer's length.
#[unsafe(no_mangle)]
pub extern "C" fn answer(length: usize) -> usize {
    let question = host::take(length);
    let answer = super::answer(&String::from_utf8_lossy(&question));
    host::put(answer.into_bytes())
}

/// Where the answer stands.
#[unsafe(no_mangle)]
pub extern "C" fn answered() -> *const u8 {
    host::place()
}
