//! The three operations that everything else lives on: flips, legal moves, and the flips of the
//! last move.
//!
//! Each exists twice, once for AVX2 and once in plain Rust, with the same results; the
//! build's target CPU chooses. Nothing outside this folder sees an intrinsic.

mod cpu;
pub mod portable;

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
pub mod avx2;

pub use cpu::check_cpu;

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
pub use avx2::{flips, last_flip_count, moves};
#[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
pub use portable::{flips, last_flip_count, moves};

use crate::Square;

/// The functions of one instruction set, for tests and benchmarks that go through them all.
#[derive(Clone, Copy, Debug)]
pub struct Kernel {
    /// The instruction set.
    pub name: &'static str,
    /// The discs that the side to move flips by playing on an empty square.
    pub flips: fn(player: u64, opponent: u64, square: Square) -> u64,
    /// The legal moves of the side to move.
    pub moves: fn(player: u64, opponent: u64) -> u64,
    /// How many discs the side to move flips by playing on the only empty square.
    pub last_flip_count: fn(player: u64, square: Square) -> u32,
}

/// Every kernel of this build; the last one is in use.
pub const BUILT: &[Kernel] = &[
    Kernel {
        name: "portable",
        flips: portable::flips,
        moves: portable::moves,
        last_flip_count: portable::last_flip_count,
    },
    #[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
    Kernel { name: "avx2", flips: avx2::flips, moves: avx2::moves, last_flip_count: avx2::last_flip_count },
];

/// The name of the kernels that this build uses.
pub const NAME: &str = BUILT[BUILT.len() - 1].name;
