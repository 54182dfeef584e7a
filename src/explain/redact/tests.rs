//! What must go, what must stay, and the laws over any text.

use proptest::prelude::*;

use super::formats::{Body, FORMATS};
use super::table::Token;
use super::*;

/// What must go, with the secret marked by `⟦ ⟧`.
const GOES: &[&str] = &[
    "export AWS_SECRET_ACCESS_KEY=⟦wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY⟧",
    "PGPASSWORD=⟦hunter22⟧ psql -h db",
    "deploy --password ⟦hunter22⟧ --force",
    "deploy --password=⟦hunter22⟧ --force",
    "deploy --password='⟦hunter 22⟧' --force",
    "deploy --db-pass \"⟦hun\\\"ter22⟧\" --force",
    r#"curl -d '{"user":"me","password":"⟦hunter22⟧"}' https://example.com"#,
    r#"curl -H "Authorization: Bearer ⟦abcDEF123456⟧" https://example.com"#,
    r#"curl -H 'Authorization: Basic ⟦bWU6aHVudGVyMjI=⟧' https://example.com"#,
    r#"curl -H "authorization: token ⟦0123456789abcdef⟧" https://example.com"#,
    r#"curl -H "X-Api-Key: ⟦0123456789abcdef⟧" https://example.com"#,
    r#"curl -H "Cookie: ⟦session=abc; other=def⟧" https://example.com"#,
    "say Bearer ⟦abcDEF123456⟧ again",
    "git clone https://me:⟦hunter22⟧@example.com/x.git",
    "git clone https://⟦0123456789abcdef0123⟧@example.com/x.git",
    "psql postgres://me:⟦pa/ss⟧@db:5432/x",
    "connect 'Server=x;AccountKey=⟦abc/def+==⟧;EndpointSuffix=y'",
    "curl https://example.com/?api_key=⟦abcdef⟧&page=2",
    "token: ⟦abcdef⟧",
    "://password=⟦:é@⟧",
    "curl -u me:⟦hunter22⟧ https://example.com",
    "curl --user 'me:⟦hunter 22⟧' https://example.com",
    "curl --proxy-user=me@host:⟦hunter22⟧ https://example.com",
    "curl 'https://x.blob.core.windows.net/a?sv=1&sig=⟦abc%2Fdef⟧&se=2'",
    "glm ⟦0123456789abcdef0123456789abcdef.aB3dE6gH9jK2mN5p⟧ end",
    "login -p⟦ghp_0123456789abcdefghijklmnopqrstuvwxyz⟧ end",
    "echo ${DB_PASSWORD:-⟦hunter22⟧}",
    "curl https://hooks.slack.com/services/⟦T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX⟧",
    "curl https://api.telegram.org/bot⟦123456789:AAabcdefghijklmnopqrstuvwxyz0123456⟧/getMe",
    "key -----BEGIN RSA PRIVATE KEY-----⟦\nabc\ndef\n⟧-----END RSA PRIVATE KEY----- done",
    "key -----BEGIN OPENSSH PRIVATE KEY-----⟦\nabc and no end⟧",
    "jwt ⟦eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.abc-def_ghi⟧ end",
];

/// What must stay: it only refers to a secret, or is none.
const STAYS: &[&str] = &[
    "git commit -m 'rotate the token'",
    "login --token $TOKEN",
    "login --token \"$(cat token.txt)\"",
    "PASSWORD=${PASSWORD:?} deploy",
    "TOKEN= deploy",
    "login --password-stdin < file",
    "login --password-file ./secret.txt",
    "model --max-tokens 100",
    "model --max_tokens=100",
    "PWD=/home/me OLDPWD=/tmp ls",
    "git push https://github.com/me/x.git",
    "ssh git@github.com",
    "curl http://localhost:8080/a@b",
    "export PATH=$HOME/bin:$PATH",
    "sk-learn and key-value and SKIP",
    "npm_config_registry=https://example.com/",
    "basic understanding of things",
    "author=me co-author=you",
    "secret::module::path",
    "AKIAshort",
    "kubectl get secret my-secret",
    "echo \"token\" == x",
    "docker run -u 1000:1000 image",
    "docker run -u node:node image",
    "chown -u me file:other",
    "git log --user me",
    "risk-management-and-compliance-and-more-documents-of-ours",
    "da39a3ee5e6b4b0d3255bfef95601890afd80709 is a commit",
    "d41d8cd98f00b204e9800998ecf8427e.jpg",
];

