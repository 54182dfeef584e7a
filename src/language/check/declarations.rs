//! Commands, languages and tools: every placeholder and option that an effect names is declared beside it.

use super::words::meant;
use super::{Check, paths, words};
use crate::language::diagnostic::At;
use crate::language::tree::{self, CommandClause, EffectKind, Object, Raw};
use crate::language::word;
use crate::model::declaration::{
    Act, Argument, Command, Does, From, Operand, OptionDeclaration, Runs, Subcommands, Syntax, Times, ValueKind, Variable,
    Yield, YieldFunction,
};
use crate::model::effect::{Place, Source, Verb};
use crate::model::rule::PathSet;

/// The argument syntaxes by their words.
const SYNTAXES: [(&str, Syntax); 8] = [
    ("gnu", Syntax::Gnu),
    ("posix", Syntax::Posix),
    ("single-dash-long", Syntax::SingleDashLong),
    ("expression", Syntax::Expression),
    ("key-value", Syntax::KeyValue),
    ("bundled-first", Syntax::BundledFirst),
    ("powershell", Syntax::PowerShell),
    ("cmd", Syntax::Cmd),
];

/// The shells that a command may be bound to.
const SHELLS: [&str; 3] = ["posix", "powershell", "cmd"];

/// The syntax of a word.
pub fn syntax(word: &str) -> Option<Syntax> {
    SYNTAXES.iter().find(|(name, _)| *name == word).map(|(_, syntax)| *syntax)
}

/// The source of a word.
pub fn source(word: &str) -> Option<Source> {
    Some(match word {
        "network" => Source::Network,
        "stdin" => Source::Stdin,
        "file" => Source::File,
        "environment" => Source::Environment,
        "unknown" => Source::Unknown,
        _ => return None,
    })
}

/// The place of a word.
pub fn place(on: Option<Raw<'_>>) -> Place {
    match on.map(|raw| raw.text) {
        Some("remote") => Place::Remote,
        Some("container") => Place::Container,
        _ => Place::Here,
    }
}

/// What an effect may refer to: the placeholders and options of the command and of those that it is in.
#[derive(Debug, Clone, Default)]
pub struct Scope<'t> {
    pub placeholders: Vec<&'t str>,
    pub options: Vec<&'t str>,
    /// What an effect is applied to that names nothing.
    pub implied: Implied<'t>,
}

/// What an effect is applied to that names nothing.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub enum Implied<'t> {
    /// The own value of the option or field.
    #[default]
    Own,
    /// The only operand or parameter.
    Placeholder(&'t str),
    /// Standard input.
    Stdin,
    /// One of several: it must be named.
    Unclear,
}

