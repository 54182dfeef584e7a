//! `rule diff` on the catalogue's own rules, each changed by a machine in one place: every change of meaning is found, with a call
//! whose verdict changes in the engine, or is said to be unknown; none is said to be no change.
//!
//! And its rules are met by a call each, one that is found without knowing it.
//!
//! `MUTANTS=200` raises the number, `SEED=7` changes the places; `WITNESSES=1000` looks for one of each rule.

#![cfg(feature = "machine")]

#[path = "support/dice.rs"]
mod dice;

use std::sync::{Arc, OnceLock};

use cc_safety_net::cli::examples;
use cc_safety_net::cli::rule::diff::{Shown, Side, diff};
use cc_safety_net::image::{self, Image};
use cc_safety_net::language::{File, Known, Rulebook, check_layer};
use cc_safety_net::layers;
use cc_safety_net::model::rule::{Rule, RuleKind};
use cc_safety_net::model::{LayerKind, Settings};
use cc_safety_net::policy::{Layer, Layers, Rights};
use cc_safety_net::proof::{self, Direction, Subject, changes};
use dice::Dice;

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// How programs are read, without a rule: so that a rule is seen alone.
fn declarations() -> Arc<Vec<u8>> {
    static IMAGE: OnceLock<Arc<Vec<u8>>> = OnceLock::new();
    let compile = || {
        let bare = |book: Rulebook| Rulebook { rules: Vec::new(), examples: Vec::new(), overrides: Vec::new(), ..book };
        let books: Vec<Rulebook> = layers::catalogue_rulebooks().into_iter().map(bare).collect();
        Arc::new(image::compile(&books, &Settings::default()))
    };
    IMAGE.get_or_init(compile).clone()
}

/// A policy of one rulebook over the declarations.
fn side(book: &Rulebook) -> Side {
    let rules = Rulebook { commands: Vec::new(), languages: Vec::new(), tools: Vec::new(), ..book.clone() };
    let own = image::compile(std::slice::from_ref(&rules), &Settings::default());
    let layer = |kind, name: &str, image| Layer { kind, rights: Rights::Loosen, name: name.into(), image };
    let layers = vec![
        layer(LayerKind::Embedded, "declarations", Image::open(declarations()).expect("an image")),
        layer(LayerKind::User, "rules", Image::open(Arc::new(own)).expect("an image")),
    ];
    Side { rulebooks: vec![book.clone()], catalogue: false, layers: Layers::stack(layers, Vec::new()) }
}

