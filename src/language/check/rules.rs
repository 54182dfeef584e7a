//! Rules and allows: every clause where it belongs, every name in a message or a condition bound by every match.

use super::patterns::Bound;
use super::{Check, Reading};
use crate::language::checked::Example;
use crate::language::diagnostic::At;
use crate::language::tree::{self, Quoted, Raw, RuleClause};
use crate::language::{parse, word};
use crate::model::rule::{Also, Condition, Decision, Intent, Match, Preset, Rule, RuleKind};

/// What is gathered from a rule's clauses.
#[derive(Default)]
struct Gathered<'t> {
    matches: Vec<Match>,
    /// For each flat match the names that it binds, and where it stands.
    bound: Vec<(Vec<&'t str>, At)>,
    when: Vec<Condition>,
    unless: Vec<Condition>,
    /// Names that messages and the rule's own conditions use.
    used: Vec<Raw<'t>>,
    decision: Option<(Decision, Decision, String)>,
    possible: Option<(Decision, Decision)>,
    instead: Option<String>,
    intent: Option<Intent>,
    level: Option<Preset>,
    floor: bool,
    also: Vec<Also>,
    because: Option<String>,
    owner: Option<String>,
    expires: Option<String>,
    examples: Vec<Example>,
}

impl<'t> Check<'_, 't> {
    /// A rule or an allow with its examples.
    ///
    /// Of a broken one only what is wrong with its good clauses is reported, not what it seems to lack.
    pub(super) fn rule(&mut self, tree: &'t tree::Rule<'t>, at: At, broken: bool) -> Option<(Rule, Vec<Example>)> {
        let id = format!("{}.{}", self.rulebook.name, tree.name.text);
        self.id(&id, tree.name);
        let mut all = Gathered::default();
        let mut seen: Vec<(&str, At)> = Vec::new();
        for (clause, clause_at) in &tree.clauses {
            self.placed(tree, clause, *clause_at, &mut seen);
            self.clause(clause, *clause_at, &id, &mut all);
        }
        if !broken && self.reading == Reading::All {
            self.complete(tree, &all);
        }
        for raw in &all.used {
            let missing = all.bound.iter().find(|(bound, _)| !bound.contains(&raw.text)).map(|(_, at)| *at);
            if let Some(match_at) = missing {
                self.unbound(*raw, match_at);
            }
        }
        let kind = if tree.allow { RuleKind::Allow } else { RuleKind::Rule };
        let (decision, otherwise, reason) = all.decision.unwrap_or((Decision::Allow, Decision::Allow, String::new()));
        let rule = Rule {
            id,
            kind,
            floor: all.floor,
            matches: all.matches,
            when: all.when,
            unless: all.unless,
            decision,
            otherwise,
            possible: all.possible,
            reason,
            instead: all.instead,
            intent: all.intent.unwrap_or_default(),
            level: all.level.unwrap_or_default(),
            also: all.also,
            because: all.because,
            owner: all.owner,
            expires: all.expires,
            at: self.rule_at(at),
        };
        Some((rule, all.examples))
    }

    fn id(&mut self, id: &str, name: Raw<'t>) {
        if name.text.contains('.') {
            self.faults
                .error("rulebook::reserved-name", name.at, "has a dot", format!("a rule cannot be named `{}`", name.text))
                .help(format!("write `{}`", name.text.replace('.', "-")));
        }
        let file = self.rulebook.file.clone();
        if let Some(other) = self.ids.insert(id.to_string(), file) {
            self.faults
                .error("rulebook::duplicate", name.at, "declared again", format!("the rule `{id}` is declared twice"))
                .help(format!("rename it; the other one stands in {other}"));
        }
    }

    /// Whether the clause may stand in this kind of item, and whether it stands there for the first time.
    fn placed(&mut self, tree: &tree::Rule<'_>, clause: &RuleClause<'_>, at: At, seen: &mut Vec<(&'static str, At)>) {
        let (word, once, of_rule, of_allow) = match clause {
            RuleClause::Match { .. } => ("match", false, true, true),
            RuleClause::Given(given) => (if given.unless { "unless" } else { "when" }, false, true, true),
            RuleClause::Decide { .. } => ("a decision", true, true, false),
            RuleClause::Possible { .. } => ("possible", true, true, false),
            RuleClause::Instead(_) => ("instead", true, true, false),
            RuleClause::Intent(_) => ("intent", true, true, false),
            RuleClause::Also { .. } => ("also", false, true, false),
            RuleClause::Floor => ("floor", true, true, false),
            RuleClause::Level(_) => ("level", true, true, false),
            RuleClause::Because(_) => ("because", true, false, true),
            RuleClause::Owner(_) => ("owner", true, true, true),
            RuleClause::Expires(_) => ("expires", true, false, true),
            RuleClause::Examples(_) => ("examples", false, true, true),
        };
        if (tree.allow && !of_allow) || (!tree.allow && !of_rule) {
            let (kind, help) = if tree.allow {
                ("an allow", "an allow has `match`, `when`, `unless`, `because`, `owner`, `expires` and `examples`")
            } else {
                ("a rule", "a rule has no end and no excuse; an `allow` has")
            };
            self.faults.error("rulebook::misplaced-clause", at, "not here", format!("{kind} has no clause {word}")).help(help);
        }
        if !once {
            return;
        }
        match seen.iter().find(|(other, _)| *other == word) {
            Some((_, first)) => {
                self.faults
                    .error(
                        "rulebook::duplicate",
                        at,
                        "stated again",
                        format!("`{word}` stands twice in one rule").replace("`a decision`", "a decision"),
                    )
                    .also(*first, "stated first here")
                    .help("remove one of them");
            }
            None => seen.push((word, at)),
        }
    }

    fn clause(&mut self, clause: &'t RuleClause<'t>, at: At, id: &str, all: &mut Gathered<'t>) {
        match clause {
            RuleClause::Match { pattern, given } => {
                self.match_(pattern, given, at, all);
            }
            RuleClause::Given(given) => {
                if let Some(condition) = self.condition(&given.condition, &mut all.used) {
                    if given.unless { all.unless.push(condition) } else { all.when.push(condition) }
                }
            }
            RuleClause::Decide { decision, otherwise, reason } => {
                if let Some((decision, otherwise)) = self.decision(*decision, *otherwise, false) {
                    let reason = self.message(*reason, "a reason", &mut all.used);
                    all.decision = Some((decision, otherwise, reason));
                }
            }
            RuleClause::Possible { decision, otherwise } => all.possible = self.decision(*decision, *otherwise, true),
            RuleClause::Instead(text) => all.instead = Some(self.message(*text, "an alternative", &mut all.used)),
            RuleClause::Intent(raw) => {
                all.intent = Intent::parse(raw.text);
                if all.intent.is_none() {
                    self.unknown("intent", *raw, "an intent", Intent::ALL.map(|(_, word)| word));
                }
            }
            RuleClause::Also { ids, programs } => {
                let mut names = Vec::new();
                for raw in programs {
                    names.extend(super::words::literal(*raw, "a program", self.faults));
                }
                all.also.extend(ids.iter().map(|id| Also { id: id.text.to_string(), programs: names.clone() }));
            }
            RuleClause::Floor => all.floor = true,
            RuleClause::Level(raw) => all.level = self.preset(*raw),
            RuleClause::Because(text) => all.because = Some(word::unescape(text.text)),
            RuleClause::Owner(text) => all.owner = Some(word::unescape(text.text)),
            RuleClause::Expires(raw) => {
                if is_date(raw.text) {
                    all.expires = Some(raw.text.to_string());
                } else {
                    self.faults
                        .error("rulebook::bad-date", raw.at, "no such day", format!("`{}` is not a date", raw.text))
                        .help("write year, month and day: `2027-06-30`");
                }
            }
            RuleClause::Examples(block) => {
                if self.reading == Reading::All {
                    for example in &parse::examples(self.text, *block, self.faults) {
                        all.examples.extend(self.example(example, id));
                    }
                }
            }
        }
    }

    fn match_(&mut self, pattern: &'t tree::Pattern<'t>, given: &'t [tree::Given<'t>], at: At, all: &mut Gathered<'t>) {
        let patterns = self.pattern(pattern);
        let (mut when, mut unless, mut used) = (Vec::new(), Vec::new(), Vec::new());
        for one in given {
            if let Some(condition) = self.condition(&one.condition, &mut used) {
                if one.unless { unless.push(condition) } else { when.push(condition) }
            }
        }
        let Some(patterns) = patterns else { return };
        let mut told: Vec<&str> = Vec::new();
        for Bound { pattern, bound } in patterns {
            for raw in &used {
                if !bound.contains(&raw.text) && !told.contains(&raw.text) {
                    told.push(raw.text);
                    self.unbound(*raw, at);
                }
            }
            all.bound.push((bound, at));
            all.matches.push(Match { pattern, when: when.clone(), unless: unless.clone(), at: self.rule_at(at) });
        }
    }

    fn unbound(&mut self, raw: Raw<'t>, match_at: At) {
        self.faults
            .error(
                "rulebook::unbound-name",
                raw.at,
                "not bound by every match",
                format!("`{}` is not a name of this match", raw.text),
            )
            .also(match_at, format!("binds no `<{}>`", raw.text))
            .help(format!("write `<{}>` in place of the word that is meant; an effect binds `<path>`", raw.text));
    }

    /// A decision and what it becomes where nobody can answer.
    fn decision(&mut self, decision: Raw<'t>, otherwise: Option<Raw<'t>>, possible: bool) -> Option<(Decision, Decision)> {
        let first = Decision::parse(decision.text).filter(|decision| possible || *decision != Decision::Allow);
        let Some(first) = first else {
            let help = if decision.text == "off" {
                "a rule that decides nothing is left out; `override ID = off` switches one off"
            } else {
                "a rule decides `warn`, `ask` or `deny`; an exception is an item of its own: `allow NAME { … }`"
            };
            self.faults
                .error(
                    "rulebook::not-a-decision",
                    decision.at,
                    "not for a rule",
                    format!("a rule cannot decide `{}`", decision.text),
                )
                .help(help);
            return None;
        };
        let Some(or) = otherwise else {
            return Some((first, if first == Decision::Ask { Decision::Deny } else { first }));
        };
        let second = Decision::parse(or.text).filter(|second| *second != Decision::Ask && first == Decision::Ask);
        let Some(second) = second else {
            self.faults
                .error("rulebook::not-a-decision", or.at, "after `or`", "`or` says what an ask becomes where nobody can answer")
                .help("write `ask or deny` or `ask or warn`");
            return None;
        };
        Some((first, second))
    }

    /// A message of one line; the names in it are noted as used.
    fn message(&mut self, text: Quoted<'t>, what: &str, used: &mut Vec<Raw<'t>>) -> String {
        let message = word::unescape(text.text);
        if message.contains('\n') || message.trim().is_empty() {
            self.faults
                .error("rulebook::bad-message", text.at, "not one line", format!("{what} is one line of text"))
                .help("write one sentence");
        }
        let bytes = text.text.as_bytes();
        let mut i = 0;
        while i < bytes.len() {
            match (bytes[i], bytes.get(i + 1)) {
                (b'{', Some(b'{')) | (b'}', Some(b'}')) => i += 2,
                (b'{', _) => {
                    let end = text.text[i..].find('}').map(|length| i + length);
                    let name = end.map_or("", |end| &text.text[i + 1..end]);
                    let at = At { start: text.at.start + i, end: text.at.start + end.map_or(bytes.len(), |end| end + 1) };
                    if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
                    {
                        self.faults
                            .error("rulebook::bad-message", at, "no name", "a brace in a message begins a name")
                            .help("write `{name}`, or `{{` for the brace itself");
                    } else if name != "command" {
                        used.push(Raw { text: name, at });
                    }
                    i = end.map_or(bytes.len(), |end| end + 1);
                }
                _ => i += 1,
            }
        }
        message
    }

    /// Reports what a rule lacks.
    fn complete(&mut self, tree: &tree::Rule<'t>, all: &Gathered<'t>) {
        let at = tree.name.at;
        if !tree.clauses.iter().any(|(clause, _)| matches!(clause, RuleClause::Match { .. })) {
            self.faults
                .error("rulebook::no-match", at, "matches nothing", format!("`{}` has no `match`", tree.name.text))
                .help("add what it is about: `match git push --force`");
        }
        if tree.allow {
            return;
        }
        if !tree.clauses.iter().any(|(clause, _)| matches!(clause, RuleClause::Decide { .. })) {
            self.faults
                .error("rulebook::no-decision", at, "decides nothing", format!("the rule `{}` has no decision", tree.name.text))
                .help("add one with its reason: `deny \"Rewrites history.\"`");
        }
        let hit = all.examples.iter().any(|example| example.expected != Decision::Allow);
        let miss = all.examples.iter().any(|example| example.expected == Decision::Allow);
        if !hit || !miss {
            let lacks = match (hit, miss) {
                (false, false) => "no examples",
                (true, _) => "no near miss",
                _ => "no example that it matches",
            };
            self.faults
                .warning("rulebook::no-near-miss", at, lacks, format!("the rule `{}` has {lacks}", tree.name.text))
                .help("add both sides: ``examples { deny `git push -f`; allow `git push` }``");
        }
    }
}

/// Whether the text, of the form `0000-00-00`, is a day of the calendar.
fn is_date(text: &str) -> bool {
    let mut numbers = text.split('-').filter_map(|part| part.parse::<u32>().ok());
    let (Some(year), Some(month), Some(day)) = (numbers.next(), numbers.next(), numbers.next()) else { return false };
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 => 28 + u32::from(leap),
        _ => return false,
    };
    (1..=days).contains(&day)
}
