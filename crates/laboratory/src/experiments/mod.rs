//! The experiments of the papers, repeated: the paper's figures next to ours.
//!
//! An experiment is a file here and a line in [`all`]. It takes its players from the list of `players`, and returns a
//! [`Report`]: plain tables and figures, which a command prints as text or as JSON, and plots.

mod bill;
mod checkpoint;
mod desdemona;
mod duel;
mod figure;
mod games;
mod iago;
mod keyano;
mod list;
mod logistello;
mod made_player;
mod ours;
#[cfg(test)]
mod rehearsal;
mod report;
mod rivals;
mod setup;
mod solver;
mod speed;

use engine::settings::{NoSettings, Setting, SettingError};

pub use checkpoint::{Checkpoint, CheckpointError, RunTerms};
pub use figure::{Figure, Series};
pub use list::{all, named};
pub use report::{Report, Table};
pub use setup::Setup;

/// An experiment that can be run by its name.
#[derive(Clone, Copy, Debug)]
pub struct Experiment {
    /// The name on the command line.
    pub name: &'static str,
    /// Where it comes from: a paper and its tables or figures.
    pub source: &'static str,
    /// What it shows, in one line.
    pub description: &'static str,
    /// Settings, in the order shown.
    pub settings: &'static [Setting],
    /// Runs it.
    pub run: Run,
}

impl Experiment {
    /// An experiment without settings.
    pub const fn new(name: &'static str, source: &'static str, description: &'static str, run: Run) -> Self {
        Self { name, source, description, settings: &[], run }
    }

    /// The same experiment with these settings, which it reads with [`Setup::settings`].
    #[must_use]
    pub const fn with_settings(self, settings: &'static [Setting]) -> Self {
        Self { settings, ..self }
    }

    /// Runs the experiment, or reads its report from the checkpoint of a run that finished it.
    pub fn report(&self, setup: &mut Setup<'_>) -> Result<Report, ExperimentError> {
        if self.settings.is_empty() {
            setup.settings::<NoSettings>()?;
        }
        setup.part("report", self.run)
    }
}

/// How an experiment is run.
pub type Run = fn(&mut Setup<'_>) -> Result<Report, ExperimentError>;

/// Why an experiment has no result.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExperimentError {
    /// It was stopped.
    #[error("the experiment was stopped before it finished")]
    Stopped,
    /// A player could not be made, or failed.
    #[error("{player} cannot take part: {reason}")]
    Player {
        /// The player.
        player: String,
        /// Its message.
        reason: String,
    },
    /// Its data are invalid.
    #[error("invalid data of the experiment: {0}")]
    Facts(String),
    /// A setting is invalid.
    #[error(transparent)]
    Setting(SettingError),
    /// Its finished parts cannot be kept.
    #[error("{0}")]
    Checkpoint(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_experiment_is_found_by_its_name_and_no_two_share_one() {
        let names: Vec<_> = all().iter().map(|experiment| experiment.name).collect();
        for name in &names {
            assert_eq!(named(name).unwrap().name, *name);
            assert_eq!(names.iter().filter(|other| other == &name).count(), 1);
        }
        assert!(named("perpetual-motion").is_none());
    }
}
