//! What the placeholders of a declaration stand for in one invocation, and which conditions on them hold.
//!
//! An option's value and an operand of the same name are one placeholder. An operand whose name an option has given
//! (`-t DEST`, `-e PATTERN`) takes no positional.

use std::borrow::Cow;

use super::arguments::Arguments;
use super::words::{self, Truth, in_set};
use crate::model::declaration::{Given, Operand, Syntax, Times};
use crate::model::{Argument, OptionUse, Span, Value, Word};
use crate::shell::{Given as Argued, LibraryCall};

/// One value of a placeholder.
#[derive(Debug, Clone)]
pub struct Bound<'d> {
    /// The placeholder's name.
    pub name: Cow<'d, str>,
    /// Its value; a splice is any number of them.
    pub argument: Argument,
    /// Whether it is certain that it is given.
    pub certain: bool,
    /// Which positional it is, where it is one.
    pub position: Option<usize>,
    /// Whether the operand takes any number of them.
    pub repeated: bool,
}

/// The placeholders and options of one invocation, or of one library call.
#[derive(Debug, Default)]
pub struct Bindings<'d> {
    /// Values in order.
    pub bound: Vec<Bound<'d>>,
    /// Options given.
    pub options: Vec<OptionUse>,
    /// Whether unknown words may be options.
    pub open: bool,
}

