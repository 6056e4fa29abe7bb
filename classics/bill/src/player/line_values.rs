//! The contribution of lines to mobility: move penalty, potential mobility and sequence penalty, three tables in one
//! word of 32 bits (sections 4.2.1 to 4.2.4).
//!
//! The paper describes what each table considers but prints none of its numbers. Those here follow its description:
//! flipped discs cost, more than in proportion, each direction costs, and discs next to the edge cost most because they
//! are on the frontier. Among numbers that fit, those were chosen that best separate won from lost positions of stored
//! games.

use super::line_moves::{TABLE_SIZE, entries, table_of_zeros};
use super::lines::{KIND_COUNT, KIND_LENGTH, LINE_COUNT, LineIndices, flips_on_line};

/// The values of one side, of one line or summed over all.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LineValues {
    /// The penalty of its moves for the discs that they flip.
    pub move_penalty: u32,
    /// Potential mobility.
    pub potential_mobility: u32,
    /// The penalty for its own strings of discs.
    pub sequence_penalty: u32,
}

impl LineValues {
    /// 16 bits for the move penalty, 8 for potential mobility and 8 for the sequence penalty (section 4.2.4).
    pub(crate) fn pack(self) -> u32 {
        self.move_penalty << 16 | self.potential_mobility << 8 | self.sequence_penalty
    }

    /// The parts of a word, or of a sum of words: no part ever overflows into the next, see [`MAX_POTENTIAL`].
    pub(crate) fn unpack(word: u32) -> Self {
        Self { move_penalty: word >> 16, potential_mobility: word >> 8 & 0xff, sequence_penalty: word & 0xff }
    }
}

/// The most potential mobility that a line of each kind may have. Over the 38 lines that is 254, so that no sum
/// overflows into its neighbor.
const MAX_POTENTIAL: [u32; KIND_COUNT] = [14, 6, 5, 10, 3, 12, 7, 4, 3, 1];

/// The most that a line may add to the 16 bits of the move penalty: 38 times this fit.
const MAX_PENALTY: u32 = 0xffff / LINE_COUNT as u32;

/// Cost of a flipped disc, by the kind of the line: least on the edge, which the edge table covers, most on the
/// second line, where discs are on the frontier.
const FLIPPED_DISC: [u32; KIND_COUNT] = [1, 7, 5, 4, 4, 5, 5, 4, 4, 4];
/// Additional cost of each further disc of a string, which grows with every disc.
const LONG_STRING: u32 = 1;
/// Cost of each direction in which a move flips.
const DIRECTION: u32 = 4;
/// Cost of an empty square behind the new disc: it will be on the frontier.
const OPEN_BEHIND: u32 = 3;

/// The value of an empty square next to an opponent's disc as a potential move, by the kind of the line and by the
/// places between the square and the nearer end of the line. A corner along the edge is worth most; an X-square, which
/// lies on the second lines, the long diagonal and the diagonal of three squares, is worth little on each.
///
/// The proportions are those of a least-squares fit of final scores to such counts in games of the store, rounded, and
/// at least 1: the paper gives a bonus on every line.
const POTENTIAL: [[u32; 4]; KIND_COUNT] = [
    [12, 2, 6, 3],
    [1, 3, 2, 1],
    [1, 2, 1, 1],
    [5, 4, 5, 1],
    [1, 3, 3, 1],
    [9, 4, 1, 1],
    [5, 2, 2, 0],
    [3, 1, 1, 0],
    [1, 2, 0, 0],
    [1, 1, 0, 0],
];

/// The penalty for a string of this many discs, from one to eight, by the kind of the line: never less for a longer
/// string, and most next to the edge. Other tables of that form, steeper or flatter, separate won from lost positions
/// equally well: potential mobility has already counted most of what lies on the frontier.
const SEQUENCE: [[u32; 8]; KIND_COUNT] = [
    [1, 1, 1, 1, 1, 1, 1, 2],
    [1, 2, 4, 5, 6, 7, 8, 8],
    [1, 1, 2, 2, 3, 3, 3, 3],
    [1, 1, 1, 2, 2, 2, 3, 3],
    [1, 1, 1, 1, 2, 2, 2, 2],
    [1, 1, 2, 2, 3, 3, 4, 0],
    [1, 2, 2, 3, 3, 4, 0, 0],
    [1, 1, 2, 3, 3, 0, 0, 0],
    [1, 1, 1, 2, 0, 0, 0, 0],
    [1, 1, 2, 0, 0, 0, 0, 0],
];

