//! The operators of `${x…}`, applied to each value that the parameter may have.

use super::super::Walk;
use super::super::tree::{self, Anchor, Operator, Parameter};
use super::expand::Tilde;
use super::lookup::Looked;
use super::parameter::{Presence, hole_of, presence, values_of};
use super::patterns::Pattern;
use super::{Expansion, Fragment, Mode, fields, fragments_of, unknown};
use crate::model::{Hole, Origin, Piece, Shape, Span, Taint, Value};
use crate::shell::state::{Control, MOST_VALUES, State, Variable};

impl Walk<'_> {
    /// A scalar's values after the parameter's operator.
    pub(super) fn operate(
        &mut self,
        parameter: &Parameter,
        name: &str,
        looked: Looked,
        mode: Mode,
        span: Span,
        state: &mut State,
    ) -> Expansion {
        let Some(operator) = parameter.operator.as_deref() else {
            return self.plain(looked, name, mode, state);
        };
        match operator {
            Operator::Default { kind, colon, word } => self.default(*kind, *colon, word, name, looked, mode, span, state),
            Operator::Length => {
                let lengths = |value: &Value| match value.known() {
                    Some(text) => Value::text(text.chars().count().to_string(), span),
                    None => Value::hole(unknown(Shape::Number, Taint::none(), span)),
                };
                map(looked, mode, lengths)
            }
            Operator::Trim { end, longest, pattern } => {
                let pattern = self.pattern(pattern, state);
                map(looked, mode, |value| trim(value, pattern.as_ref(), *end, *longest, span))
            }
            Operator::Replace { all, anchor, pattern, with } => {
                let pattern = self.pattern(pattern, state);
                let with = match with {
                    Some(word) => self.replacement(word, state),
                    None => vec![Value::default()],
                };
                self.replace(looked, pattern.as_ref(), &with, *all, *anchor, mode, span)
            }
            Operator::Substring { offset, length } => {
                let from = self.arithmetic(offset, state);
                let count = match length {
                    Some(length) => self.arithmetic(length, state).map(Some),
                    None => Some(None),
                };
                map(looked, mode, |value| substring(value, from, count, span))
            }
            Operator::Case { kind, all, pattern } => {
                let pattern = pattern.as_ref().map(|pattern| self.pattern(pattern, state));
                map(looked, mode, |value| fold(value, *kind, *all, pattern.as_ref(), span))
            }
            Operator::Transform(kind) => map(looked, mode, |value| transform(value, *kind, span)),
            Operator::Names | Operator::Unknown => hole_of(unknown(Shape::Any, Taint::none(), span), mode),
        }
    }

    fn plain(&mut self, looked: Looked, name: &str, mode: Mode, state: &mut State) -> Expansion {
        if looked.absent && state.option("nounset") && !name.is_empty() {
            // `set -u`: the shell stops here.
            state.control = Control::Exit;
        }
        values_of(&looked.values, looked.computed, mode)
    }

    /// A word within `${…}`: unquoted text in it is split where the expansion is.
    pub(super) fn operand(&mut self, word: &tree::Word, mode: Mode, state: &mut State) -> Expansion {
        let mut expansion = Expansion::empty();
        let tilde = if mode == Mode::Quoted { Tilde::No } else { Tilde::Argument };
        let inner = if mode == Mode::Quoted { Mode::Quoted } else { Mode::Literal };
        self.parts(&word.parts, inner, tilde, state, &mut expansion);
        // What stands unquoted in there is split like an expansion.
        for fragment in expansion.alternatives.iter_mut().flatten() {
            if let Fragment::Text { mode: mode @ Mode::Literal, .. } | Fragment::Hole { mode: mode @ Mode::Literal, .. } =
                fragment
            {
                *mode = Mode::Expanded;
            }
        }
        if mode == Mode::Quoted && word.parts.is_empty() {
            expansion.push_text("", self.span(word.at), mode);
        }
        expansion
    }

    fn replacement(&mut self, word: &tree::Word, state: &mut State) -> Vec<Value> {
        let mut expansion = Expansion::empty();
        self.parts(&word.parts, Mode::Literal, Tilde::Argument, state, &mut expansion);
        fields::single(expansion, self.span(word.at), false, " ").values
    }

    #[allow(clippy::too_many_arguments)]
    fn default(
        &mut self,
        kind: u8,
        colon: bool,
        word: &tree::Word,
        name: &str,
        looked: Looked,
        mode: Mode,
        span: Span,
        state: &mut State,
    ) -> Expansion {
        let mut kept = Vec::new();
        let mut lacking = looked.absent;
        let mut guessed = false;
        for value in if looked.absent { Vec::new() } else { looked.values } {
            match presence(&value) {
                Presence::Unset => {
                    lacking = true;
                    // Nothing here sets it, but the agent's shell may: what the default says exempts nothing.
                    guessed |= kind != b'?' && !is_temporary(&value);
                    if kind == b'?' {
                        kept.push(guard(value));
                    }
                }
                Presence::Empty if colon => lacking = true,
                Presence::Open => {
                    lacking = true;
                    kept.push(if kind == b'?' { guard(value) } else { value });
                }
                Presence::Empty | Presence::Full => kept.push(value),
            }
        }
        let mut out = Expansion::of(Vec::new(), looked.computed || guessed);
        match kind {
            b'+' => {
                if lacking {
                    out.alternatives.push(fragments_of(&Value::default(), mode));
                }
                if !kept.is_empty() {
                    let operand = self.operand(word, mode, state);
                    out.computed |= operand.computed;
                    out.alternatives.extend(operand.alternatives);
                }
            }
            b'?' => {
                if lacking {
                    // The word is the message; what runs in it runs.
                    self.operand(word, mode, state);
                }
                if kept.is_empty() {
                    state.control = Control::Exit;
                    return values_of(&[Value::default()], false, mode);
                }
                // From here on the variable is guarded.
                if lacking && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
                    let word = crate::model::Word { values: kept.clone(), span, computed: looked.computed };
                    self.set_scalar(name, word, state);
                }
                out.alternatives = kept.iter().map(|value| fragments_of(value, mode)).collect();
            }
            _ => {
                out.alternatives = kept.iter().map(|value| fragments_of(value, mode)).collect();
                if lacking {
                    let operand = self.operand(word, mode, state);
                    out.computed |= operand.computed;
                    if kind == b'=' {
                        self.assign_default(name, &kept, &operand, span, state);
                    }
                    let mut alternatives = operand.alternatives;
                    if kind == b'=' && mode == Mode::Expanded {
                        // What was assigned is expanded, its quotes are gone.
                        for fragment in alternatives.iter_mut().flatten() {
                            if let Fragment::Text { mode: own, .. } | Fragment::Hole { mode: own, .. } = fragment {
                                *own = mode;
                            }
                        }
                    }
                    out.alternatives.extend(alternatives);
                }
            }
        }
        if out.alternatives.len() > MOST_VALUES {
            out.alternatives.truncate(MOST_VALUES - 1);
            out.alternatives.push(vec![Fragment::Hole { hole: unknown(Shape::Any, Taint::none(), span), mode }]);
        }
        if out.alternatives.is_empty() {
            out.alternatives.push(Vec::new());
        }
        out
    }

    fn assign_default(&mut self, name: &str, kept: &[Value], operand: &Expansion, span: Span, state: &mut State) {
        let mut value = fields::single(operand.clone(), span, false, " ");
        value.values.extend(kept.iter().cloned());
        let exported = state.variables.get(name).is_some_and(|variable| variable.exported);
        state.variables.insert(name.to_string(), Variable { exported, ..Variable::scalar(value) });
    }

    #[allow(clippy::too_many_arguments)]
    fn replace(
        &mut self,
        looked: Looked,
        pattern: Option<&Pattern>,
        with: &[Value],
        all: bool,
        anchor: Anchor,
        mode: Mode,
        span: Span,
    ) -> Expansion {
        let mut out = Expansion::of(Vec::new(), looked.computed);
        for value in &looked.values {
            // Nothing is replaced in a variable that is not set.
            if looked.absent || presence(value) == Presence::Unset {
                out.alternatives.push(fragments_of(value, mode));
                continue;
            }
            for with in with {
                let cost = value.emptied().len() as u64 / 8 + 1;
                let known = if self.steps(cost) { replaced(value, pattern, with, all, anchor, span) } else { None };
                let result = known.unwrap_or_else(|| opaque(value, Some(with), span));
                out.alternatives.push(fragments_of(&result, mode));
            }
        }
        out.alternatives.truncate(MOST_VALUES);
        out
    }
}

