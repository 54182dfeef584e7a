//! Rewriting a command without changing what it does changes no verdict: over the examples of `rules/`, no rewritten command
//! that is refused, asked about or warned of gets a weaker verdict, and none that is allowed gets another one.
//!
//! A sample of the examples is tried; `REWRITTEN=all` tries every form of every one, and then each rewriter that most commands can
//! take is used at least [`LEAST`] times on either side.

#![cfg(feature = "machine")]

mod rewriters;

use std::collections::BTreeMap;

use cc_safety_net::agents;
use cc_safety_net::check::check;
use cc_safety_net::cli::{examples, machine};
use cc_safety_net::language::{Example, ExampleInput, Rulebook};
use cc_safety_net::layers;
use cc_safety_net::model::{Decision, Preset};
use cc_safety_net::world::Memory;
use rewriters::{Declared, REWRITERS};

/// How often each rewriter is used, at least, in a full run.
const LEAST: usize = 500;

/// Commands that mean something else once they are rewritten, or that a rule treats otherwise on purpose: the rewriter (any where
/// it is empty), and the command.
const APART: [(&str, &str); 4] = [
    // Acts at the prompt of the very shell that runs it.
    ("", "PROMPT_COMMAND='rm -rf ~'"),
    // A known gap: a file of arguments is not told from the input, and the input is known here.
    ("", "parallel -a list.txt rm -rf"),
    // The shell gives up the rest of its line, which another text around it does not show: then it is taken to go on.
    ("", "readonly a=dist; a=/etc; rm -rf /etc"),
    // `rm.unsaved` leaves what `xargs` deletes to other rules.
    ("xargs", "rm -rf gen"),
];

fn preset(rulebook: &Rulebook, example: &Example) -> Preset {
    let level = || rulebook.rules.iter().find(|rule| rule.id == example.rule).map_or(Preset::Standard, |rule| rule.level);
    example.world.preset.unwrap_or_else(level)
}

/// One in so many of the examples is tried where not all are asked for.
fn step() -> usize {
    if std::env::var_os("REWRITTEN").is_some() { 1 } else { 8 }
}

fn rewritten(allowed: bool) {
    let rulebooks = layers::catalogue_rulebooks();
    let declared = Declared::new(&rulebooks);
    let mut layers = machine::stack(None, &[]).expect("the catalogue loads");
    let mut used: BTreeMap<&str, usize> = BTreeMap::new();
    let mut differences = Vec::new();
    let mut turn = 0;
    for rulebook in &rulebooks {
        for example in &rulebook.examples {
            let ExampleInput::Command(command) = &example.input else { continue };
            // The settings of an example's world are layers of their own.
            if !example.world.settings.is_empty() {
                continue;
            }
            if example.todo || (example.expected == Decision::Allow) != allowed {
                continue;
            }
            layers.preset = preset(rulebook, example);
            for rewriter in REWRITERS.iter().filter(|rewriter| !allowed || rewriter.keeps_allowed) {
                for text in (rewriter.rewrite)(command, &declared) {
                    turn += 1;
                    if turn % step() != 0 {
                        continue;
                    }
                    *used.entry(rewriter.name).or_default() += 1;
                    let own = Example { input: ExampleInput::Command(text.clone()), ..example.clone() };
                    let verdict = examples::judge(&own, &layers).verdict;
                    let fine = if allowed { verdict.decision == Decision::Allow } else { verdict.decision >= example.expected };
                    let is_apart =
                        |(name, apart): &(&str, &str)| (name.is_empty() || *name == rewriter.name) && apart == command;
                    if !fine && !APART.iter().any(is_apart) {
                        let by = verdict.findings.first().map_or(String::new(), |finding| format!(" by {}", finding.rule));
                        let (wanted, got) = (example.expected.word(), verdict.decision.word());
                        differences.push(format!("{}: {wanted} `{command}`, {got}{by} `{text}`", rewriter.name));
                    }
                }
            }
        }
    }
    for (name, times) in &used {
        println!("  {times:6} {name}");
    }
    let shown: Vec<&str> = differences.iter().map(String::as_str).take(400).collect();
    assert!(differences.is_empty(), "{} of {} differ:\n{}", differences.len(), used.values().sum::<usize>(), shown.join("\n"));
    if step() == 1 {
        // Few examples have flags with two spellings, or several in one word.
        let common = |rewriter: &&rewriters::Rewriter| !["flags-apart", "long-for-short"].contains(&rewriter.name);
        for rewriter in REWRITERS.iter().filter(|rewriter| !allowed || rewriter.keeps_allowed).filter(common) {
            let times = used.get(rewriter.name).copied().unwrap_or(0);
            assert!(times >= LEAST, "`{}` was used {times} times", rewriter.name);
        }
    }
}

#[test]
fn no_verdict_gets_weaker() {
    rewritten(false);
}

#[test]
fn no_allowed_command_is_refused() {
    rewritten(true);
}

/// What an evaluation keeps for a long script answers as what it makes anew for a short one.
#[test]
fn a_command_after_many_is_judged_as_alone() {
    let layers = machine::stack(None, &[]).expect("the catalogue loads");
    let world = Memory::standing().file("src/main.rs", "fn main() {}").file("~/work/notes", "x");
    let judged = |command: &str| {
        let call = agents::DEFAULT.shell_call("/home/me/project", command);
        check(call, &layers, &world).verdict
    };
    let before = |count: usize| (0..count).map(|number| format!("rm -rf /tmp/a/{number}\n")).collect::<String>();
    let mut decisions = BTreeMap::new();
    for command in
        ["rm -rf /tmp/b", "rm -rf out", "rm -rf src", "rm -rf ~/work", "rm -rf ~", "rm -rf /etc/x", "mv src /tmp", "rm ../o"]
    {
        let alone = judged(command).decision;
        assert_eq!(judged(&format!("{}{command}", before(30))).decision, alone, "{command}");
        *decisions.entry(alone).or_insert(0) += 1;
    }
    assert!(decisions.len() > 1, "{decisions:?}");
}
