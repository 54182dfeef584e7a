//! Files of named recipes: scripts of a package, targets of a makefile. What an entry runs is shell text; the rest of the file
//! runs nothing.
//!
//! The formats are languages like the shells', known here by their syntax; which program runs which file is declared.

use super::effects::Scene;
use super::host::Interpreter;
use super::scripts;
use super::words;
use crate::model::effect::Place;
use crate::model::invocation::LinkKind;
use crate::model::{Flow, Hole, Link, Origin, Piece, Shape, Span, Taint, Value, Word};
use crate::shell::{Outcome, State};

/// Recipes that one entry may lead to.
const RECIPES: usize = 64;

/// Runs the entries of a file; its first, or the one that its format runs by itself, where none is named.
pub fn execute(
    host: &mut Interpreter<'_>,
    scene: &Scene<'_>,
    file: &Word,
    language: &str,
    entries: &[Word],
    state: &mut State,
) -> Outcome {
    let nothing = Outcome { output: Flow::Unknown(Taint::none()), success: None };
    let from = words::file_taint(file, &scene.directory);
    let paths = if scene.place == Place::Here { words::absolute(file, &scene.directory) } else { None };
    let Some([path]) = paths.as_deref() else { return nothing };
    let given = file.known().as_deref() == Some("-") || scripts::INPUTS.contains(&path.as_str());
    if scene.invocation.chain.iter().any(|link| link.kind == LinkKind::File && link.name == *path) {
        return nothing;
    }
    let text = match state.files.get(path) {
        _ if given => match &scene.invocation.stdin {
            Flow::Text(text) => text.known().map(|known| (known.into_owned(), None)),
            Flow::Empty => None,
            Flow::Unknown(taint) => {
                scripts::unknown(host, scene, "shell", taint, file.span);
                None
            }
        },
        Some(Flow::Text(text)) => text.known().map(|known| (known.into_owned(), None)),
        Some(Flow::Empty) => None,
        Some(Flow::Unknown(taint)) => {
            let from = from.join(taint);
            scripts::unknown(host, scene, "shell", &from, file.span);
            None
        }
        // A file that is not there runs nothing.
        None => host.open(path, file.span).map(|id| (host.source(id).to_string(), Some(id))),
    };
    let Some((text, id)) = text else { return nothing };
    let at = |start: usize, end: usize| match id {
        Some(id) => Span::within(id, start, end),
        None => file.span,
    };
    let known: Vec<String> = entries.iter().filter_map(|entry| entry.known().map(|name| name.into_owned())).collect();
    if known.len() < entries.len() {
        scripts::unknown(host, scene, "shell", &from, file.span);
    }
    let recipes = match language {
        "json-scripts" => packaged(&text, "scripts", &known),
        "json-tasks" => packaged(&text, "tasks", &known),
        _ => lines(&text, &known, language == "makefile"),
    };
    let mut outcome = nothing;
    for recipe in recipes {
        let link = Link { name: path.clone(), kind: LinkKind::File, span: file.span };
        let mut child = scripts::child(host, scene, link, state);
        let values = vec![Value { pieces: pieces(&recipe, &text, &at, language == "makefile") }];
        let word = Word { values, span: at(recipe.start, recipe.end), computed: false };
        outcome = scripts::walk(host, scene, "shell", &word, &from, &mut child);
        state.files = child.files;
    }
    outcome
}

/// A stretch of the file that is shell text; `text` where it is not written there as it runs.
struct Recipe {
    start: usize,
    end: usize,
    text: Option<String>,
}

/// `{"scripts": {"test": "…"}}`, with what runs before and after it.
fn packaged(text: &str, field: &str, entries: &[String]) -> Vec<Recipe> {
    let Ok(serde_json::Value::Object(package)) = serde_json::from_str(text) else { return Vec::new() };
    let Some(scripts) = package.get(field).and_then(|scripts| scripts.as_object()) else { return Vec::new() };
    let mut all = Vec::new();
    for entry in entries.iter().take(RECIPES) {
        for name in [format!("pre{entry}"), entry.clone(), format!("post{entry}")] {
            let script = scripts.get(&name);
            let script =
                script.and_then(|one| one.as_str().or_else(|| one.get("command").and_then(|command| command.as_str())));
            let Some(script) = script else { continue };
            let written = serde_json::to_string(script).unwrap_or_default();
            let inner = written.get(1..written.len().saturating_sub(1)).unwrap_or_default();
            let start = text.find(&written).map_or(0, |at| at + 1);
            let found = text.get(start..start + inner.len()) == Some(inner);
            let end = if found { start + inner.len() } else { start };
            all.push(Recipe { start, end, text: Some(script.to_string()) });
        }
    }
    all
}

/// A rule of a makefile or a justfile: its name, what it needs, the lines of its recipe.
struct Target<'t> {
    names: Vec<&'t str>,
    needs: Vec<&'t str>,
    lines: Vec<(usize, usize)>,
}

