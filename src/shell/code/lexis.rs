//! The tokens of each language: quotes, comments, what joins texts, what joins names. Facts of the languages, from their
//! references; what their libraries do is declared in rulebooks.

/// How escapes are written within quotes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Escapes {
    /// There are none.
    None,
    /// `\\` and the quote alone.
    Quote,
    /// As in C: `\n`, `\x41`, `\u0041`, `\101`.
    Full,
}

/// What stands for a value within quotes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Embeds {
    /// Nothing.
    None,
    /// Code between these (`${` `}`, `#{` `}`).
    Code(&'static str),
    /// `$name`, `${name}`, `@{[ code ]}`.
    Variables,
    /// `{code}`, `{{` for a brace.
    Braces,
}

/// What a quoted text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Means {
    /// A text.
    Text,
    /// A command for the shell.
    Command,
    /// A list of words.
    Words,
}

/// One kind of quotes.
#[derive(Debug, Clone, Copy)]
pub struct Quote {
    /// Opening.
    pub open: &'static str,
    /// Closing.
    pub close: &'static str,
    /// Escapes in it.
    pub escapes: Escapes,
    /// Values in it.
    pub embeds: Embeds,
    /// What it is.
    pub means: Means,
}

const fn quote(open: &'static str, escapes: Escapes, embeds: Embeds, means: Means) -> Quote {
    Quote { open, close: open, escapes, embeds, means }
}

/// The tokens of one language.
#[derive(Debug)]
pub struct Lexis {
    /// Its name in declarations.
    pub name: &'static str,
    /// Quotes, longer openings first.
    pub quotes: &'static [Quote],
    /// Letters that may stand before a quote (`rb"…"`).
    pub prefixes: bool,
    /// Perl's and Ruby's quotes of any bracket (`q(…)`, `%w[…]`).
    pub generic: &'static [(&'static str, Means, bool)],
    /// `<<NAME` texts.
    pub here: Option<&'static str>,
    /// Beginnings of comments up to the end of the line.
    pub comments: &'static [&'static str],
    /// `/* … */`.
    pub block_comments: bool,
    /// What joins two texts.
    pub joins: &'static [&'static str],
    /// What joins the parts of a name.
    pub members: &'static [&'static str],
    /// Characters that a variable begins with.
    pub sigils: &'static str,
    /// Whether a line's end ends a statement.
    pub lines: bool,
    /// Whether a call needs no parentheses.
    pub bare_calls: bool,
    /// Whether `/` where a value could stand begins a regular expression.
    pub regexes: bool,
}

const PYTHON: Lexis = Lexis {
    name: "python",
    quotes: &[
        quote("\"\"\"", Escapes::Full, Embeds::None, Means::Text),
        quote("'''", Escapes::Full, Embeds::None, Means::Text),
        quote("\"", Escapes::Full, Embeds::None, Means::Text),
        quote("'", Escapes::Full, Embeds::None, Means::Text),
    ],
    prefixes: true,
    generic: &[],
    here: None,
    comments: &["#"],
    block_comments: false,
    joins: &["+"],
    members: &["."],
    sigils: "",
    lines: true,
    bare_calls: false,
    regexes: false,
};

const JAVASCRIPT: Lexis = Lexis {
    name: "javascript",
    quotes: &[
        quote("`", Escapes::Full, Embeds::Code("${"), Means::Text),
        quote("\"", Escapes::Full, Embeds::None, Means::Text),
        quote("'", Escapes::Full, Embeds::None, Means::Text),
    ],
    prefixes: false,
    generic: &[],
    here: None,
    comments: &["//", "#!"],
    block_comments: true,
    joins: &["+"],
    members: &[".", "?."],
    sigils: "$",
    lines: false,
    bare_calls: false,
    regexes: true,
};

const PERL: Lexis = Lexis {
    name: "perl",
    quotes: &[
        quote("`", Escapes::Full, Embeds::Variables, Means::Command),
        quote("\"", Escapes::Full, Embeds::Variables, Means::Text),
        quote("'", Escapes::Quote, Embeds::None, Means::Text),
    ],
    prefixes: false,
    generic: &[("qq", Means::Text, true), ("qx", Means::Command, true), ("qw", Means::Words, false), ("q", Means::Text, false)],
    here: Some("<<"),
    comments: &["#"],
    block_comments: false,
    joins: &["."],
    members: &["::", "->"],
    sigils: "$@%&",
    lines: false,
    bare_calls: true,
    regexes: true,
};

