//! The pattern indices, updated incrementally by the search (Buro 1997, "Incremental Index Updates").
//!
//! The indices of the lines and of the 2x4 corners are kept up to date by the moves; a square belongs to at most five of
//! them, because diagonals of less than four squares are left out. Those of the large patterns are derived from them at
//! the leaves: an edge with its X-squares from the edge, a 2x5 or 3x4 corner from the 2x4 corner.

use othello::{Board, Square, squares};

use super::patterns::{
    CORNER_2X4, CORNER_2X5, CORNER_3X4, EDGE, EDGE_2X, LARGE_COUNT, PLACES, PLACES_OF, SLOT_COUNT, Shape, centre,
};

/// As many indices as a square belongs to at most.
const MOST: usize = 5;

/// The slots, padded to a power of two, so that no access needs a bounds check.
const LANES: usize = 64;

/// Which indices a square belongs to, and what a disc of the first color on it adds to each. If there are fewer than
/// five, the rest point to an unused lane.
#[derive(Clone, Copy)]
struct Influence {
    slots: [u8; MOST],
    shares: [i16; MOST],
}

static INFLUENCES: [Influence; 64] = {
    let mut influences = [Influence { slots: [SLOT_COUNT as u8; MOST], shares: [0; MOST] }; 64];
    let mut counts = [0; 64];
    let mut slot = 0;
    while slot < SLOT_COUNT {
        let shape = &PLACES[slot];
        let mut place = 0;
        while place < shape.size() {
            let square = shape.square(place).index();
            // A sixth index would not fit, and this would not compile.
            influences[square].slots[counts[square]] = slot as u8;
            influences[square].shares[counts[square]] = 3i16.pow((shape.size() - 1 - place) as u32);
            counts[square] += 1;
            place += 1;
        }
        slot += 1;
    }
    influences
};

/// The indices of all lines and 2x4 corners, in the order of [`PLACES`], and the side to move.
///
/// They refer to two colors, of which the first was to move when they were computed, so that a pass changes nothing and
/// a move only what it flips.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Indices {
    values: [i16; LANES],
    /// 1 if the first color is to move, else -1.
    side: i16,
}

impl Indices {
    /// The indices of a board, its side to move being the first color.
    pub fn of(board: &Board) -> Self {
        let mut indices = Self { values: [0; LANES], side: 1 };
        squares(board.player).for_each(|square| indices.turn(square, 1));
        squares(board.opponent).for_each(|square| indices.turn(square, -1));
        indices
    }

    /// Makes a move of the side to move on an empty square, flipping these discs.
    #[inline]
    pub fn play(&mut self, square: Square, flips: u64) {
        self.turn(square, self.side);
        squares(flips).for_each(|flipped| self.turn(flipped, 2 * self.side));
        self.side = -self.side;
    }

    /// Undoes a move: the same with negated offsets.
    #[inline]
    pub fn undo(&mut self, square: Square, flips: u64) {
        self.side = -self.side;
        squares(flips).for_each(|flipped| self.turn(flipped, -2 * self.side));
        self.turn(square, -self.side);
    }

    /// Passes, or undoes a pass.
    #[inline]
    pub fn pass(&mut self) {
        self.side = -self.side;
    }

    /// 1 if the side to move has the first color, else -1.
    #[inline]
    pub fn side(&self) -> i16 {
        self.side
    }

    /// The index of a slot.
    #[inline]
    pub fn slot(&self, slot: usize) -> i16 {
        self.values[slot % LANES]
    }

    /// The indices of the places of a small pattern.
    #[inline]
    pub(super) fn of_pattern(&self, pattern: usize) -> &[i16] {
        &self.values[PLACES_OF[pattern]..PLACES_OF[pattern + 1]]
    }

    /// Adds a multiple of what a disc on a square is worth to all indices that the square belongs to.
    #[inline]
    fn turn(&mut self, square: Square, factor: i16) {
        let influence = &INFLUENCES[square.index() % 64];
        for number in 0..MOST {
            self.values[usize::from(influence.slots[number]) % LANES] += factor * influence.shares[number];
        }
    }

