//! Multi-ProbCut: a shallow search that is far enough outside the window stands for the deep one.
//!
//! How far is far enough comes from measurements ([`ProbCut`](evaluation::ProbCut)): the value expected of the deep
//! search must be so many standard deviations outside.

use evaluation::{Evaluation, Value};
use othello::Rules;

use crate::pvs::Task;
use crate::worker::Worker;

/// The shallowest search that is worth replacing.
const LEAST_DEPTH: u32 = 3;
/// The shallowest search to the end that is worth replacing.
const LEAST_DEPTH_TO_THE_END: u32 = 13;

/// The depth of the search that stands for a deeper one.
fn probe_depth(depth: u32, to_the_end: bool) -> u32 {
    if to_the_end { (depth / 8) * 2 } else { 2 * (depth / 4) + depth % 2 }
}

impl<'a, B: Rules<Set = u64>, E: Evaluation<B>> Worker<'a, B, E>
where
    E::Features: Sync,
{
    /// How many probes may stand inside each other.
    const NESTED: u32 = 2;

    /// A bound on the value of a node if a shallow search shows the window's side clearly enough.
    pub(crate) fn probcut(&mut self, task: &Task<B, E::Features>, alpha: i32, to_the_end: bool) -> Option<i32> {
        let Task { ref board, ref features, depth, selectivity } = *task;
        let least = if to_the_end { LEAST_DEPTH_TO_THE_END } else { LEAST_DEPTH };
        if depth < least || self.probes >= Self::NESTED {
            return None;
        }
        let empty_count = board.empties().count_ones();
        let depth = depth.min(empty_count);
        let probe = probe_depth(depth, to_the_end);
        let spreads = if to_the_end { &self.shared.probcut.endgame } else { &self.shared.probcut.midgame };
        let spread = spreads.of(depth, probe, empty_count);
        let mean = i32::from(spread.mean);
        let margin = (selectivity.deviations() * f32::from(spread.deviation)) as i32;
        // A probe costs much; the evaluation alone tells on which side it may succeed.
        let guess = self.shared.evaluation.evaluate(board, features).parts();
        let beta = alpha + 1;
        let limit = Value::MAX.parts();
        let shallow = Task { depth: probe, ..*task };

        let high = beta + margin - mean;
        if high < limit && guess >= beta {
            self.probes += 1;
            let value = self.search(&shallow, high - 1, high);
            self.probes -= 1;
            if value >= high && !self.interrupted() {
                return Some(beta);
            }
        }
        let low = alpha - margin - mean;
        if low > -limit && guess <= alpha {
            self.probes += 1;
            let value = self.search(&shallow, low, low + 1);
            self.probes -= 1;
            if value <= low && !self.interrupted() {
                return Some(alpha);
            }
        }
        None
    }
}
