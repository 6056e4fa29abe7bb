//! Moves that are the same up to a symmetry of the board, such as the four first moves.

use alloc::vec::Vec;

use crate::{Rules, Square, squares};

/// Other legal moves that a symmetry of the board turns this one into, in reading order; none on a board without symmetry.
///
/// ```
/// use othello::{Board, Rules, symmetric_moves};
///
/// let names: Vec<_> = symmetric_moves(&Board::start(), "d3".parse()?).iter().map(ToString::to_string).collect();
/// assert_eq!(names, ["c4", "f5", "e6"]);
/// # Ok::<(), othello::ParseSquareError>(())
/// ```
pub fn symmetric_moves<B: Rules>(board: &B, square: Square) -> Vec<Square> {
    let symmetries: Vec<usize> = (1..8).filter(|&index| board.transformed(index) == *board).collect();
    let Some(after) = board.play(square).filter(|_| !symmetries.is_empty()) else { return Vec::new() };
    // A symmetry of the board turns a move into the one whose board is the image of its own.
    let images: Vec<B> = symmetries.iter().map(|&index| after.transformed(index)).collect();
    let is_image = |other: Square| board.play(other).is_some_and(|board| images.contains(&board));
    squares(board.moves()).filter(|&other| other != square && is_image(other)).collect()
}

/// The first of each group of symmetric moves, in the given order, with the others of its group beside it.
pub fn grouped_moves<B: Rules>(board: &B, moves: impl IntoIterator<Item = Square>) -> Vec<(Square, Vec<Square>)> {
    let mut groups: Vec<(Square, Vec<Square>)> = Vec::new();
    for square in moves {
        if !groups.iter().any(|(first, others)| *first == square || others.contains(&square)) {
            groups.push((square, symmetric_moves(board, square)));
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use crate::symmetry::transform_square;
    use crate::{Board, CutBoard, SmallBoard};

    /// The same by the squares themselves.
    fn by_squares(board: &Board, square: Square) -> Vec<Square> {
        let is_image = |&other: &Square| {
            other != square
                && (1..8).any(|index| board.transformed(index) == *board && transform_square(square, index) == other)
        };
        squares(board.moves()).filter(is_image).collect()
    }

    #[test]
    fn symmetric_moves_are_those_whose_squares_a_symmetry_of_the_board_exchanges() {
        let mut random = Random::new(3);
        let (mut symmetric, mut plain) = (0, 0);
        for _ in 0..300 {
            let mut board = Board::start();
            for _ in 0..6 {
                for square in squares(board.moves()) {
                    let found = symmetric_moves(&board, square);
                    assert_eq!(found, by_squares(&board, square), "{board:?} {square}");
                    *if found.is_empty() { &mut plain } else { &mut symmetric } += 1;
                }
                let moves: Vec<_> = squares(board.moves()).collect();
                if let Some(&square) = moves.get(random.below(moves.len().max(1))) {
                    board = board.play(square).expect("a legal move");
                }
            }
        }
        assert!(symmetric > 1000 && plain > 1000, "{symmetric} {plain}");
    }

    #[test]
    fn every_move_is_in_one_group_on_every_board() {
        fn check<B: Rules>(groups: usize) {
            let start = B::start();
            let found = grouped_moves(&start, squares(start.moves()));
            assert_eq!(found.len(), groups);
            let all: Vec<_> = found.into_iter().flat_map(|(first, others)| [vec![first], others].concat()).collect();
            assert_eq!(all.len(), squares(start.moves()).count());
        }
        check::<Board>(1);
        check::<SmallBoard<6>>(1);
        check::<SmallBoard<4>>(1);
        check::<CutBoard>(1);
        let after = Board::start().play("d3".parse().expect("a square")).expect("a legal move");
        // Parallel, diagonal and perpendicular are three different replies.
        assert_eq!(grouped_moves(&after, squares(after.moves())).len(), 3);
    }
}
