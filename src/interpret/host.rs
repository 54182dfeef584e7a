//! What a call is gathered in while its scripts are walked, and the budgets that bound the walk.
//!
//! [`Interpreter`] is the [`Host`] of every script of the call: the shells hand it each program that they run and each effect
//! of their own. It owns the steps, the levels and the files that a call may cost; a budget that is spent is a [`Limit`],
//! reported once, never a silent end.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::{changes, words};
use crate::model::declaration::{Command, Declarations, Language};
use crate::model::effect::{Object, Place, Verb};
use crate::model::invocation::LinkKind;
use crate::model::{Argument, Call, Effect, Flow, Invocation, Limit, Link, Note, SourceId, Span, Taint, Text, Word, World};
use crate::shell::{Dialect, Host, Outcome, State};

/// Steps that a call may cost, whatever its size: some twenty thousand programs, or twenty megabytes of text that flows.
const STEPS: u64 = 1_000_000;
/// What a program costs, one of its arguments, a variable of its environment.
const PROGRAM: usize = 48;
const ARGUMENT: usize = 4;
const VARIABLE: usize = 8;
/// Bytes of text that a step carries.
const CARRIED: usize = 16;
/// Programs and scripts within one another.
const LEVELS: usize = 10;
/// Files that a call may read, and their bytes together.
const OPENS: u64 = 64;
const BYTES: u64 = 1 << 20;
/// Texts that spans may point into.
const TEXTS: usize = 1_024;

/// Another name of a file or a directory, made by the script.
pub struct OtherName {
    /// The other name, absolute.
    pub name: String,
    /// What it names, absolute.
    pub target: String,
    /// Whether it is certain that the link was made.
    pub certain: bool,
}

/// Links that are followed in a call.
const LINKS: usize = 64;

/// The call in the making.
pub struct Interpreter<'a> {
    /// What the layers declare.
    pub declarations: &'a dyn Declarations,
    /// The facts.
    pub facts: &'a dyn World,
    /// What is known so far.
    pub call: Call,
    /// Above zero while what is walked may not happen at all: its readings and effects are not certain.
    pub doubt: u32,
    /// The programs whose code is being walked, outermost first.
    pub runners: Vec<super::code::Runner>,
    /// The links that the call has made so far.
    pub links: Vec<OtherName>,
    steps_left: u64,
    opens: u64,
    bytes: u64,
    files: BTreeMap<String, Option<SourceId>>,
    /// Declarations of languages that were asked for: each costs the reading of its record.
    languages: RefCell<BTreeMap<String, Vec<Arc<Language>>>>,
}

