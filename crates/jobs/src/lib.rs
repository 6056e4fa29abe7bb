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
//! # Parts
//!
//! | part | content |
//! |---|---|
//! | `Work` | a worker for one thread, from item to output, both serializable; `check` decides whether an output from elsewhere can be right |
//! | `Definition` | kind, parameters, files by content, version. Its SHA-256 is the name of the job |
//! | `Job` | a `Work`, its items, and a function that makes the definition, which only executors elsewhere call |
//! | `Executor` | `Threads` here, `farm::Farm` elsewhere. Results come in the order of their numbers |
//! | `JobKinds`, `JobKind` | from the kind of a definition to its `Work`. Each crate lists its own (`job_kinds.rs` in `learning`, `arena`, `players`); the program joins them |
//! | `LocalFiles` | the files of a job on the machine of a worker |
//! | `InvalidJob`, `JobError` | reasons for refusing a job or a result, and for not completing a job |

mod content_id;
mod definition;
mod error;
mod executor;
pub mod ordered_work;
mod registry;
mod work;

pub use content_id::ContentId;
pub use definition::{Definition, Supply};
pub use error::{InvalidJob, JobError};
pub use executor::{Executor, Take, Threads};
pub use ordered_work::ResultOrder;
pub use registry::{JobKind, JobKinds, KnownWork, LocalFiles, RemoteWork, Step, parameters};
pub use work::{AnyJob, AnyOutput, Job, Work, Worker};