/// Whether a value is the unset `TMPDIR`, of which the hook knows as much as the agent's shell.
fn is_temporary(value: &Value) -> bool {
    value.holes().all(|hole| matches!(&hole.origin, Origin::Unset { name, .. } if name == "TMPDIR"))
}

fn map(looked: Looked, mode: Mode, change: impl Fn(&Value) -> Value) -> Expansion {
    let values: Vec<Value> = looked.values.iter().map(change).collect();
    values_of(&values, looked.computed, mode)
}

/// `${x:?}`: the shell stops instead of using nothing.
fn guard(mut value: Value) -> Value {
    for piece in &mut value.pieces {
        if let Piece::Hole(Hole { origin: Origin::Unset { guarded, .. }, .. }) = piece {
            *guarded = true;
        }
    }
    value
}

/// A value after an operation that cannot be followed; an unset variable stays one.
fn opaque(value: &Value, other: Option<&Value>, span: Span) -> Value {
    let mut taint = Taint::none();
    for hole in value.holes().chain(other.into_iter().flat_map(Value::holes)) {
        taint = taint.join(&hole.taint);
    }
    if let ([Piece::Hole(hole)], None) = (value.pieces.as_slice(), other) {
        return Value::hole(Hole { shape: Shape::Any, span, ..hole.clone() });
    }
    Value::hole(unknown(Shape::Any, taint, span))
}

