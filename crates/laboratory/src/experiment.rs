//! An experiment: its name, its source, and the function that makes its report.

use engine::settings::{NoSettings, Setting, SettingError};

use crate::report::Report;
use crate::setup::Setup;

/// An experiment that can be run by its name.
#[derive(Clone, Copy, Debug)]
pub struct Experiment {
    /// The name on the command line.
    pub name: &'static str,
    /// Its source: a paper and its tables or figures.
    pub source: &'static str,
    /// Description of its result, in one line.
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
    pub fn report(&self, setup: &mut Setup<'_>) -> Result<Report> {
        if self.settings.is_empty() {
            setup.settings::<NoSettings>()?;
        }
        setup.part("report", self.run)
    }
}

/// The function that runs an experiment.
pub type Run = fn(&mut Setup<'_>) -> Result<Report>;

pub(crate) type Result<T, E = ExperimentError> = std::result::Result<T, E>;

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
