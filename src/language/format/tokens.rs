//! An item's tree → its words, comments, line breaks and blocks in the order of the text.

use pest::Parser;
use pest::iterators::Pair;

use crate::language::grammar::{Grammar, Rule};

/// A part of a line.
#[derive(Debug)]
pub enum Part<'t> {
    /// A word, or a sign, and how it keeps to its neighbours.
    Token(&'t str, Side),
    /// A line break where it means nothing: inside parentheses, before a line that continues.
    Break,
    /// From `#` to the line's end.
    Comment(&'t str),
    /// Clauses between braces.
    Block(Block<'t>),
}

/// How a token keeps to its neighbours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Blanks on both sides.
    Apart,
    /// No blank before it: `,`, `)`, and `:` of a field.
    Before,
    /// No blank after it: `(`, `[`.
    After,
}

/// Clauses between braces.
#[derive(Debug)]
pub struct Block<'t> {
    /// Clauses, comments and empty lines.
    pub entries: Vec<Entry<'t>>,
    /// Whether it was written on one line.
    pub one_line: bool,
    /// Whether it is a block of examples, whose decisions are aligned.
    pub examples: bool,
}

/// A line of a block, or a part of one.
#[derive(Debug)]
pub enum Entry<'t> {
    /// A clause.
    Clause {
        /// Its parts.
        parts: Vec<Part<'t>>,
        /// Whether it may share a line with the option before it.
        option: bool,
        /// Whether a line break stood before it.
        fresh: bool,
    },
    /// A comment, behind a clause or on a line of its own.
    Comment {
        /// From `#` on.
        text: &'t str,
        /// Behind a clause.
        behind: bool,
    },
    /// An empty line, or several.
    Empty,
}

/// The parts of an item.
pub fn of<'t>(item: Pair<'t, Rule>, text: &'t str) -> Vec<Part<'t>> {
    let mut parts = Vec::new();
    flatten(item, text, &mut parts);
    parts
}

/// Nodes that are one token, whatever is inside.
fn is_token(node: Rule) -> bool {
    matches!(node, Rule::absent | Rule::capture | Rule::code | Rule::string | Rule::word | Rule::reference | Rule::member)
}

fn is_block(node: Rule) -> bool {
    matches!(node, Rule::command_body | Rule::language_body | Rule::tool_body | Rule::rule_body | Rule::examples_body)
}

/// A node's parts. Depth is bounded by the splitter's limit on nesting.
fn flatten<'t>(pair: Pair<'t, Rule>, text: &'t str, parts: &mut Vec<Part<'t>>) {
    let (start, end) = (pair.as_span().start(), pair.as_span().end());
    let node = pair.as_rule();
    if node == Rule::examples_text {
        let slice = &text[start..end];
        let body = Grammar::parse(Rule::examples_alone, slice).ok().and_then(|pairs| pairs.flat_map(Pair::into_inner).next());
        match body {
            Some(body) => block(body, slice, parts),
            None => parts.push(Part::Token(slice, Side::Apart)),
        }
        return;
    }
    if is_block(node) {
        block(pair, text, parts);
        return;
    }
    let mut inner = pair.into_inner().filter(|pair| pair.as_rule() != Rule::EOI).peekable();
    if is_token(node) || inner.peek().is_none() {
        let token = text[start..end].trim_end();
        if !token.is_empty() {
            parts.push(Part::Token(token, if node == Rule::close { Side::Before } else { Side::Apart }));
        }
        return;
    }
    let mut position = start;
    for child in inner {
        let (child_start, child_end) = (child.as_span().start(), child.as_span().end());
        between(&text[position..child_start], node, parts);
        flatten(child, text, parts);
        position = child_end;
    }
    between(&text[position..end], node, parts);
}

/// Signs, comments and line breaks between the children of a node.
fn between<'t>(gap: &'t str, node: Rule, parts: &mut Vec<Part<'t>>) {
    let mut rest = gap;
    while let Some(c) = rest.chars().next() {
        let (sign, tail) = rest.split_at(c.len_utf8());
        rest = tail;
        let side = match c {
            ' ' | '\t' | '\r' | ';' => continue,
            '\n' => {
                if !matches!(parts.last(), Some(Part::Break) | None) {
                    parts.push(Part::Break);
                }
                continue;
            }
            '#' => {
                let length = rest.find('\n').unwrap_or(rest.len());
                let start = gap.len() - rest.len() - 1;
                parts.push(Part::Comment(gap[start..start + 1 + length].trim_end()));
                rest = &rest[length..];
                continue;
            }
            ',' | ')' | ']' => Side::Before,
            '(' | '[' => Side::After,
            ':' if node == Rule::json_pair => Side::Before,
            _ => Side::Apart,
        };
        parts.push(Part::Token(sign, side));
    }
}

fn block<'t>(pair: Pair<'t, Rule>, text: &'t str, parts: &mut Vec<Part<'t>>) {
    let (start, end) = (pair.as_span().start(), pair.as_span().end());
    let examples = pair.as_rule() == Rule::examples_body;
    let mut block = Block { entries: Vec::new(), one_line: !text[start..end].contains('\n'), examples };
    let mut position = start + 1;
    for child in pair.into_inner() {
        if child.as_rule() == Rule::missing_separator {
            continue;
        }
        let fresh = entries(&text[position..child.as_span().start()], &mut block.entries);
        let option = matches!(child.as_rule(), Rule::option | Rule::key_option);
        position = child.as_span().end();
        let mut clause = Vec::new();
        flatten(child, text, &mut clause);
        // What a clause ends with belongs to the gap behind it.
        let mut behind = Vec::new();
        while matches!(clause.last(), Some(Part::Break | Part::Comment(_))) {
            behind.extend(clause.pop());
        }
        block.entries.push(Entry::Clause { parts: clause, option, fresh });
        let mut first = true;
        for part in behind.into_iter().rev() {
            if let Part::Comment(text) = part {
                block.entries.push(Entry::Comment { text, behind: first });
            }
            first = false;
        }
    }
    entries(text[position..end].strip_suffix('}').unwrap_or(""), &mut block.entries);
    while matches!(block.entries.last(), Some(Entry::Empty)) {
        block.entries.pop();
    }
    parts.push(Part::Block(block));
}

/// Comments and empty lines of a gap between clauses; whether a line break is in it.
fn entries<'t>(gap: &'t str, into: &mut Vec<Entry<'t>>) -> bool {
    let blank = [' ', '\t', '\r', ';'];
    let lines: Vec<&str> = gap.split('\n').collect();
    for (index, line) in lines.iter().enumerate() {
        let line = line.trim_start_matches(blank).trim_end();
        let last = index + 1 == lines.len();
        if !line.is_empty() {
            into.push(Entry::Comment { text: line, behind: index == 0 });
        } else if index > 0 && !last && !matches!(into.last(), Some(Entry::Empty) | None) {
            into.push(Entry::Empty);
        }
    }
    lines.len() > 1
}
