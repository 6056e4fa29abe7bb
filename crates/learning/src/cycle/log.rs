//! The log of a cycle: a line of JSON for every generation, from which its state follows.

use std::io;
use std::path::{Path, PathBuf};

use arena::{Decision, Interval, Pairs};
use evaluation::probcut::Spread;
use evaluation::{ProbCut, Value};
use serde::{Deserialize, Serialize};
use storage::whole_file::{read_text, replace};

use super::settings::Settings;
use crate::error::LearnError;

/// More bytes than any log has.
const MOST_BYTES: u64 = 64 << 20;

/// A generation that is done.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Generation {
    /// Its number, from 0 on.
    pub generation: u32,
    /// The day on which it was done.
    pub date: String,
    /// Whose weights played its games and met the new ones: those of a generation, or random moves.
    pub champion: Option<u32>,
    /// The games that it played, no two alike, and their positions.
    pub games: u64,
    /// The positions in which a move was made.
    pub positions: u64,
    /// What the weights were learned from.
    pub learned: Learned,
    /// How well the games were learned that were held out.
    pub held_out: HeldOut,
    /// How well shallow searches predict deep ones, if that was measured.
    pub probcut: Option<Foresight>,
    /// The checksum of the weight file.
    pub weights: String,
    /// The match of the new weights against the champion.
    pub r#match: MatchResult,
    /// Whether the new weights are the champion from now on.
    pub accepted: bool,
    /// How strong they are, if random play is 0.
    pub rating: Rating,
    /// What decided all that.
    pub settings: Settings,
}

/// What was learned from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Learned {
    /// The first generation whose games were used.
    pub from: u32,
    /// The games.
    pub games: u64,
    /// Their positions with a label.
    pub positions: u64,
}

/// Errors on games held out, in discs.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct HeldOut {
    /// How many positions were looked at.
    pub positions: u64,
    /// The root of the mean squared error.
    pub root_mean_square: f64,
    /// The mean error without its sign.
    pub mean_absolute: f64,
    /// The root of the mean squared error for every phase; nothing for those without positions.
    pub phases: Vec<Option<f64>>,
}

/// The standard deviations, in discs, of the values of deep searches around those of shallow ones.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Foresight {
    /// The two depths, the deep one first.
    pub depths: (u32, u32),
    /// Their deviation with 46, 34 and 22 empty squares.
    pub midgame: [f64; 3],
    /// The number of empty squares of solved positions, and the depth of the shallow search.
    pub solved: (u32, u32),
    /// Their deviation.
    pub endgame: f64,
}

impl Foresight {
    /// The figures of a search of this depth, and of positions solved with so many empty squares.
    pub fn of(probcut: &ProbCut, deep: u32, solved: u32) -> Self {
        // Depths of a pair are even or odd together: who moves last matters more than how deep it is.
        let shallow = |deep: u32| deep / 2 - (deep / 2 + deep) % 2;
        let discs = |spread: Spread| (f64::from(spread.deviation) / f64::from(Value::PER_DISC) * 1e4).round() / 1e4;
        Self {
            depths: (deep, shallow(deep)),
            midgame: [46, 34, 22].map(|empties| discs(probcut.midgame.of(deep, shallow(deep), empties))),
            solved: (solved, 4),
            endgame: discs(probcut.endgame.of(solved, 4, solved)),
        }
    }
}

/// The result of a match, seen from the new weights.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MatchResult {
    /// The games that count.
    pub games: u64,
    /// Games won.
    pub won: u64,
    /// Games drawn.
    pub drawn: u64,
    /// Games lost.
    pub lost: u64,
    /// Pairs of games by half points, 0 to 4.
    pub pairs: [u64; 5],
    /// The average disc difference.
    pub discs: Option<f64>,
    /// The advantage in Elo with its 95% interval; nothing is infinite.
    pub elo: [Option<f64>; 3],
    /// What the sequential test says.
    pub decision: Verdict,
}

/// What a sequential test says.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// It could not decide.
    Open,
    /// The new weights are not stronger.
    H0,
    /// They are.
    H1,
}

