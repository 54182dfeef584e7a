//! Every agent's payloads and replies, as they lie in its folder: `pre-*` is a call, `bad-*` is refused, `other-*` is not ours,
//! `reply-*` is what is written.

use std::fs;
use std::path::PathBuf;

use cc_safety_net::agents::{AGENTS, Agent, Answer, Decoded};
use cc_safety_net::model::Decision;

/// The payloads of an agent, by name.
fn payloads(agent: &Agent) -> Vec<(String, Vec<u8>)> {
    let folder =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src/agents").join(agent.name.replace('-', "_")).join("payloads");
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
                Decoded::Call(call) => {
                    assert!(name.starts_with("pre-"), "{}: {name} is no call", agent.name);
                    assert_eq!(call.agent, agent.name);
                    let attended = if call.attended { "attended" } else { "nobody answers" };
                    format!("{} {} in `{}`, {attended}", call.tool, call.fields, call.directory)
                }
                Decoded::NotOurs => {
                    assert!(name.starts_with("other-"), "{}: {name} is ours", agent.name);
                    "silence".into()
                }
                Decoded::Bad(bad) => {
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
            let Some((_, wanted)) = replies.iter().find(|(each, _)| each == name) else {
                panic!("{}: {name} is missing", agent.name);
            };
            let answer = Answer { decision, message: "BLOCKED by CC Safety Net: an example.".into() };
            let line = (agent.encode)(&answer).unwrap_or_else(|| panic!("{}: {name}: silence", agent.name));
            assert!(!line.contains('\n'), "{}: one line", agent.name);
            let written: serde_json::Value = serde_json::from_str(&line).expect("JSON");
            let wanted: serde_json::Value = serde_json::from_slice(wanted).expect("JSON");
            assert_eq!(written, wanted, "{}: {name}", agent.name);
        }
        let allow = Answer { decision: Decision::Allow, message: String::new() };
        assert_eq!((agent.encode)(&allow), None, "{}: an allow is silence", agent.name);
    }
}

#[test]
fn every_agent_is_complete_and_no_flag_means_two() {
    let mut flags: Vec<&str> = Vec::new();
    for agent in AGENTS {
        assert!(!agent.name.is_empty() && !agent.title.is_empty() && !agent.flags.is_empty());
        let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src/agents").join(agent.name.replace('-', "_"));
        let readme = fs::read_to_string(folder.join("README.md")).unwrap_or_default();
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
        let answer = Answer { decision: Decision::Deny, message: "ä".repeat(200_000) };
        let line = (agent.encode)(&answer).expect("a refusal");
        assert!(line.chars().count() < 10_000, "{}", agent.name);
    }
}
