//! Expressions: literals, variables, lists, joins, formats, casts, members.

use super::Walk;
use super::text::{string_body, string_end};
use crate::model::{Argument, Flow, Invocation, Origin, Piece, Span, Taint, Value, Word};

/// How many values a word may have before it is a hole.
const VALUES: usize = 8;

/// A word put together from parts.
pub(super) struct Build {
    values: Vec<Value>,
    computed: bool,
    lost: Option<Taint>,
}

impl Build {
    pub fn new() -> Build {
        Build { values: vec![Value::default()], computed: false, lost: None }
    }

    pub fn text(&mut self, text: &str, span: Span) {
        for value in &mut self.values {
            value.pieces.push(Piece::Text { text: text.to_string(), span });
        }
    }

    pub fn word(&mut self, word: &Word) {
        self.computed |= word.computed;
        if self.values.len() * word.values.len() > VALUES {
            let taint = self.lost.take().unwrap_or_default();
            self.lost = Some(taint.join(&word.taint()));
            return;
        }
        let mut all = Vec::new();
        for value in &self.values {
            for next in &word.values {
                let mut joined = value.clone();
                joined.pieces.extend(next.pieces.iter().cloned());
                all.push(joined);
            }
        }
        self.values = all;
    }

    pub fn finish(self, span: Span) -> Word {
        match self.lost {
            Some(taint) => Word::unknown(Origin::Unknown, taint, span),
            None => Word { values: self.values, span, computed: self.computed },
        }
    }
}

