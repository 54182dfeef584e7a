//! What a parameter's name stands for: script variables, positional and special parameters, the environment.

use super::super::Walk;
use super::parameter::any_element;
use super::unknown;
use crate::model::{Argument, Directory, Hole, Origin, Place, Shape, Span, Taint, Value, path};
use crate::shell::state::{State, Variable};

/// The values of a scalar parameter.
pub(in super::super) struct Looked {
    pub(in super::super) values: Vec<Value>,
    pub(in super::super) computed: bool,
    /// It is certain that nothing sets it.
    pub(in super::super) absent: bool,
}

impl Looked {
    fn value(value: Value) -> Looked {
        Looked { values: vec![value], computed: false, absent: false }
    }

    fn text(text: impl Into<String>, span: Span) -> Looked {
        Looked::value(Value::text(text, span))
    }

    fn hole(hole: Hole) -> Looked {
        Looked::value(Value::hole(hole))
    }

    fn absent() -> Looked {
        Looked { values: vec![Value::default()], computed: false, absent: true }
    }

    fn argument(argument: &Argument, span: Span) -> Looked {
        match argument {
            Argument::Word(word) => Looked { values: word.values.clone(), computed: word.computed, absent: false },
            Argument::Splice(hole) => Looked::hole(Hole { span, ..hole.clone() }),
        }
    }
}

/// Numbers that every run gives anew.
const NUMBERS: [&str; 14] = [
    "RANDOM",
    "SRANDOM",
    "SECONDS",
    "LINENO",
    "PPID",
    "UID",
    "EUID",
    "BASHPID",
    "EPOCHSECONDS",
    "SHLVL",
    "COLUMNS",
    "LINES",
    "GROUPS",
    "OPTIND",
];

/// Follows `declare -n`.
pub(in super::super) fn resolve<'n>(name: &'n str, state: &'n State) -> &'n str {
    let mut name = name;
    for _ in 0..8 {
        match state.variables.get(name).and_then(|variable| variable.reference.as_deref()) {
            Some(next) => name = next,
            None => break,
        }
    }
    name
}

