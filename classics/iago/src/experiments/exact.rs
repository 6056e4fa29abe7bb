//! Exact scores of late positions, for what the paper says about the ends of games.

use engine::{Emilia, Estimate, Limits, Options, Player, Silent};
use othello::{Game, Rules, Score, Square, squares};

use laboratory::{ExperimentError, Setup};

/// Solves positions.
pub(super) struct Solver {
    emilia: Emilia,
}

impl Solver {
    /// A solver of one thread.
    pub(super) fn new() -> Result<Self, ExperimentError> {
        let options = Options { table_megabytes: 16, threads: 1, default_level: None, seed: 1 };
        Ok(Self { emilia: Emilia::new(&options).map_err(|error| failed(error.to_string()))? })
    }

    /// The score of the position that a game has come to, for the side to move.
    pub(super) fn score(&mut self, game: &Game, setup: &Setup<'_>) -> Result<Score, ExperimentError> {
        if game.is_over() {
            return Ok(game.position().board.final_score());
        }
        let choice = self.emilia.choose(game, &Limits::of_depth(60), &mut Silent, setup.stop);
        if setup.stop.is_set() {
            return Err(ExperimentError::Stopped);
        }
        match choice.map(|choice| choice.value) {
            Ok(Some(Estimate::Solved(score))) => Ok(score),
            Ok(_) => Err(failed("no exact score found".to_owned())),
            Err(error) => Err(failed(error.to_string())),
        }
    }

    /// The score of every legal move.
    pub(super) fn scores(&mut self, game: &Game, setup: &Setup<'_>) -> Result<Vec<(Square, Score)>, ExperimentError> {
        let position = game.position();
        let mut scores = Vec::new();
        for square in squares(position.board.moves()) {
            let mut after = game.clone();
            after.play(square).map_err(|error| ExperimentError::Facts(error.to_string()))?;
            let score = self.score(&after, setup)?;
            // After a pass it is the same side's turn again.
            scores.push((square, if after.position().turn == position.turn { score } else { -score }));
        }
        Ok(scores)
    }
}

fn failed(reason: String) -> ExperimentError {
    ExperimentError::Player { player: "the solver".to_owned(), reason }
}
