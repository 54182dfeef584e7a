//! Options in every spelling that a syntax has, and their values.

use super::{Fork, Parser, Used};
use crate::interpret::words::{self, as_word, is_text, lead, tail, with_value};
use crate::model::declaration::{Act, Command, OptionDeclaration, Syntax, ValueKind};
use crate::model::{Argument, OptionUse, Piece, Value, Word};

impl<'d, 'a> Parser<'d, 'a> {
    /// Takes an option, where the word is one; false where it is not.
    pub(super) fn option(&mut self, word: &'a Word, value: &'a Value) -> Result<bool, Fork> {
        let start = lead(value);
        match self.syntax {
            Syntax::Cmd => return Ok(self.slashed(word, &start)),
            Syntax::KeyValue if !start.starts_with('-') => return Ok(self.keyed(word, value, &start)),
            Syntax::Expression if matches!(&*start, "(" | ")" | "!" | ",") && is_text(value) => {
                self.expression = true;
                self.negated = &*start == "!";
                self.give(word, &start, None, None);
                self.at += 1;
                return Ok(true);
            }
            _ => {}
        }
        if &*start == "-" && is_text(value) && self.find("-").is_some() {
            self.at += 1;
            self.give(word, "-", None, self.find("-"));
            return Ok(true);
        }
        if start.len() < 2 || !start.starts_with('-') {
            return Ok(false);
        }
        if &*start == "--" && is_text(value) && !matches!(self.syntax, Syntax::Expression | Syntax::PowerShell) {
            self.ended = true;
            self.read.dashes = Some(self.read.positionals.len());
            self.at += 1;
            return Ok(true);
        }
        match self.syntax {
            Syntax::Expression => self.primary(word, value, &start),
            Syntax::SingleDashLong => self.single_dash(word, value, &start),
            Syntax::PowerShell => return Ok(self.parameter(word, value, &start)),
            _ if start.starts_with("--") => self.long(word, value, &start),
            _ => self.short(word, value, &start),
        }
        Ok(true)
    }

    /// `--name`, `--name=value`, `--name value`, `--na`.
    fn long(&mut self, word: &'a Word, value: &'a Value, start: &str) {
        self.at += 1;
        let equals = start.find('=');
        if equals.is_none() && !is_text(value) {
            self.read.open = true; // `--$X`
            return;
        }
        let name = &start[..equals.unwrap_or(start.len())];
        let attached = equals.map(|at| with_value(word, tail(value, at + 1)));
        let declared = self.find(name).or_else(|| self.find_prefix(name));
        self.valued(word, name, attached, declared);
    }

    /// `-x`, `-xyz`, `-ovalue`, `-o value`.
    fn short(&mut self, word: &'a Word, value: &'a Value, start: &str) {
        self.at += 1;
        if start.len() > 2 {
            let name = &start[..start.find('=').unwrap_or(start.len())];
            if name.len() > 2
                && let Some(declared) = self.find(name)
            {
                let attached = (name.len() < start.len()).then(|| with_value(word, tail(value, name.len() + 1)));
                return self.valued(word, name, attached, Some(declared));
            }
        }
        if start[1..].bytes().all(|b| b.is_ascii_digit())
            && let Some(declared) = self.find("-NUM")
        {
            let number = with_value(word, tail(value, 1));
            return self.give(word, start, Some(number), Some(declared));
        }
        let mut unknown = false;
        for (at, letter) in start.char_indices().skip(1) {
            let mut buffer = [0; 5];
            buffer[0] = b'-';
            let length = 1 + letter.encode_utf8(&mut buffer[1..]).len();
            let name = std::str::from_utf8(&buffer[..length]).unwrap_or("-");
            let Some(declared) = self.find(name) else {
                unknown = true;
                self.give(word, name, None, None);
                continue;
            };
            if declared.value == ValueKind::None {
                if at + letter.len_utf8() == start.len() {
                    return self.valued(word, name, None, Some(declared));
                }
                self.give(word, name, None, Some(declared));
                continue;
            }
            let rest = tail(value, at + letter.len_utf8());
            let attached = (!rest.pieces.is_empty()).then(|| with_value(word, rest));
            return self.valued(word, name, attached, Some(declared));
        }
        if unknown && start.len() > 2 {
            self.give(word, start, None, None);
        }
        self.read.open |= !is_text(value);
    }

