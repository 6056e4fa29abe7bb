//! Numbered jobs as data, and who carries them out.
//!
//! Every long job of Emilia is a sequence of numbered items whose results depend on nothing but their number: games of
//! self-play, labels, problems to solve. A [`Job`] says how an item is done ([`Work`]) and what defines the job
//! ([`Definition`]). An [`Executor`] carries it out: [`Threads`] in this process, or a farm of many machines. The results
//! are the same and come in the same order.
//!
//! A program that takes jobs from others finds out how an item is done by the kind of the job: a [`Registry`] has the
//! kinds that it knows.
//!
//! # Parts
//!
//! | part | what it is |
//! |---|---|
//! | `Work` | how an item is done: a worker for one thread, from item to output, both serializable; `check` says whether an output from elsewhere can be right |
//! | `Definition` | what defines a job for others: kind, parameters, files by content, version. Its SHA-256 is the name of the job |
//! | `Job` | a `Work`, its items, and a function that makes the definition, which only executors elsewhere call |
//! | `Executor` | carries out a job: `Threads` here, `farm::Farm` elsewhere. Results come in the order of their numbers |
//! | `Registry`, `Kind` | what a worker knows: from the kind of a definition to its `Work`. Each crate lists its own (`job_kinds.rs` in `learning`, `arena`, `players`); the program joins them |
//! | `LocalFiles` | the files of a job on the machine of a worker |

mod content_id;
mod definition;
mod error;
mod executor;
pub mod ordered_work;
mod registry;
mod work;

pub use content_id::ContentId;
pub use definition::{Definition, Supply};
pub use error::JobError;
pub use executor::{Executor, Take, Threads};
pub use ordered_work::Order;
pub use registry::{Kind, KnownWork, LocalFiles, Registry, RemoteWork, Step, parameters};
pub use work::{AnyJob, AnyOutput, Job, Work, Worker};
