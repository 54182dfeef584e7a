//! The engine that an agent's plugin holds: a question in, a JSON answer out, the machine's facts through
//! [`crate::world::disk`].
//!
//! A question is a line and what follows it: `judge AGENT` and the payload as the plugin saw it; `explain AGENT DIRECTORY` and a
//! command, `command DIRECTORY` and one that no agent asks for; `list DIRECTORY`, `show ID` and a directory, for the rules in
//! force there; `check NAME` and the text of a rulebook. The same function runs natively in tests, so that both
//! builds can be compared.

#[cfg(target_family = "wasm")]
mod exports;

use serde_json::{Value, json};

use crate::agents::{self, Agent, Answer, Decoded};
use crate::check::{check, may_skip};
use crate::explain::message;
use crate::language::{File, check_layer};
use crate::layers::{self, Effort, Environment};
use crate::model::{Decision, ToolCall, World};
use crate::policy::Layers;
use crate::world::Native;

/// Answers one question. `null` where it is none.
pub fn answer(question: &str) -> String {
    let (line, text) = question.split_once('\n').unwrap_or((question, ""));
    let answer = match line.split_once(' ') {
        Some(("judge", name)) => agents::by_name(name).map(|agent| judge(agent, text.as_bytes())),
        Some(("explain", rest)) => rest.split_once(' ').and_then(|(name, directory)| {
            let agent = agents::by_name(name)?;
            let call = agent.shell_call(directory, text);
            Some(judged(agent, call, ""))
        }),
        Some(("command", directory)) => Some(nobodys(agents::DEFAULT.shell_call(directory, text))),
        Some(("list", directory)) => Some(list(directory)),
        Some(("show", id)) => Some(show(id, text)),
        Some(("check", name)) => Some(faults(name, text)),
        _ => None,
    };
    answer.unwrap_or(Value::Null).to_string()
}

/// A payload judged.
fn judge(agent: &'static Agent, payload: &[u8]) -> Value {
    match (agent.decode)(payload) {
        Decoded::NotOurs => said(agent, &Answer::silence(), agent.events[0]),
        Decoded::Bad { bad, event } => said(agent, &message::unreadable(&bad.to_string(), agent.title), event),
        Decoded::Call(request) => {
            let world = Native::new();
            match request.inside(|path| world.real(path)) {
                Err(bad) => said(agent, &message::unreadable(&bad.to_string(), agent.title), request.event),
                Ok(()) => judged(agent, request.call, request.event),
            }
        }
    }
}

fn judged(agent: &'static Agent, call: ToolCall, event: &'static str) -> Value {
    said(agent, &verdict(call, agent.title), event)
}

/// A call that no agent asks for: there is no form for the reply.
fn nobodys(call: ToolCall) -> Value {
    let answer = verdict(ToolCall { agent: String::new(), ..call }, "the caller");
    json!({ "decision": answer.decision.word(), "message": answer.message, "reply": null })
}

fn verdict(call: ToolCall, asker: &str) -> Answer {
    if call.directory.is_empty() {
        return message::unreadable("it names no working directory", asker);
    }
    let world = Native::new();
    let layers = layers::load(&call, &world, &Environment::of_process(), Effort::Hook);
    if may_skip(&call, &layers, &world) {
        return Answer::silence();
    }
    let judgement = check(call, &layers, &world);
    message::answer(&judgement.call, &judgement.verdict)
}

/// The decision, the message, and the reply in the agent's own form; `null` for silence.
fn said(agent: &Agent, answer: &Answer, event: &'static str) -> Value {
    let reply = (agent.encode)(answer, event).and_then(|line| serde_json::from_str::<Value>(&line).ok());
    json!({ "decision": answer.decision.word(), "message": answer.message, "reply": reply })
}

/// The layers in force in a directory.
fn layers_of(directory: &str) -> Layers {
    layers::load(&agents::DEFAULT.shell_call(directory, ""), &Native::new(), &Environment::of_process(), Effort::Hook)
}

/// The rules in force in a directory: one line each.
fn list(directory: &str) -> Value {
    let layers = layers_of(directory);
    let mut rules = Vec::new();
    for layer in &layers.layers {
        for id in layer.image.rule_ids().unwrap_or_default() {
            if let Ok(Some(rule)) = layer.image.rule(&id) {
                let decision = if rule.decision == Decision::Allow { "allow" } else { rule.decision.word() };
                rules.push(json!({ "id": id, "layer": layer.name, "decision": decision, "reason": rule.reason }));
            }
        }
    }
    json!({ "rules": rules, "reports": layers.reports })
}

/// One rule, by its id or a former one.
fn show(id: &str, directory: &str) -> Value {
    let layers = layers_of(directory);
    let found = layers.layers.iter().find_map(|layer| {
        let rule = layer.image.rule(id).ok().flatten()?;
        Some(json!({
            "id": rule.id, "layer": layer.name, "decision": rule.decision.word(), "reason": rule.reason,
            "instead": rule.instead, "floor": rule.floor, "file": rule.at.file,
        }))
    });
    found.unwrap_or(Value::Null)
}

/// What is wrong with a rulebook over the catalogue: a line for each error.
fn faults(name: &str, text: &str) -> Value {
    let files = [File { name: name.into(), text: text.into() }];
    let found = check_layer(&files, &layers::known()).diagnostics;
    found.iter().filter(|each| each.is_error()).map(|each| layers::compile::line(each, &files)).collect()
}
