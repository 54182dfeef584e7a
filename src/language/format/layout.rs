//! Parts → text.

use super::tokens::{Block, Entry, Part, Side};

/// The longest line that a block of several clauses may stand on, in characters.
const WIDTH: usize = 120;
/// One step of indentation, in characters.
const STEP: usize = 2;

/// An item's text, without a line break at its end.
pub fn item(parts: &[Part<'_>]) -> String {
    let mut line = Line { out: String::new() };
    line.parts(parts, 0);
    line.out
}

struct Line {
    out: String,
}

impl Line {
    /// Writes parts; `indent` is that of the line on which they begin.
    // Depth is bounded by the splitter's limit on nesting.
    fn parts(&mut self, parts: &[Part<'_>], indent: usize) {
        let mut glued = true;
        let parts = trimmed(parts);
        for (index, part) in parts.iter().enumerate() {
            match part {
                Part::Token(text, side) => {
                    if *side != Side::Before && !glued {
                        self.out.push(' ');
                    }
                    self.out.push_str(text);
                    glued = *side == Side::After;
                }
                Part::Comment(text) => {
                    self.out.push_str(if self.out.ends_with([' ', '\n']) || self.out.is_empty() { "" } else { "  " });
                    self.out.push_str(text);
                    glued = false;
                }
                Part::Break => {
                    let closes = matches!(parts.get(index + 1), Some(Part::Token(")" | "]" | "}", _)));
                    self.fresh_line(indent + STEP * usize::from(!closes));
                    glued = true;
                }
                Part::Block(block) => {
                    self.block(block, indent);
                    glued = false;
                }
            }
        }
    }

    fn block(&mut self, block: &Block<'_>, indent: usize) {
        if block.entries.is_empty() {
            self.out.push_str(" { }");
            return;
        }
        if block.one_line {
            let mut line = Line { out: String::new() };
            line.out.push_str(" { ");
            for (index, entry) in block.entries.iter().enumerate() {
                if index > 0 {
                    line.out.push_str("; ");
                }
                if let Entry::Clause { parts, .. } = entry {
                    line.parts(parts, indent);
                }
            }
            line.out.push_str(" }");
            let start = self.out.rfind('\n').map_or(0, |at| at + 1);
            if self.out[start..].chars().count() + line.out.chars().count() <= WIDTH && !line.out.contains('\n') {
                self.out.push_str(&line.out);
                return;
            }
        }
        self.out.push_str(" {");
        let inner = indent + STEP;
        let mut option_before = false;
        for (index, entry) in block.entries.iter().enumerate() {
            match entry {
                Entry::Empty => {
                    if index > 0 {
                        self.out.push('\n');
                    }
                    option_before = false;
                }
                Entry::Comment { text, behind } => {
                    if *behind {
                        self.out.push_str("  ");
                    } else {
                        self.fresh_line(inner);
                    }
                    self.out.push_str(text);
                    option_before = false;
                }
                Entry::Clause { parts, option, fresh } => {
                    if *option && option_before && !*fresh {
                        let mut line = Line { out: String::new() };
                        line.parts(parts, inner);
                        let start = self.out.rfind('\n').map_or(0, |at| at + 1);
                        if self.out[start..].chars().count() + 2 + line.out.chars().count() <= WIDTH {
                            self.out.push_str("; ");
                            self.out.push_str(&line.out);
                            continue;
                        }
                    }
                    self.fresh_line(inner);
                    if block.examples {
                        self.example(parts, inner);
                    } else {
                        self.parts(parts, inner);
                    }
                    option_before = *option;
                }
            }
        }
        self.fresh_line(indent);
        self.out.push('}');
    }

    /// An example, its decision as wide as the widest.
    fn example(&mut self, parts: &[Part<'_>], indent: usize) {
        let at = parts.iter().position(|part| matches!(part, Part::Token("allow" | "warn" | "ask" | "deny", _)));
        match at {
            Some(at) if parts.len() > at + 1 => {
                self.parts(&parts[..=at], indent);
                if let Part::Token(decision, _) = parts[at] {
                    self.out.push_str(&" ".repeat("allow".len() + 1 - decision.len().min("allow".len())));
                }
                self.parts(&parts[at + 1..], indent);
            }
            _ => self.parts(parts, indent),
        }
    }

    fn fresh_line(&mut self, indent: usize) {
        while self.out.ends_with(' ') {
            self.out.pop();
        }
        self.out.push('\n');
        self.out.push_str(&" ".repeat(indent));
    }
}

/// Parts without line breaks at either end.
fn trimmed<'a, 't>(mut parts: &'a [Part<'t>]) -> &'a [Part<'t>] {
    while let [rest @ .., Part::Break] = parts {
        parts = rest;
    }
    while let [Part::Break, rest @ ..] = parts {
        parts = rest;
    }
    parts
}
