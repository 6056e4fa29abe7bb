//! The squares used by the complex features: corners, X-squares and C-squares.

use othello::{Rules, SquareSet, squares};

/// Corners by quadrant, X-squares and C-squares of a board.
#[derive(Clone, Debug)]
pub(super) struct Landmarks<B: Rules> {
    /// The corners of each quadrant: three on the 92-square board, one on 8x8.
    pub(super) quadrants: [B::Set; 4],
    /// All corners.
    pub(super) corners: B::Set,
    /// The squares next to a corner that are not on an edge. Each has one corner.
    pub(super) x_squares: B::Set,
    /// The squares of the rim next to a corner.
    pub(super) c_squares: B::Set,
}

impl<B: Rules> Landmarks<B> {
    pub(super) fn new() -> Self {
        let none = B::Set::EMPTY;
        let mut landmarks = Self { quadrants: [none; 4], corners: none, x_squares: none, c_squares: none };
        let side = B::GEOMETRY.side as i8;
        for square in squares(B::PLAYABLE) {
            let (column, row) = B::GEOMETRY.column_row(square);
            let (column, row) = (column as i8, row as i8);
            if is_corner::<B>(column, row) {
                let quadrant = usize::from(column >= side / 2) + 2 * usize::from(row >= side / 2);
                landmarks.quadrants[quadrant] |= B::Set::only(square);
                landmarks.corners |= B::Set::only(square);
            }
        }
        let next_to_corners = B::neighbors(landmarks.corners) & !landmarks.corners;
        for square in squares(next_to_corners) {
            let (column, row) = B::GEOMETRY.column_row(square);
            let (column, row) = (column as i8, row as i8);
            let is_on_rim = [column, row].iter().any(|&line| line == 0 || line == side - 1);
            let is_on_edge = [(1, 0), (-1, 0), (0, 1), (0, -1)].iter().any(|&(x, y)| !has::<B>(column + x, row + y));
            if is_on_rim {
                landmarks.c_squares |= B::Set::only(square);
            } else if !is_on_edge {
                landmarks.x_squares |= B::Set::only(square);
            }
        }
        landmarks
    }
}

/// Whether no line runs through the square, so that its disc can never be flipped.
fn is_corner<B: Rules>(column: i8, row: i8) -> bool {
    let directions = [(1, 0), (0, 1), (1, 1), (1, -1)];
    !directions.iter().any(|&(x, y)| has::<B>(column + x, row + y) && has::<B>(column - x, row - y))
}

fn has<B: Rules>(column: i8, row: i8) -> bool {
    let place = u8::try_from(column).ok().zip(u8::try_from(row).ok());
    place.and_then(|(column, row)| B::GEOMETRY.square_at(column, row)).is_some()
}

#[cfg(test)]
mod tests {
    use othello::{Board, CutBoard};

    use super::*;

    /// The squares of the upper left quadrant that are in the set.
    fn quarter<B: Rules>(set: B::Set) -> Vec<String> {
        let half = B::GEOMETRY.side / 2;
        let is_in_quarter = |(column, row): (u8, u8)| column < half && row < half;
        let squares = squares(set).filter(|&square| is_in_quarter(B::GEOMETRY.column_row(square)));
        squares.map(|square| B::GEOMETRY.square_name(square)).collect()
    }

    #[test]
    fn a_quadrant_of_the_92_squares_has_three_corners_with_five_x_squares_and_four_c_squares() {
        let landmarks = Landmarks::<CutBoard>::new();
        assert_eq!(quarter::<CutBoard>(landmarks.quadrants[0]), ["a1", "d1", "a4"]);
        assert_eq!(quarter::<CutBoard>(landmarks.x_squares), ["b2", "c2", "d2", "b3", "b4"]);
        assert_eq!(quarter::<CutBoard>(landmarks.c_squares), ["b1", "c1", "a2", "a3"]);
        assert_eq!(landmarks.x_squares.count(), 20);
        assert_eq!(landmarks.c_squares.count(), 16);
        assert!(landmarks.quadrants.iter().all(|quadrant| quadrant.count() == 3));
        for x_square in squares(landmarks.x_squares) {
            assert_eq!((CutBoard::neighbors(1 << x_square.index()) & landmarks.corners).count(), 1);
        }
    }

    #[test]
    fn a_quadrant_of_8x8_has_one_corner_with_one_x_square_and_two_c_squares() {
        let landmarks = Landmarks::<Board>::new();
        assert_eq!(landmarks.quadrants.map(names), ["a1", "h1", "a8", "h8"]);
        assert_eq!(names(landmarks.x_squares), "b2 g2 b7 g7");
        assert_eq!(names(landmarks.c_squares), "b1 g1 a2 h2 a7 h7 b8 g8");
    }

    fn names(set: u64) -> String {
        squares(set).map(|square| square.to_string()).collect::<Vec<_>>().join(" ")
    }
}
