//! Assignments, `declare` and its kin, `unset`, `alias`.

use super::super::run::flows;
use super::super::run::simple::{Call, joined};
use super::super::tree::{Assigned, Assignment, Element};
use super::super::words::expand::{Tilde, combine};
use super::super::words::fields;
use super::super::words::lookup::resolve;
use super::super::words::unknown;
use super::super::{CARRIED, LONGEST, Walk};
use super::{Outcome, done};
use crate::model::{Argument, Flow, Piece, Shape, Span, Taint, Value, Word};
use crate::shell::state::{Fold, State, Variable};

impl Walk<'_> {
    /// Sets a scalar by the rules of its declaration.
    pub(in super::super) fn set_scalar(&mut self, name: &str, word: Word, state: &mut State) {
        let word = Word { span: word.span, ..word };
        if let Some((base, key)) = name.strip_suffix(']').and_then(|name| name.split_once('[')) {
            let (base, key) = (base.to_string(), key.to_string());
            return self.set_element(&base, Some(key), word, false, state);
        }
        self.set(name, word, false, state);
    }

    fn set(&mut self, name: &str, word: Word, append: bool, state: &mut State) {
        let name = resolve(name, state).to_string();
        if state.memory.constants.contains(&name) {
            return;
        }
        if !self.steps(1 + (state.variables.len() / 32 + word.size() / CARRIED) as u64) {
            return;
        }
        let exported =
            state.option("allexport") || (!state.variables.contains_key(&name) && self.host.world().variable(&name).is_some());
        let old = if append { Some(self.look_up(&name, word.span, state)) } else { None };
        let variable = state.variables.entry(name.clone()).or_insert_with(Variable::unset);
        variable.exported |= exported;
        let mut value = match old {
            Some(old) if !old.absent && variable.fold != Fold::Integer => {
                let mut before = Word { values: old.values, span: word.span, computed: old.computed };
                drop_unset(&mut before);
                flows::append_word(&mut before, word);
                before
            }
            _ => word,
        };
        fold(&mut value, variable.fold);
        let span = value.span;
        value.values.iter_mut().for_each(|one| fields::settle(one, span));
        if append
            && value
                .values
                .iter()
                .any(|one| one.pieces.iter().any(|piece| matches!(piece, Piece::Text { text, .. } if text.len() > LONGEST)))
        {
            return self.limit("text", LONGEST as u64, span);
        }
        let Some(variable) = state.variables.get_mut(&name) else { return };
        match variable.array {
            true => match variable.value.first_mut() {
                Some(first) => *first = Argument::Word(value),
                None => variable.value.push(Argument::Word(value)),
            },
            false => variable.value = vec![Argument::Word(value)],
        }
    }

    fn set_element(&mut self, name: &str, key: Option<String>, word: Word, append: bool, state: &mut State) {
        let name = resolve(name, state).to_string();
        if state.memory.constants.contains(&name) {
            return;
        }
        let variable = state.variables.entry(name).or_insert_with(Variable::unset);
        variable.array = true;
        let open = variable.value.iter().any(|element| matches!(element, Argument::Splice(_)));
        let Some(key) = key.filter(|_| !open) else {
            // Some element: nothing is known of them any more but what they may carry.
            let mut taint = word.taint();
            for element in &variable.value {
                taint = taint.join(&match element {
                    Argument::Word(word) => word.taint(),
                    Argument::Splice(hole) => hole.taint.clone(),
                });
            }
            variable.value = vec![Argument::Splice(unknown(Shape::Any, taint, word.span))];
            variable.keys.clear();
            return;
        };
        if !variable.associative && variable.keys.is_empty() {
            let count = variable.value.len() as i64;
            match key.parse::<i64>() {
                Ok(index) if index < 0 || index < count => {
                    let at = if index < 0 { count + index } else { index };
                    if let Some(element) = usize::try_from(at).ok().and_then(|at| variable.value.get_mut(at)) {
                        put(element, word, append);
                    }
                    return;
                }
                Ok(index) if index == count => return variable.value.push(Argument::Word(word)),
                // A gap: from now on each element has its index.
                _ => variable.keys = (0..variable.value.len()).map(|index| index.to_string()).collect(),
            }
        }
        match variable.keys.iter().position(|own| *own == key) {
            Some(at) => put(&mut variable.value[at], word, append),
            None => {
                let at = if variable.associative {
                    variable.keys.len()
                } else {
                    let number = key.parse::<i64>().unwrap_or(i64::MAX);
                    variable.keys.iter().position(|own| own.parse::<i64>().unwrap_or(0) > number).unwrap_or(variable.keys.len())
                };
                variable.keys.insert(at, key);
                variable.value.insert(at, Argument::Word(word));
            }
        }
    }

    /// `name=value`, `name+=value`, `name[i]=value`, `name=(…)`.
    pub(in super::super) fn assign(&mut self, assignment: &Assignment, state: &mut State) {
        let name = self.slice(assignment.name).to_string();
        match (&assignment.value, &assignment.subscript) {
            (Assigned::Scalar(word), None) => {
                let integer = state.variables.get(&name).is_some_and(|variable| variable.fold == Fold::Integer);
                let word = if integer {
                    self.integer(&name, word, assignment.append, state)
                } else {
                    self.single(word, Tilde::Assignment, state)
                };
                self.set(&name, word, assignment.append && !integer, state);
            }
            (Assigned::Scalar(word), Some(subscript)) => {
                let word = self.single(word, Tilde::Assignment, state);
                let key = self.key(&name, subscript, state);
                self.set_element(&name, key, word, assignment.append, state);
            }
            (Assigned::Array(elements), _) => {
                self.assign_array(&name, elements, assignment.append, self.span(assignment.at), state)
            }
        }
    }

    fn integer(&mut self, name: &str, word: &super::super::tree::Word, append: bool, state: &mut State) -> Word {
        let span = self.span(word.at);
        let mut value = self.arithmetic(word, state);
        if append {
            let old = self.calculate(name, span, state, 0);
            value = old.zip(value).map(|(old, more)| old.wrapping_add(more));
        }
        let value = match value {
            Some(number) => Value::text(number.to_string(), span),
            None => Value::hole(unknown(Shape::Number, Taint::none(), span)),
        };
        Word { values: vec![value], span, computed: false }
    }

    fn key(&mut self, name: &str, subscript: &super::super::tree::Word, state: &mut State) -> Option<String> {
        if state.variables.get(resolve(name, state)).is_some_and(|variable| variable.associative) {
            return self.single(subscript, Tilde::No, state).known().map(|key| key.into_owned());
        }
        self.arithmetic(subscript, state).map(|index| index.to_string())
    }

    fn assign_array(&mut self, name: &str, elements: &[Element], append: bool, span: Span, state: &mut State) {
        let name = resolve(name, state).to_string();
        if state.memory.constants.contains(&name) {
            return;
        }
        let indexed = !state.variables.get(&name).is_some_and(|variable| variable.associative);
        if indexed && elements.iter().any(|element| element.subscript.is_some()) {
            return self.assign_indexed(&name, elements, append, span, state);
        }
        let mut plain: Vec<Vec<Argument>> = vec![Vec::new()];
        let mut keyed = Vec::new();
        for element in elements {
            match &element.subscript {
                None => {
                    let more = self.arguments(&element.value, state);
                    combine(&mut plain, more, span);
                }
                Some(subscript) => {
                    let word = self.single(&element.value, Tilde::Argument, state);
                    keyed.push((self.key(&name, subscript, state), word));
                }
            }
        }
        let plain = match plain.len() {
            1 => plain.pop().unwrap_or_default(),
            // Of different lengths: nothing is known but what they carry.
            _ => {
                let taint = plain
                    .iter()
                    .flatten()
                    .filter_map(Argument::word)
                    .fold(Taint::none(), |taint, word| taint.join(&word.taint()));
                vec![Argument::Splice(unknown(Shape::Any, taint, span))]
            }
        };
        let variable = state.variables.entry(name.clone()).or_insert_with(Variable::unset);
        if !append {
            variable.value.clear();
            variable.keys.clear();
        }
        variable.array = true;
        if variable.associative && keyed.is_empty() {
            // `a=(key value key value)`
            for pair in plain.chunks(2) {
                if let [Argument::Word(key), Argument::Word(value)] = pair {
                    let key = key.known().map(|key| key.into_owned());
                    self.set_element(&name, key, value.clone(), false, state);
                }
            }
            return;
        }
        if variable.keys.is_empty() {
            variable.value.extend(plain);
        } else {
            let next = variable.keys.iter().filter_map(|key| key.parse::<i64>().ok()).max().map_or(0, |key| key + 1);
            variable.keys.extend((next..).take(plain.len()).map(|index: i64| index.to_string()));
            variable.value.extend(plain);
        }
        for (key, word) in keyed {
            self.set_element(&name, key, word, false, state);
        }
    }

    /// `name=([3]=a b)`: an element without an index has the one after its neighbour's.
    fn assign_indexed(&mut self, name: &str, elements: &[Element], append: bool, span: Span, state: &mut State) {
        let mut values: Vec<(Option<String>, Word)> = Vec::new();
        let before = state.variables.get(name).filter(|_| append);
        let mut next = match before.map(|variable| (variable.keys.last(), variable.value.len())) {
            Some((Some(last), _)) => last.parse::<i64>().ok().map(|last| last + 1),
            Some((None, count)) => Some(count as i64),
            None => Some(0),
        };
        for element in elements {
            if let Some(subscript) = &element.subscript {
                let word = self.single(&element.value, Tilde::Argument, state);
                let key = self.key(name, subscript, state);
                next = key.as_ref().and_then(|key| key.parse::<i64>().ok()).map(|index| index.saturating_add(1));
                values.push((key, word));
                continue;
            }
            let mut lists = self.arguments(&element.value, state);
            let words = if lists.len() == 1 { lists.pop().unwrap_or_default() } else { lists.into_iter().flatten().collect() };
            for argument in words {
                let word = match argument {
                    Argument::Word(word) => word,
                    Argument::Splice(hole) => {
                        next = None;
                        Word { values: vec![Value::hole(hole)], span, computed: false }
                    }
                };
                values.push((next.map(|index| index.to_string()), word));
                next = next.map(|index| index.saturating_add(1));
            }
        }
        let variable = state.variables.entry(name.to_string()).or_insert_with(Variable::unset);
        if !append {
            variable.value.clear();
            variable.keys.clear();
        }
        variable.array = true;
        for (key, word) in values {
            self.set_element(name, key, word, false, state);
        }
    }
}

