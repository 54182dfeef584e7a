//! The installed hook, called as the agent calls it: with a call that must be refused, and with one that must pass.
//!
//! Both calls are of this program itself, since no other is sure to be known: a floor rule keeps agents from `uninstall`, and nothing
//! keeps them from `status`. Nothing is run: the hook only judges.

use std::time::{Duration, Instant};

use serde::Serialize;
use serde_json::Value;

use crate::agents::{Agent, Answer};
use crate::model::Decision;
use crate::world::program;

const DANGEROUS: &str = "cc-safety-net uninstall --all --yes";
const HARMLESS: &str = "cc-safety-net status";
/// As long as agents wait.
const LIMIT: Duration = Duration::from_secs(30);

/// What the hook answered.
#[derive(Debug, Serialize)]
pub struct Tested {
    /// Whether both answers were right.
    pub passed: bool,
    /// What went wrong, as the end of a sentence about the hook.
    pub fault: Option<String>,
    /// For both calls together.
    pub milliseconds: u128,
}

/// Calls the hook twice.
pub fn run(agent: &Agent, command: &str, probe: fn(&str, &str) -> Value, directory: &str) -> Tested {
    let start = Instant::now();
    let fault = call(agent, command, &probe(DANGEROUS, directory), directory, Decision::Deny)
        .and_then(|()| call(agent, command, &probe(HARMLESS, directory), directory, Decision::Allow))
        .err();
    Tested { passed: fault.is_none(), fault, milliseconds: start.elapsed().as_millis() }
}

fn call(agent: &Agent, command: &str, payload: &Value, directory: &str, wanted: Decision) -> Result<(), String> {
    let ran = program::run_line(command, &payload.to_string(), directory, LIMIT)?;
    if ran.code != Some(0) {
        let said: String = ran.errors.trim().lines().next().unwrap_or("nothing was said").chars().take(200).collect();
        return Err(match ran.code {
            Some(code) => format!("ends with code {code}: {said}"),
            None => "was ended by a signal".into(),
        });
    }
    let event = agent.events.first().copied().unwrap_or_default();
    let reply = ran.output.trim();
    let expected = |message: &str| {
        let answer = Answer { decision: wanted, message: message.into(), aside: None };
        (agent.encode)(&answer, event).map(|line| line.trim().to_string())
    };
    let is_right = match (expected("one"), expected("other")) {
        (Some(one), Some(other)) => is_alike(reply, &one, &other),
        _ => reply.is_empty(),
    };
    match (is_right, wanted) {
        (true, _) => Ok(()),
        (false, Decision::Deny) if reply.is_empty() => Err("lets a call pass that must be refused".into()),
        (false, Decision::Deny) => Err("does not refuse in the agent's own form".into()),
        (false, _) => Err("does not let a harmless call pass".into()),
    }
}

/// Whether a reply has the form of these two: the same wherever they are the same, a text with something in it where they differ.
fn is_alike(reply: &str, one: &str, other: &str) -> bool {
    let read = |text: &str| serde_json::from_str::<Value>(text).ok();
    let (Some(reply), Some(one), Some(other)) = (read(reply), read(one), read(other)) else { return false };
    let mut open = vec![(&reply, &one, &other)];
    while let Some((reply, one, other)) = open.pop() {
        match (reply, one, other) {
            (reply, one, other) if one == other => {
                if reply != one {
                    return false;
                }
            }
            (Value::Object(found), Value::Object(one), Value::Object(other)) => {
                if found.len() != one.len() {
                    return false;
                }
                for (key, one) in one {
                    let (Some(found), Some(other)) = (found.get(key), other.get(key)) else { return false };
                    open.push((found, one, other));
                }
            }
            (Value::String(found), ..) if !found.is_empty() => {}
            _ => return false,
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::is_alike;

    #[test]
    fn only_the_words_of_a_reply_may_differ() {
        let (one, other) = (r#"{"a":"deny","b":{"why":"one"}}"#, r#"{"a":"deny","b":{"why":"other"}}"#);
        assert!(is_alike(r#"{"b":{"why":"whatever"},"a":"deny"}"#, one, other));
        for wrong in [
            r#"{"a":"allow","b":{"why":"x"}}"#,
            r#"{"a":"deny","b":{"why":""}}"#,
            r#"{"a":"deny","b":{"why":"x"},"c":1}"#,
            r#"{"a":"deny"}"#,
            "",
            "deny",
        ] {
            assert!(!is_alike(wrong, one, other), "{wrong}");
        }
    }
}
