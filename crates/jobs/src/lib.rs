//! Numbered jobs as data, and who carries them out.
//!
//! Every long job of Emilia is a sequence of numbered items whose results depend on nothing but their number: games of
//! self-play, labels, problems to solve. A [`Job`] says how an item is done ([`Work`]) and what defines the job
//! ([`Definition`]). An [`Executor`] carries it out: [`Threads`] in this process, or a farm of many machines. The results
//! are the same and come in the same order.
//!
//! A program that takes jobs from others finds out how an item is done by the kind of the job: a [`Registry`] has the
//! kinds that it knows.

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
