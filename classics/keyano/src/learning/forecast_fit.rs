//! Prediction of the full search by one of half the depth: ProbCut's means and deviations (Brockington 1997, section
//! 2.2).
//!
//! "The mean and standard deviation are determined from the search of 1000 distinct positions from various stages within
//! the game (moves 5 to 45 in 5 move increments). […] Each position is searched to 10 ply."

use std::collections::BTreeSet;

use crate::player::Tables;
use crate::player::search::values_by_depth;
use crate::player::tables::{CUT_DEPTHS, Forecast};
use othello::{Board, Rules};

/// Whether positions after this number of moves are searched.
pub fn is_stage(moves: u32) -> bool {
    (5..=45).contains(&moves) && moves.is_multiple_of(5)
}

/// The number of stages.
const STAGES: usize = 9;

/// The search depth of positions in plies.
const DEEPEST: u32 = 10;

/// Distinct positions to search, equally many of each stage: a random sample determined by their hashes.
#[derive(Clone, Debug)]
pub struct ForecastPositions {
    by_stage: [BTreeSet<(u64, Board)>; STAGES],
    per_stage: usize,
}

impl ForecastPositions {
    /// Space for this number of positions in total, or slightly more.
    pub fn new(count: usize) -> Self {
        Self { by_stage: std::array::from_fn(|_| BTreeSet::new()), per_stage: count.div_ceil(STAGES) }
    }

    /// Adds a position if it belongs to a stage and its hash selects it; symmetric positions are the same.
    pub fn add(&mut self, moves: u32, board: &Board) {
        if !is_stage(moves) || !board.can_move() {
            return;
        }
        let stage = &mut self.by_stage[(moves / 5 - 1) as usize];
        let canonical = board.canonical();
        stage.insert((canonical.hash64(), canonical));
        if stage.len() > self.per_stage {
            stage.pop_last();
        }
    }

    /// At most this number of positions.
    pub fn take(&self, count: usize) -> Vec<Board> {
        let stages: Vec<Vec<Board>> =
            self.by_stage.iter().map(|stage| stage.iter().map(|&(_, board)| board).collect()).collect();
        // Taken from each stage in turn, so that fewer positions still cover all stages.
        let in_turn = (0..self.per_stage).flat_map(|number| stages.iter().filter_map(move |stage| stage.get(number)));
        in_turn.take(count).copied().collect()
    }
}

/// The sums of the differences between deep and shallow searches.
#[derive(Clone, Copy, Debug, Default)]
struct Differences {
    count: f64,
    sum: f64,
    squares: f64,
}

impl Differences {
    fn add(&mut self, difference: f64) {
        self.count += 1.0;
        self.sum += difference;
        self.squares += difference * difference;
    }

    fn forecast(&self) -> Forecast {
        let mean = self.sum / self.count.max(1.0);
        let deviation = (self.squares / self.count.max(1.0) - mean * mean).max(0.0).sqrt();
        Forecast { mean: mean.round() as i32, deviation: deviation.round() as i32 }
    }
}

/// Searches the positions and fits the forecasts; `progress` receives the number of positions done.
pub fn forecasts(tables: &Tables, positions: &[Board], mut progress: impl FnMut(usize)) -> [Forecast; 7] {
    let mut all_values = Vec::with_capacity(positions.len());
    for (number, board) in positions.iter().enumerate() {
        all_values.push(values_by_depth(tables, board, DEEPEST));
        progress(number + 1);
    }
    of_values(&all_values)
}

/// The forecasts from values by depth, one ply first.
fn of_values(all_values: &[Vec<i32>]) -> [Forecast; 7] {
    let mut differences = [Differences::default(); 7];
    for values in all_values {
        for (depth, differences) in CUT_DEPTHS.zip(&mut differences) {
            let value = |depth: u32| values.get(depth as usize - 1).copied();
            if let (Some(deep), Some(shallow)) = (value(depth), value(depth / 2)) {
                differences.add(f64::from(deep - shallow));
            }
        }
    }
    differences.map(|differences| differences.forecast())
}

#[cfg(test)]
mod tests {
    use search::samples::{Origin, Samples};

    use super::*;

    #[test]
    fn means_and_deviations_are_those_worked_out_by_hand() {
        // Depths 1 to 10; of depth 4 against 2: +300 and +100, mean 200, deviation 100. Of 10 against 5: 0 and -80.
        let one = vec![0, 100, 0, 400, 50, 0, 0, 0, 0, 50];
        let other = vec![0, 200, 0, 300, 50, 0, 0, 0, 0, -30];
        let found = of_values(&[one, other]);
        assert_eq!(found[0], Forecast { mean: 200, deviation: 100 });
        assert_eq!(found[6], Forecast { mean: -40, deviation: 40 });
        assert_eq!(of_values(&[]), [Forecast::default(); 7]);
    }

    #[test]
    fn positions_are_distinct_and_of_all_stages() {
        let mut samples = Samples::<Board>::new(1);
        let mut positions = ForecastPositions::new(90);
        for number in 0..2000u32 {
            // The second half is between the stages and is not used.
            let moves = 5 * (number % 10) + number / 1000;
            let board = samples.position_with_moves(Origin::SensibleGame, 60 - moves.min(56));
            positions.add(moves, &board);
            positions.add(moves, &board);
        }
        let found = positions.take(90);
        assert_eq!(found.len(), 90);
        let mut by_moves = [0; 61];
        found.iter().for_each(|board| by_moves[60 - board.empty_count() as usize] += 1);
        for stage in 1..=9 {
            assert_eq!(by_moves[5 * stage], 10, "{stage}");
        }
        assert_eq!(found.iter().collect::<BTreeSet<_>>().len(), 90);
    }

    #[test]
    fn the_forecasts_of_a_search_are_those_of_its_values() {
        let board = Samples::<Board>::new(3).position_with_moves(Origin::SensibleGame, 14);
        let tables = Tables::shipped();
        let values = values_by_depth(tables, &board, DEEPEST);
        assert_eq!(values.len(), 10);
        assert_eq!(forecasts(tables, &[board], |_| ())[2].mean, values[5] - values[2]);
    }
}
