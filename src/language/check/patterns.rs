//! Patterns as written → flat patterns: groups unfolded, options told from positionals.

use super::declarations::{place, source};
use super::names::{Resolved, is_place, is_reference};
use super::union::Union;
use super::{Check, words};
use crate::language::diagnostic::At;
use crate::language::tree::{self, Capture, CaptureOf, Element, Group, Operand, Raw, SetOf, SetOfKind};
use crate::model::declaration::Syntax;
use crate::model::effect::Verb;
use crate::model::rule::{
    CommandPattern, EffectPattern, OptionPattern, PathSet, Pattern, PositionalPattern, ToolPattern, WordSet,
};

/// How many flat patterns one `match` may unfold to.
pub const ALTERNATIVES_LIMIT: usize = 64;

/// A flat pattern and the names that it binds.
#[derive(Debug, Clone)]
pub struct Bound<'t> {
    pub pattern: Pattern,
    pub bound: Vec<&'t str>,
}

/// One element of a pattern without groups.
#[derive(Debug, Clone)]
enum Flat<'t> {
    Word(Raw<'t>),
    Words(WordSet),
    Absent(Raw<'t>),
    Dots(At),
    Capture(&'t Capture<'t>, Option<WordSet>),
}

impl<'t> Check<'_, 't> {
    /// The flat patterns of a pattern; a fault is reported.
    pub(super) fn pattern(&mut self, tree: &'t tree::Pattern<'t>) -> Option<Vec<Bound<'t>>> {
        match tree {
            tree::Pattern::Command { elements, at } => {
                let flat = self.unfold(elements, *at)?;
                let all: Vec<Option<Bound<'t>>> = flat.into_iter().map(|sequence| self.command_pattern(sequence)).collect();
                all.into_iter().collect()
            }
            tree::Pattern::Effect { .. } => self.effect_pattern(tree),
            tree::Pattern::Tool { name, fields, .. } => {
                let names = self.operand_words(name)?;
                let mut tests = vec![Vec::new()];
                for (field, operand) in fields {
                    let sets = self.operand_words(operand)?;
                    tests = tests
                        .into_iter()
                        .flat_map(|tests: Vec<(String, WordSet)>| {
                            sets.iter().map(move |set| {
                                let mut tests = tests.clone();
                                tests.push((field.text.to_string(), set.clone()));
                                tests
                            })
                        })
                        .take(ALTERNATIVES_LIMIT + 1)
                        .collect();
                }
                let mut all = Vec::new();
                for name in names {
                    for fields in &tests {
                        let pattern = Pattern::Tool(ToolPattern { name: name.clone(), fields: fields.clone() });
                        all.push(Bound { pattern, bound: Vec::new() });
                    }
                }
                Some(all)
            }
        }
    }

    /// Every choice of alternatives: the product over the groups.
    // Depth is bounded by the splitter's limit on nesting.
    fn unfold(&mut self, elements: &'t [Element<'t>], at: At) -> Option<Vec<Vec<Flat<'t>>>> {
        let mut all: Vec<Vec<Flat<'t>>> = vec![Vec::new()];
        for element in elements {
            let choices: Vec<Vec<Flat<'t>>> = match element {
                Element::Absent(raw) => vec![vec![Flat::Absent(*raw)]],
                Element::Dots(at) => vec![vec![Flat::Dots(*at)]],
                Element::Operand(Operand::Word(raw)) => vec![vec![Flat::Word(*raw)]],
                Element::Operand(Operand::Reference(raw)) => {
                    self.reference_words(*raw)?.into_iter().map(|set| vec![Flat::Words(set)]).collect()
                }
                Element::Operand(Operand::Capture(capture)) => self.capture(capture)?,
                Element::Operand(Operand::Group(group)) => self.unfold_group(group)?,
            };
            if all.len() * choices.len() > ALTERNATIVES_LIMIT {
                self.faults
                    .error(
                        "rulebook::too-many-alternatives",
                        at,
                        "unfolds too far",
                        format!("this pattern has more than {ALTERNATIVES_LIMIT} alternatives"),
                    )
                    .help("write several `match` clauses, or name the words: `list name = a | b`");
                return None;
            }
            if let [only] = choices.as_slice() {
                for sequence in &mut all {
                    sequence.extend(only.iter().cloned());
                }
            } else {
                all = all
                    .iter()
                    .flat_map(|sequence| {
                        choices.iter().map(move |choice| sequence.iter().cloned().chain(choice.iter().cloned()).collect())
                    })
                    .collect();
            }
        }
        Some(all)
    }

    /// The alternatives of a group; those of a single plain word become one set.
    fn unfold_group(&mut self, group: &'t Group<'t>) -> Option<Vec<Vec<Flat<'t>>>> {
        let mut union = Union::<WordSet>::new(Vec::new());
        let mut all = Vec::new();
        for alternative in &group.alternatives {
            match alternative.as_slice() {
                [Element::Operand(Operand::Word(raw) | Operand::Reference(raw))] if is_plain(raw.text) && !is_place(raw) => {
                    let resolved = self.resolved::<WordSet>(*raw);
                    if !union.add(*raw, resolved, self.faults) {
                        return None;
                    }
                }
                elements => {
                    let unfolded = self.unfold(elements, group.at)?;
                    all.extend(unfolded);
                }
            }
        }
        let mut sets: Vec<Vec<Flat<'t>>> = union.finish().into_iter().map(|set| vec![Flat::Words(set)]).collect();
        sets.extend(all);
        Some(sets)
    }

    fn reference_words(&mut self, raw: Raw<'t>) -> Option<Vec<WordSet>> {
        if is_place(&raw) {
            self.faults
                .error(
                    "rulebook::wrong-set",
                    raw.at,
                    "a place",
                    format!("`{}` is a place, and words are compared here", raw.text),
                )
                .help(format!("capture the word and compare its path: `<target>` and `when <target> in {}/**`", raw.text));
            return None;
        }
        match self.names.set(self.file, raw, self.faults) {
            Resolved::Words(sets) => Some(sets),
            Resolved::Paths(_) => {
                words::not_words(raw, self.faults);
                None
            }
            Resolved::Broken => None,
        }
    }

    fn capture(&mut self, capture: &'t Capture<'t>) -> Option<Vec<Vec<Flat<'t>>>> {
        let sets = match capture.of {
            None => return Some(vec![vec![Flat::Capture(capture, None)]]),
            Some(CaptureOf::Reference(raw)) => self.reference_words(raw)?,
            Some(CaptureOf::Word(raw)) => vec![WordSet { any: vec![words::pattern(raw, self.faults)?], except: Vec::new() }],
        };
        Some(sets.into_iter().map(|set| vec![Flat::Capture(capture, Some(set))]).collect())
    }

    fn command_pattern(&mut self, sequence: Vec<Flat<'t>>) -> Option<Bound<'t>> {
        let mut elements = sequence.into_iter();
        let program = match elements.next() {
            Some(Flat::Word(raw)) if is_option(raw.text) => {
                self.faults
                    .error("rulebook::no-program", raw.at, "an option", "a pattern begins with the program")
                    .help(format!("write `match PROGRAM {}`; `*` is any program", raw.text));
                return None;
            }
            Some(Flat::Word(raw)) => WordSet { any: vec![words::pattern(raw, self.faults)?], except: Vec::new() },
            Some(Flat::Words(set)) => set,
            Some(Flat::Capture(&Capture { at, .. }, _) | Flat::Dots(at) | Flat::Absent(Raw { at, .. })) => {
                self.faults
                    .error("rulebook::no-program", at, "no program", "a pattern begins with the program")
                    .help("write its name, `@list`, or `*` for any program");
                return None;
            }
            None => return None,
        };
        let syntax = self.syntax_of(&program);
        let mut pattern = CommandPattern { program, positionals: Vec::new(), options: Vec::new(), absent: Vec::new() };
        let mut bound: Vec<&'t str> = Vec::new();
        for element in elements {
            match element {
                Flat::Word(raw) if raw.text == "--" => pattern.positionals.push(PositionalPattern::Dashes),
                Flat::Word(raw) if is_option(raw.text) || is_option_of(syntax, raw.text) => {
                    pattern.options.push(self.option(raw)?)
                }
                Flat::Word(raw) => {
                    let set = WordSet { any: vec![words::pattern(raw, self.faults)?], except: Vec::new() };
                    pattern.positionals.push(PositionalPattern::Word { words: Some(set), bind: None });
                }
                Flat::Words(set) => pattern.positionals.push(PositionalPattern::Word { words: Some(set), bind: None }),
                Flat::Absent(raw) => pattern.absent.push(self.option(raw)?),
                Flat::Dots(_) => pattern.positionals.push(PositionalPattern::Skip),
                Flat::Capture(capture, words) => {
                    self.bind(capture, &mut bound);
                    pattern.positionals.push(PositionalPattern::Word { words, bind: Some(capture.name.text.to_string()) });
                }
            }
        }
        Some(Bound { pattern: Pattern::Command(pattern), bound })
    }

    fn bind(&mut self, capture: &Capture<'t>, bound: &mut Vec<&'t str>) {
        let name = capture.name.text;
        if bound.contains(&name) {
            self.faults
                .error("rulebook::duplicate", capture.at, "bound again", format!("`<{name}>` is bound twice"))
                .help("give one of them another name");
        } else if name == "command" {
            self.faults
                .error("rulebook::reserved-name", capture.at, "taken", "`{command}` is the whole command in messages")
                .help("choose another name, such as `<name>`");
        }
        bound.push(name);
    }

    fn syntax_of(&self, program: &WordSet) -> Syntax {
        match program.any.as_slice() {
            [one] => one.as_literal().map_or(Syntax::Gnu, |name| self.names.syntax(name)),
            _ => Syntax::Gnu,
        }
    }

    /// An option of a pattern, its value after `=`.
    fn option(&mut self, raw: Raw<'t>) -> Option<OptionPattern> {
        let cut = raw.text.find('=');
        if let Some(bracket) = raw.text.find("[=") {
            let at = At { start: raw.at.start + bracket, end: raw.at.end };
            self.faults
                .error(
                    "rulebook::value-in-brackets",
                    at,
                    "a declaration's spelling",
                    "a pattern names an option's value after `=`",
                )
                .help(format!("write `{0}`, or `{0}=VALUE`", &raw.text[..bracket]));
            return None;
        }
        let (name, value) = match cut {
            Some(cut) => (&raw.text[..cut], Some(&raw.text[cut + 1..])),
            None => (raw.text, None),
        };
        let spelling =
            words::pattern(Raw { text: name, at: At { start: raw.at.start, end: raw.at.start + name.len() } }, self.faults)?;
        let value = match value {
            None => None,
            Some(text) => {
                let raw = Raw { text, at: At { start: raw.at.end - text.len(), end: raw.at.end } };
                Some(self.option_value(raw)?)
            }
        };
        Some(OptionPattern { spelling, value })
    }

    fn option_value(&mut self, raw: Raw<'t>) -> Option<WordSet> {
        if !is_reference(&raw) {
            return Some(WordSet { any: vec![words::pattern(raw, self.faults)?], except: Vec::new() });
        }
        let mut sets = self.reference_words(raw)?;
        if sets.len() != 1 {
            self.faults
                .error(
                    "rulebook::too-many-alternatives",
                    raw.at,
                    "several differences",
                    "an option's value is compared with one set",
                )
                .help("write one `match` for each of the sets that it joins");
            return None;
        }
        sets.pop()
    }

    fn effect_pattern(&mut self, tree: &'t tree::Pattern<'t>) -> Option<Vec<Bound<'t>>> {
        let tree::Pattern::Effect { verb, qualifiers, object, language, code, from, on, .. } = tree else { return None };
        let verb = Verb::parse(verb.text)?;
        let objects: Vec<Option<PathSet>> = match object {
            None => vec![None],
            Some(SetOf { of: SetOfKind::Operand(Operand::Capture(capture)), .. }) => self.captured_path(capture)?,
            Some(set) => self.path_sets(set)?.into_iter().map(Some).collect(),
        };
        let language = match language {
            Some(raw) => Some(self.language_name(*raw)).filter(|name| *name != "any").map(str::to_string),
            None => None,
        };
        let code = match code {
            Some(text) => Some(self.code_pattern(*text)?),
            None => None,
        };
        let bound = if verb == Verb::Executes { Vec::new() } else { vec!["path"] };
        let patterns = objects.into_iter().map(|object| {
            let pattern = EffectPattern {
                verb,
                recursively: qualifiers.iter().any(|raw| raw.text == "recursively"),
                forcibly: qualifiers.iter().any(|raw| raw.text == "forcibly"),
                object,
                language: language.clone(),
                code: code.clone(),
                from: from.and_then(|raw| source(raw.text)),
                on: place(*on),
            };
            Bound { pattern: Pattern::Effect(pattern), bound: bound.clone() }
        });
        Some(patterns.collect())
    }

    /// `<path>` or `<path=…>` as the object of an effect.
    fn captured_path(&mut self, capture: &'t Capture<'t>) -> Option<Vec<Option<PathSet>>> {
        if capture.name.text != "path" {
            self.faults
                .error("rulebook::unbound-name", capture.name.at, "not `path`", "an effect binds `<path>`")
                .help("write `<path>`, here and in conditions, and `{path}` in messages");
            return None;
        }
        match capture.of {
            None => Some(vec![None]),
            Some(CaptureOf::Word(raw) | CaptureOf::Reference(raw)) => Some(self.single(raw)?.into_iter().map(Some).collect()),
        }
    }
}

/// Whether a bare word is an option: `-` alone, `--` alone and quoted words are not.
fn is_option(text: &str) -> bool {
    text.len() > 1 && text.starts_with('-') && text != "--"
}

/// Whether a word is an option in the program's own syntax.
fn is_option_of(syntax: Syntax, text: &str) -> bool {
    match syntax {
        Syntax::KeyValue => {
            text.find('=').is_some_and(|cut| cut > 0 && text[..cut].bytes().all(|byte| byte.is_ascii_alphanumeric()))
        }
        Syntax::Cmd => text.len() > 1 && text.starts_with('/') && !text[1..].contains('/'),
        _ => false,
    }
}

/// Whether a word is a positional in every syntax.
fn is_plain(text: &str) -> bool {
    !text.starts_with(['-', '/']) && !text.contains('=')
}
