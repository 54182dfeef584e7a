//! A file's text → its items, and a failed item's text → its clauses, without parsing either.
//!
//! The splitter shares three lexical rules with the grammar (a comment begins where a word could begin; strings and short
//! backquotes end on their line; `[…]` without blanks is one part of a word) and otherwise only counts braces. It exists so
//! that a fault costs one item: a keyword counts only at the beginning of a line, an item ends at its own closing brace or
//! line end, and where a brace is never closed, a keyword in the first column ends the item after all.

use super::diagnostic::{At, Faults, nearest};

/// The longest text of a file, in bytes.
pub const TEXT_LIMIT: usize = 1 << 20;
/// The longest item, in bytes.
pub const ITEM_LIMIT: usize = 64 << 10;
/// How deep brackets of all kinds may nest within an item.
pub const NESTING_LIMIT: usize = 64;

/// The words that begin an item, and whether it has a block between braces.
pub const ITEMS: [(&str, bool); 11] = [
    ("rulebook", false),
    ("version", false),
    ("about", false),
    ("list", false),
    ("paths", false),
    ("command", true),
    ("language", true),
    ("tool", true),
    ("rule", true),
    ("allow", true),
    ("override", false),
];

/// One item's text.
#[derive(Debug, Clone, Copy)]
pub struct Piece<'t> {
    /// Its first word.
    pub keyword: &'static str,
    /// The word after it, as far as it is a name; empty where there is none.
    pub name: &'t str,
    /// Its bytes, without what separates it from the next.
    pub at: At,
    /// Where a brace was opened that is never closed; reported already.
    pub unclosed: bool,
}

/// Splits a file's text into its items. What is outside of items is reported.
pub fn split<'t>(text: &'t str, faults: &mut Faults) -> Vec<Piece<'t>> {
    let mut pieces = Vec::new();
    let scan = Scan::new(text);
    let mut position = if text.starts_with('\u{feff}') { 3 } else { 0 };
    let mut fresh_line = true;
    loop {
        let (start, crossed) = scan.skip_blank(position);
        fresh_line |= crossed;
        if start >= text.len() {
            return pieces;
        }
        if faults.full(At { start, end: start }) {
            return pieces;
        }
        let end = scan.word_end(start);
        let word = &text[start..end];
        let item = ITEMS.iter().find(|(keyword, _)| *keyword == word && scan.ends_keyword(end));
        let Some((keyword, block)) = item else {
            position = scan.stray(start, faults);
            fresh_line = true;
            continue;
        };
        if !fresh_line {
            faults
                .error("rulebook::missing-separator", At { start, end }, "an item begins here", "two items on one line")
                .help("put a line break or `;` between them");
        }
        let (stop, unclosed) = scan.item_end(end, *block);
        if let Some(brace) = unclosed {
            let at = At { start: brace, end: brace + 1 };
            faults
                .error("rulebook::open-brace", at, "opened here", format!("the brace of this `{keyword}` is never closed"))
                .also(At { start, end: scan.line_end(start).min(brace).max(end) }, "in this item")
                .help("add the missing `}`");
        }
        let name_start = scan.blanks(end);
        let name = &text[name_start..scan.word_end(name_start)];
        let piece = Piece { keyword, name, at: At { start, end: stop }, unclosed: unclosed.is_some() };
        if scan.within_limits(&piece, faults) {
            pieces.push(piece);
        }
        position = stop;
        fresh_line = false;
        let after = scan.blanks(position);
        if scan.bytes.get(after) == Some(&b';') {
            position = after + 1;
            fresh_line = true;
        }
    }
}

/// The clauses between the braces of a block: `body` is what stands between them.
pub fn clauses(text: &str, body: At) -> Vec<At> {
    let scan = Scan::new(text);
    let mut found = Vec::new();
    let mut position = body.start;
    while position < body.end {
        let (start, _) = scan.skip_blank(position);
        let start = if scan.bytes.get(start) == Some(&b';') { start + 1 } else { start };
        if start >= body.end {
            break;
        }
        if start > position && scan.bytes[start - 1] == b';' {
            position = start;
            continue;
        }
        let end = scan.clause_end(start, body.end);
        found.push(At { start, end });
        position = end.max(start + 1);
    }
    found
}

/// The first block of an item or a clause: the bytes between its braces. The closing brace may be missing.
pub fn block(text: &str, at: At) -> Option<At> {
    let scan = Scan::new(text);
    let mut position = at.start;
    let mut open = None;
    let mut depth = 0usize;
    while position < at.end {
        let next = scan.step(position);
        match scan.bytes[position] {
            b'{' if scan.opens_block(position) => {
                open.get_or_insert(position + 1);
                depth += 1;
            }
            b'}' => {
                depth = depth.saturating_sub(1);
                if let (0, Some(start)) = (depth, open) {
                    return Some(At { start, end: position });
                }
            }
            b'\n' if open.is_none() => return None,
            _ => {}
        }
        position = next;
    }
    open.map(|start| At { start, end: at.end })
}

