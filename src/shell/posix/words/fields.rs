//! Fragments → fields: splitting at `IFS`, glob operators, and which fields remain at all.

use super::{Expansion, Fragment, Mode, same_value, unknown};
use crate::model::{Argument, Glob, Hole, Piece, Shape, Span, Taint, Value, Word};

/// The pieces that a value of a variable may have.
const MOST_PIECES: usize = 256;

/// What splitting and globbing depend on.
pub(in super::super) struct Rules {
    pub(in super::super) ifs: String,
    pub(in super::super) glob: bool,
}

/// The arguments that a word may become; several lists only where their lengths differ or a splice is among them.
pub(in super::super) fn arguments(expansion: Expansion, span: Span, rules: &Rules) -> Vec<Vec<Argument>> {
    let computed = expansion.computed;
    let mut all: Vec<Vec<Argument>> = Vec::with_capacity(expansion.alternatives.len());
    for fragments in expansion.alternatives {
        let list = split(fragments, span, computed, rules);
        if !all.contains(&list) {
            all.push(list);
        }
    }
    merge(all)
}

/// One word each time: one word with all values.
fn merge(mut all: Vec<Vec<Argument>>) -> Vec<Vec<Argument>> {
    if all.len() > 1 && all.iter().all(|list| matches!(list.as_slice(), [Argument::Word(_)])) {
        let mut lists = all.into_iter().flatten();
        let Some(Argument::Word(mut first)) = lists.next() else { return vec![Vec::new()] };
        for argument in lists {
            if let Argument::Word(word) = argument {
                first.computed |= word.computed;
                for value in word.values {
                    if !first.values.iter().any(|mine| same_value(mine, &value)) {
                        first.values.push(value);
                    }
                }
            }
        }
        all = vec![vec![Argument::Word(first)]];
    }
    all
}

#[derive(Default)]
struct Field {
    pieces: Vec<Piece>,
    /// Something was in it, if only a pair of quotes.
    started: bool,
    /// Nothing but unquoted holes.
    only_holes: bool,
}

struct Splitter<'r> {
    span: Span,
    computed: bool,
    rules: &'r Rules,
    field: Field,
    done: Vec<Argument>,
    /// A blank ended the last field: one other separator after it is part of the same separation.
    after_blank: bool,
}

fn split(fragments: Vec<Fragment>, span: Span, computed: bool, rules: &Rules) -> Vec<Argument> {
    let mut splitter = Splitter { span, computed, rules, field: Field::default(), done: Vec::new(), after_blank: false };
    for fragment in fragments {
        match fragment {
            Fragment::Text { text, span, mode: Mode::Expanded } => splitter.expanded(&text, span),
            Fragment::Text { text, span, mode } => {
                splitter.field.started |= mode == Mode::Quoted || !text.is_empty();
                if splitter.field.started {
                    splitter.field.only_holes = false;
                }
                if mode == Mode::Literal && rules.glob {
                    push_globbed(&mut splitter.field.pieces, &text, span);
                } else {
                    push_text(&mut splitter.field.pieces, text, span);
                }
            }
            Fragment::Hole { hole, mode } => {
                let whole = mode == Mode::Quoted || hole.shape != crate::model::Shape::Any;
                if !splitter.field.started {
                    splitter.field.only_holes = !whole;
                }
                splitter.field.only_holes &= !whole;
                splitter.field.started = true;
                splitter.field.pieces.push(Piece::Hole(hole));
            }
            Fragment::Glob(glob) => {
                splitter.field.started = true;
                splitter.field.only_holes = false;
                splitter.field.pieces.push(Piece::Glob(glob));
            }
            Fragment::Break => splitter.finish(false),
            Fragment::Many(hole) => {
                splitter.finish(false);
                splitter.done.push(Argument::Splice(hole));
            }
        }
    }
    splitter.finish(false);
    splitter.done
}

