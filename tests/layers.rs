//! Layers from directories: found, read, cached, believed or not, and what a repository cannot do to them.

#![cfg(all(unix, feature = "machine"))]

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use cc_safety_net::layers::{self, Effort, Environment};
use cc_safety_net::model::{LayerKind, Preset, ToolCall};
use cc_safety_net::policy::{Layers, Rights};
use cc_safety_net::world::Native;

/// A machine of its own: a home, a project, an administrator's directory.
struct Machine {
    _folder: tempfile::TempDir,
    root: PathBuf,
    environment: Environment,
}

const RULE: &str = "rule status { match git status; deny \"no\" }\n";

impl Machine {
    fn new() -> Machine {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().canonicalize().expect("real");
        for path in ["home", "home/work/project/.git", "home/work/project/src", "managed"] {
            std::fs::create_dir_all(root.join(path)).expect("made");
        }
        let home = root.join("home").display().to_string();
        let environment = Environment {
            home: Some(home.clone()),
            managed: Some(root.join("managed/cc-safety-net")),
            named_home: Some(home),
            named_cache: None,
            variables: Vec::new(),
        };
        Machine { _folder: folder, root, environment }
    }

    fn write(&self, path: &str, text: &str) -> PathBuf {
        let path = self.root.join(path);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("made");
        std::fs::write(&path, text).expect("written");
        path
    }

    fn user(&self, path: &str, text: &str) -> PathBuf {
        self.write(&format!("home/.cc-safety-net/{path}"), text)
    }

    fn project(&self, path: &str, text: &str) -> PathBuf {
        self.write(&format!("home/work/project/.cc-safety-net/{path}"), text)
    }

    fn load_in(&self, directory: &str, effort: Effort) -> Layers {
        let tool = ToolCall {
            agent: "claude-code".into(),
            tool: "Bash".into(),
            fields: serde_json::json!({}),
            directory: self.root.join(directory).display().to_string(),
            workspace: None,
            attended: true,
            session: String::new(),
        };
        layers::load(&tool, &Native::new(), &self.environment, effort)
    }

    fn load(&self) -> Layers {
        self.load_in("home/work/project/src", Effort::Hook)
    }
}

fn layer(layers: &Layers, kind: LayerKind) -> Option<(Rights, Vec<String>)> {
    let found = layers.layers.iter().find(|layer| layer.kind == kind)?;
    Some((found.rights, found.image.rule_ids().expect("ids")))
}

fn mentions(layers: &Layers, text: &str) -> bool {
    layers.reports.iter().any(|report| report.contains(text))
}

#[test]
fn nothing_but_the_catalogue_where_nothing_is_there() {
    let machine = Machine::new();
    let layers = machine.load();
    assert_eq!((layers.layers.len(), layers.reports.len(), layers.preset), (1, 0, Preset::Standard));
    assert!(!machine.root.join("home/.cache").exists(), "and nothing is written");
}

#[test]
fn every_layer_where_it_stands() {
    let machine = Machine::new();
    machine.user("rules/mine.rulebook", RULE);
    machine.user("policy.yaml", "preset: strict\n");
    machine.write("managed/cc-safety-net/policy.yaml", "audit: all\n");
    machine.project("rules/ours.rulebook", RULE);
    machine.write("home/work/project/src/.cc-safety-net/policy.yaml", "preset: paranoid\n");
    let layers = machine.load();
    assert_eq!(layers.reports, [""; 0]);
    assert_eq!(layers.layers.iter().filter(|layer| layer.kind == LayerKind::Project).count(), 2, "the one above is not hidden");
    assert_eq!(layer(&layers, LayerKind::User), Some((Rights::Loosen, vec!["mine.status".into()])));
    assert!(layer(&layers, LayerKind::Managed).is_some());
    assert_eq!(layers.preset, Preset::Paranoid);
    assert_eq!(machine.load_in("home/work", Effort::Hook).preset, Preset::Strict);
}

