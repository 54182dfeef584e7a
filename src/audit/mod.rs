//! The audit log: what was decided, line by line, without secrets.
//!
//! In comes a judged call, out goes a [`Record`], which a [`Log`] appends to its file: `log/PROJECT/YYYY-MM/DD.jsonl` below the
//! state directory, one JSON object a line. The names of fields that the TypeScript peer has are its own.
//!
//! INVARIANT (the log waits for nobody, and nobody for it): a record is made and written after the reply is out, in one write,
//! without a lock; whatever goes wrong is left to `status` and `doctor` to tell.

mod fields;
mod log;
mod query;
mod read;
mod record;

pub use fields::clip;
pub use log::{Log, NO_PROJECT, RETENTION, folder_name};
pub use query::{Count, Filter, Statistics, Suspects};
pub use read::{Reader, is_record, last_refusal, lines, parse};
pub use record::{Occasion, Record, Stage};
