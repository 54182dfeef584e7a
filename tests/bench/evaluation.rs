//! What judging costs without a process around it: one call, under none and under many rules of a user's own; and what it
//! costs to read rulebooks and to load what they compile to.
//!
//! `cargo bench --bench evaluation`

#[path = "measure.rs"]
mod measure;

use cc_safety_net::agents;
use cc_safety_net::check::check;
use cc_safety_net::cli::machine;
use cc_safety_net::language::{File, check_layer};
use cc_safety_net::layers;
use cc_safety_net::model::ToolCall;
use cc_safety_net::world::Memory;
use measure::{Case, in_turns, print, rulebook, script};

fn call(command: &str) -> ToolCall {
    let agent = agents::DEFAULT;
    ToolCall {
        agent: agent.name.into(),
        tool: agent.shell.tool.into(),
        fields: serde_json::json!({ agent.shell.field: command }),
        directory: "/home/me/project".into(),
        workspace: None,
        attended: true,
        session: String::new(),
    }
}

/// Rulebooks of so many rules; a file of more than 500 is larger than what a layer takes.
fn files(rules: usize) -> Vec<File> {
    let book = |number: usize| {
        let name = format!("bench{number}");
        File { text: rulebook(&name, (rules - number * 500).min(500)), name: format!("{name}.rulebook") }
    };
    (0..rules.div_ceil(500)).map(book).collect()
}

fn main() {
    // `cargo test --benches` only asks whether it runs.
    let rounds = if std::env::args().any(|argument| argument == "--bench") { 200 } else { 1 };
    let world = Memory::standing();
    let hundred = "cd src && rg -n 'fn main' --type rust | head -20 && cargo test --quiet -- --nocapture parser 2>&1 | tail";
    let commands = [
        ("git status", "git status".to_string()),
        ("git reset --hard", "git reset --hard".to_string()),
        ("a command of 100 bytes", hundred.to_string()),
        ("a script of 5 KB", script(5_000)),
        ("a script of 10 KB", script(10_000)),
        ("a script of 64 KB", script(64_000)),
    ];
    let none = machine::stack(None, &[]).expect("the catalogue stands");
    let cases = commands.iter().map(|(name, command)| {
        let times = if command.len() > 1_000 { 1 } else { 20 };
        Case::whole(*name, times, || check(call(command), &none, &world))
    });
    print("evaluation, embedded rules alone", &in_turns(rounds, cases.collect()));

    let known = layers::known();
    let counts = [0, 10, 100, 1_000, 10_000];
    let user = |rules: usize| {
        let layer = check_layer(&files(rules), &known);
        assert!(layer.diagnostics.iter().all(|each| !each.is_error()), "a rulebook of {rules} rules is refused");
        layer.rulebooks
    };
    let stacks: Vec<_> = counts.iter().map(|count| machine::stack(None, &user(*count)).expect("it stands")).collect();
    let under: Vec<Case> = counts
        .iter()
        .zip(&stacks)
        .map(|(count, layers)| {
            Case::whole(format!("git reset --hard under {count} rules"), 20, || check(call("git reset --hard"), layers, &world))
        })
        .collect();
    print("evaluation under rules of a user's own", &in_turns(rounds, under));

    let texts: Vec<Vec<File>> = counts[1..].iter().map(|count| files(*count)).collect();
    let reading: Vec<Case> = texts
        .iter()
        .zip(&counts[1..])
        .map(|(files, count)| Case::whole(format!("{count} rules read and checked"), 1, || check_layer(files, &known)))
        .collect();
    print("reading", &in_turns(rounds.div_ceil(20), reading));
    let books: Vec<_> = counts.iter().map(|count| user(*count)).collect();
    let loading: Vec<Case> = books
        .iter()
        .zip(&counts)
        .map(|(books, count)| Case::whole(format!("{count} rules compiled and loaded"), 1, || machine::stack(Some(&[]), books)))
        .collect();
    print("loading", &in_turns(rounds.div_ceil(20), loading));
}
