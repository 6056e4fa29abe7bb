//! The experiments of the papers, and our own: every table and figure with the paper's numbers next to ours.
//!
//! # Design
//!
//! An experiment (`experiments/`, `emilia lab run NAME`) is a file and a line in `experiments::all`: a name, a source,
//! and a function from a `Setup` (seed, threads, a stop flag, quick or not, a progress callback) to a `Report`: tables
//! with the paper's figures next to ours, `Figure`s to plot, and notes, which explain any result that contradicts the
//! paper. Every number in them comes from the run, or from the paper and is named as such; a cell that no run could
//! have changed, such as the agreement of a player with itself, is marked as given (`Table::given_row`, `mark_given`).
//! It takes its players from the registry of `players` by their notations; tests replace the limits of all of them
//! (`Setup::rehearsal`) and change nothing else. The data of the experiments ship in `data/lab/`. A report is shown as
//! text and as a page with plots (`docs/lab/`, `pages.rs`, `figure_plot.rs`); a test requires a page for every
//! experiment.
//!
//! `checkpoint.rs` keeps what is finished, so that a run that was killed is resumed with the same result: every game of
//! a match (`duel.rs`) without further ado, any other value by `Setup::part(key, compute)`, in the order in which the
//! experiment asks for them. A checkpoint is removed when the whole command has succeeded, so that `lab run all` does
//! not begin again, either.

pub mod experiments;
mod figure_plot;
pub mod pages;
