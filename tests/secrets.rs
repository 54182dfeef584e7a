//! Planted secrets: in commands, paths and fields of payloads; none in the log, the reply, or an explanation.
//!
//! All of them are made up here, put together from parts, so that no scanner takes this file for a leak.

#![cfg(feature = "machine")]

#[path = "support/hooks.rs"]
mod hooks;

use hooks::{Home, text};
use serde_json::json;

/// Beginnings of tokens, cut in two, and what follows: how many characters of which alphabet.
const TOKENS: &[(&str, &str, usize, &str)] = &[
    ("gh", "p_", 36, MIXED),
    ("gh", "o_", 36, MIXED),
    ("gh", "u_", 36, MIXED),
    ("gh", "s_", 36, MIXED),
    ("gh", "r_", 36, MIXED),
    ("github", "_pat_", 60, MIXED),
    ("gl", "pat-", 20, MIXED),
    ("gl", "dt-", 20, MIXED),
    ("gl", "rt-", 20, MIXED),
    ("xo", "xb-", 40, MIXED),
    ("xo", "xp-", 40, MIXED),
    ("xa", "pp-", 40, MIXED),
    ("np", "m_", 36, MIXED),
    ("py", "pi-", 60, MIXED),
    ("sk_", "live_", 24, MIXED),
    ("sk_", "test_", 24, MIXED),
    ("rk_", "live_", 24, MIXED),
    ("wh", "sec_", 32, MIXED),
    ("s", "k-", 48, MIXED),
    ("sk-", "ant-api03-", 80, MIXED),
    ("gs", "k_", 52, MIXED),
    ("xa", "i-", 60, MIXED),
    ("pp", "lx-", 48, MIXED),
    ("ba", "stn_", 32, MIXED),
    ("tgp", "_v1_", 40, MIXED),
    ("fl", "p_", 40, MIXED),
    ("wf", "r_", 40, MIXED),
    ("f", "w_", 24, MIXED),
    ("tp", "-", 40, MIXED),
    ("ps", "k-", 40, MIXED),
    ("AK", "IA", 16, UPPER),
    ("AS", "IA", 16, UPPER),
    ("AI", "za", 35, MIXED),
    ("GOC", "SPX-", 28, MIXED),
    ("ya", "29.", 60, MIXED),
    ("h", "f_", 34, MIXED),
    ("do", "p_v1_", 64, HEX),
    ("sh", "pat_", 32, HEX),
    ("dck", "r_pat_", 27, MIXED),
    ("da", "pi", 32, HEX),
    ("lin", "_api_", 40, MIXED),
    ("hv", "s.", 90, MIXED),
    ("S", "G.", 66, MIXED),
    ("pul", "-", 40, HEX),
    ("ts", "key-", 40, MIXED),
    ("sntr", "yu_", 64, HEX),
    ("fig", "d_", 40, MIXED),
    ("r8", "_", 37, MIXED),
    ("nv", "api-", 64, MIXED),
    ("AGE-SECRET", "-KEY-1", 58, UPPER),
];

const MIXED: &str = "aB3dE6gH9jK2mN5pQ8sT1vW4yZ7";
const UPPER: &str = "A2B3C4D5E6F7G8H9J";
const HEX: &str = "0a1b2c3d4e5f6789";

fn body(alphabet: &str, length: usize) -> String {
    alphabet.chars().cycle().take(length).collect()
}

/// Every token, and the part of it that must not be seen anywhere.
fn tokens() -> Vec<(String, String)> {
    TOKENS
        .iter()
        .map(|(one, other, length, alphabet)| (format!("{one}{other}{}", body(alphabet, *length)), body(alphabet, *length)))
        .collect()
}

/// Texts with a secret that its surroundings tell, and the secret.
fn told() -> Vec<(String, String)> {
    let secret = |number: usize| format!("zx{number}Qv{}", 9_000 - number);
    let forms: [&dyn Fn(&str) -> String; 16] = [
        &|s| format!("DB_PASSWORD={s}"),
        &|s| format!("--password {s}"),
        &|s| format!("--client-secret={s}"),
        &|s| format!("-u me:{s}"),
        &|s| format!("https://me:{s}@example.com/x"),
        &|s| format!("postgres://me:{s}@db:5432/x"),
        &|s| format!("'Authorization: Bearer {s}'"),
        &|s| format!("'X-Api-Key: {s}'"),
        &|s| format!("'Cookie: a=b; session={s}'"),
        &|s| format!("'{{\"accessToken\": \"{s}\"}}'"),
        &|s| format!("'AccountKey={s};EndpointSuffix=x'"),
        &|s| format!("'https://x.example.com/?sig={s}&a=b'"),
        &|s| format!("'https://x.example.com/?X-Amz-Signature={s}'"),
        &|s| format!("API_TOKEN='{s}'"),
        &|s| format!("--auth-token \"{s}\""),
        &|s| format!("MY_CREDENTIALS={s}"),
    ];
    forms.iter().enumerate().map(|(number, form)| (form(&secret(number)), secret(number))).collect()
}

