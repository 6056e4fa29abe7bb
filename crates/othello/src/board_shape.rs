//! The boards as values, and code that runs on the board of a value.

use crate::Rules;

/// The board of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum BoardShape {
    /// The standard 8x8 board.
    #[default]
    #[cfg_attr(feature = "serde", serde(rename = "8x8"))]
    Eight,
    /// The 6x6 board.
    #[cfg_attr(feature = "serde", serde(rename = "6x6"))]
    Six,
    /// The 4x4 board.
    #[cfg_attr(feature = "serde", serde(rename = "4x4"))]
    Four,
    /// The 10x10 board without the two middle squares of each side.
    #[cfg_attr(feature = "serde", serde(rename = "cs221"))]
    Cut,
}

impl BoardShape {
    /// All boards.
    pub const ALL: [Self; 4] = [Self::Eight, Self::Six, Self::Four, Self::Cut];

    /// Name of the board, as in [`Geometry::name`](crate::Geometry::name).
    pub fn name(self) -> &'static str {
        crate::with_board!(self, B => B::GEOMETRY.name)
    }

    /// The shape of a board.
    pub fn of<B: Rules>() -> Self {
        Self::of_name(B::GEOMETRY.name).unwrap_or_default()
    }

    /// The board with this [name](Self::name).
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|shape| shape.name() == name)
    }
}

/// Evaluates an expression with a type name that stands for the board of a [shape](crate::BoardShape).
///
/// A second expression replaces the first on the cut board, on which not everything is implemented.
///
/// ```
/// use othello::{BoardShape, Rules, with_board};
///
/// let squares = with_board!(BoardShape::Six, B => B::GEOMETRY.area());
/// assert_eq!(squares, 36);
/// ```
#[macro_export]
macro_rules! with_board {
    ($shape:expr, $board:ident => $body:expr) => {
        $crate::with_board!($shape, $board => $body, cut => {
            type $board = $crate::CutBoard;
            $body
        })
    };
    ($shape:expr, $board:ident => $body:expr, cut => $otherwise:expr) => {
        match $shape {
            $crate::BoardShape::Eight => {
                type $board = $crate::Board;
                $body
            }
            $crate::BoardShape::Six => {
                type $board = $crate::SmallBoard<6>;
                $body
            }
            $crate::BoardShape::Four => {
                type $board = $crate::SmallBoard<4>;
                $body
            }
            $crate::BoardShape::Cut => $otherwise,
        }
    };
}

/// Calls a function that is generic over the board once for each board.
///
/// ```
/// use othello::{Rules, on_every_board};
///
/// fn four_moves<B: Rules>() {
///     assert_eq!(othello::squares(B::start().moves()).count(), 4);
/// }
/// on_every_board!(four_moves);
/// ```
#[macro_export]
macro_rules! on_every_board {
    ($function:ident) => {
        for shape in $crate::BoardShape::ALL {
            $crate::with_board!(shape, B => $function::<B>());
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_board_has_its_own_shape() {
        for shape in BoardShape::ALL {
            assert_eq!(crate::with_board!(shape, B => BoardShape::of::<B>()), shape);
        }
    }
}
