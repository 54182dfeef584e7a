//! Bytes that claim to be an image: opening, reading and matching end, with a fault or with an answer.
//!
//! The first byte says whether the checksums are made good, so that the records behind them are reached, too.

#![no_main]

use std::sync::Arc;

use cc_safety_net::image::Image;
use cc_safety_net::image::bytes::checksum;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some((mode, rest)) = data.split_first() else { return };
    let mut bytes = rest.to_vec();
    if mode % 2 == 1 && bytes.len() >= 256 {
        let sum = checksum(&bytes[..248]);
        bytes[248..256].copy_from_slice(&sum.to_le_bytes());
    }
    let Ok(image) = Image::open(Arc::new(bytes)) else { return };
    let _ = image.verify();
    let _ = image.settings();
    let _ = image.overrides();
    let _ = image.rule_ids();
    for name in ["git", "rm", "bash", "python"] {
        let _ = (image.commands(name), image.languages(name), image.tools(name), image.rule(name));
    }
    let _ = cc_safety_net::image::may_skip(&[&image], "Bash", "git status", &cc_safety_net::world::Memory::standing());
});
