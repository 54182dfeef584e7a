//! A run or an effect with every hole taken as empty that is a variable set nowhere and unguarded: what most likely happens.

use std::borrow::Cow;

use crate::model::call::Run;
use crate::model::effect::{Effect, Object};
use crate::model::invocation::Reading;
use crate::model::path::{is_absolute, join};
use crate::model::word::{Argument, Hole, Origin, Piece, Shape, Value, Word};

fn empties(hole: &Hole) -> bool {
    hole.shape == Shape::Any && matches!(hole.origin, Origin::Unset { guarded: false, .. })
}

fn affected(word: &Word) -> bool {
    word.values.iter().flat_map(Value::holes).any(empties)
}

fn word(word: &Word) -> Word {
    let mut bare = word.clone();
    for value in &mut bare.values {
        value.pieces.retain(|piece| !matches!(piece, Piece::Hole(hole) if empties(hole)));
    }
    bare
}

/// None where there is no such hole.
pub fn effect(effect: &Effect) -> Option<Effect> {
    let (Object::Path(object) | Object::Address(object) | Object::Other(object)) = &effect.object else { return None };
    if !affected(object) {
        return None;
    }
    let bare = word(object);
    let object = match &effect.object {
        Object::Path(_) => Object::Path(bare),
        Object::Address(_) => Object::Address(bare),
        _ => Object::Other(bare),
    };
    Some(Effect { object, ..effect.clone() })
}

/// The path that is left, glob operators as written, where it is one and absolute: what is left of `"$X"/src` may be a root of
/// something, what is left of `"$X"` is nothing.
pub fn path(bare: &Effect) -> Option<String> {
    let Object::Path(word) = &bare.object else { return None };
    let [value] = word.values.as_slice() else { return None };
    let text = value.emptied();
    is_absolute(&text).then(|| join("/", &text))
}

/// None where there is no such hole.
pub fn reading<'r>(run: &Run, reading: &'r Reading) -> Option<Cow<'r, Reading>> {
    let splice = |argument: &Argument| matches!(argument, Argument::Splice(hole) if empties(hole));
    let touched = |argument: &Argument| splice(argument) || argument.word().is_some_and(affected);
    let options = reading.options.iter().filter_map(|option| option.value.as_ref()).any(affected);
    if !options && !reading.positionals.iter().chain(&run.invocation.arguments).any(touched) {
        return None;
    }
    let mut bare = reading.clone();
    for option in &mut bare.options {
        option.value = option.value.as_ref().map(word);
    }
    // Splices that go shift the place of a literal `--`.
    let gone_before = |dashes: usize| reading.positionals.iter().take(dashes).filter(|argument| splice(argument)).count();
    bare.dashes = reading.dashes.map(|dashes| dashes - gone_before(dashes));
    bare.positionals.retain(|argument| !splice(argument));
    for argument in &mut bare.positionals {
        if let Argument::Word(known) = argument {
            *known = word(known);
        }
    }
    bare.open = reading.open
        && run.invocation.arguments.iter().any(|argument| matches!(argument, Argument::Splice(hole) if !empties(hole)));
    Some(Cow::Owned(bare))
}
