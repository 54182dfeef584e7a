//! An argument vector read as its program would read it: options in every spelling, values attached or apart, clusters,
//! subcommands, the rest that is another command.
//!
//! In: a declaration and the arguments. Out: [`Arguments`], or the index of an argument that must be taken apart into its
//! alternatives first ([`Fork`]), because some of them are options and some are not.
//!
//! A hole where a word begins may be an option: it stays a positional and makes the reading `open`.

mod options;

use super::words::{as_word, lead, tail, value_span, with_value};
use crate::model::declaration::{Act, Command, OptionDeclaration, Syntax};
use crate::model::{Argument, OptionUse, Piece, Shape, Span, Value, Word};

/// The arguments as read with one declaration.
#[derive(Debug)]
pub struct Arguments<'d> {
    /// The command and the subcommands that were named, outermost first.
    pub chain: Vec<&'d Command>,
    /// Options in order.
    pub used: Vec<Used<'d>>,
    /// Positionals in order, subcommand words and the words of a command that is run included.
    pub positionals: Vec<Argument>,
    /// Where in `positionals` the operands begin.
    pub operands_from: usize,
    /// Where in `positionals` the command that is run begins; their length where there is none.
    pub command_from: usize,
    /// How many positionals stand before `--`.
    pub dashes: Option<usize>,
    /// Whether unknown words may be options.
    pub open: bool,
    /// `NAME=value` before the command that is run.
    pub assignments: Vec<(String, Word)>,
}

/// One option that was given.
#[derive(Debug)]
pub struct Used<'d> {
    /// As rules see it.
    pub option: OptionUse,
    /// Its declaration, where it has one.
    pub declared: Option<&'d OptionDeclaration>,
    /// The words that it runs ([`Act::RunsUntil`]).
    pub words: Vec<Argument>,
    /// Whether a `!` stands before it (expressions).
    pub negated: bool,
    /// The arguments that it takes: the first, and one past the last.
    pub place: (usize, usize),
}

/// The argument of this index must be one of its alternatives before the others can be read.
#[derive(Debug, PartialEq, Eq)]
pub struct Fork(pub usize);

/// Reads the arguments.
pub fn parse<'d>(command: &'d Command, arguments: &[Argument]) -> Result<Arguments<'d>, Fork> {
    let mut parser = Parser {
        syntax: command.syntax,
        arguments,
        at: 0,
        began: 0,
        ended: false,
        spliced: false,
        expression: false,
        negated: false,
        read: Arguments {
            chain: vec![command],
            used: Vec::new(),
            positionals: Vec::new(),
            operands_from: 0,
            command_from: usize::MAX,
            dashes: None,
            open: false,
            assignments: Vec::new(),
        },
    };
    parser.all()?;
    let mut read = parser.read;
    read.command_from = read.command_from.min(read.positionals.len());
    Ok(read)
}

struct Parser<'d, 'a> {
    syntax: Syntax,
    arguments: &'a [Argument],
    at: usize,
    /// The argument that is being read.
    began: usize,
    /// Past `--`, or past the first positional where that ends options.
    ended: bool,
    /// Past a splice: what follows may be a value of an option in it.
    spliced: bool,
    /// Within an expression: bare words belong to primaries.
    expression: bool,
    negated: bool,
    read: Arguments<'d>,
}

impl<'d, 'a> Parser<'d, 'a> {
    fn all(&mut self) -> Result<(), Fork> {
        if self.syntax == Syntax::BundledFirst {
            self.bundle();
        }
        while let Some(argument) = self.arguments.get(self.at) {
            self.began = self.at;
            match argument {
                Argument::Splice(_) => {
                    self.read.open |= !self.ended;
                    self.spliced = true;
                    if self.positional(argument)? {
                        return Ok(());
                    }
                }
                Argument::Word(word) => {
                    let value = self.single(word)?;
                    if !self.ended && self.option(word, value)? {
                        continue;
                    }
                    self.read.open |= !self.ended && begins_unknown(value);
                    if self.positional(argument)? {
                        return Ok(());
                    }
                }
            }
        }
        Ok(())
    }

