//! Pairs of commands, languages and tools → trees.

use pest::iterators::Pair;

use super::{Reader, significant};
use crate::language::diagnostic::At;
use crate::language::grammar::Rule;
use crate::language::tree::{
    Call, Command, CommandClause, Effect, EffectKind, Element, Field, Given, Group, How, Language, Object, Operand, Raw, Runs,
    Tool, Yield,
};

impl<'t> Reader<'t, '_> {
    pub(super) fn command(&mut self, at: At, inner: impl Iterator<Item = Pair<'t, Rule>>) -> Command<'t> {
        let (mut names, mut clauses) = (Vec::new(), Vec::new());
        for pair in inner {
            match pair.as_rule() {
                Rule::command_body => {
                    for clause in significant(pair) {
                        clauses.extend(self.command_clause(clause));
                    }
                }
                _ => names.push(self.raw(&pair)),
            }
        }
        Command { names, clauses, at }
    }

    pub(super) fn command_clause(&mut self, pair: Pair<'t, Rule>) -> Option<CommandClause<'t>> {
        let at = self.at_of(&pair);
        let node = pair.as_rule();
        let settings = pair.as_str().starts_with("settings");
        if node == Rule::missing_separator {
            self.missing_separator(&pair);
            return None;
        }
        if node == Rule::subcommand {
            return Some(CommandClause::Subcommand(self.command(at, significant(pair))));
        }
        if node == Rule::runs {
            return self.runs(at, pair);
        }
        let (mut words, mut value, mut does, mut yields, mut given) = (Vec::new(), None, Vec::new(), None, Vec::new());
        if node == Rule::yields {
            let (what, when) = self.yields(pair)?;
            yields = Some(what);
            given = when;
        } else {
            for part in significant(pair) {
                match part.as_rule() {
                    Rule::spelling | Rule::parameter | Rule::key_spelling | Rule::ident | Rule::word => {
                        words.push(self.raw(&part))
                    }
                    Rule::value => value = Some(self.raw(&part)),
                    Rule::does => does = self.does(part),
                    Rule::glued_option => self.glued_option(&words, &part),
                    _ => {}
                }
            }
        }
        Some(match node {
            Rule::option => CommandClause::Option { spellings: words, value, does },
            Rule::key_option => {
                let raw = words.pop()?;
                let cut = raw.text.find('=')?;
                let start = raw.at.start;
                let key = Raw { text: &raw.text[..cut], at: At { start, end: start + cut } };
                let value = Raw { text: &raw.text[cut + 1..], at: At { start: start + cut + 1, end: raw.at.end } };
                CommandClause::Option { spellings: vec![key], value: Some(value), does }
            }
            Rule::operands => CommandClause::Operands { parameters: words, does, at },
            Rule::always => CommandClause::Always { does },
            Rule::stdin => CommandClause::Stdin { does, at },
            Rule::environment => CommandClause::Environment { names: words, value, does, settings },
            Rule::assignments => CommandClause::Assignments,
            Rule::syntax => CommandClause::Syntax(words.pop()?),
            Rule::shell => CommandClause::Shell(words.pop()?),
            Rule::yields => CommandClause::Yields(yields?, given),
            _ => return None,
        })
    }

    fn glued_option(&mut self, before: &[Raw<'t>], pair: &Pair<'t, Rule>) {
        let first = before.last().map_or("", |raw| raw.text);
        let second = pair.as_str().trim_end();
        self.faults
            .error(
                "rulebook::glued-options",
                self.at_of(pair),
                "another spelling, or another option?",
                "two options without `,` or `;` between them",
            )
            .help(format!("`{first}, {second}` are spellings of one option; `{first}; {second}` are two options"));
    }

    fn runs(&mut self, at: At, pair: Pair<'t, Rule>) -> Option<CommandClause<'t>> {
        let (mut operand, mut joined, mut from_stdin, mut on) = (None, false, false, None);
        let (mut after, mut placeholder, mut with) = (Vec::new(), None, false);
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::parameter => operand = Some(self.raw(&part)),
                Rule::kw_joined => joined = true,
                Rule::kw_with_arguments => from_stdin = true,
                Rule::kw_with => with = true,
                Rule::string if with => placeholder = Some(self.quoted(&part)),
                Rule::string => after.push(crate::language::word::unescape(self.quoted(&part).text)),
                Rule::group => {
                    for alternative in self.group(part).alternatives {
                        if let [Element::Operand(Operand::Word(raw))] = alternative.as_slice() {
                            after.push(crate::language::word::unescape(raw.text.trim_matches('"')));
                        }
                    }
                }
                Rule::on => on = significant(part).next().map(|place| self.raw(&place)),
                _ => {}
            }
        }
        Some(CommandClause::Runs(Runs { operand: operand?, joined, from_stdin, after, placeholder, on, at }))
    }

    pub(super) fn does(&mut self, pair: Pair<'t, Rule>) -> Vec<Effect<'t>> {
        pair.into_inner().filter_map(|effect| self.effect(effect)).collect()
    }

    fn effect(&mut self, pair: Pair<'t, Rule>) -> Option<Effect<'t>> {
        let at = self.at_of(&pair);
        let (mut kind, mut given) = (None, Vec::new());
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::given => given.extend(self.given(part)),
                Rule::yields => {
                    let (what, when) = self.yields(part)?;
                    kind = Some(EffectKind::Yields(what));
                    given.extend(when);
                }
                _ => kind = self.effect_kind(part),
            }
        }
        Some(Effect { kind: kind?, given, at })
    }

    fn effect_kind(&mut self, pair: Pair<'t, Rule>) -> Option<EffectKind<'t>> {
        let node = pair.as_rule();
        let (mut word, mut argument, mut object, mut how) = (None, None, None, How::default());
        let (mut group, mut string, mut function, mut second, mut terminator) = (None, None, None, None, None);
        for part in significant(pair) {
            match part.as_rule() {
                Rule::ident if node == Rule::executes_file_as && word.is_some() => argument = Some(self.raw(&part)),
                Rule::verb | Rule::ident => word = Some(self.raw(&part)),
                Rule::terminator => terminator = significant(part).next().map(|text| self.quoted(&text)),
                Rule::placeholder => argument = Some(self.raw(&part)),
                Rule::yield_function => function = Some(self.raw(&part)),
                Rule::behind => how.after = significant(part).find(|p| p.as_rule() == Rule::word).map(|p| self.raw(&p)),
                Rule::object if object.is_some() => second = self.object(part),
                Rule::qualifier => how.qualifiers.push(self.raw(&part)),
                Rule::object => object = self.object(part),
                Rule::origin => how.from = significant(part).next().map(|from| self.raw(&from)),
                Rule::on => how.on = significant(part).next().map(|place| self.raw(&place)),
                Rule::group => group = Some(self.group(part)),
                Rule::string => string = Some(self.quoted(&part)),
                _ => {}
            }
        }
        Some(match node {
            Rule::runs_until => EffectKind::RunsUntil { terminators: group, terminator, placeholder: string?, object: object? },
            Rule::runs_argument => EffectKind::Runs(argument),
            Rule::narrows => EffectKind::Narrows,
            Rule::cancels => EffectKind::Cancels,
            Rule::splits => EffectKind::Splits(argument),
            Rule::replaces => EffectKind::Replaces(argument),
            Rule::aliases => EffectKind::Aliases(argument),
            Rule::links => EffectKind::Links { object: object?, name: second? },
            Rule::executes_file_as => EffectKind::ExecutesFileAs { object, language: word?, entry: argument },
            Rule::assigns => EffectKind::Assigns(argument),
            Rule::executes => EffectKind::Executes { language: word, function, argument, how },
            Rule::plain_effect => EffectKind::Plain { verb: word?, object, how },
            _ => return None,
        })
    }

    fn object(&self, pair: Pair<'t, Rule>) -> Option<Object<'t>> {
        let part = pair.into_inner().next()?;
        Some(match part.as_rule() {
            Rule::placed => Object::Placed(self.raw(&part)),
            Rule::computed => {
                let mut parts = significant(part);
                Object::Computed(self.raw(&parts.next()?), self.raw(&parts.next()?))
            }
            Rule::kw_stdin => Object::Stdin,
            Rule::reference => Object::Reference(self.raw(&part)),
            _ => Object::Word(self.raw(&part)),
        })
    }

    fn yields(&mut self, pair: Pair<'t, Rule>) -> Option<(Yield<'t>, Vec<Given<'t>>)> {
        let (mut function, mut argument, mut string, mut word, mut given) = (None, None, None, None, Vec::new());
        for part in significant(pair) {
            match part.as_rule() {
                Rule::yield_function => function = Some(self.raw(&part)),
                Rule::yield_argument => argument = Some(self.raw(&part)),
                Rule::string => string = Some(self.quoted(&part)),
                Rule::word => word = Some(self.raw(&part)),
                Rule::given => given.extend(self.given(part)),
                _ => {}
            }
        }
        let what = match (string, function, argument, word) {
            (Some(string), ..) => Yield::Literal(string),
            (None, Some(function), argument, _) => Yield::Function(function, argument),
            (None, None, Some(argument), _) => Yield::Argument(argument),
            (None, None, None, word) => Yield::Word(word?),
        };
        Some((what, given))
    }

    fn given(&mut self, pair: Pair<'t, Rule>) -> Option<Given<'t>> {
        let unless = pair.as_str().starts_with("unless");
        let condition = significant(pair).find(|part| part.as_rule() == Rule::condition)?;
        Some(Given { unless, condition: self.condition(condition) })
    }

    pub(super) fn language(&mut self, inner: impl Iterator<Item = Pair<'t, Rule>>) -> Option<Language<'t>> {
        let (mut name, mut calls) = (None, Vec::new());
        for pair in inner {
            match pair.as_rule() {
                Rule::ident => name = Some(self.raw(&pair)),
                _ => {
                    for call in significant(pair) {
                        calls.extend(self.call(call));
                    }
                }
            }
        }
        Some(Language { name: name?, calls })
    }

    pub(super) fn call(&mut self, pair: Pair<'t, Rule>) -> Option<Call<'t>> {
        if pair.as_rule() == Rule::missing_separator {
            self.missing_separator(&pair);
            return None;
        }
        if pair.as_rule() != Rule::call {
            return None;
        }
        let (mut names, mut parameters, mut does) = (Vec::new(), Vec::new(), Vec::new());
        for part in significant(pair) {
            match part.as_rule() {
                Rule::call_name => names.push(self.raw(&part)),
                Rule::parameter => parameters.push(self.raw(&part)),
                Rule::does => does = self.does(part),
                _ => {}
            }
        }
        Some(Call { names, parameters, does })
    }

    pub(super) fn tool(&mut self, inner: impl Iterator<Item = Pair<'t, Rule>>) -> Option<Tool<'t>> {
        let (mut name, mut fields) = (None, Vec::new());
        for pair in inner {
            match pair.as_rule() {
                Rule::word => name = Some(self.raw(&pair)),
                _ => {
                    for field in significant(pair) {
                        fields.extend(self.field(field));
                    }
                }
            }
        }
        Some(Tool { name: name?, fields })
    }

    pub(super) fn field(&mut self, pair: Pair<'t, Rule>) -> Option<Field<'t>> {
        if pair.as_rule() == Rule::missing_separator {
            self.missing_separator(&pair);
            return None;
        }
        if pair.as_rule() != Rule::field {
            return None;
        }
        let mut parts = significant(pair);
        let name = self.raw(&parts.next()?);
        let does = parts.next().map(|does| self.does(does)).unwrap_or_default();
        Some(Field { name, does })
    }

    pub(super) fn group(&mut self, pair: Pair<'t, Rule>) -> Group<'t> {
        let at = self.at_of(&pair);
        let alternatives = significant(pair)
            .filter(|part| part.as_rule() == Rule::sequence)
            .map(|sequence| self.elements(sequence.into_inner()))
            .collect();
        Group { alternatives, at }
    }
}
