//! Which program a command word names: the word itself, the files that its glob operators meet, and what a file was copied or
//! linked from.

use super::host::Interpreter;
use super::words;
use crate::model::facts::EntryKind;
use crate::model::rule::{PatternPart, WordPattern};
use crate::model::{Argument, Directory, Flow, Glob, Invocation, Piece, Place, Value, Word, path};
use crate::shell::{Dialect, State};

/// The most files that the glob operators of a command word are taken for.
const FILES: usize = 32;

/// The names of the program that the value may be; one that is none where nothing is known of it.
pub fn of(host: &Interpreter<'_>, value: &Value, invocation: &Invocation, state: &State) -> Vec<Option<String>> {
    if let Some(name) = written(value) {
        return vec![Some(same(host, name, invocation, state))];
    }
    let found = globbed(host, value, &invocation.directory);
    if found.is_empty() {
        vec![None]
    } else {
        found.into_iter().map(|name| Some(same(host, name, invocation, state))).collect()
    }
}

/// The name as far as it decides which program it is: all of it, or what stands behind the last slash.
fn written(value: &Value) -> Option<String> {
    if let Some(known) = value.known() {
        return Some(known.into_owned());
    }
    match value.pieces.last() {
        Some(Piece::Text { text, .. }) => {
            let (_, base) = text.rsplit_once('/')?;
            (!base.is_empty()).then(|| base.to_string())
        }
        _ => None,
    }
}

/// What the file of that name was copied or linked from in this script, where that is a program; else the name.
fn same(host: &Interpreter<'_>, name: String, invocation: &Invocation, state: &State) -> String {
    // `=name` is the name, for the shell that looks it up so; for others there is no such program.
    let name = match name.strip_prefix('=') {
        Some(rest) if !host.declared(rest, false, state.dialect).is_empty() => rest.to_string(),
        _ => name,
    };
    if state.files.is_empty() || invocation.place != Place::Here {
        return name;
    }
    let flow = if name.contains('/') {
        let known = Word::known_text(name.as_str(), invocation.program.span);
        words::absolute(&known, &invocation.directory).and_then(|paths| state.files.get(paths.first()?))
    } else if host.declared(&name, false, state.dialect).is_empty() {
        // Wherever the script has put it, a directory of programs among them.
        state.files.iter().find(|(file, _)| path::base_name(file) == name).map(|(_, flow)| flow)
    } else {
        None
    };
    let Some(Flow::Unknown(taint)) = flow else { return name };
    let [origin] = &*taint.files else { return name };
    let Some(origin) = origin.known().map(|origin| origin.into_owned()) else { return name };
    if host.declared(path::base_name(&origin), true, state.dialect).is_empty() { name } else { origin }
}

/// Paths of Windows in the spelling that rules know, `C:/Users` for `C:\\Users`; where the shell is one that knows it, `~` is
/// the home.
pub fn in_slashes(host: &Interpreter<'_>, invocation: &mut Invocation, dialect: Dialect) {
    for argument in &mut invocation.arguments {
        let Argument::Word(word) = argument else { continue };
        for value in &mut word.values {
            let start = words::lead(value).into_owned();
            let drive = matches!(start.as_bytes(), [letter, b':', b'\\', ..] if letter.is_ascii_alphabetic());
            if drive || !value.emptied().contains([' ', '\n']) {
                for piece in &mut value.pieces {
                    if let Piece::Text { text, .. } = piece {
                        *text = text.replace('\\', "/");
                    }
                }
            }
            if dialect == Dialect::PowerShell
                && (start == "~" || start.starts_with("~/") || start.starts_with("~\\"))
                && let Some(home) = host.facts.homes().into_iter().next()
            {
                let mut pieces = vec![words::inserted(home, word.span)];
                pieces.extend(words::tail(value, 1).pieces);
                value.pieces = pieces;
            }
        }
    }
}

/// The files that a value with glob operators and without holes names.
fn globbed(host: &Interpreter<'_>, value: &Value, directory: &Directory) -> Vec<String> {
    if value.has_hole() || !value.has_glob() {
        return Vec::new();
    }
    let mut components: Vec<WordPattern> = vec![WordPattern { parts: Vec::new() }];
    for piece in &value.pieces {
        let part = match piece {
            Piece::Text { text, .. } => {
                for (index, part) in text.split('/').enumerate() {
                    if index > 0 {
                        components.push(WordPattern { parts: Vec::new() });
                    }
                    if let Some(last) = components.last_mut().filter(|_| !part.is_empty()) {
                        last.parts.push(PatternPart::Literal(part.to_string()));
                    }
                }
                continue;
            }
            Piece::Glob(Glob::Star | Glob::DoubleStar) => PatternPart::Star,
            Piece::Glob(Glob::Question) => PatternPart::Question,
            Piece::Glob(Glob::Class { negated, ranges }) => PatternPart::Class { negated: *negated, ranges: ranges.clone() },
            Piece::Hole(_) => return Vec::new(),
        };
        if let Some(last) = components.last_mut() {
            last.parts.push(part);
        }
    }
    // A glob without a slash names files of the working directory, which no shell looks up as programs.
    if components.len() < 2 {
        return Vec::new();
    }
    let absolute = components.first().is_some_and(|first| first.parts.is_empty());
    let mut found = match (absolute, directory) {
        (true, _) => vec![String::from("/")],
        (false, Directory::Known(directory)) => vec![directory.clone()],
        (false, _) => return Vec::new(),
    };
    for (depth, component) in components.iter().enumerate().filter(|(_, component)| !component.parts.is_empty()) {
        let last = depth + 1 == components.len();
        let mut next = Vec::new();
        for at in &found {
            if let Some(name) = component.as_literal() {
                next.push(path::join(at, name));
                continue;
            }
            for entry in host.facts.entries(at).unwrap_or_default() {
                let fits = words::ends(component, &entry.name, false).contains(&entry.name.len());
                if fits && (last || entry.kind != EntryKind::File) && next.len() < FILES {
                    next.push(path::join(at, &entry.name));
                }
            }
        }
        found = next;
    }
    found
}