    /// `-long`, `-long=value`, `-long value`, and the same with two dashes.
    fn single_dash(&mut self, word: &'a Word, value: &'a Value, start: &str) {
        self.at += 1;
        let equals = start.find('=');
        if equals.is_none() && !is_text(value) {
            self.read.open = true;
            return;
        }
        let name = &start[..equals.unwrap_or(start.len())];
        let attached = equals.map(|at| with_value(word, tail(value, at + 1)));
        let declared = self.find(name).or_else(|| match name.strip_prefix("--") {
            Some(rest) => self.find(&format!("-{rest}")),
            None => self.find(&format!("-{name}")),
        });
        self.valued(word, name, attached, declared);
    }

    /// A primary of an expression.
    fn primary(&mut self, word: &'a Word, value: &'a Value, start: &str) {
        self.at += 1;
        let declared = if is_text(value) { self.find(start) } else { None };
        if declared.is_none() || !self.read.positionals.is_empty() {
            self.expression = true;
        }
        if let Some(words) = self.until(declared) {
            self.give(word, start, None, declared);
            if let Some(last) = self.read.used.last_mut() {
                last.words = words;
            }
        } else {
            self.valued(word, start, None, declared);
        }
        // `!` holds for the one primary behind it; `-not` is `!`.
        self.negated = start == "-not";
    }

    /// The words of a command that an option runs, up to the word that ends it.
    fn until(&mut self, declared: Option<&'d OptionDeclaration>) -> Option<Vec<Argument>> {
        let terminators = declared?.does.iter().find_map(|does| match &does.act {
            Act::RunsUntil { terminators, .. } => Some(terminators),
            _ => None,
        })?;
        let mut words = Vec::new();
        while let Some(argument) = self.arguments.get(self.at) {
            self.at += 1;
            let known = argument.word().and_then(Word::known);
            if known.is_some_and(|text| terminators.iter().any(|t| *t == *text)) {
                break;
            }
            words.push(argument.clone());
        }
        Some(words)
    }

    /// `-Parameter`, `-Param value`, `-Name:value`, in any case.
    fn parameter(&mut self, word: &'a Word, value: &'a Value, start: &str) -> bool {
        if !start[1..].starts_with(|c: char| c.is_ascii_alphabetic()) {
            return false;
        }
        self.at += 1;
        let colon = start.find(':');
        if colon.is_none() && !is_text(value) {
            self.read.open = true;
            return true;
        }
        let name = &start[..colon.unwrap_or(start.len())];
        let attached = colon.map(|at| with_value(word, tail(value, at + 1)));
        let declared = self.find_folded(name);
        let off = |word: &Word| word.known().is_some_and(|text| text.trim_start_matches('$').eq_ignore_ascii_case("false"));
        if declared.is_some_and(|d| d.value == ValueKind::None) && attached.as_ref().is_some_and(off) {
            return true; // `-Recurse:$false`
        }
        self.valued(word, name, attached, declared);
        true
    }

    /// `/x`, `/x/y`, `/x:value`.
    fn slashed(&mut self, word: &'a Word, start: &str) -> bool {
        if start.len() < 2 || !start.starts_with('/') {
            return false;
        }
        // `//c`: what a shell on Windows makes `/c` of.
        let slashes = start.len() - start.trim_start_matches('/').len();
        let segments: Vec<&str> = start[slashes..].split('/').collect();
        let known = |segment: &str| {
            let name = &segment[..segment.find(':').unwrap_or(segment.len())];
            self.find_folded(&format!("/{name}")).is_some() || name.len() == 1
        };
        if !segments.iter().all(|segment| known(segment)) {
            return false;
        }
        self.at += 1;
        let mut offset = slashes;
        for (index, segment) in segments.iter().enumerate() {
            let name = &segment[..segment.find(':').unwrap_or(segment.len())];
            let attached = segment.find(':').map(|at| {
                let mut value = tail(&word.values[0], offset + at + 1);
                if let Some(Piece::Text { text, .. }) = value.pieces.first_mut() {
                    text.truncate(segment.len() - at - 1);
                }
                with_value(word, value)
            });
            let name = format!("/{name}");
            let declared = self.find_folded(&name);
            if index + 1 == segments.len() {
                self.valued(word, &name, attached, declared);
            } else {
                self.give(word, &name, attached, declared);
            }
            offset += segment.len() + 1;
        }
        true
    }

    /// `key=value`.
    fn keyed(&mut self, word: &'a Word, value: &'a Value, start: &str) -> bool {
        let Some(equals) = start.find('=') else { return false };
        let name = &start[..equals];
        if name.is_empty() || name.contains('/') {
            return false;
        }
        self.at += 1;
        let declared = self.find(name);
        self.give(word, name, Some(with_value(word, tail(value, equals + 1))), declared);
        true
    }

