//! The language room from outside: text to checked rulebooks, to diagnostics, to canonical text.

mod cases;
mod hard;
mod mutations;
mod outline;
mod properties;
mod reference;

#[path = "../support/dice.rs"]
mod dice;
#[path = "../support/rulebooks.rs"]
mod rulebooks;

use cc_safety_net::language::{Diagnostic, File, Known, Rulebook, read};

/// Reads a text as the file `name`, with nothing below it.
fn check(name: &str, text: &str) -> (Rulebook, Vec<Diagnostic>) {
    read(&File { name: name.to_string(), text: text.to_string() }, &Known::default())
}

/// Diagnostics as a person sees them, without colour, 100 columns wide.
fn rendered(text: &str, diagnostics: &[Diagnostic]) -> String {
    let handler = miette::GraphicalReportHandler::new_themed(miette::GraphicalTheme::unicode_nocolor()).with_width(100);
    let mut out = String::new();
    for diagnostic in diagnostics {
        let report = diagnostic.over(text);
        if handler.render_report(&mut out, &report).is_err() {
            out.push_str("not renderable\n");
        }
        out.push('\n');
    }
    out
}
