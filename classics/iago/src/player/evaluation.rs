//! The evaluation: edge stability, internal stability, current and potential mobility (Rosenbloom 1982, 4.4).
//!
//! The paper normalizes every component to -1000..1000 and moves the factors into the coefficients. Undoing that gives
//! round numbers, which must be those of the program: `ESAC / 62.4` is `5 + move / 10` per point of the four corner
//! values, whose sum is at most 62,400; 36 is 1000 per stable disc; 99 is 33 per measure. The search uses these, so
//! that nothing is lost by rounding.

use othello::{Board, Rules};

use super::edge::{EDGE_COUNT, EDGE_LENGTH, Edge, Owner};
use super::edge_table::{EDGE_MAXIMUM, EdgeTable};
use super::features::{EDGE_NUMBER, Features, Side, move_number, other};
use super::internal_stability::{INTERNAL_COUNT, internal_stability};
use super::mobility::{self, Access, Potential, SquareTests, Window};

/// The coefficient of edge stability.
pub fn edge_coefficient(move_number: i32) -> f64 {
    312.0 + 6.24 * f64::from(move_number)
}

/// The coefficient of internal stability.
pub const INTERNAL_COEFFICIENT: i32 = 36;

/// The coefficient of current mobility.
#[inline]
pub const fn current_coefficient(move_number: i32) -> i32 {
    if move_number <= 25 { 50 + 2 * move_number } else { 75 + move_number }
}

/// The coefficient of potential mobility.
pub const POTENTIAL_COEFFICIENT: i32 = 99;

/// The maximum sum of the four corner values: each edge belongs to two of them.
const CORNER_SUM_MAXIMUM: i32 = 2 * EDGE_NUMBER as i32 * EDGE_MAXIMUM;
/// The value of a stable internal disc.
const STABLE_DISC: i32 = INTERNAL_COEFFICIENT * 1000 / INTERNAL_COUNT;
/// The value of a point of one of the three measures of potential mobility.
const POTENTIAL_POINT: i32 = POTENTIAL_COEFFICIENT / 3;

/// The squares next to a corner that matter to it, and the edges that meet in it.
struct Corner {
    square: u32,
    x_square: u32,
    /// From the corner towards the middle.
    step: i32,
    /// The edges, and at which of their ends the corner lies.
    edges: [(usize, usize); 2],
}

const CORNERS: [Corner; 4] = [
    Corner { square: 0, x_square: 9, step: 9, edges: [(0, 0), (1, 0)] },
    Corner { square: 7, x_square: 14, step: 7, edges: [(0, 1), (2, 0)] },
    Corner { square: 56, x_square: 49, step: -7, edges: [(1, 1), (3, 0)] },
    Corner { square: 63, x_square: 54, step: -9, edges: [(2, 1), (3, 1)] },
];

/// Evaluation of a corner that may be lost through an X-square, where the paper leaves a choice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CornerReading {
    /// Whether to test if the opponent can move into the corner immediately, so that it is certainly lost. The paper
    /// describes it and adds that "due to an oversight this condition was not actually tested".
    pub tests_access: bool,
    /// Factor of the loss: two, because a corner on the board counts in two corner values (footnote 17).
    pub loss_factor: i32,
}

impl Default for CornerReading {
    fn default() -> Self {
        Self { tests_access: false, loss_factor: 2 }
    }
}

/// The four components of a position, for its side to move, before they are weighted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Components {
    /// The sum of the four corner values, at most 62,400.
    pub corners: i32,
    /// Stable internal discs, own minus the other side's.
    pub stable_discs: i32,
    /// Current mobility, -1000 to 1000.
    pub current: i32,
    /// The measures of potential mobility.
    pub potential: Potential,
    /// The number of the last move.
    pub move_number: i32,
}

impl Components {
    /// `EdgeStability`, -1000 to 1000.
    pub fn edge_stability(&self) -> f64 {
        1000.0 * f64::from(self.corners) / f64::from(CORNER_SUM_MAXIMUM)
    }

    /// `InternalStability`, -1000 to 1000.
    pub fn internal_stability(&self) -> f64 {
        1000.0 * f64::from(self.stable_discs) / f64::from(INTERNAL_COUNT)
    }

    /// `PotentialMobility`, -1000 to 1000.
    pub fn potential_mobility(&self) -> f64 {
        f64::from(self.potential.sum()) / 3.0
    }

    /// Contribution of edge stability to the value.
    pub const fn weighted_edges(&self) -> i32 {
        weighted_corners(self.corners, self.move_number)
    }

    /// Contribution of internal stability to the value.
    pub const fn weighted_internal(&self) -> i32 {
        STABLE_DISC * self.stable_discs
    }

