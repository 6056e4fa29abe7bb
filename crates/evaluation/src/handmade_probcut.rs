//! The ProbCut parameters of the hand-made evaluation.
//!
//! Made by `emilia learn probcut --games 1500 --seed 1`.

use crate::probcut::Model;

pub(crate) const MIDGAME: Model = Model { base: 1.734, probe: -0.039, gap: 0.136, phase: -0.0324 };
pub(crate) const ENDGAME: Model = Model { base: 1.941, probe: -0.067, gap: 0.020, phase: 0.0195 };
