//! Options for openings: their length, their balance, and the search that evaluates them.

use arena::openings::{self, Balance, OpeningRecipe};

use crate::arguments::parse_range;
use crate::prelude::*;

/// The options of openings.
#[derive(Args, Clone, Debug)]
pub(crate) struct OpeningOptions {
    /// Length in plies (of the openings): a number such as 8, or a range such as 6-12 [default: 8, on 4x4 6]
    #[arg(long, value_name = "N", value_parser = parse_plies)]
    pub(crate) plies: Option<RangeInclusive<u32>>,

    /// Largest advantage of either side after an opening, in discs [default: 2; on boards other than 8x8, openings are
    /// random unless this is given]
    #[arg(long, value_name = "DISCS", value_parser = parse_balance)]
    pub(crate) balance: Option<f64>,

    /// Search depth for the evaluation of openings [default: 8]
    #[arg(long, value_name = "N", value_parser = number::<u32>(1..=30))]
    pub(crate) judge_depth: Option<u32>,
}

fn parse_plies(text: &str) -> Result<RangeInclusive<u32>, String> {
    parse_range(text, 1..=50).ok_or_else(|| {
        format!("not a length of openings: {text:?}; expected a number from 1 to 50, or a range such as 6-12")
    })
}

fn parse_balance(text: &str) -> Result<f64, String> {
    let discs = text.parse().ok().filter(|discs| (0.0..=64.0).contains(discs));
    discs.ok_or_else(|| format!("not a number of discs: {text:?}; expected 0 to 64, such as 1.5"))
}

impl OpeningOptions {
    /// The parameters of finding openings of a board.
    pub(crate) fn recipe<B: Rules>(&self, seed: u64) -> OpeningRecipe {
        let is_requested = self.balance.is_some() || self.judge_depth.is_some();
        let balance = (is_requested || B::GEOMETRY == Board::GEOMETRY).then(|| {
            let discs = self.balance.unwrap_or(OpeningRecipe::DEFAULT_DISCS);
            Balance::new(discs, self.judge_depth.unwrap_or(OpeningRecipe::DEFAULT_DEPTH))
        });
        OpeningRecipe::new::<B>(self.plies.clone(), balance, seed)
    }

    /// The openings of a file: the first moves of its games if a number of plies is given, otherwise all moves. What is
    /// not a file is one opening, given by its moves or by its name.
    pub(crate) fn read<B: RecordedBoard>(&self, path: &Path) -> Result<Vec<Game<B>>> {
        let plies = self.plies.as_ref().map(|plies| *plies.end());
        if path == Path::new(STANDARD_STREAM) || path.exists() {
            return Ok(openings::read(path, plies)?);
        }
        let game = named_opening::transcript_or_name::<B>(&path.to_string_lossy(), "file")?.game;
        ensure_usage!(
            game.move_count() != 0,
            "no opening given; expected a file, moves such as f5d6c3 or a name such as tiger"
        );
        Ok(vec![openings::of_game(game, plies, path, 1)?])
    }
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
