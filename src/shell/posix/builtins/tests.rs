//! `test`, `[`, `let`.

use super::super::run::simple::{Call, joined};
use super::super::run::tests::{compare, unary};
use super::super::words::same_value;
use super::super::{Outcome, Walk};
use super::{done, known_texts};
use crate::model::{Argument, Word};
use crate::shell::state::State;

pub(super) fn test(walk: &mut Walk<'_>, _: &Call<'_>, mut arguments: Vec<Argument>, state: &mut State) -> Outcome {
    if known_texts(&arguments).last().and_then(|text| text.as_deref()) == Some("]") {
        arguments.pop();
    }
    // POSIX describes four arguments; what is longer than anybody writes is not evaluated.
    if arguments.len() > 64 {
        return done(None);
    }
    done(expression(walk, &arguments, state))
}

/// By the number of arguments, as POSIX says.
fn expression(walk: &mut Walk<'_>, arguments: &[Argument], state: &State) -> Option<bool> {
    let mut words: Vec<&Word> = Vec::with_capacity(arguments.len());
    for argument in arguments {
        words.push(argument.word()?);
    }
    let text = |at: usize| words.get(at).and_then(|word| word.known()).map(|text| text.into_owned());
    match words.len() {
        0 => Some(false),
        1 => unary("-n", words[0]),
        _ => {
            // `-a` and `-o` join, weakest first.
            for (operator, either) in [("-o", true), ("-a", false)] {
                if words.len() > 3
                    && let Some(at) = (1..words.len() - 1).find(|at| text(*at).as_deref() == Some(operator))
                {
                    let left = expression(walk, &arguments[..at], state);
                    let right = expression(walk, &arguments[at + 1..], state);
                    return match (left, right) {
                        (Some(one), _) | (_, Some(one)) if one == either => Some(either),
                        (Some(_), Some(_)) => Some(!either),
                        _ => None,
                    };
                }
            }
            if words.len() == 3
                && let Some(holds) = binary(walk, words[0], &text(1)?, words[2], state)
            {
                return holds;
            }
            let first = text(0)?;
            if first == "!" {
                return expression(walk, &arguments[1..], state).map(|holds| !holds);
            }
            if first == "(" && text(words.len() - 1).as_deref() == Some(")") {
                return expression(walk, &arguments[1..arguments.len() - 1], state);
            }
            if words.len() != 2 {
                return None;
            }
            if first == "-v" {
                let name = text(1)?;
                return walk.is_set(&name, state);
            }
            unary(&first, words[1])
        }
    }
}

/// The outer option: whether the operator is a binary one; the inner: whether it holds.
fn binary(_: &mut Walk<'_>, left: &Word, operator: &str, right: &Word, _: &State) -> Option<Option<bool>> {
    Some(match operator {
        "=" | "==" | "!=" => equal(left, right).map(|equal| equal == (operator != "!=")),
        "-eq" | "-ne" | "-lt" | "-le" | "-gt" | "-ge" => {
            let number = |word: &Word| word.known().and_then(|text| text.trim().parse::<i64>().ok());
            match (number(left), number(right)) {
                (Some(left), Some(right)) => compare(operator, left, right),
                _ => None,
            }
        }
        "<" | ">" => match (left.known(), right.known()) {
            (Some(left), Some(right)) => Some(if operator == "<" { left < right } else { left > right }),
            _ => None,
        },
        "-nt" | "-ot" | "-ef" => None,
        _ => return None,
    })
}

/// Whether two words are the same text; nothing where some values are and some are not.
fn equal(left: &Word, right: &Word) -> Option<bool> {
    let mut all: Option<bool> = None;
    for one in &left.values {
        for two in &right.values {
            one.known().and(two.known())?;
            let same = same_value(one, two);
            if all.is_some_and(|before| before != same) {
                return None;
            }
            all = Some(same);
        }
    }
    all
}

pub(super) fn arithmetic(walk: &mut Walk<'_>, call: &Call<'_>, arguments: Vec<Argument>, state: &mut State) -> Outcome {
    let mut last = None;
    for argument in &arguments {
        let word = joined(std::slice::from_ref(argument), " ", call.span);
        last = match word.values.as_slice() {
            [value] => {
                let text = Walk::expression(value);
                walk.calculate(&text, call.span, state, 0)
            }
            _ => None,
        };
    }
    done(last.map(|number| number != 0))
}