/// Texts in which one rule is changed in one place.
fn mutants(rule: &str, dice: &mut Dice) -> Vec<String> {
    let mut all = Vec::new();
    let lines: Vec<&str> = rule.lines().collect();
    let until = lines.iter().position(|line| line.trim_start().starts_with("examples")).unwrap_or(lines.len());
    let with = |at: usize, line: Option<String>| {
        let mut changed: Vec<String> = lines.iter().map(|line| line.to_string()).collect();
        match line {
            Some(line) => changed[at] = line,
            None => drop(changed.remove(at)),
        }
        changed.join("\n")
    };
    for (at, line) in lines.iter().enumerate().take(until).skip(1) {
        let clause = line.trim_start();
        for (from, to) in [
            ("deny \"", "ask \""),
            ("deny \"", "warn \""),
            ("ask \"", "deny \""),
            ("ask or warn \"", "deny \""),
            ("warn \"", "deny \""),
        ] {
            if let Some(rest) = clause.strip_prefix(from) {
                all.push(with(at, Some(format!("  {to}{rest}"))));
            }
        }
        if clause.starts_with("unless ") || clause.starts_with("when ") || clause.starts_with("level ") {
            all.push(with(at, None));
        }
        if !clause.starts_with("match ") {
            continue;
        }
        all.push(with(at, None));
        for end in [" when attended", " unless cwd in /tmp/**", " unless env QUIET is 1"] {
            if !clause.contains(" when ") && !clause.contains(" unless ") {
                all.push(with(at, Some(format!("{line}{end}"))));
            }
        }
        if let Some(cut) = line.find(" when ").or(line.find(" unless ")) {
            all.push(with(at, Some(line[..cut].to_string())));
        }
        for word in ["recursively ", "forcibly ", "... "] {
            if line.contains(word) {
                all.push(with(at, Some(line.replacen(word, "", 1))));
            }
        }
        let words: Vec<&str> = clause.split(' ').collect();
        let pattern = words.iter().position(|word| ["when", "unless"].contains(word)).unwrap_or(words.len());
        for nth in 1..pattern {
            let replaced = |word: Option<String>| {
                let mut words: Vec<String> = words.iter().map(|word| word.to_string()).collect();
                match word {
                    Some(word) => words[nth] = word,
                    None => drop(words.remove(nth)),
                }
                format!("  {}", words.join(" "))
            };
            if words[nth].starts_with(['-', '!']) && words[nth].len() > 1 {
                all.push(with(at, Some(replaced(None))));
            }
            if nth > 1 && words[nth].bytes().all(|byte| byte.is_ascii_lowercase()) {
                all.push(with(at, Some(replaced(Some(format!("{}x", words[nth]))))));
            }
            if words[nth].starts_with("~/") || words[nth].starts_with("**/") || words[nth].starts_with('/') {
                all.push(with(at, Some(replaced(Some(format!("{}x", words[nth]))))));
            }
            if nth + 1 < pattern && words[nth + 1] == "|" {
                let mut words: Vec<&str> = words.clone();
                let opens = words[nth].starts_with('(') && words[nth] != "(";
                words.drain(nth..nth + 2);
                let first = if opens { format!("({}", words[nth]) } else { words[nth].to_string() };
                words[nth] = &first;
                all.push(with(at, Some(format!("  {}", words.join(" ")))));
            }
        }
        if pattern > 2 && words[1] != "tool" && !words[1].ends_with('s') {
            let mut words = words.clone();
            words.insert(pattern, "!--never-mind");
            all.push(with(at, Some(format!("  {}", words.join(" ")))));
        }
    }
    if !rule.contains("\n  level ") {
        all.push(rule.replacen("\n  match ", "\n  level strict\n  match ", 1));
    }
    let mut chosen = Vec::new();
    if !all.is_empty() {
        chosen.push(all.swap_remove(dice.roll(all.len())));
    }
    chosen
}

/// A rule without its places.
fn bare(rule: &Rule) -> String {
    fn without(value: &mut serde_json::Value) {
        match value {
            serde_json::Value::Object(fields) => {
                fields.remove("at");
                fields.values_mut().for_each(without);
            }
            serde_json::Value::Array(all) => all.iter_mut().for_each(without),
            _ => {}
        }
    }
    let mut value = serde_json::to_value(rule).expect("JSON");
    without(&mut value);
    value.to_string()
}

/// A rule of the catalogue changed in one place: its id, the rulebook before and after.
fn sample(files: &[File], books: &[Rulebook], known: &Known, dice: &mut Dice) -> Option<(String, Rulebook, Rulebook)> {
    let which = dice.roll(books.len());
    let (file, book) = (&files[which], &books[which]);
    if book.rules.is_empty() {
        return None;
    }
    let rule = &book.rules[dice.roll(book.rules.len())];
    if rule.kind == RuleKind::Allow {
        return None;
    }
    let (start, end) = (rule.at.start as usize, rule.at.end as usize);
    let changed = mutants(&file.text[start..end], dice).pop()?;
    let text = format!("{}{changed}{}", &file.text[..start], &file.text[end..]);
    let checked = check_layer(&[File { name: file.name.clone(), text }], known);
    if checked.diagnostics.iter().any(|each| each.is_error()) {
        return None;
    }
    let after = checked.rulebooks.into_iter().next()?;
    let now = after.rules.iter().find(|each| each.id == rule.id)?;
    (bare(rule) != bare(now)).then(|| (rule.id.clone(), book.clone(), after))
}

