//! Clauses on effects and on tool calls.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::model::effect::{Effect, Object, Place, Source, Verb};
use crate::model::invocation::Directory;
use crate::model::rule::{EffectPattern, Pattern, PatternPart, ToolPattern, WordPattern, WordSet};
use crate::model::span::Span;
use crate::model::verdict::Certainty;
use crate::model::word::{Glob, Piece, Value, Word};

use super::super::bytes::Fault;
use super::super::layout::{Key, Location, Section};
use super::super::nfa::{Answer, Nfa, Scope};
use super::super::record::{EffectShard, ToolShard, load};
use super::super::trie::Trie;
use super::paths::over_views;
use super::views::{Alternative, Follow};
use super::walk::Hits;
use super::{Evaluation, RuleMatch, Side, Surroundings, TOUCHED, emptied, side, words};

/// One thing that an effect is done to.
struct Target {
    word: Word,
    /// Whether it is a path.
    path: bool,
    /// Whether it is a guess: a set that could not be listed.
    doubted: bool,
    /// Whether the filters leave it out: then only what is below counts.
    filtered: bool,
    /// For each value and directory the views and what they hit.
    hits: Vec<(Alternative, Vec<Hits>)>,
}

impl Evaluation<'_> {
    pub(super) fn effects(&self, found: &mut Vec<RuleMatch>) -> Result<(), Fault> {
        let mut shards: Vec<(Verb, Option<Arc<EffectShard>>)> = Vec::new();
        for (index, effect) in self.call.effects.iter().enumerate() {
            let shard = match shards.iter().find(|(verb, _)| *verb == effect.verb) {
                Some((_, shard)) => shard.clone(),
                None => {
                    let shard = self.effect_shard(effect.verb)?;
                    shards.push((effect.verb, shard.clone()));
                    shard
                }
            };
            let Some(shard) = shard else { continue };
            let start = found.len();
            self.effect(&shard, index, effect, found)?;
            let possible = found[start..].iter().any(|m| m.certainty == Certainty::Possible);
            if let (true, Some(bare)) = (possible, emptied::effect(effect)) {
                let mut certain = Vec::new();
                self.effect(&shard, index, &bare, &mut certain)?;
                let path = emptied::path(&bare);
                for one in &mut found[start..] {
                    let same = |other: &RuleMatch| {
                        other.rule.id == one.rule.id && other.clause == one.clause && other.certainty == Certainty::Certain
                    };
                    if one.certainty == Certainty::Possible && certain.iter().any(same) {
                        one.certain_when_emptied = true;
                        one.emptied = path.clone();
                    }
                }
            }
        }
        Ok(())
    }

    fn effect_shard(&self, verb: Verb) -> Result<Option<Arc<EffectShard>>, Fault> {
        let image = self.image;
        for location in image.frame.find(&*image.bytes, Key::Effect, verb.word())? {
            let shard = image.kept.get(location, || {
                let shard: EffectShard = load(&*image.bytes, location, "effect shard")?;
                shard.trie.validate()?;
                Ok(shard)
            })?;
            if shard.key == verb.word() {
                return Ok(Some(shard));
            }
        }
        Ok(None)
    }

    /// The absolute path of the effect's object, where it is one known path.
    fn effect(&self, shard: &EffectShard, index: usize, effect: &Effect, found: &mut Vec<RuleMatch>) -> Result<(), Fault> {
        let (targets, below) = self.targets(shard, effect)?;
        let mut touched: BTreeSet<u32> = shard.always.iter().copied().collect();
        let hits = targets.iter().flat_map(|target| &target.hits).flat_map(|(_, hits)| hits);
        for atom in hits.chain(below.iter().map(|(_, hits)| hits)).flat_map(Hits::atoms) {
            touched.extend(shard.touches.get(atom as usize).into_iter().flatten());
        }
        if targets.iter().any(|target| !target.path) {
            touched.extend(&shard.objects);
        }
        for slot in touched {
            let location = *shard.clauses.get(slot as usize).ok_or(Fault::Content { part: "effect shard" })?;
            let Some(clause) = self.clause(location)? else { continue };
            let Pattern::Effect(pattern) = &clause.pattern else { continue };
            let base = self.manner(pattern, effect);
            if base == Answer::No {
                continue;
            }
            let side = side(clause.kind);
            let mut conclude = |answer: Answer, word: Option<&Word>| -> Result<(), Fault> {
                let bindings: Vec<(String, Word)> = word.map(|word| ("path".to_string(), word.clone())).into_iter().collect();
                let around = Surroundings {
                    run: effect.invocation,
                    effect: Some(index),
                    directory: &effect.directory,
                    place: effect.place,
                    follow: follow(effect.verb),
                    bindings: &bindings,
                    bare: Answer::Possible,
                };
                if answer != Answer::No {
                    self.conclude(&clause, answer, &around, effect.span, found)?;
                }
                Ok(())
            };
            let Some(set) = &pattern.object else {
                match targets.as_slice() {
                    [] => conclude(base, None)?,
                    targets => {
                        for target in targets {
                            let base = if target.doubted { base.doubted() } else { base };
                            conclude(base, Some(&target.word))?;
                        }
                    }
                }
                continue;
            };
            for target in targets.iter().filter(|target| !target.filtered) {
                let answer = if !target.path {
                    let set = WordSet { any: set.any.clone(), except: set.except.clone() };
                    self.word(&target.word, &set, &effect.directory, side)
                } else if set.settings.is_empty() {
                    let answers = target
                        .hits
                        .iter()
                        .map(|(alternative, hits)| over_views(hits, alternative, &clause.atoms.0, &clause.atoms.1, side));
                    Answer::of_alternatives(answers)
                } else {
                    self.path_in(&target.word, set, &effect.directory, effect.place, follow(effect.verb), side)?
                };
                let exempts = side == Side::Exempts && target.word.computed;
                let answer = if target.doubted || exempts { answer.doubted() } else { answer };
                conclude(base.min(answer), Some(&target.word))?;
            }
            for (path, hits) in &below {
                let answer = hits.answer(&clause.atoms.0, &clause.atoms.1, side);
                conclude(base.min(answer), Some(&Word::known_text(path.clone(), effect.span)))?;
            }
        }
        Ok(())
    }

    /// What the effect is done to, and what is touched below.
    #[allow(clippy::type_complexity)]
    fn targets(&self, shard: &EffectShard, effect: &Effect) -> Result<(Vec<Target>, Vec<(String, Hits)>), Fault> {
        let mut words: Vec<(&Word, bool)> = match &effect.object {
            Object::Path(word) => vec![(word, true)],
            Object::Address(word) | Object::Other(word) => vec![(word, false)],
            Object::Code(_) | Object::None => Vec::new(),
        };
        if effect.verb == Verb::Sends {
            words.extend(effect.from.files.iter().map(|file| (file, true)));
        }
        let filters: Vec<WordPattern> = effect.filters.iter().flat_map(|word| &word.values).map(filter).collect();
        let passing = (!filters.is_empty()).then(|| Nfa::new(&filters, [], Scope::Component, false));
        let mut targets = Vec::new();
        let mut below = Vec::new();
        for (word, path) in words {
            for (word, doubted) in if path { self.members(&shard.trie, word, effect)? } else { vec![(word.clone(), false)] } {
                let mut hits = Vec::new();
                let mut filtered = false;
                if path {
                    for value in &word.values {
                        for alternative in self.alternatives(value, &effect.directory, effect.place, follow(effect.verb)) {
                            if !self.touched.spend(1) {
                                return Err(Fault::Touched { most: TOUCHED });
                            }
                            let walked =
                                self.hits(&shard.trie, &alternative, effect.place, effect.recursively && filters.is_empty())?;
                            let known = alternative.views[0].path.as_deref();
                            if let (Some(nfa), Some(path)) = (&passing, known) {
                                filtered |= !nfa.matches(path.rsplit('/').next().unwrap_or(path));
                            }
                            if let (true, Place::Here, Some(path)) = (effect.recursively, effect.place, known) {
                                below.extend(self.below(&shard.trie, path, &filters)?);
                            }
                            hits.push((alternative, walked));
                        }
                    }
                }
                targets.push(Target { word, path, doubted, filtered, hits });
            }
        }
        Ok((targets, below))
    }

    /// A word with glob operators as the names that it means: those that exist, and the text as written; where none exists, the
    /// names of rules that it spells out.
    fn members(&self, trie: &Trie, word: &Word, effect: &Effect) -> Result<Vec<(Word, bool)>, Fault> {
        let directory = &effect.directory;
        if !word.values.iter().any(Value::has_glob) {
            return Ok(vec![(word.clone(), false)]);
        }
        let mut members = Vec::new();
        let several = word.values.len() > 1;
        for value in &word.values {
            let one = |value: Value| Word { values: vec![value], ..word.clone() };
            if !value.has_glob() || value.has_hole() {
                members.push((one(value.clone()), several));
                continue;
            }
            members.push((one(Value::text(value.emptied(), word.span)), several));
            match self.expand(value, directory) {
                Some(mut names) => {
                    if names.is_empty() && effect.place == Place::Here {
                        names = self.spelled(trie, value, directory)?;
                    }
                    members.extend(names.into_iter().map(|name| (one(Value::text(name, word.span)), several)));
                }
                None => members.push((one(value.clone()), true)),
            }
        }
        Ok(members)
    }

    /// Everything about an effect but its object.
    pub(super) fn manner(&self, pattern: &EffectPattern, effect: &Effect) -> Answer {
        let holds = (!pattern.recursively || effect.recursively)
            && (!pattern.forcibly || effect.forcibly)
            && pattern.on == effect.place
            && pattern.from.is_none_or(|source| comes_from(source, effect));
        if !holds {
            return Answer::No;
        }
        let code = match &effect.object {
            Object::Code(code) => {
                if pattern.language.as_ref().is_some_and(|language| *language != code.language) {
                    return Answer::No;
                }
                pattern.code.as_ref().map_or(Answer::Certain, |pattern| self.code(pattern, &code.text))
            }
            _ => Answer::known(pattern.language.is_none() && pattern.code.is_none()),
        };
        if effect.certain { code } else { code.doubted() }
    }

    pub(super) fn tool(&self, found: &mut Vec<RuleMatch>) -> Result<(), Fault> {
        let name = &self.call.tool.tool;
        let mut clauses: Vec<Location> = Vec::new();
        for shard in self.image.records::<ToolShard>(Key::Tool, name, "tool shard")? {
            if shard.key == *name {
                clauses.extend_from_slice(&shard.clauses);
            }
        }
        clauses.extend(self.image.wild_clauses(Section::WildTools, name)?);
        let directory = Directory::Known(self.call.tool.directory.clone());
        let end = self.call.texts.first().map_or(0, |text| text.text.len());
        for location in clauses {
            let Some(clause) = self.clause(location)? else { continue };
            let Pattern::Tool(pattern) = &clause.pattern else { continue };
            let around = Surroundings {
                run: None,
                effect: None,
                directory: &directory,
                place: Place::Here,
                follow: Follow::Last,
                bindings: &[],
                bare: Answer::Possible,
            };
            if self.tool_call(pattern) {
                self.conclude(&clause, Answer::Certain, &around, Span::new(0, end), found)?;
            }
        }
        Ok(())
    }

    pub(super) fn tool_call(&self, pattern: &ToolPattern) -> bool {
        words::holds(&pattern.name, &self.call.tool.tool) && pattern.fields.iter().all(|(name, set)| self.field(name, set))
    }

    /// Whether a field of the tool call has a value in the set; a list is walked.
    pub(super) fn field(&self, name: &str, set: &WordSet) -> bool {
        let mut values = vec![&self.call.tool.fields];
        for part in name.split('.') {
            values = values
                .into_iter()
                .flat_map(|value| match value {
                    serde_json::Value::Array(list) => list.iter().collect(),
                    other => vec![other],
                })
                .filter_map(|value| value.get(part))
                .collect();
        }
        let flat = values.into_iter().flat_map(|value| match value {
            serde_json::Value::Array(list) => list.iter().collect(),
            other => vec![other],
        });
        let mut texts = flat.filter_map(|value| match value {
            serde_json::Value::String(text) => Some(text.clone()),
            serde_json::Value::Number(number) => Some(number.to_string()),
            serde_json::Value::Bool(truth) => Some(truth.to_string()),
            _ => None,
        });
        texts.any(|text| words::holds(set, &text))
    }
}

