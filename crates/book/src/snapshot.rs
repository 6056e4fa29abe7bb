//! Reading the book: positions, moves, lines of play.

use std::collections::BTreeSet;

use evaluation::Value;
use othello::symmetry::{inverse, transform_square};
use othello::{Board, Rules, Square, squares};
use redb::{Database, ReadOnlyTable, ReadableTable};

use crate::error::{BookError, Result};
use crate::graph::{self, Successor, seen_from_parent};
use crate::key::Key;
use crate::position::{BookMove, BookPosition, Destination};
use crate::record::{Leaf, Record};
use crate::tables::{KeyBytes, ReadPositions, RecordBytes, guarded};

/// The positions that are read together.
const PORTION: usize = 4096;

/// The book as it was at one moment. It can be read as long as the book is open ([`crate::Book::into_snapshot`]).
pub struct Snapshot {
    pub(crate) positions: ReadOnlyTable<KeyBytes, RecordBytes>,
    pub(crate) open: ReadOnlyTable<KeyBytes, ()>,
    pub(crate) edax: ReadOnlyTable<KeyBytes, &'static [u8]>,
    pub(crate) about: ReadOnlyTable<&'static str, &'static [u8]>,
    pub(crate) file_bytes: Option<u64>,
    /// The book itself, unless the caller keeps it: without it, nothing could be read. It is dropped last.
    pub(crate) _database: Option<Database>,
}

impl std::fmt::Debug for Snapshot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Snapshot").field("count", &self.count().ok()).finish_non_exhaustive()
    }
}

impl Snapshot {
    /// The number of positions.
    pub fn count(&self) -> Result<u64> {
        self.positions.count()
    }

    /// The entry of a position in any orientation, or of the one after the pass if the side to move has to pass.
    pub fn lookup(&self, board: &Board) -> Result<Option<BookPosition>> {
        self.positions.lookup(board)
    }

    /// Value of a position for its side to move, if the book or the rules determine it.
    pub fn value(&self, board: &Board) -> Result<Option<Value>> {
        if board.is_over() {
            return Ok(Some(Value::of_score(board.final_score())));
        }
        let value = self.lookup(board)?.map(|position| position.value);
        Ok(if board.must_pass() { value.map(|value| -value) } else { value })
    }

    /// [`Snapshot::valued_moves`] of a position of the book; empty if it is not in the book.
    pub fn moves(&self, board: &Board) -> Result<Vec<BookMove>> {
        Ok(if self.lookup(board)?.is_some() { self.valued_moves(board)? } else { Vec::new() })
    }

    /// The moves of any position whose values are known, the best first, then in reading order: those of
    /// [`Snapshot::moves`], or the moves of a position outside of the book that lead to one inside or end the game.
    pub fn valued_moves(&self, board: &Board) -> Result<Vec<BookMove>> {
        let board = if board.must_pass() { board.pass() } else { *board };
        let (key, symmetry) = Key::of(&board);
        let mut moves = match self.positions.record(&key)? {
            Some(record) => known_moves(&self.positions, &key, &record)?,
            None => moves_inside(&self.positions, &key)?,
        };
        for known in &mut moves {
            known.square = transform_square(known.square, inverse(symmetry));
        }
        moves.sort_by_key(|known| (-known.value, known.square));
        Ok(moves)
    }

    /// The positions of the book from which a move leads to this one, in the orientation in which the book keeps them.
    pub fn parents(&self, board: &Board) -> Result<Vec<BookPosition>> {
        let parents = graph::parents(&self.positions, &Key::of(board).0)?;
        Ok(parents.iter().map(|(parent, record)| BookPosition::stored(parent, record)).collect())
    }

