//! Move ordering.

use othello::Square;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    pub(crate) square: Square,
    pub(crate) flips: u64,
    pub(crate) score: i32,
    /// The evaluation of the position after the move, for the side to move there, if it is known.
    pub(crate) static_value: Option<i32>,
}

pub(crate) const CORNERS: u64 = 0x8100_0000_0000_0081;

/// Moves the most promising candidate to the front and returns it.
#[inline]
pub(crate) fn take_best(candidates: &mut [Candidate]) -> Candidate {
    let mut best = 0;
    for index in 1..candidates.len() {
        if candidates[index].score > candidates[best].score {
            best = index;
        }
    }
    candidates.swap(0, best);
    candidates[0]
}