fn put(element: &mut Argument, word: Word, append: bool) {
    match element {
        Argument::Word(own) if append => flows::append_word(own, word),
        element => *element = Argument::Word(word),
    }
}

/// Before something is appended: a variable that nothing sets is empty.
fn drop_unset(word: &mut Word) {
    for value in &mut word.values {
        value
            .pieces
            .retain(|piece| !matches!(piece, Piece::Hole(hole) if matches!(hole.origin, crate::model::Origin::Unset { .. })));
    }
}

fn fold(word: &mut Word, fold: Fold) {
    if !matches!(fold, Fold::Lower | Fold::Upper) {
        return;
    }
    for piece in word.values.iter_mut().flat_map(|value| &mut value.pieces) {
        if let Piece::Text { text, .. } = piece {
            *text = if fold == Fold::Lower { text.to_lowercase() } else { text.to_uppercase() };
        }
    }
}

#[derive(Default)]
struct Flags {
    local: bool,
    global: bool,
    export: Option<bool>,
    array: bool,
    associative: bool,
    reference: bool,
    fold: Option<Fold>,
    functions: bool,
    /// Outside of functions: there a name is free again when the call is over.
    constant: bool,
}

pub(super) fn declare(walk: &mut Walk<'_>, call: &Call<'_>, arguments: Vec<Argument>, state: &mut State) -> Outcome {
    let program = call.simple.words.first().map(|word| walk.slice(word.at).to_string()).unwrap_or_default();
    let local = matches!(program.as_str(), "local" | "declare" | "typeset" | "integer") && !state.memory.locals.is_empty();
    let mut flags = Flags { local, export: (program == "export").then_some(true), ..Flags::default() };
    if program == "integer" {
        flags.fold = Some(Fold::Integer);
    }
    let mut operands = Vec::new();
    for argument in arguments {
        let text = argument.word().and_then(|word| word.known()).map(|text| text.into_owned());
        match text.as_deref() {
            Some("--") => {}
            Some(option) if option.len() > 1 && option.starts_with(['-', '+']) && operands.is_empty() => flags.read(option),
            _ => operands.push(argument),
        }
    }
    flags.constant |= program == "readonly";
    flags.constant &= !flags.local;
    if flags.functions {
        return Outcome { output: Flow::Unknown(Taint::none()), success: Some(true) };
    }
    for argument in &operands {
        let Argument::Word(word) = argument else { continue };
        let Some((name, value)) = split_assignment(word) else { continue };
        let (append, name) = match name.strip_suffix('+') {
            Some(name) => (true, name.to_string()),
            None => (false, name),
        };
        let local = flags.swap_global(&name, state);
        walk.prepare(&name, &flags, state);
        if let Some(value) = value {
            if flags.reference {
                let target = value.known().map(|text| text.into_owned());
                if let Some(variable) = state.variables.get_mut(&name) {
                    variable.reference = target.filter(|target| *target != name);
                }
            } else {
                walk.set(&name, value, append, state);
            }
        }
        flags.swap_back(&name, local, state);
        flags.fix(&name, state);
    }
    for assignment in call.declared {
        let name = walk.slice(assignment.name).to_string();
        if flags.reference
            && let Assigned::Scalar(word) = &assignment.value
        {
            let target = walk.single(word, Tilde::No, state).known().map(|text| text.into_owned());
            walk.prepare(&name, &flags, state);
            if let Some(variable) = state.variables.get_mut(&name) {
                variable.reference = target.filter(|target| *target != name);
            }
            continue;
        }
        let local = flags.swap_global(&name, state);
        walk.declare_one(&name, assignment, &flags, state);
        flags.swap_back(&name, local, state);
        flags.fix(&name, state);
    }
    done(Some(true))
}

