//! The automata and the slow evaluator agree over generated rules and calls.
//!
//! Where only single words are unknown the three answers are the same. Where a splice, or a hole in a path, stands for more
//! than can be tried, the image may be less sure than the slow evaluator, never surer, and never says no where it says yes.

use cc_safety_net::image::globs::{Automaton, Building, Globs, dfa};
use cc_safety_net::image::nfa::{self, Budget, Nfa, Scope};
use cc_safety_net::model::effect::Verb;
use cc_safety_net::model::rule::*;
use cc_safety_net::model::verdict::Certainty;
use cc_safety_net::model::{Argument, Call};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::slow::{self, Answer};
use crate::support::*;

fn part() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => "[ab/]",
        2 => Just("*".to_string()),
        1 => Just("?".to_string()),
        1 => prop::sample::select(vec!["[a-b]", "[!a]", "[!b-c]"]).prop_map(str::to_string),
        1 => prop::sample::select(vec!["{a,b}", "{,a}", "{a*,b?}", "{a,{b,c}}"]).prop_map(str::to_string),
    ]
}

fn pattern() -> impl Strategy<Value = WordPattern> {
    vec(part(), 0..4).prop_map(|parts| glob(&parts.concat()))
}

fn set() -> impl Strategy<Value = WordSet> {
    (vec(pattern(), 1..4), vec(pattern(), 0..2)).prop_map(|(any, except)| WordSet { any, except })
}

/// Words of known text, holes and alternatives.
fn text() -> impl Strategy<Value = String> {
    let piece =
        prop_oneof![8 => "[abc/]{1,2}", 1 => Just("%".to_string()), 1 => Just("%%".to_string()), 1 => Just("%#".to_string())];
    let value = vec(piece, 0..3)
        .prop_map(|pieces| pieces.concat())
        .prop_filter("two holes are enough", |text| text.matches('%').count() <= 2 && !text.contains("%%%"));
    prop_oneof![3 => value.clone(), 1 => (value.clone(), value).prop_map(|(left, right)| format!("{left}^{right}"))]
}

fn same(left: Option<Certainty>, right: Answer) -> bool {
    matches!(
        (left, right),
        (None, Answer::No) | (Some(Certainty::Possible), Answer::Possible) | (Some(Certainty::Certain), Answer::Certain)
    )
}

fn command_pattern() -> impl Strategy<Value = CommandPattern> {
    let positional = prop_oneof![
        4 => set().prop_map(|words| PositionalPattern::Word { words: Some(words), bind: None }),
        1 => Just(PositionalPattern::Word { words: None, bind: None }),
        1 => Just(PositionalPattern::Word { words: None, bind: Some("x".into()) }),
        2 => Just(PositionalPattern::Skip),
        1 => Just(PositionalPattern::Dashes),
    ];
    let option = || {
        (prop::sample::select(vec!["-a", "--aa", "-b", "--*"]), prop::option::weighted(0.3, set()))
            .prop_map(|(spelling, value)| OptionPattern { spelling: glob(spelling), value })
    };
    let program = prop::sample::select(vec!["p", "p | q", "[a-p]", "* except q"]);
    (program, vec(positional, 0..4), vec(option(), 0..2), vec(option(), 0..2)).prop_map(
        |(program, positionals, options, absent)| {
            let mut seen = false;
            // A name is bound once, and only last, so that both evaluators mean the same by it.
            let positionals = positionals.into_iter().filter(|element| {
                let binds = matches!(element, PositionalPattern::Word { bind: Some(_), .. });
                let kept = !seen;
                seen |= binds;
                kept
            });
            CommandPattern { program: words(program), positionals: positionals.collect(), options, absent }
        },
    )
}

fn line(splices: bool) -> impl Strategy<Value = String> {
    let splice = if splices { "%..." } else { "a" };
    let argument = prop_oneof![
        6 => text().prop_filter("not empty", |text| !text.is_empty()),
        1 => Just(splice.to_string()),
        1 => Just("--".to_string()),
        1 => Just("-a,--aa".to_string()),
        1 => text().prop_filter("not empty", |text| !text.is_empty()).prop_map(|value| format!("-b={value}")),
    ];
    (prop::sample::select(vec!["p", "q", "z"]), vec(argument, 0..4)).prop_filter_map(
        "one splice, few holes",
        |(program, list)| {
            let line = format!("{program} {}", list.join(" "));
            (line.matches("--").count() <= 3 && line.matches("%...").count() <= 1 && line.matches('%').count() <= 4)
                .then_some(line)
        },
    )
}

fn found(rules: Vec<Rule>, call: &Call) -> Option<Certainty> {
    let files = Files::default();
    matches(rules, call, &files).iter().map(|found| found.certainty).max()
}

