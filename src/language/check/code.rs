//! The text of `executes sql "…"`: tokens, alternatives, absences.

use pest::Parser;
use pest::iterators::{Pair, Pairs};

use super::patterns::ALTERNATIVES_LIMIT;
use super::{Check, words};
use crate::language::diagnostic::At;
use crate::language::grammar::{Grammar, Rule};
use crate::language::tree::{Quoted, Raw};
use crate::model::rule::{CodePattern, CodeToken};

impl<'t> Check<'_, 't> {
    /// The pattern that stands between the quotes. Its offsets are the file's, since escapes are part of its words.
    pub(super) fn code_pattern(&mut self, text: Quoted<'t>) -> Option<CodePattern> {
        let sequence = match Grammar::parse(Rule::code_pattern, text.text) {
            Ok(mut pairs) => pairs.next()?.into_inner().next()?,
            Err(error) => {
                let offset = match error.location {
                    pest::error::InputLocation::Pos(at) | pest::error::InputLocation::Span((at, _)) => at,
                };
                let at = At { start: text.at.start + offset, end: text.at.end.max(text.at.start + offset) };
                self.faults
                    .error("rulebook::bad-code-pattern", at, "cannot be read from here on", "this text is no pattern of tokens")
                    .help("write tokens, `*`, `!token`, and alternatives in parentheses: `\"drop (database | schema) *\"`");
                return None;
            }
        };
        let alternatives = self.code_sequence(sequence.into_inner(), text)?;
        Some(CodePattern { alternatives })
    }

    // Depth is bounded by the splitter's limit on nesting.
    fn code_sequence(&mut self, pairs: Pairs<'t, Rule>, text: Quoted<'t>) -> Option<Vec<Vec<CodeToken>>> {
        let mut all: Vec<Vec<CodeToken>> = vec![Vec::new()];
        for pair in pairs {
            let choices: Vec<Vec<CodeToken>> = match pair.as_rule() {
                Rule::code_group => {
                    let mut choices = Vec::new();
                    for sequence in pair.into_inner() {
                        choices.extend(self.code_sequence(sequence.into_inner(), text)?);
                    }
                    choices
                }
                Rule::code_absent => {
                    let token = pair.into_inner().next()?;
                    vec![vec![CodeToken::Absent(self.code_token(&token, text)?)]]
                }
                Rule::code_token if pair.as_str() == "*" => vec![vec![CodeToken::Any]],
                Rule::code_token => vec![vec![CodeToken::Token(self.code_token(&pair, text)?)]],
                _ => continue,
            };
            if all.len() * choices.len() > ALTERNATIVES_LIMIT {
                self.faults
                    .error(
                        "rulebook::too-many-alternatives",
                        text.at,
                        "unfolds too far",
                        format!("this text has more than {ALTERNATIVES_LIMIT} alternatives"),
                    )
                    .help("write several `match` clauses");
                return None;
            }
            all = all
                .iter()
                .flat_map(|sequence| choices.iter().map(move |choice| sequence.iter().chain(choice).cloned().collect()))
                .collect();
        }
        Some(all)
    }

    fn code_token(&mut self, pair: &Pair<'t, Rule>, text: Quoted<'t>) -> Option<crate::model::rule::WordPattern> {
        let span = pair.as_span();
        let at = At { start: text.at.start + span.start(), end: text.at.start + span.end() };
        words::glob(Raw { text: pair.as_str(), at }, self.faults)
    }
}
