//! Correlation of measures with the score: the figures of Table 4 (Brockington 1997).

use crate::player::evaluation::{Evaluation, IndexedBoard};
use crate::player::parity::Parity;
use crate::player::tables::Feature;
use crate::player::{Counting, Tables};

use learning::played_game::GamePosition;

/// The moves played at which Table 4 compares measures of mobility.
pub const COMPARED_MOVES: [u32; 4] = [20, 30, 40, 50];

/// The measures that it compares.
pub const MEASURES: [&str; 3] = ["exact", "approximate", "approximate with parity"];

/// The correlation of two numbers over many positions.
#[derive(Clone, Copy, Debug, Default)]
pub struct Correlation {
    count: f64,
    sums: [f64; 2],
    products: [f64; 3],
}

impl Correlation {
    /// Adds a pair.
    pub fn add(&mut self, x: f64, y: f64) {
        self.count += 1.0;
        self.sums[0] += x;
        self.sums[1] += y;
        self.products[0] += x * x;
        self.products[1] += x * y;
        self.products[2] += y * y;
    }

    /// Whether there are no pairs.
    pub fn is_empty(&self) -> bool {
        self.count == 0.0
    }

    /// The correlation coefficient; 0 if one of the numbers is constant.
    pub fn coefficient(&self) -> f64 {
        let [x, y] = self.sums.map(|sum| sum / self.count.max(1.0));
        let [xx, xy, yy] = self.products.map(|sum| sum / self.count.max(1.0));
        let variance = (xx - x * x) * (yy - y * y);
        if variance > 0.0 { (xy - x * y) / variance.sqrt() } else { 0.0 }
    }
}

/// The measures of mobility compared, at each of [`COMPARED_MOVES`].
#[derive(Clone, Debug)]
pub struct Comparison<'t> {
    exact: Evaluation<'t>,
    approximate: Evaluation<'t>,
    correlations: [[Correlation; COMPARED_MOVES.len()]; MEASURES.len()],
}

impl<'t> Comparison<'t> {
    /// No positions yet.
    pub fn new(tables: &'t Tables) -> Self {
        Self {
            exact: Evaluation::new(tables, Counting::Exact),
            approximate: Evaluation::new(tables, Counting::Approximate),
            correlations: Default::default(),
        }
    }

    /// Adds a position; ignored if it belongs to no column.
    pub fn add(&mut self, found: &GamePosition) {
        let Some(column) = COMPARED_MOVES.iter().position(|&moves| moves == found.ply) else { return };
        let position = IndexedBoard::of(found.board);
        let mobility =
            |evaluation: &Evaluation<'_>, parity| evaluation.features(&position, parity)[Feature::Mobility as usize];
        let values = [
            mobility(&self.exact, Parity::default()),
            mobility(&self.approximate, Parity::default()),
            mobility(&self.approximate, Parity::of(&found.board)),
        ];
        for (row, value) in self.correlations.iter_mut().zip(values) {
            row[column].add(value.into(), found.score.discs().into());
        }
    }

    /// The correlations: for each of [`MEASURES`] at each of [`COMPARED_MOVES`].
    pub fn coefficients(&self) -> [[f64; COMPARED_MOVES.len()]; MEASURES.len()] {
        self.correlations.map(|row| row.map(|correlation| correlation.coefficient()))
    }
}

#[cfg(test)]
mod tests {
    use othello::{Board, Score, Square};

    use super::*;
    use learning::played_game::Choice;

    #[test]
    fn a_correlation_is_the_one_worked_out_by_hand() {
        // (1, 2), (2, 1), (3, 3): covariance 1/3, variances 2/3 each, so one half.
        let mut correlation = Correlation::default();
        [(1.0, 2.0), (2.0, 1.0), (3.0, 3.0)].into_iter().for_each(|(x, y)| correlation.add(x, y));
        assert!((correlation.coefficient() - 0.5).abs() < 1e-12);
        assert_eq!(Correlation::default().coefficient(), 0.0);
    }

    #[test]
    fn measures_are_compared_only_at_the_moves_of_the_paper() {
        let mut comparison = Comparison::new(Tables::shipped());
        let square: Square = "a1".parse().unwrap();
        // Made by hand: one direction against none, three against one, none against none.
        for (player, opponent, score) in [(1, 2, 10), (9, 6 << 3 | 6 << 8, 20), (4, 1 << 62, -20)] {
            for ply in [20, 21] {
                // One move later the sign would be reversed.
                let score = Score::new(if ply == 20 { score } else { -score });
                let board = Board::new(player, opponent);
                comparison.add(&GamePosition { board, score, ply, square, choice: Choice::Player, is_sound: true });
            }
        }
        let coefficients = comparison.coefficients();
        for row in &coefficients[..2] {
            assert!(row[0] > 0.5, "{coefficients:?}");
            assert_eq!(row[1..], [0.0; 3]);
        }
    }
}
