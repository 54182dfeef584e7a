//! Gemini CLI: `BeforeTool` in, a flat decision out. The facts are in this folder's `README.md`.

mod setup;

use serde_json::{Map, Value, json};

use super::payload::{self, Bad};
use super::{Agent, Answer, Decoded, Failing, Honours, Request, Shell, fields};
use crate::model::Decision;

/// Gemini CLI, as of 0.65.
pub const AGENT: Agent = Agent {
    name: "gemini-cli",
    title: "Gemini CLI",
    flags: &["-gc", "--gemini-cli"],
    old_flags: &[],
    bare_flags: &["-gc", "--gemini-cli"],
    events: &["BeforeTool"],
    decode,
    encode,
    explicit: false,
    honours: Honours { ask: false, warn: true },
    fails: Failing::Open,
    shell: Shell { tool: SHELL, field: "command" },
    setup: setup::SETUP,
};

const SHELL: &str = "run_shell_command";
/// The tool that fetches what its prompt names.
const FETCH: &str = "web_fetch";

const TOOLS: fields::Tools = &[
    (SHELL, &["command"], &[]),
    ("read_file", &[], &["file_path", "absolute_path"]),
    ("write_file", &["file_path"], &["content"]),
    ("replace", &["file_path"], &[]),
    ("grep_search", &["pattern"], &["dir_path"]),
    (FETCH, &[], &["prompt"]),
];

fn decode(bytes: &[u8]) -> Decoded {
    fields::decode(&AGENT, bytes, &["tool_response", "llm_response"], "hook_event_name", request)
}

fn request(object: &Map<String, Value>, event: &'static str) -> Result<Option<Request>, Bad> {
    let tool = payload::required_text(object, "", "tool_name")?;
    let mut input = fields::object(object, "tool_input")?;
    fields::check(TOOLS, tool, &input, "tool_input.")?;
    let session = payload::directory(object, "", "cwd")?.unwrap_or_default();
    let directory = if tool == SHELL {
        let newer = fields::within(&session, &input, "tool_input.", "dir_path")?;
        newer.or(fields::within(&session, &input, "tool_input.", "directory")?)
    } else {
        None
    };
    if tool == FETCH
        && let Some(prompt) = input.get("prompt").and_then(Value::as_str)
    {
        let urls = fields::urls(prompt);
        input.insert("urls".into(), json!(urls));
    }
    let mut request = fields::request(&AGENT, event, tool, input);
    request.call.directory = directory.unwrap_or(session);
    request.call.session = fields::session(object, "session_id")?;
    Ok(Some(request))
}

/// An ask is in the agent's code and not in its documentation, so it is a refusal.
fn encode(answer: &Answer, _: &'static str) -> Option<String> {
    let message = fields::clipped(&answer.message);
    match answer.decision {
        Decision::Allow => None,
        Decision::Warn => fields::line(&json!({ "systemMessage": message })),
        Decision::Ask | Decision::Deny => {
            let message = fields::halved(message);
            fields::line(&json!({ "decision": "deny", "reason": message, "systemMessage": message }))
        }
    }
}
