//! Where witnesses are looked for: phases of candidates, likely and short ones first.

use std::collections::BTreeSet;

use super::worlds::{Fact, facts, with};
use super::{Candidate, Change, Subject, edits, patterns};
use crate::language::{Example, ExampleInput, ExampleWorld, Rulebook};
use crate::model::Decision;
use crate::model::declaration::Command;
use crate::model::rule::{Pattern, Preset, Rule};

/// Phases of a search, made when they are needed.
pub type Phases<'a> = Vec<Box<dyn FnOnce() -> Vec<Candidate> + 'a>>;

/// How many candidates a phase has.
const MANY: usize = 3000;

/// How many calls are taken as a beginning for others.
const BASES: usize = 10;

/// Words that often make a difference, whatever the rule.
const USUAL: [&str; 12] = ["x", ".", "..", "/", "~", "*", "/x", "~/x", "../x", "--", "-n", "--help"];

/// Candidates for one rule: its examples, what its patterns are about, both changed in one place, and calls of other rules on the
/// same kind of effect.
pub fn for_rule<'a>(rule: &'a Rule, books: &'a [Rulebook], donors: &'a [Rulebook]) -> Phases<'a> {
    let own = move || {
        let refused = examples(books, &|example| example.rule == rule.id && example.expected != Decision::Allow);
        refused.into_iter().chain(generated(rule, &worlds_of(rule, books))).collect::<Vec<_>>()
    };
    let changed = move || {
        let bases: Vec<Candidate> = shortest(own(), BASES);
        let facts = facts(rule);
        bases.iter().flat_map(|base| edits::elsewhere(base, &facts)).take(MANY).collect()
    };
    vec![Box::new(own), Box::new(changed), Box::new(move || borrowed(rule, books, donors))]
}

/// Candidates for a change: what each version's examples and patterns say, then those changed in one place by the words in which the
/// versions differ.
pub fn for_change<'a>(change: &'a Change, old: &'a [Rulebook], new: &'a [Rulebook], donors: &'a [Rulebook]) -> Phases<'a> {
    match &change.subject {
        Subject::Rule(id) => of_rule(id, old, new, donors),
        Subject::Override(id) => {
            let about = move |rule: &Rule| rule.id == *id || rule.also.iter().any(|also| also.id == *id);
            let ids: BTreeSet<&str> = [old, new, donors]
                .into_iter()
                .flatten()
                .flat_map(|book| &book.rules)
                .filter(|rule| about(rule))
                .map(|rule| rule.id.as_str())
                .collect();
            let of = move |books: &'a [Rulebook]| examples(books, &|example| ids.contains(example.rule.as_str()));
            vec![Box::new(move || {
                let all: Vec<Candidate> = [old, new, donors].into_iter().flat_map(&of).collect();
                all.iter().flat_map(edits::in_presets).chain(all.clone()).take(MANY).collect()
            })]
        }
        Subject::Command(names) => of_command(names, old, new, donors),
        Subject::Language(_) | Subject::Tool(_) => {
            vec![Box::new(move || [old, new].into_iter().flat_map(|books| examples(books, &|_| true)).collect())]
        }
    }
}

fn of_rule<'a>(id: &'a str, old: &'a [Rulebook], new: &'a [Rulebook], donors: &'a [Rulebook]) -> Phases<'a> {
    let versions = move || [old, new].into_iter().filter_map(move |books| Some((books, find(books, id)?)));
    let own = move || versions().flat_map(|(books, _)| examples(books, &|example| example.rule == id)).collect::<Vec<_>>();
    let made = move || versions().flat_map(|(books, rule)| generated(rule, &worlds_of(rule, books))).collect::<Vec<_>>();
    let all_facts = move || -> Vec<Fact> { versions().flat_map(|(_, rule)| facts(rule)).collect() };
    let bases = move || {
        let mut all = shortest(own(), BASES);
        all.extend(shortest(made(), BASES / 2));
        all
    };
    vec![
        Box::new(own),
        Box::new(move || own().iter().flat_map(edits::in_presets).take(MANY).collect()),
        Box::new(made),
        Box::new(move || {
            let words = differing(versions().map(|(_, rule)| patterns::vocabulary(rule)).collect());
            bases().iter().flat_map(|base| edits::reworded(base, &words)).take(MANY).collect()
        }),
        Box::new(move || {
            let facts = all_facts();
            bases().iter().flat_map(|base| edits::elsewhere(base, &facts)).take(MANY).collect()
        }),
        Box::new(move || versions().flat_map(|(books, rule)| borrowed(rule, books, donors)).take(MANY).collect()),
        Box::new(move || {
            let words: Vec<String> = USUAL.map(String::from).to_vec();
            let facts = all_facts();
            let changed: Vec<Candidate> = bases().iter().take(4).flat_map(|base| edits::reworded(base, &words)).collect();
            changed.iter().flat_map(|each| edits::elsewhere(each, &facts)).step_by(7).take(MANY).collect()
        }),
    ]
}

fn of_command<'a>(names: &'a [String], old: &'a [Rulebook], new: &'a [Rulebook], donors: &'a [Rulebook]) -> Phases<'a> {
    let mentions = |example: &Example| match &example.input {
        ExampleInput::Command(text) => names.iter().any(|name| text.contains(name.as_str())),
        ExampleInput::Tool { .. } => false,
    };
    let own = move || [old, new, donors].into_iter().flat_map(|books| examples(books, &mentions)).collect::<Vec<_>>();
    vec![
        Box::new(own),
        Box::new(move || {
            let words = [old, new].into_iter().map(|books| {
                let commands = books.iter().flat_map(|book| &book.commands).filter(|command| command.names == *names);
                commands.flat_map(option_words).collect::<BTreeSet<String>>()
            });
            let words = differing(words.collect());
            own().iter().flat_map(|base| edits::reworded(base, &words)).take(MANY).collect()
        }),
    ]
}

