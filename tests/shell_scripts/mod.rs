//! Makes harmless scripts from a grammar. The same seed gives the same scripts.

#![allow(dead_code)]

use std::collections::BTreeMap;

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
    /// Whether positional parameters are known to be set.
    pub used: BTreeMap<&'static str, usize>,
}

const NAMES: [&str; 5] = ["a", "b", "c", "x", "yy"];
const TEXTS: [&str; 20] = [
    "w", "foo", "a.b.c", "x/y/z", "one two", "  lead", "trail ", "UPPER", "mixEd", "", "a:b:c", "-n", "0", "7", "é", "a=b",
    "*", "a*c", "tab\tx", "p--q",
];

impl Maker {
    pub fn new(seed: u64, dialect: Dialect) -> Maker {
        Maker {
            random: seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1,
            dialect,
            depth: 0,
            named: 0,
            functions: Vec::new(),
            used: BTreeMap::new(),
        }
    }

    fn next(&mut self) -> u64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        self.random.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 11
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }

    fn bash(&self) -> bool {
        self.dialect == Dialect::Bash
    }

    fn note(&mut self, production: &'static str) {
        *self.used.entry(production).or_default() += 1;
    }

    /// A whole script.
    pub fn script(&mut self) -> String {
        self.depth = 0;
        self.functions.clear();
        let mut out = String::new();
        for name in NAMES {
            if self.chance(80) {
                // dash counts bytes, not characters.
                let text = match self.pick(&TEXTS) {
                    "é" if !self.bash() => "e",
                    text => text,
                };
                out.push_str(&format!("{name}={}\n", single(text)));
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
        out
    }

    fn list(&mut self) -> String {
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
        match self.below(34) {
            0..=6 => self.record(),
            7 => {
                self.note("comment");
                format!("{} # comment ' \" $(", self.record())
            }
            8..=10 => self.assignment(),
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
                    format!("local {0}={1}\n", self.pick(&NAMES), single(self.pick(&TEXTS)))
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
                format!("{name}() {{\n{local}{shift}{body}{end}\n}}\n{call}")
            }
            20 if !self.functions.is_empty() => {
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
            32 if self.bash() => {
                self.note("mapfile");
                format!("mapfile -t arr <<< {}; record \"${{arr[@]}}\"", self.word())
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

    fn record(&mut self) -> String {
        let count = 1 + self.below(4);
        let mut words: Vec<String> = (0..count).map(|_| self.word()).collect();
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

    /// A word that has no blank and no expansion.
    fn simple_word(&mut self) -> String {
        let text = self.pick(&TEXTS);
        single(text)
    }

    fn word(&mut self) -> String {
        self.word_in(false)
    }

    fn word_in(&mut self, assignment: bool) -> String {
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
        out
    }

    fn part(&mut self, assignment: bool) -> String {
        let name = self.pick(&NAMES);
        match self.below(30) {
            0..=3 => self.pick(&["w", "foo", "a.b", "x/y", "p-q", "7", "=", "é", "%", "a,b"]).into(),
            4 => {
                self.note("single-quotes");
                single(self.pick(&TEXTS))
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
            25 => {
                self.note("pattern-text");
                self.pick(&["*.zz", "q?", "[xy]z", "[!a]"]).into()
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
                6 => self.pick(&["it's", "*", "~", " ", "{a,b}", "#", "; x", "!"]).into(),
                7 => "$@".into(),
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
            17 => (
                "substring-length",
                format!("${{{name}:{}:{}}}", self.pick(&["0", "1", " -2"]), self.pick(&["0", "1", "2", "-1"])),
            ),
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

    fn pattern(&mut self) -> String {
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

    fn arithmetic(&mut self, depth: u32) -> String {
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
fn single(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}
