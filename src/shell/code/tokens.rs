//! Text → tokens, with the table of the language. Comments go; quoted texts are taken apart into what is known and the code
//! embedded in them.

use super::lexis::{Embeds, Escapes, Lexis, Means, Quote};
use super::source::Source;

/// What a token is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// A name, a keyword, a variable with its sigil.
    Name,
    /// A quoted text.
    Text(Vec<Part>, Means),
    /// A number.
    Number,
    /// An operator or a bracket.
    Symbol,
    /// The end of a line that ends a statement.
    Line,
    /// A regular expression, which is no text.
    Regex,
    /// Unknown code.
    Hole,
}

/// A part of a quoted text, in bytes of the source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// As written.
    Plain(usize, usize),
    /// An escape and what it means.
    Escaped(char, usize, usize),
    /// A hole at this byte.
    Hole(usize),
    /// Code whose value is put in.
    Code(usize, usize),
}

/// One token, in bytes of the source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: Kind,
    /// First byte.
    pub start: usize,
    /// One past the last.
    pub end: usize,
}

/// The tokens between two bytes.
pub fn tokens(source: &Source, lexis: &Lexis, start: usize, end: usize) -> Vec<Token> {
    let mut lexer = Lexer { source, lexis, at: start, end, depth: 0, tokens: Vec::new(), here: Vec::new() };
    lexer.all();
    lexer.tokens
}

struct Lexer<'s> {
    source: &'s Source,
    lexis: &'s Lexis,
    at: usize,
    end: usize,
    /// Open round and square brackets: a line's end within them ends nothing.
    depth: u32,
    tokens: Vec<Token>,
    /// `<<NAME` texts that begin on the next line: the token's index and the name, and whether values are embedded.
    here: Vec<(usize, String, bool)>,
}

const SYMBOLS: [&str; 30] = [
    "===", "!==", "...", "**=", "<=>", "=>", "->", "::", "==", "!=", "<=", ">=", "&&", "||", "??", "?.", "&.", "**", "+=",
    ".=", ":=", "..", "<<", ">>", "=~", "!~", "-=", "|=", "++", "--",
];

