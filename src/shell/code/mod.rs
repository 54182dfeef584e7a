//! Embedded code: the text of a one-liner or a script in Python, JavaScript, Perl, Ruby, PHP, Lua, awk or sed → the calls that
//! it makes.
//!
//! One front end for expressions and calls, told each language's tokens by its [`profile`]. It walks the text once, in order,
//! follows literals, names bound to constants, concatenation, formats, joins, decoding, imports and their aliases, and hands
//! every call to the host, whose declarations say what it does. Control flow is not followed: what may run is taken to run. Text
//! in a string or a comment is never a call.

mod awk;
mod expression;
mod lexer;
mod profile;
mod pure;
mod sed;
mod statements;
mod value;

use std::collections::BTreeMap;

use super::origin::Script;
use super::{Host, Outcome, State};
use crate::model::{Flow, Word};

use profile::Profile;
use value::Held;

/// How deep brackets may nest.
const LEVELS: u32 = 64;

/// Whether there is a front end for the language.
pub fn reads(language: &str) -> bool {
    matches!(language, "awk" | "sed") || Profile::of(language).is_some()
}

/// Reads a text in a language, for each value that it may have. A language without a front end, or a text that is not fully
/// known, is reported as not parsed.
pub fn evaluate(language: &str, text: &Word, state: &mut State, host: &mut dyn Host) -> Outcome {
    for value in &text.values {
        let Some(script) = Script::of(value, text.span) else {
            host.unparsed(text.span);
            continue;
        };
        match (language, Profile::of(language)) {
            ("awk", _) => awk::walk(&script, state, host),
            ("sed", _) => sed::walk(&script, state, host),
            (_, Some(profile)) => {
                let mut walk = Walk {
                    script: &script,
                    profile,
                    at: 0,
                    end: script.text.len(),
                    level: 0,
                    names: BTreeMap::new(),
                    state: &mut *state,
                    host: &mut *host,
                };
                walk.statements();
            }
            _ => host.unparsed(text.span),
        }
    }
    Outcome { output: Flow::Unknown(text.taint()), success: None }
}

/// A position in a text, and what its names are bound to.
struct Walk<'a> {
    script: &'a Script,
    profile: &'static Profile,
    at: usize,
    end: usize,
    level: u32,
    names: BTreeMap<String, Held>,
    state: &'a mut State,
    host: &'a mut dyn Host,
}
