//! What the hook leaves in the audit log, after its reply.

use std::path::Path;
use std::time::Duration;

use super::hook::{Outcome, Way};
use super::lift::{self, Lifted};
use crate::agents::Agent;
use crate::audit::{Log, Occasion, RETENTION, Record, Stage};
use crate::layers::Environment;
use crate::model::Decision;
use crate::model::settings::Audit;
use crate::world::disk;

/// Keeps a decision, as the settings want it.
pub(super) fn keep(agent: &'static Agent, outcome: &Outcome, took: Duration) {
    let occasion = Occasion { agent, event: outcome.event, now: disk::nanoseconds(), took };
    let machine = match &outcome.way {
        Way::Unreadable(what) => {
            let record = Record::failed(&occasion, Stage::Payload, what);
            return append(Environment::of_process().state_directory().as_deref(), &record, occasion.now, None);
        }
        Way::Plain(plain) => &plain.0,
        Way::Judged(judged) => &judged.0,
    };
    if let Some(Lifted::Offered(offer)) = &outcome.lifted {
        lift::keep(machine, offer);
    }
    let is_objected = outcome.answer.decision >= Decision::Ask || outcome.lifted.is_some();
    if machine.layers.settings.audit == Some(Audit::Blocked) && !is_objected {
        return;
    }
    let mut record = match &outcome.way {
        Way::Plain(plain) => Record::plain(&occasion, &plain.1, &machine.layers),
        Way::Judged(judged) => Record::judged(&occasion, &judged.1.call, &judged.1.verdict, &machine.layers),
        Way::Unreadable(_) => return,
    };
    if let Some(Lifted::Passed(ticket)) = &outcome.lifted {
        record.decision = Decision::Allow;
        record.ticket = ticket.digest.get(..8).map(str::to_string);
    }
    let retention = machine.layers.settings.retention_days.unwrap_or(RETENTION);
    append(machine.state.as_deref(), &record, occasion.now, Some(retention));
}

/// Keeps a refusal for a fault of ours.
pub(super) fn keep_fault(agent: &'static Agent, event: &'static str, what: &str) {
    let occasion = Occasion { agent, event, now: disk::nanoseconds(), took: Duration::ZERO };
    let record = Record::failed(&occasion, Stage::Engine, what);
    append(Environment::of_process().state_directory().as_deref(), &record, occasion.now, None);
}

/// A log that cannot be written is told by `status` and `doctor`: the agent has its reply.
fn append(state: Option<&Path>, record: &Record, now: i64, retention: Option<u16>) {
    if let Some(state) = state {
        let _ = Log::below(state).append(record, now, retention);
    }
}
