//! The laws over generated layers. `PROPTEST_CASES=10000 cargo test --test policy` runs them at length.

use cc_safety_net::check::check;
use cc_safety_net::language::{File, Known, Rulebook, check_layer};
use cc_safety_net::model::rule::RuleKind;
use cc_safety_net::model::settings::Override;
use cc_safety_net::model::{Certainty, Decision, LayerKind, Preset, Settings, Verdict};
use cc_safety_net::policy::{Layer, Layers};
use proptest::prelude::*;
use proptest::sample::select;

use crate::support::*;

/// Calls on which the catalogue decides in every way, known and with holes.
const COMMANDS: [&str; 16] = [
    "git reset --hard",
    "git -C ../x reset HEAD~1 --hard",
    "git push --force origin main",
    "git push -fn",
    "git push --force $X",
    "git status -s",
    "git clean -fd build",
    "rm -rf ~",
    "rm -r build ~/other",
    "rm -rf \"$UNSET\"/",
    "rm ~/scratch/a/$X /tmp/y",
    "cat .env \"$F\"",
    "sudo rm -rf /home/me/scratch",
    "bash -c 'git reset --hard; rm -r ../other'",
    "cat README.md | git apply",
    "git \"$X\" --hard",
];

fn pattern() -> impl Strategy<Value = String> {
    const COMMANDS: &[&str] = &[
        "git",
        "git reset",
        "git reset --hard",
        "git push --force",
        "git push --force !--dry-run",
        "git push ... <x=@protected>",
        "git (status | clean)",
        "git clean -f",
        "rm",
        "rm -r",
        "rm -r -f <x>",
        "rm ... <x>",
        "cat <x>",
        "sudo",
        "bash -c",
    ];
    const EFFECTS: &[&str] = &[
        "deletes <path>",
        "deletes recursively <path>",
        "deletes @roots",
        "deletes ~/scratch/**",
        "deletes recursively @tmp/**",
        "reads <path>",
        "reads **/.env",
        "writes <path>",
        "executes shell",
    ];
    prop_oneof![select(COMMANDS), select(EFFECTS)].prop_map(String::from)
}

fn condition() -> impl Strategy<Value = String> {
    select(
        &[
            "cwd in @project/**",
            "cwd in ~/**",
            "attended",
            "under sudo",
            "preset >= strict",
            "agent is claude-code",
            "exists .env",
            "setting relax-worktrees",
        ][..],
    )
    .prop_map(String::from)
}

fn decision() -> impl Strategy<Value = &'static str> {
    select(&["warn", "ask", "ask or warn", "deny"][..])
}

/// A rule; `exempting` adds what takes matches away.
fn rule(exempting: bool) -> impl Strategy<Value = String> {
    (pattern(), decision(), prop::option::of(condition()), prop::option::of(condition()), any::<bool>(), any::<bool>())
        .prop_map(move |(pattern, decision, when, unless, strict, floor)| {
            let mut text = format!("match {pattern}; {decision} \"Said so.\"");
            text += &when.filter(|_| exempting).map(|when| format!("; when {when}")).unwrap_or_default();
            text += &unless.filter(|_| exempting).map(|unless| format!("; unless {unless}")).unwrap_or_default();
            let pattern_exempts = text.contains(" !");
            if pattern_exempts && !exempting {
                text = text.replace(" !--dry-run", "");
            }
            text += if strict { "; level strict" } else { "" };
            text += if floor { "; floor" } else { "" };
            format!("{{ {text} }}")
        })
}

fn allow() -> impl Strategy<Value = String> {
    (pattern(), prop::option::of(condition()), prop::option::of(select(&["2026-01-01", "2030-01-01"][..]))).prop_map(
        |(pattern, when, expires)| {
            let when = when.map(|when| format!("; when {when}")).unwrap_or_default();
            let expires = expires.map(|date| format!("; expires {date}")).unwrap_or_default();
            format!("{{ match {pattern}{when}{expires} }}")
        },
    )
}

fn overriding() -> impl Strategy<Value = String> {
    const IDS: &[&str] = &[
        "base.roots",
        "base.reset-hard",
        "base.push-force",
        "base.push-protected",
        "base.outside",
        "base.secrets",
        "old.reset",
        "peer.outside",
    ];
    (select(IDS), select(&["off", "warn", "ask", "deny"][..])).prop_map(|(id, decision)| format!("override {id} = {decision}"))
}

