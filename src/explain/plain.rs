//! Text from a command or a rulebook, made fit to stand in one line of a message.

/// The text with control, bidi and other invisible characters escaped, and line ends written as `⏎`, so that it can neither
/// break out of its line nor show something else than what it is.
pub fn line(text: &str) -> String {
    if text.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic()) {
        return text.to_string();
    }
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' => out.push('⏎'),
            '\t' => out.push(' '),
            c if hidden(c) => out.extend(c.escape_unicode()),
            c => out.push(c),
        }
    }
    out
}

/// As [`line`], keeping line ends: for texts that are shown whole.
pub fn lines(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c != '\n' && c != '\t' && hidden(c) { out.extend(c.escape_unicode()) } else { out.push(c) }
    }
    out
}

/// At most `limit` characters, the last an ellipsis where something was cut off.
pub fn clip(text: &str, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        None => text.to_string(),
        Some(_) => {
            let mut out: String = text.chars().take(limit.saturating_sub(1)).collect();
            out.push('…');
            out
        }
    }
}

/// The text in backquotes, as a shell reader expects a command to be quoted in a sentence.
pub fn quoted(text: &str) -> String {
    format!("`{}`", text.replace('`', "'"))
}

/// Whether a terminal or a reader would not show the character, or would move others with it.
pub fn hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_breaks_out_of_a_line() {
        assert_eq!(line("a\nb\u{1b}[31m\u{202e}c\r"), "a⏎b\\u{1b}[31m\\u{202e}c\\u{d}");
        assert_eq!(lines("a\n\u{7}b"), "a\n\\u{7}b");
    }

    #[test]
    fn clipping_counts_characters() {
        assert_eq!(clip("äöü", 3), "äöü");
        assert_eq!(clip("äöüß", 3), "äö…");
        assert_eq!(clip("", 0), "");
    }
}
