//! Rewriters: each gives other texts that do the same as a command. Names of options come from the declarations.
//!
//! A command is *plain* where it is words without quotes, expansions, patterns and operators; some rewriters take plain ones only.

use std::collections::BTreeMap;

use cc_safety_net::language::Rulebook;
use cc_safety_net::model::declaration::{Command, Subcommands, Syntax, ValueKind};

/// One way to write a command differently.
pub struct Rewriter {
    pub name: &'static str,
    /// Whether an allowed command stays allowed: not where the disguise itself is what a rule is about.
    pub keeps_allowed: bool,
    pub rewrite: fn(&str, &Declared) -> Vec<String>,
}

/// Every rewriter.
pub const REWRITERS: [Rewriter; 19] = [
    Rewriter { name: "quotes-split", keeps_allowed: true, rewrite: quotes_split },
    Rewriter { name: "backslashes", keeps_allowed: true, rewrite: backslashes },
    Rewriter { name: "ansi-quotes", keeps_allowed: true, rewrite: ansi },
    Rewriter { name: "nested-shell", keeps_allowed: true, rewrite: |text, _| vec![format!("bash -c {}", single(text))] },
    Rewriter { name: "function", keeps_allowed: true, rewrite: |text, _| vec![format!("again() {{\n{text}\n}}\nagain")] },
    Rewriter { name: "variable", keeps_allowed: true, rewrite: variable },
    Rewriter { name: "array", keeps_allowed: true, rewrite: array },
    Rewriter { name: "positional", keeps_allowed: true, rewrite: positional },
    Rewriter {
        name: "here-document",
        keeps_allowed: true,
        rewrite: |text, _| vec![format!("bash <<'END_OF_IT'\n{text}\nEND_OF_IT")],
    },
    Rewriter { name: "env-split", keeps_allowed: true, rewrite: env_split },
    Rewriter { name: "eval", keeps_allowed: true, rewrite: |text, _| vec![format!("eval {}", single(text))] },
    Rewriter { name: "subshell", keeps_allowed: true, rewrite: |text, _| vec![format!("(\n{text}\n)")] },
    Rewriter { name: "condition", keeps_allowed: true, rewrite: |text, _| vec![format!("if true; then\n{text}\nfi")] },
    Rewriter { name: "loop", keeps_allowed: true, rewrite: |text, _| vec![format!("for once in 1; do\n{text}\ndone")] },
    Rewriter { name: "command", keeps_allowed: true, rewrite: command },
    Rewriter { name: "base64", keeps_allowed: false, rewrite: base64 },
    Rewriter { name: "xargs", keeps_allowed: false, rewrite: xargs },
    Rewriter { name: "flags-apart", keeps_allowed: true, rewrite: flags_apart },
    Rewriter { name: "long-for-short", keeps_allowed: true, rewrite: long_for_short },
];

/// The declared programs, by name.
pub struct Declared {
    commands: BTreeMap<String, Vec<Command>>,
}

impl Declared {
    pub fn new(rulebooks: &[Rulebook]) -> Declared {
        let mut commands: BTreeMap<String, Vec<Command>> = BTreeMap::new();
        for command in rulebooks.iter().flat_map(|rulebook| &rulebook.commands).filter(|command| command.shell.is_none()) {
            for name in &command.names {
                commands.entry(name.clone()).or_default().push(command.clone());
            }
        }
        Declared { commands }
    }

    /// The one declaration of a program whose options are read as getopt reads them.
    fn plain(&self, name: &str) -> Option<&Command> {
        match self.commands.get(name)?.as_slice() {
            [one] if matches!(one.syntax, Syntax::Gnu | Syntax::Posix) && one.runs.is_none() => Some(one),
            _ => None,
        }
    }
}

/// Words that the shell itself reads, which no program of that name replaces.
const SHELL: [&str; 44] = [
    "if", "then", "else", "fi", "for", "while", "until", "do", "done", "case", "esac", "select", "function", "time", "coproc",
    "in", "cd", "chdir", "pushd", "popd", "eval", "source", ".", "exec", "export", "readonly", "declare", "typeset", "local",
    "alias", "unalias", "set", "unset", "shift", "trap", "return", "exit", "break", "continue", "read", "mapfile", "shopt",
    "builtin", "let",
];

/// The words of a plain command that runs a program.
fn plain(text: &str) -> Option<Vec<&str>> {
    let safe = |c: char| c.is_ascii_alphanumeric() || " ./_-:,@%+=".contains(c);
    let words: Vec<&str> = text.split(' ').filter(|word| !word.is_empty()).collect();
    let first = words.first()?;
    (text.chars().all(safe) && !SHELL.contains(first) && !first.contains('=') && !first.ends_with(':')).then_some(words)
}