    /// `xzf archive` where `-xzf archive` is meant: the values follow in the order of the letters.
    pub(super) fn bundle(&mut self) {
        let Some(Argument::Word(word)) = self.arguments.first() else { return };
        let Some(text) = word.known() else { return };
        let declared: Option<Vec<(String, &'d OptionDeclaration)>> = text
            .chars()
            .map(|letter| {
                let name = format!("-{letter}");
                self.find(&name).map(|declared| (name, declared))
            })
            .collect();
        let Some(declared) = declared.filter(|all| !all.is_empty() && !text.starts_with('-')) else { return };
        self.at = 1;
        for (name, declared) in declared {
            let value = if declared.value == ValueKind::Required { self.next_value() } else { None };
            self.give(word, &name, value, Some(declared));
        }
    }

    /// Takes the value that the declaration asks for, and gives the option.
    fn valued(&mut self, word: &'a Word, name: &str, attached: Option<Word>, declared: Option<&'d OptionDeclaration>) {
        let kind = declared.map_or(ValueKind::None, |d| d.value);
        let mut words = if kind == ValueKind::None { self.until(declared).unwrap_or_default() } else { Vec::new() };
        let value = match (attached, kind) {
            (attached, ValueKind::Pair) => {
                let first = attached.or_else(|| self.next_value());
                words.extend(first.clone().map(Argument::Word));
                words.extend(self.next_value().map(Argument::Word));
                first
            }
            (attached, ValueKind::Rest) => {
                words.extend(attached.map(Argument::Word));
                words.extend_from_slice(self.arguments.get(self.at..).unwrap_or_default());
                self.at = self.arguments.len();
                (!words.is_empty()).then(|| words::join(&words, " "))
            }
            (Some(value), ValueKind::None | ValueKind::Required | ValueKind::Attached) => Some(value),
            (None, ValueKind::Required) => self.next_value(),
            (None, ValueKind::None | ValueKind::Attached) => None,
        };
        self.give(word, name, value, declared);
        if let Some(last) = self.read.used.last_mut() {
            last.words = words;
        }
    }

    /// The next argument as a value. A splice may give it; it stays where it is.
    fn next_value(&mut self) -> Option<Word> {
        let argument = self.arguments.get(self.at)?;
        if let Argument::Word(_) = argument {
            self.at += 1;
        }
        Some(as_word(argument).into_owned())
    }

    fn give(&mut self, word: &Word, name: &str, value: Option<Word>, declared: Option<&'d OptionDeclaration>) {
        let others = declared.map_or(&[][..], |d| d.spellings.as_slice());
        let mut spellings = Vec::with_capacity(others.len() + 1);
        spellings.push(name.to_string());
        spellings.extend(others.iter().filter(|s| *s != name).cloned());
        let span = match &value {
            Some(value) if value.span.source == word.span.source => word.span.to(value.span),
            _ => word.span,
        };
        // What stands behind a splice may be a value of what is in it, or an operand behind its `--`: it is given, as far as
        // anyone can see, but exempts nothing.
        let option = OptionUse { spellings, value, certain: true, computed: word.computed || self.spliced, span };
        self.read.used.push(Used {
            option,
            declared,
            words: Vec::new(),
            negated: self.negated,
            place: (self.began, self.at.max(self.began + 1)),
        });
    }

    /// The declaration with exactly this spelling: the innermost subcommand's first.
    fn find(&self, name: &str) -> Option<&'d OptionDeclaration> {
        self.read.chain.iter().rev().find_map(|command| {
            let command: &'d Command = command;
            command.options.iter().find(|option| option.spellings.iter().any(|spelling| spelling == name))
        })
    }

    /// The one long option that begins so.
    fn find_prefix(&self, name: &str) -> Option<&'d OptionDeclaration> {
        self.find_one(|spelling| spelling.starts_with(name) && name.len() > 2)
    }

    /// As [`Parser::find`], in any case, shortened where unambiguous.
    fn find_folded(&self, name: &str) -> Option<&'d OptionDeclaration> {
        let begins = |spelling: &str| spelling.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name));
        self.find_one(|spelling| spelling.eq_ignore_ascii_case(name)).or_else(|| self.find_one(begins))
    }

    fn find_one(&self, fits: impl Fn(&str) -> bool) -> Option<&'d OptionDeclaration> {
        for command in self.read.chain.iter().rev() {
            let command: &'d Command = command;
            let mut found = command.options.iter().filter(|option| option.spellings.iter().any(|spelling| fits(spelling)));
            match (found.next(), found.next()) {
                (Some(one), None) => return Some(one),
                (Some(_), Some(_)) => return None,
                _ => {}
            }
        }
        None
    }
}