fn clean(what: &str, said: &str, secrets: &[(String, String)]) {
    for (form, secret) in secrets {
        assert!(!said.contains(secret.as_str()), "{what}: {form} in {said}");
    }
}

#[test]
fn planted_secrets_are_nowhere() {
    let (tokens, told) = (tokens(), told());
    assert!(tokens.len() >= 40);
    let all: Vec<(String, String)> = tokens.iter().chain(&told).cloned().collect();
    let words = all.iter().map(|(form, _)| form.as_str()).collect::<Vec<_>>().join(" ");
    let paths: Vec<String> = tokens.iter().map(|(token, _)| format!("/srv/{token}/file")).collect();
    let attached: Vec<String> =
        tokens.iter().filter(|(token, _)| !token.starts_with("sk")).map(|(t, _)| format!("x={t}")).collect();
    let named: serde_json::Map<String, serde_json::Value> =
        told.iter().enumerate().map(|(n, (_, secret))| (format!("secret_{n}_key_password"), json!([secret]))).collect();
    let home = Home::new();
    let payloads = [
        home.payload("Bash", json!({ "command": format!("echo {words}"), "description": words })),
        home.payload("Bash", json!({ "command": format!("git push --force {words}") })),
        home.payload("Bash", json!({ "command": format!("cat {} && rm -rf ~ {}", paths.join(" "), attached.join(" ")) })),
        home.payload("Bash", json!({ "command": format!("git log {}", tokens[0].0) })),
        home.payload("Write", json!({ "file_path": format!("/etc/{}/x", tokens[0].0), "content": words })),
        home.payload("mcp__x__y", json!({ "headers": named, "deep": [{ "list": [words] }], tokens[1].0.as_str(): 1 })),
        home.payload(&format!("tool_{}", tokens[2].0), json!({ "url": told[4].0, "text": words })),
        json!({ "session_id": tokens[3].0, "cwd": format!("/nowhere/{}", tokens[4].0), "tool_name": "Read",
            "tool_input": { "file_path": format!("{}/x", tokens[5].0) } })
        .to_string(),
        json!({ "cwd": tokens[6].0, "tool_name": "Read", "tool_input": { "file_path": "x" } }).to_string(),
    ];
    for payload in &payloads {
        let output = home.hook("-cc", payload);
        assert_eq!(output.status.code(), Some(0));
        clean("reply", &(text(&output.stdout) + &text(&output.stderr)), &all);
    }
    assert_eq!(home.records().len(), payloads.len());
    assert!(home.records().iter().any(|record| record["decision"] == "deny"));
    clean("log", &home.text(), &all);
    assert!(home.text().matches("<redacted>").count() > 2 * all.len(), "{}", home.text());
    for command in [format!("echo {words}"), format!("cat {} && rm -rf ~", paths.join(" "))] {
        for arguments in [&["explain", "--", &command][..], &["explain", "--json", "--", &command]] {
            let output = home.run(arguments);
            assert!(output.status.code() != Some(2), "{output:?}");
            clean("explain", &(text(&output.stdout) + &text(&output.stderr)), &all);
        }
    }
    let past = home.path().join("past.jsonl");
    std::fs::write(&past, payloads.join("\n")).expect("written");
    let past = past.to_str().expect("UTF-8");
    let id = home.records().iter().find(|record| record["decision"] == "deny").expect("a refusal")["id"].clone();
    for arguments in [
        &["replay", past][..],
        &["replay", "--format", "json", past],
        &["replay", "--format", "jsonl", past],
        &["replay", "--format", "jsonl"],
        &["logs", "--all"],
        &["logs", "--csv", "--all"],
        &["logs", "show", id.as_str().expect("an id")],
        &["status", "--json"],
    ] {
        let output = home.run(arguments);
        assert!(output.status.code() != Some(2) && !output.stdout.is_empty(), "{arguments:?}: {output:?}");
        clean(&arguments.join(" "), &(text(&output.stdout) + &text(&output.stderr)), &all);
    }
}
