//! Past calls judged by the thousand: what would have been stopped, by which rule, how often.
//!
//! In come lines ([`input`]): our audit log, agents' transcripts, payloads; out goes a [`Tally`], and, where wanted, a line for
//! each call. The lines are cut into chunks, which as many workers as there are processors judge ([`judge`]); what they found is
//! put together in the order of the input, so that equal input gives equal output.
//!
//! INVARIANT (bounded memory): no more than [`IN_FLIGHT`] chunks exist at any time, whatever the input's size.

mod input;
mod judge;
mod tally;

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};

pub use input::{Chunk, Source, collect, transcripts};
pub use judge::{Judge, Policy};
pub use tally::{Change, Example, Rule, Tally};

/// How many chunks there may be, from reading to printing.
const IN_FLIGHT: usize = 16;
/// The stack of a worker: as large as a process's own.
const STACK: usize = 8 << 20;

/// What became of a chunk.
#[derive(Debug, Default)]
pub struct Outcome {
    /// What was found in it.
    pub tally: Tally,
    /// A line for each call, where lines are wanted.
    pub lines: Vec<u8>,
    /// Bytes that it had.
    pub bytes: usize,
}

/// Judges every line of the sources. `each` gets the outcomes in the order of the input, and says whether to go on.
pub fn replay(sources: Vec<Source>, policy: &Policy, lines: bool, mut each: impl FnMut(Outcome) -> bool) {
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let (chunks, waiting) = sync_channel::<(usize, Chunk)>(IN_FLIGHT);
    let waiting = Mutex::new(waiting);
    let (done, outcomes) = channel::<(usize, Outcome)>();
    let (permit, permits) = sync_channel::<()>(IN_FLIGHT);
    for _ in 0..IN_FLIGHT {
        let _ = permit.send(());
    }
    std::thread::scope(|scope| {
        scope.spawn(move || feed(sources, &chunks, &permits));
        for _ in 0..workers {
            let (waiting, done) = (&waiting, done.clone());
            let _ =
                std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, move || work(waiting, policy, lines, &done));
        }
        drop(done);
        let (mut next, mut early) = (0, BTreeMap::new());
        while let Ok((index, outcome)) = outcomes.recv() {
            early.insert(index, outcome);
            while let Some(outcome) = early.remove(&next) {
                next += 1;
                if !each(outcome) {
                    return;
                }
                // The feeder may have ended.
                let _ = permit.try_send(());
            }
        }
        drop(permit);
    });
}

fn feed(sources: Vec<Source>, chunks: &SyncSender<(usize, Chunk)>, permits: &Receiver<()>) {
    let mut index = 0;
    for source in sources {
        for chunk in source.chunks() {
            if permits.recv().is_err() || chunks.send((index, chunk)).is_err() {
                return;
            }
            index += 1;
        }
    }
}

fn work(waiting: &Mutex<Receiver<(usize, Chunk)>>, policy: &Policy, lines: bool, done: &Sender<(usize, Outcome)>) {
    let mut judge = Judge::new(policy, lines);
    loop {
        // The lock is held while waiting: who holds it gets the next chunk.
        let Ok((index, chunk)) = waiting.lock().map_err(|_| ()).and_then(|waiting| waiting.recv().map_err(|_| ())) else {
            return;
        };
        if done.send((index, judge.chunk(&chunk))).is_err() {
            return;
        }
    }
}
