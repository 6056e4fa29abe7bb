//! The tests of the opening book, in one program.

mod damage;
mod files;
mod formats;
mod kills;
mod model;
mod plans;
mod samples;
mod trees;
mod values;
