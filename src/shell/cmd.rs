//! cmd.exe: text → evaluation in execution order.
//!
//! One pass over the text: `&`, `&&`, `||`, `|`, parentheses, `^` escapes, double quotes, `%VAR%`, redirections; what the shell
//! itself defines (`cd`, `set`, `if`, `for`, `call`, `echo`, `rem`) is read here, the rest is handed to the host. Both branches
//! of an `if` are walked.

use super::{Host, Outcome, State};
use crate::model::{
    Argument, Directory, Effect, Flow, Invocation, Limit, Object, Origin, Piece, Span, Taint, Value, Verb, Word, path,
};

/// How deep parentheses, `if` and `for` may nest.
const LEVELS: u32 = 64;
/// How many elements of a `for` list are run over.
const ELEMENTS: usize = 64;

/// Reads a script, for each value that its text may have.
pub fn evaluate(text: &Word, state: &mut State, host: &mut dyn Host) -> Outcome {
    let mut output = Flow::Empty;
    for value in &text.values {
        let Some(letters) = letters(value) else {
            host.unparsed(text.span);
            output = Flow::Unknown(text.taint());
            continue;
        };
        let mut walk = Walk { letters: &letters, at: 0, whole: text.span, level: 0, state: &mut *state, host: &mut *host };
        output = walk.commands(false);
    }
    Outcome { output, success: None }
}

/// A character and where it stands.
#[derive(Clone, Copy)]
struct Letter {
    c: char,
    span: Span,
}

fn letters(value: &Value) -> Option<Vec<Letter>> {
    let mut all = Vec::new();
    for piece in &value.pieces {
        let Piece::Text { text, span } = piece else { return None };
        for (at, c) in text.char_indices() {
            let exact = span.len() == text.len();
            let start = span.start as usize + at;
            let span = if exact { Span::within(span.source, start, start + c.len_utf8()) } else { *span };
            all.push(Letter { c, span });
        }
    }
    Some(all)
}

struct Walk<'a> {
    letters: &'a [Letter],
    at: usize,
    whole: Span,
    level: u32,
    state: &'a mut State,
    host: &'a mut dyn Host,
}

/// A command's words and where its output goes.
#[derive(Default)]
struct Line {
    words: Vec<Word>,
    redirections: Vec<(Verb, Word)>,
}

