//! KEYANO's patterns and their indices, updated by the search (section 3.1, Patterns).
//!
//! Lines of eight discs along the edge and next to it, all diagonals of seven and eight, the 3x3 corners, and two kinds
//! of edges with ten squares, one of which applies to each side of the board at a time: as long as c, d, e and f of the
//! second line (the squares marked N in Figure 2a) are empty, the edge with its two X-squares, then the edge with the
//! two middle squares of the second line.

use othello::{Board, Square, squares, symmetry};

/// The kinds of patterns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pattern {
    /// The eight squares along the edge.
    Edge,
    /// The eight squares next to the edge.
    SecondLine,
    /// The diagonals of eight squares.
    Diagonal8,
    /// The diagonals of seven squares.
    Diagonal7,
    /// The 3x3 square at a corner.
    Corner,
    /// An edge and its two X-squares, for a second line without discs on the squares marked N.
    EdgeWithX,
    /// An edge and the two middle squares of the second line, for one with discs there.
    EdgeWithCentre,
}

/// Squares marked N for the upper edge: c2, d2, e2, f2.
const MARKED: u64 = 0x3c00;

impl Pattern {
    /// All of them, in the order of their declaration.
    pub const ALL: [Pattern; 7] = [
        Pattern::Edge,
        Pattern::SecondLine,
        Pattern::Diagonal8,
        Pattern::Diagonal7,
        Pattern::Corner,
        Pattern::EdgeWithX,
        Pattern::EdgeWithCentre,
    ];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Pattern::Edge => "edge line",
            Pattern::SecondLine => "second line",
            Pattern::Diagonal8 => "8-disc diagonal",
            Pattern::Diagonal7 => "7-disc diagonal",
            Pattern::Corner => "3x3 corner",
            Pattern::EdgeWithX => "edge with X-squares",
            Pattern::EdgeWithCentre => "edge with centre squares",
        }
    }

    /// The squares of its first place, as numbers.
    pub const fn squares(self) -> &'static [u8] {
        match self {
            Pattern::Edge => &[0, 1, 2, 3, 4, 5, 6, 7],
            Pattern::SecondLine => &[8, 9, 10, 11, 12, 13, 14, 15],
            Pattern::Diagonal8 => &[0, 9, 18, 27, 36, 45, 54, 63],
            Pattern::Diagonal7 => &[1, 10, 19, 28, 37, 46, 55],
            Pattern::Corner => &[0, 1, 2, 8, 9, 10, 16, 17, 18],
            Pattern::EdgeWithX => &[0, 1, 2, 3, 4, 5, 6, 7, 9, 14],
            Pattern::EdgeWithCentre => &[0, 1, 2, 3, 4, 5, 6, 7, 11, 12],
        }
    }

    /// The number of its configurations.
    pub const fn configurations(self) -> usize {
        3usize.pow(self.squares().len() as u32)
    }

    /// The symmetries that map it to all its places: [`transform`](symmetry::transform)s by number.
    pub const fn symmetries(self) -> &'static [usize] {
        match self {
            Pattern::Diagonal8 => &[0, 1],
            Pattern::Diagonal7 => &[0, 4, 1, 5],
            // The corners a1, h1, a8 and h8.
            Pattern::Corner => &[0, 1, 2, 3],
            // The sides above, to the left, below and to the right.
            _ => &[0, 4, 2, 5],
        }
    }

    /// The lane of its first index.
    pub const fn first_lane(self) -> usize {
        let mut lane = 0;
        let mut before = 0;
        while before < self as usize {
            lane += Self::ALL[before].symmetries().len();
            before += 1;
        }
        lane
    }

    /// The permutation of configurations by a reflection that maps the pattern onto itself: both have the same value.
    ///
    /// Entry `i` is the number of the image of configuration number `i`.
    pub fn mirrored(self) -> Vec<usize> {
        let places: &[usize] = match self {
            Pattern::Corner => &[0, 3, 6, 1, 4, 7, 2, 5, 8],
            Pattern::Diagonal7 => &[6, 5, 4, 3, 2, 1, 0],
            Pattern::EdgeWithX | Pattern::EdgeWithCentre => &[7, 6, 5, 4, 3, 2, 1, 0, 9, 8],
            _ => &[7, 6, 5, 4, 3, 2, 1, 0],
        };
        let image = |configuration: usize| {
            let digit = |place: usize| configuration / 3usize.pow(place as u32) % 3;
            places.iter().enumerate().map(|(to, &from)| digit(from) * 3usize.pow(to as u32)).sum()
        };
        (0..self.configurations()).map(image).collect()
    }

    /// The content of each square of a configuration: -1 for the opponent, 0 for nothing, 1 for the side to move.
    pub fn discs(self, configuration: usize) -> Vec<i8> {
        (0..self.squares().len()).map(|place| (configuration / 3usize.pow(place as u32) % 3) as i8 - 1).collect()
    }
}

