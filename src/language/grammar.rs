//! The grammar as a parser, and its faults in words that a reader of rulebooks knows.

use pest::error::{ErrorVariant, InputLocation};
use pest_derive::Parser;

use super::diagnostic::{At, Faults, nearest};

/// The parser that pest makes of `grammar/rulebook.pest`.
#[derive(Parser)]
#[grammar = "grammar/rulebook.pest"]
pub struct Grammar;

/// Reports what pest found at the furthest place that it reached. `base` is where the parsed text begins in the file.
pub fn report(error: pest::error::Error<Rule>, text: &str, base: usize, end: usize, faults: &mut Faults) {
    let offset = match error.location {
        InputLocation::Pos(at) => at,
        InputLocation::Span((at, _)) => at,
    };
    let start = (base + offset).min(end);
    let word_end = start + text[start..end].find([' ', '\t', '\n', '\r', ';']).unwrap_or(end - start);
    let word = &text[start..word_end];
    if lexical_fault(text, start, end, word, faults) {
        return;
    }
    let expected = match &error.variant {
        ErrorVariant::ParsingError { positives, .. } => words(positives),
        ErrorVariant::CustomError { message } => {
            let at = At { start, end: word_end.max(start) };
            faults.error("rulebook::limit", at, "here", message.clone()).help("split the item into several");
            return;
        }
    };
    let found = if word.is_empty() { "the end of the line".to_string() } else { format!("`{}`", clip(word)) };
    let label = match expected.as_slice() {
        [] => "not expected here".to_string(),
        [one] => format!("expected {one}"),
        [all @ .., last] => format!("expected {} or {last}", all.join(", ")),
    };
    let at = At { start, end: if word.is_empty() { start } else { word_end } };
    let diagnostic = faults.error("rulebook::syntax", at, label, format!("{found} cannot stand here"));
    let bare: Vec<&str> = expected.iter().filter_map(|name| name.strip_prefix('`')?.strip_suffix('`')).collect();
    let name_end = word.find(|c: char| !c.is_ascii_alphanumeric() && c != '-').unwrap_or(word.len());
    match nearest(&word[..name_end], bare.iter().copied()) {
        Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
        None => diagnostic.help("see grammar/README.md for what may stand here"),
    };
}

/// Faults of letters, which pest can only call "a word": illegal signs, open strings, a group that touches a word.
fn lexical_fault(text: &str, start: usize, end: usize, word: &str, faults: &mut Faults) -> bool {
    let line_end = start + text[start..end].find('\n').unwrap_or(end - start);
    let mut quoted = false;
    let mut skip = false;
    for (i, c) in text[start..line_end].char_indices() {
        let at = At { start: start + i, end: start + i + c.len_utf8() };
        if skip {
            skip = false;
            continue;
        }
        match c {
            '"' => quoted = !quoted,
            '\\' if quoted => skip = true,
            _ if quoted => {}
            ' ' | '\t' | ';' => break,
            '(' if i > 0 => {
                faults
                    .error(
                        "rulebook::group-touches-word",
                        at,
                        "this parenthesis touches a word",
                        "a group stands alone, between blanks",
                    )
                    .help(format!("inside a word write `{}{{a,b}}`", clip(&word[..i.min(word.len())])));
                return true;
            }
            '\\' if text[at.end..].starts_with(|c: char| c.is_alphanumeric()) => {
                faults
                    .error("rulebook::illegal-character", at, "not in a bare word", "a backslash cannot stand in a bare word")
                    .help("write Windows paths with `/`, or quote the word and double the backslash: `\"C:\\\\x\"`");
                return true;
            }
            '\'' | '$' | '&' | '\\' | '<' | '>' if i > 0 || !matches!(c, '<') => {
                faults
                    .error(
                        "rulebook::illegal-character",
                        at,
                        "not in a bare word",
                        format!("`{c}` cannot stand in a bare word"),
                    )
                    .help(format!("quote the word: `\"{}\"`", clip(word).replace('"', "")));
                return true;
            }
            _ => {}
        }
    }
    if quoted {
        let open = start + text[start..line_end].find('"').unwrap_or(0);
        faults
            .error(
                "rulebook::open-string",
                At { start: open, end: line_end },
                "opened here",
                "this string is not closed on its line",
            )
            .help("close it with `\"`; inside a string write `\\\"`");
        return true;
    }
    false
}

