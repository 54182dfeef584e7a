//! Code of embedded languages: its calls are read with the `language` declarations, by the same road as a program's arguments.

use std::sync::Arc;

use super::bindings::Bindings;
use super::effects::{self, Scene};
use super::host::Interpreter;
use super::program::Step;
use super::scripts;
use super::words::Truth;
use crate::model::declaration::{Language, LibraryCall};
use crate::model::effect::Verb;
use crate::model::invocation::LinkKind;
use crate::model::{Effect, Flow, Link, Object, Taint, Word};
use crate::shell::code::{self, Call, Library};
use crate::shell::{Host, Outcome, State};

/// Whether code of the language is walked, or matched by its tokens alone.
pub fn reads(language: &str) -> bool {
    language == "sql" || code::lexis::of(language).is_some()
}

/// Walks the code.
pub fn walk(host: &mut Interpreter<'_>, scene: &Scene<'_>, language: &str, text: &Word, state: &mut State) -> Outcome {
    let languages = host.declarations.languages(language);
    let mut chain = state.chain.clone();
    chain.push(Link { name: language.to_string(), kind: LinkKind::Language, span: text.span });
    let positional = state.positional.clone();
    let mut calls = Calls { host, scene, languages, state, chain, printed: Taint::none() };
    code::walk(text, language, &positional, &mut calls);
    let printed = calls.printed;
    Outcome { output: Flow::Unknown(printed), success: None }
}

/// What the calls of one text do.
struct Calls<'c, 'h, 's> {
    host: &'c mut Interpreter<'h>,
    scene: &'c Scene<'s>,
    languages: Vec<Arc<Language>>,
    state: &'c mut State,
    /// With the language's own link.
    chain: Vec<Link>,
    printed: Taint,
}

impl Calls<'_, '_, '_> {
    /// The scene within the code.
    fn invocation(&self) -> crate::model::Invocation {
        let mut invocation = self.scene.invocation.clone();
        invocation.chain = self.chain.clone();
        invocation.directory = self.state.directory.clone();
        invocation.stdin = Flow::Unknown(Taint::none());
        invocation
    }

    fn perform(&mut self, declared: &LibraryCall, call: &Call) -> Taint {
        let bindings = Bindings::of_call(&declared.parameters, call);
        let invocation = self.invocation();
        let mut scene = Scene {
            invocation: &invocation,
            run: self.scene.run,
            bindings: &bindings,
            directory: self.state.directory.clone(),
            place: self.scene.place,
            environment: None,
            carried: Taint::none(),
            fetched: false,
            filters: Vec::new(),
            certain: true,
        };
        let mut answer = Taint::none();
        for does in &declared.does {
            let truth = effects::happens(&bindings, does);
            if truth == Truth::No {
                continue;
            }
            let step = Step { does, own: None, words: &[], placeholder: "", span: call.span, stdin: false };
            let doubt = u32::from(truth == Truth::Perhaps);
            self.host.doubt += doubt;
            let before = self.host.call.effects.len();
            let outcome = effects::perform(self.host, &scene, &step, self.state);
            self.host.doubt -= doubt;
            for effect in &self.host.call.effects[before..] {
                match (&effect.verb, &effect.object) {
                    (Verb::Reads, Object::Path(path)) => {
                        answer = answer.join(&super::words::file_taint(path, &effect.directory))
                    }
                    (Verb::Fetches, _) => answer.network = true,
                    (Verb::ChangesDirectory, Object::Path(path)) if effect.certain => {
                        self.state.directory = super::words::moved(&self.state.directory, path);
                        scene.directory = self.state.directory.clone();
                    }
                    (Verb::ChangesDirectory, _) => self.state.directory = crate::model::Directory::Unknown,
                    _ => {}
                }
            }
            if let Some(outcome) = outcome {
                answer = answer.join(&outcome.output.taint());
            }
        }
        self.printed = self.printed.join(&answer);
        answer
    }

    /// A scene without declarations, for what the language itself does.
    fn plain<T>(&mut self, act: impl FnOnce(&mut Interpreter<'_>, &Scene<'_>, &mut State) -> T) -> T {
        let bindings = Bindings::default();
        let invocation = self.invocation();
        let scene = Scene {
            invocation: &invocation,
            run: self.scene.run,
            bindings: &bindings,
            directory: self.state.directory.clone(),
            place: self.scene.place,
            environment: None,
            carried: Taint::none(),
            fetched: false,
            filters: Vec::new(),
            certain: true,
        };
        act(self.host, &scene, self.state)
    }
}

impl Library for Calls<'_, '_, '_> {
    fn declares(&self, name: &str) -> bool {
        self.languages.iter().any(|language| language.calls.iter().any(|call| call.names.iter().any(|n| n == name)))
    }

    fn call(&mut self, call: &Call) -> Taint {
        let mut answer = Taint::none();
        for language in self.languages.clone() {
            for declared in language.calls.iter().filter(|declared| declared.names.contains(&call.name)) {
                answer = answer.join(&self.perform(declared, call));
            }
        }
        answer
    }

    fn command(&mut self, text: &Word) -> Taint {
        let taint = text.taint();
        let outcome = self.plain(|host, scene, state| scripts::execute(host, scene, "shell", text, &taint, Vec::new(), state));
        let answer = outcome.output.taint();
        self.printed = self.printed.join(&answer);
        answer
    }

    fn writes(&mut self, path: &Word) {
        self.plain(|host, scene, _| {
            host.happens(Effect {
                verb: Verb::Writes,
                recursively: false,
                forcibly: false,
                object: Object::Path(path.clone()),
                filters: Vec::new(),
                from: Taint::none(),
                directory: scene.directory.clone(),
                place: scene.place,
                certain: scene.certain,
                invocation: scene.run,
                span: path.span,
            });
        });
    }

    fn home(&self) -> Option<String> {
        self.host.facts.homes().into_iter().next()
    }

    fn step(&mut self, steps: u64) -> bool {
        self.host.step(steps)
    }
}
