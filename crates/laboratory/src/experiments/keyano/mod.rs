//! KEYANO (Brockington 1997): its search, alone and with several workers, ProbCut, mobility, parity, weights, opening book
//! and games.

pub(super) mod aphid;
pub(super) mod depth;
pub(super) mod mobility;
pub(super) mod move_order;
pub(super) mod opening_book;
pub(super) mod paper_games;
pub(super) mod parity;
pub(super) mod probcut;
pub(super) mod trees;
pub(super) mod weights;

use arena::Tally;
use keyano::Tables;
use keyano::tables::{Feature, ONE};

use super::ExperimentError;

/// KEYANO itself has failed, not as a player of a match.
fn failed(error: &dyn ToString) -> ExperimentError {
    ExperimentError::Player { player: "keyano".to_owned(), reason: error.to_string() }
}

/// What points of mobility are worth with this number of discs on the board.
fn worth_of_points(points: i32, discs: usize) -> f64 {
    let weight = Tables::shipped().weights[discs][Feature::Mobility as usize];
    f64::from(points) * f64::from(weight) / f64::from(ONE)
}

/// The share of the points and the average discs of both sides, as the paper gives them: `67.2% (34.7 - 29.3)`.
fn score(tally: &Tally) -> String {
    let share = crate::experiments::duel::share(tally);
    match tally.average_discs() {
        // Empty squares count for the winner: both sides have 64 discs together.
        Some((difference, _)) => {
            format!("{share:.1}% ({:.1} - {:.1})", 32.0 + difference / 2.0, 32.0 - difference / 2.0)
        }
        None => format!("{share:.1}%"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_reads_as_in_the_paper() {
        let tally = Tally { with_black: [2, 1, 0], with_white: [0, 0, 1], discs: 20, on_board: 4, ..Tally::default() };
        assert_eq!(score(&tally), "62.5% (34.5 - 29.5)");
        assert_eq!(score(&Tally::default()), "NaN%");
    }
}
