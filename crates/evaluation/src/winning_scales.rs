//! The scales of the probability of winning, in discs: one for every phase.
//!
//! Made by `emilia learn winning --weights data/weights.bin.zst data/games/training.store`.

use crate::weights::PHASE_COUNT;

#[rustfmt::skip]
pub(crate) static SCALES: [f64; PHASE_COUNT] = [
    100.000, 39.284, 8.929, 9.465, 9.473, 8.765, 9.845, 8.874, 8.492, 8.317,
    8.000, 7.622, 7.311, 7.168, 7.064, 6.882, 6.666, 6.436, 6.133, 5.815,
    5.531, 5.197, 4.747, 4.246, 4.042, 3.748, 3.442, 2.914, 2.327, 1.443,
];
