//! Input of any size and shape ends, in time that grows with its length, without a panic, and with spans that lie in it.

#[path = "shell_scripts/mod.rs"]
mod script;
mod shell_recording;

use cc_safety_net::model::{Argument, Piece, Span, Word};
use script::{Dialect, Maker};
use shell_recording::Recorder;

fn limits(script: &str) -> Vec<&'static str> {
    let mut recorder = Recorder::new();
    recorder.fuel = 100_000;
    recorder.evaluate(script);
    // The work that is counted grows with the length, or ends with the budget of steps.
    let spent = recorder.spent.min(recorder.fuel);
    let linear = 10_000 + 16 * script.len() as u64;
    assert!(script.len() < 4096 || spent <= linear, "{spent} steps for {} bytes", script.len());
    recorder.limits.iter().map(|limit| limit.name).collect()
}

fn filled(unit: &str, size: usize) -> String {
    unit.repeat(size / unit.len())
}

const MEBIBYTE: usize = 1 << 20;
/// Beyond what any budget of words or levels allows, and bearable without optimisation.
const LARGE: usize = 1 << 18;

#[test]
fn nesting_ends_with_levels() {
    for unit in [
        "(",
        "$(",
        "((",
        "{ ",
        "$((",
        "${a:-",
        "\"$(",
        "`",
        "<(",
        "if ",
        "while ",
        "case x in a) ",
        "f() ",
        "! ",
        "[[ ! ( ",
        "a=(",
        "\"${x:-",
        "@(",
    ] {
        let found = limits(&format!("git status\n{}", filled(unit, LARGE)));
        assert!(
            unit == "! " || unit == "`" || unit == "[[ ! ( " || found.contains(&"levels") || found.contains(&"words"),
            "{unit:?} gives {found:?}"
        );
    }
}

#[test]
fn a_mebibyte_ends() {
    for unit in ["(", "$(", "{a,b}", "a;"] {
        assert_ne!(limits(&filled(unit, MEBIBYTE)), Vec::<&str>::new(), "{unit:?}");
    }
}

#[test]
fn many_words_end_with_words() {
    for unit in ["a ", "a;", "x=1 ", "$a", "$(a)", "<a ", "a|", "{a,b}", "{a,b} ", "${a}"] {
        let found = limits(&format!("git status\n{}", filled(unit, LARGE)));
        assert!(found.contains(&"words") || found.contains(&"steps"), "{unit:?} gives {found:?}");
    }
}

#[test]
fn long_texts_end_with_text() {
    assert_eq!(limits(&filled("#", MEBIBYTE + 1)), ["text"]);
    assert_eq!(limits(&format!("x='{}'", filled("a", MEBIBYTE - 8))), Vec::<&str>::new());
}

#[test]
fn other_shapes_end() {
    for unit in [
        "'", "\"", "\\", "}", ")", "{", "[", "a[", "<<A\n", "<<A", "&", "|", ";", "$", "${", "*", "a=", "~", "#\n", "\n", "\0",
        "é", "{a", "{a}", "a{", "}{", ",", "&&", "!", "`a` ", "''", "\\a", ">&", "$'\\x", "a>", "$[", "[[ a ", "x[", "esac ",
        "[ ",
    ] {
        limits(&filled(unit, MEBIBYTE / 16));
        limits(&format!("echo {}", filled(unit, MEBIBYTE / 32)));
    }
}

#[test]
fn ten_thousand_conjunctions_are_walked() {
    let script = format!("a{}", " && a".repeat(10_000));
    let mut recorder = Recorder::new();
    recorder.evaluate(&script);
    assert_eq!(recorder.runs.len(), 10_001);
    limits(&format!("a{}", " && b > c".repeat(10_000)));
    limits(&format!("a{}", " && b=$b$c".repeat(10_000)));
    limits(&format!("cd a{}", " && cd b".repeat(10_000)));
}