impl<'a> Interpreter<'a> {
    /// For a call whose texts are set.
    pub fn new(call: Call, declarations: &'a dyn Declarations, facts: &'a dyn World) -> Interpreter<'a> {
        Interpreter {
            declarations,
            facts,
            call,
            doubt: 0,
            runners: Vec::new(),
            links: Vec::new(),
            steps_left: STEPS,
            opens: 0,
            bytes: 0,
            files: BTreeMap::new(),
            languages: RefCell::default(),
        }
    }

    /// The declarations of a program by the name that was written, as the shell of that dialect finds them.
    pub fn declared(&self, name: &str, folded: bool, dialect: Dialect) -> Vec<Arc<Command>> {
        let mut all = self.declarations.commands(name);
        if all.is_empty() && (folded || dialect != Dialect::Posix) {
            all = self.declarations.commands(&name.to_lowercase());
        }
        all.retain(|command| match command.shell.as_deref() {
            None => true,
            Some("powershell") => dialect == Dialect::PowerShell,
            Some("cmd") => dialect == Dialect::Cmd,
            Some(_) => dialect == Dialect::Posix,
        });
        all
    }

    /// The declarations of a language.
    pub fn language(&self, name: &str) -> Vec<Arc<Language>> {
        if let Some(known) = self.languages.borrow().get(name) {
            return known.clone();
        }
        let all = self.declarations.languages(name);
        self.languages.borrow_mut().insert(name.to_string(), all.clone());
        all
    }

    /// Whether one more program or script may run below the chain; reports the limit where not.
    pub fn deeper(&mut self, chain: &[Link], span: Span) -> bool {
        let levels = chain.iter().filter(|link| link.kind != LinkKind::Function).count();
        // What may not happen at all is not worth a refusal: a list of programs' names is no chain of them.
        if levels > LEVELS && self.doubt == 0 {
            self.limit(Limit { name: "levels", size: LEVELS as u64, span });
        }
        levels <= LEVELS
    }

    /// Takes an effect; nothing is certain while in doubt. Data of files that is sent is those files sent.
    pub fn happens(&mut self, mut effect: Effect) {
        if self.doubt > 0 {
            effect.certain = false;
        }
        changes::by(&mut self.call, &effect);
        let sent = match (&effect.verb, &effect.object) {
            (Verb::Sends, _) => effect.from.clone(),
            (Verb::Fetches, Object::Address(address)) => address.taint(),
            _ => Taint::none(),
        };
        for file in sent.files.iter() {
            let object = Object::Path(file.clone());
            if effect.object != object {
                self.take(Effect { verb: Verb::Sends, object, ..effect.clone() });
            }
        }
        // Several declarations, and several clauses of one, may say the same of one run.
        let told = self.call.effects.iter().rev().take(8).any(|known| *known == effect);
        if !told {
            self.take(effect);
        }
    }

    /// Keeps an effect, and the same one on what its path names through links of this call.
    fn take(&mut self, effect: Effect) {
        if !self.links.is_empty() && effect.place == Place::Here {
            let mut round = vec![effect.clone()];
            for _ in 0..4 {
                round = round.iter().flat_map(|one| self.linked(one)).filter(|one| !self.call.effects.contains(one)).collect();
                self.call.effects.extend(round.iter().cloned());
            }
        }
        self.call.effects.push(effect);
    }

    /// The effect on what is meant by a path that leads through a link. Deleting a link leaves what it names.
    fn linked(&self, effect: &Effect) -> Vec<Effect> {
        let Object::Path(word) = &effect.object else { return Vec::new() };
        let enters = word.values.iter().all(|value| words::lead(value).ends_with('/'));
        let word = words::located(word, &effect.directory);
        let mut all = Vec::new();
        for link in self.links.iter().rev().take(LINKS) {
            let through = |value: &crate::model::Value| {
                let start = words::lead(value);
                let rest = start.strip_prefix(link.name.as_str())?;
                let own = rest.is_empty() && words::is_text(value) && !enters;
                if (own && matches!(effect.verb, Verb::Deletes | Verb::Moves)) || !(rest.is_empty() || rest.starts_with('/')) {
                    return None;
                }
                let mut pieces = vec![words::inserted(link.target.clone(), word.span)];
                pieces.extend(words::tail(value, link.name.len()).pieces);
                Some(crate::model::Value { pieces })
            };
            let values: Vec<_> = word.values.iter().filter_map(through).collect();
            if !values.is_empty() {
                let certain = effect.certain && link.certain && values.len() == word.values.len();
                let object = Object::Path(crate::model::Word { values, ..word.clone() });
                all.push(Effect { object, certain, ..effect.clone() });
            }
        }
        all
    }

    /// A file's text, registered so that spans can point into it; none where it cannot be read or a budget is spent.
    pub fn open(&mut self, path: &str, span: Span) -> Option<SourceId> {
        if let Some(known) = self.files.get(path) {
            return *known;
        }
        if self.opens >= OPENS || self.bytes >= BYTES {
            let (name, size) = if self.opens >= OPENS { ("files", OPENS) } else { ("bytes", BYTES) };
            self.limit(Limit { name, size, span });
            return None;
        }
        self.opens += 1;
        let text = self.facts.read(path);
        let id = text.map(|text| {
            self.bytes += text.len() as u64;
            self.note(Note { text: format!("{path} read, {} bytes", text.len()), span });
            self.text(path, &text)
        });
        self.files.insert(path.to_string(), id);
        id
    }

    /// The text of a source.
    pub fn source(&self, id: SourceId) -> &str {
        self.call.texts.get(id.0 as usize).map_or("", |text| &text.text)
    }
}

impl Host for Interpreter<'_> {
    fn run(&mut self, invocation: Invocation, state: &mut State) -> Outcome {
        // INVARIANT (bounded memory): what is kept of a run is paid for by its size.
        let words = invocation.arguments.iter().filter_map(Argument::word).chain(match &invocation.stdin {
            Flow::Text(text) => Some(text),
            Flow::Empty | Flow::Unknown(_) => None,
        });
        let text: usize = words.map(Word::size).sum();
        let cost = PROGRAM + ARGUMENT * invocation.arguments.len() + VARIABLE * invocation.environment.len() + text / CARRIED;
        if !self.step(cost as u64) || !self.deeper(&invocation.chain, invocation.span) {
            return Outcome { output: Flow::Unknown(Taint { unknown: true, ..Taint::none() }), success: None };
        }
        super::program::run(self, invocation, state)
    }

    fn call(&mut self, call: crate::shell::LibraryCall, state: &mut State) -> Option<crate::model::Word> {
        super::code::call(self, &call, state)
    }

    fn declares(&self, language: &str, name: &str) -> bool {
        let languages = self.language(language);
        languages.iter().any(|one| one.calls.iter().any(|call| call.names.iter().any(|known| known == name)))
    }

    fn effect(&mut self, effect: Effect) {
        self.happens(effect);
    }

    fn note(&mut self, note: Note) {
        self.call.notes.push(note);
    }

    fn limit(&mut self, limit: Limit) {
        if !self.call.limits.iter().any(|known| known.name == limit.name) {
            self.call.limits.push(limit);
        }
    }

    fn unparsed(&mut self, span: Span) {
        self.call.unparsed.push(span);
    }

    fn text(&mut self, name: &str, text: &str) -> SourceId {
        if self.call.texts.len() >= TEXTS {
            self.limit(Limit { name: "texts", size: TEXTS as u64, span: Span::default() });
            return SourceId(0);
        }
        self.call.texts.push(Text { name: name.to_string(), text: text.to_string() });
        SourceId((self.call.texts.len() - 1) as u16)
    }

    fn step(&mut self, steps: u64) -> bool {
        if self.steps_left < steps {
            self.steps_left = 0;
            self.limit(Limit { name: "steps", size: STEPS, span: Span::default() });
            return false;
        }
        self.steps_left -= steps;
        true
    }

    fn world(&self) -> &dyn World {
        self.facts
    }
}
