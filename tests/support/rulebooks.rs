//! Generated rulebooks, as text: every kind of item, every kind of clause, names that resolve, comments and odd blanks between
//! words. What is generated checks without an error (warnings there may be).

use super::dice::Dice;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

/// A word without signs of the language.
fn word() -> BoxedStrategy<String> {
    prop_oneof![
        4 => "[a-z][a-z0-9]{0,5}(-[a-z]{1,4})?".prop_filter("no word of the language", |word| !is_taken(word)),
        1 => select(vec!["main...topic", "user@host", "release/*", "x[0-9]", "{a,b}*", "\"two words\"", "\"a*b\"c", "1,5p", "HEAD@{1}", "+*", "*"])
            .prop_map(str::to_string),
    ].boxed()
}

fn is_taken(word: &str) -> bool {
    ["when", "unless", "except", "and", "or", "tool", "from", "on", "not", "in", "is", "none", "setting", "match", "reads"]
        .contains(&word)
}

/// A path pattern.
fn path() -> BoxedStrategy<String> {
    prop_oneof![
        "[a-z]{1,6}".prop_map(|name| format!("**/.{name}")),
        "[a-z]{1,6}".prop_map(|name| format!("~/.{name}/**")),
        "[a-z]{1,6}".prop_map(|name| format!("/var/{name}/*.{{log,txt}}")),
        "[a-z]{1,6}".prop_map(|name| format!("@project/{name}")),
        select(vec!["/", "~", "C:/x/**", "@tmp/**", "\"@odd\"/x", "src/[a-m]*"]).prop_map(str::to_string),
    ]
    .boxed()
}

fn spelling() -> BoxedStrategy<String> {
    prop_oneof!["-[a-zA-Z]", "--[a-z]{2,8}"].boxed()
}

/// One element of a pattern on commands.
fn element() -> BoxedStrategy<String> {
    prop_oneof![
        4 => word(),
        3 => spelling(),
        1 => (spelling(), word()).prop_map(|(option, value)| format!("{option}={value}")),
        2 => spelling().prop_map(|option| format!("!{option}")),
        1 => Just("...".to_string()),
        1 => Just("--".to_string()),
        1 => Just("@words-a".to_string()),
        1 => vec(word(), 1..4).prop_map(|words| format!("({})", words.join(" | "))),
        1 => (word(), word(), word()).prop_map(|(a, b, c)| format!("({a} {b} | {c})")),
    ]
    .boxed()
}

fn set_of_paths() -> BoxedStrategy<String> {
    prop_oneof![
        path(),
        Just("@paths-a".to_string()),
        Just("@project".to_string()),
        (path(), path()).prop_map(|(a, b)| format!("({a} | @paths-b | {b})")),
        Just("setting allow-paths".to_string()),
        path().prop_map(|path| format!("@paths-a except {path}")),
    ]
    .boxed()
}

fn set_of_words() -> BoxedStrategy<String> {
    prop_oneof![word(), Just("@words-a".to_string()), (word(), word()).prop_map(|(a, b)| format!("({a} | {b})"))].boxed()
}

/// A test about what the match binds as `<name>`.
fn test(name: &'static str) -> BoxedStrategy<String> {
    prop_oneof![
        set_of_paths().prop_map(move |set| format!("<{name}> in {set}")),
        set_of_paths().prop_map(move |set| format!("<{name}> outside {set}")),
        set_of_words().prop_map(move |set| format!("<{name}> is {set}")),
        set_of_paths().prop_map(|set| format!("cwd in {set}")),
        set_of_words().prop_map(|set| format!("branch is {set}")),
        set_of_words().prop_map(|set| format!("env A_B is {set}")),
        set_of_words().prop_map(|set| format!("field x.y is {set}")),
        select(vec!["exists", "tracked", "clean", "ignored", "recoverable", "ref"])
            .prop_map(move |fact| format!("{fact} <{name}>")),
        select(vec![
            "preset >= strict",
            "setting relax-worktrees",
            "worktree linked",
            "attended",
            "operands none",
            "on remote",
            "under @words-a",
            "in-language python",
            "piped from (a | b)",
            "match git push --tags"
        ])
        .prop_map(str::to_string),
    ]
    .boxed()
}

fn condition(name: &'static str) -> BoxedStrategy<String> {
    let leaf = prop_oneof![3 => test(name), 1 => test(name).prop_map(|test| format!("not {test}"))];
    leaf.prop_recursive(3, 12, 3, |inner| {
        (vec(inner, 2..4), any::<bool>()).prop_map(|(all, and)| format!("({})", all.join(if and { " and " } else { " or " })))
    })
    .boxed()
}

