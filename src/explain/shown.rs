//! Texts as they may be shown: secrets replaced, hidden characters escaped, and every place still to be found.

use std::ops::Range;

use super::plain;
use super::redact;
use crate::model::{Call, Span};

/// Secrets shorter than this are taken out only where they stand, since the same few characters may stand elsewhere for
/// something else.
const TELLING: usize = 6;

/// How many secrets are looked for in derived text.
const SECRETS: usize = 64;

/// A text as it may be shown.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Shown {
    /// The text to show.
    pub text: String,
    /// What was replaced, in bytes of the original, and the length of what stands there now.
    edits: Vec<(Range<usize>, usize)>,
}

impl Shown {
    /// The text with its secrets replaced and its hidden characters escaped; line ends and tabs stay.
    pub fn of(text: &str) -> Shown {
        Shown::cut(text, &redact::find(text).cuts)
    }

    fn cut(text: &str, cuts: &[Range<usize>]) -> Shown {
        let mut shown = Shown { text: String::with_capacity(text.len()), edits: Vec::new() };
        let mut done = 0;
        for cut in cuts {
            shown.escape(text, done..cut.start);
            shown.text.push_str(redact::MARK);
            shown.edits.push((cut.clone(), redact::MARK.len()));
            done = cut.end;
        }
        shown.escape(text, done..text.len());
        shown
    }

    fn escape(&mut self, text: &str, range: Range<usize>) {
        for (at, c) in text[range.clone()].char_indices() {
            if c != '\n' && c != '\t' && plain::hidden(c) {
                let before = self.text.len();
                self.text.extend(c.escape_unicode());
                let start = range.start + at;
                self.edits.push((start..start + c.len_utf8(), self.text.len() - before));
            } else {
                self.text.push(c);
            }
        }
    }

    /// Where a stretch of the original stands in the text to show. A stretch that begins or ends within a replacement takes
    /// all of it.
    pub fn range(&self, start: usize, end: usize) -> Range<usize> {
        let from = self.place(start, false);
        from..self.place(end, true).max(from)
    }

    fn place(&self, offset: usize, end: bool) -> usize {
        let mut shift = 0isize;
        for (range, length) in &self.edits {
            if range.start >= offset {
                break;
            }
            let now = range.start.saturating_add_signed(shift);
            if offset < range.end {
                return if end { now + length } else { now };
            }
            shift += *length as isize - range.len() as isize;
        }
        offset.saturating_add_signed(shift).min(self.text.len())
    }
}

/// The texts of a call as they may be shown, and its secrets, so that they are found in what was derived from it, too.
#[derive(Debug, Clone, Default)]
pub struct Texts {
    /// As [`Call::texts`].
    pub texts: Vec<(String, Shown)>,
    secrets: Vec<String>,
}

impl Texts {
    /// The texts of a call.
    pub fn of(call: &Call) -> Texts {
        let mut all = Texts::default();
        for text in &call.texts {
            for cut in redact::find(&text.text).cuts {
                all.remember(&text.text[cut]);
            }
        }
        // The value of `--password` stands apart from its name once the arguments are read.
        for option in call.runs.iter().flat_map(|run| &run.readings).flat_map(|reading| &reading.options) {
            let Some(value) = option.value.as_ref().and_then(|value| value.known()) else { continue };
            // `-p` may be what the declaration joins with `--password`.
            for spelling in &option.spellings {
                let written = format!("{spelling}={value}");
                for cut in redact::find(&written).cuts {
                    all.remember(&written[cut]);
                }
            }
        }
        // What is a secret in one place is one in every other.
        for text in &call.texts {
            let shown = Shown::cut(&text.text, &all.cuts(&text.text));
            all.texts.push((plain::line(&text.name), shown));
        }
        all
    }

    /// Where secrets stand in a text, in order, without overlaps.
    fn cuts(&self, text: &str) -> Vec<Range<usize>> {
        let mut cuts = redact::find(text).cuts;
        for secret in &self.secrets {
            cuts.extend(text.match_indices(secret.as_str()).map(|(at, found)| at..at + found.len()));
        }
        cuts.sort_by_key(|cut| (cut.start, std::cmp::Reverse(cut.end)));
        let mut done = 0;
        cuts.retain_mut(|cut| {
            cut.start = cut.start.max(done);
            done = done.max(cut.end);
            cut.start < cut.end
        });
        cuts
    }

    fn remember(&mut self, secret: &str) {
        let secret = secret.trim();
        if secret.len() >= TELLING && self.secrets.len() < SECRETS && !self.secrets.iter().any(|known| known == secret) {
            self.secrets.push(secret.to_string());
        }
    }

    /// Any text that was derived from the call, in one line, without its secrets.
    pub fn line(&self, text: &str) -> String {
        plain::line(&self.redacted(text))
    }

    /// As [`Texts::line`], line ends kept.
    pub fn lines(&self, text: &str) -> String {
        plain::lines(&self.redacted(text))
    }

    /// As [`Texts::lines`], with hidden characters as they are: for records, which no terminal shows.
    pub fn redacted(&self, text: &str) -> String {
        let mut out = text.to_string();
        for secret in &self.secrets {
            if out.contains(secret.as_str()) {
                out = out.replace(secret.as_str(), redact::MARK);
            }
        }
        redact::redact(&out)
    }

    /// Where a span stands in its text to show: the text's index and the bytes. `None` where the call has no such text.
    pub fn find(&self, span: Span) -> Option<(usize, Range<usize>)> {
        let index = usize::from(span.source.0);
        let (_, shown) = self.texts.get(index)?;
        Some((index, shown.range(span.start as usize, span.end as usize)))
    }

    /// The text of a span as it may be shown.
    pub fn excerpt(&self, span: Span) -> Option<&str> {
        let (index, range) = self.find(span)?;
        self.texts.get(index)?.1.text.get(range)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_move_with_the_text() {
        let text = "a --password hunter22 \u{1b}b";
        let shown = Shown::of(text);
        assert_eq!(shown.text, "a --password <redacted> \\u{1b}b");
        assert_eq!(shown.range(2, 12), 2..12);
        let within = text.find("unter").expect("there");
        assert_eq!(&shown.text[shown.range(within, within + 2)], "<redacted>");
        assert_eq!(&shown.text[shown.range(text.len() - 1, text.len())], "b");
        assert_eq!(shown.range(text.len(), text.len()), shown.text.len()..shown.text.len());
    }

    #[test]
    fn a_secret_is_found_again_where_its_name_is_gone() {
        let mut call = crate::explain::tests::call("x=1; login --password hunter22");
        call.texts.push(crate::model::Text { name: "x".into(), text: "hunter22".into() });
        let texts = Texts::of(&call);
        assert_eq!(texts.line("option value hunter22"), "option value <redacted>");
    }
}
