//! The positions that the solver is given.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use evaluation::EvaluatedBoard;
use learning::self_play::{Recipe, SelfPlay};
use othello::{Board, Rules};

use crate::{ExperimentError, Result, Setup};

/// The number of random moves at the start of a game, and the search depth after them.
const RANDOM_MOVES: u32 = 10;
const DEPTH: u32 = 2;

/// Origin of the positions, for the notes of a report.
pub(super) fn origin() -> String {
    format!(
        "Positions with at least two legal moves, each from a different game of Emilia against itself: {RANDOM_MOVES} \
         random moves, then {DEPTH} plies per move."
    )
}

/// Positions with several legal moves, as many as `wanted` for each number of empty squares.
///
/// Each is from a different game: positions of the same game take similar effort, so the 95% intervals would be too
/// narrow.
pub(super) fn positions(setup: &Setup<'_>, wanted: &BTreeMap<u32, usize>) -> Result<BTreeMap<u32, Vec<Board>>> {
    let recipe = Recipe {
        seed: setup.seed,
        opening: (RANDOM_MOVES, RANDOM_MOVES),
        random_moves: 0.0,
        depth: DEPTH,
        exact_from: 6,
        threads: setup.threads,
    };
    let mut missing = wanted.clone();
    let mut positions: BTreeMap<u32, Vec<Board>> = wanted.keys().map(|&count| (count, Vec::new())).collect();
    // Some games end early or have only forced moves where a position is missing.
    let games = 4 * wanted.values().sum::<usize>() as u64 + 8;
    SelfPlay::new(recipe, Board::shipped()).play(0..games, setup.stop, |_, game| {
        for position in game.positions() {
            let (board, empty_count) = (position.board, position.board.empty_count());
            if let Some(missing) = missing.get_mut(&empty_count)
                && *missing > 0
                && board.moves().count_ones() > 1
            {
                *missing -= 1;
                positions.entry(empty_count).or_default().push(board);
                break;
            }
        }
        if missing.values().all(|&missing| missing == 0) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    if setup.stop.is_set() { Err(ExperimentError::Stopped) } else { Ok(positions) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rehearsal;

    #[test]
    fn every_number_of_empty_squares_has_its_positions() {
        let wanted = BTreeMap::from([(12, 3), (13, 1), (20, 2)]);
        let found = rehearsal::run(&rehearsal::core(), |setup| positions(setup, &wanted), false).unwrap();
        let counts: BTreeMap<u32, usize> = found.iter().map(|(&count, boards)| (count, boards.len())).collect();
        assert_eq!(counts, wanted);
        for (empty_count, boards) in found {
            assert!(boards.iter().all(|board| board.empty_count() == empty_count && board.moves().count_ones() > 1));
        }
        assert_eq!(
            rehearsal::run(&rehearsal::core(), |setup| positions(setup, &wanted), true),
            Err(ExperimentError::Stopped)
        );
    }
}
