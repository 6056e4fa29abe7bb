//! The game as a host of a protocol counts it: a pass is a separate turn, made by a command of the host.

use othello::{Color, Game, IllegalMoveError, Rules, Square};

/// A game of which another program keeps track too.
///
/// [`Game`] makes a forced pass by itself. Hosts differ: some send a pass as a turn, some request it, and some leave it
/// out. This type records the passes that are made and not yet sent, and supports all three.
#[derive(Clone, Debug)]
pub(crate) struct HostGame<B: Rules> {
    game: Game<B>,
    /// For each turn of the host whether it is a pass.
    sent: Vec<bool>,
}

/// Reason why a turn cannot be made.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum WrongTurn {
    #[error("{0}")]
    Illegal(IllegalMoveError),
    /// It is the turn of the other side.
    #[error("it is {0}'s turn")]
    OtherSide(Color),
    /// The side can move, so that it must not pass.
    #[error("{0} can move and must not pass")]
    UnforcedPass(Color),
}

impl<B: Rules> HostGame<B> {
    /// A game at its current position; `counts_pass` means that the host has counted a pass that was made last.
    pub(crate) fn new(game: Game<B>, counts_pass: bool) -> Self {
        let mut sent: Vec<_> = game.plies().iter().map(|ply| ply.square.is_none()).collect();
        if !counts_pass {
            sent.pop_if(|is_pass| *is_pass);
        }
        Self { game, sent }
    }

    /// The game, with all its passes made.
    pub(crate) fn game(&self) -> &Game<B> {
        &self.game
    }

    /// The side that has to pass before the game goes on, if the host has not sent the pass.
    pub(crate) fn pass_due(&self) -> Option<Color> {
        let last = self.game.plies().last().copied()?;
        (last.square.is_none() && self.sent.last() != Some(&true)).then_some(last.color)
    }

    /// The side whose turn it is for the host.
    pub(crate) fn turn(&self) -> Color {
        self.pass_due().unwrap_or(self.game.position().turn)
    }

    /// Plays a move, of this side if one is named; a pass that is due is made without a word.
    pub(crate) fn play(&mut self, color: Option<Color>, square: Square) -> Result<(), WrongTurn> {
        let turn = self.game.position().turn;
        if color.is_some_and(|color| color != turn) {
            return Err(WrongTurn::OtherSide(self.turn()));
        }
        self.game.play(square).map_err(WrongTurn::Illegal)?;
        self.sent.push(false);
        Ok(())
    }

    /// Passes for this side, or for the one whose turn it is. At the end of the game any side may.
    pub(crate) fn pass(&mut self, color: Option<Color>) -> Result<(), WrongTurn> {
        let due = self.pass_due();
        let turn = self.turn();
        if due.is_none() && !self.game.is_over() {
            return Err(match color {
                Some(color) if color != turn => WrongTurn::OtherSide(turn),
                _ => WrongTurn::UnforcedPass(turn),
            });
        }
        if due.is_some_and(|due| color.is_some_and(|color| color != due)) {
            return Err(WrongTurn::UnforcedPass(!turn));
        }
        self.sent.push(true);
        Ok(())
    }

    /// Takes back the last turn that was sent; false if there is none.
    pub(crate) fn undo(&mut self) -> bool {
        self.sent.pop().is_some_and(|is_pass| is_pass || self.game.undo().is_some())
    }
}

#[cfg(test)]
mod tests {
    use othello::{Board, Position};

    use super::*;

    /// Black plays c1, White has to pass, Black plays f1 and White is gone.
    fn game() -> HostGame<Board> {
        let start: Position = format!("XO-XO{} X", "-".repeat(59)).parse().unwrap();
        HostGame::new(Game::from_position(start), false)
    }

    fn square(name: &str) -> Square {
        name.parse().unwrap()
    }

    #[test]
    fn a_pass_is_due_until_it_is_sent_or_left_out() {
        let mut game = game();
        assert_eq!((game.turn(), game.pass_due()), (Color::Black, None));
        game.play(Some(Color::Black), square("c1")).unwrap();
        assert_eq!((game.turn(), game.pass_due()), (Color::White, Some(Color::White)));
        let mut silent = game.clone();
        silent.play(Some(Color::Black), square("f1")).unwrap();
        assert!(silent.game().is_over());
        game.pass(Some(Color::White)).unwrap();
        assert_eq!((game.turn(), game.pass_due()), (Color::Black, None));
        game.play(None, square("f1")).unwrap();
        assert_eq!(game.game(), silent.game());
        // Some hosts let both sides pass at the end.
        game.pass(None).unwrap();
    }

    #[test]
    fn turns_are_taken_back_as_they_were_sent() {
        let mut game = game();
        game.play(None, square("c1")).unwrap();
        game.pass(None).unwrap();
        assert!(game.undo());
        assert_eq!(game.pass_due(), Some(Color::White));
        game.play(None, square("f1")).unwrap();
        assert!(game.undo());
        assert_eq!(game.pass_due(), Some(Color::White));
        assert!(game.undo() && !game.undo());
        assert_eq!(game.turn(), Color::Black);
    }

    #[test]
    fn passes_are_never_chosen_and_turns_never_taken_from_the_other() {
        let mut game = game();
        assert_eq!(game.pass(None), Err(WrongTurn::UnforcedPass(Color::Black)));
        assert_eq!(game.pass(Some(Color::White)), Err(WrongTurn::OtherSide(Color::Black)));
        assert_eq!(game.play(Some(Color::White), square("c1")), Err(WrongTurn::OtherSide(Color::Black)));
        assert!(matches!(game.play(None, square("h8")), Err(WrongTurn::Illegal(_))));
        game.play(None, square("c1")).unwrap();
        let message = game.pass(Some(Color::Black)).unwrap_err().to_string();
        assert_eq!(message, "Black can move and must not pass");
    }
}
