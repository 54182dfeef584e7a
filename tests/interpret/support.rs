//! A world of a few files, declarations built by hand, and calls printed for comparison.

use std::collections::BTreeMap;
use std::sync::Arc;

use cc_safety_net::interpret::interpret;
use cc_safety_net::model::declaration::*;
use cc_safety_net::model::effect::{Object, Place, Verb};
use cc_safety_net::model::rule::{PatternPart, WordPattern, WordSet};
use cc_safety_net::model::{self, Call, Entry, EntryKind, Stat, ToolCall, World};

/// Files by absolute path.
#[derive(Default)]
pub struct Files(pub BTreeMap<String, String>);

impl World for Files {
    fn homes(&self) -> Vec<String> {
        vec!["/home/me".into()]
    }
    fn home_of(&self, user: &str) -> Option<String> {
        Some(format!("/home/{user}"))
    }
    fn temporary(&self) -> Vec<String> {
        vec!["/tmp".into()]
    }
    fn variable(&self, _name: &str) -> Option<String> {
        None
    }
    fn stat(&self, path: &str, _follow: bool) -> Option<Option<Stat>> {
        Some(self.0.get(path).map(|text| Stat { kind: EntryKind::File, size: text.len() as u64, own: true }))
    }
    fn real(&self, path: &str) -> Option<String> {
        Some(path.into())
    }
    fn entries(&self, _path: &str) -> Option<Vec<Entry>> {
        None
    }
    fn read(&self, path: &str) -> Option<String> {
        self.0.get(path).cloned()
    }
    fn folds_case(&self, _path: &str) -> bool {
        false
    }
    fn today(&self) -> String {
        "2026-01-01".into()
    }
    fn repository(&self, _directory: &str) -> Option<String> {
        None
    }
    fn tracked(&self, _path: &str) -> Option<bool> {
        None
    }
    fn clean(&self, _path: &str) -> Option<bool> {
        None
    }
    fn ignored(&self, _path: &str) -> Option<bool> {
        None
    }
    fn recoverable(&self, _path: &str) -> Option<bool> {
        None
    }
    fn is_ref(&self, _directory: &str, _name: &str) -> Option<bool> {
        None
    }
    fn branch(&self, _directory: &str) -> Option<String> {
        None
    }
    fn linked_worktree(&self, _directory: &str) -> Option<bool> {
        None
    }
    /// A setting is a file, too: `/a/b#key`.
    fn git_setting(&self, directory: &str, key: &str) -> Option<String> {
        self.0.get(&format!("{directory}#{key}")).cloned()
    }
}

/// Declarations by name.
#[derive(Default)]
pub struct Declared {
    pub commands: BTreeMap<String, Vec<Arc<Command>>>,
    pub languages: BTreeMap<String, Vec<Arc<Language>>>,
    pub tools: Vec<Arc<Tool>>,
}

impl Declarations for Declared {
    fn commands(&self, name: &str) -> Vec<Arc<Command>> {
        self.commands.get(name).cloned().unwrap_or_default()
    }
    fn languages(&self, name: &str) -> Vec<Arc<Language>> {
        self.languages.get(name).cloned().unwrap_or_default()
    }
    fn tools(&self, name: &str) -> Vec<Arc<Tool>> {
        self.tools.iter().filter(|tool| tool.name.as_literal() == Some(name)).cloned().collect()
    }
}

impl Declared {
    pub fn command(mut self, command: Command) -> Declared {
        let command = Arc::new(command);
        for name in &command.names {
            self.commands.entry(name.clone()).or_default().push(command.clone());
        }
        self
    }
    pub fn language(mut self, language: Language) -> Declared {
        self.languages.entry(language.name.clone()).or_default().push(Arc::new(language));
        self
    }
    pub fn tool(mut self, name: &str, fields: &[(&str, Does)]) -> Declared {
        let fields = fields.iter().map(|(name, does)| Field { name: (*name).into(), does: vec![does.clone()] }).collect();
        self.tools.push(Arc::new(Tool { name: WordPattern::literal(name), fields }));
        self
    }
}

pub fn command(names: &str) -> Command {
    Command { names: names.split(' ').map(str::to_string).collect(), ..Command::default() }
}

