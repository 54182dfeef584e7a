//! Any text as a script of each shell and as code of each embedded language: evaluation ends within its steps, without a panic,
//! and every place that it names lies in the text.
//!
//! The first byte says which front end.

#![no_main]

#[path = "../../support/recorder.rs"]
mod recorder;

use cc_safety_net::shell::Dialect;
use libfuzzer_sys::fuzz_target;

const LANGUAGES: [&str; 8] = ["python", "javascript", "perl", "ruby", "php", "lua", "awk", "sed"];

fuzz_target!(|data: &[u8]| {
    let Some((kind, rest)) = data.split_first() else { return };
    let Ok(text) = std::str::from_utf8(rest) else { return };
    match kind % 12 {
        0..=1 => recorder::read(text, Dialect::Posix),
        2 => recorder::read(text, Dialect::PowerShell),
        3 => recorder::read(text, Dialect::Cmd),
        other => recorder::calls(LANGUAGES[usize::from(other) - 4], text),
    };
});
