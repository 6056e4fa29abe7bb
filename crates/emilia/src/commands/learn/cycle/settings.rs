//! What decides a cycle, and the file in its folder that says so.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::whole_file::replace;

/// What a file of settings says it is.
const KIND: &str = "cycle";
/// The version of the format.
const VERSION: u32 = 1;

/// All that decides what a cycle comes to: a folder has the generations of one of these.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// Decides all that is left to chance.
    pub seed: u64,
    /// How many games each generation plays.
    pub games_per_generation: u64,
    /// How many moves the search for a move looks ahead.
    pub depth: u32,
    /// From how many empty squares on play is exact.
    pub exact_from: u32,
    /// How many random moves a game begins with.
    pub opening: (u32, u32),
    /// The share of later moves that are random on purpose.
    pub random_moves: f64,
    /// The games of how many generations are learned from.
    pub window: u32,
    /// What is learned of a position.
    pub label: String,
    /// How many moves the search for a label looks ahead.
    pub label_depth: u32,
    /// How much of the score of the game is mixed into the value of a search.
    pub outcome_share: f32,
    /// How many positions hold a weight where the next phase has it.
    pub penalty: f32,
    /// The most steps for a phase.
    pub steps: u32,
    /// One game in so many is held out.
    pub held_out: u64,
    /// How many games are played to measure how well shallow searches foretell deep ones; 0 for no such measurement.
    pub probcut_games: u64,
    /// The deepest search of that measurement.
    pub probcut_deepest: u32,
    /// The most empty squares of a position that is solved for it.
    pub probcut_solved_from: u32,
    /// How many games a match has at most.
    pub match_games: u32,
    /// How many games a match has at least.
    pub match_least: u32,
    /// What a player of a match may use for a move, in words.
    pub match_limits: String,
    /// The advantages between which the sequential test decides, in Elo.
    pub sprt: (f64, f64),
}

#[derive(Serialize, Deserialize)]
struct Header {
    emilia: String,
    version: u32,
    settings: Value,
}

/// The right to work in the folder of a cycle, as long as it is not dropped.
pub struct Claim {
    _lock: File,
}

impl Settings {
    /// Makes a folder the one of this cycle, or makes sure that it is, and keeps other processes out of it.
    pub fn claim(&self, folder: &Path) -> Result<Claim> {
        fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
        let lock_path = folder.join("cycle.lock");
        let broken = || format!("cannot use {}", lock_path.display());
        let lock = File::options().write(true).create(true).truncate(false).open(&lock_path).with_context(broken)?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => bail!("{} is in use: another process goes on with it", folder.display()),
            // Some file systems know no locks; then nobody watches.
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {}
            Err(TryLockError::Error(error)) => return Err(error).with_context(broken),
        }
        let path = folder.join("cycle.json");
        if path.exists() {
            self.compare(&path)?;
        } else {
            let settings = serde_json::from_str(&serde_json::to_string(self)?)?;
            let header = Header { emilia: KIND.to_owned(), version: VERSION, settings };
            replace(&path, format!("{}\n", serde_json::to_string(&header)?).as_bytes())?;
        }
        Ok(Claim { _lock: lock })
    }

    /// Refuses a file of other settings.
    fn compare(&self, path: &Path) -> Result<()> {
        let shown = path.display();
        let bytes = fs::read(path).with_context(|| format!("cannot read {shown}"))?;
        let expected = "expected those of a cycle, or another folder";
        let header: Header = match serde_json::from_slice(&bytes) {
            Ok(header) => header,
            Err(error) => bail!("{shown} holds no settings ({error}); {expected}"),
        };
        ensure!(header.emilia == KIND, "{shown} holds settings of another kind ({:?}); {expected}", header.emilia);
        ensure!(header.version == VERSION, "{shown} has version {}; expected version {VERSION}", header.version);
        let Value::Object(found) = header.settings else { bail!("{shown} holds no settings; {expected}") };
        // Through text, as the file went: numbers then are written alike.
        let Value::Object(own) = serde_json::from_str(&serde_json::to_string(self)?)? else { return Ok(()) };
        for key in own.keys().chain(found.keys()) {
            let [found, own] = [found.get(key), own.get(key)].map(|value| value.cloned().unwrap_or_default());
            if found != own {
                let name = key.replace('_', "-");
                bail!("{shown} belongs to another cycle: its {name} is {found}; expected {own}, or another folder");
            }
        }
        Ok(())
    }
}
