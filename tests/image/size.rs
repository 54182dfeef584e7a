//! What a call reads of an image does not grow with the rules that it does not touch.

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use cc_safety_net::image::{Bytes, Image, compile};
use cc_safety_net::model::settings::Settings;

use crate::support::*;

struct Counted {
    bytes: Vec<u8>,
    read: AtomicUsize,
}

impl Bytes for Counted {
    fn length(&self) -> u64 {
        self.bytes.length()
    }
    fn read(&self, offset: u64, length: usize) -> Option<Cow<'_, [u8]>> {
        self.read.fetch_add(length, Ordering::Relaxed);
        self.bytes.read(offset, length)
    }
}

/// Bytes read for a call with so many rules on other programs, and the bytes that there are.
fn read(rules: usize, line: &str) -> (usize, usize) {
    let rules = (0..rules).map(|n| rule(&format!("t.r{n}"), vec![command(&format!("program{n} verb{n} --flag{n} ... x*"))]));
    let bytes = compile(&[rulebook(rules.collect())], &Settings::default());
    let size = bytes.len();
    let counted = Arc::new(Counted { bytes, read: AtomicUsize::new(0) });
    let image = Image::open(counted.clone()).expect("a sound image");
    let files = Files::default();
    image.matches(&call(vec![run(reading(line))], Vec::new()), &context(&files)).expect("a sound image");
    (counted.read.load(Ordering::Relaxed), size)
}

#[test]
fn an_untouched_image_is_hardly_read() {
    for rules in [0, 10, 1_000, 10_000] {
        let (read, size) = read(rules, "git status");
        assert!(read <= 768, "{read} bytes of {size} read with {rules} rules");
    }
}

#[test]
fn a_touched_rule_costs_its_own_shard() {
    let (few, _) = read(10, "program7 verb7 --flag7 a xx");
    let (many, _) = read(10_000, "program7 verb7 --flag7 a xx");
    assert!(many <= few + 512, "{few} bytes with 10 rules, {many} with 10,000");
}