impl Lexer<'_> {
    fn rest(&self) -> &str {
        self.source.text.get(self.at..self.end).unwrap_or_default()
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn push(&mut self, kind: Kind, start: usize) {
        self.tokens.push(Token { kind, start, end: self.at });
    }

    fn all(&mut self) {
        while let Some(character) = self.peek() {
            let start = self.at;
            if character == '\n' {
                self.at += 1;
                if self.lexis.lines && self.depth == 0 {
                    self.push(Kind::Line, start);
                }
                self.here_texts();
            } else if character.is_whitespace() {
                self.at += character.len_utf8();
            } else if self.comment() || self.quoted() || self.here_start() {
                continue;
            } else if character == super::source::HOLE && self.source.hole(start).is_some() {
                self.at += character.len_utf8();
                self.push(Kind::Hole, start);
            } else if character.is_ascii_digit() {
                self.number(start);
            } else if character.is_alphabetic() || character == '_' || self.begins_variable(character) {
                self.name(start);
            } else if character == '/' && self.lexis.regexes && self.value_expected() && self.regex(start, '/') {
                continue;
            } else {
                self.symbol(start, character);
            }
        }
    }

    fn begins_variable(&self, character: char) -> bool {
        let mut next = self.rest().chars().skip(1);
        self.lexis.sigils.contains(character)
            && (next.next().is_some_and(|c| c.is_alphabetic() || c == '_' || c == '{' || c == '@' || c == '$')
                || character == '$')
            && (matches!(character, '$' | '@') || self.value_expected())
    }

    /// Whether a value may stand here: at the beginning, behind an operator, a bracket or a keyword.
    fn value_expected(&self) -> bool {
        let Some(last) = self.tokens.last() else { return true };
        match last.kind {
            Kind::Symbol => !matches!(self.source.text.get(last.start..last.end), Some(")" | "]" | "}")),
            Kind::Line => true,
            Kind::Name => matches!(
                self.source.text.get(last.start..last.end),
                Some("return" | "if" | "unless" | "and" | "or" | "not" | "in" | "of" | "case" | "when" | "split" | "grep")
            ),
            Kind::Text(..) | Kind::Number | Kind::Regex | Kind::Hole => false,
        }
    }

    fn comment(&mut self) -> bool {
        if self.lexis.block_comments && self.rest().starts_with("/*") {
            self.at = self.rest().find("*/").map_or(self.end, |to| self.at + to + 2);
            return true;
        }
        let begins = self.lexis.comments.iter().any(|comment| self.rest().starts_with(comment));
        if begins {
            self.at = self.rest().find('\n').map_or(self.end, |to| self.at + to);
        }
        begins
    }

    /// A text in one of the language's quotes.
    fn quoted(&mut self) -> bool {
        let start = self.at;
        if self.lexis.prefixes {
            let letters = self.rest().bytes().take_while(|b| b"rRbBuUfFtT".contains(b)).count();
            let behind = self.rest().as_bytes().get(letters);
            let prior = self.source.text[..start].chars().next_back().is_some_and(|c| c.is_alphanumeric() || c == '_');
            if letters > 0 && letters <= 2 && !prior && matches!(behind, Some(b'"' | b'\'')) {
                let prefix = self.rest()[..letters].to_ascii_lowercase();
                let found = self.lexis.quotes.iter().find(|quote| self.rest()[letters..].starts_with(quote.open)).copied();
                if let Some(mut quote) = found {
                    if prefix.contains('r') {
                        quote.escapes = Escapes::None;
                    }
                    if prefix.contains('f') {
                        quote.embeds = Embeds::Braces;
                    }
                    self.at += letters;
                    self.take_quoted(quote, start, prefix.contains('r'));
                    return true;
                }
            }
        }
        for (name, means, embeds) in self.lexis.generic {
            let Some(behind) = self.rest().strip_prefix(name) else { continue };
            let open = behind.chars().next();
            let Some(open) = open.filter(|c| "([{<|!/~".contains(*c)) else { continue };
            let prior =
                self.source.text[..start].chars().next_back().is_some_and(|c| c.is_alphanumeric() || "_$@%".contains(c));
            if prior || (name.starts_with('%') && !self.value_expected() && !self.source.text[..start].ends_with(' ')) {
                continue;
            }
            let whole = self.lexis.quotes.iter().find(|quote| quote.open == "\"").map_or(Embeds::None, |quote| quote.embeds);
            self.at += name.len();
            self.take_bracketed(open, *means, if *embeds { whole } else { Embeds::None }, start);
            return true;
        }
        if let Some(length) = self.regex_operator() {
            self.at += length;
            let delimiter = self.peek().unwrap_or('/');
            return self.regex(start, delimiter);
        }
        let Some(quote) = self.lexis.quotes.iter().find(|quote| self.rest().starts_with(quote.open)).copied() else {
            return false;
        };
        self.take_quoted(quote, start, false);
        true
    }

    /// Perl's `s/…/…/`, `m/…/`, `tr/…/…/`: their length up to the delimiter.
    fn regex_operator(&self) -> Option<usize> {
        if self.lexis.generic.first().is_none_or(|(name, ..)| *name != "qq") || !self.value_expected() {
            return None;
        }
        let length = ["tr", "qr", "s", "m", "y"]
            .into_iter()
            .find(|name| self.rest().strip_prefix(name).is_some_and(|rest| rest.starts_with(['/', '|', '!', '{', '#', ','])))?;
        Some(length.len())
    }

    /// Skips a regular expression; false where it does not end on its line.
    fn regex(&mut self, start: usize, delimiter: char) -> bool {
        let close = closing(delimiter);
        let replaces = matches!(self.source.text.get(start..self.at), Some("s" | "tr" | "y"));
        let mut parts = if replaces && close == delimiter { 2 } else { 1 };
        let mut escaped = false;
        let mut class = false;
        let begin = self.at;
        for (at, character) in self.rest().char_indices().skip(1) {
            match character {
                '\n' if !replaces => break,
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '[' if delimiter == '/' => class = true,
                ']' => class = false,
                c if c == close && !class => {
                    parts -= 1;
                    if parts == 0 {
                        let flags = self.rest()[at + close.len_utf8()..].bytes().take_while(u8::is_ascii_alphabetic).count();
                        self.at = begin + at + close.len_utf8() + flags;
                        self.push(Kind::Regex, start);
                        return true;
                    }
                }
                _ => {}
            }
        }
        if self.at > start {
            // An operator that turned out to be a name.
            self.push(Kind::Name, start);
            return true;
        }
        false
    }

    fn take_quoted(&mut self, quote: Quote, start: usize, raw: bool) {
        self.at += quote.open.len();
        let mut parts = Vec::new();
        let mut plain = self.at;
        loop {
            let rest = self.rest();
            let Some(character) = rest.chars().next() else { break };
            if rest.starts_with(quote.close) {
                break;
            }
            if raw && character == '\\' {
                let next = rest.chars().nth(1).map_or(0, char::len_utf8);
                self.at += 1 + next;
                continue;
            }
            if self.part(character, quote.escapes, quote.embeds, quote.close, &mut parts, &mut plain) {
                continue;
            }
            self.at += character.len_utf8();
        }
        plain_part(&mut parts, plain, self.at);
        self.at = (self.at + quote.close.len()).min(self.end);
        self.push(Kind::Text(parts, quote.means), start);
    }

    /// `q(…)`: brackets nest.
    fn take_bracketed(&mut self, open: char, means: Means, embeds: Embeds, start: usize) {
        let close = closing(open);
        self.at += open.len_utf8();
        let mut parts = Vec::new();
        let mut plain = self.at;
        let mut depth = 1;
        let escapes = if embeds == Embeds::None { Escapes::Quote } else { Escapes::Full };
        while let Some(character) = self.peek() {
            if character == close {
                depth -= 1;
                if depth == 0 {
                    break;
                }
            } else if character == open {
                depth += 1;
            } else if self.part(character, escapes, embeds, "", &mut parts, &mut plain) {
                continue;
            }
            self.at += character.len_utf8();
        }
        plain_part(&mut parts, plain, self.at);
        self.at = (self.at + close.len_utf8()).min(self.end);
        self.push(Kind::Text(parts, means), start);
    }

    /// An escape, a hole or embedded code at this place; false where it is a plain character.
    fn part(
        &mut self,
        character: char,
        escapes: Escapes,
        embeds: Embeds,
        close: &str,
        parts: &mut Vec<Part>,
        plain: &mut usize,
    ) -> bool {
        let at = self.at;
        if character == super::source::HOLE && self.source.hole(at).is_some() {
            plain_part(parts, *plain, at);
            parts.push(Part::Hole(at));
            self.at += character.len_utf8();
        } else if character == '\\' && escapes != Escapes::None {
            let Some((meant, length)) = escape(&self.rest()[1..], escapes, close) else { return false };
            plain_part(parts, *plain, at);
            self.at = (at + 1 + length).min(self.end);
            if let Some(meant) = meant {
                parts.push(Part::Escaped(meant, at, self.at));
            }
        } else if let Some((from, to, end)) = self.embedded(embeds) {
            plain_part(parts, *plain, at);
            if from < to {
                parts.push(Part::Code(from, to));
            }
            self.at = end.min(self.end);
            if from >= to {
                // `{{`: one of the braces is text.
                *plain = self.at - 1;
                return true;
            }
        } else {
            return false;
        }
        *plain = self.at;
        true
    }

    /// Code within quotes: its first byte, its end, and where the text goes on.
    fn embedded(&self, embeds: Embeds) -> Option<(usize, usize, usize)> {
        let rest = self.rest();
        let at = self.at;
        match embeds {
            Embeds::None => None,
            Embeds::Code(open) => {
                let inner = rest.strip_prefix(open)?;
                let length = balanced(inner, '{', '}')?;
                let from = at + open.len();
                Some((from, from + length, from + length + 1))
            }
            Embeds::Braces => {
                if rest.starts_with("{{") || rest.starts_with("}}") {
                    return Some((at, at, at + 2));
                }
                let inner = rest.strip_prefix('{')?;
                let length = balanced(inner, '{', '}')?;
                let code =
                    inner[..length].find(['!', ':']).filter(|cut| !inner[..length][*cut..].starts_with("!=")).unwrap_or(length);
                Some((at + 1, at + 1 + code.max(1).min(length), at + 1 + length + 1))
            }
            Embeds::Variables => {
                if let Some(inner) = rest.strip_prefix("@{[") {
                    let length = inner.find("]}")?;
                    return Some((at + 3, at + 3 + length, at + 3 + length + 2));
                }
                if let Some(inner) = rest.strip_prefix("{$") {
                    let length = balanced(inner, '{', '}')?;
                    return Some((at + 1, at + 2 + length, at + 3 + length));
                }
                let name = rest.strip_prefix(['$', '@'])?;
                let length = if name.starts_with('{') {
                    name.find('}')? + 1
                } else {
                    name.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count()
                };
                let mut to = at + 1 + length;
                // `$h{key}`, `$h[0]`, `$o->p`: unknown, but part of it.
                let behind = &self.source.text[to.min(self.end)..self.end];
                if let (Some(open @ ('[' | '{')), true) = (behind.chars().next(), length > 0) {
                    to += balanced(&behind[1..], open, closing(open)).map_or(0, |inner| inner + 2);
                }
                (length > 0).then_some((at, to, to))
            }
        }
    }

    /// `<<NAME`, `<<~'NAME'`: its text begins on the next line.
    fn here_start(&mut self) -> bool {
        let Some(open) = self.lexis.here else { return false };
        let Some(rest) = self.rest().strip_prefix(open) else { return false };
        let behind = rest.trim_start_matches(['~', '-', ' ']);
        let quoted = behind.chars().next().filter(|c| *c == '"' || *c == '\'');
        let word = behind.trim_start_matches(['"', '\'']);
        let length = word.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count();
        let name = &word[..length];
        if !name.starts_with(|c: char| c.is_ascii_uppercase() || c == '_') {
            return false;
        }
        let start = self.at;
        let taken = open.len() + (rest.len() - behind.len()) + 2 * usize::from(quoted.is_some()) + length;
        let name = name.to_string();
        self.at = (self.at + taken).min(self.end);
        self.here.push((self.tokens.len(), name, quoted != Some('\'')));
        self.push(Kind::Text(Vec::new(), Means::Text), start);
        true
    }

    /// The texts that were announced on the line that has just ended.
    fn here_texts(&mut self) {
        for (index, name, embeds) in std::mem::take(&mut self.here) {
            let mut parts = Vec::new();
            let mut plain = self.at;
            let whole = self.lexis.quotes.iter().find(|quote| quote.open == "\"").map_or(Embeds::None, |quote| quote.embeds);
            let embeds = if embeds { whole } else { Embeds::None };
            let escapes = if embeds == Embeds::None { Escapes::None } else { Escapes::Full };
            let mut fresh = true;
            while let Some(character) = self.peek() {
                if fresh {
                    let line = self.rest().lines().next().unwrap_or_default();
                    if line.trim().trim_end_matches(';') == name {
                        break;
                    }
                }
                fresh = character == '\n';
                if !self.part(character, escapes, embeds, "", &mut parts, &mut plain) {
                    self.at += character.len_utf8();
                }
            }
            plain_part(&mut parts, plain, self.at);
            let line = self.rest().find('\n').unwrap_or(self.rest().len());
            self.at += line;
            if let Some(token) = self.tokens.get_mut(index) {
                token.kind = Kind::Text(parts, Means::Text);
            }
        }
    }

    fn number(&mut self, start: usize) {
        let length = self.rest().bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count();
        self.at += length;
        self.push(Kind::Number, start);
    }

    fn name(&mut self, start: usize) {
        let mut characters = self.rest().char_indices().skip(1).peekable();
        if let Some((_, '{')) = characters.peek()
            && self.lexis.sigils.contains(self.peek().unwrap_or(' '))
        {
            // `${name}`
            self.at += self.rest().find('}').map_or(1, |at| at + 1);
            return self.push(Kind::Name, start);
        }
        let end =
            characters.find(|(_, c)| !(c.is_alphanumeric() || *c == '_' || *c == '$')).map_or(self.end, |(at, _)| start + at);
        self.at = end.min(self.end);
        // Ruby's names may end in `?` and `!`.
        if self.lexis.lines
            && self.lexis.bare_calls
            && self.rest().starts_with(['?', '!'])
            && !self.rest()[1..].starts_with('=')
        {
            self.at += 1;
        }
        self.push(Kind::Name, start);
    }

    fn symbol(&mut self, start: usize, character: char) {
        let long = SYMBOLS.iter().find(|symbol| self.rest().starts_with(**symbol));
        self.at += long.map_or(character.len_utf8(), |symbol| symbol.len());
        match character {
            '(' | '[' => self.depth += 1,
            ')' | ']' => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        self.push(Kind::Symbol, start);
    }
}

fn plain_part(parts: &mut Vec<Part>, from: usize, to: usize) {
    if from < to {
        parts.push(Part::Plain(from, to));
    }
}

fn closing(open: char) -> char {
    match open {
        '(' => ')',
        '[' => ']',
        '{' => '}',
        '<' => '>',
        other => other,
    }
}

/// The bytes up to the bracket that closes what is open already.
fn balanced(text: &str, open: char, close: char) -> Option<usize> {
    let mut depth = 1;
    for (at, character) in text.char_indices() {
        if character == close {
            depth -= 1;
            if depth == 0 {
                return Some(at);
            }
        } else if character == open {
            depth += 1;
        }
    }
    None
}

/// What an escape means (nothing for an escaped line end), and its length behind the backslash.
fn escape(rest: &str, escapes: Escapes, close: &str) -> Option<(Option<char>, usize)> {
    let character = rest.chars().next()?;
    let length = character.len_utf8();
    if escapes == Escapes::Quote {
        let meant = character == '\\' || (!close.is_empty() && rest.starts_with(close));
        return meant.then_some((Some(character), length));
    }
    let digits = |radix: u32, from: usize, most: usize| {
        let text: &str = &rest[from..];
        let count = text.bytes().take(most).take_while(|b| (*b as char).is_digit(radix)).count();
        let meant = u32::from_str_radix(&text[..count], radix).ok().and_then(char::from_u32);
        (meant, from + count)
    };
    Some(match character {
        'n' => (Some('\n'), 1),
        't' => (Some('\t'), 1),
        'r' => (Some('\r'), 1),
        'e' => (Some('\u{1b}'), 1),
        '0'..='7' => digits(8, 0, 3),
        'x' if rest[1..].starts_with('{') => {
            let (meant, length) = digits(16, 2, 6);
            (meant, length + usize::from(rest[length..].starts_with('}')))
        }
        'x' => digits(16, 1, 2),
        'u' if rest[1..].starts_with('{') => {
            let (meant, length) = digits(16, 2, 6);
            (meant, length + usize::from(rest[length..].starts_with('}')))
        }
        'u' => digits(16, 1, 4),
        'U' => digits(16, 1, 8),
        '\n' => (None, 1),
        other => (Some(other), length),
    })
}
