//! What can be said about openings: how long, how even, by what search, by what chance.

use std::ops::RangeInclusive;
use std::path::Path;

use anyhow::{Result, bail, ensure};
use arena::openings::{self, Opening, OpeningError, OpeningRecipe};
use clap::Args;
use engine::{Emilia, Options, Stop};
use othello::Game;
use othello::records::transcript;

use crate::game_file::records_of;
use crate::interrupt::Interrupted;
use crate::live_line::LiveLine;

/// How many moves an opening has unless something else is asked for: two random moves a side are gone before
/// books and habits matter, and there are more than 20,000 positions to choose from.
const USUAL_PLIES: u32 = 8;

/// How far from even an opening may be, in discs, unless something else is asked for.
const USUAL_BALANCE: f64 = 2.0;

/// How far the judge looks ahead unless something else is asked for.
const USUAL_JUDGE_DEPTH: u32 = 8;

/// The table of the judge, in MB: openings are judged by shallow searches.
const JUDGE_TABLE: usize = 8;

/// The options of openings.
#[derive(Args, Clone, Debug)]
pub struct OpeningOptions {
    /// How many moves an opening has: 8, or 6-12 for any number of these [default: 8]
    #[arg(long, value_name = "N", value_parser = parse_plies)]
    pub plies: Option<RangeInclusive<u32>>,

    /// How far from even an opening may be, in discs
    #[arg(long, value_name = "DISCS", default_value_t = USUAL_BALANCE, value_parser = parse_balance)]
    pub balance: f64,

    /// How many moves our own search looks ahead to judge that
    #[arg(long, value_name = "N", default_value_t = USUAL_JUDGE_DEPTH, value_parser = clap::value_parser!(u32).range(1..=30))]
    pub judge_depth: u32,
}

fn parse_plies(text: &str) -> Result<RangeInclusive<u32>, String> {
    let (low, high) = text.split_once('-').unwrap_or((text, text));
    let bound = |text: &str| text.trim().parse::<u32>().ok().filter(|plies| (1..=50).contains(plies));
    match (bound(low), bound(high)) {
        (Some(low), Some(high)) if low <= high => Ok(low..=high),
        _ => Err(format!("{text:?} is no length of openings; expected a number from 1 to 50, or two such as 6-12")),
    }
}

fn parse_balance(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(discs) if (0.0..=64.0).contains(&discs) => Ok(discs),
        _ => Err(format!("{text:?} is no balance; expected discs from 0 to 64, such as 1.5")),
    }
}

impl Default for OpeningOptions {
    fn default() -> Self {
        Self { plies: None, balance: USUAL_BALANCE, judge_depth: USUAL_JUDGE_DEPTH }
    }
}

impl OpeningOptions {
    fn recipe(&self, seed: u64) -> OpeningRecipe {
        OpeningRecipe {
            plies: self.plies.clone().unwrap_or(USUAL_PLIES..=USUAL_PLIES),
            within: (self.balance * 100.0).round() as i32,
            depth: self.judge_depth,
            seed,
        }
    }

    /// Finds so many openings; `take` gets each as it is found.
    pub fn find(&self, count: usize, seed: u64, stop: &Stop, mut take: impl FnMut(&Opening)) -> Result<Vec<Opening>> {
        let mut judge: Emilia = Emilia::new(&Options { table_megabytes: JUDGE_TABLE, ..Options::default() })?;
        let mut live = LiveLine::new();
        let mut found = 0;
        let openings = openings::find(&self.recipe(seed), count, &mut judge, stop, |opening| {
            found += 1;
            live.show(&format!("opening {found} of {count}"));
            take(opening);
        });
        match openings {
            Err(OpeningError::Interrupted { .. }) => Err(Interrupted.into()),
            openings => Ok(openings?),
        }
    }

    /// How openings are found, in one line: two matches with the same line have the same openings.
    pub fn description(&self, seed: u64) -> String {
        let OpeningRecipe { plies, depth, .. } = self.recipe(seed);
        let (low, high) = plies.into_inner();
        let plies = if low == high { low.to_string() } else { format!("{low}-{high}") };
        format!("{plies} moves within {} discs at depth {depth}", self.balance)
    }

    /// The openings of a file: the first moves of its games if a number of plies is asked for, else all of them.
    pub fn read(&self, path: &Path) -> Result<Vec<Game>> {
        let mut openings = Vec::new();
        for record in records_of(path, None)? {
            let whole = record?.game;
            let number = openings.len() + 1;
            let game = match &self.plies {
                Some(plies) => beginning(&whole, *plies.end() as usize),
                None => whole,
            };
            if game.is_over() {
                let found = format!("game {number} of {} is over, so that nothing is left to play", path.display());
                bail!("{found}; expected an opening, or --plies N to take the beginning of games");
            }
            openings.push(game);
        }
        ensure!(!openings.is_empty(), "{} holds no opening", path.display());
        Ok(openings)
    }
}

/// The game up to its first `plies` moves.
fn beginning(game: &Game, plies: usize) -> Game {
    let moves = game.line().into_iter().take(plies);
    // The moves of a game can be played again.
    Game::from_moves(game.start(), moves).unwrap_or_else(|_| game.clone())
}

/// Openings of a file in one line: two files with the same line have the same openings.
pub fn description_of(openings: &[Game]) -> String {
    let texts = openings.iter().map(|opening| format!("{} {}\n", opening.start(), transcript::format(opening)));
    // FNV-1a: the same on every machine and in every version.
    let checksum = texts.fold(0xcbf2_9ce4_8422_2325, |sum: u64, text| {
        text.bytes().fold(sum, |sum, byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
    });
    format!("{} from a file, with the checksum {checksum:016x}", openings.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_a_number_or_two() {
        assert_eq!(parse_plies("8"), Ok(8..=8));
        assert_eq!(parse_plies("6-12"), Ok(6..=12));
        for text in ["", "0", "51", "9-6", "a", "6-", "-6", "6-7-8"] {
            assert!(parse_plies(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn a_balance_is_a_number_of_discs() {
        assert_eq!(parse_balance("1.5"), Ok(1.5));
        for text in ["-1", "65", "NaN", "even"] {
            assert!(parse_balance(text).is_err(), "{text:?}");
        }
    }
}
