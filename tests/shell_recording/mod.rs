//! A host that records what a script runs and does, over a machine that is all in memory, and writes it down as text.

#![allow(dead_code)]

#[path = "../support/machine.rs"]
mod machine;

use std::fmt::Write;

use cc_safety_net::model::{
    Argument, Directory, Effect, Flow, Glob, Hole, Invocation, Limit, Note, Object, Origin, Piece, SourceId, Span, Taint,
    Value, Word, World,
};
use cc_safety_net::shell::{self, Dialect, Host, Outcome, State};
use machine::Machine;

/// Records; knows some programs: `record` prints nothing and succeeds, `fetch` prints what the network says, `shell` runs its
/// first argument or its input as a script, `lines` prints its arguments; `sh` and `bash` take `-c`, `-s`, a file or their
/// input, `env` runs a program.
pub struct Recorder {
    pub machine: Machine,
    pub texts: Vec<String>,
    pub runs: Vec<Invocation>,
    pub effects: Vec<Effect>,
    pub unparsed: Vec<Span>,
    pub limits: Vec<Limit>,
    pub notes: Vec<Note>,
    pub log: String,
    pub fuel: u64,
    pub spent: u64,
}

impl Recorder {
    pub fn new() -> Recorder {
        let mut machine = Machine { home: "/home/u".into(), ..Machine::default() };
        machine.variables.insert("EDITOR".into(), "vim".into());
        machine.variables.insert("USER".into(), "u".into());
        machine.variables.insert("PATH".into(), "/bin:/usr/bin".into());
        Recorder {
            machine,
            texts: Vec::new(),
            runs: Vec::new(),
            effects: Vec::new(),
            unparsed: Vec::new(),
            limits: Vec::new(),
            notes: Vec::new(),
            log: String::new(),
            fuel: 5_000_000,
            spent: 0,
        }
    }

    /// Evaluates a script in `/w`.
    pub fn evaluate(&mut self, script: &str) -> Outcome {
        let mut state = State::new("/w");
        self.evaluate_in(script, &mut state)
    }

    pub fn evaluate_in(&mut self, script: &str, state: &mut State) -> Outcome {
        self.texts.push(script.to_string());
        let word = Word::known_text(script, Span::new(0, script.len()));
        shell::evaluate(&word, Dialect::Posix, state, self)
    }

    pub fn text_at(&self, span: Span) -> &str {
        let text = self.texts.get(span.source.0 as usize).unwrap_or_else(|| panic!("no text for {span:?}"));
        assert!(span.start <= span.end, "{span:?}");
        text.get(span.start as usize..span.end as usize).unwrap_or_else(|| panic!("{span:?} is out of bounds in {text:?}"))
    }
}

impl Recorder {
    /// `sh`, `bash` and `env`, as far as harmless scripts use them.
    fn known(&mut self, name: &str, invocation: &Invocation, state: &mut State) -> Outcome {
        let unknown = Outcome { output: Flow::Unknown(Taint { unknown: true, ..Taint::none() }), success: None };
        let mut arguments = invocation.arguments.clone();
        let known = |argument: &Argument| argument.word().and_then(Word::known).map(|text| text.into_owned());
        let mut child = state.child();
        child.variables.retain(|_, variable| variable.exported);
        for (name, value) in &invocation.environment {
            child.assign(name, value.clone(), true);
        }
        if name == "env" {
            while let Some((name, value)) = arguments
                .first()
                .and_then(known)
                .and_then(|text| text.split_once('=').map(|(a, b)| (a.to_string(), b.to_string())))
            {
                child.assign(&name, Word::known_text(value, invocation.span), true);
                arguments.remove(0);
            }
            let Some(Argument::Word(program)) = arguments.first().cloned() else { return unknown };
            arguments.remove(0);
            let environment = child
                .variables
                .iter()
                .filter_map(|(name, variable)| Some((name.clone(), variable.value.first()?.word()?.clone())))
                .collect();
            let inner = Invocation { program, arguments, environment, ..invocation.clone() };
            return self.run(inner, &mut child);
        }
        let zero = Argument::Word(invocation.program.clone());
        let from_input = |flow: &Flow| match flow {
            Flow::Text(text) => Some(text.clone()),
            _ => None,
        };
        let first = arguments.first().and_then(known);
        let text = match first.as_deref() {
            Some("-c") => {
                arguments.remove(0);
                if arguments.is_empty() { None } else { arguments.remove(0).word().cloned() }
            }
            Some("-s") => {
                arguments[0] = zero;
                if arguments.get(1).and_then(known).as_deref() == Some("--") {
                    arguments.remove(1);
                }
                from_input(&invocation.stdin)
            }
            Some(file) => match state.files.get(&format!("/w/{}", file.trim_start_matches("./"))) {
                Some(flow) => from_input(flow),
                None => None,
            },
            None => from_input(&invocation.stdin),
        };
        let Some(text) = text else { return unknown };
        if matches!(first.as_deref(), None | Some("-s")) {
            child.stdin = Flow::Empty;
        }
        child.memory = Default::default();
        child.positional = arguments;
        let outcome = shell::evaluate(&text, Dialect::Posix, &mut child, self);
        state.files = child.files;
        outcome
    }
}

