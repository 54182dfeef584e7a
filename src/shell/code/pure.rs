//! What the languages themselves compute from known text: characters of codes, joins, formats, decoding, modules by name.

use super::value::{Held, joined};
use crate::model::{Span, Word};

/// The longest text that is computed.
const LONGEST: usize = 65_536;

/// A function of the language; `None` where it is none.
pub(super) fn call(name: &str, arguments: &[Held], span: Span) -> Option<Held> {
    let first = arguments.first();
    let text = first.and_then(Held::text);
    let decoded = |bytes: Option<Vec<u8>>| bytes.map(|bytes| Held::known(String::from_utf8_lossy(&bytes).into_owned(), span));
    match (name, text) {
        ("__import__" | "importlib.import_module" | "require" | "import" | "import_module", Some(module)) => {
            Some(Held::Name(module.trim_start_matches("node:").to_string()))
        }
        ("getattr", _) => match (first?, arguments.get(1).and_then(Held::text)) {
            (Held::Name(module), Some(member)) => Some(Held::Name(format!("{module}.{member}"))),
            _ => None,
        },
        ("chr" | "String.fromCharCode" | "String.fromCodePoint" | "string.char", _) => {
            let codes: Option<String> = arguments.iter().map(|held| character(held.text()?.as_str())).collect();
            codes.map(|text| Held::known(text, span))
        }
        (
            "base64.b64decode" | "base64.decodebytes" | "atob" | "base64_decode" | "Base64.decode64" | "decode_base64"
            | "MIME.Base64.decode",
            Some(text),
        ) => decoded(base64(&text)),
        ("bytes.fromhex" | "bytearray.fromhex" | "binascii.unhexlify" | "hex2bin", Some(text)) => decoded(hex(&text)),
        ("Buffer.from", Some(text)) => match arguments.get(1).and_then(Held::text).as_deref() {
            Some("base64") => decoded(base64(&text)),
            Some("hex") => decoded(hex(&text)),
            _ => Some(Held::known(text, span)),
        },
        ("str" | "String" | "bytes" | "path.normalize" | "os.path.normpath" | "os.fspath" | "list" | "tuple", _)
            if arguments.len() == 1 =>
        {
            first.cloned()
        }
        ("os.path.join" | "path.join" | "File.join" | "path.resolve", _) => {
            let mut all: Option<Word> = None;
            for held in arguments {
                let next = held.word(span);
                all = Some(match all {
                    Some(word) if !held.text().is_some_and(|text| text.starts_with('/')) => {
                        let slash = joined(&word, &Word::known_text("/", span), span);
                        joined(&slash, &next, span)
                    }
                    _ => next,
                });
            }
            all.map(Held::Text)
        }
        ("join" | "implode" | "table.concat", _) => {
            let (by, list) = match (first?, arguments.get(1)) {
                (Held::Text(by), Some(Held::List(list))) => (by.clone(), list.as_slice()),
                (Held::Text(by), _) => (by.clone(), &arguments[1..]),
                (Held::List(list), by) => (by.map_or_else(|| Word::known_text("", span), |by| by.word(span)), list.as_slice()),
                _ => return None,
            };
            Some(Held::Text(join(&by, list, span)))
        }
        ("reverse" | "strrev" | "string.reverse", Some(text)) => {
            Some(Held::known(text.chars().rev().collect::<String>(), span))
        }
        ("lc" | "strtolower" | "string.lower", Some(text)) => Some(Held::known(text.to_lowercase(), span)),
        ("sprintf" | "format" | "string.format", Some(_)) => percent(first?, &Held::List(arguments[1..].to_vec()), span),
        ("os.path.expanduser" | "File.expand_path", Some(text)) if text.starts_with('~') => first.cloned(),
        _ => None,
    }
}

