//! What each language's text looks like.

/// How values are put into a string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Interpolation {
    /// Not at all.
    None,
    /// `{expression}`.
    Brace,
    /// `${expression}`.
    DollarBrace,
    /// `#{expression}`.
    HashBrace,
    /// `$name`, `{$name}`, `@{[ … ]}`.
    Sigil,
}

/// What a text between backticks is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Backticks {
    /// Nothing.
    No,
    /// A string with `${…}`.
    Template,
    /// A command.
    Command,
}

/// How modules are brought in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Imports {
    /// `import a.b as c`, `from a import b as c`.
    Python,
    /// `import x, {a as b} from "m"`, `const {a: b} = require("m")`.
    JavaScript,
    /// Names are global.
    Global,
}

/// The tokens of a language.
#[derive(Debug)]
pub(super) struct Profile {
    pub name: &'static str,
    pub line_comments: &'static [&'static str],
    pub block_comments: &'static [(&'static str, &'static str)],
    /// The operators that join texts.
    pub joins: &'static [&'static str],
    /// What `"…"` does with values.
    pub double: Interpolation,
    /// Whether `'…'` knows escapes other than the quote's own.
    pub single_escapes: bool,
    pub backticks: Backticks,
    /// `"""…"""`, and the letters before a quote (`r`, `b`, `f`, `u`).
    pub prefixed: bool,
    /// Names begin with `$`, `@`, `%`.
    pub sigils: bool,
    /// A call may stand without parentheses: `system "x"`.
    pub bare_calls: bool,
    /// `q(…)`, `qq{…}`, `qw[…]`, `qx(…)`, `%w[…]`, `%x(…)`.
    pub quote_operators: bool,
    /// A line break ends a statement.
    pub lines: bool,
    pub imports: Imports,
}

const HASH: &[&str] = &["#"];
const SLASHES: &[&str] = &["//"];
const STARS: &[(&str, &str)] = &[("/*", "*/")];

static PROFILES: &[Profile] = &[
    Profile {
        name: "python",
        line_comments: HASH,
        block_comments: &[],
        joins: &["+"],
        double: Interpolation::None,
        single_escapes: true,
        backticks: Backticks::No,
        prefixed: true,
        sigils: false,
        bare_calls: false,
        quote_operators: false,
        lines: true,
        imports: Imports::Python,
    },
    Profile {
        name: "javascript",
        line_comments: SLASHES,
        block_comments: STARS,
        joins: &["+"],
        double: Interpolation::None,
        single_escapes: true,
        backticks: Backticks::Template,
        prefixed: false,
        sigils: false,
        bare_calls: false,
        quote_operators: false,
        lines: false,
        imports: Imports::JavaScript,
    },
    Profile {
        name: "perl",
        line_comments: HASH,
        block_comments: &[],
        joins: &["."],
        double: Interpolation::Sigil,
        single_escapes: false,
        backticks: Backticks::Command,
        prefixed: false,
        sigils: true,
        bare_calls: true,
        quote_operators: true,
        lines: false,
        imports: Imports::Global,
    },
    Profile {
        name: "ruby",
        line_comments: HASH,
        block_comments: &[("\n=begin", "\n=end")],
        joins: &["+", "<<"],
        double: Interpolation::HashBrace,
        single_escapes: false,
        backticks: Backticks::Command,
        prefixed: false,
        sigils: true,
        bare_calls: true,
        quote_operators: true,
        lines: true,
        imports: Imports::Global,
    },
    Profile {
        name: "php",
        line_comments: &["#", "//"],
        block_comments: STARS,
        joins: &["."],
        double: Interpolation::Sigil,
        single_escapes: false,
        backticks: Backticks::Command,
        prefixed: false,
        sigils: true,
        bare_calls: false,
        quote_operators: false,
        lines: false,
        imports: Imports::Global,
    },
    Profile {
        name: "lua",
        line_comments: &["--"],
        block_comments: &[("--[[", "]]")],
        joins: &[".."],
        double: Interpolation::None,
        single_escapes: true,
        backticks: Backticks::No,
        prefixed: false,
        sigils: false,
        bare_calls: true,
        quote_operators: false,
        lines: true,
        imports: Imports::Global,
    },
];

impl Profile {
    /// The profile of a language.
    pub fn of(language: &str) -> Option<&'static Profile> {
        PROFILES.iter().find(|profile| profile.name == language)
    }
}
