//! The order in which moves are tried.

use othello::Square;

/// A legal move with what it flips, and how promising it looks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    pub(crate) square: Square,
    pub(crate) flips: u64,
    pub(crate) promise: i32,
}

pub(crate) const CORNERS: u64 = 0x8100_0000_0000_0081;

/// The quadrant of each square, as a set of squares.
pub(crate) static QUADRANT: [u64; 64] = {
    let mut quadrants = [0; 64];
    let mut square = 0;
    while square < 64 {
        let top_left = 0x0f0f_0f0f_u64;
        let column = if square % 8 >= 4 { 4 } else { 0 };
        let row = if square / 8 >= 4 { 32 } else { 0 };
        quadrants[square] = top_left << (row + column);
        square += 1;
    }
    quadrants
};

/// The squares of those quadrants that have an odd number of empty squares.
pub(crate) fn odd_quadrants(empties: u64) -> u64 {
    [0, 4, 32, 36]
        .into_iter()
        .map(|corner| QUADRANT[corner])
        .filter(|quadrant| (empties & quadrant).count_ones() % 2 == 1)
        .fold(0, |odd, quadrant| odd | quadrant)
}

/// Brings the most promising of the candidates to the front and returns it.
#[inline]
pub(crate) fn take_best(candidates: &mut [Candidate]) -> Candidate {
    let mut best = 0;
    for index in 1..candidates.len() {
        if candidates[index].promise > candidates[best].promise {
            best = index;
        }
    }
    candidates.swap(0, best);
    candidates[0]
}

/// All squares next to those of the set, and the set itself.
#[inline]
pub(crate) fn neighbours(set: u64) -> u64 {
    let sides = set | (set << 1 & 0xfefe_fefe_fefe_fefe) | (set >> 1 & 0x7f7f_7f7f_7f7f_7f7f);
    sides | sides << 8 | sides >> 8
}
