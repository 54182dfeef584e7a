//! Proof against the real shell: generated harmless scripts are run by `bash` (and by `dash`, where they are POSIX), the
//! arguments that a recording function receives are compared with what the evaluation predicts.
//!
//! `SHELL_CASES=20000` raises the number, `SHELL_SEED=7` changes the scripts. Every script is made by [`script::Maker`]: it uses
//! `printf`, `true`, `false`, functions and the grammar, and touches nothing; it runs in an empty directory.

#[path = "shell_scripts/mod.rs"]
mod script;
mod shell_recording;

use std::io::Write;
use std::process::{Command, Stdio};

use cc_safety_net::model::{Argument, Piece, Word};
use script::{Dialect, Maker};
use shell_recording::Recorder;

/// What the recording function does in the real shell: the number of arguments, then each, ended by a zero byte; on
/// descriptor 9, since scripts redirect their own output.
const RECORDER: &str = r#"
record() { printf '%s\0' "$#" "$@" >&9; }
"#;

/// Prints its input, by the shell's own means.
const READER: &str = r#"read_all_() { while IFS= read -r line_ || [ -n "$line_" ]; do printf '%s\n' "$line_"; done; }
"#;

fn count() -> usize {
    std::env::var("SHELL_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(400)
}

fn seed() -> u64 {
    std::env::var("SHELL_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(1)
}

/// What the shell passed, for each script: the scripts run one after another in one process, each in a subshell.
fn observed(program: &str, scripts: &[String]) -> Vec<Vec<Vec<String>>> {
    let directory = tempfile::tempdir().expect("a directory");
    let mut all = format!("{RECORDER}{READER}");
    for (index, script) in scripts.iter().enumerate() {
        // The script is a here-document's text, so that one that does not parse spoils no other.
        all.push_str(&format!("printf 'CASE\\0' >&9\n( eval \"$(command cat <<'END_{index}_'\n{script}\nEND_{index}_\n)\" ) 2>/dev/null </dev/null\n"));
    }
    let mut child = Command::new(program)
        .current_dir(directory.path())
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
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
    let here = directory.path().to_string_lossy();
    let mut tokens = output.stdout.split(|byte| *byte == 0).map(|token| String::from_utf8_lossy(token).replace(&*here, "/w"));
    let mut all: Vec<Vec<Vec<String>>> = Vec::new();
    while let Some(token) = tokens.next() {
        match token.parse::<usize>() {
            Ok(count) => all.last_mut().expect("a case is first").push(tokens.by_ref().take(count).collect()),
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
        Some((Argument::Word(word), rest)) => {
            words[0] += 1;
            let Some((first, others)) = real.split_first() else { return false };
            if word.values.len() > 1 || word.values.iter().any(|value| value.has_hole()) {
                words[1] += 1;
            }
            word_covers(word, first) && covers(rest, others, words)
        }
    }
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

fn compare(program: &str, dialect: Dialect) {
    let mut maker = Maker::new(seed(), dialect);
    let scripts: Vec<String> = (0..count()).map(|_| maker.script()).collect();
    let mut words = [0usize; 2];
    let mut failures = Vec::new();
    let mut broken = 0;
    let mut open = Vec::new();
    for (chunk, real) in scripts.chunks(200).map(|chunk| (chunk, observed(program, chunk))) {
        assert_eq!(chunk.len(), real.len(), "{program} did not reach every script");
        for (script, real) in chunk.iter().zip(real) {
            let (runs, log, parsed) = predicted(script);
            // Text that is no shell (an `eval` of half a quote) runs as far as the real shell reads it; we read on.
            if !parsed {
                broken += 1;
                continue;
            }
            let before = words[1];
            let same = runs.len() == real.len() && runs.iter().zip(&real).all(|(run, real)| covers(run, real, &mut words));
            if words[1] > before {
                open.push(format!("{script}\n{log}"));
            }
            if !same {
                failures.push(format!("---- script\n{script}\n---- {program} passed\n{real:?}\n---- predicted\n{log}"));
            }
        }
    }
    let shown = failures.iter().take(5).cloned().collect::<Vec<_>>().join("\n");
    assert!(failures.is_empty(), "{} of {} scripts differ\n{shown}", failures.len(), scripts.len());
    assert!(broken * 20 <= scripts.len(), "{broken} of {} scripts do not parse", scripts.len());
    let open = open.iter().take(3).cloned().collect::<Vec<_>>().join("\n");
    assert!(words[1] * 20 <= words[0], "{} of {} words are predicted as holes\n{open}", words[1], words[0]);
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
