//! What an agent is told: what was refused, why, what to do instead, in this order, and the first line must do.
//!
//! In comes a call with its verdict, or what went wrong, out comes an [`Answer`]. A message is at most a few thousand characters, has no
//! secret in it, and no character that could pass for something else.

use crate::model::{Call, Certainty, Decision, Finding, Intent, LayerKind, Verdict};

use super::plain::{clip, line, quoted};
use super::redact::redact;
use super::shown::Texts;

/// How much of a command stands in the first line.
const COMMAND: usize = 160;
/// How much of a reason or of an alternative.
const SENTENCE: usize = 400;
/// How many further findings, and how many reports, are named.
const FURTHER: usize = 3;

/// What an agent is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// Allow is silence.
    pub decision: Decision,
    /// The message, where the decision is not allow; several lines, of which the first must do.
    pub message: String,
    /// What the user alone is told, by an agent that has a place for it.
    pub aside: Option<String>,
}

impl Answer {
    /// Nobody objects.
    pub fn silence() -> Answer {
        Answer { decision: Decision::Allow, message: String::new(), aside: None }
    }
}

/// The answer to a judged call.
pub fn answer(call: &Call, verdict: &Verdict) -> Answer {
    let decision = verdict.decision;
    let Some((headline, further)) = verdict.findings.split_first() else {
        return Answer {
            decision,
            message: if decision == Decision::Allow { String::new() } else { fault("a verdict without a finding") },
            aside: None,
        };
    };
    if decision == Decision::Allow {
        return Answer::silence();
    }
    let texts = Texts::of(call);
    let first = reason(headline, &texts);
    let mut message = opening(call, headline, &first, &texts);
    message.push_str(&format!("\nRule: {} ({})", line(&headline.rule), standing(headline)));
    let mut said = vec![first];
    for other in further.iter().filter(|other| other.decision >= Decision::Warn) {
        let reason = reason(other, &texts);
        // Several rules, or one rule on several paths, may say the same.
        if said.len() <= FURTHER && !said.contains(&reason) {
            message.push_str(&format!("\nAlso: {reason} ({})", line(&other.rule)));
            said.push(reason);
        }
    }
    match decision {
        Decision::Deny => message.push_str(&format!("\n\n{} {}", footer(headline.intent), way_out(headline))),
        // Whom the agent asks reads this beside the call.
        Decision::Ask => message.push_str("\n\nLet it run only if you want exactly this."),
        Decision::Warn | Decision::Allow => {}
    }
    for report in verdict.reports.iter().take(FURTHER) {
        message.push_str(&format!("\nNote: {}", clip(&texts.line(report), SENTENCE)));
    }
    Answer { decision, message, aside: None }
}

/// The answer to a payload that could not be read: what was wrong with it, as a phrase, and the agent's name for people.
pub fn unreadable(what: &str, agent: &str) -> Answer {
    let what = clip(&line(&redact(what)), SENTENCE);
    Answer {
        decision: Decision::Deny,
        message: format!(
            "BLOCKED by CC Safety Net: the call could not be read: {what}.\nRule: engine.payload (nobody can switch it off)\n\n\
             What cannot be read cannot be judged, so it is refused. Send a complete call; if it happens again, tell the person \
             that the hook and this version of {agent} do not understand each other."
        ),
        aside: None,
    }
}

/// What the user is told of a refusal that they may lift.
pub fn offer(code: &str) -> String {
    format!(
        "CC Safety Net refused this call. To let exactly this call through once, run in a terminal of your own, within an hour: \
         cc-safety-net allow-once {code}"
    )
}

/// The message of a fault of ours. `what` is one of our own phrases: it is pre-rendered before anything could go wrong.
pub fn fault(what: &str) -> String {
    format!(
        "BLOCKED by CC Safety Net: an internal fault ({what}), so nothing is known about this call.\nRule: engine.fault (nobody can \
         switch it off)\n\nThis is a bug of the guard, not of the call. Simplify the call, or stop and tell the person; \
         `cc-safety-net explain` with the same command shows more."
    )
}

/// The first line: enough by itself.
fn opening(call: &Call, headline: &Finding, reason: &str, texts: &Texts) -> String {
    let head = match headline.decision {
        Decision::Deny | Decision::Allow => "BLOCKED by CC Safety Net",
        Decision::Ask => "CC Safety Net asks",
        Decision::Warn => "CC Safety Net warns",
    };
    let mut opening = format!("{head}: {}. {}", quoted(&subject(call, headline, texts)), reason);
    if let Some(instead) = &headline.instead
        && headline.layer != LayerKind::Project
    {
        opening.push_str(" Instead: ");
        opening.push_str(&clip(&texts.line(instead), SENTENCE));
    }
    opening
}

/// What was refused, in one line: the command of which a part matched, else the stretch that matched, else the tool.
fn subject(call: &Call, finding: &Finding, texts: &Texts) -> String {
    let run = finding.run.or_else(|| call.effects.get(finding.effect?)?.invocation);
    let whole = run.and_then(|run| call.runs.get(run)).map(|run| run.invocation.span);
    let excerpt = |span| texts.excerpt(span).map(str::trim).filter(|text| !text.is_empty());
    let matched = whole.and_then(excerpt).or_else(|| excerpt(finding.span));
    clip(&line(matched.unwrap_or(&call.tool.tool)), COMMAND)
}

/// The rule's sentence, with a full stop. A project that nobody trusted speaks in quotes.
pub fn reason(finding: &Finding, texts: &Texts) -> String {
    let said = texts.line(&finding.reason);
    if finding.layer == LayerKind::Project {
        return format!("A rule of this repository says: \"{}\"", clip(&said.replace('"', "'"), 200));
    }
    let mut said = clip(&said, SENTENCE);
    if !said.ends_with(['.', '!', '?', '…']) {
        said.push('.');
    }
    said
}

/// Whose rule, and how sure.
fn standing(finding: &Finding) -> String {
    match finding.certainty {
        Certainty::Certain => layer(finding.layer).into(),
        Certainty::Possible => format!("{}; it may match, since a part of the call is not known", layer(finding.layer)),
    }
}

/// A layer, as people call it.
pub fn layer(layer: LayerKind) -> &'static str {
    match layer {
        LayerKind::Floor => "floor",
        LayerKind::Managed => "managed",
        LayerKind::User => "user",
        LayerKind::TrustedProject => "project, trusted",
        LayerKind::Project => "project",
        LayerKind::Embedded => "embedded",
    }
}

/// What the agent should do now.
pub fn footer(intent: Intent) -> &'static str {
    match intent {
        Intent::HardStop => "Do not retry this and do not work around it; report it and go on without it.",
        Intent::UseAlternative => "Do not retry the blocked form; use the alternative.",
        Intent::ScopeDown => "Retry on less: only what the task needs, inside the project.",
        Intent::ManualOnly => "Do not retry; if it is needed, ask the person to run it.",
        Intent::StopAndExplain => "Do not try variants; simplify the call, or stop and explain what you need.",
    }
}

/// How a person can let it through.
pub fn way_out(finding: &Finding) -> String {
    if finding.layer == LayerKind::Floor || finding.rule.starts_with("engine.") {
        return "No setting lets it through: a person who wants it runs it in a terminal of their own.".into();
    }
    match finding.layer {
        LayerKind::Managed => "Only the administrator of this machine can change the rule.".into(),
        _ => format!(
            "Only the person can let it through: by running it, or with `{}: off` under `overrides` in their policy.yaml.",
            line(&finding.rule)
        ),
    }
}