/// The value with the first so many bytes, or all from there on; exact where the cut lies in known text.
fn cut(value: &Value, text: &str, from: usize, to: usize, span: Span) -> Value {
    if let [Piece::Text { span: own, .. }] = value.pieces.as_slice() {
        let exact = own.len() == text.len();
        let part = if exact { Span { start: own.start + from as u32, end: own.start + to as u32, ..*own } } else { *own };
        return if from < to { Value::text(&text[from..to], part) } else { Value::default() };
    }
    if from < to { Value::text(&text[from..to], span) } else { Value::default() }
}

fn trim(value: &Value, pattern: Option<&Pattern>, end: bool, longest: bool, span: Span) -> Value {
    let Some(pattern) = pattern else { return opaque(value, None, span) };
    let Some(text) = value.known() else { return trim_open(value, pattern, end, longest, span) };
    let at = if end {
        let Some(starts) = pattern.suffixes(&text) else { return opaque(value, None, span) };
        if longest { starts.first().copied() } else { starts.last().copied() }
    } else {
        let Some(lengths) = pattern.prefixes(&text) else { return opaque(value, None, span) };
        if longest { lengths.last().copied() } else { lengths.first().copied() }
    };
    match at {
        Some(at) if end => cut(value, &text, 0, at, span),
        Some(at) => cut(value, &text, at, text.len(), span),
        None => value.clone(),
    }
}

/// A value with holes: followed where the shortest match certainly lies in the known text at that end.
fn trim_open(value: &Value, pattern: &Pattern, end: bool, longest: bool, span: Span) -> Value {
    let pieces = &value.pieces;
    let last = if end { pieces.last() } else { pieces.first() };
    if let (Some(Piece::Text { text, span: own }), false) = (last, longest) {
        let known = Value::text(text.clone(), *own);
        let trimmed = trim(&known, Some(pattern), end, longest, span);
        if trimmed != known {
            let mut all = pieces.clone();
            if end {
                all.pop();
                all.extend(trimmed.pieces);
            } else {
                all.splice(0..1, trimmed.pieces);
            }
            return Value { pieces: all };
        }
    }
    if let (Some(Piece::Text { text, span: own }), false, true) = (pieces.last(), end, longest) {
        // `${x##*/}` of an unknown beginning: what is behind the last match in the known ending stays.
        let known = Value::text(text.clone(), *own);
        let trimmed = trim(&known, Some(pattern), false, true, span);
        if trimmed != known
            && pattern.prefixes("\u{1}").is_some_and(|lengths| lengths.is_empty())
            && pattern.find(text, 0).flatten().is_some()
        {
            return trimmed;
        }
    }
    opaque(value, None, span)
}

