//! Legal moves found from the line tables (section 4.2.1): the moves of each line are looked up, and put together
//! they are the moves of the board.

use othello::{Color, symmetry};

use super::lines::{
    DIAGONALS, DIAGONALS_FROM, KIND_COUNT, KIND_LENGTH, KIND_START, LINE_COUNT, LINES, LineIndices, RISING_FROM,
    flips_on_line, places,
};

/// The number of entries of a table that an index of 16 bits cannot miss.
pub(crate) const TABLE_SIZE: usize = 1 << 16;

/// The legal moves on every line: a bit a place, Black's moves in the lower byte and White's in the upper. Lines of one length
/// share their entries, so that the table stays in the fastest cache.
#[derive(Clone, Debug)]
pub struct LineMoves(Box<[u16; MOVES_SIZE]>);

/// The entries of all lengths, and more up to a power of two.
const MOVES_SIZE: usize = 1 << 14;

/// Offset that is subtracted from the number of each line to find its entry: the kinds of eight squares all begin where the first does.
const SHIFT: [u16; LINE_COUNT] = {
    let mut shift = [0; LINE_COUNT];
    let mut line = 0;
    while line < LINE_COUNT {
        shift[line] = shift_of(LINES[line].kind) as u16;
        line += 1;
    }
    shift
};

/// Offset that is subtracted from the number of a line of this kind.
const fn shift_of(kind: usize) -> usize {
    const LAST_OF_EIGHT: usize = 4;
    if kind < LAST_OF_EIGHT { KIND_START[kind] } else { KIND_START[LAST_OF_EIGHT] }
}

/// A table of zeros.
pub(crate) fn table_of_zeros<T: Copy + Default>() -> Box<[T; TABLE_SIZE]> {
    match vec![T::default(); TABLE_SIZE].into_boxed_slice().try_into() {
        Ok(table) => table,
        Err(_) => unreachable!("the slice has the size of the table"),
    }
}

/// Goes through the entries of all kinds of lines: the kind, the number of the entry, and the places of its black and
/// of its white discs.
pub(crate) fn entries() -> impl Iterator<Item = (usize, usize, u16, u16)> {
    (0..KIND_COUNT).flat_map(|kind| {
        let length = KIND_LENGTH[kind];
        (0..3usize.pow(length as u32)).map(move |index| {
            let (black, white) = places(index, length);
            (kind, KIND_START[kind] + index, black, white)
        })
    })
}

/// The moves on a line that flip something there.
pub(crate) fn moves_on_line(own: u16, other: u16, length: usize) -> u16 {
    (0..length).filter(|&place| flips_on_line(own, other, length, place) != 0).fold(0, |set, place| set | 1 << place)
}

impl LineMoves {
    /// Computes the table.
    pub fn new() -> Self {
        let mut table = Box::new([0; MOVES_SIZE]);
        for (kind, entry, black, white) in entries() {
            let length = KIND_LENGTH[kind];
            table[entry - shift_of(kind)] =
                moves_on_line(black, white, length) | moves_on_line(white, black, length) << 8;
        }
        Self(table)
    }

    /// The legal moves of Black and of White.
    #[inline]
    pub fn moves(&self, indices: &LineIndices) -> [u64; 2] {
        let lines = indices.lines();
        let look_up = |line: usize| self.0[usize::from(lines[line].wrapping_sub(SHIFT[line])) % MOVES_SIZE];
        let rows: [u16; 8] = std::array::from_fn(look_up);
        let columns: [u16; 8] = std::array::from_fn(|number| look_up(8 + number));
        // A diagonal's moves stand in the columns of their squares. Two diagonals that are eight rows apart share
        // a byte, since no column has a square of both; the byte's number is the row in which they meet column 0, counted
        // around the board.
        let mut falling = [0; 8];
        let mut rising = [0; 8];
        for which in 0..DIAGONALS {
            let first = which.saturating_sub(5);
            falling[(13 - which) % 8] |= look_up(DIAGONALS_FROM + which) << first;
            rising[(2 + which) % 8] |= look_up(RISING_FROM + which) << first;
        }
        let (rows, columns, falling, rising) = (boards(rows), boards(columns), boards(falling), boards(rising));
        std::array::from_fn(|color| {
            rows[color]
                | symmetry::transpose(columns[color])
                | columns_lowered(falling[color])
                | columns_raised(rising[color])
        })
    }
}

/// Black's and White's bytes, each put together to a board.
#[inline]
fn boards(lines: [u16; 8]) -> [u64; 2] {
    [u64::from_le_bytes(lines.map(|line| line as u8)), u64::from_le_bytes(lines.map(|line| (line >> 8) as u8))]
}

impl Default for LineMoves {
    fn default() -> Self {
        Self::new()
    }
}

const ODD_COLUMNS: u64 = 0xaaaa_aaaa_aaaa_aaaa;
const COLUMNS_BY_TWO: u64 = 0xcccc_cccc_cccc_cccc;
const COLUMNS_BY_FOUR: u64 = 0xf0f0_f0f0_f0f0_f0f0;

/// Moves each column down by its number, around the board.
#[inline]
fn columns_lowered(set: u64) -> u64 {
    let set = set & !ODD_COLUMNS | set.rotate_left(8) & ODD_COLUMNS;
    let set = set & !COLUMNS_BY_TWO | set.rotate_left(16) & COLUMNS_BY_TWO;
    set & !COLUMNS_BY_FOUR | set.rotate_left(32) & COLUMNS_BY_FOUR
}

/// Moves each column up by its number, around the board.
#[inline]
fn columns_raised(set: u64) -> u64 {
    let set = set & !ODD_COLUMNS | set.rotate_right(8) & ODD_COLUMNS;
    let set = set & !COLUMNS_BY_TWO | set.rotate_right(16) & COLUMNS_BY_TWO;
    set & !COLUMNS_BY_FOUR | set.rotate_right(32) & COLUMNS_BY_FOUR
}

/// The number by which a color's tables are found.
#[inline]
pub(crate) const fn number_of(color: Color) -> usize {
    match color {
        Color::Black => 0,
        Color::White => 1,
    }
}

#[cfg(test)]
mod tests {
    use othello::{Board, Rules};
    use search::samples::{Origin, Samples};

    use super::*;

    #[test]
    fn the_38_lines_find_exactly_the_legal_moves() {
        let tables = LineMoves::new();
        let mut samples = Samples::<Board>::new(3);
        for number in 0..20_000 {
            let origin = Origin::ALL[number % 4];
            let board: Board = samples.position(origin, samples_empties(number));
            for turn in [Color::Black, Color::White] {
                let moves = tables.moves(&LineIndices::new(&board, turn));
                assert_eq!(moves[number_of(turn)], board.moves(), "{board:?}");
                assert_eq!(moves[number_of(!turn)], board.pass().moves(), "{board:?}");
            }
        }
    }

    fn samples_empties(number: usize) -> u32 {
        (number / 4 % 60) as u32
    }

    #[test]
    fn full_and_empty_boards_and_boards_of_one_color_have_no_moves() {
        let tables = LineMoves::new();
        for board in [Board::new(0, 0), Board::new(u64::MAX, 0), Board::new(0, u64::MAX), Board::new(0xff00, 0)] {
            assert_eq!(tables.moves(&LineIndices::new(&board, Color::White)), [0, 0]);
        }
    }
}