impl From<Decision> for Verdict {
    fn from(decision: Decision) -> Self {
        match decision {
            Decision::Open => Self::Open,
            Decision::H0 => Self::H0,
            Decision::H1 => Self::H1,
        }
    }
}

/// A strength with its 95% margin.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Rating {
    /// In Elo.
    pub elo: f64,
    /// How far from that it may be, in Elo; the margins of all matches since random play are in it.
    pub margin: f64,
}

impl Rating {
    /// The rating of one who made these pairs against a player of this rating.
    ///
    /// One drawn pair is added to them: a match that is won throughout says that the winner is much stronger, but not
    /// that it is infinitely strong.
    pub fn after(self, pairs: &Pairs) -> Self {
        let mut pairs = *pairs;
        pairs.add(2);
        let Some(Interval { value, .. }) = pairs.elo() else { return self };
        let Some((score, variance)) = pairs.moments() else { return self };
        let deviation = (variance / pairs.count() as f64).sqrt();
        // By the slope of the Elo curve: an interval of the score often reaches 1, where Elo is infinite.
        let slope = 400.0 / (std::f64::consts::LN_10 * score * (1.0 - score));
        let margin = arena::normal::OF_95_PERCENT * deviation * slope;
        Self { elo: self.elo + value, margin: self.margin.hypot(margin) }
    }
}

/// All generations that are done.
#[derive(Debug)]
pub struct Log {
    path: PathBuf,
    /// The lines as they stand in the file, which is written as a whole.
    text: String,
    lines: Vec<Generation>,
}

impl Log {
    /// Reads a log; one that is not there is empty.
    pub fn open(path: &Path) -> Result<Self, LearnError> {
        let text = match read_text(path, MOST_BYTES) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            text => text.map_err(|source| LearnError::Io { verb: "read", path: path.to_owned(), source })?,
        };
        let mut lines = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let wrong = |found: String| LearnError::Log { path: path.to_owned(), line: index + 1, found };
            let line: Generation =
                serde_json::from_str(line).map_err(|error| wrong(format!("not a generation of a cycle ({error})")))?;
            if line.generation as usize != index {
                return Err(wrong(format!("this is generation {}; expected generation {index}", line.generation)));
            }
            lines.push(line);
        }
        Ok(Self { path: path.to_owned(), text, lines })
    }

    /// The generations.
    pub fn generations(&self) -> &[Generation] {
        &self.lines
    }

    /// The last generation that was accepted.
    pub fn champion(&self) -> Option<&Generation> {
        self.lines.iter().rev().find(|line| line.accepted)
    }

    /// Adds the next generation.
    pub fn add(&mut self, line: Generation) -> Result<(), LearnError> {
        let json = serde_json::to_string(&line).map_err(|error| LearnError::Io {
            verb: "write",
            path: self.path.clone(),
            source: error.into(),
        })?;
        self.text += &json;
        self.text.push('\n');
        self.lines.push(line);
        Ok(replace(&self.path, self.text.as_bytes())?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratings_add_up_with_their_margins() {
        // 40 pairs, all drawn pairs but for 10 of 3 half points and 10 of 1: an even match. By hand, with the pair
        // that is added: variance 20/41 * 0.0625, deviation of the mean 0.027271, slope 694.87 Elo.
        let even = Pairs { counts: [0, 10, 20, 10, 0] };
        let rating = Rating { elo: 500.0, margin: 30.0 }.after(&even);
        assert!((rating.elo - 500.0).abs() < 1e-9, "{rating:?}");
        let own: f64 = 1.959_964 * (20.0 / 41.0 * 0.0625 / 41.0_f64).sqrt() * 1600.0 / std::f64::consts::LN_10;
        assert!((rating.margin - own.hypot(30.0)).abs() < 1e-3, "{rating:?}");
    }

    #[test]
    fn a_match_that_is_won_throughout_has_a_rating() {
        let rating = Rating::default().after(&Pairs { counts: [0, 0, 0, 0, 49] });
        // 99 points of 100: 400 log10(99).
        assert!((rating.elo - 798.2541).abs() < 1e-3, "{rating:?}");
        assert!(rating.margin > 100.0 && rating.margin.is_finite(), "{rating:?}");
        assert_eq!(Rating::default().after(&Pairs::default()).elo, 0.0);
    }
}