/// A match clause that binds `<path>`.
fn matching() -> BoxedStrategy<String> {
    let command =
        (word(), vec(element(), 0..5)).prop_map(|(program, elements)| format!("{program} {} <path>", elements.join(" ")));
    let verb = select(vec![
        "reads",
        "writes",
        "deletes recursively",
        "deletes recursively forcibly",
        "sends",
        "executes-file",
        "lists",
    ]);
    let effect =
        (verb, option::of(set_of_paths()), select(vec!["", " from network", " on remote", " from stdin on container"]))
            .prop_map(|(verb, object, rest)| format!("{verb} {}{rest}", object.unwrap_or_else(|| "<path>".to_string())));
    (prop_oneof![command, effect], option::of(condition("path")), option::of(condition("path")))
        .prop_map(|(pattern, when, unless)| {
            let when = when.map_or(String::new(), |when| format!(" when {when}"));
            let unless = unless.map_or(String::new(), |unless| format!(" unless {unless}"));
            format!("match {pattern}{when}{unless}")
        })
        .boxed()
}

fn example() -> BoxedStrategy<String> {
    let code = prop_oneof![
        "[a-z]{1,5}( -[a-z]){0,2}".prop_map(|code| format!("`{code}`")),
        Just("``echo `id` ``".to_string()),
        Just("```\n      cat <<E\n        x\n      E\n      ```".to_string()),
        Just("tool Read { file_path: \".env\", n: [1, true, { a: null }] }".to_string()),
    ];
    let world = select(vec![
        "",
        " with modified a.py",
        " with file a.sh `make all`",
        " in /tmp preset strict",
        " env A=1 with branch main",
    ]);
    (select(vec!["deny", "allow", "ask", "todo deny", "warn"]), code, world)
        .prop_map(|(decision, code, world)| format!("{decision} {code}{world}"))
        .boxed()
}

fn rule(index: usize) -> BoxedStrategy<Vec<String>> {
    let extra = select(vec![
        "intent scope-down",
        "level strict",
        "possible ask or deny",
        "instead \"use {command} on {path}\"",
        "owner \"me\"",
        "floor",
    ]);
    (vec(matching(), 1..4), vec(condition("path"), 0..3), any::<bool>(), option::of(extra), vec(example(), 0..4))
        .prop_map(move |(matches, conditions, ask, extra, examples)| {
            let mut clauses = matches;
            clauses.extend(
                conditions.into_iter().enumerate().map(|(i, one)| format!("{} {one}", if i == 0 { "when" } else { "unless" })),
            );
            clauses.push(if ask {
                "ask or warn \"Asks {{twice}}.\"".to_string()
            } else {
                "deny \"Says \\\"no\\\" to {path}.\"".to_string()
            });
            clauses.extend(extra.map(str::to_string));
            clauses.extend((!examples.is_empty()).then(|| format!("examples {{ {} }}", examples.join(" ; "))));
            std::iter::once(format!("rule r{index} {{")).chain(clauses).chain(std::iter::once("}".to_string())).collect()
        })
        .boxed()
}

fn does() -> BoxedStrategy<String> {
    let effect = prop_oneof![
        select(vec![
            "reads PATH",
            "writes PATH/**",
            "deletes recursively PATH",
            "executes shell PATH",
            "runs PATH",
            "yields text PATH"
        ])
        .prop_map(str::to_string),
        path().prop_map(|path| format!("writes {path} from PATH")),
        word().prop_map(|word| format!("reads PATH when PATH is {word} and not --zz")),
        Just("creates @paths-a unless (--zz or PATH)".to_string()),
    ];
    vec(effect, 1..3).prop_map(|effects| effects.join(", ")).boxed()
}

