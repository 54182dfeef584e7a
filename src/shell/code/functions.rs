//! Functions and methods of the languages that make one text of others. They have no effect on the world; what has one is
//! declared in rulebooks.

use super::Library;
use super::value::{Value, concatenated, made};
use crate::model::{Glob, Hole, Origin, Piece, Shape, Span, Taint, Value as TextValue, Word};
use crate::shell::decode;

/// The value of a function, where it is one of these and its arguments are known.
pub fn function(library: &Library<'_>, name: &str, arguments: &[Value], span: Span) -> Option<Value> {
    let name = name.strip_prefix("builtins.").unwrap_or(name);
    let first = arguments.first();
    let text = || first.and_then(known);
    let of = |text: String| Some(Value::Text(made(text, first.map_or(span, Value::span), false)));
    match name {
        "chr" | "String.fromCharCode" | "String.fromCodePoint" | "string.char" | "unichr" => {
            let all: Option<String> =
                arguments.iter().map(|value| number(value).and_then(|n| char::from_u32(n as u32))).collect();
            Some(Value::Text(made(all?, span, false)))
        }
        "map" => match arguments {
            // `map(chr, [114, 109])`
            [Value::Name(function, _), Value::List(items, _)] if function == "chr" => {
                let all: Option<Vec<Value>> =
                    items.iter().map(|one| self::function(library, "chr", std::slice::from_ref(one), span)).collect();
                Some(Value::List(all?, span))
            }
            _ => None,
        },
        "bytes" | "bytearray" | "Buffer.from" | "array" | "list" | "tuple" if matches!(first, Some(Value::List(..))) => {
            let Some(Value::List(items, _)) = first else { return None };
            let all: Option<String> = items.iter().map(|one| number(one).and_then(|n| char::from_u32(n as u32))).collect();
            match all {
                Some(all) => Some(Value::Text(made(all, span, false))),
                None => first.cloned(),
            }
        }
        "Buffer.from" => {
            let encoding = arguments.get(1).and_then(known).unwrap_or_default();
            let bytes = match encoding.as_str() {
                "base64" | "base64url" => decode::base64(&text()?)?,
                "hex" => decode::hex(&text()?)?,
                _ => return first.cloned(),
            };
            of(String::from_utf8(bytes).ok()?)
        }
        "base64.b64decode"
        | "base64.standard_b64decode"
        | "base64.urlsafe_b64decode"
        | "base64.decodebytes"
        | "atob"
        | "Base64.decode64"
        | "Base64.strict_decode64"
        | "Base64.urlsafe_decode64"
        | "base64_decode"
        | "decode_base64"
        | "MIME::Base64::decode"
        | "MIME::Base64::decode_base64"
        | "binascii.a2b_base64"
        | "window.atob"
        | "globalThis.atob" => of(String::from_utf8(decode::base64(&text()?)?).ok()?),
        "bytes.fromhex" | "bytearray.fromhex" | "binascii.unhexlify" | "binascii.a2b_hex" | "hex2bin" => {
            of(String::from_utf8(decode::hex(&text()?)?).ok()?)
        }
        "codecs.decode" => match arguments.get(1).and_then(known)?.as_str() {
            "hex" | "hex_codec" => of(String::from_utf8(decode::hex(&text()?)?).ok()?),
            "base64" => of(String::from_utf8(decode::base64(&text()?)?).ok()?),
            "rot13" | "rot_13" => of(rot13(&text()?)),
            _ => None,
        },
        "str_rot13" => of(rot13(&text()?)),
        "strrev" | "reverse" | "string.reverse" => of(text()?.chars().rev().collect()),
        "str" | "String" | "strval" | "bytes" | "os.fspath" | "os.fsencode" | "os.path.abspath" | "os.path.realpath"
        | "os.path.normpath" | "File.expand_path" | "realpath" | "decodeURIComponent" | "unescape" | "tostring"
        | "shlex.split" | "io.StringIO" | "textwrap.dedent" | "repr" => match first {
            Some(Value::Text(word)) if name == "shlex.split" => Some(blanks(word)),
            Some(Value::Text(word)) => Some(Value::Text(homed(library, word, name.contains("path")))),
            other => other.cloned(),
        },
        "os.path.join" | "path.join" | "path.resolve" | "posixpath.join" | "File.join" | "pathlib.PurePath.joinpath" => {
            let mut all: Option<Word> = None;
            for argument in arguments {
                let word = argument.word(span);
                let absolute = word.values.iter().all(|value| matches!(value.known(), Some(text) if text.starts_with('/')));
                all = Some(match all {
                    Some(before) if !(absolute && name != "path.join" && name != "File.join") => concatenated(
                        &concatenated(&before, &made("/".into(), Span { end: word.span.start, ..word.span }, false)),
                        &word,
                    ),
                    _ => word,
                });
            }
            Some(Value::Text(all?))
        }
        "os.path.expanduser" => match first {
            Some(Value::Text(word)) => Some(Value::Text(homed(library, word, true))),
            _ => None,
        },
        "os.homedir" | "Path.home" | "pathlib.Path.home" | "Dir.home" | "os.userInfo.homedir" => {
            Some(Value::Text(made(library.home()?, span, false)))
        }
        "os.getcwd" | "process.cwd" | "Dir.pwd" | "getcwd" | "pathlib.Path.cwd" | "Path.cwd" => {
            Some(Value::Text(made(".".into(), span, false)))
        }
        "os.getenv" | "os.environ.get" | "getenv" | "ENV.fetch" | "os.environ.__getitem__" | "Deno.env.get" => {
            environment(library, &text()?, span)
        }
        "string.format" | "sprintf" | "format" | "util.format" => {
            let (template, rest) = arguments.split_first()?;
            Some(Value::Text(percent(&template.word(span), rest, span)))
        }
        "implode" | "join" => match arguments {
            [Value::Text(between), Value::List(items, _)] => Some(Value::Text(joined(items, between, span))),
            [Value::Text(between), items @ ..] if name == "join" && !items.is_empty() => {
                Some(Value::Text(joined(items, between, span)))
            }
            _ => None,
        },
        "table.concat" => match arguments {
            [Value::List(items, _)] => Some(Value::Text(joined(items, &made(String::new(), span, false), span))),
            [Value::List(items, _), Value::Text(between)] => Some(Value::Text(joined(items, between, span))),
            _ => None,
        },
        _ => listed(library, name, arguments, span),
    }
}

