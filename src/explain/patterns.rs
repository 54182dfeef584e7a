//! Patterns and conditions as a rulebook spells them, and conditions as phrases with what their names are bound to.

use crate::model::Place;
use crate::model::rule::{
    CodePattern, CodeToken, CommandPattern, Condition, EffectPattern, OptionPattern, PathSet, Pattern, PatternPart,
    PositionalPattern, Subject, ToolPattern, WordPattern, WordSet,
};

/// A glob.
pub fn glob(pattern: &WordPattern) -> String {
    let mut out = String::new();
    for part in &pattern.parts {
        match part {
            PatternPart::Literal(text) => out.push_str(text),
            PatternPart::Star => out.push('*'),
            PatternPart::DoubleStar => out.push_str("**"),
            PatternPart::Question => out.push('?'),
            PatternPart::Class { negated, ranges } => {
                out.push_str(if *negated { "[!" } else { "[" });
                for (low, high) in ranges {
                    out.push(*low);
                    if low != high {
                        out.push('-');
                        out.push(*high);
                    }
                }
                out.push(']');
            }
            PatternPart::Choice(choices) => {
                out.push('{');
                out.push_str(&choices.iter().map(glob).collect::<Vec<_>>().join(","));
                out.push('}');
            }
        }
    }
    out
}

/// The first few members, and how many more there are.
fn members(any: &[WordPattern], except: &[WordPattern]) -> String {
    const FEW: usize = 6;
    let list = |all: &[WordPattern]| {
        let mut shown: Vec<String> = all.iter().take(FEW).map(glob).collect();
        if all.len() > FEW {
            shown.push(format!("{} more", all.len() - FEW));
        }
        shown.join(", ")
    };
    match except {
        [] => list(any),
        _ => format!("{} (except {})", list(any), list(except)),
    }
}

/// A set of words.
pub fn words(set: &WordSet) -> String {
    members(&set.any, &set.except)
}

/// A set of paths.
pub fn paths(set: &PathSet) -> String {
    let mut all: Vec<String> = Vec::new();
    if !set.any.is_empty() {
        all.push(members(&set.any, &set.except));
    }
    all.extend(set.settings.iter().map(|name| format!("the setting {name}")));
    all.join(", ")
}

/// A pattern, near enough to its spelling in a rulebook.
pub fn pattern(pattern: &Pattern) -> String {
    match pattern {
        Pattern::Command(command) => command_pattern(command),
        Pattern::Effect(effect) => effect_pattern(effect),
        Pattern::Tool(tool) => tool_pattern(tool),
    }
}

fn alternatives(set: &WordSet) -> String {
    match set.any.as_slice() {
        [one] if set.except.is_empty() => glob(one),
        _ => format!("({})", words(set).replace(", ", " | ")),
    }
}

fn command_pattern(command: &CommandPattern) -> String {
    let mut parts = vec![alternatives(&command.program)];
    for positional in &command.positionals {
        parts.push(match positional {
            PositionalPattern::Word { words: None, bind } => format!("<{}>", bind.as_deref().unwrap_or("word")),
            PositionalPattern::Word { words: Some(set), bind: None } => alternatives(set),
            PositionalPattern::Word { words: Some(set), bind: Some(name) } => format!("<{name}={}>", alternatives(set)),
            PositionalPattern::Skip => "...".into(),
            PositionalPattern::Dashes => "--".into(),
        });
    }
    parts.extend(command.options.iter().map(option));
    parts.extend(command.absent.iter().map(|absent| format!("!{}", option(absent))));
    parts.join(" ")
}

/// An option with the value that it must have.
pub fn option(option: &OptionPattern) -> String {
    let value = option.value.as_ref().map(|set| format!("={}", alternatives(set))).unwrap_or_default();
    format!("{}{value}", glob(&option.spelling))
}

fn effect_pattern(effect: &EffectPattern) -> String {
    let mut parts = vec![effect.verb.word().to_string()];
    if effect.recursively {
        parts.push("recursively".into());
    }
    if effect.forcibly {
        parts.push("forcibly".into());
    }
    parts.extend(effect.language.clone());
    parts.extend(effect.code.as_ref().map(code));
    parts.extend(effect.object.as_ref().map(paths));
    if let Some(from) = effect.from {
        parts.push(format!("from {}", format!("{from:?}").to_lowercase()));
    }
    parts.extend(on(effect.on).map(str::to_string));
    parts.join(" ")
}

fn code(code: &CodePattern) -> String {
    let token = |token: &CodeToken| match token {
        CodeToken::Token(pattern) => glob(pattern),
        CodeToken::Any => "*".into(),
        CodeToken::Absent(pattern) => format!("!{}", glob(pattern)),
    };
    let each = |tokens: &Vec<CodeToken>| tokens.iter().map(token).collect::<Vec<String>>().join(" ");
    format!("\"{}\"", code.alternatives.iter().map(each).collect::<Vec<_>>().join(" | "))
}

fn tool_pattern(tool: &ToolPattern) -> String {
    let mut out = format!("tool {}", alternatives(&tool.name));
    for (field, set) in &tool.fields {
        out.push_str(&format!(" when field {field} is {}", alternatives(set)));
    }
    out
}

fn on(place: Place) -> Option<&'static str> {
    match place {
        Place::Here => None,
        Place::Remote => Some("on remote"),
        Place::Container => Some("on container"),
    }
}

