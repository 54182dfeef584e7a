//! Brace expansion: `{a,b}`, `{1..9..2}`, nested, before everything else.
//!
//! A word's parts are taken as atoms: characters of literal text, and parts that braces cannot look into (quotes,
//! expansions). What comes out are the parts of several words.

use super::super::source::{Range, Source};
use super::super::tree::Part;

/// A part of a word that came out of braces.
#[derive(Debug, Clone)]
pub(in super::super) enum Atom<'p> {
    /// Literal text.
    Text(Range),
    /// Text that stands nowhere: an element of a range; the range is where its braces stand.
    Made(String, Range),
    /// Any other part.
    Part(&'p Part),
}

enum Node<'p> {
    Atom(Atom<'p>),
    Alternatives(Vec<Vec<Node<'p>>>),
    Sequence(Vec<String>, Range),
}

/// The words that a word with braces stands for; none where there would be more than `most`.
pub(in super::super) fn expand<'p>(parts: &'p [Part], source: &Source, most: usize) -> Option<Vec<Vec<Atom<'p>>>> {
    let tokens = tokens(parts, source, most)?;
    let partners = partners(&tokens);
    let nodes = read(&tokens, 0, tokens.len(), &partners, source, most, 0);
    let mut left = most;
    product(&nodes, &mut left)
}

enum Token<'p> {
    Open(u32),
    Comma(u32),
    Close(u32),
    Other(Atom<'p>),
}

/// The braces of a word and what stands between them; none where they are so many that their words are more than `most`.
fn tokens<'p>(parts: &'p [Part], source: &Source, most: usize) -> Option<Vec<Token<'p>>> {
    let mut tokens = Vec::new();
    // How deep, whether a comma was seen there, and how many groups with one stand side by side: each doubles the words.
    let (mut depth, mut comma, mut doubled) = (0usize, false, 1usize);
    for part in parts {
        let Part::Literal(range) = part else {
            tokens.push(Token::Other(Atom::Part(part)));
            continue;
        };
        let text = source.slice(*range);
        let mut start = range.start;
        for (offset, byte) in text.bytes().enumerate() {
            let at = range.start + offset as u32;
            let token = match byte {
                b'{' => {
                    depth += 1;
                    Token::Open(at)
                }
                b',' => {
                    comma |= depth > 0;
                    Token::Comma(at)
                }
                b'}' => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 && std::mem::take(&mut comma) {
                        doubled = doubled.saturating_mul(2);
                    }
                    Token::Close(at)
                }
                _ => continue,
            };
            if doubled > most || tokens.len() > 4 * most {
                return None;
            }
            if start < at {
                tokens.push(Token::Other(Atom::Text(Range { start, end: at })));
            }
            tokens.push(token);
            start = at + 1;
        }
        if start < range.end {
            tokens.push(Token::Other(Atom::Text(Range { start, end: range.end })));
        }
    }
    Some(tokens)
}

/// For each opening brace its closing one. One pass with a stack: linear, whatever the nesting.
fn partners(tokens: &[Token<'_>]) -> Vec<usize> {
    let mut partners = vec![usize::MAX; tokens.len()];
    let mut open = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        match token {
            Token::Open(_) => open.push(index),
            Token::Close(_) => {
                if let Some(start) = open.pop() {
                    partners[start] = index;
                }
            }
            _ => {}
        }
    }
    partners
}

fn read<'p>(
    tokens: &[Token<'p>],
    from: usize,
    to: usize,
    partners: &[usize],
    source: &Source,
    most: usize,
    depth: u32,
) -> Vec<Node<'p>> {
    let mut nodes = Vec::new();
    let mut at = from;
    while at < to {
        let literal = |at: u32| Node::Atom(Atom::Text(Range { start: at, end: at + 1 }));
        match &tokens[at] {
            Token::Other(atom) => nodes.push(Node::Atom(atom.clone())),
            Token::Comma(position) | Token::Close(position) => nodes.push(literal(*position)),
            Token::Open(position) => {
                let close = partners[at];
                if close != usize::MAX
                    && close < to
                    && depth < super::super::syntax::LEVELS
                    && let Some(node) = group(tokens, at, close, partners, source, most, depth)
                {
                    nodes.push(node);
                    at = close + 1;
                    continue;
                }
                nodes.push(literal(*position));
            }
        }
        at += 1;
    }
    nodes
}