impl Walk<'_> {
    fn peek(&self) -> Option<char> {
        self.letters.get(self.at).map(|letter| letter.c)
    }

    fn span(&self, start: usize, end: usize) -> Span {
        match (self.letters.get(start), self.letters.get(end.max(start + 1) - 1)) {
            (Some(first), Some(last)) => first.span.to(last.span),
            _ => self.whole,
        }
    }

    /// Commands up to the end, or to the closing parenthesis.
    fn commands(&mut self, inside: bool) -> Flow {
        let mut output = Flow::Empty;
        let mut stdin = self.state.stdin.clone();
        while let Some(c) = self.peek() {
            if !self.host.step(1) {
                break;
            }
            match c {
                ' ' | '\t' | '\r' | '\n' | '@' | ';' | ',' => self.at += 1,
                ')' if inside => {
                    self.at += 1;
                    return output;
                }
                ')' => self.at += 1,
                '&' | '|' => {
                    let pipe = c == '|' && self.letters.get(self.at + 1).is_none_or(|next| next.c != '|');
                    self.at += if self.letters.get(self.at + 1).is_some_and(|next| next.c == c) { 2 } else { 1 };
                    stdin = if pipe { output.clone() } else { self.state.stdin.clone() };
                }
                _ => output = self.command(&stdin),
            }
        }
        output
    }

    fn command(&mut self, stdin: &Flow) -> Flow {
        if self.level >= LEVELS {
            let span = self.span(self.at, self.letters.len());
            self.host.limit(Limit { name: "levels", size: u64::from(LEVELS), span });
            self.at = self.letters.len();
            return Flow::Unknown(Taint::none());
        }
        self.level += 1;
        let output = self.one(stdin);
        self.level -= 1;
        output
    }

    fn one(&mut self, stdin: &Flow) -> Flow {
        if self.peek() == Some('(') {
            self.at += 1;
            return self.commands(true);
        }
        let start = self.at;
        let head = self.head();
        match head.as_str() {
            "if" => return self.conditional(stdin),
            "for" => return self.looped(stdin),
            "else" | "call" => {
                self.blanks();
                return self.command(stdin);
            }
            "rem" | "::" => {
                while self.peek().is_some_and(|c| c != '\n') {
                    self.at += 1;
                }
                return Flow::Empty;
            }
            _ => self.at = start,
        }
        let line = self.line();
        self.run(line, stdin, start, &head)
    }

    fn run(&mut self, line: Line, stdin: &Flow, start: usize, head: &str) -> Flow {
        let span = self.span(start, self.at);
        let mut words = line.words.into_iter();
        let Some(program) = words.next() else { return Flow::Empty };
        let rest: Vec<Word> = words.collect();
        let output = match head {
            "cd" | "chdir" | "pushd" => {
                let target = rest.iter().find(|word| !word.known().is_some_and(|text| text.eq_ignore_ascii_case("/d")));
                if let Some(target) = target {
                    self.state.directory = match (target.known(), &self.state.directory) {
                        (Some(to), Directory::Known(from)) => Directory::Known(path::join(from, &to.replace('\\', "/"))),
                        _ => Directory::Unknown,
                    };
                }
                Flow::Empty
            }
            "set" => {
                self.assign(&rest);
                Flow::Empty
            }
            "echo" => match rest.as_slice() {
                [] => Flow::Empty,
                words => Flow::Text(spaced(words)),
            },
            _ => {
                let invocation = Invocation {
                    program,
                    arguments: rest.into_iter().map(Argument::Word).collect(),
                    environment: Vec::new(),
                    directory: self.state.directory.clone(),
                    stdin: stdin.clone(),
                    place: self.state.place,
                    chain: self.state.chain.clone(),
                    span,
                };
                self.host.run(invocation, self.state).output
            }
        };
        for (verb, path) in line.redirections {
            if path.known().is_some_and(|name| name.eq_ignore_ascii_case("nul")) {
                continue;
            }
            self.host.effect(Effect {
                verb,
                recursively: false,
                forcibly: false,
                object: Object::Path(path),
                filters: Vec::new(),
                from: output.taint(),
                directory: self.state.directory.clone(),
                place: self.state.place,
                certain: true,
                invocation: None,
                span,
            });
        }
        output
    }

    /// `NAME=value` of a `set`, its words joined again.
    fn assign(&mut self, words: &[Word]) {
        if words.is_empty() {
            return;
        }
        let all = spaced(words);
        let Some(Value { pieces }) = all.values.first() else { return };
        let Some(Piece::Text { text, span }) = pieces.first() else { return };
        let Some((name, value)) = text.split_once('=') else { return };
        let mut rest = vec![Piece::Text { text: value.to_string(), span: *span }];
        rest.extend(pieces[1..].iter().cloned());
        let word = Word { values: vec![Value { pieces: rest }], span: all.span, computed: false };
        self.state.assign(&name.to_ascii_lowercase(), word, true);
    }

    /// `if [not] exist X command [else command]`, `if a==b command`: both are walked.
    fn conditional(&mut self, stdin: &Flow) -> Flow {
        loop {
            self.blanks();
            let start = self.at;
            let word = self.head();
            match word.as_str() {
                "/i" | "not" => {}
                "exist" | "defined" | "errorlevel" => {
                    self.blanks();
                    self.word();
                    break;
                }
                _ => {
                    self.at = start;
                    self.word();
                    self.blanks();
                    let again = self.at;
                    if matches!(self.head().as_str(), "==" | "equ" | "neq" | "lss" | "leq" | "gtr" | "geq") {
                        self.blanks();
                        self.word();
                    } else {
                        self.at = again;
                    }
                    break;
                }
            }
            if !self.host.step(1) {
                return Flow::Empty;
            }
        }
        self.blanks();
        let before = self.state.clone();
        self.command(stdin);
        self.blanks();
        let start = self.at;
        if self.head() == "else" {
            self.blanks();
            self.command(stdin);
        } else {
            self.at = start;
        }
        if self.state.directory != before.directory {
            self.state.directory = Directory::Unknown;
        }
        Flow::Unknown(Taint::none())
    }

    /// `for [/f "…"] %i in (list) do command`.
    fn looped(&mut self, stdin: &Flow) -> Flow {
        let mut reads_output = false;
        let name = loop {
            self.blanks();
            let Some(word) = self.word() else { return Flow::Empty };
            let text = word.emptied_text();
            reads_output |= text.eq_ignore_ascii_case("/f");
            if let Some(name) = text.strip_prefix('%') {
                break name.trim_start_matches('%').to_string();
            }
        };
        self.blanks();
        let _ = self.head();
        self.blanks();
        if self.peek() != Some('(') {
            return Flow::Empty;
        }
        self.at += 1;
        let start = self.at;
        let mut elements = Vec::new();
        while self.peek().is_some_and(|c| c != ')') {
            self.blanks();
            match self.word() {
                Some(word) => elements.push(word),
                None => self.at += usize::from(self.peek().is_some_and(|c| c != ')')),
            }
        }
        let span = self.span(start, self.at);
        self.at = (self.at + 1).min(self.letters.len());
        if reads_output {
            // What stands between single quotes is a command whose output the loop reads.
            let command = spaced(&elements);
            let quoted = command.known().is_some_and(|text| text.starts_with('\''));
            if quoted {
                let inner = Word { values: vec![unquoted(&command)], ..command };
                self.level += 1;
                evaluate(&inner, &mut self.state.child(), self.host);
                self.level -= 1;
            }
            elements = vec![Word::unknown(Origin::Output, Taint::none(), span)];
        }
        self.blanks();
        let _ = self.head();
        self.blanks();
        let body = self.at;
        for element in elements.into_iter().take(ELEMENTS) {
            self.at = body;
            self.state.assign(&format!("%{name}"), element, false);
            self.command(stdin);
        }
        Flow::Unknown(Taint::none())
    }

    fn blanks(&mut self) {
        while self.peek().is_some_and(|c| matches!(c, ' ' | '\t' | '\r' | '\n' | '@')) {
            self.at += 1;
        }
    }

    /// The bare word here, lower case; the position moves past it.
    fn head(&mut self) -> String {
        let start = self.at;
        while self.peek().is_some_and(|c| !c.is_whitespace() && !matches!(c, '(' | ')' | '&' | '|' | '<' | '>' | '"')) {
            self.at += 1;
        }
        let text: String = self.letters[start..self.at].iter().map(|letter| letter.c).collect();
        text.to_ascii_lowercase()
    }

    /// Words and redirections up to the end of the command.
    fn line(&mut self) -> Line {
        let mut line = Line::default();
        loop {
            while self.peek().is_some_and(|c| matches!(c, ' ' | '\t' | '\r' | ',' | ';')) {
                self.at += 1;
            }
            match self.peek() {
                None | Some('\n' | '&' | '|' | ')') => return line,
                Some('>' | '<') => {
                    let input = self.peek() == Some('<');
                    self.at += 1;
                    let appends = self.peek() == Some('>');
                    self.at += usize::from(appends);
                    if self.peek() == Some('&') {
                        self.at = (self.at + 2).min(self.letters.len());
                        continue;
                    }
                    self.blanks();
                    if let Some(path) = self.word() {
                        let verb = match (input, appends) {
                            (true, _) => Verb::Reads,
                            (false, true) => Verb::Appends,
                            (false, false) => Verb::Writes,
                        };
                        line.redirections.push((verb, path));
                    }
                }
                Some(_) => match self.word() {
                    Some(word) => line.words.push(word),
                    None => self.at += 1,
                },
            }
            if !self.host.step(1) {
                return line;
            }
        }
    }

    /// One word with quotes, escapes and variables.
    fn word(&mut self) -> Option<Word> {
        let start = self.at;
        let mut pieces: Vec<Piece> = Vec::new();
        let mut quoted = false;
        while let Some(c) = self.peek() {
            let at = self.at;
            match c {
                '"' => {
                    quoted = !quoted;
                    self.at += 1;
                }
                '^' if !quoted => {
                    self.at += 1;
                    if let Some(next) = self.peek() {
                        self.at += 1;
                        push(&mut pieces, next, self.span(at, self.at));
                    }
                }
                '%' => pieces.extend(self.variable()),
                c if !quoted && (c.is_whitespace() || matches!(c, '&' | '|' | '<' | '>' | '(' | ')' | ',' | ';')) => break,
                '\n' => break,
                c => {
                    self.at += 1;
                    push(&mut pieces, c, self.span(at, self.at));
                }
            }
        }
        (self.at > start).then(|| Word { values: vec![Value { pieces }], span: self.span(start, self.at), computed: false })
    }

    /// `%NAME%`, or a loop's `%i`.
    fn variable(&mut self) -> Vec<Piece> {
        let start = self.at;
        self.at += 1;
        let letter = self.peek().map(|c| format!("%{c}"));
        if let Some(variable) = letter.as_ref().and_then(|name| self.state.variables.get(name))
            && let [Argument::Word(word)] = variable.value.as_slice()
            && let Some(value) = word.values.first()
        {
            let pieces = value.pieces.clone();
            self.at += 1;
            return pieces;
        }
        let close = self.letters[self.at..].iter().position(|letter| letter.c == '%' || letter.c.is_whitespace());
        let Some(close) = close.filter(|n| *n > 0 && self.letters[self.at + n].c == '%') else {
            return vec![Piece::Text { text: "%".into(), span: self.span(start, self.at) }];
        };
        let name: String = self.letters[self.at..self.at + close].iter().map(|letter| letter.c.to_ascii_lowercase()).collect();
        self.at += close + 1;
        let span = self.span(start, self.at);
        if let Some(variable) = self.state.variables.get(&name)
            && let [Argument::Word(word)] = variable.value.as_slice()
            && let [value] = word.values.as_slice()
        {
            return value.pieces.clone();
        }
        let known = match name.as_str() {
            "userprofile" | "home" => self.host.world().homes().into_iter().next(),
            "temp" | "tmp" => self.host.world().temporary().into_iter().next(),
            "systemdrive" => Some("C:".to_string()),
            "windir" | "systemroot" => Some("C:/Windows".to_string()),
            _ => None,
        };
        match known {
            Some(text) => vec![Piece::Text { text, span }],
            None => Word::unknown(Origin::Environment(name), Taint::none(), span).values.swap_remove(0).pieces,
        }
    }
}