/// The number of indices.
pub const INSTANCES: usize = Pattern::EdgeWithCentre.first_lane() + 4;

/// The indices, padded with lanes that stay 0 to fill whole registers.
const LANES: usize = 32;

/// Number that a disc on each square adds to each index.
static SHARES: [[i16; LANES]; 64] = {
    let mut shares = [[0; LANES]; 64];
    let mut kind = 0;
    while kind < Pattern::ALL.len() {
        let pattern = Pattern::ALL[kind];
        let mut instance = 0;
        while instance < pattern.symmetries().len() {
            let mut place = 0;
            let mut power: i16 = 1;
            while place < pattern.squares().len() {
                let square = Square::new(pattern.squares()[place]);
                let image = symmetry::transform_square(square, pattern.symmetries()[instance]);
                shares[image.index()][pattern.first_lane() + instance] += power;
                place += 1;
                power = power.wrapping_mul(3);
            }
            instance += 1;
        }
        kind += 1;
    }
    shares
};

/// The squares marked N on each side, in the order of the instances of edges.
const MARKED_SQUARES: [u64; 4] = {
    let mut marked = [0; 4];
    let mut side = 0;
    while side < 4 {
        marked[side] = symmetry::transform(MARKED, Pattern::Edge.symmetries()[side]);
        side += 1;
    }
    marked
};

/// Which of the two kinds of edges with ten squares applies to a side of the board, 0 to 3.
#[inline]
pub fn edge_kind(occupied: u64, side: usize) -> Pattern {
    if occupied & MARKED_SQUARES[side & 3] == 0 { Pattern::EdgeWithX } else { Pattern::EdgeWithCentre }
}

/// The indices of all patterns for the side to move: sums of powers of three, added for own discs and subtracted for
/// the opponent's. When the side to move changes, so do all signs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(64))]
pub struct Indices([i16; LANES]);

impl Indices {
    /// The indices of a board.
    pub fn of(board: &Board) -> Self {
        let (own, other) = (shares(board.player), shares(board.opponent));
        Self(std::array::from_fn(|lane| own[lane] - other[lane]))
    }

    /// The indices after a move, seen from the other side.
    #[inline]
    #[must_use]
    pub fn after(&self, square: Square, flips: u64) -> Self {
        let flipped = shares(flips);
        let placed = &SHARES[square.index() & 63];
        // The result fits; intermediate values may wrap.
        let own = |lane: usize| self.0[lane].wrapping_add(placed[lane]).wrapping_add(flipped[lane] << 1);
        Self(std::array::from_fn(|lane| own(lane).wrapping_neg()))
    }

    /// The same board, seen from the other side.
    #[inline]
    #[must_use]
    pub fn passed(&self) -> Self {
        Self(self.0.map(i16::wrapping_neg))
    }

    /// The number of the configuration of a pattern at one of its places, from 0.
    #[inline]
    pub fn configuration(&self, pattern: Pattern, instance: usize) -> usize {
        let centre = (pattern.configurations() / 2) as i16;
        // Up to 59,048: read as an unsigned number.
        usize::from(self.0[(pattern.first_lane() + instance) & (LANES - 1)].wrapping_add(centre) as u16)
    }
}

