//! Scripts of file transfer programs: a command on each line, its words apart by blanks, `!` before what the shell runs.

use super::super::origin::Script;
use super::super::{Given, Host, LibraryCall, State};
use crate::model::{Span, Word};

/// Reads a script: each line is the call of its first word with the others, options left out.
pub(super) fn walk(script: &Script, state: &mut State, host: &mut dyn Host) {
    let mut start = 0;
    for line in script.text.split_inclusive(['\n', ';']) {
        if !host.step(1 + line.len() as u64 / 16) {
            break;
        }
        let end = start + line.trim_end_matches(['\n', ';']).len();
        let from = start + line.len() - line.trim_start().len();
        start += line.len();
        match script.text.get(from..end.max(from)).unwrap_or("") {
            text if text.is_empty() || text.starts_with('#') => {}
            text if text.starts_with('!') => {
                let span = script.span(from + 1, end);
                call("shell".to_string(), vec![Word::known_text(&text[1..], span)], script.span(from, end), state, host);
            }
            text => {
                let mut words = words(text);
                let (name, ..) = words.remove(0);
                // With these flags it is another call: of all that is below, the other way round.
                let flag = |letter| words.iter().any(|(word, ..)| flagged(word, letter));
                let name = match (flag('R'), flag('r')) {
                    (true, _) => format!("{name}.R"),
                    (false, true) => format!("{name}.r"),
                    (false, false) => name,
                };
                let operands = words.into_iter().filter(|(word, ..)| !word.starts_with('-'));
                let home = host.world().homes().into_iter().next();
                let operands =
                    operands.map(|(word, at, to)| Word::known_text(at_home(word, &home), script.span(from + at, from + to)));
                call(name, operands.collect(), script.span(from, end), state, host);
            }
        }
    }
}

/// A path with its tilde replaced.
fn at_home(word: String, home: &Option<String>) -> String {
    match (home, word.strip_prefix('~')) {
        (Some(home), Some(rest)) if rest.is_empty() || rest.starts_with('/') => format!("{home}{rest}"),
        _ => word,
    }
}

/// Whether a word is a cluster of flags with this one in it; `--reverse` is `R`.
fn flagged(word: &str, letter: char) -> bool {
    match word.strip_prefix('-') {
        Some("-reverse") => letter == 'R',
        Some(flags) => !flags.starts_with('-') && flags.contains(letter),
        None => false,
    }
}

/// The words of a line without their quotes, and where each stands; at least one.
fn words(line: &str) -> Vec<(String, usize, usize)> {
    let mut all: Vec<(String, usize, usize)> = Vec::new();
    let (mut quote, mut escaped, mut within) = (None, false, false);
    for (at, c) in line.char_indices() {
        let blank = quote.is_none() && !escaped && c.is_whitespace();
        if blank {
            within = false;
            continue;
        }
        if !within {
            all.push((String::new(), at, at));
            within = true;
        }
        let Some((word, _, end)) = all.last_mut() else { continue };
        *end = at + c.len_utf8();
        match c {
            _ if escaped => {
                escaped = false;
                word.push(c);
            }
            '\\' => escaped = true,
            c if quote == Some(c) => quote = None,
            '\'' | '"' if quote.is_none() => quote = Some(c),
            c => word.push(c),
        }
    }
    if all.is_empty() {
        all.push((String::new(), 0, 0));
    }
    all
}

fn call(name: String, operands: Vec<Word>, span: Span, state: &mut State, host: &mut dyn Host) {
    let positional = operands.into_iter().map(Given::Text).collect();
    host.call(LibraryCall { language: "transfers".to_string(), name, positional, named: Vec::new(), span }, state);
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn words_lose_their_quotes() {
        let of = |line: &str| words(line).into_iter().map(|(word, ..)| word).collect::<Vec<_>>();
        assert_eq!(of("put  .env 'a b' c\\ d"), ["put", ".env", "a b", "c d"]);
        assert_eq!(words(" put \"x").last().map(|(word, at, to)| (word.as_str(), *at, *to)), Some(("x", 5, 7)));
    }
}
