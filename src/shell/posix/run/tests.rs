//! `[[ … ]]`, `[ … ]`, `test`: what can be said without the machine. Questions about files have no answer here: what is
//! there now need not be there when the script runs.

use super::super::Walk;
use super::super::source::Range;
use super::super::tree::{Command, Form, Operator, Part, Subscript, Test, Word as Node};
use super::super::words::expand::Tilde;
use super::super::words::patterns::Pattern;
use super::super::words::unknown;
use crate::model::{Argument, Hole, Origin, Piece, Shape, Value, Word};
use crate::shell::state::{State, Variable};

impl Walk<'_> {
    pub(super) fn test(&mut self, test: &Test, state: &mut State) -> Option<bool> {
        if !self.steps(1) {
            return None;
        }
        match test {
            Test::All(parts) => {
                let mut all = Some(true);
                for part in parts {
                    match self.test(part, state) {
                        Some(false) => return Some(false),
                        Some(true) => {}
                        None => all = None,
                    }
                }
                all
            }
            Test::Any(parts) => {
                let mut all = Some(false);
                for part in parts {
                    match self.test(part, state) {
                        Some(true) => return Some(true),
                        Some(false) => {}
                        None => all = None,
                    }
                }
                all
            }
            Test::Not(part) => self.test(part, state).map(|holds| !holds),
            Test::Unary(operator, word) => {
                let operator = self.slice(*operator).to_string();
                if operator == "-v" {
                    let name = self.single(word, Tilde::No, state).known()?.into_owned();
                    return self.is_set(&name, state);
                }
                let word = self.single(word, Tilde::Argument, state);
                unary(&operator, &word)
            }
            Test::Binary(left, operator, right) => self.binary(left, *operator, right, state),
            Test::Word(word) => {
                let word = self.single(word, Tilde::Argument, state);
                unary("-n", &word)
            }
            Test::Unknown => None,
        }
    }

    pub(in super::super) fn is_set(&mut self, name: &str, state: &State) -> Option<bool> {
        match state.variables.get(name) {
            Some(variable) => {
                let unset = variable
                    .value
                    .iter()
                    .any(|value| matches!(value, Argument::Word(word) if word.values.iter().any(Value::has_hole)));
                if unset { None } else { Some(!variable.value.is_empty()) }
            }
            None => None,
        }
    }

    fn binary(&mut self, left: &Node, operator: Range, right: &Node, state: &mut State) -> Option<bool> {
        let operator = self.slice(operator).to_string();
        let subject = self.single(left, Tilde::Argument, state);
        match operator.as_str() {
            "=" | "==" | "!=" => {
                let pattern = self.pattern(right, state)?.folded(state.option("nocasematch"));
                let holds = self.word_matches(&subject, &pattern)?;
                Some(holds == (operator != "!="))
            }
            "=~" => {
                // What is captured is part of the subject.
                let word = self.single(right, Tilde::No, state);
                let hole = unknown(Shape::Any, subject.taint().join(&word.taint()), subject.span);
                state.variables.insert(
                    "BASH_REMATCH".into(),
                    Variable { array: true, value: vec![Argument::Splice(hole)], ..Variable::unset() },
                );
                None
            }
            "<" | ">" => {
                let other = self.single(right, Tilde::No, state);
                let (left, right) = (subject.known()?, other.known()?);
                Some(if operator == "<" { left < right } else { left > right })
            }
            _ => {
                let left = self.arithmetic(left, state);
                let right = self.arithmetic(right, state);
                compare(&operator, left?, right?)
            }
        }
    }

    /// Whether all values match, or none; nothing where they differ.
    pub(in super::super) fn word_matches(&mut self, word: &Word, pattern: &Pattern) -> Option<bool> {
        let mut all: Option<bool> = None;
        for value in &word.values {
            let text = value.known()?;
            if !self.steps(1 + text.len() as u64 / 32) {
                return None;
            }
            let holds = pattern.matches(&text)?;
            if all.is_some_and(|before| before != holds) {
                return None;
            }
            all = Some(holds);
        }
        all
    }

    /// After a test that held: a variable that was found not empty is guarded.
    pub(super) fn learn_from(&mut self, command: &Command, state: &mut State) {
        let name = match &command.form {
            Form::Test(Test::Unary(operator, word)) if self.slice(*operator) == "-n" => self.variable_of(word),
            Form::Test(Test::Word(word)) => self.variable_of(word),
            Form::Simple(simple) => {
                let words = simple.words.as_slice();
                let text = |word: &Node| self.slice(word.at);
                match words {
                    [test, operator, word] if text(test) == "test" && text(operator) == "-n" => self.variable_of(word),
                    [test, operator, word, close] if text(test) == "[" && text(operator) == "-n" && text(close) == "]" => {
                        self.variable_of(word)
                    }
                    [test, word, close] if text(test) == "[" && text(close) == "]" => self.variable_of(word),
                    _ => None,
                }
            }
            _ => None,
        };
        let Some(name) = name else { return };
        let span = self.span(command.at);
        let looked = self.look_up(&name, span, state);
        let [value] = looked.values.as_slice() else { return };
        if let [Piece::Hole(hole @ Hole { origin: Origin::Unset { guarded: false, .. }, .. })] = value.pieces.as_slice() {
            let hole = Hole { origin: Origin::Unset { name: name.clone(), guarded: true }, ..hole.clone() };
            let word = Word { values: vec![Value::hole(hole)], span, computed: false };
            state.variables.insert(name, Variable::scalar(word));
        }
    }

    /// The variable, where a word is nothing but its value.
    fn variable_of(&self, word: &Node) -> Option<String> {
        let part = match word.parts.as_slice() {
            [Part::Double(parts, _)] => parts.as_slice(),
            parts => parts,
        };
        let [Part::Parameter(parameter)] = part else { return None };
        let plain = match parameter.operator.as_deref() {
            None => true,
            Some(Operator::Default { kind: b'-', word, .. }) => word.parts.is_empty(),
            _ => false,
        };
        let name = self.slice(parameter.name);
        let variable = name.bytes().next().is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'_');
        (plain && variable && !parameter.indirect && matches!(parameter.subscript, Subscript::None)).then(|| name.to_string())
    }
}

/// A test of one word.
pub(in super::super) fn unary(operator: &str, word: &Word) -> Option<bool> {
    let full = |value: &Value| {
        if value
            .pieces
            .iter()
            .any(|piece| matches!(piece, Piece::Text { text, .. } if !text.is_empty()) || matches!(piece, Piece::Glob(_)))
        {
            Some(true)
        } else if value.pieces.is_empty() || value.known().is_some_and(|text| text.is_empty()) {
            Some(false)
        } else {
            None
        }
    };
    match operator {
        "-n" | "-z" => {
            let mut all: Option<bool> = None;
            for value in &word.values {
                let one = full(value)?;
                if all.is_some_and(|before| before != one) {
                    return None;
                }
                all = Some(one);
            }
            all.map(|full| full == (operator == "-n"))
        }
        _ => None,
    }
}

pub(in super::super) fn compare(operator: &str, left: i64, right: i64) -> Option<bool> {
    Some(match operator {
        "-eq" => left == right,
        "-ne" => left != right,
        "-lt" => left < right,
        "-le" => left <= right,
        "-gt" => left > right,
        "-ge" => left >= right,
        _ => return None,
    })
}
