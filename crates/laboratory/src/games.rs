//! Games for measurements: Emilia against itself from even openings, not used for training.

use evaluation::EvaluatedBoard;
use learning::played_game::{GamePosition, PlayedGame};
use learning::self_play::{Recipe, SelfPlay};
use othello::json::MoveSequence;
use othello::{Board, Rules};

use super::duel::openings;
use super::{ExperimentError, Result, Setup};

/// The number of random moves after an even opening of eight moves, so that games differ.
const RANDOM_MOVES: (u32, u32) = (1, 6);
/// Emilia's search depth in them.
const DEPTH: u32 = 4;
/// The number of empty squares from which on play is exact.
pub const EXACT_FROM: u32 = 14;

/// The range of the midgame, in moves played. Ten plies after its end there is still something to evaluate.
pub const MIDGAME: (u32, u32) = (16, 38);

/// Number of games that are kept together.
const PART: usize = 250;

/// A game as it is kept: its moves, and the number of those in its opening.
type KeptGame = (MoveSequence, usize);

/// Origin of these games, for a note.
pub fn origin() -> String {
    format!(
        "Games of Emilia against itself at {DEPTH} plies from even openings, exact from {EXACT_FROM} empty squares; they were \
         not used for training.",
    )
}

impl Setup<'_> {
    /// This many games, from the seed.
    pub fn games(&mut self, count: usize) -> Result<Vec<PlayedGame>> {
        let recipe = Recipe {
            seed: self.seed,
            opening: RANDOM_MOVES,
            random_moves: 0.0,
            depth: DEPTH,
            exact_from: EXACT_FROM,
            threads: self.threads,
        };
        let mut play = SelfPlay::new(recipe, Board::shipped());
        play.openings = openings()?.iter().map(|game| game.line()).collect();
        let mut games = Vec::with_capacity(count);
        // Each game depends only on its number.
        for first in (0..count as u64).step_by(PART) {
            let numbers = first..(first + PART as u64).min(count as u64);
            let part: Vec<KeptGame> = self.part("games", |setup| {
                let games = play.games(numbers, setup.stop).into_iter();
                let part = games.map(|game| (MoveSequence::from(game.moves().to_vec()), game.opening())).collect();
                if setup.stop.is_set() { Err(ExperimentError::Stopped) } else { Ok(part) }
            })?;
            for (moves, opening) in part {
                // After the opening no move is random.
                let game = PlayedGame::new(&moves.squares, opening, 0);
                games.push(game.map_err(|error| ExperimentError::Facts(error.to_string()))?);
            }
            (self.progress)(&format!("{} of {count} games played", games.len()));
        }
        Ok(games)
    }

    /// This many positions with several legal moves, each from a different game, spread evenly over the midgame.
    pub fn midgames(&mut self, count: usize) -> Result<Vec<Board>> {
        let (first, last) = MIDGAME;
        let games = self.games(count)?;
        let position = |(number, game): (usize, &PlayedGame)| {
            let wanted = first + (number as u32 * (last - first)) / (count.max(2) as u32 - 1);
            let mut positions = game.positions().filter(|found| found.board.moves().count_ones() > 1);
            positions.find(|found| found.ply >= wanted).map(|found| found.board)
        };
        // A game that ends before has no such position.
        Ok(games.iter().enumerate().filter_map(position).collect())
    }
}

/// The positions after the last random move, for which the result is meaningful.
pub fn sound_positions(games: &[PlayedGame]) -> impl Iterator<Item = GamePosition> + '_ {
    games.iter().flat_map(PlayedGame::positions).filter(|found| found.is_sound)
}

#[cfg(test)]
mod tests {
    use engine::Stop;

    use super::*;
    use crate::rehearsal;

    #[test]
    fn games_are_the_same_again_and_positions_are_midgames_with_a_choice() {
        let stop = Stop::new();
        let mut setup = Setup { seed: 3, ..rehearsal::setup(&rehearsal::core(), &stop) };
        let games = setup.games(6).unwrap();
        assert_eq!(games, setup.games(6).unwrap());
        assert!(games.iter().all(|game| (9..=14).contains(&game.opening())));
        assert!(sound_positions(&games).all(|found| found.ply >= 9));
        let boards = setup.midgames(6).unwrap();
        assert!(boards.len() >= 5);
        assert!(boards.iter().all(|board| board.empty_count() >= 20 && board.moves().count_ones() > 1));
        stop.set();
        assert_eq!(setup.games(6), Err(ExperimentError::Stopped));
    }
}
