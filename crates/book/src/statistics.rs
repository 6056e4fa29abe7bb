//! Counts of the contents of a book.

use std::collections::BTreeMap;

use crate::error::Result;
use crate::record::Leaf;
use crate::snapshot::Snapshot;

/// The positions with the same number of discs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct DiscStatistics {
    /// The number of positions.
    pub positions: u64,
    /// Number of positions with a proven value.
    pub exact: u64,
    /// Number of positions that wait for a search.
    pub open: u64,
    /// Number of positions with a move out of the book.
    pub leaves: u64,
}

/// Counts of the contents of a book.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// The number of positions.
    pub positions: u64,
    /// The positions by their number of discs.
    pub by_discs: BTreeMap<u8, DiscStatistics>,
    /// The positions whose moves are all in the book: no search is behind their values.
    pub covered: u64,
    /// The other positions by the search behind them, as depth and percent.
    pub by_effort: BTreeMap<(u8, u8), u64>,
    /// The positions with a score that was proven by a search.
    pub solved: u64,
    /// The positions with a proven value.
    pub exact: u64,
    /// The positions that wait for a search.
    pub open: u64,
    /// The most games that were counted in one position, which is the start unless games from elsewhere were counted.
    pub games: u32,
    /// The size of the file.
    pub file_bytes: Option<u64>,
}

impl Snapshot {
    /// Counts the contents of the book. `progress` receives the number of positions done and may stop the count.
    pub fn statistics(&self, progress: &mut dyn FnMut(u64) -> bool) -> Result<Statistics> {
        let mut all = Statistics { file_bytes: self.file_bytes, ..Statistics::default() };
        for item in self.records() {
            let (key, record) = item?;
            all.positions += 1;
            all.solved += u64::from(record.is_solved);
            all.exact += u64::from(record.is_exact);
            all.open += u64::from(record.is_open);
            all.games = all.games.max(record.games);
            if record.leaf == Leaf::Covered && !record.is_solved {
                all.covered += 1;
            } else {
                *all.by_effort.entry((record.effort.depth, record.effort.selectivity.percent())).or_default() += 1;
            }
            let row = all.by_discs.entry(key.discs()).or_default();
            row.positions += 1;
            row.exact += u64::from(record.is_exact);
            row.open += u64::from(record.is_open);
            row.leaves += u64::from(matches!(record.leaf, Leaf::Best { .. }));
            if all.positions.is_multiple_of(1024) && !progress(all.positions) {
                break;
            }
        }
        Ok(all)
    }
}
