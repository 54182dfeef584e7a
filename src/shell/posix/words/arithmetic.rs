//! Arithmetic: `$((…))`, `((…))`, `let`, array subscripts, `${x:offset}`.
//!
//! Evaluated over 64-bit integers. What is not known (a hole, a variable without a number) makes the result unknown, but
//! assignments in the expression still happen.

use super::super::Walk;
use super::super::syntax::LEVELS;
use super::unknown;
use crate::model::{Argument, Shape, Span, Taint, Value, Word};
use crate::shell::state::{State, Variable};

/// The character that a hole is in an expression's text.
pub(in super::super) const UNKNOWN: char = '\u{F_FFFE}';

impl Walk<'_> {
    /// The value of an expression whose words are expanded; none where it is not known.
    pub(in super::super) fn calculate(&mut self, text: &str, span: Span, state: &mut State, depth: u32) -> Option<i64> {
        if depth > 8 || !self.steps(1 + text.len() as u64 / 16) {
            return None;
        }
        let mut reader = Reader { walk: self, text, at: 0, span, state, depth, levels: 0, live: true, broken: false };
        let value = reader.comma();
        reader.blanks();
        if reader.broken || reader.at < text.len() { None } else { value }
    }

    /// A value's text for [`Walk::calculate`].
    pub(in super::super) fn expression(value: &Value) -> String {
        let mut text = String::new();
        for piece in &value.pieces {
            match piece {
                crate::model::Piece::Text { text: more, .. } => text.push_str(more),
                crate::model::Piece::Hole(_) => text.push(UNKNOWN),
                crate::model::Piece::Glob(glob) => glob.write(&mut text),
            }
        }
        text
    }
}

struct Reader<'w, 'h, 't> {
    walk: &'w mut Walk<'h>,
    text: &'t str,
    at: usize,
    span: Span,
    state: &'w mut State,
    depth: u32,
    levels: u32,
    /// Whether this part is evaluated at all (`0 && x=1` is not).
    live: bool,
    broken: bool,
}

/// Binary operators by how tightly they bind; longer ones first where one begins another.
const BINARY: [(&str, u8); 18] = [
    ("||", 1),
    ("&&", 2),
    ("==", 6),
    ("!=", 6),
    ("<=", 7),
    (">=", 7),
    ("<<", 8),
    (">>", 8),
    ("**", 11),
    ("|", 3),
    ("^", 4),
    ("&", 5),
    ("<", 7),
    (">", 7),
    ("+", 9),
    ("-", 9),
    ("*", 10),
    ("/", 10),
];