#[test]
fn what_must_go_goes_and_the_rest_stays() {
    for marked in GOES {
        let text = marked.replace(['⟦', '⟧'], "");
        let mut wanted = String::new();
        for (i, part) in marked.split('⟦').enumerate() {
            wanted.push_str(if i == 0 { part } else { part.split_once('⟧').map_or("", |(_, rest)| rest) });
            if i < marked.matches('⟦').count() {
                wanted.push_str(MARK);
            }
        }
        assert_eq!(redact(&text), wanted);
    }
    for text in STAYS {
        assert_eq!(&redact(text), text);
    }
}

#[test]
fn the_table_is_sorted_and_large_enough() {
    assert!(FORMATS.windows(2).all(|pair| pair[0].beginning < pair[1].beginning));
    assert!(FORMATS.len() >= 40);
}

/// Quadratic work would take minutes.
#[test]
fn hostile_texts_cost_no_more_than_others() {
    for unit in [
        "://a:x/",
        "password=",
        "-----BEGIN PRIVATE KEY-----",
        "--token ",
        "a-",
        "eyJ",
        "bearer ",
        "\"password\":\"",
        "://",
        "12345678:",
        "cookie: $x ",
        "authorization: bearer $x ",
    ] {
        let text = unit.repeat((96 << 10) / unit.len());
        assert!(!redact(&text).is_empty());
    }
}

fn body(kind: Body, count: usize) -> String {
    let alphabet: &[u8] = match kind {
        Body::Alnum | Body::Url | Body::Wide => b"aB3dE6gH9jK2mN5pQ8sT1vW4yZ7",
        Body::Upper => b"A2B3C4D5E6F7G8H9J",
        Body::Hex => b"0a1b2c3d4e5f6789",
    };
    (0..count).map(|i| char::from(alphabet[i % alphabet.len()])).collect()
}

proptest! {
    /// A token of every form goes, whatever stands around it, as long as it begins a word.
    #[test]
    fn every_form_goes_wherever_it_stands(row in 0..FORMATS.len(), more in 0usize..30, before in "[ -~]{0,20}[ \"'=:(/]", after in "[ \"')\n][ -~]{0,20}") {
        let Token { beginning, body: kind, least, .. } = FORMATS[row];
        let token = format!("{beginning}{}", body(kind, least + more));
        let shown = redact(&format!("{before}{token}{after}"));
        prop_assert!(!shown.contains(&token), "{}", shown);
    }

    /// A token whose beginning tells goes within a word, too.
    #[test]
    fn telling_forms_go_within_a_word(row in 0..FORMATS.len(), before in "[a-z]{1,8}") {
        let Token { beginning, body: kind, least, is_telling } = FORMATS[row];
        let token = format!("{beginning}{}", body(kind, least));
        prop_assume!(is_telling);
        let shown = redact(&format!("x -{before}{token}"));
        prop_assert!(!shown.contains(&token), "{}", shown);
    }

    /// What has been redacted is not changed again.
    #[test]
    fn once_is_enough(text in "([a-z]{0,5}|password|token|://|:|=|@|\"|'| |--|Bearer |\n|é|\\\\|\\$){0,40}") {
        let once = redact(&text);
        prop_assert_eq!(redact(&once), once.clone());
    }

    /// Any text is taken, and what is cut out are whole characters, in order.
    #[test]
    fn any_text_is_taken(text in "\\PC{0,200}") {
        let redacted = find(&text);
        let mut last = 0;
        for cut in &redacted.cuts {
            prop_assert!(cut.start >= last && text.get(cut.clone()).is_some());
            last = cut.end;
        }
    }

    /// A value of a name that says so goes, in each of the ways in which it is written.
    #[test]
    fn named_values_go(value in "[A-Za-z0-9!#*_+./-]{6,30}", way in 0usize..6) {
        prop_assume!(!value.starts_with(['-', '/']));
        let text = match way {
            0 => format!("X_PASSWORD={value} run"),
            1 => format!("run --client-secret {value} x"),
            2 => format!("run --api-key={value}"),
            3 => format!("{{\"accessToken\": \"{value}\"}}"),
            4 => format!("-H 'Authorization: {value}'"),
            _ => format!("https://me:{}@host/", value.replace(['/', '#'], "x")),
        };
        let secret = if way == 5 { value.replace(['/', '#'], "x") } else { value };
        prop_assert!(!redact(&text).contains(&secret), "{}", redact(&text));
    }
}
