//! The key of a position: its discs up to symmetry, in an order in which the parents of a position are easy to find.
//!
//! A key is the number of discs, the occupied squares and those of the side to move, big-endian, of the symmetric image
//! whose occupied squares are the smallest number. So positions with the same occupied squares are neighbors in the
//! database, and positions with fewer discs come first. A move adds one square to the occupied ones: to find the
//! parents of a position, one disc at a time is taken away and the neighbors of that place are read. No index is needed,
//! none can be incomplete, and the order of the keys is also an order in which parents come before their children.

use othello::symmetry::{transform, transform_square};
use othello::{Board, Rules, Square};

/// The four squares on which a game begins.
pub(crate) const CENTER: u64 = 0x0000_0018_1800_0000;

pub(crate) const KEY_BYTES: usize = 17;

/// A position up to symmetry, as the database orders it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Key {
    discs: u8,
    occupied: u64,
    player: u64,
}

impl Key {
    pub(crate) const FIRST: Key = Key { discs: 0, occupied: 0, player: 0 };
    pub(crate) const LAST: Key = Key { discs: u8::MAX, occupied: u64::MAX, player: u64::MAX };

    /// The key of a board, and the number of the symmetry that leads from the board to [`Key::board`].
    pub(crate) fn of(board: &Board) -> (Self, usize) {
        let occupied = board.player | board.opponent;
        let (smallest, symmetries) = smallest_image(occupied);
        let (player, symmetry) = (0..8)
            .filter(|index| symmetries >> index & 1 == 1)
            .map(|index| (transform(board.player, index), index))
            .min()
            .unwrap_or((board.player, 0));
        (Self { discs: occupied.count_ones() as u8, occupied: smallest, player }, symmetry)
    }

    pub(crate) fn board(&self) -> Board {
        Board { player: self.player, opponent: self.occupied & !self.player }
    }

    pub(crate) fn discs(&self) -> u8 {
        self.discs
    }

    pub(crate) fn empties(&self) -> u8 {
        64 - self.discs
    }

    /// The first and the last key that a position with these occupied squares, the smallest image of them, can have.
    pub(crate) fn with_occupied(occupied: u64) -> (Self, Self) {
        let discs = occupied.count_ones() as u8;
        (Self { discs, occupied, player: 0 }, Self { discs, occupied, player: u64::MAX })
    }

    pub(crate) fn next(mut self) -> Self {
        let (player, overflow) = self.player.overflowing_add(1);
        self.player = player;
        self.occupied = self.occupied.saturating_add(u64::from(overflow));
        self
    }

    pub(crate) fn previous(mut self) -> Self {
        let (player, overflow) = self.player.overflowing_sub(1);
        self.player = player;
        self.occupied = self.occupied.saturating_sub(u64::from(overflow));
        self
    }

    pub(crate) fn to_bytes(self) -> [u8; KEY_BYTES] {
        let mut bytes = [0; KEY_BYTES];
        bytes[0] = self.discs;
        bytes[1..9].copy_from_slice(&self.occupied.to_be_bytes());
        bytes[9..].copy_from_slice(&self.player.to_be_bytes());
        bytes
    }

    /// The key with these bytes, which may be those of a damaged file: see [`Key::is_valid`].
    pub(crate) fn from_bytes(bytes: &[u8; KEY_BYTES]) -> Self {
        let word = |from: usize| bytes[from..from + 8].iter().fold(0, |word, &byte| word << 8 | u64::from(byte));
        Self { discs: bytes[0], occupied: word(1), player: word(9) }
    }

    pub(crate) fn is_valid(&self) -> bool {
        self.player & !self.occupied == 0 && Self::of(&self.board()).0 == *self
    }
}

/// The smallest of the eight images of a set, and the set of the symmetries that lead to it.
fn smallest_image(set: u64) -> (u64, u8) {
    let mut smallest = set;
    let mut symmetries = 1u8;
    for index in 1..8 {
        let image = transform(set, index);
        if image < smallest {
            (smallest, symmetries) = (image, 1 << index);
        } else if image == smallest {
            symmetries |= 1 << index;
        }
    }
    (smallest, symmetries)
}

/// The squares on which the last disc of this board may have been placed by the side that is not to move.
///
/// A superset of the truth, cheap to compute: an own disc that is not a center square, with a flipped disc and an
/// anchor behind it in some direction, and without discs left over that the move would have flipped.
fn last_squares(board: &Board) -> u64 {
    let (mover, other) = (board.opponent, board.player);
    let mut places = 0;
    for square in othello::squares(mover & !CENTER) {
        // If the mover could play there now with the disc taken away, discs would be left that it must have flipped.
        let without = Board { player: mover & !square.bit(), opponent: other };
        if without.flips(square) == 0 && has_run_of_two(mover, square) {
            places |= square.bit();
        }
    }
    places
}

