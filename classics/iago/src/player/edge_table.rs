//! The edge table: what each of the 6561 configurations of an edge is worth (Rosenbloom 1982, 4.4.1.1).

use super::edge::{EDGE_COUNT, EDGE_LENGTH, Edge, EdgeSquare, Owner, Stability, fullest_first};
use super::edge_probabilities::EdgeProbabilities;

/// The maximum value of an edge: all eight discs own and stable.
pub const EDGE_MAXIMUM: i32 = 7800;

/// The number of iterations of the original table.
pub const ITERATIONS: u32 = 5;

/// The static value of a disc of an edge (Table 4.2).
pub const fn disc_weight(square: EdgeSquare, stability: Stability) -> i32 {
    use EdgeSquare::{A, B, C, Corner};
    use Stability::{SemiStable, Stable, Unstable};
    match (square, stability) {
        // Corners are always stable.
        (Corner, _) => 700,
        (C, Stable) => 1200,
        (A | B, Stable) => 1000,
        (C | A | B, SemiStable) => 200,
        (C, Unstable) => -25,
        (A, Unstable) => 75,
        (B, Unstable) => 50,
    }
}

/// The sum of the weights of all discs, own ones minus the other side's: the starting point of the iterations.
pub fn static_value(edge: Edge) -> i32 {
    (0..EDGE_LENGTH)
        .map(|square| {
            let weight = edge.stability(square).map_or(0, |stability| disc_weight(EdgeSquare::of(square), stability));
            if edge.at(square) == Some(Owner::Other) { -weight } else { weight }
        })
        .sum()
}

/// The meaning of "the value is multiplied by the probability" together with "the best alternative is chosen".
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Combining {
    /// The best of the products and of not moving.
    Product,
    /// The best of `p * move + (1 - p) * staying`.
    Expected,
    /// The best move with its probability, of the rest the second best with its probability, and so on; not moving
    /// comes at its rank in this order and ends it.
    #[default]
    Cascade,
}

/// The value of "leaving the edge configuration as it is".
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Staying {
    /// Its value in the previous iteration when the other side moves next: the reason for having more than one
    /// iteration.
    #[default]
    OtherMoves,
    /// The value of the configuration for its side to move in the previous iteration.
    Unchanged,
    /// Its static value.
    Static,
}

/// An interpretation of the paper's description of the iterations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EdgeReading {
    /// Ways to combine alternative moves.
    pub combining: Combining,
    /// The value of not moving.
    pub staying: Staying,
    /// The number of iterations.
    pub iterations: u32,
}

impl Default for EdgeReading {
    fn default() -> Self {
        Self { combining: Combining::default(), staying: Staying::default(), iterations: ITERATIONS }
    }
}

/// The values of all edges, for the side to move on them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EdgeTable {
    values: Vec<i32>,
}

impl EdgeTable {
    /// The table after this many iterations from the static values.
    pub fn computed(probabilities: &EdgeProbabilities, reading: EdgeReading) -> Self {
        let statics: Vec<f64> = (0..EDGE_COUNT).map(|index| f64::from(static_value(Edge::from_index(index)))).collect();
        let order = fullest_first();
        let mut values = statics.clone();
        for _ in 0..reading.iterations {
            let before = values.clone();
            for index in order.iter().copied().map(usize::from) {
                let edge = Edge::from_index(index);
                let stay = match reading.staying {
                    Staying::Unchanged => before[index],
                    Staying::OtherMoves => -before[edge.inverse().index()],
                    Staying::Static => statics[index],
                };
                // Configurations with more discs already have this iteration's values.
                values[index] = backed_up(edge, stay, &values, probabilities, reading.combining);
            }
        }
        Self { values: values.into_iter().map(|value| value.round() as i32).collect() }
    }

    /// The table with these values, in the order of [`Edge::index`], or `None` if they are not 6561 or too large.
    pub fn from_values(values: Vec<i32>) -> Option<Self> {
        let fits = values.len() == EDGE_COUNT && values.iter().all(|value| value.abs() <= EDGE_MAXIMUM);
        fits.then_some(Self { values })
    }

    /// All values, in the order of [`Edge::index`].
    pub fn values(&self) -> &[i32] {
        &self.values
    }

    /// The value of the edge for its own side when that side moves next.
    pub fn moving(&self, edge: Edge) -> i32 {
        self.values[edge.index()]
    }

    /// The value of the edge for its own side when the other side moves next.
    pub fn waiting(&self, edge: Edge) -> i32 {
        -self.values[edge.inverse().index()]
    }
}

