//! Rulebooks, calls and a world, written by hand.

use std::collections::BTreeMap;
use std::sync::Arc;

use cc_safety_net::image::{Context, Image, Root, RuleMatch, compile};
use cc_safety_net::language::Rulebook;
use cc_safety_net::model::call::Run;
use cc_safety_net::model::invocation::{Directory, Flow, Invocation, OptionUse, Reading};
use cc_safety_net::model::rule::*;
use cc_safety_net::model::verdict::RuleAt;
use cc_safety_net::model::*;

/// A world of a few files: path to content, or to nothing for a directory.
#[derive(Debug, Clone, Default)]
pub struct Files {
    pub entries: BTreeMap<String, Option<&'static str>>,
    pub links: BTreeMap<String, String>,
    pub clean: Vec<String>,
    pub refs: Vec<String>,
    pub folds: bool,
}

impl Files {
    pub fn new(paths: &[&str]) -> Files {
        let mut files = Files::default();
        for path in paths {
            let mut parent = String::new();
            for part in path.split('/').filter(|part| !part.is_empty()) {
                parent = format!("{parent}/{part}");
                files.entries.entry(parent.clone()).or_insert(None);
            }
            if !path.ends_with('/') {
                files.entries.insert((*path).to_string(), Some(""));
            }
        }
        files
    }

    fn kind(&self, path: &str) -> Option<EntryKind> {
        let file = self.entries.get(path)?;
        Some(if file.is_some() { EntryKind::File } else { EntryKind::Directory })
    }
}

impl World for Files {
    fn homes(&self) -> Vec<String> {
        vec!["/home/me".into()]
    }
    fn home_of(&self, user: &str) -> Option<String> {
        Some(format!("/home/{user}"))
    }
    fn temporary(&self) -> Vec<String> {
        vec!["/tmp".into()]
    }
    fn variable(&self, _: &str) -> Option<String> {
        None
    }
    fn stat(&self, path: &str, _: bool) -> Option<Option<Stat>> {
        let kind = if path == "/" { Some(EntryKind::Directory) } else { self.kind(path) };
        Some(kind.map(|kind| Stat { kind, size: 0, own: true }))
    }
    fn real(&self, path: &str) -> Option<String> {
        let link = self.links.iter().find(|(link, _)| model::path::is_within(path, link));
        Some(link.map_or(path.to_string(), |(link, target)| format!("{target}{}", &path[link.len()..])))
    }
    fn entries(&self, path: &str) -> Option<Vec<Entry>> {
        let base = path.trim_end_matches('/');
        let below = self.entries.keys().filter_map(|entry| entry.strip_prefix(base)?.strip_prefix('/'));
        let names = below.filter(|name| !name.is_empty() && !name.contains('/'));
        Some(
            names
                .map(|name| Entry { name: name.into(), kind: self.kind(&format!("{base}/{name}")).unwrap_or(EntryKind::File) })
                .collect(),
        )
    }
    fn read(&self, _: &str) -> Option<String> {
        None
    }
    fn folds_case(&self, _: &str) -> bool {
        self.folds
    }
    fn today(&self) -> String {
        "2026-11-30".into()
    }
    fn repository(&self, _: &str) -> Option<String> {
        Some("/home/me/project".into())
    }
    fn tracked(&self, path: &str) -> Option<bool> {
        Some(self.clean.iter().any(|clean| clean == path))
    }
    fn clean(&self, path: &str) -> Option<bool> {
        Some(self.clean.iter().any(|clean| clean == path))
    }
    fn ignored(&self, _: &str) -> Option<bool> {
        None
    }
    fn recoverable(&self, path: &str) -> Option<bool> {
        Some(self.clean.iter().any(|clean| clean == path) || !self.entries.contains_key(path))
    }
    fn is_ref(&self, _: &str, name: &str) -> Option<bool> {
        Some(self.refs.iter().any(|known| known == name))
    }
    fn branch(&self, _: &str) -> Option<String> {
        Some("topic".into())
    }
    fn linked_worktree(&self, _: &str) -> Option<bool> {
        Some(false)
    }
    fn git_setting(&self, _: &str, _: &str) -> Option<String> {
        None
    }
}

use cc_safety_net::model;

pub const HOME: &str = "/home/me/project";

/// A glob written as in a rulebook, choices included.
pub fn glob(text: &str) -> WordPattern {
    let chars: Vec<char> = text.chars().collect();
    let mut at = 0;
    sequence(&chars, &mut at, false)
}

