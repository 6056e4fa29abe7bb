//! The scales of the probability of winning, in discs: one for every phase.
//!
//! Made by `emilia learn winning games.store`.

use crate::weights::PHASE_COUNT;

#[rustfmt::skip]
pub(crate) static SCALES: [f64; PHASE_COUNT] = [
    7.798, 7.798, 7.798, 7.798, 7.798, 7.407, 7.424, 7.427, 7.276, 7.378,
    7.409, 7.463, 7.306, 7.182, 7.048, 7.013, 7.028, 6.930, 6.748, 6.552,
    6.329, 6.003, 5.391, 5.180, 4.901, 4.487, 4.368, 3.989, 3.744, 2.613,
];