    /// Contribution of current mobility to the value.
    pub const fn weighted_current(&self) -> i32 {
        current_coefficient(self.move_number) * self.current
    }

    /// Contribution of potential mobility to the value.
    pub const fn weighted_potential(&self) -> i32 {
        POTENTIAL_POINT * self.potential.sum()
    }

    /// Contributions of the three measures of potential mobility to the value: frontier discs, empty squares next to
    /// discs, and their sum over the discs.
    pub const fn weighted_measures(&self) -> [i32; 3] {
        let Potential { frontier, empties, contacts } = self.potential;
        [POTENTIAL_POINT * frontier, POTENTIAL_POINT * empties, POTENTIAL_POINT * contacts]
    }

    /// The same seen from the other side.
    #[must_use]
    pub const fn inverted(self) -> Self {
        Self {
            corners: -self.corners,
            stable_discs: -self.stable_discs,
            current: -self.current,
            potential: self.potential.inverted(),
            move_number: self.move_number,
        }
    }

    /// The value: the weighted sum.
    pub const fn value(&self) -> i32 {
        self.weighted_edges() + self.weighted_internal() + self.weighted_current() + self.weighted_potential()
    }
}

const fn weighted_corners(corners: i32, move_number: i32) -> i32 {
    (50 + move_number) * corners / 10
}

/// Parts of the evaluation that a leaf inherits from the positions above it, where they are cheaper to compute.
#[derive(Clone, Copy, Debug, Default)]
pub struct Inherited {
    /// The moves that each side had when it was last to move.
    pub moves: [u64; 2],
    /// Stable internal discs of side 0 less those of side 1, one ply above the leaf.
    pub stable_discs: i32,
}

/// The evaluation, with the edge table in the form that look-ups need.
#[derive(Clone, Debug)]
pub struct Evaluation {
    reading: CornerReading,
    /// The value of each edge to side 0, by whether side 0 or side 1 moves next.
    values: [Vec<i32>; 2],
    /// The number of the edge after a side has placed a disc in a corner: `[side][end][edge]`.
    cornered: [[Vec<u16>; 2]; 2],
}

impl Evaluation {
    /// The evaluation with this edge table.
    pub fn new(table: &EdgeTable, reading: CornerReading) -> Self {
        let edges = || (0..EDGE_COUNT).map(Edge::from_index);
        let values =
            [edges().map(|edge| table.moving(edge)).collect(), edges().map(|edge| table.waiting(edge)).collect()];
        let cornered = [Owner::Own, Owner::Other].map(|side| {
            [0, EDGE_LENGTH - 1].map(|corner| {
                let after = |edge: Edge| match edge.at(corner) {
                    None => edge.play(corner, side),
                    Some(_) => edge,
                };
                edges().map(|edge| after(edge).index() as u16).collect()
            })
        });
        Self { reading, values, cornered }
    }

    /// The components of a single board: the other side's moves are those that it would have now.
    pub fn components(&self, board: &Board) -> Components {
        let features = Features::of(board);
        let moves = [board.moves(), board.pass().moves()];
        let stable_discs = internal_stability(board.player, board.opponent);
        self.components_of(&features, &Inherited { moves, stable_discs })
    }

    /// The components of a leaf.
    pub fn components_of(&self, features: &Features, inherited: &Inherited) -> Components {
        let mover = features.mover;
        let board = features.board();
        let sign = if mover == 0 { 1 } else { -1 };
        Components {
            corners: sign * self.corner_sum(features),
            stable_discs: sign * inherited.stable_discs,
            current: Access::of(board.moves(), inherited.moves[other(mover)]).value(),
            potential: potential(features),
            move_number: move_number(&board),
        }
    }

    /// The value of a leaf for its side to move; the moves are counted last and, given a window, only as far as it
    /// requires.
    #[inline]
    pub fn value(&self, features: &Features, inherited: &Inherited, window: Option<(Window, &mut SquareTests)>) -> i32 {
        let mover = features.mover;
        let board = features.board();
        let move_number = move_number(&board);
        let sign = if mover == 0 { 1 } else { -1 };
        let base = weighted_corners(sign * self.corner_sum(features), move_number)
            + STABLE_DISC * sign * inherited.stable_discs
            + POTENTIAL_POINT * potential(features).sum();
        let weight = current_coefficient(move_number);
        let others = inherited.moves[other(mover)];
        match window {
            Some((window, tests)) => mobility::counted_within(&board, others, (base, weight), window, tests),
            None => mobility::counted(&board, others, base, weight),
        }
    }

