//! The permission rules of Claude Code's settings files (`permissions.allow`, `.ask`, `.deny`): rules of this language.
//!
//! Facts: code.claude.com/docs/en/iam and /en/settings. `Tool` is all of a tool, `Tool(what)` some calls of it. For the shell `what` is
//! a command, with `:*` or ` *` at its end for whatever follows and `*` for any text; for file tools it is a path as in a
//! gitignore file, `//` the root of the disk, `/` the project; for fetching `domain:NAME`. Deny comes before ask before allow.

use serde_json::Value;

use crate::agents::permissions::{Ported, PortedRule, element, glob, message, string};
use crate::model::Decision;

/// Reads a settings file.
pub fn read(text: &str) -> Option<Ported> {
    let document: Value = serde_json::from_str(text).ok()?;
    let permissions = document.get("permissions")?.as_object()?;
    let mut ported = Ported::default();
    for (key, value) in permissions {
        let at = format!("/permissions/{key}");
        let decision = match key.as_str() {
            "deny" => Decision::Deny,
            "ask" => Decision::Ask,
            "allow" => Decision::Allow,
            "defaultMode" | "disableBypassPermissionsMode" | "additionalDirectories" => {
                ported.unsaid(at, value.to_string(), "stays with the agent: it is about the agent's own prompts");
                continue;
            }
            _ => {
                ported.unsaid(at, value.to_string(), "not known");
                continue;
            }
        };
        for (index, item) in value.as_array().into_iter().flatten().enumerate() {
            let at = format!("{at}/{index}");
            match item.as_str() {
                Some(text) => rule(text, decision, at, &mut ported),
                None => ported.unsaid(at, item.to_string(), "not a text"),
            }
        }
    }
    Some(ported)
}

fn rule(text: &str, decision: Decision, at: String, ported: &mut Ported) {
    if decision == Decision::Allow {
        // There it spares a prompt; here it would switch built-in refusals off.
        let why = "needs no rule: what no rule refuses passes here; the agent goes on sparing its prompt";
        return ported.unsaid(at, text, why);
    }
    let (tool, what) = match text.split_once('(') {
        Some((tool, rest)) => (tool.trim(), rest.strip_suffix(')').map(str::trim)),
        None => (text.trim(), Some("")),
    };
    let Some(what) = what.filter(|_| !tool.is_empty()) else {
        return ported.unsaid(at, text, "not a rule: its bracket is never closed");
    };
    let mut examples = Vec::new();
    let clauses = match (tool, what) {
        ("Bash", "" | "*" | ":*") => vec![format!("match tool {tool}")],
        ("Bash", command) => match shell(command) {
            Ok((clause, exact)) => {
                if exact {
                    let why = "said more widely: more words may follow, here and in any place of the command line";
                    ported.unsaid(at.clone(), text, why);
                }
                if !command.contains('*') {
                    examples.push((true, command.to_string()));
                }
                vec![clause]
            }
            Err(why) => return ported.unsaid(at, text, why),
        },
        ("Read", path) if !path.is_empty() => vec![format!("match reads {}", place(path))],
        ("Edit" | "Write" | "MultiEdit" | "NotebookEdit", path) if !path.is_empty() => {
            let verbs = ["writes", "appends", "creates", "truncates", "deletes", "moves"];
            verbs.iter().map(|verb| format!("match {verb} {}", place(path))).collect()
        }
        ("WebFetch", host) if host.starts_with("domain:") => {
            let host = host.trim_start_matches("domain:");
            let end = |tail: &str| format!("match tool {tool} when field url is *\"://\"{}{tail}", glob(host));
            vec![end(""), end("\"/\"*")]
        }
        (_, "" | "*") if tool.starts_with("mcp__") && tool.matches("__").count() == 1 => {
            vec![format!("match tool {}__*", glob(tool))]
        }
        (_, "" | "*") => vec![format!("match tool {}", glob(tool))],
        (_, field) => match field.split_once(':') {
            Some((name, value)) if !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') => {
                vec![format!("match tool {} when field {name} is {}", glob(tool), glob(value.trim()))]
            }
            _ => return ported.unsaid(at, text, "what it says of this tool is not known"),
        },
    };
    let refused = if decision == Decision::Deny { "Denied" } else { "To be asked about" };
    ported.rules.push(PortedRule {
        title: format!("{}-{tool}-{what}", decision.word()),
        clauses,
        decision,
        reason: message(&format!("{refused} by the permissions of this agent's settings: {text}")),
        intent: None,
        examples,
        at,
    });
}

