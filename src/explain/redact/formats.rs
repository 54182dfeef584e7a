//! Tokens that are known by their form alone: a fixed beginning, then enough characters of a kind.

use std::ops::Range;

use super::{AHEAD, begins, run};

/// The characters of a token after its beginning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Body {
    /// Letters and digits.
    Alnum,
    /// Letters, digits, `_` and `-`.
    Url,
    /// Letters, digits, `_`, `-`, `.`, `=`, `/`, `+`, `~`: several parts, or base64.
    Wide,
    /// Capital letters and digits.
    Upper,
    /// Hexadecimal digits in small letters.
    Hex,
}

impl Body {
    fn has(self, byte: u8) -> bool {
        match self {
            Body::Alnum => byte.is_ascii_alphanumeric(),
            Body::Url => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'),
            Body::Wide => byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'=' | b'/' | b'+' | b'~'),
            Body::Upper => byte.is_ascii_uppercase() || byte.is_ascii_digit(),
            Body::Hex => byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte),
        }
    }
}

/// Beginning, kind of what follows, and how many of them at least. Sorted by beginning; where one is the beginning of
/// another, both are tried.
#[rustfmt::skip]
pub(super) const FORMATS: &[(&str, Body, usize)] = &[
    ("ABIA", Body::Upper, 16),             // AWS, service bearer
    ("ACCA", Body::Upper, 16),             // AWS, context
    ("AGE-SECRET-KEY-1", Body::Upper, 40), // age
    ("AIza", Body::Url, 30),               // Google, API key
    ("AKIA", Body::Upper, 16),             // AWS, access key
    ("ASIA", Body::Upper, 16),             // AWS, temporary access key
    ("ATATT3", Body::Wide, 40),            // Atlassian
    ("ATBB", Body::Alnum, 24),             // Bitbucket
    ("ATCTT3", Body::Wide, 40),            // Atlassian, access token
    ("CFPAT-", Body::Url, 30),             // Contentful
    ("EAAA", Body::Url, 56),               // Square
    ("EAAC", Body::Alnum, 60),             // Meta
    ("FlyV1 ", Body::Wide, 40),            // Fly.io
    ("GOCSPX-", Body::Url, 20),            // Google, client secret
    ("NRAK-", Body::Upper, 20),            // New Relic
    ("PMAK-", Body::Url, 40),              // Postman
    ("SG.", Body::Wide, 40),               // SendGrid
    ("SK", Body::Hex, 32),                 // Twilio
    ("amzn.mws.", Body::Url, 30),          // Amazon MWS
    ("ccipat_", Body::Url, 30),            // CircleCI
    ("csk-", Body::Alnum, 32),             // Cerebras
    ("dapi", Body::Hex, 32),               // Databricks
    ("dckr_oat_", Body::Url, 20),          // Docker, organisation
    ("dckr_pat_", Body::Url, 20),          // Docker
    ("doo_v1_", Body::Hex, 40),            // DigitalOcean, OAuth
    ("dop_v1_", Body::Hex, 40),            // DigitalOcean
    ("dor_v1_", Body::Hex, 40),            // DigitalOcean, refresh
    ("dp.ct.", Body::Alnum, 30),           // Doppler, CLI
    ("dp.pt.", Body::Alnum, 30),           // Doppler, personal
    ("dp.sa.", Body::Alnum, 30),           // Doppler, service account
    ("dp.st.", Body::Wide, 30),            // Doppler, service
    ("dt0c01.", Body::Wide, 60),           // Dynatrace
    ("eyJ", Body::Wide, 40),               // JSON web tokens
    ("figd_", Body::Url, 30),              // Figma
    ("fio-u-", Body::Url, 30),             // Frame.io
    ("fm2_", Body::Wide, 40),              // Fly.io, macaroon
    ("fo1_", Body::Url, 30),               // Fly.io
    ("gho_", Body::Alnum, 30),             // GitHub, OAuth
    ("ghp_", Body::Alnum, 30),             // GitHub, personal
    ("ghr_", Body::Alnum, 30),             // GitHub, refresh
    ("ghs_", Body::Wide, 30),              // GitHub, server
    ("ghu_", Body::Alnum, 30),             // GitHub, user
    ("github_pat_", Body::Url, 40),        // GitHub, fine-grained
    ("glagent-", Body::Url, 20),           // GitLab, agent
    ("glc_", Body::Wide, 32),              // Grafana Cloud
    ("glcbt-", Body::Url, 20),             // GitLab, job
    ("gldt-", Body::Url, 20),              // GitLab, deploy
    ("glft-", Body::Url, 20),              // GitLab, feed
    ("glimt-", Body::Url, 20),             // GitLab, mail
    ("gloas-", Body::Url, 30),             // GitLab, application
    ("glpat-", Body::Wide, 20),            // GitLab, personal
    ("glptt-", Body::Url, 20),             // GitLab, trigger
    ("glrt-", Body::Url, 20),              // GitLab, runner
    ("glsa_", Body::Url, 32),              // Grafana, service account
    ("glsoat-", Body::Url, 20),            // GitLab, SCIM
    ("gsk_", Body::Alnum, 40),             // Groq
    ("hf_", Body::Alnum, 30),              // Hugging Face
    ("hvb.", Body::Url, 20),               // Vault, batch
    ("hvr.", Body::Url, 20),               // Vault, recovery
    ("hvs.", Body::Url, 20),               // Vault, service
    ("key-", Body::Hex, 32),               // Mailgun
    ("lin_api_", Body::Alnum, 30),         // Linear
    ("lin_oauth_", Body::Alnum, 30),       // Linear, OAuth
    ("nfp_", Body::Alnum, 30),             // Netlify
    ("npm_", Body::Alnum, 30),             // npm
    ("ntn_", Body::Alnum, 30),             // Notion
    ("nvapi-", Body::Url, 40),             // NVIDIA
    ("ops_eyJ", Body::Wide, 60),           // 1Password, service account
    ("pat-eu1-", Body::Url, 30),           // HubSpot
    ("pat-na1-", Body::Url, 30),           // HubSpot
    ("phx_", Body::Url, 30),               // PostHog
    ("pplx-", Body::Alnum, 32),            // Perplexity
    ("pscale_oauth_", Body::Wide, 30),     // PlanetScale
    ("pscale_pw_", Body::Wide, 30),        // PlanetScale
    ("pscale_tkn_", Body::Wide, 30),       // PlanetScale
    ("pul-", Body::Hex, 40),               // Pulumi
    ("pypi-", Body::Url, 40),              // PyPI
    ("r8_", Body::Alnum, 30),              // Replicate
    ("rk_live_", Body::Alnum, 16),         // Stripe, restricted
    ("rk_test_", Body::Alnum, 16),         // Stripe, restricted
    ("rnd_", Body::Alnum, 28),             // Render
    ("rubygems_", Body::Hex, 40),          // RubyGems
    ("sb_secret_", Body::Url, 20),         // Supabase
    ("sbp_", Body::Hex, 40),               // Supabase
    ("secret_", Body::Alnum, 40),          // Notion, older
    ("shpat_", Body::Hex, 32),             // Shopify
    ("shpca_", Body::Hex, 32),             // Shopify, custom
    ("shppa_", Body::Hex, 32),             // Shopify, private
    ("shpss_", Body::Hex, 32),             // Shopify, shared
    ("sk-", Body::Url, 32),                // OpenAI, Anthropic, OpenRouter, DeepSeek
    ("sk_live_", Body::Alnum, 16),         // Stripe
    ("sk_test_", Body::Alnum, 16),         // Stripe
    ("sntrys_", Body::Wide, 40),           // Sentry, organisation
    ("sntryu_", Body::Hex, 40),            // Sentry, user
    ("sq0atp-", Body::Url, 20),            // Square
    ("sq0csp-", Body::Url, 40),            // Square
    ("tfp_", Body::Url, 40),               // Typeform
    ("tgp_v1_", Body::Url, 30),            // Together
    ("tskey-", Body::Url, 20),             // Tailscale
    ("vck_", Body::Alnum, 30),             // Vercel
    ("whsec_", Body::Wide, 24),            // Stripe, webhook
    ("xai-", Body::Alnum, 40),             // xAI
    ("xapp-", Body::Url, 30),              // Slack, application
    ("xoxa-", Body::Url, 20),              // Slack
    ("xoxb-", Body::Url, 20),              // Slack, bot
    ("xoxe-", Body::Url, 20),              // Slack, refresh
    ("xoxe.", Body::Wide, 20),             // Slack, refresh
    ("xoxp-", Body::Url, 20),              // Slack, user
    ("xoxr-", Body::Url, 20),              // Slack, refresh
    ("xoxs-", Body::Url, 20),              // Slack, session
    ("ya29.", Body::Wide, 20),             // Google, OAuth
];

