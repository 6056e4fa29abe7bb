//! Extending a book by a plan.

use crate::leaf_search::LeafSearch;
use crate::planning::{Candidate, Extended, Plan, Step};
use crate::settling::Settled;
use crate::{Book, BookError};

/// One plan serves one step for every so many positions of the book: to make a plan, much of the book is read.
const POSITIONS_PER_STEP: u64 = 500;

/// The most steps that one plan serves.
const MOST_STEPS: u64 = 256;

impl Book {
    /// Extends the book by a plan until everything in it is there, or until the search is stopped. `progress` hears
    /// about every step before it is made, and may end it.
    ///
    /// Small books are extended by the first candidate of a new plan at every step; those of large ones are followed
    /// together.
    pub fn extend(
        &mut self,
        plan: &Plan,
        search: &mut dyn LeafSearch,
        progress: &mut dyn FnMut(&Step) -> bool,
    ) -> Result<Extended, BookError> {
        let mut added = 0;
        let root = plan.root();
        if self.lookup(&root)?.is_none() {
            if self.add(&root, search)? == Settled::Stopped {
                return Ok(Extended { added, settled: Settled::Stopped });
            }
            added += 1;
        }
        if self.settle(search)? == Settled::Stopped {
            return Ok(Extended { added, settled: Settled::Stopped });
        }
        loop {
            let snapshot = self.snapshot()?;
            let candidates = snapshot.candidates(plan, usize::MAX)?;
            let mut positions = snapshot.count()?;
            drop(snapshot);
            if candidates.is_empty() {
                return Ok(Extended { added, settled: Settled::Complete });
            }
            let steps = (positions / POSITIONS_PER_STEP).clamp(1, MOST_STEPS) as usize;
            for (index, candidate) in candidates.iter().take(steps).enumerate() {
                if !self.is_current(candidate)? {
                    continue;
                }
                let waiting = (candidates.len() - index) as u64;
                if !progress(&Step { candidate: *candidate, added, positions, waiting })
                    || self.expand(candidate, search)? == Settled::Stopped
                {
                    return Ok(Extended { added, settled: Settled::Stopped });
                }
                added += 1;
                positions += 1;
            }
        }
    }

    /// Whether a move is still the leaf of its position: other steps of the same plan may have changed it.
    fn is_current(&self, candidate: &Candidate) -> Result<bool, BookError> {
        let found = self.lookup(&candidate.board)?;
        Ok(found.is_some_and(|found| found.leaf.square() == Some(candidate.square)))
    }
}
