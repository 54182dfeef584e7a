//! The product's own rulebooks as an image.

use std::path::Path;
use std::sync::Arc;

use cc_safety_net::image::{Effort, Image, Order, compile_for};
use cc_safety_net::language::{File, Known, Rulebook, check_layer};
use cc_safety_net::model::declaration::{Command, Subcommands};
use cc_safety_net::model::settings::Settings;

fn files(folder: &Path, found: &mut Vec<File>) {
    let mut entries: Vec<_> = std::fs::read_dir(folder).expect("rules").map(|entry| entry.expect("an entry").path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rulebook") {
            let text = std::fs::read_to_string(&path).expect("a rulebook");
            found.push(File { name: path.display().to_string(), text });
        }
    }
}

pub fn rulebooks() -> Vec<Rulebook> {
    let mut found = Vec::new();
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("rules"), &mut found);
    check_layer(&found, &Known::default()).rulebooks
}

/// Whether a stored command, whose subcommands are read one by one, is the declared one.
fn same(stored: &Command, declared: &Command) -> bool {
    let alone = |command: &Command| Command { subcommands: Subcommands::default(), ..command.clone() };
    let found = |name: &String| match (stored.subcommands.find(name), declared.subcommands.find(name)) {
        (Some(stored), Some(declared)) => same(stored, declared),
        _ => false,
    };
    let names = declared.subcommands.here().iter().flat_map(|sub| &sub.names);
    alone(stored) == alone(declared) && names.into_iter().all(found)
}

#[test]
fn every_rule_and_declaration_comes_back_as_it_was() {
    let books = rulebooks();
    let bytes = compile_for(&books, &Settings::default(), Effort::Full, Order::NATIVE);
    let image = Image::open(Arc::new(bytes)).expect("a sound image");
    image.verify().expect("a sound image");
    for rule in books.iter().flat_map(|book| &book.rules) {
        let header = image.rule(&rule.id).expect("sound").expect("the rule");
        assert_eq!((&header.id, header.decision, &header.reason), (&rule.id, rule.decision, &rule.reason));
        for also in &rule.also {
            assert!(image.rules_also(&also.id).expect("sound").iter().any(|header| header.id == rule.id), "{}", also.id);
        }
    }
    for command in books.iter().flat_map(|book| &book.commands) {
        for name in &command.names {
            assert!(image.commands(name).expect("sound").iter().any(|found| same(found, command)), "{name}");
        }
    }
    for language in books.iter().flat_map(|book| &book.languages) {
        assert!(image.languages(&language.name).expect("sound").iter().any(|found| **found == *language));
    }
}
