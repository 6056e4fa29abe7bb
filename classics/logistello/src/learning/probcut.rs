//! Prediction of searches of depth 8 by those of depth 4, for LOGISTELLO's single level of ProbCut (Buro 1995).
//!
//! The paper fits a line, which it finds to be nearly the identity; here the slope is one, and the mean and deviation
//! of the difference come from positions with about as many empty squares.

use crate::player::Logistello;
use crate::player::tables::SPREAD_COUNT;
use control::Control;
use evaluation::Value;
use evaluation::probcut::Spread;
use othello::{Board, Rules};
use search::{HashTable, Iteration, Question, Searcher, Selectivity};

use super::{LabeledBoard, SpreadsByEmpties};
use othello::random::Random;

/// The depths to compare.
const SHALLOW: u32 = 4;
const DEEP: u32 = 8;

/// The numbers of empty squares of positions to search: the end must be out of reach.
const EMPTIES: std::ops::RangeInclusive<u32> = 11..=56;

/// The number of buckets of the hash table: it is cleared for every position, so that positions are independent.
const TABLE_BUCKETS: usize = 1 << 15;

/// The weight of neighboring groups.
const NEIGHBORS: f64 = 0.5;

/// The differences between two depths.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
struct Differences {
    count: f64,
    sum: f64,
    squares: f64,
}

impl Differences {
    fn add(&mut self, other: &Differences, share: f64) {
        self.count += share * other.count;
        self.sum += share * other.sum;
        self.squares += share * other.squares;
    }

    fn spread(&self) -> Spread {
        let mean = self.sum / self.count.max(1.0);
        let deviation = (self.squares / self.count.max(1.0) - mean * mean).max(1.0).sqrt();
        Spread { mean: mean.round() as i16, deviation: deviation.round() as i16 }
    }
}

/// Searches positions to both depths and returns the differences, in groups of four numbers of empty squares.
pub(super) fn measure(
    evaluation: &Logistello,
    labeled_boards: &[Vec<LabeledBoard>],
    searches: usize,
    seed: u64,
    mut progress: impl FnMut(usize),
) -> SpreadsByEmpties {
    let table = HashTable::with_buckets(TABLE_BUCKETS).expect("a small table");
    let searcher = Searcher::new(evaluation, table, 1);
    let by_empties: Vec<&Vec<LabeledBoard>> = EMPTIES
        .map(|empties| &labeled_boards[64 - empties as usize])
        .filter(|labeled_boards| !labeled_boards.is_empty())
        .collect();
    let mut groups = [Differences::default(); SPREAD_COUNT];
    let mut random = Random::of_item(seed, 3);
    for (number, labeled_boards) in by_empties.iter().cycle().take(searches).enumerate() {
        let board = labeled_boards[random.below_u32(labeled_boards.len() as u32) as usize].board;
        if let Some(difference) = difference(&searcher, &board) {
            let one = Differences { count: 1.0, sum: difference, squares: difference * difference };
            groups[(board.empty_count() as usize / 4).min(SPREAD_COUNT - 1)].add(&one, 1.0);
        }
        progress(number + 1);
    }
    spreads(&groups)
}

/// The value of the deep search minus that of the shallow one, in parts of a disc.
fn difference(searcher: &Searcher<&Logistello>, board: &Board) -> Option<f64> {
    if !board.can_move() {
        return None;
    }
    searcher.table.clear();
    let mut shallow = None;
    let report = searcher.search(board, &Question::default(), &Control::new(), &mut |reports| {
        let last = reports.last()?;
        // The first report is a search of one ply.
        let depth = if reports.len() == 1 { 0 } else { last.iteration.depth };
        if depth == SHALLOW {
            shallow = last.lines.first().map(|line| line.value);
        }
        (depth < DEEP).then_some(Iteration { depth: depth + 2, selectivity: Selectivity::EXACT })
    });
    let deep = report.lines.first()?.value;
    Some(f64::from((deep - shallow?).parts()))
}

/// The spread of each group, with neighbors at half weight; without measurements that of the nearest group.
fn spreads(groups: &[Differences; SPREAD_COUNT]) -> SpreadsByEmpties {
    let pooled = |group: usize| {
        let mut sum = groups[group];
        let before = group.checked_sub(1).map(|before| &groups[before]);
        for neighbor in before.into_iter().chain(groups.get(group + 1)) {
            sum.add(neighbor, NEIGHBORS);
        }
        sum
    };
    let nearest = |group: usize| {
        (0..SPREAD_COUNT)
            .filter(|&other| groups[other].count > 0.0)
            .min_by_key(|&other| other.abs_diff(group))
            .map_or(Spread { mean: 0, deviation: (4 * Value::PER_DISC) as i16 }, |other| pooled(other).spread())
    };
    std::array::from_fn(nearest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbors_count_half_and_empty_groups_have_the_nearest_spread() {
        let mut groups = [Differences::default(); SPREAD_COUNT];
        // 100 times 0 and 20, and next to it 100 times 40 and 60.
        groups[5] = Differences { count: 200.0, sum: 2000.0, squares: 40_000.0 };
        groups[6] = Differences { count: 200.0, sum: 10_000.0, squares: 520_000.0 };
        let spreads = spreads(&groups);
        // By hand: (2000 + 5000) / 300 = 23.3; (40000 + 260000) / 300 - 23.3^2 = 455.6, whose root is 21.3.
        assert_eq!(spreads[5], Spread { mean: 23, deviation: 21 });
        assert_eq!(spreads[0], spreads[5]);
        assert_eq!(spreads[15], spreads[6]);
        let nothing = super::spreads(&[Differences::default(); SPREAD_COUNT]);
        assert_eq!(nothing[3], Spread { mean: 0, deviation: 512 });
    }
}