fn declaration() -> impl Strategy<Value = String> {
    select(
        &[
            "command rm { operands PATH... : lists PATH }",
            "command rm { -r VALUE; -f VALUE; operands PATH... }",
            "command git { subcommand reset { --hard VALUE; operands X... } }",
            "command git { --force VALUE; operands X... : reads X }",
            "command cat { operands FILE... : lists FILE; yields literal \"x\" }",
            "command sudo { operands X... }",
            "command bash { -c CODE; operands X... }",
            "paths temporary = /** | ~/**",
            "paths roots = /nothing",
            "list protected = nothing",
        ][..],
    )
    .prop_map(String::from)
}

/// A layer's items, each a text of its own.
fn items() -> impl Strategy<Value = Vec<String>> {
    let item = prop_oneof![
        rule(true).prop_map(|body| format!("rule NAME {body}")),
        allow().prop_map(|body| format!("allow NAME {body}")),
        overriding(),
        declaration(),
    ];
    prop::collection::vec(item, 0..7)
}

fn settings() -> impl Strategy<Value = Settings> {
    let preset = prop::option::of(select(&[Preset::Standard, Preset::Strict, Preset::Paranoid][..]));
    let overrides = prop::option::of(select(&["base.reset-hard", "base.outside", "base.roots"][..]));
    (preset, any::<Option<bool>>(), any::<bool>(), overrides, any::<Option<bool>>()).prop_map(
        |(preset, worktree, paths, off, environment)| Settings {
            preset,
            worktree,
            allow_paths: if paths { vec!["~/other".into(), "~/scratch".into()] } else { Vec::new() },
            overrides: off.map(|rule| Override { rule: rule.into(), decision: None }).into_iter().collect(),
            loosen_by_environment: environment,
            ..Settings::default()
        },
    )
}

/// Items as one file; names are given, doubles of what may stand once are left out.
fn file(items: &[String]) -> String {
    let mut text = String::from("rulebook mine\n");
    let mut heads: Vec<String> = Vec::new();
    for (number, item) in items.iter().enumerate() {
        let head: String = item.split(' ').take(2).collect();
        if item.contains("NAME") || !heads.contains(&head) {
            heads.push(head);
            text += &format!("{}\n", item.replace("NAME", &format!("n{number}")));
        }
    }
    text
}

/// What holds of a file: a generated item may be refused by the checker, and then is not there.
fn rulebooks(text: &str) -> Vec<Rulebook> {
    let known = KNOWN.with(Clone::clone);
    check_layer(&[File { name: "mine.rulebook".into(), text: text.into() }], &known).rulebooks
}

thread_local! {
    static KNOWN: Known = Known::of(&catalogue());
}

fn generated(kind: LayerKind, items: &[String], settings: &Settings) -> Layer {
    layer(kind, &rulebooks(&file(items)), settings)
}

fn judge(layers: &Layers, command: &str, attended: bool) -> Verdict {
    check(call(command, attended), layers, &world()).verdict
}

/// One finding without where its rule stands.
type Said = (String, Decision, Certainty, Option<usize>, Option<usize>);