/// How far the end of a class or a choice is looked for, so that a text full of openings costs no square of its length.
const WORD_LIMIT: usize = 1 << 8;

/// The bytes that mean something to the splitter.
const SIGNS: [bool; 256] = {
    let mut signs = [false; 256];
    let all = b"#\"`[](){}\n;";
    let mut i = 0;
    while i < all.len() {
        signs[all[i] as usize] = true;
        i += 1;
    }
    signs
};

struct Scan<'t> {
    text: &'t str,
    bytes: &'t [u8],
    /// Whether a block was found that is closed nowhere up to the text's end. Then later blocks are not looked for that far.
    ragged: std::cell::Cell<bool>,
}

impl<'t> Scan<'t> {
    fn new(text: &'t str) -> Scan<'t> {
        Scan { text, bytes: text.as_bytes(), ragged: std::cell::Cell::new(false) }
    }

    /// Past one element: a comment, a string, a text between backquotes, a class, or one byte.
    fn step(&self, i: usize) -> usize {
        match self.bytes[i] {
            b'#' if self.word_begins(i) => self.line_end(i),
            b'"' => self.string_end(i).unwrap_or_else(|| self.line_end(i)),
            b'`' => self.fence_end(i),
            b'[' => self.class_end(i).unwrap_or(i + 1),
            b'{' => self.choice_end(i).unwrap_or(i + 1),
            _ => i + 1,
        }
    }

    /// Whether the brace here opens a block. One within a word, or at the beginning of one that goes on behind it, does not.
    fn opens_block(&self, i: usize) -> bool {
        self.bytes[i] == b'{' && self.choice_end(i).is_none()
    }

    /// The end of the choice that begins here, where it is one: `*.{js,ts}`.
    fn choice_end(&self, i: usize) -> Option<usize> {
        let mut depth = 0usize;
        let mut j = i;
        loop {
            match self.bytes.get(j)? {
                b'{' if depth > NESTING_LIMIT => return None,
                b'{' => depth += 1,
                b'}' => {
                    depth -= 1;
                    if depth == 0 {
                        break;
                    }
                }
                b'"' => {
                    j = self.string_end(j)?;
                    continue;
                }
                b' ' | b'\t' | b'\r' | b'\n' | b';' | b'(' | b')' | b'|' => return None,
                _ if j > i + WORD_LIMIT => return None,
                _ => {}
            }
            j += 1;
        }
        let goes_on =
            self.bytes.get(j + 1).is_some_and(|byte| !matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | b';' | b'}' | b'#'));
        (!self.word_begins(i) || goes_on).then_some(j + 1)
    }

    /// The next byte, from this one on, that means something.
    fn sign(&self, i: usize) -> usize {
        self.bytes[i..].iter().position(|byte| SIGNS[usize::from(*byte)]).map_or(self.bytes.len(), |length| i + length)
    }

    /// Whether a word could begin here.
    fn word_begins(&self, i: usize) -> bool {
        i == 0 || matches!(self.bytes[i - 1], b' ' | b'\t' | b'\r' | b'\n' | b';' | b'{' | b'}' | b'(' | b')' | b'|' | b'`')
    }

    /// The end of the line, its break not included.
    fn line_end(&self, i: usize) -> usize {
        self.bytes[i..].iter().position(|byte| *byte == b'\n').map_or(self.bytes.len(), |length| i + length)
    }

    fn string_end(&self, i: usize) -> Option<usize> {
        let mut j = i + 1;
        loop {
            match self.bytes.get(j)? {
                b'"' => return Some(j + 1),
                b'\\' if !matches!(self.bytes.get(j + 1), Some(b'\n')) => j += 2,
                b'\n' => return None,
                _ => j += 1,
            }
        }
    }

    /// Past the closing backquotes, or to the line's end where there are none.
    fn fence_end(&self, i: usize) -> usize {
        let run = |from: usize| self.bytes[from..].iter().take_while(|byte| **byte == b'`').count();
        let opened = run(i);
        let mut j = i + opened;
        while j < self.bytes.len() {
            match self.bytes[j] {
                b'`' => {
                    let closed = run(j);
                    j += closed;
                    if closed == opened {
                        return j;
                    }
                }
                // Code over several lines stands in a block, indented; where an item begins, the fence was left open.
                b'\n' if opened < 3 || self.item_begins(j + 1) => break,
                _ => j += 1,
            }
        }
        self.line_end(i)
    }

