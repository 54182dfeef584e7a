//! Items' texts → syntax trees.
//!
//! An item is parsed whole. Where that fails, its clauses are parsed one by one: each bad clause is reported, the good ones
//! stay in the tree (marked broken), so that their other faults come out in the same run.

mod declarations;
mod rules;

use pest::Parser;
use pest::iterators::Pair;

use super::diagnostic::{At, Faults};
use super::grammar::{self, Grammar, Rule};
use super::split::{self, Piece};
use super::tree::{self, Item, ItemKind, Quoted, Raw};

/// Parses one item. `None` where not even its head can be read; reported.
pub fn parse<'t>(text: &'t str, piece: &Piece<'t>, faults: &mut Faults) -> Option<Item<'t>> {
    let slice = &text[piece.at.start..piece.at.end];
    let before = faults.errors();
    let mut reader = Reader { text, base: piece.at.start, faults };
    let kind = match Grammar::parse(Rule::item, slice) {
        Ok(mut pairs) => {
            let item = pairs.next()?.into_inner().next()?;
            reader.item(item)
        }
        Err(error) => return reader.recover(piece, error),
    };
    let broken = piece.unclosed || reader.faults.errors() > before;
    kind.map(|kind| Item { kind, at: piece.at, broken })
}

/// Parses a block of examples.
pub fn examples<'t>(text: &'t str, block: Raw<'t>, faults: &mut Faults) -> Vec<tree::Example<'t>> {
    Reader { text, base: block.at.start, faults }.examples(block)
}

/// What the building functions share.
pub(super) struct Reader<'t, 'f> {
    /// The whole file.
    text: &'t str,
    /// Where the parsed text begins in it.
    base: usize,
    faults: &'f mut Faults,
}

