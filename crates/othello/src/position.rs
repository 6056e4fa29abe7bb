//! A board with the color to move.

use crate::{Board, Color, Rules, Score, Square, SquareSet};

/// A board together with the color of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Position<B = Board> {
    /// The discs, seen from the side to move.
    pub board: B,
    /// The color of the side to move.
    pub turn: Color,
}

impl<B: Rules> Position<B> {
    /// The start of a game: Black to move.
    pub fn start() -> Self {
        Self { board: B::start(), turn: Color::Black }
    }

    /// The discs of one color.
    pub fn discs(&self, color: Color) -> B::Set {
        if color == self.turn { self.board.player() } else { self.board.opponent() }
    }

    /// The color of the disc on a square, if there is one.
    pub fn disc_at(&self, square: Square) -> Option<Color> {
        [Color::Black, Color::White].into_iter().find(|&color| self.discs(color).has(square))
    }

    /// The position after a move, or `None` if the move is illegal.
    ///
    /// The other side is to move then, even if it has to pass.
    pub fn play(&self, square: Square) -> Option<Self> {
        Some(Self { board: self.board.play(square)?, turn: !self.turn })
    }

    /// The same discs with the other side to move.
    pub fn pass(&self) -> Self {
        Self { board: self.board.pass(), turn: !self.turn }
    }

    /// The final disc difference from Black's point of view, as if the game ended here.
    pub fn black_score(&self) -> Score {
        let score = self.board.final_score();
        if self.turn == Color::Black { score } else { -score }
    }
}

impl<B: Rules> Default for Position<B> {
    fn default() -> Self {
        Self::start()
    }
}