    /// The four corner values of side 0, summed.
    #[inline]
    fn corner_sum(&self, features: &Features) -> i32 {
        let occupied = features.discs[0] | features.discs[1];
        CORNERS
            .iter()
            .map(|corner| {
                let [first, second] = corner.edges.map(|(edge, _)| usize::from(features.edges[edge]));
                let existing = self.composite(first, second, features.mover);
                let is_at_risk = occupied >> corner.x_square & 1 == 1 && occupied >> corner.square & 1 == 0;
                if is_at_risk { self.with_risk(features, corner, existing) } else { existing }
            })
            .sum()
    }

    /// The value of a corner from its two edges: the side to move chooses the edge to play on, the other side moves
    /// first on the other.
    #[inline]
    fn composite(&self, first: usize, second: usize, mover: Side) -> i32 {
        let [moving, waiting] = &self.values;
        let choices = (moving[first] + waiting[second], waiting[first] + moving[second]);
        if mover == 0 { choices.0.max(choices.1) } else { choices.0.min(choices.1) }
    }

    /// The value of a corner whose X-square is taken while it is empty itself: its expected value when the opponent
    /// reaches the corner through that disc, if that is worse.
    fn with_risk(&self, features: &Features, corner: &Corner, existing: i32) -> i32 {
        let owner = usize::from(features.discs[1] >> corner.x_square & 1 == 1);
        let taker = other(owner);
        let [first, second] =
            corner.edges.map(|(edge, end)| usize::from(self.cornered[taker][end][usize::from(features.edges[edge])]));
        let change = self.composite(first, second, features.mover) - existing;
        let is_loss = if owner == 0 { change < 0 } else { change > 0 };
        if !is_loss {
            return existing;
        }
        let expected = self.reading.loss_factor * change;
        if self.reading.tests_access && reaches_corner(features, corner, taker) {
            return existing + expected;
        }
        // The probability is 1 - move / 120.
        existing + expected * (120 - features.move_number()) / 120
    }
}

/// Whether a side could flip into an empty corner along the diagonal.
fn reaches_corner(features: &Features, corner: &Corner, taker: Side) -> bool {
    let mut square = corner.square as i32;
    for _ in 1..EDGE_LENGTH {
        square += corner.step;
        if features.discs[taker] >> square & 1 == 1 {
            return true;
        }
        if features.discs[other(taker)] >> square & 1 == 0 {
            return false;
        }
    }
    false
}