impl<'t> Reader<'t, '_> {
    fn at(&self, pair: &Pair<'t, Rule>) -> At {
        let span = pair.as_span();
        At { start: self.base + span.start(), end: self.base + span.end() }
    }

    fn raw(&self, pair: &Pair<'t, Rule>) -> Raw<'t> {
        Raw { text: pair.as_str(), at: self.at(pair) }
    }

    /// A string's text between its quotes.
    fn quoted(&self, pair: &Pair<'t, Rule>) -> Quoted<'t> {
        let at = self.at(pair);
        let inner = At { start: at.start + 1, end: at.end - 1 };
        Quoted { text: &self.text[inner.start..inner.end], at: inner }
    }

    fn item(&mut self, pair: Pair<'t, Rule>) -> Option<ItemKind<'t>> {
        let at = self.at(&pair);
        let node = pair.as_rule();
        let mut inner = significant(pair);
        Some(match node {
            Rule::rulebook => ItemKind::Rulebook(self.raw(&inner.next()?)),
            Rule::version => ItemKind::Version(self.raw(&inner.next()?)),
            Rule::about => ItemKind::About(self.quoted(&inner.next()?)),
            Rule::override_ => ItemKind::Override { id: self.raw(&inner.next()?), decision: self.raw(&inner.next()?) },
            Rule::set => ItemKind::Set(self.set(at, inner)?),
            Rule::command => ItemKind::Command(self.command(at, inner)),
            Rule::language => ItemKind::Language(self.language(inner)?),
            Rule::tool => ItemKind::Tool(self.tool(inner)?),
            Rule::rule => ItemKind::Rule(self.rule(false, inner)?),
            Rule::allow => ItemKind::Rule(self.rule(true, inner)?),
            _ => return None,
        })
    }

    fn set(&mut self, at: At, inner: impl Iterator<Item = Pair<'t, Rule>>) -> Option<tree::Set<'t>> {
        let paths = self.text[at.start..].starts_with("paths");
        let (mut name, mut any, mut except) = (None, Vec::new(), Vec::new());
        for pair in inner {
            match pair.as_rule() {
                Rule::ident => name = Some(self.raw(&pair)),
                Rule::union => any = self.members(pair),
                Rule::exception => except = self.exception(pair),
                _ => {}
            }
        }
        Some(tree::Set { paths, name: name?, any, except })
    }

    fn members(&self, union: Pair<'t, Rule>) -> Vec<Raw<'t>> {
        union.into_inner().map(|member| self.raw(&member)).collect()
    }

    fn exception(&mut self, pair: Pair<'t, Rule>) -> Vec<Raw<'t>> {
        let mut except = Vec::new();
        for part in significant(pair) {
            match part.as_rule() {
                Rule::union => except = self.members(part),
                Rule::member => except.push(self.raw(&part)),
                Rule::loose_exception => {
                    let mut all: Vec<&str> = except.iter().map(|raw| raw.text).collect();
                    let rest: Vec<Raw<'t>> = part.clone().into_inner().map(|member| self.raw(&member)).collect();
                    all.extend(rest.iter().map(|raw| raw.text));
                    let help = format!("`except ({})` takes all of them out", all.join(" | "));
                    self.faults
                        .error(
                            "rulebook::loose-except",
                            self.at_of(&part),
                            "added to the set, or taken out?",
                            "several members after `except` stand in parentheses",
                        )
                        .help(help);
                    except.extend(rest);
                }
                _ => {}
            }
        }
        except
    }

    fn at_of(&self, pair: &Pair<'t, Rule>) -> At {
        let at = self.at(pair);
        At { start: at.start, end: at.start + self.text[at.start..at.end].trim_end().len() }
    }

    fn missing_separator(&mut self, pair: &Pair<'t, Rule>) {
        let start = self.at(pair).start;
        let word =
            self.text[start..].find(|c: char| c.is_whitespace() || c == ';').map_or(self.text.len(), |length| start + length);
        self.faults
            .error(
                "rulebook::missing-separator",
                At { start, end: word },
                "a new clause begins here",
                "`;` or a line break is missing here",
            )
            .help(format!("write `; {}`", &self.text[start..word]));
    }

    /// Parses a failed item's clauses one by one.
    fn recover(&mut self, piece: &Piece<'t>, error: pest::error::Error<Rule>) -> Option<Item<'t>> {
        let before = self.faults.errors();
        let kind = self.recover_block(piece);
        if self.faults.errors() == before && !piece.unclosed {
            grammar::report(error, self.text, piece.at.start, piece.at.end, self.faults);
        }
        kind.map(|kind| Item { kind, at: piece.at, broken: true })
    }

    fn recover_block(&mut self, piece: &Piece<'t>) -> Option<ItemKind<'t>> {
        let body = split::block(self.text, piece.at)?;
        let head = self.text.get(piece.at.start + piece.keyword.len()..body.start - 1)?;
        let head_start = piece.at.start + piece.keyword.len();
        let names: Vec<Raw<'t>> = head
            .split_ascii_whitespace()
            .map(|word| {
                let start = head_start + (word.as_ptr() as usize - head.as_ptr() as usize);
                Raw { text: word, at: At { start, end: start + word.len() } }
            })
            .collect();
        let name = names.first().copied();
        match piece.keyword {
            "rule" | "allow" => {
                let name =
                    name.filter(|name| Grammar::parse(Rule::ident, name.text).is_ok_and(|pairs| pairs.as_str() == name.text))?;
                let clauses = self.recover_rule(body);
                Some(ItemKind::Rule(tree::Rule { allow: piece.keyword == "allow", name, clauses }))
            }
            "command" => {
                let clauses = self.recover_command(body, 0);
                Some(ItemKind::Command(tree::Command { names, clauses, at: piece.at }))
            }
            "language" => {
                let mut calls = Vec::new();
                self.each_alone(body, Rule::call_alone, |reader, pair| calls.extend(reader.call(pair)));
                Some(ItemKind::Language(tree::Language { name: name?, calls }))
            }
            "tool" => {
                let mut fields = Vec::new();
                self.each_alone(body, Rule::field_alone, |reader, pair| fields.extend(reader.field(pair)));
                Some(ItemKind::Tool(tree::Tool { name: name?, fields }))
            }
            _ => None,
        }
    }

    fn recover_rule(&mut self, body: At) -> Vec<(tree::RuleClause<'t>, At)> {
        let mut found = Vec::new();
        for clause in split::clauses(self.text, body) {
            match self.alone(clause, Rule::rule_clause_alone) {
                Ok(pairs) => {
                    for pair in pairs {
                        found.extend(self.rule_clause(pair));
                    }
                }
                Err(error) => {
                    // A block of examples that does not even close its strings is read one by one.
                    let slice = &self.text[clause.start..clause.end];
                    match split::block(self.text, clause).filter(|_| slice.starts_with("examples")) {
                        Some(inner) => {
                            let before = self.faults.errors();
                            self.each_alone(inner, Rule::example_alone, |_, _| {});
                            if self.faults.errors() == before {
                                grammar::report(*error, self.text, clause.start, clause.end, self.faults);
                            }
                        }
                        None => grammar::report(*error, self.text, clause.start, clause.end, self.faults),
                    }
                }
            }
        }
        found
    }

    fn recover_command(&mut self, body: At, depth: usize) -> Vec<tree::CommandClause<'t>> {
        let mut found = Vec::new();
        for clause in split::clauses(self.text, body) {
            match self.alone(clause, Rule::command_clause_alone) {
                Ok(pairs) => {
                    for pair in pairs {
                        found.extend(self.command_clause(pair));
                    }
                }
                Err(error) => {
                    let slice = &self.text[clause.start..clause.end];
                    let inner = split::block(self.text, clause)
                        .filter(|_| slice.starts_with("subcommand") && depth < split::NESTING_LIMIT);
                    match inner {
                        Some(inner) => {
                            let before = self.faults.errors();
                            self.recover_command(inner, depth + 1);
                            if self.faults.errors() == before {
                                grammar::report(*error, self.text, clause.start, clause.end, self.faults);
                            }
                        }
                        None => grammar::report(*error, self.text, clause.start, clause.end, self.faults),
                    }
                }
            }
        }
        found
    }

    fn each_alone(&mut self, body: At, node: Rule, mut build: impl FnMut(&mut Self, Pair<'t, Rule>)) {
        for clause in split::clauses(self.text, body) {
            match self.alone(clause, node) {
                Ok(pairs) => {
                    for pair in pairs {
                        build(self, pair);
                    }
                }
                Err(error) => grammar::report(*error, self.text, clause.start, clause.end, self.faults),
            }
        }
    }

    /// Parses one clause; what comes out are the pairs within the `…_alone` rule.
    fn alone(&mut self, clause: At, node: Rule) -> Result<Vec<Pair<'t, Rule>>, Box<pest::error::Error<Rule>>> {
        self.base = clause.start;
        let pairs = Grammar::parse(node, &self.text[clause.start..clause.end]).map_err(Box::new)?;
        Ok(pairs.flat_map(Pair::into_inner).collect())
    }
}

/// The pairs within, keywords left out.
pub(super) fn significant<'t>(pair: Pair<'t, Rule>) -> impl Iterator<Item = Pair<'t, Rule>> {
    pair.into_inner().filter(|pair| !is_keyword(pair.as_rule()))
}

/// Whether the rule is a word of the language that says nothing beyond the rule that it stands in.
fn is_keyword(node: Rule) -> bool {
    // INVARIANT (keywords last): the grammar lists the words of the language after everything else, `kw_rulebook` first.
    node as usize >= Rule::kw_rulebook as usize
}
