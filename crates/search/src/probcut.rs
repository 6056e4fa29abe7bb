//! Multi-ProbCut: a shallow search that is far enough outside the window stands for the deep one.
//!
//! How far is far enough comes from measurements: on many positions the value of a deep search less that
//! of a shallow one has a standard deviation that depends on both depths and on the phase of the game.

use evaluation::{Evaluation, Value};
use othello::Rules;

use crate::pvs::Task;
use crate::worker::Worker;

/// How well shallow searches foretell deep ones, for one evaluation.
///
/// The deviation in discs is modelled as `exp(base + probe x shallow depth + gap x (deep - shallow) +
/// phase x empties)`, with parameters of their own for searches to the end of the game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ProbCut {
    /// For searches that do not reach the end.
    pub midgame: Deviation,
    /// For searches to the end.
    pub endgame: Deviation,
}

/// The parameters of a deviation.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Deviation {
    /// The logarithm at depth 0.
    pub base: f32,
    /// Change for each ply of the shallow search.
    pub probe: f32,
    /// Change for each ply between the two searches.
    pub gap: f32,
    /// Change for each empty square.
    pub phase: f32,
}

impl Deviation {
    /// The standard deviation in parts of a disc.
    #[inline]
    pub fn parts(&self, depth: u32, probe: u32, empty_count: u32) -> f32 {
        let logarithm =
            self.base + self.probe * probe as f32 + self.gap * (depth - probe) as f32 + self.phase * empty_count as f32;
        logarithm.exp() * Value::PER_DISC as f32
    }
}

impl ProbCut {
    /// The shallowest search that is worth replacing.
    const LEAST_DEPTH: u32 = 3;
    /// The shallowest search to the end that is worth replacing.
    const LEAST_DEPTH_TO_THE_END: u32 = 13;

    /// The depth of the search that stands for a deeper one.
    fn probe_depth(depth: u32, to_the_end: bool) -> u32 {
        if to_the_end { (depth / 8) * 2 } else { 2 * (depth / 4) + depth % 2 }
    }
}

/// The parameters fitted to the hand-made evaluation.
impl Default for ProbCut {
    fn default() -> Self {
        crate::probcut_parameters::HAND_MADE
    }
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
        let least = if to_the_end { ProbCut::LEAST_DEPTH_TO_THE_END } else { ProbCut::LEAST_DEPTH };
        if depth < least || self.probes >= Self::NESTED {
            return None;
        }
        let empty_count = board.empties().count_ones();
        let depth = depth.min(empty_count);
        let probe = ProbCut::probe_depth(depth, to_the_end);
        let deviation = if to_the_end { &self.shared.probcut.endgame } else { &self.shared.probcut.midgame };
        let margin = (selectivity.deviations() * deviation.parts(depth, probe, empty_count)) as i32;
        let static_margin = (selectivity.deviations() * deviation.parts(depth, 0, empty_count)) as i32 / 2;
        let guess = self.shared.evaluation.evaluate(board, features).parts();
        let beta = alpha + 1;
        let limit = Value::MAX.parts();
        let shallow = Task { depth: probe, ..*task };

        let high = beta + margin;
        if high < limit && guess >= beta - static_margin / 2 {
            self.probes += 1;
            let value = self.search(&shallow, high - 1, high);
            self.probes -= 1;
            if value >= high && !self.interrupted() {
                return Some(beta);
            }
        }
        let low = alpha - margin;
        if low > -limit && guess <= alpha + static_margin / 2 {
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
