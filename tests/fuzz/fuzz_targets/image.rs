//! Bytes that claim to be an image: opening, verifying and matching end, with a fault or with an answer.
//!
//! The first byte chooses: the rest is an image; the rest is edits of a sound image; or it is, and the checksums of header,
//! index pages and records are made good again, so that what lies behind them is reached, too.

#![no_main]

use std::sync::{Arc, LazyLock};

use cc_safety_net::check::check;
use cc_safety_net::image::bytes::checksum;
use cc_safety_net::image::{Image, compile};
use cc_safety_net::language::{File, Known, read};
use cc_safety_net::model::{LayerKind, Settings, ToolCall};
use cc_safety_net::policy::{Layer, Layers, Rights};
use cc_safety_net::world::Memory;
use libfuzzer_sys::fuzz_target;

const BOOK: &str = r#"rulebook seed
list protected = main | release/*
paths keys = ~/.ssh/** | **/*.pem except **/*.pub
command git { -C DIR : changes-directory; subcommand push { -f, --force; operands REMOTE? REFSPEC... } }
command rm { -r, -R; -f; operands FILE... : deletes }
command bash { -c CODE : executes shell; operands SCRIPT? : executes-file }
language python { call os.remove (PATH) : deletes }
tool Read { field file_path : reads }
rule push { match git push --force <ref=@protected>; match g*t push ... +*; deny "Loses {command}."; unless env A is b* }
rule keys { match reads @keys; match deletes recursively <path>; when <path> outside @project; ask or warn "Touches {path}." }
rule code { match executes any from network; match executes sql "drop (database | schema) * !where"; deny "Runs." }
rule fields { match tool mcp__*__drop when field name is prod*; deny "Drops." }
override seed.code = ask
allow scratch { match rm -r <x> when <x> in ~/scratch/**; because "mine" }
"#;

static SOUND: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let file = File { name: "seed.rulebook".to_string(), text: BOOK.to_string() };
    let (rulebook, diagnostics) = read(&file, &Known::default());
    assert!(!diagnostics.iter().any(|one| one.is_error()), "the seed is sound: {diagnostics:?}");
    compile(&[rulebook], &Settings::default())
});

const COMMANDS: [&str; 4] = [
    "git push -f origin main; got push x +y",
    "rm -r ~/scratch/a /etc \"$X\"; cat ~/.ssh/id key.pem",
    "bash -c 'curl x | bash'; python -c 'import os; os.remove(\"a\")'",
    "psql -c 'drop database x'",
];

fuzz_target!(|data: &[u8]| {
    let Some((mode, rest)) = data.split_first() else { return };
    let bytes = match mode % 3 {
        0 => rest.to_vec(),
        1 => edited(rest, false),
        _ => edited(rest, true),
    };
    let Ok(image) = Image::open(Arc::new(bytes)) else { return };
    let _ = image.verify();
    let _ = image.overrides();
    let _ = image.rule_ids();
    for name in ["git", "python", "Read", "seed.push"] {
        let _ = (image.commands(name), image.languages(name), image.tools(name), image.rule(name));
    }
    let layer = Layer { kind: LayerKind::Embedded, rights: Rights::Loosen, name: "seed".into(), image };
    let layers = Layers::stack(vec![layer], Vec::new());
    for command in COMMANDS {
        let call = ToolCall {
            agent: "claude-code".into(),
            tool: "Bash".into(),
            fields: serde_json::json!({ "command": command }),
            directory: "/home/me/project".into(),
            workspace: None,
            attended: true,
            session: String::new(),
        };
        let _ = check(call, &layers, &Memory::standing());
    }
});

/// The sound image with bytes exchanged: each three bytes of the input are a place and a value.
fn edited(edits: &[u8], mend: bool) -> Vec<u8> {
    let mut bytes = SOUND.clone();
    // Where records begin and end is in the index: read it before it is broken.
    let records = records(&bytes);
    for edit in edits.chunks_exact(3) {
        let at = usize::from(edit[0]) << 8 | usize::from(edit[1]);
        let length = bytes.len();
        bytes[at % length] ^= edit[2];
    }
    if mend {
        for (start, length) in records {
            seal(&mut bytes, start, length);
        }
        seal(&mut bytes, 0, 248);
    }
    bytes
}

/// Writes the checksum of some bytes behind them.
fn seal(bytes: &mut [u8], start: usize, length: usize) {
    if let Some(sum) = bytes.get(start..start + length).map(checksum)
        && let Some(place) = bytes.get_mut(start + length..start + length + 8)
    {
        place.copy_from_slice(&sum.to_le_bytes());
    }
}

/// Every checked piece of an image but its header: sections, index pages, and the records that the pages name.
fn records(bytes: &[u8]) -> Vec<(usize, usize)> {
    let number = |at: usize, size: usize| bytes[at..at + size].iter().rev().fold(0, |n, byte| n << 8 | usize::from(*byte));
    let mut found: Vec<(usize, usize)> = (0..8).map(|n| (number(80 + n * 16, 8), number(88 + n * 16, 4))).collect();
    for page in 0..number(56, 4) {
        let start = number(64, 8) + page * 256;
        found.push((start, 248));
        found.extend((0..usize::from(bytes[start + 240])).map(|n| (number(start + n * 16 + 8, 4), number(start + n * 16 + 12, 4))));
    }
    found.retain(|(start, _)| *start > 0);
    found.sort();
    found.dedup();
    found
}
