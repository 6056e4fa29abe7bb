//! The edge table with X-squares: the expected value of an edge, by probabilistic minimax (section 4.1).
//!
//! The paper leaves some choices open: static values follow the classes of IAGO's table of edge discs (Rosenbloom 1982,
//! Table 4.2: stable, safe from the next move, other), on the paper's scale of 1000; when both sides pass, the edge has its
//! static value; a disc that reaches a corner without flipping edge discs is assumed to have come through the X-square,
//! and flips it.

use super::line_moves::{TABLE_SIZE, table_of_zeros};
use super::lines::{EDGE_SQUARES, LineIndices, flips_on_line, index_of, places};

/// The number of edges: three to the power of ten.
pub const EDGE_ENTRIES: usize = 59049;

/// The squares of the edge itself; the X-squares come after them.
const EDGE_LENGTH: usize = 8;

/// The probability that a move is legal although it flips no disc of the edge: `probability[index][square]`, for the
/// side to move, whose discs are the digits 1.
pub type AccessProbabilities = [[f32; EDGE_SQUARES]];

/// The value of an edge position from the values of its moves (section 4.1, steps 1 to 4).
///
/// `best_legal` is the best of the certain moves, including the pass; `possible` has the scores and probabilities of
/// the others, in any order. In step (3c) the remaining probability becomes `R (1 - P)`, as in the paper's example.
pub fn combine(best_legal: f64, possible: &mut [(f64, f64)]) -> f64 {
    possible.sort_by(|one, other| other.0.total_cmp(&one.0));
    let (mut value, mut remaining) = (0.0, 1.0);
    for &mut (score, probability) in possible.iter_mut() {
        if score < best_legal {
            break;
        }
        value += probability * remaining * score;
        remaining *= 1.0 - probability;
    }
    value + remaining * best_legal
}

/// The value of a disc of an edge, by its square: corner, C, A and B, for a stable disc, one that cannot be flipped by
/// the next move, and any other. The classes are IAGO's; of several sets of weights these separated winners from losers
/// best in stored games. A whole edge of stable discs with its X-squares is worth 1000.
const STABLE: [f64; 4] = [200.0, 120.0, 80.0, 80.0];
const SEMI_STABLE: [f64; 4] = [200.0, 25.0, 25.0, 25.0];
const UNSTABLE: [f64; 4] = [200.0, -3.0, 10.0, 6.0];
/// The value of a disc on an X-square next to an own corner. Next to an empty corner it gives access to the corner,
/// which the minimax finds out.
const X_NEXT_TO_OWN_CORNER: f64 = 20.0;

/// The discs of each line of eight squares that no sequence of moves along it can flip, by either side.
fn stable_places() -> Vec<u16> {
    const LINES: usize = 6561;
    let mut by_empties: Vec<usize> = (0..LINES).collect();
    let discs_of = |index: usize| {
        let (ones, twos) = places(index, EDGE_LENGTH);
        ones | twos
    };
    by_empties.sort_by_key(|&index| 8 - discs_of(index).count_ones());
    let mut stable = vec![0; LINES];
    for index in by_empties {
        let (ones, twos) = places(index, EDGE_LENGTH);
        let mut safe = ones | twos;
        for place in (0..EDGE_LENGTH).filter(|place| (ones | twos) >> place & 1 == 0) {
            for (own, other, is_first) in [(ones, twos, true), (twos, ones, false)] {
                let flips = flips_on_line(own, other, EDGE_LENGTH, place);
                let (own, other) = (own | flips | 1 << place, other & !flips);
                let (ones, twos) = if is_first { (own, other) } else { (other, own) };
                safe &= !flips & stable[index_of(ones, twos, EDGE_LENGTH)];
            }
        }
        stable[index] = safe;
    }
    stable
}

/// The value of an edge for the side whose digit is 1, if nothing is ever played there.
fn static_value(index: usize, stable: &[u16]) -> f64 {
    let edge_index = index % 6561;
    let (own, other) = places(edge_index, EDGE_LENGTH);
    let x_squares = places(index / 6561, 2);
    let stable = stable[edge_index];
    let flippable = |own: u16, other: u16| {
        (0..EDGE_LENGTH).fold(0, |set, place| set | flips_on_line(other, own, EDGE_LENGTH, place))
    };
    let of_side = |own: u16, other: u16, x_squares: u16| {
        let unstable = flippable(own, other);
        let discs = (0..EDGE_LENGTH).filter(|place| own >> place & 1 == 1).map(|place| {
            let square = place.min(7 - place);
            match place {
                _ if stable >> place & 1 == 1 => STABLE[square],
                _ if unstable >> place & 1 == 1 => UNSTABLE[square],
                _ => SEMI_STABLE[square],
            }
        });
        let next_to = [(0, 0), (1, 7)].iter().filter(|(x, corner)| x_squares >> x & own >> corner & 1 == 1);
        discs.sum::<f64>() + next_to.count() as f64 * X_NEXT_TO_OWN_CORNER
    };
    of_side(own, other, x_squares.0) - of_side(other, own, x_squares.1)
}