/// What a call gives that names files: the names that a pattern meets, or all in a directory.
fn listed(library: &Library<'_>, name: &str, arguments: &[Value], span: Span) -> Option<Value> {
    let text = |value: &Value| match value {
        Value::Text(word) => Some(homed(library, word, true)),
        _ => None,
    };
    // Any one name: what is done to it may depend on which it is.
    let any = || {
        let hole = Hole { shape: Shape::Component, origin: Origin::Output, taint: Taint::none(), span };
        Word { values: vec![TextValue::hole(hole)], span, computed: true }
    };
    let below = |directory: &Word, name: &Word| {
        let slash = made("/".into(), Span { end: directory.span.start, ..directory.span }, false);
        concatenated(&concatenated(directory, &slash), name)
    };
    Some(Value::Text(match name {
        "glob.glob" | "glob.iglob" | "glob" | "bsd_glob" | "File.Glob.bsd_glob" | "Dir.glob" | "Dir" | "glob.sync"
        | "glob.globSync" | "fs.globSync" | "fast-glob.sync" | "globby.globbySync" | "vim.fn.glob" => {
            globbed(&text(arguments.first()?)?)
        }
        "os.listdir" | "os.scandir" | "fs.readdirSync" | "fs.readdir" | "fs.promises.readdir" | "Dir.entries" | "Dir.children"
        | "scandir" | "readdir" | "Deno.readDirSync" => any(),
        "pathlib.Path.iterdir" | "Path.iterdir" | "pathlib.Path.rglob" | "Path.rglob" => below(&text(arguments.first()?)?, &any()),
        "pathlib.Path.glob" | "Path.glob" => {
            let pattern = made(known(arguments.get(1)?)?, span, false);
            below(&text(arguments.first()?)?, &globbed(&pattern))
        }
        _ => return None,
    }))
}

/// The text as a pattern of files: `*`, `?` and `[…]` are operators.
fn globbed(word: &Word) -> Word {
    let mut values = Vec::new();
    for value in &word.values {
        let mut pieces = Vec::new();
        for piece in &value.pieces {
            match piece {
                Piece::Text { text, span } => operators(text, *span, &mut pieces),
                other => pieces.push(other.clone()),
            }
        }
        values.push(TextValue { pieces });
    }
    Word { values, ..word.clone() }
}