fn command(index: usize) -> BoxedStrategy<Vec<String>> {
    let option = |n: usize| {
        (select(vec!["", " VALUE", " KEY=VALUE"]), option::of(does())).prop_map(move |(value, does)| {
            let does = does.map_or(String::new(), |does| format!(" : {does}"));
            format!("-{}, --long{n}{value}{does}", char::from(b'a' + n as u8))
        })
    };
    let options = (option(0), option(1), option(2)).prop_map(|(a, b, c)| vec![a, b, c]);
    let clause = select(vec![
        "assignments",
        "stdin : executes any when not PATH",
        "yields reversed stdin when --zz",
        "runs REST...",
        "syntax posix",
    ]);
    (options, does(), option::of(clause), option::of(does()))
        .prop_map(move |(options, does, clause, inner)| {
            let mut clauses = options;
            clauses.push("--zz".to_string());
            clauses.push(format!("operands PATH... LAST? : {does}"));
            clauses.extend(clause.map(str::to_string));
            clauses.extend(inner.map(|does| format!("subcommand sub {{ -x : {does} }}")));
            std::iter::once(format!("command c{index} twin{index} {{"))
                .chain(clauses)
                .chain(std::iter::once("}".to_string()))
                .collect()
        })
        .boxed()
}

/// Items, each as its head, its clauses, its end.
fn items() -> BoxedStrategy<Vec<Vec<String>>> {
    let sets = (vec(word(), 1..4), vec(path(), 1..4), path(), vec(path(), 1..3)).prop_map(|(words, paths, except, more)| {
        vec![
            vec![format!("list words-a = {}", words.join(" | "))],
            vec![format!("paths paths-a = {} except ({except} | ~/keep)", paths.join(" | "))],
            vec![format!("paths paths-b = @paths-a | {}", more.join(" | "))],
        ]
    });
    let fixed = Just(vec![
        vec![
            "language python {".to_string(),
            "call open (PATH, MODE?) : reads PATH when MODE is r*".to_string(),
            "}".to_string(),
        ],
        vec![
            "tool Write* {".to_string(),
            "field file_path : writes".to_string(),
            "field a.b : reads".to_string(),
            "}".to_string(),
        ],
        vec![
            "allow ok {".to_string(),
            "match git clean -f".to_string(),
            "because \"fine\"".to_string(),
            "expires 2030-01-31".to_string(),
            "}".to_string(),
        ],
        vec!["override other.rule = off".to_string()],
    ]);
    (sets, (command(0), command(1)), (rule(0), rule(1), rule(2)), fixed)
        .prop_map(|(mut all, (c0, c1), (r0, r1, r2), fixed)| {
            all.extend([c0, c1, r0, r1, r2]);
            all.extend(fixed);
            all
        })
        .boxed()
}

/// A rulebook's text: the items in any layout that the language allows.
pub fn rulebook() -> BoxedStrategy<String> {
    (items(), any::<u64>())
        .prop_map(|(items, seed)| {
            let mut dice = Dice(seed | 1);
            let mut text = String::from("rulebook made\nversion 1.2.3 # a version\nabout \"Made by chance.\"\n\n");
            for item in items {
                let block = item.len() > 1;
                let one_line = block && dice.roll(3) == 0 && !item.iter().any(|clause| clause.contains('\n'));
                for (index, clause) in item.iter().enumerate() {
                    let last = index + 1 == item.len();
                    if block && !one_line && index > 0 && dice.roll(8) == 0 {
                        text.push_str("  # a comment, with a } and a \" in it\n\n\n");
                    }
                    text.push_str(&" ".repeat(if index == 0 { 0 } else { dice.roll(5) }));
                    text.push_str(&loosened(clause, &mut dice));
                    if one_line {
                        text.push_str(if index == 0 || index + 2 >= item.len() { " " } else { " ; " });
                    } else if block && !last && index > 0 && dice.roll(6) == 0 {
                        text.push_str("; ");
                    } else if dice.roll(7) == 0 {
                        text.push_str("   # behind\n");
                    } else {
                        text.push_str(if block && index > 0 && !last { ";\n" } else { "\n" });
                    }
                }
                text.push_str(if one_line { "\n" } else { ["", "\n", "\n\n\n", "# between\n"][dice.roll(4)] });
            }
            text
        })
        .boxed()
}

/// The clause with more blanks where one stands outside of quotes, and line breaks before a `|` that is no clause's beginning.
fn loosened(clause: &str, dice: &mut Dice) -> String {
    let mut out = String::new();
    let mut quote = None;
    let mut backquotes = 0usize;
    for (index, c) in clause.char_indices() {
        match (quote, c) {
            (None, '"' | '`') => quote = Some(c),
            (Some(open), c) if c == open => quote = None,
            _ => {}
        }
        backquotes += usize::from(c == '`');
        out.push(c);
        let plain = quote.is_none() && backquotes == 0 && c == ' ';
        if plain && dice.roll(6) == 0 {
            out.push_str(if clause[index + 1..].starts_with("| ") && dice.roll(2) == 0 { "\n    " } else { "  " });
        }
    }
    out
}
