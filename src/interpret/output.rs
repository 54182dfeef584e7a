//! What a program prints, by its `yields` declarations; else unknown text that carries what the program has read.

use super::effects::{self, Scene};
use super::host::Interpreter;
use super::words::{self, Truth};
use crate::model::declaration::{Act, Argument as Applied, Command, Yield, YieldFunction};
use crate::model::effect::Verb;
use crate::model::{Argument, Flow, Hole, Origin, Piece, Shape, Span, Taint, Value, Word};
use crate::shell::decode;
use crate::shell::{Outcome, State};

/// The output of one program.
pub fn of(host: &Interpreter<'_>, scene: &Scene<'_>, command: &Command, nested: Option<Outcome>, state: &State) -> Outcome {
    let holds = |one: &&Yield| {
        one.when.as_ref().is_none_or(|when| scene.bindings.holds(when, &[]) == Truth::Yes)
            && !matches!(&one.argument, Applied::Placeholder { name, .. } if scene.bindings.values(name).next().is_none())
    };
    let output = match command.yields.iter().find(holds) {
        Some(one) => yielded(host, scene, command, one, state).unwrap_or_else(|| Flow::Unknown(scene.printed())),
        None => {
            return nested.unwrap_or(Outcome { output: Flow::Unknown(scene.printed()), success: None });
        }
    };
    Outcome { output, success: None }
}

fn yielded(host: &Interpreter<'_>, scene: &Scene<'_>, command: &Command, one: &Yield, state: &State) -> Option<Flow> {
    match &one.function {
        YieldFunction::Literal(text) => return Some(Flow::Text(Word::known_text(text.clone(), start(scene.invocation.span)))),
        YieldFunction::Temporary => return Some(Flow::Text(temporary(host, scene))),
        YieldFunction::Network => return Some(Flow::Unknown(Taint { network: true, ..scene.printed() })),
        _ => {}
    }
    let input = match &one.argument {
        Applied::Stdin | Applied::None => scene.invocation.stdin.clone(),
        Applied::Placeholder { name, .. } | Applied::After { name, .. } | Applied::Decoded { name, .. } => {
            if is_read(command, name) {
                contents(scene, name, state)
            } else {
                let arguments: Vec<Argument> = scene.bindings.values(name).map(|bound| bound.argument.clone()).collect();
                Flow::Text(words::join(&arguments, " "))
            }
        }
        Applied::Paths(set) => {
            let all: Vec<Argument> = effects::fixed(scene, set, scene.invocation.span, Some(host.facts)).into_iter().map(Argument::Word).collect();
            Flow::Text(words::join(&all, "\n"))
        }
    };
    let Flow::Text(word) = input else { return Some(input) };
    if one.function == YieldFunction::Text {
        return Some(Flow::Text(word));
    }
    let operands = scene.bindings.bound.iter().filter(|bound| bound.position.is_some());
    let sets: Vec<String> = operands.filter_map(|b| b.argument.word().and_then(Word::known).map(|t| t.into_owned())).collect();
    let values: Option<Vec<Value>> = word.values.iter().map(|value| changed(value, &one.function, &sets, word.span)).collect();
    Some(Flow::Text(Word { values: values?, computed: true, ..word }))
}

/// The word decoded; a hole where that cannot be.
pub fn decoded(word: &Word, from: &YieldFunction) -> Word {
    let values: Option<Vec<Value>> = word.values.iter().map(|value| changed(value, from, &[], word.span)).collect();
    match values {
        Some(values) => Word { values, ..word.clone() },
        None => Word::unknown(Origin::Unknown, word.taint(), word.span),
    }
}

/// A function of a known value. The new text has no byte for byte place in the old one: its span is all of it.
fn changed(value: &Value, function: &YieldFunction, operands: &[String], whole: Span) -> Option<Value> {
    let known = value.known()?;
    let text = match function {
        YieldFunction::BaseName => base(&known).to_string(),
        YieldFunction::DirName => directory(&known).to_string(),
        YieldFunction::Base64Decoded => utf(decode::base64(&known)?)?,
        YieldFunction::HexDecoded => utf(decode::hex(&known)?)?,
        YieldFunction::Reversed => known.lines().map(|l| l.chars().rev().collect::<String>()).collect::<Vec<_>>().join("\n"),
        YieldFunction::Translated => translated(&known, operands.first()?, operands.get(1)?)?,
        YieldFunction::Text | YieldFunction::Literal(_) | YieldFunction::Temporary | YieldFunction::Network => return None,
    };
    let span = words::value_span(value).unwrap_or(whole);
    let span = if text.len() == span.len() { start(span) } else { span };
    Some(Value::text(text, span))
}