/// For each first byte, where its formats begin in the table.
const FIRST: [u16; 257] = {
    let mut first = [FORMATS.len() as u16; 257];
    let mut row = FORMATS.len();
    while row > 0 {
        row -= 1;
        let byte = FORMATS[row].0.as_bytes()[0] as usize;
        let mut each = byte as isize;
        while each >= 0 && (first[each as usize] as usize) > row {
            first[each as usize] = row as u16;
            each -= 1;
        }
    }
    first
};

/// Addresses whose rest is the secret, and whether a slash is part of it.
const HOOKS: &[(&str, bool)] = &[
    ("hooks.slack.com/services/", true),
    ("hooks.slack.com/workflows/", true),
    ("discord.com/api/webhooks/", true),
    ("discordapp.com/api/webhooks/", true),
    ("api.telegram.org/bot", false),
];

/// A secret of a known form that begins here, at the beginning of a word.
pub(super) fn at(bytes: &[u8], at: usize) -> Option<Range<usize>> {
    let byte = bytes[at];
    let (from, to) = (FIRST[usize::from(byte)] as usize, FIRST[usize::from(byte) + 1] as usize);
    for (prefix, body, least) in &FORMATS[from..to] {
        if bytes[at..].starts_with(prefix.as_bytes()) {
            let start = at + prefix.len();
            let end = run(bytes, start, usize::MAX, |b| body.has(b));
            if end - start >= *least {
                return Some(at..end);
            }
        }
    }
    if byte.is_ascii_digit() {
        return bot(bytes, at);
    }
    if matches!(byte, b'M' | b'N' | b'O') {
        return three_parts(bytes, at);
    }
    if byte == b'-' {
        return private_key(bytes, at);
    }
    if !matches!(byte, b'h' | b'H' | b'd' | b'D' | b'a' | b'A') {
        return None;
    }
    HOOKS.iter().find(|(hook, _)| begins(bytes, at, hook)).and_then(|(hook, slash)| {
        let start = at + hook.len();
        let end = run(bytes, start, AHEAD, |b| b == b':' || (Body::Wide.has(b) && (*slash || b != b'/')));
        (end - start >= 20).then_some(start..end)
    })
}

