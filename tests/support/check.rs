//! `cargo run --example check -- FILES…`: checks the files as one layer, with nothing below it, and prints what is wrong.

use std::process::ExitCode;

use cc_safety_net::language::{File, Known, check_layer};

fn main() -> ExitCode {
    let mut files = Vec::new();
    for name in std::env::args().skip(1) {
        match std::fs::read_to_string(&name) {
            Ok(text) => files.push(File { name, text }),
            Err(error) => {
                eprintln!("{name}: {error}");
                return ExitCode::from(2);
            }
        }
    }
    let checked = check_layer(&files, &Known::default());
    for diagnostic in &checked.diagnostics {
        let text = files.iter().find(|file| file.name == diagnostic.file).map_or("", |file| &file.text);
        eprintln!("{:?}", miette::Report::new(diagnostic.over(text)));
    }
    for rulebook in &checked.rulebooks {
        println!(
            "{}: {} commands, {} rules, {} examples, {} lists, {} paths",
            rulebook.file,
            rulebook.commands.len(),
            rulebook.rules.len(),
            rulebook.examples.len(),
            rulebook.lists.len(),
            rulebook.paths.len()
        );
    }
    ExitCode::from(u8::from(checked.diagnostics.iter().any(|diagnostic| diagnostic.is_error())))
}