impl Host for Recorder {
    fn run(&mut self, invocation: Invocation, state: &mut State) -> Outcome {
        let mut line = format!("run {}", word(&invocation.program));
        for argument in &invocation.arguments {
            let _ = write!(line, " {}", argument_text(argument));
        }
        for (name, value) in &invocation.environment {
            let _ = write!(line, "  env {name}={}", word(value));
        }
        if invocation.directory != Directory::Known("/w".into()) {
            let _ = write!(line, "  in {}", directory(&invocation.directory));
        }
        if !matches!(&invocation.stdin, Flow::Unknown(taint) if *taint == Taint { stdin: true, ..Taint::none() }) {
            let _ = write!(line, "  < {}", flow(&invocation.stdin));
        }
        let _ = writeln!(self.log, "{line}");
        let name = invocation.program.known().map(|name| name.into_owned()).unwrap_or_default();
        let outcome = match name.as_str() {
            "fetch" => Outcome { output: Flow::Unknown(Taint { network: true, ..Taint::none() }), success: None },
            "lines" => {
                let mut text = String::new();
                for argument in &invocation.arguments {
                    text.push_str(&argument.word().and_then(Word::known).unwrap_or_default());
                    text.push('\n');
                }
                Outcome { output: Flow::Text(Word::known_text(text, invocation.span)), success: None }
            }
            "shell" => {
                let text = match (invocation.arguments.first().and_then(Argument::word), &invocation.stdin) {
                    (Some(word), _) => Some(word.clone()),
                    (None, Flow::Text(word)) => Some(word.clone()),
                    _ => None,
                };
                match text {
                    Some(text) => {
                        let mut child = state.child();
                        child.positional = invocation.arguments.iter().skip(1).cloned().collect();
                        let outcome = shell::evaluate(&text, Dialect::Posix, &mut child, self);
                        state.files = child.files;
                        outcome
                    }
                    None => Outcome { output: Flow::Unknown(invocation.stdin.taint()), success: None },
                }
            }
            "record" => Outcome { output: Flow::Empty, success: Some(true) },
            "sh" | "bash" | "env" => self.known(&name, &invocation, state),
            _ => Outcome { output: Flow::Unknown(Taint { unknown: true, ..Taint::none() }), success: None },
        };
        self.runs.push(invocation);
        outcome
    }

    fn effect(&mut self, effect: Effect) {
        let object = match &effect.object {
            Object::Path(path) => word(path),
            Object::Address(address) => format!("address {}", word(address)),
            Object::Code(code) => {
                format!(
                    "{} {}{}{}",
                    code.language,
                    word(&code.text),
                    if code.walked { "" } else { " not walked" },
                    taint(&code.from)
                )
            }
            Object::Other(other) => word(other),
            Object::None => String::new(),
        };
        let _ = writeln!(self.log, "{} {object}{}", effect.verb.word(), taint(&effect.from));
        self.effects.push(effect);
    }

    fn note(&mut self, note: Note) {
        let _ = writeln!(self.log, "note {}", note.text);
        self.notes.push(note);
    }

    fn limit(&mut self, limit: Limit) {
        let _ = writeln!(self.log, "limit {} {}", limit.name, limit.size);
        self.limits.push(limit);
    }

    fn unparsed(&mut self, span: Span) {
        let text = self.text_at(span).to_string();
        let _ = writeln!(self.log, "unparsed {text:?}");
        self.unparsed.push(span);
    }

    fn text(&mut self, _: &str, text: &str) -> SourceId {
        self.texts.push(text.to_string());
        SourceId((self.texts.len() - 1) as u16)
    }

    fn step(&mut self, steps: u64) -> bool {
        self.spent += steps;
        if self.spent <= self.fuel {
            return true;
        }
        if self.limits.iter().all(|limit| limit.name != "steps") {
            self.limit(Limit { name: "steps", size: self.fuel, span: Span::default() });
        }
        false
    }

    fn world(&self) -> &dyn World {
        &self.machine
    }
}

pub fn taint(taint: &Taint) -> String {
    let mut out = String::new();
    for (on, name) in
        [(taint.network, "network"), (taint.stdin, "stdin"), (taint.environment, "environment"), (taint.unknown, "unknown")]
    {
        if on {
            let _ = write!(out, " from {name}");
        }
    }
    for file in taint.files.iter() {
        let _ = write!(out, " from file {}", word(file));
    }
    out
}

fn directory(directory: &Directory) -> String {
    match directory {
        Directory::Known(path) => path.clone(),
        Directory::OneOf(paths) => paths.join("|"),
        Directory::Unknown => "anywhere".into(),
    }
}

pub fn flow(flow: &Flow) -> String {
    match flow {
        Flow::Empty => "nothing".into(),
        Flow::Text(text) => word(text),
        Flow::Unknown(carried) => format!("unknown{}", taint(carried)),
    }
}

fn hole(hole: &Hole) -> String {
    let origin = match &hole.origin {
        Origin::Unset { name, guarded: false } => format!("unset {name}"),
        Origin::Unset { name, guarded: true } => format!("guarded {name}"),
        Origin::Environment(name) => format!("environment {name}"),
        Origin::Output => "output".into(),
        Origin::Unknown => format!("{:?}", hole.shape).to_lowercase(),
    };
    let taint = Taint { environment: false, ..hole.taint.clone() };
    format!("‹{origin}{}›", self::taint(&taint))
}

pub fn value(value: &Value) -> String {
    let mut out = String::new();
    for piece in &value.pieces {
        match piece {
            Piece::Text { text, .. } => out.push_str(&text.escape_debug().to_string()),
            Piece::Hole(one) => out.push_str(&hole(one)),
            Piece::Glob(Glob::DoubleStar) => out.push_str("⟨**⟩"),
            Piece::Glob(glob) => {
                out.push('⟨');
                glob.write(&mut out);
                out.push('⟩');
            }
        }
    }
    out
}

pub fn word(word: &Word) -> String {
    let values: Vec<String> = word.values.iter().map(|one| format!("[{}]", value(one))).collect();
    format!("{}{}", values.join("|"), if word.computed { "$" } else { "" })
}

pub fn argument_text(argument: &Argument) -> String {
    match argument {
        Argument::Word(one) => word(one),
        Argument::Splice(one) => format!("…{}", hole(one)),
    }
}