impl<'d> Bindings<'d> {
    /// Of the arguments of a command.
    pub fn of(arguments: &Arguments<'d>) -> Bindings<'d> {
        let mut bindings = Bindings { open: arguments.open, ..Bindings::default() };
        for used in &arguments.used {
            if let (Some(declared), Some(value)) = (used.declared, &used.option.value) {
                match declared.placeholder.split_once(' ') {
                    Some((first, second)) => {
                        for (name, argument) in [first, second].into_iter().zip(&used.words) {
                            bindings.bound.extend(named(name, &words::as_word(argument), used.option.certain));
                        }
                    }
                    None => bindings.bound.extend(named(&declared.placeholder, value, used.option.certain)),
                }
            }
        }
        let command = arguments.chain[arguments.chain.len() - 1];
        let runs = command.runs.as_ref().map(|runs| runs.operand.as_str());
        let given = bindings.bound.len();
        let operands: Vec<&Operand> = command
            .operands
            .iter()
            .filter(|operand| Some(operand.name.as_str()) != runs)
            .filter(|operand| !bindings.bound[..given].iter().any(|bound| bound.name == operand.name.as_str()))
            .collect();
        let first = arguments.operands_from;
        let positionals = &arguments.positionals[first..arguments.command_from.max(first)];
        // Where options end at the first operand, the dashes before it divide no operands.
        let dashes = arguments.dashes.filter(|_| command.syntax != Syntax::Posix).map(|at| at.saturating_sub(first));
        assign(&operands, positionals.len(), dashes, |operand, index| {
            let argument = positionals[index].clone();
            let certain = matches!(argument, Argument::Word(_));
            if operand.name.contains('=') {
                bindings.bound.extend(named(&operand.name, &words::as_word(&argument), certain));
            }
            bindings.bound.push(Bound {
                name: Cow::Borrowed(&operand.name),
                certain,
                argument,
                position: Some(first + index),
                repeated: operand.times == Times::Repeated,
            });
        });
        if let Some(name) = runs {
            for (index, argument) in arguments.positionals.iter().enumerate().skip(arguments.command_from) {
                bindings.bound.push(Bound {
                    name: Cow::Borrowed(name),
                    argument: argument.clone(),
                    certain: true,
                    position: Some(index),
                    repeated: true,
                });
            }
        }
        bindings.options = arguments.used.iter().map(|used| used.option.clone()).collect();
        bindings
    }

    /// Of the arguments of a library call. What is given by name is the placeholder of that name in upper case
    /// (`shell=True` is `SHELL`); what is false is not given.
    pub fn of_call(parameters: &'d [Operand], call: &LibraryCall) -> Bindings<'d> {
        let mut bindings = Bindings::default();
        for (name, given) in &call.named {
            let name = name.to_uppercase();
            for word in words_of(given) {
                if !is_false(&word) {
                    let argument = Argument::Word(word);
                    let bound =
                        Bound { name: Cow::Owned(name.clone()), certain: true, argument, position: None, repeated: false };
                    bindings.bound.push(bound);
                }
            }
        }
        let named = bindings.bound.len();
        let operands: Vec<&Operand> = parameters
            .iter()
            .filter(|parameter| !bindings.bound[..named].iter().any(|bound| bound.name == parameter.name.as_str()))
            .collect();
        let mut bound = Vec::new();
        assign(&operands, call.positional.len(), None, |operand, index| {
            bound.extend(words_of(&call.positional[index]).into_iter().map(|word| Bound {
                name: Cow::Borrowed(operand.name.as_str()),
                certain: true,
                argument: Argument::Word(word),
                position: Some(index),
                repeated: operand.times == Times::Repeated,
            }));
        });
        bindings.bound.extend(bound);
        bindings
    }

    /// The values of a placeholder.
    pub fn values<'s>(&'s self, name: &'s str) -> impl Iterator<Item = &'s Bound<'d>> {
        self.bound.iter().filter(move |bound| bound.name == name)
    }

    /// Whether a condition holds that something needs in order to happen. What may hold is [`Truth::Perhaps`]; what stands
    /// behind a *not* exempts, and holds unless the exemption is certain. `own` are the placeholders of the one option that
    /// the condition belongs to: of several `-c KEY=VALUE` each is judged by itself.
    pub fn holds(&self, given: &Given, own: &[Bound<'d>]) -> Truth {
        match given {
            Given::Not(inner) => {
                if self.exempts(inner, own) {
                    Truth::No
                } else {
                    Truth::Yes
                }
            }
            Given::All(all) => all.iter().map(|one| self.holds(one, own)).min().unwrap_or(Truth::Yes),
            Given::Any(any) => any.iter().map(|one| self.holds(one, own)).max().unwrap_or(Truth::No),
            Given::Option(spelling) => {
                let found = self.options.iter().filter(|option| option.spellings.contains(spelling));
                match found.map(|option| option.certain).max() {
                    Some(true) => Truth::Yes,
                    Some(false) => Truth::Perhaps,
                    None if self.open => Truth::Perhaps,
                    None => Truth::No,
                }
            }
            Given::Placeholder(name) => {
                let values = self.scoped(name, own);
                values.iter().map(|bound| if bound.certain { Truth::Yes } else { Truth::Perhaps }).max().unwrap_or(Truth::No)
            }
            Given::Is(name, set) => {
                let of = |bound: &&Bound<'d>| match &bound.argument {
                    Argument::Word(word) if bound.certain => in_set(word, set),
                    Argument::Word(word) => in_set(word, set).min(Truth::Perhaps),
                    Argument::Splice(_) => Truth::Perhaps,
                };
                self.scoped(name, own).iter().map(of).max().unwrap_or(Truth::No)
            }
        }
    }

    /// Whether a condition that exempts holds for certain: what is unknown, or computed by a program, exempts nothing.
    pub fn exempts(&self, given: &Given, own: &[Bound<'d>]) -> bool {
        match given {
            Given::Not(inner) => self.holds(inner, own) == Truth::No,
            Given::All(all) => all.iter().all(|one| self.exempts(one, own)),
            Given::Any(any) => any.iter().any(|one| self.exempts(one, own)),
            Given::Option(spelling) => self.options.iter().any(|o| o.certain && !o.computed && o.spellings.contains(spelling)),
            Given::Placeholder(name) => self.scoped(name, own).iter().any(|bound| bound.certain),
            Given::Is(name, set) => {
                let values = self.scoped(name, own);
                let surely = |bound: &&Bound<'d>| match &bound.argument {
                    Argument::Word(word) => bound.certain && !word.computed && in_set(word, set) == Truth::Yes,
                    Argument::Splice(_) => false,
                };
                !values.is_empty() && values.iter().all(surely)
            }
        }
    }

    /// The values of a placeholder: the one option's own, where it is one of its names.
    fn scoped<'s>(&'s self, name: &str, own: &'s [Bound<'d>]) -> Vec<&'s Bound<'d>> {
        if own.iter().any(|bound| bound.name == name) {
            own.iter().filter(|bound| bound.name == name).collect()
        } else {
            self.bound.iter().filter(|bound| bound.name == name).collect()
        }
    }

    /// The values of a placeholder as words, a splice as a word with a hole, each with whether it is certain.
    pub fn words(&self, name: &str) -> Vec<(Word, bool)> {
        self.values(name).map(|bound| (words::as_word(&bound.argument).into_owned(), bound.certain)).collect()
    }
}

