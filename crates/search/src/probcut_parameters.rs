//! The parameters of ProbCut for the hand-made evaluation.
//!
//! Made by `emilia learn probcut`.

use crate::probcut::{Deviation, ProbCut};

pub(crate) const HAND_MADE: ProbCut = ProbCut {
    midgame: Deviation { base: 1.666, probe: -0.048, gap: 0.132, phase: -0.0291 },
    endgame: Deviation { base: 2.130, probe: -0.051, gap: 0.023, phase: 0.0000 },
};