/// Bytes as text: UTF-8, or UTF-16 with its low bytes first (what PowerShell encodes).
fn utf(bytes: Vec<u8>) -> Option<String> {
    if bytes.len() >= 2
        && bytes.len().is_multiple_of(2)
        && bytes.iter().skip(1).step_by(2).filter(|b| **b == 0).count() * 4 > bytes.len()
    {
        let units: Vec<u16> = bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect();
        return String::from_utf16(&units).ok();
    }
    String::from_utf8(bytes).ok()
}

fn start(span: Span) -> Span {
    Span { end: span.start, ..span }
}

/// Whether the declaration says that the placeholder's files are read: then its content is meant, not its name.
fn is_read(command: &Command, name: &str) -> bool {
    let options = command.options.iter().flat_map(|option| option.does.iter());
    options.chain(&command.does).any(|does| {
        does.act == Act::Effect(Verb::Reads)
            && match &does.argument {
                Applied::Placeholder { name: read, .. } => read == name,
                Applied::None => true,
                _ => false,
            }
    })
}

/// What the files of a placeholder hold, as far as this script has written them.
fn contents(scene: &Scene<'_>, name: &str, state: &State) -> Flow {
    let mut texts: Vec<Argument> = Vec::new();
    let mut taint = Taint::none();
    let mut known = true;
    for bound in scene.bindings.values(name) {
        let word = words::as_word(&bound.argument);
        if word.known().as_deref() == Some("-") {
            match &scene.invocation.stdin {
                Flow::Text(text) => texts.push(Argument::Word(text.clone())),
                other => {
                    known = false;
                    taint = taint.join(&other.taint());
                }
            }
            continue;
        }
        let paths = words::absolute(&word, &scene.directory);
        match paths.as_deref().map(|paths| paths.iter().map(|path| state.files.get(path)).collect::<Vec<_>>()).as_deref() {
            Some([Some(Flow::Text(text))]) => texts.push(Argument::Word(text.clone())),
            Some([Some(Flow::Unknown(carried))]) => {
                known = false;
                taint = taint.join(carried).join(&words::file_taint(&word, &scene.directory));
            }
            Some([Some(Flow::Empty)]) => {}
            _ => {
                known = false;
                taint = taint.join(&words::file_taint(&word, &scene.directory));
            }
        }
    }
    if known { Flow::Text(words::join(&texts, "")) } else { Flow::Unknown(taint) }
}

/// A fresh path below the temporary directory.
fn temporary(host: &Interpreter<'_>, scene: &Scene<'_>) -> Word {
    let span = scene.invocation.span;
    let root = host.facts.temporary().into_iter().next().unwrap_or_else(|| "/tmp".into());
    let hole = Hole { shape: Shape::Component, origin: Origin::Output, taint: Taint::none(), span };
    let pieces = vec![words::inserted(format!("{root}/"), span), Piece::Hole(hole)];
    Word { values: vec![Value { pieces }], span, computed: false }
}

fn base(path: &str) -> &str {
    let path = path.trim_end().trim_end_matches('/');
    path.rsplit('/').next().unwrap_or(path)
}

fn directory(path: &str) -> &str {
    let path = path.trim_end();
    let path = if path.len() > 1 { path.trim_end_matches('/') } else { path };
    match path.rfind('/') {
        None => ".",
        Some(0) => "/",
        Some(at) => &path[..at],
    }
}

/// Character by character, as `tr` does with two sets; ranges and the last character repeated.
fn translated(text: &str, from: &str, to: &str) -> Option<String> {
    let (from, to) = (characters(from)?, characters(to)?);
    let last = *to.last()?;
    let of = |c: char| from.iter().rposition(|f| *f == c).map_or(c, |at| to.get(at).copied().unwrap_or(last));
    Some(text.chars().map(of).collect())
}

/// The characters of a set of `tr`.
fn characters(set: &str) -> Option<Vec<char>> {
    let set = match set {
        "[:lower:]" => "a-z",
        "[:upper:]" => "A-Z",
        other if other.contains("[:") => return None,
        other => other,
    };
    let all: Vec<char> = set.chars().collect();
    let mut out = Vec::new();
    let mut at = 0;
    while at < all.len() {
        match all.get(at + 1..at + 3) {
            Some(['-', high]) => {
                out.extend((all[at]..=*high).take(512));
                at += 3;
            }
            _ if all[at] == '\\' && at + 1 < all.len() => {
                out.push(match all[at + 1] {
                    'n' => '\n',
                    't' => '\t',
                    other => other,
                });
                at += 2;
            }
            _ => {
                out.push(all[at]);
                at += 1;
            }
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_what_programs_change() {
        assert_eq!(translated("uryyb", "a-z", "n-za-m").as_deref(), Some("hello"));
        assert_eq!(translated("abc", "[:lower:]", "[:upper:]").as_deref(), Some("ABC"));
        assert_eq!((base("/a/b/"), directory("/a/b"), directory("b"), directory("/b")), ("b", "/a", ".", "/"));
    }
}
