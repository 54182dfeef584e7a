//! `printf`, to its output or into a variable.

use super::super::run::flows;
use super::super::run::simple::Call;
use super::super::words::escapes::{self, Escape, Kind};
use super::super::words::operators::quote;
use super::super::words::{fields, unknown};
use super::super::{Outcome, Walk};
use super::done;
use crate::model::{Argument, Flow, Shape, Span, Taint, Value, Word};
use crate::shell::state::State;

pub(super) fn printf(walk: &mut Walk<'_>, call: &Call<'_>, mut arguments: Vec<Argument>, state: &mut State) -> Outcome {
    let mut variable = None;
    let text = |arguments: &[Argument], at: usize| {
        arguments.get(at).and_then(Argument::word).and_then(Word::known).map(|text| text.into_owned())
    };
    if text(&arguments, 0).as_deref() == Some("-v") {
        variable = text(&arguments, 1);
        arguments.drain(..arguments.len().min(2));
    }
    if text(&arguments, 0).as_deref() == Some("--") {
        arguments.remove(0);
    }
    if arguments.is_empty() {
        return done(Some(false));
    }
    let output = formatted(walk, &arguments, call.span);
    match variable {
        Some(name) => {
            let word = match output {
                Flow::Text(word) => word,
                Flow::Empty => Word { values: vec![Value::default()], span: call.span, computed: false },
                Flow::Unknown(taint) => flows::hole_word(taint, call.span),
            };
            walk.set_scalar(&name, word, state);
            done(Some(true))
        }
        None => Outcome { output, success: Some(true) },
    }
}

/// What of the output depends on the arguments, where they are not known.
fn opaque(arguments: &[Argument]) -> Flow {
    let taint = arguments.iter().fold(Taint::none(), |taint, argument| match argument {
        Argument::Word(word) => taint.join(&word.taint()),
        Argument::Splice(hole) => taint.join(&hole.taint),
    });
    Flow::Unknown(taint)
}

fn formatted(walk: &mut Walk<'_>, arguments: &[Argument], span: Span) -> Flow {
    let (Some(format), operands) = (arguments[0].word().and_then(Word::known), &arguments[1..]) else {
        return opaque(arguments);
    };
    if operands.iter().any(|operand| matches!(operand, Argument::Splice(_))) {
        return opaque(arguments);
    }
    let parts = parts(&format);
    let takes = parts.iter().filter(|part| matches!(part, Part::Conversion { .. })).count();
    let format_span = arguments[0].span();
    let mut word =
        Word { values: vec![Value::default()], span, computed: arguments[0].word().is_some_and(|word| word.computed) };
    let mut rest = operands.iter();
    loop {
        if !walk.steps(1 + parts.len() as u64 / 4) {
            break;
        }
        for part in &parts {
            match part {
                Part::Text(text) => append_text(&mut word, text, format_span),
                Part::Stop => return Flow::Text(word),
                Part::Conversion { flags, width, precision, letter } => {
                    let width = match width {
                        Some(width) => *width,
                        None => match rest.next().map(|argument| argument.word().and_then(Word::known)) {
                            Some(Some(text)) => match text.parse() {
                                Ok(width) => width,
                                Err(_) => return opaque(arguments),
                            },
                            Some(None) => return opaque(arguments),
                            None => 0,
                        },
                    };
                    let argument = rest.next().and_then(Argument::word);
                    let (more, stop) = convert(argument, flags, width, *precision, *letter, format_span);
                    flows::append_word(&mut word, more);
                    if stop {
                        return Flow::Text(word);
                    }
                }
            }
        }
        if takes == 0 || rest.len() == 0 {
            break;
        }
    }
    Flow::Text(word)
}

fn append_text(word: &mut Word, text: &str, span: Span) {
    for value in &mut word.values {
        fields::push_text(&mut value.pieces, text.to_string(), span);
    }
}

fn convert(
    argument: Option<&Word>,
    flags: &str,
    width: usize,
    precision: Option<usize>,
    letter: u8,
    span: Span,
) -> (Word, bool) {
    let known = argument.map(|word| word.known().map(|text| text.into_owned()));
    let computed = argument.is_some_and(|word| word.computed);
    let span = argument.map_or(span, |word| word.span);
    let text = match (letter, &known) {
        // The argument as it is keeps where it stands.
        (b's' | b'b' | b'q', _) if letter == b's' && width == 0 && precision.is_none() && argument.is_some() => {
            return (argument.cloned().unwrap_or_else(|| Word::known_text("", span)), false);
        }
        (_, Some(None)) => {
            let shape = if matches!(letter, b'd' | b'i' | b'u') { Shape::Number } else { Shape::Any };
            let taint = argument.map(Word::taint).unwrap_or_default();
            return (Word { values: vec![Value::hole(unknown(shape, taint, span))], span, computed }, false);
        }
        (b's', Some(Some(text))) => cut(text, precision),
        (b'b', Some(Some(text))) => {
            let (text, stop) = escapes::decode(text, Kind::Echo);
            return (Word { computed, ..Word::known_text(pad(cut(&text, precision), flags, width), span) }, stop);
        }
        (b'q', Some(Some(text))) => quote(text),
        (b'c', Some(Some(text))) => text.chars().next().map(String::from).unwrap_or_default(),
        (b's' | b'b' | b'c', None) => String::new(),
        (b'q', None) => "''".to_string(),
        (_, known) => {
            let text = known.as_ref().and_then(|text| text.as_deref()).unwrap_or("0");
            match number(text) {
                Some(value) => numeric(value, flags, width, precision, letter),
                None => return (flows::hole_word(Taint::none(), span), false),
            }
        }
    };
    (Word { computed, ..Word::known_text(pad(text, flags, width), span) }, false)
}