fn group<'p>(
    tokens: &[Token<'p>],
    open: usize,
    close: usize,
    partners: &[usize],
    source: &Source,
    most: usize,
    depth: u32,
) -> Option<Node<'p>> {
    let mut cuts = Vec::new();
    let mut at = open + 1;
    while at < close {
        match tokens[at] {
            Token::Comma(_) => cuts.push(at),
            Token::Open(_) if partners[at] != usize::MAX && partners[at] < close => at = partners[at],
            _ => {}
        }
        at += 1;
    }
    if cuts.is_empty() {
        let (Token::Open(start), Token::Close(end)) = (&tokens[open], &tokens[close]) else { return None };
        if let [Token::Other(Atom::Text(inside))] = &tokens[open + 1..close] {
            let elements = sequence(source.slice(*inside), most)?;
            return Some(Node::Sequence(elements, Range { start: *start, end: *end + 1 }));
        }
        return None;
    }
    let mut alternatives = Vec::with_capacity(cuts.len() + 1);
    let mut start = open + 1;
    for cut in cuts.into_iter().chain([close]) {
        alternatives.push(read(tokens, start, cut, partners, source, most, depth + 1));
        start = cut + 1;
    }
    Some(Node::Alternatives(alternatives))
}

/// `a..b`, `a..b..step`.
fn sequence(text: &str, most: usize) -> Option<Vec<String>> {
    let mut parts = text.split("..");
    let (first, last, step) = (parts.next()?, parts.next()?, parts.next());
    if parts.next().is_some() {
        return None;
    }
    let step = match step {
        Some(step) => step.parse::<i64>().ok()?.unsigned_abs().max(1),
        None => 1,
    };
    let limit = most + 1;
    if let (Some(from), Some(to)) = (integer(first), integer(last)) {
        let padded = [first, last].iter().any(|text| {
            let digits = text.trim_start_matches(['-', '+']);
            digits.len() > 1 && digits.starts_with('0')
        });
        let width = if padded { first.trim_start_matches('+').len().max(last.trim_start_matches('+').len()) } else { 0 };
        return Some(numbers(from, to, step, limit).map(|n| if width > 0 { pad(n, width) } else { n.to_string() }).collect());
    }
    let letter = |text: &str| match text.as_bytes() {
        [byte] if byte.is_ascii_alphabetic() => Some(i64::from(*byte)),
        _ => None,
    };
    let (from, to) = (letter(first)?, letter(last)?);
    Some(numbers(from, to, step, limit).filter_map(|n| u8::try_from(n).ok()).map(|byte| (byte as char).to_string()).collect())
}

fn integer(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    (!digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())).then(|| text.parse().ok()).flatten()
}

fn pad(number: i64, width: usize) -> String {
    if number < 0 { format!("-{:0>1$}", number.unsigned_abs(), width.saturating_sub(1)) } else { format!("{number:0>width$}") }
}

fn numbers(from: i64, to: i64, step: u64, limit: usize) -> impl Iterator<Item = i64> {
    let step = i64::try_from(step).unwrap_or(i64::MAX);
    let step = if from <= to { step } else { -step };
    let mut next = Some(from);
    std::iter::from_fn(move || {
        let now = next?;
        if (step > 0 && now > to) || (step < 0 && now < to) {
            return None;
        }
        next = now.checked_add(step);
        Some(now)
    })
    .take(limit)
}

/// All combinations, leftmost slowest; none past the limit.
fn product<'p>(nodes: &[Node<'p>], left: &mut usize) -> Option<Vec<Vec<Atom<'p>>>> {
    let mut words: Vec<Vec<Atom<'p>>> = vec![Vec::new()];
    for node in nodes {
        let alternatives: Vec<Vec<Atom<'p>>> = match node {
            Node::Atom(atom) => {
                words.iter_mut().for_each(|word| word.push(atom.clone()));
                continue;
            }
            Node::Sequence(elements, at) => elements.iter().map(|text| vec![Atom::Made(text.clone(), *at)]).collect(),
            Node::Alternatives(lists) => {
                let mut all = Vec::new();
                for list in lists {
                    all.extend(product(list, left)?);
                }
                all
            }
        };
        let total = words.len().checked_mul(alternatives.len())?;
        // INVARIANT (words bounded): every combination that is made is paid for, in words and in atoms.
        let length = words.first().map_or(0, Vec::len) + 1;
        let cost = total.checked_mul(length)?;
        if total > *left || cost > *left * 8 {
            return None;
        }
        words =
            words.iter().flat_map(|word| alternatives.iter().map(|more| word.iter().chain(more).cloned().collect())).collect();
    }
    *left = left.checked_sub(words.len().saturating_sub(1))?;
    Some(words)
}
