//! A refusal that a person may lift: whether they have, and what they need to.

use super::machine::Machine;
use crate::agents::Answer;
use crate::check::Judgement;
use crate::explain::message;
use crate::explain::plain;
use crate::explain::shown::Texts;
use crate::tickets::{self, OFFER, Offer, Tickets};
use crate::world::disk;

/// What becomes of a refusal.
pub(super) enum Lifted {
    /// A person has said so: the call passes.
    Passed(Offer),
    /// A person may say so.
    Offered(Offer),
    /// So it was offered before, and that stands.
    Known,
}

/// Looks for a ticket for a refused call; without one makes an offer, of which the answer tells the user.
pub(super) fn lift(machine: &Machine, judged: &Judgement, answer: &mut Answer) -> Option<Lifted> {
    let state = machine.state.as_deref().filter(|_| tickets::may_lift(&judged.verdict))?;
    let (tickets, now, call) = (Tickets::below(state), disk::nanoseconds(), &judged.call.tool);
    let real = machine.world().real(&call.directory).unwrap_or_else(|| call.directory.clone());
    let digest = tickets::digest(call, &real, machine.layers.identity());
    if let Some(ticket) = tickets.take(&digest, now) {
        *answer = Answer::silence();
        return Some(Lifted::Passed(ticket));
    }
    let known = tickets.offered(&digest, now);
    let is_young = known.as_ref().is_some_and(|offer| now - offer.time < OFFER / 2);
    let code = known.map(|offer| offer.code).or_else(tickets::code)?;
    answer.aside = Some(message::offer(&code));
    if is_young {
        return Some(Lifted::Known);
    }
    let texts = Texts::of(&judged.call);
    let headline = judged.verdict.findings.first()?;
    let said = judged.call.texts.first().map(|text| texts.line(&text.text)).unwrap_or_default();
    Some(Lifted::Offered(Offer {
        code,
        digest,
        time: now,
        agent: call.agent.clone(),
        directory: texts.line(&call.directory),
        rule: headline.rule.clone(),
        call: plain::clip(&said, 400),
    }))
}

/// Keeps an offer. Where it cannot be kept, its code is good for nothing, and the refusal stands.
pub(super) fn keep(machine: &Machine, offer: &Offer) {
    if let Some(state) = &machine.state {
        let _ = Tickets::below(state).offer(offer);
    }
}
