//! A word of the tree → fragments → arguments, or one value.

use super::super::source::{Range, Source};
use super::super::tree::{self, Part};
use super::super::{CARRIED, LONGEST, Walk};
use super::braces::{self, Atom};
use super::fields::{self, Rules};
use super::patterns::Pattern;
use super::{Expansion, Fragment, Mode, fragments_of, unknown};
use crate::model::{Argument, Flow, Hole, Origin, Piece, Shape, Span, Taint, Value, Word};
use crate::shell::posix::syntax::WORDS;
use crate::shell::posix::words::escapes;
use crate::shell::state::{MOST_VALUES, State};

/// Where a tilde is special.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Tilde {
    /// Nowhere.
    No,
    /// At the beginning of the word, and after the `=` of a word that looks like an assignment.
    Argument,
    /// At the beginning and after each colon.
    Assignment,
}

impl Walk<'_> {
    /// The arguments that a word may become.
    pub(in super::super) fn arguments(&mut self, word: &tree::Word, state: &mut State) -> Vec<Vec<Argument>> {
        let span = self.span(word.at);
        if let [Part::Literal(range)] = word.parts.as_slice() {
            let text = self.slice(*range);
            let plain = |byte: u8| !matches!(byte, b'~' | b'*' | b'?' | b'[' | b'{');
            if text.bytes().all(plain) && self.script.source.hole_in(*range).is_none() {
                return vec![vec![Argument::Word(Word { values: vec![Value::text(text, span)], span, computed: false })]];
            }
        }
        let rules = self.rules(state);
        if !word.braces {
            let expansion = self.expand(word, Tilde::Argument, state);
            return fields::arguments(expansion, span, &rules);
        }
        let script = self.script.clone();
        let Some(words) = braces::expand(&word.parts, &script.source, WORDS as usize) else {
            self.limit("words", u64::from(WORDS), span);
            return vec![Vec::new()];
        };
        let mut all = vec![Vec::new()];
        for atoms in words {
            if !self.steps(1 + atoms.len() as u64 / 8) {
                break;
            }
            let mut expansion = Expansion::empty();
            self.atoms(&atoms, state, &mut expansion);
            let lists = fields::arguments(expansion, span, &rules);
            combine(&mut all, lists, span);
        }
        all
    }

    /// One value where the shell does not split.
    pub(in super::super) fn single(&mut self, word: &tree::Word, tilde: Tilde, state: &mut State) -> Word {
        let span = self.span(word.at);
        let separator = self.separator(state);
        let expansion = self.expand(word, tilde, state);
        fields::single(expansion, span, false, &separator)
    }

    /// What splitting depends on.
    pub(in super::super) fn rules(&mut self, state: &State) -> Rules {
        let ifs = match state.variables.get("IFS") {
            Some(variable) => match variable.value.as_slice() {
                [Argument::Word(word)] => word.known().map_or_else(|| " \t\n".to_string(), |text| text.into_owned()),
                _ => " \t\n".to_string(),
            },
            None => " \t\n".to_string(),
        };
        Rules { ifs, glob: !state.option("noglob") }
    }

    /// What joins the elements of `"$*"`.
    pub(in super::super) fn separator(&mut self, state: &State) -> String {
        self.rules(state).ifs.chars().next().map(String::from).unwrap_or_default()
    }

    /// The fragments of a word.
    pub(in super::super) fn expand(&mut self, word: &tree::Word, tilde: Tilde, state: &mut State) -> Expansion {
        let mut expansion = Expansion::empty();
        self.parts(&word.parts, Mode::Literal, tilde, state, &mut expansion);
        if expansion.size >= 4 * CARRIED {
            self.steps((expansion.size / (4 * CARRIED)) as u64);
        }
        expansion
    }

    fn atoms(&mut self, atoms: &[Atom<'_>], state: &mut State, out: &mut Expansion) {
        let taken = self.braced_tilde(atoms, state, out);
        for (index, atom) in atoms.iter().enumerate().skip(taken) {
            match atom {
                Atom::Text(range) if taken > 0 && index == taken => {
                    // What the name does not reach.
                    let at = self.slice(*range).find('/').unwrap_or(0) as u32;
                    self.text(Range { start: range.start + at, ..*range }, Mode::Literal, out);
                }
                Atom::Text(range) => {
                    let whole = atoms.get(index + 1).is_none();
                    let tilde = if index == 0 { Tilde::Argument } else { Tilde::No };
                    self.literal(*range, Mode::Literal, tilde, whole, state, out);
                }
                Atom::Made(text, at) => out.push_text(text, self.span(*at), Mode::Literal),
                Atom::Part(part) => self.part(part, Mode::Literal, state, out),
            }
        }
    }

    /// A tilde whose name the braces have given (`~{root,}/x`): how many atoms it takes.
    fn braced_tilde(&mut self, atoms: &[Atom<'_>], state: &State, out: &mut Expansion) -> usize {
        let Some(Atom::Text(first)) = atoms.first() else { return 0 };
        let start = self.slice(*first);
        if !start.starts_with('~') || start.contains('/') {
            return 0;
        }
        let mut name = start.to_string();
        let mut taken = 1;
        for atom in &atoms[1..] {
            match atom {
                Atom::Text(range) => match self.slice(*range).split_once('/') {
                    Some((before, _)) => {
                        name.push_str(before);
                        break;
                    }
                    None => name.push_str(self.slice(*range)),
                },
                Atom::Made(text, _) => name.push_str(text),
                Atom::Part(_) => return 0,
            }
            taken += 1;
        }
        let span = self.span(*first);
        let Some(values) = self.tilde(&name, *first, state).filter(|_| atoms.len() > 1) else { return 0 };
        let alternatives = values.iter().map(|value| fragments_of(value, Mode::Quoted)).collect();
        out.append(Expansion::of(alternatives, false), span);
        taken
    }

    /// The parts of a word; literal ones in `mode`.
    pub(in super::super) fn parts(&mut self, parts: &[Part], mode: Mode, tilde: Tilde, state: &mut State, out: &mut Expansion) {
        for (index, part) in parts.iter().enumerate() {
            if out.size > LONGEST {
                return self.limit("text", LONGEST as u64, self.script.source.span(Range::default()));
            }
            match part {
                Part::Literal(range) => {
                    let special = match tilde {
                        Tilde::Assignment => index == 0 || matches!(parts[index - 1], Part::Literal(_)),
                        Tilde::Argument => index == 0,
                        Tilde::No => false,
                    };
                    let tilde = if special { tilde } else { Tilde::No };
                    self.literal(*range, mode, tilde, index + 1 == parts.len(), state, out);
                }
                part => self.part(part, mode, state, out),
            }
        }
    }

    fn part(&mut self, part: &Part, mode: Mode, state: &mut State, out: &mut Expansion) {
        let quoted = mode == Mode::Quoted;
        let inner = if quoted { Mode::Quoted } else { Mode::Expanded };
        match part {
            Part::Literal(range) => self.literal(*range, mode, Tilde::No, false, state, out),
            Part::Quoted(range) => self.text(*range, Mode::Quoted, out),
            Part::Ansi(range) => {
                let (text, _) = escapes::decode(self.slice(*range), escapes::Kind::Dollar);
                let span = self.span(*range);
                out.push_text(&text, span, Mode::Quoted);
            }
            Part::Double(parts, at) => {
                if parts.is_empty() {
                    out.push_text("", self.span(*at), Mode::Quoted);
                } else {
                    self.parts(parts, Mode::Quoted, Tilde::No, state, out);
                }
            }
            Part::Parameter(parameter) => {
                let expansion = self.parameter(parameter, quoted, state);
                out.append(expansion, self.span(parameter.at));
            }
            Part::Command(list, at) => {
                let flow = self.substitution(list, state);
                self.append_output(flow, *at, inner, out);
            }
            Part::Backquoted { inner: range, quoted: double, at } => {
                let source = self.unescaped(*range, *double);
                let flow = self.substitution_of(source, state);
                self.append_output(flow, *at, inner, out);
            }
            Part::Arithmetic(word, at) => {
                let span = self.span(*at);
                let value = match self.arithmetic(word, state) {
                    Some(number) => Value::text(number.to_string(), span),
                    None => Value::hole(unknown(Shape::Number, Taint::none(), span)),
                };
                out.append(Expansion::of(vec![fragments_of(&value, inner)], false), span);
            }
            Part::Process { write, list, at } => {
                let path = self.process(*write, list, state);
                out.push_text(&path, self.span(*at), Mode::Quoted);
                out.computed = true;
            }
            Part::Extended(operator, alternatives, at) => self.extended(*operator, alternatives, *at, mode, state, out),
        }
    }

    /// Text as written, its holes taken out.
    fn text(&mut self, range: Range, mode: Mode, out: &mut Expansion) {
        let script = self.script.clone();
        let source = &script.source;
        let mut rest = range;
        while let Some((at, hole, after)) = source.hole_in(rest) {
            let before = Range { end: at as u32, ..rest };
            if !before.is_empty() {
                out.push_text(source.slice(before), source.span(before), mode);
            }
            // Text that was put into a script unquoted may be anything there: split, too.
            let mode = if mode == Mode::Quoted { Mode::Quoted } else { Mode::Expanded };
            out.push(Fragment::Hole { hole: hole.clone(), mode });
            rest.start = after as u32;
        }
        if !rest.is_empty() || rest == range {
            out.push_text(source.slice(rest), source.span(rest), mode);
        }
    }

    fn literal(&mut self, range: Range, mode: Mode, tilde: Tilde, last: bool, state: &State, out: &mut Expansion) {
        if tilde == Tilde::No || mode != Mode::Literal || !self.slice(range).contains('~') {
            return self.text(range, mode, out);
        }
        let script = self.script.clone();
        let text = script.source.slice(range);
        let mut from = 0;
        loop {
            let at = match (tilde, from) {
                (_, 0) if text.starts_with('~') => Some(0),
                (Tilde::Argument, 0) => after_equals(text),
                (Tilde::Assignment, _) => text[from..].find(":~").map(|at| from + at + 1),
                _ => None,
            };
            let Some(at) = at else { break };
            let end_of = |c: char| c == '/' || (c == ':' && tilde == Tilde::Assignment);
            let length = text[at..].find(end_of).unwrap_or(text.len() - at);
            if at > from {
                self.text(Range { start: range.start + from as u32, end: range.start + at as u32 }, mode, out);
            }
            let prefix = Range { start: range.start + at as u32, end: range.start + (at + length) as u32 };
            let complete = at + length < text.len() || last;
            match if complete { self.tilde(&text[at..at + length], prefix, state) } else { None } {
                Some(values) => {
                    let span = self.span(prefix);
                    let alternatives = values.iter().map(|value| fragments_of(value, Mode::Quoted)).collect();
                    out.append(Expansion::of(alternatives, false), span);
                }
                None => self.text(prefix, mode, out),
            }
            from = at + length;
            if tilde == Tilde::Argument {
                break;
            }
        }
        let rest = Range { start: range.start + from as u32, ..range };
        if !rest.is_empty() {
            self.text(rest, mode, out);
        }
    }

    fn tilde(&mut self, prefix: &str, at: Range, state: &State) -> Option<Vec<Value>> {
        let span = self.span(at);
        let name = match prefix {
            "~" => "HOME",
            "~+" | "~0" | "~+0" => "PWD",
            "~-" => "OLDPWD",
            _ => {
                let home = self.host.world().home_of(&prefix[1..])?;
                return Some(vec![Value::text(home, span)]);
            }
        };
        let looked = self.look_up(name, span, state);
        // Without a directory to go back to, `~-` stays as it is.
        let unset = looked.values.iter().flat_map(Value::holes).any(|hole| matches!(hole.origin, Origin::Unset { .. }));
        if unset && name == "OLDPWD" { None } else { Some(looked.values) }
    }

    /// What a substitution printed, its trailing newlines cut.
    fn append_output(&mut self, flow: Flow, at: Range, mode: Mode, out: &mut Expansion) {
        let span = self.span(at);
        // A fresh name (`mktemp`) is nobody's choice: it has no dash, no slash and no dots to exempt with.
        let named = |hole: &Hole| hole.shape != Shape::Any;
        let fresh = match &flow {
            Flow::Text(word) => word.values.iter().all(|value| value.has_hole() && value.holes().all(named)),
            _ => false,
        };
        let alternatives = match flow {
            Flow::Empty => vec![vec![Fragment::Text { text: String::new(), span, mode }]],
            Flow::Text(mut word) => {
                word.values.iter_mut().for_each(cut_newlines);
                word.values.iter().map(|value| fragments_of(value, mode)).collect()
            }
            Flow::Unknown(taint) => {
                let hole = Hole { shape: Shape::Any, origin: Origin::Output, taint, span };
                vec![vec![Fragment::Hole { hole, mode }]]
            }
        };
        out.append(Expansion::of(alternatives, !fresh), span);
    }

    /// The text between backquotes, one level of backslashes taken off.
    fn unescaped(&mut self, range: Range, double: bool) -> Source {
        let script = self.script.clone();
        let text = script.source.slice(range);
        let mut out = Source::default();
        let mut start = 0;
        let bytes = text.as_bytes();
        let mut at = 0;
        while at + 1 < bytes.len() {
            let escaped =
                bytes[at] == b'\\' && (matches!(bytes[at + 1], b'$' | b'`' | b'\\') || (double && bytes[at + 1] == b'"'));
            if escaped {
                out.push_range(&script.source, Range { start: range.start + start as u32, end: range.start + at as u32 });
                start = at + 1;
                at += 1;
            }
            at += 1;
        }
        out.push_range(&script.source, Range { start: range.start + start as u32, ..range });
        out
    }

    /// The value of an arithmetic word.
    pub(in super::super) fn arithmetic(&mut self, word: &tree::Word, state: &mut State) -> Option<i64> {
        let span = self.span(word.at);
        let mut expansion = Expansion::empty();
        self.parts(&word.parts, Mode::Quoted, Tilde::No, state, &mut expansion);
        let value = fields::single(expansion, span, false, " ");
        match value.values.as_slice() {
            [one] => {
                let text = Walk::expression(one);
                self.calculate(&text, span, state, 0)
            }
            _ => None,
        }
    }

    /// An extended pattern among arguments: alternatives where they say which names, else any name.
    fn extended(
        &mut self,
        operator: u8,
        alternatives: &[tree::Word],
        at: Range,
        mode: Mode,
        state: &mut State,
        out: &mut Expansion,
    ) {
        let span = self.span(at);
        if mode == Mode::Quoted || !matches!(operator, b'@' | b'?') {
            return out.push(Fragment::Glob(crate::model::Glob::Star));
        }
        let mut all = Expansion::of(Vec::new(), false);
        if operator == b'?' {
            all.alternatives.push(Vec::new());
        }
        for word in alternatives {
            let expansion = self.expand(word, Tilde::No, state);
            all.computed |= expansion.computed;
            all.alternatives.extend(expansion.alternatives);
        }
        if all.alternatives.is_empty() || all.alternatives.len() > MOST_VALUES {
            return out.push(Fragment::Glob(crate::model::Glob::Star));
        }
        out.append(all, span);
    }

    /// A word as a pattern; none where not all of it is known.
    pub(in super::super) fn pattern(&mut self, word: &tree::Word, state: &mut State) -> Option<Pattern> {
        let mut pattern = self.open_pattern(word, state)?;
        pattern.finish();
        Some(pattern)
    }

    fn open_pattern(&mut self, word: &tree::Word, state: &mut State) -> Option<Pattern> {
        let mut pattern = Pattern::begin();
        let mut known = true;
        for (index, part) in word.parts.iter().enumerate() {
            if let Part::Extended(operator, alternatives, _) = part {
                let mut inner = Vec::new();
                for alternative in alternatives {
                    match self.pattern(alternative, state) {
                        Some(one) => inner.push(one),
                        None => known = false,
                    }
                }
                known &= known && pattern.push_group(*operator, inner).is_some();
                continue;
            }
            let mut expansion = Expansion::empty();
            let tilde = if index == 0 { Tilde::Argument } else { Tilde::No };
            self.parts(std::slice::from_ref(part), Mode::Literal, tilde, state, &mut expansion);
            known &= match expansion.alternatives.as_slice() {
                [fragments] => pattern.push_fragments(fragments).is_some(),
                _ => false,
            };
        }
        known.then_some(pattern)
    }
}

/// `name=~…`: where the tilde stands.
fn after_equals(text: &str) -> Option<usize> {
    let equals = text.find('=')?;
    let name = &text.as_bytes()[..equals];
    let valid = name.first().is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_')
        && name.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    (valid && text[equals + 1..].starts_with('~')).then_some(equals + 1)
}

/// Each list so far followed by each of the new ones; a splice where they would be too many.
pub(in super::super) fn combine(all: &mut Vec<Vec<Argument>>, mut more: Vec<Vec<Argument>>, span: Span) {
    if more.len() == 1 {
        let last = more.pop().unwrap_or_default();
        match all.as_mut_slice() {
            [one] => one.extend(last),
            lists => lists.iter_mut().for_each(|list| list.extend(last.iter().cloned())),
        }
        return;
    }
    if all.len() * more.len() > MOST_VALUES {
        let mut taint = Taint::none();
        for argument in more.iter().flatten() {
            taint = taint.join(&match argument {
                Argument::Word(word) => word.taint(),
                Argument::Splice(hole) => hole.taint.clone(),
            });
        }
        all.iter_mut().for_each(|list| list.push(Argument::Splice(unknown(Shape::Any, taint.clone(), span))));
        return;
    }
    *all = all.iter().flat_map(|list| more.iter().map(|next| list.iter().chain(next).cloned().collect())).collect();
}

/// Cuts the newlines at the end of a known ending.
pub(in super::super) fn cut_newlines(value: &mut Value) {
    while let Some(Piece::Text { text, span }) = value.pieces.last_mut() {
        let kept = text.trim_end_matches('\n').len();
        if kept == text.len() {
            return;
        }
        if span.len() == text.len() {
            span.end = span.start + kept as u32;
        }
        text.truncate(kept);
        if kept > 0 {
            return;
        }
        value.pieces.pop();
    }
}
