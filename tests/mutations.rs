//! Damaged text ends: bytes of the examples of `rules/` are cut, doubled, exchanged, and every front end reads what comes of it,
//! without a panic, within its steps, and with places that lie in the text.
//!
//! `MUTATIONS=100000` raises the number, `SEED=7` changes the texts.

#![cfg(feature = "machine")]

#[path = "support/dice.rs"]
mod dice;
#[path = "support/recorder.rs"]
mod recorder;

use cc_safety_net::language::ExampleInput;
use cc_safety_net::layers;
use cc_safety_net::shell::Dialect;
use dice::Dice;

const LANGUAGES: [&str; 8] = ["python", "javascript", "perl", "ruby", "php", "lua", "awk", "sed"];

/// What means something to some front end.
const MARKS: [&str; 40] = [
    "'", "\"", "`", "$(", ")", "${", "}", "((", "\\", "\n", ";", "|", "&", "<<E\n", "é", "{", ",", "[[", "<(", "$'", "*", "\0",
    "@'\n", "'@", "%", "^", "#{", "f\"", "\"\"\"", "//", "/*", "=>", "->", "::", "[", "]", "\u{feff}", "𝒳", "!", "~",
];

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// The commands of all examples, as they stand.
fn commands() -> Vec<String> {
    let examples = layers::catalogue_rulebooks().into_iter().flat_map(|rulebook| rulebook.examples);
    let command = |input| match input {
        ExampleInput::Command(command) => Some(command),
        ExampleInput::Tool { .. } => None,
    };
    examples.filter_map(|example| command(example.input)).collect()
}

fn damaged(text: &str, other: &str, dice: &mut Dice) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..1 + dice.roll(5) {
        let at = dice.roll(bytes.len() + 1);
        let end = (at + dice.roll(12)).min(bytes.len());
        match dice.roll(6) {
            0 => bytes.truncate(at),
            1 => drop(bytes.drain(at..end)),
            2 => {
                let copy = bytes[at..end].repeat(1 + dice.roll(40));
                bytes.splice(at..at, copy);
            }
            3 => {
                let from = dice.roll(other.len() + 1);
                bytes.splice(at..end, other.as_bytes()[from..].iter().copied());
            }
            4 if at < bytes.len() => bytes[at] = dice.roll(256) as u8,
            _ => drop(bytes.splice(at..at, MARKS[dice.roll(MARKS.len())].bytes())),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[test]
fn every_front_end_reads_damaged_text() {
    let commands = commands();
    let mut dice = Dice(number("SEED", 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    for turn in 0..number("MUTATIONS", 600) {
        let text = &commands[dice.roll(commands.len())];
        let other = &commands[dice.roll(commands.len())];
        let text = damaged(text, other, &mut dice);
        match turn as usize % (4 + LANGUAGES.len()) {
            0 | 1 => recorder::read(&text, Dialect::Posix),
            2 => recorder::read(&text, Dialect::PowerShell),
            3 => recorder::read(&text, Dialect::Cmd),
            language => recorder::calls(LANGUAGES[language - 4], &text),
        };
    }
}