/// Whether two squares of the set follow a square in some direction.
fn has_run_of_two(set: u64, square: Square) -> bool {
    const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
    const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let steps: [fn(u64) -> u64; 8] = [
        |set| (set & NOT_H) << 1,
        |set| (set & NOT_A) >> 1,
        |set| set << 8,
        |set| set >> 8,
        |set| (set & NOT_H) << 9,
        |set| (set & NOT_A) >> 9,
        |set| (set & NOT_A) << 7,
        |set| (set & NOT_H) >> 7,
    ];
    steps.iter().any(|step| step(step(square.bit()) & set) & set != 0)
}

/// A place where parents of a position may be: their occupied squares, as in a key, and the squares of their moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ParentPlace {
    pub(crate) occupied: u64,
    pub(crate) squares: u64,
}

/// The places of all positions from which a move, with or without a pass after it, may lead to this one.
pub(crate) fn parent_places(board: &Board) -> Vec<ParentPlace> {
    let mut places: Vec<ParentPlace> = Vec::new();
    let mut add = |after_move: &Board| {
        for square in othello::squares(last_squares(after_move)) {
            let occupied = (after_move.player | after_move.opponent) & !square.bit();
            let (smallest, symmetries) = smallest_image(occupied);
            let squares = (0..8)
                .filter(|index| symmetries >> index & 1 == 1)
                .fold(0, |set, index| set | transform_square(square, index).bit());
            match places.iter_mut().find(|place| place.occupied == smallest) {
                Some(place) => place.squares |= squares,
                None => places.push(ParentPlace { occupied: smallest, squares }),
            }
        }
    };
    add(board);
    let after_pass = board.pass();
    if !after_pass.can_move() {
        // The other side had to pass: the side to move may have made the last move, too.
        add(&after_pass);
    }
    places
}

#[cfg(test)]
mod tests {
    use othello::squares;

    use super::*;
    use crate::tests::samples::boards;

    #[test]
    fn a_key_is_the_same_for_exactly_the_boards_with_the_same_canonical_board() {
        for board in boards(1, 20, 60) {
            let (key, symmetry) = Key::of(&board);
            assert_eq!(board.transformed(symmetry), key.board());
            assert_eq!(key.board().canonical(), board.canonical());
            assert!(key.is_valid() && Key::from_bytes(&key.to_bytes()) == key);
            for index in 0..8 {
                assert_eq!(Key::of(&board.transformed(index)).0, key);
            }
        }
    }

    #[test]
    fn the_order_of_keys_is_the_order_of_their_bytes() {
        let mut keys: Vec<Key> = boards(2, 10, 60).iter().map(|board| Key::of(board).0).collect();
        keys.sort();
        assert!(keys.is_sorted_by_key(|key| key.to_bytes()));
        assert!(keys.is_sorted_by_key(|key| key.discs()));
    }

    #[test]
    fn every_parent_is_at_one_of_the_places_of_its_child() {
        for parent in boards(3, 40, 60) {
            let (key, symmetry) = Key::of(&parent);
            for square in squares(parent.moves()) {
                let mut child = parent.play(square).unwrap();
                if !child.can_move() {
                    child = child.pass();
                }
                let child = Key::of(&child).0.board();
                let places = parent_places(&child);
                let place = places.iter().find(|place| place.occupied == key.occupied);
                let place = place.unwrap_or_else(|| panic!("{parent:?} {square}"));
                // The move itself, or its image under a symmetry of the parent.
                let moved = transform_square(square, symmetry);
                let reaches = |square| key.board().play(square).map(|after| after.canonical());
                assert!(squares(place.squares).any(|other| reaches(other) == reaches(moved)), "{parent:?} {square}");
            }
        }
    }

    #[test]
    fn the_next_key_is_the_smallest_greater_one() {
        let key = Key { discs: 4, occupied: 7, player: 5 };
        assert_eq!(key.next(), Key { player: 6, ..key });
        assert_eq!(Key { player: u64::MAX, ..key }.next(), Key { discs: 4, occupied: 8, player: 0 });
        for key in [key, Key { player: u64::MAX, ..key }] {
            assert_eq!(key.next().previous(), key);
        }
    }
}
