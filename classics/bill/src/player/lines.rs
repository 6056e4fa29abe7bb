//! The 38 lines of the board, and the indices of their contents (section 4.2.1).
//!
//! A line is read as a number in base three, one digit per square: 0 for an empty one, 1 for a black disc, 2 for a
//! white one. All numbers are kept up to date with every move; since a square lies on at most four lines and two edges,
//! a disc changes few of them, and they are updated as one vector.

use othello::{Board, Color, SquareSet, squares};

/// The rows, the columns and the diagonals of three squares and more.
pub const LINE_COUNT: usize = 38;

/// Kinds of lines that have a table of their own: four distances of rows and columns from the edge, and six lengths of
/// diagonals. The paper manages with nine, by a compression that it does not describe.
pub const KIND_COUNT: usize = 10;

/// The squares of the longest line.
pub const LONGEST: usize = 8;

/// The four edges come after the lines, each with its two X-squares.
pub const EDGE_COUNT: usize = 4;

/// Squares of an edge with its X-squares.
pub const EDGE_SQUARES: usize = 10;

/// Lines and edges, filled up to whole vectors.
const LANES: usize = 48;

/// One of the 38 lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Line {
    /// Which table it is looked up in.
    pub kind: usize,
    /// Number of its squares.
    pub length: usize,
    /// Its squares; those after `length` are unused.
    pub squares: [u8; LONGEST],
}

/// The length of the lines of each kind.
pub const KIND_LENGTH: [usize; KIND_COUNT] = [8, 8, 8, 8, 8, 7, 6, 5, 4, 3];

/// Start of the entries of each kind in a table of all kinds, and the end of the last ones.
pub(crate) const KIND_START: [usize; KIND_COUNT + 1] = {
    let mut start = [0; KIND_COUNT + 1];
    let mut kind = 0;
    while kind < KIND_COUNT {
        start[kind + 1] = start[kind] + 3usize.pow(KIND_LENGTH[kind] as u32);
        kind += 1;
    }
    start
};

/// The first row is line 0, the first column line 8; then come the diagonals that run down to the right, from the
/// lower left to the upper right, then those that run up to the right, from the upper left to the lower right.
pub const LINES: [Line; LINE_COUNT] = {
    let mut lines = [Line { kind: 0, length: 8, squares: [0; LONGEST] }; LINE_COUNT];
    let mut number = 0;
    while number < 8 {
        let kind = if number < 4 { number } else { 7 - number };
        let mut place = 0;
        while place < 8 {
            lines[number].squares[place] = (8 * number + place) as u8;
            lines[8 + number].squares[place] = (8 * place + number) as u8;
            place += 1;
        }
        lines[number].kind = kind;
        lines[8 + number].kind = kind;
        number += 1;
    }
    // Diagonals by column minus row, and by their sum; places are counted by columns.
    let mut which = 0;
    while which < DIAGONALS {
        let (falling, rising) = (DIAGONALS_FROM + which, RISING_FROM + which);
        let difference = which as isize - 5;
        let length = 8 - difference.unsigned_abs();
        let first = if difference > 0 { difference } else { 0 };
        let mut place = 0;
        while place < length {
            let column = first + place as isize;
            lines[falling].squares[place] = (8 * (column - difference) + column) as u8;
            lines[rising].squares[place] = (8 * (7 - (column - difference)) + column) as u8;
            place += 1;
        }
        // The length of 8 is kind 4, that of 3 kind 9.
        lines[falling].kind = 12 - length;
        lines[falling].length = length;
        lines[rising].kind = 12 - length;
        lines[rising].length = length;
        which += 1;
    }
    lines
};

/// Number of diagonals in each of the two directions.
pub(crate) const DIAGONALS: usize = 11;
/// The number of the first diagonal that runs down to the right.
pub(crate) const DIAGONALS_FROM: usize = 16;
/// The number of the first diagonal that runs up to the right.
pub(crate) const RISING_FROM: usize = DIAGONALS_FROM + DIAGONALS;

/// The squares of the four edges: the eight of the edge itself, then the X-square near its first square and the one near
/// its last.
pub const EDGES: [[u8; EDGE_SQUARES]; EDGE_COUNT] = [
    [0, 1, 2, 3, 4, 5, 6, 7, 9, 14],
    [56, 57, 58, 59, 60, 61, 62, 63, 49, 54],
    [0, 8, 16, 24, 32, 40, 48, 56, 9, 49],
    [7, 15, 23, 31, 39, 47, 55, 63, 14, 54],
];