/// What a verdict says, without where its rules stand.
fn said(verdict: &Verdict) -> Vec<Said> {
    let of = |finding: &cc_safety_net::model::Finding| {
        (finding.rule.clone(), finding.decision, finding.certainty, finding.run, finding.effect)
    };
    let mut all: Vec<_> = verdict.findings.iter().map(of).collect();
    all.sort();
    all
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn adding_a_project_layer_never_loosens(
        items in items(), own in settings(), user in prop::option::of((self::items(), settings())),
        command in select(&COMMANDS[..]), attended in any::<bool>(),
    ) {
        let user = || user.iter().map(|(items, settings)| generated(LayerKind::User, items, settings));
        let before = judge(&stack(user()), command, attended);
        let after = judge(&stack(user().chain([generated(LayerKind::Project, &items, &own)])), command, attended);
        prop_assert!(after.decision >= before.decision, "{command}: {:?} → {:?}\n{}\n{own:?}", before.decision, after.decision, file(&items));
    }

    #[test]
    fn no_allow_or_override_reopens_a_floor_finding(
        items in items(), own in settings(), command in select(&COMMANDS[..]),
        kind in select(&[LayerKind::User, LayerKind::Managed, LayerKind::TrustedProject, LayerKind::Project][..]),
    ) {
        let floor = |verdict: &Verdict| -> Vec<_> {
            let all = said(verdict).into_iter();
            all.filter(|(rule, _, certainty, ..)| rule == "base.roots" && *certainty == Certainty::Certain).collect()
        };
        let before = floor(&judge(&stack([]), command, true));
        let after = floor(&judge(&stack([generated(kind, &items, &own)]), command, true));
        for finding in &before {
            prop_assert!(after.iter().any(|it| (&it.0, it.1) == (&finding.0, finding.1)), "{command}\n{}", file(&items));
        }
    }

    #[test]
    fn the_order_of_files_and_rules_never_matters(
        items in items().prop_flat_map(|items| (Just(items.clone()), Just(items).prop_shuffle())),
        own in settings(), command in select(&COMMANDS[..]), kind in select(&[LayerKind::User, LayerKind::Project][..]),
    ) {
        // The same items have the same names in both orders.
        let named = |items: &[String]| -> Vec<String> {
            let name = |item: &String| items_name(item);
            let mut seen: Vec<String> = Vec::new();
            items.iter().filter(|item| { let fresh = !seen.contains(item); seen.push((*item).clone()); fresh })
                .map(|item| item.replace("NAME", &name(item))).collect()
        };
        // What may stand once stands once: the first in sorted order, in both.
        let once = |items: Vec<String>| -> Vec<String> {
            let head = |item: &str| item.split(' ').take(2).collect::<String>();
            let mut sorted = items.clone();
            sorted.sort();
            items.into_iter().filter(|item| sorted.iter().find(|other| head(other) == head(item)) == Some(item)).collect()
        };
        let text = |items: &[String]| format!("rulebook mine\n{}\n", once(named(items)).join("\n"));
        let one = layer(kind, &rulebooks(&text(&items.0)), &own);
        let other = layer(kind, &rulebooks(&text(&items.1)), &own);
        let more = || layer_of(LayerKind::Managed, "rule extra { match git; warn \"Seen.\" }");
        let first = stack([one, more()]);
        let mut second = vec![more(), other];
        second.extend(stack([]).layers);
        let second = Layers::stack(second, Vec::new());
        let (first, second) = (judge(&first, command, true), judge(&second, command, true));
        prop_assert_eq!(said(&first), said(&second), "{}\n{}", text(&items.0), text(&items.1));
        prop_assert_eq!(first.findings.first().map(|it| &it.rule), second.findings.first().map(|it| &it.rule));
    }

    #[test]
    fn removing_an_allow_never_loosens(items in items(), extra in allow(), own in settings(), command in select(&COMMANDS[..]),
        kind in select(&[LayerKind::User, LayerKind::Managed, LayerKind::TrustedProject, LayerKind::Project][..]),
    ) {
        let with: Vec<String> = items.iter().cloned().chain([format!("allow NAME {extra}")]).collect();
        let with = rulebooks(&file(&with));
        for remove in 0..with[0].rules.iter().filter(|rule| rule.kind == RuleKind::Allow).count() {
            let mut without = with.clone();
            let at = without[0].rules.iter().enumerate().filter(|(_, rule)| rule.kind == RuleKind::Allow).nth(remove).map(|(at, _)| at);
            without[0].rules.remove(at.expect("counted"));
            let before = judge(&stack([layer(kind, &with, &own)]), command, true);
            let after = judge(&stack([layer(kind, &without, &own)]), command, true);
            prop_assert!(after.decision >= before.decision);
        }
    }

    #[test]
    fn what_is_certain_stays_certain_when_a_hole_is_filled(
        bodies in prop::collection::vec(rule(false), 1..5), preset in select(&[Preset::Standard, Preset::Strict][..]),
        (command, value) in (
            select(&["git reset $X --hard", "git push --force $X", "rm -r build $X", "rm -rf ~/$X ~", "cat .env $X", "git clean -f \"$X\"", "sudo rm $X ~/other/z"][..]),
            select(&["origin", "build", "/tmp/x", "a/b", "~x", "main", "..", "x=y"][..]),
        ),
    ) {
        let items: Vec<String> = bodies.iter().map(|body| format!("rule NAME {body}")).collect();
        let mut layers = stack([generated(LayerKind::User, &items, &Settings::default())]);
        layers.raise(preset);
        let open = judge(&layers, command, true);
        let filled = judge(&layers, &command.replace("\"$X\"", "$X").replace("$X", &format!("'{value}'")), true);
        for finding in open.findings.iter().filter(|it| it.certainty == Certainty::Certain && it.rule.starts_with("mine.")) {
            let same = filled.findings.iter().any(|it| it.rule == finding.rule && it.certainty == Certainty::Certain);
            prop_assert!(same, "{command} with {value}: {} is lost\n{}", finding.rule, file(&items));
        }
    }
}

/// A name that depends on the item alone.
fn items_name(item: &str) -> String {
    let sum = item.bytes().fold(7u32, |sum, byte| sum.wrapping_mul(31).wrapping_add(u32::from(byte)));
    format!("n{sum}")
}