    fn class_end(&self, i: usize) -> Option<usize> {
        let mut j = i + 1;
        if self.bytes.get(j) == Some(&b'!') {
            j += 1;
        }
        if self.bytes.get(j) == Some(&b']') {
            j += 1;
        }
        loop {
            match self.bytes.get(j)? {
                b']' => return Some(j + 1),
                b'\n' | b' ' | b'\r' => return None,
                _ if j > i + WORD_LIMIT => return None,
                _ => j += 1,
            }
        }
    }

    fn blanks(&self, mut i: usize) -> usize {
        while matches!(self.bytes.get(i), Some(b' ' | b'\t')) {
            i += 1;
        }
        i
    }

    /// Past blanks, line breaks and comments, and whether a line break was among them.
    fn skip_blank(&self, mut i: usize) -> (usize, bool) {
        let mut crossed = false;
        loop {
            match self.bytes.get(i) {
                Some(b' ' | b'\t' | b'\r') => i += 1,
                Some(b'\n') => {
                    crossed = true;
                    i += 1;
                }
                Some(b'#') => i = self.line_end(i),
                _ => return (i, crossed),
            }
        }
    }

    fn word_end(&self, i: usize) -> usize {
        let name = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
        i + self.bytes[i..].iter().take_while(name).count()
    }

    fn ends_keyword(&self, i: usize) -> bool {
        matches!(self.bytes.get(i), None | Some(b' ' | b'\t' | b'\r' | b'\n' | b'{' | b'"' | b';'))
    }

    /// Where an item's text ends, and the brace that is never closed.
    fn item_end(&self, from: usize, block: bool) -> (usize, Option<usize>) {
        if !block {
            return (self.line_item_end(from), None);
        }
        match self.block_bounds(from) {
            Ok(end) => (end, None),
            Err((end, brace)) => (end, Some(brace)),
        }
    }

    /// [`Scan::block_end`], by column where braces alone do not end it.
    fn block_bounds(&self, from: usize) -> Result<usize, (usize, usize)> {
        if !self.ragged.get() {
            match self.block_end(from, false) {
                Ok(end) => return Ok(end),
                Err(_) => self.ragged.set(true),
            }
        }
        self.block_end(from, true)
    }

    /// The end of a block item: past its closing brace, or its line's end where it opens none. An error has the end and the
    /// brace that stays open; `by_column` lets a keyword in the first column end the item.
    fn block_end(&self, from: usize, by_column: bool) -> Result<usize, (usize, usize)> {
        let mut open: Vec<usize> = Vec::new();
        let mut opened = false;
        let mut i = self.sign(from);
        while i < self.bytes.len() {
            match self.bytes[i] {
                b'{' if self.opens_block(i) => {
                    open.push(i);
                    opened = true;
                }
                b'}' => {
                    open.pop();
                    if open.is_empty() {
                        return Ok(if opened { i + 1 } else { i });
                    }
                }
                b'\n' if !opened => return Ok(self.trim_end(i)),
                b'\n' if by_column && self.item_begins(i + 1) => {
                    return Err((self.trim_end(i), open.last().copied().unwrap_or(from)));
                }
                b';' if !opened => return Ok(i),
                _ => {}
            }
            i = self.sign(self.step(i));
        }
        match open.last() {
            Some(brace) => Err((self.trim_end(i), *brace)),
            None => Ok(self.trim_end(i)),
        }
    }