/// Whether a move on this square of the edge is certain: it flips discs of the edge.
pub fn is_certain(index: usize, square: usize) -> bool {
    let (own, other) = places(index % 6561, EDGE_LENGTH);
    square < EDGE_LENGTH && flips_on_line(own, other, EDGE_LENGTH, square) != 0
}

/// Whether a square of the edge is empty.
pub fn is_empty(index: usize, square: usize) -> bool {
    (index / 3usize.pow(square as u32)).is_multiple_of(3)
}

/// The edge after a move of the side whose digit is 1, seen from the other side.
fn after(index: usize, square: usize) -> usize {
    let (own, other) = places(index, EDGE_SQUARES);
    let edge = 0xff;
    let mut flips = if square < EDGE_LENGTH { flips_on_line(own & edge, other & edge, EDGE_LENGTH, square) } else { 0 };
    if flips == 0 {
        let next_to = match square {
            0 => 1 << 8,
            7 => 1 << 9,
            _ => 0,
        };
        flips = other & next_to;
    }
    index_of(other & !flips, own | flips | 1 << square, EDGE_SQUARES)
}

/// The same edge seen from the other side.
pub fn turned(index: usize) -> usize {
    let (own, other) = places(index, EDGE_SQUARES);
    index_of(other, own, EDGE_SQUARES)
}

/// The same edge read from its other end.
pub fn mirrored(index: usize) -> usize {
    let mirror = |set: u16| {
        let edge = u16::from((set as u8).reverse_bits());
        edge | (set >> 8 & 1) << 9 | (set >> 9 & 1) << 8
    };
    let (own, other) = places(index, EDGE_SQUARES);
    index_of(mirror(own), mirror(other), EDGE_SQUARES)
}

/// The values of all edges for the side to move, whose discs are the digits 1.
pub fn edge_values(probabilities: &AccessProbabilities) -> Vec<i16> {
    let stable = stable_places();
    let statics: Vec<f64> = (0..EDGE_ENTRIES).map(|index| static_value(index, &stable)).collect();
    let mut order: Vec<usize> = (0..EDGE_ENTRIES).collect();
    let empty_count = |index: usize| {
        let (own, other) = places(index, EDGE_SQUARES);
        (own | other).count_zeros()
    };
    order.sort_by_key(|&index| empty_count(index));
    let mut values = vec![0.0; EDGE_ENTRIES];
    for index in order {
        // The value for the side to move after the other side has passed: a second pass ends play on the edge.
        let after_pass = |index: usize| best(index, statics[index], probabilities, &values);
        let passing = -after_pass(turned(index));
        values[index] = best(index, passing, probabilities, &values);
    }
    values.into_iter().map(|value: f64| value.round() as i16).collect()
}

/// The value for the side to move, given the value of a pass.
fn best(index: usize, passing: f64, probabilities: &AccessProbabilities, values: &[f64]) -> f64 {
    let mut best_legal = passing;
    let mut possible = [(0.0, 0.0); EDGE_SQUARES];
    let mut count = 0;
    for square in (0..EDGE_SQUARES).filter(|&square| is_empty(index, square)) {
        let score = -values[after(index, square)];
        if is_certain(index, square) {
            best_legal = score.max(best_legal);
        } else {
            possible[count] = (score, f64::from(probabilities[index][square]));
            count += 1;
        }
    }
    combine(best_legal, &mut possible[..count])
}

/// The table as the search looks it up: by the edge with Black's discs as the digits 1, and by the side to move.
#[derive(Clone, Debug)]
pub struct EdgeTable([Box<[i16; TABLE_SIZE]>; 2]);

impl EdgeTable {
    /// The table with these values for the side to move.
    pub fn new(values: &[i16]) -> Self {
        let (mut black, mut white) = (table_of_zeros(), table_of_zeros());
        for (index, &value) in values.iter().enumerate().take(EDGE_ENTRIES) {
            black[index] = value;
            white[turned(index)] = value;
        }
        Self([black, white])
    }

