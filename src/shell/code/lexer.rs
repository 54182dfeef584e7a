//! Blanks, comments, names and strings.

use super::Walk;
use super::profile::{Backticks, Interpolation};
use super::value::{Held, append};
use crate::model::{Origin, Span, Taint, Word};

/// How a string is read.
struct Quoting<'a> {
    close: &'a str,
    /// The bracket that nests, for `q{…}`.
    nests: Option<char>,
    interpolation: Interpolation,
    escapes: bool,
}

impl Walk<'_> {
    pub(super) fn rest(&self) -> &str {
        &self.script.text[self.at..self.end]
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn bump(&mut self) {
        self.at += self.peek().map_or(0, char::len_utf8);
    }

    pub(super) fn take(&mut self, text: &str) -> bool {
        let taken = self.rest().starts_with(text);
        self.at += if taken { text.len() } else { 0 };
        taken
    }

    pub(super) fn span(&self, start: usize) -> Span {
        self.script.span(start, self.at)
    }

    /// Skips blanks and comments; line breaks too where `lines`, or where they mean nothing.
    pub(super) fn trivia(&mut self, lines: bool) {
        let lines = lines || !self.profile.lines;
        loop {
            let rest = self.rest();
            if let Some((open, close)) = self.profile.block_comments.iter().find(|(open, _)| rest.starts_with(open)) {
                self.at += rest[open.len()..].find(close).map_or(rest.len(), |n| open.len() + n + close.len());
            } else if self.profile.line_comments.iter().any(|open| rest.starts_with(open)) {
                self.at += rest.find('\n').unwrap_or(rest.len());
            } else if rest.starts_with("\\\n") {
                self.at += 2;
            } else if rest.starts_with([' ', '\t', '\r']) || (lines && rest.starts_with('\n')) {
                self.bump();
            } else {
                return;
            }
        }
    }

    /// A name, its sigil with it where the language has one.
    pub(super) fn identifier(&mut self) -> Option<&str> {
        let start = self.at;
        if self.profile.sigils && self.rest().starts_with(['$', '@', '%']) {
            self.bump();
            if self.rest().starts_with('{') {
                self.at = start;
                return None;
            }
        }
        let from = self.at;
        while self.peek().is_some_and(|c| c.is_alphanumeric() || c == '_' || (c == '$' && !self.profile.sigils)) {
            self.bump();
        }
        if self.at == from || self.script.text[from..].starts_with(|c: char| c.is_ascii_digit()) {
            self.at = start;
            return None;
        }
        Some(&self.script.text[start..self.at])
    }

    /// Takes the word, where a whole word stands.
    pub(super) fn keyword(&mut self, word: &str) -> bool {
        let ends = !self.rest().get(word.len()..).unwrap_or("").starts_with(|c: char| c.is_alphanumeric() || c == '_');
        ends && self.take(word)
    }

    /// A string, where one begins here.
    pub(super) fn string(&mut self) -> Option<Held> {
        let start = self.at;
        if let Some(held) = self.operator_string() {
            return Some(held);
        }
        let mut interpolation = None;
        let mut raw = false;
        if self.profile.prefixed {
            let letters = self.rest().chars().take_while(|c| c.is_ascii_alphabetic()).count();
            let prefix = self.rest()[..letters.min(3)].to_ascii_lowercase();
            let known = letters <= 2 && prefix.chars().all(|c| matches!(c, 'r' | 'b' | 'f' | 'u'));
            if known && self.rest()[letters..].starts_with(['\'', '"']) {
                self.at += letters;
                raw = prefix.contains('r');
                interpolation = prefix.contains('f').then_some(Interpolation::Brace);
            }
        }
        let rest = self.rest();
        let (open, interpolation, escapes) = match self.peek()? {
            '"' => ("\"", interpolation.unwrap_or(self.profile.double), true),
            '\'' => ("'", interpolation.unwrap_or(Interpolation::None), self.profile.single_escapes),
            '`' => match self.profile.backticks {
                Backticks::No => return None,
                Backticks::Template => ("`", Interpolation::DollarBrace, true),
                Backticks::Command => ("`", self.profile.double, true),
            },
            '[' if self.profile.name == "lua" && rest.starts_with("[[") => {
                self.at += 2;
                let word =
                    self.quoted(&Quoting { close: "]]", nests: None, interpolation: Interpolation::None, escapes: false });
                return Some(Held::Text(word));
            }
            _ => {
                self.at = start;
                return None;
            }
        };
        let triple = self.profile.prefixed && (rest.starts_with("\"\"\"") || rest.starts_with("'''"));
        let close = match (triple, open) {
            (true, "\"") => "\"\"\"",
            (true, _) => "'''",
            _ => open,
        };
        self.at += close.len();
        let word = self.quoted(&Quoting { close, nests: None, interpolation, escapes: escapes && !raw });
        if open == "`" && self.profile.backticks == Backticks::Command {
            return Some(self.called("backticks", vec![Held::Text(word)], Vec::new(), start));
        }
        Some(Held::Text(word))
    }

    /// `q(…)`, `qq{…}`, `qw[…]`, `qx(…)`, `%w[…]`, `%x(…)`, `%q(…)`.
    fn operator_string(&mut self) -> Option<Held> {
        if !self.profile.quote_operators {
            return None;
        }
        let start = self.at;
        let rest = self.rest();
        const OPERATORS: &[&str] = &["qq", "qw", "qx", "q", "%w", "%W", "%x", "%q", "%Q", "%i"];
        let operator = OPERATORS.iter().find(|operator| {
            let next = rest.get(operator.len()..).and_then(|rest| rest.chars().next());
            rest.starts_with(**operator) && next.is_some_and(|c| matches!(c, '(' | '{' | '[' | '<' | '/' | '|' | '!' | '~'))
        })?;
        self.at += operator.len();
        let open = self.peek()?;
        self.bump();
        let (close, nests) = match open {
            '(' => (")", Some('(')),
            '{' => ("}", Some('{')),
            '[' => ("]", Some('[')),
            '<' => (">", Some('<')),
            '/' => ("/", None),
            '|' => ("|", None),
            '!' => ("!", None),
            _ => ("~", None),
        };
        let plain = matches!(*operator, "q" | "qw" | "%w" | "%q" | "%i");
        let interpolation = if plain { Interpolation::None } else { self.profile.double };
        let word = self.quoted(&Quoting { close, nests, interpolation, escapes: !plain });
        Some(match *operator {
            "qx" | "%x" => self.called("backticks", vec![Held::Text(word)], Vec::new(), start),
            "qw" | "%w" | "%W" | "%i" => {
                let span = self.span(start);
                let text = word.known().map(|text| text.into_owned()).unwrap_or_default();
                Held::List(text.split_whitespace().map(|part| Held::known(part, span)).collect())
            }
            _ => Held::Text(word),
        })
    }

    /// The text up to the closing quote; the position moves past it.
    fn quoted(&mut self, how: &Quoting) -> Word {
        let start = self.at;
        let mut word = Word { values: vec![Default::default()], span: self.span(start), computed: false };
        let mut depth = 0usize;
        while self.at < self.end {
            let at = self.at;
            if self.rest().starts_with(how.close) && depth == 0 {
                word.span = self.span(start);
                self.at += how.close.len();
                return word;
            }
            let c = self.peek().unwrap_or('\0');
            if c == '\\' {
                self.bump();
                let text = if how.escapes { self.escape() } else { self.plain_escape(how.close) };
                append(&mut word, Word::known_text(text, self.span(at)), self.span(start));
                continue;
            }
            if let Some(part) = self.interpolated(how.interpolation) {
                append(&mut word, part, self.span(start));
                continue;
            }
            if how.nests == Some(c) {
                depth += 1;
            } else if how.nests.is_some() && how.close.starts_with(c) {
                depth = depth.saturating_sub(1);
            }
            self.bump();
            while self.at < self.end
                && !self.rest().starts_with(how.close)
                && !self.rest().starts_with(['\\', '$', '#', '{', '@', '(', '[', '<', ')', ']', '}', '>'])
            {
                self.bump();
            }
            let part = Word::known_text(self.script.text[at..self.at].to_string(), self.span(at));
            append(&mut word, part, self.span(start));
            if !self.host.step(1) {
                self.at = self.end;
            }
        }
        word
    }

    fn plain_escape(&mut self, close: &str) -> String {
        if self.rest().starts_with(close) || self.rest().starts_with('\\') {
            let c = self.peek().unwrap_or('\\');
            self.bump();
            return c.to_string();
        }
        "\\".to_string()
    }

    fn escape(&mut self) -> String {
        let Some(c) = self.peek() else { return String::new() };
        self.bump();
        let hex = |walk: &mut Self, most: usize| {
            let digits = walk.rest().chars().take(most).take_while(char::is_ascii_hexdigit).count();
            let code = u32::from_str_radix(&walk.rest()[..digits], 16).ok().and_then(char::from_u32);
            walk.at += digits;
            code.map(String::from).unwrap_or_default()
        };
        match c {
            'n' => "\n".into(),
            't' => "\t".into(),
            'r' => "\r".into(),
            '\n' => String::new(),
            'x' => hex(self, 2),
            'u' if self.take("{") => {
                let text = hex(self, 6);
                self.take("}");
                text
            }
            'u' => hex(self, 4),
            'U' => hex(self, 8),
            '0'..='7' => {
                self.at -= 1;
                let digits = self.rest().chars().take(3).take_while(|c| ('0'..='7').contains(c)).count();
                let code = u32::from_str_radix(&self.rest()[..digits], 8).ok().and_then(char::from_u32);
                self.at += digits;
                code.map(String::from).unwrap_or_default()
            }
            c => c.to_string(),
        }
    }

    /// A value in a string, where one begins here.
    fn interpolated(&mut self, how: Interpolation) -> Option<Word> {
        let start = self.at;
        let open = match how {
            Interpolation::None => return None,
            Interpolation::Brace if self.rest().starts_with("{{") || self.rest().starts_with("}}") => {
                self.at += 2;
                return Some(Word::known_text(self.script.text[start..start + 1].to_string(), self.span(start)));
            }
            Interpolation::Brace => "{",
            Interpolation::DollarBrace => "${",
            Interpolation::HashBrace => "#{",
            Interpolation::Sigil => return self.sigil(),
        };
        if !self.take(open) {
            return None;
        }
        let from = self.at;
        let close = super::expression::balanced(&self.script.text[..self.end], from, '{', '}').unwrap_or(self.end);
        let mut body = close;
        if how == Interpolation::Brace {
            // A format behind `:` or `!`, at the end.
            let text = &self.script.text[from..close];
            body = from
                + text
                    .rfind(['!', ':'])
                    .filter(|n| text[*n + 1..].chars().all(|c| c.is_alphanumeric() || c == '.'))
                    .unwrap_or(text.len());
        }
        let held = self.within(from, body);
        self.at = (close + 1).min(self.end);
        Some(held.word(self.span(start)))
    }

    /// `$name`, `${name}`, `{$name}` in a string.
    fn sigil(&mut self) -> Option<Word> {
        let start = self.at;
        let braced = self.rest().starts_with("{$") && self.profile.name == "php";
        self.at += usize::from(braced);
        if !self.rest().starts_with(['$', '@']) {
            self.at = start;
            return None;
        }
        let sigil = self.rest()[..1].to_string();
        if self.rest()[1..].starts_with('{') {
            self.at += 2;
            let from = self.at;
            let close = super::expression::balanced(&self.script.text[..self.end], from, '{', '}').unwrap_or(self.end);
            let name = format!("{sigil}{}", &self.script.text[from..close]);
            self.at = (close + 1).min(self.end);
            return Some(self.variable(&name, start));
        }
        let Some(name) = self.identifier().map(str::to_string) else {
            self.at = start;
            return None;
        };
        if braced {
            let close = self.rest().find('}').map_or(self.end, |n| self.at + n + 1);
            self.at = close;
        }
        Some(self.variable(&name, start))
    }

    fn variable(&mut self, name: &str, start: usize) -> Word {
        let span = self.span(start);
        match self.names.get(name) {
            Some(held) => held.word(span),
            None => Word::unknown(Origin::Unknown, Taint::none(), span),
        }
    }
}
