//! `$x`, `${x…}`, `$@`, `${a[@]…}` → fragments.

use super::super::Walk;
use super::super::tree::{Operator, Parameter, Subscript};
use super::lookup::{Looked, may_be_many, resolve};
use super::{Expansion, Fragment, Mode, fragments_of, unknown};
use crate::model::{Argument, Piece, Shape, Span, Taint, Value, Word};
use crate::shell::state::{MOST_VALUES, State};

impl Walk<'_> {
    pub(in super::super) fn parameter(&mut self, parameter: &Parameter, quoted: bool, state: &mut State) -> Expansion {
        let span = self.span(parameter.at);
        let mode = if quoted { Mode::Quoted } else { Mode::Expanded };
        let mut name = self.slice(parameter.name).replace("\\\n", "");
        if name.is_empty() || matches!(parameter.operator.as_deref(), Some(Operator::Unknown)) {
            return hole_of(unknown(Shape::Any, Taint::none(), span), mode);
        }
        let mut each = match (&parameter.subscript, name.as_str()) {
            (Subscript::None, "@") | (Subscript::Each, _) => Some(true),
            (Subscript::None, "*") | (Subscript::Joined, _) => Some(false),
            _ => None,
        };
        let mut index = None;
        if parameter.indirect {
            if let Some(Operator::Names) = parameter.operator.as_deref() {
                return self.names(&name, quoted, span, state);
            }
            if each.is_some() && !matches!(parameter.subscript, Subscript::None) {
                return self.keys(&name, quoted, span, state);
            }
            let looked = self.scalar(&name, &parameter.subscript, span, state);
            let [value] = looked.values.as_slice() else { return hole_of(unknown(Shape::Any, Taint::none(), span), mode) };
            let Some(target) = value.known() else { return hole_of(unknown(Shape::Any, Taint::none(), span), mode) };
            let target = target.into_owned();
            // A name that refers (`declare -n`) gives the other's name.
            if let Some(reference) = state.variables.get(&name).and_then(|variable| variable.reference.clone()) {
                return text_of(&reference, span, mode);
            }
            match target.split_once('[') {
                Some((base, subscript)) => {
                    each = match subscript {
                        "@]" => Some(true),
                        "*]" => Some(false),
                        _ => None,
                    };
                    index = Some(subscript.trim_end_matches(']').to_string());
                    name = base.to_string();
                }
                None if target == "@" || target == "*" => {
                    each = Some(target == "@");
                    name = target;
                }
                None => name = target,
            }
            if name.is_empty() {
                return Expansion::empty();
            }
        }
        if let Some(each) = each {
            return self.list_parameter(parameter, &name, each, quoted, span, state);
        }
        let looked = match index {
            Some(index) => self.element(&name, &index, span, state),
            None if parameter.indirect => self.look_up(&name, span, state),
            None => self.scalar(&name, &parameter.subscript, span, state),
        };
        self.operate(parameter, &name, looked, mode, span, state)
    }

    fn scalar(&mut self, name: &str, subscript: &Subscript, span: Span, state: &mut State) -> Looked {
        match subscript {
            Subscript::Index(word) => {
                let name = resolve(name, state).to_string();
                let associative = state.variables.get(&name).is_some_and(|variable| variable.associative);
                if associative {
                    let key = self.single(word, super::expand::Tilde::No, state);
                    return match key.known() {
                        Some(key) => self.element(&name, &key, span, state),
                        None => any_element(&self.elements(&name, span, state), span),
                    };
                }
                match self.arithmetic(word, state) {
                    Some(number) => self.element(&name, &number.to_string(), span, state),
                    None => any_element(&self.elements(&name, span, state), span),
                }
            }
            _ => self.look_up(name, span, state),
        }
    }

    fn element(&mut self, name: &str, key: &str, span: Span, state: &State) -> Looked {
        let name = resolve(name, state);
        let nothing = Looked { values: vec![Value::default()], computed: false, absent: true };
        let Some(variable) = state.variables.get(name) else {
            return if key == "0" { self.look_up(name, span, state) } else { nothing };
        };
        if variable.value.iter().any(|element| matches!(element, Argument::Splice(_))) {
            return any_element(&variable.value, span);
        }
        let index = if variable.keys.is_empty() {
            match key.parse::<i64>() {
                Ok(number) if number < 0 => usize::try_from(variable.value.len() as i64 + number).ok(),
                Ok(number) => usize::try_from(number).ok(),
                Err(_) => None,
            }
        } else {
            variable.keys.iter().position(|own| own == key).or_else(|| match key.parse::<i64>() {
                Ok(number) if number < 0 && !variable.associative => usize::try_from(variable.value.len() as i64 + number).ok(),
                _ => None,
            })
        };
        match index.and_then(|index| variable.value.get(index)) {
            Some(element) => any_element(std::slice::from_ref(element), span),
            None => nothing,
        }
    }

    fn names(&mut self, prefix: &str, quoted: bool, span: Span, state: &State) -> Expansion {
        let mode = if quoted { Mode::Quoted } else { Mode::Expanded };
        let mut fragments = Vec::new();
        for name in state.variables.keys().filter(|name| name.starts_with(prefix)) {
            if !fragments.is_empty() {
                fragments.push(Fragment::Break);
            }
            fragments.push(Fragment::Text { text: name.clone(), span, mode });
        }
        Expansion::of(vec![fragments], false)
    }

    fn keys(&mut self, name: &str, quoted: bool, span: Span, state: &State) -> Expansion {
        let mode = if quoted { Mode::Quoted } else { Mode::Expanded };
        let name = resolve(name, state);
        let Some(variable) = state.variables.get(name) else { return Expansion::empty() };
        if variable.value.iter().any(|element| matches!(element, Argument::Splice(_))) {
            return Expansion::of(vec![vec![Fragment::Many(unknown(Shape::Any, Taint::none(), span))]], false);
        }
        let mut fragments = Vec::new();
        for index in 0..variable.value.len() {
            if index > 0 {
                fragments.push(Fragment::Break);
            }
            let text = variable.keys.get(index).cloned().unwrap_or_else(|| index.to_string());
            fragments.push(Fragment::Text { text, span, mode });
        }
        Expansion::of(vec![fragments], false)
    }

    fn list_parameter(
        &mut self,
        parameter: &Parameter,
        name: &str,
        each: bool,
        quoted: bool,
        span: Span,
        state: &mut State,
    ) -> Expansion {
        let mode = if quoted { Mode::Quoted } else { Mode::Expanded };
        let mut elements = self.elements(name, span, state);
        let spliced = elements.iter().any(may_be_many);
        let operator = parameter.operator.as_deref();
        match operator {
            Some(Operator::Length) => {
                return if spliced {
                    hole_of(unknown(Shape::Number, Taint::none(), span), mode)
                } else {
                    text_of(&elements.len().to_string(), span, mode)
                };
            }
            Some(Operator::Default { kind, colon, word }) => {
                let blank = elements.is_empty() || (*colon && all_empty(&elements));
                if matches!(kind, b'-' | b'=') && blank {
                    return self.operand(word, mode, state);
                }
                if *kind == b'+' {
                    return if blank { Expansion::empty() } else { self.operand(word, mode, state) };
                }
            }
            Some(Operator::Substring { offset, length }) => {
                let positional = matches!(name, "@" | "*");
                let from = self.arithmetic(offset, state);
                let count = match length {
                    Some(length) => self.arithmetic(length, state).map(Some),
                    None => Some(None),
                };
                let (Some(from), Some(count), false) = (from, count, spliced) else {
                    return Expansion::of(vec![vec![Fragment::Many(unknown(Shape::Any, taint_of(&elements), span))]], false);
                };
                if positional {
                    let zero = state.positional.first().cloned();
                    elements.insert(0, zero.unwrap_or_else(|| Argument::Word(Word::known_text("bash", span))));
                }
                let sparse = state.variables.get(resolve(name, state)).filter(|variable| !positional && !variable.associative);
                match sparse.map(|variable| variable.keys.as_slice()) {
                    Some(keys @ [.., last]) => {
                        // An offset is an index, whether or not there are elements before it.
                        let index = |key: &String| key.parse::<i64>().unwrap_or(0);
                        let from = if from < 0 { index(last) + 1 + from } else { from };
                        let skipped = keys.iter().take_while(|key| index(key) < from).count() as i64;
                        elements = slice(elements, if from < 0 { i64::MAX } else { skipped }, count);
                    }
                    _ => elements = slice(elements, from, count),
                }
            }
            _ => {}
        }
        self.join_elements(parameter, &elements, each, quoted, span, state)
    }

    fn join_elements(
        &mut self,
        parameter: &Parameter,
        elements: &[Argument],
        each: bool,
        quoted: bool,
        span: Span,
        state: &mut State,
    ) -> Expansion {
        let mode = if quoted { Mode::Quoted } else { Mode::Expanded };
        let separator = self.separator(state);
        let mut all = Expansion::empty();
        if elements.is_empty() && quoted && !each {
            all.push_text("", span, mode);
        }
        for (index, element) in elements.iter().enumerate() {
            if index > 0 {
                if each || !quoted {
                    all.push(Fragment::Break);
                } else if !separator.is_empty() {
                    all.push_text(&separator, span, mode);
                }
            }
            match element {
                Argument::Splice(hole) if quoted && !each => all.push(Fragment::Hole { hole: hole.clone(), mode }),
                Argument::Splice(hole) => all.push(Fragment::Many(hole.clone())),
                Argument::Word(word) => {
                    let looked = Looked { values: word.values.clone(), computed: word.computed, absent: false };
                    let one = match parameter.operator.as_deref() {
                        None | Some(Operator::Default { .. } | Operator::Substring { .. } | Operator::Names) => {
                            values_of(&looked.values, looked.computed, mode)
                        }
                        Some(_) => self.operate(parameter, "", looked, mode, span, state),
                    };
                    all.append(one, span);
                }
            }
        }
        all
    }
}