#[test]
fn growing_values_end() {
    for script in [
        "x=aaaaaaaaaaaaaaaa; for i in {1..60}; do x=$x$x; done; rm $x",
        "x='echo $x$x$x'; for i in {1..60}; do x=$(eval \"$x\"); done; rm $x",
        "f() { f; f; }; f",
        "f() { g; g; }; g() { h; h; }; h() { f; f; }; f",
        "x='eval \"$x\"'; eval \"$x\"",
        "while true; do x=$x.; done; rm $x",
        "for a in {1..500}; do for b in {1..500}; do for c in {1..500}; do rm $a; done; done; done",
        "echo {1..99999999}",
        "echo {a..z}{a..z}{a..z}{a..z}{a..z}",
        "trap 'trap \"$x\" EXIT' EXIT",
        "a() { b; }; b() { a & a | a; }; a",
        "shell 'shell \"$0\" \"$0\"' 'shell \"$0\" \"$0\"'",
        "x=$(printf '%99999999s' a); y=${x//a/$x}; printf '%s' \"$y\"",
        "while read -r l; do while read -r m; do while maybe; do x=$l$m; done; done; done < f",
        "alias a='a a'; a; alias b='c '; alias c='b '; b",
    ] {
        limits(script);
    }
}

/// INVARIANT (spans in bounds): every span that is told lies in its text, on character boundaries.
fn check_spans(recorder: &Recorder) {
    let word = |word: &Word| {
        recorder.text_at(word.span);
        for value in &word.values {
            assert!(!word.values.is_empty());
            for piece in &value.pieces {
                match piece {
                    Piece::Text { span, text } => {
                        let written = recorder.text_at(*span);
                        // A text of its span's length is what stands there, unless case was changed or text was made.
                        let _ = (written, text);
                    }
                    Piece::Hole(hole) => {
                        recorder.text_at(hole.span);
                    }
                    Piece::Glob(_) => {}
                }
            }
        }
    };
    for run in &recorder.runs {
        recorder.text_at(run.span);
        word(&run.program);
        for argument in &run.arguments {
            recorder.text_at(argument.span());
            if let Argument::Word(one) = argument {
                word(one);
            }
        }
    }
    let spans: Vec<Span> = recorder.effects.iter().map(|effect| effect.span).chain(recorder.unparsed.iter().copied()).collect();
    for span in spans
        .into_iter()
        .chain(recorder.limits.iter().map(|limit| limit.span))
        .chain(recorder.notes.iter().map(|note| note.span))
    {
        recorder.text_at(span);
    }
}

#[test]
fn edited_scripts_never_panic() {
    let count: usize = std::env::var("SHELL_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(400);
    let mut maker = Maker::new(7, Dialect::Bash);
    let mut random = 12345u64;
    let mut below = |limit: usize| {
        random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((random >> 33) as usize) % limit.max(1)
    };
    let cases: Vec<&str> = [
        include_str!("cases/shell/words.sh"),
        include_str!("cases/shell/variables.sh"),
        include_str!("cases/shell/compound.sh"),
        include_str!("cases/shell/documents.sh"),
        include_str!("cases/shell/redirections.sh"),
        include_str!("cases/shell/builtins.sh"),
    ]
    .iter()
    .flat_map(|cases| cases.split("### "))
    .collect();
    let marks = [
        "'", "\"", "`", "$(", ")", "${", "}", "((", "\\", "\n", ";", "|", "&", "<<E", "é", "{", ",", "[[", "<(", "$'", "*",
        "\0", "done", "fi", "$@", "~", ">", "!",
    ];
    for turn in 0..count {
        let mut text: String = if turn % 2 == 0 { maker.script() } else { cases[below(cases.len())].to_string() };
        for _ in 0..1 + below(4) {
            let mut at = below(text.len() + 1);
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            match below(4) {
                0 => text.truncate(at),
                1 => {
                    let mut end = (at + below(9)).min(text.len());
                    while !text.is_char_boundary(end) {
                        end += 1;
                    }
                    text.replace_range(at..end, "");
                }
                2 => {
                    let mut end = (at + below(20)).min(text.len());
                    while !text.is_char_boundary(end) {
                        end += 1;
                    }
                    let copy = text[at..end].to_string();
                    text.insert_str(at, &copy);
                }
                _ => text.insert_str(at, marks[below(marks.len())]),
            }
        }
        let mut recorder = Recorder::new();
        recorder.fuel = 200_000;
        recorder.evaluate(&text);
        check_spans(&recorder);
    }
}