fn sequence(chars: &[char], at: &mut usize, inner: bool) -> WordPattern {
    let mut parts: Vec<PatternPart> = Vec::new();
    while let Some(char) = chars.get(*at) {
        *at += 1;
        match char {
            '*' if chars.get(*at) == Some(&'*') => {
                *at += 1;
                parts.push(PatternPart::DoubleStar);
            }
            '*' => parts.push(PatternPart::Star),
            '?' => parts.push(PatternPart::Question),
            '[' => {
                let negated = chars.get(*at) == Some(&'!');
                *at += usize::from(negated);
                let mut ranges = Vec::new();
                while chars[*at] != ']' {
                    if chars[*at + 1] == '-' {
                        ranges.push((chars[*at], chars[*at + 2]));
                        *at += 3;
                    } else {
                        ranges.push((chars[*at], chars[*at]));
                        *at += 1;
                    }
                }
                *at += 1;
                parts.push(PatternPart::Class { negated, ranges });
            }
            '{' => {
                let mut choices = vec![sequence(chars, at, true)];
                while chars.get(*at) == Some(&',') {
                    *at += 1;
                    choices.push(sequence(chars, at, true));
                }
                *at += 1;
                parts.push(PatternPart::Choice(choices));
            }
            ',' | '}' if inner => {
                *at -= 1;
                break;
            }
            other => match parts.last_mut() {
                Some(PatternPart::Literal(text)) => text.push(*other),
                _ => parts.push(PatternPart::Literal(other.to_string())),
            },
        }
    }
    WordPattern { parts }
}

pub fn words(text: &str) -> WordSet {
    let (any, except) = text.split_once(" except ").unwrap_or((text, ""));
    let list = |text: &str| text.split(" | ").filter(|word| !word.is_empty()).map(glob).collect();
    WordSet { any: list(any), except: list(except) }
}

pub fn paths(text: &str) -> PathSet {
    let WordSet { any, except } = words(text);
    PathSet { any, except, settings: Vec::new() }
}

pub fn rule(id: &str, patterns: Vec<Pattern>) -> Rule {
    let at = RuleAt { file: "t.rulebook".into(), start: 0, end: 0 };
    let clause =
        |pattern: Pattern| Match { pattern, when: Vec::new(), unless: Vec::new(), at: RuleAt { start: 1, ..at.clone() } };
    Rule {
        id: id.into(),
        kind: RuleKind::Rule,
        floor: false,
        matches: patterns.into_iter().map(clause).collect(),
        when: Vec::new(),
        unless: Vec::new(),
        decision: Decision::Deny,
        otherwise: Decision::Deny,
        possible: None,
        reason: "because".into(),
        instead: None,
        intent: Intent::ManualOnly,
        level: Preset::Standard,
        also: Vec::new(),
        because: None,
        owner: None,
        expires: None,
        at,
    }
}

/// `git push ... <ref=main | x*> --force !--dry-run`, alternatives in parentheses without blanks: `(a|b)`.
pub fn command(text: &str) -> Pattern {
    let mut parts = text.split_whitespace();
    let set = |word: &str| words(&word.trim_matches(['(', ')']).replace('|', " | "));
    let program = set(parts.next().expect("a program"));
    let mut pattern = CommandPattern { program, positionals: Vec::new(), options: Vec::new(), absent: Vec::new() };
    let option = |text: &str| match text.split_once('=') {
        Some((name, value)) => OptionPattern { spelling: glob(name), value: Some(set(value)) },
        None => OptionPattern { spelling: glob(text), value: None },
    };
    for part in parts {
        match part {
            "..." => pattern.positionals.push(PositionalPattern::Skip),
            "--" => pattern.positionals.push(PositionalPattern::Dashes),
            _ if part.starts_with('!') => pattern.absent.push(option(&part[1..])),
            _ if part.starts_with('-') => pattern.options.push(option(part)),
            _ if part.starts_with('<') => {
                let inner = part.trim_matches(['<', '>']);
                let (name, value) = inner.split_once('=').map_or((inner, None), |(name, value)| (name, Some(value)));
                pattern.positionals.push(PositionalPattern::Word { words: value.map(set), bind: Some(name.into()) });
            }
            _ => pattern.positionals.push(PositionalPattern::Word { words: Some(set(part)), bind: None }),
        }
    }
    Pattern::Command(pattern)
}

pub fn effect_pattern(verb: Verb, object: Option<&str>) -> EffectPattern {
    EffectPattern {
        verb,
        recursively: false,
        forcibly: false,
        object: object.map(paths),
        language: None,
        code: None,
        from: None,
        on: Place::Here,
    }
}

pub fn rulebook(rules: Vec<Rule>) -> Rulebook {
    Rulebook {
        name: "t".into(),
        version: "0.0.0".into(),
        about: String::new(),
        file: "t.rulebook".into(),
        lists: Vec::new(),
        paths: Vec::new(),
        commands: Vec::new(),
        languages: Vec::new(),
        tools: Vec::new(),
        rules,
        overrides: Vec::new(),
        examples: Vec::new(),
    }
}

