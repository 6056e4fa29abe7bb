//! The three operations that everything else lives on: flips, legal moves, and the flips of the
//! last move.
//!
//! Each exists twice, once for AVX2 and BMI2 and once in plain Rust, with the same results; the
//! build's target CPU chooses. Nothing outside this folder sees an intrinsic.

pub mod portable;

#[cfg(all(target_arch = "x86_64", target_feature = "avx2", target_feature = "bmi2"))]
pub mod avx2;

#[cfg(all(target_arch = "x86_64", target_feature = "avx2", target_feature = "bmi2"))]
pub use avx2::{flips, last_flip_count, moves};
#[cfg(not(all(target_arch = "x86_64", target_feature = "avx2", target_feature = "bmi2")))]
pub use portable::{flips, last_flip_count, moves};

/// The name of the kernels that this build uses.
pub const NAME: &str = if cfg!(all(target_arch = "x86_64", target_feature = "avx2", target_feature = "bmi2")) {
    "avx2"
} else {
    "portable"
};