impl Walk<'_> {
    /// The value of a scalar, `$name`.
    pub(in super::super) fn look_up(&mut self, name: &str, span: Span, state: &State) -> Looked {
        let first = name.as_bytes().first().copied().unwrap_or(0);
        if first.is_ascii_digit() {
            return self.positional(name, span, state);
        }
        if !(first.is_ascii_alphabetic() || first == b'_') {
            return self.special(first, span, state);
        }
        let name = resolve(name, state);
        if let Some(variable) = state.variables.get(name) {
            return self.script_variable(variable, span);
        }
        match name {
            "PWD" => return directory_value(&state.directory, span),
            "OLDPWD" => {
                if let Some(directory) = &state.memory.previous {
                    return directory_value(directory, span);
                }
            }
            "IFS" => return Looked::text(" \t\n", span),
            _ if NUMBERS.contains(&name) => return Looked::hole(unknown(Shape::Number, Taint::none(), span)),
            _ => {}
        }
        self.environment(name, span, state)
    }

    fn script_variable(&mut self, variable: &Variable, span: Span) -> Looked {
        if variable.array && !variable.keys.is_empty() {
            // The element 0 of an associative or sparse array.
            return match variable.keys.iter().position(|key| key == "0").and_then(|index| variable.value.get(index)) {
                Some(element) => Looked::argument(element, span),
                None => Looked::absent(),
            };
        }
        match variable.value.first() {
            Some(argument) => Looked::argument(argument, span),
            None => Looked::absent(),
        }
    }

    fn positional(&mut self, name: &str, span: Span, state: &State) -> Looked {
        let index: usize = name.parse().unwrap_or(usize::MAX);
        let unset = || Hole {
            shape: Shape::Any,
            origin: Origin::Unset { name: name.to_string(), guarded: state.option("nounset") },
            taint: Taint::none(),
            span,
        };
        if state.positional.is_empty() {
            return if index == 0 { Looked::text("bash", span) } else { Looked::hole(unset()) };
        }
        let before = state.positional.iter().take(index.saturating_add(1)).find_map(|argument| match argument {
            Argument::Splice(hole) => Some(hole),
            Argument::Word(_) => None,
        });
        let spread = state.positional.iter().take(index).position(may_be_many);
        if let (None, Some(at)) = (before, spread) {
            // Names that a glob stands for come before it, so it is one of them, or a later word.
            let end = (index + 1).min(state.positional.len());
            let mut any = any_element(&state.positional[at..end], span);
            if index >= state.positional.len() {
                any.values.push(Value::hole(unset()));
            }
            return any;
        }
        match (before, state.positional.get(index)) {
            (Some(hole), _) => Looked::hole(Hole { span, ..hole.clone() }),
            (None, Some(argument)) => Looked::argument(argument, span),
            (None, None) => Looked::absent(),
        }
    }

    fn special(&mut self, name: u8, span: Span, state: &State) -> Looked {
        let number = || Looked::hole(unknown(Shape::Number, Taint::none(), span));
        match name {
            b'?' => match state.status {
                Some(true) => Looked::text("0", span),
                _ => number(),
            },
            b'#' => {
                let splice = state.positional.iter().any(may_be_many);
                if splice { number() } else { Looked::text(state.positional.len().saturating_sub(1).to_string(), span) }
            }
            b'$' | b'!' => number(),
            _ => Looked::hole(unknown(Shape::Any, Taint::none(), span)),
        }
    }

    /// `language.md`, Certainty: HOME, USER and a TMPDIR within a temporary root are known; others are their value or a hole.
    fn environment(&mut self, name: &str, span: Span, state: &State) -> Looked {
        let hole = |taint: bool| Hole {
            shape: Shape::Any,
            origin: Origin::Environment(name.to_string()),
            taint: Taint { environment: taint, ..Taint::none() },
            span,
        };
        if state.place != Place::Here {
            // Another machine's home is known by its sign alone.
            return if name == "HOME" { Looked::text("~", span) } else { Looked::hole(hole(true)) };
        }
        let world = self.host.world();
        match name {
            "HOME" => match world.homes().into_iter().next() {
                Some(home) => return Looked::text(home, span),
                None => return Looked::hole(hole(true)),
            },
            "USER" | "LOGNAME" => {
                if let Some(user) = world.variable(name).or_else(|| world.variable("USER")) {
                    return Looked::text(user, span);
                }
            }
            "TMPDIR" => {
                if let Some(directory) = world.variable(name)
                    && world.temporary().iter().any(|root| path::is_within(&directory, root))
                {
                    return Looked::text(directory, span);
                }
            }
            _ => {}
        }
        match world.variable(name) {
            Some(value) => {
                Looked { values: vec![Value::text(value, span), Value::hole(hole(true))], computed: false, absent: false }
            }
            None => {
                let origin = Origin::Unset { name: name.to_string(), guarded: state.option("nounset") };
                Looked::hole(Hole { origin, ..hole(false) })
            }
        }
    }

    /// The elements of `$@`, `$*`, `a[@]`, `a[*]`.
    pub(in super::super) fn elements(&mut self, name: &str, span: Span, state: &State) -> Vec<Argument> {
        if matches!(name, "@" | "*") {
            return state.positional.iter().skip(1).cloned().collect();
        }
        let name = resolve(name, state);
        if let Some(variable) = state.variables.get(name) {
            return variable.value.clone();
        }
        let looked = self.look_up(name, span, state);
        let unset = looked.absent
            || matches!(looked.values.as_slice(), [value] if matches!(value.pieces.as_slice(), [crate::model::Piece::Hole(hole)] if matches!(hole.origin, Origin::Unset { .. })));
        if unset {
            return Vec::new();
        }
        vec![Argument::Word(crate::model::Word { values: looked.values, span, computed: looked.computed })]
    }
}

/// Whether an argument may be several: what splits, and what stands for names.
pub(in super::super) fn may_be_many(argument: &Argument) -> bool {
    match argument {
        Argument::Splice(_) => true,
        Argument::Word(word) => word.values.iter().any(Value::has_glob),
    }
}

/// A directory as a value.
pub(in super::super) fn directory_value(directory: &Directory, span: Span) -> Looked {
    match directory {
        Directory::Known(path) => Looked::text(path.clone(), span),
        Directory::OneOf(paths) => Looked {
            values: paths.iter().map(|path| Value::text(path.clone(), span)).collect(),
            computed: false,
            absent: false,
        },
        Directory::Unknown => Looked::hole(unknown(Shape::Any, Taint::none(), span)),
    }
}
