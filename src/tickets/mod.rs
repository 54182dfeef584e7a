//! Tickets: a person lets one refused call through, once.
//!
//! A refusal that a person may lift leaves an [`Offer`] with a code. The code goes to the user alone; whoever types it at a
//! terminal of their own turns the offer into a ticket, good for ten minutes, for exactly that call: its [`digest`] is of the
//! agent, the tool and its fields, the real directory, and the policy in force. The next such call takes the ticket.
//!
//! INVARIANT (once): a ticket is taken by renaming it, which succeeds for one process alone.

mod marks;

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::model::{Decision, LayerKind, ToolCall, Verdict};
use crate::world::file::{self, FileFault};

pub use marks::agent_mark;

/// How long a ticket is good.
pub const TICKET: i64 = 10 * 60 * 1_000_000_000;
/// How long an offer is.
pub const OFFER: i64 = 60 * 60 * 1_000_000_000;
/// How many offers are kept at most: each lies in the place that its digest's first two digits name, so that nobody has to look
/// through them while an agent waits.
const PLACES: usize = 256;
/// The largest file.
const SIZE: u64 = 64 << 10;
/// The letters of codes: none that is taken for another. 32 of them, so that a letter is five bits.
const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
/// The letters in a code: 50 bits.
const LENGTH: usize = 10;

/// A refusal that a person may lift.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offer {
    /// What the person types.
    pub code: String,
    /// The call's [`digest`].
    pub digest: String,
    /// When it was made; for a ticket, until when it is good. Nanoseconds since 1970.
    pub time: i64,
    /// The agent's name.
    pub agent: String,
    /// The session's directory.
    pub directory: String,
    /// The rule that refused.
    pub rule: String,
    /// The call in one line, without secrets.
    pub call: String,
}

/// The tickets of a user.
#[derive(Debug, Clone)]
pub struct Tickets {
    folder: PathBuf,
}

