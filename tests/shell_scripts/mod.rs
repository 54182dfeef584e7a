//! Makes harmless scripts from a grammar. The same seed gives the same scripts.
//!
//! Words ([`words`]) and plain compound commands are made here; what else the shell has is a list of productions, as text
//! ([`productions`]), filled with words and commands of this grammar.

#![allow(dead_code)]

mod productions;
mod words;

use std::collections::BTreeMap;

use productions::Production;
use words::single;

/// Which grammar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    Posix,
    Bash,
}

/// Makes scripts one after another, and counts which productions were used.
pub struct Maker {
    random: u64,
    dialect: Dialect,
    depth: u32,
    /// How many functions have a name; each has its own, so that none calls itself.
    named: usize,
    /// Functions that are defined so far.
    functions: Vec<String>,
    productions: Vec<Production>,
    /// The next production of the list: each has its turn.
    turn: usize,
    /// Which productions stand in the scripts since this was last taken, and how often.
    pub used: BTreeMap<&'static str, usize>,
    /// Whether the last script has a production of which not every step can be predicted.
    pub open: bool,
}

const NAMES: [&str; 5] = ["a", "b", "c", "x", "yy"];
/// Values of variables. None is a pattern: what an unquoted `*` in a list stands for is the directory's to say, so that what
/// counts the list has no one answer.
const TEXTS: [&str; 18] = [
    "w", "foo", "a.b.c", "x/y/z", "one two", "  lead", "trail ", "UPPER", "mixEd", "", "a:b:c", "-n", "0", "7", "é", "a=b",
    "tab\tx", "p--q",
];

impl Maker {
    pub fn new(seed: u64, dialect: Dialect) -> Maker {
        Maker {
            random: seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1,
            dialect,
            depth: 0,
            named: 0,
            functions: Vec::new(),
            productions: productions::of(dialect),
            turn: 0,
            used: BTreeMap::new(),
            open: false,
        }
    }