/// Cost of the moves on a line for the side that plays them.
fn move_penalty(kind: usize, own: u16, other: u16) -> u32 {
    let length = KIND_LENGTH[kind];
    let is_empty = |place: usize| (own | other) >> place & 1 == 0;
    let mut penalty = 0;
    for place in 0..length {
        let flips = flips_on_line(own, other, length, place);
        if flips == 0 {
            continue;
        }
        let ahead = flips & !0 << place;
        for (string, behind) in [(ahead, place.checked_sub(1)), (flips & !ahead, Some(place + 1))] {
            let count = string.count_ones();
            if count == 0 {
                continue;
            }
            penalty += DIRECTION + FLIPPED_DISC[kind] * count + LONG_STRING * (count * (count - 1) / 2);
            if behind.is_some_and(|behind| behind < length && is_empty(behind)) {
                penalty += OPEN_BEHIND;
            }
        }
    }
    penalty.min(MAX_PENALTY)
}

/// The potential mobility of a line: the opponent's discs next to empty squares. A disc at the end of the line cannot
/// be flipped along it, so only those inside count.
fn potential_mobility(kind: usize, own: u16, other: u16) -> u32 {
    let length = KIND_LENGTH[kind];
    let is_empty = |place: usize| (own | other) >> place & 1 == 0;
    let worth = |place: usize| POTENTIAL[kind][place.min(length - 1 - place)];
    let sum = (1..length - 1)
        .filter(|&place| other >> place & 1 == 1)
        .flat_map(|place| [place - 1, place + 1])
        .filter(|&place| is_empty(place))
        .map(worth)
        .sum::<u32>();
    sum.min(MAX_POTENTIAL[kind])
}

/// Cost of the strings of own discs on a line.
fn sequence_penalty(kind: usize, own: u16) -> u32 {
    let mut penalty = 0;
    let mut run = 0;
    for place in 0..=KIND_LENGTH[kind] {
        if own >> place & 1 == 1 {
            run += 1;
        } else if run > 0 {
            penalty += SEQUENCE[kind][run - 1];
            run = 0;
        }
    }
    penalty
}

/// The values of one side on a line of a kind, computed from its discs and the other side's.
pub(crate) fn line_values(kind: usize, own: u16, other: u16) -> LineValues {
    LineValues {
        move_penalty: move_penalty(kind, own, other),
        potential_mobility: potential_mobility(kind, own, other),
        sequence_penalty: sequence_penalty(kind, own),
    }
}

/// The words of all lines: Black's in the lower half of an entry, White's in the upper, so that one sum of 38 entries
/// gives the three features of both sides.
#[derive(Clone, Debug)]
pub struct LineWords(Box<[u64; TABLE_SIZE]>);

impl LineWords {
    /// Computes the table.
    pub fn new() -> Self {
        let mut table = table_of_zeros();
        for (kind, entry, black, white) in entries() {
            let (of_black, of_white) = (line_values(kind, black, white), line_values(kind, white, black));
            table[entry] = u64::from(of_black.pack()) | u64::from(of_white.pack()) << 32;
        }
        Self(table)
    }

    /// The values of Black and of White, summed over the board.
    #[inline(always)]
    pub fn values(&self, indices: &LineIndices) -> [LineValues; 2] {
        let sum = self.sum(indices);
        [LineValues::unpack(sum as u32), LineValues::unpack((sum >> 32) as u32)]
    }

    #[inline(always)]
    fn sum(&self, indices: &LineIndices) -> u64 {
        let lines = indices.lines();
        let mut sum = 0;
        for line in lines {
            sum += self.0[usize::from(*line)];
        }
        sum
    }
}

impl Default for LineWords {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use othello::{Board, Color, Rules};
    use search::samples::{Origin, Samples};

    use super::super::lines::{LINES, Line};
    use super::*;

    /// The places of a line that hold a disc of the set, read square by square.
    fn on_line(line: usize, set: u64) -> u16 {
        let line = &LINES[line];
        (0..line.length).fold(0, |places, place| places | ((set >> line.squares[place] & 1) as u16) << place)
    }

    #[test]
    fn one_sum_of_words_has_the_sums_of_all_three_parts_for_both_sides() {
        let words = LineWords::new();
        let mut samples = Samples::<Board>::new(4);
        for number in 0..20_000 {
            let board: Board = samples.position(Origin::ALL[number % 4], (number / 4 % 60) as u32);
            let found = words.values(&LineIndices::new(&board, Color::Black));
            let sides = [(board.player, board.opponent), (board.opponent, board.player)];
            for (found, (own, other)) in found.into_iter().zip(sides) {
                let mut sum = LineValues::default();
                for (line, Line { kind, .. }) in LINES.iter().enumerate().map(|(line, of)| (line, *of)) {
                    let (own, other) = (on_line(line, own), on_line(line, other));
                    sum.move_penalty += move_penalty(kind, own, other);
                    sum.potential_mobility += potential_mobility(kind, own, other);
                    sum.sequence_penalty += sequence_penalty(kind, own);
                }
                assert_eq!(found, sum, "{board:?}");
            }
        }
    }