/// Deleting and moving touch a link, all else what it points to.
pub fn follow(verb: Verb) -> Follow {
    match verb {
        Verb::Deletes | Verb::Moves => Follow::Parent,
        _ => Follow::Last,
    }
}

fn comes_from(source: Source, effect: &Effect) -> bool {
    let code = match &effect.object {
        Object::Code(code) => Some(code),
        _ => None,
    };
    let taint = match code {
        Some(code) => effect.from.join(&code.from).join(&code.text.taint()),
        None => effect.from.clone(),
    };
    match source {
        Source::Network => taint.network,
        Source::Stdin => taint.stdin,
        Source::Environment => taint.environment,
        Source::File => !taint.files.is_empty(),
        // Text that is known but of a language that nobody reads here is not unknown.
        Source::Unknown => match code {
            Some(code) => !code.walked && code.text.known().is_none(),
            None => taint.unknown,
        },
    }
}

/// A filter's text as a glob over names.
fn filter(value: &Value) -> WordPattern {
    let mut parts = Vec::new();
    for piece in &value.pieces {
        match piece {
            Piece::Text { text, .. } => parts.extend(glob(text)),
            Piece::Hole(_) | Piece::Glob(Glob::Star | Glob::DoubleStar) => parts.push(PatternPart::Star),
            Piece::Glob(Glob::Question) => parts.push(PatternPart::Question),
            Piece::Glob(Glob::Class { negated, ranges }) => {
                parts.push(PatternPart::Class { negated: *negated, ranges: ranges.clone() });
            }
        }
    }
    WordPattern { parts }
}

