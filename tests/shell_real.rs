//! Proof against the real shell: generated harmless scripts are run by `bash` (and by `dash`, where they are POSIX), the
//! arguments that a recording function receives are compared with what the evaluation predicts.
//!
//! `SHELL_CASES=20000` raises the number, `SHELL_SEED=7` changes the scripts. Every script is made by [`script::Maker`]: it uses
//! `printf`, `true`, `false`, functions and the grammar, and touches nothing; it runs in an empty directory.

#[path = "shell_scripts/mod.rs"]
mod script;
mod shell_recording;

use std::collections::BTreeMap;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Stdio};

use cc_safety_net::model::{Argument, Glob, Piece, Value, Word};
use script::{Dialect, Maker};
use shell_recording::Recorder;

/// What the recording function does in the real shell: the number of arguments, then each, ended by a zero byte; on
/// descriptor 9, since scripts redirect their own output. A program of the same name and effect stands in the path, for what
/// runs programs only.
const RECORDER: &str = r#"
record() { printf '%s\0' "$#" "$@" >&9; }
"#;
const PROGRAM: &str = "#!/bin/sh\nprintf '%s\\0' \"$#\" \"$@\" >&9\n";

/// Prints its input, by the shell's own means.
const READER: &str = r#"read_all_() { while IFS= read -r line_ || [ -n "$line_" ]; do printf '%s\n' "$line_"; done; }
"#;

/// How many scripts one shell runs.
const BATCH: usize = 200;

