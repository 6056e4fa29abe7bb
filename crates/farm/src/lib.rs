//! Jobs on many machines, over NATS JetStream.
//!
//! - [`Farm`] is an [`Executor`](jobs::Executor): it submits a job in chunks and collects the results
//! - [`worker`] takes chunks and does them, with a [`JobKinds`](jobs::JobKinds) of its program
//! - [`status`] shows what is going on, and pauses, resumes and cancels campaigns
//!
//! Queues, acknowledgement, redelivery, deduplication, files and states are JetStream's. `docs/farm.md` describes how a
//! farm is set up, and every subject that it uses.
//!
//! # Design
//!
//! - **`receiving.rs` judges every message, and `ledger.rs` decides what counts.** They have no server and no clock:
//!   chunks out, results in, every item once. Lost, late, repeated, wrong and forged messages are tried on them in
//!   tests.
//! - **The results on the server are the state.** A command that starts again reads them, empties the queue of its own
//!   chunks and submits what is missing. Nothing depends on a message not being lost: a chunk that is neither in the
//!   queue nor among the results is submitted again.
//! - **A worker does one chunk per thread**, reports its progress to the server, publishes the results and only then
//!   acknowledges.
//! - **Files are found by content**: a worker checks every definition and every weight file against the hash by which
//!   it was requested.

mod connection;
mod files;
mod ledger;
mod message;
pub mod names;
mod pace;
mod receiving;
mod results;
mod spot_check;
pub mod state;
pub mod status;
mod submitter;
#[cfg(test)]
mod tests;
pub mod worker;

pub use connection::{FarmAddress, FarmError, Notify, Role};
pub use files::KeptFiles;
pub use submitter::{Farm, FarmSettings};
