//! The settings of a cycle, and the file in its folder that contains them.

use std::fs::{self, File};
use std::path::Path;

use engine::Limits;
use serde::{Deserialize, Serialize};
use storage::whole_file::{read_bounded, replace};
use storage::{Difference, Fingerprint, growing_file};

use crate::error::{FileProblem, LearnError, Result};
use crate::labels::Label;

/// The kind of file, as stated in the header.
const KIND: &str = "cycle";
const VERSION: u32 = 1;

/// The maximum length of a settings file in bytes.
const MAX_BYTES: u64 = 1 << 20;

/// Everything that determines the result of a cycle: all generations of a folder have the same settings.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// The random seed.
    pub seed: u64,
    /// The number of games per generation.
    pub games_per_generation: u64,
    /// The search depth in these games.
    pub depth: u32,
    /// The number of empty squares from which play is exact.
    pub exact_from: u32,
    /// The number of random moves at the start of a game.
    pub opening: (u32, u32),
    /// The share of later moves that are random.
    pub random_moves: f64,
    /// Train on the games of this many generations.
    pub window: u32,
    /// The training label of a position.
    pub label: Label,
    /// The depth of the search for labels.
    pub label_depth: u32,
    /// The weight of the final score in a search value.
    pub outcome_share: f32,
    /// The strength of the pull towards the weights of the next phase, as a number of positions.
    pub penalty: f32,
    /// The maximum number of steps per phase.
    pub steps: u32,
    /// One game in this many is held out.
    pub held_out: u64,
    /// The number of games to measure how well shallow searches predict deep ones; 0 for none.
    pub probcut_games: u64,
    /// The maximum search depth of that measurement.
    pub probcut_deepest: u32,
    /// The maximum number of empty squares of a position that is solved for it.
    pub probcut_solved_from: u32,
    /// The maximum number of games in a match.
    pub match_games: u32,
    /// The minimum number of games in a match.
    pub match_min: u32,
    /// The limits per move in a match.
    pub match_limits: Limits,
    /// The two hypotheses of the sequential test, in Elo.
    pub sprt: (f64, f64),
}

#[derive(Serialize, Deserialize)]
struct Header<S> {
    emilia: String,
    version: u32,
    settings: S,
}

impl Settings {
    /// Creates the folder of this cycle, or checks that it belongs to it, and locks it until the file is dropped.
    pub(crate) fn claim(&self, folder: &Path) -> Result<File> {
        fs::create_dir_all(folder).map_err(LearnError::io("make the folder", folder))?;
        let lock_path = folder.join("cycle.lock");
        let options = File::options().write(true).create(true).truncate(false).clone();
        let lock = options.open(&lock_path).map_err(LearnError::using(&lock_path))?;
        if !growing_file::lock(&lock).map_err(LearnError::using(&lock_path))? {
            return Err(FileProblem::CycleInUse.of(folder));
        }
        let path = folder.join("cycle.json");
        if path.exists() {
            let bytes = read_bounded(&path, MAX_BYTES, |_| true).map_err(LearnError::io("read", &path))?;
            self.compare(&path, &bytes)?;
        } else {
            let header = Header { emilia: KIND.to_owned(), version: VERSION, settings: self };
            replace(&path, format!("{}\n", Fingerprint::of(&header)).as_bytes())?;
        }
        Ok(lock)
    }

    fn compare(&self, path: &Path, bytes: &[u8]) -> Result<()> {
        let refused = |found: String| FileProblem::NoSettings(found).of(path);
        let header: Header<serde_json::Value> =
            serde_json::from_slice(bytes).map_err(|error| refused(error.to_string()))?;
        if header.emilia != KIND {
            return Err(refused(format!("their kind is {:?}", header.emilia)));
        }
        if header.version != VERSION {
            return Err(refused(format!("their version is {}; this program reads {VERSION}", header.version)));
        }
        let found: Self = serde_json::from_value(header.settings).map_err(|error| refused(error.to_string()))?;
        match Fingerprint::of(&found).difference(&Fingerprint::of(self)) {
            None => Ok(()),
            Some(difference) => {
                // Fields are named like the options.
                let difference = Difference { field: difference.field.replace('_', "-"), ..difference };
                Err(FileProblem::OtherCycle(difference).of(path))
            }
        }
    }
}