/// A word: `%` a hole of any text, `%%` a component, `%#` a number, `@*` and `@?` glob operators, ` ^ ` between alternatives.
pub fn word(text: &str) -> Word {
    let values = text.split('^').map(value).collect();
    Word { values, span: Span::default(), computed: false }
}

fn value(text: &str) -> Value {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut chars = text.chars().peekable();
    while let Some(char) = chars.next() {
        let piece = match char {
            '%' => {
                let shape = match chars.peek() {
                    Some('%') => Shape::Component,
                    Some('#') => Shape::Number,
                    _ => Shape::Any,
                };
                if shape != Shape::Any {
                    chars.next();
                }
                Piece::Hole(hole(shape))
            }
            '@' if chars.peek() == Some(&'*') => {
                chars.next();
                Piece::Glob(Glob::Star)
            }
            '@' if chars.peek() == Some(&'?') => {
                chars.next();
                Piece::Glob(Glob::Question)
            }
            other => {
                if let Some(Piece::Text { text, .. }) = pieces.last_mut() {
                    text.push(other);
                    continue;
                }
                Piece::Text { text: other.to_string(), span: Span::default() }
            }
        };
        pieces.push(piece);
    }
    Value { pieces }
}

pub fn hole(shape: Shape) -> Hole {
    let origin = Origin::Unset { name: "X".into(), guarded: false };
    Hole { shape, origin, taint: Taint::none(), span: Span::default() }
}

/// `git push -f,--force origin main`: options with all their spellings, `--opt=v` with a value, `%...` a splice, `--`.
pub fn reading(text: &str) -> Reading {
    let mut parts = text.split_whitespace();
    let mut reading = Reading {
        program: parts.next().expect("a program").into(),
        certain: true,
        options: Vec::new(),
        positionals: Vec::new(),
        dashes: None,
        open: false,
        declared: true,
    };
    for part in parts {
        if part == "--" {
            reading.dashes = Some(reading.positionals.len());
        } else if part == "%..." {
            reading.positionals.push(Argument::Splice(hole(Shape::Any)));
            reading.open = true;
        } else if part.starts_with('-') && reading.dashes.is_none() {
            let (names, value) = part.split_once('=').map_or((part, None), |(names, value)| (names, Some(word(value))));
            let spellings = names.split(',').map(str::to_string).collect();
            reading.options.push(OptionUse { spellings, value, certain: true, computed: false, span: Span::default() });
        } else {
            reading.positionals.push(Argument::Word(word(part)));
        }
    }
    reading
}

pub fn run(reading: Reading) -> Run {
    let invocation = Invocation {
        program: Word::known_text(reading.program.clone(), Span::default()),
        arguments: reading.positionals.clone(),
        environment: Vec::new(),
        directory: Directory::Known(HOME.into()),
        stdin: Flow::Empty,
        place: Place::Here,
        chain: Vec::new(),
        span: Span::default(),
    };
    Run { invocation, readings: vec![reading] }
}

pub fn effect(verb: Verb, path: &str) -> Effect {
    Effect {
        verb,
        recursively: false,
        forcibly: false,
        object: Object::Path(word(path)),
        filters: Vec::new(),
        from: Taint::none(),
        directory: Directory::Known(HOME.into()),
        place: Place::Here,
        certain: true,
        invocation: None,
        span: Span::default(),
    }
}

pub fn call(runs: Vec<Run>, effects: Vec<Effect>) -> Call {
    let tool = ToolCall {
        agent: "claude-code".into(),
        tool: "Bash".into(),
        fields: serde_json::json!({}),
        directory: HOME.into(),
        workspace: None,
        attended: true,
        session: String::new(),
    };
    Call {
        tool,
        texts: Vec::new(),
        runs,
        effects,
        unparsed: Vec::new(),
        limits: Vec::new(),
        notes: Vec::new(),
        changes: Vec::new(),
    }
}

pub fn context(world: &dyn World) -> Context<'_> {
    Context {
        world,
        preset: Preset::Standard,
        granted: Preset::Standard,
        attended: true,
        agent: "claude-code",
        project: Box::leak(Box::new(Root::new(&|| Some(HOME.into())))),
        allow_paths: &[],
        deny_paths: &[],
        flags: &[],
    }
}

pub fn image(rules: Vec<Rule>) -> Image {
    let bytes = compile(&[rulebook(rules)], &Settings::default());
    Image::open(Arc::new(bytes)).expect("a sound image")
}

pub fn matches(rules: Vec<Rule>, call: &Call, world: &dyn World) -> Vec<RuleMatch> {
    image(rules).matches(call, &context(world)).expect("a sound image")
}

/// The certainty of the only match, with its bindings.
pub fn outcome(pattern: Pattern, call: &Call) -> Option<Certainty> {
    let files = Files::default();
    matches(vec![rule("t.r", vec![pattern])], call, &files).iter().map(|found| found.certainty).max()
}