/// A command, and whether nothing may follow it there.
fn shell(command: &str) -> Result<(String, bool), String> {
    let (body, open) = match command.strip_suffix(":*").or_else(|| command.strip_suffix(" *")) {
        Some(body) => (body, true),
        None => (command, command.ends_with('*')),
    };
    if body.contains(['|', ';', '&', '<', '>', '$', '`', '(', '\n', '\'', '"']) {
        return Err("it is about a script, not about one command".into());
    }
    let words: Vec<String> = body
        .split_whitespace()
        .map(|word| match word {
            "*" => "...".to_string(),
            _ if word.contains('*') => glob(word),
            _ => element(word),
        })
        .collect();
    match words.first() {
        None => Err("it names no command".into()),
        Some(first) if first == "..." => Err("it names no program".into()),
        _ => Ok((format!("match {}", words.join(" ")), !open)),
    }
}

/// A path as in a gitignore file, as a path of this language.
fn place(path: &str) -> String {
    let quoted = |path: &str| {
        let parts: Vec<String> = path
            .split('*')
            .map(|part| if part.is_empty() || part.chars().all(plain) { part.into() } else { string(part) })
            .collect();
        parts.join("*")
    };
    let path = path.strip_prefix("./").unwrap_or(path);
    let whole = match (path.strip_prefix("//"), path.strip_prefix('/')) {
        (Some(rest), _) => format!("/{rest}"),
        (None, Some(rest)) => format!("@project/{rest}"),
        (None, None) if path.starts_with('~') || path.starts_with("**/") => path.to_string(),
        // A name alone is meant at any depth.
        (None, None) if !path.trim_end_matches('/').contains('/') => format!("**/{path}"),
        (None, None) => format!("@project/{path}"),
    };
    let whole = if whole.ends_with('/') { format!("{whole}**") } else { whole };
    match whole.strip_prefix("@project") {
        Some(rest) => format!("@project{}", quoted(rest)),
        None => quoted(&whole),
    }
}

fn plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || "-_./:+%=~".contains(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clauses(list: &str, rule: &str) -> Vec<String> {
        let ported = read(&serde_json::json!({ "permissions": { list: [rule] } }).to_string()).expect("permissions");
        ported.rules.into_iter().flat_map(|rule| rule.clauses).collect()
    }

    #[test]
    fn each_form_of_a_rule() {
        for (rule, clause) in [
            ("Bash(git push:*)", "match git push"),
            ("Bash(git push *)", "match git push"),
            ("Bash(npm run build)", "match npm run build"),
            ("Bash(git * main)", "match git ... main"),
            ("Bash(rm -rf:*)", "match rm (-rf | -r -f)"),
            ("Bash", "match tool Bash"),
            ("Read(.env)", "match reads **/.env"),
            ("Read(//etc/passwd)", "match reads /etc/passwd"),
            ("Read(~/.ssh/**)", "match reads ~/.ssh/**"),
            ("Read(/conf/a b)", "match reads @project\"/conf/a b\""),
            ("mcp__github", "match tool mcp__github__*"),
            ("mcp__github__delete_repo", "match tool mcp__github__delete_repo"),
            ("Agent(subagent_type:explore)", "match tool Agent when field subagent_type is explore"),
        ] {
            assert_eq!(clauses("deny", rule), [clause], "{rule}");
        }
        assert_eq!(clauses("ask", "Edit(src/)")[0], "match writes **/src/**");
        assert_eq!(clauses("deny", "WebFetch(domain:example.com)").len(), 2);
    }

    #[test]
    fn what_is_not_said_is_told() {
        let told = |rule: serde_json::Value| {
            read(&serde_json::json!({ "permissions": rule }).to_string()).expect("permissions").unsaid.len()
        };
        assert!(read("{}").is_none() && read("x").is_none());
        assert_eq!(told(serde_json::json!({ "allow": ["Bash(ls:*)"], "defaultMode": "plan", "odd": 1 })), 3);
        assert_eq!(told(serde_json::json!({ "deny": ["Bash(a | b)", "Bash(", 7, "Bash(npm run build)"] })), 4);
    }
}
