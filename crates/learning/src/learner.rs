//! Learners: functions with which a program makes its own tables.

use std::fmt;
use std::path::PathBuf;

use engine::settings::{Setting, Settings};

use crate::error::Result;

/// Learner of one program. Its settings are listed, its stores of games are named by the user.
#[derive(Clone, Copy)]
pub struct Learner {
    /// Description of the tables, in one line.
    pub description: &'static str,
    /// Description of the method, a paragraph for each line.
    pub method: &'static str,
    /// Settings, in the order shown.
    pub settings: &'static [Setting],
    /// Whether it reads stores of games.
    pub reads_games: bool,
    /// First bytes of its files: only files that begin with them are overwritten.
    pub file_header: &'static [u8],
    /// Whether it has results as JSON.
    pub has_json: bool,
    /// Makes the tables.
    pub run: fn(&mut LearnerSetup<'_>) -> Result<LearnedTables>,
}

impl fmt::Debug for Learner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Learner").field("description", &self.description).finish_non_exhaustive()
    }
}

/// Setup of one run of a learner.
pub struct LearnerSetup<'a> {
    /// Stores of games.
    pub stores: &'a [PathBuf],
    /// Names and values of settings.
    pub settings: &'a [(String, Option<String>)],
    /// Random seed.
    pub seed: u64,
    /// Number of threads, which does not change the tables.
    pub threads: usize,
    /// Whether the tables are written to a file.
    pub is_saved: bool,
    /// Prints text of the results, with its line endings.
    pub print: &'a mut dyn FnMut(&str),
    /// Receives progress messages.
    pub progress: &'a mut dyn FnMut(&str),
}

impl LearnerSetup<'_> {
    /// Reads the settings.
    pub fn settings<S: Settings>(&self) -> Result<S> {
        Ok(S::of_written(self.settings)?)
    }
}

/// Results of a learner.
#[derive(Clone, Debug, Default)]
pub struct LearnedTables {
    /// Content of the file with the tables.
    pub file: Vec<u8>,
    /// Results as JSON, an object for each element.
    pub json: Vec<String>,
}
