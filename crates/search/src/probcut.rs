//! Multi-ProbCut: a shallow search far enough outside the window replaces the deep one.
//!
//! The required distance follows from measurements ([`ProbCut`](evaluation::ProbCut)): the expected value of the deep
//! search must be a number of standard deviations outside. An evaluation may instead use a single level, or none
//! ([`Cuts`]).

use evaluation::{Cuts, Evaluation, Value};
use othello::Rules;

use crate::parameters::{
    PROBCUT_MIN_DEPTH, PROBCUT_MIN_DEPTH_TO_THE_END, PROBE_MAX_NESTING, PROBE_MIN_DISTANCE, probe_depth,
};
use crate::pvs::Node;
use crate::selectivity::Selectivity;
use crate::worker::Worker;

/// The depth of the probe for a search of this depth, and how many deviations it must be outside the window.
fn probe(cuts: Cuts, depth: u32, to_the_end: bool, selectivity: Selectivity) -> Option<(u32, f32)> {
    match cuts {
        Cuts::Everywhere => {
            let min_depth = if to_the_end { PROBCUT_MIN_DEPTH_TO_THE_END } else { PROBCUT_MIN_DEPTH };
            (depth >= min_depth).then(|| (probe_depth(depth, to_the_end), selectivity.deviations()))
        }
        Cuts::Single { deep, shallow, deviations } => (!to_the_end && depth == deep).then_some((shallow, deviations)),
        Cuts::Never => None,
    }
}

impl<'a, B: Rules<Set = u64>, E: Evaluation<B>> Worker<'a, B, E>
where
    E::Features: Sync,
{
    /// A bound on the value of a node, if a shallow search shows clearly enough on which side of the window it lies.
    pub(crate) fn probcut(&mut self, node: &Node<B, E::Features>, alpha: i32, to_the_end: bool) -> Option<i32> {
        let Node { ref board, depth, selectivity, .. } = *node;
        if self.probcut_nesting >= PROBE_MAX_NESTING {
            return None;
        }
        let empty_count = board.empties().count_ones();
        let depth = depth.min(empty_count);
        let (probe, deviations) = probe(self.shared.probcut.cuts, depth, to_the_end, selectivity)?;
        let spreads = if to_the_end { &self.shared.probcut.endgame } else { &self.shared.probcut.midgame };
        let spread = spreads.of(depth, probe, empty_count);
        let mean = i32::from(spread.mean);
        let margin = (deviations * f32::from(spread.deviation)) as i32;
        // A probe is expensive; the evaluation alone shows on which side it may succeed.
        let guess = self.static_value(node);
        let promising = match self.shared.probcut.cuts {
            Cuts::Everywhere if !to_the_end => (PROBE_MIN_DISTANCE * margin as f32) as i32,
            _ => 0,
        };
        let beta = alpha + 1;
        let limit = Value::MAX.parts();
        let shallow = Node { depth: probe, static_value: Some(guess), ..*node };

        let high = beta + margin - mean;
        if high < limit && guess >= beta + promising {
            self.probcut_nesting += 1;
            let value = self.search(&shallow, high - 1, high);
            self.probcut_nesting -= 1;
            if value >= high && !self.is_interrupted() {
                return Some(beta);
            }
        }
        let low = alpha - margin - mean;
        if low > -limit && guess <= alpha - promising {
            self.probcut_nesting += 1;
            let value = self.search(&shallow, low, low + 1);
            self.probcut_nesting -= 1;
            if value <= low && !self.is_interrupted() {
                return Some(alpha);
            }
        }
        None
    }

    /// Number of deviations outside a window at which the evaluation alone decides near the leaves, if it may.
    pub(crate) fn leaf_deviations(&self, selectivity: Selectivity, alpha: i32, beta: i32) -> Option<f32> {
        let may_cut = beta - alpha == 1 && !selectivity.is_exact() && self.shared.probcut.cuts == Cuts::Everywhere;
        may_cut.then(|| selectivity.deviations())
    }

    /// A bound on the value of a search of a ply or two, if the evaluation of the position itself is far enough outside
    /// the null window at alpha: ProbCut with a probe of depth 0. Deeper searches need a real probe; there the
    /// evaluation alone overlooks too much.
    #[inline]
    pub(crate) fn leaf_cut(&self, node: &Node<B, E::Features>, deviations: f32, alpha: i32) -> Option<i32> {
        let spread = self.shared.probcut.midgame.of(node.depth, 0, node.board.empties().count_ones());
        let margin = (deviations * f32::from(spread.deviation)) as i32;
        let expected = self.static_value(node) + i32::from(spread.mean);
        if expected > alpha + margin {
            return Some(alpha + 1);
        }
        (expected <= alpha - margin).then_some(alpha)
    }
}

#[cfg(test)]
mod tests {
    use evaluation::{HandMade, ProbCut};
    use othello::Board;

    use super::*;
    use crate::threads::Shared;
    use crate::transposition::HashTable;
    use control::Control;

    #[test]
    fn a_single_level_cuts_one_depth_of_the_midgame_whatever_the_selectivity() {
        let single = Cuts::Single { deep: 8, shallow: 4, deviations: 1.5 };
        for depth in 1..30 {
            for selectivity in Selectivity::all().filter(|selectivity| !selectivity.is_exact()) {
                let expected = (depth == 8).then_some((4, 1.5));
                assert_eq!(probe(single, depth, false, selectivity), expected);
                assert_eq!(probe(single, depth, true, selectivity), None);
                assert_eq!(probe(Cuts::Never, depth, false, selectivity), None);
                assert_eq!(probe(Cuts::Never, depth, true, selectivity), None);
                assert_eq!(probe(Cuts::Everywhere, depth, false, selectivity).is_some(), depth >= PROBCUT_MIN_DEPTH);
            }
        }
    }

    #[test]
    fn the_evaluation_alone_decides_only_null_windows_of_selective_searches_with_cuts_everywhere() {
        let table = HashTable::new(0).unwrap();
        let control = Control::new();
        let single = Cuts::Single { deep: 8, shallow: 4, deviations: 1.5 };
        for cuts in [Cuts::Everywhere, single, Cuts::Never] {
            let probcut = ProbCut { cuts, ..(*Evaluation::<Board>::probcut(&HandMade)).clone() };
            let shared = Shared::<Board, HandMade>::new(&table, &HandMade, &probcut, &control);
            shared.run(1, |worker| {
                for selectivity in Selectivity::all() {
                    let cuts_here = cuts == Cuts::Everywhere && !selectivity.is_exact();
                    let expected = cuts_here.then(|| selectivity.deviations());
                    assert_eq!(worker.leaf_deviations(selectivity, 10, 11), expected);
                    assert_eq!(worker.leaf_deviations(selectivity, 10, 12), None);
                }
            });
        }
    }
}
