//! Pairs of rules, patterns, conditions and examples → trees.

use pest::Parser;
use pest::iterators::{Pair, Pairs};

use super::{Reader, significant};
use crate::language::diagnostic::At;
use crate::language::grammar::{self, Grammar, Rule};
use crate::language::tree::{
    self, Capture, CaptureOf, Condition, Element, Example, ExampleInput, Given, Operand, Pattern, Raw, RuleClause, SetOf,
    SetOfKind, SubjectOf, Test, World,
};

impl<'t> Reader<'t, '_> {
    pub(super) fn rule(&mut self, allow: bool, inner: impl Iterator<Item = Pair<'t, Rule>>) -> Option<tree::Rule<'t>> {
        let (mut name, mut clauses) = (None, Vec::new());
        for pair in inner {
            match pair.as_rule() {
                Rule::ident => name = Some(self.raw(&pair)),
                _ => {
                    for clause in pair.into_inner() {
                        clauses.extend(self.rule_clause(clause));
                    }
                }
            }
        }
        Some(tree::Rule { allow, name: name?, clauses })
    }

    pub(super) fn rule_clause(&mut self, pair: Pair<'t, Rule>) -> Option<(RuleClause<'t>, At)> {
        let at = self.at_of(&pair);
        let node = pair.as_rule();
        if node == Rule::missing_separator {
            self.missing_separator(&pair);
            return None;
        }
        if matches!(node, Rule::when | Rule::unless) {
            return self.when_or_unless(pair).map(|given| (RuleClause::Given(given), at));
        }
        let mut inner = significant(pair);
        let clause = match node {
            Rule::match_ => {
                let pattern = self.pattern(inner.next()?)?;
                let mut given = Vec::new();
                for part in inner {
                    match part.as_rule() {
                        Rule::bare_pipe => self.bare_pipe(&part),
                        _ => given.extend(self.when_or_unless(part)),
                    }
                }
                RuleClause::Match { pattern, given }
            }
            Rule::decide => {
                let decision = self.raw(&inner.next()?);
                let mut next = inner.next()?;
                let mut otherwise = None;
                if next.as_rule() == Rule::decision {
                    otherwise = Some(self.raw(&next));
                    next = inner.next()?;
                }
                RuleClause::Decide { decision, otherwise, reason: self.quoted(&next) }
            }
            Rule::possible => {
                RuleClause::Possible { decision: self.raw(&inner.next()?), otherwise: inner.next().map(|or| self.raw(&or)) }
            }
            Rule::instead => RuleClause::Instead(self.quoted(&inner.next()?)),
            Rule::because => RuleClause::Because(self.quoted(&inner.next()?)),
            Rule::owner => RuleClause::Owner(self.quoted(&inner.next()?)),
            Rule::intent => RuleClause::Intent(self.raw(&inner.next()?)),
            Rule::level => RuleClause::Level(self.raw(&inner.next()?)),
            Rule::expires => RuleClause::Expires(self.raw(&inner.next()?)),
            Rule::floor => RuleClause::Floor,
            Rule::also => {
                let (ids, programs): (Vec<_>, Vec<_>) = inner.partition(|part| part.as_rule() == Rule::ident);
                let ids = ids.iter().map(|id| self.raw(id)).collect();
                RuleClause::Also { ids, programs: programs.iter().map(|program| self.raw(program)).collect() }
            }
            Rule::examples => RuleClause::Examples(self.raw(&inner.next()?)),
            _ => return None,
        };
        Some((clause, at))
    }

    fn bare_pipe(&mut self, pair: &Pair<'t, Rule>) {
        let at = self.at_of(pair);
        let other = self.text[at.start + 1..at.end].trim();
        let help = format!(
            "alternatives of whole patterns are several clauses: add `match {other}`. A pipeline is an effect: `match executes shell from network`, or a condition: `when piped from NAME`"
        );
        self.faults.error("rulebook::bare-pipe", at, "`|` joins words inside `( )` only", "a `|` in a `match`").help(help);
    }

    fn when_or_unless(&mut self, pair: Pair<'t, Rule>) -> Option<Given<'t>> {
        let unless = pair.as_rule() == Rule::unless;
        let at = self.at_of(&pair);
        let part = significant(pair).next()?;
        if part.as_rule() == Rule::nothing {
            let word = if unless { "unless" } else { "when" };
            let at = At { start: at.start, end: at.start + word.len() };
            self.faults
                .error("rulebook::no-condition", at, "a condition must follow", format!("`{word}` without a condition"))
                .help(format!("add a condition, or write `\"{word}\"` in quotes if it is a word of the command"));
            return None;
        }
        Some(Given { unless, condition: self.condition(part) })
    }

    fn pattern(&mut self, pair: Pair<'t, Rule>) -> Option<Pattern<'t>> {
        let pair = if pair.as_rule() == Rule::pattern { pair.into_inner().next()? } else { pair };
        let at = self.at_of(&pair);
        match pair.as_rule() {
            Rule::command_pattern => Some(Pattern::Command { elements: self.elements(pair.into_inner()), at }),
            Rule::tool_pattern => {
                let mut inner = significant(pair);
                let name = self.operand(inner.next()?)?;
                let mut fields = Vec::new();
                for test in inner {
                    let mut parts = significant(test).filter(|part| part.as_rule() != Rule::relation);
                    let field = self.raw(&parts.next()?);
                    fields.push((field, self.operand(parts.next()?)?));
                }
                Some(Pattern::Tool { name, fields })
            }
            Rule::effect_pattern => {
                let (mut verb, mut qualifiers, mut object, mut language, mut code, mut from, mut on) =
                    (None, Vec::new(), None, None, None, None, None);
                for part in pair.into_inner() {
                    match part.as_rule() {
                        Rule::verb | Rule::kw_executes => verb = Some(self.raw(&part)),
                        Rule::qualifier => qualifiers.push(self.raw(&part)),
                        Rule::set_of => object = self.set_of(part),
                        Rule::ident => language = Some(self.raw(&part)),
                        Rule::string => code = Some(self.quoted(&part)),
                        Rule::source => from = Some(self.raw(&part)),
                        Rule::on => on = significant(part).next().map(|place| self.raw(&place)),
                        _ => {}
                    }
                }
                Some(Pattern::Effect { verb: verb?, qualifiers, object, language, code, from, on })
            }
            _ => None,
        }
    }

    pub(super) fn elements(&mut self, pairs: Pairs<'t, Rule>) -> Vec<Element<'t>> {
        let mut all = Vec::new();
        for pair in pairs {
            match pair.as_rule() {
                Rule::absent => all.extend(pair.into_inner().next().map(|word| Element::Absent(self.raw(&word)))),
                Rule::dots => all.push(Element::Dots(self.at(&pair))),
                _ => all.extend(self.operand(pair).map(Element::Operand)),
            }
        }
        all
    }

    fn operand(&mut self, pair: Pair<'t, Rule>) -> Option<Operand<'t>> {
        Some(match pair.as_rule() {
            Rule::group => Operand::Group(self.group(pair)),
            Rule::capture => Operand::Capture(self.capture(pair)?),
            Rule::reference => Operand::Reference(self.raw(&pair)),
            Rule::word => Operand::Word(self.raw(&pair)),
            _ => return None,
        })
    }

    fn capture(&self, pair: Pair<'t, Rule>) -> Option<Capture<'t>> {
        let at = self.at(&pair);
        let mut inner = pair.into_inner();
        let name = self.raw(&inner.next()?);
        let of = inner.next().map(|of| match of.as_rule() {
            Rule::reference => CaptureOf::Reference(self.raw(&of)),
            _ => CaptureOf::Word(self.raw(&of)),
        });
        Some(Capture { name, of, at })
    }

    pub(super) fn condition(&mut self, pair: Pair<'t, Rule>) -> Condition<'t> {
        let at = self.at_of(&pair);
        let mut any: Vec<Condition<'t>> = Vec::new();
        let mut mixed = false;
        for conjunction in significant(pair) {
            let mut all: Vec<Condition<'t>> = significant(conjunction).map(|negation| self.negation(negation)).collect();
            mixed |= all.len() > 1;
            any.push(if all.len() == 1 { all.remove(0) } else { Condition::All(all) });
        }
        if any.len() > 1 && mixed {
            self.faults
                .error(
                    "rulebook::mixed-and-or",
                    at,
                    "which is meant to bind first?",
                    "`and` and `or` mixed without parentheses",
                )
                .help("put the part that belongs together in parentheses: `(a and b) or c`");
        }
        if any.len() == 1 { any.remove(0) } else { Condition::Any(any) }
    }

    fn negation(&mut self, pair: Pair<'t, Rule>) -> Condition<'t> {
        let mut negated = false;
        let mut inner = Condition::All(Vec::new());
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::kw_not => negated = !negated,
                Rule::condition => inner = self.condition(part),
                _ => {
                    let at = self.at_of(&part);
                    let test = self.test(part).unwrap_or(Test::Wrong);
                    inner = Condition::Test(test, at);
                }
            }
        }
        if negated { Condition::Not(Box::new(inner)) } else { inner }
    }

    fn test(&mut self, pair: Pair<'t, Rule>) -> Option<Test<'t>> {
        let node = pair.as_rule();
        if node == Rule::bare_name {
            return Some(self.bare_name(pair));
        }
        if matches!(node, Rule::given_option) {
            return Some(Test::OptionGiven(self.trimmed(&pair)));
        }
        if matches!(node, Rule::given_placeholder) {
            return Some(Test::PlaceholderGiven(self.trimmed(&pair)));
        }
        let mut inner = significant(pair);
        Some(match node {
            Rule::compare => {
                let capture = self.capture(inner.next()?)?;
                Test::Compare(capture, self.raw(&inner.next()?), self.set_of(inner.next()?)?)
            }
            Rule::fact => Test::Fact(self.raw(&inner.next()?), self.raw(&inner.next()?), self.set_of(inner.next()?)?),
            Rule::given_value => Test::Value(self.raw(&inner.next()?), self.raw(&inner.next()?), self.set_of(inner.next()?)?),
            Rule::subject_test => {
                let name = self.raw(&inner.next()?);
                let subject = inner.next()?;
                Test::Subject(
                    name,
                    match subject.as_rule() {
                        Rule::capture => SubjectOf::Capture(self.capture(subject)?),
                        _ => SubjectOf::Word(self.raw(&subject)),
                    },
                )
            }
            Rule::preset_test => Test::Preset(self.raw(&inner.next()?), self.raw(&inner.next()?)),
            Rule::setting => Test::Setting(self.raw(&inner.next()?)),
            Rule::env_test => Test::Env(self.raw(&inner.next()?), self.set_of(inner.next()?)?),
            Rule::tool_field_test => Test::Field(self.raw(&inner.next()?), self.set_of(inner.next()?)?),
            Rule::piped => Test::Piped(self.operand(inner.next()?)?),
            Rule::under => Test::Under(self.operand(inner.next()?)?),
            Rule::in_language => Test::InLanguage(self.raw(&inner.next()?)),
            Rule::worktree => Test::Worktree,
            Rule::attended => Test::Attended,
            Rule::no_operands => Test::NoOperands,
            Rule::match_test => Test::Match(Box::new(self.pattern(inner.next()?)?)),
            Rule::on => Test::On(self.raw(&inner.next()?)),
            _ => return None,
        })
    }

    fn trimmed(&self, pair: &Pair<'t, Rule>) -> Raw<'t> {
        Raw { text: pair.as_str().trim_end(), at: self.at_of(pair) }
    }

    fn bare_name(&mut self, pair: Pair<'t, Rule>) -> Test<'t> {
        let mut inner = pair.into_inner();
        if let Some(name) = inner.next() {
            let relation = inner.next().map_or("is", |relation| relation.as_str());
            let text = name.as_str();
            self.faults
                .error(
                    "rulebook::bare-name",
                    self.at(&name),
                    "a name of the match?",
                    format!("`{text}` is neither a fact nor a captured name"),
                )
                .help(format!("a captured name is written `<{text}> {relation} …`; the facts are cwd, branch, agent and tool"));
        }
        Test::Wrong
    }

    fn set_of(&mut self, pair: Pair<'t, Rule>) -> Option<SetOf<'t>> {
        let (mut of, mut except) = (None, Vec::new());
        for part in significant(pair) {
            match part.as_rule() {
                Rule::exception => except = self.exception(part),
                Rule::setting => of = significant(part).next().map(|name| SetOfKind::Setting(self.raw(&name))),
                _ => of = self.operand(part).map(SetOfKind::Operand),
            }
        }
        Some(SetOf { of: of?, except })
    }

    fn example(&mut self, pair: Pair<'t, Rule>) -> Option<Example<'t>> {
        if pair.as_rule() == Rule::missing_separator {
            self.missing_separator(&pair);
            return None;
        }
        if pair.as_rule() != Rule::example {
            return None;
        }
        let at = self.at_of(&pair);
        let (mut todo, mut decision, mut input, mut world) = (false, None, None, Vec::new());
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::kw_todo => todo = true,
                Rule::decision => decision = Some(self.raw(&part)),
                Rule::code => input = Some(code(part).map(|(text, long)| ExampleInput::Code { text, long })?),
                Rule::tool_call => {
                    let mut inner = significant(part);
                    let name = self.raw(&inner.next()?);
                    let fields = self.json(inner.next()?);
                    input = Some(ExampleInput::Tool { name, fields });
                }
                Rule::world => world.extend(self.world(part)),
                _ => {}
            }
        }
        Some(Example { todo, decision: decision?, input: input?, world, at })
    }

    /// The examples of a block, whole or, where that fails, one by one.
    pub(super) fn examples(&mut self, block: Raw<'t>) -> Vec<Example<'t>> {
        self.base = block.at.start;
        let mut found = Vec::new();
        match Grammar::parse(Rule::examples_alone, block.text) {
            Ok(pairs) => {
                for body in pairs.flat_map(Pair::into_inner) {
                    found.extend(body.into_inner().filter_map(|pair| self.example(pair)));
                }
            }
            Err(error) => {
                let before = self.faults.errors();
                let inner = At { start: block.at.start + 1, end: block.at.end - 1 };
                self.each_alone(inner, Rule::example_alone, |reader, pair| found.extend(reader.example(pair)));
                if self.faults.errors() == before {
                    grammar::report(error, self.text, block.at.start, block.at.end, self.faults);
                }
            }
        }
        found
    }

    fn world(&self, pair: Pair<'t, Rule>) -> Option<World<'t>> {
        let mut inner = pair.into_inner();
        let keyword = inner.next()?.as_rule();
        let first = inner.next()?;
        Some(match keyword {
            Rule::kw_with => {
                World::With { kind: self.raw(&first), word: self.raw(&inner.next()?), content: inner.next().and_then(code) }
            }
            Rule::kw_in => World::In(self.raw(&first)),
            Rule::kw_preset => World::Preset(self.raw(&first)),
            Rule::kw_setting => World::Setting(self.raw(&first)),
            _ => World::Env(self.raw(&first)),
        })
    }

    /// A JSON value. Depth is bounded by the splitter's limit on nesting.
    fn json(&mut self, pair: Pair<'t, Rule>) -> serde_json::Value {
        use serde_json::Value;
        match pair.as_rule() {
            Rule::json_object => {
                let mut map = serde_json::Map::new();
                for field in pair.into_inner() {
                    let mut parts = field.into_inner();
                    let (Some(key), Some(value)) = (parts.next(), parts.next()) else { continue };
                    let name = match key.as_rule() {
                        Rule::string => super::super::word::unescape(self.quoted(&key).text),
                        _ => key.as_str().to_string(),
                    };
                    let value = self.json(value);
                    if map.insert(name.clone(), value).is_some() {
                        let at = self.at(&key);
                        self.faults
                            .error("rulebook::duplicate", at, "given a second time", format!("the field `{name}` stands twice"))
                            .help("leave one of them out");
                    }
                }
                Value::Object(map)
            }
            Rule::json_array => Value::Array(pair.into_inner().map(|part| self.json(part)).collect()),
            Rule::string => Value::String(super::super::word::unescape(self.quoted(&pair).text)),
            Rule::json_number => pair.as_str().parse().map_or(Value::Null, Value::Number),
            _ => match pair.as_str() {
                "true" => Value::Bool(true),
                "false" => Value::Bool(false),
                _ => Value::Null,
            },
        }
    }
}

/// The text between backquotes, and whether it may span lines.
fn code<'t>(pair: Pair<'t, Rule>) -> Option<(&'t str, bool)> {
    let inner = pair.into_inner().next()?;
    Some((inner.as_str(), inner.as_rule() == Rule::code_block))
}