    #[test]
    fn no_part_of_a_sum_can_reach_the_next() {
        let mut most = [LineValues::default(); KIND_COUNT];
        for (kind, _, black, white) in entries() {
            let values = line_values(kind, black, white);
            let most = &mut most[kind];
            most.move_penalty = most.move_penalty.max(values.move_penalty);
            most.potential_mobility = most.potential_mobility.max(values.potential_mobility);
            most.sequence_penalty = most.sequence_penalty.max(values.sequence_penalty);
        }
        let sum = |part: fn(&LineValues) -> u32| LINES.iter().map(|line| part(&most[line.kind])).sum::<u32>();
        assert!(sum(|values| values.move_penalty) <= 0xffff);
        assert!(sum(|values| values.potential_mobility) <= 0xff);
        assert!(sum(|values| values.sequence_penalty) <= 0xff);
    }

    #[test]
    fn a_move_along_the_second_line_costs_more_the_more_it_flips() {
        // X at the first place, then this many O, then the empty square to play on.
        let cost = |kind, count: u32| move_penalty(kind, 1, ((1 << count) - 1) << 1);
        for (kind, flipped) in FLIPPED_DISC.into_iter().enumerate().take(4) {
            for count in 1..6 {
                let more = cost(kind, count + 1) - cost(kind, count);
                assert!(more > flipped && cost(1, count) >= cost(kind, count));
            }
        }
        // By hand, five discs of a third line, as in Figure 4 the column f: one direction, five discs, ten pairs of
        // them, and an empty square behind.
        assert_eq!(cost(2, 5), DIRECTION + 5 * FLIPPED_DISC[2] + 10 * LONG_STRING + OPEN_BEHIND);
        // Both directions together cost both.
        let both = move_penalty(3, 0b1_0001, 0b0_1010);
        assert_eq!(both, 2 * (DIRECTION + FLIPPED_DISC[3]));
    }

    #[test]
    fn potential_moves_are_worth_what_their_squares_are() {
        // A disc of the opponent at the fourth place of an edge, next to an A-square and a B-square; at the second
        // place, next to the corner and an A-square, it is worth more than a line may have.
        assert_eq!(potential_mobility(0, 0, 0b1000), 6 + 3);
        assert_eq!(potential_mobility(0, 0, 0b10), MAX_POTENTIAL[0]);
        // On the diagonal of three squares only the middle one can be flipped.
        assert_eq!(potential_mobility(9, 0b001, 0b010), 1);
        // The corner along the edge is worth more than the X-square on all its lines together.
        assert!(POTENTIAL[0][0] > 2 * POTENTIAL[1][1] + POTENTIAL[4][1] + POTENTIAL[9][1]);
        // A disc at the end is not inside, and one between discs has no empty square.
        assert_eq!(potential_mobility(3, 0, 0b1), 0);
        assert_eq!(potential_mobility(3, 0b101, 0b010), 0);
    }

    #[test]
    fn every_line_gives_a_bonus_for_an_empty_square_next_to_an_opponents_inner_disc() {
        for (kind, length) in KIND_LENGTH.into_iter().enumerate() {
            for place in 1..length - 1 {
                assert!(potential_mobility(kind, 0, 1 << place) > 0, "kind {kind}, place {place}");
            }
        }
    }

    #[test]
    fn every_string_costs_on_every_line_longer_ones_not_less_and_most_next_to_the_edge() {
        for (kind, length) in KIND_LENGTH.into_iter().enumerate() {
            let cost = |run: usize| sequence_penalty(kind, (1u16 << run) - 1);
            assert!(cost(1) > 0, "a single disc, kind {kind}");
            for run in 1..=length {
                assert!(run == 1 || cost(run) >= cost(run - 1), "{run} discs, kind {kind}");
                assert!(sequence_penalty(1, (1u16 << run) - 1) >= cost(run), "{run} discs, kind {kind}");
            }
            assert!(cost(length) > cost(1), "kind {kind}");
        }
        // Two strings cost both, wherever they are on the line.
        assert_eq!(sequence_penalty(2, 0b110_0111), SEQUENCE[2][2] + SEQUENCE[2][1]);
        assert_eq!(sequence_penalty(1, 0b0111_1110), SEQUENCE[1][5]);
    }

    #[test]
    fn the_start_is_the_same_for_both_sides() {
        let [black, white] = LineWords::new().values(&LineIndices::new(&Board::start(), Color::Black));
        assert_eq!(black, white);
        assert!(black.potential_mobility > 0 && black.move_penalty > 0);
    }
}