/// Whether the elements are no text: of two empty ones there is a blank between them.
fn all_empty(elements: &[Argument]) -> bool {
    match elements {
        [] => true,
        [Argument::Word(word)] => word.known().is_some_and(|text| text.is_empty()),
        _ => false,
    }
}

fn slice(elements: Vec<Argument>, from: i64, count: Option<i64>) -> Vec<Argument> {
    let total = elements.len() as i64;
    let start = if from < 0 { total + from } else { from };
    if start < 0 || start > total {
        return Vec::new();
    }
    let end = match count {
        Some(count) if count < 0 => (total + count).max(start),
        Some(count) => start.saturating_add(count).min(total),
        None => total,
    };
    elements.into_iter().skip(start as usize).take((end - start) as usize).collect()
}

pub(super) fn taint_of(elements: &[Argument]) -> Taint {
    elements.iter().fold(Taint::none(), |taint, element| {
        taint.join(&match element {
            Argument::Word(word) => word.taint(),
            Argument::Splice(hole) => hole.taint.clone(),
        })
    })
}

/// One of the elements, not known which.
pub(super) fn any_element(elements: &[Argument], span: Span) -> Looked {
    let mut values = Vec::new();
    let mut computed = false;
    for element in elements {
        match element {
            Argument::Word(word) => {
                values.extend(word.values.iter().cloned());
                computed |= word.computed;
            }
            Argument::Splice(hole) => values.push(Value::hole(hole.clone())),
        }
    }
    if values.is_empty() || values.len() > MOST_VALUES {
        values = vec![Value::hole(unknown(Shape::Any, taint_of(elements), span))];
    }
    Looked { values, computed, absent: false }
}