#[test]
fn every_change_is_found_and_none_is_said_to_be_none() {
    let files = layers::catalogue_files();
    let books = layers::catalogue_rulebooks();
    let known = Known::of(&books);
    let mut dice = Dice(number("SEED", 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let (mut done, mut shown, mut same_decision, mut unknown, mut same) = (0, 0, 0, Vec::new(), Vec::new());
    let wanted = number("MUTANTS", 6);
    while done < wanted {
        let Some((id, before, after)) = sample(&files, &books, &known, &mut dice) else { continue };
        done += 1;
        let (mut old, mut new) = (side(&before), side(&after));
        let proved = changes(&old.rulebooks, &new.rulebooks);
        let [change] = &proved[..] else { panic!("{id}: {proved:?}") };
        assert_eq!(change.subject, Subject::Rule(id.clone()));
        let mut found = diff(&mut old, &mut new, 1500);
        let Some(Shown { change: told, witness }) = found.pop() else { panic!("{id}: nothing is said") };
        if told.direction == Direction::Same {
            same.push(id);
            continue;
        }
        let Some(witness) = witness else {
            unknown.push(id);
            continue;
        };
        // A fresh engine says the same.
        let now = examples::verdict(&witness.candidate, &mut side(&after).layers);
        let then = examples::verdict(&witness.candidate, &mut side(&before).layers);
        assert_eq!((then.decision, now.decision), (witness.old.decision, witness.new.decision), "{id}");
        assert!(then != now, "{id}: {:?}", witness.candidate);
        match change.direction {
            Direction::Tightens => assert!(now.decision >= then.decision, "{id}: {:?}", witness.candidate),
            Direction::Loosens => assert!(now.decision <= then.decision, "{id}: {:?}", witness.candidate),
            Direction::Same | Direction::Unknown => {}
        }
        *(if now.decision != then.decision { &mut shown } else { &mut same_decision }) += 1;
    }
    println!("{done} changed: {shown} shown, {same_decision} with the same decision, unknown {unknown:?}, same {same:?}");
    // An unknown is honest; too many are a search that has become worse.
    assert!(shown * 2 >= wanted, "{shown} of {wanted} were shown; unknown: {unknown:?}");
}

#[test]
fn rules_have_witnesses() {
    let books = layers::catalogue_rulebooks();
    let mut layers = layers::embedded();
    let rules: Vec<&Rule> = books.iter().flat_map(|book| &book.rules).filter(|rule| rule.kind == RuleKind::Rule).collect();
    let wanted = number("WITNESSES", 8) as usize;
    let (mut shown, mut unknown, mut judged) = (0, Vec::new(), 0);
    for rule in rules.iter().step_by((rules.len() / wanted).max(1)) {
        // Without the examples: by the patterns alone, and those of the other rules.
        let others = |book: &Rulebook| {
            let examples = book.examples.iter().filter(|example| example.rule != rule.id).cloned().collect();
            Rulebook { examples, ..book.clone() }
        };
        let others: Vec<Rulebook> = books.iter().map(others).collect();
        let met = |candidate: &proof::Candidate, layers: &mut Layers| {
            examples::verdict(candidate, layers).findings.iter().any(|finding| finding.rule == rule.id)
        };
        let (found, tried) =
            proof::first(proof::for_rule(rule, &others, &others), 1500, |candidate| met(candidate, &mut layers).then_some(()));
        judged += tried;
        match found {
            Some((candidate, ())) => {
                let smaller = proof::shrink(candidate.clone(), |each| met(each, &mut layers));
                assert!(met(&smaller, &mut layers) && smaller.size() <= candidate.size(), "{}", rule.id);
                shown += 1;
            }
            None => unknown.push(rule.id.as_str()),
        }
    }
    println!("{shown} shown, {judged} calls judged, unknown: {unknown:?}");
    assert!(shown > 3 * unknown.len(), "unknown: {unknown:?}");
}