/// Number that a black disc on each square adds to the number of each line and edge.
static POWERS: [[u16; LANES]; 64] = {
    let mut powers = [[0; LANES]; 64];
    let mut line = 0;
    while line < LINE_COUNT {
        let mut place = 0;
        let mut power = 1;
        while place < LINES[line].length {
            powers[LINES[line].squares[place] as usize][line] = power;
            power *= 3;
            place += 1;
        }
        line += 1;
    }
    let mut edge = 0;
    while edge < EDGE_COUNT {
        let mut place = 0;
        let mut power: u16 = 1;
        while place < EDGE_SQUARES {
            powers[EDGES[edge][place] as usize][LINE_COUNT + edge] = power;
            power = power.wrapping_mul(3);
            place += 1;
        }
        edge += 1;
    }
    powers
};

/// The numbers of an empty board: each line points to its kind's part of the tables, so that a look-up needs nothing
/// else.
const EMPTY: [u16; LANES] = {
    let mut empty = [0; LANES];
    let mut line = 0;
    while line < LINE_COUNT {
        empty[line] = KIND_START[LINES[line].kind] as u16;
        line += 1;
    }
    empty
};

/// The contents of the 38 lines and the four edges of a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(align(32))]
pub struct LineIndices([u16; LANES]);

impl LineIndices {
    /// The numbers of a board whose side to move is of this color.
    pub fn new(board: &Board, turn: Color) -> Self {
        let (black, white) = match turn {
            Color::Black => (board.player, board.opponent),
            Color::White => (board.opponent, board.player),
        };
        let mut indices = Self(EMPTY);
        let (black, white) = (sum_of_powers(black), sum_of_powers(white));
        for lane in 0..LANES {
            indices.0[lane] = indices.0[lane].wrapping_add(black[lane]).wrapping_add(white[lane].wrapping_mul(2));
        }
        indices
    }

    /// The numbers after a move of this color on square number `square` that flips these discs.
    #[inline]
    pub(crate) fn after(&self, square: usize, flips: u64, mover: Color) -> Self {
        let flipped = sum_of_powers(flips);
        let placed = &POWERS[square & 63];
        let mut after = *self;
        // A white disc counts one more than a black one.
        match mover {
            Color::Black => {
                for lane in 0..LANES {
                    after.0[lane] = after.0[lane].wrapping_add(placed[lane]).wrapping_sub(flipped[lane]);
                }
            }
            Color::White => {
                for lane in 0..LANES {
                    after.0[lane] =
                        after.0[lane].wrapping_add(placed[lane].wrapping_mul(2)).wrapping_add(flipped[lane]);
                }
            }
        }
        after
    }

    /// The numbers of the lines, each from the beginning of its kind's part of the tables on.
    #[inline]
    pub(crate) fn lines(&self) -> &[u16; LINE_COUNT] {
        self.0.first_chunk().expect("there are more lanes than lines")
    }

    /// The numbers of the edges with their X-squares.
    #[inline]
    pub fn edges(&self) -> [u16; EDGE_COUNT] {
        std::array::from_fn(|edge| self.0[LINE_COUNT + edge])
    }
}

#[inline]
fn sum_of_powers(set: u64) -> [u16; LANES] {
    let mut sum = [0u16; LANES];
    if set.is_empty() {
        return sum;
    }
    for square in squares(set) {
        let powers = &POWERS[square.index() & 63];
        for lane in 0..LANES {
            sum[lane] = sum[lane].wrapping_add(powers[lane]);
        }
    }
    sum
}

/// The contents of a line or edge: the places with digit 1 and those with digit 2, lowest first.
pub(crate) fn places(mut index: usize, length: usize) -> (u16, u16) {
    let (mut ones, mut twos) = (0, 0);
    for place in 0..length {
        match index % 3 {
            1 => ones |= 1 << place,
            2 => twos |= 1 << place,
            _ => {}
        }
        index /= 3;
    }
    (ones, twos)
}

/// The number of a line or edge on which these places have digit 1 and those digit 2: the inverse of [`places`].
pub(crate) fn index_of(ones: u16, twos: u16, length: usize) -> usize {
    (0..length)
        .rev()
        .fold(0, |index, place| 3 * index + usize::from(ones >> place & 1) + 2 * usize::from(twos >> place & 1))
}

/// The places of a line that are flipped by playing on one of them, if it is empty: `own` brackets `other`.
pub(crate) fn flips_on_line(own: u16, other: u16, length: usize, place: usize) -> u16 {
    if (own | other) >> place & 1 == 1 {
        return 0;
    }
    let run = |places: &mut dyn Iterator<Item = usize>| {
        let mut flips = 0;
        for next in places {
            match (own >> next & 1, other >> next & 1) {
                (1, _) => return flips,
                (_, 1) => flips |= 1 << next,
                _ => return 0,
            }
        }
        0
    };
    run(&mut (place + 1..length)) | run(&mut (0..place).rev())
}

