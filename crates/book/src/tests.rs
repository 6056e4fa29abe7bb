//! Tests of whole books.

mod damage;
mod files;
mod formats;
mod kills;
mod model;
mod plans;
pub(crate) mod samples;
mod trees;
mod values;
