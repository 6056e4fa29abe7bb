//! Changing the book: values are kept true along every path at every change.

use std::collections::BTreeSet;

use evaluation::Value;
use othello::symmetry::transform_square;
use othello::{Board, Rules, Square, squares};
use redb::{Table, WriteTransaction};
use search::Selectivity;

use crate::error::{BookError, Result};
use crate::graph::{self, KnownMoves, Successor, seen_from_parent};
use crate::key::{CENTER, Key};
use crate::position::{BookPosition, Finding, Inserted};
use crate::record::{Effort, Leaf, Record};
use crate::tables::{ABOUT, EDAX, KeyBytes, OPEN, POSITIONS, ReadPositions, RecordBytes, guarded};

/// Counts of the searches that keep the values of a book up to date.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SearchCounts {
    /// The searches of moves outside of the book that were made because the best move of a position had dropped.
    pub searches: u64,
    /// The searches that would have been made after every change of a move, without bounds.
    pub full_searches: u64,
    /// Number of positions whose values were computed again because one of their moves had changed.
    pub updates: u64,
}

impl SearchCounts {
    pub(crate) fn add(&mut self, other: SearchCounts) {
        self.searches += other.searches;
        self.full_searches += other.full_searches;
        self.updates += other.updates;
    }
}

/// Changes that are made together ([`Book::update`](crate::Book::update)). After each of them, the value of every position
/// is that of its best move.
pub struct Editor<'t> {
    positions: Table<'t, KeyBytes, RecordBytes>,
    open: Table<'t, KeyBytes, ()>,
    pub(crate) edax: Table<'t, KeyBytes, &'static [u8]>,
    pub(crate) about: Table<'t, &'static str, &'static [u8]>,
    pub(crate) work: SearchCounts,
}

impl<'t> Editor<'t> {
    pub(crate) fn new(transaction: &'t WriteTransaction) -> Result<Self> {
        guarded(|| {
            Ok(Self {
                positions: transaction.open_table(POSITIONS)?,
                open: transaction.open_table(OPEN)?,
                edax: transaction.open_table(EDAX)?,
                about: transaction.open_table(ABOUT)?,
                work: SearchCounts::default(),
            })
        })
    }

    pub(crate) fn positions(&self) -> &impl ReadPositions {
        &self.positions
    }

    /// The number of positions.
    pub fn count(&self) -> Result<u64> {
        self.positions.count()
    }

    /// The entry of a position, in any orientation.
    pub fn lookup(&self, board: &Board) -> Result<Option<BookPosition>> {
        self.positions.lookup(board)
    }

    pub(crate) fn has(&self, key: &Key) -> Result<bool> {
        Ok(self.positions.record(key)?.is_some())
    }

    /// Inserts a position, or improves it if the search behind the finding is the deeper one; games are added up. If
    /// the leaf of the finding leads to a position of the book, its value becomes a bound on the other moves.
    pub fn insert(&mut self, board: &Board, finding: &Finding) -> Result<Inserted> {
        if !board.can_move() {
            return Err(BookError::NoMove(*board));
        }
        if (board.player | board.opponent) & CENTER != CENTER {
            return Err(BookError::EmptyCenter(*board));
        }
        let (key, symmetry) = Key::of(board);
        let leaf = checked_leaf(board, finding.leaf)?.moved(|square| transform_square(square, symmetry));
        let old = self.positions.record(&key)?;
        let new = Record {
            value: finding.solved.map_or(Value::EVEN, Value::of_score),
            leaf,
            effort: finding.effort,
            games: old.map_or(0, |old| old.games).saturating_add(finding.games),
            is_solved: finding.solved.is_some(),
            is_exact: false,
            is_open: false,
        };
        if let Some(old) = old {
            if improves(&new, &old) && !self.is_outdated(&key, &new, &old)? {
                self.change(key, &new)?;
                return Ok(Inserted::Improved);
            }
            self.store(&key, Some(&old), &Record { games: new.games, ..old })?;
            return Ok(Inserted::Known);
        }
        let known = KnownMoves::of(&self.positions, &key.board())?;
        let record = known.applied_to(&key, &new).ok_or(BookError::NoValue(*board))?;
        self.store(&key, None, &record)?;
        self.update_parents(&key)?;
        Ok(Inserted::New)
    }

    /// Whether a record that is as good as the old one has a best move outside of a smaller book that is inside this
    /// one: then the old one is as good or better for the other moves.
    fn is_outdated(&self, key: &Key, new: &Record, old: &Record) -> Result<bool> {
        let Leaf::Best { square, .. } = new.leaf else { return Ok(false) };
        if new.is_solved || new.effort != old.effort {
            return Ok(false);
        }
        Ok(KnownMoves::of(&self.positions, &key.board())?.outside & square.bit() == 0)
    }

    /// Removes a position, and returns whether it was in the book. Its value stays known as that of a move out of the
    /// book; positions after it remain, see [`Book::prune`](crate::Book::prune).
    pub fn remove(&mut self, board: &Board) -> Result<bool> {
        let (key, _) = Key::of(board);
        self.remove_key(&key)
    }

    pub(crate) fn remove_key(&mut self, key: &Key) -> Result<bool> {
        let Some(record) = self.positions.record(key)? else { return Ok(false) };
        guarded(|| {
            self.positions.remove(&key.to_bytes())?;
            self.open.remove(&key.to_bytes())?;
            self.edax.remove(&key.to_bytes())?;
            Ok(())
        })?;
        let mut changed = BTreeSet::new();
        for (parent, old) in graph::parents(&self.positions, key)? {
            let new = with_move_outside(&parent, &old, key, &record);
            self.store(&parent, Some(&old), &new)?;
            changed.insert(parent);
        }
        self.propagate(changed)?;
        Ok(true)
    }