fn operators(text: &str, span: Span, pieces: &mut Vec<Piece>) {
    let mut plain = String::new();
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        let glob = match c {
            '*' if characters.next_if_eq(&'*').is_some() => Glob::DoubleStar,
            '*' => Glob::Star,
            '?' => Glob::Question,
            other => {
                plain.push(other);
                continue;
            }
        };
        if !plain.is_empty() {
            pieces.push(Piece::Text { text: std::mem::take(&mut plain), span });
        }
        pieces.push(Piece::Glob(glob));
    }
    if !plain.is_empty() {
        pieces.push(Piece::Text { text: plain, span });
    }
}

/// A variable of the environment: the home is known, others are not.
pub fn environment(library: &Library<'_>, name: &str, span: Span) -> Option<Value> {
    Some(match name {
        "HOME" | "USERPROFILE" => Value::Text(made(library.home()?, span, false)),
        "PWD" => Value::Text(made(".".into(), span, false)),
        _ => Value::Unknown(crate::model::Taint { environment: true, ..Default::default() }, span),
    })
}

/// The value of a method of a value, where it is one of these.
pub fn method(receiver: &Value, name: &str, arguments: &[Value], span: Span) -> Option<Value> {
    match (receiver, name) {
        (Value::Text(between), "join") => match arguments {
            [Value::List(items, _)] => Some(Value::Text(joined(items, between, span))),
            _ => None,
        },
        (Value::List(items, _), "join") => {
            let between = arguments.first().map_or_else(|| made(",".into(), span, false), |one| one.word(span));
            Some(Value::Text(joined(items, &between, span)))
        }
        (Value::List(items, _), "concat" | "push" | "append") => {
            let mut all = items.clone();
            for argument in arguments {
                match argument {
                    Value::List(more, _) if name == "concat" => all.extend(more.iter().cloned()),
                    one => all.push(one.clone()),
                }
            }
            Some(Value::List(all, span))
        }
        (Value::List(items, _), "reverse") => Some(Value::List(items.iter().rev().cloned().collect(), span)),
        (Value::List(items, _), "map" | "flat" | "slice" | "to_a" | "compact" | "uniq") if arguments.is_empty() => {
            Some(Value::List(items.clone(), span))
        }
        (
            Value::Text(_),
            "decode" | "encode" | "strip" | "trim" | "chomp" | "toString" | "to_s" | "freeze" | "trimEnd" | "trimStart"
            | "rstrip" | "lstrip" | "valueOf" | "b" | "dup" | "as_posix" | "normalize",
        ) => Some(receiver.clone()),
        (Value::Text(word), "concat") => {
            Some(Value::Text(arguments.iter().fold(word.clone(), |all, one| concatenated(&all, &one.word(span)))))
        }
        (Value::Text(word), "format") => Some(Value::Text(braced(word, arguments, span))),
        (Value::Text(word), "split" | "shellsplit") => match (word.known(), arguments.first().map(known)) {
            (Some(_), None) => Some(blanks(word)),
            (Some(text), Some(Some(between))) if between.is_empty() => {
                Some(Value::List(text.chars().map(|c| Value::Text(made(c.to_string(), word.span, false))).collect(), span))
            }
            (Some(text), Some(Some(between))) => {
                let parts = text.split(between.as_str()).map(|part| Value::Text(made(part.to_string(), word.span, false)));
                Some(Value::List(parts.collect(), span))
            }
            _ => None,
        },
        (Value::Text(word), "replace" | "replaceAll" | "gsub" | "sub") => {
            let text = word.known()?;
            let changed = text.replace(&known(arguments.first()?)?, &known(arguments.get(1)?)?);
            Some(Value::Text(made(changed, word.span, word.computed)))
        }
        (Value::Text(word), "reverse") => {
            Some(Value::Text(made(word.known()?.chars().rev().collect(), word.span, word.computed)))
        }
        (Value::Text(word), "lower" | "toLowerCase" | "downcase") => {
            Some(Value::Text(made(word.known()?.to_lowercase(), word.span, word.computed)))
        }
        (Value::Text(word), "upper" | "toUpperCase" | "upcase") => {
            Some(Value::Text(made(word.known()?.to_uppercase(), word.span, word.computed)))
        }
        (Value::Text(word), "repeat") => {
            let times = number(arguments.first()?)?;
            let text = word.known()?;
            if !(0..=4_096).contains(&times) || text.len() as i64 * times > 65_536 {
                return None;
            }
            Some(Value::Text(made(text.repeat(times as usize), word.span, word.computed)))
        }
        (Value::Text(word), "fromhex") => Some(Value::Text(word.clone())),
        _ => None,
    }
}

