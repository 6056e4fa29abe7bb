//! A framework for experiments: tables and figures of a paper next to ours, with checkpoints, matches and pages. Our own
//! experiments are here too; those of a program are in its crate.
//!
//! # Design
//!
//! An [`Experiment`] (`emilia lab run NAME`) is a name, a source, and a function from a [`Setup`] (registry, seed, threads,
//! a stop flag, quick or not, a progress callback) to a [`Report`]: tables with the paper's figures next to ours,
//! [`Figure`]s to plot, and notes, which explain any result that contradicts the paper. Every number in them comes from
//! the run, or from the paper and is named as such; a cell that no run could have changed, such as the agreement of a
//! player with itself, is marked as given ([`Table::given_row`], [`Table::mark_given`]). It takes its players from the
//! registry by their notations; tests replace the limits of all of them ([`Setup::rehearsal`]) and change nothing else. A
//! report is shown as text and as a page with plots ([`pages`]); a test requires a page in `docs/lab` for every experiment.
//!
//! [`checkpoint`] keeps finished parts, so that a run that was killed is resumed with the same result: every game of a
//! match ([`duel`]), and any other value by [`Setup::part`], in the order in which the experiment requests them. A
//! checkpoint is removed when the whole command has succeeded, so that `lab run all` does not begin again, either.

pub mod checkpoint;
pub mod comparison;
pub mod duel;
mod experiment;
mod figure;
pub mod games;
pub mod made_player;
mod ours;
pub mod pages;
mod program;
pub mod rehearsal;
mod report;
mod setup;
pub mod solver;
pub mod speed;

pub use checkpoint::{Checkpoint, CheckpointError, RunTerms};
pub(crate) use experiment::Result;
pub use experiment::{Experiment, ExperimentError, Run};
pub use figure::{Figure, Series};
pub use program::LabProgram;
pub use report::{Report, Table};
pub use setup::Setup;

/// Experiments with Emilia itself, in the order of the list.
pub fn own_experiments() -> Vec<Experiment> {
    vec![
        ours::depth::EXPERIMENT,
        ours::generations::EXPERIMENT,
        solver::growth::EXPERIMENT,
        solver::threads::EXPERIMENT,
    ]
}
