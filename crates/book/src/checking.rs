//! Looking at all of a book: counting, and comparing everything with everything else.

use std::collections::BTreeMap;
use std::fmt;

use othello::{Board, Rules, squares};
use redb::ReadableTable;

use crate::error::Result;
use crate::graph::{self, KnownMoves, Successor};
use crate::key::{CENTER, Key};
use crate::record::{Leaf, Record};
use crate::snapshot::Snapshot;
use crate::tables::{ReadPositions, guarded};

/// Something in the book that is not as it must be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The position that it is about.
    pub board: Board,
    /// Description of the fault.
    pub what: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {}", self.board, self.what)
    }
}

/// The result of a check.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Check {
    /// The positions that were checked.
    pub positions: u64,
    /// The moves between them.
    pub links: u64,
    /// The positions that more than one position leads to.
    pub transpositions: u64,
    /// The moves after which a side has to pass.
    pub passes: u64,
    /// The positions that wait for a search.
    pub open: u64,
    /// Faults found, up to [`Check::MAX_FAULTS`].
    pub faults: Vec<Fault>,
    /// The number of faults, listed or not.
    pub fault_count: u64,
}

impl Check {
    /// Maximum number of faults that are listed.
    pub const MAX_FAULTS: usize = 1000;

    /// Whether nothing is wrong.
    pub fn is_sound(&self) -> bool {
        self.fault_count == 0
    }

    fn fault(&mut self, board: Board, what: impl Into<String>) {
        self.fault_count += 1;
        if self.faults.len() < Self::MAX_FAULTS {
            self.faults.push(Fault { board, what: what.into() });
        }
    }
}

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

    /// Checks the key, the value and the leaf of every position, that it is found from each of its children, and the
    /// list of open positions. `progress` receives the number of positions done and may stop the check.
    pub fn check(&self, progress: &mut dyn FnMut(u64) -> bool) -> Result<Check> {
        let mut check = Check::default();
        for item in self.records() {
            let (key, record) = item?;
            self.check_position(&key, &record, &mut check)?;
            check.positions += 1;
            if check.positions.is_multiple_of(1024) && !progress(check.positions) {
                return Ok(check);
            }
        }
        let count = self.count()?;
        if count != check.positions {
            check.fault(Board::start(), format!("{count} positions are counted, {} are there", check.positions));
        }
        self.check_open(&mut check)?;
        Ok(check)
    }

    fn check_position(&self, key: &Key, record: &Record, check: &mut Check) -> Result<()> {
        let board = key.board();
        if !key.is_valid() {
            check.fault(board, "the key is not that of a position");
            return Ok(());
        }
        if (board.player | board.opponent) & CENTER != CENTER || !board.can_move() {
            check.fault(board, "not a position in which somebody chooses a move");
            return Ok(());
        }
        let known = KnownMoves::of(&self.positions, &board)?;
        match record.leaf {
            Leaf::Best { square, .. } if known.outside & square.bit() == 0 => {
                check.fault(board, format!("the leaf {square} is not a move out of the book"));
            }
            Leaf::Covered if known.outside != 0 => check.fault(board, "a leaf is missing"),
            Leaf::Best { .. } | Leaf::AtMost(_) if known.outside == 0 => {
                check.fault(board, "a leaf without moves out of the book");
            }
            _ => {}
        }
        match known.applied_to(key, record) {
            Some(right) if right == *record => {}
            Some(right) => {
                let shown = |record: &Record| {
                    format!("{} (exact: {}, open: {})", record.value, record.is_exact, record.is_open)
                };
                check.fault(board, format!("the value is {}; expected {}", shown(record), shown(&right)));
            }
            None => check.fault(board, "no move has a value"),
        }
        if record.is_solved && record.value.parts() % evaluation::Value::PER_DISC != 0 {
            check.fault(board, format!("the proven score {} is not a whole number", record.value));
        }
        check.open += u64::from(record.is_open);
        let is_listed = guarded(|| Ok(self.open.get(&key.to_bytes())?.is_some()))?;
        if is_listed != record.is_open {
            check.fault(board, "the list of open positions is wrong");
        }
        self.check_links(key, check)
    }

    /// Checks that the position is among the parents of all its children, and counts.
    fn check_links(&self, key: &Key, check: &mut Check) -> Result<()> {
        let board = key.board();
        for square in squares(board.moves()) {
            let Some(Successor::Position { key: child, same_side }) = Successor::of(&board, square) else { continue };
            if self.positions.record(&child)?.is_none() {
                continue;
            }
            check.links += 1;
            check.passes += u64::from(same_side);
            let parents = graph::parents(&self.positions, &child)?;
            if !parents.iter().any(|(parent, _)| parent == key) {
                check.fault(board, format!("{square} leads to a position that does not know it as a parent"));
            }
        }
        let parents = graph::parents(&self.positions, key)?;
        check.transpositions += u64::from(parents.len() > 1);
        Ok(())
    }

    /// Checks that every open position that is listed exists.
    fn check_open(&self, check: &mut Check) -> Result<()> {
        let listed = guarded(|| {
            let mut listed = Vec::new();
            for item in self.open.iter()? {
                listed.push(Key::from_bytes(item?.0.value()));
            }
            Ok(listed)
        })?;
        for key in listed {
            if self.positions.record(&key)?.is_none() {
                check.fault(key.board(), "a position that is not in the book is listed as open");
            }
        }
        Ok(())
    }
}