    /// The indices of the large patterns; the board is the one that these indices are of.
    #[inline]
    pub fn large(&self, board: &Board) -> LargeIndices {
        let (first, second) =
            if self.side > 0 { (board.player, board.opponent) } else { (board.opponent, board.player) };
        // One digit.
        let disc = |square: u8| (first >> square & 1) as i32 - (second >> square & 1) as i32;
        let pair = |squares: [u8; 2]| 3 * disc(squares[0]) + disc(squares[1]);
        let edge = |number: usize| i32::from(self.values[PLACES_OF[EDGE] + number]);
        let corner = |number: usize| i32::from(self.values[PLACES_OF[CORNER_2X4] + number]);
        LargeIndices {
            edges: std::array::from_fn(|number| 9 * edge(number) + pair(X_SQUARES[number])),
            corners_2x5: std::array::from_fn(|number| 9 * corner(number) + pair(FIFTHS[number])),
            corners_3x4: std::array::from_fn(|number| {
                let ThirdLine { slot, end } = THIRD_LINES[number];
                let line = i32::from(self.values[usize::from(slot) % LANES]);
                let halves = HALVES[((line + CENTRE_OF_8) as usize).min(HALVES.len() - 1)];
                81 * corner(number) + i32::from(halves[usize::from(end) % 2])
            }),
        }
    }
}

/// The indices of the large patterns, each in the order of its places.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LargeIndices {
    /// Of the edges with their X-squares.
    pub edges: [i32; 4],
    /// Of the 2x5 corners.
    pub corners_2x5: [i32; 8],
    /// Of the 3x4 corners.
    pub corners_3x4: [i32; 8],
}

impl LargeIndices {
    /// The indices of each large pattern, in the order of the patterns.
    pub fn by_pattern(&self) -> [&[i32]; LARGE_COUNT] {
        [&self.edges, &self.corners_2x5, &self.corners_3x4]
    }
}

const CENTRE_OF_8: i32 = centre(8);

/// The last two squares of the places of a pattern.
const fn last_pairs<const N: usize>(pattern: usize) -> [[u8; 2]; N] {
    let mut pairs = [[0; 2]; N];
    let mut number = 0;
    while number < N {
        let shape: &Shape = &PLACES[PLACES_OF[pattern] + number];
        let size = shape.size();
        pairs[number] = [shape.square(size - 2).index() as u8, shape.square(size - 1).index() as u8];
        number += 1;
    }
    pairs
}

static X_SQUARES: [[u8; 2]; 4] = last_pairs(EDGE_2X);
static FIFTHS: [[u8; 2]; 8] = last_pairs(CORNER_2X5);

/// Place of the last four squares of a 3x4 corner: the line that they are half of, and which half.
#[derive(Clone, Copy)]
struct ThirdLine {
    slot: u8,
    /// 0 if they are the first four squares of the line in its order, 1 if the last four in the order from the end.
    end: u8,
}

static THIRD_LINES: [ThirdLine; 8] = {
    let mut lines = [ThirdLine { slot: 0, end: 0 }; 8];
    let mut number = 0;
    while number < 8 {
        let corner = &PLACES[PLACES_OF[CORNER_3X4] + number];
        let mut is_found = false;
        let mut slot = 0;
        while slot < SLOT_COUNT {
            let line = &PLACES[slot];
            if line.size() == 8 && slot < PLACES_OF[CORNER_2X4] {
                let (mut is_head, mut is_tail) = (true, true);
                let mut place = 0;
                while place < 4 {
                    let square = corner.square(8 + place).index();
                    is_head &= line.square(place).index() == square;
                    is_tail &= line.square(7 - place).index() == square;
                    place += 1;
                }
                if is_head || is_tail {
                    lines[number] = ThirdLine { slot: slot as u8, end: is_tail as u8 };
                    is_found = true;
                }
            }
            slot += 1;
        }
        assert!(is_found);
        number += 1;
    }
    lines
};

/// For every index of a line of eight: the index of its first four squares, and of its last four read from the end.
static HALVES: [[i8; 2]; 6561] = {
    let mut halves = [[0; 2]; 6561];
    let mut number = 0;
    while number < 6561 {
        let mut rest = number as i32 - CENTRE_OF_8;
        let mut half = 0;
        let mut parts = [0i32; 2];
        // The lowest digit comes first, which is the highest of the half that is read from the end.
        let mut power = 27;
        while half < 8 {
            let digit = (rest + 1).rem_euclid(3) - 1;
            rest = (rest - digit) / 3;
            if half < 4 {
                parts[1] += digit * power;
                power /= 3;
            } else {
                parts[0] += digit * 3i32.pow(half - 4);
            }
            half += 1;
        }
        halves[number] = [parts[0] as i8, parts[1] as i8];
        number += 1;
    }
    halves
};