    /// The value of the four edges for the side to move, whose number is 0 for Black and 1 for White.
    #[inline]
    pub fn value(&self, indices: &LineIndices, side: usize) -> i32 {
        let table = &self.0[side & 1];
        indices.edges().iter().map(|&edge| i32::from(table[usize::from(edge)])).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worked_example_of_the_paper_comes_out() {
        // Figure 2: legal moves to 3, 7 and NOMOVE; possible moves to 1, 8 and 10.
        let best_legal = [-600.0, -500.0, 200.0].into_iter().fold(f64::MIN, f64::max);
        let value = combine(best_legal, &mut [(-100.0, 0.80), (450.0, 0.92), (400.0, 0.02)]);
        assert_eq!(format!("{value:.2}"), "430.32");
        // Without possible moves the best legal one decides; if possible moves are certain, it does not matter.
        assert_eq!(combine(10.0, &mut []), 10.0);
        assert_eq!(combine(10.0, &mut [(20.0, 1.0), (30.0, 0.5)]), 25.0);
    }

    #[test]
    fn the_parts_of_the_worked_example_are_those_of_the_paper() {
        // The paper rounds them down: 414, 0.63 and 15.67, together 430.30.
        let possible = [(450.0, 0.92), (400.0, 0.02), (-100.0, 0.80)];
        let of = |best_legal: f64, count: usize| combine(best_legal, &mut possible[..count].to_vec());
        let [first, both, all] = [of(0.0, 1), of(0.0, 2), of(200.0, 3)];
        let parts = [first, both - first, all - both, all - of(200.0, 2)];
        assert_eq!(parts.map(|part| format!("{part:.2}")), ["414.00", "0.64", "15.68", "0.00"]);
        // Step (3c) of the text subtracts P from the remaining probability R; the example multiplies R by 1 - P.
        let to_the_letter = first + (1.0 - 0.92) * 0.02 * 400.0 + (1.0 - 0.92 - 0.02) * 200.0;
        assert_eq!(format!("{to_the_letter:.2}"), "426.64");
    }

    /// Repeatable pseudo-random numbers from 0 to 1.
    fn chances() -> impl FnMut() -> f64 {
        let mut state = 1u64;
        move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 40) as f64 / (1u64 << 24) as f64
        }
    }

    #[test]
    fn the_value_is_the_expectation_over_all_sets_of_moves_that_may_turn_out_legal() {
        let mut chance = chances();
        for count in (0..8).cycle().take(200) {
            let best_legal = 2000.0 * chance() - 1000.0;
            let possible: Vec<(f64, f64)> = (0..count).map(|_| (2000.0 * chance() - 1000.0, chance())).collect();
            // Each possible move is legal or not, independently of the others; the best legal move is played.
            let mut expected = 0.0;
            for legal in 0..1u32 << count {
                let (mut probability, mut best) = (1.0, best_legal);
                for (number, &(score, chance)) in possible.iter().enumerate() {
                    let is_legal = legal >> number & 1 == 1;
                    probability *= if is_legal { chance } else { 1.0 - chance };
                    best = if is_legal { best.max(score) } else { best };
                }
                expected += probability * best;
            }
            let found = combine(best_legal, &mut possible.clone());
            assert!((found - expected).abs() < 1e-9, "{found} {expected}");
        }
    }

    /// An edge square by square, its X-squares last: 1 for own discs, 2 for the other side's. An independent
    /// implementation of the rules, without indices or bitboards.
    type Drawn = [u8; EDGE_SQUARES];

    fn drawn(text: &str) -> Drawn {
        let mut drawn = [0; EDGE_SQUARES];
        for (place, symbol) in text.chars().enumerate() {
            drawn[place] = " XO".find(symbol).unwrap_or(0) as u8;
        }
        drawn
    }

    fn number(drawn: &Drawn) -> usize {
        drawn.iter().rev().fold(0, |number, &digit| 3 * number + usize::from(digit))
    }

    fn drawing(mut number: usize) -> Drawn {
        std::array::from_fn(|_| {
            let digit = number % 3;
            number /= 3;
            digit as u8
        })
    }

    /// Discs that a disc of a side on an empty place of the edge itself flips along it.
    fn flipped(drawn: &Drawn, place: usize, side: u8) -> Vec<usize> {
        let mut flipped = Vec::new();
        let rays: [Vec<usize>; 2] = [(place + 1..8).collect(), (0..place).rev().collect()];
        for ray in rays {
            let run = ray.iter().take_while(|&&next| drawn[next] == 3 - side).count();
            if ray.get(run).is_some_and(|&next| drawn[next] == side) {
                flipped.extend(&ray[..run]);
            }
        }
        flipped
    }

    /// The discs of the edge itself that keep their color in every sequence of moves by either side.
    fn never_flipped(drawn: &Drawn) -> u16 {
        let mut safe = (0..8).filter(|&place| drawn[place] != 0).fold(0, |safe, place| safe | 1 << place);
        for place in (0..8).filter(|&place| drawn[place] == 0) {
            for side in [1, 2] {
                let mut after = *drawn;
                after[place] = side;
                for flipped in flipped(drawn, place, side) {
                    after[flipped] = side;
                    safe &= !(1 << flipped);
                }
                safe &= never_flipped(&after);
            }
        }
        safe
    }

    #[test]
    fn stable_discs_of_edges_are_those_that_brute_force_never_flips() {
        let stable = stable_places();
        let mut tried = 0;
        for (index, &found) in stable.iter().enumerate() {
            let drawn = drawing(index);
            // With more empty squares there are too many sequences.
            if drawn[..8].iter().filter(|&&digit| digit == 0).count() <= 4 {
                assert_eq!(found, never_flipped(&drawn), "{drawn:?}");
                tried += 1;
            }
        }
        assert_eq!(tried, 256 + 8 * 128 + 28 * 64 + 56 * 32 + 70 * 16);
        // By hand: a run from a corner, a full edge, a lonely disc, an edge with a corner of each color.
        let index = |text: &str| number(&drawn(text));
        assert_eq!(stable[index("XXX-----")], 0b0000_0111);
        assert_eq!(stable[index("XOXOXOXO")], 0b1111_1111);
        assert_eq!(stable[index("--XXXX--")], 0);
        assert_eq!(stable[index("XO----OX")], 0b1000_0001);
        assert_eq!(stable[index("OXXXXXX-")], 0b0000_0001);
        assert_eq!(stable[index("OXXXXXXX")], 0b1111_1111);
    }

    #[test]
    fn static_values_are_those_of_edges_worked_out_by_hand() {
        let stable = stable_places();
        // The last two symbols are the X-squares.
        for (edge, expected) in [
            ("----------", 0.0),
            ("XXXXXXXXXX", 2.0 * (200.0 + 120.0 + 80.0 + 80.0 + 20.0)),
            ("OOOOOOOOOO", -1000.0),
            ("X---------", 200.0),
            // Stable next to the corner, and the X-square next to it.
            ("XX------X-", 200.0 + 120.0 + 20.0),
            // An X-square next to an empty corner, or next to the other side's, is worth nothing by itself.
            ("--------XX", 0.0),
            ("O-------X-", -200.0),
            // A disc alone cannot be flipped by the next move.
            ("-X--------", 25.0),
            // The C-square falls to a move into the corner, the A-square to one behind it.
            ("-XO-------", -3.0 - 10.0),
            ("--XO------", 10.0 - 6.0),
            ("-XXXXXX---", 6.0 * 25.0),
            // The same when the other side holds a corner and may take the last one.
            ("OXXXXXX---", -200.0 - 3.0 + 10.0 + 6.0 + 6.0 + 10.0 - 3.0),
            // A full edge is stable whatever it shows.
            ("XOXXOXOO-O", 200.0 - 120.0 + 80.0 + 80.0 - 80.0 + 80.0 - 120.0 - 200.0 - 20.0),
        ] {
            let drawn = drawn(edge);
            assert_eq!(static_value(number(&drawn), &stable), expected, "{edge}");
            let turned = drawn.map(|digit| [0, 2, 1][usize::from(digit)]);
            assert_eq!(static_value(number(&turned), &stable), -expected, "{edge} turned");
        }
    }

    #[test]
    fn full_edges_have_their_static_value_and_all_edges_stay_in_range() {
        let stable = stable_places();
        let nothing = vec![[0.0; EDGE_SQUARES]; EDGE_ENTRIES];
        let values = edge_values(&nothing);
        assert_eq!(values.len(), EDGE_ENTRIES);
        for (index, &value) in values.iter().enumerate() {
            assert!(value.abs() <= 1000);
            let (own, other) = places(index, EDGE_SQUARES);
            if (own | other) == 0x3ff {
                assert_eq!(value, static_value(index, &stable).round() as i16);
            }
        }
        assert_eq!(values[0], 0, "nothing can come to an empty edge");
        let all_own = index_of(0x3ff, 0, EDGE_SQUARES);
        assert_eq!(values[all_own], 1000);
    }

    /// The same values by recursion from a position, as the paper describes it: square by square, without any table.
    fn by_recursion(drawn: &Drawn, has_passed: bool, probabilities: &AccessProbabilities, stable: &[u16]) -> f64 {
        let other_side = |drawn: &Drawn| drawn.map(|digit| [0, 2, 1][usize::from(digit)]);
        let passing = if has_passed {
            static_value(number(drawn), stable)
        } else {
            -by_recursion(&other_side(drawn), true, probabilities, stable)
        };
        let (mut legal, mut possible) = (vec![passing], Vec::new());
        for place in (0..EDGE_SQUARES).filter(|&place| drawn[place] == 0) {
            let mut flipped = if place < 8 { flipped(drawn, place, 1) } else { Vec::new() };
            let is_certain = !flipped.is_empty();
            // Otherwise a disc reaches a corner through the X-square, if the other side has a disc there.
            let x_square =
                [(0, 8), (7, 9)].into_iter().find(|&(corner, _)| corner == place).map(|(_, x_square)| x_square);
            flipped.extend(x_square.filter(|&x_square| !is_certain && drawn[x_square] == 2));
            let mut after = *drawn;
            after[place] = 1;
            flipped.iter().for_each(|&place| after[place] = 1);
            let score = -by_recursion(&other_side(&after), false, probabilities, stable);
            if is_certain {
                legal.push(score);
            } else {
                possible.push((score, f64::from(probabilities[number(drawn)][place])));
            }
        }
        combine(legal.into_iter().fold(f64::MIN, f64::max), &mut possible)
    }

    #[test]
    fn the_table_holds_what_recursion_from_each_edge_finds() {
        let stable = stable_places();
        let mut chance = chances();
        let probabilities: Vec<[f32; EDGE_SQUARES]> =
            (0..EDGE_ENTRIES).map(|_| std::array::from_fn(|_| chance() as f32)).collect();
        let values = edge_values(&probabilities);
        let empties = |index: usize| drawing(index).iter().filter(|&&digit| digit == 0).count();
        for index in (0..EDGE_ENTRIES).filter(|&index| empties(index) <= 4).step_by(97) {
            let expected = by_recursion(&drawing(index), false, &probabilities, &stable);
            assert!((f64::from(values[index]) - expected).abs() <= 0.5 + 1e-6, "{index}: {} {expected}", values[index]);
        }
    }

    #[test]
    fn a_corner_in_reach_is_worth_more_than_one_that_is_not() {
        // Corners can rarely be reached except through an opponent's disc on the X-square.
        let access = |index: usize, square: usize| {
            let next_to = [3usize.pow(8), 3usize.pow(9)][usize::from(square == 7)];
            if [0, 7].contains(&square) && index / next_to % 3 == 2 { 0.9 } else { 0.1 }
        };
        let probabilities: Vec<[f32; EDGE_SQUARES]> =
            (0..EDGE_ENTRIES).map(|index| std::array::from_fn(|square| access(index, square))).collect();
        let values = edge_values(&probabilities);
        let edge = |own: u16, other: u16| values[index_of(own, other, EDGE_SQUARES)];
        // -OX-----: the corner can be taken; with the sides swapped it will be lost.
        let (taking, losing) = (edge(0b100, 0b010), edge(0b010, 0b100));
        assert!(taking > 300 && losing < 200, "{taking} {losing}");
        // Discs on both X-squares invite the opponent into the corners.
        let (with, without) = (edge(0b11_0011_1100, 0), edge(0b00_0011_1100, 0));
        assert!(with < without, "{with} {without}");
        // An edge read from its other end is worth the same.
        for index in (0..EDGE_ENTRIES).step_by(11) {
            assert_eq!(values[index], values[mirrored(index)]);
            assert_eq!(turned(turned(index)), index);
        }
    }

    #[test]
    fn a_corner_taken_through_the_x_square_flips_it() {
        let index = index_of(0, 1 << 8, EDGE_SQUARES);
        assert_eq!(after(index, 0), index_of(0, 1 | 1 << 8, EDGE_SQUARES));
        // Taken along the edge it leaves the X-square alone.
        let index = index_of(0b100, 0b010 | 1 << 8, EDGE_SQUARES);
        assert_eq!(after(index, 0), index_of(1 << 8, 0b111, EDGE_SQUARES));
    }
}
