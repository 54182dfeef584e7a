//! Checked rulebooks → what is sound and still not right: a set that nobody uses, a reason too long for one line, a pattern that
//! nothing can match, a rule that never decides.
//!
//! Each test is cheap and says nothing where it is not sure. What needs the engine (`instead`, examples) stands with `rule check`.

use std::collections::BTreeSet;

use super::check::parse_file;
use super::diagnostic::{At, Diagnostic, Faults};
use super::tree::{ItemKind, RuleClause};
use super::{File, Rulebook, word};
use crate::model::declaration::{Command, Declarations, Syntax};
use crate::model::rule::{CommandPattern, Match, Pattern, PositionalPattern, Rule, RuleKind};
use crate::model::verdict::RuleAt;

/// The longest reason, in characters: what a terminal and an agent show in one line.
const REASON: usize = 100;

/// Lints the files of one layer, as they were checked together. `declared` says how programs read their arguments.
pub fn lint(files: &[File], rulebooks: &[Rulebook], declared: &dyn Declarations) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for file in files {
        let mut faults = Faults::new(&file.name, file.text.len());
        let parsed = parse_file(&file.text, &mut faults);
        let mut faults = Faults::new(&file.name, file.text.len());
        for item in &parsed.items {
            match &item.kind {
                ItemKind::Set(set) if !files.iter().any(|file| refers(&file.text, set.name.text)) => {
                    let kind = if set.paths { "paths" } else { "list" };
                    let message = format!("nothing in this layer refers to `@{}`", set.name.text);
                    let help = format!("use it, or remove the {kind}");
                    faults.warning("rulebook::unused-set", set.name.at, "not used", message).help(help);
                }
                ItemKind::Rule(rule) => {
                    for (clause, _) in &rule.clauses {
                        let RuleClause::Decide { reason, .. } = clause else { continue };
                        let length = word::unescape(reason.text).chars().count();
                        if length > REASON {
                            let message = format!("this reason has {length} characters, more than {REASON}");
                            faults
                                .warning("rulebook::reason-too-long", reason.at, "too long for one line", message)
                                .help("say what is lost, and how; the rest belongs into `instead` or a comment");
                        }
                    }
                }
                _ => {}
            }
        }
        let own = rulebooks.iter().filter(|book| book.file == file.name);
        for rule in own.flat_map(|book| &book.rules) {
            for one in &rule.matches {
                if let Pattern::Command(pattern) = &one.pattern {
                    matches_nothing(pattern, place(&one.at), &file.text, declared, &mut faults);
                }
            }
            never_decides(rule, rulebooks, &mut faults);
        }
        faults.found.sort_by_key(|diagnostic| diagnostic.labels.first().map_or(0, |label| label.at.start));
        faults.found.dedup();
        found.append(&mut faults.found);
    }
    found
}

fn place(at: &RuleAt) -> At {
    At { start: at.start as usize, end: at.end as usize }
}

/// Whether a text has `@name` somewhere, in a comment too: what is mentioned is not called unused.
fn refers(text: &str, name: &str) -> bool {
    let reference = format!("@{name}");
    text.match_indices(&reference).any(|(at, _)| {
        let next = text.as_bytes().get(at + reference.len());
        !next.is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
    })
}

/// A command pattern that no reading of a command can meet.
fn matches_nothing(pattern: &CommandPattern, at: At, text: &str, declared: &dyn Declarations, faults: &mut Faults) {
    let clause = text.get(at.start..at.end).unwrap_or_default();
    let spelled = |spelling: &str| {
        let words = clause.match_indices(spelling).find(|(start, _)| {
            let after = clause[start + spelling.len()..].chars().next();
            clause[..*start].ends_with([' ', '(', '|']) && after.is_none_or(|c| matches!(c, ' ' | ')' | '|' | '=' | '\n'))
        });
        words.map_or(at, |(start, _)| At { start: at.start + start, end: at.start + start + spelling.len() })
    };
    for option in &pattern.options {
        if option.value.is_none() && pattern.absent.contains(option) {
            let spelling = option.spelling.as_literal().unwrap_or_default();
            faults
                .warning("rulebook::never-matches", spelled(spelling), "both ways", "this option must be given and must not")
                .help("remove one of the two");
        }
        let Some(letters) = option.spelling.as_literal().and_then(|spelling| spelling.strip_prefix('-')) else { continue };
        let is_cluster = letters.len() > 1 && option.value.is_none() && letters.bytes().all(|byte| byte.is_ascii_alphabetic());
        if is_cluster && splits_clusters(pattern, letters, declared) {
            let apart: Vec<String> = letters.chars().map(|letter| format!("-{letter}")).collect();
            let message = format!("`-{letters}` is read as {}, so nothing matches it", apart.join(" and "));
            faults
                .warning("rulebook::never-matches", spelled(&format!("-{letters}")), "several options", message)
                .help(format!("write them apart: `{}`", apart.join(" ")));
        }
    }
}

