//! All pattern indices kept up to date by the moves, those of the large patterns, too.
//!
//! "Extending this scheme to the described 10- and 12-disc-patterns makes it necessary to increase the maximum number of
//! index updates for some squares. It turned out that with LOGISTELLO's implementation this approach is slower" (Buro 1997,
//! "Incremental Index Updates"). The program derives them at the leaves; this is for the experiment that compares the two.

use othello::{Board, Square, squares};

use super::indices::{Indices, LargeIndices};
use super::patterns::{PLACES, PLACES_OF, SMALL_COUNT};

/// Start of the places of the large patterns, and their number.
const FIRST: usize = PLACES_OF[SMALL_COUNT];
const COUNT: usize = PLACES.len() - FIRST;

/// The lanes, padded to a power of two, so that no access needs a bounds check.
const LANES: usize = 32;

/// As many large patterns as a square belongs to at most.
const MOST: usize = 6;

/// Which large indices a square belongs to, and what a disc of the first color on it adds to each; the rest point to an
/// unused lane.
#[derive(Clone, Copy)]
struct Influence {
    lanes: [u8; MOST],
    shares: [i32; MOST],
}

static INFLUENCES: [Influence; 64] = {
    let mut influences = [Influence { lanes: [COUNT as u8; MOST], shares: [0; MOST] }; 64];
    let mut counts = [0; 64];
    let mut lane = 0;
    while lane < COUNT {
        let shape = &PLACES[FIRST + lane];
        let mut place = 0;
        while place < shape.size() {
            let square = shape.square(place).index();
            // A seventh index would not fit, and this would not compile.
            influences[square].lanes[counts[square]] = lane as u8;
            influences[square].shares[counts[square]] = 3i32.pow((shape.size() - 1 - place) as u32);
            counts[square] += 1;
            place += 1;
        }
        lane += 1;
    }
    influences
};

/// The indices of all patterns, and the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AllIndices {
    small: Indices,
    large: [i32; LANES],
}

impl AllIndices {
    /// The indices of a board, its side to move being the first color.
    pub fn of(board: &Board) -> Self {
        let mut indices = Self { small: Indices::of(board), large: [0; LANES] };
        squares(board.player).for_each(|square| indices.turn(square, 1));
        squares(board.opponent).for_each(|square| indices.turn(square, -1));
        indices
    }

    /// Makes a move of the side to move on an empty square, flipping these discs.
    #[inline]
    pub fn play(&mut self, square: Square, flips: u64) {
        let side = i32::from(self.small.side());
        self.turn(square, side);
        squares(flips).for_each(|flipped| self.turn(flipped, 2 * side));
        self.small.play(square, flips);
    }

    /// Undoes a move.
    #[inline]
    pub fn undo(&mut self, square: Square, flips: u64) {
        self.small.undo(square, flips);
        let side = i32::from(self.small.side());
        squares(flips).for_each(|flipped| self.turn(flipped, -2 * side));
        self.turn(square, -side);
    }

    /// The indices of the small patterns.
    #[inline]
    pub fn small(&self) -> &Indices {
        &self.small
    }

    /// The indices of the large patterns.
    #[inline]
    pub fn large(&self) -> LargeIndices {
        LargeIndices {
            edges: std::array::from_fn(|number| self.large[number]),
            corners_2x5: std::array::from_fn(|number| self.large[4 + number]),
            corners_3x4: std::array::from_fn(|number| self.large[12 + number]),
        }
    }

    #[inline]
    fn turn(&mut self, square: Square, factor: i32) {
        let influence = &INFLUENCES[square.index() % 64];
        for number in 0..MOST {
            self.large[usize::from(influence.lanes[number]) % LANES] += factor * influence.shares[number];
        }
    }
}

#[cfg(test)]
mod tests {
    use othello::Rules;
    use search::samples::{Origin, Samples};

    use super::*;

    #[test]
    fn kept_indices_are_those_derived_from_the_board_and_an_undo_restores_them() {
        let mut samples = Samples::<Board>::new(17);
        let mut moved = 0;
        for number in 0..500u32 {
            let board = samples.position(Origin::ALL[number as usize % 4], number % 61);
            let indices = AllIndices::of(&board);
            assert_eq!(indices.large(), indices.small().large(&board));
            for square in squares(board.moves()) {
                let flips = board.flips(square);
                let mut after = indices;
                after.play(square, flips);
                assert_eq!(after.large(), after.small().large(&board.after(square, flips)), "{square} on {board:?}");
                after.undo(square, flips);
                assert_eq!(after, indices);
                moved += 1;
            }
        }
        assert!(moved > 1000, "{moved}");
    }
}
