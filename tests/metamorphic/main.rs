//! Rewriting a command without changing what it does changes no verdict: over the examples of `rules/`, no rewritten command
//! that is refused, asked about or warned of gets a weaker verdict, and none that is allowed gets another one.
//!
//! Each rewriter is used at least [`LEAST`] times on either side; `REWRITTEN=all` tries every form of every example.

#![cfg(feature = "machine")]

mod rewriters;

use std::collections::BTreeMap;

use cc_safety_net::catalogue;
use cc_safety_net::cli::{examples, machine};
use cc_safety_net::language::{Example, ExampleInput, File, Known, Rulebook, check_layer};
use cc_safety_net::model::{Decision, Preset};
use rewriters::{Declared, REWRITERS};

/// How often each rewriter is used, at least, in a full run.
const LEAST: usize = 500;

/// Known gaps: a rewriter, and what stands in the commands that it weakens.
const GAPS: [(&str, &str); 2] = [
    // The words that `find` puts in the place of `{}` are lost in a text that was decoded.
    ("base64", "{} +"),
    // A pipeline without an end is seen where the script begins, not in a function.
    ("function", "while :; do :; done"),
];

fn rulebooks() -> Vec<Rulebook> {
    let files: Vec<File> =
        catalogue::texts().iter().map(|(name, text)| File { name: (*name).into(), text: (*text).into() }).collect();
    check_layer(&files, &Known::default()).rulebooks
}

fn preset(rulebook: &Rulebook, example: &Example) -> Preset {
    let level = || rulebook.rules.iter().find(|rule| rule.id == example.rule).map_or(Preset::Standard, |rule| rule.level);
    example.world.preset.unwrap_or_else(level)
}

/// One in so many of the examples is tried where not all are asked for.
fn step() -> usize {
    if std::env::var_os("REWRITTEN").is_some() { 1 } else { 8 }
}

fn rewritten(allowed: bool) {
    let rulebooks = rulebooks();
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
                    let gap = GAPS.iter().any(|(name, part)| *name == rewriter.name && command.contains(part));
                    if !fine && !gap {
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
