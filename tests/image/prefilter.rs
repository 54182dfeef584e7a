//! The quick road skips nothing in which the long one finds something.

use std::sync::{Arc, LazyLock};

use cc_safety_net::image::{Effort, Image, Order, compile_for, may_skip};
use cc_safety_net::interpret::interpret;
use cc_safety_net::model::declaration::{Command, Declarations, Language, Tool};
use cc_safety_net::model::rule::Preset;
use cc_safety_net::model::{Settings, ToolCall};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::support::*;

static CATALOGUE: LazyLock<(Image, Vec<String>)> = LazyLock::new(|| {
    let books = crate::catalogue::rulebooks();
    let bytes = compile_for(&books, &Settings::default(), Effort::Full, Order::NATIVE);
    let mut words: Vec<String> = Vec::new();
    for command in books.iter().flat_map(|book| &book.commands) {
        words.extend(command.names.iter().cloned());
        words.extend(command.subcommands.here().iter().flat_map(|sub| sub.names.iter().cloned()));
        words.extend(command.options.iter().flat_map(|option| option.spellings.iter().cloned()));
    }
    (Image::open(Arc::new(bytes)).expect("a sound image"), words)
});

struct Declared<'i>(&'i Image);

impl Declarations for Declared<'_> {
    fn commands(&self, name: &str) -> Vec<Arc<Command>> {
        self.0.commands(name).expect("sound")
    }
    fn languages(&self, name: &str) -> Vec<Arc<Language>> {
        self.0.languages(name).expect("sound")
    }
    fn tools(&self, name: &str) -> Vec<Arc<Tool>> {
        self.0.tools(name).expect("sound")
    }
}

fn found(text: &str) -> usize {
    let files = Files::new(&["/home/me/project/src/.env", "/home/me/.ssh/id_rsa"]);
    let tool = ToolCall {
        agent: "claude-code".into(),
        tool: "Bash".into(),
        fields: serde_json::json!({ "command": text }),
        directory: HOME.into(),
        workspace: None,
        attended: true,
        session: String::new(),
    };
    let image = &CATALOGUE.0;
    let call = interpret(tool, &Declared(image), &files);
    let strict = cc_safety_net::image::Context { preset: Preset::Paranoid, granted: Preset::Paranoid, ..context(&files) };
    image.matches(&call, &strict).expect("sound").len() + call.unparsed.len() + call.limits.len()
}

fn line() -> impl Strategy<Value = String> {
    let words = &CATALOGUE.1;
    let word = prop_oneof![
        4 => prop::sample::select(words.clone()),
        1 => "[a-z]{1,3}",
        1 => prop::sample::select(vec!["-f", "--force", ".env", "/etc/passwd", ".", "-x", "--", "a=b"]).prop_map(str::to_string),
    ];
    (prop::sample::select(words.clone()), vec(word, 0..4)).prop_map(|(first, rest)| format!("{first} {}", rest.join(" ")))
}

#[test]
fn plain_everyday_commands_are_skipped() {
    let skipped = |text: &str| may_skip(&[&CATALOGUE.0], "Bash", text, &Files::new(&[])).expect("sound");
    for text in ["git reset --hard", "sudo ls", "rm -rf x", "cat .env", "git 'status'", "./x", "a; b", "$x", "never-heard-of x"]
    {
        assert!(!skipped(text), "{text}");
    }
    let everyday = ["git status", "git log", "git branch", "ls", "ls -l src", "whoami", "date"];
    let skipped: Vec<&str> = everyday.into_iter().filter(|text| skipped(text)).collect();
    for text in ["ls -l src", "git status"] {
        assert!(skipped.contains(&text), "only {skipped:?}");
    }
    skipped.iter().for_each(|text| assert_eq!(found(text), 0, "{text}"));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn both_roads_agree(text in line()) {
        if may_skip(&[&CATALOGUE.0], "Bash", &text, &Files::new(&[])).expect("sound") {
            prop_assert_eq!(found(&text), 0, "{}", text);
        }
    }
}
