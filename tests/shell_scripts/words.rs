//! Words: quotes, expansions, operators, braces, arithmetic.

use super::{Maker, NAMES, TEXTS};

impl Maker {
    /// A word that has no blank and no expansion.
    pub(super) fn simple_word(&mut self) -> String {
        single(self.text())
    }

    /// A text between apostrophes to be. dash counts bytes, not characters, so there are no others for it.
    pub(super) fn text(&mut self) -> &'static str {
        let one = self.below(TEXTS.len());
        self.plain(TEXTS[one])
    }

    fn plain(&self, text: &'static str) -> &'static str {
        if text == "é" && !self.bash() { "e" } else { text }
    }

    pub(super) fn word(&mut self) -> String {
        self.word_in(false)
    }

    pub(super) fn word_in(&mut self, assignment: bool) -> String {
        let count = 1 + self.below(3);
        let mut out = String::new();
        for _ in 0..count {
            let part = self.part(assignment);
            // A name must not grow into what follows it.
            let bare = out
                .rsplit('$')
                .next()
                .is_some_and(|tail| out.contains('$') && tail.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_'));
            if bare && part.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_' || c == '[' || c == '{') {
                out.push_str("''");
            }
            out.push_str(&part);
        }
        // The end of a line alone is no word.
        if out.replace("\\\n", "").is_empty() {
            out.push('k');
        }
        out
    }

    fn part(&mut self, assignment: bool) -> String {
        let name = self.pick(&NAMES);
        match self.below(30) {
            0..=3 => {
                let text = self.pick(&["w", "foo", "a.b", "x/y", "p-q", "7", "=", "é", "%", "a,b"]);
                self.plain(text).into()
            }
            4 => {
                self.note("single-quotes");
                single(self.text())
            }
            5 | 6 => {
                self.note("double-quotes");
                self.double()
            }
            7 => {
                self.note("backslash");
                self.pick(&["\\ ", "\\$x", "\\\\", "\\'", "\\\"", "\\*", "\\a", "\\\n"]).into()
            }
            8 | 9 => {
                self.note("variable");
                format!("${name}")
            }
            10 => format!("${{{name}}}"),
            11 | 12 => self.operator(name),
            13 => {
                self.note("arithmetic");
                format!("$(({}))", self.arithmetic(0))
            }
            14 => {
                self.note("substitution");
                let word = self.simple_word();
                format!("$(printf '%s\\n' {word})")
            }
            15 => {
                self.note("backquotes");
                "`printf 'b q'`".into()
            }
            16 if self.bash() && !assignment => {
                self.note("braces");
                self.braces(0)
            }
            17 if self.bash() => {
                self.note("ansi");
                self.pick(&["$'a\\tb'", "$'\\x41\\102'", "$'it\\'s'", "$'\\u00e9'", "$'\\\\n'", "$'q\\n'", "$'\\cA'"]).into()
            }
            18 => {
                self.note("special");
                self.pick(&["$#", "\"$#\"", "${#}"]).into()
            }
            19 => {
                self.note("positional");
                self.pick(&["$1", "\"$1\"", "${2}", "\"${2}\"", "${1-d}", "${3:-e}"]).into()
            }
            20 => {
                self.note("all-positional");
                self.pick(&["\"$@\"", "$@", "$*", "\"$*\""]).into()
            }
            21 if self.bash() => {
                self.note("array");
                self.pick(&[
                    "${arr[0]}",
                    "\"${arr[@]}\"",
                    "${arr[@]}",
                    "\"${arr[*]}\"",
                    "${#arr[@]}",
                    "${arr[1]}",
                    "\"${!arr[@]}\"",
                    "\"${arr[@]:1}\"",
                    "\"${arr[@]%b}\"",
                    "${#arr[0]}",
                ])
                .into()
            }
            22 => {
                self.note("tilde");
                if assignment { "~/t".into() } else { self.pick(&["~/t", "~", "\"~\""]).into() }
            }
            23 => {
                self.note("double-substitution");
                format!("\"$(printf '%s\\n' \"${name}\" {})\"", self.simple_word())
            }
            24 => {
                self.note("empty");
                self.pick(&["''", "\"\""]).into()
            }
            _ => self.pick(&["k", "long-word", "A", "1"]).into(),
        }
    }

    fn double(&mut self) -> String {
        let mut out = String::from("\"");
        for _ in 0..self.below(4) {
            let name = self.pick(&NAMES);
            out.push_str(&match self.below(10) {
                0 => format!("${name}"),
                1 => format!("${{{name}}}"),
                2 => self.operator(name),
                3 => "$(printf 'in \"q\" %s' s)".into(),
                4 => format!("$(({}))", self.arithmetic(0)),
                5 => self.pick(&["\\$", "\\\\", "\\\"", "\\`", "\\q", "\\\n"]).into(),
                6 => {
                    // Where such a text is evaluated, bash has braces and dash has none.
                    let braces = if self.bash() { "{a,b}" } else { "{a}" };
                    self.pick(&["it's", "*", "~", " ", braces, "#", "; x", "!"]).into()
                }
                // Of two of them next to each other and no argument, dash makes a word.
                7 if self.bash() || !out.contains("$@") => "$@".into(),
                _ => self.pick(&["t", "two words", "-", ""]).into(),
            });
            out.push_str(self.pick(&["", " ", ".", "/"]));
        }
        out.push('"');
        out
    }

    fn operator(&mut self, name: &str) -> String {
        let operand = self.operand();
        let kind = if self.bash() { self.below(22) } else { self.below(12) };
        let (production, text) = match kind {
            0 => ("default", format!("${{{name}:-{operand}}}")),
            1 => ("default-if-unset", format!("${{{name}-{operand}}}")),
            2 => ("alternative", format!("${{{name}:+{operand}}}")),
            3 => ("alternative-if-set", format!("${{{name}+{operand}}}")),
            4 => ("assign-default", format!("${{{name}:={operand}}}")),
            5 => ("length", format!("${{#{name}}}")),
            6 => ("trim-prefix", format!("${{{name}#{}}}", self.pattern())),
            7 => ("trim-longest-prefix", format!("${{{name}##{}}}", self.pattern())),
            8 => ("trim-suffix", format!("${{{name}%{}}}", self.pattern())),
            9 => ("trim-longest-suffix", format!("${{{name}%%{}}}", self.pattern())),
            10 => ("trim-prefix", format!("${{{name}#*/}}")),
            11 => ("trim-longest-suffix", format!("${{{name}%%.*}}")),
            12 => ("replace", format!("${{{name}/{}/{}}}", self.pattern(), self.pick(&["R", "", "\"q r\""]))),
            13 => ("replace-all", format!("${{{name}//{}/{}}}", self.pattern(), self.pick(&["R", "", "_"]))),
            14 => ("replace-start", format!("${{{name}/#{}/S}}", self.pattern())),
            15 => ("replace-end", format!("${{{name}/%{}/E}}", self.pattern())),
            16 => ("substring", format!("${{{name}:{}}}", self.pick(&["0", "1", "2", " -1", "9"]))),
            17 => {
                ("substring-length", format!("${{{name}:{}:{}}}", self.pick(&["0", "1", " -2"]), self.pick(&["0", "1", "2"])))
            }
            18 => ("upper", format!("${{{name}{}}}", self.pick(&["^", "^^"]))),
            19 => ("lower", format!("${{{name}{}}}", self.pick(&[",", ",,"]))),
            20 => ("indirect", format!("${{!{name}-}}")),
            _ => ("default", format!("${{{name}:-{operand}}}")),
        };
        if production == "indirect" {
            // A value that is no name stops the real shell.
            return format!("${{{name}}}");
        }
        self.note(production);
        text
    }

    fn operand(&mut self) -> String {
        match self.below(7) {
            0 => "d".into(),
            1 => "two words".into(),
            2 => "$a".into(),
            3 => "\"q $a\"".into(),
            4 => "$(printf 's t')".into(),
            5 => String::new(),
            _ => "${b-n}".into(),
        }
    }

    pub(super) fn pattern(&mut self) -> String {
        self.pick(&[
            "*", "a", "a*", "*b", "?", "??*", "[a-m]*", "[!a]*", "*.*", "o*", "\"*\"", "w", "foo", "*[0-9]", "\\*", "$a",
            "\"$a\"", "*o", ".", "b",
        ])
        .into()
    }

    fn braces(&mut self, depth: u32) -> String {
        match self.below(6) {
            0 => format!("{{{}..{}}}", self.below(4), self.below(9)),
            1 => "{a..d}".into(),
            2 => format!("{{0{}..1{}..{}}}", self.below(5), self.below(3), 1 + self.below(3)),
            // Braces without a partner pair up with those of other groups in ways of bash's own: they stand alone here.
            3 if depth > 0 => {
                self.pick(&["{x}", "{}", "{,z}", "{\"p,q\",r}", "{${a},k}", "{m,n}{o,p}", "{3..1}", "{a,}"]).into()
            }
            3 => self
                .pick(&[
                    "{x}",
                    "{}",
                    "{a,b",
                    "a,b}",
                    "{,z}",
                    "{\"p,q\",r}",
                    "{${a},k}",
                    "{a,b}{c,d}",
                    "{{m,n},o}",
                    "{3..1}",
                    "{a,}",
                ])
                .into(),
            _ if depth < 2 => {
                let (one, two) = (self.braces(depth + 1), self.braces(depth + 1));
                format!("{{{one},{two}}}")
            }
            _ => "{u,v}".into(),
        }
    }

    pub(super) fn arithmetic(&mut self, depth: u32) -> String {
        if depth > 2 || self.chance(35) {
            return match self.below(5) {
                0 => "n".into(),
                1 => "$#".into(),
                2 => "${n-3}".into(),
                _ => self.below(12).to_string(),
            };
        }
        let (left, right) = (self.arithmetic(depth + 1), self.arithmetic(depth + 1));
        match self.below(12) {
            0 => format!("({left}) + {right}"),
            1 => format!("{left} - {right}"),
            2 => format!("{left} * ({right})"),
            3 => format!("{left} / (({right})*0+2)"),
            4 => format!("{left} % 5"),
            5 => format!("({left} < {right} ? {right} : {left})"),
            6 => format!("{left} == {right}"),
            7 => format!("{left} && {right}"),
            8 => format!("{left} | {right} ^ 3"),
            9 => format!("- {left}"),
            10 => format!("!{left} + (n = {right})"),
            _ => format!("{left} << 1"),
        }
    }
}

/// The text between apostrophes.
pub(super) fn single(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}
