//! The basic operations on the 8x8 board: flips, legal moves, the flips of the last move, and the contents of the
//! corners.
//!
//! Each exists in portable Rust, and where it pays off for AVX2 and for AVX-512, with the same results; the target CPU
//! of the build selects one. [`prefetch`] is here because it is an instruction, too.

pub mod portable;

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
pub mod avx2;

#[cfg(all(target_arch = "x86_64", target_feature = "avx512cd", target_feature = "avx512vl"))]
pub mod avx512;

#[cfg(all(
    target_arch = "x86_64",
    target_feature = "avx2",
    not(all(target_feature = "avx512cd", target_feature = "avx512vl"))
))]
pub use avx2::{corner_indices, flips, last_flip_count, moves};
#[cfg(all(target_arch = "x86_64", target_feature = "avx512cd", target_feature = "avx512vl"))]
pub use avx512::{corner_indices, flips, last_flip_count, moves};
#[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
pub use portable::{corner_indices, flips, last_flip_count, moves};

use crate::Square;

/// The functions for one instruction set, for tests and benchmarks that cover all of them.
#[derive(Clone, Copy, Debug)]
pub struct Kernel {
    /// The instruction set.
    pub name: &'static str,
    /// The discs that the side to move flips by playing on an empty square.
    pub flips: fn(player: u64, opponent: u64, square: Square) -> u64,
    /// The legal moves of the side to move.
    pub moves: fn(player: u64, opponent: u64) -> u64,
    /// The number of discs that the side to move flips by playing on the only empty square.
    pub last_flip_count: fn(player: u64, square: Square) -> u32,
    /// The contents of the nine squares around each corner.
    pub corner_indices: fn(player: u64, opponent: u64) -> [u16; 4],
}

/// All kernels of this build; the last one is in use.
pub const BUILT: &[Kernel] = &[
    Kernel {
        name: "portable",
        flips: portable::flips,
        moves: portable::moves,
        last_flip_count: portable::last_flip_count,
        corner_indices: portable::corner_indices,
    },
    #[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
    Kernel {
        name: "avx2",
        flips: avx2::flips,
        moves: avx2::moves,
        last_flip_count: avx2::last_flip_count,
        corner_indices: avx2::corner_indices,
    },
    #[cfg(all(target_arch = "x86_64", target_feature = "avx512cd", target_feature = "avx512vl"))]
    Kernel {
        name: "avx512",
        flips: avx512::flips,
        moves: avx512::moves,
        last_flip_count: avx512::last_flip_count,
        corner_indices: avx512::corner_indices,
    },
];

/// The name of the kernels that this build uses.
pub const NAME: &str = BUILT[BUILT.len() - 1].name;

/// Starts to fetch what a reference refers to into the cache, where the CPU has an instruction for it. A program that
/// fetches several places before it reads the first of them waits only once.
#[inline(always)]
#[allow(unsafe_code)]
pub fn prefetch<T>(memory: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every x86-64 CPU has the instruction. It does not change anything but the cache.
    unsafe {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(core::ptr::from_ref(memory).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = memory;
}

#[cfg(test)]
mod tests {
    use super::BUILT;

    /// The squares of a corner read one by one.
    fn slow_index(player: u64, opponent: u64, is_right: bool, is_low: bool) -> u16 {
        let mut index = 0;
        for place in (0..9).rev() {
            let (column, row) = (place % 3, place / 3);
            let column = if is_right { 7 - column } else { column };
            let row = if is_low { 7 - row } else { row };
            let has = |set: u64| (set >> (8 * row + column) & 1) as u16;
            index = 3 * index + has(player) + 2 * has(opponent);
        }
        index
    }

    #[test]
    fn corners_are_those_read_square_by_square() {
        let mut state = 1u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state ^ state >> 29
        };
        for _ in 0..10_000 {
            let (player, opponent) = (random(), random());
            let opponent = opponent & !player;
            let expected = [(false, false), (true, false), (false, true), (true, true)]
                .map(|(is_right, is_low)| slow_index(player, opponent, is_right, is_low));
            for kernel in BUILT {
                assert_eq!((kernel.corner_indices)(player, opponent), expected, "{}", kernel.name);
            }
        }
    }
}
