//! The scales of the probability of winning, in discs: one for every phase.
//!
//! Made by `emilia learn winning --weights data/weights.bin.zst data/games/training.store`.

use crate::weights::PHASE_COUNT;

#[rustfmt::skip]
pub(crate) static SCALES: [f64; PHASE_COUNT] = [
    100.000, 39.284, 8.929, 9.465, 9.473, 8.765, 8.942, 8.528, 8.270, 8.155,
    7.984, 7.639, 7.358, 7.218, 7.110, 6.934, 6.739, 6.530, 6.228, 5.925,
    5.635, 5.287, 4.920, 4.525, 4.317, 4.072, 3.844, 3.397, 2.784, 1.497,
];