#[test]
fn an_edit_is_seen_and_an_unchanged_layer_is_not_read() {
    let machine = Machine::new();
    let path = machine.user("rules/mine.rulebook", RULE);
    assert_eq!(layer(&machine.load(), LayerKind::User).expect("there").1, ["mine.status"]);
    // Long enough for the pointer to believe the stat data.
    let old = std::time::SystemTime::now() - std::time::Duration::from_secs(60);
    for path in [path.as_path(), path.parent().expect("a parent")] {
        std::fs::File::open(path).and_then(|file| file.set_modified(old)).expect("set");
    }
    std::fs::write(&path, RULE.replace("status", "log")).expect("written");
    assert_eq!(layer(&machine.load(), LayerKind::User).expect("there").1, ["mine.log"]);
    machine.user("rules/more.rulebook", RULE);
    assert_eq!(layer(&machine.load(), LayerKind::User).expect("there").1, ["mine.log", "more.status"]);
    std::fs::remove_file(&path).expect("removed");
    assert_eq!(layer(&machine.load(), LayerKind::User).expect("there").1, ["more.status"]);
}

#[test]
fn a_broken_layer_keeps_its_last_good_state_or_only_tightens() {
    let machine = Machine::new();
    machine.user("rules/mine.rulebook", &format!("{RULE}rule broken {{ match; }}\n"));
    machine.user("policy.yaml", "overrides:\n  a.b: off\n");
    let layers = machine.load();
    assert_eq!(
        layer(&layers, LayerKind::User),
        Some((Rights::Tighten, vec!["mine.status".into()])),
        "what can be read tightens"
    );
    assert!(mentions(&layers, "rules/mine.rulebook:2:") && mentions(&layers, "nothing of it loosens"), "{:?}", layers.reports);
    machine.user("rules/mine.rulebook", &RULE.replace("status", "log"));
    assert_eq!(layer(&machine.load(), LayerKind::User), Some((Rights::Loosen, vec!["mine.log".into()])));
    machine.user("policy.yaml", "presett: strict\n");
    for _ in 0..2 {
        let layers = machine.load();
        assert_eq!(layer(&layers, LayerKind::User), Some((Rights::Loosen, vec!["mine.log".into()])), "the last good state");
        assert!(mentions(&layers, "policy.yaml:1:1: settings::unknown-setting"), "{:?}", layers.reports);
        assert!(mentions(&layers, "last good state"));
    }
}

#[test]
fn what_others_may_write_or_link_to_only_tightens() {
    let machine = Machine::new();
    let path = machine.user("rules/mine.rulebook", RULE);
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o666)).expect("set");
    let layers = machine.load();
    assert_eq!(layer(&layers, LayerKind::User).expect("there").0, Rights::Tighten);
    assert!(mentions(&layers, "others may write it"), "{:?}", layers.reports);
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).expect("set");
    assert_eq!(layer(&machine.load(), LayerKind::User).expect("there").0, Rights::Loosen);
    let elsewhere = machine.write("home/dotfiles/policy.yaml", "preset: strict\n");
    std::os::unix::fs::symlink(elsewhere, machine.root.join("home/.cc-safety-net/policy.yaml")).expect("linked");
    let layers = machine.load();
    assert!(mentions(&layers, "a link"), "{:?}", layers.reports);
}

#[test]
fn a_damaged_or_planted_image_is_compiled_anew() {
    let machine = Machine::new();
    machine.user("rules/mine.rulebook", RULE);
    machine.load();
    let cache = machine.root.join("home/.cache/cc-safety-net");
    let image = std::fs::read_dir(cache.join("images")).expect("there").next().expect("one").expect("read").path();
    assert_eq!(std::fs::metadata(&image).expect("there").permissions().mode() & 0o777, 0o600);
    let damages: [&dyn Fn(); 3] = [
        &|| std::fs::write(&image, b"no image").expect("written"),
        &|| std::fs::set_permissions(&image, std::fs::Permissions::from_mode(0o666)).expect("set"),
        &|| std::fs::remove_file(&image).expect("removed"),
    ];
    for damage in damages {
        damage();
        assert_eq!(layer(&machine.load(), LayerKind::User), Some((Rights::Loosen, vec!["mine.status".into()])));
    }
    for pointer in std::fs::read_dir(cache.join("layers")).expect("there").flatten() {
        std::fs::write(pointer.path(), b"\x01garbage").expect("written");
    }
    assert_eq!(layer(&machine.load(), LayerKind::User).expect("there").1, ["mine.status"]);
}