impl Walk<'_> {
    /// Whether what stands here is an expression rather than a command.
    pub(super) fn begins_expression(&self) -> bool {
        let rest = self.rest();
        match self.peek() {
            Some('\'' | '"' | '$' | '(' | '@' | '[' | '!') => true,
            Some('-') => rest.get(..5).is_some_and(|w| w.eq_ignore_ascii_case("-join") || w.eq_ignore_ascii_case("-not ")),
            Some(c) if c.is_ascii_digit() => {
                let mut word = rest.chars().take_while(|c| !c.is_whitespace() && !matches!(c, '|' | ';' | ')' | ','));
                word.all(|c| c.is_ascii_digit() || c == '.')
            }
            Some(_) => false,
            None => false,
        }
    }

    /// A list of operands joined by operators.
    pub(super) fn expression(&mut self) -> Vec<Word> {
        let start = self.at;
        if self.operator("-join") {
            self.blanks(false);
            let words = self.list();
            return vec![self.join(&words, "", start)];
        }
        if self.operator("-not") || self.peek() == Some('!') {
            if self.peek() == Some('!') {
                self.bump();
            }
            self.blanks(false);
            self.expression();
            return vec![self.unknown(start, self.at)];
        }
        let mut left = self.list();
        loop {
            self.blanks(false);
            if self.peek() == Some('+') {
                self.bump();
                self.blanks(true);
                let right = self.list();
                left = match (left.as_slice(), right.as_slice()) {
                    ([a], [b]) => {
                        let mut build = Build::new();
                        build.word(a);
                        build.word(b);
                        vec![build.finish(self.script.span(start, self.at))]
                    }
                    _ => left.iter().chain(&right).cloned().collect(),
                };
            } else if self.operator("-join") {
                self.blanks(false);
                let by = self.list();
                let between = by.first().and_then(|word| word.known().map(|text| text.into_owned()));
                left = match between {
                    Some(between) => vec![self.join(&left, &between, start)],
                    None => vec![self.unknown(start, self.at)],
                };
            } else if self.operator("-f") {
                self.blanks(false);
                let values = self.list();
                left = vec![self.format(&left, &values, start)];
            } else if self.rest().starts_with('-') && self.rest()[1..].starts_with(|c: char| c.is_ascii_alphabetic()) {
                let taint = left.iter().fold(Taint::none(), |all, word| all.join(&word.taint()));
                self.bump();
                while self.peek().is_some_and(|c| c.is_ascii_alphabetic()) {
                    self.bump();
                }
                self.blanks(false);
                let right = self.list();
                let taint = right.iter().fold(taint, |all, word| all.join(&word.taint()));
                left = vec![Word::unknown(Origin::Unknown, taint, self.script.span(start, self.at))];
            } else {
                return left;
            }
            if !self.host.step(1) {
                return left;
            }
        }
    }

    fn operator(&mut self, word: &str) -> bool {
        let matches = self.rest().get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word));
        let ends = !self.rest().get(word.len()..).unwrap_or("").starts_with(|c: char| c.is_ascii_alphanumeric());
        if matches && ends {
            self.at += word.len();
        }
        matches && ends
    }

    fn list(&mut self) -> Vec<Word> {
        let mut all = self.operand();
        loop {
            self.blanks(false);
            if self.peek() != Some(',') || !self.host.step(1) {
                return all;
            }
            self.bump();
            self.blanks(true);
            all.extend(self.operand());
        }
    }

    fn operand(&mut self) -> Vec<Word> {
        let at = self.at;
        let mut words = match self.peek() {
            Some('(') => self.parenthesised(),
            Some('@') if self.rest()[1..].starts_with('(') => {
                self.bump();
                self.parenthesised()
            }
            Some('@') if self.rest()[1..].starts_with('{') => {
                self.bump();
                let (start, end) = self.bracketed();
                vec![self.unknown(start, end)]
            }
            Some('@') => {
                self.bump();
                if matches!(self.peek(), Some('\'' | '"')) { vec![self.here_string()] } else { Vec::new() }
            }
            Some('\'') => {
                let (body, close) = string_body(&self.script.text[..self.end], at);
                self.at = string_end(&self.script.text[..self.end], at);
                let text = self.script.text[body..close].replace("''", "'");
                vec![Word::known_text(text, self.script.span(body, close))]
            }
            Some('"') => vec![self.expandable()],
            Some('$') => vec![self.variable()],
            Some('[') => return self.typed(),
            Some('{') => {
                let (start, end) = self.bracketed();
                vec![self.unknown(start, end)]
            }
            Some(c) if c.is_ascii_alphanumeric() => {
                while self.peek().is_some_and(|c| c.is_ascii_alphanumeric() || c == '.') {
                    self.bump();
                }
                let text = &self.script.text[at..self.at];
                if text.contains("..") {
                    vec![self.unknown(at, self.at)]
                } else {
                    vec![Word::known_text(text.to_string(), self.script.span(at, self.at))]
                }
            }
            _ => Vec::new(),
        };
        self.postfix(&mut words);
        words
    }

    /// `(…)`: a pipeline's output, or an expression's value.
    pub(super) fn parenthesised(&mut self) -> Vec<Word> {
        let (start, end) = self.bracketed();
        let resume = (self.at, self.end);
        self.at = start;
        self.end = end;
        self.blanks(true);
        let simple = self.level < super::LEVELS && self.begins_expression();
        self.level += 1;
        let words = if simple {
            let words = self.expression();
            self.blanks(true);
            if self.at < self.end { Vec::new() } else { words }
        } else {
            Vec::new()
        };
        self.level -= 1;
        (self.at, self.end) = resume;
        if !words.is_empty() {
            return words;
        }
        let span = self.script.span(start, end);
        match self.within(start, end) {
            Flow::Empty => Vec::new(),
            Flow::Text(mut word) => {
                word.computed = true;
                vec![word]
            }
            Flow::Unknown(taint) => {
                let mut word = Word::unknown(Origin::Output, taint, span);
                word.computed = true;
                vec![word]
            }
        }
    }

    /// `[char]114`, `[string]$x`, `[Type]::Member(…)`.
    fn typed(&mut self) -> Vec<Word> {
        let at = self.at;
        let (start, end) = self.bracketed();
        let name = self.script.text[start..end].trim().to_string();
        if self.rest().starts_with("::") {
            self.at += 2;
            let from = self.at;
            while self.peek().is_some_and(|c| c.is_alphanumeric() || c == '_') {
                self.bump();
            }
            let member = format!("[{name}]::{}", &self.script.text[from..self.at]);
            let mut words = if self.peek() == Some('(') {
                let given = self.parenthesised_list();
                self.called(member, given, at)
            } else {
                vec![self.unknown(at, self.at)]
            };
            self.postfix(&mut words);
            return words;
        }
        self.blanks(false);
        let values = self.operand();
        if name.eq_ignore_ascii_case("char") || name.eq_ignore_ascii_case("char[]") {
            return values.iter().map(|word| self.character(word)).collect();
        }
        values
    }

    fn character(&self, word: &Word) -> Word {
        let code = word.known().and_then(|text| {
            let text = text.trim();
            match text.strip_prefix("0x").or(text.strip_prefix("0X")) {
                Some(hex) => u32::from_str_radix(hex, 16).ok(),
                None => text.parse().ok(),
            }
        });
        match code.and_then(char::from_u32) {
            Some(c) => Word::known_text(c.to_string(), word.span),
            None => Word::unknown(Origin::Unknown, word.taint(), word.span),
        }
    }

    fn parenthesised_list(&mut self) -> Vec<Word> {
        let (start, end) = self.bracketed();
        let resume = (self.at, self.end);
        self.at = start;
        self.end = end;
        self.level += 1;
        let mut words = Vec::new();
        while self.at < self.end && self.level < super::LEVELS {
            self.blanks(true);
            let before = self.at;
            words.extend(self.expression());
            self.blanks(true);
            if self.peek() == Some(',') {
                self.bump();
            } else if self.at == before {
                break;
            }
        }
        self.level -= 1;
        (self.at, self.end) = resume;
        words
    }

    /// A member that is called is handed to the host as a program of that name.
    fn called(&mut self, name: String, given: Vec<Word>, start: usize) -> Vec<Word> {
        let span = self.script.span(start, self.at);
        let invocation = Invocation {
            program: Word::known_text(name, span),
            arguments: given.into_iter().map(Argument::Word).collect(),
            environment: Vec::new(),
            directory: self.state.directory.clone(),
            stdin: Flow::Empty,
            place: self.state.place,
            chain: self.state.chain.clone(),
            span,
        };
        match self.host.run(invocation, self.state).output {
            Flow::Empty => vec![Word::unknown(Origin::Output, Taint::none(), span)],
            Flow::Text(word) => vec![word],
            Flow::Unknown(taint) => vec![Word::unknown(Origin::Output, taint, span)],
        }
    }

    /// `.Member`, `.Member(…)`, `[index]` behind an operand.
    pub(super) fn postfix(&mut self, words: &mut Vec<Word>) {
        loop {
            let at = self.at;
            let rest = self.rest();
            if rest.starts_with('.') && rest[1..].starts_with(|c: char| c.is_ascii_alphabetic()) {
                self.bump();
                while self.peek().is_some_and(|c| c.is_ascii_alphanumeric() || c == '_') {
                    self.bump();
                }
                let name = self.script.text[at + 1..self.at].to_string();
                if self.peek() == Some('(') {
                    let given = self.parenthesised_list();
                    *words = self.method(&name, words, given, at);
                } else {
                    let taint = words.iter().fold(Taint::none(), |all, word| all.join(&word.taint()));
                    *words = vec![Word::unknown(Origin::Unknown, taint, self.script.span(at, self.at))];
                }
            } else if rest.starts_with('[') {
                self.bracketed();
                let taint = words.iter().fold(Taint::none(), |all, word| all.join(&word.taint()));
                *words = vec![Word::unknown(Origin::Unknown, taint, self.script.span(at, self.at))];
            } else {
                return;
            }
            if !self.host.step(1) {
                return;
            }
        }
    }

    fn method(&mut self, name: &str, on: &[Word], given: Vec<Word>, start: usize) -> Vec<Word> {
        let texts: Option<Vec<String>> = given.iter().map(|word| word.known().map(|text| text.into_owned())).collect();
        if let ([word], Some(texts)) = (on, texts)
            && let Some(text) = word.known()
        {
            let made = match (name.to_ascii_lowercase().as_str(), texts.as_slice()) {
                ("replace", [from, to]) if !from.is_empty() => Some(text.replace(from.as_str(), to)),
                ("tolower", []) => Some(text.to_lowercase()),
                ("toupper", []) => Some(text.to_uppercase()),
                ("trim" | "tostring", []) => Some(text.trim().to_string()),
                _ => None,
            };
            if let Some(made) = made {
                return vec![Word::known_text(made, self.script.span(start, self.at))];
            }
        }
        let all = on.iter().cloned().chain(given).collect();
        self.called(format!(".{name}"), all, start)
    }

    fn join(&self, words: &[Word], between: &str, start: usize) -> Word {
        let span = self.script.span(start, self.at);
        let mut build = Build::new();
        for (n, word) in words.iter().enumerate() {
            if n > 0 && !between.is_empty() {
                build.text(between, span);
            }
            build.word(word);
        }
        build.finish(span)
    }

    /// `"{1}{0}" -f 'a','b'`.
    fn format(&self, template: &[Word], values: &[Word], start: usize) -> Word {
        let span = self.script.span(start, self.at);
        let Some(template) = template.first().and_then(|word| word.known().map(|text| text.into_owned())) else {
            return Word::unknown(Origin::Unknown, Taint::none(), span);
        };
        let mut build = Build::new();
        let mut rest = template.as_str();
        while let Some(open) = rest.find('{') {
            build.text(&rest[..open], span);
            let Some(close) = rest[open..].find('}') else { break };
            let index = rest[open + 1..open + close].split([':', ',']).next().and_then(|n| n.parse::<usize>().ok());
            match index.and_then(|n| values.get(n)) {
                Some(word) => build.word(word),
                None => return Word::unknown(Origin::Unknown, Taint::none(), span),
            }
            rest = &rest[open + close + 1..];
        }
        build.text(rest, span);
        build.finish(span)
    }

    /// `$name`, `${name}`, `$env:NAME`, `$(…)`.
    pub(super) fn variable(&mut self) -> Word {
        let start = self.at;
        if self.rest().starts_with("$(") {
            self.bump();
            let words = self.parenthesised();
            return self.join(&words, " ", start);
        }
        let name = self.variable_name();
        let span = self.script.span(start, self.at);
        if name.is_empty() {
            return Word::known_text("$", span);
        }
        if let Some(variable) = self.state.variables.get(&name) {
            return match variable.value.as_slice() {
                [Argument::Word(word)] => word.clone(),
                _ => Word::unknown(Origin::Unknown, Taint::none(), span),
            };
        }
        let world = self.host.world();
        let known = match name.as_str() {
            "home" | "env:home" | "env:userprofile" => world.homes().into_iter().next(),
            "pwd" | "env:pwd" => match &self.state.directory {
                crate::model::Directory::Known(path) => Some(path.clone()),
                _ => None,
            },
            "env:temp" | "env:tmp" | "env:tmpdir" => world.temporary().into_iter().next(),
            "null" => Some("$null".to_string()),
            "true" | "false" => Some(name.clone()),
            _ => None,
        };
        match known {
            Some(text) => Word::known_text(text, span),
            None => {
                let origin = match name.strip_prefix("env:") {
                    Some(env) => Origin::Environment(env.to_string()),
                    None => Origin::Unset { name: name.clone(), guarded: false },
                };
                Word::unknown(origin, Taint::none(), span)
            }
        }
    }

    /// The name behind `$`, lower case, its scope taken off; the position moves past it. Empty where none stands.
    pub(super) fn variable_name(&mut self) -> String {
        if self.peek() != Some('$') {
            return String::new();
        }
        self.bump();
        let start = self.at;
        let name = if self.peek() == Some('{') {
            let (start, end) = self.bracketed();
            self.script.text[start..end].to_ascii_lowercase()
        } else {
            while self.peek().is_some_and(|c| c.is_alphanumeric() || c == '_' || (c == ':' && self.scoped(start))) {
                self.bump();
            }
            self.script.text[start..self.at].to_ascii_lowercase()
        };
        for scope in ["script:", "global:", "local:", "private:", "using:"] {
            if let Some(rest) = name.strip_prefix(scope) {
                return rest.to_string();
            }
        }
        name
    }

    /// Whether the colon here ends a scope (`$env:X`) rather than the name (`"$x: y"`).
    fn scoped(&self, start: usize) -> bool {
        let next = self.rest()[1..].chars().next();
        !self.script.text[start..self.at].contains(':') && next.is_some_and(|c| c.is_alphanumeric() || c == '_')
    }
}