#[cfg(test)]
mod tests {
    use othello::Rules;
    use search::samples::{Origin, Samples};

    use super::*;

    /// Compares with what is read square by square off the board.
    fn check(indices: &Indices, board: &Board) {
        let (first, second) =
            if indices.side() > 0 { (board.player, board.opponent) } else { (board.opponent, board.player) };
        for (slot, place) in PLACES[..SLOT_COUNT].iter().enumerate() {
            assert_eq!(i32::from(indices.slot(slot)), place.balanced_index(first, second), "slot {slot}");
        }
        let large = indices.large(board);
        for (number, found) in large.by_pattern().into_iter().enumerate() {
            let pattern = EDGE_2X + number;
            let expected: Vec<i32> = PLACES[PLACES_OF[pattern]..PLACES_OF[pattern + 1]]
                .iter()
                .map(|place| place.balanced_index(first, second))
                .collect();
            assert_eq!(found, expected, "pattern {pattern}");
        }
    }

    #[test]
    fn a_square_belongs_to_at_most_five_indices_as_in_figure_5() {
        let slots = |name: &str| {
            let square: Square = name.parse().expect("a square");
            let influence = &INFLUENCES[square.index()];
            influence.shares.iter().filter(|&&share| share != 0).count()
        };
        // c2: line, column, two diagonals and one corner; h7: line, column, a diagonal of 7 and both corners.
        assert_eq!((slots("c2"), slots("h7")), (5, 5));
        let fewest = Square::all().map(|square| slots(&square.to_string())).min();
        assert_eq!(fewest, Some(4));
    }

    #[test]
    fn indices_kept_along_games_and_taken_back_are_those_read_off_the_board() {
        let mut samples = Samples::<Board>::new(11);
        for _ in 0..60 {
            let mut board = Board::start();
            let mut indices = Indices::of(&board);
            let mut path = Vec::new();
            while !board.is_over() {
                check(&indices, &board);
                let moves = board.moves();
                if moves == 0 {
                    path.push((indices, None));
                    indices.pass();
                    board = board.pass();
                    continue;
                }
                let number = samples.below(moves.count_ones()) as usize;
                let square = squares(moves).nth(number).expect("a move");
                let flips = board.flips(square);
                path.push((indices, Some((square, flips))));
                indices.play(square, flips);
                board = board.after(square, flips);
            }
            check(&indices, &board);
            while let Some((before, step)) = path.pop() {
                match step {
                    Some((square, flips)) => indices.undo(square, flips),
                    None => indices.pass(),
                }
                assert_eq!(indices, before);
            }
        }
    }

    #[test]
    fn indices_are_those_read_off_the_board_on_random_walks_with_moves_taken_back() {
        let mut samples = Samples::<Board>::new(13);
        let mut board = Board::start();
        // One set of indices throughout, updated in place.
        let mut indices = Indices::of(&board);
        let mut path: Vec<(Board, Option<(Square, u64)>)> = Vec::new();
        for _ in 0..5000 {
            check(&indices, &board);
            if !path.is_empty() && (board.is_over() || samples.below(3) == 0) {
                let (before, step) = path.pop().expect("a step to take back");
                match step {
                    Some((square, flips)) => indices.undo(square, flips),
                    None => indices.pass(),
                }
                board = before;
            } else if board.must_pass() {
                path.push((board, None));
                indices.pass();
                board = board.pass();
            } else {
                let moves = board.moves();
                let square = squares(moves).nth(samples.below(moves.count_ones()) as usize).expect("a move");
                let flips = board.flips(square);
                path.push((board, Some((square, flips))));
                indices.play(square, flips);
                board = board.after(square, flips);
            }
        }
    }

    #[test]
    fn boards_from_nowhere_have_indices_too() {
        let mut samples = Samples::<Board>::new(12);
        for empty_count in 0..=64 {
            let board = samples.position(Origin::RandomDiscs, empty_count);
            check(&Indices::of(&board), &board);
        }
        for board in [Board::new(0, 0), Board::new(u64::MAX, 0), Board::new(0, u64::MAX)] {
            check(&Indices::of(&board), &board);
        }
    }
}
