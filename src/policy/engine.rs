//! Findings of the engine itself. They have no rulebook, nobody switches them off, and their bindings say what was met.

use crate::model::{Call, Certainty, Decision, Finding, Intent, LayerKind, Limit, Preset, Span};

/// A budget was exhausted: what lies behind it is not known.
pub const BUDGET: &str = "engine.budget";
/// Text that no front end could parse.
pub const UNPARSED: &str = "engine.unparsed";
/// The engine failed.
pub const FAULT: &str = "engine.fault";

/// What the engine has to say about a call.
pub fn findings(call: &Call, preset: Preset) -> Vec<Finding> {
    let limits = call.limits.iter().map(budget);
    let unparsed = call.unparsed.iter().filter(|_| preset >= Preset::Strict).map(|span| {
        let reason = format!("This part cannot be parsed, and preset {} refuses what it cannot read", preset.word());
        finding(UNPARSED, reason, *span, Vec::new())
    });
    let mut all: Vec<Finding> = Vec::new();
    for finding in limits.chain(unparsed) {
        if !all
            .iter()
            .any(|known| known.rule == finding.rule && known.bindings == finding.bindings && known.span == finding.span)
        {
            all.push(finding);
        }
    }
    all
}

/// The finding of a budget that was exhausted.
pub fn budget(limit: &Limit) -> Finding {
    let bindings = vec![("limit".to_string(), limit.name.to_string()), ("size".to_string(), limit.size.to_string())];
    let reason = format!(
        "The call is more than the budget `{}` ({}) allows, so what lies behind it is not known",
        limit.name, limit.size
    );
    finding(BUDGET, reason, limit.span, bindings)
}

/// The finding of our own fault: it refuses, under every preset. `code` says which.
pub fn fault(code: &str) -> Finding {
    let reason = format!("An internal fault ({code}), so nothing is known about this call");
    finding(FAULT, reason, Span::default(), vec![("code".to_string(), code.to_string())])
}

fn finding(rule: &str, reason: String, span: Span, bindings: Vec<(String, String)>) -> Finding {
    Finding {
        rule: rule.to_string(),
        layer: LayerKind::Floor,
        decision: Decision::Deny,
        certainty: Certainty::Certain,
        reason,
        instead: None,
        intent: Intent::StopAndExplain,
        span,
        run: None,
        effect: None,
        bindings,
        rulebook: None,
        narrowness: 0,
    }
}
