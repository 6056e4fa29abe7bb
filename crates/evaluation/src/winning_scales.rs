//! The scales of the probability of winning, in discs: one for every phase.
//!
//! Made by `emilia learn winning --weights weights.bin training.store`.

use crate::weights::PHASE_COUNT;

#[rustfmt::skip]
pub(crate) static SCALES: [f64; PHASE_COUNT] = [
    100.000, 100.000, 16.463, 10.203, 9.429, 9.362, 9.508, 9.594, 9.587, 9.659,
    9.401, 9.129, 8.938, 8.759, 8.367, 8.180, 7.821, 7.419, 6.953, 6.505,
    5.984, 5.518, 5.026, 4.713, 4.490, 4.225, 3.954, 3.457, 2.826, 1.562,
];
