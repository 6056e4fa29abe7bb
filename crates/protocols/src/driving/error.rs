//! Failures of a program, and checks of the moves that it returns.

use engine::PlayerError;
use othello::{Game, Rules, Square, squares};

use super::child::shortened;

/// Reason why a program has not returned a move.
#[derive(Debug)]
pub(super) enum DrivingError {
    Failed(String),
    /// It cannot be started; the sentence states why.
    NotStarted(String),
    /// It was stopped before it had a move, which is not a failure.
    Stopped,
    /// The protocol cannot express the question.
    Unsupported(String),
    GameOver,
}

impl DrivingError {
    /// Whether the program is to be ended.
    pub(super) fn is_failure(&self) -> bool {
        matches!(self, DrivingError::Failed(_))
    }

    /// The same as the error of a player.
    pub(super) fn of(self, name: &str) -> PlayerError {
        let player = name.to_owned();
        match self {
            DrivingError::Failed(reason) => PlayerError::Failed { player, reason },
            DrivingError::NotStarted(reason) => PlayerError::NotMade { reason },
            DrivingError::Stopped => PlayerError::Stopped { player },
            DrivingError::Unsupported(reason) => PlayerError::Unsupported { player, reason },
            DrivingError::GameOver => PlayerError::GameOver,
        }
    }
}

/// The last line of a program that was not an answer, as the end of a message.
pub(super) fn besides(last_line: &str) -> String {
    if last_line.is_empty() { String::new() } else { format!("; its last line was {}", shortened(last_line)) }
}

/// The move that a program has named in an answer, if it can be played.
pub(super) fn legal_move<B: Rules>(name: &str, answer: &str, game: &Game<B>) -> Result<Square, DrivingError> {
    let position = game.position();
    if ["pa", "ps", "pass", "--"].iter().any(|word| name.eq_ignore_ascii_case(word)) {
        let moves: Vec<_> = squares(position.board.moves()).map(|square| B::GEOMETRY.square_name(square)).collect();
        let sentence = format!("it passed, although {} can play {}", position.turn, moves.join(" "));
        return Err(DrivingError::Failed(sentence));
    }
    let square = B::GEOMETRY
        .parse_square(name)
        .map_err(|_| DrivingError::Failed(format!("it answered {}; expected a move such as f5", shortened(answer))))?;
    match game.clone().play(square) {
        Ok(()) => Ok(square),
        Err(error) => Err(DrivingError::Failed(format!("it played an illegal move: {error}"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_legal_moves_are_taken() {
        let game = Game::new();
        assert_eq!(legal_move("F5", "=== F5", &game).unwrap(), "f5".parse().unwrap());
        for (name, sentence) in [
            ("PA", "x failed: it passed, although Black can play d3 c4 f5 e6"),
            ("a1", "x failed: it played an illegal move: a1 flips nothing; legal moves: d3 c4 f5 e6"),
            ("", "x failed: it answered \"=== ?\"; expected a move such as f5"),
        ] {
            assert_eq!(legal_move(name, "=== ?", &game).unwrap_err().of("x").to_string(), sentence);
        }
    }
}
