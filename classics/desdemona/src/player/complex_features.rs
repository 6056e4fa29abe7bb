//! Complex features: eight measures known to human players (section 2.2), each own minus opponent's.

use othello::{Rules, SquareSet};

use super::adjacency::Adjacency;
use super::landmarks::Landmarks;

/// The number of complex features.
pub const COMPLEX_COUNT: usize = 8;

/// Their names in the paper, in its order.
pub const COMPLEX_NAMES: [&str; COMPLEX_COUNT] = [
    "corners heuristic",
    "\"dumb\" X squares",
    "\"smart\" X squares",
    "C squares",
    "stability edge heuristic",
    "potential mobility",
    "current side",
    "disc difference",
];

/// The features of a position for its side to move.
///
/// The paper takes WHITE's point of view and has a feature for the side to move; from the side to move's point of view
/// that feature is always 1, and every other changes its sign with the side.
///
/// `edge_runs` is the edge heuristic, which is looked up with the simple features.
#[inline]
pub(super) fn complex_features<B: Rules>(
    landmarks: &Landmarks<B>,
    adjacency: &Adjacency<B>,
    board: &B,
    edge_runs: i32,
) -> [i32; COMPLEX_COUNT] {
    let (own, other) = (board.player(), board.opponent());
    let count = |set: B::Set| set.count() as i32;
    let difference = |set: B::Set| count(own & set) - count(other & set);
    let corners = |discs: B::Set| landmarks.quadrants.iter().map(|&quadrant| count(discs & quadrant).pow(2)).sum();
    let smart = |discs: B::Set| {
        // An X-square has one corner, so that it is next to an own corner only if that is its own.
        count(discs & landmarks.x_squares & B::neighbors(discs & landmarks.corners))
    };
    let smart_x_squares = smart(own) - smart(other);
    let empties = board.empties();
    let [own_corners, other_corners]: [i32; 2] = [corners(own), corners(other)];
    [
        own_corners - other_corners,
        difference(landmarks.x_squares) - smart_x_squares,
        smart_x_squares,
        difference(landmarks.c_squares),
        edge_runs,
        count(adjacency.next_to(other) & empties) - count(adjacency.next_to(own) & empties),
        1,
        count(own) - count(other),
    ]
}

/// The longest run of ones.
pub(super) fn longest_run(mut bits: u32) -> i32 {
    let mut length = 0;
    while bits != 0 {
        // A run loses its last one each time.
        bits &= bits << 1;
        length += 1;
    }
    length
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_run_is_found_among_several() {
        assert_eq!([0, 0b1, 0b1011, 0b111_0110, 0b11_1111_1111].map(longest_run), [0, 1, 2, 3, 10]);
    }
}