/// The items with a text between each two.
pub fn joined(items: &[Value], between: &Word, span: Span) -> Word {
    let mut all: Option<Word> = None;
    for item in items.iter().take(512) {
        let word = item.word(span);
        all = Some(match all {
            None => word,
            Some(before) => {
                let separator =
                    made(between.known().unwrap_or_default().into_owned(), Span { end: word.span.start, ..word.span }, false);
                concatenated(&concatenated(&before, &separator), &word)
            }
        });
    }
    all.unwrap_or_else(|| made(String::new(), span, false))
}

/// `'rm %s' % x`, `sprintf("rm %s", x)`.
pub fn percent(template: &Word, arguments: &[Value], span: Span) -> Word {
    filled(template, arguments, span, |rest| {
        let conversion = rest.strip_prefix('%')?;
        if conversion.starts_with('%') {
            return Some((2, None));
        }
        let flags = conversion.bytes().take_while(|b| b"-+ #0123456789.".contains(b)).count();
        let letter = conversion[flags..].chars().next().filter(char::is_ascii_alphabetic)?;
        Some((1 + flags + letter.len_utf8(), Some(None)))
    })
}

/// `'rm {}'.format(x)`, `'rm {0}'`.
fn braced(template: &Word, arguments: &[Value], span: Span) -> Word {
    filled(template, arguments, span, |rest| {
        if rest.starts_with("{{") || rest.starts_with("}}") {
            return Some((2, None));
        }
        let inner = rest.strip_prefix('{')?;
        let length = inner.find('}')?;
        Some((length + 2, Some(inner[..length].parse::<usize>().ok())))
    })
}

/// The place of a value in a template: its length, and which value; none for an escaped character.
type Place = (usize, Option<Option<usize>>);

fn filled(template: &Word, arguments: &[Value], span: Span, place: impl Fn(&str) -> Option<Place>) -> Word {
    let Some(text) = template.known() else {
        return Value::Unknown(template.taint(), span).word(span);
    };
    let mut all = made(String::new(), Span { end: template.span.start, ..template.span }, false);
    let mut plain = String::new();
    let mut next = 0;
    let mut at = 0;
    while let Some(character) = text[at..].chars().next() {
        match place(&text[at..]) {
            Some((length, None)) => {
                plain.push(character);
                at += length;
            }
            Some((length, Some(index))) => {
                all = concatenated(&all, &made(std::mem::take(&mut plain), template.span, false));
                let value = arguments.get(index.unwrap_or(next));
                all = concatenated(&all, &value.map_or_else(|| Value::unknown(span).word(span), |value| value.word(span)));
                next += 1;
                at += length;
            }
            None => {
                plain.push(character);
                at += character.len_utf8();
            }
        }
    }
    concatenated(&all, &made(plain, template.span, false))
}

/// The words of a text between blanks.
fn blanks(word: &Word) -> Value {
    let text = word.known().unwrap_or_default();
    let parts = text.split_whitespace().map(|part| Value::Text(made(part.to_string(), word.span, false)));
    Value::List(parts.collect(), word.span)
}

/// The text with a leading `~` as the home.
fn homed(library: &Library<'_>, word: &Word, expands: bool) -> Word {
    match (word.known(), library.home()) {
        (Some(text), Some(home)) if expands && (text == "~" || text.starts_with("~/")) => {
            made(format!("{home}{}", &text[1..]), word.span, word.computed)
        }
        _ => word.clone(),
    }
}

fn known(value: &Value) -> Option<String> {
    match value {
        Value::Text(word) => word.known().map(|text| text.into_owned()),
        Value::Number(number, _) => Some(number.to_string()),
        _ => None,
    }
}

fn number(value: &Value) -> Option<i64> {
    match value {
        Value::Number(number, _) => Some(*number),
        Value::Text(word) => word.known()?.parse().ok(),
        _ => None,
    }
}

fn rot13(text: &str) -> String {
    let turn = |c: char, base: u8| ((c as u8 - base + 13) % 26 + base) as char;
    text.chars()
        .map(|c| match c {
            'a'..='z' => turn(c, b'a'),
            'A'..='Z' => turn(c, b'A'),
            other => other,
        })
        .collect()
}