    /// Whether an item begins in the first column of this line: its keyword and a name. (``allow `git push` `` is an example.)
    fn item_begins(&self, line: usize) -> bool {
        let end = self.word_end(line);
        let name = self.blanks(end);
        end > line
            && ITEMS.iter().any(|(keyword, _)| *keyword == &self.text[line..end])
            && self.ends_keyword(end)
            && self.bytes.get(name).is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'"' | b'[' | b'*'))
    }

    /// The end of an item of one line: its line break, unless the line is continued.
    fn line_item_end(&self, from: usize) -> usize {
        let mut depth = 0usize;
        let mut i = self.sign(from);
        while i < self.bytes.len() {
            match self.bytes[i] {
                b'(' => depth += 1,
                b')' => depth = depth.saturating_sub(1),
                b';' => return i,
                b'\n' if (depth == 0 || self.item_begins(i + 1)) && !self.continues(i) => return self.trim_end(i),
                _ => {}
            }
            i = self.sign(self.step(i));
        }
        self.trim_end(i)
    }

    /// Whether the next line that says something continues the one that ends here.
    fn continues(&self, line_break: usize) -> bool {
        let (next, _) = self.skip_blank(line_break);
        match self.bytes.get(next) {
            Some(b'|') => true,
            Some(b'a' | b'e' | b'o') => {
                let end = self.word_end(next);
                matches!(&self.text[next..end], "and" | "or" | "except") && self.ends_keyword(end)
            }
            _ => false,
        }
    }

    fn clause_end(&self, from: usize, limit: usize) -> usize {
        let (mut braces, mut parens) = (0usize, 0usize);
        let mut i = from;
        while i < limit {
            match self.bytes[i] {
                b'{' if self.opens_block(i) => braces += 1,
                b'}' => braces = braces.saturating_sub(1),
                b'(' => parens += 1,
                b')' => parens = parens.saturating_sub(1),
                b';' if braces == 0 => return i,
                b'\n' if braces == 0 && (parens == 0 || self.clause_begins(i)) && !self.continues(i) => {
                    return self.trim_end(i);
                }
                _ => {}
            }
            i = self.step(i);
        }
        self.trim_end(limit).max(from)
    }

    /// Whether the next line begins with a word that only begins clauses: then a parenthesis was left open.
    fn clause_begins(&self, line_break: usize) -> bool {
        let (next, _) = self.skip_blank(line_break);
        let word = &self.text[next..self.word_end(next)];
        matches!(
            word,
            "match"
                | "deny"
                | "ask"
                | "warn"
                | "unless"
                | "when"
                | "instead"
                | "examples"
                | "operands"
                | "subcommand"
                | "intent"
        )
    }

    fn trim_end(&self, mut i: usize) -> usize {
        while i > 0 && matches!(self.bytes[i - 1], b' ' | b'\t' | b'\r' | b'\n') {
            i -= 1;
        }
        i
    }

    /// Reports text outside of items and goes past it: to the line's end, or past the block that it opens.
    fn stray(&self, start: usize, faults: &mut Faults) -> usize {
        if self.bytes[start] == b'}' {
            faults
                .error(
                    "rulebook::extra-brace",
                    At { start, end: start + 1 },
                    "closes nothing",
                    "a closing brace without an opening one",
                )
                .help("remove it, or add the `{` that it should close");
            return start + 1;
        }
        if self.bytes[start] == b';' {
            return start + 1;
        }
        let line_end = self.line_end(start);
        let mut end = self.word_end(start);
        if end == start {
            end = start + self.text[start..].chars().next().map_or(1, char::len_utf8);
        }
        let word = &self.text[start..end];
        let meant = nearest(word, ITEMS.iter().map(|(keyword, _)| *keyword));
        let help = match meant {
            Some(keyword) => format!("did you mean `{keyword}`?"),
            None => {
                let all: Vec<&str> = ITEMS.iter().map(|(keyword, _)| *keyword).collect();
                format!("an item begins with one of: {}", all.join(", "))
            }
        };
        faults
            .error("rulebook::no-item", At { start, end }, "outside of any item", format!("`{word}` begins no item"))
            .help(help);
        // A block belongs to the line that opens it.
        let mut i = end;
        while i < line_end {
            if self.opens_block(i) {
                return match self.block_bounds(start) {
                    Ok(end) | Err((end, _)) => end.max(end),
                };
            }
            i = self.step(i);
        }
        line_end
    }

    fn within_limits(&self, piece: &Piece<'_>, faults: &mut Faults) -> bool {
        let head = At { start: piece.at.start, end: piece.at.start + piece.keyword.len() };
        let length = piece.at.end - piece.at.start;
        if length > ITEM_LIMIT {
            let message = format!("this `{}` has {length} bytes, more than {ITEM_LIMIT}", piece.keyword);
            faults.error("rulebook::item-too-long", head, "begins here", message).help("split it into several items");
            return false;
        }
        let mut depth = 0usize;
        let mut i = self.sign(piece.at.start);
        while i < piece.at.end {
            match self.bytes[i] {
                b'(' | b'{' => depth += 1,
                b')' | b'}' => depth = depth.saturating_sub(1),
                b'[' if self.class_end(i).is_none() => depth += 1,
                b']' => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth > NESTING_LIMIT {
                let at = At { start: i, end: i + 1 };
                let message = format!("brackets nest deeper than {NESTING_LIMIT} levels");
                faults
                    .error("rulebook::nesting", at, "one level too many", message)
                    .help("name a part of it: `list`, `paths`, or a rule of its own");
                return false;
            }
            i = self.sign(if self.bytes[i] == b'{' { i + 1 } else { self.step(i) });
        }
        true
    }
}
