//! The laws of plans, on settings made by the dice: connecting twice is connecting once; what connecting did is taken back to the
//! byte where the former version is kept, to the value and with every comment where it is not.

use std::cell::RefCell;
use std::collections::BTreeMap;

use cc_safety_net::agents::Agent;
use cc_safety_net::setup::{Goal, Ground, Plan, Present, Step, plan};
use proptest::prelude::*;
use serde_json::Value;

use super::support::agent;

type Files = RefCell<BTreeMap<String, String>>;

/// A plan on files in memory.
fn planned(goal: Goal, agent: &Agent, files: &Files) -> Plan {
    let look = |path: &str| files.borrow().get(path).map_or(Present::Missing, |text| Present::File(text.clone()));
    let ground = Ground {
        place: "/place".into(),
        data: "/data".into(),
        program: "/opt/bin/cc-safety-net".into(),
        agent_program: None,
        version: None,
        look: &look,
    };
    plan(goal, agent, &ground)
}

/// Plans and carries out.
fn reach(goal: Goal, agent: &Agent, files: &Files) {
    let plan = planned(goal, agent, files);
    assert_eq!(plan.refusals, Vec::<String>::new());
    for step in plan.steps {
        let Step::Write(change) = step else { panic!("{step:?}") };
        assert_eq!(files.borrow().get(&change.path), change.before.as_ref());
        match change.after {
            Some(text) => drop(files.borrow_mut().insert(change.path, text)),
            None => drop(files.borrow_mut().remove(&change.path)),
        }
    }
}

/// How a document is laid out.
#[derive(Debug, Clone)]
struct Layout {
    indent: &'static str,
    end: &'static str,
    has_comments: bool,
    has_trailing_commas: bool,
}

fn layouts() -> impl Strategy<Value = Layout> {
    let indents = prop::sample::select(vec!["", " ", "  ", "    ", "\t"]);
    let ends = prop::sample::select(vec!["\n", "\r\n"]);
    (indents, ends, any::<bool>(), any::<bool>()).prop_map(|(indent, end, has_comments, has_trailing_commas)| Layout {
        indent,
        end,
        has_comments,
        has_trailing_commas,
    })
}

/// Writes a value. An empty indent means one line.
fn write(value: &Value, layout: &Layout, depth: usize, count: &mut usize, out: &mut String) {
    let (open, close, items): (_, _, Vec<(Option<&String>, &Value)>) = match value {
        Value::Object(fields) => ('{', '}', fields.iter().map(|(key, value)| (Some(key), value)).collect()),
        Value::Array(items) => ('[', ']', items.iter().map(|value| (None, value)).collect()),
        other => return out.push_str(&other.to_string()),
    };
    let is_line = layout.indent.is_empty();
    let break_line = |out: &mut String, depth: usize| {
        if !is_line {
            out.push_str(layout.end);
            out.push_str(&layout.indent.repeat(depth));
        }
    };
    out.push(open);
    let last = items.len();
    for (at, (key, item)) in items.into_iter().enumerate() {
        break_line(out, depth + 1);
        *count += 1;
        if layout.has_comments && (*count).is_multiple_of(3) {
            out.push_str(&format!("/* above {count} */ "));
        }
        if let Some(key) = key {
            out.push_str(&format!("{}:{}", Value::from(key.as_str()), if is_line { "" } else { " " }));
        }
        write(item, layout, depth + 1, count, out);
        if at + 1 < last || (layout.has_trailing_commas && !is_line) {
            out.push(',');
        }
        if layout.has_comments && !is_line && (*count).is_multiple_of(2) {
            out.push_str(&format!(" // after {count}"));
        }
    }
    if last > 0 {
        break_line(out, depth);
    }
    out.push(close);
}

fn values() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        "[a-z {}\\[\\],:\"/*\\\\]{0,8}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map("[a-z]{1,5}", inner, 0..4)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

/// Settings with hooks of others in them, or without hooks.
fn settings(event: &'static str) -> impl Strategy<Value = Value> {
    let fields = prop::collection::btree_map("[a-g]{1,5}", values(), 0..4);
    let handler = "[a-z ]{1,8}".prop_map(|command| serde_json::json!({ "command": command }));
    let group = prop_oneof![
        handler.clone(),
        (prop::collection::vec(handler, 0..3)).prop_map(|hooks| serde_json::json!({ "matcher": "x", "hooks": hooks })),
    ];
    let list = prop::option::of(prop::collection::vec(group, 0..4));
    (fields, any::<bool>(), list).prop_map(move |(fields, has_hooks, list)| {
        let mut all: serde_json::Map<String, Value> = fields.into_iter().collect();
        if has_hooks {
            let mut hooks = serde_json::Map::new();
            hooks.insert("Stop".into(), Value::Array(Vec::new()));
            hooks.extend(list.map(|list| (event.to_string(), Value::from(list))));
            all.insert("hooks".into(), Value::Object(hooks));
        }
        Value::Object(all)
    })
}