impl Walk<'_> {
    /// The value of `local x=$x` is the outer one: it is read before the name is made local.
    fn declare_one(&mut self, name: &str, assignment: &Assignment, flags: &Flags, state: &mut State) {
        if let (Assigned::Scalar(word), None, None | Some(Fold::None), false) =
            (&assignment.value, &assignment.subscript, flags.fold, assignment.append)
        {
            let value = self.single(word, Tilde::Assignment, state);
            self.prepare(name, flags, state);
            let integer = state.variables.get(name).is_some_and(|variable| variable.fold == Fold::Integer);
            if !integer {
                return self.set(name, value, false, state);
            }
        } else {
            self.prepare(name, flags, state);
        }
        self.assign(assignment, state);
    }

    fn prepare(&mut self, name: &str, flags: &Flags, state: &mut State) {
        let before = state.variables.get(name).cloned();
        if flags.local {
            let fresh = match state.memory.locals.last_mut() {
                Some(frame) if !frame.contains_key(name) => {
                    frame.insert(name.to_string(), before.clone());
                    true
                }
                _ => false,
            };
            if fresh {
                state.variables.insert(name.to_string(), Variable::unset());
            }
        } else if before.is_none()
            && (flags.export.is_some() || flags.fold.is_none())
            && !flags.array
            && !flags.associative
            && !flags.reference
        {
            // `export X` of a variable of the environment changes nothing.
            if flags.export == Some(true) && self.host.world().variable(name).is_none() {
                return self.declare_unset(name, state);
            }
            return;
        }
        let variable = state.variables.entry(name.to_string()).or_insert_with(Variable::unset);
        if let Some(export) = flags.export {
            variable.exported = export;
        }
        variable.array |= flags.array || flags.associative;
        variable.associative |= flags.associative;
        if let Some(fold) = flags.fold {
            variable.fold = fold;
        }
    }

    /// Exported, but not set: it stays unset, and is exported once it is.
    fn declare_unset(&mut self, name: &str, state: &mut State) {
        let looked = self.look_up(name, Span::default(), state);
        let word = Word { values: looked.values, span: Span::default(), computed: false };
        state.variables.insert(name.to_string(), Variable { exported: true, ..Variable::scalar(word) });
    }
}