fn check_command(pattern: CommandPattern, line: &str, exact: bool) -> Result<(), TestCaseError> {
    let mut read = reading(line);
    // `reading` makes options of words before `--` alone; none is left over as a word.
    read.open = read.positionals.iter().any(|argument| matches!(argument, Argument::Splice(_)));
    let run = run(read);
    let slow = slow::command(&pattern, &run);
    let found = found(vec![rule("t.r", vec![Pattern::Command(pattern)])], &call(vec![run], Vec::new()));
    if exact {
        prop_assert!(same(found, slow), "{found:?} but slowly {slow:?}");
    } else {
        prop_assert_eq!(found.is_none(), slow == Answer::No, "{:?} but slowly {:?}", found, slow);
        prop_assert!(found != Some(Certainty::Certain) || slow == Answer::Certain, "{found:?} but slowly {slow:?}");
    }
    Ok(())
}

fn path_text() -> impl Strategy<Value = String> {
    let part = prop_oneof![5 => "[abc]", 1 => Just("..".to_string()), 1 => Just("ab".to_string())];
    let start = prop::sample::select(vec!["", "/", "/home/me/", "/home/", "me/", "/tmp/", "../"]);
    (start, vec(part, 0..4)).prop_map(|(start, parts)| format!("{start}{}", parts.join("/")))
}

fn path_pattern() -> impl Strategy<Value = WordPattern> {
    let part = prop_oneof![
        5 => "[abc]",
        2 => Just("**".to_string()),
        1 => Just("*".to_string()),
        1 => prop::sample::select(vec!["a*", "*b", "{a,b}", "{a/b,c}", "[a-b]", "?b"]).prop_map(str::to_string),
    ];
    let start = prop::sample::select(vec!["/", "**/", "~/", "@project/", "@tmp/", "@cwd/", ""]);
    (start, vec(part, 1..4)).prop_map(|(start, parts)| glob(&format!("{start}{}", parts.join("/"))))
}

fn path_set() -> impl Strategy<Value = PathSet> {
    (vec(path_pattern(), 1..4), vec(path_pattern(), 0..2)).prop_map(|(any, except)| PathSet {
        any,
        except,
        settings: Vec::new(),
    })
}

fn path_found(set: &PathSet, path: &str) -> (Option<Certainty>, Answer) {
    let pattern = EffectPattern { object: Some(set.clone()), ..effect_pattern(Verb::Reads, None) };
    let effect = effect(Verb::Reads, path);
    let slow = slow::effect(set, &effect);
    (found(vec![rule("t.r", vec![Pattern::Effect(pattern)])], &call(Vec::new(), vec![effect])), slow)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn words_with_holes(set in set(), text in text()) {
        let word = word(&text);
        let nfa = Nfa::new(&set.any, &set.except, Scope::Word, false);
        let budget = Budget::new(1_000_000);
        let answer = nfa::Answer::of_alternatives(word.values.iter().map(|value| nfa.answer(value, &budget)));
        let expected = match slow::word(&word, &set) {
            Answer::No => nfa::Answer::No,
            Answer::Possible => nfa::Answer::Possible,
            Answer::Certain => nfa::Answer::Certain,
        };
        prop_assert_eq!(answer, expected);
    }

    #[test]
    fn many_globs_at_once(patterns in vec(pattern(), 1..24), text in "[abc/]{0,4}", component in any::<bool>()) {
        let text = if component { text.replace('/', "c") } else { text };
        let scope = if component { Scope::Component } else { Scope::Word };
        let numbered = || patterns.iter().enumerate().map(|(number, pattern)| (pattern, number as u32));
        let expected: Vec<u32> = numbered()
            .filter(|(pattern, _)| slow::glob_matches(&pattern.parts, &text, !component))
            .map(|(_, number)| number)
            .collect();
        for automata in [None, Some(dfa as Automaton)] {
            let globs = Globs::new(numbered(), scope, &Building { automata, worth: 8, big: cfg!(target_endian = "big") });
            prop_assert_eq!(&globs.matching(&text, scope).expect("sound"), &expected);
        }
    }

    #[test]
    fn commands_without_splices(pattern in command_pattern(), line in line(false)) {
        let unknown = line.split(' ').filter(|word| word.contains(['%', '^'])).count();
        check_command(pattern, &line, unknown < 2)?;
    }

    #[test]
    fn commands_with_splices(pattern in command_pattern(), line in line(true)) {
        check_command(pattern, &line, false)?;
    }

    #[test]
    fn known_paths(set in path_set(), path in path_text()) {
        let (found, slow) = path_found(&set, &path);
        prop_assert!(same(found, slow), "{found:?} but slowly {slow:?}");
    }

    #[test]
    fn paths_with_holes(set in path_set(), head in path_text(), hole in prop::sample::select(vec!["%", "%%", "%#"]), tail in path_text()) {
        let (found, slow) = path_found(&set, &format!("{head}{hole}{tail}"));
        prop_assert!(found.is_some() || slow == Answer::No, "{found:?} but slowly {slow:?}");
        prop_assert!(found != Some(Certainty::Certain) || slow == Answer::Certain, "{found:?} but slowly {slow:?}");
    }
}
