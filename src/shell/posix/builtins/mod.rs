//! What the shell itself defines. Names stand here, since the shell's manual puts them there; no other program is named.

mod control;
mod directories;
mod format;
mod input;
mod options;
mod output;
mod tests;
mod variables;

use super::run::simple::Call;
use super::{Outcome, Walk};
use crate::model::{Argument, Flow};
use crate::shell::state::State;

/// A builtin: the walk, the command, its arguments.
pub(super) type Builtin = fn(&mut Walk<'_>, &Call<'_>, Vec<Argument>, &mut State) -> Outcome;

/// The builtin of a name.
pub(super) fn find(name: &str) -> Option<Builtin> {
    Some(match name {
        ":" | "true" => succeed,
        "false" => fail,
        "cd" | "chdir" => directories::cd,
        "pushd" => directories::pushd,
        "popd" => directories::popd,
        "dirs" => unknown_output,
        "pwd" => directories::pwd,
        "echo" => output::echo,
        "print" => output::print,
        "printf" => format::printf,
        "type" | "whence" | "hash" => output::describe,
        "command" => control::command,
        "builtin" => control::builtin,
        "exec" => control::exec,
        "eval" => control::eval,
        "source" | "." => control::source,
        "return" => control::leave_function,
        "exit" | "logout" => control::exit,
        "break" => control::leave_loop,
        "continue" => control::next_turn,
        "trap" => control::trap,
        "alias" => variables::alias,
        "unalias" => variables::unalias,
        "export" | "readonly" | "declare" | "typeset" | "local" | "integer" => variables::declare,
        "unset" => variables::unset,
        "read" => input::read,
        "mapfile" | "readarray" => input::mapfile,
        "set" => options::set,
        "setopt" | "shopt" => options::shopt,
        "unsetopt" => options::unsetopt,
        "shift" => options::shift,
        "getopts" => options::getopts,
        "test" | "[" => tests::test,
        "let" => tests::arithmetic,
        "wait" | "umask" | "ulimit" | "times" | "jobs" | "fg" | "bg" | "disown" | "suspend" | "bind" | "complete"
        | "compopt" => nothing,
        "compgen" | "caller" => unknown_output,
        _ => return None,
    })
}

pub(super) fn done(success: Option<bool>) -> Outcome {
    Outcome { output: Flow::Empty, success }
}

fn succeed(_: &mut Walk<'_>, _: &Call<'_>, _: Vec<Argument>, _: &mut State) -> Outcome {
    done(Some(true))
}

fn fail(_: &mut Walk<'_>, _: &Call<'_>, _: Vec<Argument>, _: &mut State) -> Outcome {
    done(Some(false))
}

fn nothing(_: &mut Walk<'_>, _: &Call<'_>, _: Vec<Argument>, _: &mut State) -> Outcome {
    done(None)
}

fn unknown_output(_: &mut Walk<'_>, _: &Call<'_>, _: Vec<Argument>, _: &mut State) -> Outcome {
    Outcome { output: Flow::Unknown(Default::default()), success: None }
}

/// The texts of the arguments, as long as they are known.
pub(super) fn known_texts(arguments: &[Argument]) -> Vec<Option<String>> {
    arguments.iter().map(|argument| argument.word().and_then(|word| word.known()).map(|text| text.into_owned())).collect()
}
