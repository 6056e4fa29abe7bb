//! The form of a position that is the same in all its orientations, and where its moves are in it.

use othello::symmetry::{inverse, transform_square};
use othello::{Board, Color, Position, Rules, Square};

/// The number of bits of a key. With 200,000 games, one question in five million finds a game of another position.
pub(super) const KEY_BITS: u32 = 40;

pub(super) struct PositionKey {
    pub(super) key: u64,
    /// The symmetries that turn the position to its canonical form: more than one if it is symmetric itself.
    symmetries: [bool; 8],
}

impl PositionKey {
    pub(super) fn of(position: &Position) -> Self {
        let images: [Board; 8] = std::array::from_fn(|index| position.board.transformed(index));
        let canonical = images.iter().copied().fold(images[0], Board::min);
        // The same discs with the colors exchanged are another position: its games had the opposite results.
        let turn = match position.turn {
            Color::Black => 0,
            Color::White => u64::MAX,
        };
        let key = (canonical.hash64() ^ turn) >> (64 - KEY_BITS);
        Self { key, symmetries: images.map(|image| image == canonical) }
    }

    fn symmetries(&self) -> impl Iterator<Item = usize> {
        (0..8).filter(|&index| self.symmetries[index])
    }

    /// A move of the position in its canonical form; moves that are the same by symmetry have the same.
    pub(super) fn canonical_move(&self, square: Square) -> Square {
        let images = self.symmetries().map(|index| transform_square(square, index));
        images.min_by_key(|square| square.index()).unwrap_or(square)
    }

    /// A move of the canonical form in the position. Of several that are the same by symmetry it is the last in the
    /// order of names: f5 in the starting position, as most players write their games.
    pub(super) fn own_move(&self, canonical: Square) -> Square {
        let images = self.symmetries().map(|index| transform_square(canonical, inverse(index)));
        images.max_by_key(|square| (square.column(), square.row())).unwrap_or(canonical)
    }
}

#[cfg(test)]
mod tests {
    use othello::{Game, squares};
    use records::transcript;

    use super::*;

    fn position(moves: &str) -> Position {
        transcript::parse::<Board>(moves).expect("legal moves").position()
    }

    #[test]
    fn all_orientations_have_the_same_key_and_the_same_canonical_moves() {
        for moves in ["", "f5", "f5f6e6", "f5d6c3d3c4", "f5d6c5f4e3c6d3f6e6d7"] {
            let position = position(moves);
            let key = PositionKey::of(&position);
            for index in 0..8 {
                let turned = Position { board: position.board.transformed(index), ..position };
                let other = PositionKey::of(&turned);
                assert_eq!(other.key, key.key, "{moves} by {index}");
                for square in squares(position.board.moves()) {
                    let image = transform_square(square, index);
                    assert_eq!(
                        other.canonical_move(image),
                        key.canonical_move(square),
                        "{square} in {moves} by {index}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_move_comes_back_as_itself_or_as_its_mirror_image() {
        for moves in ["", "f5f6e6", "f5d6c3d3c4"] {
            let position = position(moves);
            let key = PositionKey::of(&position);
            for square in squares(position.board.moves()) {
                let own = key.own_move(key.canonical_move(square));
                let after = |square| position.play(square).expect("legal").board.canonical();
                assert_eq!(after(own), after(square), "{square} in {moves:?} came back as {own}");
            }
        }
        let start = PositionKey::of(&Position::start());
        let first: Vec<_> = squares(Board::start().moves()).map(|square| start.canonical_move(square)).collect();
        assert!(first.iter().all(|&square| square == first[0]), "the four first moves are one");
        assert_eq!(start.own_move(first[0]).to_string(), "f5");
    }

    #[test]
    fn the_side_to_move_and_every_disc_count() {
        let tiger = position("f5d6c3d3c4");
        let keys: Vec<_> =
            [tiger, Position { turn: !tiger.turn, ..tiger }, position("f5d6c3d3c6"), Game::new().position()]
                .iter()
                .map(|position| PositionKey::of(position).key)
                .collect();
        for (index, key) in keys.iter().enumerate() {
            assert!(*key < 1 << KEY_BITS);
            assert!(!keys[..index].contains(key));
        }
    }
}