impl Reader<'_, '_, '_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn blanks(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    fn accept(&mut self, token: &str) -> bool {
        self.blanks();
        let found = self.rest().starts_with(token);
        if found {
            self.at += token.len();
        }
        found
    }

    fn comma(&mut self) -> Option<i64> {
        let mut value = self.ternary();
        while self.accept(",") {
            value = self.ternary();
        }
        value
    }

    fn ternary(&mut self) -> Option<i64> {
        if self.levels >= LEVELS {
            self.broken = true;
            self.at = self.text.len();
            return None;
        }
        self.levels += 1;
        let condition = self.binary(1);
        let value = if self.accept("?") {
            let live = self.live;
            self.live = live && condition != Some(0);
            let yes = self.comma();
            if !self.accept(":") {
                self.broken = true;
            }
            self.live = live && (condition == Some(0) || condition.is_none());
            let no = self.ternary();
            self.live = live;
            match condition {
                Some(0) => no,
                Some(_) => yes,
                None => None,
            }
        } else {
            condition
        };
        self.levels -= 1;
        value
    }

    fn operator(&mut self) -> Option<(&'static str, u8)> {
        self.blanks();
        let rest = self.rest();
        if rest.starts_with('%') && !rest.starts_with("%=") {
            return Some(("%", 10));
        }
        let found = BINARY.iter().find(|(token, _)| rest.starts_with(token))?;
        // `a += 1` was read as an assignment where it may stand.
        let next = rest.as_bytes().get(found.0.len());
        if next == Some(&b'=') && !matches!(found.0, "<" | ">" | "==" | "!=" | "<=" | ">=") {
            return None;
        }
        Some(*found)
    }

    fn binary(&mut self, lowest: u8) -> Option<i64> {
        let mut left = self.unary();
        while let Some((token, tightness)) = self.operator() {
            if tightness < lowest {
                break;
            }
            self.at += token.len();
            let live = self.live;
            match (token, left) {
                ("&&", Some(0)) => self.live = false,
                ("||", Some(n)) if n != 0 => self.live = false,
                _ => {}
            }
            // `**` binds to the right.
            let right = self.binary(if token == "**" { tightness } else { tightness + 1 });
            self.live = live;
            left = apply(token, left, right);
        }
        left
    }

    fn unary(&mut self) -> Option<i64> {
        self.blanks();
        if self.levels >= LEVELS {
            self.broken = true;
            self.at = self.text.len();
            return None;
        }
        self.levels += 1;
        let value = if self.accept("++") {
            self.step_before(1)
        } else if self.accept("--") {
            self.step_before(-1)
        } else if self.accept("!") {
            self.unary().map(|n| i64::from(n == 0))
        } else if self.accept("~") {
            self.unary().map(|n| !n)
        } else if self.accept("-") {
            self.unary().map(i64::wrapping_neg)
        } else if self.accept("+") {
            self.unary()
        } else {
            self.primary()
        };
        self.levels -= 1;
        value
    }

    fn step_before(&mut self, by: i64) -> Option<i64> {
        self.blanks();
        let Some(name) = self.name() else { return self.unary() };
        let value = self.value_of(&name).map(|n| n.wrapping_add(by));
        self.assign(&name, value);
        value
    }

    fn name(&mut self) -> Option<String> {
        let rest = self.rest();
        let first = rest.bytes().next()?;
        if !(first.is_ascii_alphabetic() || first == b'_') {
            return None;
        }
        let length = rest.bytes().position(|byte| !(byte.is_ascii_alphanumeric() || byte == b'_')).unwrap_or(rest.len());
        let name = rest[..length].to_string();
        self.at += length;
        Some(name)
    }

    fn primary(&mut self) -> Option<i64> {
        self.blanks();
        let rest = self.rest();
        let Some(first) = rest.chars().next() else {
            // An empty expression is 0; an operand that lacks is a fault.
            self.broken |= self.at > 0 && !self.text.trim().is_empty();
            return Some(0);
        };
        if first == '(' {
            self.at += 1;
            let value = self.comma();
            if !self.accept(")") {
                self.broken = true;
            }
            return value;
        }
        if first.is_ascii_digit() {
            let length = rest
                .bytes()
                .position(|b| !(b.is_ascii_alphanumeric() || matches!(b, b'#' | b'@' | b'_')))
                .unwrap_or(rest.len());
            let number = number(&rest[..length]);
            self.at += length;
            self.broken |= number.is_none();
            return number;
        }
        if first == UNKNOWN {
            self.at += first.len_utf8();
            // Whatever is glued to an unknown text is part of the same unknown operand.
            while self.rest().starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_' || c == UNKNOWN) {
                let length = self.rest().chars().next().map_or(1, char::len_utf8);
                self.at += length;
            }
            return None;
        }
        let Some(name) = self.name() else {
            self.broken = true;
            self.at += first.len_utf8();
            return None;
        };
        if self.rest().starts_with('[') {
            return self.element(&name);
        }
        self.after_name(&name)
    }

    fn element(&mut self, name: &str) -> Option<i64> {
        self.at += 1;
        let index = self.comma();
        if !self.accept("]") {
            self.broken = true;
            return None;
        }
        let index = usize::try_from(index?).ok()?;
        let variable = self.state.variables.get(name)?;
        let element = match variable.keys.as_slice() {
            [] => variable.value.get(index),
            keys => keys.iter().position(|key| *key == index.to_string()).and_then(|at| variable.value.get(at)),
        };
        match element {
            Some(Argument::Word(word)) => {
                let text = word.known()?.into_owned();
                self.walk.calculate(&text, self.span, self.state, self.depth + 1)
            }
            Some(Argument::Splice(_)) => None,
            None => Some(0),
        }
    }

    fn after_name(&mut self, name: &str) -> Option<i64> {
        self.blanks();
        let rest = self.rest();
        if rest.starts_with("++") || rest.starts_with("--") {
            let by = if rest.starts_with('+') { 1 } else { -1 };
            self.at += 2;
            let value = self.value_of(name);
            self.assign(name, value.map(|n| n.wrapping_add(by)));
            return value;
        }
        if rest.starts_with('=') && !rest.starts_with("==") {
            self.at += 1;
            let value = self.ternary();
            self.assign(name, value);
            return value;
        }
        for token in ["<<=", ">>=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^="] {
            if rest.starts_with(token) {
                self.at += token.len();
                let old = self.value_of(name);
                let right = self.ternary();
                let value = apply(&token[..token.len() - 1], old, right);
                self.assign(name, value);
                return value;
            }
        }
        self.value_of(name)
    }

    fn value_of(&mut self, name: &str) -> Option<i64> {
        if !self.live {
            return Some(0);
        }
        let looked = self.walk.look_up(name, self.span, self.state);
        if looked.absent {
            return Some(0);
        }
        match looked.values.as_slice() {
            [value] => {
                let text = value.known()?.trim().to_string();
                if text.is_empty() { Some(0) } else { self.walk.calculate(&text, self.span, self.state, self.depth + 1) }
            }
            _ => None,
        }
    }

    fn assign(&mut self, name: &str, value: Option<i64>) {
        if !self.live {
            return;
        }
        let value = match value {
            Some(number) => Value::text(number.to_string(), self.span),
            None => Value::hole(unknown(Shape::Number, Taint::none(), self.span)),
        };
        let word = Word { values: vec![value], span: self.span, computed: false };
        let exported = self.state.variables.get(name).is_some_and(|variable| variable.exported);
        self.state.variables.insert(name.to_string(), Variable { exported, ..Variable::scalar(word) });
    }
}