pub(super) fn hole_of(hole: crate::model::Hole, mode: Mode) -> Expansion {
    Expansion::of(vec![vec![Fragment::Hole { hole, mode }]], false)
}

pub(super) fn text_of(text: &str, span: Span, mode: Mode) -> Expansion {
    Expansion::of(vec![vec![Fragment::Text { text: text.to_string(), span, mode }]], false)
}

pub(super) fn values_of(values: &[Value], computed: bool, mode: Mode) -> Expansion {
    Expansion::of(values.iter().map(|value| fragments_of(value, mode)).collect(), computed)
}

/// How a value counts for `-`, `=`, `?`, `+`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Presence {
    /// Nothing sets it: its hole is most likely empty.
    Unset,
    Empty,
    Full,
    /// It may be any of them.
    Open,
}

pub(super) fn presence(value: &Value) -> Presence {
    if value
        .pieces
        .iter()
        .any(|piece| matches!(piece, Piece::Text { text, .. } if !text.is_empty()) || matches!(piece, Piece::Glob(_)))
    {
        return Presence::Full;
    }
    match value.pieces.as_slice() {
        [Piece::Hole(hole)] => match &hole.origin {
            crate::model::Origin::Unset { guarded: false, .. } => Presence::Unset,
            _ if hole.shape != Shape::Any => Presence::Full,
            _ => Presence::Open,
        },
        pieces if pieces.iter().any(|piece| matches!(piece, Piece::Hole(_))) => Presence::Open,
        _ => Presence::Empty,
    }
}
