//! The log of a cycle: one line of JSON for every generation, which determines its state.

use std::io;
use std::path::{Path, PathBuf};

use arena::{Decision, Interval, Pairs};
use evaluation::probcut::Spread;
use evaluation::{ProbCut, Value};
use serde::{Deserialize, Serialize};
use storage::whole_file::{read_text, replace};

use super::settings::Settings;
use crate::error::{LearnError, Result};

/// The maximum length of a log in bytes.
const MAX_BYTES: u64 = 64 << 20;

/// A completed generation.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Generation {
    /// Its number, from 0.
    pub generation: u32,
    /// The date of its completion.
    pub date: String,
    /// The generation whose weights played the games and the match against the new ones; `None` for random play.
    pub champion: Option<u32>,
    /// The number of distinct games that it played.
    pub games: u64,
    /// The number of positions in which a move was made.
    pub positions: u64,
    /// The data that the weights were trained on.
    pub learned: Learned,
    /// The errors on the held-out games.
    pub held_out: HeldOut,
    /// Accuracy of shallow searches as predictions of deep ones, if that was measured.
    pub probcut: Option<ProbCutAccuracy>,
    /// The checksum of the weight file.
    pub weights: String,
    /// The match of the new weights against the champion.
    pub r#match: MatchResult,
    /// Whether the new weights become the champion.
    pub accepted: bool,
    /// Their strength, relative to random play.
    pub rating: Rating,
    /// The settings of the cycle.
    pub settings: Settings,
}

/// The data that weights were trained on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Learned {
    /// The first generation whose games were used.
    pub from: u32,
    /// The number of games.
    pub games: u64,
    /// The number of labeled positions.
    pub positions: u64,
}

/// Errors on held-out games, in discs.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct HeldOut {
    /// The number of positions.
    pub positions: u64,
    /// The root mean square error.
    pub root_mean_square: f64,
    /// The mean absolute error.
    pub mean_absolute: f64,
    /// The root mean square error for every phase; `None` for phases without positions.
    pub phases: Vec<Option<f64>>,
}

/// The standard deviations, in discs, of the values of deep searches around those of shallow ones.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct ProbCutAccuracy {
    /// The two depths, the deep one first.
    pub depths: (u32, u32),
    /// The deviation with 46, 34 and 22 empty squares.
    pub midgame: [f64; 3],
    /// The number of empty squares of solved positions, and the depth of the shallow search.
    pub solved: (u32, u32),
    /// The deviation of solved positions.
    pub endgame: f64,
}

impl ProbCutAccuracy {
    /// The figures for a search of this depth, and for positions solved with this number of empty squares.
    pub fn of(probcut: &ProbCut, deep: u32, solved: u32) -> Self {
        // Both depths of a pair are even or both odd: the side that moves last matters more than the depth.
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

/// The result of a match from the point of view of the new weights.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MatchResult {
    /// The number of games that count.
    pub games: u64,
    /// The number of games won.
    pub won: u64,
    /// The number of games drawn.
    pub drawn: u64,
    /// The number of games lost.
    pub lost: u64,
    /// The number of pairs of games by half points, 0 to 4.
    pub pairs: [u64; 5],
    /// The average disc difference.
    pub discs: Option<f64>,
    /// The advantage in Elo with its 95% interval; `None` for infinite values.
    pub elo: [Option<f64>; 3],
    /// Result of the sequential test.
    pub decision: Verdict,
}

/// The result of a sequential test.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// It did not decide.
    Open,
    /// The new weights are not stronger.
    H0,
    /// The new weights are stronger.
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
    /// Strength in Elo above random play.
    pub elo: f64,
    /// The margin in Elo; it includes the margins of all matches since random play.
    pub margin: f64,
}

impl Rating {
    /// The rating of a player that made these pairs against a player of this rating.
    ///
    /// One drawn pair is added: a match won without a loss does not show that the winner is infinitely stronger.
    pub fn after(self, pairs: &Pairs) -> Self {
        let mut pairs = *pairs;
        pairs.add(2);
        let Some(Interval { value, .. }) = pairs.elo() else { return self };
        let Some((score, variance)) = pairs.moments() else { return self };
        let deviation = (variance / pairs.count() as f64).sqrt();
        // By the slope of the Elo curve: a confidence interval of the score often reaches 1, where Elo is infinite.
        let slope = 400.0 / (std::f64::consts::LN_10 * score * (1.0 - score));
        let margin = arena::normal::DEVIATIONS_OF_95_PERCENT * deviation * slope;
        Self { elo: self.elo + value, margin: self.margin.hypot(margin) }
    }
}

/// All completed generations.
#[derive(Debug)]
pub struct Log {
    path: PathBuf,
    /// The lines as stored in the file, which is written as a whole.
    text: String,
    lines: Vec<Generation>,
}

impl Log {
    /// Reads a log; empty if the file does not exist.
    pub fn open(path: &Path) -> Result<Self> {
        let text = match read_text(path, MAX_BYTES) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            text => text.map_err(LearnError::io("read", path))?,
        };
        let mut lines = Vec::new();
        for (index, line) in text.lines().enumerate() {
            let wrong = |problem: String| LearnError::Line { path: path.to_owned(), line: index + 1, problem };
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

    /// The last accepted generation.
    pub fn champion(&self) -> Option<&Generation> {
        self.lines.iter().rev().find(|line| line.accepted)
    }

    pub(crate) fn add(&mut self, line: Generation) -> Result<()> {
        let json = serde_json::to_string(&line).map_err(io::Error::from);
        self.text += &json.map_err(LearnError::io("write", &self.path))?;
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
    fn a_match_won_without_a_loss_has_a_finite_rating() {
        let rating = Rating::default().after(&Pairs { counts: [0, 0, 0, 0, 49] });
        // 99 points of 100: 400 log10(99).
        assert!((rating.elo - 798.2541).abs() < 1e-3, "{rating:?}");
        assert!(rating.margin > 100.0 && rating.margin.is_finite(), "{rating:?}");
        assert_eq!(Rating::default().after(&Pairs::default()).elo, 0.0);
    }
}
