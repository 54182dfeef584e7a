//! A rulebook's text in its canonical layout.
//!
//! Only what stands between words is changed: blanks, indentation, `;`, empty lines. Words, strings, code and comments stay as
//! they are, so the meaning cannot change. Lines stay broken where the author broke them, but for blocks: one that stood on one
//! line stays there if it fits, any other has one clause on a line (options may share lines).

mod layout;
mod tokens;

use pest::Parser;

use super::diagnostic::{Diagnostic, Faults};
use super::grammar::{Grammar, Rule};
use super::{check, split};

/// The text in its canonical layout. What cannot be parsed is reported instead; names are not looked at.
pub fn format(text: &str) -> Result<String, Vec<Diagnostic>> {
    let mut faults = Faults::new("rulebook", text.len());
    check::parse_file(text, &mut faults);
    if faults.errors() > 0 {
        return Err(faults.found);
    }
    let mut out = String::with_capacity(text.len());
    let mut position = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let mut after_block = false;
    for piece in split::split(text, &mut faults) {
        let slice = &text[piece.at.start..piece.at.end];
        let Some(pair) = Grammar::parse(Rule::item, slice).ok().and_then(|mut pairs| pairs.next()) else { continue };
        let item = layout::item(&tokens::of(pair, slice));
        let is_block = item.contains('\n');
        gap(&text[position..piece.at.start], after_block || is_block, &mut out);
        out.push_str(&item);
        out.push('\n');
        position = piece.at.end;
        after_block = is_block;
    }
    gap(&text[position..], false, &mut out);
    if out.ends_with("\n\n") {
        out.pop();
    }
    Ok(out)
}

/// What stands between two items: a comment behind the first, comments on lines of their own, empty lines, of which one stays.
/// Where the items stand `apart`, there is one.
fn gap(between: &str, apart: bool, out: &mut String) {
    let blank = [' ', '\t', '\r', ';'];
    let mut lines = between.split('\n');
    let behind = lines.next().unwrap_or("").trim_start_matches(blank).trim_end();
    if !behind.is_empty() {
        if out.pop().is_some() {
            out.push_str("  ");
        }
        out.push_str(behind);
        out.push('\n');
    }
    let lines: Vec<&str> = lines.map(|line| line.trim_start_matches(blank).trim_end()).collect();
    // The next item begins on the last line.
    let Some((_, lines)) = lines.split_last() else { return };
    let mut empty = apart;
    for line in lines {
        if line.is_empty() {
            empty = true;
            continue;
        }
        if empty && !out.is_empty() {
            out.push('\n');
        }
        empty = false;
        out.push_str(line);
        out.push('\n');
    }
    if empty && !out.is_empty() {
        out.push('\n');
    }
}
