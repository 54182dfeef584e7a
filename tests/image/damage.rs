//! Images that are not as they were written are refused, whichever byte it is.

use std::sync::Arc;

use cc_safety_net::image::{Fault, Image, Order, compile, compile_for};
use cc_safety_net::model::effect::Verb;
use cc_safety_net::model::rule::Pattern;
use cc_safety_net::model::settings::Settings;

use crate::support::*;

fn small() -> Vec<u8> {
    let rules = vec![
        rule("t.reset", vec![command("git reset --hard")]),
        rule("t.glob", vec![command("g*t x ... y*z")]),
        rule("t.env", vec![Pattern::Effect(effect_pattern(Verb::Reads, Some("**/.env.* | ~/.ssh/**")))]),
    ];
    compile(&[rulebook(rules)], &Settings::default())
}

fn open(bytes: Vec<u8>) -> Result<Image, Fault> {
    Image::open(Arc::new(bytes))
}

fn answers(image: &Image) -> Result<String, Fault> {
    let call = call(
        vec![run(reading("git reset --hard")), run(reading("git x yyz")), run(reading("got x % yyz"))],
        vec![effect(Verb::Reads, ".env.local"), effect(Verb::Reads, "/home/me/.ssh/x")],
    );
    let files = Files::default();
    let found = image.matches(&call, &context(&files))?;
    Ok(format!("{found:?} {:?} {:?} {:?}", image.settings()?, image.rule_ids()?, image.rule("t.env")?))
}

#[test]
fn every_flipped_byte_is_seen() {
    let whole = small();
    let sound = open(whole.clone()).expect("a sound image");
    sound.verify().expect("a sound image");
    let expected = answers(&sound).expect("a sound image");
    for at in 0..whole.len() {
        for flip in [0x01, 0x80, 0xFF] {
            let mut bytes = whole.clone();
            bytes[at] ^= flip;
            let Ok(image) = open(bytes) else { continue };
            assert!(image.verify().is_err(), "byte {at} changed by {flip:#x}");
            if let Ok(changed) = answers(&image) {
                assert_eq!(changed, expected, "byte {at} changed by {flip:#x} unseen");
            }
        }
    }
}

#[test]
fn every_truncation_is_refused() {
    let whole = small();
    for length in 0..whole.len() {
        assert!(open(whole[..length].to_vec()).is_err(), "{length} bytes");
    }
    assert!(matches!(open(whole[..100].to_vec()), Err(Fault::Length { found: 100, .. })));
    let mut longer = whole.clone();
    longer.push(0);
    assert!(matches!(open(longer), Err(Fault::Length { .. })));
}

#[test]
fn other_machines_formats_and_engines_are_told_apart() {
    let whole = small();
    let changed = |at: usize, with: &[u8]| {
        let mut bytes = whole.clone();
        bytes[at..at + with.len()].copy_from_slice(with);
        open(bytes).expect_err("a changed image")
    };
    let mark: Vec<u8> = whole[8..12].iter().rev().copied().collect();
    assert_eq!(changed(0, b"ELF"), Fault::Magic);
    assert_eq!(changed(8, &mark), Fault::ByteOrder);
    assert_eq!(changed(12, &0_u32.to_le_bytes()), Fault::Format { found: 0 });
    assert_eq!(changed(12, &9_u32.to_le_bytes()), Fault::Format { found: 9 });
    assert_eq!(changed(16, &7_u64.to_le_bytes()), Fault::Engine);
    assert_eq!(changed(30, &[whole[30] ^ 1]), Fault::Checksum { part: "header" });
    let foreign = if Order::NATIVE == Order::Little { Order::Big } else { Order::Little };
    let other = compile_for(&[rulebook(Vec::new())], &Settings::default(), cc_safety_net::image::Effort::Full, foreign);
    assert_eq!(open(other).expect_err("a foreign image"), Fault::ByteOrder);
}

#[test]
fn the_digest_is_of_the_content_alone() {
    let digest = |rules: Vec<_>, order: Order| {
        let bytes = compile_for(&[rulebook(rules)], &Settings::default(), cc_safety_net::image::Effort::Full, order);
        bytes[24..56].to_vec()
    };
    let one = || vec![rule("t.r", vec![command("git reset")])];
    assert_eq!(digest(one(), Order::Little), digest(one(), Order::Big));
    assert_ne!(digest(one(), Order::Little), digest(Vec::new(), Order::Little));
}