/// A text read as a glob: what `find -name` does with its argument.
fn glob(text: &str) -> Vec<PatternPart> {
    let mut parts: Vec<PatternPart> = Vec::new();
    let mut chars = text.char_indices();
    while let Some((at, char)) = chars.next() {
        let literal = match char {
            '*' => {
                parts.push(PatternPart::Star);
                continue;
            }
            '?' => {
                parts.push(PatternPart::Question);
                continue;
            }
            '[' => match class(&text[at..]) {
                Some((part, length)) => {
                    parts.push(part);
                    while chars.as_str().len() > text.len() - at - length {
                        chars.next();
                    }
                    continue;
                }
                None => '[',
            },
            '\\' => chars.next().map_or('\\', |(_, next)| next),
            other => other,
        };
        match parts.last_mut() {
            Some(PatternPart::Literal(before)) => before.push(literal),
            _ => parts.push(PatternPart::Literal(literal.to_string())),
        }
    }
    parts
}

/// A class at the beginning of the text, and its length in bytes.
fn class(text: &str) -> Option<(PatternPart, usize)> {
    let inner = text.strip_prefix('[')?;
    let negated = inner.starts_with(['!', '^']);
    let body = if negated { &inner[1..] } else { inner };
    let close = body.char_indices().skip(1).find(|(_, char)| *char == ']')?.0;
    let chars: Vec<char> = body[..close].chars().collect();
    let mut ranges = Vec::new();
    let mut at = 0;
    while at < chars.len() {
        match chars.get(at + 1..at + 3) {
            Some(['-', high]) => {
                ranges.push((chars[at], *high));
                at += 3;
            }
            _ => {
                ranges.push((chars[at], chars[at]));
                at += 1;
            }
        }
    }
    Some((PatternPart::Class { negated, ranges }, 1 + usize::from(negated) + close + 1))
}