/// Whether every program that is meant is declared, takes clusters of short options, and has no option of this spelling.
fn splits_clusters(pattern: &CommandPattern, letters: &str, declared: &dyn Declarations) -> bool {
    let spelling = format!("-{letters}");
    !pattern.program.any.is_empty()
        && pattern.program.any.iter().all(|program| {
            let commands = program.as_literal().map(|name| declared.commands(name)).unwrap_or_default();
            let splits = |command: &Command| {
                matches!(command.syntax, Syntax::Gnu | Syntax::Posix | Syntax::BundledFirst)
                    && !has_option(command, &pattern.positionals, &spelling)
            };
            !commands.is_empty() && commands.iter().all(|command| splits(command))
        })
}

/// Whether an option of this spelling may be declared where the pattern looks: at the command, or at a subcommand that it names.
fn has_option(command: &Command, positionals: &[PositionalPattern], spelling: &str) -> bool {
    let mut at = command;
    let mut words = positionals.iter();
    loop {
        if at.options.iter().any(|option| option.spellings.iter().any(|own| own == spelling)) {
            return true;
        }
        if at.subcommands.is_empty() {
            return false;
        }
        let Some(PositionalPattern::Word { words: Some(set), .. }) = words.next() else { return true };
        let [Some(name)] = set.any.iter().map(|word| word.as_literal()).collect::<Vec<_>>()[..] else { return true };
        match at.subcommands.find(name) {
            Some(inner) => at = inner,
            None => return false,
        }
    }
}

/// A rule each of whose matches another rule of the layer finds as well, more strongly and under no further condition.
fn never_decides(rule: &Rule, rulebooks: &[Rulebook], faults: &mut Faults) {
    if rule.kind == RuleKind::Allow || rule.matches.is_empty() {
        return;
    }
    let mut stronger = BTreeSet::new();
    for own in &rule.matches {
        let others = rulebooks.iter().flat_map(|book| &book.rules).filter(|other| other.id != rule.id);
        let Some(other) = others.into_iter().find(|other| shadows(other, rule, own)) else { return };
        stronger.insert(other.id.as_str());
    }
    let by: Vec<&str> = stronger.into_iter().collect();
    let message = format!("`{}` never decides: {} matches the same and is stronger", rule.id, by.join(", "));
    let at = place(&rule.at);
    faults
        .warning("rulebook::never-decides", At { start: at.start, end: at.start + "rule".len() }, "never decides", message)
        .help("remove it, or narrow the other one with `unless`");
}

