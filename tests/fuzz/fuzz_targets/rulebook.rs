//! Any text as a rulebook: no panic, every place in bounds, and a canonical layout that is stable.
#![no_main]

use cc_safety_net::language::{File, Known, format, read};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let file = File { name: "fuzz.rulebook".to_string(), text: text.to_string() };
    let (_, diagnostics) = read(&file, &Known::default());
    for label in diagnostics.iter().flat_map(|diagnostic| &diagnostic.labels) {
        assert!(text.get(label.at.clone()).is_some());
    }
    if let Ok(once) = format(text) {
        assert_eq!(format(&once).as_deref(), Ok(once.as_str()));
    }
});
