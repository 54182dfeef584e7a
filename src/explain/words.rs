//! Words, invocations and effects in one line each, as the trace and the reports say them.

use crate::model::invocation::LinkKind;
use crate::model::{
    Argument, Code, Directory, Effect, Flow, Invocation, Link, Object, Origin, Piece, Place, Reading, Taint, Value, Word,
};

/// A word: its text where it is known, `‹…›` for what is not, values that it may have joined by ` | `.
pub fn word(word: &Word) -> String {
    let mut values: Vec<String> = word.values.iter().map(value).collect();
    values.dedup();
    match values.as_slice() {
        [one] => one.clone(),
        _ => format!("({})", values.join(" | ")),
    }
}

/// One value of a word.
fn value(value: &Value) -> String {
    let mut out = String::new();
    for piece in &value.pieces {
        match piece {
            Piece::Text { text, .. } => out.push_str(text),
            Piece::Hole(hole) => out.push_str(&origin(&hole.origin)),
            Piece::Glob(glob) => glob.write(&mut out),
        }
    }
    out
}

/// A hole, by why it is one.
pub fn origin(origin: &Origin) -> String {
    match origin {
        Origin::Unset { name, .. } => format!("‹${name}, not set›"),
        Origin::Environment(name) => format!("‹${name}›"),
        Origin::Output => "‹output›".into(),
        Origin::Unknown => "‹unknown›".into(),
    }
}

/// A word as one shell word: quoted where it has to be.
pub fn shell_word(of: &Word) -> String {
    let text = word(of);
    match of.known() {
        Some(known) => shell_quoted(&known),
        None => text,
    }
}

/// A text as one shell word.
///
/// ```
/// # use cc_safety_net::explain::words::shell_quoted;
/// assert_eq!(shell_quoted("HEAD~1"), "HEAD~1");
/// assert_eq!(shell_quoted("it's here"), r"'it'\''s here'");
/// assert_eq!(shell_quoted(""), "''");
/// ```
pub fn shell_quoted(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "_@%+=:,./-^".contains(c);
    let tilde_within = |(i, c): (usize, char)| plain(c) || (i > 0 && c == '~');
    if !text.is_empty() && text.char_indices().all(tilde_within) {
        return text.to_string();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// An argument: a word, or `…` for zero or more words that are not known.
pub fn argument(argument: &Argument) -> String {
    match argument {
        Argument::Word(word) => shell_word(word),
        Argument::Splice(hole) => format!("{}…", origin(&hole.origin)),
    }
}

/// An invocation with its arguments.
pub fn invocation(invocation: &Invocation) -> String {
    let mut out = String::new();
    for (name, value) in &invocation.environment {
        out.push_str(&format!("{name}={} ", shell_word(value)));
    }
    out.push_str(&shell_word(&invocation.program));
    for each in &invocation.arguments {
        out.push(' ');
        out.push_str(&argument(each));
    }
    out
}

/// How an invocation came to run, outermost first.
pub fn chain(links: &[Link]) -> String {
    let each = |link: &Link| match link.kind {
        LinkKind::Program => link.name.clone(),
        LinkKind::Function => format!("function {}", link.name),
        LinkKind::Language => format!("{} code", link.name),
        LinkKind::File => format!("file {}", link.name),
    };
    links.iter().map(each).collect::<Vec<_>>().join(" › ")
}

/// How a declaration read the arguments.
pub fn reading(reading: &Reading) -> String {
    let mut parts =
        vec![if reading.declared { reading.program.clone() } else { format!("{} (not declared)", reading.program) }];
    if !reading.certain {
        parts.push("perhaps".into());
    }
    if !reading.positionals.is_empty() {
        let words: Vec<String> = reading.positionals.iter().map(argument).collect();
        parts.push(format!("positionals {}", words.join(" ")));
    }
    if !reading.options.is_empty() {
        let options: Vec<String> = reading
            .options
            .iter()
            .map(|option| {
                let spelling = option.spellings.first().map_or("", String::as_str);
                let value = option.value.as_ref().map(|value| format!("={}", shell_word(value))).unwrap_or_default();
                format!("{spelling}{value}{}", if option.certain { "" } else { "?" })
            })
            .collect();
        parts.push(format!("options {}", options.join(" ")));
    }
    if reading.open {
        parts.push("perhaps more options".into());
    }
    parts.join("; ")
}

/// A directory.
pub fn directory(directory: &Directory) -> String {
    match directory {
        Directory::Known(path) => path.clone(),
        Directory::OneOf(paths) => format!("one of {}", paths.join(", ")),
        Directory::Unknown => "a directory that is not known".into(),
    }
}

/// A file system that is not this machine's.
pub fn place(place: Place) -> &'static str {
    match place {
        Place::Here => "",
        Place::Remote => " on another host",
        Place::Container => " in a container",
    }
}

/// What an invocation reads on its standard input; `None` where that says nothing.
pub fn stdin(flow: &Flow) -> Option<String> {
    match flow {
        Flow::Empty => None,
        Flow::Text(text) => Some(format!("input {}", shell_word(text))),
        // The call's own input, which every first program of a pipeline reads.
        Flow::Unknown(taint) if taint.is_none() || *taint == (Taint { stdin: true, ..Taint::none() }) => None,
        Flow::Unknown(taint) => Some(format!("input {}", carried(taint))),
    }
}

/// What text carries.
pub fn carried(taint: &Taint) -> String {
    let mut from: Vec<String> = Vec::new();
    for (is, name) in [
        (taint.network, "the network"),
        (taint.stdin, "standard input"),
        (taint.environment, "the environment"),
        (taint.unknown, "an unknown program"),
    ] {
        if is {
            from.push(name.into());
        }
    }
    from.extend(taint.files.iter().map(word));
    format!("from {}", from.join(", "))
}

/// What an effect is done to.
pub fn object(object: &Object) -> String {
    match object {
        Object::Path(of) | Object::Address(of) | Object::Other(of) => word(of),
        Object::Code(Code { language, text, walked, .. }) => {
            format!("{language} {}{}", word(text), if *walked { "" } else { " (not known)" })
        }
        Object::None => String::new(),
    }
}

/// An effect.
pub fn effect(effect: &Effect) -> String {
    let mut parts = vec![effect.verb.word().to_string()];
    if effect.recursively {
        parts.push("recursively".into());
    }
    if effect.forcibly {
        parts.push("forcibly".into());
    }
    let object = object(&effect.object);
    if !object.is_empty() {
        parts.push(object);
    }
    if !effect.filters.is_empty() {
        parts.push(format!("named {}", effect.filters.iter().map(word).collect::<Vec<_>>().join(" or ")));
    }
    if !effect.from.is_none() {
        parts.push(carried(&effect.from));
    }
    format!("{}{}{}", parts.join(" "), place(effect.place), if effect.certain { "" } else { " (perhaps)" })
}
