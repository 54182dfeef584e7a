//! Every agent's payloads and replies, as they lie in its folder: `pre-*` is a call, `bad-*` is refused, `other-*` is not ours,
//! `reply-*` is what is written. The page of what each agent honours is made of them.

use std::fs;
use std::path::PathBuf;

use cc_safety_net::agents::{AGENTS, Agent, Answer, Decoded};
use cc_safety_net::model::Decision;

#[path = "support/capabilities.rs"]
mod capabilities;

/// The folder of an agent.
fn folder(agent: &Agent) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src/agents").join(agent.name.replace('-', "_"))
}

/// The payloads of an agent, by name.
fn payloads(agent: &Agent) -> Vec<(String, Vec<u8>)> {
    let folder = folder(agent).join("payloads");
    let mut all: Vec<(String, Vec<u8>)> = fs::read_dir(&folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.expect("readable").path())
        .map(|path| (path.file_stem().expect("a name").to_string_lossy().into_owned(), fs::read(&path).expect("readable")))
        .collect();
    all.sort();
    all
}

#[test]
fn payloads_are_what_their_names_say() {
    for agent in AGENTS {
        let mut lines = Vec::new();
        for (name, bytes) in payloads(agent).iter().filter(|(name, _)| !name.starts_with("reply-")) {
            let line = match (agent.decode)(bytes) {
                Decoded::Call(request) => {
                    let call = &request.call;
                    assert!(agent.events.contains(&request.event), "{}: {name}", agent.name);
                    assert!(name.starts_with("pre-"), "{}: {name} is no call", agent.name);
                    assert_eq!(call.agent, agent.name);
                    let attended = if call.attended { "attended" } else { "nobody answers" };
                    let within = if request.roots.is_empty() { String::new() } else { format!(" within {:?}", request.roots) };
                    format!("{} {} in `{}`{within}, {attended}", call.tool, call.fields, call.directory)
                }
                Decoded::NotOurs => {
                    assert!(name.starts_with("other-"), "{}: {name} is ours", agent.name);
                    "silence".into()
                }
                Decoded::Bad { bad, .. } => {
                    assert!(name.starts_with("bad-"), "{}: {name}: {bad}", agent.name);
                    format!("refused: {bad}")
                }
            };
            lines.push(format!("{name}\n    {line}"));
        }
        insta::with_settings!({
            snapshot_path => concat!(env!("CARGO_MANIFEST_DIR"), "/snapshots/agents"),
            prepend_module_to_snapshot => false,
            omit_expression => true,
        }, { insta::assert_snapshot!(agent.name, lines.join("\n")) });
    }
}

#[test]
fn replies_are_what_the_agent_reads() {
    for agent in AGENTS {
        let replies = payloads(agent);
        for (decision, name) in [(Decision::Deny, "reply-deny"), (Decision::Ask, "reply-ask"), (Decision::Warn, "reply-warn")] {
            let answer = Answer { decision, message: "BLOCKED by CC Safety Net: an example.".into(), aside: None };
            let line = (agent.encode)(&answer, agent.events[0]);
            let Some((_, wanted)) = replies.iter().find(|(each, _)| each == name) else {
                assert!(decision < Decision::Ask, "{}: {name} is missing", agent.name);
                assert_eq!(line, None, "{}: {name}: not silence", agent.name);
                continue;
            };
            let line = line.unwrap_or_else(|| panic!("{}: {name}: silence", agent.name));
            assert!(!line.contains('\n'), "{}: one line", agent.name);
            let written: serde_json::Value = serde_json::from_str(&line).expect("JSON");
            let wanted: serde_json::Value = serde_json::from_slice(wanted).expect("JSON");
            assert_eq!(written, wanted, "{}: {name}", agent.name);
        }
        let allow = Answer { decision: Decision::Allow, message: String::new(), aside: None };
        let line = (agent.encode)(&allow, agent.events[0]);
        assert_eq!(line.is_some(), agent.explicit, "{}: an allow is silence", agent.name);
    }
}

#[test]
fn the_page_of_capabilities_is_what_the_agents_do() {
    capabilities::check();
}

#[test]
fn every_agent_is_complete_and_no_flag_means_two() {
    let mut flags: Vec<&str> = Vec::new();
    for agent in AGENTS {
        assert!(!agent.name.is_empty() && !agent.title.is_empty());
        let readme = fs::read_to_string(folder(agent).join("README.md")).unwrap_or_default();
        assert!(readme.contains("Sources:") && readme.contains("Looked at: version"), "{}: README.md", agent.name);
        flags.extend(agent.flags.iter().chain(agent.old_flags));
    }
    let count = flags.len();
    flags.sort_unstable();
    flags.dedup();
    assert_eq!(flags.len(), count, "a flag stands twice");
}

#[test]
fn a_long_message_is_cut_before_the_agent_would() {
    for agent in AGENTS {
        let answer = Answer { decision: Decision::Deny, message: "ä".repeat(200_000), aside: None };
        let line = (agent.encode)(&answer, agent.events[0]).expect("a refusal");
        assert!(line.chars().count() < 10_000, "{}", agent.name);
    }
}

#[test]
fn malformed_input_of_every_kind_is_refused_by_every_agent() {
    let deep = format!("{}1{}", "{\"a\":".repeat(5_000), "}".repeat(5_000));
    let large = vec![b' '; 9 << 20];
    let cases: &[(&str, &[u8])] = &[
        ("empty", b""),
        ("blank", b" \n"),
        ("not JSON", b"nonsense"),
        ("cut", b"{\"tool_name\": \"Ba"),
        ("a list", b"[]"),
        ("null", b"null"),
        ("no fields", b"{}"),
        ("two documents", b"{}{}"),
        ("wrong types", br#"{"tool_name":7,"toolName":7,"toolCall":7,"tool_input":{},"toolInput":{}}"#),
        ("not UTF-8", b"{\"a\": \"\xff\"}"),
        ("a NUL", br#"{"a":"x\u0000"}"#),
        ("deep", deep.as_bytes()),
        ("large", &large),
    ];
    for agent in AGENTS {
        for (name, bytes) in cases {
            let Decoded::Bad { bad, event } = (agent.decode)(bytes) else { panic!("{}: {name} is not refused", agent.name) };
            let answer = Answer { decision: Decision::Deny, message: bad.to_string(), aside: None };
            let line = (agent.encode)(&answer, event).unwrap_or_else(|| panic!("{}: {name}: silence", agent.name));
            assert!(["deny", "block", "reject"].iter().any(|word| line.contains(word)), "{}: {name}: {line}", agent.name);
        }
    }
}

#[test]
fn every_event_has_a_refusal() {
    for agent in AGENTS {
        for event in agent.events {
            let answer = Answer { decision: Decision::Deny, message: "no".into(), aside: None };
            let line = (agent.encode)(&answer, event).unwrap_or_else(|| panic!("{}: {event}: silence", agent.name));
            assert!(["deny", "block", "reject"].iter().any(|word| line.contains(word)), "{}: {event}: {line}", agent.name);
        }
    }
}

#[test]
fn a_call_outside_of_the_workspace_is_told() {
    let payload = br#"{"workspace_roots":["/w"],"tool_name":"Shell","tool_input":{"command":"ls","working_directory":"/x"}}"#;
    let cursor = AGENTS.iter().find(|agent| agent.flags.contains(&"--cursor")).expect("in the table");
    let Decoded::Call(request) = (cursor.decode)(payload) else { panic!("no call") };
    assert!(request.inside(|_| None).is_err());
    assert!(request.inside(|path| Some(path.replace("/x", "/w/x"))).is_ok(), "links are resolved");
}