    /// All positions, those with the fewest discs first, in the orientation of [`Rules::canonical`].
    pub fn positions(&self) -> impl Iterator<Item = Result<BookPosition>> + '_ {
        self.records().map(|item| item.map(|(key, record)| BookPosition::stored(&key, &record).canonical()))
    }

    /// All records in the order of their keys; an error ends them.
    pub(crate) fn records(&self) -> impl Iterator<Item = Result<(Key, Record)>> + '_ {
        self.scanned(false)
    }

    /// All records, those with the most discs first; an error ends them.
    pub(crate) fn records_backwards(&self) -> impl Iterator<Item = Result<(Key, Record)>> + '_ {
        self.scanned(true)
    }

    fn scanned(&self, is_backwards: bool) -> impl Iterator<Item = Result<(Key, Record)>> + '_ {
        let mut rest = Some((Key::FIRST, Key::LAST));
        let portions = std::iter::from_fn(move || {
            let (first, last) = rest.take()?;
            Some(match self.positions.between(&first, &last, PORTION, is_backwards) {
                Ok(portion) => {
                    let end = portion.last().filter(|_| portion.len() == PORTION);
                    rest = end.map(|(key, _)| if is_backwards { (first, key.previous()) } else { (key.next(), last) });
                    portion.into_iter().map(Ok).collect()
                }
                Err(error) => vec![Err(error)],
            })
        });
        portions.flatten()
    }

    /// Up to `limit` open positions with the most discs: they do not depend on each other.
    pub(crate) fn deepest_open(&self, limit: usize) -> Result<Vec<(Key, Record)>> {
        let keys: Vec<Key> = guarded(|| {
            let latest = self.open.iter()?.rev().take(limit);
            latest.map(|item| Ok(Key::from_bytes(item?.0.value()))).collect()
        })?;
        let discs = keys.first().map(|key| key.discs());
        let deepest = keys.into_iter().take_while(|key| Some(key.discs()) == discs);
        let missing = |key: &Key| BookError::damaged(format!("an open position is missing: {:?}", key.board()));
        deepest.map(|key| Ok((key, self.positions.record(&key)?.ok_or_else(|| missing(&key))?))).collect()
    }

    /// The best moves from a position on, without passes; the last one may lead out of the book.
    pub fn best_line(&self, board: &Board) -> Result<Vec<Square>> {
        let mut line = Vec::new();
        let mut board = *board;
        while let Some(best) = self.moves(&board)?.first().copied() {
            line.push(best.square);
            let Some(after) = after(&board, best.square).filter(|_| best.destination == Destination::Book) else {
                break;
            };
            board = after;
        }
        Ok(line)
    }

    /// Lines from a position that together go through every position of the book after it, better moves first. `visit`
    /// receives each, with the number of positions of all lines so far, and may stop.
    pub fn lines(&self, root: &Board, visit: &mut dyn FnMut(&[Square], u64) -> bool) -> Result<()> {
        let root = if root.must_pass() { root.pass() } else { *root };
        if self.lookup(&root)?.is_some() {
            let mut visited = BTreeSet::from([Key::of(&root).0]);
            self.lines_after(&root, &mut Vec::new(), &mut visited, visit)?;
        }
        Ok(())
    }

    /// The lines that continue this one; false if the visitor stopped.
    fn lines_after(
        &self,
        board: &Board,
        line: &mut Vec<Square>,
        visited: &mut BTreeSet<Key>,
        visit: &mut dyn FnMut(&[Square], u64) -> bool,
    ) -> Result<bool> {
        let mut is_last = true;
        for known in self.moves(board)? {
            if known.destination != Destination::Book {
                continue;
            }
            let Some(after) = after(board, known.square).filter(|after| visited.insert(Key::of(after).0)) else {
                continue;
            };
            is_last = false;
            line.push(known.square);
            let goes_on = self.lines_after(&after, line, visited, visit)?;
            line.pop();
            if !goes_on {
                return Ok(false);
            }
        }
        Ok(!is_last || visit(line, visited.len() as u64))
    }
}

/// The moves of a position whose values are known, in the orientation of its key and in no order.
pub(crate) fn known_moves(positions: &impl ReadPositions, key: &Key, record: &Record) -> Result<Vec<BookMove>> {
    let mut moves = moves_inside(positions, key)?;
    if let Leaf::Best { square, value } = record.leaf {
        let is_exact = record.effort.is_exact(key.empties());
        moves.push(BookMove { square, value, destination: Destination::Leaf, is_exact, games: 0 });
    }
    Ok(moves)
}

/// The moves of a position that lead to positions of the book or end the game, in the orientation of its key.
fn moves_inside(positions: &impl ReadPositions, key: &Key) -> Result<Vec<BookMove>> {
    let board = key.board();
    let mut moves = Vec::new();
    for square in squares(board.moves()) {
        let known = match Successor::of(&board, square) {
            Some(Successor::End(score)) => {
                let value = Value::of_score(score);
                Some(BookMove { square, value, destination: Destination::End, is_exact: true, games: 0 })
            }
            Some(Successor::Position { key: child, same_side }) => positions.record(&child)?.map(|child| BookMove {
                square,
                value: seen_from_parent(child.value, same_side),
                destination: Destination::Book,
                is_exact: child.is_exact,
                games: child.games,
            }),
            None => None,
        };
        moves.extend(known);
    }
    Ok(moves)
}

/// The position after a move in which a side chooses the next one, or in which the game is over.
fn after(board: &Board, square: Square) -> Option<Board> {
    let after = board.play(square)?;
    Some(if after.must_pass() { after.pass() } else { after })
}