#[cfg(test)]
mod tests {
    use othello::Rules;
    use search::samples::{Origin, Samples};

    use super::*;

    #[test]
    fn the_lines_are_all_the_straight_rows_of_three_squares_and_more() {
        let of_length = |length| LINES.iter().filter(|line| line.length == length).count();
        // The paper's footnote 2: 8 horizontal, 8 vertical, 2 main and 20 minor diagonals.
        assert_eq!([8, 7, 6, 5, 4, 3].map(of_length), [18, 4, 4, 4, 4, 4]);
        for line in LINES {
            assert_eq!(KIND_LENGTH[line.kind], line.length);
            let squares = &line.squares[..line.length];
            let step = squares[1] as i8 - squares[0] as i8;
            assert!([1, 8, 9, -7].contains(&step), "{squares:?}");
            assert!(squares.windows(2).all(|pair| pair[1] as i8 - pair[0] as i8 == step), "{squares:?}");
            let next_to: i32 = squares.windows(2).map(|pair| (pair[0] % 8).abs_diff(pair[1] % 8) as i32).max().unwrap();
            assert!(next_to <= 1, "{squares:?} leaves the board");
        }
        let mut sorted: Vec<_> = LINES.iter().map(|line| line.squares[..line.length].to_vec()).collect();
        sorted.sort();
        sorted.dedup();
        assert_eq!(sorted.len(), LINE_COUNT);
    }

    #[test]
    fn lines_of_one_kind_are_the_same_up_to_symmetry() {
        let distances = |line: &Line| -> Vec<(u8, u8)> {
            let of = |square: u8| {
                let (column, row) = (square % 8, square / 8);
                let (one, other) = (column.min(7 - column), row.min(7 - row));
                (one.min(other), one.max(other))
            };
            line.squares[..line.length].iter().map(|&square| of(square)).collect()
        };
        for one in &LINES {
            for other in LINES.iter().filter(|other| other.kind == one.kind) {
                assert_eq!(distances(one), distances(other));
            }
            let mut turned = distances(one);
            turned.reverse();
            assert_eq!(turned, distances(one));
        }
    }

    #[test]
    fn indices_say_what_is_read_square_by_square() {
        let mut samples = Samples::<Board>::new(1);
        for empties in [0, 5, 20, 40, 60] {
            let board: Board = samples.position(Origin::RandomGame, empties);
            let indices = LineIndices::new(&board, Color::Black);
            for (line, &found) in LINES.iter().zip(indices.lines()) {
                let (mut index, mut power) = (KIND_START[line.kind], 1);
                for &square in &line.squares[..line.length] {
                    index += power * ((board.player >> square & 1) + 2 * (board.opponent >> square & 1)) as usize;
                    power *= 3;
                }
                assert_eq!(usize::from(found), index);
            }
            for (edge, found) in EDGES.iter().zip(indices.edges()) {
                let digit = |&square: &u8| ((board.player >> square & 1) + 2 * (board.opponent >> square & 1)) as usize;
                let index = edge.iter().rev().fold(0, |index, square| 3 * index + digit(square));
                assert_eq!(usize::from(found), index);
            }
        }
    }

    #[test]
    fn incremental_indices_are_those_computed_from_scratch_on_random_walks_with_undone_moves() {
        let mut samples = Samples::<Board>::new(2);
        for _ in 0..200 {
            let mut path = vec![(Board::start(), Color::Black, LineIndices::new(&Board::start(), Color::Black))];
            for _ in 0..120 {
                let &(board, turn, indices) = path.last().unwrap();
                if samples.below(4) == 0 && path.len() > 1 {
                    path.pop();
                } else if board.must_pass() {
                    path.push((board.pass(), !turn, indices));
                } else if board.can_move() {
                    let moves = board.moves();
                    let square = squares(moves).nth(samples.below(moves.count_ones()) as usize).unwrap();
                    let flips = board.flips(square);
                    path.push((board.after(square, flips), !turn, indices.after(square.index(), flips, turn)));
                }
                let (board, turn, indices) = path.last().unwrap();
                assert_eq!(*indices, LineIndices::new(board, *turn));
            }
        }
    }

    #[test]
    fn a_number_and_its_places_are_each_others_inverse() {
        for index in 0..3usize.pow(10) {
            let (ones, twos) = places(index, 10);
            assert_eq!(index_of(ones, twos, 10), index);
        }
    }
}