/// `-f, --force`, `-C DIR`, `--color[=WHEN]`.
pub fn option(text: &str, does: Vec<Does>) -> OptionDeclaration {
    let (text, value, placeholder) = match text.split_once("[=") {
        Some((spellings, name)) => (spellings, ValueKind::Attached, name.trim_end_matches(']').to_string()),
        None => match text.rsplit_once(' ') {
            Some((spellings, name)) if name.chars().all(|c| c.is_ascii_uppercase() || c == '=') => {
                (spellings, ValueKind::Required, name.to_string())
            }
            _ => (text, ValueKind::None, String::new()),
        },
    };
    let spellings = text.split(',').map(|s| s.trim().to_string()).collect();
    OptionDeclaration { spellings, value, placeholder, does: does.into() }
}

/// `-f, --force; -C DIR`: options that do nothing.
pub fn options(text: &str) -> Vec<OptionDeclaration> {
    text.split(';').map(|one| option(one.trim(), Vec::new())).collect()
}

/// `SOURCE... DEST?`.
pub fn operands(text: &str) -> Vec<Operand> {
    let one = |word: &str| {
        if let Some(name) = word.strip_suffix("...") {
            Operand { name: name.into(), times: Times::Repeated }
        } else if let Some(name) = word.strip_suffix('?') {
            Operand { name: name.into(), times: Times::Optional }
        } else {
            Operand { name: word.into(), times: Times::Once }
        }
    };
    text.split(' ').map(one).collect()
}

pub fn runs() -> Option<Runs> {
    Some(Runs { operand: "COMMAND".into(), arguments_from_stdin: false, joined: false, ..no_runs() })
}

fn no_runs() -> Runs {
    Runs { operand: String::new(), arguments_from_stdin: false, joined: false, arguments_after: Vec::new(), placeholder: None }
}

pub fn does(act: Act, argument: Argument) -> Does {
    Does { act, argument, recursively: false, forcibly: false, from: None, when: None, unless: None }
}

pub fn verb(verb: Verb, name: &str) -> Does {
    does(Act::Effect(verb), on(name))
}

pub fn on(name: &str) -> Argument {
    match name {
        "" => Argument::None,
        "stdin" => Argument::Stdin,
        _ => Argument::Placeholder { name: name.into(), below: None },
    }
}

pub fn given(option: &str) -> Option<Given> {
    Some(match option.strip_prefix('!') {
        Some(option) => Given::Not(Box::new(given(option).unwrap())),
        None if option.starts_with('-') => Given::Option(option.into()),
        None => Given::Placeholder(option.into()),
    })
}

pub fn all(options: &[&str]) -> Option<Given> {
    Some(Given::All(options.iter().filter_map(|one| given(one)).collect()))
}

pub fn begins(text: &str) -> WordSet {
    let parts = vec![PatternPart::Literal(text.into()), PatternPart::Star];
    WordSet { any: vec![WordPattern { parts }], except: Vec::new() }
}