#[inline]
fn potential(features: &Features) -> Potential {
    let (own, opponent) = (features.mover, other(features.mover));
    Potential::of(features.discs[own], features.discs[opponent], [features.contacts[own], features.contacts[opponent]])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::edge_probabilities::EdgeProbabilities;
    use crate::player::edge_table::EdgeReading;
    use crate::player::features::edges_of;
    use crate::player::samples::boards;
    use crate::player::shipped_evaluation;

    #[test]
    fn coefficients_are_those_of_the_paper_and_come_out_of_round_numbers() {
        assert!((edge_coefficient(1) - 318.24).abs() < 1e-9 && (edge_coefficient(60) - 686.4).abs() < 1e-9);
        assert_eq!((current_coefficient(1), current_coefficient(25), current_coefficient(60)), (52, 100, 135));
        for move_number in 1..=60 {
            // One point of the corner values counts 5 + move / 10.
            let point = edge_coefficient(move_number) * 1000.0 / f64::from(CORNER_SUM_MAXIMUM);
            assert!((point - (5.0 + f64::from(move_number) / 10.0)).abs() < 1e-9);
        }
        assert_eq!((STABLE_DISC, POTENTIAL_POINT, CORNER_SUM_MAXIMUM), (1000, 33, 62_400));
    }

    #[test]
    fn the_value_is_the_sum_of_the_components_with_their_coefficients() {
        let evaluation = shipped_evaluation();
        for board in boards(300, 7) {
            let found = evaluation.components(&board);
            let sum = edge_coefficient(found.move_number) * found.edge_stability()
                + 36.0 * found.internal_stability()
                + f64::from(current_coefficient(found.move_number) * found.current)
                + 99.0 * found.potential_mobility();
            // The search truncates the fraction of the edge value.
            assert!((sum - f64::from(found.value())).abs() < 1.001, "{board:?}: {sum}");
            for part in [found.edge_stability(), found.internal_stability(), found.potential_mobility()] {
                assert!(part.abs() <= 1000.0, "{board:?}");
            }
            assert_eq!(found.inverted().inverted(), found);
            assert_eq!(found.weighted_measures().iter().sum::<i32>(), found.weighted_potential());
        }
    }

    #[test]
    fn a_full_board_of_one_color_has_the_greatest_stability() {
        let found = shipped_evaluation().components(&Board::new(u64::MAX, 0));
        assert_eq!((found.edge_stability(), found.internal_stability()), (1000.0, 1000.0));
    }

    #[test]
    fn values_are_the_same_whichever_side_is_called_the_first_and_however_the_board_is_turned() {
        let evaluation = shipped_evaluation();
        for board in boards(200, 8) {
            let moves = [board.moves(), board.pass().moves()];
            let stable_discs = internal_stability(board.player, board.opponent);
            let first = Features::counted([board.player, board.opponent], 0);
            let second = Features::counted([board.opponent, board.player], 1);
            let value = evaluation.value(&first, &Inherited { moves, stable_discs }, None);
            let swapped = Inherited { moves: [moves[1], moves[0]], stable_discs: -stable_discs };
            assert_eq!(value, evaluation.value(&second, &swapped, None), "{board:?}");
            assert_eq!(value, evaluation.components(&board).value());
            for index in 1..8 {
                assert_eq!(value, evaluation.components(&board.transformed(index)).value(), "{board:?} {index}");
            }
        }
    }

    /// The four corner values again, from the paper's description and the contents of the edges.
    fn slow_corner_sum(table: &EdgeTable, board: &Board, reading: CornerReading) -> i32 {
        let edges = edges_of(board);
        let side = |square: u32| match (board.player >> square & 1, board.opponent >> square & 1) {
            (1, _) => Some(Owner::Own),
            (_, 1) => Some(Owner::Other),
            _ => None,
        };
        let composite = |first: Edge, second: Edge| {
            let into_first = table.moving(first) + table.waiting(second);
            let into_second = table.moving(second) + table.waiting(first);
            into_first.max(into_second)
        };
        let mut sum = 0;
        // Corner, X-square, the edges that meet there and the place of the corner on each.
        for (corner, x_square, [first, second]) in [
            (0, 9, [(0, 0), (1, 0)]),
            (7, 14, [(0, 7), (2, 0)]),
            (56, 49, [(1, 7), (3, 0)]),
            (63, 54, [(2, 7), (3, 7)]),
        ] {
            let existing = composite(edges[first.0].0, edges[second.0].0);
            let mut value = existing;
            if let (None, Some(owner)) = (side(corner), side(x_square)) {
                let taker = if owner == Owner::Own { Owner::Other } else { Owner::Own };
                let after = |(edge, place): (usize, usize)| edges[edge].0.play(place, taker);
                let change = composite(after(first), after(second)) - existing;
                if (owner == Owner::Own && change < 0) || (owner == Owner::Other && change > 0) {
                    // The probability is 1 - move / 120, or 1 if the opponent can flip the X-square's disc from the
                    // corner immediately.
                    let taking = if taker == Owner::Own { *board } else { board.pass() };
                    let flips = taking.flips(othello::Square::new(corner as u8));
                    let is_sure = reading.tests_access && flips >> x_square & 1 == 1;
                    let of_120 = if is_sure { 120 } else { 120 - move_number(board) };
                    value = existing + reading.loss_factor * change * of_120 / 120;
                }
            }
            sum += value;
        }
        sum
    }

    #[test]
    fn corners_with_x_squares_are_worth_what_the_words_of_the_paper_say() {
        let probabilities = EdgeProbabilities::constant(0.3);
        let table = EdgeTable::computed(&probabilities, EdgeReading::default());
        for (loss_factor, tests_access) in [(1, false), (2, false), (1, true), (2, true)] {
            let reading = CornerReading { tests_access, loss_factor };
            let evaluation = Evaluation::new(&table, reading);
            for board in boards(400, 9) {
                let expected = slow_corner_sum(&table, &board, reading);
                assert_eq!(evaluation.components(&board).corners, expected, "{board:?}");
            }
        }
    }

    #[test]
    fn an_x_square_costs_its_owner_and_more_when_the_corner_can_be_reached() {
        let table = EdgeTable::computed(&EdgeProbabilities::constant(0.3), EdgeReading::default());
        let square = |name: &str| name.parse::<othello::Square>().unwrap().bit();
        let without = Board::new(square("d5") | square("c3"), square("d4") | square("e4"));
        let with = Board::new(without.player | square("b2"), without.opponent);
        let corners = |board: &Board, tests_access: bool| {
            let reading = CornerReading { tests_access, loss_factor: 2 };
            Evaluation::new(&table, reading).components(board).corners
        };
        assert_eq!(corners(&without, false), corners(&without, true));
        assert!(corners(&with, false) < corners(&without, false));
        // b2 and c3 are held by the other side on d4.
        assert!(corners(&with, true) < corners(&with, false));
        // With the corner taken there is nothing to lose.
        let taken = Board::new(with.player, with.opponent | square("a1"));
        assert_eq!(corners(&taken, true), corners(&taken, false));
    }
}