/// Numbers that discs on these squares add to the indices.
#[inline]
fn shares(set: u64) -> [i16; LANES] {
    let mut sums = [0i16; LANES];
    for square in squares(set) {
        let shares = &SHARES[square.index() & 63];
        for lane in 0..LANES {
            sums[lane] = sums[lane].wrapping_add(shares[lane]);
        }
    }
    sums
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use othello::Rules;

    use super::*;
    use crate::player::samples::{boards, drawn};

    /// The names of the squares of a pattern at one of its places.
    fn names(pattern: Pattern, instance: usize) -> String {
        let symmetry = pattern.symmetries()[instance];
        let carried = |&square: &u8| symmetry::transform_square(Square::new(square), symmetry).to_string();
        pattern.squares().iter().map(carried).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn the_patterns_lie_where_the_paper_draws_them() {
        let first: Vec<_> = Pattern::ALL.iter().map(|&pattern| names(pattern, 0)).collect();
        assert_eq!(
            first,
            [
                "a1 b1 c1 d1 e1 f1 g1 h1",
                "a2 b2 c2 d2 e2 f2 g2 h2",
                "a1 b2 c3 d4 e5 f6 g7 h8",
                "b1 c2 d3 e4 f5 g6 h7",
                "a1 b1 c1 a2 b2 c2 a3 b3 c3",
                "a1 b1 c1 d1 e1 f1 g1 h1 b2 g2",
                "a1 b1 c1 d1 e1 f1 g1 h1 d2 e2",
            ]
        );
        let sides: Vec<_> = (0..4).map(|side| names(Pattern::EdgeWithX, side)).collect();
        assert_eq!(sides[1], "a1 a2 a3 a4 a5 a6 a7 a8 b2 b7");
        assert_eq!(sides[2], "a8 b8 c8 d8 e8 f8 g8 h8 b7 g7");
        assert_eq!(sides[3], "h1 h2 h3 h4 h5 h6 h7 h8 g2 g7");
        assert_eq!(INSTANCES, 26);
        for pattern in Pattern::ALL {
            let places: BTreeSet<BTreeSet<String>> = (0..pattern.symmetries().len())
                .map(|instance| names(pattern, instance).split(' ').map(str::to_owned).collect())
                .collect();
            assert_eq!(places.len(), pattern.symmetries().len(), "{} lies twice at one place", pattern.name());
        }
        let diagonals: BTreeSet<_> = (0..4).flat_map(|instance| ends(&names(Pattern::Diagonal7, instance))).collect();
        assert_eq!(diagonals.into_iter().collect::<Vec<_>>().join(" "), "a2 a7 b1 b8 g1 g8 h2 h7");
    }

    fn ends(names: &str) -> [String; 2] {
        [names[..2].to_owned(), names[names.len() - 2..].to_owned()]
    }

    #[test]
    fn a_disc_on_a_marked_square_switches_the_edge_on_that_side_alone() {
        let start = Board::start();
        assert!((0..4).all(|side| edge_kind(start.player | start.opponent, side) == Pattern::EdgeWithX));
        // Above: c2 to f2; to the left: b3 to b6; below: c7 to f7; to the right: g3 to g6.
        let marked =
            [["c2", "d2", "e2", "f2"], ["b3", "b4", "b5", "b6"], ["c7", "d7", "e7", "f7"], ["g3", "g4", "g5", "g6"]];
        for square in Square::all() {
            for (side, names) in marked.iter().enumerate() {
                let expected = names.contains(&square.to_string().as_str());
                let found = edge_kind(square.bit(), side) == Pattern::EdgeWithCentre;
                assert_eq!(found, expected, "{square}, side {side}");
            }
        }
    }

    #[test]
    fn configurations_are_what_stands_on_the_squares() {
        for board in boards(500, 3) {
            let indices = Indices::of(&board);
            for pattern in Pattern::ALL {
                for (instance, &index) in pattern.symmetries().iter().enumerate() {
                    let stands = pattern.squares().iter().map(|&square| {
                        let bit = symmetry::transform_square(Square::new(square), index).bit();
                        i8::from(board.player & bit != 0) - i8::from(board.opponent & bit != 0)
                    });
                    let configuration = indices.configuration(pattern, instance);
                    assert_eq!(pattern.discs(configuration), stands.collect::<Vec<_>>(), "{pattern:?} on {board:?}");
                }
            }
        }
    }

    #[test]
    fn incremental_indices_are_those_computed_from_scratch_after_any_walk() {
        let mut random = search::samples::Samples::<Board>::new(17);
        let mut path = vec![(Board::start(), Indices::of(&Board::start()))];
        for _ in 0..20_000 {
            let &(board, indices) = path.last().expect("never empty");
            assert_eq!(indices, Indices::of(&board), "{board:?}");
            let moves = board.moves();
            if moves == 0 && board.is_over() || path.len() > 1 && random.below(3) == 0 {
                path.pop();
            } else if moves == 0 {
                path.push((board.pass(), indices.passed()));
            } else {
                let pick = random.below(moves.count_ones()) as usize;
                let square = squares(moves).nth(pick).expect("a move");
                let flips = board.flips(square);
                path.push((board.after(square, flips), indices.after(square, flips)));
            }
        }
    }

    #[test]
    fn mirrored_configurations_are_those_of_the_mirrored_board() {
        for board in boards(200, 9) {
            let indices = Indices::of(&board);
            for pattern in Pattern::ALL {
                // Left and right are exchanged, or columns and rows at a corner and on a diagonal.
                let index = match pattern {
                    Pattern::Corner => 4,
                    Pattern::Diagonal8 | Pattern::Diagonal7 => 7,
                    _ => 1,
                };
                let image = Indices::of(&board.transformed(index));
                let mirrored = pattern.mirrored();
                assert_eq!(image.configuration(pattern, 0), mirrored[indices.configuration(pattern, 0)], "{pattern:?}");
            }
        }
    }

    #[test]
    fn a_drawn_edge_has_the_number_worked_out_by_hand() {
        let board =
            drawn(["*o------", "-*------", "--------", "--------", "--------", "--------", "--------", "--------"]);
        let indices = Indices::of(&board);
        // Digits 2, 0 and 1 for own, opponent and empty, a1 first: all empty is 3280, a1 adds 1, b1 takes 3.
        assert_eq!(indices.configuration(Pattern::Edge, 0), 3278);
        assert_eq!(indices.passed().configuration(Pattern::Edge, 0), 3282);
        // And b2 adds 3^8 to the edge with its X-squares.
        assert_eq!(indices.configuration(Pattern::EdgeWithX, 0), 29_524 + 1 - 3 + 6561);
    }
}