    /// The word's value that decides what it is; all of them are of one kind, or the argument must be forked.
    fn single(&self, word: &'a Word) -> Result<&'a Value, Fork> {
        let first = word.values.first().ok_or(Fork(self.at))?;
        if word.values.len() > 1 && !self.ended && word.values.iter().any(|value| self.signed(value)) {
            return Err(Fork(self.at));
        }
        Ok(first)
    }

    /// Whether the value may be an option by its first characters.
    fn signed(&self, value: &Value) -> bool {
        let start = lead(value);
        match self.syntax {
            Syntax::Cmd => start.starts_with('/'),
            Syntax::KeyValue => start.starts_with('-') || start.contains('='),
            Syntax::Expression => start.starts_with('-') || matches!(&*start, "(" | ")" | "!" | ","),
            _ => start.starts_with('-'),
        }
    }

    // ── positionals ─────────────────────────────────────────────────────────────────────────────────────────────────────

    /// Takes a positional; true where the rest is a command and all has been read.
    fn positional(&mut self, argument: &'a Argument) -> Result<bool, Fork> {
        let command = self.innermost();
        if let Argument::Word(word) = argument {
            if self.names_subcommand(command) {
                if word.values.len() > 1 {
                    return Err(Fork(self.at));
                }
                if let Some(name) = word.known()
                    && let Some(found) = command.subcommands.find(&name)
                {
                    self.read.chain.push(found);
                    self.read.positionals.push(argument.clone());
                    self.read.operands_from = self.read.positionals.len();
                    self.at += 1;
                    return Ok(false);
                }
            }
            if self.at_command(command)
                && command.assignments
                && let Some(name) = assigned_name(word)
            {
                let value = tail(&word.values[0], name.len() + 1);
                self.read.assignments.push((name, with_value(word, value)));
                self.at += 1;
                return Ok(false);
            }
        }
        if self.at_command(command) {
            self.read.command_from = self.read.positionals.len();
            self.read.positionals.extend_from_slice(&self.arguments[self.at..]);
            return Ok(true);
        }
        self.at += 1;
        if self.syntax == Syntax::Expression && self.expression {
            // A bare word among primaries is the value of one that nobody declared.
            if let Some(last) = self.read.used.last_mut()
                && last.declared.is_none()
                && last.option.value.is_none()
            {
                last.option.value = Some(as_word(argument).into_owned());
            }
            return Ok(false);
        }
        self.read.positionals.push(argument.clone());
        if self.syntax == Syntax::Posix {
            self.ended = true;
        }
        Ok(false)
    }

    fn innermost(&self) -> &'d Command {
        // INVARIANT (a command at least): `chain` begins with the program's declaration and only grows.
        self.read.chain[self.read.chain.len() - 1]
    }

    /// Whether the next positional names a subcommand: no operand stands before it, but for unknown words.
    fn names_subcommand(&self, command: &Command) -> bool {
        !command.subcommands.is_empty()
            && self.read.dashes.is_none()
            && self.read.positionals[self.read.operands_from..].iter().all(|p| matches!(p, Argument::Splice(_)))
    }

    /// Whether the next positional begins the command that is run.
    fn at_command(&self, command: &Command) -> bool {
        let Some(runs) = &command.runs else { return false };
        let before = command
            .operands
            .iter()
            .filter(|operand| operand.name != runs.operand && operand.times == crate::model::declaration::Times::Once)
            .count();
        self.read.positionals.len() - self.read.operands_from >= before
    }
}

/// Whether the value begins with text that nobody knows, and so may be an option.
fn begins_unknown(value: &Value) -> bool {
    matches!(value.pieces.first(), Some(Piece::Hole(hole)) if hole.shape == Shape::Any)
}

/// The name in `NAME=value`.
fn assigned_name(word: &Word) -> Option<String> {
    let start = lead(word.values.first()?);
    let (name, _) = start.split_once('=')?;
    let fits = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    fits.then(|| name.to_string())
}

/// The names by which the expression narrows what it touches (`-name '*.o'`): each alternative (`-o`) must narrow, or nothing
/// does; what stands behind a `!` narrows nothing.
pub fn filters(arguments: &Arguments<'_>) -> Vec<Word> {
    let mut all = Vec::new();
    let mut narrowed = false;
    let mut unnarrowed = false;
    for used in &arguments.used {
        let narrows = used.declared.is_some_and(|d| d.does.iter().any(|does| does.act == Act::Narrows));
        let spelling = used.option.spellings.first().map(String::as_str).unwrap_or_default();
        if narrows && !used.negated {
            narrowed = true;
            all.extend(used.option.value.clone());
        } else if arguments.chain[0].syntax == Syntax::Expression && matches!(spelling, "-o" | "-or" | ",") {
            unnarrowed |= !narrowed;
            narrowed = false;
        }
    }
    if narrowed && !unnarrowed { all } else { Vec::new() }
}

/// Each alternative of the argument as an argument vector of its own.
pub fn forked(arguments: &[Argument], Fork(at): Fork) -> Vec<Vec<Argument>> {
    let Some(Argument::Word(word)) = arguments.get(at) else { return vec![arguments.to_vec()] };
    let one = |value: &Value| {
        let mut all = arguments.to_vec();
        let span: Span = value_span(value).unwrap_or(word.span);
        all[at] = Argument::Word(Word { values: vec![value.clone()], span, computed: word.computed });
        all
    };
    word.values.iter().map(one).collect()
}