impl Flags {
    /// With `-g`, the variable outside of all functions is meant: it stands for a while where a call's own one stands, which
    /// is given.
    fn swap_global(&self, name: &str, state: &mut State) -> Option<Option<Variable>> {
        let frame = state.memory.locals.iter().position(|frame| frame.contains_key(name)).filter(|_| self.global)?;
        let outer = state.memory.locals[frame].remove(name).flatten();
        let own = state.variables.remove(name);
        if let Some(outer) = outer {
            state.variables.insert(name.to_string(), outer);
        }
        state.memory.locals[frame].insert(name.to_string(), None);
        Some(own)
    }

    fn swap_back(&self, name: &str, local: Option<Option<Variable>>, state: &mut State) {
        let Some(own) = local else { return };
        let outer = state.variables.remove(name);
        if let Some(frame) = state.memory.locals.iter_mut().find(|frame| frame.contains_key(name)) {
            frame.insert(name.to_string(), outer);
        }
        if let Some(own) = own {
            state.variables.insert(name.to_string(), own);
        }
    }

    /// `readonly`: the value stays what it is.
    fn fix(&self, name: &str, state: &mut State) {
        if self.constant {
            state.memory.constants.insert(name.to_string());
        }
    }

    fn read(&mut self, option: &str) {
        let on = option.starts_with('-');
        for letter in option[1..].chars() {
            match letter {
                'x' => self.export = Some(on),
                'n' if self.export == Some(true) => self.export = Some(false),
                'n' => self.reference = on,
                'a' => self.array = on,
                'A' => self.associative = on,
                'g' => (self.local, self.global) = (false, true),
                'l' => self.fold = Some(if on { Fold::Lower } else { Fold::None }),
                'u' => self.fold = Some(if on { Fold::Upper } else { Fold::None }),
                'i' => self.fold = Some(if on { Fold::Integer } else { Fold::None }),
                'r' => self.constant |= on,
                'f' | 'F' | 'p' => self.functions = true,
                _ => {}
            }
        }
    }
}

