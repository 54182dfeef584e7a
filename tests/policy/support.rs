//! Layers out of texts, and calls judged in the standing world.

use std::sync::Arc;

use cc_safety_net::check::check;
use cc_safety_net::image::{Image, compile};
use cc_safety_net::language::{File, Known, Rulebook, check_layer};
use cc_safety_net::model::{LayerKind, Settings, ToolCall, Verdict};
use cc_safety_net::policy::{Layer, Layers, Rights};
use cc_safety_net::world::Memory;

/// A small catalogue: a floor, an ask, a warning, a rule with an exemption, one by effect, one for strict alone.
pub const CATALOGUE: &str = r#"
rulebook base
list protected = main | master
paths temporary = @tmp/**
paths roots = / | ~ | /home/*
command git {
  -C DIR : changes-directory
  subcommand reset { --hard; --soft; operands COMMIT? PATHSPEC... }
  subcommand push { -f, --force; -n, --dry-run; operands REMOTE? REFSPEC... }
  subcommand clean { -f; -n; -d; operands PATH... }
  subcommand status { -s }
}
command rm { -r, -R, --recursive; -f, --force; operands PATH... : deletes PATH, deletes recursively PATH when -r }
command cat { -n; operands FILE... : reads FILE; yields text FILE }
command sudo { -u USER; runs COMMAND... }
command bash { -c CODE : executes shell; operands SCRIPT? ARG... : executes-file SCRIPT }
rule roots { floor; match deletes recursively @roots; deny "Deletes {path}."; intent hard-stop }
rule reset-hard { match git reset --hard; deny "Throws changes away."; instead "git stash"; also old.reset; also peer.reset for git }
rule push-force { match git push --force !--dry-run; ask or warn "Rewrites history." }
rule push-protected { match git push ... <ref=@protected>; warn "Pushes to {ref}." }
rule outside { match deletes <path>; when <path> outside @project; unless <path> in @temporary; unless <path> in setting allow-paths; deny "Deletes {path}." ; also peer.outside for rm }
rule secrets { match reads **/.env; deny "{path} holds credentials." ; possible ask or deny }
rule clean { match git clean -f !-n; deny "Deletes untracked files."; level strict }
"#;

/// Checks a text as one layer over what is known. Panics on an error: a test's own text is to be right.
pub fn checked(name: &str, text: &str, known: &Known) -> Vec<Rulebook> {
    let checked = check_layer(&[File { name: format!("{name}.rulebook"), text: text.into() }], known);
    let errors: Vec<_> = checked.diagnostics.iter().filter(|found| found.is_error()).collect();
    assert!(errors.is_empty(), "{text}\n{errors:#?}");
    checked.rulebooks
}

/// The catalogue above as rulebooks.
pub fn catalogue() -> Vec<Rulebook> {
    checked("base", CATALOGUE, &Known::default())
}

/// A layer out of rulebooks and settings.
pub fn layer(kind: LayerKind, rulebooks: &[Rulebook], settings: &Settings) -> Layer {
    let rights = if kind == LayerKind::Project { Rights::Tighten } else { Rights::Loosen };
    let image = Image::open(Arc::new(compile(rulebooks, settings))).expect("an image");
    Layer { kind, rights, name: format!("{kind:?}").to_lowercase(), image }
}

/// A layer out of a text over the catalogue.
pub fn layer_of(kind: LayerKind, text: &str) -> Layer {
    layer(kind, &checked("mine", text, &Known::of(&catalogue())), &Settings::default())
}

/// The catalogue and further layers.
pub fn stack(more: impl IntoIterator<Item = Layer>) -> Layers {
    let base = layer(LayerKind::Embedded, &catalogue(), &Settings::default());
    Layers::stack([base].into_iter().chain(more).collect(), Vec::new())
}

/// A shell command of the session.
pub fn call(command: &str, attended: bool) -> ToolCall {
    ToolCall {
        agent: "claude-code".into(),
        tool: "Bash".into(),
        fields: serde_json::json!({ "command": command }),
        directory: "/home/me/project".into(),
        workspace: None,
        attended,
        session: String::new(),
    }
}

/// The verdict on a command in the standing world.
pub fn verdict(layers: &Layers, command: &str) -> Verdict {
    check(call(command, true), layers, &world()).verdict
}

/// The standing world with a secret and a few folders.
pub fn world() -> Memory {
    Memory::standing().file(".env", "KEY=1\n").folder("build").folder("~/other").folder("~/scratch/a").folder("~/scratch/b")
}

/// The rules of the findings, the headline first.
pub fn rules(verdict: &Verdict) -> Vec<&str> {
    verdict.findings.iter().map(|finding| finding.rule.as_str()).collect()
}
