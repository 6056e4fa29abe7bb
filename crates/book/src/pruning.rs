//! Removing what does not matter.

use std::collections::{BTreeMap, BTreeSet};

use evaluation::Value;
use othello::{Board, Rules};

use crate::error::Result;
use crate::graph::Successor;
use crate::key::Key;
use crate::position::Destination;
use crate::snapshot::known_moves;
use crate::tables::ReadPositions;
use crate::{Book, Snapshot};

/// Conditions for positions to stay in a book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pruning {
    /// Start of all lines.
    pub root: Board,
    /// The most that both sides may have given away together on the way to a position.
    pub loss: Option<Value>,
    /// The most discs on the board.
    pub discs: Option<u8>,
}

impl Default for Pruning {
    /// Everything that can be reached from the start.
    fn default() -> Self {
        Self { root: Board::start(), loss: None, discs: None }
    }
}

/// Changes made by pruning.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Pruned {
    /// Positions that stay.
    pub kept: u64,
    /// Positions that are gone.
    pub removed: u64,
}

impl Snapshot {
    fn kept(&self, pruning: &Pruning) -> Result<BTreeSet<Key>> {
        let mut kept = BTreeSet::new();
        // The least loss on any way to a position. Parents come before their children in the order of keys.
        let mut reached = BTreeMap::from([(Key::of(&pruning.root).0, 0)]);
        while let Some((key, loss)) = reached.pop_first() {
            let Some(record) = self.positions.record(&key)? else { continue };
            if pruning.discs.is_some_and(|most| key.discs() > most) {
                continue;
            }
            kept.insert(key);
            for known in known_moves(&self.positions, &key, &record)? {
                if known.destination != Destination::Book {
                    continue;
                }
                let Some(Successor::Position { key: child, .. }) = Successor::of(&key.board(), known.square) else {
                    continue;
                };
                // A solved position may be worth less than a move of it that was searched less deeply.
                let total = loss + (record.value.parts() - known.value.parts()).max(0);
                if pruning.loss.is_none_or(|most| total <= most.parts()) {
                    reached.entry(child).and_modify(|least| *least = total.min(*least)).or_insert(total);
                }
            }
        }
        Ok(kept)
    }
}

/// The positions that are removed between two commits.
const PORTION: usize = 20_000;

impl Book {
    /// Removes every position that does not stay. Its value is kept as that of a leaf, so that the others keep theirs.
    /// `progress` receives the number of positions removed and of all to remove, and may stop: the book is sound then,
    /// too.
    pub fn prune(&mut self, pruning: &Pruning, progress: &mut dyn FnMut(u64, u64) -> bool) -> Result<Pruned> {
        let snapshot = self.snapshot()?;
        let kept = snapshot.kept(pruning)?;
        let mut condemned = Vec::new();
        for item in snapshot.records() {
            condemned.extend(Some(item?.0).filter(|key| !kept.contains(key)));
        }
        drop(snapshot);
        let mut pruned = Pruned { kept: kept.len() as u64, removed: 0 };
        // Those with the most discs last: a parent that goes first needs no new leaf.
        for keys in condemned.chunks(PORTION) {
            self.update(|editor| keys.iter().try_for_each(|key| editor.remove_key(key).map(drop)))?;
            pruned.removed += keys.len() as u64;
            if !progress(pruned.removed, condemned.len() as u64) {
                break;
            }
        }
        Ok(pruned)
    }
}