/// The text between apostrophes.
fn single(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

fn each_word(text: &str, rewrite: impl Fn(&str) -> String) -> Vec<String> {
    let Some(words) = plain(text) else { return Vec::new() };
    vec![words.into_iter().map(rewrite).collect::<Vec<_>>().join(" ")]
}

fn quotes_split(text: &str, _: &Declared) -> Vec<String> {
    let mut all = each_word(text, |word| format!("{}''{}", &word[..1], &word[1..]));
    all.extend(each_word(text, |word| format!("'{}'\"{}\"", &word[..word.len() / 2], &word[word.len() / 2..])));
    all
}

fn backslashes(text: &str, _: &Declared) -> Vec<String> {
    each_word(text, |word| format!("\\{word}"))
}

fn ansi(text: &str, _: &Declared) -> Vec<String> {
    each_word(text, |word| format!("$'\\x{:02x}{}'", word.as_bytes()[0], &word[1..]))
}

fn variable(text: &str, _: &Declared) -> Vec<String> {
    let mut all = vec![format!("it={}\neval \"$it\"", single(text))];
    if let Some(words) = plain(text) {
        let (last, before) = words.split_last().expect("a program");
        all.push(format!("it={last}; {} \"$it\"", before.join(" ")));
        all.push(format!("it={}; $it {}", words[0], words[1..].join(" ")));
    }
    all
}

fn array(text: &str, _: &Declared) -> Vec<String> {
    plain(text).map(|words| format!("all=({})\n\"${{all[@]}}\"", words.join(" "))).into_iter().collect()
}

fn positional(text: &str, _: &Declared) -> Vec<String> {
    plain(text).map(|words| format!("sh -c '\"$@\"' sh {}", words.join(" "))).into_iter().collect()
}

fn env_split(text: &str, _: &Declared) -> Vec<String> {
    plain(text).map(|_| format!("env -S {}", single(text))).into_iter().collect()
}

fn command(text: &str, _: &Declared) -> Vec<String> {
    plain(text).map(|_| format!("command {text}")).into_iter().collect()
}

fn base64(text: &str, _: &Declared) -> Vec<String> {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for chunk in text.as_bytes().chunks(3) {
        let bits = chunk.iter().fold(0u32, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - chunk.len()));
        for place in 0..4 {
            let digit = DIGITS[(bits >> (18 - 6 * place) & 63) as usize];
            out.push(if place > chunk.len() { '=' } else { char::from(digit) });
        }
    }
    vec![format!("printf %s {out} | base64 -d | sh")]
}

/// The last word through standard input.
fn xargs(text: &str, _: &Declared) -> Vec<String> {
    match plain(text).as_deref() {
        Some([before @ .., last]) if before.len() > 1 => vec![format!("printf '%s\\n' {last} | xargs {}", before.join(" "))],
        _ => Vec::new(),
    }
}

/// The declaration that holds behind the first words, and how many words lead to it.
fn options<'d>(words: &[&str], declared: &'d Declared) -> Option<(&'d Command, usize)> {
    let command = declared.plain(words.first()?)?;
    match (&command.subcommands, words.get(1)) {
        (Subcommands::Here(all), Some(word)) if !all.is_empty() => {
            let found = all.iter().find(|one| one.names.iter().any(|name| name == word))?;
            matches!(&found.subcommands, Subcommands::Here(all) if all.is_empty()).then_some((found, 2))
        }
        _ => Some((command, 1)),
    }
}

/// A flag in its other spellings: one that takes no value.
fn spellings<'d>(command: &'d Command, spelling: &str) -> Option<&'d [String]> {
    let found = command.options.iter().find(|option| option.spellings.iter().any(|one| one == spelling))?;
    matches!(found.value, ValueKind::None).then_some(found.spellings.as_slice())
}

/// `-rf` as `-f -r`.
fn flags_apart(text: &str, declared: &Declared) -> Vec<String> {
    let Some(words) = plain(text) else { return Vec::new() };
    let Some((command, start)) = options(&words, declared) else { return Vec::new() };
    let mut out: Vec<String> = Vec::new();
    let mut changed = false;
    for (index, word) in words.iter().enumerate() {
        let flags: Vec<String> = word.chars().skip(1).map(|letter| format!("-{letter}")).collect();
        let cluster = index >= start && word.starts_with('-') && !word.starts_with("--") && flags.len() > 1;
        if cluster && flags.iter().all(|flag| spellings(command, flag).is_some()) {
            out.extend(flags.into_iter().rev());
            changed = true;
        } else {
            out.push(word.to_string());
        }
    }
    if changed { vec![out.join(" ")] } else { Vec::new() }
}

/// Each flag in each of its other spellings.
fn long_for_short(text: &str, declared: &Declared) -> Vec<String> {
    let Some(words) = plain(text) else { return Vec::new() };
    let Some((command, start)) = options(&words, declared) else { return Vec::new() };
    let mut all = Vec::new();
    for index in start..words.len() {
        if words[index] == "--" {
            break;
        }
        for other in spellings(command, words[index]).unwrap_or_default().iter().filter(|one| *one != words[index]) {
            let mut own = words.clone();
            own[index] = other;
            all.push(own.join(" "));
        }
    }
    all
}
