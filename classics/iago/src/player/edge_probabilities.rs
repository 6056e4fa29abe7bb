//! Probabilities of moves to empty squares of an edge (Rosenbloom 1982, 4.4.1.1).
//!
//! The paper: 1 if an edge disc is flipped, otherwise 0 for corners and "a function of the neighboring
//! discs for the other six squares". The function is not printed.

use super::edge::{EDGE_LENGTH, Edge, EdgeSquare, Owner};

/// Content of a neighboring square: nothing, an own disc, one of the other side.
const CONTENTS: usize = 3;

/// The number of probabilities: three kinds of squares, two neighbors.
pub const PROBABILITY_COUNT: usize = 3 * CONTENTS * CONTENTS;

/// The probability of a legal move to a square of an edge without flips along it, by the kind of square and its
/// neighbors.
#[derive(Clone, PartialEq, Debug)]
pub struct EdgeProbabilities([f64; PROBABILITY_COUNT]);

impl EdgeProbabilities {
    /// These probabilities, in the order of [`EdgeProbabilities::place`]; `None` if there are not enough, or if one is
    /// not a probability.
    pub fn from_values(values: &[f64]) -> Option<Self> {
        let values: [f64; PROBABILITY_COUNT] = values.try_into().ok()?;
        values.iter().all(|value| (0.0..=1.0).contains(value)).then_some(Self(values))
    }

    /// The same probability for every square, whatever its neighbors.
    pub fn constant(probability: f64) -> Self {
        Self([probability.clamp(0.0, 1.0); PROBABILITY_COUNT])
    }

    /// By the number of own discs and of the other side's next to the square.
    pub fn of_counts(counted: [[f64; 3]; 3]) -> Self {
        let mut values = [0.0; PROBABILITY_COUNT];
        for (place, value) in values.iter_mut().enumerate() {
            let (left, right) = (place / CONTENTS % CONTENTS, place % CONTENTS);
            let count = |content: usize| usize::from(left == content) + usize::from(right == content);
            *value = counted[count(1)][count(2)];
        }
        Self(values)
    }

    /// All probabilities, in the order of [`EdgeProbabilities::place`].
    pub fn values(&self) -> &[f64] {
        &self.0
    }

    /// The number of the case that an empty square of an edge belongs to, for the side that owns the edge:
    /// the kind of square, then what lies towards its corner, then what lies towards the middle. Nothing for
    /// corners, which have no such case.
    pub fn place(edge: Edge, square: usize) -> Option<usize> {
        let kind = match EdgeSquare::of(square) {
            EdgeSquare::Corner => return None,
            EdgeSquare::C => 0,
            EdgeSquare::A => 1,
            EdgeSquare::B => 2,
        };
        let content = |square: usize| match edge.at(square) {
            None => 0,
            Some(Owner::Own) => 1,
            Some(Owner::Other) => 2,
        };
        let (outer, inner) = if square < EDGE_LENGTH / 2 { (square - 1, square + 1) } else { (square + 1, square - 1) };
        Some((kind * CONTENTS + content(outer)) * CONTENTS + content(inner))
    }

    /// The probability that the edge's own side can move to an empty square.
    pub fn of_move(&self, edge: Edge, square: usize) -> f64 {
        if edge.flips(square, Owner::Own) != 0 {
            return 1.0;
        }
        Self::place(edge, square).map_or(0.0, |place| self.0[place])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flip_along_the_edge_is_certain_and_a_corner_without_one_impossible() {
        let probabilities = EdgeProbabilities::constant(0.25);
        let of = |edge: &str, square| probabilities.of_move(Edge::from_text(edge), square);
        assert_eq!(of("-OX-----", 0), 1.0);
        assert_eq!(of("-XO-----", 3), 1.0);
        assert_eq!(of("-XO-----", 0), 0.0);
        assert_eq!(of("--------", 7), 0.0);
        assert_eq!(of("--------", 6), 0.25);
    }

    #[test]
    fn the_case_of_a_square_is_its_kind_and_its_neighbours_from_either_corner() {
        let place = |edge: &str, square| EdgeProbabilities::place(Edge::from_text(edge), square);
        assert_eq!(place("--------", 0), None);
        assert_eq!(place("--------", 1), Some(0));
        // Towards the corner own, towards the middle the other side's.
        assert_eq!(place("X-O-----", 1), Some(3 + 2));
        assert_eq!(place("-----O-X", 6), Some(3 + 2));
        assert_eq!(place("-O-X----", 2), Some(9 + 6 + 1));
        assert_eq!(place("--X-O---", 3), Some(18 + 3 + 2));
        assert_eq!(place("---O-X--", 4), Some(18 + 3 + 2));
    }

    #[test]
    fn only_probabilities_are_taken() {
        assert!(EdgeProbabilities::from_values(&[0.5; PROBABILITY_COUNT]).is_some());
        assert!(EdgeProbabilities::from_values(&[0.5; PROBABILITY_COUNT - 1]).is_none());
        assert!(EdgeProbabilities::from_values(&[-0.1; PROBABILITY_COUNT]).is_none());
        assert!(EdgeProbabilities::from_values(&[f64::NAN; PROBABILITY_COUNT]).is_none());
        let counted = EdgeProbabilities::of_counts([[0.1, 0.2, 0.3], [0.4, 0.5, 0.0], [0.6, 0.0, 0.0]]);
        assert_eq!(counted.of_move(Edge::from_text("X-O-----"), 1), 0.5);
        assert_eq!(counted.of_move(Edge::from_text("X-X-----"), 1), 0.6);
        assert_eq!(counted.of_move(Edge::from_text("--------"), 2), 0.1);
    }
}