fn words_of(given: &Argued) -> Vec<Word> {
    match given {
        Argued::Text(word) => vec![word.clone()],
        Argued::List(all) => all.clone(),
    }
}

/// Whether a value means that what it is the value of is not so.
fn is_false(word: &Word) -> bool {
    word.known().is_some_and(|text| matches!(&*text, "false" | "False" | "0" | "None" | "null" | "nil" | "undefined"))
}

/// A value under its placeholder's name; under `KEY=VALUE` its halves.
pub fn named<'d>(placeholder: &'d str, value: &Word, certain: bool) -> Vec<Bound<'d>> {
    let bound = |name: &'d str, word: Word, certain: bool| Bound {
        name: Cow::Borrowed(name),
        argument: Argument::Word(word),
        certain,
        position: None,
        repeated: false,
    };
    match placeholder.split_once('=') {
        _ if placeholder.is_empty() => Vec::new(),
        None => vec![bound(placeholder, value.clone(), certain)],
        Some((key, of)) => {
            let (first, second, sure) = halves(value);
            let mut all = vec![bound(key, first, certain && sure)];
            all.extend(second.map(|second| bound(of, second, certain && sure)));
            all
        }
    }
}

/// What stands before and behind the first `=`, and whether that is certain.
fn halves(word: &Word) -> (Word, Option<Word>, bool) {
    let (mut keys, mut values) = (Vec::new(), Vec::new());
    let mut sure = true;
    for value in &word.values {
        let start = words::lead(value);
        match start.find('=') {
            Some(at) => {
                let span = words::value_span(value).unwrap_or(word.span);
                keys.push(Value::text(&start[..at], Span { end: span.start, ..span }));
                values.push(words::tail(value, at + 1));
            }
            None => {
                sure &= words::is_text(value);
                keys.push(value.clone());
                if !words::is_text(value) {
                    values.push(value.clone());
                }
            }
        }
    }
    let second = (!values.is_empty()).then(|| Word { values, ..word.clone() });
    (Word { values: keys, ..word.clone() }, second, sure)
}

/// Gives each positional to an operand: required ones first, then left to right. What stands behind `--` is not optional.
fn assign<'d>(operands: &[&'d Operand], count: usize, dashes: Option<usize>, mut take: impl FnMut(&'d Operand, usize)) {
    let required = operands.iter().filter(|operand| operand.times == Times::Once).count();
    let mut spare = count.saturating_sub(required);
    let mut at = 0;
    for (index, operand) in operands.iter().enumerate() {
        let repeated_later = operands[index + 1..].iter().any(|later| later.times == Times::Repeated);
        let taken = match operand.times {
            Times::Once => 1,
            Times::Optional if spare > 0 && !(repeated_later && dashes.is_some_and(|dashes| at >= dashes)) => {
                spare -= 1;
                1
            }
            Times::Optional => 0,
            Times::Repeated => std::mem::take(&mut spare),
        };
        for _ in 0..taken {
            if at < count {
                take(operand, at);
                at += 1;
            }
        }
    }
}