impl Splitter<'_> {
    fn finish(&mut self, even_empty: bool) {
        let field = std::mem::take(&mut self.field);
        if !field.started && !even_empty {
            return;
        }
        if field.only_holes {
            let mut holes = field.pieces.into_iter().filter_map(|piece| match piece {
                Piece::Hole(hole) => Some(hole),
                _ => None,
            });
            if let Some(first) = holes.next() {
                let hole = holes.fold(first, |one, two| Hole {
                    taint: one.taint.join(&two.taint),
                    span: one.span.to(two.span),
                    ..one
                });
                self.done.push(Argument::Splice(hole));
            }
            return;
        }
        let word = Word { values: vec![Value { pieces: field.pieces }], span: self.span, computed: self.computed };
        self.done.push(Argument::Word(word));
    }

    /// Text that is split. INVARIANT (spans in bounds): where span and text are of one length, parts of the one are the
    /// same parts of the other.
    fn expanded(&mut self, text: &str, span: Span) {
        let exact = span.len() == text.len();
        let part = |start: usize, end: usize| {
            if exact { Span { start: span.start + start as u32, end: span.start + end as u32, ..span } } else { span }
        };
        let mut start = 0;
        for (at, character) in text.char_indices() {
            if !self.rules.ifs.contains(character) {
                continue;
            }
            self.unsplit(&text[start..at], part(start, at));
            start = at + character.len_utf8();
            if matches!(character, ' ' | '\t' | '\n') {
                if self.field.started {
                    self.finish(false);
                    self.after_blank = true;
                }
            } else {
                if !self.after_blank || self.field.started {
                    self.finish(true);
                }
                self.after_blank = false;
            }
        }
        self.unsplit(&text[start..], part(start, text.len()));
    }

    fn unsplit(&mut self, text: &str, span: Span) {
        if text.is_empty() {
            return;
        }
        self.field.started = true;
        self.field.only_holes = false;
        self.after_blank = false;
        if self.rules.glob {
            push_globbed(&mut self.field.pieces, text, span);
        } else {
            push_text(&mut self.field.pieces, text.to_string(), span);
        }
    }
}

/// The one value that a word has where the shell does not split (assignments, redirections, `case`).
pub(in super::super) fn single(expansion: Expansion, span: Span, glob: bool, separator: &str) -> Word {
    let computed = expansion.computed;
    let mut values: Vec<Value> = Vec::with_capacity(expansion.alternatives.len());
    for fragments in expansion.alternatives {
        let mut value = Value::default();
        for fragment in fragments {
            match fragment {
                Fragment::Text { text, span, mode } if glob && mode != Mode::Quoted => {
                    push_globbed(&mut value.pieces, &text, span)
                }
                Fragment::Text { text, span, .. } => push_text(&mut value.pieces, text, span),
                Fragment::Hole { hole, .. } | Fragment::Many(hole) => value.pieces.push(Piece::Hole(hole)),
                Fragment::Glob(one) if glob => value.pieces.push(Piece::Glob(one)),
                Fragment::Glob(one) => {
                    let mut text = String::new();
                    one.write(&mut text);
                    push_text(&mut value.pieces, text, span);
                }
                Fragment::Break => push_text(&mut value.pieces, separator.to_string(), span),
            }
        }
        settle(&mut value, span);
        if !values.iter().any(|mine| same_value(mine, &value)) {
            values.push(value);
        }
    }
    Word { values, span, computed }
}

/// A value of very many pieces becomes one: a script that appends to a variable for ever must not cost the square of its turns.
pub(in super::super) fn settle(value: &mut Value, span: Span) {
    if value.pieces.len() <= MOST_PIECES {
        return;
    }
    *value = match value.known() {
        Some(text) => Value::text(text.into_owned(), span),
        None => {
            let taint = value.holes().fold(Taint::none(), |taint, hole| taint.join(&hole.taint));
            Value::hole(unknown(Shape::Any, taint, span))
        }
    };
}

/// Appends text; joined with the piece before it where it goes on byte for byte.
pub(in super::super) fn push_text(pieces: &mut Vec<Piece>, text: String, span: Span) {
    if text.is_empty() {
        return;
    }
    if let Some(Piece::Text { text: before, span: last }) = pieces.last_mut()
        && last.source == span.source
        && last.end == span.start
        && last.len() == before.len()
        && span.len() == text.len()
    {
        before.push_str(&text);
        last.end = span.end;
        return;
    }
    pieces.push(Piece::Text { text, span });
}

