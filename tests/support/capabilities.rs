//! `src/agents/README.md`: what each agent honours, decision by decision and mode by mode, from the agents' own functions and
//! payloads and the sources that their folders name.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;

use cc_safety_net::agents::{AGENTS, Agent, Answer, Decoded, Failing};
use cc_safety_net::model::Decision;

const DECISIONS: [Decision; 4] = [Decision::Allow, Decision::Warn, Decision::Ask, Decision::Deny];

const HEAD: &str = "\
# The agents

A folder for each agent, a line for each in `AGENTS` (`mod.rs`). What follows is generated from the agents' functions, their payloads and
their folders' `README.md`; a test fails where it is stale, and `WRITE_PAGES=1 cargo test --test agents` writes it anew.

What is written in answer to each decision, `…` in the message's place. A mode is an event of the agent and whether somebody answers an
ask there; where nobody does, an ask has become what the rule says for that (`ask or DECISION`), by default a deny. Silence means
that nobody objects; the agent's own permissions stay.
";

/// Checks the page, or writes it where that is wanted.
pub fn check() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src/agents/README.md");
    let page = page();
    if std::env::var_os("WRITE_PAGES").is_some() {
        std::fs::write(&path, &page).expect("written");
    }
    let there = std::fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    assert!(there == page, "src/agents/README.md is stale: `WRITE_PAGES=1 cargo test --test agents` writes it anew");
}

fn page() -> String {
    let mut page = format!("{HEAD}\n| agent | warning | ask | when the hook breaks |\n| --- | --- | --- | --- |\n");
    for agent in AGENTS {
        let warn = if agent.honours.warn { "is heard" } else { "is not heard" };
        let modes = modes(agent);
        let ask = match (modes.keys().any(|(_, attended)| *attended), modes.keys().all(|(_, attended)| *attended)) {
            (true, true) => "reaches a person",
            (true, false) => "reaches a person in some modes",
            (false, _) => "reaches nobody",
        };
        let fails = match agent.fails {
            Failing::Open => "the call runs",
            Failing::OpenUnlessConfigured => "the call runs, unless the installed hook says otherwise, as ours does",
            Failing::Closed => "the call is refused",
        };
        let _ = writeln!(page, "| [{}](#{}) | {warn} | {ask} | {fails} |", agent.title, anchor(agent.title));
    }
    for agent in AGENTS {
        section(agent, &mut page);
    }
    page
}

/// The anchor that a heading gets.
fn anchor(title: &str) -> String {
    title.to_lowercase().replace(' ', "-")
}

fn section(agent: &Agent, page: &mut String) {
    let folder = super::folder(agent);
    let readme = std::fs::read_to_string(folder.join("README.md")).expect("its README");
    let paragraph = |begin: &str| readme.split("\n\n").find(|text| text.starts_with(begin)).expect("what was looked at").trim();
    let _ = writeln!(page, "\n## {}\n", agent.title);
    let _ = writeln!(page, "{}\n\n{}", paragraph("Looked at:"), paragraph("Sources:"));
    let name = folder.file_name().expect("a name").to_string_lossy();
    let _ = writeln!(page, "More in [`{name}/README.md`]({name}/README.md).\n");
    page.push_str("| mode | allow | warn | ask | deny | payloads |\n| --- | --- | --- | --- | --- | --- |\n");
    for ((event, attended), payloads) in modes(agent) {
        let answers = if attended { "" } else { ", nobody answers" };
        let _ = write!(page, "| `{event}`{answers} |");
        for decision in DECISIONS {
            let _ = write!(page, " {} |", cell(agent, event, attended, decision));
        }
        let _ = writeln!(page, " {} |", payloads.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" "));
    }
}

/// What is written; a question of the plugin's own comes before a refusal where the agent has none.
fn cell(agent: &Agent, event: &'static str, attended: bool, decision: Decision) -> String {
    if decision == Decision::Ask && !attended {
        return "as the rule says".into();
    }
    let reply = |decision| (agent.encode)(&Answer { decision, message: "…".into(), aside: None }, event);
    match reply(decision) {
        None => "silence".into(),
        Some(line) if decision == Decision::Ask && agent.flags.is_empty() && reply(Decision::Deny).as_ref() == Some(&line) => {
            format!("the plugin asks; then as allowed or `{line}`")
        }
        Some(line) => format!("`{}`", line.trim_end()),
    }
}

/// The events of an agent and whether somebody answers an ask there, with the payloads that show it. An event without a payload
/// stands as the agent's ask does elsewhere.
fn modes(agent: &Agent) -> BTreeMap<(&'static str, bool), Vec<String>> {
    let mut modes: BTreeMap<(&'static str, bool), Vec<String>> = BTreeMap::new();
    for (name, bytes) in super::payloads(agent) {
        if let Decoded::Call(request) = (agent.decode)(&bytes) {
            modes.entry((request.event, request.call.attended)).or_default().push(name);
        }
    }
    for event in agent.events {
        if !modes.keys().any(|(known, _)| known == event) {
            modes.insert((event, agent.honours.ask), Vec::new());
        }
    }
    modes
}
