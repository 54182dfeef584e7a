//! A checked rulebook on few lines: what it means, flat, so that a person can judge it.

use std::fmt::Write;

use cc_safety_net::language::{ExampleInput, Rulebook};
use cc_safety_net::model::declaration::{Act, Argument, Command, Does, From, Given, Times, ValueKind, Yield};
use cc_safety_net::model::effect::Place;
use cc_safety_net::model::rule::{
    CodeToken, Condition, OptionPattern, PathSet, Pattern, PatternPart, PositionalPattern, Subject, WordPattern, WordSet,
};

/// The rulebook's meaning as text.
pub fn outline(rulebook: &Rulebook) -> String {
    let mut out = format!("{} {} {:?}\n", rulebook.name, rulebook.version, rulebook.about);
    for (name, set) in &rulebook.lists {
        let _ = writeln!(out, "list {name}: {}", words(set));
    }
    for (name, set) in &rulebook.paths {
        let _ = writeln!(out, "paths {name}: {}", paths(set));
    }
    rulebook.commands.iter().for_each(|one| command(one, 0, &mut out));
    for language in &rulebook.languages {
        for call in &language.calls {
            let parameters: Vec<String> =
                call.parameters.iter().map(|one| format!("{}{}", one.name, times(one.times))).collect();
            let _ = writeln!(
                out,
                "call {} {}({}): {}",
                language.name,
                call.names.join(" "),
                parameters.join(", "),
                does(&call.does)
            );
        }
    }
    for tool in &rulebook.tools {
        for field in &tool.fields {
            let _ = writeln!(out, "tool {} {}: {}", pattern(&tool.name), field.name, does(&field.does));
        }
    }
    for rule in &rulebook.rules {
        let _ = writeln!(
            out,
            "\n{:?} {}: {} or {}, possible {:?}",
            rule.kind,
            rule.id,
            rule.decision.word(),
            rule.otherwise.word(),
            rule.possible
        );
        let _ = writeln!(out, "  {:?} / {:?} / {} / {}", rule.reason, rule.instead, rule.intent.word(), rule.level.word());
        let _ = writeln!(
            out,
            "  floor {} owner {:?} because {:?} expires {:?}",
            rule.floor, rule.owner, rule.because, rule.expires
        );
        for also in &rule.also {
            let _ = writeln!(out, "  also {} for {:?}", also.id, also.programs);
        }
        for one in &rule.matches {
            let _ = writeln!(out, "  match {}", matched(&one.pattern));
            for one in &one.when {
                let _ = writeln!(out, "    when {}", condition(one));
            }
            for one in &one.unless {
                let _ = writeln!(out, "    unless {}", condition(one));
            }
        }
        for one in &rule.when {
            let _ = writeln!(out, "  when {}", condition(one));
        }
        for one in &rule.unless {
            let _ = writeln!(out, "  unless {}", condition(one));
        }
    }
    for one in &rulebook.overrides {
        let _ = writeln!(out, "\noverride {} = {:?}", one.rule, one.decision);
    }
    out.push('\n');
    for example in &rulebook.examples {
        let todo = if example.todo { "todo " } else { "" };
        let input = match &example.input {
            ExampleInput::Command(text) => format!("{text:?}"),
            ExampleInput::Tool { name, fields } => format!("tool {name} {fields}"),
        };
        let _ = writeln!(out, "{todo}{} {input} of {}", example.expected.word(), example.rule);
        if example.world != Default::default() {
            let _ = writeln!(out, "  {:?}", example.world);
        }
    }
    out
}

fn pattern(pattern: &WordPattern) -> String {
    let mut out = String::new();
    for part in &pattern.parts {
        match part {
            PatternPart::Literal(text) => out.push_str(&text.replace('*', "\\*").replace(' ', "\\ ")),
            PatternPart::Star => out.push('*'),
            PatternPart::DoubleStar => out.push_str("**"),
            PatternPart::Question => out.push('?'),
            PatternPart::Class { negated, ranges } => {
                let _ = write!(
                    out,
                    "[{}{}]",
                    if *negated { "!" } else { "" },
                    ranges.iter().map(|(a, b)| format!("{a}-{b}")).collect::<String>()
                );
            }
            PatternPart::Choice(all) => {
                let _ = write!(out, "{{{}}}", all.iter().map(self::pattern).collect::<Vec<_>>().join(","));
            }
        }
    }
    out
}

