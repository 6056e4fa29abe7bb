//! Replays the moves and passes of a record.

use crate::RecordProblem;
use othello::{Color, Game, IllegalMoveError, Position, Rules, Square};

/// A game under construction from the moves and passes of a record.
///
/// Records may write or omit passes; [`Game`] makes them in either case. This type keeps track of them, so that a
/// written pass is matched with the one already made and an unforced pass is refused.
#[derive(Clone, Debug)]
pub(super) struct Replay<B: Rules> {
    game: Game<B>,
    pub(super) mark: Mark,
}

/// A point of a replay that can be returned to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    pub(super) moves: usize,
    /// Moves and passes so far.
    pub(super) plies: usize,
    /// The side that passed after the last move, if the record has not stated this pass yet.
    unread_pass: Option<Color>,
}

impl<B: Rules> Replay<B> {
    pub(super) fn new(start: Position<B>) -> Self {
        let game = Game::from_position(start);
        let passed = game.position().turn != start.turn;
        let mark = Mark { moves: 0, plies: usize::from(passed), unread_pass: passed.then_some(start.turn) };
        Self { game, mark }
    }

    /// Plays a move, of this color if the record states one; returns the index of its ply.
    pub(super) fn play(&mut self, color: Option<Color>, square: Square) -> Result<usize, RecordProblem> {
        let turn = self.game.position().turn;
        let number = self.mark.moves + 1;
        if let Some(color) = color.filter(|&color| color != turn && !self.game.is_over()) {
            return Err(RecordProblem::WrongTurn(number, color));
        }
        self.game.play(square).map_err(|error| RecordProblem::IllegalMove(number, error))?;
        let ply = self.mark.plies;
        let passed = self.game.position().turn == turn;
        self.mark = Mark { moves: number, plies: ply + 1 + usize::from(passed), unread_pass: passed.then_some(!turn) };
        Ok(ply)
    }

    /// Plays the move of this name, or a pass if the name is that of one, of this color if the record states one; returns
    /// the index of its ply.
    pub(super) fn play_name(
        &mut self,
        color: Option<Color>,
        name: &str,
        other_pass: &str,
    ) -> Result<Option<usize>, RecordProblem> {
        if name == other_pass || is_pass(name) {
            return self.pass(color);
        }
        let number = self.mark.moves + 1;
        let square = B::GEOMETRY.parse_square(name).map_err(|error| RecordProblem::UnknownSquare(number, error))?;
        self.play(color, square).map(Some)
    }

    /// Reads a pass, of this color if the record states one; returns the index of its ply.
    ///
    /// A pass after the end of the game changes nothing and has no ply.
    pub(super) fn pass(&mut self, color: Option<Color>) -> Result<Option<usize>, RecordProblem> {
        if let Some(passed) = self.mark.unread_pass.filter(|&passed| color.is_none_or(|color| color == passed)) {
            debug_assert_ne!(passed, self.game.position().turn);
            self.mark.unread_pass = None;
            return Ok(Some(self.mark.plies - 1));
        }
        if self.game.is_over() {
            return Ok(None);
        }
        let turn = self.game.position().turn;
        Err(RecordProblem::UnforcedPass { number: self.mark.moves + 1, found: color.unwrap_or(turn), expected: turn })
    }

    /// Checks that a move is legal, without playing it.
    pub(super) fn check(&self, square: Square) -> Result<(), RecordProblem> {
        check_move(&self.game.position(), self.mark.moves + 1, square)
    }

    pub(super) fn is_taken(&self, square: Square) -> bool {
        self.game.position().disc_at(square).is_some()
    }

    pub(super) fn go_back(&mut self, mark: Mark) {
        for _ in mark.moves..self.mark.moves {
            self.game.undo();
        }
        self.mark = mark;
    }

    /// The game, at the end of its first line.
    pub(super) fn finish(mut self) -> Game<B> {
        self.game.follow_first_branches();
        self.game
    }
}

/// Checks that move number `number` is legal.
pub(super) fn check_move<B: Rules>(position: &Position<B>, number: usize, square: Square) -> Result<(), RecordProblem> {
    match position.play(square) {
        Some(_) => Ok(()),
        None => Err(RecordProblem::IllegalMove(number, IllegalMoveError::new(position, square))),
    }
}

/// Ways to write a pass, in any case.
pub(super) const PASSES: [&str; 4] = ["--", "pass", "pa", "ps"];

pub(super) fn is_pass(text: &str) -> bool {
    PASSES.iter().any(|word| text.eq_ignore_ascii_case(word))
}
