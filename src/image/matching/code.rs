//! A pattern on the tokens of a text: `drop (database | schema) *`.
//!
//! Tokens are cut as most languages cut them: words (letters, digits, `_`, `$`, `.`), quoted texts as one token that no word
//! pattern means, every other character by itself. Comments go; `;` ends a statement. Case is ignored.

use crate::model::rule::{CodePattern, CodeToken, WordPattern};
use crate::model::word::{Piece, Word};

use super::super::nfa::{Answer, Nfa, Scope};
use super::Evaluation;

#[derive(Debug, Clone, PartialEq, Eq)]
enum Token {
    Word(String),
    /// Double quotes and backquotes quote names in most languages of queries, apostrophes quote text.
    Quoted,
    Sign(char),
    /// Unknown text: any tokens at all.
    Unknown,
}

impl Evaluation<'_> {
    pub(super) fn code(&self, pattern: &CodePattern, text: &Word) -> Answer {
        Answer::of_alternatives(text.values.iter().map(|value| {
            let mut all = String::new();
            for piece in &value.pieces {
                match piece {
                    Piece::Text { text, .. } => all.push_str(text),
                    Piece::Hole(_) => all.push(HOLE),
                    Piece::Glob(glob) => glob.write(&mut all),
                }
            }
            let statements = statements(&all);
            let answers = pattern.alternatives.iter().map(|alternative| {
                statements.iter().map(|statement| self.statement(alternative, statement)).max().unwrap_or(Answer::No)
            });
            answers.max().unwrap_or(Answer::No)
        }))
    }

    /// Whether a statement begins with the pattern's tokens.
    fn statement(&self, pattern: &[CodeToken], tokens: &[Token]) -> Answer {
        let absent = pattern.iter().filter_map(|element| match element {
            CodeToken::Absent(pattern) => Some(pattern),
            _ => None,
        });
        for unwanted in absent {
            let nfa = nfa(unwanted);
            if tokens.iter().any(|token| is(&nfa, token)) {
                return Answer::No;
            }
        }
        let elements: Vec<&CodeToken> = pattern.iter().filter(|element| !matches!(element, CodeToken::Absent(_))).collect();
        // next[j]: the answer for the elements that follow, from token j on.
        let mut next = vec![Answer::Certain; tokens.len() + 1];
        for element in elements.iter().rev() {
            if !self.budget.spend(tokens.len() as u64 + 1) {
                return Answer::Possible;
            }
            let mut here = vec![Answer::No; tokens.len() + 1];
            for at in (0..=tokens.len()).rev() {
                let later = here.get(at + 1).copied().unwrap_or(Answer::No);
                here[at] = match (element, tokens.get(at)) {
                    (CodeToken::Any, _) => next[at].max(later),
                    (CodeToken::Token(_), Some(Token::Unknown)) => next[at].max(next[at + 1]).max(later).doubted(),
                    (CodeToken::Token(pattern), Some(token)) if is(&nfa(pattern), token) => next[at + 1],
                    _ => Answer::No,
                };
            }
            next = here;
        }
        next[0]
    }
}

/// A character that no text of a program has: stands for a hole.
const HOLE: char = '\u{F8FF}';

fn nfa(pattern: &WordPattern) -> Nfa {
    Nfa::new([pattern], [], Scope::Word, true)
}

fn is(nfa: &Nfa, token: &Token) -> bool {
    match token {
        Token::Word(word) => nfa.matches(word),
        Token::Sign(sign) => nfa.matches(sign.encode_utf8(&mut [0; 4])),
        Token::Quoted | Token::Unknown => false,
    }
}

fn statements(text: &str) -> Vec<Vec<Token>> {
    let mut all: Vec<Vec<Token>> = vec![Vec::new()];
    let mut rest = text;
    while let Some(char) = rest.chars().next() {
        let after = &rest[char.len_utf8()..];
        let token = if char == ';' {
            all.push(Vec::new());
            None
        } else if rest.starts_with("--") || char == '#' {
            rest = &rest[rest.find('\n').unwrap_or(rest.len())..];
            continue;
        } else if rest.starts_with("/*") {
            rest = rest.get(2..).and_then(|inner| inner.split_once("*/")).map_or("", |(_, rest)| rest);
            continue;
        } else if matches!(char, '\'' | '"' | '`') {
            rest = quoted(after, char);
            all.last_mut().into_iter().for_each(|statement| statement.push(Token::Quoted));
            continue;
        } else if char == HOLE {
            Some(Token::Unknown)
        } else if char.is_whitespace() {
            None
        } else if word_char(char) {
            let end = rest.find(|char| !word_char(char)).unwrap_or(rest.len());
            let word = Token::Word(rest[..end].to_string());
            rest = &rest[end..];
            all.last_mut().into_iter().for_each(|statement| statement.push(word.clone()));
            continue;
        } else {
            Some(Token::Sign(char))
        };
        if let (Some(token), Some(statement)) = (token, all.last_mut()) {
            statement.push(token);
        }
        rest = after;
    }
    all
}

fn word_char(char: char) -> bool {
    (char.is_alphanumeric() || matches!(char, '_' | '$' | '.')) && char != HOLE
}

/// What follows a quoted text: a doubled quote and one behind a backslash do not end it.
fn quoted(text: &str, quote: char) -> &str {
    let mut chars = text.char_indices().peekable();
    while let Some((at, char)) = chars.next() {
        if char == '\\' {
            chars.next();
        } else if char == quote {
            match chars.peek() {
                Some((_, next)) if *next == quote => {
                    chars.next();
                }
                _ => return &text[at + char.len_utf8()..],
            }
        }
    }
    ""
}