fn patterns(all: &[WordPattern]) -> String {
    all.iter().map(pattern).collect::<Vec<_>>().join(" | ")
}

fn words(set: &WordSet) -> String {
    if set.except.is_empty() { patterns(&set.any) } else { format!("{} except {}", patterns(&set.any), patterns(&set.except)) }
}

fn paths(set: &PathSet) -> String {
    let mut out = patterns(&set.any);
    if !set.settings.is_empty() {
        let _ = write!(out, " settings {:?}", set.settings);
    }
    if !set.except.is_empty() {
        let _ = write!(out, " except {}", patterns(&set.except));
    }
    out
}

fn times(times: Times) -> &'static str {
    match times {
        Times::Once => "",
        Times::Optional => "?",
        Times::Repeated => "...",
    }
}

fn command(one: &Command, depth: usize, out: &mut String) {
    let indent = "  ".repeat(depth);
    let operands: Vec<String> = one.operands.iter().map(|one| format!("{}{}", one.name, times(one.times))).collect();
    let _ =
        writeln!(out, "{indent}command {} ({:?}, {:?}): {}", one.names.join(" "), one.syntax, one.shell, operands.join(" "));
    for option in &one.options {
        let value = match option.value {
            ValueKind::None => String::new(),
            ValueKind::Attached => format!(" [{}]", option.placeholder),
            _ => format!(" {}", option.placeholder),
        };
        let _ = writeln!(out, "{indent}  {}{value}: {}", option.spellings.join(" "), does(&option.does));
    }
    let _ = writeln!(out, "{indent}  does {} / stdin {} / assignments {}", does(&one.does), does(&one.stdin), one.assignments);
    if let Some(runs) = &one.runs {
        let _ = writeln!(
            out,
            "{indent}  runs {} from stdin {} joined {} on {:?}",
            runs.operand, runs.arguments_from_stdin, runs.joined, one.runs_on
        );
    }
    for Yield { function, argument: of, when } in &one.yields {
        let _ =
            writeln!(out, "{indent}  yields {function:?} {} when {}", argument(of), when.as_ref().map_or(String::new(), given));
    }
    one.subcommands.here().iter().for_each(|one| command(one, depth + 1, out));
}

fn does(all: &[Does]) -> String {
    let one = |one: &Does| {
        let act = match &one.act {
            Act::Effect(verb) => verb.word().to_string(),
            Act::Executes(language) => format!("executes {language}"),
            Act::RunsUntil { terminators, placeholder, as_argument } => {
                format!("runs until {terminators:?} with {placeholder} as {}", argument(as_argument))
            }
            other => format!("{other:?}").to_lowercase(),
        };
        let how =
            format!("{}{}", if one.recursively { " recursively" } else { "" }, if one.forcibly { " forcibly" } else { "" });
        let from = match &one.from {
            None => String::new(),
            Some(From::Source(source)) => format!(" from {source:?}").to_lowercase(),
            Some(From::Placeholder(name)) => format!(" from {name}"),
        };
        let when = one.when.as_ref().map_or(String::new(), |when| format!(" when {}", given(when)));
        let unless = one.unless.as_ref().map_or(String::new(), |unless| format!(" unless {}", given(unless)));
        format!("{act}{how} {}{from}{when}{unless}", argument(&one.argument))
    };
    all.iter().map(one).collect::<Vec<_>>().join(", ")
}

fn argument(one: &Argument) -> String {
    match one {
        Argument::None => "-".to_string(),
        Argument::Placeholder { name, below } => format!("{name}{}", below.as_deref().unwrap_or("")),
        Argument::Stdin => "stdin".to_string(),
        Argument::Paths(set) => format!("`{}`", paths(set)),
        other => format!("{other:?}"),
    }
}

fn given(one: &Given) -> String {
    match one {
        Given::Option(name) | Given::Placeholder(name) => name.clone(),
        Given::Is(name, set) => format!("{name} is ({})", words(set)),
        Given::Not(inner) => format!("not {}", given(inner)),
        Given::All(all) => format!("({})", all.iter().map(given).collect::<Vec<_>>().join(" and ")),
        Given::Any(any) => format!("({})", any.iter().map(given).collect::<Vec<_>>().join(" or ")),
    }
}