fn count() -> usize {
    std::env::var("SHELL_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(400)
}

fn seed() -> u64 {
    std::env::var("SHELL_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(1)
}

/// How many differences are shown.
fn shown() -> usize {
    std::env::var("SHELL_SHOWN").ok().and_then(|text| text.parse().ok()).unwrap_or(5)
}

/// What the shell passed, for each script: the scripts run one after another in one process, each in a subshell and in an
/// empty directory of its own.
fn observed(program: &str, scripts: &[String]) -> Vec<Vec<Vec<String>>> {
    let directory = tempfile::tempdir().expect("a directory");
    let mut all = format!("{RECORDER}{READER}");
    std::fs::create_dir(directory.path().join("bin")).expect("a directory");
    let recorder = directory.path().join("bin/record");
    std::fs::write(&recorder, PROGRAM).expect("a file");
    std::fs::set_permissions(&recorder, std::fs::Permissions::from_mode(0o755)).expect("its mode");
    for (index, script) in scripts.iter().enumerate() {
        std::fs::create_dir(directory.path().join(format!("case{index}"))).expect("a directory");
        // The script is a here-document's text, so that one that does not parse spoils no other.
        all.push_str(&format!("printf 'CASE\\0' >&9\n( cd case{index}; eval \"$(command cat <<'END_{index}_'\n{script}\nEND_{index}_\n)\" ) 2>/dev/null </dev/null\n"));
    }
    let mut child = Command::new(program)
        .current_dir(directory.path())
        .env_clear()
        .env("PATH", format!("{}/bin:/usr/bin:/bin", directory.path().display()))
        .env("HOME", "/home/u")
        .env("LC_ALL", "C.UTF-8")
        .arg("-c")
        .arg("exec 9>&1 >/dev/null; . /dev/stdin")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap_or_else(|fault| {
            panic!("the real shell is needed for this test, and `{program}` could not be started: {fault}")
        });
    let mut input = child.stdin.take().expect("piped");
    let writer = std::thread::spawn(move || input.write_all(all.as_bytes()));
    let output = child.wait_with_output().expect("the shell ends");
    writer.join().expect("no panic").expect("the shell reads");
    let mut tokens = output.stdout.split(|byte| *byte == 0).map(String::from_utf8_lossy);
    let mut all: Vec<Vec<Vec<String>>> = Vec::new();
    while let Some(token) = tokens.next() {
        match token.parse::<usize>() {
            Ok(count) => {
                let here = format!("{}/case{}", directory.path().display(), all.len() - 1);
                let words = tokens.by_ref().take(count).map(|token| token.replace(&here, "/w")).collect();
                all.last_mut().expect("a case is first").push(words);
            }
            Err(_) if token == "CASE" => all.push(Vec::new()),
            Err(_) => assert!(token.is_empty(), "{token:?}"),
        }
    }
    all
}

/// What our evaluation says that `record` receives.
fn predicted(script: &str) -> (Vec<Vec<Argument>>, String, bool) {
    let mut recorder = Recorder::new();
    recorder.machine.variables.clear();
    // A substitution hands the script to the real shell: without the newlines at its end.
    recorder.evaluate(&format!("{READER}{}", script.trim_end_matches('\n')));
    let runs = recorder.runs.iter().filter(|run| run.program.known().as_deref() == Some("record"));
    (runs.map(|run| run.arguments.clone()).collect(), recorder.log, recorder.unparsed.is_empty())
}

/// Whether a predicted list of arguments covers a real one. Counts words, and holes among them.
fn covers(predicted: &[Argument], real: &[String], words: &mut [usize; 2]) -> bool {
    match predicted.split_first() {
        None => real.is_empty(),
        Some((Argument::Splice(_), rest)) => {
            words[0] += 1;
            words[1] += 1;
            (0..=real.len()).any(|taken| covers(rest, &real[taken..], words))
        }
        Some((Argument::Word(word), rest)) if word.values.iter().any(Value::has_glob) => {
            words[0] += 1;
            // The names that match, or the pattern itself where there are none.
            let most =
                real.iter().take_while(|name| word_covers(word, name) || word.values.iter().any(|value| names(value, name)));
            (0..=most.count()).rev().any(|taken| covers(rest, &real[taken..], words))
        }
        Some((Argument::Word(word), rest)) => {
            words[0] += 1;
            let Some((first, others)) = real.split_first() else { return false };
            if word.values.iter().any(Value::has_hole) {
                words[1] += 1;
                // With text beside it, a hole that may split is kept in one word: `build-$(date)`.
                return (1..=real.len())
                    .any(|taken| word_covers(word, &real[..taken].join(" ")) && covers(rest, &real[taken..], words));
            }
            words[1] += usize::from(word.values.len() > 1);
            word_covers(word, first) && covers(rest, others, words)
        }
    }
}

/// The arguments without those that are certainly empty.
fn filled(arguments: &[Argument]) -> Vec<Argument> {
    let empty = |argument: &&Argument| argument.word().and_then(Word::known).is_some_and(|text| text.is_empty());
    arguments.iter().filter(|argument| !empty(argument)).cloned().collect()
}

/// Whether a name is one of those that a value with glob operators stands for.
fn names(value: &Value, name: &str) -> bool {
    fn matches(pieces: &[Piece], name: &str) -> bool {
        let Some((first, rest)) = pieces.split_first() else { return name.is_empty() };
        match first {
            Piece::Text { text, .. } => name.strip_prefix(text.as_str()).is_some_and(|after| matches(rest, after)),
            Piece::Glob(Glob::Star | Glob::DoubleStar) | Piece::Hole(_) => {
                name.char_indices().map(|(at, _)| at).chain([name.len()]).any(|at| matches(rest, &name[at..]))
            }
            Piece::Glob(glob) => name.chars().next().is_some_and(|one| {
                let fits = match glob {
                    Glob::Class { negated, ranges } => {
                        ranges.iter().any(|(low, high)| (*low..=*high).contains(&one)) != *negated
                    }
                    _ => true,
                };
                fits && matches(rest, &name[one.len_utf8()..])
            }),
        }
    }
    matches(&value.pieces, name)
}

fn word_covers(word: &Word, real: &str) -> bool {
    word.values.iter().any(|value| {
        let mut rest = real;
        let mut open = false;
        for piece in &value.pieces {
            match piece {
                Piece::Text { text, .. } if open => match rest.find(text.as_str()) {
                    Some(at) => rest = &rest[at + text.len()..],
                    None => return false,
                },
                Piece::Text { text, .. } => match rest.strip_prefix(text.as_str()) {
                    Some(after) => rest = after,
                    None => return false,
                },
                Piece::Hole(_) => open = true,
                // In an empty directory a glob stays as it is written.
                Piece::Glob(glob) => {
                    let mut text = String::new();
                    glob.write(&mut text);
                    match rest.strip_prefix(text.as_str()) {
                        Some(after) => rest = after,
                        None => return false,
                    }
                }
            }
            if !matches!(piece, Piece::Hole(_)) {
                open = false;
            }
        }
        rest.is_empty() || open
    })
}

/// What came of many scripts.
#[derive(Default)]
struct Tally {
    compared: usize,
    /// Scripts with a text that is no shell (an `eval` of half a quote): it runs as far as the real shell reads it; we read on.
    broken: usize,
    words: usize,
    holes: usize,
    used: BTreeMap<&'static str, usize>,
    differences: Vec<String>,
    /// Scripts with holes, some of them.
    open: Vec<String>,
}

fn compare(program: &str, dialect: Dialect) {
    let mut maker = Maker::new(seed(), dialect);
    let mut tally = Tally::default();
    let mut left = count();
    while left > 0 {
        let batch: Vec<_> = (0..left.min(BATCH))
            .map(|_| {
                let text = maker.script();
                (text, maker.open, std::mem::take(&mut maker.used))
            })
            .collect();
        left -= batch.len();
        let texts: Vec<String> = batch.iter().map(|(text, ..)| text.clone()).collect();
        let real = observed(program, &texts);
        assert_eq!(batch.len(), real.len(), "{program} did not reach every script");
        for ((script, open, used), real) in batch.into_iter().zip(real) {
            tally.add(&script, open, used, &real, program);
        }
    }
    tally.report(program);
}

impl Tally {
    fn add(&mut self, script: &str, open: bool, used: BTreeMap<&'static str, usize>, real: &[Vec<String>], program: &str) {
        let (runs, log, parsed) = predicted(script);
        if !parsed {
            // Nothing but a text that came of words may be half a command.
            if !script.contains("eval ") {
                self.differences.push(format!("---- script that is taken for no shell\n{script}\n---- read as\n{log}"));
            }
            self.broken += 1;
            return;
        }
        self.compared += 1;
        let productions: Vec<&str> = used.keys().copied().collect();
        for (production, times) in used {
            *self.used.entry(production).or_default() += times;
        }
        let mut words = [0; 2];
        // Where an element of `$@` ends in a separator, bash (not dash) has an empty word after it.
        let lax = program == "bash" && script.contains("IFS='") && (script.contains("$@") || script.contains("$*"));
        // Of a blank at the beginning of what stands behind `"$@"`, dash makes an empty word.
        let lax = lax || program != "bash" && ["$@\"$", "$@\"`"].iter().any(|text| script.contains(text));
        let without = |words: &[String]| words.iter().filter(|word| !word.is_empty()).cloned().collect::<Vec<_>>();
        let covers = |run: &[Argument], real: &[String], words: &mut [usize; 2]| {
            covers(run, real, words) || lax && covers(&filled(run), &without(real), words)
        };
        let same = if open {
            let mut predicted = runs.iter();
            real.iter().all(|real| predicted.any(|run| covers(run, real, &mut words)))
        } else {
            runs.len() == real.len() && runs.iter().zip(real).all(|(run, real)| covers(run, real, &mut words))
        };
        self.words += words[0];
        self.holes += words[1];
        if words[1] > 0 && !open {
            self.open.push(format!("{script}\n{log}"));
        }
        if !same {
            let productions = productions.join(" ");
            self.differences.push(format!(
                "---- script of {productions}\n{script}\n---- {program} passed\n{real:?}\n---- predicted\n{log}"
            ));
        }
    }

    fn report(&self, program: &str) {
        println!(
            "{program}: {} scripts compared, {} differ, {} do not parse",
            self.compared,
            self.differences.len(),
            self.broken
        );
        println!("{} words, {} of them holes ({:.2} %)", self.words, self.holes, 100.0 * self.holes as f64 / self.words as f64);
        for (production, times) in &self.used {
            println!("  {times:7} {production}");
        }
        let shown = self.differences.iter().take(shown()).cloned().collect::<Vec<_>>().join("\n");
        let all = self.compared + self.broken;
        assert!(self.differences.is_empty(), "{} of {all} scripts differ\n{shown}", self.differences.len());
        assert!(self.broken * 20 <= all, "{} of {all} scripts do not parse", self.broken);
        let open = self.open.iter().take(3).cloned().collect::<Vec<_>>().join("\n");
        assert!(self.holes * 20 <= self.words, "{} of {} words are predicted as holes\n{open}", self.holes, self.words);
        // 500 times each in 20,000 scripts.
        for (production, times) in self.used.iter().filter(|_| all >= 2000) {
            assert!(times * 40 >= self.compared, "`{production}` was exercised {times} times in {} scripts", self.compared);
        }
    }
}

#[test]
fn bash_passes_what_is_predicted() {
    compare("bash", Dialect::Bash);
}

#[test]
fn dash_passes_what_is_predicted() {
    // dash is one of several POSIX shells; where it is not installed, the same scripts are put to `sh`.
    let dash = Command::new("dash").arg("-c").arg(":").status().is_ok();
    compare(if dash { "dash" } else { "sh" }, Dialect::Posix);
}