fn cut(text: &str, precision: Option<usize>) -> String {
    match precision {
        Some(most) => text.chars().take(most).collect(),
        None => text.to_string(),
    }
}

fn number(text: &str) -> Option<i64> {
    let text = text.trim_start();
    if let Some(character) = text.strip_prefix(['\'', '"']) {
        return character.chars().next().map(|c| i64::from(u32::from(c)));
    }
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let value = if digits.is_empty() {
        0
    } else if let Some(hex) = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        i64::from_str_radix(hex, 16).ok()?
    } else if digits.len() > 1 && digits.starts_with('0') {
        i64::from_str_radix(digits, 8).ok()?
    } else {
        digits.parse().ok()?
    };
    Some(if negative { -value } else { value })
}

fn numeric(value: i64, flags: &str, width: usize, precision: Option<usize>, letter: u8) -> String {
    let mut digits = match letter {
        b'd' | b'i' => value.unsigned_abs().to_string(),
        b'u' => (value as u64).to_string(),
        b'x' => format!("{value:x}"),
        b'X' => format!("{value:X}"),
        b'o' => format!("{value:o}"),
        _ => format!("{:.*}", precision.unwrap_or(6), value.unsigned_abs() as f64),
    };
    if let (Some(least), true) = (precision, matches!(letter, b'd' | b'i' | b'u' | b'x' | b'X' | b'o')) {
        digits = format!("{digits:0>least$}");
    }
    let sign = match letter {
        b'u' | b'x' | b'X' | b'o' => "",
        _ if value < 0 => "-",
        _ if flags.contains('+') => "+",
        _ if flags.contains(' ') => " ",
        _ => "",
    };
    let prefix = match letter {
        b'x' if flags.contains('#') && value != 0 => "0x",
        b'X' if flags.contains('#') && value != 0 => "0X",
        b'o' if flags.contains('#') && !digits.starts_with('0') => "0",
        _ => "",
    };
    if flags.contains('0') && !flags.contains('-') && (precision.is_none() || letter == b'f') {
        let zeros = width.saturating_sub(sign.len() + prefix.len());
        digits = format!("{digits:0>zeros$}");
    }
    format!("{sign}{prefix}{digits}")
}

fn pad(text: String, flags: &str, width: usize) -> String {
    // A width beyond a line's is nobody's intention.
    let width = width.min(4096);
    if flags.contains('-') { format!("{text:<width$}") } else { format!("{text:>width$}") }
}

enum Part {
    Text(String),
    /// Without a width: an argument says it (`%*s`).
    Conversion {
        flags: String,
        width: Option<usize>,
        precision: Option<usize>,
        letter: u8,
    },
    Stop,
}

fn parts(format: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut text: Vec<u8> = Vec::new();
    let mut rest = format;
    let mut buffer = [0u8; 4];
    let flush = |text: &mut Vec<u8>, parts: &mut Vec<Part>| {
        if !text.is_empty() {
            parts.push(Part::Text(String::from_utf8_lossy(text).into_owned()));
            text.clear();
        }
    };
    while let Some(character) = rest.chars().next() {
        match character {
            '\\' => match escapes::escape(rest, Kind::Format) {
                Escape::Text(c, length) => {
                    text.extend_from_slice(c.encode_utf8(&mut buffer).as_bytes());
                    rest = &rest[length..];
                }
                Escape::Byte(byte, length) => {
                    text.push(byte);
                    rest = &rest[length..];
                }
                Escape::Stop => {
                    flush(&mut text, &mut parts);
                    parts.push(Part::Stop);
                    return parts;
                }
                Escape::None => {
                    text.push(b'\\');
                    rest = &rest[1..];
                }
            },
            '%' if rest[1..].starts_with('%') => {
                text.push(b'%');
                rest = &rest[2..];
            }
            '%' => match conversion(rest) {
                Some((part, length)) => {
                    flush(&mut text, &mut parts);
                    parts.push(part);
                    rest = &rest[length..];
                }
                None => {
                    text.push(b'%');
                    rest = &rest[1..];
                }
            },
            other => {
                text.extend_from_slice(other.encode_utf8(&mut buffer).as_bytes());
                rest = &rest[other.len_utf8()..];
            }
        }
    }
    flush(&mut text, &mut parts);
    parts
}

fn conversion(text: &str) -> Option<(Part, usize)> {
    let bytes = text.as_bytes();
    let mut at = 1;
    let flags_end = at + bytes[at..].iter().take_while(|byte| matches!(byte, b'-' | b'+' | b' ' | b'#' | b'0')).count();
    let flags = text[at..flags_end].to_string();
    at = flags_end;
    let digits = |at: usize| bytes[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let length = digits(at);
    let mut width = Some(text[at..at + length].parse().unwrap_or(0));
    at += length;
    if length == 0 && bytes.get(at) == Some(&b'*') {
        width = None;
        at += 1;
    }
    let mut precision = None;
    if bytes.get(at) == Some(&b'.') {
        let length = digits(at + 1);
        precision = Some(text[at + 1..at + 1 + length].parse().unwrap_or(0));
        at += 1 + length;
    }
    while matches!(bytes.get(at), Some(b'l' | b'h' | b'j' | b'z' | b't' | b'L')) {
        at += 1;
    }
    let letter = *bytes.get(at)?;
    letter.is_ascii_alphabetic().then_some((Part::Conversion { flags, width, precision, letter }, at + 1))
}