fn apply(token: &str, left: Option<i64>, right: Option<i64>) -> Option<i64> {
    match (token, left, right) {
        ("&&", Some(0), _) | ("&&", _, Some(0)) => return Some(0),
        ("||", Some(n), _) | ("||", _, Some(n)) if n != 0 => return Some(1),
        _ => {}
    }
    let (left, right) = (left?, right?);
    Some(match token {
        "&&" | "||" => i64::from(right != 0 && (token == "||" || left != 0) || (token == "||" && left != 0)),
        "|" => left | right,
        "^" => left ^ right,
        "&" => left & right,
        "==" => i64::from(left == right),
        "!=" => i64::from(left != right),
        "<=" => i64::from(left <= right),
        ">=" => i64::from(left >= right),
        "<" => i64::from(left < right),
        ">" => i64::from(left > right),
        "<<" => left.wrapping_shl(right as u32),
        ">>" => left.wrapping_shr(right as u32),
        "+" => left.wrapping_add(right),
        "-" => left.wrapping_sub(right),
        "*" => left.wrapping_mul(right),
        "/" => left.checked_div(right)?,
        "%" => left.checked_rem(right)?,
        "**" => left.wrapping_pow(u32::try_from(right).ok()?),
        _ => return None,
    })
}

/// `12`, `0x1f`, `017`, `2#101`.
fn number(text: &str) -> Option<i64> {
    if let Some(digits) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        return i64::from_str_radix(digits, 16).ok();
    }
    if let Some((base, digits)) = text.split_once('#') {
        let base: u32 = base.parse().ok()?;
        return if (2..=36).contains(&base) { i64::from_str_radix(digits, base).ok() } else { None };
    }
    if text.len() > 1 && text.starts_with('0') {
        return i64::from_str_radix(&text[1..], 8).ok();
    }
    text.parse().ok()
}