fn shadows(other: &Rule, rule: &Rule, own: &Match) -> bool {
    let strength = |rule: &Rule| (rule.decision, rule.otherwise);
    let as_strong = other.floor >= rule.floor && other.level <= rule.level && rule.possible.is_none();
    let stronger = strength(other) > strength(rule) && other.otherwise >= rule.otherwise;
    let same_words = strength(other) == strength(rule) && other.id < rule.id;
    other.kind == RuleKind::Rule
        && as_strong
        && other.possible.is_none()
        && other.matches.iter().any(|each| {
            let bare = other.when.is_empty() && other.unless.is_empty() && each.when.is_empty() && each.unless.is_empty();
            let same =
                other.when == rule.when && other.unless == rule.unless && each.when == own.when && each.unless == own.unless;
            each.pattern == own.pattern && (stronger && (bare || same) || same_words && same)
        })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::language::{Known, check_layer};
    use crate::model::declaration::{Language, Tool};

    struct Declared(Vec<Command>);

    impl Declarations for Declared {
        fn commands(&self, name: &str) -> Vec<Arc<Command>> {
            self.0.iter().filter(|command| command.names.iter().any(|own| own == name)).cloned().map(Arc::new).collect()
        }
        fn languages(&self, _: &str) -> Vec<Arc<Language>> {
            Vec::new()
        }
        fn tools(&self, _: &str) -> Vec<Arc<Tool>> {
            Vec::new()
        }
    }

    /// The codes of the lints of a text.
    fn codes(text: &str) -> Vec<&'static str> {
        let files = [File { name: "t.rulebook".into(), text: text.into() }];
        let checked = check_layer(&files, &Known::default());
        let errors: Vec<_> = checked.diagnostics.iter().filter(|each| each.is_error()).collect();
        assert!(errors.is_empty(), "{errors:?}");
        let declared = Declared(checked.rulebooks[0].commands.clone());
        lint(&files, &checked.rulebooks, &declared).iter().map(|each| each.code).collect()
    }

    #[test]
    fn a_set_that_nobody_uses() {
        assert_eq!(codes("list few = a | b\nlist more = c"), ["rulebook::unused-set"; 2]);
        assert_eq!(codes("paths few = ~/a\nrule r { match reads @few; deny \"x\" }"), [""; 0]);
        assert_eq!(
            codes("list few = a\nlist few-more = b\nrule r { match x @few-more; deny \"x\" }"),
            ["rulebook::unused-set"]
        );
    }

    #[test]
    fn a_reason_of_more_than_one_line() {
        let rule = |length: usize| format!("rule r {{ match x; deny \"{}\" }}", "a".repeat(length));
        assert_eq!(codes(&rule(101)), ["rulebook::reason-too-long"]);
        assert_eq!(codes(&rule(100)), [""; 0]);
    }

    #[test]
    fn a_cluster_of_options_is_never_one_option() {
        let declared = "command rm { -r; -f }\ncommand java { syntax single-dash-long; -cp PATH }\ncommand tool { -ab }\n\
                        command many { subcommand do { -a }; subcommand own { -ab } }\n";
        let of = |pattern: &str| codes(&format!("{declared}rule r {{ match {pattern}; deny \"x\" }}"));
        assert_eq!(of("rm -rf"), ["rulebook::never-matches"]);
        assert_eq!(of("rm -r -f"), [""; 0]);
        assert_eq!(of("java -cp"), [""; 0], "no clusters there");
        assert_eq!(of("tool -ab"), [""; 0], "an option of its own");
        assert_eq!(of("many do -ab"), ["rulebook::never-matches"]);
        assert_eq!(of("many own -ab"), [""; 0], "an option of the subcommand");
        assert_eq!(of("many ... -ab"), [""; 0], "any subcommand");
        assert_eq!(of("nobody -rf"), [""; 0], "nothing is known of it");
        assert_eq!(of("* -rf"), [""; 0]);
    }

    #[test]
    fn an_option_that_must_and_must_not_be_given() {
        assert_eq!(codes("rule r { match x -f !-f; deny \"x\" }"), ["rulebook::never-matches"]);
        assert_eq!(codes("rule r { match x -f !-n; deny \"x\" }"), [""; 0]);
    }

    #[test]
    fn a_rule_under_a_stronger_one_never_decides() {
        let under = |strong: &str| codes(&format!("rule weak {{ match x y; when attended; ask \"x\" }}\n{strong}"));
        assert_eq!(under("rule strong { match x y; deny \"x\" }"), ["rulebook::never-decides"]);
        assert_eq!(under("rule strong { match x y; when on remote; deny \"x\" }"), [""; 0], "not always");
        assert_eq!(under("rule strong { match x y; deny \"x\"; level strict }"), [""; 0], "not in every preset");
        assert_eq!(under("rule strong { match x y z; deny \"x\" }"), [""; 0], "another pattern");
        assert_eq!(under("rule strong { match x y; warn \"x\" }"), [""; 0], "weaker");
        assert_eq!(codes("rule a { match x; deny \"x\" }\nrule b { match x; deny \"y\" }"), ["rulebook::never-decides"]);
    }
}