fn push(pieces: &mut Vec<Piece>, c: char, at: Span) {
    if let Some(Piece::Text { text, span }) = pieces.last_mut()
        && span.len() == text.len()
        && at.len() == c.len_utf8()
        && span.source == at.source
        && span.end == at.start
    {
        text.push(c);
        span.end = at.end;
        return;
    }
    pieces.push(Piece::Text { text: c.to_string(), span: at });
}

/// The words with a blank between.
fn spaced(words: &[Word]) -> Word {
    let mut pieces = Vec::new();
    let mut span = words.first().map_or(Span::default(), |word| word.span);
    for (n, word) in words.iter().enumerate() {
        if n > 0 {
            pieces.push(Piece::Text { text: " ".into(), span: word.span });
        }
        pieces.extend(word.values.first().map(|value| value.pieces.clone()).unwrap_or_default());
        span = span.to(word.span);
    }
    Word { values: vec![Value { pieces }], span, computed: false }
}

/// The first and the last character taken off.
fn unquoted(word: &Word) -> Value {
    let mut value = word.values.first().cloned().unwrap_or_default();
    if let Some(Piece::Text { text, span }) = value.pieces.first_mut()
        && text.starts_with('\'')
    {
        text.remove(0);
        span.start += u32::from(span.start < span.end);
    }
    if let Some(Piece::Text { text, span }) = value.pieces.last_mut()
        && text.ends_with('\'')
    {
        text.pop();
        span.end -= u32::from(span.start < span.end);
    }
    value
}

impl Word {
    /// The first value with its holes empty.
    fn emptied_text(&self) -> String {
        self.values.first().map(Value::emptied).unwrap_or_default()
    }
}