/// The programs of the tests.
pub fn everyday() -> Declared {
    let deletes = |recursively| Does { recursively, ..verb(Verb::Deletes, "PATH") };
    Declared::default()
        .tool("Bash", &[("command", does(Act::Executes("shell".into()), Argument::None))])
        .command(Command {
            options: [
                options("-r, -R, --recursive; -f, --force; -v, --verbose; --preserve-root"),
                vec![option("--help", vec![does(Act::Cancels, on(""))])],
            ]
            .concat()
            .into(),
            operands: operands("PATH..."),
            does: vec![Does { when: given("-r"), ..deletes(true) }, Does { unless: given("-r"), ..deletes(false) }],
            ..command("rm")
        })
        .command(Command {
            options: vec![
                option("-C DIR", vec![verb(Verb::ChangesDirectory, "")]),
                option(
                    "-c KEY=VALUE",
                    vec![Does { when: Some(Given::Is("KEY".into(), begins("alias."))), ..does(Act::Aliases, on("VALUE")) }],
                ),
                option("-p, --paginate", vec![]),
            ]
            .into(),
            subcommands: Subcommands::Here(vec![
                Command {
                    options: options("--hard; --soft; -q, --quiet").into(),
                    operands: operands("COMMIT? PATHSPEC..."),
                    settings: vec![Variable {
                        names: vec![WordPattern::literal("core.probe")],
                        placeholder: String::new(),
                        does: vec![does(Act::Executes("shell".into()), on("VALUE"))],
                    }]
                    .into(),
                    ..command("reset")
                },
                Command {
                    options: options("-f, --force; -u, --set-upstream; --force-with-lease[=REF]; -n, --dry-run").into(),
                    operands: operands("REMOTE? REFSPEC..."),
                    ..command("push")
                },
            ]),
            ..command("git")
        })
        .command(Command {
            options: vec![
                option("-u, --user USER", vec![]),
                option("-D DIR", vec![verb(Verb::ChangesDirectory, "")]),
                option("-E", vec![]),
                option("-S TEXT", vec![does(Act::Splits, on(""))]),
            ]
            .into(),
            assignments: true,
            runs: runs(),
            ..command("sudo env nice")
        })
        .command(Command {
            options: options("-k, --kill-after DURATION").into(),
            operands: operands("DURATION COMMAND..."),
            runs: runs(),
            ..command("timeout")
        })
        .command(Command {
            options: [options("-I REPLACE; -n NUM; -0; -r"), vec![option("-a FILE", vec![verb(Verb::Reads, "")])]]
                .concat()
                .into(),
            runs: Some(Runs { operand: "COMMAND".into(), arguments_from_stdin: true, joined: false, ..no_runs() }),
            ..command("xargs")
        })
        .command(Command {
            syntax: Syntax::Posix,
            options: [
                options("-x; -e; -l; -o NAME"),
                vec![option("-c CODE", vec![does(Act::Executes("shell".into()), on(""))])],
            ]
            .concat()
            .into(),
            operands: operands("SCRIPT? ARG..."),
            does: vec![Does { when: given("!-c"), ..verb(Verb::ExecutesFile, "SCRIPT") }],
            stdin: vec![Does { when: all(&["!-c", "!SCRIPT"]), ..does(Act::Executes("shell".into()), on("")) }],
            ..command("bash sh")
        })
        .command(Command {
            syntax: Syntax::Posix,
            options: vec![option("-c CODE", vec![does(Act::Executes("python".into()), on(""))])].into(),
            operands: operands("SCRIPT? ARG..."),
            does: vec![Does { when: given("!-c"), ..verb(Verb::ExecutesFile, "SCRIPT") }],
            stdin: vec![Does { when: all(&["!-c", "!SCRIPT"]), ..does(Act::Executes("python".into()), on("")) }],
            ..command("python3")
        })
        .command(Command {
            syntax: Syntax::Expression,
            options: vec![
                option("-name NAME", vec![does(Act::Narrows, on(""))]),
                option("-type TYPE", vec![]),
                option("-delete", vec![Does { recursively: true, ..verb(Verb::Deletes, "PATH") }]),
                option(
                    "-exec, -execdir",
                    vec![does(
                        Act::RunsUntil {
                            terminators: vec![";".into(), "+".into()],
                            placeholder: "{}".into(),
                            as_argument: Argument::Placeholder { name: "PATH".into(), below: Some("/**".into()) },
                        },
                        Argument::None,
                    )],
                ),
            ]
            .into(),
            operands: operands("PATH..."),
            does: vec![verb(Verb::Lists, "PATH")],
            ..command("find")
        })
        .command(Command {
            options: vec![
                option(
                    "-d, --data DATA",
                    vec![
                        verb(Verb::Sends, "DATA"),
                        does(
                            Act::Effect(Verb::Sends),
                            Argument::After { name: "DATA".into(), beginning: WordPattern::literal("@") },
                        ),
                    ],
                ),
                option("-T FILE", vec![verb(Verb::Sends, "FILE")]),
                option(
                    "-o, --output FILE",
                    vec![Does { from: Some(From::Source(model::Source::Network)), ..verb(Verb::Writes, "FILE") }],
                ),
                option("-s, -S, -f, -L", vec![]),
            ]
            .into(),
            operands: operands("URL..."),
            does: vec![verb(Verb::Fetches, "URL")],
            yields: vec![Yield { function: YieldFunction::Network, argument: Argument::None, when: None }],
            ..command("curl")
        })
        .command(Command {
            operands: operands("FILE..."),
            does: vec![verb(Verb::Reads, "FILE")],
            yields: vec![
                Yield { function: YieldFunction::Text, argument: on("FILE"), when: given("FILE") },
                Yield { function: YieldFunction::Text, argument: Argument::Stdin, when: given("!FILE") },
            ],
            ..command("cat")
        })
        .command(Command {
            options: options("-a").into(),
            operands: operands("FILE..."),
            does: vec![Does { from: Some(From::Source(model::Source::Stdin)), ..verb(Verb::Writes, "FILE") }],
            yields: vec![Yield { function: YieldFunction::Text, argument: Argument::Stdin, when: None }],
            ..command("tee")
        })
        .command(Command {
            options: options("-t DEST; -r").into(),
            operands: operands("SOURCE... DEST"),
            does: vec![
                verb(Verb::Reads, "SOURCE"),
                Does { from: Some(From::Placeholder("SOURCE".into())), ..verb(Verb::Writes, "DEST") },
            ],
            ..command("cp")
        })
        .command(Command {
            options: options("-p PORT; -i FILE").into(),
            operands: operands("HOST COMMAND..."),
            runs: Some(Runs { operand: "COMMAND".into(), arguments_from_stdin: false, joined: true, ..no_runs() }),
            runs_on: Place::Remote,
            ..command("ssh")
        })
        .command(Command {
            syntax: Syntax::KeyValue,
            options: vec![
                OptionDeclaration {
                    spellings: vec!["of".into()],
                    value: ValueKind::Required,
                    placeholder: "FILE".into(),
                    does: vec![verb(Verb::Writes, "")].into(),
                },
                OptionDeclaration {
                    spellings: vec!["if".into()],
                    value: ValueKind::Required,
                    placeholder: "FILE".into(),
                    does: vec![verb(Verb::Reads, "")].into(),
                },
            ]
            .into(),
            ..command("dd")
        })
        .command(Command {
            syntax: Syntax::BundledFirst,
            options: [
                options("-c; -x; -z; -v"),
                vec![
                    option("-f, --file ARCHIVE", vec![verb(Verb::Reads, "")]),
                    option("-C DIR", vec![verb(Verb::ChangesDirectory, "")]),
                ],
            ]
            .concat()
            .into(),
            operands: operands("PATH..."),
            ..command("tar")
        })
        .command(Command {
            syntax: Syntax::SingleDashLong,
            options: options("-auto-approve; -var VALUE").into(),
            subcommands: Subcommands::Here(vec![Command { options: options("-target NAME").into(), ..command("destroy") }]),
            ..command("terraform")
        })
        .command(Command {
            shell: Some("powershell".into()),
            syntax: Syntax::PowerShell,
            options: vec![option("-Recurse", vec![]), option("-Force", vec![]), option("-Path PATH", vec![])].into(),
            operands: operands("PATH..."),
            does: vec![Does { when: given("-Recurse"), recursively: true, ..verb(Verb::Deletes, "PATH") }],
            ..command("remove-item")
        })
        .command(Command {
            shell: Some("cmd".into()),
            syntax: Syntax::Cmd,
            options: options("/s; /q").into(),
            operands: operands("PATH..."),
            does: vec![Does { when: given("/s"), recursively: true, ..verb(Verb::Deletes, "PATH") }],
            ..command("rd")
        })
        .command(Command {
            options: options("-d, --decode").into(),
            operands: operands("FILE?"),
            does: vec![verb(Verb::Reads, "FILE")],
            yields: vec![Yield { function: YieldFunction::Base64Decoded, argument: Argument::Stdin, when: given("-d") }],
            ..command("base64")
        })
}

