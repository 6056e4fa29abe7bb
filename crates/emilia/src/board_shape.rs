//! The boards that a command can be asked to use.

use clap::ValueEnum;

/// A board by its name on the command line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum BoardShape {
    /// The usual board, 8x8.
    #[default]
    #[value(name = "8", alias = "8x8")]
    Eight,
    /// The 6x6 board.
    #[value(name = "6", alias = "6x6")]
    Six,
    /// The 4x4 board.
    #[value(name = "4", alias = "4x4")]
    Four,
    /// DESDEMONA's board: 10x10 without the two middle squares of each side.
    #[value(name = "cs221")]
    Cut,
}

impl From<session::BoardShape> for BoardShape {
    fn from(shape: session::BoardShape) -> Self {
        match shape {
            session::BoardShape::Eight => Self::Eight,
            session::BoardShape::Six => Self::Six,
            session::BoardShape::Four => Self::Four,
            session::BoardShape::Cut => Self::Cut,
        }
    }
}

impl BoardShape {
    /// The same board, if it can be searched.
    pub fn searched(self) -> Option<SearchedBoard> {
        match self {
            Self::Eight => Some(SearchedBoard::Eight),
            Self::Six => Some(SearchedBoard::Six),
            Self::Four => Some(SearchedBoard::Four),
            Self::Cut => None,
        }
    }
}

/// Evaluates an expression with a type name standing for the board of this shape.
macro_rules! with_board {
    ($shape:expr, $board:ident => $body:expr) => {
        match $shape {
            $crate::board_shape::BoardShape::Eight => {
                type $board = othello::Board;
                $body
            }
            $crate::board_shape::BoardShape::Six => {
                type $board = othello::SmallBoard<6>;
                $body
            }
            $crate::board_shape::BoardShape::Four => {
                type $board = othello::SmallBoard<4>;
                $body
            }
            $crate::board_shape::BoardShape::Cut => {
                type $board = othello::CutBoard;
                $body
            }
        }
    };
}
pub(crate) use with_board;

/// A board that can be searched, by its name on the command line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum SearchedBoard {
    /// The usual board, 8x8.
    #[default]
    #[value(name = "8", alias = "8x8")]
    Eight,
    /// The 6x6 board.
    #[value(name = "6", alias = "6x6")]
    Six,
    /// The 4x4 board.
    #[value(name = "4", alias = "4x4")]
    Four,
}

/// Evaluates an expression with a type name standing for the board of this shape.
macro_rules! with_searched_board {
    ($shape:expr, $board:ident => $body:expr) => {
        match $shape {
            $crate::board_shape::SearchedBoard::Eight => {
                type $board = othello::Board;
                $body
            }
            $crate::board_shape::SearchedBoard::Six => {
                type $board = othello::SmallBoard<6>;
                $body
            }
            $crate::board_shape::SearchedBoard::Four => {
                type $board = othello::SmallBoard<4>;
                $body
            }
        }
    };
}
pub(crate) use with_searched_board;