/// The value without the lists and objects that taking our entry away leaves empty.
fn pruned(mut value: Value, event: &str) -> Value {
    let Some(hooks) = value.get_mut("hooks").and_then(Value::as_object_mut) else { return value };
    if hooks.get(event).and_then(Value::as_array).is_some_and(Vec::is_empty) {
        hooks.remove(event);
    }
    if hooks.is_empty() {
        value.as_object_mut().expect("an object").remove("hooks");
    }
    value
}

fn comments(text: &str) -> Vec<String> {
    let words = text.split_whitespace().collect::<Vec<_>>();
    let mut found: Vec<String> =
        words.windows(2).filter(|pair| pair[0] == "above" || pair[0] == "after").map(|pair| pair.join(" ")).collect();
    found.sort();
    found
}

fn read(text: &str) -> Value {
    let root = jsonc_parser::cst::CstRootNode::parse(text, &jsonc_parser::ParseOptions::default()).expect("JSON");
    root.to_serde_value().expect("a value")
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn json_is_given_back(settings in settings("PreToolUse"), layout in layouts()) {
        let mut text = String::new();
        write(&settings, &layout, 0, &mut 0, &mut text);
        let agent = agent("claude-code");
        let path = "/place/settings.json";
        let files: Files = RefCell::new([(path.to_string(), text.clone())].into());
        reach(Goal::Connect, agent, &files);
        let connected = files.borrow().clone();
        let added = read(&connected[path]);
        let entries = added["hooks"]["PreToolUse"].as_array().expect("a list").len();
        let before = settings["hooks"]["PreToolUse"].as_array().map_or(0, Vec::len);
        prop_assert_eq!(entries, before + 1);
        prop_assert_eq!(comments(&connected[path]), comments(&text));
        prop_assert!(planned(Goal::Connect, agent, &files).steps.is_empty(), "{}", connected[path]);
        reach(Goal::Disconnect, agent, &files);
        prop_assert_eq!(files.borrow().clone(), BTreeMap::from([(path.to_string(), text.clone())]));
        // And without the version that was kept.
        let alone: Files = RefCell::new([(path.to_string(), connected[path].clone())].into());
        reach(Goal::Disconnect, agent, &alone);
        let now = alone.borrow().get(path).cloned().unwrap_or_else(|| "{}".into());
        prop_assert_eq!(pruned(read(&now), "PreToolUse"), pruned(settings, "PreToolUse"), "{}", now);
    }

    #[test]
    fn toml_is_given_back(tables in prop::collection::vec(("[a-f]{1,4}", "[a-z]{0,4}", any::<bool>()), 0..4), hooks in 0usize..3, inline in any::<bool>()) {
        let mut text = String::new();
        if inline {
            text.push_str("hooks = [ { event = \"Stop\", command = \"x\" } ] # mine\n");
        }
        for (at, (name, value, comment)) in tables.iter().enumerate() {
            text.push_str(&format!("{}[{name}{at}]\nkey = \"{value}\"\n", if *comment { "# about\n" } else { "\n" }));
        }
        if !inline {
            text.push_str(&"[[hooks]]\nevent = \"Stop\" # bell\ncommand = \"bell\"\n".repeat(hooks));
        }
        let agent = agent("kimi-code");
        let path = "/place/config.toml";
        let files: Files = RefCell::new([(path.to_string(), text.clone())].into());
        reach(Goal::Connect, agent, &files);
        let connected = files.borrow()[path].clone();
        prop_assert!(connected.contains("/opt/bin/cc-safety-net hook --kimi-code"));
        prop_assert!(planned(Goal::Connect, agent, &files).steps.is_empty(), "{}", connected);
        reach(Goal::Disconnect, agent, &files);
        prop_assert_eq!(files.borrow().clone(), BTreeMap::from([(path.to_string(), text.clone())]));
        let alone: Files = RefCell::new([(path.to_string(), connected)].into());
        reach(Goal::Disconnect, agent, &alone);
        let now = alone.borrow().get(path).cloned().unwrap_or_default();
        prop_assert_eq!(now.trim(), text.trim());
    }
}