#[test]
fn a_cache_that_cannot_be_written_costs_time_and_nothing_else() {
    let machine = Machine::new();
    machine.user("rules/mine.rulebook", RULE);
    machine.write("home/.cache", "a file where a folder should be");
    assert_eq!(layer(&machine.load(), LayerKind::User), Some((Rights::Loosen, vec!["mine.status".into()])));
}

#[test]
fn a_project_has_limits_and_its_links_are_not_followed() {
    let machine = Machine::new();
    machine.project("rules/ours.rulebook", RULE);
    for number in 0..70 {
        machine.project(&format!("more/{number}"), "x");
    }
    assert!(mentions(&machine.load(), "too many files"));
    let machine = Machine::new();
    let secret = machine.write("home/secret", "password\n");
    machine.project("rules/ours.rulebook", RULE);
    std::os::unix::fs::symlink(secret, machine.root.join("home/work/project/.cc-safety-net/policy.yaml")).expect("linked");
    let layers = machine.load();
    assert!(!mentions(&layers, "password") && !layers.reports.is_empty(), "{:?}", layers.reports);
    let machine = Machine::new();
    machine.write("home/other/policy.yaml", "preset: strict\n");
    std::os::unix::fs::symlink(machine.root.join("home/other"), machine.root.join("home/work/project/.cc-safety-net"))
        .expect("linked");
    let layers = machine.load();
    assert_eq!((layers.layers.len(), layers.preset), (1, Preset::Standard));
    assert!(mentions(&layers, "links are not followed"));
}

#[test]
fn what_a_project_claims_is_reported() {
    let machine = Machine::new();
    let text = "allow all { match git }\noverride a.b = off\npaths temporary = /**\n";
    machine.project("rules/ours.rulebook", text);
    machine.project("policy.yaml", "preset: standard\nallow_paths: [/data]\nworktree: true\n");
    machine.user("policy.yaml", "preset: strict\n");
    let layers = machine.load();
    for claim in ["allow ours.all", "override a.b", "paths temporary", "preset standard", "allow_paths", "worktree true"] {
        assert!(mentions(&layers, claim), "{claim}: {:?}", layers.reports);
    }
    assert_eq!((layers.preset, layers.settings.worktree, layers.settings.allow_paths.len()), (Preset::Strict, None, 0));
}

#[test]
fn trust_is_of_this_exact_content() {
    let machine = Machine::new();
    machine.project("rules/ours.rulebook", "override git.reset-hard = off\n");
    let kind = |machine: &Machine| machine.load().layers.iter().map(|layer| layer.kind).max();
    let project = machine.root.join("home/work/project");
    assert_eq!(kind(&machine), Some(LayerKind::Project));
    layers::trust(&project, &machine.environment).expect("trusted");
    assert_eq!(kind(&machine), Some(LayerKind::TrustedProject));
    assert_eq!(kind(&machine), Some(LayerKind::TrustedProject), "from the cache, too");
    let note = machine.project("notes/readme", "anything");
    assert_eq!(kind(&machine), Some(LayerKind::Project), "any file counts");
    std::fs::remove_file(&note).expect("removed");
    assert_eq!(kind(&machine), Some(LayerKind::TrustedProject));
    assert!(layers::untrust(&project, &machine.environment).expect("done"));
    assert_eq!(kind(&machine), Some(LayerKind::Project));
    assert!(!layers::untrust(&project, &machine.environment).expect("done"));
    assert!(layers::trust(Path::new("/nothing"), &machine.environment).is_err());
}

