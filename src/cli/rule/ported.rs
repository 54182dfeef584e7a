//! Drafts of rulebooks → rulebooks that are sound and whose examples hold: what is not sound is left out and told, every example is
//! tried by the real engine, and rules that have none get one that they meet and one that they do not.

use crate::cli::{examples, machine};
use crate::language::{Diagnostic, File, Rulebook, check_layer};
use crate::layers;
use crate::migrate::{self, Draft, PortedRule, Unsaid};
use crate::model::rule::Rule;
use crate::model::{Decision, Verdict};
use crate::policy::Layers;
use crate::proof::{self, Candidate};

/// How many calls are judged to find an example.
const MOST: usize = 800;

/// Makes files of drafts.
pub fn files(drafts: &mut [Draft], unsaid: &mut Vec<Unsaid>) -> Result<Vec<File>, String> {
    for draft in drafts.iter_mut() {
        leave_out(draft, unsaid);
    }
    let bare: Vec<File> = drafts.iter().map(|draft| file(draft, &vec![Vec::new(); draft.rules.len()])).collect();
    let checked = check_layer(&bare, &layers::known());
    if let Some(fault) = checked.diagnostics.iter().find(|each| each.is_error()) {
        return Err(format!("{}: {}", fault.file, fault.message));
    }
    let donors = layers::catalogue_rulebooks();
    let mut layers = machine::stack(None, &checked.rulebooks)?;
    let mut made = Vec::new();
    for (draft, book) in drafts.iter().zip(&checked.rulebooks) {
        let mut all = Vec::new();
        for (ported, name) in draft.rules.iter().zip(migrate::names(draft)) {
            let id = format!("{}.{name}", book.name);
            let rule = book.rules.iter().find(|rule| rule.id == id);
            all.push(rule.map(|rule| of_rule(ported, rule, book, &donors, &mut layers, unsaid)).unwrap_or_default());
        }
        made.push(file(draft, &all));
    }
    Ok(made)
}

fn file(draft: &Draft, examples: &[Vec<(Decision, Candidate)>]) -> File {
    File { name: format!("{}.rulebook", draft.name), text: migrate::text(draft, examples) }
}

/// Takes rules out that the language does not take, each with the reason.
fn leave_out(draft: &mut Draft, unsaid: &mut Vec<Unsaid>) {
    let known = layers::known();
    let fault = |rules: Vec<PortedRule>, items: &[String]| {
        let alone = Draft { rules, items: items.to_vec(), ..draft.clone() };
        let checked = check_layer(&[file(&alone, &vec![Vec::new(); alone.rules.len()])], &known);
        checked.diagnostics.into_iter().find(Diagnostic::is_error).map(|fault| fault.message)
    };
    let mut kept = Vec::new();
    for rule in &draft.rules {
        match fault(vec![rule.clone()], &[]) {
            None => kept.push(rule.clone()),
            Some(why) => {
                unsaid.push(Unsaid {
                    at: rule.at.clone(),
                    item: rule.clauses.join(" "),
                    why: format!("not sound here: {why}"),
                });
            }
        }
    }
    let mut items = Vec::new();
    for item in &draft.items {
        match fault(Vec::new(), std::slice::from_ref(item)) {
            None => items.push(item.clone()),
            Some(why) => {
                let item = item.split_whitespace().collect::<Vec<_>>().join(" ");
                unsaid.push(Unsaid { at: draft.name.clone(), item, why: format!("not sound here: {why}") });
            }
        }
    }
    (draft.rules, draft.items) = (kept, items);
}

/// The examples of a rule: its own that hold, and what is needed beside them.
fn of_rule(
    ported: &PortedRule,
    rule: &Rule,
    book: &Rulebook,
    donors: &[Rulebook],
    layers: &mut Layers,
    unsaid: &mut Vec<Unsaid>,
) -> Vec<(Decision, Candidate)> {
    if ported.decision == Decision::Allow {
        return Vec::new();
    }
    let meets = |verdict: &Verdict| {
        verdict.decision == ported.decision && verdict.findings.iter().any(|finding| finding.rule == rule.id)
    };
    let mut all: Vec<(Decision, Candidate)> = Vec::new();
    for (wanted, command) in &ported.examples {
        let candidate = Candidate::command(command.clone());
        let verdict = examples::verdict(&candidate, layers);
        let holds = if *wanted { meets(&verdict) } else { verdict.decision == Decision::Allow };
        if all.iter().any(|(_, known)| known.input == candidate.input) {
            continue;
        }
        if holds {
            all.push((if *wanted { ported.decision } else { Decision::Allow }, candidate));
            continue;
        }
        let by = verdict.findings.first().map_or_else(|| "no rule".into(), |finding| finding.rule.clone());
        let wanted = if *wanted { ported.decision } else { Decision::Allow };
        let why = format!("its example `{command}` gets {} by {by} here, not {}", verdict.decision.word(), wanted.word());
        unsaid.push(Unsaid { at: ported.at.clone(), item: ported.title.clone(), why });
    }
    let is = |all: &[(Decision, Candidate)], wanted: Decision| all.iter().any(|(decision, _)| *decision == wanted);
    if !is(&all, ported.decision) {
        let phases = proof::for_rule(rule, std::slice::from_ref(book), donors);
        let (found, _) = proof::first(phases, MOST, |each| meets(&examples::verdict(each, layers)).then_some(()));
        match found {
            Some((candidate, ())) => {
                let candidate = proof::shrink(candidate, |each| meets(&examples::verdict(each, layers)));
                all.insert(0, (ported.decision, candidate));
            }
            None => {
                let why = "no example of it was found: another rule may decide the same, or nothing meets it";
                unsaid.push(Unsaid { at: ported.at.clone(), item: ported.title.clone(), why: why.into() });
            }
        }
    }
    if !is(&all, Decision::Allow)
        && let Some((_, candidate)) = all.iter().find(|(decision, _)| *decision == ported.decision)
    {
        let near = proof::near_misses(candidate);
        let miss = near.into_iter().find(|each| examples::verdict(each, layers).decision == Decision::Allow);
        all.extend(miss.map(|candidate| (Decision::Allow, candidate)));
    }
    all
}