/// Why a code is no ticket.
#[derive(Debug, thiserror::Error)]
pub enum GrantFault {
    /// Nothing was offered under it, or too long ago.
    #[error("no refusal of the last hour has this code")]
    Unknown,
    /// The file.
    #[error(transparent)]
    File(#[from] FileFault),
}

/// Whether a person may lift the refusal: a deny, in which neither the floor, the administrator nor the engine has a part.
pub fn may_lift(verdict: &Verdict) -> bool {
    let held = |layer| matches!(layer, LayerKind::Floor | LayerKind::Managed);
    let mut heavy = verdict.findings.iter().filter(|finding| finding.decision >= Decision::Ask);
    verdict.decision == Decision::Deny && heavy.all(|finding| !held(finding.layer) && !finding.rule.starts_with("engine."))
}

/// What makes a call the same call. `directory` is the real one.
pub fn digest(call: &ToolCall, directory: &str, policy: u64) -> String {
    let mut hash = Sha256::new();
    let workspace = call.workspace.as_deref().unwrap_or_default();
    for part in [&call.agent, &call.tool, &call.fields.to_string(), directory, workspace] {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    hash.update(policy.to_le_bytes());
    file::hex(&hash.finalize()[..16])
}

/// A new code, from the system's own dice; `None` where it has none.
pub fn code() -> Option<String> {
    let mut bytes = [0u8; LENGTH];
    getrandom::fill(&mut bytes).ok()?;
    let letters: Vec<char> = bytes.iter().map(|byte| char::from(LETTERS[usize::from(byte & 31)])).collect();
    let (one, other) = letters.split_at(LENGTH / 2);
    Some(one.iter().chain(&['-']).chain(other).collect())
}

impl Tickets {
    /// The tickets below a state directory.
    pub fn below(state: &Path) -> Tickets {
        Tickets { folder: state.join("tickets") }
    }

    /// The offer of this call that was made before, where it still holds.
    pub fn offered(&self, digest: &str, now: i64) -> Option<Offer> {
        read(&self.offer_path(digest)).filter(|offer| offer.digest == digest && is_open(offer, now))
    }

    /// Offers, in place of what was offered there.
    pub fn offer(&self, offer: &Offer) -> Result<(), FileFault> {
        write(&self.offer_path(&offer.digest), offer)
    }

    /// The offers that hold, the newest first.
    pub fn offers(&self, now: i64) -> Vec<Offer> {
        let entries = std::fs::read_dir(self.folder.join("offered")).into_iter().flatten().flatten().take(PLACES);
        let mut open: Vec<Offer> =
            entries.filter_map(|entry| read(&entry.path())).filter(|offer| is_open(offer, now)).collect();
        open.sort_by_key(|offer| std::cmp::Reverse(offer.time));
        open
    }

    /// Turns the offer of a code into a ticket. Blanks, dashes and capitals in it do not matter.
    pub fn grant(&self, code: &str, now: i64) -> Result<Offer, GrantFault> {
        let plain = |code: &str| code.to_lowercase().replace(['-', ' '], "");
        let wanted = plain(code);
        let found = self.offers(now).into_iter().find(|offer| plain(&offer.code) == wanted).ok_or(GrantFault::Unknown)?;
        let ticket = Offer { time: now + TICKET, ..found };
        write(&self.folder.join("lifted").join(&ticket.digest), &ticket)?;
        let _ = std::fs::remove_file(self.offer_path(&ticket.digest));
        Ok(ticket)
    }

    /// Takes the ticket for a call, where there is one that holds.
    pub fn take(&self, digest: &str, now: i64) -> Option<Offer> {
        let ticket = self.folder.join("lifted").join(digest);
        let own = self.folder.join("lifted").join(format!(".{digest}.{}.{now}", std::process::id()));
        std::fs::rename(&ticket, &own).ok()?;
        let taken = read(&own);
        let _ = std::fs::remove_file(&own);
        taken.filter(|ticket| ticket.digest == digest && (now..=now + TICKET).contains(&ticket.time))
    }

    fn offer_path(&self, digest: &str) -> PathBuf {
        self.folder.join("offered").join(digest.get(..2).unwrap_or(digest))
    }
}

fn is_open(offer: &Offer, now: i64) -> bool {
    (0..=OFFER).contains(&now.saturating_sub(offer.time))
}

fn read(path: &Path) -> Option<Offer> {
    serde_json::from_slice(&file::read_own(path, SIZE).ok()?).ok()
}

fn write(path: &Path, offer: &Offer) -> Result<(), FileFault> {
    file::write(path, &serde_json::to_vec(offer).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offer(digest: &str, time: i64) -> Offer {
        let code = code().expect("dice");
        let text = |text: &str| text.to_string();
        Offer { code, digest: digest.into(), time, agent: text("a"), directory: text("/"), rule: text("x.y"), call: text("c") }
    }

    #[test]
    fn a_ticket_is_for_one_call_once_and_for_ten_minutes() {
        let state = tempfile::tempdir().expect("a folder");
        let tickets = Tickets::below(state.path());
        let (one, other) = (offer("d1", 1_000), offer("d2", 1_000));
        tickets.offer(&one).expect("offered");
        tickets.offer(&other).expect("offered");
        assert_eq!(tickets.offered("d1", 2_000), Some(one.clone()));
        assert_eq!(tickets.offered("d1, not this", 2_000), None);
        assert!(tickets.take("d1", 2_000).is_none(), "nobody has granted it");
        assert!(matches!(tickets.grant("aaaaa-aaaaa", 2_000), Err(GrantFault::Unknown)));
        let typed = one.code.to_uppercase().replace('-', " ");
        assert_eq!(tickets.grant(&typed, 2_000).expect("granted").digest, "d1");
        assert!(matches!(tickets.grant(&one.code, 2_000), Err(GrantFault::Unknown)), "a code counts once");
        assert!(tickets.take("d2", 2_000).is_none());
        assert!(tickets.take("d1", 3_000).is_some());
        assert!(tickets.take("d1", 3_000).is_none());
        tickets.grant(&other.code, 2_000).expect("granted");
        assert!(tickets.take("d2", 2_001 + TICKET).is_none(), "too late");
    }

    #[test]
    fn offers_end_and_are_not_many() {
        let state = tempfile::tempdir().expect("a folder");
        let tickets = Tickets::below(state.path());
        for number in 0..1_000 {
            tickets.offer(&offer(&format!("{:02x}{number}", number % 256), number)).expect("offered");
        }
        assert_eq!(tickets.offers(1_000).len(), PLACES);
        assert_eq!(tickets.offers(1_000)[0].digest, "e7999");
        assert!(tickets.offered("e7231", 1_000).is_none(), "another call has its place");
        assert!(matches!(tickets.grant(&tickets.offers(1_000)[0].code, 1_000 + OFFER), Err(GrantFault::Unknown)));
    }

    #[cfg(unix)]
    #[test]
    fn a_ticket_that_others_could_have_written_is_none() {
        use std::os::unix::fs::PermissionsExt;
        let state = tempfile::tempdir().expect("a folder");
        let tickets = Tickets::below(state.path());
        let one = offer("d1", 1_000);
        tickets.offer(&one).expect("offered");
        tickets.grant(&one.code, 1_000).expect("granted");
        let path = state.path().join("tickets/lifted/d1");
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o666)).expect("set");
        assert!(tickets.take("d1", 1_000).is_none());
    }

    #[test]
    fn codes_differ_and_calls_do() {
        let codes: std::collections::BTreeSet<String> = (0..1_000).filter_map(|_| code()).collect();
        assert!(codes.len() == 1_000 && codes.iter().all(|code| code.len() == LENGTH + 1));
        let call = |command: &str| ToolCall {
            agent: "a".into(),
            tool: "t".into(),
            fields: serde_json::json!({ "command": command }),
            directory: "/".into(),
            workspace: None,
            attended: true,
            session: String::new(),
        };
        let all =
            [digest(&call("x"), "/", 1), digest(&call("y"), "/", 1), digest(&call("x"), "/z", 1), digest(&call("x"), "/", 2)];
        assert_eq!(all.iter().collect::<std::collections::BTreeSet<_>>().len(), all.len());
        assert_eq!(digest(&call("x"), "/", 1), all[0]);
    }
}