const RUBY: Lexis = Lexis {
    name: "ruby",
    quotes: &[
        quote("`", Escapes::Full, Embeds::Code("#{"), Means::Command),
        quote("\"", Escapes::Full, Embeds::Code("#{"), Means::Text),
        quote("'", Escapes::Quote, Embeds::None, Means::Text),
    ],
    prefixes: false,
    generic: &[
        ("%w", Means::Words, false),
        ("%W", Means::Words, true),
        ("%x", Means::Command, true),
        ("%q", Means::Text, false),
        ("%Q", Means::Text, true),
    ],
    here: Some("<<"),
    comments: &["#"],
    block_comments: false,
    joins: &["+", "<<"],
    members: &[".", "::", "&."],
    sigils: "$@",
    lines: true,
    bare_calls: true,
    regexes: true,
};

const PHP: Lexis = Lexis {
    name: "php",
    quotes: &[
        quote("`", Escapes::Full, Embeds::Variables, Means::Command),
        quote("\"", Escapes::Full, Embeds::Variables, Means::Text),
        quote("'", Escapes::Quote, Embeds::None, Means::Text),
    ],
    prefixes: false,
    generic: &[],
    here: Some("<<<"),
    comments: &["//", "#"],
    block_comments: true,
    joins: &["."],
    members: &["->", "::", "\\"],
    sigils: "$",
    lines: false,
    bare_calls: false,
    regexes: false,
};

const LUA: Lexis = Lexis {
    name: "lua",
    quotes: &[
        Quote { open: "[[", close: "]]", escapes: Escapes::None, embeds: Embeds::None, means: Means::Text },
        quote("\"", Escapes::Full, Embeds::None, Means::Text),
        quote("'", Escapes::Full, Embeds::None, Means::Text),
    ],
    prefixes: false,
    generic: &[],
    here: None,
    comments: &["--"],
    block_comments: false,
    joins: &[".."],
    members: &[".", ":"],
    sigils: "",
    lines: false,
    bare_calls: true,
    regexes: false,
};

/// What R, Julia, Elixir and the languages of the Java machine have in common.
const PLAIN: Lexis = Lexis {
    name: "java",
    quotes: &[
        quote("\"\"\"", Escapes::Full, Embeds::None, Means::Text),
        quote("\"", Escapes::Full, Embeds::None, Means::Text),
        quote("'", Escapes::Full, Embeds::None, Means::Text),
    ],
    prefixes: false,
    generic: &[],
    here: None,
    comments: &["//"],
    block_comments: true,
    joins: &["+"],
    members: &[".", "::"],
    sigils: "",
    lines: false,
    bare_calls: false,
    regexes: false,
};

const R: Lexis = Lexis { name: "r", comments: &["#"], block_comments: false, joins: &[], members: &[".", "::", "$"], lines: true, ..PLAIN };

const JULIA: Lexis = Lexis {
    name: "julia",
    quotes: &[
        quote("`", Escapes::Full, Embeds::None, Means::Command),
        quote("\"\"\"", Escapes::Full, Embeds::None, Means::Text),
        quote("\"", Escapes::Full, Embeds::None, Means::Text),
    ],
    comments: &["#"],
    block_comments: false,
    joins: &["*"],
    members: &["."],
    lines: true,
    ..PLAIN
};

const ELIXIR: Lexis = Lexis { name: "elixir", comments: &["#"], block_comments: false, joins: &["<>"], members: &["."], lines: true, ..PLAIN };

/// The tokens of a language; none where nobody reads it.
pub fn of(language: &str) -> Option<&'static Lexis> {
    const ALL: [&Lexis; 10] = [&PYTHON, &JAVASCRIPT, &PERL, &RUBY, &PHP, &LUA, &PLAIN, &R, &JULIA, &ELIXIR];
    let language = if language == "typescript" { "javascript" } else { language };
    ALL.into_iter().find(|lexis| lexis.name == language)
}