/// At most 40 characters of a word.
pub fn clip(word: &str) -> String {
    if word.chars().count() <= 40 { word.to_string() } else { word.chars().take(39).chain(['…']).collect() }
}

/// What was expected, without repetitions, keywords in backquotes.
fn words(rules: &[Rule]) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for expected in rules {
        if let Some(clauses) = clauses(*expected) {
            return clauses.iter().map(|clause| format!("`{clause}`")).collect();
        }
        let Some(word) = word(*expected) else { continue };
        if !all.contains(&word) {
            all.push(word);
        }
    }
    let total = all.len();
    if total > 16 {
        all.truncate(15);
        all.push("another clause".to_string());
    }
    all
}

/// The words that begin a clause, where a clause was expected and nothing of one was found.
fn clauses(node: Rule) -> Option<&'static [&'static str]> {
    Some(match node {
        Rule::rule_clause_alone => &[
            "match", "when", "unless", "deny", "ask", "warn", "instead", "intent", "examples", "possible", "level", "floor",
            "also", "because", "owner", "expires",
        ],
        Rule::command_clause_alone => {
            &["-option", "operands", "subcommand", "runs", "stdin", "yields", "always", "assignments", "syntax", "shell"]
        }
        Rule::call_alone => &["call"],
        Rule::field_alone => &["field"],
        Rule::example_alone => &["deny", "ask", "warn", "allow", "todo"],
        _ => return None,
    })
}

/// What a reader calls a grammar rule; none for rules that say nothing to them.
fn word(node: Rule) -> Option<String> {
    let text = match node {
        Rule::EOI | Rule::separator => "the end of the line",
        Rule::missing_separator
        | Rule::bare_pipe
        | Rule::glued_option
        | Rule::bare_name
        | Rule::nothing
        | Rule::loose_exception => return None,
        Rule::WHITESPACE | Rule::comment_text | Rule::unread | Rule::pattern_end | Rule::object_end => return None,
        Rule::word | Rule::member | Rule::union => "a word",
        Rule::string | Rule::string_text => "a string in quotes",
        Rule::ident | Rule::name => "a name",
        Rule::semver => "a version such as 1.0.0",
        Rule::date => "a date such as 2027-06-30",
        Rule::decision => "allow, warn, ask, deny or off",
        Rule::match_ => "`match`",
        Rule::decide => "a decision with its reason",
        Rule::condition | Rule::conjunction | Rule::negation | Rule::test => "a condition",
        Rule::pattern | Rule::command_pattern => "a pattern",
        Rule::close => "`)`",
        Rule::code | Rule::code_line | Rule::code_block => "a command in backquotes",
        Rule::code_token => "a token",
        Rule::set_of => "a set",
        Rule::reference => "@name",
        Rule::capture => "<name>",
        Rule::group => "a group in parentheses",
        Rule::absent => "!option",
        Rule::dots => "`...`",
        Rule::spelling | Rule::option => "an option",
        Rule::parameter | Rule::placeholder | Rule::value | Rule::placed => "a placeholder in capitals",
        Rule::verb | Rule::plain_effect | Rule::effect => "an effect",
        Rule::world => "a fact of the world",
        Rule::example => "an example",
        Rule::examples_text | Rule::rule_body | Rule::command_body | Rule::language_body | Rule::tool_body => {
            "a block between braces that is closed"
        }
        other => {
            let name = format!("{other:?}");
            let name = name.strip_prefix("kw_").unwrap_or(&name).trim_end_matches('_').replace('_', "-");
            return Some(format!("`{name}`"));
        }
    };
    Some(text.to_string())
}
