//! Numbered jobs as data, and their executors.
//!
//! Every long job of Emilia is a sequence of numbered items whose results depend on nothing but their number: games of
//! self-play, labels, problems to solve. A [`Job`] consists of the [`Work`] that does an item and of the [`Definition`] of
//! the job. An [`Executor`] carries it out: [`Threads`] in this process, or a farm of many machines. The results are the
//! same and come in the same order.
//!
//! A worker finds the work of a job by its kind in the [`JobKinds`] of its program.
//!
//! This crate must not depend on the rules of the game, a search or a network.
//!
//! The SHA-256 of a definition is the name of its job: kind, parameters, version, and files by their content. Each crate lists
//! its kinds in a `job_kinds.rs` (`learning`, `arena`, `players`), and the program joins them.

mod content_id;
mod definition;
mod error;
pub mod ordered_work;
mod registry;
mod work;

pub use content_id::ContentId;
pub use definition::{Definition, Supply};
pub use error::{InvalidJob, JobError};
pub use ordered_work::ResultOrder;
pub use registry::{JobKind, JobKinds, KnownWork, LocalFiles, RemoteWork, Step, parameters};
pub use work::{AnyJob, AnyOutput, Executor, Job, Take, Threads, Work, Worker};