/// A condition as a phrase that follows on "if". `bound` gives what a name is bound to, already fit to be shown.
pub fn condition(of: &Condition, bound: &dyn Fn(&str) -> Option<String>) -> String {
    let subject = |subject: &Subject| match subject {
        Subject::Bound(name) => bound(name).map_or_else(|| format!("<{name}>"), |value| format!("`{value}`")),
        Subject::Fixed(pattern) => format!("`{}`", glob(pattern)),
    };
    let each = |all: &[Condition], with: &str| all.iter().map(|one| condition(one, bound)).collect::<Vec<_>>().join(with);
    match of {
        Condition::All(all) => each(all, " and "),
        Condition::Any(all) => each(all, ", or "),
        Condition::Not(inner) => format!("not: {}", condition(inner, bound)),
        Condition::Match(inner) => format!("the same call matches `{}`", pattern(inner)),
        Condition::CwdIn(set) => format!("the working directory lies in {}", paths(set)),
        Condition::PathIn(of, set) => format!("{} lies in {}", subject(of), paths(set)),
        Condition::PathOutside(of, set) => format!("{} lies outside {}", subject(of), paths(set)),
        Condition::WordIs(of, set) => format!("{} is {}", subject(of), words(set)),
        Condition::Exists(of) => format!("{} exists", subject(of)),
        Condition::Tracked(of) => format!("git tracks {}", subject(of)),
        Condition::Clean(of) => format!("{} is tracked by git and not changed", subject(of)),
        Condition::Ignored(of) => format!("git ignores {}", subject(of)),
        Condition::Recoverable(of) => format!("everything in {} can be got back from git", subject(of)),
        Condition::Ref(of) => format!("{} is a branch, a tag or a commit", subject(of)),
        Condition::BranchIs(set) => format!("the branch is {}", words(set)),
        Condition::WorktreeLinked => "the directory is a verified linked worktree".into(),
        Condition::AgentIs(set) => format!("the agent is {}", words(set)),
        Condition::ToolIs(set) => format!("the tool is {}", words(set)),
        Condition::FieldIs(name, set) => format!("the field {name} is {}", words(set)),
        Condition::EnvIs(name, set) => format!("the variable {name} is {}", words(set)),
        Condition::Under(set) => format!("it is run by {}", words(set)),
        Condition::InLanguage(name) => format!("it is {name} code"),
        Condition::PipedFrom(set) => format!("its input comes from {}", words(set)),
        Condition::Setting(name) => format!("the setting {name} is on"),
        Condition::PresetAtLeast(preset) => format!("the preset is {} or stricter", preset.word()),
        Condition::PresetAtMost(preset) => format!("the preset is {} or more lenient", preset.word()),
        Condition::OperandsNone => "no operand is given".into(),
        Condition::Attended => "somebody can answer".into(),
        Condition::On(place) => match place {
            Place::Here => "it is this machine's".into(),
            Place::Remote => "it is another host's".into(),
            Place::Container => "it is a container's".into(),
        },
    }
}

/// Whether a glob over a word matches a text: `*` is any text. For explanations alone; the engine asks its automata.
pub fn matches(pattern: &WordPattern, text: &str) -> bool {
    let mut steps = 20_000usize;
    parts_match(&pattern.parts, text, &mut steps, &|rest, _| rest.is_empty())
}

/// Whether a set of words has a text.
pub fn has(set: &WordSet, text: &str) -> bool {
    set.any.iter().any(|each| matches(each, text)) && !set.except.iter().any(|each| matches(each, text))
}

/// Matches parts one after the other, trying every length of a star; gives up, with no, once the steps are spent.
fn parts_match(parts: &[PatternPart], text: &str, steps: &mut usize, end: &dyn Fn(&str, &mut usize) -> bool) -> bool {
    let Some(left) = steps.checked_sub(1) else { return false };
    *steps = left;
    let Some((part, rest)) = parts.split_first() else { return end(text, steps) };
    let one = || text.chars().next().map(|c| (c, &text[c.len_utf8()..]));
    match part {
        PatternPart::Literal(literal) => {
            text.strip_prefix(literal.as_str()).is_some_and(|tail| parts_match(rest, tail, steps, end))
        }
        PatternPart::Star | PatternPart::DoubleStar => {
            let mut cuts = text.char_indices().map(|(at, _)| at).chain(std::iter::once(text.len()));
            cuts.any(|at| parts_match(rest, &text[at..], steps, end))
        }
        PatternPart::Question => one().is_some_and(|(_, tail)| parts_match(rest, tail, steps, end)),
        PatternPart::Class { negated, ranges } => one().is_some_and(|(c, tail)| {
            ranges.iter().any(|(low, high)| (*low..=*high).contains(&c)) != *negated && parts_match(rest, tail, steps, end)
        }),
        PatternPart::Choice(choices) => {
            let after = |tail: &str, steps: &mut usize| parts_match(rest, tail, steps, end);
            choices.iter().any(|choice| parts_match(&choice.parts, text, steps, &after))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn star(before: &str, after: &str) -> WordPattern {
        WordPattern { parts: vec![PatternPart::Literal(before.into()), PatternPart::Star, PatternPart::Literal(after.into())] }
    }

    #[test]
    fn globs_match_whole_words() {
        assert!(matches(&star("a", "c"), "abbc") && !matches(&star("a", "c"), "abbcd"));
        let choice = WordPattern {
            parts: vec![
                PatternPart::Choice(vec![WordPattern::literal("x"), WordPattern::literal("xy")]),
                PatternPart::Literal("z".into()),
            ],
        };
        assert!(matches(&choice, "xyz") && matches(&choice, "xz") && !matches(&choice, "yz"));
        assert_eq!(glob(&choice), "{x,xy}z");
    }

    #[test]
    fn a_hard_glob_gives_up() {
        let hard = WordPattern { parts: vec![PatternPart::Star; 40] };
        let never = WordPattern { parts: hard.parts.into_iter().chain([PatternPart::Literal("b".into())]).collect() };
        assert!(!matches(&never, &"a".repeat(60)));
    }
}
