//! Statements and pipelines.

use super::Walk;
use super::arguments::Redirection;
use crate::model::{Directory, Effect, Flow, Invocation, Object, Origin, Taint, Word};
use crate::shell::Outcome;

/// How many elements of a literal list a loop runs over.
const ELEMENTS: usize = 64;

impl Walk<'_> {
    /// Statements up to the end; the output of the last.
    pub(super) fn statements(&mut self) -> Flow {
        let mut output = Flow::Empty;
        loop {
            self.blanks(true);
            if self.at >= self.end {
                return output;
            }
            if self.peek() == Some(';') {
                self.bump();
                continue;
            }
            if !self.host.step(1) {
                return Flow::Unknown(Taint::none());
            }
            let before = self.at;
            output = self.statement();
            if self.at == before {
                let start = self.at;
                self.bump();
                self.host.unparsed(self.script.span(start, self.at));
            }
        }
    }

    fn statement(&mut self) -> Flow {
        if self.peek() == Some('{') {
            // A block that stands alone is a value; nothing runs.
            self.bracketed();
            return Flow::Empty;
        }
        if self.keyword("function") || self.keyword("filter") {
            return self.function();
        }
        if self.keyword("if") {
            return self.conditional();
        }
        if self.keyword("foreach") {
            return self.foreach();
        }
        for word in ["while", "for", "switch"] {
            if self.keyword(word) {
                return self.looped();
            }
        }
        for word in ["do", "try", "finally", "else", "begin", "process", "end", "default"] {
            if self.keyword(word) {
                self.blanks(true);
                return self.block();
            }
        }
        if self.keyword("catch") || self.keyword("until") || self.keyword("trap") {
            self.skip_to_block();
            return self.block();
        }
        for word in ["return", "throw", "exit"] {
            if self.keyword(word) {
                self.blanks(false);
                return self.pipelines();
            }
        }
        if self.keyword("param") {
            self.blanks(true);
            if self.peek() == Some('(') {
                self.bracketed();
            }
            return Flow::Empty;
        }
        self.pipelines()
    }

    fn block(&mut self) -> Flow {
        if self.peek() != Some('{') {
            return Flow::Empty;
        }
        let (start, end) = self.bracketed();
        self.within(start, end)
    }

    fn skip_to_block(&mut self) {
        while !matches!(self.peek(), None | Some('{' | ';' | '\n')) {
            if matches!(self.peek(), Some('[' | '(')) {
                self.bracketed();
            } else {
                self.bump();
            }
        }
    }

    fn function(&mut self) -> Flow {
        self.blanks(true);
        let start = self.at;
        while self.peek().is_some_and(|c| !c.is_whitespace() && !matches!(c, '{' | '(' | ';')) {
            self.bump();
        }
        let name = self.script.text[start..self.at].to_ascii_lowercase();
        self.blanks(true);
        if self.peek() == Some('(') {
            self.bracketed();
            self.blanks(true);
        }
        if self.peek() == Some('{') {
            let body = self.bracketed();
            self.functions.insert(name, body);
        }
        Flow::Empty
    }

    fn conditional(&mut self) -> Flow {
        loop {
            self.blanks(true);
            if self.peek() == Some('(') {
                let (start, end) = self.bracketed();
                self.within(start, end);
            }
            self.blanks(true);
            self.branch();
            let before = self.at;
            self.blanks(true);
            if self.keyword("elseif") {
                continue;
            }
            if self.keyword("else") {
                self.blanks(true);
                self.branch();
            } else {
                self.at = before;
            }
            return Flow::Unknown(Taint::none());
        }
    }

    /// A block that may or may not run: variables that it sets are unknown afterwards, unless they are the same.
    fn branch(&mut self) {
        let before = self.state.clone();
        self.block();
        if self.state.directory != before.directory {
            self.state.directory = Directory::Unknown;
        }
        for (name, variable) in before.variables.iter() {
            if self.state.variables.get(name) != Some(variable) {
                self.forget(name);
            }
        }
    }

    fn forget(&mut self, name: &str) {
        let span = self.script.span(self.at, self.at);
        self.state.assign(name, Word::unknown(Origin::Unknown, Taint::none(), span), false);
    }

    fn foreach(&mut self) -> Flow {
        self.blanks(true);
        if self.peek() != Some('(') {
            return self.pipelines();
        }
        let (start, end) = self.bracketed();
        let resume = self.at;
        let (at, limit) = (self.at, self.end);
        self.at = start;
        self.end = end;
        self.blanks(true);
        let name = self.variable_name();
        self.blanks(true);
        let _ = self.keyword("in");
        self.blanks(true);
        let elements = self.expression();
        self.at = at;
        self.end = limit;
        debug_assert_eq!(resume, at);
        self.blanks(true);
        if self.peek() != Some('{') {
            return Flow::Empty;
        }
        let (body, close) = self.bracketed();
        for element in elements.into_iter().take(ELEMENTS) {
            self.state.assign(&name, element, false);
            self.within(body, close);
        }
        Flow::Unknown(Taint::none())
    }

    fn looped(&mut self) -> Flow {
        self.blanks(true);
        if self.peek() == Some('(') {
            let (start, end) = self.bracketed();
            self.within(start, end);
        }
        self.blanks(true);
        self.branch();
        Flow::Unknown(Taint::none())
    }

    /// Pipelines joined by `&&` and `||`.
    fn pipelines(&mut self) -> Flow {
        loop {
            let output = self.pipeline();
            self.blanks(false);
            if self.rest().starts_with("&&") || self.rest().starts_with("||") {
                self.at += 2;
                self.blanks(true);
                continue;
            }
            if self.peek() == Some('&') {
                self.bump();
            }
            return output;
        }
    }

    fn pipeline(&mut self) -> Flow {
        if let Some(flow) = self.assignment() {
            return flow;
        }
        let mut flow = self.state.stdin.clone();
        let mut first = true;
        loop {
            self.blanks(true);
            flow = self.element(flow, first);
            first = false;
            self.blanks(false);
            let rest = self.rest();
            if rest.starts_with('|') && !rest.starts_with("||") {
                self.bump();
                continue;
            }
            return flow;
        }
    }

    /// `$x = …`, `[type]$x += …`.
    fn assignment(&mut self) -> Option<Flow> {
        let start = self.at;
        while self.peek() == Some('[') {
            self.bracketed();
            self.blanks(false);
        }
        if self.peek() != Some('$') {
            self.at = start;
            return None;
        }
        let name = self.variable_name();
        self.blanks(false);
        let rest = self.rest();
        let added = rest.starts_with("+=");
        let plain = rest.starts_with('=') && !rest.starts_with("==");
        if name.is_empty() || !(added || plain) {
            self.at = start;
            return None;
        }
        self.at += if added { 2 } else { 1 };
        self.blanks(true);
        let from = self.at;
        let value = self.assigned();
        let span = self.script.span(from, self.at);
        let value = match (value.as_slice(), added) {
            ([one], false) => one.clone(),
            _ => Word::unknown(Origin::Unknown, value.iter().fold(Taint::none(), |t, w| t.join(&w.taint())), span),
        };
        self.state.assign(&name, value, name.starts_with("env:"));
        Some(Flow::Empty)
    }

    fn assigned(&mut self) -> Vec<Word> {
        if self.begins_expression() {
            let value = self.expression();
            self.blanks(false);
            if !self.rest().starts_with('|') {
                return value;
            }
        }
        let from = self.at;
        match self.pipelines() {
            Flow::Text(word) => vec![word],
            flow => vec![Word::unknown(Origin::Output, flow.taint(), self.script.span(from, self.at))],
        }
    }

    fn element(&mut self, stdin: Flow, first: bool) -> Flow {
        let start = self.at;
        if first && self.begins_expression() {
            let words = self.expression();
            let output = joined(words);
            self.blanks(false);
            while let Some(redirection) = self.redirection() {
                self.redirect(redirection.into_iter().collect(), &output);
                self.blanks(false);
            }
            return output;
        }
        let called = match self.peek() {
            Some('&') => true,
            Some('.') => self.rest()[1..].starts_with([' ', '"', '\'', '$', '{', '(']),
            _ => false,
        };
        if called {
            self.bump();
            self.blanks(false);
            if self.peek() == Some('{') {
                let (body, close) = self.bracketed();
                let _ = self.arguments();
                return self.with_input(&stdin, body, close);
            }
        }
        let program = if called { self.argument().into_iter().next() } else { self.bare_word() };
        let Some(program) = program else { return Flow::Empty };
        let given = self.arguments();
        let span = self.script.span(start, self.at);
        if let Some(name) = program.known().map(|name| name.to_ascii_lowercase())
            && let Some(&(body, close)) = self.functions.get(&name)
        {
            return self.with_input(&stdin, body, close);
        }
        let place = self.state.place;
        let invocation = Invocation {
            program,
            arguments: given.words,
            environment: self.exported(),
            directory: self.state.directory.clone(),
            stdin: stdin.clone(),
            place,
            chain: self.state.chain.clone(),
            span,
        };
        let Outcome { output, .. } = self.host.run(invocation, self.state);
        for (body, close) in given.blocks {
            self.with_input(&stdin, body, close);
        }
        self.redirect(given.redirections, &output);
        output
    }

    /// Walks a block whose `$_` is what is piped in.
    fn with_input(&mut self, stdin: &Flow, body: usize, close: usize) -> Flow {
        let span = self.script.span(body, close);
        let piped = match stdin {
            Flow::Text(word) => word.clone(),
            flow => Word::unknown(Origin::Unknown, flow.taint(), span),
        };
        self.state.assign("_", piped, false);
        self.within(body, close)
    }

    fn exported(&self) -> Vec<(String, Word)> {
        let mut all = Vec::new();
        for (name, variable) in self.state.variables.iter() {
            if let (Some(name), [argument]) = (name.strip_prefix("env:"), variable.value.as_slice())
                && let Some(word) = argument.word()
            {
                all.push((name.to_string(), word.clone()));
            }
        }
        all
    }

    fn redirect(&mut self, redirections: Vec<Redirection>, output: &Flow) {
        for Redirection { verb, path, span } in redirections {
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
    }
}

/// Several words as one text, a line each.
fn joined(words: Vec<Word>) -> Flow {
    match words.as_slice() {
        [] => Flow::Empty,
        [one] => Flow::Text(one.clone()),
        [first, rest @ ..] => {
            let mut all = first.clone();
            for word in rest {
                let next: Vec<_> = word.values.first().map(|value| value.pieces.clone()).unwrap_or_default();
                if let Some(value) = all.values.first_mut() {
                    value.pieces.push(crate::model::Piece::Text { text: "\n".into(), span: word.span });
                    value.pieces.extend(next);
                }
                all.values.truncate(1);
            }
            Flow::Text(all)
        }
    }
}