/// The recipes of the targets and of what they need; each line is a script of its own.
fn lines(text: &str, entries: &[String], make: bool) -> Vec<Recipe> {
    let mut targets: Vec<Target<'_>> = Vec::new();
    let mut at = 0;
    let mut continued = false;
    for line in text.split_inclusive('\n') {
        let (start, end) = (at, at + line.trim_end_matches(['\n', '\r']).len());
        at += line.len();
        let content = &text[start..end];
        let indented = content.starts_with('\t') || (!make && content.starts_with(' '));
        if indented || continued {
            continued = content.ends_with('\\');
            if let Some(target) = targets.last_mut()
                && !content.trim().is_empty()
            {
                match target.lines.last_mut() {
                    Some((_, last)) if text[..start].trim_end_matches(['\n', '\r']).ends_with('\\') => *last = end,
                    _ => target.lines.push((start + content.len() - content.trim_start().len(), end)),
                }
            }
            continue;
        }
        let Some((names, needs)) = content.split_once(':') else { continue };
        if names.is_empty() || names.starts_with('#') || names.contains('=') || needs.starts_with('=') {
            continue;
        }
        let (needs, inline) = needs.split_once(';').map_or((needs, None), |(needs, line)| (needs, Some(line)));
        let mut target = Target {
            names: names.split_whitespace().take(if make { usize::MAX } else { 1 }).collect(),
            needs: needs.split_whitespace().filter(|need| *need != "|").collect(),
            lines: Vec::new(),
        };
        if let (Some(inline), true) = (inline, make) {
            target.lines.push((end - inline.len(), end));
        }
        targets.push(target);
    }
    let mut wanted: Vec<String> = entries.iter().filter(|entry| !entry.contains('=')).cloned().collect();
    if wanted.is_empty() {
        wanted.extend(
            targets.iter().flat_map(|t| t.names.first()).find(|name| !name.starts_with('.')).map(|name| name.to_string()),
        );
    }
    let mut seen: Vec<String> = Vec::new();
    let mut recipes = Vec::new();
    while let Some(name) = wanted.pop() {
        if seen.len() >= RECIPES || seen.contains(&name) {
            continue;
        }
        for target in targets.iter().filter(|target| target.names.iter().any(|n| *n == name || matches_pattern(n, &name))) {
            wanted.extend(target.needs.iter().map(|need| need.to_string()));
            recipes.extend(target.lines.iter().map(|(start, end)| Recipe { start: *start, end: *end, text: None }));
        }
        seen.push(name);
    }
    recipes
}

/// `%.o` matches `a.o`.
fn matches_pattern(pattern: &str, name: &str) -> bool {
    pattern.split_once('%').is_some_and(|(before, after)| {
        name.len() >= before.len() + after.len() && name.starts_with(before) && name.ends_with(after)
    })
}

/// The recipe as shell text: `@` and `-` before it go; what make or just puts in is a hole.
fn pieces(recipe: &Recipe, text: &str, at: &dyn Fn(usize, usize) -> Span, make: bool) -> Vec<Piece> {
    if let Some(made) = &recipe.text {
        return vec![Piece::Text { text: made.clone(), span: at(recipe.start, recipe.end) }];
    }
    let whole = text.get(recipe.start..recipe.end).unwrap_or_default();
    let mut start = recipe.start + whole.len() - whole.trim_start_matches(['@', '-', '+', ' ', '\t']).len();
    let mut pieces = Vec::new();
    let mut from = start;
    let hole = |start: usize, end: usize| {
        Piece::Hole(Hole { shape: Shape::Any, origin: Origin::Unknown, taint: Taint::none(), span: at(start, end) })
    };
    let plain = |from: usize, to: usize| Piece::Text { text: text[from..to].to_string(), span: at(from, to) };
    while start < recipe.end {
        let rest = &text[start..recipe.end];
        let length = if make && rest.starts_with("$$") {
            if from < start {
                pieces.push(plain(from, start));
            }
            from = start + 1;
            start += 2;
            continue;
        } else if make && rest.starts_with('$') {
            match rest.as_bytes().get(1) {
                Some(b'(') => rest.find(')').map_or(1, |to| to + 1),
                Some(b'{') => rest.find('}').map_or(1, |to| to + 1),
                Some(byte) if byte.is_ascii() => 2,
                _ => 1,
            }
        } else if !make && rest.starts_with("{{") {
            rest.find("}}").map_or(2, |to| to + 2)
        } else {
            start += rest.chars().next().map_or(1, char::len_utf8);
            continue;
        };
        if from < start {
            pieces.push(plain(from, start));
        }
        pieces.push(hole(start, start + length));
        start += length;
        from = start;
    }
    if from < recipe.end {
        pieces.push(plain(from, recipe.end));
    }
    pieces
}