/// A method of a text or a list; `None` where it is none.
pub(super) fn method(on: &Held, name: &str, arguments: &[Held], span: Span) -> Option<Held> {
    let first = arguments.first();
    match (on, name) {
        (Held::Text(by), "join") if matches!(first, Some(Held::List(_))) => {
            let Some(Held::List(list)) = first else { return None };
            Some(Held::Text(join(by, list, span)))
        }
        (Held::List(list), "join") => {
            let by = first.map_or_else(|| Word::known_text(",", span), |by| by.word(span));
            Some(Held::Text(join(&by, list, span)))
        }
        (Held::List(list), "reverse" | "reversed") => Some(Held::List(list.iter().rev().cloned().collect())),
        (Held::List(_), "concat" | "map" | "filter" | "forEach" | "each" | "append" | "push") => Some(on.clone()),
        (
            Held::Text(_) | Held::Made { .. },
            "decode" | "encode" | "toString" | "to_s" | "strip" | "trim" | "chomp" | "rstrip" | "lstrip" | "freeze",
        ) => match on.text() {
            Some(text) if name != "decode" && name != "encode" && name != "toString" => {
                Some(Held::known(text.trim().to_string(), span))
            }
            Some(_) => Some(Held::Text(on.word(span))),
            None => None,
        },
        (Held::Text(word), "concat") => {
            Some(Held::Text(arguments.iter().fold(word.clone(), |all, next| joined(&all, &next.word(span), span))))
        }
        (Held::Text(word), "split") => {
            let text = word.known()?;
            let parts: Vec<Held> = match first.and_then(Held::text) {
                None => text.split_whitespace().map(|part| Held::known(part, span)).collect(),
                Some(by) if by.is_empty() => text.chars().map(|c| Held::known(c.to_string(), span)).collect(),
                Some(by) => text.split(by.as_str()).map(|part| Held::known(part, span)).collect(),
            };
            (parts.len() <= 1_024).then_some(Held::List(parts))
        }
        (Held::Text(word), "replace" | "gsub" | "replaceAll" | "sub") => {
            let text = word.known()?;
            let (from, to) = (first?.text()?, arguments.get(1)?.text()?);
            let made = if from.is_empty() { return None } else { text.replace(&from, &to) };
            (made.len() <= LONGEST).then(|| Held::known(made, span))
        }
        (Held::Text(word), "lower" | "toLowerCase" | "downcase") => Some(Held::known(word.known()?.to_lowercase(), span)),
        (Held::Text(word), "upper" | "toUpperCase" | "upcase") => Some(Held::known(word.known()?.to_uppercase(), span)),
        (Held::Text(word), "reverse") => Some(Held::known(word.known()?.chars().rev().collect::<String>(), span)),
        (Held::Text(word), "repeat") => repeated(&Held::Text(word.clone()), first?, span),
        (Held::Text(_), "format") => {
            let template = on.text()?;
            let mut all = Word::known_text("", span);
            let mut rest = template.as_str();
            let mut next = 0;
            while let Some(open) = rest.find('{') {
                let close = open + rest[open..].find('}')?;
                all = joined(&all, &Word::known_text(&rest[..open], span), span);
                let index = rest[open + 1..close].parse().unwrap_or(next);
                next += 1;
                all = joined(&all, &arguments.get(index)?.word(span), span);
                rest = &rest[close + 1..];
            }
            Some(Held::Text(joined(&all, &Word::known_text(rest, span), span)))
        }
        _ => None,
    }
}

fn join(by: &Word, list: &[Held], span: Span) -> Word {
    let mut all = Word::known_text("", span);
    for (n, held) in list.iter().enumerate() {
        if n > 0 {
            all = joined(&all, by, span);
        }
        all = joined(&all, &held.word(span), span);
    }
    match all.known() {
        Some(text) => Word::known_text(text.into_owned(), span),
        None => all,
    }
}

/// `"…%s…" % values`.
pub(super) fn percent(template: &Held, values: &Held, span: Span) -> Option<Held> {
    let template = template.text()?;
    let one = [values.clone()];
    let mut values = match values {
        Held::List(all) => all.iter(),
        _ => one.iter(),
    };
    let mut all = Word::known_text("", span);
    let mut rest = template.as_str();
    while let Some(at) = rest.find('%') {
        all = joined(&all, &Word::known_text(&rest[..at], span), span);
        let mut chars = rest[at + 1..].chars();
        match chars.next()? {
            '%' => all = joined(&all, &Word::known_text("%", span), span),
            's' | 'd' | 'r' | 'i' => all = joined(&all, &values.next()?.word(span), span),
            'c' => all = joined(&all, &Word::known_text(character(&values.next()?.text()?)?, span), span),
            _ => return None,
        }
        rest = chars.as_str();
    }
    Some(Held::Text(joined(&all, &Word::known_text(rest, span), span)))
}

/// `text * count`.
pub(super) fn repeated(left: &Held, right: &Held, span: Span) -> Option<Held> {
    let (text, count) = (left.text()?, right.text()?.parse::<usize>().ok()?);
    let numbers = text.parse::<f64>().is_ok();
    (!numbers && text.len().checked_mul(count)? <= LONGEST).then(|| Held::known(text.repeat(count), span))
}

fn character(code: &str) -> Option<String> {
    let code = match code.strip_prefix("0x") {
        Some(hex) => u32::from_str_radix(hex, 16).ok()?,
        None => code.parse().ok()?,
    };
    char::from_u32(code).map(String::from)
}

fn hex(text: &str) -> Option<Vec<u8>> {
    let digits: Vec<u8> = text.bytes().filter(|b| !b.is_ascii_whitespace()).collect();
    let pair = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    digits.chunks(2).map(pair).collect()
}

fn base64(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let (mut bits, mut held) = (0u32, 0u32);
    for b in text.bytes() {
        let six = match b {
            b'A'..=b'Z' => b - b'A',
            b'a'..=b'z' => b - b'a' + 26,
            b'0'..=b'9' => b - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            b'=' => break,
            b if b.is_ascii_whitespace() => continue,
            _ => return None,
        };
        bits = (bits << 6) | u32::from(six);
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push((bits >> held) as u8);
            bits &= (1 << held) - 1;
        }
    }
    Some(bytes)
}
