//! Adjacency tables: the neighbors of each square, and the potential moves that follow from them (section 1.4).

use othello::{Rules, Square, SquareSet, squares};

/// The set of neighbors of every square of the board.
#[derive(Clone, Debug)]
pub struct Adjacency<B: Rules> {
    /// By the number of the square; squares that the board lacks have no neighbors.
    neighbors: Vec<B::Set>,
}

impl<B: Rules> Adjacency<B> {
    /// The tables of this board.
    pub fn new() -> Self {
        let mut neighbors = vec![B::Set::EMPTY; 8 * size_of::<B::Set>()];
        for square in squares(B::PLAYABLE) {
            let (column, row) = B::GEOMETRY.column_row(square);
            for (x, y) in [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)] {
                let next_to = column.checked_add_signed(x).zip(row.checked_add_signed(y));
                if let Some(next_to) = next_to.and_then(|(column, row)| B::GEOMETRY.square_at(column, row)) {
                    neighbors[square.index()] |= B::Set::only(next_to);
                }
            }
        }
        Self { neighbors }
    }

    /// The neighbors of a square.
    pub fn of(&self, square: Square) -> B::Set {
        self.neighbors.get(square.index()).copied().unwrap_or_default()
    }

    /// The potential legal moves of the side to move: the empty squares next to a disc of the opponent. No other
    /// square can be a legal move.
    #[inline]
    pub fn potential_moves(&self, board: &B) -> B::Set {
        self.next_to(board.opponent()) & board.empties()
    }

    /// The union of the tables of all these squares.
    #[inline]
    pub(super) fn next_to(&self, set: B::Set) -> B::Set {
        squares(set).fold(B::Set::EMPTY, |union, square| union | self.neighbors[square.index()])
    }

    /// The legal moves: of the potential ones those that flip a disc.
    pub fn moves(&self, board: &B) -> B::Set {
        tested(board, self.potential_moves(board))
    }
}

impl<B: Rules> Default for Adjacency<B> {
    fn default() -> Self {
        Self::new()
    }
}

/// The candidates on which a move flips a disc.
fn tested<B: Rules>(board: &B, candidates: B::Set) -> B::Set {
    squares(candidates)
        .filter(|&square| !board.flips(square).is_empty())
        .fold(B::Set::EMPTY, |moves, square| moves | B::Set::only(square))
}

#[cfg(test)]
mod tests {
    use othello::{Board, CutBoard, mobility};

    use super::*;
    use othello::random::Random;

    fn names<B: Rules>(set: B::Set) -> Vec<String> {
        squares(set).map(|square| B::GEOMETRY.square_name(square)).collect()
    }

    #[test]
    fn the_table_of_the_papers_example_square_has_its_eight_neighbours() {
        // The square (2, 2) of the paper is c3.
        let adjacency = Adjacency::<CutBoard>::new();
        let square = CutBoard::GEOMETRY.square_at(2, 2).unwrap();
        assert_eq!(names::<CutBoard>(adjacency.of(square)), ["b2", "c2", "d2", "b3", "d3", "b4", "c4", "d4"]);
        // d1 is a corner: to its right a square is cut out.
        let corner = CutBoard::GEOMETRY.parse_square("d1").unwrap();
        assert_eq!(names::<CutBoard>(adjacency.of(corner)), ["c1", "c2", "d2", "e2"]);
        assert_eq!(adjacency.of(Square::new(4)), 0, "e1 is no square");
    }

    /// Arbitrary boards: every square empty, own or the opponent's at random.
    fn boards<B: Rules>(count: usize) -> impl Iterator<Item = B> {
        let mut random = Random::new(4);
        (0..count).map(move |number| {
            let mut sets = [B::Set::EMPTY; 3];
            for square in squares(B::PLAYABLE) {
                // The share of discs grows from board to board.
                let kind = if random.below(count) > number { 0 } else { 1 + random.below(2) };
                sets[kind] |= B::Set::only(square);
            }
            B::from_discs(sets[1], sets[2])
        })
    }

    #[test]
    fn potential_moves_that_flip_are_exactly_the_legal_moves() {
        fn check<B: Rules>() {
            let adjacency = Adjacency::<B>::new();
            for board in boards::<B>(20_000) {
                assert_eq!(adjacency.potential_moves(&board), mobility::potential_moves(&board), "{board:?}");
                assert_eq!(adjacency.moves(&board), board.moves(), "{board:?}");
            }
        }
        check::<CutBoard>();
        check::<Board>();
    }
}
