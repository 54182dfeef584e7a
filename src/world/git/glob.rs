//! Git's globs over paths, matched by walking a set of positions: the time is the pattern's length by the text's, whatever the
//! pattern (`gitignore`, "Pattern format").

/// One element of a glob.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Element {
    Byte(u8),
    /// `?`.
    One,
    /// `*`.
    Star,
    /// `**/` at a component's beginning: any components, none too.
    Components,
    /// `**` at the end, after a slash: everything below.
    Below,
    Class {
        negated: bool,
        ranges: Vec<(u8, u8)>,
    },
}

/// A compiled glob.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Glob {
    elements: Vec<Element>,
    fold: bool,
}

impl Glob {
    /// Reads a pattern; an unclosed `[` matches nothing, as in git. `fold` ignores the case of ASCII letters.
    pub fn new(pattern: &str, fold: bool) -> Option<Glob> {
        let bytes = pattern.as_bytes();
        let (mut elements, mut at) = (Vec::new(), 0);
        while at < bytes.len() {
            let rest = &bytes[at..];
            let begins = at == 0 || bytes[at - 1] == b'/';
            let (element, length) = match rest {
                [b'*', b'*', b'/', ..] if begins => (Element::Components, 3),
                [b'*', b'*'] if begins => (Element::Below, 2),
                [b'*', ..] => (Element::Star, rest.iter().take_while(|byte| **byte == b'*').count()),
                [b'?', ..] => (Element::One, 1),
                [b'[', ..] => class(rest)?,
                [b'\\', byte, ..] => (Element::Byte(*byte), 2),
                [b'\\'] => return None,
                [byte, ..] => (Element::Byte(*byte), 1),
                [] => break,
            };
            elements.push(element);
            at += length;
        }
        Some(Glob { elements, fold })
    }

    /// Whether the whole text matches.
    pub fn matches(&self, text: &str) -> bool {
        let end = self.elements.len();
        let mut now = vec![false; end + 1];
        now[0] = true;
        self.close(&mut now, true);
        for byte in text.bytes() {
            let mut next = vec![false; end + 1];
            for (at, element) in self.elements.iter().enumerate().filter(|(at, _)| now[*at]) {
                match element {
                    Element::Byte(wanted) => next[at + 1] |= self.same(*wanted, byte),
                    Element::One => next[at + 1] |= byte != b'/',
                    Element::Star => next[at] |= byte != b'/',
                    Element::Components => next[at] = true,
                    Element::Below => (next[at], next[at + 1]) = (true, true),
                    Element::Class { negated, ranges } => next[at + 1] |= byte != b'/' && self.within(ranges, byte) != *negated,
                }
            }
            self.close(&mut next, byte == b'/');
            now = next;
        }
        now[end]
    }

    /// Adds the positions that are reached without a byte.
    fn close(&self, positions: &mut [bool], component_begins: bool) {
        for (at, element) in self.elements.iter().enumerate() {
            let skips = *element == Element::Star || (*element == Element::Components && component_begins);
            if positions[at] && skips {
                positions[at + 1] = true;
            }
        }
    }

    fn same(&self, wanted: u8, byte: u8) -> bool {
        wanted == byte || (self.fold && wanted.eq_ignore_ascii_case(&byte))
    }

    fn within(&self, ranges: &[(u8, u8)], byte: u8) -> bool {
        let holds = |byte: u8| ranges.iter().any(|(low, high)| (*low..=*high).contains(&byte));
        holds(byte) || (self.fold && (holds(byte.to_ascii_lowercase()) || holds(byte.to_ascii_uppercase())))
    }
}

/// `[a-z]`, `[!a]`, `[[:digit:]]`: the element and its length.
fn class(text: &[u8]) -> Option<(Element, usize)> {
    let negated = matches!(text.get(1), Some(b'!' | b'^'));
    let mut at = if negated { 2 } else { 1 };
    let first = at;
    let mut ranges = Vec::new();
    loop {
        match (text.get(at)?, text.get(at + 1)) {
            (b']', _) if at > first => return Some((Element::Class { negated, ranges }, at + 1)),
            (b'[', Some(b':')) => {
                let length = text[at + 2..].windows(2).position(|pair| pair == b":]")?;
                ranges.extend(named(&text[at + 2..at + 2 + length])?);
                at += length + 4;
            }
            (byte, _) => {
                let (low, after) = if *byte == b'\\' { (*text.get(at + 1)?, at + 2) } else { (*byte, at + 1) };
                match (text.get(after), text.get(after + 1)) {
                    (Some(b'-'), Some(high)) if *high != b']' => {
                        ranges.push((low, *high));
                        at = after + 2;
                    }
                    _ => {
                        ranges.push((low, low));
                        at = after;
                    }
                }
            }
        }
    }
}

fn named(name: &[u8]) -> Option<Vec<(u8, u8)>> {
    Some(match name {
        b"alpha" => vec![(b'a', b'z'), (b'A', b'Z')],
        b"digit" => vec![(b'0', b'9')],
        b"alnum" => vec![(b'a', b'z'), (b'A', b'Z'), (b'0', b'9')],
        b"lower" => vec![(b'a', b'z')],
        b"upper" => vec![(b'A', b'Z')],
        b"space" => vec![(b'\t', b'\r'), (b' ', b' ')],
        b"xdigit" => vec![(b'a', b'f'), (b'A', b'F'), (b'0', b'9')],
        b"punct" => vec![(b'!', b'/'), (b':', b'@'), (b'[', b'`'), (b'{', b'~')],
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::Glob;

    #[test]
    fn the_manual_s_own_examples() {
        let matches = |pattern: &str, text: &str| Glob::new(pattern, false).is_some_and(|glob| glob.matches(text));
        for (pattern, text) in [
            ("**/foo/bar", "foo/bar"),
            ("**/foo/bar", "x/y/foo/bar"),
            ("abc/**", "abc/x/y"),
            ("a/**/b", "a/b"),
            ("a/**/b", "a/x/y/b"),
            ("*.o", "x.o"),
            ("foo[!a-c]", "food"),
            ("a\\*", "a*"),
            ("[[:digit:]]x", "7x"),
            ("[]a]", "]"),
            ("f*", "f"),
        ] {
            assert!(matches(pattern, text), "{pattern} on {text}");
        }
        for (pattern, text) in
            [("abc/**", "abc"), ("a/**/b", "axb"), ("*.o", "x/y.o"), ("a?c", "a/c"), ("[a-c", "a"), ("**/foo", "xfoo")]
        {
            assert!(!matches(pattern, text), "{pattern} on {text}");
        }
        assert!(Glob::new("READ*", true).is_some_and(|glob| glob.matches("readme")));
    }

    #[test]
    fn many_stars_cost_no_more_than_their_length() {
        let glob = Glob::new(&"*a".repeat(200), false).expect("a glob");
        assert!(!glob.matches(&"ab".repeat(2000)));
        assert!(glob.matches(&"ba".repeat(2000)));
    }
}