impl<'t> Check<'_, 't> {
    /// A command with its subcommands.
    pub(super) fn command(&mut self, tree: &'t tree::Command<'t>, at: At) -> Option<Command> {
        self.command_in(tree, at, &Scope::default(), Syntax::Gnu, None)
    }

    // Depth is bounded by the splitter's limit on nesting.
    fn command_in(
        &mut self,
        tree: &'t tree::Command<'t>,
        at: At,
        outer: &Scope<'t>,
        syntax: Syntax,
        shell: Option<String>,
    ) -> Option<Command> {
        let mut command = Command { syntax, shell, at: Some(self.rule_at(at)), ..Command::default() };
        for name in &tree.names {
            if let Some(text) = words::literal(*name, "a command's name", self.faults) {
                command.names.push(text);
            }
        }
        let mut scope = Scope { implied: Implied::Own, ..outer.clone() };
        self.collect_scope(tree, &mut scope);
        for clause in &tree.clauses {
            match clause {
                CommandClause::Syntax(raw) => match self::syntax(raw.text) {
                    Some(syntax) => command.syntax = syntax,
                    None => self.unknown("syntax", *raw, "an argument syntax", SYNTAXES.iter().map(|(name, _)| *name)),
                },
                CommandClause::Shell(raw) if SHELLS.contains(&raw.text) => command.shell = Some(raw.text.to_string()),
                CommandClause::Shell(raw) => self.unknown("shell", *raw, "a shell", SHELLS),
                _ => {}
            }
        }
        for clause in &tree.clauses {
            self.command_clause(clause, &mut command, &scope);
        }
        Some(command)
    }

    fn collect_scope(&mut self, tree: &'t tree::Command<'t>, scope: &mut Scope<'t>) {
        let mut own: Vec<Raw<'t>> = Vec::new();
        let (mut operands, mut runs, mut stdin): (Option<At>, Option<At>, Option<At>) = (None, None, None);
        for clause in &tree.clauses {
            match clause {
                CommandClause::Option { spellings, value, .. } => {
                    for spelling in spellings {
                        let name = bare_spelling(spelling.text);
                        if let Some(first) = own.iter().find(|other| bare_spelling(other.text) == name) {
                            self.faults
                                .error(
                                    "rulebook::duplicate",
                                    spelling.at,
                                    "declared again",
                                    format!("the option `{name}` is declared twice"),
                                )
                                .also(first.at, "declared first here")
                                .help("leave one of them out");
                        }
                        own.push(*spelling);
                        scope.options.push(name);
                        scope.placeholders.extend(attached(spelling.text));
                    }
                    if let Some(value) = value {
                        scope.placeholders.extend(value_names(value.text));
                    }
                }
                CommandClause::Operands { parameters, at, .. } => {
                    scope.placeholders.extend(parameters.iter().map(|raw| raw.text.trim_end_matches(['.', '?'])));
                    self.only_once("operands", &mut operands, *at);
                }
                CommandClause::Runs(clause) => {
                    scope.placeholders.push(clause.operand.text.trim_end_matches(['.', '?']));
                    self.only_once("runs", &mut runs, clause.at);
                }
                CommandClause::Stdin { at, .. } => self.only_once("stdin", &mut stdin, *at),
                _ => {}
            }
        }
    }

    fn only_once(&mut self, clause: &str, seen: &mut Option<At>, at: At) {
        match *seen {
            Some(first) => {
                self.faults
                    .error("rulebook::duplicate", at, "stated again", format!("`{clause}` stands twice in one command"))
                    .also(first, "stated first here")
                    .help("join both into one clause");
            }
            None => *seen = Some(at),
        }
    }

    fn command_clause(&mut self, clause: &'t CommandClause<'t>, command: &mut Command, scope: &Scope<'t>) {
        match clause {
            CommandClause::Subcommand(tree) => {
                let inner = self.command_in(tree, tree.at, scope, command.syntax, command.shell.clone());
                if let (Subcommands::Here(all), Some(inner)) = (&mut command.subcommands, inner) {
                    all.push(inner);
                }
            }
            CommandClause::Option { spellings, value, does, .. } => {
                let attached_value = spellings.iter().find_map(|raw| attached(raw.text));
                let (kind, placeholder) = match (value, attached_value) {
                    (Some(value), _) if value.text.ends_with("...") => (ValueKind::Rest, value.text.trim_end_matches('.')),
                    (Some(value), _) if value.text.contains(' ') => (ValueKind::Pair, value.text),
                    (Some(value), _) => (ValueKind::Required, value.text),
                    (None, Some(name)) => (ValueKind::Attached, name),
                    (None, None) => (ValueKind::None, ""),
                };
                let (does, yields) = self.does(does, &Scope { implied: Implied::Own, ..scope.clone() }, placeholder);
                command.yields.extend(yields.into_iter().map(|one| only_with(one, spellings)));
                command.options.push(OptionDeclaration {
                    spellings: spellings.iter().map(|raw| bare_spelling(raw.text).to_string()).collect(),
                    value: kind,
                    placeholder: placeholder.to_string(),
                    does: does.into(),
                });
            }
            CommandClause::Operands { parameters, does, .. } => {
                command.operands = parameters.iter().map(|raw| operand(raw.text)).collect();
                let implied = match command.operands.as_slice() {
                    [_] => Implied::Placeholder(parameters[0].text.trim_end_matches(['.', '?'])),
                    _ => Implied::Unclear,
                };
                let (does, yields) = self.does(does, &Scope { implied, ..scope.clone() }, "");
                command.does.extend(does);
                command.yields.extend(yields);
            }
            CommandClause::Always { does } => {
                let (does, yields) = self.does(does, &Scope { implied: Implied::Own, ..scope.clone() }, "");
                command.does.extend(does);
                command.yields.extend(yields);
            }
            CommandClause::Stdin { does, .. } => {
                let (does, yields) = self.does(does, &Scope { implied: Implied::Stdin, ..scope.clone() }, "");
                command.stdin.extend(does);
                command.yields.extend(yields);
            }
            CommandClause::Runs(clause) => {
                command.runs = Some(Runs {
                    operand: clause.operand.text.trim_end_matches(['.', '?']).to_string(),
                    arguments_from_stdin: clause.from_stdin,
                    joined: clause.joined,
                    arguments_after: clause.after.clone(),
                    placeholder: clause.placeholder.as_ref().map(|text| word::unescape(text.text)),
                });
                command.runs_on = place(clause.on);
            }
            CommandClause::Environment { names, value, does } => {
                let value = value.map_or("VALUE", |raw| raw.text);
                let mut scope = Scope { implied: Implied::Own, ..scope.clone() };
                scope.placeholders.extend(value_names(value));
                let (does, _) = self.does(does, &scope, value);
                let names = names.iter().filter_map(|raw| words::pattern(*raw, self.faults)).collect();
                command.environment.push(Variable { names, placeholder: value.to_string(), does });
            }
            CommandClause::Assignments => command.assignments = true,
            CommandClause::Yields(what, given) => {
                let checked = self.yields(what, given, scope);
                command.yields.extend(checked);
            }
            CommandClause::Syntax(_) | CommandClause::Shell(_) => {}
        }
    }

    /// Effects, and what is printed. `own` is the placeholder of the option that they stand at.
    pub(super) fn does(&mut self, effects: &'t [tree::Effect<'t>], scope: &Scope<'t>, own: &str) -> (Vec<Does>, Vec<Yield>) {
        let (mut does, mut yields) = (Vec::new(), Vec::new());
        for effect in effects {
            if let EffectKind::Yields(what) = &effect.kind {
                yields.extend(self.yields(what, &effect.given, scope));
                continue;
            }
            let (when, unless) = self.given(&effect.given, scope);
            for (act, argument, how) in self.acts(effect, scope, own) {
                let (mut recursively, mut forcibly, mut from) = (false, false, None);
                if let Some(how) = how {
                    recursively = how.qualifiers.iter().any(|raw| raw.text == "recursively");
                    forcibly = how.qualifiers.iter().any(|raw| raw.text == "forcibly");
                    from = how.from.and_then(|raw| match source(raw.text) {
                        Some(source) => Some(From::Source(source)),
                        None => self.in_scope(raw, scope).map(|name| From::Placeholder(name.to_string())),
                    });
                }
                does.push(Does { act, argument, recursively, forcibly, from, when: when.clone(), unless: unless.clone() });
            }
        }
        (does, yields)
    }

    fn acts(
        &mut self,
        effect: &'t tree::Effect<'t>,
        scope: &Scope<'t>,
        own: &str,
    ) -> Vec<(Act, Argument, Option<&'t tree::How<'t>>)> {
        match &effect.kind {
            EffectKind::Yields(_) => Vec::new(),
            EffectKind::Narrows => vec![(Act::Narrows, self.implied(effect.at, scope), None)],
            EffectKind::Cancels => vec![(Act::Cancels, Argument::None, None)],
            EffectKind::Splits(argument) => vec![(Act::Splits, self.named_or_implied(*argument, effect.at, scope, own), None)],
            EffectKind::Replaces(argument) => {
                vec![(Act::Replaces, self.named_or_implied(*argument, effect.at, scope, own), None)]
            }
            EffectKind::Aliases(argument) => {
                vec![(Act::Aliases, self.named_or_implied(*argument, effect.at, scope, own), None)]
            }
            EffectKind::Links { object, name } => {
                let as_argument = self.object(name, scope, own).into_iter().next().unwrap_or(Argument::None);
                let objects = self.object(object, scope, own);
                objects.into_iter().map(|object| (Act::Links { as_argument: as_argument.clone() }, object, None)).collect()
            }
            EffectKind::ExecutesFileAs { object, language, entry } => {
                let entry = entry.and_then(|raw| match raw.text.starts_with(|c: char| c.is_ascii_uppercase()) {
                    true => self.in_scope(raw, scope).map(str::to_string),
                    false => Some(raw.text.to_string()),
                });
                let act = Act::ExecutesFile { language: Some(language.text.to_string()), entry };
                let arguments = match object {
                    Some(object) => self.object(object, scope, own),
                    None => vec![self.implied(effect.at, scope)],
                };
                arguments.into_iter().map(|argument| (act.clone(), argument, None)).collect()
            }
            EffectKind::Assigns(argument) => {
                let argument = self.named_or_implied(*argument, effect.at, scope, own);
                vec![(Act::Assigns, argument, None)]
            }
            EffectKind::Runs(argument) => vec![(Act::Runs, self.named_or_implied(*argument, effect.at, scope, own), None)],
            EffectKind::Executes { language, function, argument, how } => {
                let language = language.map_or("any", |raw| self.language_name(raw)).to_string();
                // Code that is somewhere else (`executes javascript from network`) needs no operand.
                let elsewhere = argument.is_none() && how.from.is_some() && scope.implied == Implied::Unclear;
                let mut argument =
                    if elsewhere { Argument::None } else { self.named_or_implied(*argument, effect.at, scope, own) };
                if let Some(function) = function.and_then(|raw| yield_function(raw.text)) {
                    argument = match argument {
                        Argument::Placeholder { name, .. } => Argument::Decoded { name, from: function },
                        _ => Argument::Decoded { name: own.to_string(), from: function },
                    };
                }
                let argument = self.behind(argument, how, own);
                vec![(Act::Executes(language), argument, Some(how))]
            }
            EffectKind::Plain { verb, object, how } => {
                let Some(verb) = Verb::parse(verb.text) else { return Vec::new() };
                let arguments = match object {
                    Some(object) => self.object(object, scope, own),
                    None => vec![self.implied(effect.at, scope)],
                };
                arguments.into_iter().map(|argument| (Act::Effect(verb), self.behind(argument, how, own), Some(how))).collect()
            }
            EffectKind::RunsUntil { terminators, terminator, placeholder, object } => {
                let mut words: Vec<String> = terminator.iter().map(|text| word::unescape(text.text)).collect();
                for alternative in terminators.iter().flat_map(|group| &group.alternatives) {
                    match alternative.as_slice() {
                        [tree::Element::Operand(tree::Operand::Word(raw))] => {
                            words.extend(words::literal(*raw, "a terminator", self.faults))
                        }
                        _ => {
                            self.faults
                                .error(
                                    "rulebook::bad-terminator",
                                    effect.at,
                                    "single words only",
                                    "a terminator is a single word",
                                )
                                .help("write `runs until (\";\" | \"+\") with \"{}\" as PATH`");
                        }
                    }
                }
                let placeholder = word::unescape(placeholder.text);
                let arguments = self.object(object, scope, own);
                arguments
                    .into_iter()
                    .take(1)
                    .map(|as_argument| {
                        let act = Act::RunsUntil { terminators: words.clone(), placeholder: placeholder.clone(), as_argument };
                        (act, Argument::None, None)
                    })
                    .collect()
            }
        }
    }

    /// An argument of which only what stands behind a beginning is meant.
    fn behind(&mut self, argument: Argument, how: &tree::How<'t>, own: &str) -> Argument {
        let Some(beginning) = how.after.and_then(|raw| words::pattern(raw, self.faults)) else { return argument };
        match argument {
            Argument::Placeholder { name, .. } => Argument::After { name, beginning },
            Argument::None => Argument::After { name: own.rsplit(['=', ' ']).next().unwrap_or(own).to_string(), beginning },
            other => other,
        }
    }

    fn named_or_implied(&mut self, named: Option<Raw<'t>>, at: At, scope: &Scope<'t>, own: &str) -> Argument {
        match named {
            Some(raw) if raw.text == own => Argument::None,
            Some(raw) => self
                .in_scope(raw, scope)
                .map_or(Argument::None, |name| Argument::Placeholder { name: name.to_string(), below: None }),
            None => self.implied(at, scope),
        }
    }

    fn implied(&mut self, at: At, scope: &Scope<'t>) -> Argument {
        match scope.implied {
            Implied::Own => Argument::None,
            Implied::Stdin => Argument::Stdin,
            Implied::Placeholder(name) => Argument::Placeholder { name: name.to_string(), below: None },
            Implied::Unclear => {
                let help = match scope.placeholders.last() {
                    Some(name) => format!("name it: for example `{name}` after the verb"),
                    None => "name what it is done to after the verb".to_string(),
                };
                self.faults
                    .error(
                        "rulebook::unclear-object",
                        at,
                        "to which of them?",
                        "there are several operands, and the effect names none",
                    )
                    .help(help);
                Argument::None
            }
        }
    }

    /// What an effect is applied to. A set with exceptions may be several.
    fn object(&mut self, object: &Object<'t>, scope: &Scope<'t>, own: &str) -> Vec<Argument> {
        let raw = match object {
            Object::Stdin => return vec![Argument::Stdin],
            Object::Computed(function, raw) => {
                let name = self.in_scope(*raw, scope).map(str::to_string);
                return match (name, yield_function(function.text)) {
                    (Some(name), Some(function)) => vec![Argument::Decoded { name, from: function }],
                    _ => Vec::new(),
                };
            }
            Object::Placed(raw) => {
                let (name, below) = match raw.text.find('/') {
                    Some(cut) => (&raw.text[..cut], Some(raw.text[cut..].to_string())),
                    None => (raw.text, None),
                };
                if name == own && below.is_none() {
                    return vec![Argument::None];
                }
                let at = At { start: raw.at.start, end: raw.at.start + name.len() };
                return match self.in_scope(Raw { text: name, at }, scope) {
                    Some(name) => vec![Argument::Placeholder { name: name.to_string(), below }],
                    None => Vec::new(),
                };
            }
            Object::Reference(raw) | Object::Word(raw) => *raw,
        };
        self.single(raw).unwrap_or_default().into_iter().map(Argument::Paths).collect()
    }

    /// A placeholder that the declaration has.
    pub(super) fn in_scope(&mut self, raw: Raw<'t>, scope: &Scope<'t>) -> Option<&'t str> {
        if scope.placeholders.contains(&raw.text) {
            return Some(raw.text);
        }
        let near = meant(raw.text, scope.placeholders.iter().copied());
        let help = if scope.placeholders.is_empty() { format!("declare it: `operands {}`", raw.text) } else { near };
        self.faults
            .error(
                "rulebook::unknown-placeholder",
                raw.at,
                "not declared here",
                format!("there is no operand and no value `{}`", raw.text),
            )
            .help(help);
        None
    }

    fn yields(&mut self, what: &'t tree::Yield<'t>, given: &'t [tree::Given<'t>], scope: &Scope<'t>) -> Option<Yield> {
        let (when, unless) = self.given(given, scope);
        let when = match (when, unless) {
            (when, None) => when,
            (None, Some(unless)) => Some(crate::model::declaration::Given::Not(Box::new(unless))),
            (Some(when), Some(unless)) => {
                use crate::model::declaration::Given;
                Some(Given::All(vec![when, Given::Not(Box::new(unless))]))
            }
        };
        let (function, argument) = match what {
            tree::Yield::Literal(text) => (YieldFunction::Literal(word::unescape(text.text)), Argument::None),
            tree::Yield::Function(function, argument) => {
                let function = yield_function(function.text)?;
                let argument = match argument {
                    Some(raw) => self.yield_argument(*raw, scope),
                    None => match scope.implied {
                        Implied::Placeholder(name) => Argument::Placeholder { name: name.to_string(), below: None },
                        Implied::Stdin => Argument::Stdin,
                        _ => Argument::None,
                    },
                };
                (function, argument)
            }
            tree::Yield::Argument(raw) => (YieldFunction::Text, self.yield_argument(*raw, scope)),
            tree::Yield::Word(raw) => {
                let pattern = paths::pattern(*raw, self.faults)?;
                (YieldFunction::Temporary, Argument::Paths(PathSet { any: vec![pattern], ..PathSet::default() }))
            }
        };
        Some(Yield { function, argument, when })
    }

    fn yield_argument(&mut self, raw: Raw<'t>, scope: &Scope<'t>) -> Argument {
        if raw.text == "stdin" {
            return Argument::Stdin;
        }
        let (name, below) = match raw.text.find('/') {
            Some(cut) => (&raw.text[..cut], Some(raw.text[cut..].to_string())),
            None => (raw.text, None),
        };
        let at = At { start: raw.at.start, end: raw.at.start + name.len() };
        let named = self.in_scope(Raw { text: name, at }, scope);
        named.map_or(Argument::None, |name| Argument::Placeholder { name: name.to_string(), below })
    }
}