/// A Telegram bot's token: digits, a colon, 35 characters.
fn bot(bytes: &[u8], at: usize) -> Option<Range<usize>> {
    let colon = run(bytes, at, 12, |b| b.is_ascii_digit());
    if colon - at < 8 || bytes.get(colon) != Some(&b':') {
        return None;
    }
    let end = run(bytes, colon + 1, 64, |b| Body::Url.has(b));
    (end - colon > 33).then_some(at..end)
}

/// A Discord bot's token: three parts, joined by dots.
fn three_parts(bytes: &[u8], at: usize) -> Option<Range<usize>> {
    let first = run(bytes, at, 40, |b| Body::Url.has(b));
    let second = run(bytes, first + 1, 12, |b| Body::Url.has(b));
    if !(23..=30).contains(&(first - at)) || bytes.get(first) != Some(&b'.') || bytes.get(second) != Some(&b'.') {
        return None;
    }
    let end = run(bytes, second + 1, 80, |b| Body::Url.has(b));
    (second - first == 7 && end - second > 27).then_some(at..end)
}

/// What stands between the lines of a private key; all the rest where it has no end.
fn private_key(bytes: &[u8], at: usize) -> Option<Range<usize>> {
    const BEGIN: &str = "-----BEGIN ";
    if !begins(bytes, at, BEGIN) {
        return None;
    }
    let label = at + BEGIN.len();
    let closed = run(bytes, label, 64, |b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b' ');
    let name = &bytes[label..closed];
    if !name.windows(11).any(|w| w == b"PRIVATE KEY") || !begins(bytes, closed, "-----") {
        return None;
    }
    let start = closed + 5;
    let end = bytes[start..].windows(9).position(|w| w == b"-----END ").map_or(bytes.len(), |found| start + found);
    (end > start).then_some(start..end)
}