/// Appends unquoted text, glob operators taken out of it.
fn push_globbed(pieces: &mut Vec<Piece>, text: &str, span: Span) {
    if !text.bytes().any(|byte| matches!(byte, b'*' | b'?' | b'[')) {
        return push_text(pieces, text.to_string(), span);
    }
    let exact = span.len() == text.len();
    let part = |start: usize, end: usize| {
        if exact { Span { start: span.start + start as u32, end: span.start + end as u32, ..span } } else { span }
    };
    let bytes = text.as_bytes();
    let mut start = 0;
    let mut at = 0;
    while at < bytes.len() {
        let (glob, next) = match bytes[at] {
            b'?' => (Glob::Question, at + 1),
            b'*' => {
                let stars = bytes[at..].iter().take_while(|byte| **byte == b'*').count();
                let begins = at == 0 && pieces.last().is_none_or(ends_component) || at > 0 && bytes[at - 1] == b'/';
                let ends = matches!(bytes.get(at + stars), None | Some(b'/'));
                (if stars == 2 && begins && ends { Glob::DoubleStar } else { Glob::Star }, at + stars)
            }
            b'[' => match class(&text[at..]) {
                Some((glob, length)) => (glob, at + length),
                None => {
                    at += 1;
                    continue;
                }
            },
            _ => {
                at += 1;
                continue;
            }
        };
        push_text(pieces, text[start..at].to_string(), part(start, at));
        pieces.push(Piece::Glob(glob));
        start = next;
        at = next;
    }
    push_text(pieces, text[start..].to_string(), part(start, text.len()));
}

fn ends_component(piece: &Piece) -> bool {
    matches!(piece, Piece::Text { text, .. } if text.ends_with('/'))
}

/// `[…]` at the beginning of a text, and its length.
pub(in super::super) fn class(text: &str) -> Option<(Glob, usize)> {
    let near = &text.as_bytes()[..text.len().min(512)];
    if !near.contains(&b']') {
        return None;
    }
    let mut characters = text.char_indices().skip(1).peekable();
    let negated = characters.next_if(|(_, c)| matches!(c, '!' | '^')).is_some();
    let mut ranges = Vec::new();
    let mut first = true;
    // A class is short; unclosed brackets must not cost the square of their number.
    for _ in 0..64 {
        let (at, mut low) = characters.next()?;
        match low {
            ']' if !first => return Some((Glob::Class { negated, ranges }, at + 1)),
            '/' => return None,
            '[' if characters.peek().is_some_and(|(_, c)| *c == ':') => {
                let rest = &text[at..];
                if let Some(end) = rest.get(..rest.len().min(16)).unwrap_or(rest).find(":]") {
                    named_class(&rest[2..end], &mut ranges);
                    while characters.next_if(|(next, _)| *next < at + end + 2).is_some() {}
                    first = false;
                    continue;
                }
            }
            '\\' => low = characters.next()?.1,
            _ => {}
        }
        first = false;
        let mut ahead = characters.clone();
        let high = match (ahead.next(), ahead.next()) {
            (Some((_, '-')), Some((_, high))) if high != ']' => {
                characters = ahead;
                high
            }
            _ => low,
        };
        ranges.push((low, high));
    }
    None
}

fn named_class(name: &str, ranges: &mut Vec<(char, char)>) {
    let more: &[(char, char)] = match name {
        "alpha" => &[('a', 'z'), ('A', 'Z')],
        "digit" => &[('0', '9')],
        "alnum" => &[('a', 'z'), ('A', 'Z'), ('0', '9')],
        "upper" => &[('A', 'Z')],
        "lower" => &[('a', 'z')],
        "space" => &[(' ', ' '), ('\t', '\r')],
        "blank" => &[(' ', ' '), ('\t', '\t')],
        "xdigit" => &[('0', '9'), ('a', 'f'), ('A', 'F')],
        "punct" => &[('!', '/'), (':', '@'), ('[', '`'), ('{', '~')],
        "print" => &[(' ', '~')],
        "graph" => &[('!', '~')],
        "cntrl" => &[('\0', '\x1f'), ('\x7f', '\x7f')],
        _ => &[],
    };
    ranges.extend_from_slice(more);
}