fn matched(one: &Pattern) -> String {
    match one {
        Pattern::Command(one) => {
            let mut out = format!("command ({})", words(&one.program));
            for positional in &one.positionals {
                match positional {
                    PositionalPattern::Skip => out.push_str(" ..."),
                    PositionalPattern::Dashes => out.push_str(" --"),
                    PositionalPattern::Word { words: set, bind } => {
                        let set = set.as_ref().map_or("anything".to_string(), words);
                        let _ = write!(out, " {}({set})", bind.as_ref().map_or(String::new(), |name| format!("{name}=")));
                    }
                }
            }
            let option = |one: &OptionPattern| {
                format!(
                    "{}{}",
                    pattern(&one.spelling),
                    one.value.as_ref().map_or(String::new(), |set| format!("=({})", words(set)))
                )
            };
            let _ = write!(out, " with [{}]", one.options.iter().map(option).collect::<Vec<_>>().join(" "));
            let _ = write!(out, " without [{}]", one.absent.iter().map(option).collect::<Vec<_>>().join(" "));
            out
        }
        Pattern::Effect(one) => {
            let how =
                format!("{}{}", if one.recursively { " recursively" } else { "" }, if one.forcibly { " forcibly" } else { "" });
            let object = one.object.as_ref().map_or("anything".to_string(), paths);
            let code = one.code.as_ref().map_or(String::new(), |code| {
                let token = |token: &CodeToken| match token {
                    CodeToken::Token(word) => pattern(word),
                    CodeToken::Any => "<any>".to_string(),
                    CodeToken::Absent(word) => format!("!{}", pattern(word)),
                };
                let all = code.alternatives.iter().map(|all| all.iter().map(token).collect::<Vec<_>>().join(" "));
                format!(" code [{}]", all.collect::<Vec<_>>().join(" / "))
            });
            let from = one.from.map_or(String::new(), |from| format!(" from {from:?}").to_lowercase());
            let on = if one.on == Place::Here { String::new() } else { format!(" on {:?}", one.on).to_lowercase() };
            format!("effect {}{how} ({object}) {:?}{code}{from}{on}", one.verb.word(), one.language)
        }
        Pattern::Tool(one) => {
            let fields: Vec<String> = one.fields.iter().map(|(name, set)| format!("{name} is ({})", words(set))).collect();
            format!("tool ({}) {}", words(&one.name), fields.join(", "))
        }
    }
}

fn condition(one: &Condition) -> String {
    let subject = |one: &Subject| match one {
        Subject::Bound(name) => format!("<{name}>"),
        Subject::Fixed(word) => pattern(word),
    };
    match one {
        Condition::All(all) => format!("({})", all.iter().map(condition).collect::<Vec<_>>().join(" and ")),
        Condition::Any(any) => format!("({})", any.iter().map(condition).collect::<Vec<_>>().join(" or ")),
        Condition::Not(inner) => format!("not {}", condition(inner)),
        Condition::Match(inner) => format!("match {}", matched(inner)),
        Condition::CwdIn(set) => format!("cwd in ({})", paths(set)),
        Condition::PathIn(of, set) => format!("{} in ({})", subject(of), paths(set)),
        Condition::PathOutside(of, set) => format!("{} outside ({})", subject(of), paths(set)),
        Condition::WordIs(of, set) => format!("{} is ({})", subject(of), words(set)),
        Condition::Exists(of) => format!("exists {}", subject(of)),
        Condition::Tracked(of) => format!("tracked {}", subject(of)),
        Condition::Clean(of) => format!("clean {}", subject(of)),
        Condition::Ignored(of) => format!("ignored {}", subject(of)),
        Condition::Recoverable(of) => format!("recoverable {}", subject(of)),
        Condition::Ref(of) => format!("ref {}", subject(of)),
        Condition::BranchIs(set) => format!("branch is ({})", words(set)),
        Condition::AgentIs(set) => format!("agent is ({})", words(set)),
        Condition::ToolIs(set) => format!("tool is ({})", words(set)),
        Condition::FieldIs(name, set) => format!("field {name} is ({})", words(set)),
        Condition::EnvIs(name, set) => format!("env {name} is ({})", words(set)),
        Condition::Under(set) => format!("under ({})", words(set)),
        Condition::PipedFrom(set) => format!("piped from ({})", words(set)),
        other => format!("{other:?}"),
    }
}