/// What an option prints, it prints only where it is given.
fn only_with(mut printed: Yield, spellings: &[Raw<'_>]) -> Yield {
    use crate::model::declaration::Given;
    if let Some(option) = spellings.first() {
        let option = Given::Option(bare_spelling(option.text).to_string());
        printed.when = Some(match printed.when.take() {
            Some(when) => Given::All(vec![option, when]),
            None => option,
        });
    }
    printed
}

fn yield_function(word: &str) -> Option<YieldFunction> {
    Some(match word {
        "text" => YieldFunction::Text,
        "base-name" => YieldFunction::BaseName,
        "dir-name" => YieldFunction::DirName,
        "base64-decoded" => YieldFunction::Base64Decoded,
        "hex-decoded" => YieldFunction::HexDecoded,
        "reversed" => YieldFunction::Reversed,
        "translated" => YieldFunction::Translated,
        "temporary" => YieldFunction::Temporary,
        "network" => YieldFunction::Network,
        _ => return None,
    })
}

pub(super) fn operand(text: &str) -> Operand {
    let (name, times) = if let Some(name) = text.strip_suffix("...") {
        (name, Times::Repeated)
    } else if let Some(name) = text.strip_suffix('?') {
        (name, Times::Optional)
    } else {
        (text, Times::Once)
    };
    Operand { name: name.to_string(), times }
}

/// The placeholders of an option's value: `KEY=VALUE`, `NAME VALUE`, `CODE...`.
fn value_names(text: &str) -> impl Iterator<Item = &str> {
    text.trim_end_matches('.').split(['=', ' ']).filter(|name| !name.is_empty())
}

/// A spelling without its value: `--color[=WHEN]` is `--color`.
fn bare_spelling(text: &str) -> &str {
    text.find('[').filter(|cut| *cut > 0).map_or(text, |cut| &text[..cut])
}

/// The placeholder of a value that is only attached: `WHEN` of `--color[=WHEN]`.
fn attached(text: &str) -> Option<&str> {
    let cut = text.find('[')?;
    Some(text[cut + 1..].trim_end_matches(']').trim_start_matches('='))
}
