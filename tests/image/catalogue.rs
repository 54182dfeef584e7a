//! The product's own rulebooks as an image.

use std::path::Path;
use std::sync::Arc;

use cc_safety_net::image::{Effort, Image, Order, compile, compile_for};
use cc_safety_net::language::{File, Known, Rulebook, check_layer};
use cc_safety_net::model::effect::Verb;
use cc_safety_net::model::settings::Settings;

use crate::support::*;

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
            assert!(image.commands(name).expect("sound").iter().any(|found| **found == *command), "{name}");
        }
    }
    for language in books.iter().flat_map(|book| &book.languages) {
        assert!(image.languages(&language.name).expect("sound").iter().any(|found| **found == *language));
    }
}

#[test]
#[ignore = "prints times"]
fn times() {
    let books = rulebooks();
    for effort in [Effort::Quick, Effort::Full] {
        let start = std::time::Instant::now();
        let bytes = compile_for(&books, &Settings::default(), effort, Order::NATIVE);
        println!("catalogue {effort:?}: {} bytes, {:?}", bytes.len(), start.elapsed());
    }
    let bytes = compile_for(&books, &Settings::default(), Effort::Full, Order::NATIVE);
    let image = Image::open(Arc::new(bytes)).expect("a sound image");
    let files = Files::new(&["/home/me/project/src/main.rs"]);
    let cases = [
        ("git status", call(vec![run(reading("git status"))], vec![])),
        ("git reset --hard", call(vec![run(reading("git reset --hard"))], vec![])),
        ("ls", call(vec![run(reading("ls -l"))], vec![effect(Verb::Lists, ".")])),
        ("cat x", call(vec![run(reading("cat x"))], vec![effect(Verb::Reads, "src/main.rs")])),
        ("cat %", call(vec![run(reading("cat %"))], vec![effect(Verb::Reads, "%")])),
        ("cat %/x", call(vec![run(reading("cat %"))], vec![effect(Verb::Reads, "%/x")])),
        ("rm x", call(vec![run(reading("rm x"))], vec![effect(Verb::Deletes, "x")])),
        ("git %...", call(vec![run(reading("git %..."))], vec![])),
    ];
    for (name, call) in cases {
        let start = std::time::Instant::now();
        let mut found = 0;
        for _ in 0..200 {
            found += image.matches(&call, &context(&files)).expect("sound").len();
        }
        println!("{name}: {:?}, {} matches", start.elapsed() / 200, found / 200);
    }
    for (name, line) in
        [("distinct programs", "program{n} verb{n} --flag{n} ... x{n}*"), ("one program", "p v --flag{n} ... x{n}*y{n}")]
    {
        let rules: Vec<_> =
            (0..3_000).map(|n| rule(&format!("t.r{n}"), vec![command(&line.replace("{n}", &n.to_string()))])).collect();
        let start = std::time::Instant::now();
        let bytes = compile(&[rulebook(rules)], &Settings::default());
        println!("3,000 rules on {name}: {} bytes, {:?}", bytes.len(), start.elapsed());
        let image = Image::open(Arc::new(bytes)).expect("a sound image");
        let call = call(vec![run(reading("p v --flag7 x7zy7"))], vec![]);
        let start = std::time::Instant::now();
        let found = image.matches(&call, &context(&files)).expect("sound").len();
        println!("one call: {:?}, {found} matches", start.elapsed());
    }
}
