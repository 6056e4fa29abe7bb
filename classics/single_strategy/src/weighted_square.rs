//! The second idea: every square has a value, which a disc on it is worth.
//!
//! The paper gives no table; by its text, weights diminish from the corners to the edges to the inner squares (section
//! 3.2.1) and an X-square costs the corner next to it (section 3.1.2). These weights follow that description. They
//! are given by the kind of square, so that they fit every board: on the 92-square board each quadrant has three
//! corners.

use othello::{Rules, Square, SquareSet, squares};

use crate::Idea;

/// The kinds of squares and their weights.
///
/// A corner is a square that no line runs through, so that its disc can never be flipped; an edge
/// square has one line through it.
const CORNER: i32 = 100;
/// Diagonally next to a corner: gives the corner away.
const X_SQUARE: i32 = -50;
/// Next to a corner in a row or column: often gives the corner away.
const C_SQUARE: i32 = -20;
/// Any other square of the edge: flipped along the edge only.
const EDGE: i32 = 10;
/// Next to an edge square: gives access to the edge.
const NEXT_TO_EDGE: i32 = -2;
/// Everything inside.
const INSIDE: i32 = 1;

/// The weight that corresponds to a disc at the end. `cargo run -p compared --example points_per_disc` measures it.
const POINTS_PER_DISC: f64 = 9.0;

/// The weighted square strategy: own weights minus the opponent's.
#[derive(Clone, Debug)]
pub struct WeightedSquare<B: Rules> {
    /// The squares of each weight, so that a position is evaluated by counting.
    regions: Vec<(B::Set, i32)>,
}

impl<B: Rules> WeightedSquare<B> {
    /// The weights of this board.
    pub fn new() -> Self {
        let mut regions: Vec<(B::Set, i32)> = Vec::new();
        for square in squares(B::PLAYABLE) {
            let weight = weight_of::<B>(square);
            match regions.iter_mut().find(|region| region.1 == weight) {
                Some(region) => region.0 |= B::Set::only(square),
                None => regions.push((B::Set::only(square), weight)),
            }
        }
        Self { regions }
    }

    /// The weight of a square.
    pub fn weight(&self, square: Square) -> i32 {
        self.regions.iter().find(|region| region.0.has(square)).map_or(0, |region| region.1)
    }
}

impl<B: Rules> Default for WeightedSquare<B> {
    fn default() -> Self {
        Self::new()
    }
}

impl<B: Rules> Idea<B> for WeightedSquare<B> {
    fn name(&self) -> &'static str {
        "weighted-square"
    }

    fn value(&self, board: &B) -> i32 {
        let difference =
            |region: B::Set| (board.player() & region).count() as i32 - (board.opponent() & region).count() as i32;
        self.regions.iter().map(|&(region, weight)| weight * difference(region)).sum()
    }

    fn points_per_disc(&self) -> f64 {
        POINTS_PER_DISC
    }
}

fn weight_of<B: Rules>(square: Square) -> i32 {
    let (column, row) = B::GEOMETRY.column_row(square);
    let (column, row) = (column as i8, row as i8);
    let next_to = |steps: &[(i8, i8)], lines: usize| {
        steps.iter().any(|&(x, y)| lines_through::<B>(column + x, row + y) == Some(lines))
    };
    const STRAIGHT: [(i8, i8); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
    const DIAGONAL: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
    match lines_through::<B>(column, row) {
        Some(0) => CORNER,
        _ if next_to(&DIAGONAL, 0) => X_SQUARE,
        _ if next_to(&STRAIGHT, 0) => C_SQUARE,
        Some(1) => EDGE,
        _ if next_to(&STRAIGHT, 1) => NEXT_TO_EDGE,
        _ => INSIDE,
    }
}

/// In how many of the four directions a disc here can be flipped: those with a square on both sides. `None` if the
/// board has no such square.
fn lines_through<B: Rules>(column: i8, row: i8) -> Option<usize> {
    let exists = |x: i8, y: i8| {
        u8::try_from(x).ok().zip(u8::try_from(y).ok()).and_then(|(x, y)| B::GEOMETRY.square_at(x, y)).is_some()
    };
    let directions = [(1, 0), (0, 1), (1, 1), (1, -1)];
    exists(column, row).then(|| {
        directions.iter().filter(|&&(x, y)| exists(column + x, row + y) && exists(column - x, row - y)).count()
    })
}

#[cfg(test)]
mod tests {
    use othello::{Board, CutBoard, SmallBoard};

    use super::*;

    /// A quarter of the board's weights, row by row.
    fn quarter<B: Rules>() -> Vec<Vec<i32>> {
        let idea = WeightedSquare::<B>::new();
        let geometry = B::GEOMETRY;
        let half = geometry.side / 2;
        (0..half)
            .map(|row| {
                (0..half)
                    .map(|column| geometry.square_at(column, row).map_or(0, |square| idea.weight(square)))
                    .collect()
            })
            .collect()
    }

    #[test]
    fn corners_are_worth_most_and_x_squares_least() {
        let expected = [[100, -20, 10, 10], [-20, -50, -2, -2], [10, -2, 1, 1], [10, -2, 1, 1]];
        assert_eq!(quarter::<Board>(), expected);
        assert_eq!(quarter::<SmallBoard<6>>(), [[100, -20, 10], [-20, -50, -2], [10, -2, 1]]);
        assert_eq!(quarter::<SmallBoard<4>>(), [[100, -20], [-20, -50]]);
    }

    #[test]
    fn the_board_of_92_squares_has_twelve_corners() {
        let idea = WeightedSquare::<CutBoard>::new();
        let geometry = CutBoard::GEOMETRY;
        let corners: Vec<_> = geometry
            .squares()
            .filter(|&square| idea.weight(square) == CORNER)
            .map(|square| geometry.square_name(square))
            .collect();
        assert_eq!(corners, ["a1", "d1", "g1", "j1", "a4", "j4", "a7", "j7", "a10", "d10", "g10", "j10"]);
    }

    #[test]
    fn weights_are_the_same_up_to_symmetry() {
        fn check<B: Rules>() {
            let idea = WeightedSquare::<B>::new();
            for square in squares(B::PLAYABLE) {
                let alone = B::from_discs(B::Set::only(square), B::Set::EMPTY);
                for index in 0..8 {
                    assert_eq!(idea.value(&alone), idea.value(&alone.transformed(index)), "{square} by {index}");
                }
            }
        }
        check::<Board>();
        check::<SmallBoard<6>>();
        check::<SmallBoard<4>>();
        check::<CutBoard>();
    }
}