    pub(super) fn next(&mut self) -> u64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        self.random.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 11
    }

    pub(super) fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    pub(super) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub(super) fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }

    pub(super) fn bash(&self) -> bool {
        self.dialect == Dialect::Bash
    }

    pub(super) fn note(&mut self, production: &'static str) {
        *self.used.entry(production).or_default() += 1;
    }

    /// A whole script.
    pub fn script(&mut self) -> String {
        self.depth = 0;
        self.functions.clear();
        self.open = false;
        let mut out = String::new();
        for name in NAMES {
            if self.chance(80) {
                out.push_str(&format!("{name}={}\n", single(self.text())));
            } else {
                out.push_str(&format!("unset {name}\n"));
            }
        }
        out.push_str("n=4\nset --\n");
        if self.bash() {
            out.push_str("arr=()\n");
        }
        if self.chance(40) {
            let words: Vec<String> = (0..self.below(4)).map(|_| self.word()).collect();
            out.push_str(&format!("set -- {}\n", words.join(" ")));
        } else {
            out.push_str("set --\n");
        }
        if self.bash() && self.chance(40) {
            let words: Vec<String> = (0..1 + self.below(3)).map(|_| self.word()).collect();
            out.push_str(&format!("arr=({})\n", words.join(" ")));
        } else if self.bash() {
            out.push_str("arr=()\n");
        }
        for _ in 0..1 + self.below(5) {
            out.push_str(&self.command());
            out.push('\n');
        }
        // Each production has its turn, often enough.
        for _ in 0..2 {
            out.push_str(&self.production());
            out.push('\n');
        }
        out
    }

    pub(super) fn list(&mut self) -> String {
        let count = 1 + self.below(2);
        (0..count).map(|_| self.command()).collect::<Vec<_>>().join("\n")
    }

    fn command(&mut self) -> String {
        if self.depth > 3 {
            return self.record();
        }
        self.depth += 1;
        let text = self.any_command();
        self.depth -= 1;
        text
    }

    fn any_command(&mut self) -> String {
        match self.below(52) {
            34.. => self.production(),
            0..=4 => self.record(),
            7 => {
                self.note("comment");
                format!("{} # comment ' \" $(", self.record())
            }
            8..=10 | 32 => self.assignment(),
            11 => {
                self.note("and-or");
                let left = self.status();
                let right = self.status();
                let (one, two) = (self.pick(&["&&", "||"]), self.pick(&["&&", "||"]));
                format!("{left} {one} {right} {two} {}", self.record())
            }
            12 => {
                self.note("if");
                format!("if {}; then\n{}\nelse\n{}\nfi", self.condition(), self.list(), self.list())
            }
            13 => {
                self.note("for");
                let name = self.pick(&NAMES);
                let words: Vec<String> = (0..self.below(4)).map(|_| self.word()).collect();
                let exit = match self.below(6) {
                    0 => format!("[ \"${name}\" = w ] && break\n"),
                    1 => format!("[ \"${name}\" = w ] && continue\n"),
                    _ => String::new(),
                };
                format!("for {name} in {}; do\n{exit}{}\ndone", words.join(" "), self.list())
            }
            14 => {
                self.note("for-positional");
                format!("for {}; do\n{}\ndone", self.pick(&NAMES), self.list())
            }
            15 => {
                self.note("case");
                let subject = self.word();
                let (one, two) = (self.pattern(), self.pattern());
                let end = if self.bash() { self.pick(&[";;", ";&", ";;&"]) } else { ";;" };
                format!(
                    "case {subject} in\n{one}) {}\n{end}\n{two}|zzz) {}\n;;\n*) {}\n;;\nesac",
                    self.list(),
                    self.list(),
                    self.list()
                )
            }
            16 => {
                self.note("while-counter");
                let limit = self.below(4);
                let body = self.list();
                format!("i{0}=0\nwhile [ $i{0} -lt {limit} ]; do\n{body}\ni{0}=$((i{0}+1))\ndone", self.depth)
            }
            17 => {
                self.note("subshell");
                format!("(\n{}\n)", self.list())
            }
            18 => {
                self.note("group");
                format!("{{\n{}\n}}", self.list())
            }
            19 => {
                self.note("function");
                self.named += 1;
                let name = format!("fn{}", self.named);
                let local = if self.chance(40) {
                    format!("local {0}={1}\n", self.pick(&NAMES), single(self.text()))
                } else {
                    String::new()
                };
                let shift = if self.chance(20) { "[ $# -gt 0 ] && shift\n" } else { "" };
                let end = if self.chance(20) { "\nreturn 0\nrecord never" } else { "" };
                // A body calls no function, so that every script ends.
                let functions = std::mem::take(&mut self.functions);
                let body = self.list();
                self.functions = functions;
                self.functions.push(name.clone());
                let call = self.call(&name);
                let again = if self.chance(50) {
                    self.note("call");
                    format!("\n{}", self.call(&name))
                } else {
                    String::new()
                };
                format!("{name}() {{\n{local}{shift}{body}{end}\n}}\n{call}{again}")
            }
            20 | 5 | 6 if !self.functions.is_empty() => {
                self.note("call");
                let at = self.below(self.functions.len());
                let name = self.functions[at].clone();
                self.call(&name)
            }
            21 => {
                self.note("eval");
                let inner = self.record();
                format!("eval {}", single(&inner))
            }
            22 => {
                self.note("eval-words");
                format!("eval record {} {}", self.word(), self.simple_word())
            }
            23 => {
                self.note("here-document");
                let quoted = self.chance(40);
                let body = self.document();
                let mark = if quoted { "'EOT'" } else { "EOT" };
                let dash = if self.chance(30) { "-" } else { "" };
                let tab = if dash.is_empty() { "" } else { "\t" };
                format!("record \"$(cat_ <<{dash}{mark}\n{tab}{body}\n{tab}EOT\n)\"").replace("cat_", "read_all_")
            }
            24 => {
                self.note("read");
                let raw = "-r";
                let names = self.pick(&["a", "a b", "a b c"]);
                let ifs = self.pick(&["", "IFS=: ", "IFS= "]);
                let text = self.pick(&["one two three", "a:b:c:", "  sp  ", "x", "a::b", ":", "p q:r s"]);
                format!("{ifs}read {raw} {names} <<EOT\n{text}\nEOT\nrecord \"$a\" \"$b\" \"$c\"")
            }
            25 if self.bash() => {
                self.note("here-string");
                format!("read -r x <<< {}; record \"$x\"", self.word())
            }
            26 => {
                self.note("printf-pipe");
                let words: Vec<String> = (0..1 + self.below(3)).map(|_| self.simple_word()).collect();
                format!("printf '%s\\n' {} | while read -r line; do record \"$line\" $line; done", words.join(" "))
            }
            27 => {
                self.note("ifs");
                let ifs = self.pick(&[":", "/", ".", " :", "a"]);
                let words: Vec<String> = (0..1 + self.below(3)).map(|_| self.word()).collect();
                format!("(IFS='{ifs}'; record {})", words.join(" "))
            }
            28 if self.bash() => {
                self.note("c-style-for");
                format!("for ((k=0; k<{}; k++)); do\nrecord $k {}\ndone", self.below(4), self.word())
            }
            29 if self.bash() => {
                self.note("double-bracket");
                format!("if [[ {} ]]; then {}; else {}; fi", self.bracket(), self.record(), self.record())
            }
            30 => {
                self.note("set-positional");
                format!("set -- {} {}", self.word(), self.word())
            }
            31 if self.bash() => {
                self.note("printf-v");
                format!("printf -v x '%s-%02d|' {} {}; record \"$x\"", self.simple_word(), self.below(30))
            }
            33 => {
                self.note("unset");
                format!("unset {}; {}", self.pick(&NAMES), self.record())
            }
            _ => self.record(),
        }
    }

    fn call(&mut self, name: &str) -> String {
        format!("{name} {} {}", self.word(), self.word())
    }

    pub(super) fn record(&mut self) -> String {
        let count = 1 + self.below(4);
        let mut words: Vec<String> = (0..count).map(|_| self.word()).collect();
        if self.chance(20) {
            self.note("pattern-text");
            words.push(self.pick(&["*.zz", "q?", "[xy]z", "[!a]", "'*'", "\"a*c\"", "\\*"]).into());
        }
        if self.chance(20) {
            words.push(self.adverb());
        }
        format!("record {}", words.join(" "))
    }

    /// What may follow arguments without changing them.
    fn adverb(&mut self) -> String {
        self.pick(&[">/dev/null", "2>&1", "</dev/null", "\\\n  tail"]).to_string()
    }

    fn status(&mut self) -> String {
        match self.below(4) {
            0 => "true".into(),
            1 => "false".into(),
            2 => "! true".into(),
            _ => self.condition(),
        }
    }

    fn condition(&mut self) -> String {
        let name = self.pick(&NAMES);
        match self.below(8) {
            0 => "true".into(),
            1 => "false".into(),
            2 => format!("[ -n \"${{{name}-}}\" ]"),
            3 => format!("[ -z \"${{{name}-}}\" ]"),
            4 => format!("[ \"${{{name}-}}\" = {} ]", self.simple_word()),
            5 => format!("[ {} -lt {} ]", self.below(9), self.below(9)),
            6 => format!("test \"${{{name}-}}\" != {}", self.simple_word()),
            _ => format!("! [ {} -eq {} ]", self.below(3), self.below(3)),
        }
    }

    fn bracket(&mut self) -> String {
        let name = self.pick(&NAMES);
        match self.below(6) {
            0 => format!("${{{name}-}} == {}", self.pattern()),
            1 => format!("-n ${{{name}-}} && {} -lt 5", self.below(9)),
            2 => format!("-z ${{{name}-}} || a == b"),
            3 => format!("! ( \"${{{name}-}}\" = {} )", self.simple_word()),
            4 => format!("{} -eq 1+1", self.below(4)),
            _ => format!("\"${{{name}-}}\" != \"$a\""),
        }
    }

    fn assignment(&mut self) -> String {
        let name = self.pick(&NAMES);
        match self.below(8) {
            0 if self.bash() => {
                self.note("append");
                format!("{name}+={}", self.word())
            }
            1 if self.bash() => {
                self.note("array-append");
                format!("arr+=({} {})", self.word(), self.word())
            }
            2 if self.bash() => {
                self.note("array-element");
                format!("arr[{}]={}", self.below(4), self.word())
            }
            3 => {
                self.note("arithmetic-assignment");
                format!("n=$(({}))", self.arithmetic(0))
            }
            4 => {
                self.note("substitution-assignment");
                format!("{name}=$(printf '%s\\n' {})", self.word())
            }
            5 => {
                self.note("default-assignment");
                format!(": ${{{name}:={}}}", self.simple_word())
            }
            6 => {
                self.note("export");
                format!("export {name}={}", self.word_in(true))
            }
            _ => {
                self.note("assignment");
                format!("{name}={}", self.word_in(true))
            }
        }
    }

    fn document(&mut self) -> String {
        let mut out = String::new();
        for _ in 0..1 + self.below(4) {
            out.push_str(&match self.below(6) {
                0 => format!("${}", self.pick(&["{a-}", "{b-}", "#"])),
                1 => "\\$x \\\\ \\q".into(),
                2 => "it's \"quoted\"".into(),
                3 => "$(printf '%s' inner)".into(),
                4 => "$((1+2))".into(),
                _ => self.pick(&["plain", "a b", "* ?", "`printf q`"]).into(),
            });
            out.push(' ');
        }
        out
    }
}