/// `NAME=value` of an expanded word.
fn split_assignment(word: &Word) -> Option<(String, Option<Word>)> {
    let [value] = word.values.as_slice() else { return None };
    let Some(Piece::Text { text, span }) = value.pieces.first() else { return None };
    let Some(equals) = text.find('=') else {
        return value.known().map(|name| (name.into_owned(), None));
    };
    let name = text[..equals].to_string();
    let exact = span.len() == text.len();
    let own = if exact { Span { start: span.start + equals as u32 + 1, ..*span } } else { *span };
    let mut pieces = Vec::new();
    if equals + 1 < text.len() {
        pieces.push(Piece::Text { text: text[equals + 1..].to_string(), span: own });
    }
    pieces.extend(value.pieces[1..].iter().cloned());
    Some((name, Some(Word { values: vec![Value { pieces }], ..word.clone() })))
}

pub(super) fn unset(_: &mut Walk<'_>, _: &Call<'_>, arguments: Vec<Argument>, state: &mut State) -> Outcome {
    let mut functions = false;
    for text in super::known_texts(&arguments) {
        match text.as_deref() {
            Some("-f") => functions = true,
            Some("-v" | "-n" | "--") => functions = false,
            Some(name) if functions => {
                state.memory.functions.remove(name);
            }
            Some(name) => remove(name, state),
            // Any of them.
            None => {}
        }
    }
    done(Some(true))
}

fn remove(name: &str, state: &mut State) {
    if let Some((base, key)) = name.strip_suffix(']').and_then(|name| name.split_once('[')) {
        if let Some(variable) = state.variables.get_mut(base) {
            if variable.keys.is_empty() {
                variable.keys = (0..variable.value.len()).map(|index| index.to_string()).collect();
            }
            if let Some(at) = variable.keys.iter().position(|own| own == key.trim_matches(['"', '\''])) {
                variable.keys.remove(at);
                variable.value.remove(at);
            }
        }
        return;
    }
    let name = resolve(name, state).to_string();
    if state.memory.constants.contains(&name) {
        return;
    }
    if state.variables.contains_key(&name) || name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') {
        if state.variables.contains_key(&name) || !state.memory.functions.contains_key(&name) {
            state.variables.insert(name, Variable::unset());
        } else {
            state.memory.functions.remove(&name);
        }
    } else {
        state.memory.functions.remove(&name);
    }
}

pub(super) fn alias(_: &mut Walk<'_>, _: &Call<'_>, arguments: Vec<Argument>, state: &mut State) -> Outcome {
    for argument in &arguments {
        if let Argument::Word(word) = argument
            && let Some((name, Some(value))) = split_assignment(word)
        {
            state.memory.aliases.insert(name, value);
        }
    }
    done(Some(true))
}

pub(super) fn unalias(_: &mut Walk<'_>, call: &Call<'_>, arguments: Vec<Argument>, state: &mut State) -> Outcome {
    for argument in &arguments {
        match joined(std::slice::from_ref(argument), " ", call.span).known().as_deref() {
            Some("-a") => state.memory.aliases.clear(),
            Some(name) => {
                state.memory.aliases.remove(name);
            }
            None => {}
        }
    }
    done(Some(true))
}
