//! KEYANO (Brockington 1997): its search, alone and with several workers, ProbCut, mobility, parity, weights, opening book
//! and games.

mod aphid;
mod depth;
mod mobility;
mod move_order;
mod opening_book;
mod paper_games;
mod parity;
mod probcut;
mod trees;
mod weights;

use crate::player::Tables;
use crate::player::tables::{Feature, ONE};
use arena::Tally;

use laboratory::{Experiment, ExperimentError};

/// KEYANO itself has failed, not as a player of a match.
fn failed(error: &dyn ToString) -> ExperimentError {
    ExperimentError::Player { player: "keyano".to_owned(), reason: error.to_string() }
}

/// Value of points of mobility with this number of discs on the board.
fn worth_of_points(points: i32, discs: usize) -> f64 {
    let weight = Tables::shipped().weights[discs][Feature::Mobility as usize];
    f64::from(points) * f64::from(weight) / f64::from(ONE)
}

/// The share of the points and the average discs of both sides, as the paper gives them: `67.2% (34.7 - 29.3)`.
fn score(tally: &Tally) -> String {
    let share = laboratory::duel::share(tally);
    match tally.average_discs() {
        // Empty squares count for the winner: both sides have 64 discs together.
        Some((difference, _)) => {
            format!("{share:.1}% ({:.1} - {:.1})", 32.0 + difference / 2.0, 32.0 - difference / 2.0)
        }
        None => format!("{share:.1}%"),
    }
}

/// The experiments, in the order of the list.
pub fn all() -> Vec<Experiment> {
    vec![
        Experiment::new(
            trees::NAME,
            "Brockington 1997, Table 1 and section 2",
            "how many nodes a search takes with transposition tables of different sizes and levels, and with plain alpha-beta",
            trees::run,
        ),
        Experiment::new(
            move_order::NAME,
            "Brockington 1997, section 2.1",
            "how many moves are searched before a cutoff, and how often the best move comes first",
            move_order::run,
        ),
        Experiment::new(
            probcut::NAME,
            "Brockington 1997, Table 2 and section 2.2",
            "KEYANO with multi-ProbCut against single-level ProbCut and none, by the width of its windows, and how often it cuts",
            probcut::run,
        ),
        Experiment::new(
            depth::NAME,
            "Brockington 1997, Table 3",
            "KEYANO against a KEYANO that searches one or two plies less",
            depth::run,
        ),
        Experiment::new(
            mobility::NAME,
            "Brockington 1997, Figure 1 and Table 4",
            "the value of the number of directions in which discs can be flipped, and how well measures of mobility correlate \
             with the final score",
            mobility::run,
        ),
        Experiment::new(
            parity::NAME,
            "Brockington 1997, section 3.1",
            "the best penalty for a lost region, KEYANO with parity against KEYANO without it, and the time that parity takes",
            parity::run,
        ),
        Experiment::new(
            weights::NAME,
            "Brockington 1997, Figure 3",
            "the weights of mobility, lines, corners and edges in each stage of the game",
            weights::run,
        ),
        Experiment::new(
            aphid::NAME,
            "Brockington 1997, section 2.3",
            "how much faster several workers search with APHID and with Young Brothers Wait",
            aphid::run,
        ),
        Experiment::new(
            opening_book::NAME,
            "Brockington 1997, section 4",
            "how many searches the method of KEYANO's opening book saves, and KEYANO with its book against KEYANO without it",
            opening_book::run,
        ),
        Experiment::new(
            paper_games::NAME,
            "Brockington 1997, Figures 4 and 5",
            "exact scores of the two games in the paper of KEYANO",
            paper_games::run,
        ),
    ]
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
