//! A host that writes down what a script runs, and checks that every span lies in the script.

#[path = "machine.rs"]
mod machine;

use cc_safety_net::model::{
    Argument, Effect, Flow, Invocation, Limit, Note, Object, Piece, SourceId, Span, Taint, Word, World,
};
use cc_safety_net::shell::{Dialect, Given, Host, LibraryCall, Outcome, State, code, evaluate};
use machine::Machine;

#[derive(Default)]
struct Recorder {
    machine: Machine,
    text: String,
    lines: Vec<String>,
    steps: u64,
}

impl Recorder {
    fn over(script: &str) -> Recorder {
        let machine = Machine { home: "/home/me".into(), ..Machine::default() };
        Recorder { machine, text: script.into(), ..Recorder::default() }
    }

    fn in_bounds(&self, span: Span) {
        let (start, end) = (span.start as usize, span.end as usize);
        assert!(start <= end && end <= self.text.len(), "{span:?} in {:?}", self.text);
        assert!(self.text.is_char_boundary(start) && self.text.is_char_boundary(end), "{span:?} in {:?}", self.text);
    }
}

fn word(word: &Word) -> String {
    let values: Vec<String> = word
        .values
        .iter()
        .map(|value| {
            let piece = |piece: &Piece| match piece {
                Piece::Text { text, .. } => text.clone(),
                Piece::Hole(_) => "<?>".into(),
                Piece::Glob(_) => "<*>".into(),
            };
            value.pieces.iter().map(piece).collect()
        })
        .collect();
    values.join("|")
}

impl Host for Recorder {
    fn run(&mut self, invocation: Invocation, _: &mut State) -> Outcome {
        self.in_bounds(invocation.span);
        let mut line = word(&invocation.program);
        for argument in &invocation.arguments {
            self.in_bounds(argument.span());
            line.push(' ');
            match argument {
                Argument::Word(argument) => line.push_str(&format!("[{}]", word(argument))),
                Argument::Splice(_) => line.push_str("<splice>"),
            }
        }
        if let Flow::Text(text) = &invocation.stdin {
            line.push_str(&format!(" < {}", word(text)));
        }
        self.lines.push(line);
        Outcome { output: Flow::Unknown(Taint::none()), success: None }
    }
    fn call(&mut self, call: LibraryCall, _: &mut State) -> Option<Word> {
        self.in_bounds(call.span);
        let given = |given: &Given| match given {
            Given::Text(text) => word(text),
            Given::List(all) => format!("({})", all.iter().map(word).collect::<Vec<_>>().join(" ")),
        };
        let mut all: Vec<String> = call.positional.iter().map(given).collect();
        all.extend(call.named.iter().map(|(name, value)| format!("{name}={}", given(value))));
        self.lines.push(format!("{}({})", call.name, all.join(", ")));
        None
    }
    fn effect(&mut self, effect: Effect) {
        self.in_bounds(effect.span);
        if let Object::Path(path) = &effect.object {
            self.lines.push(format!("{} {}", effect.verb.word(), word(path)));
        }
    }
    fn note(&mut self, _: Note) {}
    fn limit(&mut self, limit: Limit) {
        self.lines.push(format!("limit {}", limit.name));
    }
    fn unparsed(&mut self, span: Span) {
        self.in_bounds(span);
        self.lines.push("unparsed".into());
    }
    fn text(&mut self, _: &str, _: &str) -> SourceId {
        SourceId(0)
    }
    fn step(&mut self, steps: u64) -> bool {
        self.steps += steps;
        self.steps < 200_000
    }
    fn world(&self) -> &dyn World {
        &self.machine
    }
}

/// The lines that a script in a dialect leaves.
#[allow(dead_code)]
pub fn read(script: &str, dialect: Dialect) -> Vec<String> {
    let mut host = Recorder::over(script);
    let text = Word::known_text(script, Span::new(0, script.len()));
    evaluate(&text, dialect, &mut State::new("/home/me/project"), &mut host);
    host.lines
}

/// The calls that a text in an embedded language makes.
#[allow(dead_code)]
pub fn calls(language: &str, script: &str) -> Vec<String> {
    let mut host = Recorder::over(script);
    let text = Word::known_text(script, Span::new(0, script.len()));
    code::evaluate(language, &text, &mut State::new("/home/me/project"), &mut host);
    host.lines
}