/// A call of a tool with one field.
pub fn tool(name: &str, fields: serde_json::Value) -> ToolCall {
    ToolCall {
        agent: "test".into(),
        tool: name.into(),
        fields,
        directory: "/work".into(),
        workspace: None,
        attended: true,
        session: String::new(),
    }
}

/// A script as the shell tool's.
pub fn script(text: &str, files: &[(&str, &str)]) -> Call {
    let world = Files(files.iter().map(|(path, text)| ((*path).into(), (*text).into())).collect());
    interpret(tool("Bash", serde_json::json!({ "command": text })), &everyday(), &world)
}

/// A word as text: holes as `‹›`, alternatives with `|`.
pub fn shown(word: &model::Word) -> String {
    let value = |value: &model::Value| {
        let mut all = String::new();
        for piece in &value.pieces {
            match piece {
                model::Piece::Text { text, .. } => all.push_str(text),
                model::Piece::Hole(_) => all.push_str("‹›"),
                model::Piece::Glob(glob) => glob.write(&mut all),
            }
        }
        all
    };
    word.values.iter().map(value).collect::<Vec<_>>().join("|")
}

fn shown_argument(argument: &model::Argument) -> String {
    match argument {
        model::Argument::Word(word) => shown(word),
        model::Argument::Splice(_) => "‹…›".into(),
    }
}