/// The value of a configuration for its side to move, from those with one more disc.
fn backed_up(edge: Edge, stay: f64, values: &[f64], probabilities: &EdgeProbabilities, combining: Combining) -> f64 {
    let mut moves = [(0.0, 0.0); EDGE_LENGTH];
    let mut count = 0;
    for square in (0..EDGE_LENGTH).filter(|&square| edge.empties() >> square & 1 == 1) {
        let probability = probabilities.of_move(edge, square);
        let value = -values[edge.play(square, Owner::Own).inverse().index()];
        moves[count] = (probability, value);
        count += 1;
    }
    let moves = &mut moves[..count];
    match combining {
        Combining::Product => moves.iter().map(|&(probability, value)| probability * value).fold(stay, f64::max),
        Combining::Expected => moves
            .iter()
            .map(|&(probability, value)| probability * value + (1.0 - probability) * stay)
            .fold(stay, f64::max),
        Combining::Cascade => {
            moves.sort_by(|left, right| right.1.total_cmp(&left.1));
            let mut open = 1.0;
            let mut sum = 0.0;
            for &(probability, value) in moves.iter().take_while(|&&(_, value)| value > stay) {
                sum += open * probability * value;
                open *= 1.0 - probability;
            }
            sum + open * stay
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table_of(probability: f64) -> EdgeTable {
        EdgeTable::computed(&EdgeProbabilities::constant(probability), EdgeReading::default())
    }

    #[test]
    fn static_values_are_those_of_edges_worked_out_by_hand() {
        for (edge, expected) in [
            ("--------", 0),
            ("XXXXXXXX", 700 + 1200 + 4 * 1000 + 1200 + 700),
            ("OOOOOOOO", -7800),
            ("X-------", 700),
            // Stable next to the corner.
            ("XX------", 700 + 1200),
            // A disc alone cannot be flipped by one move.
            ("-X------", 200),
            ("---X----", 200),
            // The C-square can be taken from the corner, the A-square from behind.
            ("-XO-----", -25 - 75),
            ("--XO----", 75 - 50),
            // Six in a row, open on both sides.
            ("-XXXXXX-", 6 * 200),
            // The same when the other side holds a corner.
            ("OXXXXXX-", -700 - 25 + 75 + 50 + 50 + 75 - 25),
            ("XOXXOXOO", 700 - 1200 + 1000 + 1000 - 1000 + 1000 - 1200 - 700),
        ] {
            assert_eq!(static_value(Edge::from_text(edge)), expected, "{edge}");
        }
    }

    #[test]
    fn entries_are_those_of_a_dozen_configurations_worked_out_by_hand() {
        let table = table_of(0.5);
        for (edge, expected) in [
            // A full edge is worth its static value.
            ("XXXXXXXX", 7800),
            ("OOOOOOOO", -7800),
            ("XOXXOXOO", -400),
            // The last corner: without a flip along the edge there is no move to it, and nothing can change.
            ("XXXXXXX-", 7100),
            ("-OOOOOOO", -7100),
            ("OOOOOOO-", -7100),
            // The last corner flips the whole edge for the side that moves: all or nothing.
            ("XOOOOOO-", 7800),
            ("OXXXXXX-", -7800),
            // With the last disc in reach of the side to move, or of the other.
            ("XXXXXXO-", 7800),
            ("OOOOOOX-", -7800),
            // A C-square that either side may get, with probability one half. The values with a disc there are -4000
            // and 6400; from the static values -5200 and 5200 the five iterations give -4600, -4900, -4750, -4825,
            // -4787.5 for one side to move and 5800, 5500, 5650, 5575, 5612.5 for the other.
            ("OOOOOO-X", -4788),
            ("XXXXXX-O", 5613),
        ] {
            assert_eq!(table.moving(Edge::from_text(edge)), expected, "{edge}");
        }
    }

    /// One iteration, square by square on edges as text, with the value of an edge by recursion.
    ///
    /// Each possible move is open or not, independently of the others: the value is the mean, over all sets of open
    /// moves, of the best of them or of not moving.
    fn slowly(
        text: &str,
        before: &dyn Fn(&str) -> f64,
        probability: &dyn Fn(&str, usize) -> f64,
        found: &mut std::collections::HashMap<String, f64>,
    ) -> f64 {
        if let Some(&value) = found.get(text) {
            return value;
        }
        let inverse = |text: &str| -> String {
            text.chars().map(|symbol| ['-', 'O', 'X']["-XO".find(symbol).unwrap_or(0)]).collect()
        };
        let mut moves: Vec<(f64, f64)> = Vec::new();
        for square in (0..8).filter(|&square| text.as_bytes()[square] == b'-') {
            let mut symbols: Vec<char> = text.chars().collect();
            let mut flips = 0;
            let rays: [Vec<usize>; 2] = [(square + 1..8).collect(), (0..square).rev().collect()];
            for ray in rays {
                let run = ray.iter().take_while(|&&next| symbols[next] == 'O').count();
                if ray.get(run).is_some_and(|&next| symbols[next] == 'X') {
                    ray[..run].iter().for_each(|&next| symbols[next] = 'X');
                    flips += run;
                }
            }
            symbols[square] = 'X';
            let is_corner = square == 0 || square == 7;
            let chance = match () {
                () if flips > 0 => 1.0,
                () if is_corner => 0.0,
                () => probability(text, square),
            };
            let after: String = symbols.into_iter().collect();
            moves.push((chance, -slowly(&inverse(&after), before, probability, found)));
        }
        let stay = -before(&inverse(text));
        let mut value = 0.0;
        for open in 0..1u32 << moves.len() {
            let (mut share, mut best) = (1.0, stay);
            for (number, &(chance, of_move)) in moves.iter().enumerate() {
                let is_open = open >> number & 1 == 1;
                share *= if is_open { chance } else { 1.0 - chance };
                best = if is_open { best.max(of_move) } else { best };
            }
            value += share * best;
        }
        found.insert(text.to_owned(), value);
        value
    }

    #[test]
    fn every_entry_is_the_expected_value_of_the_best_move_that_is_open_after_five_iterations() {
        use std::collections::HashMap;
        let text = |index: usize| -> String {
            let edge = Edge::from_index(index);
            (0..8)
                .map(|square| edge.at(square).map_or('-', |owner| if owner == Owner::Own { 'X' } else { 'O' }))
                .collect()
        };
        // By kind of square and by what lies next to it: some number from 0 to 1 for every case.
        let counted = [[0.1, 0.25, 0.7], [0.05, 0.4, 0.0], [0.9, 0.0, 0.0]];
        let probability = |text: &str, square: usize| {
            let next_to = [text.as_bytes()[square - 1], text.as_bytes()[square + 1]];
            let count = |symbol: u8| next_to.iter().filter(|&&found| found == symbol).count();
            counted[count(b'X')][count(b'O')]
        };
        let mut values: HashMap<String, f64> =
            (0..EDGE_COUNT).map(|index| (text(index), f64::from(static_value(Edge::from_index(index))))).collect();
        for _ in 0..5 {
            let mut found = HashMap::new();
            for index in 0..EDGE_COUNT {
                slowly(&text(index), &|edge| values[edge], &probability, &mut found);
            }
            values = found;
        }
        let table = EdgeTable::computed(&EdgeProbabilities::of_counts(counted), EdgeReading::default());
        for (index, &found) in table.values().iter().enumerate() {
            let expected = values[&text(index)];
            assert!((f64::from(found) - expected).abs() <= 0.5 + 1e-6, "{}: {found} {expected}", text(index));
        }
    }

    #[test]
    fn readings_of_the_iteration_differ_as_they_say() {
        // One iteration for the edge above: not moving is worth -5200, the move -4000 with probability one half.
        let edge = Edge::from_text("OOOOOO-X");
        let value = |combining, staying| {
            let reading = EdgeReading { combining, staying, iterations: 1 };
            EdgeTable::computed(&EdgeProbabilities::constant(0.5), reading).moving(edge)
        };
        assert_eq!(value(Combining::Product, Staying::OtherMoves), -2000);
        assert_eq!(value(Combining::Expected, Staying::OtherMoves), -4600);
        assert_eq!(value(Combining::Cascade, Staying::OtherMoves), -4600);
        assert_eq!(value(Combining::Cascade, Staying::Static), -4600);
        let zero = EdgeReading { iterations: 0, ..EdgeReading::default() };
        let statics = EdgeTable::computed(&EdgeProbabilities::constant(0.5), zero);
        assert!((0..EDGE_COUNT).all(|index| statics.values()[index] == static_value(Edge::from_index(index))));
    }

    #[test]
    fn all_four_look_ups_come_from_one_table_by_inverting_colors() {
        let table = table_of(0.3);
        for index in 0..EDGE_COUNT {
            let edge = Edge::from_index(index);
            let inverse = edge.inverse();
            // For White with White to move: the inverse configuration with Black to move.
            let white_moving = table.moving(inverse);
            assert_eq!(table.waiting(edge), -white_moving);
            // For White with Black to move: the negated value for Black.
            assert_eq!(table.waiting(inverse), -table.moving(edge));
            assert_eq!(table.moving(edge), table.moving(edge.reversed()), "{edge:?} from the other corner");
            assert!(table.moving(edge).abs() <= EDGE_MAXIMUM);
        }
    }

    #[test]
    fn having_the_move_is_worth_something_where_it_decides() {
        // Footnote 14, the edge of Fig. 3.3(b) seen from White: with the next move it gets seven of the discs, by the
        // empty square in the middle and then the corner; otherwise Black does, by the same square.
        let edge = Edge::from_text("-OOOO-XO");
        assert_eq!(edge.play(5, Owner::Own).play(0, Owner::Own), Edge::from_text("XXXXXXXO"));
        assert_eq!(edge.play(5, Owner::Other), Edge::from_text("-OOOOOOO"));
        assert_eq!(table_of(0.3).waiting(edge), -7100);
        assert_eq!(table_of(1.0).moving(edge), 700 + 1200 + 4000 + 1200 - 700);
        let table = table_of(0.3);
        assert!(table.moving(edge) > table.waiting(edge));
    }
}