fn replaced(value: &Value, pattern: Option<&Pattern>, with: &Value, all: bool, anchor: Anchor, span: Span) -> Option<Value> {
    let (pattern, text) = (pattern?, value.known()?);
    if text.len() > 4096 {
        return None;
    }
    let mut pieces = Vec::new();
    let keep = |from: usize, to: usize, pieces: &mut Vec<Piece>| {
        for piece in cut(value, &text, from, to, span).pieces {
            if let Piece::Text { text, span } = piece {
                fields::push_text(pieces, text, span);
            }
        }
    };
    let put = |pieces: &mut Vec<Piece>| pieces.extend(with.pieces.iter().cloned());
    match anchor {
        Anchor::Start => match pattern.prefixes(&text)?.last() {
            Some(length) => {
                put(&mut pieces);
                keep(*length, text.len(), &mut pieces);
            }
            None => return Some(value.clone()),
        },
        Anchor::End => match pattern.suffixes(&text)?.first() {
            Some(at) => {
                keep(0, *at, &mut pieces);
                put(&mut pieces);
            }
            None => return Some(value.clone()),
        },
        Anchor::None => {
            let mut from = 0;
            let mut kept = 0;
            let mut made = 0;
            while let Some((start, end)) = pattern.find(&text, from)? {
                if start == end {
                    // An empty match replaces nothing, but for an empty text.
                    if text.is_empty() {
                        put(&mut pieces);
                    }
                    let Some(next) = text[start..].chars().next() else { break };
                    from = start + next.len_utf8();
                    continue;
                }
                keep(kept, start, &mut pieces);
                put(&mut pieces);
                made += with.emptied().len();
                if made > 1 << 16 {
                    return None;
                }
                kept = end;
                from = end;
                if !all {
                    break;
                }
            }
            keep(kept, text.len(), &mut pieces);
        }
    }
    Some(Value { pieces })
}

fn substring(value: &Value, from: Option<i64>, count: Option<Option<i64>>, span: Span) -> Value {
    let (Some(from), Some(count), Some(text)) = (from, count, value.known()) else { return opaque(value, None, span) };
    let total = text.chars().count() as i64;
    let start = if from < 0 { total + from } else { from };
    if start < 0 || start > total {
        return Value::default();
    }
    let end = match count {
        Some(count) if count < 0 => (total + count).max(start),
        Some(count) => start.saturating_add(count).min(total),
        None => total,
    };
    let at = |index: i64| text.char_indices().nth(index as usize).map_or(text.len(), |(at, _)| at);
    cut(value, &text, at(start), at(end), span)
}

fn fold(value: &Value, kind: u8, all: bool, pattern: Option<&Option<Pattern>>, span: Span) -> Value {
    let Some(text) = value.known() else {
        let known_change = pattern.is_none() && all && kind != b'~';
        if !known_change {
            return opaque(value, None, span);
        }
        // Known parts are changed, holes stay holes.
        let change = |piece: &Piece| match piece {
            Piece::Text { text, .. } if kind == b'^' => Piece::Text { text: text.to_uppercase(), span },
            Piece::Text { text, .. } => Piece::Text { text: text.to_lowercase(), span },
            other => other.clone(),
        };
        return Value { pieces: value.pieces.iter().map(change).collect() };
    };
    let pattern = match pattern {
        Some(None) => return opaque(value, None, span),
        Some(Some(pattern)) => Some(pattern),
        None => None,
    };
    let mut out = String::with_capacity(text.len());
    let mut buffer = [0u8; 4];
    for (index, character) in text.chars().enumerate() {
        let meant = (all || index == 0)
            && pattern.is_none_or(|pattern| pattern.matches(character.encode_utf8(&mut buffer)) == Some(true));
        match kind {
            _ if !meant => out.push(character),
            b'^' => out.extend(character.to_uppercase()),
            b',' => out.extend(character.to_lowercase()),
            _ if character.is_uppercase() => out.extend(character.to_lowercase()),
            _ => out.extend(character.to_uppercase()),
        }
    }
    let own = match value.pieces.as_slice() {
        [Piece::Text { span, .. }] => *span,
        _ => span,
    };
    if out.is_empty() { Value::default() } else { Value::text(out, own) }
}

fn transform(value: &Value, kind: u8, span: Span) -> Value {
    let Some(text) = value.known() else { return opaque(value, None, span) };
    match kind {
        b'U' => fold(value, b'^', true, None, span),
        b'u' => fold(value, b'^', false, None, span),
        b'L' => fold(value, b',', true, None, span),
        b'E' => Value::text(super::escapes::decode(&text, super::escapes::Kind::Dollar).0, span),
        b'Q' => Value::text(quote(&text), span),
        _ => opaque(value, None, span),
    }
}

/// The text as the shell would read it again.
pub(in super::super) fn quote(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}