/// The readings of a call, one a line: `git reset [--hard] HEAD`.
pub fn readings(call: &Call) -> Vec<String> {
    let mut lines = Vec::new();
    for run in &call.runs {
        for reading in &run.readings {
            let mut line = reading.program.clone();
            for option in &reading.options {
                let sure = if option.certain { "" } else { "?" };
                let value = option.value.as_ref().map(|v| format!("={}", shown(v))).unwrap_or_default();
                line.push_str(&format!(" [{}{sure}{value}]", option.spellings[0]));
            }
            for (index, positional) in reading.positionals.iter().enumerate() {
                if reading.dashes == Some(index) {
                    line.push_str(" --");
                }
                line.push_str(&format!(" {}", shown_argument(positional)));
            }
            if !reading.certain {
                line.push_str(" (uncertain)");
            }
            if reading.open {
                line.push_str(" (open)");
            }
            if !run.invocation.chain.is_empty() {
                let chain: Vec<&str> = run.invocation.chain.iter().map(|link| link.name.as_str()).collect();
                line.push_str(&format!(" < {}", chain.join(" ")));
            }
            lines.push(line);
        }
    }
    lines
}

/// The effects of a call, one a line: `deletes recursively /x in /work`.
pub fn effects(call: &Call) -> Vec<String> {
    let one = |effect: &model::Effect| {
        let mut line = effect.verb.word().to_string();
        if effect.recursively {
            line.push_str(" recursively");
        }
        match &effect.object {
            Object::Path(word) => line.push_str(&format!(" {}", shown(word))),
            Object::Address(word) => line.push_str(&format!(" @{}", shown(word))),
            Object::Code(code) => {
                let text = if code.walked { "walked".to_string() } else { "unknown".to_string() };
                line.push_str(&format!(" {} {text}", code.language));
            }
            Object::Other(word) => line.push_str(&format!(" {}", shown(word))),
            Object::None => {}
        }
        for filter in &effect.filters {
            line.push_str(&format!(" named {}", shown(filter)));
        }
        if effect.from.network {
            line.push_str(" from network");
        }
        for file in effect.from.files.iter() {
            line.push_str(&format!(" from {}", shown(file)));
        }
        if let model::Directory::Known(directory) = &effect.directory
            && directory != "/work"
        {
            line.push_str(&format!(" in {directory}"));
        }
        if effect.place != Place::Here {
            line.push_str(" elsewhere");
        }
        if !effect.certain {
            line.push_str(" perhaps");
        }
        line
    };
    call.effects.iter().map(one).collect()
}

/// Every span of the call lies on character boundaries of its text.
pub fn spans_in_bounds(call: &Call) {
    let inside = |span: model::Span| {
        let text = &call.texts[span.source.0 as usize].text;
        assert!(text.get(span.start as usize..span.end as usize).is_some(), "{span:?} in {text:?}");
    };
    for run in &call.runs {
        inside(run.invocation.span);
        inside(run.invocation.program.span);
        run.invocation.arguments.iter().for_each(|argument| inside(argument.span()));
        for reading in &run.readings {
            reading.options.iter().for_each(|option| inside(option.span));
            reading.positionals.iter().for_each(|argument| inside(argument.span()));
        }
    }
    call.effects.iter().for_each(|effect| inside(effect.span));
}
