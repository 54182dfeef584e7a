//! How a call was read: what runs, by which way, in which directory, with which words, and what it does.

use super::plain::clip;
use super::shown::Texts;
use super::words;
use crate::model::{Call, Directory};

/// The longest line.
const LINE: usize = 400;

/// How many invocations and how many effects are told.
const MANY: usize = 60;

/// The trace, line by line; lines that belong to the one above are indented.
pub fn trace(call: &Call, texts: &Texts) -> Vec<String> {
    let mut lines = Vec::new();
    let mut say = |depth: usize, text: String| lines.push(format!("{}{}", "  ".repeat(depth), clip(&texts.line(&text), LINE)));
    for (number, run) in call.runs.iter().take(MANY).enumerate() {
        let invocation = &run.invocation;
        let mut head = format!("{}. {}", number + 1, words::invocation(invocation));
        if invocation.directory != Directory::Known(call.tool.directory.clone()) {
            head.push_str(&format!("   in {}", words::directory(&invocation.directory)));
        }
        head.push_str(words::place(invocation.place));
        say(0, head);
        if !invocation.chain.is_empty() {
            say(1, format!("run by {}", words::chain(&invocation.chain)));
        }
        if let Some(stdin) = words::stdin(&invocation.stdin) {
            say(1, stdin);
        }
        let mut readings: Vec<String> = run.readings.iter().map(words::reading).collect();
        readings.dedup();
        for reading in readings {
            say(1, format!("read as {reading}"));
        }
        for effect in call.effects.iter().filter(|effect| effect.invocation == Some(number)).take(MANY) {
            say(1, words::effect(effect));
        }
    }
    for effect in call.effects.iter().filter(|effect| effect.invocation.is_none()).take(MANY) {
        say(0, words::effect(effect));
    }
    if call.runs.len() > MANY {
        say(0, format!("… and {} more", call.runs.len() - MANY));
    }
    for note in &call.notes {
        say(0, note.text.clone());
    }
    for span in &call.unparsed {
        say(0, format!("could not be parsed: {}", texts.excerpt(*span).unwrap_or_default()));
    }
    for limit in &call.limits {
        say(0, format!("the budget of {} {} was exhausted", limit.size, limit.name));
    }
    lines
}