#[test]
fn homes_that_variables_name_add_and_replace_none() {
    let mut machine = Machine::new();
    machine.user("policy.yaml", "preset: strict\n");
    machine.write("second/.cc-safety-net/rules/two.rulebook", RULE);
    machine.write("second/.cc-safety-net/policy.yaml", "preset: standard\nallow_paths: [/data]\n");
    machine.environment.named_home = Some(machine.root.join("second").display().to_string());
    let layers = machine.load();
    assert_eq!((layers.preset, layers.settings.allow_paths.len()), (Preset::Strict, 0));
    assert!(mentions(&layers, "HOME: ") && mentions(&layers, "may only tighten"), "{:?}", layers.reports);
    assert_eq!(layer(&layers, LayerKind::Project), Some((Rights::Tighten, vec!["two.status".into()])));
    machine.user("policy.yaml", "preset: strict\nloosen_by_environment: true\n");
    let layers = machine.load();
    assert_eq!((layers.preset, layers.settings.allow_paths.len()), (Preset::Strict, 1), "of two words the stricter");
    let inside = machine.write("home/work/project/conf/policy.yaml", "worktree: true\n");
    machine.environment.named_home = machine.environment.home.clone();
    machine.environment.variables = vec![("CC_SAFETY_NET_HOME", inside.parent().expect("a parent").display().to_string())];
    let layers = machine.load();
    assert!(mentions(&layers, "points into the project"), "{:?}", layers.reports);
    assert_eq!(layers.settings.worktree, None);
}

#[test]
fn variables_tighten() {
    let mut machine = Machine::new();
    for (name, value, preset) in [
        ("CC_SAFETY_NET_LEVEL", "strict", Preset::Strict),
        ("CC_SAFETY_NET_LEVEL", "standard", Preset::Standard),
        ("CC_SAFETY_NET_STRICT", "1", Preset::Strict),
        ("CC_SAFETY_NET_PARANOID_RM", "true", Preset::Paranoid),
        ("CC_SAFETY_NET_PARANOID", "0", Preset::Standard),
    ] {
        machine.environment.variables = vec![(name, value.to_string())];
        assert_eq!(machine.load().preset, preset, "{name}={value}");
    }
    machine.environment.variables = vec![("CC_SAFETY_NET_LEVEL", format!("x\u{1b}[2J{}", "y".repeat(99)))];
    let layers = machine.load();
    assert!(mentions(&layers, "CC_SAFETY_NET_LEVEL: no preset") && !mentions(&layers, "\u{1b}"));
    machine.environment.variables = vec![("CC_SAFETY_NET_WORKTREE", "1".into())];
    assert_eq!(machine.load().settings.worktree, None);
    assert!(mentions(&machine.load(), "CC_SAFETY_NET_WORKTREE: ignored"));
    machine.user("policy.yaml", "loosen_by_environment: true\n");
    assert_eq!(machine.load().settings.worktree, Some(true));
}

#[test]
fn the_cache_is_never_in_the_project() {
    let mut machine = Machine::new();
    machine.user("rules/mine.rulebook", RULE);
    let inside = machine.root.join("home/work/project/.cache");
    machine.environment.named_cache = Some(inside.display().to_string());
    machine.load();
    assert!(!inside.exists());
    let outside = machine.root.join("home/caches");
    machine.environment.named_cache = Some(outside.display().to_string());
    machine.load();
    assert!(outside.join("cc-safety-net/images").exists());
}

#[test]
fn more_than_a_hook_compiles_waits_for_a_command() {
    let machine = Machine::new();
    let mut text = String::new();
    for number in 0..7000 {
        text += &format!("rule r{number} {{ match git x{number}; deny \"no\" }}\n");
    }
    assert!(text.len() > 256 << 10);
    machine.user("rules/large.rulebook", &text);
    let layers = machine.load();
    assert!(
        layer(&layers, LayerKind::User).is_none() && mentions(&layers, "more than a hook compiles"),
        "{:?}",
        layers.reports
    );
    let layers = machine.load_in("home", Effort::Command);
    assert_eq!(layer(&layers, LayerKind::User).expect("compiled").1.len(), 7000);
    assert_eq!(layer(&machine.load(), LayerKind::User).expect("from the cache").1.len(), 7000);
}

#[test]
fn the_peer_s_settings_where_no_others_stand() {
    let machine = Machine::new();
    machine.user("policy.json", r#"{"version": 1, "safety": {"level": "strict"}}"#);
    assert_eq!(machine.load().preset, Preset::Strict);
    machine.user("policy.yaml", "preset: standard\n");
    assert_eq!(machine.load().preset, Preset::Standard);
}
