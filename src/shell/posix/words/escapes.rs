//! Backslash escapes of `$'…'`, `echo -e` and `printf`.

/// Whose escapes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Kind {
    /// `$'…'`: `\NNN`, `\xHH`, `\uHHHH`, `\cx`, quotes.
    Dollar,
    /// `echo -e` and `printf %b`: `\0NNN`, `\c` ends the output.
    Echo,
    /// The format of `printf`: `\NNN`.
    Format,
}

/// One escape: the text it stands for (none for bytes that are no text alone), and how much of the input it takes.
pub(in super::super) enum Escape {
    Text(char, usize),
    /// A byte that is part of a longer character.
    Byte(u8, usize),
    /// `\c`: nothing more.
    Stop,
    /// No escape: the backslash stands for itself.
    None,
}

/// The escape at the beginning of a text that begins with a backslash.
pub(in super::super) fn escape(text: &str, kind: Kind) -> Escape {
    let bytes = text.as_bytes();
    let Some(letter) = bytes.get(1) else { return Escape::None };
    let simple = |c: char| Escape::Text(c, 2);
    match letter {
        b'n' => simple('\n'),
        b't' => simple('\t'),
        b'r' => simple('\r'),
        b'a' => simple('\x07'),
        b'b' => simple('\x08'),
        b'e' | b'E' => simple('\x1b'),
        b'f' => simple('\x0c'),
        b'v' => simple('\x0b'),
        b'\\' => simple('\\'),
        b'\'' | b'"' | b'?' if kind != Kind::Echo => simple(*letter as char),
        b'c' if kind == Kind::Dollar => match bytes.get(2) {
            Some(control) if control.is_ascii() => Escape::Text((control.to_ascii_uppercase() ^ 0x40) as char, 3),
            _ => Escape::None,
        },
        b'c' => Escape::Stop,
        b'0' if kind == Kind::Echo => octal(bytes, 2, 3),
        b'0'..=b'7' => octal(bytes, 1, 3),
        b'x' => match number(bytes, 2, 2, 16) {
            Some((value, length)) => byte(value as u8, 2 + length),
            None => Escape::None,
        },
        b'u' | b'U' => match number(bytes, 2, if *letter == b'u' { 4 } else { 8 }, 16) {
            Some((value, length)) => char::from_u32(value).map_or(Escape::None, |c| Escape::Text(c, 2 + length)),
            None => Escape::None,
        },
        _ => Escape::None,
    }
}

fn octal(bytes: &[u8], from: usize, most: usize) -> Escape {
    match number(bytes, from, most, 8) {
        Some((value, length)) => byte(value as u8, from + length),
        None => Escape::Text('\0', from),
    }
}

fn byte(value: u8, length: usize) -> Escape {
    if value.is_ascii() { Escape::Text(value as char, length) } else { Escape::Byte(value, length) }
}

fn number(bytes: &[u8], from: usize, most: usize, radix: u32) -> Option<(u32, usize)> {
    let digits = bytes.iter().skip(from).take(most).take_while(|byte| (**byte as char).is_digit(radix)).count();
    let text = std::str::from_utf8(bytes.get(from..from + digits)?).ok()?;
    u32::from_str_radix(text, radix).ok().map(|value| (value, digits))
}

/// All escapes of a text replaced; the flag says whether `\c` ended it. Bytes that are no UTF-8 become replacement characters.
pub(in super::super) fn decode(text: &str, kind: Kind) -> (String, bool) {
    if !text.contains('\\') {
        return (text.to_string(), false);
    }
    let mut out: Vec<u8> = Vec::with_capacity(text.len());
    let mut rest = text;
    let mut stopped = false;
    let mut character = [0u8; 4];
    while let Some(at) = rest.find('\\') {
        out.extend_from_slice(&rest.as_bytes()[..at]);
        rest = &rest[at..];
        match escape(rest, kind) {
            Escape::Text('\0', _) if kind == Kind::Dollar => {
                // The shell's strings end there.
                rest = "";
                break;
            }
            Escape::Text(c, length) => {
                out.extend_from_slice(c.encode_utf8(&mut character).as_bytes());
                rest = &rest[length..];
            }
            Escape::Byte(byte, length) => {
                out.push(byte);
                rest = &rest[length..];
            }
            Escape::Stop => {
                stopped = true;
                rest = "";
                break;
            }
            Escape::None => {
                out.push(b'\\');
                rest = &rest[1..];
            }
        }
    }
    out.extend_from_slice(rest.as_bytes());
    (String::from_utf8(out).unwrap_or_else(|fault| String::from_utf8_lossy(fault.as_bytes()).into_owned()), stopped)
}