/// The spellings of all options, those of subcommands included, and the names of these.
fn option_words(command: &Command) -> Vec<String> {
    let mut all = Vec::new();
    let mut open = vec![command];
    while let Some(command) = open.pop() {
        for option in command.options.iter() {
            all.extend(option.spellings.iter().cloned());
        }
        all.extend(command.names.iter().cloned());
        open.extend(command.subcommands.here());
    }
    all
}

/// A declaration without its places.
pub fn unplaced(command: &mut Command) {
    command.at = None;
    if let crate::model::declaration::Subcommands::Here(all) = &mut command.subcommands {
        // Depth is bounded by the language's limit on nesting.
        all.iter_mut().for_each(unplaced);
    }
}

fn find<'a>(books: &'a [Rulebook], id: &str) -> Option<&'a Rule> {
    books.iter().flat_map(|book| &book.rules).find(|rule| rule.id == id)
}

/// Examples as candidates; those that name no preset are in their rule's.
fn examples(books: &[Rulebook], wanted: &dyn Fn(&Example) -> bool) -> Vec<Candidate> {
    let all = books.iter().flat_map(|book| book.examples.iter().map(move |example| (book, example)));
    let level = |book: &Rulebook, id: &str| {
        let presets = book.examples.iter().any(|example| example.rule == id && example.world.preset.is_some());
        let level = book.rules.iter().find(|rule| rule.id == id).map_or(Preset::Standard, |rule| rule.level);
        if presets { Preset::Standard } else { level }
    };
    all.filter(|(_, example)| wanted(example))
        .map(|(book, example)| Candidate::of(example, level(book, &example.rule)))
        .collect()
}

/// The worlds in which a rule is tried: the standing one, those of its examples, those that its conditions ask for.
fn worlds_of(rule: &Rule, books: &[Rulebook]) -> Vec<ExampleWorld> {
    let preset = Some(rule.level);
    let bare = ExampleWorld { preset, ..ExampleWorld::default() };
    let mut all = vec![bare.clone()];
    let own = examples(books, &|example| example.rule == rule.id);
    all.extend(own.into_iter().map(|candidate| ExampleWorld { preset, ..candidate.world }));
    all.extend(facts(rule).iter().take(16).map(|fact| with(&bare, fact)));
    let mut distinct: Vec<ExampleWorld> = Vec::new();
    for world in all {
        if !distinct.contains(&world) {
            distinct.push(world);
        }
    }
    distinct.truncate(24);
    distinct
}

/// What a rule's patterns are about, in each world.
fn generated(rule: &Rule, worlds: &[ExampleWorld]) -> Vec<Candidate> {
    let calls: Vec<ExampleInput> = rule.matches.iter().flat_map(|of| patterns::calls(rule, of)).collect();
    let each =
        |input: &ExampleInput, world: &ExampleWorld| Candidate { input: input.clone(), world: world.clone(), attended: true };
    let mut all: Vec<Candidate> =
        worlds.iter().flat_map(|world| calls.iter().map(move |input| each(input, world))).take(4 * MANY).collect();
    all.sort_by_cached_key(Candidate::size);
    all.truncate(MANY);
    all
}

/// Examples of other rules about the same kind of effect, with the rule's own paths in them.
fn borrowed(rule: &Rule, books: &[Rulebook], donors: &[Rulebook]) -> Vec<Candidate> {
    let mut all = Vec::new();
    for of in &rule.matches {
        let Pattern::Effect(pattern) = &of.pattern else { continue };
        let same = |other: &Rule| {
            other.matches.iter().any(|each| matches!(&each.pattern, Pattern::Effect(other) if other.verb == pattern.verb))
        };
        let ids: BTreeSet<&str> = donors
            .iter()
            .chain(books)
            .flat_map(|book| &book.rules)
            .filter(|other| same(other))
            .map(|other| other.id.as_str())
            .collect();
        let wanted = |example: &Example| example.expected != Decision::Allow && ids.contains(example.rule.as_str());
        let lent = shortest(examples(donors, &wanted), 12);
        let paths: Vec<String> = patterns::paths_of(pattern, rule, of).into_iter().take(12).collect();
        for base in &lent {
            let world = ExampleWorld { preset: Some(rule.level), ..base.world.clone() };
            let base = Candidate { world, ..base.clone() };
            all.extend(edits::reworded(&base, &paths).into_iter().chain([base.clone()]));
        }
    }
    all.truncate(MANY);
    all
}

fn shortest(mut all: Vec<Candidate>, many: usize) -> Vec<Candidate> {
    all.sort_by_cached_key(Candidate::size);
    all.dedup();
    all.truncate(many);
    all
}

/// The words that only one version has; all of them where both have the same.
fn differing(mut versions: Vec<BTreeSet<String>>) -> Vec<String> {
    let (Some(new), Some(old)) = (versions.pop(), versions.pop()) else { return USUAL.map(String::from).to_vec() };
    let mut words: Vec<String> = new.symmetric_difference(&old).cloned().collect();
    if words.is_empty() {
        words = new.into_iter().collect();
    }
    words.sort_by_key(String::len);
    words.truncate(24);
    words
}