    /// Replaces what is known about the moves of a position that are not in the book.
    pub fn set_leaf(&mut self, board: &Board, leaf: Leaf, effort: Effort) -> Result<()> {
        let (key, symmetry, record) = self.required(board)?;
        let leaf = checked_leaf(board, leaf)?.moved(|square| transform_square(square, symmetry));
        self.change(key, &Record { leaf, effort, ..record })
    }

    /// Counts games that reached a position.
    pub fn add_games(&mut self, board: &Board, games: u32) -> Result<()> {
        let (key, _, record) = self.required(board)?;
        let games = record.games.saturating_add(games);
        self.store(&key, Some(&record), &Record { games, ..record })
    }

    fn required(&self, board: &Board) -> Result<(Key, usize, Record)> {
        let (key, symmetry) = Key::of(board);
        let record = self.positions.record(&key)?.ok_or(BookError::NotInBook(*board))?;
        Ok((key, symmetry, record))
    }

    /// Writes a record with another leaf, score or number of games, and makes all values true.
    fn change(&mut self, key: Key, record: &Record) -> Result<()> {
        let Some(old) = self.positions.record(&key)? else { return Ok(()) };
        let known = KnownMoves::of(&self.positions, &key.board())?;
        let new = known.applied_to(&key, record).ok_or_else(|| BookError::NoValue(key.board()))?;
        self.store(&key, Some(&old), &new)?;
        if (new.value, new.is_exact) != (old.value, old.is_exact) {
            self.update_parents(&key)?;
        }
        Ok(())
    }

    /// Makes the values of all ancestors of a position true.
    fn update_parents(&mut self, key: &Key) -> Result<()> {
        let parents = graph::parents(&self.positions, key)?;
        self.propagate(parents.into_iter().map(|(parent, _)| parent).collect())
    }

    /// Updates these positions, and the ancestors of those whose values change. The greatest key has the most discs, so
    /// that every position is updated after all of its children, and once.
    fn propagate(&mut self, mut keys: BTreeSet<Key>) -> Result<()> {
        while let Some(key) = keys.pop_last() {
            let Some(old) = self.positions.record(&key)? else { continue };
            let known = KnownMoves::of(&self.positions, &key.board())?;
            let new = known.applied_to(&key, &old).ok_or_else(|| BookError::NoValue(key.board()))?;
            self.work.updates += 1;
            if known.outside != 0 && !old.is_solved {
                self.work.full_searches += 1;
            }
            self.store(&key, Some(&old), &new)?;
            if (new.value, new.is_exact) != (old.value, old.is_exact) {
                keys.extend(graph::parents(&self.positions, &key)?.into_iter().map(|(parent, _)| parent));
            }
        }
        Ok(())
    }

    /// Writes a record if it differs, and lists the position as open or not.
    fn store(&mut self, key: &Key, old: Option<&Record>, new: &Record) -> Result<()> {
        if old == Some(new) {
            return Ok(());
        }
        let was_open = old.is_some_and(|old| old.is_open);
        guarded(|| {
            self.positions.insert(&key.to_bytes(), &new.to_bytes())?;
            if new.is_open && !was_open {
                self.open.insert(&key.to_bytes(), ())?;
            } else if was_open && !new.is_open {
                self.open.remove(&key.to_bytes())?;
            }
            Ok(())
        })
    }

    pub(crate) fn set_about(&mut self, name: &str, bytes: &[u8]) -> Result<()> {
        guarded(|| {
            self.about.insert(name, bytes)?;
            Ok(())
        })
    }
}

/// The leaf, if its move is legal and its value possible.
fn checked_leaf(board: &Board, leaf: Leaf) -> Result<Leaf> {
    if let Some(square) = leaf.square()
        && (square.index() >= 64 || board.moves() & square.bit() == 0)
    {
        return Err(BookError::IllegalLeaf { square, board: *board });
    }
    match leaf.value() {
        Some(value) if value != value.clamped() => Err(BookError::InvalidValue(value.discs())),
        _ => Ok(leaf),
    }
}

fn improves(new: &Record, old: &Record) -> bool {
    if old.is_solved || new.is_solved {
        return !old.is_solved;
    }
    let knows_more = matches!(new.leaf, Leaf::Best { .. }) && matches!(old.leaf, Leaf::AtMost(_));
    new.effort > old.effort || new.effort == old.effort && knows_more
}

/// The record of a parent whose move to a position leads out of the book again.
fn with_move_outside(parent: &Key, record: &Record, removed: &Key, removed_record: &Record) -> Record {
    let board = parent.board();
    let value_of = |square: Square| match Successor::of(&board, square) {
        Some(Successor::Position { key, same_side }) if key == *removed => {
            Some((seen_from_parent(removed_record.value, same_side), square))
        }
        _ => None,
    };
    // Of symmetric moves the first one.
    let best = squares(board.moves()).filter_map(value_of).max_by_key(|&(value, square)| (value, 64 - square.index()));
    let Some((value, square)) = best else { return *record };
    let leaf = match record.leaf {
        Leaf::Best { value: other, .. } if other >= value => record.leaf,
        Leaf::AtMost(bound) if bound > value => record.leaf,
        _ => Leaf::Best { square, value },
    };
    let mut effort = record.effort;
    if !record.is_solved {
        if record.leaf == Leaf::Covered {
            // Nothing but the removed position stands behind the leaf.
            effort = removed_record.effort;
            effort.depth = effort.depth.saturating_add(1).min(64);
        }
        if !removed_record.is_exact && effort.is_exact(parent.empties()) {
            // The leaf is no longer proven.
            effort.selectivity = Selectivity::from_percent(99);
        }
    }
    Record { leaf, effort, ..*record }
}
